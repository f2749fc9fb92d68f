// Texts counted in code points, as the server counts them.

const PLACES = {
  person: ["PERSON"],
  contact: ["PHONE_NUMBER", "EMAIL_ADDRESS", "URL", "IP_ADDRESS"],
  place: ["ADDRESS", "LOCATION"],
  time: ["DATE_TIME", "AGE"],
  group: ["ORGANIZATION"],
  code: [
    "MX_CURP", "MX_RFC", "MX_NSS", "MX_INE", "MEDICAL_RECORD", "MX_PROFESSIONAL_LICENSE",
    "CREDIT_CARD", "MX_CLABE", "MX_LICENSE_PLATE", "DEVICE_ID",
  ],
};

export function family(entity) {
  const found = Object.entries(PLACES).find(([, types]) => types.includes(entity));
  return found ? found[0] : "other";
}

// The marks to show: what is rejected only where nothing else stands.
export function shown(marks) {
  const live = marks.filter((mark) => mark.status !== "rejected");
  const taken = [...live];
  for (const mark of marks) {
    if (mark.status === "rejected" && !taken.some((m) => m.start < mark.end && mark.start < m.end)) {
      taken.push(mark);
    }
  }
  return taken.sort((a, b) => a.start - b.start);
}

// Ends of lines at which a long text is parted, so that only what is seen is laid out.
export function cutsOf(points, size = 1500) {
  const cuts = [];
  let last = 0;
  points.forEach((point, at) => {
    if (point !== "\n" || at + 1 - last < size) return;
    last = at + 1;
    cuts.push({ at: last, name: last });
  });
  return cuts;
}

// The same cuts in another text, of which it is known what was replaced by what.
export function cutsAfter(cuts, items) {
  const moved = [];
  let item = 0;
  let shift = 0;
  for (const { name } of cuts) {
    while (item < items.length && items[item].to <= name) {
      shift = items[item].end - items[item].to;
      item += 1;
    }
    if (item < items.length && items[item].from < name) continue;
    moved.push({ at: name + shift, name });
  }
  return moved;
}

// Fill an element with text and one inner element per range; never with markup.
export function fill(element, points, ranges, make, cuts = []) {
  const parts = [];
  let at = 0;
  let cut = 0;
  const begin = (name) => {
    const part = document.createElement("div");
    part.className = "part";
    part.dataset.name = name;
    parts.push(part);
  };
  const put = (end) => {
    while (cut < cuts.length && cuts[cut].at <= end) {
      if (cuts[cut].at >= at) {
        parts[parts.length - 1].append(points.slice(at, cuts[cut].at).join(""));
        at = cuts[cut].at;
        begin(cuts[cut].name);
      }
      cut += 1;
    }
    parts[parts.length - 1].append(points.slice(at, end).join(""));
    at = end;
  };
  begin(0);
  for (const range of ranges) {
    if (range.start < at) continue;
    put(range.start);
    const inner = make(range);
    inner.textContent = points.slice(range.start, range.end).join("");
    parts[parts.length - 1].append(inner);
    at = range.end;
  }
  put(points.length);
  element.replaceChildren(...parts);
}

// Offsets of what is selected inside an element, or null; what lies outside is cut off.
export function selected(element) {
  const selection = document.getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  if (!element.contains(selection.anchorNode) && !element.contains(selection.focusNode)) return null;
  const all = document.createRange();
  all.selectNodeContents(element);
  const range = selection.getRangeAt(0).cloneRange();
  if (range.compareBoundaryPoints(Range.START_TO_START, all) < 0) range.setStart(element, 0);
  if (range.compareBoundaryPoints(Range.END_TO_END, all) > 0) range.setEnd(element, element.childNodes.length);
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(range.startContainer, range.startOffset);
  const start = Array.from(before.toString()).length;
  const end = start + Array.from(range.toString()).length;
  return start < end ? { start, end } : null;
}

// Places of a text, whatever its case and accents, in code points.
export function locateText(points, wanted) {
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const needle = Array.from(wanted, plain);
  const found = [];
  const folded = points.map(plain);
  for (let at = 0; at + needle.length <= folded.length; at += 1) {
    if (needle.every((letter, by) => folded[at + by] === letter)) found.push({ start: at, end: at + needle.length });
  }
  return found;
}

// Select a range of an element, in code points.
export function select(element, points, start, end) {
  const units = (offset) => points.slice(0, offset).join("").length;
  const [first, second] = [locate(element, units(start)), locate(element, units(end))];
  document.getSelection().setBaseAndExtent(...first, ...second);
  const [place, pane] = [document.getSelection().getRangeAt(0), element].map((each) => each.getBoundingClientRect());
  if (place.top < pane.top || place.bottom > pane.bottom) element.scrollTop += place.top - pane.top - pane.height / 3;
}

function locate(element, unit) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let node = walker.nextNode();
  let last = node;
  while (node) {
    if (unit <= node.length) return [node, unit];
    unit -= node.length;
    last = node;
    node = walker.nextNode();
  }
  return last ? [last, last.length] : [element, 0];
}

// Ranges of the words of a text: runs of letters, digits and what joins them.
export function words(points) {
  const found = [];
  let start = -1;
  points.forEach((point, at) => {
    const inside = /[\p{L}\p{M}\p{N}]/u.test(point);
    if (inside && start < 0) start = at;
    if (!inside && start >= 0) {
      found.push({ start, end: at });
      start = -1;
    }
  });
  if (start >= 0) found.push({ start, end: points.length });
  return found;
}

// A range with one edge moved to the next word edge, or null.
export function moved(range, edge, step, list) {
  const edges = list.map((word) => (edge === "start" ? word.start : word.end));
  const there = step > 0
    ? edges.find((at) => at > range[edge])
    : edges.filter((at) => at < range[edge]).pop();
  if (there === undefined) return null;
  const next = { ...range, [edge]: there };
  return next.start < next.end ? next : null;
}
