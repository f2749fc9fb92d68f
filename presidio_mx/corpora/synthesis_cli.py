"""The sub-command ``synthesize``: invented notes with gold spans."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from presidio_mx.errors import InputError, PresidioMxError
from presidio_mx.spans import Note


def read_tagged(source: Path, seed: int) -> Iterator[Note]:
    """Yield the tagged notes of a folder, filled.

    :param source: Folder of ``.txt`` notes in UTF-8.
    :param seed: Another seed, other values.
    :return: The notes, one by one.
    :raises InputError: If there are none or one cannot be read.
    """
    from presidio_mx.corpora.synthesis_tagged import fill_tagged

    files = sorted(source.glob("**/*.txt"))
    if not files:
        raise InputError(f"{source}: no .txt notes in this folder")
    for file in files:
        try:
            text = file.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            raise InputError(f"{file}: cannot be read as UTF-8 text") from None
        yield fill_tagged(
            file.relative_to(source).with_suffix("").as_posix(), text, seed
        )


def synthesize(
    output: Annotated[
        Path, typer.Argument(help="File (jsonl) or folder to write; never overwrites.")
    ],
    count: Annotated[int, typer.Option(min=1, help="How many notes.")] = 100,
    seed: Annotated[int, typer.Option(help="Another seed, other notes.")] = 0,
    form: Annotated[
        str, typer.Option("--format", help="Corpus format, e.g. jsonl, inline, brat.")
    ] = "jsonl",
    genre: Annotated[
        list[str] | None, typer.Option(help="Kind of note; may be repeated.")
    ] = None,
    noise: Annotated[
        float, typer.Option(help="Share of notes with capitals, slips ... (0 to 1).")
    ] = 0.3,
    tagged: Annotated[
        Path | None,
        typer.Option(help="Folder of tagged notes ({NOMBRE}, {DOM} ...) to fill."),
    ] = None,
) -> None:
    """Write invented notes with gold spans, from templates or from tagged notes."""
    from rich.console import Console
    from rich.progress import track

    from presidio_mx.corpora import synthesis

    try:
        notes: Iterable[Note]
        if tagged is None:
            notes = synthesis.synthesize(count, seed, chosen=genre or [], noise=noise)
        else:
            notes = read_tagged(tagged, seed)
        total = count if tagged is None else None
        console = Console(stderr=True)
        write(track(notes, "notes", total=total, console=console), output, form)
    except PresidioMxError as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None


def write(notes: Iterable[Note], output: Path, form: str) -> None:
    """Write notes as they come.

    :param notes: The notes.
    :param output: File or folder; must not exist.
    :param form: A format of the corpus writers.
    :raises InputError: If the output exists or cannot be written.
    """
    from presidio_mx.corpora.store import write_corpus

    if output.exists():
        raise InputError(f"{output} exists; it is not overwritten")
    for problem in write_corpus(notes, output, form):
        typer.echo(problem, err=True)
