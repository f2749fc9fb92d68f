"""The command ``presidio-config``."""

from pathlib import Path
from typing import Annotated

import typer

from presidio_mx.work.cli.options import NerOption, PresetOption, SiteOption, option


def presidio_config(
    out: Annotated[Path, option("Folder for the files.", "Carpeta para los archivos.")],
    preset: PresetOption = "mx",
    site: SiteOption = None,
    ner: NerOption = "auto",
    also: Annotated[
        list[str] | None,
        option(
            "A further language with Presidio's own recognizers, e.g. en; repeatable.",
            "Otro idioma con los reconocedores propios de Presidio, p. ej. en; "
            "se repite.",
            metavar="LANG[=MODEL]",
        ),
    ] = None,
    into: Annotated[
        list[Path] | None,
        option(
            "Add to this existing configuration; the result is in --out; repeatable.",
            "Agrega a esta configuración suya, escrita de nuevo en --out; se repite.",
            metavar="FILE",
        ),
    ] = None,
    force: Annotated[
        bool, option("Replace existing files.", "Reemplaza los que haya.", "--force")
    ] = False,
) -> None:
    """Write the configuration files of a stock Presidio server."""
    from presidio_mx.errors import ConfigurationError
    from presidio_mx.work.service.presidio_config import (
        Wanted,
        parse_also,
        write_config,
    )
    from presidio_mx.work.service.presidio_merge import merge_config

    if also and into:
        raise ConfigurationError(
            "--also and --into: a configuration of yours has its own languages; give "
            "one of the two"
        )
    wanted = Wanted(preset, site, ner, parse_also(also or ()))
    if into:
        written = merge_config(into, out, wanted, replace=force)
    else:
        written = write_config(out, wanted, replace=force)
    for path in written:
        typer.echo(path)
