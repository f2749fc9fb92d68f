"""Argument and options of ``presidio-mx risk``."""

from pathlib import Path
from typing import Annotated

from presidio_mx.work.cli.options import Texts, argument, option

CorpusArgument = Annotated[
    Path,
    argument(
        "Folder of notes, or a table; original or de-identified.",
        "Carpeta de notas o tabla; original o desidentificada.",
        metavar="CORPUS",
    ),
]
TextOption = Annotated[
    Texts | None,
    option(
        "Column with notes, read for what no other column gives.",
        "Columna con notas: se leen para lo que ninguna columna dice.",
    ),
]
PatientOption = Annotated[
    str | None,
    option(
        "Column with the patient: the risk is then of patients, not of rows.",
        "Columna con el paciente: el riesgo es entonces de pacientes, no de filas.",
        "--id",
    ),
]
AgeOption = Annotated[
    str | None, option("Column with the age.", "Columna con la edad.")
]
SexOption = Annotated[
    str | None, option("Column with the sex.", "Columna con el sexo.")
]
MunicipalityOption = Annotated[
    str | None, option("Column with the municipality.", "Columna con el municipio.")
]
StateOption = Annotated[
    str | None, option("Column with the state.", "Columna con el estado.")
]
DateOption = Annotated[
    Texts | None,
    option(
        "Column with a date, of admission say; may be repeated.",
        "Columna con una fecha, p. ej. de ingreso; se puede repetir.",
    ),
]
CodesOption = Annotated[
    str | None, option("Column with ICD-10 codes.", "Columna con códigos CIE-10.")
]
LeastClassOption = Annotated[
    int,
    option(
        "Least size of a class (k-anonymity); diagnoses with fewer count as rare.",
        "Cuántos deben parecerse; un diagnóstico con menos cuenta como raro.",
        "--k",
        min=2,
    ),
]
ShareOption = Annotated[
    float,
    option(
        "Share of units that may be in smaller classes.",
        "Parte que puede estar en clases menores.",
        min=0.0,
        max=1.0,
    ),
]
WorstOption = Annotated[
    int,
    option("How many of those at most risk to list.", "Cuántos peores listar.", min=0),
]
PopulationOption = Annotated[
    Path | None,
    option(
        "CSV of counts by state, municipality, sex and ages, of a census.",
        "CSV de un censo: población por estado, municipio, sexo y edades.",
    ),
]
HtmlOption = Annotated[
    Path | None, option("New page to write.", "Página nueva que se escribe.")
]
JsonOption = Annotated[
    Path | None, option("New JSON file to write.", "Archivo JSON nuevo.", "--json")
]
ApplyOption = Annotated[
    Path | None,
    option(
        "New profile (.yaml) that generalises accordingly, for --operators.",
        "Perfil nuevo (.yaml) que generaliza así, para --operators.",
    ),
]
