"""The bytes of a file or of standard input, with a look at the beginning."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from presidio_mx.batch.decode import file_blocks
from presidio_mx.errors import InputError

HEAD = 4 << 20


class _Counted(io.RawIOBase):
    """Bytes that were read before, then those of a stream; counts what was read."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head = io.BytesIO(head)
        self._stream = stream
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._head.read(len(buffer)) or self._stream.read(len(buffer))
        buffer[: len(data)] = data
        self.count += len(data)
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

    def open(self, encoding: str, errors: str, newline: str) -> io.TextIOWrapper:
        """Return the text from its beginning.

        :param encoding: Name of the encoding.
        :param errors: Name of the error handler.
        :param newline: As for :func:`open`.
        :return: A stream of text.
        """
        if self.path is None:
            self._raw = _Counted(self.head, sys.stdin.buffer)
        else:
            self._raw = _Counted(b"", open(self.path, "rb"))  # noqa: SIM115
        buffered = cast(BinaryIO, io.BufferedReader(self._raw, 1 << 16))
        return io.TextIOWrapper(
            buffered, encoding=encoding, errors=errors, newline=newline
        )

    @property
    def position(self) -> int:
        """Bytes that were read."""
        return 0 if self._raw is None else self._raw.count
