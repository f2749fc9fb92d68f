"""Propose what the columns of a table are for, by their names and their cells.

A person confirms the proposal: the reasons are counts and never the text of a cell.
"""

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.structure.meanings import load_meanings
from presidio_mx.find.structure.parts import CODED, OTHER
from presidio_mx.messages import say
from presidio_mx.spanish.codes import CURP
from presidio_mx.spanish.dates import LONGEST_DATE, read_date, split_date
from presidio_mx.spanish.name_lists import PARTICLES, name_lists
from presidio_mx.spanish.places import atlas, is_known
from presidio_mx.text.folding import fold_key
from presidio_mx.work.batch.cells import as_text
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.formats import Reading, kind_of_input, open_source

_ROWS = 1000
_MOST = 0.8
_WORDS_OF_NOTE, _WORDS_OF_PHRASE, _LONG = 8, 3, 60
_FEW_VALUES = 20
_SHORT_NUMBER, _LONGEST_NUMBER = 3, 6  # digits; a longer number is a code
_FORMATS = {
    "curp": re.compile(CURP.pattern, re.I),
    "rfc": re.compile(r"[A-ZÑ&]{3,4}\d{6}[A-Z\d]{3}", re.I),
    "email": re.compile(r"[^\s@]+@[^\s@]+\.\w+"),
    "nss": re.compile(r"\d{11}"),
    "phone": re.compile(r"(?:\+?52[ -]?)?(?:\(?\d{2,3}\)?[ -]?)(?:\d[ -]?){7,8}"),
}
_NUMBER = re.compile(r"-?\d{1,15}(?:[.,]\d+)?")
_CODE = re.compile(r"(?=.*\d)[\w./-]+")
_ICD = re.compile(r"[A-TV-Z]\d[\dA-Z](?:\.?[\dA-Z]{1,4})?", re.I)
_WORD = re.compile(r"[^\W\d_]+")
_BIRTH = re.compile(r"nac|birth|dob")
_KNOWN = ("phone", "email", "curp", "rfc", "nss", "address")
_AS_KNOWN = {"street": "address", "place": "location"}
_IDENTIFIERS = ("record", "code", "codes", "nss", "curp")
_USES = ("given", "surname", "mixed")
_ROLES = {"relative": "relatives", "staff": "staff", "other": "others"}


@dataclass(frozen=True)
class Proposal:
    """What a column may be for.

    :param column: Its name.
    :param option: The option of ``presidio-mx batch``, e.g. ``--keep``.
    :param value: What the option takes.
    :param reason: Why, with nothing of a cell.
    """

    column: str
    option: str
    value: str
    reason: str


@dataclass(frozen=True, repr=False)
class _Column:
    """A column with a sample of its cells, and what these look like."""

    name: str
    values: Sequence[str]

    def share(self, test: Callable[[str], object]) -> float:
        return sum(map(bool, map(test, self.values))) / max(len(self.values), 1)

    @property
    def different(self) -> int:
        return len({fold_key(value) for value in self.values})

    @property
    def words(self) -> float:
        return sum(len(v.split()) for v in self.values) / max(len(self.values), 1)

    @property
    def looks(self) -> str:
        """``note``, ``person``, ``date`` …; empty where nothing tells."""
        if not self.values:
            return "empty"
        length = sum(map(len, self.values)) / len(self.values)
        if self.words >= _WORDS_OF_NOTE or length >= _LONG:
            return "note"
        for name, test in _LOOKS.items():
            if self.share(test) >= _MOST:
                return name
        few = self.different <= min(_FEW_VALUES, len(self.values) / 2)
        if few:
            return "closed"
        return "phrase" if self.words >= _WORDS_OF_PHRASE else ""


def _is_person(value: str) -> bool:
    words = [fold_key(word) for word in _WORD.findall(value)]
    names = [word for word in words if word not in PARTICLES]
    known = sum(name_lists().use(name) in _USES for name in names)
    return bool(0 < known >= len(names) - 1) and not re.search(r"\d", value)


def _is_date(value: str) -> bool:
    if len(value) > LONGEST_DATE or _NUMBER.fullmatch(value):
        return False
    reading = read_date(split_date(value)[1].strip(), 2000)
    return reading is not None and reading.has_year


def _is_state(value: str) -> bool:
    return fold_key(value) in atlas().state_forms


def _is_number(value: str) -> bool:
    digits = sum(map(str.isdigit, value.split(".", maxsplit=1)[0]))
    return bool(_NUMBER.fullmatch(value)) and digits <= _LONGEST_NUMBER


def _is_short(value: str) -> bool:
    """Tell whether a number is too short for that of a patient."""
    return len(re.split("[.,]", value.lstrip("-"))[0]) <= _SHORT_NUMBER


# In this order: a CURP is a code, too, and a state a place.
_LOOKS: dict[str, Callable[[str], object]] = {
    **{name: pattern.fullmatch for name, pattern in _FORMATS.items()},
    "date": _is_date,
    "number": _is_number,
    "icd": _ICD.fullmatch,
    "code": _CODE.fullmatch,
    "state": lambda value: len(value) > 2 and _is_state(value),
    "place": lambda value: len(value) > 2 and is_known(fold_key(value)),
    "person": _is_person,
}


def propose(source: str, reading: Reading) -> list[Proposal]:
    """Return what each column of a table may be for.

    :param source: The table.
    :param reading: How it is to be read, where the user says it.
    :raises ConfigurationError: If it is no table, or its first line names no columns.
    """
    kind = kind_of_input(Path(source))
    if kind == "text":
        raise ConfigurationError(f"{source}: --plan reads a table, not a folder")
    table = open_source(source, kind, reading)
    names = table.columns
    if any(len(name) > _LONG or not name or _tells_a_person(name) for name in names):
        raise ConfigurationError(f"{source}: the first line must name the columns")
    sample: list[list[str]] = [[] for _ in names]
    everything = Columns(known=dict.fromkeys(names, "others"))
    rows = (cells for chunk in table.chunks(everything) for cells in chunk.cells)
    for cells in islice(rows, _ROWS):
        for column, cell in zip(sample, cells.known, strict=False):
            if text := as_text(cell).strip():
                column.append(text)
    columns = [_Column(*pair) for pair in zip(names, sample, strict=True)]
    patient = _identifier(columns)
    return [_proposal(column, column is patient) for column in columns]


def _tells_a_person(name: str) -> bool:
    """Tell whether a heading is a value: the first line is of a patient then."""
    forms = [*_FORMATS.values(), _NUMBER]
    value = any(form.fullmatch(name.strip()) for form in forms)
    full_name = " " in name.strip() and _is_person(name) and not _holds(name)
    return value or full_name or _is_date(name)


def _holds(name: str) -> str:
    meaning = load_meanings().of_label(name)
    return "" if meaning is None or meaning.holds == OTHER else meaning.holds


def _identifier(columns: Sequence[_Column]) -> _Column | None:
    """Return the column that tells one patient from another, the surest first."""
    coded = [c for c in columns if c.looks in ("code", "number", "nss", "curp")]
    for holds in _IDENTIFIERS:
        for column in coded:
            if _holds(column.name) == holds:
                return column
    codes = [c for c in coded if c.looks != "number" and not _holds(c.name)]
    codes.sort(key=lambda column: column.looks != "code")
    # A number that is new in each row is the row's own.
    return next((c for c in codes if _FEW_VALUES < c.different < len(c.values)), None)


def _proposal(column: _Column, is_id: bool) -> Proposal:
    """Return what a column may be for: by its name, if its cells agree, or by them."""
    name, looks = column.name, column.looks
    if looks == "empty":
        option, value, why = "--drop", "", say("it is empty", "está vacía")
    elif is_id:
        option, value = "--id", ""
        why = say("tells the patients", "distingue a los pacientes")
    else:
        option, value, why = _by_name(column) or _by_cells(column)
    return Proposal(name, option, value or name, why)


_Chosen = tuple[str, str, str]  # option, value (else the column) and reason


def _by_name(column: _Column) -> _Chosen | None:
    """Return what the name of a column says, unless its cells say otherwise."""
    name, looks, holds = column.name, column.looks, _holds(column.name)
    why = say(f"its name says {holds}", f"su nombre dice {holds}")
    kind = _AS_KNOWN.get(holds, holds)
    if looks == "note" or not holds:
        return None
    if holds == "date":
        dated = looks in ("date", "number", "code")
        if dated and _BIRTH.search(fold_key(name)):
            return "--generalize", f"{name}=year", why
        return ("--shift", "", why) if dated else None
    if holds == "age":
        return "--generalize", f"{name}=5", why
    if holds == CODED:
        known = looks in ("person", "place", "phrase", "date")
        return None if known else ("--keep", "", why)
    if holds == "name":
        return "--known", f"{_role(name)}={name}", why
    if looks == "state":
        return "--generalize", f"{name}=state", why
    if kind == "location" or kind in _KNOWN:
        return "--known", f"{kind}={name}", why
    return "--drop", "", why


def _by_cells(column: _Column) -> _Chosen:
    """Return what the cells of a column look like."""
    name, looks = column.name, column.looks
    why = say(f"its cells look like {looks}", f"sus celdas parecen {looks}")
    if looks in ("note", "phrase"):
        words = say("words a cell", "palabras por celda")
        return "--text", "", f"{column.words:.0f} {words}"
    if looks == "date":
        return "--shift", "", why
    if looks == "state":
        return "--generalize", f"{name}=state", why
    kind = {"person": "patient", "place": "location"}.get(looks, looks)
    if kind in ("patient", "location", *_KNOWN):
        return "--known", f"{kind}={name}", why
    few = column.different <= _FEW_VALUES and looks in ("closed", "code", "number")
    if few or looks == "icd" or (looks == "number" and column.share(_is_short) == 1):
        count = say("different values", "valores distintos")
        return "--keep", "", f"{column.different} {count}"
    return "--drop", "", say("may tell who it is", "puede decir quién es")


def _role(name: str) -> str:
    meaning = load_meanings().of_label(name)
    role = meaning.role if meaning is not None else None
    return _ROLES.get(role or "", "patient")


def command(source: str, proposals: Sequence[Proposal]) -> str:
    """Return the command line that the proposals make.

    :param source: The table.
    :param proposals: What its columns are for.
    """
    place = Path(source)
    words = ["presidio-mx", "batch", source, f"{place.stem}_deid{place.suffix}"]
    for proposal in proposals:
        words += [proposal.option, proposal.value]
    return shlex.join(words)
