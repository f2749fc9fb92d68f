"""The command ``presidio-mx cohort``."""

from pathlib import Path
from typing import Annotated

import typer

from presidio_mx.work.cli.options import (
    NerOption,
    SensitivityOption,
    TimeLimitOption,
    argument,
    option,
)
from presidio_mx.work.cli.text import say, tell

EXIT_PARTLY = 4


def cohort(
    source: Annotated[
        Path,
        argument(
            "Table (.csv) with notes.", "Tabla (.csv) con notas.", metavar="INPUT"
        ),
    ],
    output: Annotated[
        Path,
        argument(
            "New .csv: notes and the facts put back; nothing else of the input.",
            "CSV nuevo: notas con lo que se añade, y nada más de la entrada.",
            metavar="OUTPUT",
        ),
    ],
    text: Annotated[str, option("Column with notes.", "Columna con notas.")],
    patient: Annotated[
        str, option("Column with the patient.", "Columna con el paciente.")
    ] = "",
    episode: Annotated[
        str,
        option(
            "Column with the admission, whose records become one note.",
            "Columna con el internamiento, cuyos registros forman una nota.",
        ),
    ] = "",
    category: Annotated[
        str, option("Column with the kind of note.", "Columna con el tipo de nota.")
    ] = "",
    take: Annotated[
        list[str] | None,
        option(
            "Kind of note to keep; may be repeated.",
            "Tipo de nota que se conserva; se puede repetir.",
        ),
    ] = None,
    min_records: Annotated[
        int,
        option(
            "Kinds with no more records than this are left out (study: 20000).",
            "Se omiten los tipos sin más registros que estos (estudio: 20000).",
            min=0,
        ),
    ] = 0,
    admission: Annotated[
        str, option("Column with the date of admission.", "Columna con el ingreso.")
    ] = "",
    discharge: Annotated[
        str, option("Column with the date of discharge.", "Columna con el egreso.")
    ] = "",
    codes: Annotated[
        str,
        option(
            "Column with ICD-10 codes; else they are read from the note.",
            "Columna con códigos CIE-10; si no, se leen de la nota.",
        ),
    ] = "",
    icd_model: Annotated[
        str,
        option(
            "Folder of a GLiNER model that is asked for the codes of a note.",
            "Carpeta de un modelo GLiNER al que se piden los códigos de la nota.",
        ),
    ] = "",
    only_coded: Annotated[
        bool,
        option(
            "Leave out notes without a code, as the study did.",
            "Omite las notas sin código, como el estudio.",
            "--only-coded",
        ),
    ] = False,
    preset: Annotated[
        str,
        option(
            "mx, es-ES or a published system; hc-ribeirao: that of the study.",
            "mx, es-ES o un sistema publicado; hc-ribeirao: el del estudio.",
        ),
    ] = "mx",
    ner: NerOption = "auto",
    sensitivity: SensitivityOption = "balanced",
    operators: Annotated[str, option("Profile.", "Perfil.")] = "hc-ribeirao",
    mask: Annotated[
        list[str] | None,
        option(
            "gender, religion, duration or none; by default all three.",
            "gender, religion, duration o none; por omisión, los tres.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        option(
            "FACT=COLUMN: comorbidity_score, main_icd, length_of_stay, age_band; "
            "an empty column leaves it out.",
            "DATO=COLUMNA: comorbidity_score, main_icd, length_of_stay, age_band; "
            "una columna vacía lo omite.",
        ),
    ] = None,
    timeout: TimeLimitOption = 60.0,
) -> None:
    """Clean, de-identify and enrich a table of discharge summaries.

    It is done as da Silva and Pazin-Filho (2025) did.
    """
    import csv
    from io import StringIO

    from presidio_mx.errors import InputError
    from presidio_mx.messages import in_spanish
    from presidio_mx.research.cohort.cleaning import Columns
    from presidio_mx.research.cohort.masks import MASKS
    from presidio_mx.research.cohort.run import Settings, make_cohort
    from presidio_mx.research.corpora.onefile import write_file
    from presidio_mx.text.reading.note import read_note

    if output.exists():
        raise InputError(f"{output} exists; it is not overwritten")
    names = dict(
        (entry.partition("=")[0], entry.partition("=")[2]) for entry in name or ()
    )
    rows = _rows(read_note(str(source)).text, source)
    masks = tuple(MASKS) if mask is None else tuple(m for m in mask if m != "none")
    found = make_cohort(
        rows,
        Columns(
            text,
            patient,
            episode,
            category,
            tuple(take or ()),
            min_records,
            admission,
            discharge,
            codes,
        ),
        Settings(
            preset,
            ner,
            sensitivity,
            operators,
            masks,
            names,
            timeout,
            icd_model,
            only_coded,
        ),
    )
    written = StringIO(newline="")
    csv.writer(written).writerows(found.table(text))
    write_file(output, [written.getvalue()])
    left = found.cleaning
    tell(
        say(
            f"{output}: {left.kept} notes; left out: {left.empty} without text, "
            f"{left.other.total()} of other kinds, {left.uncoded} without a code",
            f"{output}: {left.kept} notas; omitidas: {left.empty} sin texto, "
            f"{left.other.total()} de otros tipos, {left.uncoded} sin código",
        )
    )
    failed = [
        (i, note.problem) for i, note in enumerate(found.notes, 1) if note.problem
    ]
    for number, problem in failed:
        tell(say(f"note {number}: {problem}", f"nota {number}: {in_spanish(problem)}"))
    if failed:
        raise typer.Exit(EXIT_PARTLY)


def _rows(content: str, source: Path) -> list[dict[str, str]]:
    """Read a table; what parts its columns is found out from its header."""
    import csv
    from io import StringIO

    from presidio_mx.errors import InputError
    from presidio_mx.work.batch.csv_records import allow_long_fields

    allow_long_fields()
    head = content.split("\n", 1)[0]
    separator = max(",;\t", key=head.count)
    try:
        # Not strict, a quote that is never closed makes one note of all that follow.
        reader = csv.DictReader(
            StringIO(content, newline=""), delimiter=separator, strict=True
        )
        rows = list(reader)
    except csv.Error:
        raise InputError(
            f"{source}: not a CSV table; a quote in it is not closed, or not doubled"
        ) from None
    header = list(reader.fieldnames or ())
    double = [name for name in header if header.count(name) > 1]
    if double:
        raise InputError(
            f"{source}: the column {double[0]!r} is there twice; rename one"
        )
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise InputError(
                f"{source}, record {number}: not as many cells as the header has"
            )
    return rows
