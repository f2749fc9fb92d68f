// Figures of the review, and how two reviewers differ.
import { $, call, entityName, entityNames, make, page, t } from "./state.js";
import { decide, openNote, order } from "./act.js";
import { pick } from "./view.js";

const percent = (share) => (100 * share).toFixed(1);
const minutes = (seconds) => (seconds < 90 ? `${Math.round(seconds)} s` : `${(seconds / 60).toFixed(1)} min`);

export function showFigures() {
  const { figures } = page.summary;
  const line = (textContent) => make("p", { textContent });
  const body = [line(figures.seed === null
    ? t("everything", { notes: figures.notes })
    : t("sample", { notes: figures.notes, total: figures.drawn_from, seed: figures.seed }))];
  const { failures, seconds } = figures;
  if (failures.reviewed) {
    body.push(line(t("failures", {
      ...failures, rate: percent(failures.failed / failures.reviewed),
      low: percent(failures.low), high: percent(failures.high),
    })));
    if (seconds.median !== null) {
      body.push(line(t("time", { median: minutes(seconds.median), total: minutes(seconds.total) })));
    }
    body.push(table(figures.entities));
  } else body.push(line(t("no-figures")));
  $("figures-body").replaceChildren(...body);
  const others = page.reviewers.filter((name) => name !== page.reviewer);
  $("other").replaceChildren(new Option("", ""), ...others.map((name) => new Option(name, name)));
  $("other").parentElement.hidden = !others.length;
  $("compare-body").textContent = others.length ? "" : t("nobody");
  if (!$("figures").open) $("figures").showModal();
}

function table(entities) {
  const columns = ["kept", "changed", "rejected", "added"];
  const element = make("table");
  const head = element.createTHead().insertRow();
  for (const name of ["entity", ...columns]) head.append(make("th", { scope: "col", textContent: t(`t-${name}`) }));
  const body = element.createTBody();
  for (const [entity, row] of Object.entries(entities)) {
    const cells = body.insertRow();
    for (const text of [entityName(entity), ...columns.map((name) => row[name])]) cells.insertCell().textContent = text;
  }
  return element;
}

export async function compare() {
  const other = $("other").value;
  const data = other && await call(`compare?other=${encodeURIComponent(other)}`);
  if (!data) return;
  const number = (value) => (value === null ? "–" : value.toFixed(3));
  const summary = make("p", {
    textContent: t("agreement", { notes: data.notes, kappa: number(data.kappa), f1: number(data.f1) }),
  });
  $("compare-body").replaceChildren(summary, make("ul", {}, ...data.places.map((place) => placeItem(place, other))));
}

function placeItem(place, other) {
  const name = (entities) => (entities ? entityNames(entities) : t("unmarked"));
  const see = make("button", {
    textContent: t("difference", { id: place.note, text: place.text, first: name(place.first), second: name(place.second) }),
  });
  const go = async () => {
    $("figures").close();
    await openNote(place.note);
    const mark = order().find((each) => each.start < place.end && place.start < each.end);
    if (mark) pick(mark.id);
  };
  see.addEventListener("click", go);
  const theirs = make("button", { className: "theirs", textContent: t("take-theirs", { name: other }) });
  theirs.addEventListener("click", async () => {
    await openNote(place.note);
    await decide("take", { start: place.start, end: place.end, other });
    await compare();
  });
  return make("li", {}, see, theirs);
}
