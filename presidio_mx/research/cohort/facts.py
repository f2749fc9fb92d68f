"""Phases 3 and 4: what a study needs to know of a note, and how it is put back.

Codes that are written out are read from the text; words that stand for a category
(``gazetteers/icd10_es.tsv``) give its three characters. Da Silva and Pazin-Filho (2025)
asked their model for them: :func:`asked_codes` does so.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.find.ner.gliner import MxGlinerRecognizer
from presidio_mx.replace.ages import TOP_BAND, lowest_age, write_band
from presidio_mx.research.evaluation.coding import lexical_coder
from presidio_mx.resources import folder
from presidio_mx.spanish.dates import read_date
from presidio_mx.spanish.gazetteer import rows

_ASKED = "models/gliner-icd.yaml"
# With its point, a code is one wherever it stands; "B12" or "T4" need a word before.
_CODE = re.compile(
    r"(?<![\w.])(?:(?P<whole>[A-TV-Z]\d[0-9A-Z]\.[0-9X]{1,2})"
    r"|(?:(?:CIE|ICD|CID)[ -]?(?:10)?|[Dd]x\.?|DX\.?|[Cc][oó]digo)[ :=(]{0,3}"
    r"(?P<named>[A-TV-Z]\d\d[0-9X]?))(?![\w]|\.\d)"
)
_BARE = re.compile(r"(?<!\w)[A-TV-Z]\d[0-9A-Z](?:\.?[0-9X]{1,2})?(?!\w)")
_NO_YEAR = 1


@dataclass(frozen=True, slots=True)
class Facts:
    """What is put back behind a note; None or empty where it is not known.

    :param main_icd: Its most frequent ICD-10 code, without the point.
    :param length_of_stay: Days from admission to discharge.
    :param comorbidity_score: Charlson score of the note's codes.
    :param age_band: Ten years, the lowest of the patient over all notes.
    """

    main_icd: str = ""
    length_of_stay: int | None = None
    comorbidity_score: int | None = None
    age_band: str = ""


# The names that the paper prints, where it does.
NAMES: Mapping[str, str] = {
    "main_icd": "nome_cid",
    "length_of_stay": "estadia",
    "comorbidity_score": "comorbidity_score",
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


def values(facts: Facts, names: Mapping[str, str] = NAMES) -> dict[str, str]:
    """Return the facts as cells, by the names of their columns.

    :param facts: The facts.
    :param names: Name of each; one without a name is left out.
    """
    cells = {field.name: getattr(facts, field.name) for field in fields(Facts)}
    cells["main_icd"] = dotted(facts.main_icd)
    return {
        names[name]: "" if value is None else str(value)
        for name, value in cells.items()
        if names[name]
    }


def suffix(facts: Facts, names: Mapping[str, str] = NAMES) -> str:
    """Return what stands behind a note, as the paper's Quadro 1 prints it.

    :param facts: The facts; those that are not known are left out.
    :param names: Name of each fact.
    :return: E.g. `` & nome_cid: I21.9 Infarto agudo … & estadia: 02 d & …``.
    """
    cells = values(facts, names)
    if facts.length_of_stay is not None:
        cells[names["length_of_stay"]] = f"{facts.length_of_stay:02} d"
    if facts.main_icd:
        category = _categories().get(facts.main_icd[:3], "")
        cells[names["main_icd"]] = f"{dotted(facts.main_icd)} {category}".strip()
    return "".join(
        f" & {name}: {cell}" for name, cell in cells.items() if name and cell
    )


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


def bands(patients: Sequence[str], ages: Sequence[str]) -> list[str]:
    """Return the age band of each note: the lowest of its patient over all notes.

    :param patients: Identifier of the patient of each note; a note without one stands
        for itself.
    :param ages: The age in each note as it is written there; empty if there is none.
    :return: ``0-9`` to ``60-69`` and ``70+``; empty where no age can be read.
    """
    keys = [name or f"\0{number}" for number, name in enumerate(patients)]
    by_patient: dict[str, list[str]] = {}
    for key, age in zip(keys, ages, strict=True):
        by_patient.setdefault(key, []).append(age)
    lowest = {key: lowest_age(found) for key, found in by_patient.items()}
    return ["" if lowest[key] is None else _band(lowest[key] or 0) for key in keys]


def _band(years: int) -> str:
    return f"{TOP_BAND}+" if years >= TOP_BAND else write_band(years)


def icd_codes(text: str) -> list[str]:
    """Return the ICD-10 codes of a note, one entry a mention.

    :param text: The note.
    :return: Codes without the point, such as ``E119``, those written out first.
    """
    written = [
        _plain(match["whole"] or match["named"]) for match in _CODE.finditer(text)
    ]
    return written + list(lexical_coder().mentions(text))


def asked_codes(model: Path | str) -> Callable[[str], list[str]]:
    """Return a function that asks a GLiNER model for the codes of a note.

    :param model: Folder of the model.
    """
    settings = folder("recognizers") / _ASKED
    recognizer = MxGlinerRecognizer(model, settings=settings)

    def codes(text: str) -> list[str]:
        answers = (text[span.start : span.end] for span in recognizer.spans(text))
        return [_plain(code) for answer in answers for code in _BARE.findall(answer)]

    return codes


def _plain(code: str) -> str:
    return code.replace(".", "").removesuffix("X")


def dotted(code: str) -> str:
    """Return a code with its point.

    :param code: A code without it.
    """
    return f"{code[:3]}.{code[3:]}" if len(code) > 3 else code


def frequencies(notes: Iterable[Collection[str]]) -> Counter[str]:
    """Return in how many notes each category stands.

    :param notes: The codes of each note.
    """
    return Counter(name for codes in notes for name in {code[:3] for code in codes})


def main_code(codes: Sequence[str], table: Mapping[str, int]) -> str:
    """Return the main code of a note, by a table of frequencies.

    :param codes: Codes, one entry a mention.
    :param table: In how many notes each category stands.
    :return: The code most often written of the category most often named in the note;
        of equals, of the commoner in the table, then of the first; empty without codes.
    """
    if not codes:
        return ""
    times = Counter(code[:3] for code in codes)
    category = max(times, key=lambda name: (times[name], table.get(name, 0)))
    of_it = Counter(code for code in codes if code.startswith(category))
    # A code with its fourth character says more than the category alone.
    return max(of_it, key=lambda code: (len(code) > len(category), of_it[code]))


@cache
def _categories() -> dict[str, str]:
    return {row["code"]: row["description"] for row in rows("icd10_es")}


@cache
def _conditions() -> dict[str, tuple[str, int]]:
    """Return group and weight of each code of the table."""
    return {
        code: (row["group"], int(row["weight"]))
        for row in rows("charlson")
        for code in row["codes"].split()
    }


def charlson(codes: Iterable[str]) -> int:
    """Return the Charlson comorbidity score of some codes.

    Weights of Charlson et al. (1987), codes of Quan et al. (2005): of conditions of one
    group, such as a tumour and its metastases, the heaviest counts. Age counts nothing.

    :param codes: ICD-10 codes, with or without the point.
    :return: The score, 0 or more.
    """
    table = _conditions()
    heaviest: dict[str, int] = {}
    for code in codes:
        plain = code.replace(".", "").upper()
        for size in range(len(plain), 2, -1):
            if plain[:size] in table:
                group, weight = table[plain[:size]]
                heaviest[group] = max(weight, heaviest.get(group, 0))
                break
    return sum(heaviest.values())
