"""The report of a risk for people: a page, and a few lines for the terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from presidio_mx.messages import say
from presidio_mx.research.evaluation.page import fill_page, per_cent
from presidio_mx.work.risk.classes import AS_IS, LEFT_OUT
from presidio_mx.work.risk.measure import Measure, Worst
from presidio_mx.work.risk.report import Assessment

_WIDTH = 200.0
_SHOWN = 12
_CELLS = ("age", "place", "date", "diagnosis")


def spoken(name: str) -> str:
    """Return a word of a report in the user's language.

    :param name: A property or level.
    """
    words = {
        "age": say("age", "edad"),
        "sex": say("sex", "sexo"),
        "place": say("municipality, state", "municipio, estado"),
        "date": say("dates", "fechas"),
        "diagnosis": say("rare diagnosis", "diagnóstico raro"),
        "year": say("year", "año"),
        "state": say("state", "estado"),
        "month": say("month", "mes"),
        "band": say("bands of ten years", "decenios"),
        "cap": say("89 and more as one", "89 y más como una"),
        AS_IS: say("as is", "como está"),
        LEFT_OUT: say("left out", "se omite"),
        "patients": say("patients", "pacientes"),
        "notes": say("notes", "notas"),
    }
    return words[name]


def advice(told: Assessment) -> str:
    """Return what to do, in one or two sentences.

    :param told: The assessment.
    """
    bound = told.bound
    if told.chosen is None:
        return say(
            f"No generalisation keeps the share in classes of fewer than {bound.k} at "
            f"{per_cent(bound.share)} or less: lower --k or raise --share, or release "
            "less.",
            f"Ninguna generalización deja en {per_cent(bound.share)} o menos la parte "
            f"en clases de menos de {bound.k}: baje --k o suba --share, o libere "
            "menos.",
        )
    steps = [
        f"{spoken(name)}: {spoken(told.chosen.levels[name])}"
        for name in _CELLS
        if told.chosen.levels[name] != AS_IS
    ]
    if not steps:
        return say(
            "The corpus meets the limit as it is.",
            "El corpus cumple la cota como está.",
        )
    said = say(
        f"{'; '.join(steps)}. Then {per_cent(told.chosen.below)} are in classes of "
        f"fewer than {bound.k}.",
        f"{'; '.join(steps)}. Así {per_cent(told.chosen.below)} están en clases de "
        f"menos de {bound.k}.",
    )
    if told.chosen.levels["diagnosis"] == LEFT_OUT:
        said += " " + say(
            "No operator takes rare diagnoses out of a note: read the rows below.",
            "Ningún operador quita de una nota diagnósticos raros: lea las filas de "
            "abajo.",
        )
    return said


def _tiles(told: Assessment) -> list[tuple[str, str, str]]:
    bound = told.bound
    visits = say("without diagnoses: ", "sin diagnósticos: ")
    return [
        (
            per_cent(told.found.uniques),
            say("alone in their class", "solos en su clase"),
            visits + per_cent(told.visits.uniques),
        ),
        (
            per_cent(told.found.below),
            say(f"in classes under {bound.k}", f"en clases menores de {bound.k}"),
            say("allowed: ", "permitido: ") + per_cent(bound.share),
        ),
        (
            str(told.found.k),
            say("k: the smallest class", "k: la clase menor"),
            visits + str(told.visits.k),
        ),
        (
            per_cent(told.found.population_uniques),
            say("alone in the country", "solos en el país"),
            say("age, sex and place", "edad, sexo y lugar"),
        ),
        (
            str(told.diversity["l"]),
            say("l: diagnoses in a class", "l: diagnósticos por clase"),
            say("generalised so: ", "así generalizado: ")
            + str(told.diversity["l_chosen"]),
        ),
    ]


def lines(told: Assessment) -> list[str]:
    """Return the figures for a terminal.

    :param told: The assessment.
    """
    rows = say(f"{told.rows:,} rows", f"{told.rows:,} filas")
    first = f"{told.corpus}: {told.count:,} {spoken(told.units)}, {rows}"
    if told.unread:
        first += say(f", {told.unread:,} unread", f", {told.unread:,} sin leer")
    figures = [f"  {value:>8}  {name} ({more})" for value, name, more in _tiles(told)]
    return [first, *figures, advice(told)]


def page(told: Assessment, facts: Sequence[tuple[str, str]]) -> str:
    """Return the report as a page that needs no network.

    :param told: The assessment.
    :param facts: What made it.
    """
    kinds = ("bad", "bad", "other", "good", "good")
    bars = [
        {
            "name": name,
            "kind": kind,
            "width": round(_WIDTH * share, 1),
            "label": per_cent(share),
        }
        for (name, share), kind in zip(told.sizes, kinds, strict=True)
    ]
    return fill_page(
        "risk.html",
        warning=say(
            "This page holds numbers of rows and classes of age, sex, state, year and "
            "diagnosis, no names and no text; who has the corpus finds the rows by it.",
            "Esta página contiene números de fila y clases de edad, sexo, estado, año "
            "y diagnóstico, sin nombres ni texto; con el corpus se hallan las filas.",
        ),
        title=say("Risk of re-identification", "Riesgo de reidentificación"),
        subtitle=lines(told)[0],
        facts=facts,
        tiles=[{"value": v, "name": n, "detail": d} for v, n, d in _tiles(told)],
        bars=bars,
        quasi=[
            {
                "name": spoken(name),
                "known": per_cent(row["known"]),
                "alone": per_cent(row["alone"]),
                "without": per_cent(row["below_k_without"]),
            }
            for name, row in told.quasi.items()
        ],
        advice=advice(told),
        general=[_general(node, node is told.chosen) for node in _listed(told)],
        worst=[_worst(unit, shown) for unit, shown in told.worst],
        r=_texts(told),
    )


def _listed(told: Assessment) -> list[Measure]:
    """Return the generalisations to show: one step each, the chosen one, its next."""
    steps = [
        node
        for node in told.general
        if sum(level != AS_IS for level in node.levels.values()) <= 1
    ]
    good = [node for node in told.general if node.holds(told.bound)][:_SHOWN]
    return sorted({id(n): n for n in (*steps, *good)}.values(), key=lambda n: n.lost)


def _general(node: Measure, chosen: bool) -> dict[str, Any]:
    return {
        "chosen": chosen,
        "levels": [spoken(node.levels[name]) for name in _CELLS],
        "numbers": [
            str(node.k),
            per_cent(node.uniques),
            per_cent(node.below),
            per_cent(node.population_uniques),
            f"{node.lost:.1f}",
        ],
    }


def _worst(unit: Worst, shown: Mapping[str, str]) -> dict[str, Any]:
    return {
        "row": unit.row,
        "notes": unit.notes,
        "size": unit.size,
        "people": f"{unit.people:,.0f}" if unit.people >= 1 else "< 1",
        "alone": ", ".join(map(spoken, unit.alone)),
        "shown": ", ".join(shown.values()),
    }


def _texts(told: Assessment) -> dict[str, Any]:
    k = told.bound.k
    return {
        "worst": say("The worst first", "Primero lo peor"),
        "sizes": say("How many look alike", "Cuántos se parecen"),
        "quasi": say("Quasi-identifier", "Cuasi-identificador"),
        "known": say("known", "se conoce"),
        "alone_share": say("alone by it", "solos por él"),
        "without": say(f"under {k} without it", f"menos de {k} sin él"),
        "general": say("What generalising would do", "Qué lograría generalizar"),
        "columns": [spoken(name) for name in _CELLS],
        "numbers": [
            "k",
            say("alone", "solos"),
            say(f"under {k}", f"menos de {k}"),
            say("alone in the country", "solos en el país"),
            say("bits lost", "bits perdidos"),
        ],
        "row": say("row", "fila"),
        "notes": say("rows", "filas"),
        "size": say("alike here", "iguales aquí"),
        "people": say("in the country", "en el país"),
        "alone": say("alone by", "solo por"),
        "class": say("class", "clase"),
    }
