"""Folders of notes; those of the output have running numbers for names."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from presidio_mx.errors import InputError, MissingExtraError
from presidio_mx.extras import need
from presidio_mx.private_file import private_folder
from presidio_mx.text.reading.encoding import Encoding, find_encoding
from presidio_mx.text.reading.kinds import refuse_other_kinds
from presidio_mx.work.batch.cells import Cells, Done
from presidio_mx.work.batch.chunk import Chunk, Gatherer, Layout
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.document_files import KEPT, FileNote
from presidio_mx.work.batch.files import sync_folder
from presidio_mx.work.batch.listing import READ, list_folder
from presidio_mx.work.documents.endings import REFUSED, kind_of_file
from presidio_mx.work.documents.read import open_document

COLUMN = "text"


def file_name(number: int, suffix: str = "") -> str:
    """Return the name of an output file: ``000001.txt``."""
    return f"{number:06d}{suffix or '.txt'}"


class FolderSource:
    """The notes of a folder and its sub-folders, in the order of their paths.

    Of text, PDF, RTF, HTML and mail the text is worked on; Word, HL7, JSON and XML keep
    their form.

    :param path: The folder.
    :param encoding: Encoding of all files, if the user said it; else recognized for
        each.
    :raises InputError: If there is no note.
    :raises MissingExtraError: If none can be read for want of a package.
    """

    unit: Literal["bytes", "rows"] = "rows"
    columns: tuple[str, ...] = (COLUMN,)

    def __init__(self, path: Path, encoding: Encoding | None = None) -> None:
        """List the files."""
        found = list_folder(path)
        self._files = found.notes
        if not self._files:
            raise InputError(
                f"{path}: no note in this folder; notes are {', '.join(sorted(READ))}"
            )
        self._missing = self._missing_packages()
        self._encoding = encoding
        self._path = path
        self.skipped = 0
        self.total: int | None = len(self._files)
        self.counted = len(self._files)
        self.others = found.others
        self.passed = found.passed
        self.said: tuple[str, ...] = (f"{path.name}: {len(self._files)} notes",)
        if found.others:
            told = ", ".join(f"{name} {n}" for name, n in found.others.items())
            number = sum(found.others.values())
            self.said += (
                f"{path.name}: {number} files of other kinds are left out ({told})",
            )
        if found.passed:
            self.said += (
                f"{path.name}: {found.passed} hidden files, locks of Word or links out "
                "of the folder are passed over",
            )
        for problem in sorted(set(self._missing.values())):
            self.said += (f"{path.name}: some files will fail: {problem}",)
        if kept := sum(file.suffix.lower() in KEPT for file in self._files):
            self.said += (
                f"{path.name}: {kept} files keep their form and lose comments, "
                "properties and the like; the audit says what",
            )

    def _missing_packages(self) -> dict[str, str]:
        """Return what to install for each package that some of the files lack.

        :raises MissingExtraError: If no file of all can be read without.
        """
        kinds = [kind_of_file(file) for file in self._files]
        missing: dict[str, str] = {}
        for package in sorted({p for kind in kinds if kind for p in kind.packages}):
            try:
                need(package, "reading Word, PDF, RTF and XML", "documents")
            except MissingExtraError as error:
                missing[package] = str(error)
                if all(kind and missing.keys() & set(kind.packages) for kind in kinds):
                    raise
        return missing

    def chunks(self, columns: Columns) -> Iterator[Chunk]:
        """Yield all files.

        :param columns: Not needed: there is one column.
        :return: Chunks in the order of the paths; ``rest`` has the paths.
        """
        gatherer = Gatherer()
        for number, file in enumerate(self._files, start=1):
            name = file.relative_to(self._path).as_posix()
            cells = self._cells(file)
            if gatherer.add(cells, name, _size(cells.texts[0])):
                yield gatherer.take(number)
        yield gatherer.take(len(self._files))

    def _cells(self, file: Path) -> Cells:
        kind = kind_of_file(file)
        if file.suffix.lower() in REFUSED:
            suffix = file.suffix.lower()
            problem = f"the file: {suffix} is not read; {REFUSED[suffix]}"
            return Cells((None,), problem=problem)
        if kind is not None and (lacks := self._missing.keys() & set(kind.packages)):
            return Cells((None,), problem=self._missing[min(lacks)])
        if kind is not None and kind.as_text:
            return self._document(file)
        try:
            data = file.read_bytes()
        except OSError as error:
            problem = f"the file cannot be read ({error.strerror or 'unreadable'})"
            return Cells((None,), problem=problem)
        if kind is not None:
            name = None if self._encoding is None else self._encoding.name
            return Cells((FileNote(data, file.suffix.lower(), name),))
        try:
            # The name of a file is often that of the patient.
            refuse_other_kinds(data, "the file")
            encoding = self._encoding or find_encoding([data], "the file")
        except InputError as error:
            return Cells((None,), problem=str(error))
        return Cells((encoding.decode(data),))

    def _document(self, file: Path) -> Cells:
        encoding = None if self._encoding is None else self._encoding.name
        try:
            opened = open_document(file, encoding, "the file")
        except InputError as error:
            return Cells((None,), problem=str(error))
        return Cells(("\n\n".join(part.text for part in opened.parts),))


def _size(note: str | FileNote | None) -> int:
    return len(note.data if isinstance(note, FileNote) else note or "")


class FolderSink:
    """A folder of files with running numbers for names.

    :param partial: Path while it is filled.
    :param layout: What becomes of a note that failed.
    """

    def __init__(self, partial: Path, layout: Layout) -> None:
        """Nothing is made yet."""
        self._folder = partial
        self._layout = layout
        self._last = 0
        self._unsynced: list[Path] = []

    def open(self, position: int) -> None:
        """Make the folder, or take away what came behind a number.

        :param position: Number of the last note that is sure to be good.
        """
        private_folder(self._folder)
        self._last = position
        for file in self._folder.iterdir():
            if not file.stem.isdecimal() or int(file.stem) > position:
                file.unlink()

    def write(self, chunk: Chunk, done: Sequence[Done]) -> int:
        """Write the notes of a chunk.

        :param chunk: The notes' numbers.
        :param done: What became of them.
        :return: How many notes were written.
        """
        written = 0
        for number, result in enumerate(done, start=chunk.first):
            row = self._layout.row(None if result.problem else [""], result)
            if row is not None:
                file = self._folder / file_name(number, result.suffix)
                text: str = row[0]
                file.write_bytes(
                    text.encode("utf-8", "surrogatepass")
                    if result.file is None
                    else result.file
                )
                self._unsynced.append(file)
                written += 1
        self._last = chunk.after
        return written

    def sync(self) -> int:
        """Put everything on the disk; return the last number."""
        for file in self._unsynced:
            with open(file, "rb") as opened:
                os.fsync(opened.fileno())
        self._unsynced = []
        sync_folder(self._folder)
        return self._last

    def finish(self) -> Path:
        """Return the folder."""
        return self._folder
