"""Commands of ``presidio-mx corpus``: show, convert, align, index."""

from pathlib import Path
from typing import Annotated, cast

import typer

from presidio_mx.errors import InputError
from presidio_mx.work.cli.help import Group
from presidio_mx.work.cli.options import SchemeOption, argument, option
from presidio_mx.work.cli.text import print_rows, say, tell, tell_problems

app = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    help=say(
        "Show, convert and align annotated corpora.",
        "Muestra, convierte y alinea corpus.",
    ),
)
EXIT_PARTLY = 3

SourceArgument = Annotated[Path, argument("Folder or file.", "Carpeta o archivo.")]
NotesArgument = Annotated[
    Path, argument("Folder of .txt notes.", "Carpeta de notas .txt")
]
OutputArgument = Annotated[
    Path,
    argument(
        "New folder or file; nothing is overwritten.",
        "Carpeta o archivo nuevo; nada se sobrescribe.",
    ),
]

TargetFormatOption = Annotated[
    str, option("Format to write.", "Formato de salida.", "--to")
]
SourceFormatOption = Annotated[
    str,
    option(
        "Format to read; auto: jsonl by the ending, else inline marks.",
        "Formato de entrada; auto: jsonl por la terminación, si no marcas inline.",
        "--from",
    ),
]


@app.command(
    help=say(
        "Show what is in a corpus: notes, words and marks of each file; or a note.",
        "Muestra qué hay en un corpus: notas, palabras y marcas por archivo; o una "
        "nota.",
    )
)
def show(
    source: SourceArgument,
    note: Annotated[
        list[str] | None,
        option(
            "Print this note with its marks inline; may be repeated.",
            "Imprime esta nota con sus marcas; se puede repetir.",
        ),
    ] = None,
    source_format: SourceFormatOption = "auto",
) -> None:
    """Print a table of a corpus, or some of its notes."""
    from presidio_mx.research.corpora import inline
    from presidio_mx.research.corpora.store import contents, read_corpus

    corpus = read_corpus(source, source_format)
    if note:
        known = {one.id: one for one in corpus.notes}
        missing = [name for name in note if name not in known]
        if missing:
            raise InputError(f"{source}: no note {', '.join(missing)}")
        for name in note:
            typer.echo(inline.render(known[name]))
    else:
        rows = contents(corpus.notes)
        print_rows(list(rows[0]), rows)
    tell_problems(corpus.problems)
    if corpus.problems:
        raise typer.Exit(EXIT_PARTLY)


@app.command(
    help=say(
        "Convert a corpus. Formats: brat, inline, jsonl, bio, bioes, i2b2, presidio, "
        "label-studio, docbin.",
        "Convierte un corpus. Formatos: brat, inline, jsonl, bio, bioes, i2b2, "
        "presidio, label-studio, docbin.",
    )
)
def convert(
    source: SourceArgument,
    target: OutputArgument,
    target_format: TargetFormatOption,
    source_format: SourceFormatOption = "auto",
    scheme: SchemeOption = "native",
) -> None:
    """Convert a corpus from one format to another."""
    from presidio_mx.research.corpora.store import (
        format_named,
        read_corpus,
        write_corpus,
    )
    from presidio_mx.schemes import Scheme

    format_named(target_format)
    corpus = read_corpus(source, source_format, cast(Scheme, scheme))
    problems = [str(problem) for problem in corpus.problems]
    unwritten = write_corpus(corpus.notes, target, target_format)
    _report(len(corpus.notes) - len(unwritten), problems + unwritten)


@app.command(
    help=say(
        "Recover the spans from notes and their copies de-identified by hand.",
        "Recupera los datos marcados a partir de las notas y sus copias "
        "desidentificadas a mano.",
    )
)
def align(
    originals: NotesArgument,
    deidentified: Annotated[
        Path,
        argument(
            "Folder of their copies, same names, with tags such as {NOMBRE}.",
            "Carpeta de sus copias, mismos nombres, con etiquetas {NOMBRE}.",
        ),
    ],
    target: OutputArgument,
    target_format: TargetFormatOption = "bio",
    scheme: SchemeOption = "thesis",
) -> None:
    """Write an annotated corpus from originals and their tagged copies."""
    from presidio_mx.research.corpora.alignment import align as align_note
    from presidio_mx.research.corpora.pairs import read_pairs
    from presidio_mx.research.corpora.store import format_named, write_corpus
    from presidio_mx.schemes import Scheme, in_scheme

    format_named(target_format)
    pairs, problems = read_pairs(originals, deidentified)
    notes = []
    for pair in pairs:
        found = align_note(pair.id, pair.original, pair.copy)
        notes.append(in_scheme(found.note, cast(Scheme, scheme)))
        problems += [f"{pair.id}: {problem}" for problem in found.problems]
    unwritten = write_corpus(notes, target, target_format) if notes else []
    _report(len(notes) - len(unwritten), problems + unwritten)


@app.command(
    help=say(
        "Index a folder of notes by their words: how many notes, words, terms; which "
        "notes hold a trigger.",
        "Índice invertido de una carpeta de notas: cuántas notas, palabras y términos; "
        "qué notas contienen un disparador.",
    )
)
def index(
    notes: NotesArgument,
    find: Annotated[
        list[str] | None,
        option(
            "List the notes that hold this phrase; may be repeated.",
            "Lista las notas con esta frase; se puede repetir.",
        ),
    ] = None,
    dictionary: Annotated[
        Path | None,
        option(
            "New file for every word and how often it occurs; as secret as the notes.",
            "Archivo nuevo con cada palabra y su frecuencia; tan secreto como las "
            "notas.",
        ),
    ] = None,
) -> None:
    """Build the positional inverted index of a folder of notes."""
    from presidio_mx.research.corpora.onefile import write_file
    from presidio_mx.research.corpora.pairs import read_texts
    from presidio_mx.research.systems.adbdc import new_index, triggers

    texts, problems = read_texts(notes)
    made = new_index(texts.values())
    names = list(texts)
    counts = made.dictionary()
    held = made.notes_with(*(find or triggers()))
    if find:
        for number in sorted(held):
            typer.echo(names[number])
    if dictionary is not None:
        rows = [f"{word}\t{count}\n" for word, count in sorted(counts.items())]
        write_file(dictionary, rows)
    tell(
        say(
            f"{len(texts)} notes, {counts.total()} words, {len(counts)} terms; "
            f"{len(held)} notes hold a trigger",
            f"{len(texts)} notas, {counts.total()} palabras, {len(counts)} términos; "
            f"{len(held)} notas contienen un disparador",
        )
    )
    tell_problems(problems)
    if problems:
        raise typer.Exit(EXIT_PARTLY)


def _report(written: int, problems: list[str]) -> None:
    tell_problems(problems)
    tell(
        say(
            f"{written} notes written, {len(problems)} problems",
            f"{written} notas escritas, {len(problems)} problemas",
        )
    )
    if problems:
        raise typer.Exit(EXIT_PARTLY)
