"""The command ``presidio-mx risk``."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from presidio_mx.work.cli.options import (
    DelimiterOption,
    EncodingOption,
    PresetOption,
    SheetOption,
    SiteOption,
    WorkersOption,
)
from presidio_mx.work.cli.risk_options import (
    AgeOption,
    ApplyOption,
    CodesOption,
    CorpusArgument,
    DateOption,
    HtmlOption,
    JsonOption,
    LeastClassOption,
    MunicipalityOption,
    PatientOption,
    PopulationOption,
    SexOption,
    ShareOption,
    StateOption,
    TextOption,
    WorstOption,
)
from presidio_mx.work.cli.text import say

if TYPE_CHECKING:
    from presidio_mx.work.risk.report import Assessment


def risk(
    corpus: CorpusArgument,
    text: TextOption = None,
    patient: PatientOption = None,
    age: AgeOption = None,
    sex: SexOption = None,
    municipality: MunicipalityOption = None,
    state: StateOption = None,
    date: DateOption = None,
    codes: CodesOption = None,
    k: LeastClassOption = 5,
    share: ShareOption = 0.05,
    worst: WorstOption = 50,
    population: PopulationOption = None,
    html: HtmlOption = None,
    as_json: JsonOption = None,
    apply: ApplyOption = None,
    preset: PresetOption = "mx",
    site: SiteOption = None,
    encoding: EncodingOption = None,
    delimiter: DelimiterOption = None,
    sheet: SheetOption = None,
    workers: WorkersOption = None,
) -> None:
    """Estimate the risk of re-identification in a corpus, and what lowers it."""
    from presidio_mx.made_by import provenance
    from presidio_mx.processes import cores
    from presidio_mx.work.batch.formats import Reading
    from presidio_mx.work.cli.text import write_data
    from presidio_mx.work.risk.corpus import Named, cells_of, read_corpus
    from presidio_mx.work.risk.measure import Bound
    from presidio_mx.work.risk.page import lines, page
    from presidio_mx.work.risk.population import read_population, shipped_population
    from presidio_mx.work.risk.profile import profile_text, write_profile
    from presidio_mx.work.risk.quasi import Wanted
    from presidio_mx.work.risk.report import assess

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
    from presidio_mx.work.batch.files import beside

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
