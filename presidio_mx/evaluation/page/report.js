"use strict";
const form = document.getElementById("filters");
const rows = Array.from(document.querySelectorAll("#list tbody tr"));
const count = document.getElementById("count");
function show() {
  const wanted = new FormData(form);
  const words = String(wanted.get("search") || "").toLowerCase();
  let shown = 0;
  for (const row of rows) {
    const fits = ["kind", "type", "recognizer"].every(
      (name) => !wanted.get(name) || row.dataset[name] === wanted.get(name)
    ) && (!wanted.get("leaks") || row.dataset.leaks === "1")
      && (!words || row.textContent.toLowerCase().includes(words));
    row.hidden = !fits;
    shown += fits ? 1 : 0;
  }
  count.textContent = shown + " / " + rows.length;
}
form.addEventListener("input", show);
form.addEventListener("change", show);
form.addEventListener("reset", () => setTimeout(show));
form.addEventListener("submit", (event) => event.preventDefault());
show();
