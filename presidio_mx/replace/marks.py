"""Marks of what was put out: the holder of the key knows its own notes again.

Nothing in a surrogate says that it is one: every listed name is the image of some
other, every code has the digits of a real one, so that a value alone can be tested by
nobody. What can be known again is a text: marks are keyed digests of a note from its
beginning up to a surrogate, and from a surrogate to its end. They say that this stretch
is, word by word, what was put out, whatever stands before or behind it; they hold
nothing of it, and without the key nobody can test a guess with them.

A stretch counts only if it holds several different surrogates, since in a hospital of
templates a real name may stand where a surrogate of another note has stood. A note with
fewer of them is known whole and in its place alone.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from presidio_mx.entities import kind_of
from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.private_file import open_private
from presidio_mx.replace.keys import Key
from presidio_mx.text.spans import Span

# So many different surrogates agree by chance in no two notes: names are drawn among at
# least forty, dates among a hundred.
LEAST = 5
_BYTES = 8
_PURPOSE = "surrogate marks"
_DRAWN = frozenset({"surrogate", "pseudonym", "encrypt"})
_WORD = re.compile(r"\S+")
_LINE = re.compile(rb'\{"key": "[^"]+", "marks": "')
_LOOK = 200


class Replacement(Protocol):
    """What is asked of an item of an anonymized text."""

    @property
    def entity_type(self) -> str:
        """What it was."""

    @property
    def operator(self) -> str:
        """Who replaced it."""

    @property
    def new_start(self) -> int:
        """Offset in the new text."""

    @property
    def new_end(self) -> int:
        """Offset after it in the new text."""


@dataclass(frozen=True)
class Ours:
    """What of a text is known to have been put out.

    :param whole: All of it.
    :param regions: The stretches, in reading order.
    """

    whole: bool = False
    regions: tuple[tuple[int, int], ...] = ()

    def share(self, text: str) -> float:
        """Return the share of a text's characters that is ours.

        :param text: The text.
        """
        if self.whole or not text:
            return float(self.whole)
        return sum(end - start for start, end in self.regions) / len(text)

    def rest_of(self, spans: Sequence[Span], text: str) -> list[Span]:
        """Return what lies outside of what is ours.

        :param spans: Entities of the text in reading order.
        :param text: The text.
        :return: The spans, cut at the borders of the regions; without letter or digit
            nothing is left of one.
        """
        left = list(spans)
        for start, end in self.regions:
            left = [piece for span in left for piece in _cut(span, start, end)]
        return [s for s in left if any(map(str.isalnum, text[s.start : s.end]))]


def _cut(span: Span, start: int, end: int) -> Iterator[Span]:
    """Yield what a region leaves of a span."""
    if span.end <= start or end <= span.start:
        yield span
        return
    for first, last in ((span.start, start), (end, span.end)):
        if first < last:
            yield Span(first, last, span.entity_type, span.role, span.score)


class _Chain:
    """Keyed digests of a text word by word, from one of its ends."""

    def __init__(self, key: Key, end: str) -> None:
        self._chain = hmac.new(key.derive(_PURPOSE, end), digestmod=hashlib.sha256)

    def add(self, word: str) -> None:
        data = word.encode("utf-8", "surrogatepass")
        self._chain.update(b"%d:" % len(data) + data)

    def mark(self, *labels: str) -> bytes:
        chain = self._chain.copy()
        for label in labels:
            chain.update(b"/" + label.encode("utf-8", "surrogatepass"))
        return chain.digest()[:_BYTES]


def marks_of(
    text: str,
    items: Sequence[Replacement],
    key: Key | str | bytes,
    place: str = "",
) -> list[bytes]:
    """Return the marks of a text that is put out.

    :param text: The new text.
    :param items: What was replaced in it.
    :param key: The secret.
    :param place: Where it stands, e.g. the number of its row; for short notes.
    :return: The mark of the whole first.
    """
    key = Key.from_value(key)
    drawn = [
        item
        for item in items
        if item.operator in _DRAWN and kind_of(item.entity_type) != "AGE"
    ]
    words = list(_WORD.finditer(text))
    ends = {item.new_end for item in _behind(text, drawn)}
    starts = {-item.new_start for item in _behind(text, drawn[::-1])}
    forward = _marks_at(((w.end(), w.group()) for w in words), ends, key, "start")
    backward = _marks_at(
        ((-w.start(), w.group()) for w in reversed(words)), starts, key, "end"
    )
    few = len({text[i.new_start : i.new_end] for i in drawn}) < LEAST
    return [_whole(words, key, place if few else None), *forward, *backward]


def _behind(text: str, items: Sequence[Replacement]) -> Iterator[Replacement]:
    """Yield the items up to which there are enough different ones."""
    seen: set[str] = set()
    for item in items:
        seen.add(text[item.new_start : item.new_end])
        if len(seen) >= LEAST:
            yield item


def _marks_at(
    words: Iterable[tuple[int, str]], borders: set[int], key: Key, end: str
) -> list[bytes]:
    """Return the marks of the words in which the borders lie."""
    chain, marks = _Chain(key, end), []
    waiting = sorted(borders, reverse=True)
    for position, word in words:
        chain.add(word)
        if waiting and waiting[-1] <= position:
            marks.append(chain.mark())
        while waiting and waiting[-1] <= position:
            waiting.pop()
    return marks


def _whole(words: Sequence[re.Match[str]], key: Key, place: str | None) -> bytes:
    """Return the mark of a whole text; with a place, of the text in that place."""
    chain = _Chain(key, "whole")
    for word in words:
        chain.add(word.group())
    return chain.mark() if place is None else chain.mark("place", place)


def _numbers(marks: Iterable[bytes]) -> Any:
    """Return marks as numbers in the machine's own order of bytes.

    ``np.isin`` refuses another order where marks lie close together, as one alone does.
    """
    return np.frombuffer(b"".join(marks), dtype=">u8").astype(np.uint64)


class Marks:
    """The marks of what was put out under a key.

    :param key: The key.
    :param marks: The marks.
    """

    def __init__(self, key: Key, marks: Iterable[bytes]) -> None:
        """Sort the marks."""
        self._key = key
        self._sorted = np.unique(_numbers(marks))

    def __repr__(self) -> str:
        """Return a text without any mark."""
        return f"Marks({len(self._sorted)} hidden)"

    def __len__(self) -> int:
        """Return how many marks there are."""
        return len(self._sorted)

    def _known(self, marks: Sequence[bytes]) -> Any:
        return np.isin(_numbers(marks), self._sorted)

    def find(self, text: str, place: str = "") -> Ours:
        """Return what of a text was put out.

        :param text: A text.
        :param place: Where it stands, as :func:`marks_of` was told.
        """
        words = list(_WORD.finditer(text))
        if not words:
            return Ours()
        whole = [_whole(words, self._key, None), _whole(words, self._key, place)]
        if self._known(whole).any():
            return Ours(True, ((0, len(text)),))
        first = self._reach([w.group() for w in words], "start")
        last = self._reach([w.group() for w in reversed(words)], "end")
        if first + last > len(words):
            return Ours(False, ((words[0].start(), words[-1].end()),))
        regions = []
        if first:
            regions.append((0, words[first - 1].end()))
        if last:
            regions.append((words[-last].start(), len(text)))
        return Ours(False, tuple(regions))

    def _reach(self, words: Sequence[str], end: str) -> int:
        """Return how many words from an end are known."""
        chain, marks = _Chain(self._key, end), []
        for word in words:
            chain.add(word)
            marks.append(chain.mark())
        known = np.flatnonzero(self._known(marks))
        return int(known[-1]) + 1 if len(known) else 0


def line_of(marks: Sequence[bytes], key: Key) -> bytes:
    """Return the marks of a note as a line of a file.

    :param marks: The marks.
    :param key: The key that made them.
    """
    record = {"key": key.id, "marks": b"".join(marks).hex()}
    return json.dumps(record).encode("ascii") + b"\n"


def check_marks_file(path: Path) -> None:
    """Refuse to add marks to what holds something else, such as the key.

    :param path: A file; there may be none.
    :raises ConfigurationError: If it is neither empty nor a file of marks, or cannot
        be read.
    """
    try:
        with open(path, "rb") as file:
            head = file.read(_LOOK)
    except FileNotFoundError:
        return
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or 'unreadable'}") from None
    if head and not _LINE.match(head):
        raise ConfigurationError(
            f"{path}: holds something else than marks; give --marks a new file, or one "
            "that it wrote"
        )


def add_marks(path: Path | str, marks: Sequence[bytes], key: Key | str | bytes) -> None:
    """Add the marks of a note to a file that only its owner may read.

    :param path: The file; made if there is none.
    :param marks: The marks.
    :param key: The key that made them.
    :raises ConfigurationError: If it holds something else, or cannot be written.
    """
    path = Path(path)
    check_marks_file(path)
    line = line_of(marks, Key.from_value(key))
    try:
        with open_private(path, append=True) as file:
            file.write(line)
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise ConfigurationError(f"{path}: {reason}") from None


def read_marks(paths: Sequence[Path | str], key: Key | str | bytes) -> Marks:
    """Read the marks of earlier runs.

    :param paths: Files of marks.
    :param key: The key that made them.
    :return: The marks; read once as long as the files stay as they are.
    :raises InputError: If a file cannot be read, or no mark of it is of this key.
    """
    versions = []
    for path in map(Path, paths):
        try:
            state = path.stat()
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or 'unreadable'}") from None
        versions.append((path, state.st_mtime_ns, state.st_size))
    return _read(tuple(versions), Key.from_value(key))


@lru_cache(maxsize=4)
def _read(versions: tuple[tuple[Path, int, int], ...], key: Key) -> Marks:
    return Marks(key, [mark for path, *_ in versions for mark in _lines(path, key)])


def _lines(path: Path, key: Key) -> Iterator[bytes]:
    own, found, other = key.id, False, ""
    try:
        with open(path, encoding="ascii") as file:
            for line in file:
                record = json.loads(line)
                if record["key"] == own:
                    found = True
                    data = bytes.fromhex(record["marks"])
                    yield data[: len(data) // _BYTES * _BYTES]
                else:
                    other = str(record["key"])
    except (ValueError, KeyError, TypeError, OSError):
        raise InputError(
            f"{path}: not a file of marks; --marks of anonymize or batch writes one"
        ) from None
    if other and not found:
        raise InputError(f"{path}: made with key {other}, not with key {own}")
