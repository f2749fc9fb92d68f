"""Read and write corpora in any of the formats."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.research.corpora import (
    brat,
    conll,
    docbin,
    i2b2,
    inline,
    jsonl,
    label_studio,
    presidio_json,
)
from presidio_mx.research.corpora.formats import Broken, Format, Problem
from presidio_mx.schemes import Scheme, in_scheme
from presidio_mx.text.reading.folders import files_ending
from presidio_mx.text.spans import Note

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        form.name: form
        for form in (
            brat.FORMAT,
            inline.FORMAT,
            jsonl.FORMAT,
            conll.BIO,
            conll.BIOES,
            i2b2.FORMAT,
            presidio_json.FORMAT,
            label_studio.FORMAT,
            docbin.FORMAT,
        )
    }
)
AUTO = "auto"
"""Instead of a format's name: ``jsonl`` by the ending of files, else ``inline``."""
_NO_TEXTS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Corpus:
    """What could be read, and what could not.

    :param notes: The notes, in the order of their files.
    :param problems: What was left out, with file and line.
    """

    notes: tuple[Note, ...]
    problems: tuple[Problem, ...] = ()


def format_named(name: str) -> Format:
    """Return a format by its name.

    :param name: For example ``brat``.
    :return: The format.
    :raises ConfigurationError: If there is none of this name.
    """
    if name not in FORMATS:
        raise ConfigurationError(
            f"unknown format {name!r}; formats are {', '.join(FORMATS)}"
        )
    return FORMATS[name]


def read_corpus(
    path: Path | str,
    form: str = AUTO,
    scheme: Scheme = "native",
    texts: Mapping[str, str] = _NO_TEXTS,
) -> Corpus:
    """Read a file, or all files of a folder and its sub-folders.

    A broken line or file is named among the problems; the others are read.

    :param path: File or folder.
    :param form: Name of the format, or :data:`AUTO`.
    :param scheme: How to name entity types.
    :param texts: Texts by note id, for annotations that come without them.
    :return: Notes and problems.
    :raises InputError: If there is nothing to read.
    """
    chosen = format_named(_format_of(Path(path)) if form == AUTO else form)
    notes: dict[str, Note] = {}
    problems: list[Problem] = []
    for file, identifier in _files(Path(path), chosen):
        for item in _read(chosen, file, identifier, texts):
            if isinstance(item, Problem):
                problems.append(item)
            elif item.id in notes:
                problems.append(
                    Problem(str(file), 0, f"a second note with the id {item.id!r}")
                )
            else:
                notes[item.id] = in_scheme(item, scheme)
    problems += _alone(Path(path), chosen)
    return Corpus(tuple(notes.values()), tuple(problems))


def _format_of(path: Path) -> str:
    """Return the format of a file or folder by the endings in it."""
    lines = jsonl.FORMAT.suffix
    if path.suffix == lines or (path.is_dir() and any(path.glob(f"*{lines}"))):
        return jsonl.FORMAT.name
    return inline.FORMAT.name


def _files(path: Path, form: Format) -> list[tuple[Path, str]]:
    if path.is_file():
        return [(path, path.stem)]
    if not path.is_dir():
        raise InputError(f"{path}: no such file or folder")
    found = files_ending(path, form.suffix)
    if not found:
        raise InputError(f"{path}: no {form.suffix} files ({form.name}) in this folder")
    return [(f, f.relative_to(path).with_suffix("").as_posix()) for f in found]


def _alone(path: Path, form: Format) -> Iterator[Problem]:
    """Yield a problem for each text that nobody annotated, in formats of two files."""
    if form.beside and path.is_dir():
        for file in files_ending(path, form.beside):
            other = file.with_suffix(form.suffix)
            if not other.exists():
                yield Problem(str(file), 0, f"there is no {other.name} beside it")


def _read(
    form: Format, file: Path, identifier: str, texts: Mapping[str, str]
) -> Iterator[Note | Problem]:
    try:
        yield from form.read(file, identifier, texts)
    except Broken as error:
        yield Problem(str(file), error.line, error.reason)
    except OSError as error:
        yield Problem(str(file), 0, error.strerror or "cannot be read")


def contents(notes: Iterable[Note]) -> list[dict[str, str | int]]:
    """Count what is in a corpus, by the folder or file that the ids of notes name.

    :param notes: The notes.
    :return: A row for each part: its name, notes, words, and marks of each type; the
        last for all.
    """
    parts: dict[str, list[Note]] = {}
    for note in notes:
        parts.setdefault(note.id.rpartition("/")[0], []).append(note)
    rows = [_counted(name, own) for name, own in parts.items()]
    if len(rows) != 1:
        rows.append(_counted("", [note for own in parts.values() for note in own]))
    return rows


def _counted(name: str, notes: list[Note]) -> dict[str, str | int]:
    marks = Counter(span.entity_type for note in notes for span in note.spans)
    words = sum(len(note.text.split()) for note in notes)
    by_type = " ".join(f"{kind}:{count}" for kind, count in sorted(marks.items()))
    return {
        "part": name,
        "notes": len(notes),
        "words": words,
        "marks": marks.total(),
        "types": by_type,
    }


def write_corpus(notes: Iterable[Note], path: Path | str, form: str) -> list[str]:
    """Write notes; nothing that exists is overwritten.

    :param notes: The notes.
    :param path: A new or empty folder, for formats with a file a note; else a new file.
    :param form: Name of the format.
    :return: A sentence for each note that the format cannot hold.
    :raises InputError: If the place is taken.
    """
    chosen = format_named(form)
    target = Path(path)
    if chosen.per_note:
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise InputError(f"{target} exists and is not an empty folder")
        target.mkdir(parents=True, exist_ok=True)
    return chosen.write(notes, target)
