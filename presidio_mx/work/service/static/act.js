// What the reviewer does to marks and notes.
import { $, REACHES, ROLES, call, page, pickedMark, reach, say, t } from "./state.js";
import { tellTime } from "./clock.js";
import { showFigures } from "./figures.js";
import { showCurrent, updateRows } from "./list.js";
import { moved, shown } from "./text.js";
import { conflictAt, offerReach, pick, showInspector, showNote, showReach } from "./view.js";

export function take(data) {
  if (data.rows) {
    const changed = new Map(data.rows.map((row) => [row.id, row]));
    page.rows = page.rows.map((row) => changed.get(row.id) ?? row);
  }
  page.summary = data;
  if (data.note) showNote(data.note);
  updateRows(data.rows ?? []);
  showProgress();
}

export function showProgress() {
  const { figures, undo, redo } = page.summary;
  $("progress").value = figures.notes ? figures.done / figures.notes : 0;
  const parts = [t("progress", figures)];
  const { failures } = figures;
  if (figures.done && figures.done === figures.notes) {
    const per = (share) => (100 * share).toFixed(1);
    const rate = per(failures.failed / failures.reviewed);
    parts.push(t("failures-short", { rate, low: per(failures.low), high: per(failures.high) }));
  }
  $("progress-text").textContent = parts.join(" · ");
  $("undo").disabled = !undo;
  $("redo").disabled = !redo;
}

export async function openNote(id) {
  const note = await call(`note?id=${encodeURIComponent(id)}`);
  if (!note) return;
  if (page.note && page.note.id !== id) tellTime();
  showNote(note);
  showCurrent();
  document.body.classList.remove("list-open");
  say(t("said-note", { id }));
}

export async function decide(kind, fields = {}) {
  if (!page.note) return null;
  const data = await call("decide", { kind, note: page.note.id, ...fields });
  if (!data) return null;
  take(data);
  const many = data.rows.length > 1 ? ` · ${t("said-many", { count: data.rows.length })}` : "";
  say(data.rows.length ? t(`said-${kind}`) + many : t("said-none"));
  return data;
}

export const order = () => shown(page.note?.marks ?? []);

export function step(by) {
  const marks = order();
  if (!marks.length) return;
  const at = marks.findIndex((mark) => mark.id === page.pick);
  pick(marks[(Math.max(at, by > 0 ? -1 : 0) + by + marks.length) % marks.length].id);
}

// After a decision: the next mark of this note that waits for one.
function pickOpen() {
  const marks = order();
  const at = marks.findIndex((mark) => mark.id === page.pick);
  const later = [...marks.slice(at + 1), ...marks.slice(0, Math.max(at, 0))];
  const open = later.find((mark) => mark.status === "proposed");
  pick(open ? open.id : page.pick);
}

export async function judge(kind) {
  const mark = pickedMark();
  if (!mark || page.range) return;
  if (!await decide(kind, { mark: mark.id, reach: reach() })) return;
  offerReach();
  pickOpen();
}

export async function chooseType(entity) {
  $("type").value = entity;
  const mark = pickedMark();
  if (page.range || !mark) {
    page.addType = entity;
    $("role").disabled = entity !== "PERSON";
    return;
  }
  if (mark.entity === entity || !await decide("retype", { mark: mark.id, entity, reach: reach() })) return;
  offerReach();
  pick(mark.id);
}

export async function chooseRole(role) {
  $("role").value = role;
  const mark = pickedMark();
  if (page.range || !mark || mark.entity !== "PERSON" || mark.role === role) return;
  if (!await decide("role", { mark: mark.id, role, reach: reach() })) return;
  offerReach();
  pick(mark.id);
}

export function cycleRole() {
  if ($("role").disabled) return;
  const at = ROLES.indexOf($("role").value);
  chooseRole(ROLES[(at % (ROLES.length - 1)) + 1]);
}

export async function resize(edge, by) {
  const mark = pickedMark();
  const next = mark && moved(mark, edge, by, page.words);
  if (!next || page.range) return;
  if (await decide("resize", { mark: mark.id, start: next.start, end: next.end })) pick(mark.id);
}

export async function add() {
  const { range } = page;
  if (!range) return;
  const known = new Set(page.note.marks.map((mark) => mark.id));
  const entity = $("type").value;
  const role = entity === "PERSON" ? $("role").value : "";
  const data = await decide("add", { ...range, entity, role, reach: reach() });
  if (!data) return;
  document.getSelection().removeAllRanges();
  offerReach();
  const made = page.note.marks.find((mark) => !known.has(mark.id));
  if (made) pick(made.id);
}

// Under adjudication: one of the two reviewers is right about this place.
export async function takeFrom(name) {
  const place = name && conflictAt(page.range ?? pickedMark());
  if (!place) return;
  if (await decide("take", { start: place.start, end: place.end, other: name })) pickOpen();
}

export async function finish(sure = false) {
  if (!page.note) return;
  const open = page.note.marks.filter((mark) => mark.status === "proposed").length;
  if (!page.note.done && open && !sure) {
    $("ask-text").textContent = t("ask-open", { open });
    $("ask").showModal();
    return;
  }
  const kind = page.note.done ? "reopen" : "done";
  tellTime();
  const data = await decide(kind);
  if (!data || kind === "reopen") return;
  if (data.next) await openNote(data.next);
  else {
    say(t("said-all"));
    showFigures(); // the sample is done: its rate with the interval
  }
}

export function seeOpen() {
  const open = order().find((mark) => mark.status === "proposed");
  if (open) pick(open.id);
}

export function askFlag() {
  if (!page.note) return;
  $("flag").value = page.note.flag || "skipped";
  $("comment").value = page.note.comment;
  $("aside").showModal();
  $("comment").focus();
}

export async function setFlag() {
  const flag = $("flag").value === "none" ? "" : $("flag").value;
  const data = await decide("flag", { flag, comment: $("comment").value.trim() });
  if (data && flag === "skipped") await nextNote();
}

export async function back(kind) {
  const data = await call(kind, { note: page.note?.id ?? "" });
  if (!data) return;
  take(data);
  say(data.rows.length ? t(`said-${kind}`) : t("said-none"));
}

export function nextNote() {
  const { next } = page.summary;
  if (next && next !== page.note?.id) return openNote(next);
  const left = page.rows.filter((row) => !row.done && row.id !== page.note?.id);
  if (!left.length) return say(t("said-all"));
  const rank = (row) => (row.flag === "skipped" ? -1 : row.risk ?? row.uncertainty);
  return openNote(left.reduce((best, row) => (rank(row) > rank(best) ? row : best)).id);
}

export function previousNote() {
  const rows = page.rows.filter((row) => !page.items.get(row.id).hidden);
  const at = rows.findIndex((row) => row.id === page.note?.id);
  if (at > 0) openNote(rows[at - 1].id);
}

export function cycleReach() {
  const next = REACHES[(REACHES.indexOf(reach()) + 1) % REACHES.length];
  $("reach").value = next;
  showReach();
  say(t("said-reach", { reach: t({ here: "here", note: "in-note", all: "in-all" }[next]) }));
}

export async function saveToSite() {
  const subject = page.range ?? pickedMark();
  if (!page.site || !subject) return;
  const data = await call("site", {
    kind: $("site-list").value, note: page.note.id, start: subject.start, end: subject.end, entity: $("type").value,
  });
  if (data) say(t(data.added ? "said-site" : "said-site-had"));
}

export async function write() {
  const data = await call("export", {});
  if (data) say([t("said-export", data), ...data.problems].join(" · "), data.problems.length > 0);
}

export function cancelRange() {
  page.range = null;
  page.caret = null;
  document.getSelection().removeAllRanges();
  offerReach();
  showInspector();
}
