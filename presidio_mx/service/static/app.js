// The review page: shows what the server says, and sends what the reviewer decides.
import { ENTITIES, KEYS, STRINGS } from "./strings.js";
import { family, fill, moved, select, selected, shown, words } from "./text.js";

const $ = (id) => document.getElementById(id);
const REACHES = ["here", "note", "all"];
const page = {
  language: "es", rows: [], entities: [], note: null, points: [], words: [],
  pick: null, range: null, caret: null, summary: null, items: new Map(), addType: null, reviewers: [], reviewer: "", site: false,
};

function t(name, values = {}) {
  const text = STRINGS[page.language][name] ?? name;
  return text.replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}
const entityName = (entity) => ENTITIES[page.language][entity] ?? entity;
const piece = (range) => page.points.slice(range.start, range.end).join("");
const pickedMark = () => page.note?.marks.find((mark) => mark.id === page.pick) ?? null;
const reach = () => document.querySelector("input[name=reach]:checked").value;

function say(text, problem = false) {
  $("said").textContent = text;
  $("said").classList.toggle("problem", problem);
}

// One request at a time: answers never overtake one another.
let last = Promise.resolve();
function call(path, body) {
  last = last.then(() => send(path, body));
  return last;
}

async function send(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(`api/${path}`, options);
  } catch {
    say(t("said-offline"), true);
    return null;
  }
  const data = await answer.json();
  if (!answer.ok) {
    say(data.error, true);
    return null;
  }
  return data;
}

// What the server answers

function take(data) {
  if (data.rows) {
    const changed = new Map(data.rows.map((row) => [row.id, row]));
    page.rows = page.rows.map((row) => changed.get(row.id) ?? row);
  }
  page.summary = data;
  if (data.note) showNote(data.note);
  updateRows(data.rows ?? []);
  showProgress();
}

function showNote(note) {
  const other = page.note?.id !== note.id;
  page.note = note;
  page.points = Array.from(note.text);
  page.words = words(page.points);
  page.range = null;
  page.caret = null;
  if (other) {
    page.pick = null;
    $("note").scrollTop = 0;
    $("output").scrollTop = 0;
    sessionStorage.setItem("note", note.id);
  }
  if (!pickedMark()) {
    const open = note.marks.find((mark) => mark.status === "proposed");
    page.pick = (open ?? shown(note.marks)[0])?.id ?? null;
  }
  showMarks();
  showInspector();
}

function showMarks() {
  const { note } = page;
  const focused = $("note").contains(document.activeElement) && document.activeElement !== $("note");
  fill($("note"), page.points, shown(note.marks), (mark) => {
    const element = document.createElement("span");
    element.className = `mark ${family(mark.entity)} ${mark.status}`;
    element.dataset.id = mark.id;
    element.dataset.tag = entityName(mark.entity);
    element.setAttribute("role", "button");
    element.tabIndex = mark.id === page.pick ? 0 : -1;
    element.setAttribute("aria-pressed", String(mark.id === page.pick));
    const status = t(mark.added && mark.status !== "rejected" ? "added" : mark.status);
    element.setAttribute("aria-label", t("mark-label", { entity: entityName(mark.entity), text: piece(mark), status }));
    return element;
  });
  if (focused) $("note").querySelector("[aria-pressed=true]")?.focus();
  const mark = pickedMark();
  fill($("output"), Array.from(note.output.text), note.output.items, (item) => {
    const element = document.createElement("span");
    const same = mark && mark.status !== "rejected" && item.from === mark.start;
    element.className = `item ${family(item.entity)}${same ? " picked" : ""}`;
    return element;
  });
  $("output").querySelector(".picked")?.scrollIntoView({ block: "nearest" });
  $("note-title").textContent = note.id;
  $("note-state").textContent = t(note.done ? "finished" : "pending");
  $("note-state").classList.toggle("finished", note.done);
  $("done-text").textContent = t(note.done ? "reopen" : "finish");
}

function showInspector() {
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
  $("edges").hidden = adding || !mark;
  $("site").hidden = !page.site || !subject;
  for (const id of ["accept", "reject"]) $(id).disabled = !mark;
  $("accept").disabled ||= mark?.status === "accepted";
  $("reject").disabled ||= mark?.status === "rejected";
  if (mark && !adding) $("type").value = mark.entity;
  showTypes();
}

function why(mark) {
  const status = t(mark.status);
  if (mark.added) return `${t("why-added")} · ${status}`;
  const parts = [t("why-found", { recognizer: mark.recognizer, rule: mark.rule, score: mark.score.toFixed(2) })];
  if (mark.role) parts.push(t("why-role", { role: t(`role-${mark.role}`) }));
  return [...parts, status].join(" · ");
}

function showTypes() {
  const current = $("type").value;
  $("types").replaceChildren(...page.entities.slice(0, 9).map((entity, at) => {
    const button = document.createElement("button");
    const key = document.createElement("kbd");
    key.textContent = String(at + 1);
    button.className = family(entity);
    button.append(`${entityName(entity)} `, key);
    button.setAttribute("aria-pressed", String(entity === current));
    button.addEventListener("click", () => chooseType(entity));
    return button;
  }));
}

function showRows() {
  page.items = new Map(page.rows.map((row) => [row.id, rowItem(row)]));
  $("notes").replaceChildren(...page.items.values());
  showCurrent();
}

// Only the rows that changed are made anew: a review may have thousands.
function updateRows(rows) {
  for (const row of rows) {
    const item = rowItem(row);
    page.items.get(row.id).replaceWith(item);
    page.items.set(row.id, item);
  }
  showCurrent();
}

function rowItem(row) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  const cells = [["tick", row.done ? "✓" : ""], ["name", row.id], ["left", row.done ? "" : String(row.open)]];
  for (const [name, text] of cells) {
    const cell = document.createElement("span");
    cell.className = name;
    cell.textContent = text;
    button.append(cell);
  }
  const state = row.done ? t("finished") : t("left", { open: row.open });
  button.setAttribute("aria-label", `${row.id}, ${state}`);
  button.addEventListener("click", () => openNote(row.id));
  item.append(button);
  return item;
}

function showCurrent() {
  $("notes").querySelector("[aria-current]")?.removeAttribute("aria-current");
  const button = page.items.get(page.note?.id)?.firstChild;
  button?.setAttribute("aria-current", "true");
  button?.scrollIntoView({ block: "nearest" });
}

function showProgress() {
  const { figures, undo, redo } = page.summary;
  $("progress").value = figures.notes ? figures.done / figures.notes : 0;
  $("progress-text").textContent = t("progress", figures);
  $("undo").disabled = !undo;
  $("redo").disabled = !redo;
}

function speak() {
  document.documentElement.lang = page.language;
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll("[data-t-label]")) {
    element.setAttribute("aria-label", t(element.dataset.tLabel));
  }
  document.title = `${t("title")} · presidio-mx`;
  $("language").textContent = t("language");
  $("language").lang = page.language === "es" ? "en" : "es";
  $("reviewer").textContent = page.reviewer;
  const current = $("type").value || page.entities[0];
  $("type").replaceChildren(...page.entities.map((entity) => new Option(entityName(entity), entity)));
  $("type").value = current;
  $("keys").replaceChildren(...KEYS[page.language].flatMap(([keys, text]) => {
    const [term, meaning, key] = ["dt", "dd", "kbd"].map((name) => document.createElement(name));
    key.textContent = keys;
    term.append(key);
    meaning.textContent = text;
    return [term, meaning];
  }));
}

// What the reviewer does

async function openNote(id) {
  const note = await call(`note?id=${encodeURIComponent(id)}`);
  if (!note) return;
  showNote(note);
  showCurrent();
  say(t("said-note", { id }));
}

async function decide(kind, fields = {}) {
  if (!page.note) return null;
  const data = await call("decide", { kind, note: page.note.id, ...fields });
  if (!data) return null;
  take(data);
  const many = data.rows.length > 1 ? ` · ${t("said-many", { count: data.rows.length })}` : "";
  say(data.rows.length ? t(`said-${kind}`) + many : t("said-none"));
  return data;
}

function order() {
  return shown(page.note?.marks ?? []);
}

function pick(id, focus = true) {
  page.pick = id;
  page.range = null;
  page.caret = null;
  showMarks();
  showInspector();
  const element = $("note").querySelector("[aria-pressed=true]");
  element?.scrollIntoView({ block: "nearest" });
  if (focus) element?.focus();
}

function step(by) {
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
  if (open) pick(open.id);
  else pick(page.pick);
}

async function judge(kind) {
  const mark = pickedMark();
  if (!mark || page.range) return;
  if (await decide(kind, { mark: mark.id, reach: reach() })) pickOpen();
}

async function chooseType(entity) {
  $("type").value = entity;
  const mark = pickedMark();
  if (page.range || !mark) {
    page.addType = entity;
    showTypes();
    return;
  }
  if (mark.entity !== entity && await decide("retype", { mark: mark.id, entity, reach: reach() })) pick(mark.id);
}

async function resize(edge, by) {
  const mark = pickedMark();
  const next = mark && moved(mark, edge, by, page.words);
  if (!next || page.range) return;
  if (await decide("resize", { mark: mark.id, start: next.start, end: next.end })) pick(mark.id);
}

async function add() {
  const { range } = page;
  if (!range) return;
  const known = new Set(page.note.marks.map((mark) => mark.id));
  const data = await decide("add", { ...range, entity: $("type").value, reach: reach() });
  if (!data) return;
  document.getSelection().removeAllRanges();
  const made = page.note.marks.find((mark) => !known.has(mark.id));
  if (made) pick(made.id);
}

async function finish() {
  if (!page.note) return;
  const kind = page.note.done ? "reopen" : "done";
  const data = await decide(kind);
  if (!data || kind === "reopen") return;
  if (data.next) await openNote(data.next);
  else say(t("said-all"));
}

async function back(kind) {
  const data = await call(kind, { note: page.note?.id ?? "" });
  if (!data) return;
  take(data);
  say(data.rows.length ? t(`said-${kind}`) : t("said-none"));
}

function nextNote() {
  const { next } = page.summary;
  if (next && next !== page.note?.id) return openNote(next);
  const left = page.rows.filter((row) => !row.done && row.id !== page.note?.id);
  if (!left.length) return say(t("said-all"));
  return openNote(left.reduce((best, row) => (row.uncertainty > best.uncertainty ? row : best)).id);
}

function previousNote() {
  const at = page.rows.findIndex((row) => row.id === page.note?.id);
  if (at > 0) openNote(page.rows[at - 1].id);
}

function cycleReach() {
  const next = REACHES[(REACHES.indexOf(reach()) + 1) % REACHES.length];
  document.querySelector(`input[name=reach][value=${next}]`).checked = true;
  say(t("said-reach", { reach: t({ here: "here", note: "in-note", all: "in-all" }[next]) }));
}

async function saveToSite() {
  const subject = page.range ?? pickedMark();
  if (!page.site || !subject) return;
  const data = await call("site", {
    kind: $("site-list").value, note: page.note.id, start: subject.start, end: subject.end, entity: $("type").value,
  });
  if (data) say(t(data.added ? "said-site" : "said-site-had"));
}

async function write() {
  const data = await call("export", {});
  if (data) say([t("said-export", data), ...data.problems].join(" · "), data.problems.length > 0);
}

// Selecting text, with the mouse or word by word

function takeSelection() {
  const range = selected($("note"));
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
  if (!page.range) $("type").value = page.addType ?? page.entities[0];
}

function startCaret() {
  if (!page.words.length) return;
  beginRange();
  const from = pickedMark()?.end ?? 0;
  const at = Math.max(0, page.words.findIndex((word) => word.start >= from));
  page.caret = { anchor: at, focus: at };
  $("note").focus();
  showCaret();
}

function moveCaret(by, extend) {
  const focus = Math.min(page.words.length - 1, Math.max(0, page.caret.focus + by));
  page.caret = { anchor: extend ? page.caret.anchor : focus, focus };
  showCaret();
}

function lineStep(by) {
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

function cancelRange() {
  page.range = null;
  page.caret = null;
  document.getSelection().removeAllRanges();
  showInspector();
}

// Figures

const percent = (share) => (100 * share).toFixed(1);

function showFigures() {
  const { figures } = page.summary;
  const body = [];
  const line = (text) => {
    const element = document.createElement("p");
    element.textContent = text;
    return element;
  };
  body.push(line(figures.seed === null
    ? t("everything", { notes: figures.notes })
    : t("sample", { notes: figures.notes, total: figures.drawn_from, seed: figures.seed })));
  const { failures } = figures;
  if (failures.reviewed) {
    body.push(line(t("failures", {
      ...failures, rate: percent(failures.failed / failures.reviewed),
      low: percent(failures.low), high: percent(failures.high),
    })), table(figures.entities));
  } else body.push(line(t("no-figures")));
  $("figures-body").replaceChildren(...body);
  const others = page.reviewers.filter((name) => name !== page.reviewer);
  $("other").replaceChildren(new Option("", ""), ...others.map((name) => new Option(name, name)));
  $("other").parentElement.hidden = !others.length;
  $("compare-body").textContent = others.length ? "" : t("nobody");
  $("figures").showModal();
}

function table(entities) {
  const columns = ["kept", "changed", "rejected", "added"];
  const element = document.createElement("table");
  const head = element.createTHead().insertRow();
  for (const name of ["entity", ...columns]) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = t(`t-${name}`);
    head.append(cell);
  }
  const body = element.createTBody();
  for (const [entity, row] of Object.entries(entities)) {
    const cells = body.insertRow();
    for (const text of [entityName(entity), ...columns.map((name) => row[name])]) cells.insertCell().textContent = text;
  }
  return element;
}

async function compare() {
  const other = $("other").value;
  const data = other && await call(`compare?other=${encodeURIComponent(other)}`);
  if (!data) return;
  const summary = document.createElement("p");
  const number = (value) => (value === null ? "–" : value.toFixed(3));
  summary.textContent = t("agreement", { notes: data.notes, kappa: number(data.kappa), f1: number(data.f1) });
  const list = document.createElement("ul");
  for (const place of data.places) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    const name = (entity) => (entity ? entityName(entity) : t("unmarked"));
    button.textContent = t("difference", {
      id: place.note, text: place.text, first: name(place.first), second: name(place.second),
    });
    button.addEventListener("click", async () => {
      $("figures").close();
      await openNote(place.note);
      const mark = order().find((each) => each.start < place.end && place.start < each.end);
      if (mark) pick(mark.id);
    });
    item.append(button);
    list.append(item);
  }
  $("compare-body").replaceChildren(summary, list);
}

// Keys

const KEY = {
  j: () => step(1), k: () => step(-1), ArrowRight: () => step(1), ArrowLeft: () => step(-1),
  a: () => judge("accept"), r: () => judge("reject"), e: cycleReach, d: finish, n: nextNote,
  b: previousNote, m: startCaret, u: () => back("undo"), y: () => back("redo"), s: saveToSite,
  g: showFigures, x: write, q: () => resize("start", -1), w: () => resize("start", 1),
  o: () => resize("end", -1), p: () => resize("end", 1), Escape: cancelRange,
  "?": () => $("help").showModal(),
};

function caretKey(event) {
  const steps = { ArrowRight: 1, ArrowLeft: -1 };
  if (event.key in steps) moveCaret(steps[event.key], event.shiftKey);
  else if (event.key === "ArrowDown") moveCaret(lineStep(1), event.shiftKey);
  else if (event.key === "ArrowUp") moveCaret(lineStep(-1), event.shiftKey);
  else return false;
  return true;
}

function onKey(event) {
  const { target, key } = event;
  if (document.querySelector("dialog[open]") || event.altKey || event.metaKey) return;
  const form = target.matches("select, input");
  let act = null;
  if (event.ctrlKey) act = { z: () => back("undo"), y: () => back("redo") }[key];
  else if (page.caret && !form && caretKey(event)) act = () => {};
  else if (key === "Enter" && page.range && !target.matches("button, select, input")) act = add;
  else if (key === "Enter" || key === " ") {
    if (target.matches(".mark")) act = () => pick(target.dataset.id);
  } else if (key.length > 1 || $("letters").checked) {
    if (form && (key.startsWith("Arrow") || target.matches("select"))) return;
    const digit = /^[1-9]$/.test(key) ? page.entities[Number(key) - 1] : null;
    act = digit ? () => chooseType(digit) : KEY[key.length > 1 ? key : key.toLowerCase()];
  }
  if (!act) return;
  event.preventDefault();
  act();
}

async function start() {
  const data = await call("start");
  if (!data) return;
  Object.assign(page, {
    rows: data.rows, entities: data.entities, reviewers: data.reviewers, reviewer: data.reviewer, site: data.site,
    language: sessionStorage.getItem("language") ?? data.language,
  });
  speak();
  showRows();
  take({ ...data, rows: [] });
  const wanted = sessionStorage.getItem("note");
  const first = page.rows.find((row) => row.id === wanted)?.id ?? data.next ?? page.rows[0]?.id;
  if (first !== undefined) await openNote(first);
  document.body.dataset.ready = "yes";
}

const CLICKS = {
  "undo": () => back("undo"), "redo": () => back("redo"), "figures-open": showFigures, "export": write,
  "help-open": () => $("help").showModal(), "previous": previousNote, "next": nextNote, "done": finish,
  "accept": () => judge("accept"), "reject": () => judge("reject"), "add": add, "site-save": saveToSite,
  "start-left": () => resize("start", -1), "start-right": () => resize("start", 1),
  "end-left": () => resize("end", -1), "end-right": () => resize("end", 1),
  "language": () => {
    page.language = page.language === "es" ? "en" : "es";
    sessionStorage.setItem("language", page.language);
    speak();
    showRows();
    showProgress();
    if (page.note) {
      showMarks();
      showInspector();
    }
  },
};
for (const [id, act] of Object.entries(CLICKS)) $(id).addEventListener("click", act);
$("type").addEventListener("change", () => chooseType($("type").value));
$("other").addEventListener("change", compare);
$("note").addEventListener("click", (event) => {
  const mark = event.target.closest(".mark");
  if (mark && !selected($("note"))) pick(mark.dataset.id);
});
$("note").addEventListener("mouseup", () => setTimeout(takeSelection));
$("note").addEventListener("keyup", (event) => event.shiftKey && !page.caret && takeSelection());
document.addEventListener("keydown", onKey);
start();
