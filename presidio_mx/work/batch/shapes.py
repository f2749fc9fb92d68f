"""What the fields of a table look like, learnt from its first records."""

import re
from collections.abc import Sequence

_MOST_SHAPES = 3
_LONGEST_SHAPED = 40
_LEARN_FROM = 1_000
_TRUSTED = 20
_DIGITS, _LETTERS = re.compile(r"\d+"), re.compile(r"[^\W\d_]+")


def shape_of(field: str) -> str:
    """Return what a field looks like: ``MX-0012`` to ``a-0``."""
    return _LETTERS.sub("a", _DIGITS.sub("0", field))


class Shapes:
    """The shapes of the columns; those with many shapes are not regular."""

    def __init__(self) -> None:
        """Nothing is learnt yet."""
        self._shapes: list[set[str]] = []
        self._irregular: set[int] = set()
        self._learnt = 0
        self._spaced = False

    @property
    def regular(self) -> bool:
        """Whether there is a column to go by."""
        return any(self._shapes)

    def learn(self, record: Sequence[str]) -> None:
        """Learn from a sound record, if it is among the first.

        :param record: Its fields.
        """
        if self._learnt == _LEARN_FROM:
            return
        if not self._learnt:
            self._shapes = [set() for _ in record]
        self._learnt += 1
        self._spaced |= any(value[:1] == " " for value in record[1:])
        for place, value in enumerate(record):
            if place in self._irregular:
                continue
            self._shapes[place].add(shape_of(value))
            if len(value) > _LONGEST_SHAPED or len(self._shapes[place]) > _MOST_SHAPES:
                self._irregular.add(place)
                self._shapes[place].clear()

    def are_like(self, fields: Sequence[str]) -> bool:
        """Tell whether fields look like those of the records before.

        :param fields: All fields of a record, or the first of them.
        :return: False, too, if there is no regular column.
        """
        known = [
            (shapes, field)
            for shapes, field in zip(self._shapes, fields, strict=False)
            if shapes
        ]
        return bool(known) and all(shape_of(f) in shapes for shapes, f in known)

    def is_prose(self, line: str, record: Sequence[str]) -> bool:
        """Tell whether a record is a piece of a note that was not quoted.

        It may have the right number of commas; but a blank stands behind each, which no
        record had before, no quote anywhere, and all columns hold words that held only
        numbers, dates or codes without letters before. A piece of a note must not be
        taken for a row, whose columns may pass through unchanged.

        :param line: The line as it stands.
        :param record: Its fields.
        :return: True only where a row of the table is out of the question.
        """
        if self._learnt < _TRUSTED or self._spaced or '"' in line or len(record) < 2:
            return False
        if not all(field[:1] == " " for field in record[1:]):
            return False
        numeric = [
            place
            for place, shapes in enumerate(self._shapes)
            if any(shapes) and not any("a" in shape for shape in shapes)
        ]
        return bool(numeric) and all(_LETTERS.search(record[p]) for p in numeric)
