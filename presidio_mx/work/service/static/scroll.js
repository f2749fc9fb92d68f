// The two panes scroll together: where a mark stands in one, it stands in the other.
import { $, page } from "./state.js";

let anchors = null;
let leader = null;

export function forgetAnchors() {
  anchors = null;
}

// Where the same stands in both: the parts of a long note, the marks of a short one.
function pairs(note, output) {
  const parts = [...note.children];
  if (parts.length > 1) {
    const there = new Map([...output.children].map((part) => [part.dataset.name, part]));
    return parts.map((part) => [part, there.get(part.dataset.name)]);
  }
  const items = new Map([...output.querySelectorAll(".item")].map((item) => [item.dataset.from, item]));
  return page.note.marks.map((mark) => [page.elements.get(mark.id), items.get(String(mark.start))]);
}

function measure() {
  const [note, output] = [$("note"), $("output")];
  const found = [[0, 0]];
  const further = (place) => place.every((top, side) => top > found[found.length - 1][side]);
  for (const [one, other] of pairs(note, output)) {
    if (!one || !other) continue;
    const place = [one.offsetTop, other.offsetTop];
    if (further(place)) found.push(place);
  }
  const end = [note.scrollHeight, output.scrollHeight];
  if (further(end)) found.push(end);
  return found;
}

function follow(from, to, side) {
  if (!page.note || to.scrollHeight <= to.clientHeight) return;
  // Parts get their true height when they come into view.
  if (from.children.length > 1) anchors = null;
  anchors ??= measure();
  const top = from.scrollTop;
  let after = anchors.findIndex((place) => place[side] > top);
  if (after < 1) after = anchors.length - 1;
  const [low, high] = [anchors[Math.max(0, after - 1)], anchors[after]];
  const span = high[side] - low[side];
  const share = span ? (top - low[side]) / span : 0;
  to.scrollTop = low[1 - side] + share * (high[1 - side] - low[1 - side]);
  // Both ends are reached together.
  if (top + from.clientHeight >= from.scrollHeight - 1) to.scrollTop = to.scrollHeight;
}

export function scrollTogether() {
  const panes = [$("note"), $("output")];
  let release = 0;
  panes.forEach((pane, side) => {
    pane.addEventListener("scroll", () => {
      if (leader && leader !== pane) return;
      leader = pane;
      follow(pane, panes[1 - side], side);
      clearTimeout(release);
      release = setTimeout(() => { leader = null; }, 80);
    }, { passive: true });
  });
  new ResizeObserver(forgetAnchors).observe($("note"));
}
