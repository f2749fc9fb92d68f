// The review page: what keys and buttons do, and how it begins.
import { KEYS } from "./strings.js";
import { $, call, make, page, t } from "./state.js";
import {
  add, askFlag, back, cancelRange, chooseRole, chooseType, cycleReach, cycleRole, finish, judge, nextNote, openNote,
  previousNote, resize, saveToSite, seeOpen, setFlag, showProgress, step, take, takeFrom, write,
} from "./act.js";
import { findInNote, lineStep, moveCaret, startCaret, takeSelection } from "./choose.js";
import { startClock, tellTime } from "./clock.js";
import { compare, showFigures } from "./figures.js";
import { filterRows, searchNotes, showRows } from "./list.js";
import { scrollTogether } from "./scroll.js";
import { selected } from "./text.js";
import { pick, showNote, showReach, showTypes } from "./view.js";

async function showGuidelines() {
  if (!page.guidelines) {
    const answer = await fetch(`guidelines-${page.language}.txt`);
    $("guidelines-body").textContent = await answer.text();
  } else $("guidelines-body").textContent = page.guidelines;
  $("guidelines").showModal();
}

function speak() {
  document.documentElement.lang = page.language;
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const [name, attribute] of [["tLabel", "aria-label"], ["tHint", "placeholder"], ["tTitle", "title"]]) {
    for (const element of document.querySelectorAll(`[data-${name.replace(/[A-Z]/, (c) => `-${c.toLowerCase()}`)}]`)) {
      element.setAttribute(attribute, t(element.dataset[name]));
    }
  }
  document.title = `${t("title")} · presidio-mx`;
  $("language").textContent = t("language");
  $("language").lang = page.language === "es" ? "en" : "es";
  $("reviewer").textContent = page.between.length
    ? t("between", { name: page.reviewer, first: page.between[0], second: page.between[1] }) : page.reviewer;
  showTypes();
  $("keys").replaceChildren(...KEYS[page.language].flatMap(([keys, text]) => [
    make("dt", {}, make("kbd", { textContent: keys })), make("dd", { textContent: text }),
  ]));
}

function changeLanguage() {
  page.language = page.language === "es" ? "en" : "es";
  sessionStorage.setItem("language", page.language);
  speak();
  showRows();
  showProgress();
  if (page.note) showNote(page.note);
}

// Keys

const KEY = {
  j: () => step(1), k: () => step(-1), ArrowRight: () => step(1), ArrowLeft: () => step(-1),
  a: () => judge("accept"), r: () => judge("reject"), e: cycleReach, l: cycleRole, d: () => finish(), n: nextNote,
  b: previousNote, m: startCaret, u: () => back("undo"), y: () => back("redo"), s: saveToSite, c: askFlag,
  g: showFigures, x: write, q: () => resize("start", -1), w: () => resize("start", 1), i: showGuidelines,
  o: () => resize("end", -1), p: () => resize("end", 1), Escape: escape,
  ",": () => takeFrom(page.between[0]), ".": () => takeFrom(page.between[1]),
  f: () => $("find").focus(), "/": () => searchFirst(), "?": () => $("help").showModal(),
};

function escape() {
  $("more").open = false;
  document.body.classList.remove("list-open");
  cancelRange();
}

function searchFirst() {
  document.body.classList.add("list-open");
  $("search").focus();
}

function caretKey(event) {
  const steps = { ArrowRight: 1, ArrowLeft: -1 };
  if (event.key in steps) moveCaret(steps[event.key], event.shiftKey);
  else if (event.key === "ArrowDown") moveCaret(lineStep(1), event.shiftKey);
  else if (event.key === "ArrowUp") moveCaret(lineStep(-1), event.shiftKey);
  else return false;
  return true;
}

function fieldKey(event) {
  const { target, key } = event;
  if (key === "Escape") {
    target.blur();
    return cancelRange;
  }
  if (target.id === "find" && key === "Enter") return () => (event.ctrlKey ? add() : findInNote(event.shiftKey ? -1 : 1));
  return null;
}

function actFor(event) {
  const { target, key } = event;
  if (target.matches("input[type=search], textarea")) return fieldKey(event);
  const form = target.matches("select, input");
  if (event.ctrlKey) return { z: () => back("undo"), y: () => back("redo") }[key];
  if (page.caret && !form && caretKey(event)) return () => {};
  if (key === "Enter" && page.range && !target.matches("button, select, input, summary")) return add;
  if (key === "Enter" || key === " ") return target.matches(".mark") ? () => pick(target.dataset.id) : null;
  if (key.length === 1 && !$("letters").checked) return null;
  if (form && (key.startsWith("Arrow") || target.matches("select"))) return null;
  const digit = /^[1-9]$/.test(key) ? page.entities[Number(key) - 1] : null;
  return digit ? () => chooseType(digit) : KEY[key.length > 1 ? key : key.toLowerCase()];
}

function onKey(event) {
  if (document.querySelector("dialog[open]") || event.altKey || event.metaKey) return;
  const act = actFor(event);
  if (!act) return;
  event.preventDefault();
  act();
}

async function start() {
  const data = await call("start");
  if (!data) return;
  Object.assign(page, {
    rows: data.rows, entities: data.entities, reviewers: data.reviewers, reviewer: data.reviewer, site: data.site,
    between: data.between, guidelines: data.guidelines,
    language: sessionStorage.getItem("language") ?? data.language,
  });
  speak();
  showRows();
  take({ ...data, rows: [] });
  const wanted = sessionStorage.getItem("note");
  const first = page.rows.find((row) => row.id === wanted)?.id ?? data.next ?? page.rows[0]?.id;
  if (first !== undefined) await openNote(first);
  startClock();
  document.body.dataset.ready = "yes";
}

const CLICKS = {
  "undo": () => back("undo"), "redo": () => back("redo"), "figures-open": showFigures, "export": write,
  "help-open": () => $("help").showModal(), "previous": previousNote, "next": nextNote, "done": () => finish(),
  "accept": () => judge("accept"), "reject": () => judge("reject"), "add": add, "site-save": saveToSite,
  "aside-open": askFlag, "guidelines-open": showGuidelines, "language": changeLanguage,
  "take-0": () => takeFrom(page.between[0]), "take-1": () => takeFrom(page.between[1]),
  "find-next": () => findInNote(1), "find-before": () => findInNote(-1),
  "list-open": () => document.body.classList.toggle("list-open"),
};
for (const [id, act] of Object.entries(CLICKS)) $(id).addEventListener("click", act);
for (const button of document.querySelectorAll("[data-edge]")) {
  button.addEventListener("click", () => resize(button.dataset.edge, Number(button.dataset.by)));
}
const CHANGES = {
  "type": () => chooseType($("type").value), "role": () => chooseRole($("role").value), "reach": showReach,
  "other": compare, "filter": filterRows,
};
for (const [id, act] of Object.entries(CHANGES)) $(id).addEventListener("change", act);
$("search").addEventListener("input", searchNotes);
$("ask").addEventListener("close", () => {
  const answer = $("ask").returnValue;
  $("ask").returnValue = "";
  if (answer === "finish") finish(true);
  else if (answer === "see") seeOpen();
});
$("aside").addEventListener("close", () => {
  const answer = $("aside").returnValue;
  $("aside").returnValue = "";
  if (answer === "save") setFlag();
});
$("note").addEventListener("click", (event) => {
  const mark = event.target.closest(".mark");
  if (mark && !selected($("note"))) pick(mark.dataset.id, false);
});
// A selection that began in the note may end anywhere.
$("note").addEventListener("pointerdown", () => document.body.classList.add("selecting"));
document.addEventListener("pointerup", (event) => {
  document.body.classList.remove("selecting");
  if (!$("more").contains(event.target)) $("more").open = false;
  setTimeout(takeSelection);
});
$("note").addEventListener("keyup", (event) => event.shiftKey && !page.caret && takeSelection());
document.addEventListener("keydown", onKey);
window.addEventListener("pagehide", tellTime);
scrollTogether();
start();
