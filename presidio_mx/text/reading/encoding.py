"""Find out how the bytes of a text file become letters, or say that it is not clear."""

import codecs
import io
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.text.reading.evidence import TOKEN, codec_of, judge, sloppy
from presidio_mx.text.reading.kinds import refuse_other_kinds

BLOCK = 1 << 20
_HANDLER = "presidio_mx_cp1252"
_MOST_WORDS = 200_000
_LOOK = 1 << 16
_STRAY = 0.02
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Which bytes of four are zero in text of the Latin alphabet.
_ZEROS = (
    ("utf-32-le", (False, True, True, True)),
    ("utf-32-be", (True, True, True, False)),
    ("utf-16-le", (False, True, False, True)),
    ("utf-16-be", (True, False, True, False)),
)
_SPOKEN = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 (BOM)",
    "cp1252": "Windows-1252",
    "cp850": "cp850 (DOS)",
    "mac_roman": "MacRoman",
    "mac-roman": "MacRoman",
}


def _repair(error: UnicodeError) -> tuple[str, int]:
    """Decode the bytes that are not valid: as Windows-1252, one by one."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return sloppy(error.object[error.start : error.end], "cp1252"), error.end


codecs.register_error(_HANDLER, _repair)


@dataclass(frozen=True)
class Encoding:
    """How the bytes of a file become text.

    :param name: Python's name of the encoding.
    :param other: In a file where words of several encodings are mixed: that of the
        words that are not UTF-8, or ``*`` if they differ among themselves.
    """

    name: str
    other: str = ""

    def __str__(self) -> str:
        """Return the name as people say it."""
        name = _SPOKEN.get(self.name, self.name)
        if self.other == "*":
            return f"{name} mixed with others, word by word"
        other = _SPOKEN.get(self.other, self.other)
        return f"{name} mixed with {other}" if other else name

    @property
    def by_words(self) -> bool:
        """Whether each word is decoded alone."""
        return bool(self.other)

    def decode(self, data: bytes) -> str:
        """Return the text of some bytes; no byte is lost.

        :param data: All bytes of the text.
        :return: The text.
        """
        if self.by_words:
            data = data.removeprefix(codecs.BOM_UTF8)
            return self._words(data)
        return data.decode(self.name, _HANDLER)

    def _words(self, data: bytes) -> str:
        parts, at = [], 0
        for match in TOKEN.finditer(data):
            parts.append(data[at : match.start()].decode("ascii"))
            parts.append(self._word(match[0]))
            at = match.end()
        return "".join(parts) + data[at:].decode("ascii")

    def _word(self, token: bytes) -> str:
        try:
            return token.decode("utf-8")
        except UnicodeDecodeError:
            return sloppy(token, codec_of(token) if self.other == "*" else self.other)

    def open(self, raw: io.RawIOBase, newline: str) -> TextIO:
        """Return a stream of text over a stream of bytes.

        :param raw: The bytes.
        :param newline: As for :func:`open`.
        :return: The stream; ``readline`` and iteration give the decoded lines.
        """
        buffered = cast(BinaryIO, io.BufferedReader(raw, 1 << 16))
        if not self.by_words:
            return io.TextIOWrapper(buffered, self.name, _HANDLER, newline)
        lines = io.TextIOWrapper(buffered, "latin-1", "strict", newline)
        return cast(TextIO, _Lines(lines, self))


class _Lines:
    """Lines of a file in which words of several encodings are mixed."""

    def __init__(self, lines: io.TextIOWrapper, encoding: Encoding) -> None:
        self._lines, self._encoding = lines, encoding

    def readline(self, size: int = -1) -> str:
        return self._encoding.decode(self._lines.readline(size).encode("latin-1"))

    def __iter__(self) -> Iterator[str]:
        while line := self.readline():
            yield line

    def __enter__(self) -> "_Lines":
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()

    def close(self) -> None:
        self._lines.close()


def named_encoding(name: str) -> Encoding:
    """Return the encoding that a user named.

    :param name: E.g. ``cp850``.
    :return: The encoding.
    :raises ConfigurationError: If Python does not know it, or it makes no text of
        bytes, or not of any bytes.
    """
    try:
        b"a b ".decode(name, _HANDLER)
        return Encoding(codecs.lookup(name).name)
    except (LookupError, ValueError):
        raise ConfigurationError(
            f"--encoding {name}: unknown; use e.g. utf-8, cp1252, cp850 or utf-16"
        ) from None


def find_encoding(blocks: Iterable[bytes], name: str) -> Encoding:
    """Find out an encoding, by all of the bytes.

    UTF-8, UTF-16 and UTF-32 show by themselves, with their mark and without. Of the
    others Windows-1252, cp850 and MacRoman are told apart by the words of Spanish and
    of Mexican names that they make, see :mod:`.evidence`; exports
    are often ASCII for megabytes before the first ``ñ``.

    :param blocks: The bytes.
    :param name: What to call the file in errors.
    :return: The encoding.
    :raises InputError: If the file is no text, or nothing reads it with certainty.
    """
    look = _Look()
    begun = False
    for block in blocks:
        if not begun:
            begun = True
            refuse_other_kinds(block, name)
            wide = _wide(block, name)
            if wide:
                return wide
        look.at(block)
    return look.conclude(name)


def _wide(head: bytes, name: str) -> Encoding | None:
    """Return UTF-16 or UTF-32, with or without mark."""
    for mark, codec in _MARKS:
        if head.startswith(mark):
            return None if codec == "utf-8-sig" else Encoding(codec)
    head = head[:_LOOK]
    if b"\x00" not in head:
        return None
    fourths = [head[start::4] for start in range(4)]
    shares = [fourth.count(0) / max(1, len(fourth)) for fourth in fourths]
    for codec, zeros in _ZEROS:
        if all(
            share > 0.7 if zero else share < 0.1
            for share, zero in zip(shares, zeros, strict=True)
        ):
            return Encoding(codec)
    if head.count(0) < _STRAY * len(head):
        return None  # the row fails in which they stand
    raise InputError(f"{name}: holds NULs, so that it is no plain text")


class _Look:
    """What is seen of a file block by block."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._valid = True
        self._marked: bool | None = None
        self._rest = b""
        self._utf8 = 0
        self._others: Counter[bytes] = Counter()

    def at(self, block: bytes) -> None:
        if self._marked is None:
            self._marked = block.startswith(codecs.BOM_UTF8)
            block = block.removeprefix(codecs.BOM_UTF8)
        if self._valid:
            try:
                self._decoder.decode(block)
            except UnicodeDecodeError:
                self._valid = False
        self._count(block)

    def _count(self, block: bytes) -> None:
        """Count the words with high bytes; one cut by the block's end waits."""
        if not self._rest and block.isascii():
            return
        block = self._rest + block
        tokens = [match.span() for match in TOKEN.finditer(block)]
        self._rest = b""
        if tokens and tokens[-1][1] == len(block) and len(block) > BLOCK // 2:
            self._rest = block[tokens.pop()[0] :]
        for start, end in tokens:
            token = block[start:end]
            try:
                token.decode("utf-8")
                self._utf8 += 1
            except UnicodeDecodeError:
                if len(self._others) < _MOST_WORDS or token in self._others:
                    self._others[token] += 1

    def conclude(self, name: str) -> Encoding:
        utf8 = "utf-8-sig" if self._marked else "utf-8"
        if self._valid:
            try:
                self._decoder.decode(b"", final=True)
                return Encoding(utf8)
            except UnicodeDecodeError:
                pass
        if self._rest:
            rest, self._rest = self._rest, b""
            self._count(rest + b" ")
        verdict = judge(self._others)
        if not verdict.codec:
            raise InputError(
                f"{name}: its encoding is not clear (not UTF-8, and neither of "
                "Windows-1252, cp850 and MacRoman makes Spanish of it); save the file "
                "as UTF-8, or name its encoding where a command takes --encoding"
            )
        if verdict.mixed:
            return Encoding(utf8, "*")
        if self._marked or self._utf8 * 10 > self._others.total():
            return Encoding(utf8, verdict.codec)
        return Encoding(verdict.codec)


def file_blocks(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file.

    :param path: The file.
    :return: Blocks of at most 1 MiB.
    :raises InputError: If it cannot be read.
    """
    try:
        with open(path, "rb") as file:
            while block := file.read(BLOCK):
                yield block
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or 'unreadable'}") from None
