"""A change of the text that rules and models search in."""

from typing import NamedTuple


class Edit(NamedTuple):
    """A piece of text to replace by one that is not longer, or by one blank.

    :param start: First offset.
    :param end: Offset after the piece; equal to ``start`` where a blank goes in.
    :param new: What stands there instead.
    """

    start: int
    end: int
    new: str = ""
