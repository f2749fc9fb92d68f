"""The error report: one page that needs no network and escapes all of a note."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from presidio_mx.messages import say
from presidio_mx.research.evaluation.bootstrap import wilson
from presidio_mx.research.evaluation.counts import Share
from presidio_mx.research.evaluation.mistakes import KINDS, Mistake, mistakes
from presidio_mx.research.evaluation.names import spoken
from presidio_mx.research.evaluation.page import (
    About,
    error_row,
    fill_page,
    identifiers_warning,
    per_cent,
    whole_note,
)
from presidio_mx.research.evaluation.rewriting import RewritingScores
from presidio_mx.research.evaluation.scores import Pair, Scores

_BAR = 200.0
_BAR_START = 240.0
_ROW = 18
_TILES = (
    "identifiers fully covered",
    "notes without a leak",
    "character precision",
    "exact F1",
)


_FILTERS = ("kind", "type", "role", "recognizer")


def render(
    scores: Scores,
    pairs: Sequence[Pair],
    about: About,
    rewriting: RewritingScores | None = None,
) -> str:
    """Return the report as a page.

    :param scores: The scores of a system.
    :param pairs: Notes with gold and with predicted spans, named by the scheme.
    :param about: System, data and date.
    :param rewriting: Scores of a rewriting method, for their curve.
    :return: HTML in the user's language (English or Spanish).
    """
    found = [(pair, mistakes(*pair)) for pair in pairs]
    notes = [_note(pair, errors) for pair, errors in found if errors]
    errors = [error for _, listed in found for error in listed]
    count = len(scores.notes)
    scheme = scores.scheme
    return fill_page(
        "report.html",
        warning=identifiers_warning(),
        title=say("De-identification report", "Informe de desidentificación"),
        facts=about.facts(),
        subtitle=say(
            f"{count} notes; scheme {scheme}", f"{count} notas; esquema {scheme}"
        ),
        tiles=_tiles(scores),
        charts=_charts(scores, errors),
        curve=None if rewriting is None else _curve(rewriting),
        figures=[_figure(row) for row in scores.to_table()],
        filters=_filters([row for note in notes for row in note["errors"]]),
        notes=notes,
        count=len(errors),
    )


def _note(pair: Pair, errors: Sequence[Mistake]) -> dict[str, Any]:
    gold, predicted = pair
    layers = (("gold", gold.spans), ("predicted", predicted.spans))
    return {
        "id": gold.id,
        "leaks": sum(error.leaks for error in errors),
        "errors": [error_row(error) for error in errors],
        "whole": whole_note(gold, layers),
    }


def _tiles(scores: Scores) -> list[dict[str, str]]:
    tiles = []
    for name in _TILES:
        found = scores.intervals[name]
        detail = f"{per_cent(found.low)} – {per_cent(found.high)}"
        tiles.append(
            {"name": spoken(name), "value": per_cent(found.value), "detail": detail}
        )
    if scores.meddocan is not None:
        for name, counts in (
            ("MEDDOCAN 1", scores.meddocan.entities),
            ("MEDDOCAN 2", scores.meddocan.strict),
        ):
            detail = f"P {per_cent(counts.precision)}, R {per_cent(counts.recall)}"
            tiles.append({"name": name, "value": per_cent(counts.f1), "detail": detail})
    return tiles


def _figure(row: dict[str, Any]) -> dict[str, Any]:
    low, high = row["low"], row["high"]
    between = "" if low is None else f"{low:.4f} – {high:.4f}"
    names = {name: spoken(row[name]) for name in ("group", "measure")}
    return row | names | {"value": f"{row['value']:.4f}", "interval": between}


def _bar(name: str, share: float, label: str, kind: str) -> dict[str, Any]:
    return {
        "name": name,
        "kind": kind,
        "width": round(_BAR * share, 1),
        "label": label,
        "low": 0,
        "high": 0,
        "filter": "",
        "choice": "",
    }


def _covered_bar(name: str, share: Share) -> dict[str, Any]:
    label = f"{per_cent(share.value)} ({share.part:.0f}/{share.whole:.0f})"
    bar = _bar(spoken(name), share.value, label, "good")
    reach = wilson(share.part, share.whole)
    bar["low"] = round(_BAR_START + _BAR * reach.low, 1)
    bar["high"] = round(_BAR_START + _BAR * reach.high, 1)
    return bar


def _charts(scores: Scores, errors: Sequence[Mistake]) -> list[dict[str, Any]]:
    rows = [error_row(error) for error in errors]
    there = {(name, row[name]) for row in rows for name in _FILTERS}

    def leading(bar: dict[str, Any], by: str, choice: str) -> dict[str, Any]:
        """Return a bar that leads to its errors, if there are any."""
        return bar | ({"filter": by, "choice": choice} if (by, choice) in there else {})

    covered = [
        leading(_covered_bar(n, s), "type", n)
        for n, s in scores.covered_by_type.items()
    ]
    roles = [
        leading(_covered_bar(n, s), "role", n)
        for n, s in scores.covered_by_role.items()
    ]
    exact = [
        leading(_bar(name, counts.f1, per_cent(counts.f1), "other"), "type", name)
        for name, counts in scores.exact_by_type.items()
    ]
    kinds = Counter(error.kind for error in errors)
    most = max(kinds.values(), default=1)
    wrong = [
        leading(_bar(spoken(k), kinds[k] / most, str(kinds[k]), "bad"), "kind", k)
        for k in KINDS
    ]
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


def _filters(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    filters = []
    for name in _FILTERS:
        counts = Counter(row[name] for row in rows if row[name])
        choices = [
            {"value": value, "name": spoken(value), "count": n}
            for value, n in sorted(counts.items())
        ]
        if choices:
            filters.append({"name": name, "choices": choices})
    return filters
