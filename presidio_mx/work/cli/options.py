"""Options that several commands share."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from presidio_mx.work.cli.text import say

if TYPE_CHECKING:
    from presidio_mx.replace.engine import Operators

Texts = list[str]


def option(
    english: str, spanish: str, *names: str, **settings: Any
) -> "typer.models.OptionInfo":
    """Return an option with its help in the language of this run.

    :param english: Help in English.
    :param spanish: The same in Spanish.
    :param names: Names of the option, where the parameter's does not serve.
    :param settings: What else :class:`typer.Option` takes, such as ``min``.
    """
    words = say(english, spanish)
    made: typer.models.OptionInfo = typer.Option(*names, help=words, **settings)
    return made


def argument(
    english: str, spanish: str, **settings: Any
) -> "typer.models.ArgumentInfo":
    """Return an argument with its help in the language of this run.

    :param english: Help in English.
    :param spanish: The same in Spanish.
    :param settings: What else :class:`typer.Argument` takes, such as ``metavar``.
    """
    words = say(english, spanish)
    made: typer.models.ArgumentInfo = typer.Argument(help=words, **settings)
    return made


def operators_of(
    profile: str,
    in_state: bool,
    site: Path | None,
    keep: Sequence[str] = (),
    only: Sequence[str] = (),
) -> "Operators":
    """Return what ``--operators`` and ``--same-state`` ask for.

    :param profile: Name or path of the profile.
    :param in_state: Whether surrogates of places stay in their state.
    :param site: Folder of the site, which may have profiles.
    :param keep: Entities that stay as they are.
    :param only: Entities that are replaced; all if none is named.
    """
    if not (in_state or keep or only):
        return profile
    from presidio_mx.find.site import operator_folders
    from presidio_mx.replace.engine import for_entities, same_state

    folders = operator_folders(site)
    operators: Operators = same_state(profile, folders) if in_state else profile
    return for_entities(operators, keep, only, folders) if keep or only else operators


NoteArgument = Annotated[
    str,
    argument(
        "File with the note; - for standard input.",
        "Archivo con la nota; - para la entrada estándar.",
        metavar="NOTE",
    ),
]
TextOption = Annotated[
    str | None, option("The note itself, in quotes.", "La nota, entre comillas.")
]
EncodingOption = Annotated[
    str | None,
    option(
        "Encoding of the file, if it is not recognized.",
        "Codificación del archivo, si no se reconoce.",
    ),
]
KnownOption = Annotated[
    list[str] | None,
    option(
        "What is known of the patient, e.g. paciente='Jesús Mendoza'; repeatable.",
        "Lo que se sabe del paciente, p. ej. paciente='Jesús Mendoza'; se repite.",
        metavar="KIND=VALUE",
    ),
]
OutputOption = Annotated[
    Path | None,
    option(
        "New file to write to; never overwritten.",
        "Archivo nuevo de salida; nunca se sobrescribe.",
    ),
]
PresetOption = Annotated[
    str,
    option(
        "Rules, mx or es-ES; or a published system: ADBDC, ADAP, hc-ribeirao.",
        "Reglas, mx o es-ES; o un sistema publicado: ADBDC, ADAP, hc-ribeirao.",
    ),
]
NerOption = Annotated[
    str,
    option(
        "Model: auto, none, transformer or the path of one; repeatable.",
        "Modelo: auto (si lo hay), none (ninguno), transformer o su ruta; se repite.",
    ),
]
PeopleOption = Annotated[
    str,
    option(
        "everyone, or patient_and_relatives: names of staff stay.",
        "everyone (todos) o patient_and_relatives: queda el personal.",
    ),
]
SiteOption = Annotated[
    Path | None,
    option(
        "Folder with your hospital's own lists and rules.",
        "Carpeta con las listas y reglas propias del hospital.",
    ),
]
SensitivityOption = Annotated[
    str,
    option(
        "Least probability to be marked: high (fewest misses), balanced, exact, "
        "or a number from 0 to 1; balanced,PERSON=high for some entities.",
        "Desde qué probabilidad se marca: high (menos omisiones), balanced, "
        "exact o un número de 0 a 1; balanced,PERSON=high para algunas entidades.",
    ),
]
OperatorsOption = Annotated[
    str,
    option(
        "Profile: tag, redact, surrogate ... or a path.",
        "Perfil: tag, redact, surrogate ... o una ruta.",
    ),
]
SameStateOption = Annotated[
    bool,
    option(
        "Surrogates of places stay in the state of the original.",
        "Los sustitutos de lugares quedan en el estado del original.",
        "--same-state",
    ),
]
KeyOption = Annotated[
    Path | None,
    option(
        "File with the key of surrogates; else PRESIDIO_MX_KEY.",
        "Archivo con la clave de los sustitutos; si no, PRESIDIO_MX_KEY.",
    ),
]
MarksOption = Annotated[
    Path | None,
    option(
        "File to which marks of the output are added: keyed digests, no text.",
        "Archivo para marcas de lo que sale: resúmenes con clave, sin texto.",
    ),
]
OursOption = Annotated[
    list[Path] | None,
    option(
        "Marks of an earlier run; its output is left as it is. Repeatable.",
        "Marcas de una corrida anterior; lo que conocen no cambia. Se repite.",
    ),
]
PortOption = Annotated[
    int, option("Port; 0: a free one.", "Puerto; 0: uno libre.", min=0, max=65535)
]
DelimiterOption = Annotated[
    str | None,
    option("Delimiter of the columns of a CSV file.", "Separador de columnas del CSV."),
]
SheetOption = Annotated[
    str | None, option("Sheet of a workbook.", "Hoja del libro de Excel.")
]
WorkersOption = Annotated[
    int | None,
    option(
        "Processes; the cores of the machine by default.",
        "Procesos; por omisión, los núcleos del equipo.",
        min=1,
    ),
]
NoteColumnsOption = Annotated[
    Texts | None, option("Column with notes.", "Columna con notas.")
]
VaultOption = Annotated[
    Path | None,
    option(
        "Encrypted file to which the originals are added (needs a key).",
        "Archivo cifrado al que se añaden los originales (requiere clave).",
    ),
]
TimeLimitOption = Annotated[
    float,
    option("Time limit for one note, in seconds.", "Límite por nota, en s.", min=0.1),
]
JsonOption = Annotated[bool, option("Print JSON.", "Imprime JSON.", "--json")]
SchemeOption = Annotated[
    str,
    option(
        "Names of the types: native, thesis, adap or meddocan.",
        "Nombres de los tipos: native, thesis, adap o meddocan.",
    ),
]
SeedOption = Annotated[int, option("Seed.", "Semilla.")]
