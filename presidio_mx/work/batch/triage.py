"""Which rows of a batch may be released as they are, and which need review."""

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Annotated, Any

import typer

from presidio_mx.errors import InputError
from presidio_mx.work.batch.files import beside
from presidio_mx.work.cli.text import say, write_text

_AUDIT = "audit.jsonl"
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Row:
    """A row of an audit.

    :param number: Its running number in the input.
    :param risk: Probability that something which identifies somebody is left in it;
        None where it failed or no risk was told.
    :param place: Its running number in the output, which names its file in a folder;
        None where it is left out.
    """

    number: int
    risk: float | None
    place: int | None = None

    def may_go(self, bound: float) -> bool:
        """Tell whether the row may be released unread.

        :param bound: Risk below which it may.
        """
        return self.risk is not None and self.risk < bound


def read_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a batch run.

    :param path: The output of the run, or its audit file.
    :raises InputError: If the audit is missing or cannot be read.
    """
    audit = path if path.name.endswith(_AUDIT) else beside(path, _AUDIT)
    try:
        with open(audit, encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                if "row" in record:
                    yield _row(record)
    except FileNotFoundError:
        raise InputError(
            f"{audit}: no such file; give the output of presidio-mx batch"
        ) from None
    except (ValueError, TypeError, RecursionError):
        raise InputError(f"{audit}: not the audit of a batch run") from None


def _row(record: dict[str, Any]) -> Row:
    return Row(int(record["row"]), record.get("risk"), record.get("output"))


def expected_leaks(rows: Sequence[Row]) -> float:
    """Return how many of some rows are expected to keep something.

    :param rows: Rows with a risk.
    """
    return sum(row.risk or 0.0 for row in rows)


def triage(
    output: Annotated[
        Path,
        typer.Argument(
            help=say(
                "Output of presidio-mx batch, or its audit file.",
                "Salida de presidio-mx batch o su archivo de auditoría.",
            )
        ),
    ],
    release_below: Annotated[
        float,
        typer.Option(
            min=0.0,
            max=1.0,
            help=say(
                "Risk below which a row may be released unread.",
                "Riesgo por debajo del cual una fila puede liberarse sin leerla.",
            ),
        ),
    ] = 0.05,
    out: Annotated[
        Path | None,
        typer.Option(
            help=say(
                "CSV to write: row of the input, row of the output, risk, release; the "
                "riskiest first.",
                "CSV que se escribe: fila de la entrada, fila de la salida, riesgo, "
                "liberar; primero las de más riesgo.",
            )
        ),
    ] = None,
) -> None:
    """List which rows of a batch may be released and which need review, by risk."""
    rows = sorted(read_rows(output), key=lambda r: -(2.0 if r.risk is None else r.risk))
    if out is not None:
        _write(out, rows, release_below)
    go = [row for row in rows if row.may_go(release_below)]
    stay = [row for row in rows if not row.may_go(release_below)]
    typer.echo(
        say(
            f"{len(go):,} of {len(rows):,} rows may be released; about "
            f"{expected_leaks(go):.1f} of them may still hold an identifier. "
            f"{len(stay):,} need review.",
            f"{len(go):,} de {len(rows):,} filas pueden liberarse; en unas "
            f"{expected_leaks(go):.1f} puede quedar algo. {len(stay):,} deben leerse.",
        )
    )
    if stay:
        typer.echo(say("     input    output  risk", "   entrada    salida  riesgo"))
    for row in stay[:_SHOWN]:
        place = "-" if row.place is None else row.place
        typer.echo(f"  {row.number:>8}  {place:>8}  {_told(row)}")


def _told(row: Row) -> str:
    return say("no risk known", "sin riesgo") if row.risk is None else f"{row.risk:.3f}"


def _write(path: Path, rows: Sequence[Row], bound: float) -> None:
    table = StringIO(newline="")
    writer = csv.writer(table)
    writer.writerow(("row", "output", "risk", "release"))
    for row in rows:
        risk = "" if row.risk is None else row.risk
        place = "" if row.place is None else row.place
        writer.writerow((row.number, place, risk, int(row.may_go(bound))))
    write_text(table.getvalue(), path)
