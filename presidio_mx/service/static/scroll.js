// The two panes scroll together: where a mark stands in one, it stands in the other.
import { $, page } from "./state.js";

let anchors = null;
let leader = null;

export function forgetAnchors() {
  anchors = null;
}

function measure() {
  const [note, output] = [$("note"), $("output")];
  const found = [[0, 0]];
  const items = new Map([...output.querySelectorAll(".item")].map((item) => [item.dataset.from, item]));
  for (const mark of page.note.marks) {
    const item = items.get(String(mark.start));
    const element = item && page.elements.get(mark.id);
    if (!element) continue;
    const place = [element.offsetTop, item.offsetTop];
    const last = found[found.length - 1];
    if (place[0] > last[0] && place[1] > last[1]) found.push(place);
  }
  const end = [note.scrollHeight, output.scrollHeight];
  const last = found[found.length - 1];
  if (end[0] > last[0] && end[1] > last[1]) found.push(end);
  return found;
}

function follow(from, to, side) {
  if (!page.note || to.scrollHeight <= to.clientHeight) return;
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
