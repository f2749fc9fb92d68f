"""Phases 3 and 4: what a study needs to know of a note, and how it is put back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.replace.ages import lowest_age, write_band
from presidio_mx.spanish.dates import read_date

_NO_YEAR = 1


@dataclass(frozen=True, slots=True)
class Facts:
    """What is put back behind a note; None or empty where it is not known.

    :param comorbidity_score: Charlson score of the note's codes.
    :param main_icd: Its most frequent ICD-10 code.
    :param length_of_stay: Days from admission to discharge.
    :param age_band: Ten years, the lowest of the patient over all notes.
    """

    comorbidity_score: int | None = None
    main_icd: str = ""
    length_of_stay: int | None = None
    age_band: str = ""


# The names of the paper's own columns where it prints them.
NAMES: Mapping[str, str] = {
    "comorbidity_score": "comorbidity_score",
    "main_icd": "main_icd",
    "length_of_stay": "length_of_stay",
    "age_band": "df_faixa_etaria",
}


def names_of(given: Mapping[str, str]) -> dict[str, str]:
    """Return the name of each fact in the output.

    :param given: Names that differ from the usual ones; an empty one leaves a fact out.
    :raises ConfigurationError: If there is no such fact, or two have one name.
    """
    known = {field.name for field in fields(Facts)}
    for name in given:
        if name not in known:
            raise ConfigurationError(
                f"unknown fact {name!r}; facts are {', '.join(sorted(known))}"
            )
    names = {**NAMES, **given}
    used = [name for name in names.values() if name]
    if len(set(used)) < len(used):
        raise ConfigurationError("two facts have the same name; give each its own")
    return names


def suffix(facts: Facts, names: Mapping[str, str] = NAMES) -> str:
    """Return what stands behind a note: `` & comorbidity_score 2 & … ``.

    :param facts: The facts; those that are not known are left out.
    :param names: Name of each fact.
    """
    told = values(facts, names)
    return "".join(f" & {name} {value}" for name, value in told.items() if value)


def values(facts: Facts, names: Mapping[str, str] = NAMES) -> dict[str, str]:
    """Return the facts as cells, by the names of their columns.

    :param facts: The facts.
    :param names: Name of each; one without a name is left out.
    """
    cells = {field.name: getattr(facts, field.name) for field in fields(Facts)}
    return {
        names[name]: "" if value is None else str(value)
        for name, value in cells.items()
        if names[name]
    }


def stay(admission: str, discharge: str) -> int | None:
    """Return the days between two dates.

    :param admission: A date such as ``2024-03-01`` or ``1/3/2024``; a time is cut off.
    :param discharge: The same.
    :return: Days, 0 for the same day; None if a date is missing.
    :raises InputError: If a date cannot be read, or discharge is before admission.
    """
    if not admission.strip() or not discharge.strip():
        return None
    first, last = (
        read_date(cell.strip().replace("T", " ").split(" ")[0], _NO_YEAR)
        for cell in (admission, discharge)
    )
    if first is None or last is None:
        raise InputError("the date of admission or of discharge cannot be read")
    days = (last.value - first.value).days
    if days < 0:
        raise InputError("the discharge is before the admission")
    return days


def _band(years: int) -> str:
    """Return an age band as the study writes it: ``40 a 49``."""
    return write_band(years).replace("-", " a ")


def bands(patients: Sequence[str], ages: Sequence[str]) -> list[str]:
    """Return the age band of each note: the lowest of its patient over all notes.

    :param patients: Identifier of the patient of each note; a note without one stands
        for itself.
    :param ages: The age in each note as it is written there; empty if there is none.
    :return: Bands of ten years, empty where no age of the patient can be read.
    """
    keys = [name or f"\0{number}" for number, name in enumerate(patients)]
    by_patient: dict[str, list[str]] = {}
    for key, age in zip(keys, ages, strict=True):
        by_patient.setdefault(key, []).append(age)
    lowest = {key: lowest_age(found) for key, found in by_patient.items()}
    found = {k: "" if low is None else _band(low) for k, low in lowest.items()}
    return [found[key] for key in keys]
