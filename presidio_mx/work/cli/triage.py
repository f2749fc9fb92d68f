"""Which rows of a batch may be released as they are, and which need review."""

import csv
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from presidio_mx.work.cli.options import argument, option
from presidio_mx.work.cli.text import say, write_text

if TYPE_CHECKING:
    from presidio_mx.work.batch.finished import Row

_SHOWN = 20
_BOUNDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)


def triage(
    output: Annotated[
        Path,
        argument(
            "Output of presidio-mx batch, or its audit file.",
            "Salida de presidio-mx batch o su archivo de auditoría.",
        ),
    ],
    release_below: Annotated[
        float,
        option(
            "Risk below which a row may be released unread.",
            "Riesgo por debajo del cual una fila puede liberarse sin leerla.",
            min=0.0,
            max=1.0,
        ),
    ] = 0.05,
    out: Annotated[
        Path | None,
        option(
            "CSV to write: row of the input, row of the output, risk, release; the "
            "riskiest first.",
            "CSV que se escribe: fila de la entrada, fila de la salida, riesgo, "
            "liberar; primero las de más riesgo.",
        ),
    ] = None,
) -> None:
    """List which rows of a batch may be released and which need review, by risk."""
    from presidio_mx.work.batch.finished import (
        expected_leaks,
        read_finished,
        riskiest_first,
    )

    found = read_finished(output).rows
    rows = sorted(found, key=riskiest_first)
    if out is not None:
        _write(out, rows, release_below)
    _print_bounds(rows, release_below)
    go = [row for row in rows if row.may_go(release_below)]
    stay = [row for row in rows if not row.may_go(release_below)]
    typer.echo(
        say(
            f"{len(go):,} of {len(rows):,} notes may be released below "
            f"{release_below:g}; about {expected_leaks(go):.1f} of them may still hold "
            f"an identifier. {len(stay):,} need review.",
            f"{len(go):,} de {len(rows):,} notas pueden liberarse por debajo de "
            f"{release_below:g}; en unas {expected_leaks(go):.1f} puede quedar algún "
            f"identificador. {len(stay):,} deben revisarse.",
        )
    )
    if stay:
        _print_rows(stay[:_SHOWN])


def _print_bounds(rows: Sequence["Row"], chosen: float) -> None:
    """Print for each bound how many notes are below it and what they may leak."""
    from presidio_mx.work.batch.finished import expected_leaks

    typer.echo(
        say(
            "  risk below      notes  expected leaks",
            "  riesgo menor    notas  fugas esperadas",
        )
    )
    for bound in sorted({*_BOUNDS, chosen}):
        below = [row for row in rows if row.may_go(bound)]
        mark = ">" if bound == chosen else " "
        line = f"{mark} {bound:>10g}  {len(below):>9,}  {expected_leaks(below):>14.1f}"
        typer.echo(line)


def _print_rows(rows: Sequence["Row"]) -> None:
    """Print the riskiest rows: where each is in input and output, and its risk."""
    typer.echo(say("     input    output  risk", "   entrada    salida  riesgo"))
    for row in rows:
        place = "-" if row.place is None else row.place
        risk = say("unknown", "desconocido") if row.risk is None else f"{row.risk:.3f}"
        typer.echo(f"  {row.number:>8}  {place:>8}  {risk}")


def _write(path: Path, rows: Sequence["Row"], bound: float) -> None:
    table = StringIO(newline="")
    writer = csv.writer(table)
    writer.writerow(("row", "output", "risk", "release"))
    for row in rows:
        risk = "" if row.risk is None else row.risk
        place = "" if row.place is None else row.place
        writer.writerow((row.number, place, risk, int(row.may_go(bound))))
    write_text(table.getvalue(), path)
