"""Phase 1: leave out notes without text and notes of other categories."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from presidio_mx.text.folding import fold_key

# What exports of databases write for a missing text.
_NULL = frozenset({"", "null", "none", "nan", "na", "n/a", "\\n", "(null)", "<na>"})
Row = Mapping[str, str]


@dataclass
class Cleaning:
    """What was left out.

    :param empty: Notes without text.
    :param other: Notes of other categories, by category.
    :param kept: Notes that are left.
    """

    empty: int = 0
    other: Counter[str] = field(default_factory=Counter)
    kept: int = 0


def is_empty(text: str) -> bool:
    """Tell whether a cell holds no note: blank, or what stands for a missing one.

    :param text: The cell.
    """
    return fold_key(text) in _NULL


def clean(
    rows: Iterable[Row], text: str, category: str = "", wanted: Collection[str] = ()
) -> tuple[list[Row], Cleaning]:
    """Keep the notes that hold text and are of a wanted category.

    :param rows: The table.
    :param text: Column with the notes.
    :param category: Column with the category of each note; empty if there is none.
    :param wanted: Categories to keep, whatever their case and accents; empty for all.
    :return: The rows that are left, and what was left out.
    """
    keys = {fold_key(name) for name in wanted}
    found = Cleaning()
    kept: list[Row] = []
    for row in rows:
        if is_empty(row[text]):
            found.empty += 1
        elif category and keys and fold_key(row[category]) not in keys:
            found.other[row[category]] += 1
        else:
            kept.append(row)
    found.kept = len(kept)
    return kept, found
