"""Phase 1: what is left out of a table, what is taken out of a text, what is joined."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from presidio_mx.errors import ConfigurationError
from presidio_mx.text.folding import fold_key

# What exports of databases write for a missing text.
_NULL = frozenset({"", "null", "none", "nan", "na", "n/a", "\\n", "(null)", "<na>"})
_SIGNS = re.compile(r"-+>|=+>|={2,}")
_BLANKS = re.compile(r"[ \t\xa0]+")
_LINES = re.compile(r" ?(?:\r\n?|\n)\s*")
Row = Mapping[str, str]


@dataclass(frozen=True)
class Columns:
    """What the columns of a table are for; empty names for those that it lacks.

    :param text: Notes.
    :param patient: Identifier of the patient.
    :param episode: Identifier of the admission, whose records become one note.
    :param category: Category of the note.
    :param wanted: Categories to keep, whatever their case and accents; empty for all.
    :param least: Categories with no more records than this are left out.
    :param admission: Date of admission.
    :param discharge: Date of discharge.
    :param codes: ICD-10 codes that a person gave, separated by blanks, commas or ``;``.
    """

    text: str
    patient: str = ""
    episode: str = ""
    category: str = ""
    wanted: tuple[str, ...] = ()
    least: int = 0
    admission: str = ""
    discharge: str = ""
    codes: str = ""

    def check(self, rows: Iterable[Row]) -> None:
        """Make sure that a table has them.

        :param rows: The table.
        :raises ConfigurationError: If a column is missing.
        """
        there = next((set(row) for row in rows), None)
        if there is None:
            return
        if self.text not in there:
            # Perhaps no header line, and the first patient's data: show none of it.
            raise ConfigurationError(
                f"the table has no column {self.text!r}; the first line must name the "
                "columns"
            )
        names = (self.patient, self.episode, self.category)
        for name in (*names, self.admission, self.discharge, self.codes):
            if name and name not in there:
                raise ConfigurationError(
                    f"the table has no column {name!r}; it has "
                    f"{', '.join(sorted(there))}"
                )


@dataclass
class Cleaning:
    """What was left out.

    :param empty: Records without text.
    :param other: Records of other categories, by category.
    :param uncoded: Notes without an ICD-10 code, where those are left out.
    :param kept: Notes that are left.
    """

    empty: int = 0
    other: Counter[str] = field(default_factory=Counter)
    uncoded: int = 0
    kept: int = 0


def clean_text(text: str) -> str:
    """Return a text without arrows, runs of equals signs and needless blanks.

    :param text: The note.
    """
    text = _BLANKS.sub(" ", _SIGNS.sub(" ", text))
    return _LINES.sub("\n", text).strip()


def is_empty(text: str) -> bool:
    """Tell whether a cell holds no note: blank, or what stands for a missing one.

    :param text: The cell.
    """
    return fold_key(text) in _NULL


def clean(rows: Iterable[Row], columns: Columns) -> tuple[list[Row], Cleaning]:
    """Keep the records that hold text and are of a wanted category, and join them.

    :param rows: The table.
    :param columns: What its columns are for.
    :return: The notes that are left, and what was left out.
    """
    text, category = columns.text, columns.category
    keys = {fold_key(name) for name in columns.wanted}
    found = Cleaning()
    held = [dict(row) | {text: clean_text(row[text])} for row in rows]
    full = [row for row in held if not is_empty(row[text])]
    found.empty = len(held) - len(full)
    sizes = Counter(fold_key(row[category]) for row in full) if category else Counter()
    kept = []
    for row in full:
        key = fold_key(row[category]) if category else ""
        if category and ((keys and key not in keys) or sizes[key] <= columns.least):
            found.other[row[category]] += 1
        else:
            kept.append(row)
    notes = list(_joined(kept, columns)) if columns.episode else kept
    found.kept = len(notes)
    return list(notes), found


def _joined(rows: Iterable[Row], columns: Columns) -> Iterable[Row]:
    """Return one row for each admission: all texts, and of other cells the first."""
    episodes: dict[tuple[str, ...], dict[str, str]] = {}
    for number, row in enumerate(rows):
        patient = row[columns.patient] if columns.patient else ""
        key: tuple[str, ...] = (patient, row[columns.episode])
        first = episodes.setdefault(key if row[columns.episode] else (str(number),), {})
        text = first.get(columns.text)
        for name, cell in row.items():
            first[name] = first.get(name) or cell
        if text is not None:
            first[columns.text] = f"{text}\n{row[columns.text]}"
    return episodes.values()
