// Selecting text, with the mouse, word by word, or by finding it.
import { $, page, pickedMark, piece, say, t } from "./state.js";
import { locateText, select, selected } from "./text.js";
import { showInspector } from "./view.js";

export function takeSelection() {
  const range = page.note && selected($("note"));
  if (!range) return;
  while (range.start < range.end && /\s/u.test(page.points[range.start])) range.start += 1;
  while (range.start < range.end && /\s/u.test(page.points[range.end - 1])) range.end -= 1;
  if (range.start === range.end) return;
  beginRange();
  page.range = range;
  showInspector();
}

// What is added has the type that was added last, not that of the mark left behind.
function beginRange() {
  if (page.range) return;
  $("type").value = page.addType ?? page.entities[0];
  $("role").value = "";
}

export function startCaret() {
  if (!page.words.length) return;
  beginRange();
  const from = pickedMark()?.end ?? 0;
  const at = Math.max(0, page.words.findIndex((word) => word.start >= from));
  page.caret = { anchor: at, focus: at };
  $("note").focus({ preventScroll: true });
  showCaret();
}

export function moveCaret(by, extend) {
  const focus = Math.min(page.words.length - 1, Math.max(0, page.caret.focus + by));
  page.caret = { anchor: extend ? page.caret.anchor : focus, focus };
  showCaret();
}

export function lineStep(by) {
  const { points, words: list, caret } = page;
  const lineOf = (at) => points.slice(0, at).filter((point) => point === "\n").length;
  const column = (at) => at - (points.slice(0, at).lastIndexOf("\n") + 1);
  const here = list[caret.focus].start;
  const line = lineOf(here);
  let best = caret.focus;
  let target = null;
  for (let at = caret.focus + by; at >= 0 && at < list.length; at += by) {
    const there = lineOf(list[at].start);
    if (there === line) continue;
    target ??= there;
    if (there !== target) break;
    const far = (word) => Math.abs(column(word.start) - column(here));
    if (best === caret.focus || far(list[at]) < far(list[best])) best = at;
  }
  return best - caret.focus;
}

function showCaret() {
  const [low, high] = [page.caret.anchor, page.caret.focus].sort((a, b) => a - b);
  page.range = { start: page.words[low].start, end: page.words[high].end };
  select($("note"), page.points, page.range.start, page.range.end);
  showInspector();
  say(t("selecting", { text: piece(page.range) }));
}

// The next place of the note that reads like what is searched becomes the selection.
export function findInNote(by = 1) {
  const wanted = $("find").value.trim();
  if (!page.note || !wanted) return;
  const places = locateText(page.points, wanted);
  if (!places.length) {
    say(t("said-not-found"));
    return;
  }
  const from = page.range?.start ?? -1;
  const later = places.filter((place) => (by > 0 ? place.start > from : place.start < from));
  const next = by > 0 ? later[0] ?? places[0] : later.pop() ?? places[places.length - 1];
  beginRange();
  page.range = next;
  page.caret = null;
  select($("note"), page.points, next.start, next.end);
  showInspector();
  say(t("said-found", { at: places.indexOf(next) + 1, count: places.length }));
}
