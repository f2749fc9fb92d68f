"""Commands that list and check what can be found."""

from pathlib import Path
from typing import Annotated

import typer

from presidio_mx.work.cli.options import PresetOption, SiteOption
from presidio_mx.work.cli.text import print_rows, say, speaks_spanish

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
    site: Annotated[
        Path,
        typer.Option(help=say("The site's folder.", "Carpeta del hospital.")),
    ],
    preset: PresetOption = "mx",
) -> None:
    """Check a site's own lists and rules."""
    from presidio_mx.find.check import check_site
    from presidio_mx.messages import in_spanish
    from presidio_mx.replace.profiles import profile_problems

    problems = [*check_site(site, preset), *profile_problems(site / "operators")]
    for problem in problems:
        typer.echo(in_spanish(problem) if speaks_spanish() else problem, err=True)
    if problems:
        raise typer.Exit(EXIT_WRONG)
    typer.echo(say(f"{site}: no errors", f"{site}: sin errores"))
