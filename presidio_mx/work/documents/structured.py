"""Files whose structure stays as it is, byte for byte, and whose values change."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from presidio_mx.text.reading.mend import mend
from presidio_mx.work.documents.opened import Change, Dropped, Part, changed, inside

# A file in letters (base64): rules cannot look into it.
_ENCODED = re.compile(r"(?:data:[\w/+.-]+;base64,)?[A-Za-z0-9+/_\-\s]{100,}={0,2}\s*")
# Names of code systems and schemas that everybody uses; they identify nobody.
_PUBLIC = re.compile(
    r"(?:https?://(?:[\w-]+\.)?(?:loinc\.org|snomed\.info|hl7\.org|unitsofmeasure\.org"
    r"|w3\.org|who\.int|nlm\.nih\.gov|nih\.gov|iso\.org|ihe\.net|dicom\.nema\.org"
    r"|fhir\.org)(?:[/#?]\S*)?|urn:(?:oid|iso|ietf|hl7-org):\S*)"
)
_BLANKS = re.compile(r"\s")
_FEW_BLANKS = 0.03
_BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True, repr=False)
class Value:
    """A value of a file, where it stands and how it is written.

    :param start: First offset in the file.
    :param end: Offset after it.
    :param text: The value itself, its escapes undone.
    :param origins: Offset in the file of each character of ``text`` and of its end;
        None if the value is written as a whole when anything of it changes.
    :param escape: How a text is written there.
    :param prose: Whether it is a text of its own, read apart from the fields.
    :param instead: What stands there in the new file, whatever the value is.
    :param dropped: What is lost by that, if anything is.
    """

    start: int
    end: int
    text: str
    origins: Sequence[int] | None
    escape: Callable[[str], str]
    prose: bool = False
    instead: str | None = None
    dropped: Dropped | None = None

    def written(self, raw: str, changes: Sequence[Change]) -> str:
        """Return what stands in the new file.

        :param raw: The old file.
        :param changes: In offsets of ``text``.
        """
        if self.instead is not None:
            return self.instead
        if not changes:
            return raw[self.start : self.end]
        if self.origins is None:
            return self.escape(changed(self.text, changes))
        there = [
            Change(
                self.origins[start] - self.start,
                self.origins[end] - self.start,
                self.escape(new),
            )
            for start, end, new in changes
        ]
        return changed(raw[self.start : self.end], there)


def encoded(text: str) -> bool:
    """Tell whether a value is a file in letters, which nobody can read.

    :param text: The value.
    """
    if not _ENCODED.fullmatch(text):
        return False
    return len(_BLANKS.findall(text)) <= _FEW_BLANKS * len(text)


def is_public(text: str) -> bool:
    """Tell whether a value is the name of a public code system or schema.

    :param text: The value.
    """
    return bool(_PUBLIC.fullmatch(text.strip()))


def checked(value: Value, name: str) -> Value:
    """Return a value as it can be read: its letters mended, encoded files left out.

    :param value: The value.
    :param name: What to call the file in errors.
    :raises InputError: If letters are gone.
    """
    if is_public(value.text):
        return replace(value, text="", instead=value.text)
    if encoded(value.text):
        return replace(value, instead="", dropped=Dropped.ENCODED)
    if value.text.isascii() and "?" not in value.text:
        return value
    text = mend(value.text, name).text
    if text == value.text:
        return value
    return replace(value, text=text, origins=None)


@dataclass(frozen=True, repr=False)
class Record:
    """One message, object or line of a file: a patient's.

    :param start: First offset in the file.
    :param end: Offset after it.
    :param values: Its values in order, apart from one another.
    """

    start: int
    end: int
    values: Sequence[Value]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value stands among the texts that are looked at."""

    part: int
    start: int


class Structured:
    """A file with fields.

    Each record gives a text with its fields as they stand and, if it holds prose, a
    second one of that alone, for which the fields are known data.

    :param raw: The file.
    :param records: What is in it.
    :param suffix: Ending of its name.
    :param shown: How a value stands among the fields, of equal length: without what
        would end it there.
    :param self_told: Read fields and prose as one text, twice: in prose that has marks
        inside, they cannot be parted.
    """

    def __init__(
        self,
        raw: str,
        records: Iterable[Record],
        suffix: str,
        shown: Callable[[str], str],
        *,
        self_told: bool = False,
    ) -> None:
        """Lay the texts out."""
        self.suffix = suffix
        self.dropped: Counter[Dropped] = Counter()
        self._raw = raw
        self._values: list[tuple[Value, _Place]] = []
        self._parts: list[Part] = []
        for record in records:
            self._lay_out(record, shown, self_told)

    def _lay_out(
        self, record: Record, shown: Callable[[str], str], self_told: bool
    ) -> None:
        fields, prose = _Text(), _Text()
        number = len(self._parts)
        at = record.start
        for value in record.values:
            fields.add(self._raw[at : value.start])
            at = value.end
            place = _Place(number, fields.length)
            if value.dropped is not None:
                self.dropped[value.dropped] += 1
            if value.instead is not None:
                fields.add(value.instead)
            elif value.prose:
                place = _Place(number + 1, prose.length)
                prose.add(value.text)
                prose.add(_BETWEEN)
            else:
                fields.add(shown(value.text))
            self._values.append((value, place))
        fields.add(self._raw[at : record.end])
        text = fields.whole.replace("\r\n", " \n").replace("\r", "\n")
        self._parts.append(Part(text, number if self_told else None))
        if prose.length:
            self._parts.append(Part(prose.whole, number))

    @property
    def parts(self) -> Sequence[Part]:
        """Return the texts that are looked at."""
        return self._parts

    def written(self, changes: Sequence[Sequence[Change]]) -> bytes:
        """Return the new file as UTF-8.

        :param changes: For each part what is replaced in it. What touches keys, tags
            or separators changes the values around them alone.
        """
        near = [_Near(own) for own in changes]
        pieces: list[str] = []
        at = 0
        for value, place in self._values:
            own = near[place.part].of(place.start, place.start + len(value.text))
            pieces += (self._raw[at : value.start], value.written(self._raw, own))
            at = value.end
        return "".join([*pieces, self._raw[at:]]).encode("utf-8", "surrogatepass")


@dataclass(repr=False)
class _Text:
    """A text that grows."""

    pieces: list[str] = field(default_factory=list)
    length: int = 0

    def add(self, piece: str) -> None:
        self.pieces.append(piece)
        self.length += len(piece)

    @property
    def whole(self) -> str:
        return "".join(self.pieces)


@dataclass(frozen=True, repr=False)
class _Near:
    """The changes of a part, found by their place."""

    changes: Sequence[Change]

    @cached_property
    def _ends(self) -> list[int]:
        return [change.end for change in self.changes]

    def of(self, start: int, end: int) -> list[Change]:
        """Return the changes inside a stretch, in offsets from its beginning."""
        first = last = bisect_right(self._ends, start)
        while last < len(self.changes) and self.changes[last].start < end:
            last += 1
        return list(inside(self.changes[first:last], start, end))
