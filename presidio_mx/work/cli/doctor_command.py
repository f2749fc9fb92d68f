"""The command ``doctor``."""

import typer

from presidio_mx.work.cli.options import NerOption
from presidio_mx.work.cli.text import say

EXIT_BROKEN = 2


def doctor(ner: NerOption = "auto") -> None:
    """Say what is installed and set, and whether it works."""
    from presidio_mx.work.cli.doctor import examine

    broken = 0
    for check in examine(ner=ner):
        broken += not check.good
        mark = "ok " if check.good else say("BAD", "MAL")
        typer.echo(f"{mark} {check.name}: {check.said}")
    if broken:
        raise typer.Exit(EXIT_BROKEN)
