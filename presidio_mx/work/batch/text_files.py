"""Folders of notes: which files are notes, and where each goes."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from mimetypes import MimeTypes
from pathlib import Path, PurePosixPath
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
from presidio_mx.work.batch.files import is_inside, sync_folder
from presidio_mx.work.documents.endings import KINDS, REFUSED, kind_of_file
from presidio_mx.work.documents.read import open_document

COLUMN = "text"
# A workbook or a picture of a folder is not taken for a note unasked.
_APART = frozenset((".xlsx", ".png", ".jpg", ".jpeg", ".tif", ".tiff"))
READ = frozenset((".txt", ".md", *KINDS)) - _APART
# Endings that no part of a person's name is; any other is told as a number alone.
_TOLD = frozenset(MimeTypes(filenames=()).types_map[True]) | {
    *(".7z", ".accdb", ".dbf", ".dcm", ".heic", ".mdb", ".rar", ".sav", ".xlsm"),
    *(".xlsx", ".pptx", ".ods", ".dotx", ".gz", ".parquet"),
}
_NO_ENDING, _OTHER = "no ending", "other endings"


@dataclass(frozen=True)
class Listing:
    """What a folder holds.

    :param notes: Files that are notes, those that will be refused among them, in the
        order of their paths.
    :param others: Count of files of other kinds, by their ending.
    :param passed: Count of hidden files, locks of Word, links to folders, out of the
        folder or to nothing, and of what is no file, such as pipes.
    """

    notes: tuple[Path, ...]
    others: Mapping[str, int]
    passed: int


def list_folder(path: Path) -> Listing:
    """List a folder and its sub-folders.

    :param path: The folder.
    :raises InputError: If a folder cannot be listed.
    """
    notes: list[Path] = []
    others: Counter[str] = Counter()
    passed = 0
    for file in _entries_of(path):
        if not (file.is_file() and is_inside(file, path)):
            passed += 1
        elif file.suffix.lower() in READ | REFUSED.keys():
            notes.append(file)
        else:
            ending = file.suffix.lower()
            told = ending if ending in _TOLD else _OTHER if ending else _NO_ENDING
            others[told] += 1
    notes.sort(key=lambda file: file.relative_to(path).as_posix())
    return Listing(tuple(notes), dict(sorted(others.items())), passed)


def _entries_of(path: Path) -> Iterator[Path]:
    """Yield all but the folders themselves; one that cannot be listed is an error."""

    def refuse(error: OSError) -> None:
        reason = error.strerror or "unreadable"
        raise InputError(f"{error.filename}: {reason}; nothing was read")

    for folder, folders, names in os.walk(path, onerror=refuse):
        links = (name for name in folders if Path(folder, name).is_symlink())
        yield from (Path(folder, name) for name in (*names, *links))


class Names:
    """The names of a folder's notes in the output: their own, or numbers.

    A note whose kind changes has another ending; where two would have one name, the
    ending is added: ``a.pdf`` and ``a.rtf`` become ``a.pdf.txt`` and ``a.rtf.txt``.

    :param names: Path of each note from the folder, in their order.
    """

    def __init__(self, names: Sequence[str]) -> None:
        """Count the names that endings alone tell apart."""
        self.own = tuple(names)
        self.numbered = False
        self._all = {name.casefold() for name in names}
        self._stems = Counter(self._stem(name).casefold() for name in names)

    @staticmethod
    def _stem(name: str) -> str:
        return PurePosixPath(name).with_suffix("").as_posix()

    def of(self, number: int, suffix: str) -> str:
        """Return the name of a note in the output.

        :param number: Its running number, from 1.
        :param suffix: The ending of what it became; empty for a text.
        """
        name, suffix = self.own[number - 1], suffix or ".txt"
        if self.numbered:
            return f"{number:06d}{suffix}"
        if PurePosixPath(name).suffix.lower() == suffix:
            return name
        stem = self._stem(name)
        new = (stem if self._stems[stem.casefold()] == 1 else name) + suffix
        while new.casefold() in self._all:
            new += suffix
        return new

    def until(self, number: int, endings: Iterable[str]) -> set[str]:
        """Return every name that the first notes may have in the output.

        :param number: How many notes are the first.
        :param endings: Endings that are there.
        """
        return {self.of(n, end) for end in endings for n in range(1, number + 1)}


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
        self.names = Names([f.relative_to(path).as_posix() for f in found.notes])
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
                f"{path.name}: {found.passed} hidden files, locks of Word, links or "
                "pipes are passed over",
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
            cells = self._cells(file)
            name = self.names.own[number - 1]
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
    """A folder of files.

    :param partial: Path while it is filled.
    :param layout: What becomes of a note that failed.
    :param names: How the files are named.
    """

    def __init__(self, partial: Path, layout: Layout, names: Names) -> None:
        """Nothing is made yet."""
        self._folder = partial
        self._layout = layout
        self._names = names
        self._last = 0
        self._unsynced: list[Path] = []

    def open(self, position: int) -> None:
        """Make the folder, or take away all but the notes up to a number."""
        private_folder(self._folder)
        self._last = position
        files = [path for path in self._folder.rglob("*") if path.is_file()]
        good = self._names.until(position, {file.suffix for file in files})
        for file in files:
            if file.relative_to(self._folder).as_posix() not in good:
                file.unlink()

    def write(self, chunk: Chunk, done: Sequence[Done]) -> int:
        """Write the notes of a chunk; return how many were written."""
        written = 0
        for number, result in enumerate(done, start=chunk.first):
            row = self._layout.row(None if result.problem else [""], result)
            if row is not None:
                file = self._folder / self._names.of(number, result.suffix)
                file.parent.mkdir(parents=True, exist_ok=True)
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
        for folder in {file.parent for file in self._unsynced} | {self._folder}:
            sync_folder(folder)
        self._unsynced = []
        return self._last

    def finish(self) -> Path:
        """Return the folder."""
        return self._folder
