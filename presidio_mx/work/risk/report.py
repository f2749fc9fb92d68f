"""What is known of the risk of a corpus, and the record of it for JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from presidio_mx.replace.ages import write_band
from presidio_mx.spanish.places import atlas
from presidio_mx.work.risk.classes import (
    AS_IS,
    LEFT_OUT,
    NOTHING,
    Table,
    known_share,
)
from presidio_mx.work.risk.corpus import Corpus
from presidio_mx.work.risk.measure import (
    Bound,
    Measure,
    Worst,
    best,
    diversity,
    each_alone,
    histogram,
    measure,
    search,
    worst,
)
from presidio_mx.work.risk.population import Population
from presidio_mx.work.risk.quasi import QUASI


@dataclass(frozen=True)
class Assessment:
    """What is known of the risk of a corpus.

    :param corpus: Name of the corpus.
    :param units: ``patients`` or ``notes``.
    :param rows: Its rows.
    :param unread: Rows that could not be read.
    :param count: Its units.
    :param bound: What it is to fulfil.
    :param source: Where the figures of the population come from.
    :param quasi: Property to what is known of it and what it does.
    :param found: The risk as it is.
    :param visits: The risk to somebody who knows no diagnosis.
    :param diversity: l-diversity of the main diagnosis, and of the one chosen.
    :param sizes: Share of the units in classes of a size.
    :param general: All generalisations, those that lose least first.
    :param chosen: The one that fulfils the bound and loses least; None if none does.
    :param worst: Units at most risk, each with its class as far as it may be told.
    """

    corpus: str
    units: str
    rows: int
    unread: int
    count: int
    bound: Bound
    source: str
    quasi: Mapping[str, Mapping[str, float]]
    found: Measure
    visits: Measure
    diversity: Mapping[str, float]
    sizes: Sequence[tuple[str, float]]
    general: Sequence[Measure]
    chosen: Measure | None
    worst: Sequence[tuple[Worst, Mapping[str, str]]]

    def record(self, made_by: Mapping[str, Any]) -> dict[str, Any]:
        """Return it as JSON can hold it.

        :param made_by: Versions and profile.
        """
        return {
            "kind": "risk",
            "holds": "row numbers and classes of age, sex, state, year and diagnosis; "
            "no name, no text",
            "corpus": self.corpus,
            "made_by": dict(made_by),
            "units": self.units,
            "count": self.count,
            "rows": self.rows,
            "unread": self.unread,
            "bound": {"k": self.bound.k, "share": self.bound.share},
            "population": self.source,
            "quasi_identifiers": {n: dict(told) for n, told in self.quasi.items()},
            "risk": _record(self.found, self.bound),
            "without_diagnoses": _record(self.visits, self.bound),
            "l_diversity": dict(self.diversity),
            "class_sizes": dict(self.sizes),
            "chosen": None if self.chosen is None else _record(self.chosen, self.bound),
            "generalisations": [_record(node, self.bound) for node in self.general],
            "worst": [
                {
                    "row": unit.row,
                    "notes": unit.notes,
                    "size": unit.size,
                    "people": round(unit.people, 1),
                    "alone_by": list(unit.alone),
                    "class": dict(shown),
                }
                for unit, shown in self.worst
            ],
        }


def _record(measured: Measure, bound: Bound) -> dict[str, Any]:
    return {
        "levels": dict(measured.levels),
        "k": measured.k,
        "uniques": round(measured.uniques, 6),
        "below_k": round(measured.below, 6),
        "mean_risk": round(measured.mean_risk, 6),
        "population_uniques": round(measured.population_uniques, 6),
        "bits_lost": round(measured.lost, 3),
        "holds": measured.holds(bound),
    }


def assess(
    name: str, corpus: Corpus, population: Population, bound: Bound, listed: int
) -> Assessment:
    """Return the risk of a corpus.

    :param name: Name of the corpus.
    :param corpus: What was read of it.
    :param population: The country.
    :param bound: What it is to fulfil; a diagnosis of fewer than k units is rare.
    :param listed: How many of the worst units to list.
    """
    table = Table(corpus.units, bound.k)
    alone = each_alone(table, bound)
    general = search(table, population, bound)
    chosen = best(general, bound)
    told = diversity(table)
    then = told if chosen is None else diversity(table, chosen.levels)
    rows = [(unit.row, unit.notes) for unit in corpus.units]
    return Assessment(
        corpus=name,
        units="patients" if corpus.patients else "notes",
        rows=corpus.rows,
        unread=corpus.unread,
        count=table.size,
        bound=bound,
        source=population.source,
        quasi={
            name: {
                "known": known_share(table, name),
                "alone": alone[name][0],
                "below_k_without": alone[name][1],
            }
            for name in QUASI
        },
        found=measure(table, population, bound),
        visits=measure(table, population, bound, {**NOTHING, "diagnosis": LEFT_OUT}),
        diversity={"l": told.l, "told": told.told, "l_chosen": then.l},
        sizes=histogram(table),
        general=general,
        chosen=chosen,
        worst=[
            (unit, shown_class(table, unit.index))
            for unit in worst(table, population, rows, listed)
        ],
    )


def shown_class(table: Table, index: int) -> dict[str, str]:
    """Return the class of a unit as a report may show it.

    :param table: The units.
    :param index: Which unit.
    :return: Band of ten years, sex, state, year, rare diagnosis; what is not known is
        left out.
    """

    def value(name: str, level: str) -> Any:
        coded = table.coded(name, level)
        return coded.values[coded.codes[index]]

    age, place = value("age", "band"), value("place", "state")
    names = atlas().state_names
    shown = {
        "age": "" if age is None else write_band(age[0]),
        "sex": value("sex", AS_IS),
        "state": names[place[0]][0] if place[0] in names else "",
        "year": ", ".join(sorted(value("date", "year"))),
        "diagnosis": value("diagnosis", AS_IS),
    }
    return {name: told for name, told in shown.items() if told}
