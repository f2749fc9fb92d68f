"""Who is named in the rows of each patient, found before any row is replaced.

Only then do "Jesús Mendoza Mares" of one row and "J. Mendoza" of another get names that
agree. Rules alone look: they find whole names in forms and headings, and take a small
part of the time that the model takes.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from presidio_mx.pipeline import analyze
from presidio_mx.replace.engine import settle
from presidio_mx.replace.patient import Patient, Seen, patient_of, seen_in
from presidio_mx.text.reading.mend import mend
from presidio_mx.time_limit import OutOfTime, within
from presidio_mx.work.batch.cells import Cells, Done, as_text
from presidio_mx.work.batch.settings import Settings, profile_of
from presidio_mx.work.batch.workers import Here, Workers, in_order

_AGREEING = ("surrogate", "pseudonym")


def gathers(settings: Settings) -> bool:
    """Tell whether the rows of a patient are looked through first.

    Not where each row has the patient's name, by which all rows agree already.

    :param settings: How the rows are de-identified.
    """
    if settings.corpus or "patient" in settings.known:
        return False
    profile = profile_of(settings)
    specs = (*profile.operators.values(), profile.default)
    return any(spec.operator in _AGREEING for spec in specs)


def id_of(cells: Cells) -> str:
    """Return the identifier of a row's patient, or nothing."""
    return as_text(cells.id).strip()


def with_people(
    rows: Sequence[Cells], people: Mapping[str, Patient]
) -> Sequence[Cells]:
    """Return rows that know who is named in all rows of their patient.

    :param rows: Some rows.
    :param people: Identifier to the people of its rows.
    """
    if not people:
        return rows
    return [replace(row, people=people.get(id_of(row))) for row in rows]


def look(settings: Settings, cells: Sequence[Cells]) -> list[Done]:
    """Look at the names and codes of some rows.

    :param settings: How the rows are de-identified.
    :param cells: The rows.
    :return: What each says of people; nothing of one that cannot be read, which fails
        when it is replaced.
    """
    return [_look(settings, row) for row in cells]


def _look(settings: Settings, row: Cells) -> Done:
    def seen() -> tuple[Seen, ...]:
        texts = [mend(text).text for text in row.texts if isinstance(text, str)]
        return tuple(
            seen_in(text, settle(text, _found(settings, text))) for text in texts
        )

    try:
        return Done(seen=() if row.problem else within(settings.seconds, seen))
    except (OutOfTime, Exception):
        return Done()


def _found(settings: Settings, text: str) -> Sequence[object]:
    return analyze(text, preset=settings.preset, ner="none", site=settings.site)


def gathered(
    workers: Workers | Here, rows: Callable[[], Iterator[Sequence[Cells]]]
) -> dict[str, Patient]:
    """Return the people of every patient who has several rows.

    :param workers: Who looks.
    :param rows: Gives all rows of the input in pieces, from the beginning, each time.
    :return: Identifier to the people of its rows.
    """
    counts = Counter(id_of(row) for piece in rows() for row in piece)
    several = {name for name, count in counts.items() if name and count > 1}
    if not several:
        return {}
    chosen = ([row for row in piece if id_of(row) in several] for piece in rows())
    seen: dict[str, list[Seen]] = {}
    for piece, done in in_order(workers, ((p, p) for p in chosen if p), look):
        for row, found in zip(piece, done, strict=True):
            seen.setdefault(id_of(row), []).extend(found.seen)
    return {name: patient_of(notes) for name, notes in seen.items()}
