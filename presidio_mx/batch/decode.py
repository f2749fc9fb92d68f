"""Find out how a text file is encoded and its columns are parted."""

import codecs
import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from presidio_mx.errors import ConfigurationError, InputError

DELIMITERS = (",", ";", "\t", "|")
_BLOCK = 1 << 20
_HANDLER = "presidio_mx_cp1252"
_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}")
TOLD = re.compile(r"sep=(.)$", re.I)
_HIGH = re.compile(rb"[\x80-\xff]")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def _repair(error: UnicodeError) -> tuple[str, int]:
    """Decode the bytes that are not valid: as Windows-1252, one by one."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.end]
    text = "".join(
        bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in wrong
    )
    return text, error.end


codecs.register_error(_HANDLER, _repair)


@dataclass(frozen=True)
class Encoding:
    """How the bytes of a file become text.

    :param name: Python's name of the encoding.
    :param mixed: Whether some parts are Windows-1252 in a UTF-8 file.
    """

    name: str
    mixed: bool = False

    @property
    def errors(self) -> str:
        """Name of the error handler; bytes are never lost."""
        return _HANDLER

    def __str__(self) -> str:
        """Return the name as people say it."""
        names = {"utf-8": "UTF-8", "utf-8-sig": "UTF-8 (BOM)", "cp1252": "Windows-1252"}
        name = names.get(self.name, self.name)
        return f"{name} mixed with Windows-1252" if self.mixed else name

    def decode(self, data: bytes) -> str:
        """Return the text of some bytes.

        :param data: All bytes of the text.
        :return: The text.
        """
        return data.decode(self.name, self.errors)


def named_encoding(name: str) -> Encoding:
    """Return the encoding that a user named.

    :param name: E.g. ``cp850``.
    :return: The encoding.
    :raises ConfigurationError: If Python does not know it.
    """
    try:
        return Encoding(codecs.lookup(name).name)
    except LookupError:
        raise ConfigurationError(
            f"--encoding {name}: unknown; use e.g. utf-8, cp1252, cp850 or utf-16"
        ) from None


def find_encoding(blocks: Iterator[bytes]) -> Encoding:
    """Find out an encoding: UTF-8, Windows-1252, both, or UTF-16 with its mark.

    All of the bytes are looked at: exports are often ASCII for megabytes before the
    first ``ñ``. There is no guessing among the many other encodings by statistics,
    which take Spanish in capitals for Turkish or Czech.

    :param blocks: The bytes.
    :return: The encoding.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    valid, pairs, high = True, 0, 0
    for number, block in enumerate(blocks):
        if number == 0:
            for mark, name in _MARKS:
                if block.startswith(mark):
                    return Encoding(name)
        if valid:
            try:
                decoder.decode(block)
            except UnicodeDecodeError:
                valid = False
        # An invalid file is mixed if most of its high bytes still form UTF-8.
        pairs += sum(len(pair) for pair in _MULTIBYTE.findall(block))
        high += len(_HIGH.findall(block))
    if valid:
        try:
            decoder.decode(b"", final=True)
            return Encoding("utf-8")
        except UnicodeDecodeError:
            pass
    if pairs * 2 > high:
        return Encoding("utf-8", mixed=True)
    return Encoding("cp1252")


def file_blocks(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file.

    :param path: The file.
    :return: Blocks of at most 1 MiB.
    :raises InputError: If it cannot be read.
    """
    try:
        with open(path, "rb") as file:
            while block := file.read(_BLOCK):
                yield block
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or 'unreadable'}") from None


def allow_long_fields() -> None:
    """Let the csv module read notes of more than its 131,072 characters."""
    csv.field_size_limit(2**31 - 1)


def find_delimiter(sample: str) -> str:
    """Find out what parts the columns.

    That delimiter wins which parts most records into as many fields as the header
    has, more than one; commas inside of notes are no rival then.

    :param sample: The beginning of the file, with whole lines.
    :return: One of comma, semicolon, tab, bar; a comma if there is one column.
    """
    allow_long_fields()
    told = TOLD.match(sample.partition("\n")[0].strip("\r\ufeff"))
    if told:
        return told[1]
    best, best_score = ",", 0.0
    for delimiter in DELIMITERS:
        rows = [row for row in csv.reader(sample.splitlines(True), delimiter=delimiter)]
        rows = [row for row in rows if row][:500]
        if not rows or len(rows[0]) < 2:
            continue
        width = len(rows[0])
        # The last record of a sample may be cut.
        whole = rows[1:-1] or rows[1:] or rows
        score = sum(len(row) == width for row in whole) / len(whole) + width / 1e6
        if score > best_score:
            best, best_score = delimiter, score
    return best
