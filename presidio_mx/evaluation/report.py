"""The error report: one page that needs no network and escapes all of a note."""

from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Any

from presidio_mx.cli_text import say, speaks_spanish
from presidio_mx.evaluation.bootstrap import wilson
from presidio_mx.evaluation.counts import Share
from presidio_mx.evaluation.mistakes import KINDS, Mistake
from presidio_mx.evaluation.rewriting import RewritingScores
from presidio_mx.evaluation.scores import Scores

_BAR = 200.0
_BAR_START = 240.0
_ROW = 18
_TILES = (
    "identifiers fully covered",
    "notes without a leak",
    "character precision",
    "exact F1",
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a sentence and how it is marked."""

    text: str
    classes: str


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
        "all": say("all", "todos"),
        "search": say("Search", "Buscar"),
        "leaks_only": say("leaks only", "solo fugas"),
        "reset": say("Show all", "Mostrar todo"),
        "note": say("Note", "Nota"),
        "kind": say("Kind", "Clase"),
        "type": say("Type", "Tipo"),
        "recognizer": say("Recognizer", "Reconocedor"),
        "sentence": say("Sentence", "Oración"),
        "leak": say("leak", "fuga"),
        "key_gold": say("gold", "marcado por personas"),
        "key_predicted": say("predicted", "hallado"),
        "key_both": say("both", "ambos"),
    }


def render(
    scores: Scores,
    errors: Sequence[Mistake],
    system: str,
    rewriting: RewritingScores | None = None,
) -> str:
    """Return the report as a page.

    :param scores: The scores of a system.
    :param errors: Its errors.
    :param system: What to call it.
    :param rewriting: Scores of a rewriting method, for their curve.
    :return: HTML in the user's language (English or Spanish).
    """
    import jinja2
    from markupsafe import Markup

    page = files("presidio_mx.evaluation") / "page"
    style, script = (
        (page / name).read_text(encoding="utf-8")
        for name in ("report.css", "report.js")
    )
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string(
        (page / "report.html").read_text(encoding="utf-8")
    )
    notes = len(scores.notes)
    return template.render(
        lang="es" if speaks_spanish() else "en",
        t=_texts(),
        warning=_warning() if errors else "",
        title=say("De-identification report", "Informe de desidentificación"),
        subtitle=say(
            f"{system}; {notes} notes; scheme {scores.scheme}",
            f"{system}; {notes} notas; esquema {scores.scheme}",
        ),
        # The two files are the package's own; only they may pass unescaped.
        style=Markup(style),
        script=Markup(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
        tiles=_tiles(scores),
        charts=_charts(scores, errors),
        curve=None if rewriting is None else _curve(rewriting),
        figures=[_figure(row) for row in scores.to_table()],
        filters=_filters(errors),
        errors=[_error(error) for error in errors],
    )


def _warning() -> str:
    return say(
        "This page quotes notes with names and other identifiers of patients: keep it "
        "where you keep the notes, and do not send it.",
        "Esta página cita notas con nombres y otros identificadores de pacientes: "
        "guárdela donde guarda las notas y no la envíe.",
    )


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")


def _per_cent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _tiles(scores: Scores) -> list[dict[str, str]]:
    tiles = []
    for name in _TILES:
        found = scores.intervals[name]
        detail = f"{_per_cent(found.low)} – {_per_cent(found.high)}"
        tiles.append({"name": name, "value": _per_cent(found.value), "detail": detail})
    if scores.meddocan is not None:
        for name, counts in (
            ("MEDDOCAN 1", scores.meddocan.entities),
            ("MEDDOCAN 2", scores.meddocan.strict),
        ):
            detail = f"P {_per_cent(counts.precision)}, R {_per_cent(counts.recall)}"
            tiles.append(
                {"name": name, "value": _per_cent(counts.f1), "detail": detail}
            )
    return tiles


def _figure(row: dict[str, Any]) -> dict[str, Any]:
    low, high = row["low"], row["high"]
    between = "" if low is None else f"{low:.4f} – {high:.4f}"
    return row | {"value": f"{row['value']:.4f}", "interval": between}


def _bar(name: str, share: float, label: str, kind: str) -> dict[str, Any]:
    return {
        "name": name,
        "kind": kind,
        "width": round(_BAR * share, 1),
        "label": label,
        "low": 0,
        "high": 0,
    }


def _covered_bar(name: str, share: Share) -> dict[str, Any]:
    label = f"{_per_cent(share.value)} ({share.part:.0f}/{share.whole:.0f})"
    bar = _bar(name, share.value, label, "good")
    reach = wilson(share.part, share.whole)
    bar["low"] = round(_BAR_START + _BAR * reach.low, 1)
    bar["high"] = round(_BAR_START + _BAR * reach.high, 1)
    return bar


def _charts(scores: Scores, errors: Sequence[Mistake]) -> list[dict[str, Any]]:
    covered = [_covered_bar(n, s) for n, s in scores.covered_by_type.items()]
    roles = [_covered_bar(n, s) for n, s in scores.covered_by_role.items()]
    exact = [
        _bar(name, counts.f1, _per_cent(counts.f1), "other")
        for name, counts in scores.exact_by_type.items()
    ]
    kinds = Counter(error.kind for error in errors)
    most = max(kinds.values(), default=1)
    wrong = [_bar(k, kinds[k] / most, str(kinds[k]), "bad") for k in KINDS]
    titles = {
        say("Fully covered by type", "Cubiertos por tipo"): covered,
        say("Exact F1 by type", "F1 exacta por tipo"): exact,
        say("Fully covered by role", "Cubiertos por papel"): roles,
        say("Errors by kind", "Errores por clase"): wrong,
    }
    return [_chart(title, bars) for title, bars in titles.items() if bars]


def _chart(title: str, bars: list[dict[str, Any]]) -> dict[str, Any]:
    rows = [bar | {"y": i * _ROW} for i, bar in enumerate(bars)]
    return {"title": title, "rows": rows, "height": len(rows) * _ROW + 4}


def _curve(rewriting: RewritingScores) -> dict[str, Any]:
    points = sorted(rewriting.curve.items())
    first, last = points[0][0], points[-1][0]

    def across(threshold: float) -> float:
        return round(50 + 440 * (threshold - first) / (last - first), 1)

    return {
        "title": say(
            "Levenshtein recall by threshold", "Exhaustividad Levenshtein por umbral"
        ),
        "points": " ".join(f"{across(x)},{round(180 - 160 * y, 1)}" for x, y in points),
        "ticks": [{"x": across(x), "label": f"{x:g}"} for x, _ in points[::2]],
        "levels": [
            {"y": 184 - 160 * part, "label": f"{part:.0%}"} for part in (0, 0.5, 1)
        ],
    }


def _filters(errors: Sequence[Mistake]) -> list[dict[str, Any]]:
    listed = [_error(error) for error in errors]
    titles = _texts()
    filters = []
    for name in ("kind", "type", "recognizer"):
        counts = Counter(row[name] for row in listed if row[name])
        choices = [{"value": v, "count": n} for v, n in sorted(counts.items())]
        filters.append({"name": name, "title": titles[name], "choices": choices})
    return filters


def _error(error: Mistake) -> dict[str, Any]:
    gold, predicted = error.gold, error.predicted
    types = [span.entity_type for span in (gold, predicted) if span is not None]
    return {
        "note": error.note,
        "kind": error.kind,
        "type": types[0],
        "types": " → ".join(dict.fromkeys(types)),
        "recognizer": (predicted.recognizer or "") if predicted else "",
        "leaks": error.leaks,
        "pieces": _pieces(error),
    }


def _pieces(error: Mistake) -> list[Piece]:
    """Cut the sentence where a mark begins or ends."""
    marks = (("gold", error.gold), ("predicted", error.predicted))
    spans = [
        (name, max(0, span.start - error.offset), span.end - error.offset)
        for name, span in marks
        if span is not None
    ]
    size = len(error.sentence)
    edges = {0, size} | {min(e, size) for _, s, t in spans for e in (s, t)}
    cuts = sorted(edges)
    return [
        Piece(
            error.sentence[start:end],
            " ".join(name for name, s, t in spans if s <= start and end <= t),
        )
        for start, end in zip(cuts, cuts[1:], strict=False)
    ]
