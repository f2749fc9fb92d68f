"""The bytes of a file or of standard input, with a look at the beginning."""

import codecs
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding, file_blocks

HEAD = 4 << 20


class LineEnds:
    """Count lines in bytes, by no means of those who read the lines.

    :param encoding: Name of the encoding.
    :param carriage_returns: Whether a lone carriage return ends a line.
    """

    def __init__(self, encoding: str, carriage_returns: bool) -> None:
        """Nothing was seen yet."""
        # A line end may be other bytes than in ASCII: UTF-16, UTF-32, EBCDIC.
        wide = not "a\n".encode(encoding).endswith(b"a\n")
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._wide = wide
        self._carriage_returns = carriage_returns
        self._last = b""
        self._ends = 0

    def see(self, data: bytes) -> None:
        """Count the line ends of a block.

        :param data: The next bytes.
        """
        if self._wide:
            data = self._decoder.decode(data).encode("utf-8", "replace")
        if not data:
            return
        self._ends += data.count(b"\n")
        if self._carriage_returns:
            self._ends += data.count(b"\r") - data.count(b"\r\n")
            # Both halves of one end, split at the border of two blocks.
            self._ends -= self._last == b"\r" and data[:1] == b"\n"
        self._last = data[-1:]

    @property
    def lines(self) -> int:
        """Lines seen so far."""
        ended = self._last in (b"", b"\n")
        ended |= self._carriage_returns and self._last == b"\r"
        return self._ends + (not ended)


class _Counted(io.RawIOBase):
    """Bytes that were read before, then those of a stream; counts what was read."""

    def __init__(self, head: bytes, stream: BinaryIO, ends: "LineEnds") -> None:
        self.ends = ends
        self._head = io.BytesIO(head)
        self._stream = stream
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._head.read(len(buffer)) or self._stream.read(len(buffer))
        buffer[: len(data)] = data
        self.count += len(data)
        self.ends.see(data)
        return len(data)

    def close(self) -> None:
        if self._stream is not sys.stdin.buffer:
            self._stream.close()
        super().close()


class Input:
    """A file or standard input.

    :param path: The file; None is standard input, which can be read once.
    :raises InputError: If it cannot be read or is empty.
    """

    def __init__(self, path: Path | None) -> None:
        """Read the head."""
        self.path = path
        self.name = "standard input" if path is None else path.name
        self.size = None if path is None else path.stat().st_size
        if path is None:
            self.head = sys.stdin.buffer.read(HEAD)
        else:
            try:
                with open(path, "rb") as file:
                    self.head = file.read(HEAD)
            except OSError as error:
                reason = error.strerror or "unreadable"
                raise InputError(f"{path}: {reason}") from None
        if not self.head:
            raise InputError(f"{self.name}: empty")
        self._raw: _Counted | None = None

    def blocks(self) -> Iterator[bytes]:
        """Yield what can be looked at to find out the encoding: all of a file."""
        if self.path is not None:
            return file_blocks(self.path)
        cut = self.head.rfind(b"\n") + 1
        return iter([self.head[:cut] if len(self.head) == HEAD and cut else self.head])

    def open(self, encoding: Encoding, newline: str) -> TextIO:
        """Return the text from its beginning.

        :param encoding: How the bytes become text.
        :param newline: As for :func:`open`.
        :return: A stream of text.
        :raises InputError: If the file is gone.
        """
        ends = LineEnds(encoding.name, carriage_returns=newline == "")
        if self.path is None:
            self._raw = _Counted(self.head, sys.stdin.buffer, ends)
        else:
            try:
                file = open(self.path, "rb")
                self._raw = _Counted(b"", file, ends)
            except OSError as error:
                reason = error.strerror or "unreadable"
                raise InputError(f"{self.path}: {reason}") from None
        return encoding.open(self._raw, newline)

    @property
    def position(self) -> int:
        """Bytes that were read."""
        return 0 if self._raw is None else self._raw.count

    @property
    def lines(self) -> int:
        """Lines that were read, counted in the bytes; a last one without end counts."""
        return 0 if self._raw is None else self._raw.ends.lines
