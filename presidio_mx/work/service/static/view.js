// Shows a note: its marks, what would be given away, and what can be done with a mark.
import {
  $, ROLES, call, entityName, entityNames, familyOf, make, page, percent, pickedMark, piece, reach, send, t,
} from "./state.js";
import { forgetAnchors } from "./scroll.js";
import { cutsAfter, cutsOf, fill, shown, words } from "./text.js";

export function showNote(note) {
  const other = page.note?.id !== note.id;
  if (page.note?.text !== note.text) {
    page.points = Array.from(note.text);
    page.words = words(page.points);
    page.cuts = cutsOf(page.points);
  }
  page.note = note;
  page.range = null;
  page.caret = null;
  if (other) {
    page.pick = null;
    page.elements = new Map();
    page.shown = [];
    sessionStorage.setItem("note", note.id);
  }
  if (!pickedMark()) {
    const open = note.marks.find((mark) => mark.status === "proposed");
    page.pick = (open ?? shown(note.marks)[0])?.id ?? null;
  }
  showMarks();
  showOutput(other);
  showHead();
  showInspector();
  if (other) {
    $("note").scrollTop = 0;
    $("output").scrollTop = 0;
  }
}

// Only what changed is made anew: a note may have thousands of marks.
export function showMarks() {
  const marks = shown(page.note.marks);
  const places = marks.map((mark) => `${mark.id} ${mark.start} ${mark.end}`);
  const before = page.shown;
  if (before.length === places.length && places.every((place, at) => place === before[at]) && page.elements.size) {
    for (const mark of marks) dress(page.elements.get(mark.id), mark);
    return;
  }
  const focused = $("note").contains(document.activeElement) && document.activeElement !== $("note");
  const elements = new Map();
  fill($("note"), page.points, marks, (mark) => {
    const element = make("span", { tabIndex: -1 });
    element.dataset.id = mark.id;
    element.setAttribute("role", "button");
    elements.set(mark.id, element);
    dress(element, mark);
    return element;
  }, page.cuts);
  page.elements = elements;
  page.shown = places;
  forgetAnchors();
  if (focused) elements.get(page.pick)?.focus({ preventScroll: true });
}

function dress(element, mark) {
  if (!element) return;
  const picked = mark.id === page.pick;
  const look = `${mark.entity} ${mark.status} ${mark.role} ${picked} ${page.language}`;
  if (element.dataset.look === look) return;
  element.dataset.look = look;
  element.className = `mark ${familyOf(mark.entity)} ${mark.status}`;
  const role = mark.role ? ` · ${t(`role-${mark.role}`)}` : "";
  element.dataset.tag = entityName(mark.entity) + role;
  element.tabIndex = picked ? 0 : -1;
  element.setAttribute("aria-pressed", String(picked));
  const status = t(mark.added && mark.status !== "rejected" ? "added" : mark.status);
  element.setAttribute("aria-label", t("mark-label", { entity: element.dataset.tag, text: piece(mark), status }));
}

let wanted = 0;

// A long note's output comes apart; decisions do not wait for it.
async function showOutput(other) {
  const { note } = page;
  const mine = ++wanted;
  if (note.output) {
    fillOutput(note.output);
    return;
  }
  if (other) $("output").replaceChildren();
  $("output").setAttribute("aria-busy", "true");
  // Whoever decides quickly shall not wait for what is written meanwhile.
  await new Promise((resolve) => setTimeout(resolve, other ? 0 : 1500));
  if (mine !== wanted) return;
  const output = await send(`output?id=${encodeURIComponent(note.id)}`);
  if (mine !== wanted || !output) return;
  note.output = output;
  fillOutput(output);
}

function fillOutput(output) {
  $("output").removeAttribute("aria-busy");
  fill($("output"), Array.from(output.text), output.items, (item) => {
    const element = make("span", { className: `item ${familyOf(item.entity)}` });
    element.dataset.from = item.from;
    return element;
  }, cutsAfter(page.cuts, output.items));
  forgetAnchors();
  showPickedItem();
}

function showPickedItem() {
  $("output").querySelector(".picked")?.classList.remove("picked");
  const mark = pickedMark();
  if (!mark || mark.status === "rejected") return;
  $("output").querySelector(`[data-from="${mark.start}"]`)?.classList.add("picked");
}

function showHead() {
  const { note } = page;
  $("note-title").textContent = note.id;
  const state = note.done ? "finished" : note.flag || "pending";
  $("note-state").textContent = t(state);
  $("note-state").className = `pill ${state}`;
  const { risk } = page.rows.find((row) => row.id === note.id);
  $("note-risk").textContent = risk === null ? "" : t("risk", { risk: percent(risk) });
  $("note-risk").hidden = risk === null;
  $("note-comment").textContent = note.comment;
  $("note-comment").hidden = !note.comment;
  $("done-text").textContent = t(note.done ? "reopen" : "finish");
}

export function pick(id, focus = true) {
  page.pick = id;
  page.range = null;
  page.caret = null;
  showMarks();
  showPickedItem();
  showInspector();
  const element = page.elements.get(id);
  element?.scrollIntoView({ block: "nearest" });
  if (focus) element?.focus({ preventScroll: true });
}

export function showInspector() {
  const mark = pickedMark();
  const adding = page.range !== null;
  const subject = page.range ?? mark;
  $("picked").textContent = adding
    ? t("selecting", { text: piece(page.range) })
    : mark ? `${entityName(mark.entity)}: ${piece(mark)}` : t("nothing");
  $("why").textContent = adding || !mark ? "" : why(mark);
  $("accept").hidden = adding;
  $("reject").hidden = adding;
  $("add").hidden = !adding;
  for (const element of document.querySelectorAll(".edges")) element.hidden = adding || !mark;
  $("site").hidden = !page.site || !subject;
  $("accept").disabled = !mark;
  $("reject").disabled = !mark;
  if (mark && !adding) {
    $("type").value = mark.entity;
    $("role").value = mark.role;
  }
  $("role").disabled = adding ? $("type").value !== "PERSON" : mark?.entity !== "PERSON";
  showConflict(mark);
  showReach();
}

function why(mark) {
  const parts = [];
  if (page.between.includes(mark.recognizer)) parts.push(t("why-reviewer", { name: mark.recognizer }));
  else if (mark.added) parts.push(t("why-added"));
  else parts.push(t("why-found", { recognizer: mark.recognizer, rule: mark.rule, score: mark.score.toFixed(2) }));
  return [...parts, t(mark.status)].join(" · ");
}

// Under adjudication: what each of the two says of the place.
function showConflict(mark) {
  const subject = page.range ?? mark;
  const place = subject && page.note.conflicts.find((each) => each.start < subject.end && subject.start < each.end);
  $("take").hidden = !place;
  if (!place) return;
  page.between.forEach((name, at) => {
    const said = at ? place.second : place.first;
    $(`take-${at}`).firstElementChild.textContent = `${name}: ${said ? entityNames(said) : t("unmarked")}`;
  });
}

export const conflictAt = (subject) => subject && page.note.conflicts
  .find((each) => each.start < subject.end && subject.start < each.end);

let asked = "";

// What a wide reach would change stands on the buttons before they are pressed.
export async function showReach() {
  const subject = page.range ?? pickedMark();
  const wide = reach();
  const labels = { accept: "accept", reject: "reject", add: "add" };
  for (const [id, name] of Object.entries(labels)) {
    $(`${id}-text`).textContent = t(name);
    $(id).title = "";
  }
  $("reach").classList.toggle("wide", wide !== "here");
  if (wide === "here" || !subject) return;
  const body = { note: page.note.id, ...(page.range ? page.range : { mark: subject.id }) };
  const mine = asked = JSON.stringify([wide, body]);
  const found = await call("reach", body);
  if (!found || mine !== asked || reach() !== wide) return;
  const count = wide === "all" ? found.all.notes : found.note.places;
  const far = t(`reach-${wide}${count === 1 ? "-1" : ""}`, found[wide]);
  for (const [id, name] of Object.entries(labels)) {
    $(id).title = `${t(name)} ${far}`;
    // Where there is little room, the number alone; the rest is in the title.
    $(`${id}-text`).textContent = matchMedia("(max-width: 60rem)").matches ? `${t(name)} (${count})` : $(id).title;
  }
}

export function showTypes() {
  const current = $("type").value || page.entities[0];
  const named = (entity, at) => (at < 9 ? `${at + 1} · ${entityName(entity)}` : entityName(entity));
  $("type").replaceChildren(...page.entities.map((entity, at) => new Option(named(entity, at), entity)));
  $("type").value = current;
  const role = $("role").value;
  $("role").replaceChildren(...ROLES.map((name) => new Option(t(`role-${name}`), name)));
  $("role").value = role;
}

export function offerReach(to = "here") {
  $("reach").value = to;
  showReach();
}
