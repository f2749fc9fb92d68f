"""What a parser makes of a text: parts that, put together again, are the text."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a name, date, place, address or institution.

    :param kind: What it is, e.g. ``given`` or ``year``; empty for what stands between
        and for what is not understood.
    :param text: As it is written.
    :param key: Folded form by which it is looked up.
    :param value: The number it stands for, where it is one.
    """

    kind: str
    text: str
    key: str = ""
    value: int = 0


Parts = tuple[Part, ...]
