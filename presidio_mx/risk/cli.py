"""The command ``presidio-mx risk``."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from presidio_mx.cli_options import (
    DelimiterOption,
    EncodingOption,
    PresetOption,
    SheetOption,
    SiteOption,
    Texts,
    option,
)
from presidio_mx.cli_text import say

if TYPE_CHECKING:
    from presidio_mx.risk.report import Assessment


def risk(
    corpus: Annotated[
        Path,
        typer.Argument(
            metavar="CORPUS",
            help=say(
                "Folder of notes, or a table; original or de-identified.",
                "Carpeta de notas o tabla; original o desidentificada.",
            ),
        ),
    ],
    text: Annotated[
        Texts | None,
        option(
            "Column with notes: read for what no column tells.",
            "Columna con notas: se leen para lo que ninguna columna dice.",
        ),
    ] = None,
    patient: Annotated[
        str | None,
        option(
            "Column with the patient: the risk is then of patients, not of rows.",
            "Columna con el paciente: el riesgo es entonces de pacientes, no de filas.",
            "--id",
        ),
    ] = None,
    age: Annotated[
        str | None, option("Column with the age.", "Columna con la edad.")
    ] = None,
    sex: Annotated[
        str | None, option("Column with the sex.", "Columna con el sexo.")
    ] = None,
    municipality: Annotated[
        str | None,
        option("Column with the municipality.", "Columna con el municipio."),
    ] = None,
    state: Annotated[
        str | None, option("Column with the state.", "Columna con el estado.")
    ] = None,
    date: Annotated[
        Texts | None,
        option(
            "Column with a date, of admission say; may be repeated.",
            "Columna con una fecha, p. ej. de ingreso; se puede repetir.",
        ),
    ] = None,
    codes: Annotated[
        str | None,
        option("Column with ICD-10 codes.", "Columna con códigos CIE-10."),
    ] = None,
    k: Annotated[
        int,
        typer.Option(
            "--k",
            min=2,
            help=say(
                "How many have to look alike; a rarer diagnosis is rare.",
                "Cuántos deben parecerse; un diagnóstico de menos es raro.",
            ),
        ),
    ] = 5,
    share: Annotated[
        float,
        typer.Option(
            min=0.0,
            max=1.0,
            help=say(
                "Share that may be in smaller classes.",
                "Parte que puede estar en clases menores.",
            ),
        ),
    ] = 0.05,
    worst: Annotated[
        int,
        typer.Option(
            min=0, help=say("How many of the worst to list.", "Cuántos peores listar.")
        ),
    ] = 50,
    population: Annotated[
        Path | None,
        option(
            "CSV of counts by state, municipality, sex and ages, of a census.",
            "CSV de un censo: población por estado, municipio, sexo y edades.",
        ),
    ] = None,
    html: Annotated[
        Path | None, option("New page to write.", "Página nueva que se escribe.")
    ] = None,
    as_json: Annotated[
        Path | None,
        option("New JSON file to write.", "Archivo JSON nuevo.", "--json"),
    ] = None,
    apply: Annotated[
        Path | None,
        option(
            "New profile (.yaml) to write that generalises so, for --operators.",
            "Perfil nuevo (.yaml) que generaliza así, para --operators.",
        ),
    ] = None,
    preset: PresetOption = "mx",
    site: SiteOption = None,
    encoding: EncodingOption = None,
    delimiter: DelimiterOption = None,
    sheet: SheetOption = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            help=say(
                "Processes; the cores of the machine by default.",
                "Procesos; por omisión, los núcleos del equipo.",
            ),
        ),
    ] = None,
) -> None:
    """Tell how easily the people of a corpus can be named, and what lowers it."""
    from presidio_mx.batch.formats import Reading
    from presidio_mx.cli_text import write_data
    from presidio_mx.made_by import provenance
    from presidio_mx.processes import cores
    from presidio_mx.risk.corpus import Named, cells_of, read_corpus
    from presidio_mx.risk.measure import Bound
    from presidio_mx.risk.page import lines, page
    from presidio_mx.risk.population import read_population, shipped_population
    from presidio_mx.risk.profile import profile_text, write_profile
    from presidio_mx.risk.quasi import Wanted
    from presidio_mx.risk.report import assess

    _check_new(html, as_json, apply)
    cells = cells_of(
        age=age, sex=sex, municipality=municipality, state=state, date=date, codes=codes
    )
    people = shipped_population() if population is None else read_population(population)
    bound = Bound(k, share)
    read = read_corpus(
        corpus,
        Named(tuple(text or ()), patient, cells),
        Wanted(preset=preset, site=None if site is None else str(site)),
        Reading(encoding, "\t" if delimiter in ("\\t", "tab") else delimiter, sheet),
        workers or cores(),
    )
    told = assess(corpus.name, read, people, bound, worst)
    made = provenance(preset, "none", site)
    profile = profile_of(corpus)
    if as_json is not None:
        record = told.record({**made.record(), "profile": profile})
        data = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
        write_data(data.encode("utf-8"), as_json)
    if html is not None:
        write_data(page(told, _facts(told, str(made), profile)).encode("utf-8"), html)
    for line in lines(told):
        typer.echo(line)
    if apply is not None:
        if told.chosen is None:
            _refuse(apply)
        else:
            write_profile(apply, profile_text(told.chosen, bound, str(made)))


def _check_new(*paths: Path | None) -> None:
    """Refuse before any work what would be overwritten."""
    from presidio_mx.errors import ConfigurationError

    for path in paths:
        if path is not None and path.exists():
            raise ConfigurationError(f"{path} exists; it is not overwritten")


def _refuse(path: Path) -> None:
    from presidio_mx.errors import ConfigurationError

    raise ConfigurationError(
        f"{path}: not written, as no generalisation fulfils the bound; lower --k or "
        "raise --share"
    )


def _facts(
    told: "Assessment", made_by: str, profile: dict[str, Any]
) -> list[tuple[str, str]]:
    facts = [
        (say("Data", "Datos"), told.corpus),
        (say("Made by", "Hecho con"), made_by),
        (say("Population", "Población"), told.source),
    ]
    if profile:
        said = f"{profile['name']} ({profile['hash']}), {profile['version']}"
        facts.insert(1, (say("De-identified by", "Desidentificado con"), said))
    return facts


def profile_of(corpus: Path) -> dict[str, Any]:
    """Return by what a corpus was de-identified, as the audit beside it tells.

    :param corpus: The output of ``presidio-mx batch``, or any other corpus.
    :return: Name and hash of the profile and version of the program; empty without an
        audit.
    """
    from presidio_mx.batch.files import beside

    try:
        with open(beside(corpus, "audit.jsonl"), encoding="utf-8") as file:
            first = json.loads(file.readline())
        return {
            "name": str(first["profile"]),
            "hash": str(first["hashes"]["profile"]),
            "version": str(first["versions"]["presidio-mx"]),
        }
    except (OSError, ValueError, KeyError, TypeError):
        return {}
