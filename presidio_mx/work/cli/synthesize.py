"""The sub-command ``synthesize``: invented notes, copies about other people."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.text.reading.folders import notes_in
from presidio_mx.text.spans import Note
from presidio_mx.work.cli.options import KeyOption, argument, option
from presidio_mx.work.cli.text import say, tell_problems


def read_tagged(source: Path, seed: int) -> Iterator[Note]:
    """Yield the tagged notes of a folder, filled.

    :param source: Folder of ``.txt`` notes in UTF-8.
    :param seed: Another seed, other values.
    :return: The notes, one by one.
    :raises InputError: If there are none or one cannot be read.
    """
    from presidio_mx.research.corpora.synthesis_tagged import fill_tagged

    for file in notes_in(source):
        try:
            text = file.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            raise InputError(f"{file}: cannot be read as UTF-8 text") from None
        yield fill_tagged(
            file.relative_to(source).with_suffix("").as_posix(), text, seed
        )


def read_marked(
    source: Path, form: str, copies: int, key_file: Path | None
) -> tuple[Iterator[Note], int]:
    """Return copies of marked notes about other people, and how many there will be.

    :param source: A corpus.
    :param form: Its format.
    :param copies: How many of each note.
    :param key_file: The key they depend on; otherwise the environment's.
    :raises InputError: If nothing can be read.
    """
    from presidio_mx.replace.keys import Key, find_key
    from presidio_mx.research.corpora.store import read_corpus
    from presidio_mx.research.corpora.synthesis_copies import surrogate_copies

    corpus = read_corpus(source, form)
    tell_problems(corpus.problems)
    if not corpus.notes:
        raise InputError(f"{source}: no note of it could be read")
    key = find_key() if key_file is None else Key.from_file(key_file)
    made = surrogate_copies(corpus.notes, copies, key)
    return made, copies * len(corpus.notes)


def synthesize(
    output: Annotated[
        Path,
        argument(
            "New file (jsonl) or folder; never overwritten.",
            "Archivo (jsonl) o carpeta nueva; nunca se sobrescribe.",
        ),
    ],
    count: Annotated[int, option("How many notes.", "Cuántas notas.", min=1)] = 100,
    seed: Annotated[
        int, option("Another seed, other notes.", "Otra semilla, otras notas.")
    ] = 0,
    form: Annotated[
        str,
        option(
            "Corpus format, e.g. jsonl, inline, brat.",
            "Formato del corpus: jsonl, inline, brat ...",
            "--format",
        ),
    ] = "jsonl",
    genre: Annotated[
        list[str] | None,
        option("Kind of note; repeatable.", "Tipo de nota; se repite."),
    ] = None,
    noise: Annotated[
        float,
        option(
            "Share of notes with capitals, slips ... (0 to 1).",
            "Proporción de notas con mayúsculas, erratas ... (0 a 1).",
        ),
    ] = 0.3,
    marked: Annotated[
        Path | None,
        option(
            "Corpus of marked notes: copies of them about other people.",
            "Corpus de notas marcadas: copias de ellas sobre otras personas.",
            "--from",
        ),
    ] = None,
    marked_form: Annotated[
        str, option("Format of that corpus.", "Formato de ese corpus.", "--from-format")
    ] = "inline",
    copies: Annotated[
        int,
        option(
            "How many copies of each marked note.",
            "Cuántas copias de cada nota marcada.",
            min=1,
        ),
    ] = 1,
    key_file: KeyOption = None,
    tagged: Annotated[
        Path | None,
        option(
            "Folder of tagged notes ({NOMBRE}, {DOM} ...) to fill.",
            "Carpeta de notas etiquetadas ({NOMBRE}, {DOM} ...) por rellenar.",
        ),
    ] = None,
) -> None:
    """Write invented notes with gold spans."""
    from rich.console import Console
    from rich.progress import track

    from presidio_mx.research.corpora import synthesis

    if tagged is not None and marked is not None:
        raise ConfigurationError("--tagged and --from exclude one another; give one")
    notes: Iterable[Note]
    total: int | None = None
    if marked is not None:
        notes, total = read_marked(marked, marked_form, copies, key_file)
    elif tagged is not None:
        notes = read_tagged(tagged, seed)
    else:
        notes = synthesis.synthesize(count, seed, chosen=genre or [], noise=noise)
        total = count
    console, words = Console(stderr=True), say("notes", "notas")
    write(track(notes, words, total=total, console=console), output, form)


def write(notes: Iterable[Note], output: Path, form: str) -> None:
    """Write notes as they come.

    :param notes: The notes.
    :param output: File or folder; must not exist.
    :param form: A format of the corpus writers.
    :raises ConfigurationError: If the output exists.
    :raises InputError: If it cannot be written.
    """
    from presidio_mx.research.corpora.store import write_corpus

    if output.exists():
        raise ConfigurationError(f"{output} exists; it is not overwritten")
    tell_problems(write_corpus(notes, output, form))
