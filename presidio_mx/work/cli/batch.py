"""The command ``presidio-mx batch``."""

import json
import signal
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from presidio_mx.work.cli.options import (
    DelimiterOption,
    KeyOption,
    MarksOption,
    NerOption,
    NoteColumnsOption,
    OperatorsOption,
    OursOption,
    PeopleOption,
    PresetOption,
    SameStateOption,
    SensitivityOption,
    SheetOption,
    SiteOption,
    Texts,
    VaultOption,
    WorkersOption,
    argument,
    operators_of,
    option,
)
from presidio_mx.work.cli.text import print_rows, say, tell

if TYPE_CHECKING:
    from presidio_mx.work.batch.formats import Reading
    from presidio_mx.work.batch.job import Summary

EXIT_ROWS_FAILED = 4
_SHOWN_FAILURES = 3
EXIT_INTERRUPTED = 130
CORPUS_SCOPE = (
    "presidio-mx: scope corpus gives one value one surrogate in the whole archive: who "
    "knows some of its people, or one date, learns much of the others; --id COLUMN "
    "keeps it to each patient",
    "presidio-mx: el ámbito corpus da a cada valor un solo sustituto en todo el "
    "archivo: quien conoce a algunas personas, o una fecha, sabe mucho de las demás; "
    "--id COLUMNA "
    "lo limita a cada paciente",
)


def batch(
    source: Annotated[
        str,
        argument(
            "Folder of notes (.txt, .docx, .hl7 …) or .parquet; .csv, .tsv, "
            ".jsonl, .parquet, .xlsx; - for standard input.",
            "Carpeta de notas (.txt, .docx, .hl7 …) o .parquet; .csv, .tsv, "
            ".jsonl, .parquet, .xlsx; - para la entrada estándar.",
            metavar="INPUT",
        ),
    ],
    output: Annotated[
        Path | None,
        argument(
            "Output in the same format; errors and audit are written beside it.",
            "Salida en el mismo formato; errores y auditoría quedan a su lado.",
            metavar="OUTPUT",
        ),
    ] = None,
    text: NoteColumnsOption = None,
    known: Annotated[
        Texts | None,
        option(
            "KIND=COLUMN with the patient's known data, e.g. paciente=nombre.",
            "TIPO=COLUMNA con datos conocidos del paciente, p. ej. paciente=nombre.",
        ),
    ] = None,
    patient: Annotated[
        str | None,
        option(
            "Column with the patient's identifier: same patient, same surrogates.",
            "Columna con el identificador: mismo paciente, mismos sustitutos.",
            "--id",
        ),
    ] = None,
    keep: Annotated[
        Texts | None,
        option(
            "Column that passes through unchanged.", "Columna que pasa sin cambios."
        ),
    ] = None,
    drop: Annotated[
        Texts | None, option("Column that is left out.", "Columna que se omite.")
    ] = None,
    shift: Annotated[
        Texts | None,
        option(
            "Column with dates, which are shifted like those in the notes.",
            "Columna con fechas, que se mueven igual que las de las notas.",
        ),
    ] = None,
    generalize: Annotated[
        Texts | None,
        option(
            "COLUMN=HOW: say less: 5 (bands of five), year, month, state, first3.",
            "COLUMNA=CÓMO: dice menos: 5 (de cinco en cinco), year (año), month (mes), "
            "state (estado), first3 (tres caracteres).",
        ),
    ] = None,
    known_as: Annotated[
        str,
        option(
            "Known columns: drop, keep or replace.",
            "Columnas conocidas: drop (omitir), keep (dejar) o replace (sustituir).",
        ),
    ] = "drop",
    id_as: Annotated[
        str,
        option(
            "The identifier: drop, keep or replace (by a keyed number).",
            "El identificador: drop (omitir), keep (dejar) o replace (sustituir).",
        ),
    ] = "drop",
    operators: OperatorsOption = "tag",
    same_state: SameStateOption = False,
    scope: Annotated[
        str,
        option(
            "Scope of a surrogate: row (patient, with --id), corpus.",
            "Dónde conserva un valor su sustituto: row (o paciente, con --id), corpus.",
        ),
    ] = "row",
    key_file: KeyOption = None,
    people: PeopleOption = "everyone",
    preset: PresetOption = "mx",
    ner: NerOption = "auto",
    site: SiteOption = None,
    sensitivity: SensitivityOption = "balanced",
    workers: WorkersOption = None,
    on_error: Annotated[
        str,
        option(
            "A row that fails: blank (kept with a marked blank) or skip (left out).",
            "Una fila con error: blank (queda en blanco, marcada) o skip (se omite).",
        ),
    ] = "blank",
    vault: VaultOption = None,
    numbers: Annotated[
        Path | None,
        option(
            "Write which number stands for which file or identifier: keep it secret.",
            "Escribe qué número es qué archivo o identificador: guárdelo en secreto.",
        ),
    ] = None,
    marks: MarksOption = None,
    ours: OursOption = None,
    encoding: Annotated[
        str | None,
        option(
            "Encoding, if it is not recognized.", "Codificación, si no se reconoce."
        ),
    ] = None,
    output_encoding: Annotated[
        str | None,
        option(
            "Encoding of a CSV output: utf-8, utf-8-sig, cp1252 …, or input.",
            "Codificación de la salida CSV: utf-8, utf-8-sig, cp1252 … o input (la de "
            "la entrada).",
        ),
    ] = None,
    delimiter: DelimiterOption = None,
    sheet: SheetOption = None,
    timeout: Annotated[
        float,
        option(
            "Time limit for one row, in seconds.",
            "Segundos que puede tardar una fila.",
            min=0.1,
        ),
    ] = 60.0,
    resume: Annotated[
        bool,
        option("Resume an interrupted run.", "Continúa lo interrumpido.", "--resume"),
    ] = False,
    force: Annotated[
        bool,
        option(
            "Replace an existing output.", "Reemplaza la salida que exista.", "--force"
        ),
    ] = False,
    plan: Annotated[
        bool,
        option(
            "Only propose what each column is for, and the command.",
            "Solo propone para qué es cada columna y la orden.",
            "--plan",
        ),
    ] = False,
) -> None:
    """De-identify a folder or table in several processes; can be resumed."""
    from rich.console import Console

    from presidio_mx.errors import ConfigurationError
    from presidio_mx.messages import localized
    from presidio_mx.processes import cores
    from presidio_mx.replace.keys import Key
    from presidio_mx.work.batch.columns import Columns, known_kinds, parse_known
    from presidio_mx.work.batch.formats import Reading
    from presidio_mx.work.batch.generalize import parse_generalize
    from presidio_mx.work.batch.job import Job
    from presidio_mx.work.batch.report import report_for, summary_table
    from presidio_mx.work.batch.run import run
    from presidio_mx.work.batch.settings import Settings
    from presidio_mx.work.batch.text_files import COLUMN

    _check("--on-error", on_error, ("blank", "skip"))
    _check("--scope", scope, ("row", "corpus"))
    if delimiter in ("\\t", "tab"):
        delimiter = "\t"

    reading = Reading(encoding, delimiter, sheet, output_encoding)
    if plan:
        _plan(source, reading)
        return
    if output is None:
        raise ConfigurationError("give OUTPUT, or --plan to have a command proposed")
    general = parse_generalize(generalize or [])

    def columns(available: Sequence[str]) -> Columns:
        notes = tuple(text or ())
        if not notes and tuple(available) == (COLUMN,):
            notes = (COLUMN,)
        return Columns(
            text=notes,
            known=known_kinds(
                parse_known(known or (), available), shift or (), general
            ),
            id=patient,
            keep=tuple(keep or ()),
            drop=tuple(drop or ()),
            known_as=known_as,  # type: ignore[arg-type]
            id_as=id_as,  # type: ignore[arg-type]
        )

    if scope == "corpus":
        tell(say(*CORPUS_SCOPE))
    job = Job(
        source=source,
        output=output,
        columns=columns,
        settings=Settings(
            operators=operators_of(operators, same_state, site),
            key=None if key_file is None else Key.from_file(key_file),
            people=people,  # type: ignore[arg-type]
            preset=preset,
            ner=ner,
            site=None if site is None else str(site),
            corpus=scope == "corpus",
            seconds=timeout,
            sensitivity=sensitivity,
            ours=tuple(map(str, ours or ())),
        ),
        reading=reading,
        workers=workers or cores(),
        on_error=on_error,  # type: ignore[arg-type]
        resume=resume,
        force=force,
        numbers=numbers,
        vault=vault,
        marks=marks,
        key_file=key_file,
        words=localized,
    )
    console = Console(stderr=True)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with report_for(console) as report:
            summary = run(job, report)
    except KeyboardInterrupt:
        tell(
            say(
                f"presidio-mx: what is done is kept beside {output}: run "
                "the same again with --resume to go on",
                f"presidio-mx: lo hecho se conserva junto a {output}: "
                "repita la orden con --resume para continuar",
            )
        )
        raise typer.Exit(EXIT_INTERRUPTED) from None
    console.print(summary_table(summary))
    if summary.totals.failed:
        tell(f"presidio-mx: {_failures(summary)}")
        raise typer.Exit(EXIT_ROWS_FAILED)


def _plan(source: str, reading: "Reading") -> None:
    """Print what each column may be for, and why, and the command for a person."""
    from presidio_mx.work.batch.plan import command, propose

    proposals = propose(source, reading)
    heads = say("column option reason", "columna opción motivo").split()
    rows = [(p.column, p.option, p.reason) for p in proposals]
    print_rows(heads, [dict(zip(heads, row, strict=True)) for row in rows])
    typer.echo(
        say(
            "Confirm each column; nothing was written. The command:",
            "Confirme cada columna; no se escribió nada. La orden:",
        )
    )
    typer.echo(command(source, proposals))


def _failures(summary: "Summary") -> str:
    """Return how many rows failed; of files also which, and why."""
    failed, rows, errors = summary.totals.failed, summary.totals.rows, summary.errors
    assert errors is not None
    with open(errors, encoding="utf-8") as file:
        first = [json.loads(line) for line in islice(file, _SHOWN_FAILURES)]
    shown = "; ".join(f"{r['file']} ({r['reason']})" for r in first if "file" in r)
    if not shown:
        return say(
            f"rows that failed: {failed:,}; see {errors}",
            f"filas con error: {failed:,}; vea {errors}",
        )
    shown += " …" if failed > len(first) else ""
    return say(
        f"{failed:,} of {rows:,} files failed: {shown}; see {errors}",
        f"archivos con error: {failed:,} de {rows:,}: {shown}; vea {errors}",
    )


def _check(option: str, value: str, possible: Sequence[str]) -> None:
    from presidio_mx.errors import ConfigurationError

    if value not in possible:
        raise ConfigurationError(
            f"{option} {value}: unknown; use {' or '.join(possible)}"
        )


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt
