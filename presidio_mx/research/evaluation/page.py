"""What the pages of an evaluation share: template, whole notes, errors."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Any

from presidio_mx.messages import say, speaks_spanish
from presidio_mx.research.evaluation.mistakes import Mistake
from presidio_mx.research.evaluation.names import spoken
from presidio_mx.text.spans import Note, Span


@dataclass(frozen=True, slots=True)
class About:
    """What a report is about.

    :param system: What to call the system.
    :param data: What to call the annotated notes.
    :param date: Day of the evaluation, ISO 8601.
    :param made_by: Version, model and hash of the rules; empty for files of another
        system.
    """

    system: str
    data: str = ""
    date: str = ""
    made_by: str = ""

    def facts(self) -> list[tuple[str, str]]:
        """Return what is known, each with its name."""
        named = [
            (say("System", "Sistema"), self.system),
            (say("Made by", "Hecho con"), self.made_by),
            (say("Data", "Datos"), self.data),
            (say("Date", "Fecha"), self.date),
        ]
        return [(name, value) for name, value in named if value]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text and how it is marked.

    :param text: The text.
    :param classes: Classes of its mark; empty if it is plain.
    :param title: The types of its marks.
    """

    text: str
    classes: str = ""
    title: str = ""


Layers = Sequence[tuple[str, Sequence[Span]]]


def per_cent(value: float) -> str:
    """Return a share as it stands in a report: ``12.5 %``.

    :param value: The share, 0 to 1.
    """
    return f"{100 * value:.1f} %"


def pieces(text: str, layers: Layers) -> list[Piece]:
    """Cut a text where a mark begins or ends.

    :param text: The text.
    :param layers: Class of a mark to spans; what lies outside the text is cut off.
    :return: Its pieces in order.
    """
    size = len(text)
    spans = [
        (name, max(0, span.start), min(size, span.end), span.entity_type)
        for name, marked in layers
        for span in marked
    ]
    cuts = sorted({0, size} | {edge for _, s, t, _ in spans for edge in (s, t)})
    spans.sort(key=lambda span: span[1])
    found = []
    at, held = 0, list[tuple[str, int, int, str]]()
    for start, end in zip(cuts, cuts[1:], strict=False):
        while at < len(spans) and spans[at][1] <= start:
            held.append(spans[at])
            at += 1
        held = [span for span in held if span[2] > start]
        classes = " ".join(dict.fromkeys(name for name, *_ in held))
        title = ", ".join(dict.fromkeys(f"{name}: {kind}" for name, _, _, kind in held))
        found.append(Piece(text[start:end], classes, title))
    return found


def error_row(error: Mistake) -> dict[str, Any]:
    """Return an error as a template takes it.

    :param error: The error.
    """
    gold, predicted = error.gold, error.predicted
    spans = [span for span in (gold, predicted) if span is not None]
    types = [span.entity_type for span in spans]
    layers = (("gold", gold), ("predicted", predicted))
    moved = [
        (name, [Span(s.start - error.offset, s.end - error.offset, s.entity_type)])
        for name, s in layers
        if s is not None and s.end > error.offset
    ]
    return {
        "kind": error.kind,
        "kind_name": spoken(error.kind),
        "type": types[0],
        "types": " → ".join(dict.fromkeys(types)),
        "recognizer": (predicted.recognizer or "") if predicted else "",
        "role": (gold.role or "") if gold else "",
        "leaks": error.leaks,
        "start": min(span.start for span in spans),
        "pieces": [
            (piece.text, piece.classes) for piece in pieces(error.sentence, moved)
        ],
    }


def whole_note(note: Note, layers: Layers) -> list[dict[str, Any]]:
    """Return the whole text of a note, cut at its marks, with the offset of each piece.

    :param note: The note.
    :param layers: Class of a mark to spans.
    """
    found = []
    at = 0
    for piece in pieces(note.text, layers):
        found.append(
            {
                "text": piece.text,
                "classes": piece.classes,
                "title": piece.title,
                "at": at,
            }
        )
        at += len(piece.text)
    return found


def identifiers_warning() -> str:
    """Return the sentence that says what such a page holds."""
    return say(
        "This page quotes notes with names and other identifiers of patients: keep it "
        "where you keep the notes, and do not send it.",
        "Esta página cita notas con nombres y otros identificadores de pacientes: "
        "guárdela donde guarda las notas y no la envíe.",
    )


def fill_page(name: str, **values: Any) -> str:
    """Return a page in the user's language, which needs nothing from elsewhere.

    :param name: File name of the template.
    :param values: What it shows; all of it is escaped.
    """
    import jinja2
    from markupsafe import Markup

    folder = files("presidio_mx.research.evaluation") / "page"

    def read(name: str) -> str:
        return (folder / name).read_text(encoding="utf-8")

    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(read),
        trim_blocks=True,
    )
    style, script = read("report.css"), read("report.js")
    return environment.get_template(name).render(
        lang="es" if speaks_spanish() else "en",
        t=_texts(),
        # The two files are the package's own; only they may pass unescaped.
        style=Markup(style),
        script=Markup(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
        **values,
    )


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")


def _texts() -> dict[str, str]:
    return {
        "skip": say("Skip to the errors", "Ir a los errores"),
        "figures": say("Figures", "Cifras"),
        "all_figures": say("All figures", "Todas las cifras"),
        "group": say("Group", "Grupo"),
        "measure": say("Measure", "Medida"),
        "value": say("Value", "Valor"),
        "interval": say("95 % interval", "Intervalo de 95 %"),
        "errors": say("Errors", "Errores"),
        "errors_by_note": say("Errors, note by note", "Errores, nota por nota"),
        "all": say("all", "todos"),
        "search": say("Search", "Buscar"),
        "leaks_only": say("leaks only", "solo fugas"),
        "differing_only": say("differences only", "solo diferencias"),
        "reset": say("Show all", "Mostrar todo"),
        "note": say("Note", "Nota"),
        "whole": say("whole note", "nota completa"),
        "kind": say("Kind", "Clase"),
        "type": say("Type", "Tipo"),
        "role": say("Role", "Papel"),
        "recognizer": say("Recognizer", "Reconocedor"),
        "sentence": say("Sentence", "Oración"),
        "leak": say("leak", "fuga"),
        "leaks": say("leaks", "fugas"),
        "none": say("no error", "sin errores"),
        "key_gold": say("gold", "marcado por personas"),
        "key_predicted": say("predicted", "hallado"),
        "key_both": say("both", "ambos"),
        "difference": say("A − B", "A − B"),
        "verdict": say("Verdict", "Veredicto"),
        "by_type": say("Fully covered by type", "Cubiertos por tipo"),
        "see": say("Show these errors", "Ver estos errores"),
    }
