"""Two systems on the same notes, side by side: one page that needs no network."""

from collections.abc import Sequence
from typing import Any

from presidio_mx.messages import say
from presidio_mx.research.evaluation.compare import Comparison
from presidio_mx.research.evaluation.counts import Share
from presidio_mx.research.evaluation.mistakes import Mistake, mistakes
from presidio_mx.research.evaluation.names import spoken
from presidio_mx.research.evaluation.page import (
    About,
    error_row,
    fill_page,
    identifiers_warning,
    whole_note,
)
from presidio_mx.research.evaluation.scores import Pair


def render_comparison(
    found: Comparison, first: Sequence[Pair], second: Sequence[Pair], about: About
) -> str:
    """Return a page with the figures and errors of two systems beside one another.

    :param found: The comparison.
    :param first: Notes with gold spans and those of the first system.
    :param second: The same notes with those of the second.
    :param about: Both systems, data and date.
    :return: HTML in the user's language (English or Spanish).
    """
    notes = [_note(one, two) for one, two in zip(first, second, strict=True)]
    count = len(notes)
    return fill_page(
        "compare.html",
        warning=identifiers_warning(),
        title=say("Two systems compared", "Comparación de dos sistemas"),
        facts=about.facts(),
        subtitle=say(
            f"{count} notes; scheme {found.first.scheme}; paired bootstrap over notes",
            f"{count} notas; esquema {found.first.scheme}; remuestreo pareado de notas",
        ),
        measures=_measures(found),
        types=_types(found),
        notes=[note for note in notes if any(note["sides"])],
    )


def verdict(better: int) -> str:
    """Return in words which system is better.

    :param better: 1 for the first, 2 for the second, 0 if chance may explain it.
    """
    return (
        say("no evidence", "sin evidencia"),
        say("A is better", "A es mejor"),
        say("B is better", "B es mejor"),
    )[better]


def _measures(found: Comparison) -> list[dict[str, Any]]:
    return [
        {
            "name": spoken(name),
            "first": f"{100 * found.first.intervals[name].value:.2f}",
            "second": f"{100 * found.second.intervals[name].value:.2f}",
            "difference": f"{100 * d.value:+.2f}",
            "interval": f"{100 * d.low:+.2f} – {100 * d.high:+.2f}",
            "p": f"{d.p:.3f}",
            "better": found.better(name),
            "verdict": verdict(found.better(name)),
        }
        for name, d in found.differences.items()
    ]


def _types(found: Comparison) -> list[dict[str, str]]:
    def of(share: Share | None) -> str:
        if share is None:
            return ""
        return f"{100 * share.value:.1f} % ({share.part:.0f}/{share.whole:.0f})"

    one, two = found.first.covered_by_type, found.second.covered_by_type
    return [
        {"name": name, "first": of(one.get(name)), "second": of(two.get(name))}
        for name in sorted({*one, *two})
    ]


def _note(first: Pair, second: Pair) -> dict[str, Any]:
    gold = first[0]
    sides = [mistakes(*first), mistakes(*second)]
    keys = [{_key(error) for error in side} for side in sides]
    rows = [
        [error_row(error) | {"alone": _key(error) not in other} for error in side]
        for side, other in zip(sides, reversed(keys), strict=True)
    ]
    layers = (("gold", gold.spans), ("A", first[1].spans), ("B", second[1].spans))
    return {"id": gold.id, "sides": rows, "whole": whole_note(gold, layers)}


def _key(error: Mistake) -> tuple[object, ...]:
    """Return what makes an error of one system the same as one of the other."""
    spans = (error.gold, error.predicted)
    return (
        error.kind,
        *((s.start, s.end, s.entity_type) if s else None for s in spans),
    )
