// What the page knows, and how it talks to the server and to the reviewer.
import { ENTITIES, STRINGS } from "./strings.js";
import { family } from "./text.js";

export const $ = (id) => document.getElementById(id);
export const REACHES = ["here", "note", "all"];
export const ROLES = ["", "patient", "relative", "staff", "other"];

export const page = {
  language: "es", rows: [], entities: [], note: null, points: [], words: [], cuts: [], shown: [],
  pick: null, range: null, caret: null, summary: null, items: new Map(), elements: new Map(),
  addType: null, reviewers: [], reviewer: "", site: false, between: [], guidelines: "",
};

export function t(name, values = {}) {
  const text = STRINGS[page.language][name] ?? name;
  return text.replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}

// A small risk is not none.
export const percent = (share) => (share > 0 && share < 0.01 ? "< 1 %" : `${Math.round(100 * share)} %`);
export const entityName = (entity) => ENTITIES[page.language][entity] ?? entity;
export const entityNames = (entities) => entities.split(" + ").map(entityName).join(" + ");
export const piece = (range) => page.points.slice(range.start, range.end).join("");
export const pickedMark = () => page.note?.marks.find((mark) => mark.id === page.pick) ?? null;
export const reach = () => $("reach").value;
export const familyOf = family;

export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

export function say(text, problem = false) {
  $("said").textContent = text;
  $("said").classList.toggle("problem", problem);
}

// One request at a time: answers never overtake one another.
let last = Promise.resolve();
export function call(path, body) {
  last = last.then(() => send(path, body));
  return last;
}

export async function send(path, body, keepalive = false) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), keepalive,
  };
  try {
    const answer = await fetch(`api/${path}`, options);
    const data = await answer.json();
    if (answer.ok) return data;
    say(data.error, true);
  } catch {
    say(t("said-offline"), true);
  }
  return null;
}
