"""Commands of ``presidio-mx surrogates``: recognise earlier output."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from presidio_mx.work.cli.help import Group
from presidio_mx.work.cli.options import (
    JsonOption,
    KeyOption,
    NoteColumnsOption,
    argument,
    option,
)
from presidio_mx.work.cli.text import say

if TYPE_CHECKING:
    from presidio_mx.replace.keys import Key

STATES = ("ours", "partly", "unknown")
_SHOWN = 20

app = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    help=say(
        "Recognise earlier output under your key.",
        "Reconoce lo que se emitió con su clave.",
    ),
)


@app.callback()
def _group() -> None:
    """Keep ``verify`` a command of its own name."""


@dataclass(frozen=True)
class Verified:
    """What marks say of a note.

    :param row: Number of its row or file.
    :param state: ``ours``, ``partly`` or ``unknown``.
    :param share: Share of its characters that is ours.
    """

    row: int
    state: str
    share: float


@app.command(
    help=say(
        "Find notes that are, in whole or in part, the output of an earlier run.",
        "Dice qué notas están, enteras o en parte, como las emitió otra corrida.",
    )
)
def verify(
    source: Annotated[
        Path,
        argument(
            "A note (.txt), a folder of notes, or a table.",
            "Una nota (.txt), una carpeta de notas o una tabla.",
            metavar="INPUT",
        ),
    ],
    marks: Annotated[
        list[Path],
        option(
            "File that --marks of anonymize or batch wrote; may be repeated.",
            "Archivo que escribió --marks de anonymize o batch; se puede repetir.",
        ),
    ],
    key_file: KeyOption = None,
    text: NoteColumnsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find notes that are, in whole or in part, the output of an earlier run."""
    from presidio_mx.replace.keys import find_key

    key = find_key(key_file=key_file, required=True)
    found = list(verified(source, marks, key, tuple(text or ())))
    counts = Counter(note.state for note in found)
    if as_json:
        rows = [asdict(note) | {"share": round(note.share, 4)} for note in found]
        sums = {state: counts[state] for state in STATES}
        typer.echo(json.dumps({**sums, "notes": rows}))
        return
    typer.echo(
        say(
            f"{source}: {len(found):,} notes; {counts['ours']:,} as they were put out, "
            f"{counts['partly']:,} in part, {counts['unknown']:,} unknown",
            f"{source}: {len(found):,} notas; {counts['ours']:,} como se emitieron, "
            f"{counts['partly']:,} en parte, {counts['unknown']:,} desconocidas",
        )
    )
    for note in [note for note in found if note.state != "ours"][:_SHOWN]:
        typer.echo(f"  {note.row:>8}  {100 * note.share:5.1f} %")


def verified(
    source: Path, marks: Sequence[Path], key: "Key", columns: tuple[str, ...]
) -> Iterator[Verified]:
    """Yield what marks say of each note of an input.

    :param source: A note, a folder of notes, or a table.
    :param marks: Files of marks.
    :param key: The key that made them.
    :param columns: Columns with notes, of a table.
    :raises PresidioMxError: If something cannot be read or a column is not there.
    """
    from presidio_mx.replace.marks import read_marks
    from presidio_mx.text.reading.mend import mend
    from presidio_mx.work.batch.work import place_of

    known = read_marks(marks, key)
    for row, place, note in _notes(source, columns):
        told = mend(note).text
        # A note on its own has no place.
        ours = known.find(told, place and place_of(row, int(place)))
        share = ours.share(told)
        state = "ours" if ours.whole else "partly" if share else "unknown"
        yield Verified(row, state, share)


def _notes(source: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, str, str]]:
    """Yield the number of each row, which note of it, and the note."""
    from presidio_mx.errors import ConfigurationError
    from presidio_mx.work.batch.columns import Columns
    from presidio_mx.work.batch.formats import Reading, kind_of_input, open_source
    from presidio_mx.work.batch.text_files import COLUMN
    from presidio_mx.work.cli.text import read_note

    if source.is_file() and source.suffix.lower() == ".txt":
        yield 1, "", read_note(str(source))
        return
    table = open_source(source, kind_of_input(source), Reading())
    named = columns or ((COLUMN,) if table.columns == (COLUMN,) else ())
    for name in named:
        if name not in table.columns:
            raise ConfigurationError(
                f"{source}: no column {name!r}; the columns are "
                f"{', '.join(table.columns)}"
            )
    for chunk in table.chunks(Columns(text=named)):
        for row, cells in enumerate(chunk.cells, start=chunk.first):
            for number, note in enumerate(cells.texts, start=1):
                if isinstance(note, str) and note.strip():
                    yield row, str(number), note
