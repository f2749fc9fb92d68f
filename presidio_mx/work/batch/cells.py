"""A row of a batch: the cells that are looked at, and what became of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from presidio_mx.replace.patient import Patient, Seen
from presidio_mx.replace.vault import Original
from presidio_mx.research.systems.inverted_index import InvertedIndex

BLANK = "{NO PROCESADA}"
_SEPARATORS = str.maketrans({";": "\n", "|": "\n"})
_LONGEST_NUMBER = 40


@dataclass(frozen=True, repr=False)
class Cells:
    """The cells of a row that are looked at.

    :param texts: The notes; None stays None.
    :param known: Known data, in the order of the settings' kinds.
    :param id: The patient's identifier.
    :param problem: Why the row could not be read; such a row is not worked on.
    :param index: An index that the notes stand in, for the published baseline.
    :param numbers: The number of each note in it; -1 for None.
    :param place: Running number of the row, where marks need it.
    :param people: Who is named in all rows of the patient, where that was looked at.
    """

    texts: tuple[Any, ...]
    known: tuple[Any, ...] = ()
    id: Any = None
    problem: str = ""
    index: InvertedIndex | None = None
    numbers: tuple[int, ...] = ()
    place: str = ""
    people: Patient | None = None


@dataclass(frozen=True, repr=False)
class Done:
    """What became of a row.

    :param texts: New texts.
    :param known: New known cells, if they are replaced.
    :param id: New identifier, if it is replaced.
    :param problem: Why it failed, never its text; empty if it did not.
    :param entities: Count by entity.
    :param operators: Count by operator.
    :param mended: Names of what was mended in the letters of its notes.
    :param seconds: Time it took.
    :param originals: What was replaced in each note that is there, for the vault.
    :param risk: Probability that something which identifies somebody is left.
    :param marks: Marks of the new texts, if they are kept.
    :param file: The new bytes, where the note is a file that keeps its form.
    :param suffix: Ending of its name.
    :param left_out: What the new file lacks of the old one, and how many of it; 0 where
        they are not counted.
    :param emptied: Cells that could not be generalised.
    :param seen: What its notes say of people, where they were looked at first.
    """

    texts: tuple[str | None, ...] = ()
    known: tuple[str | None, ...] = ()
    id: str | None = None
    problem: str = ""
    entities: Mapping[str, int] = field(default_factory=dict)
    operators: Mapping[str, int] = field(default_factory=dict)
    mended: tuple[str, ...] = ()
    seconds: float = 0.0
    originals: tuple[tuple[Original, ...], ...] = ()
    risk: float | None = None
    marks: tuple[bytes, ...] = ()
    file: bytes | None = None
    suffix: str = ""
    left_out: Mapping[str, int] = field(default_factory=dict)
    emptied: int = 0
    seen: tuple[Seen, ...] = ()


def failed(problem: str, seconds: float = 0.0) -> Done:
    """Return what became of a row that failed."""
    return Done(problem=problem, seconds=seconds)


def as_text(value: Any) -> str:
    """Return a cell as text: what a person would see in it.

    :param value: A cell of a table: text, number, date, None ...
    :return: Its text; empty for None and NaN.
    """
    if value is None or value != value:
        return ""
    whole = isinstance(value, float) and value.is_integer()
    if isinstance(value, Decimal) and value.is_finite():
        # 1e999999999 is no number to write out.
        whole = value.adjusted() < _LONGEST_NUMBER and value == value.to_integral()
    return str(int(value)) if whole else str(value)


def known_of(kinds: Sequence[str], cells: Sequence[Any]) -> dict[str, list[str]]:
    """Return the known data of a row as the pipeline takes them.

    A cell may hold several values, separated by ``;``, ``|`` or line ends.

    :param kinds: Kind of each cell.
    :param cells: The cells.
    :return: Kind to texts.
    """
    known: dict[str, list[str]] = {}
    for kind, cell in zip(kinds, cells, strict=True):
        values = as_text(cell).translate(_SEPARATORS).splitlines()
        texts = [value.strip() for value in values if value.strip()]
        if texts:
            known.setdefault(kind, []).extend(texts)
    return known
