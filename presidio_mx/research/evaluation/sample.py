"""A sample of notes for people to read, and what they found.

The sheet has a row a note and a column for each kind of identifier, into which a
reviewer writes how many were left in the note. Read back, it gives the share of notes
with some miss, by kind, as in da Silva & Pazin-Filho (2025): 103 of 400, 25.75 %.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from random import Random

from presidio_mx.errors import InputError
from presidio_mx.research.corpora.onefile import write_file
from presidio_mx.research.evaluation.bootstrap import Interval, wilson
from presidio_mx.research.evaluation.loss import Summary, summarise

_FIXED = ("note", "text", "reviewed", "identifiable")
_LAST = "comment"
_YES = frozenset({"1", "x", "yes", "y", "si", "sí", "s", "true"})
_NO = frozenset({"", "0", "no", "n", "false"})
# A cell that begins so would be a formula in a spreadsheet.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Review:
    """What reviewers found.

    :param notes: Notes that were reviewed.
    :param unread: Notes of the sheet that were not.
    :param failing: Share of notes with some miss.
    :param identifiable: Share of notes in which a person can be identified.
    :param by_kind: Share of notes with a miss of each kind.
    :param missed: Number of identifiers left, of each kind.
    :param problems: Cells that could not be read; their rows count as not reviewed.
    :param lengths: Words of the notes with some miss and of those without, as in the
        study, where longer notes failed more often.
    """

    notes: int
    unread: int
    failing: Interval
    identifiable: Interval
    by_kind: dict[str, Interval]
    missed: dict[str, int]
    problems: tuple[str, ...]
    lengths: dict[str, Summary] = field(default_factory=dict)


def draw(texts: Mapping[str, str], n: int, seed: int) -> list[str]:
    """Draw notes without replacement; the same seed draws the same ids.

    :param texts: Notes by id.
    :param n: How many; all, if there are fewer.
    :param seed: Seed of the draw.
    :return: Ids in the order drawn.
    :raises InputError: If there are no notes.
    """
    if not texts:
        raise InputError("there are no notes to draw from")
    return Random(seed).sample(sorted(texts), min(n, len(texts)))


def write_sheet(
    path: Path, texts: Mapping[str, str], ids: Sequence[str], kinds: Sequence[str]
) -> None:
    """Write the sheet for the reviewers, a CSV file that spreadsheets open.

    :param path: A new file.
    :param texts: Notes by id.
    :param ids: Which of them.
    :param kinds: Kinds of identifiers, one column each.
    """
    rows: list[Sequence[str]] = [[*_FIXED, *kinds, _LAST]]
    empty = [""] * (len(_FIXED) - 2 + len(kinds) + 1)
    rows += [[_cell(name), _cell(texts[name]), *empty] for name in ids]
    lines = _Lines()
    csv.writer(lines).writerows(rows)
    # With a byte order mark, so that spreadsheets read accents.
    write_file(path, ["\ufeff", *lines.written])


class _Lines:
    """Collects what a CSV writer writes."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, line: str) -> int:
        self.written.append(line)
        return len(line)


def _cell(text: str) -> str:
    return "'" + text if text.startswith(_FORMULA) else text


def read_sheet(path: Path) -> Review:
    """Read a filled sheet.

    :param path: The CSV file; comma or semicolon, UTF-8.
    :return: The shares with 95 % intervals (Wilson).
    :raises InputError: If it is not such a sheet or nothing in it was reviewed.
    """
    rows = _rows(path)
    kinds = [name for name in rows[0] if name not in (*_FIXED, _LAST)]
    if not {"note", "reviewed", "identifiable"} <= set(rows[0]) or not kinds:
        raise InputError(f"{path}: not a review sheet (its columns were changed)")
    problems: list[str] = []
    read: list[_Read] = []
    unread = 0
    for number, cells in enumerate(rows[1:], start=2):
        row = dict(zip(rows[0], cells, strict=False))
        try:
            found = _row(row, kinds)
        except ValueError as error:
            problems.append(f"{path.name}, row {number}: {error}")
            found = None
        if found is None:
            unread += 1
        else:
            read.append(found)
    if not read:
        raise InputError(f"{path}: no row is marked as reviewed; {_first(problems)}")
    return _review(read, unread, kinds, problems)


def _first(problems: list[str]) -> str:
    return problems[0] if problems else "write yes into its column 'reviewed'"


def _rows(path: Path) -> list[list[str]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8; save it as CSV UTF-8") from None
    head = text.split("\n", 1)[0]
    separator = ";" if head.count(";") > head.count(",") else ","
    try:
        rows = list(csv.reader(StringIO(text, newline=""), delimiter=separator))
    except csv.Error:
        raise InputError(f"{path}: not a CSV file") from None
    if not rows:
        raise InputError(f"{path}: the sheet is empty")
    return [row for row in rows if any(row)]


def _flag(row: Mapping[str, str], column: str) -> bool:
    value = (row.get(column) or "").strip().lower()
    if value not in _YES | _NO:
        raise ValueError(f"column {column!r} takes yes or no")
    return value in _YES


@dataclass(frozen=True, slots=True)
class _Read:
    """What a reviewer said of a note."""

    identifiable: bool
    counts: dict[str, int]
    words: int

    @property
    def failed(self) -> bool:
        return any(self.counts.values())


def _row(row: Mapping[str, str], kinds: Sequence[str]) -> _Read | None:
    if not _flag(row, "reviewed"):
        return None
    counts = {}
    for kind in kinds:
        value = (row.get(kind) or "").strip() or "0"
        if not (value.isascii() and value.isdigit()):
            raise ValueError(f"column {kind!r} takes the number of misses")
        counts[kind] = int(value)
    words = len((row.get("text") or "").split())
    return _Read(_flag(row, "identifiable"), counts, words)


def _review(
    read: list[_Read],
    unread: int,
    kinds: Sequence[str],
    problems: list[str],
) -> Review:
    n = len(read)
    return Review(
        notes=n,
        unread=unread,
        failing=wilson(sum(one.failed for one in read), n),
        identifiable=wilson(sum(one.identifiable for one in read), n),
        by_kind={
            kind: wilson(sum(one.counts[kind] > 0 for one in read), n) for kind in kinds
        },
        missed={kind: sum(one.counts[kind] for one in read) for kind in kinds},
        problems=tuple(problems),
        lengths=_lengths(read),
    )


def _lengths(read: list[_Read]) -> dict[str, Summary]:
    parts = {
        "with a miss": [float(one.words) for one in read if one.failed],
        "without": [float(one.words) for one in read if not one.failed],
    }
    return {name: summarise(words) for name, words in parts.items() if words}
