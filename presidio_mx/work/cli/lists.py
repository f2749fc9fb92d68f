"""Commands that list and check what can be found."""

import json
from pathlib import Path
from typing import Annotated

import typer

from presidio_mx.work.cli.options import (
    JsonOption,
    NerOption,
    PresetOption,
    SiteOption,
    option,
)
from presidio_mx.work.cli.text import print_rows, say, tell_problems

EXIT_WRONG = 2


def entities(preset: PresetOption = "mx", site: SiteOption = None) -> None:
    """List the entities that are found, and the recognizer of each."""
    from presidio_mx.find.engine import mx_recognizers

    rows = [
        {"entity": entity, "recognizer": type(recognizer).__name__}
        for recognizer in mx_recognizers(preset, site)
        for entity in recognizer.supported_entities
    ]
    rows.sort(key=lambda row: row["entity"])
    print_rows(["entity", "recognizer"], rows)


def recognizers(preset: PresetOption = "mx", site: SiteOption = None) -> None:
    """List the recognizers, their rule files and the number of their rules."""
    from presidio_mx.find.preset import load_preset

    rows = [
        {
            "recognizer": file.recognizer,
            "entity": file.entity,
            "file": file.path.name,
            "rules": str(len(file.rules)),
        }
        for file in load_preset(preset, None if site is None else str(site)).files
    ]
    print_rows(["recognizer", "entity", "file", "rules"], rows)


def check(
    site: Annotated[Path, option("The site's folder.", "Carpeta del hospital.")],
    preset: PresetOption = "mx",
) -> None:
    """Check a site's own lists and rules."""
    from presidio_mx.find.check import check_site
    from presidio_mx.replace.profiles import profile_problems

    problems = [*check_site(site, preset), *profile_problems(site / "operators")]
    tell_problems(problems)
    if problems:
        raise typer.Exit(EXIT_WRONG)
    typer.echo(say(f"{site}: no errors", f"{site}: sin errores"))


def rules(
    hits: Annotated[
        list[Path] | None,
        option(
            "Corpus in which to count what each rule finds; may be repeated.",
            "Corpus en que se cuenta lo que halla cada regla; puede repetirse.",
        ),
    ] = None,
    form: Annotated[
        str, option("Format of the corpora.", "Formato de los corpus.", "--format")
    ] = "auto",
    preset: PresetOption = "mx",
    site: SiteOption = None,
    as_json: JsonOption = False,
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


def doctor(ner: NerOption = "auto") -> None:
    """Say what is installed and whether it works."""
    from presidio_mx.errors import ConfigurationError
    from presidio_mx.work.cli.doctor import examine

    broken = 0
    for check in examine(ner=ner):
        broken += not check.good
        mark = "ok " if check.good else say("BAD", "MAL")
        typer.echo(f"{mark} {check.name}: {check.said}")
    if broken:
        raise ConfigurationError(f"{broken} of these checks failed")
