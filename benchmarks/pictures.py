"""Draw the pictures of the pages, and fill in the outputs of the example notebook.

    python benchmarks/pictures.py           # write them
    python benchmarks/pictures.py --check   # name those that differ, as a test does

Numbers come from ``docs/figures.yaml``, texts from ``samples/notes``, findings and
surrogates from the package under a fixed key. Each picture is an SVG file in English
and in Spanish.
"""

import contextlib
import io
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import yaml
from figures import update

from presidio_mx import analyze_and_anonymize

ROOT = Path(__file__).parents[1]
NOTES = ROOT / "samples" / "notes"
FOLDER = ROOT / "samples" / "pictures"
NOTEBOOK = ROOT / "samples" / "example.ipynb"
KEY = "a demo key, 16+ bytes"
INK, SOFT, LINE, PAPER, FAINT = "#1f2933", "#52606d", "#cbd2d9", "#fff", "#f5f7fa"
ACCENT, PALE = "#2b6cb0", "#a3c4e4"
# Background and letters of what identifies somebody.
COLOURS = {
    "PERSON": ("#dbeafe", "#1e40af"),
    "ADDRESS": ("#dcfce7", "#166534"),
    "LOCATION": ("#dcfce7", "#166534"),
    "DATE_TIME": ("#ffedd5", "#9a3412"),
    "AGE": ("#ffedd5", "#9a3412"),
}
OTHER = ("#f3e8ff", "#6b21a8")
Span = tuple[int, int, str]


def text(
    x: float, y: float, words: str, size: int = 14, fill: str = INK, more: str = ""
) -> str:
    """Return one line of text."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}" {more}>'
        f"{escape(words)}</text>"
    )


def box(
    x: float, y: float, width: float, height: float, fill: str, edge: str = "none"
) -> str:
    """Return a rectangle with round corners."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" '
        f'fill="{fill}" stroke="{edge}"/>'
    )


def line(x1: float, y1: float, x2: float, y2: float, stroke: str = LINE) -> str:
    """Return a straight line."""
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{stroke}" '
        'stroke-width="1.5"/>'
    )


def arrow(x: float, y1: float, y2: float) -> str:
    """Return an arrow that points down."""
    head = f"M{x - 5:g} {y2 - 7:g}L{x:g} {y2:g}L{x + 5:g} {y2 - 7:g}"
    return line(x, y1, x, y2, SOFT) + f'<path d="{head}" fill="none" stroke="{SOFT}"/>'


def svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    """Return a picture on a light ground, for pages that are dark as well."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} '
            f'{height:g}" width="{width:g}" height="{height:g}" role="img" '
            'font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif">',
            f"<title>{escape(title)}</title>",
            box(0.5, 0.5, width - 1, height - 1, PAPER, LINE),
            *parts,
            "</svg>\n",
        ]
    )


# Before and after


def wrapped(note: str, columns: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of lines of at most so many letters."""
    start = 0
    for paragraph in note.splitlines(keepends=True):
        end = start + len(paragraph.rstrip("\n"))
        while end - start > columns:
            cut = note.rfind(" ", start, start + columns + 1)
            yield start, cut
            start = cut + 1
        yield start, end
        start = end + 1


def panel(
    y: float, title: str, note: str, spans: Sequence[Span], columns: int = 68
) -> tuple[list[str], float]:
    """Return a note in letters of one width, its spans coloured, and where it ends."""
    step, parts = 9.0, [text(20, y + 18, title, 15, SOFT, 'font-weight="600"')]
    y += 28
    for start, end in wrapped(note, columns):
        y += 22
        for first, last, entity in spans:
            first, last = max(first, start), min(last, end)
            if first < last:
                left, width = 20 + (first - start) * step, (last - first) * step
                fill = COLOURS.get(entity, OTHER)[0]
                parts.append(box(left - 1, y - 16, width + 2, 21, fill))
        parts.append(
            text(
                20,
                y,
                note[start:end],
                15,
                INK,
                f'font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, '
                f'monospace" xml:space="preserve" textLength="'
                f'{(end - start) * step:g}" lengthAdjust="spacingAndGlyphs"',
            )
        )
    return parts, y + 16


def before_after(lang: str) -> str:
    """Return the sample note as it is, with tags, and with surrogates."""
    note = (NOTES / "01_trabajo_social.txt").read_text("utf-8")
    note = note.partition(" Se deja citatorio")[0]
    tags = analyze_and_anonymize(note)
    made = analyze_and_anonymize(note, operators="surrogate", key=KEY)
    titles = {
        "en": ("The note", "With tags", "With surrogates"),
        "es": ("La nota", "Con etiquetas", "Con datos ficticios"),
    }[lang]
    notes = [
        (note, [(i.start, i.end, i.entity_type) for i in tags.items]),
        (tags.text, [(i.new_start, i.new_end, i.entity_type) for i in tags.items]),
        (made.text, [(i.new_start, i.new_end, i.entity_type) for i in made.items]),
    ]
    parts, y = [], 8.0
    for number, (title, (shown, spans)) in enumerate(zip(titles, notes, strict=True)):
        if number:
            parts.append(line(20, y, 632, y))
        drawn, y = panel(y + 4, title, shown, spans)
        parts += drawn
    return svg(652, y, " → ".join(titles), parts)


# Data flow

FLOW = {
    "en": [
        ["Note"],
        ["Preparation: invisible characters, look-alike letters, markup"],
        ["Rules", "Model", "Patient's data", "Site's lists", "Fields, codes"],
        ["Decision: what is probable enough, whoever found it"],
        ["Operators of a profile: tags, masks, surrogates …"],
        ["New text", "What was done", "Risk that something is left"],
    ],
    "es": [
        ["Nota"],
        ["Preparación: caracteres invisibles, letras parecidas, formato"],
        ["Reglas", "Modelo", "Datos del paciente", "Listas propias", "Campos, claves"],
        ["Decisión: lo bastante probable, sin importar quién lo encontró"],
        ["Operadores de un perfil: etiquetas, tachado, datos ficticios …"],
        ["Texto nuevo", "Qué se hizo", "Riesgo de que algo quede"],
    ],
}


def data_flow(lang: str) -> str:
    """Return the steps of a note."""
    title = {"en": "How a note flows", "es": "El camino de una nota"}[lang]
    parts, y, width = [], 16.0, 720
    for number, row in enumerate(FLOW[lang]):
        if number:
            parts.append(arrow(width / 2, y - 20, y - 2))
        wide = min(width - 40, 460) if len(row) == 1 else width - 40
        left, gap = (width - wide) / 2, 8
        each = (wide - gap * (len(row) - 1)) / len(row)
        fill = FAINT if len(row) == 1 else "#dbeafe"
        for place, words in enumerate(row):
            x = left + place * (each + gap)
            parts.append(box(x, y, each, 38, fill, LINE))
            middle = 'text-anchor="middle"'
            parts.append(text(x + each / 2, y + 24, words, 13, INK, middle))
        y += 60
    return svg(width, y - 6, title, parts)


# Figures


def coverage(lang: str, figures: dict[str, Any]) -> str:
    """Return bars: identifiers covered in each kind of notes."""
    title, rules, both = {
        "en": ("Identifiers covered, per cent", "rules alone", "rules + transformer"),
        "es": (
            "Identificadores cubiertos, por ciento",
            "solo reglas",
            "reglas + transformer",
        ),
    }[lang]
    rows = [row for row in figures["notes"].values() if row["readme"]]
    parts = [text(20, 28, title, 15, INK, 'font-weight="600"')]
    for x, colour, words in ((380, PALE, rules), (510, ACCENT, both)):
        parts += [box(x, 17, 12, 12, colour), text(x + 18, 28, words, 13, SOFT)]
    y, left, full = 48.0, 380, 280
    for row in rows:
        for number, part in enumerate(halves(row[lang], 54)):
            parts.append(text(20, y + 13 + 16 * number, part, 13))
        for place, (system, colour) in enumerate((("rules", PALE), ("both", ACCENT))):
            top, share = y + 17 * place, row[system][0]
            parts.append(box(left, top, full * share / 100, 14, colour))
            parts.append(text(left + full + 8, top + 12, f"{share:.1f}", 13, SOFT))
        y += 46
    return svg(720, y, title, parts)


def halves(words: str, columns: int) -> list[str]:
    """Return a text in lines of at most so many letters."""
    return [words[start:end] for start, end in wrapped(words, columns)]


def release(lang: str, figures: dict[str, Any]) -> str:
    """Return the share of notes that a bound on the risk releases, and their leaks."""
    title, x_axis, below, left_in = {
        "en": (
            "What a bound on the risk releases",
            "released without review if the risk is below",
            "% of all notes released",
            "% of those with something left",
        ),
        "es": (
            "Qué se libera con cada límite de riesgo",
            "se libera sin revisar si el riesgo es menor que",
            "% de todas las notas que se libera",
            "% de esas en las que algo quedó",
        ),
    }[lang]
    found = figures["releases"]
    left, top, wide, tall = 60, 60, 600, 220
    parts = [text(20, 28, title, 15, INK, 'font-weight="600"')]
    for share in (0, 25, 50, 75, 100):
        y = top + tall * (1 - share / 100)
        parts.append(line(left, y, left + wide, y))
        parts.append(text(left - 8, y + 4, f"{share}", 12, SOFT, 'text-anchor="end"'))
    rows = found["rows"]
    step = wide / len(rows)
    for number, (bound, notes, leaks) in enumerate(rows):
        x = left + step * (number + 0.5)
        released = 100 * notes / found["notes"]
        leaking = 100 * leaks / notes if notes else 0
        for shift, share, colour in ((-22, released, PALE), (2, leaking, ACCENT)):
            height = tall * share / 100
            parts.append(box(x + shift, top + tall - height, 20, height, colour))
            parts.append(
                text(
                    x + shift + 10,
                    top + tall - height - 5,
                    f"{share:.0f}",
                    11,
                    SOFT,
                    'text-anchor="middle"',
                )
            )
        middle = 'text-anchor="middle"'
        parts.append(text(x, top + tall + 18, f"{bound:g}", 12, INK, middle))
    y = top + tall + 40
    parts.append(text(left + wide / 2, y, x_axis, 13, SOFT, 'text-anchor="middle"'))
    for x, colour, words in ((left, PALE, below), (left + 290, ACCENT, left_in)):
        parts += [box(x, y + 13, 12, 12, colour), text(x + 18, y + 24, words, 13)]
    return svg(720, y + 42, title, parts)


# Dates

DAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    "es": "lunes martes miércoles jueves viernes sábado domingo".split(),
}


def date_shift(lang: str) -> str:
    """Return the dates of a sample note before and after they are moved."""
    title, before, after, days, weeks = {
        "en": (
            "Dates move together, by whole weeks",
            "the note",
            "surrogate",
            "{} days",
            "{} weeks",
        ),
        "es": (
            "Las fechas se recorren juntas, por semanas completas",
            "la nota",
            "dato ficticio",
            "{} días",
            "{} semanas",
        ),
    }[lang]
    note = (NOTES / "09_egreso.txt").read_text("utf-8")
    done = analyze_and_anonymize(note, operators="surrogate", key=KEY)
    dates = [i for i in done.items if i.entity_type == "DATE_TIME"]
    old = [note[i.start : i.end] for i in dates]
    new = [done.text[i.new_start : i.new_end] for i in dates]
    parts = [text(20, 28, title, 15, INK, 'font-weight="600"')]
    middle = 'text-anchor="middle"'
    for y, label, shown in ((80, before, old), (190, after, new)):
        read = [datetime.strptime(each, "%d-%m-%y") for each in shown]
        parts.append(text(20, y + 5, label, 14, SOFT))
        parts.append(line(240, y, 560, y, SOFT))
        for x, each, day in zip((240, 560), shown, read, strict=True):
            parts.append(f'<circle cx="{x}" cy="{y}" r="6" fill="{ACCENT}"/>')
            parts.append(text(x, y - 14, each, 15, INK, middle))
            parts.append(text(x, y + 24, DAYS[lang][day.weekday()], 13, SOFT, middle))
        apart = days.format((read[1] - read[0]).days)
        parts.append(text(400, y - 8, apart, 13, SOFT, middle))
    moved = [
        datetime.strptime(b, "%d-%m-%y") - datetime.strptime(a, "%d-%m-%y")
        for a, b in zip(old, new, strict=True)
    ]
    for x, by in zip((240, 560), moved, strict=True):
        parts.append(arrow(x, 110, 160))
        words = weeks.format(f"{by.days // 7:+d}".replace("-", "−"))
        parts.append(text(x + 12, 140, words, 13, SOFT))
    return svg(720, 232, title, parts)


def pictures() -> Iterator[tuple[Path, str]]:
    """Yield the files and what belongs into them."""
    figures = yaml.safe_load((ROOT / "docs" / "figures.yaml").read_text("utf-8"))
    for lang in ("en", "es"):
        drawn = {
            "before-after": before_after(lang),
            "data-flow": data_flow(lang),
            "coverage": coverage(lang, figures),
            "release": release(lang, figures),
            "date-shift": date_shift(lang),
        }
        for name, picture in drawn.items():
            yield FOLDER / f"{name}.{lang}.svg", picture


def notebook() -> str:
    """Run the cells of the notebook and return it with what they print."""
    book = json.loads(NOTEBOOK.read_text("utf-8"))
    names: dict[str, Any] = {}
    count = 0
    for cell in book["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.chdir(ROOT / "samples"):
            exec("".join(cell["source"]), names)
        lines = printed.getvalue().splitlines(keepends=True)
        cell["execution_count"] = count
        output = {"name": "stdout", "output_type": "stream", "text": lines}
        cell["outputs"] = [output] if lines else []
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"


def contents() -> Iterator[tuple[Path, str]]:
    """Yield each file, and what it should be."""
    yield from pictures()
    yield NOTEBOOK, notebook()


if __name__ == "__main__":
    sys.exit(update(contents(), __doc__))
