"use strict";
const form = document.getElementById("filters");
const rows = Array.from(document.querySelectorAll("#list .error"));
const count = document.getElementById("count");
const NAMES = ["kind", "type", "role", "recognizer"];
function show() {
  const wanted = new FormData(form);
  const words = String(wanted.get("search") || "").toLowerCase();
  let shown = 0;
  for (const note of document.querySelectorAll("#list .note")) {
    const named = note.querySelector("h3").firstChild.data.trim().toLowerCase().includes(words);
    let left = 0;
    for (const row of note.querySelectorAll(".error")) {
      const fits = NAMES.every((name) => !wanted.get(name) || row.dataset[name] === wanted.get(name))
        && (!wanted.get("leaks") || row.dataset.leaks === "1")
        && (!wanted.get("differing") || row.dataset.differing === "1")
        && (!words || named || row.textContent.toLowerCase().includes(words));
      row.hidden = !fits;
      left += fits ? 1 : 0;
    }
    note.hidden = !left;
    shown += left;
  }
  count.textContent = shown + " / " + rows.length;
}
form.addEventListener("input", show);
form.addEventListener("change", show);
form.addEventListener("reset", () => setTimeout(() => {
  const differing = form.elements.namedItem("differing");
  if (differing) differing.checked = false;
  show();
}));
form.addEventListener("submit", (event) => event.preventDefault());

// A bar leads to its errors.
for (const bar of document.querySelectorAll("a.bar")) {
  bar.addEventListener("click", () => {
    form.reset();
    setTimeout(() => {
      form.elements.namedItem(bar.dataset.filter).value = bar.dataset.choice;
      show();
      document.getElementById("errors").focus();
    });
  });
}

// A click shows the whole note, at the place of the error.
function open(note, at) {
  const whole = note.querySelector(".whole");
  const button = note.querySelector(".open");
  if (at === null && !whole.hidden) {
    whole.hidden = true;
    button.setAttribute("aria-expanded", "false");
    return;
  }
  whole.hidden = false;
  button.setAttribute("aria-expanded", "true");
  whole.querySelector(".here")?.classList.remove("here");
  const mark = Array.from(whole.querySelectorAll("mark")).find((each) => Number(each.dataset.at) >= at);
  if (at !== null && mark) {
    mark.classList.add("here");
    mark.scrollIntoView({ block: "center" });
  }
  whole.focus({ preventScroll: at !== null });
}
for (const note of document.querySelectorAll("#list .note")) {
  note.querySelector(".open").addEventListener("click", () => open(note, null));
  for (const row of note.querySelectorAll(".error")) {
    row.querySelector(".show").addEventListener("click", () => open(note, Number(row.dataset.at)));
  }
}
show();
