"""A text that was changed to be searched in, and the way back to the text as given."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

_COMBINING = re.compile("[\u0300-\u036f]")


class Edit(NamedTuple):
    """A piece of text to replace by one that is not longer, or by one blank.

    :param start: First offset.
    :param end: Offset after the piece; equal to ``start`` where a blank goes in.
    :param new: What stands there instead.
    """

    start: int
    end: int
    new: str = ""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text to search in, and the way back to the text as given.

    :param text: The text to search in.
    :param original: The text as given.
    :param offsets: Offset in ``original`` of each character of ``text`` and of its
        end; ``None`` where both texts are equal.
    """

    text: str
    original: str
    offsets: tuple[int, ...] | None = None

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original text for a span of the prepared text."""
        if self.offsets is None or start >= end:
            return start, end
        first = self.offsets[start]
        last = self.offsets[end - 1] + 1
        while last < len(self.original) and _COMBINING.match(self.original, last):
            last += 1
        return first, last

    def there(self, offset: int) -> int:
        """Return the offset of the prepared text for one of the original."""
        return offset if self.offsets is None else bisect_left(self.offsets, offset)

    def edited(self, edits: Iterable[Edit]) -> "Prepared":
        """Return the prepared text after further edits.

        :param edits: Edits of ``text``, ascending and apart from one another.
        """
        pieces: list[str] = []
        offsets: list[int] = []
        known = self.offsets or range(len(self.text) + 1)
        done = 0
        for edit in edits:
            pieces += (self.text[done : edit.start], edit.new)
            offsets += known[done : edit.start]
            offsets += [known[edit.start + i] for i in range(len(edit.new))]
            done = edit.end
        if not pieces:
            return self
        pieces.append(self.text[done:])
        offsets += known[done:]
        return Prepared("".join(pieces), self.original, tuple(offsets))
