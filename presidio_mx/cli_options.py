"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from presidio_mx.cli_text import say

PresetOption = Annotated[
    str, typer.Option(help=say("Rule set: mx or es-ES.", "Reglas: mx o es-ES."))
]
NerOption = Annotated[
    str,
    typer.Option(
        help=say(
            "Model: auto, none, transformer or the path of one.",
            "Modelo: auto (si lo hay), none (ninguno), transformer o su ruta.",
        )
    ),
]
PeopleOption = Annotated[
    str,
    typer.Option(
        help=say(
            "everyone, or patient_and_relatives: names of staff stay.",
            "everyone (todos) o patient_and_relatives: queda el personal.",
        )
    ),
]
SiteOption = Annotated[
    Path | None,
    typer.Option(
        help=say(
            "Folder with your hospital's own lists and rules.",
            "Carpeta con las listas y reglas propias del hospital.",
        )
    ),
]
SensitivityOption = Annotated[
    str,
    typer.Option(
        help=say(
            "Mark from which probability on: high (release without review), balanced, "
            "exact, or a number from 0 to 1.",
            "Desde qué probabilidad se marca: high (para liberar sin revisión), "
            "balanced, exact o un número de 0 a 1.",
        )
    ),
]
OperatorsOption = Annotated[
    str,
    typer.Option(
        help=say(
            "Profile: tag, redact, surrogate ... or a path.",
            "Perfil: tag, redact, surrogate ... o una ruta.",
        )
    ),
]
KeyOption = Annotated[
    Path | None,
    typer.Option(
        help=say(
            "File with the key of surrogates; else PRESIDIO_MX_KEY.",
            "Archivo con la clave de los sustitutos; si no, PRESIDIO_MX_KEY.",
        )
    ),
]
