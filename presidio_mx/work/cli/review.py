"""The command review."""

from pathlib import Path
from typing import Annotated, Any

from presidio_mx.work.cli.options import (
    KeyOption,
    NerOption,
    OperatorsOption,
    PeopleOption,
    PortOption,
    PresetOption,
    SensitivityOption,
    SiteOption,
    argument,
    option,
)
from presidio_mx.work.cli.text import say, tell

# The types that get a number key on the review page, by how often notes have them.
OFTEN = {
    entity: place
    for place, entity in enumerate(
        "PERSON DATE_TIME PHONE_NUMBER ADDRESS LOCATION ORGANIZATION MEDICAL_RECORD "
        "AGE MX_PROFESSIONAL_LICENSE MX_CURP MX_NSS MX_RFC".split()
    )
}


def review(
    source: Annotated[
        Path,
        argument(
            "Output of presidio-mx batch; or a folder of .txt files, or a .jsonl "
            "file with id and text.",
            "Salida de presidio-mx batch; o una carpeta de archivos .txt, o un "
            ".jsonl con id y text.",
        ),
    ],
    out: Annotated[
        Path,
        option(
            "Folder for decisions and results; reopen it to go on.",
            "Carpeta de decisiones y resultados; reábrala para continuar.",
        ),
    ],
    reviewer: Annotated[str, option("Your name.", "Su nombre.")] = "reviewer",
    adjudicate: Annotated[
        list[str] | None,
        option(
            "Decide between two reviewers of this folder; give it twice.",
            "Decide entre dos revisores de esta carpeta; se da dos veces.",
        ),
    ] = None,
    guidelines: Annotated[
        Path | None,
        option(
            "Text file that tells reviewers what to mark.",
            "Archivo de texto que dice a los revisores qué marcar.",
        ),
    ] = None,
    riskiest: Annotated[
        int | None,
        option(
            "Of a batch: how many notes to review, those of the highest risk.",
            "De un lote: cuántas notas revisar, las de mayor riesgo.",
            min=1,
        ),
    ] = None,
    sample: Annotated[
        int | None,
        option(
            "Number of notes to review, drawn at random.", "Revisa N al azar.", min=1
        ),
    ] = None,
    seed: Annotated[int, option("Seed of the draw.", "Semilla del sorteo.")] = 0,
    operators: OperatorsOption = "tag",
    people: PeopleOption = "everyone",
    preset: PresetOption = "mx",
    ner: NerOption = "auto",
    sensitivity: SensitivityOption = "balanced",
    site: SiteOption = None,
    key_file: KeyOption = None,
    port: PortOption = 0,
    browser: Annotated[bool, option("Open a browser.", "Abre un navegador.")] = True,
) -> None:
    """Open a page to check what was found, note by note."""
    import webbrowser

    from rich.console import Console
    from rich.progress import Progress

    from presidio_mx.find.engine import mx_recognizers
    from presidio_mx.find.sensitivity import thresholds_of
    from presidio_mx.find.site import operator_folders
    from presidio_mx.made_by import provenance
    from presidio_mx.pipeline import examine
    from presidio_mx.replace.engine import anonymize, resolve_operators
    from presidio_mx.replace.keys import find_key
    from presidio_mx.work.cli.text import speaks_spanish
    from presidio_mx.work.service.listen import address, open_socket, run
    from presidio_mx.work.service.review.app import create_app, new_path
    from presidio_mx.work.service.review.batch import batch_notes
    from presidio_mx.work.service.review.export import export
    from presidio_mx.work.service.review.notes import read_notes
    from presidio_mx.work.service.review.others import check_reviewer
    from presidio_mx.work.service.review.project import open_project
    from presidio_mx.work.service.review.session import Session

    between = _two(adjudicate)
    for name in (reviewer, *(between or ())):
        check_reviewer(name)
    rules = "" if guidelines is None else _text_of(guidelines)
    folders = operator_folders(site)
    profile = resolve_operators(operators, folders)
    batch = batch_notes(source, riskiest)
    if batch is None:
        read_notes(source)  # refused, if it must be, before anything is said of keys
    else:
        people, preset, ner, sensitivity = batch.how
    key = find_key(key_file=key_file) if key_file or profile.needs_key() else None

    def found_in(text: str) -> Any:
        if batch is not None and text:
            return batch.examine(text, site)
        return examine(
            text,
            people=people,  # type: ignore[arg-type]
            preset=preset,
            ner=ner,
            site=site,
            sensitivity=sensitivity,
        )

    found_in("")  # a wrong option is refused before anything is written
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(say("Finding", "Buscando"), total=None)
        project = open_project(
            source,
            out,
            found_in,
            notes=None if batch is None else batch.texts,
            sample=sample,
            seed=seed,
            found_by={
                **provenance(preset, ner, site).record(),
                "sensitivity": thresholds_of(sensitivity).record,
            },
            progress=lambda done, all_: bar.update(task, completed=done, total=all_),
        )
    session = Session(
        project,
        reviewer,
        lambda text, spans: anonymize(text, spans, profile, key=key),
        between,
    )
    found = [e for r in mx_recognizers(preset, site) for e in r.supported_entities]
    path = new_path()
    page = create_app(
        session,
        path,
        export,
        entities=sorted(set(found), key=lambda e: (OFTEN.get(e, 99), e)),
        site=site,
        spanish=speaks_spanish(),
        guidelines=rules,
    )
    sock = open_socket("127.0.0.1", port, remote=False, token="")
    url = f"{address(sock)}/{path}/"

    def ready() -> None:
        tell(url)
        tell(say("Press Ctrl+C to end.", "Pulse Ctrl+C para terminar."))
        if browser:
            webbrowser.open(url)

    try:
        run(page, sock, ready)
    finally:
        session.close()


def _two(names: list[str] | None) -> tuple[str, str] | None:
    from presidio_mx.errors import ConfigurationError

    if not names:
        return None
    if len(names) != 2:
        raise ConfigurationError("--adjudicate: give it twice, once for each reviewer")
    return names[0], names[1]


def _text_of(path: Path) -> str:
    from presidio_mx.errors import ConfigurationError

    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"{path}: cannot be read as UTF-8 text") from None
