// The list of notes: what is left of each, search and filter.
import { $, call, make, page, percent, t } from "./state.js";
import { openNote } from "./act.js";

let found = null; // notes whose text holds what is searched; null: all

export function showRows() {
  page.items = new Map(page.rows.map((row) => [row.id, rowItem(row)]));
  $("notes").replaceChildren(...page.items.values());
  showCurrent();
  filterRows();
}

// Only the rows that changed are made anew: a review may have thousands.
export function updateRows(rows) {
  for (const row of rows) {
    const item = rowItem(row);
    page.items.get(row.id).replaceWith(item);
    page.items.set(row.id, item);
    item.hidden = !fits(row);
  }
  showCurrent();
}

function rowItem(row) {
  const sign = row.done ? "✓" : { skipped: "»", unsure: "?" }[row.flag] ?? "";
  const risk = row.risk === null ? "" : percent(row.risk);
  const state = row.done ? t("finished") : t("left", { open: row.open });
  const said = [row.id, risk && t("risk", { risk }), state, row.flag && t(row.flag)].filter(Boolean).join(", ");
  const cells = [["tick", sign], ["name", row.id], ["risk", risk], ["left", row.done ? "" : String(row.open)]];
  const button = make("button", { title: said }, ...cells.map(([className, textContent]) => make("span", { className, textContent })));
  button.setAttribute("aria-label", said);
  button.addEventListener("click", () => openNote(row.id));
  return make("li", {}, button);
}

export function showCurrent() {
  $("notes").querySelector("[aria-current]")?.removeAttribute("aria-current");
  const button = page.items.get(page.note?.id)?.firstChild;
  button?.setAttribute("aria-current", "true");
  button?.scrollIntoView({ block: "nearest" });
}

function fits(row) {
  const kind = $("filter").value;
  const right = {
    all: true, pending: !row.done, finished: row.done, skipped: row.flag === "skipped", unsure: row.flag === "unsure",
  }[kind];
  const wanted = $("search").value.trim().toLowerCase();
  return right && (!wanted || row.id.toLowerCase().includes(wanted) || (found?.has(row.id) ?? false));
}

export function filterRows() {
  let count = 0;
  for (const row of page.rows) {
    const fit = fits(row);
    count += fit;
    page.items.get(row.id).hidden = !fit;
  }
  $("found").textContent = count === page.rows.length ? "" : t("found", { count, notes: page.rows.length });
}

let waiting = 0;

export function searchNotes() {
  clearTimeout(waiting);
  const wanted = $("search").value.trim();
  found = null;
  filterRows();
  if (wanted.length < 2) return;
  waiting = setTimeout(async () => {
    const data = await call(`search?text=${encodeURIComponent(wanted)}`);
    if (!data || $("search").value.trim() !== wanted) return;
    found = new Set(data.notes);
    filterRows();
  }, 250);
}
