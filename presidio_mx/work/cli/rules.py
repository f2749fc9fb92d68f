"""The command ``presidio-mx rules``."""

import json
from pathlib import Path
from typing import Annotated

import typer

from presidio_mx.work.cli.options import PresetOption, SiteOption
from presidio_mx.work.cli.text import print_rows, say


def rules(
    hits: Annotated[
        list[Path] | None,
        typer.Option(
            help=say(
                "Corpus in which to count what each rule finds; may be repeated.",
                "Corpus en que se cuenta lo que halla cada regla; puede repetirse.",
            )
        ),
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--format", help=say("Format of the corpora.", "Formato de los corpus.")
        ),
    ] = "inline",
    preset: PresetOption = "mx",
    site: SiteOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help=say("Print JSON.", "Imprime JSON."))
    ] = False,
) -> None:
    """List the rules; with --hits, count what each finds in annotated notes."""
    from presidio_mx.find.preset import load_preset
    from presidio_mx.research.corpora import read_corpus
    from presidio_mx.research.evaluation.hits import added, count_hits

    compiled = load_preset(preset, None if site is None else str(site))
    counts = [count_hits(compiled, ())]
    for path in hits or ():
        notes = read_corpus(path, form).notes
        marked = any(note.spans for note in notes)
        counts.append(count_hits(compiled, notes, marked))
    rows = [hit.row() for hit in added(*counts)]
    if not hits:
        rows = [{k: row[k] for k in ("rule", "entity", "stage")} for row in rows]
    if as_json:
        typer.echo(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    print_rows(list(rows[0]), rows)
