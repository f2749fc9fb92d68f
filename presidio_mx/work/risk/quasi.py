"""What of a row points at a person without naming it, read from cells or the note."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from presidio_mx.pipeline import analyze
from presidio_mx.replace.ages import read_age
from presidio_mx.replace.facts import is_birth, main_place
from presidio_mx.research.cohort.facts import icd_codes
from presidio_mx.spanish.dates import LONGEST_DATE, read_date, split_date
from presidio_mx.text.folding import fold
from presidio_mx.work.batch.cells import as_text
from presidio_mx.work.risk.population import OLDEST, Ages, Place

QUASI = ("age", "sex", "place", "date", "diagnosis")
_NO_YEAR = 1
_BAND = re.compile(r"(\d{1,3})\s*(?:-|–|a)\s*(\d{1,3})")
_OPEN = re.compile(r"(\d{1,3})\s*(?:\+|(?:anos\s+)?[yo]\s+mas\b)")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_CATEGORY = re.compile(r"[A-TV-Z]\d[0-9A-Z]")
_SEX = re.compile(
    r"\b(?:(?P<F>femenin[ao]|mujer)|(?P<M>masculin[ao]|hombre)"
    r"|sexo\s*[:=]?\s*(?P<letter>[fmh])\b)"
)


@dataclass(frozen=True, slots=True)
class Quasi:
    """The quasi-identifiers of a row, in classes; empty where nothing is known.

    :param age: Youngest and oldest age in years that it may mean.
    :param sex: F, M, or H and M where a column says it so.
    :param place: CURP code of the state, folded municipality.
    :param dates: Days, months or years in ISO 8601.
    :param diagnoses: ICD-10 categories.
    """

    age: Ages | None = None
    sex: str = ""
    place: Place = ("", "")
    dates: tuple[str, ...] = ()
    diagnoses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """Where the quasi-identifiers of a row stand.

    :param cells: What each cell beside the notes holds, in their order: ``age``,
        ``sex``, ``municipality``, ``state``, ``date`` or ``codes``.
    :param notes: Whether there are notes; they are read for what no cell tells.
    :param preset: Rules by which notes are read.
    :param site: Folder of a site's own rules.
    """

    cells: tuple[str, ...] = ()
    notes: bool = False
    preset: str = "mx"
    site: str | None = None

    @property
    def from_notes(self) -> frozenset[str]:
        """The quasi-identifiers that notes are read for."""
        if not self.notes:
            return frozenset()
        told = {_MEANT[name] for name in self.cells}
        return frozenset(QUASI) - told


_MEANT = {
    "age": "age",
    "sex": "sex",
    "municipality": "place",
    "state": "place",
    "date": "date",
    "codes": "diagnosis",
}
CELLS = tuple(_MEANT)


def quasi_of(wanted: Wanted, notes: Sequence[Any], cells: Sequence[Any]) -> Quasi:
    """Return the quasi-identifiers of a row.

    :param wanted: Where they stand.
    :param notes: Its notes; None for one that is not there.
    :param cells: The cells, as ``wanted`` names them.
    """
    found = _of_cells(wanted.cells, cells)
    text = "\n".join(note for note in notes if isinstance(note, str))
    if not (wanted.from_notes and text.strip()):
        return found
    told = _of_note(text, wanted)
    fields = {"diagnosis": "diagnoses", "date": "dates"}
    names = [fields.get(name, name) for name in wanted.from_notes]
    return replace(found, **{name: getattr(told, name) for name in names})


def _of_cells(names: Sequence[str], cells: Sequence[Any]) -> Quasi:
    texts: dict[str, list[str]] = {}
    for name, cell in zip(names, cells, strict=True):
        texts.setdefault(name, []).append(as_text(cell).strip())
    places = [t for name in ("municipality", "state") for t in texts.get(name, ())]
    parts = [part for place in places for part in place.split(",") if part.strip()]
    dates = (read_day(text) for text in texts.get("date", ()))
    codes = " ".join(texts.get("codes", ()))
    return Quasi(
        age=next((a for t in texts.get("age", ()) if (a := read_ages(t))), None),
        sex=next((s for t in texts.get("sex", ()) if (s := read_sex(t))), ""),
        place=main_place(parts),
        dates=tuple(sorted({day for day in dates if day})),
        diagnoses=tuple(sorted(set(_CATEGORY.findall(codes.upper())))),
    )


def _of_note(text: str, wanted: Wanted) -> Quasi:
    """Read a note: by its findings, and by its words for sex and diagnoses."""
    values: dict[str, list[str]] = {}
    if wanted.from_notes & {"age", "place", "date"}:
        for found in analyze(text, preset=wanted.preset, ner="none", site=wanted.site):
            kind = found.entity_type
            if kind == "DATE_TIME" and is_birth(text, found.start):
                continue
            values.setdefault(kind, []).append(text[found.start : found.end])
    sex = _SEX.search(fold(text))
    days = (read_day(value) for value in values.get("DATE_TIME", ()))
    return Quasi(
        age=next((a for v in values.get("AGE", ()) if (a := read_ages(v))), None),
        sex="" if sex is None else (sex["letter"] or sex.lastgroup or "").upper(),
        place=main_place(values.get("LOCATION", ())),
        # The first date is taken for that of the admission.
        dates=tuple([day for day in days if len(day) > len("2024")][:1]),
        diagnoses=tuple(sorted({code[:3] for code in icd_codes(text)})),
    )


def read_ages(text: str) -> Ages | None:
    """Return the youngest and the oldest age that a text may mean.

    :param text: E.g. ``46``, ``46 años``, ``40-49``, ``70 y más``, ``2a 4m``.
    :return: Years; None if it cannot be read.
    """
    folded = fold(text)
    if band := _BAND.search(folded):
        return int(band[1]), int(band[2])
    if more := _OPEN.search(folded):
        return int(more[1]), OLDEST
    years = read_age(text)
    return None if years is None or years > OLDEST else (years, years)


def read_sex(text: str) -> str:
    """Return a sex by its first letter: F, M or H; a woman's ``mujer`` is F.

    :param text: The cell.
    :return: Empty if it is none.
    """
    folded = fold(text.strip())
    if folded.startswith("muj"):
        return "F"
    if folded.startswith("hom"):
        return "M"
    return folded[:1].upper() if folded[:1] in ("f", "m", "h") else ""


def read_day(text: str) -> str:
    """Return a date in ISO 8601, as far as it is told: day, month or year.

    :param text: E.g. ``12/03/2024``, ``marzo de 2024``, ``2024-03-12 10:15:00``.
    :return: E.g. ``2024-03-12``, ``2024-03``; empty if it cannot be read.
    """
    if iso := _ISO.match(text):
        return iso.group()
    if len(text) > LONGEST_DATE:
        return ""
    core = split_date(text)[1].strip()
    reading = read_date(core, _NO_YEAR)
    if reading is None or not reading.has_year:
        return ""
    day = reading.value.isoformat()
    if core.isdigit() and len(core) == len("2024"):
        return core
    return day if reading.has_day else day[: len("2024-03")]
