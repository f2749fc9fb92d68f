// A note is sent to this machine's own server, shown, and forgotten.
const WORDS = {
  en: {
    about: "Paste a note to see what is found. It goes to this machine alone and is not stored.",
    note: "Clinical note", find: "Find", example: "An example", tag: "Tags", surrogate: "Surrogates",
    found: "Found in the note", new: "De-identified", what: "What", text: "Text", sure: "How sure", why: "Why",
    token: "Token of the server", working: "Working …", nothing: "Nothing was found.",
    risk: "risk that something is left: ", failed: "The server does not answer.", language: "Español",
    patient: "patient", relative: "relative", staff: "staff", other: "other",
    401: "The server asks for its token.", 413: "The note is too long for this server.",
    503: "The server is busy; try again in a moment.", 504: "The note took too long.",
  },
  es: {
    about: "Pegue una nota para ver qué se halla. Solo va a este equipo y no se guarda.",
    note: "Nota clínica", find: "Buscar", example: "Un ejemplo", tag: "Etiquetas", surrogate: "Sustitutos",
    found: "Hallado en la nota", new: "Desidentificada", what: "Qué", text: "Texto", sure: "Certeza", why: "Por qué",
    token: "Token del servidor", working: "Trabajando …", nothing: "No se halló nada.",
    risk: "riesgo de que quede algo: ", failed: "El servidor no responde.", language: "English",
    patient: "paciente", relative: "familiar", staff: "personal", other: "otra persona",
    401: "El servidor pide su token.", 413: "La nota es demasiado larga para este servidor.",
    503: "El servidor está ocupado; intente de nuevo en un momento.", 504: "La nota tardó demasiado.",
  },
};
const EXAMPLE = `Nota de Urgencias 14/03/2023. Pte Jesús Mendoza Mares de 61 años, exp. 2023-004512.
Vive en calle Ignacio Allende 212 int. 3, col. Obrera, Uruapan, Mich. Lo trae su hija Yatziri,
cel 452 118 77 04. DM2 de 10 años de evolución. Atiende Dra. Ana Luisa Pérez Soto, céd. prof. 4512378.`;
const at = (id) => document.getElementById(id);
let language = navigator.language.startsWith("es") ? "es" : "en";
let last = null;

function say(key) { return WORDS[language][key] ?? key; }

function translate() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = say(element.dataset.t);
  at("language").textContent = say("language");
  at("token").placeholder = say("token");
  if (last) show(last);
}

// Offsets count characters as Python does; JavaScript counts pairs of a surrogate twice.
function pieces(target, text, marks, title) {
  const letters = Array.from(text);
  let position = 0;
  target.replaceChildren();
  for (const mark of marks) {
    target.append(letters.slice(position, mark.start).join(""));
    const element = document.createElement("mark");
    element.textContent = letters.slice(mark.start, mark.end).join("");
    element.dataset.entity = mark.entity;
    element.title = title(mark);
    target.append(element);
    position = mark.end;
  }
  target.append(letters.slice(position).join(""));
}

function percent(value) { return `${(100 * value).toFixed(value > 0.99 && value < 1 ? 1 : 0)} %`; }

function show(answer) {
  last = answer;
  const letters = Array.from(answer.note);
  const named = (mark) => mark.tag + (mark.role ? `, ${say(mark.role)}` : "");
  pieces(at("marked"), answer.note, answer.marks, (mark) => `${named(mark)} · ${percent(mark.score)} · ${mark.why}`);
  pieces(at("output"), answer.text, answer.items, (item) => item.entity);
  at("risk").textContent = answer.risk == null ? "" : say("risk") + percent(answer.risk);
  at("rows").replaceChildren(...answer.marks.map((mark) => {
    const row = document.createElement("tr");
    const cells = [named(mark), letters.slice(mark.start, mark.end).join(""), percent(mark.score), mark.why];
    row.append(...cells.map((text) => Object.assign(document.createElement("td"), { textContent: text })));
    row.firstChild.dataset.entity = mark.entity;
    return row;
  }));
  at("result").hidden = false;
  at("said").textContent = answer.marks.length ? "" : say("nothing");
}

async function find() {
  at("said").textContent = say("working");
  const headers = { "Content-Type": "application/json" };
  if (at("token").value) headers.Authorization = `Bearer ${at("token").value}`;
  const note = at("note").value;
  try {
    const body = JSON.stringify({ text: note, operators: at("operators").value });
    const response = await fetch("try", { method: "POST", headers, body });
    const answer = await response.json();
    if (response.ok) return show({ note, ...answer });
    if (response.status === 401) at("token").hidden = false;
    at("said").textContent = WORDS[language][response.status] ?? answer.error;
  } catch {
    at("said").textContent = say("failed");
  }
}

at("find").addEventListener("click", find);
at("operators").addEventListener("change", () => last && find());
at("example").addEventListener("click", () => { at("note").value = EXAMPLE; find(); });
at("note").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) find();
});
at("language").addEventListener("click", () => { language = language === "es" ? "en" : "es"; translate(); });
translate();
document.body.dataset.ready = "yes";
