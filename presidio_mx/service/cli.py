"""Commands: serve and review."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from presidio_mx.cli_options import (
    KeyOption,
    NerOption,
    OperatorsOption,
    PresetOption,
    SensitivityOption,
    SiteOption,
)
from presidio_mx.cli_text import say

app = typer.Typer()


# The types that get a number key on the review page, by how often notes have them.
_OFTEN = {
    entity: place
    for place, entity in enumerate(
        "PERSON DATE_TIME PHONE_NUMBER ADDRESS LOCATION ORGANIZATION MEDICAL_RECORD "
        "AGE MX_PROFESSIONAL_LICENSE MX_CURP MX_NSS MX_RFC".split()
    )
}


@app.command(help=say("De-identify notes over HTTP.", "Desidentifica notas por HTTP."))
def serve(
    host: Annotated[
        str, typer.Option(help=say("Address.", "Dirección."))
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help=say("Port; 0: a free one.", "Puerto; 0: uno libre."))
    ] = 8765,
    allow_remote: Annotated[
        bool,
        typer.Option(
            "--allow-remote",
            help=say(
                "Let other machines connect; needs a token.",
                "Permite que otras máquinas se conecten; exige un token.",
            ),
        ),
    ] = False,
    server_name: Annotated[
        list[str] | None,
        typer.Option(
            help=say(
                "Name by which clients call this server; may be repeated.",
                "Nombre con que los clientes llaman al servidor; se puede repetir.",
            )
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            help=say(
                "File with the token callers must bring; else PRESIDIO_MX_TOKEN.",
                "Archivo con el token que se exige; si no, PRESIDIO_MX_TOKEN.",
            )
        ),
    ] = None,
    operators: OperatorsOption = "tag",
    preset: PresetOption = "mx",
    ner: NerOption = "auto",
    site: SiteOption = None,
    sensitivity: SensitivityOption = "balanced",
    key_file: KeyOption = None,
    vault: Annotated[
        Path | None,
        typer.Option(
            help=say(
                "Encrypted file to which the originals are added (needs a key).",
                "Archivo cifrado al que se añaden los originales (requiere clave).",
            )
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option(min=1, help=say("Worker processes.", "Procesos."))
    ] = min(4, os.cpu_count() or 1),
    max_bytes: Annotated[
        int,
        typer.Option(
            min=1,
            help=say("Largest request, in bytes.", "Petición más grande, en bytes."),
        ),
    ] = 1_048_576,
    timeout: Annotated[
        float,
        typer.Option(
            min=0.1, help=say("Limit of one note, in s.", "Límite por nota, en s.")
        ),
    ] = 30.0,
) -> None:
    """De-identify notes over HTTP."""
    from presidio_mx.analyzer.ner.choose import resolved
    from presidio_mx.anonymizer.keys import find_key
    from presidio_mx.anonymizer.vault import add_to_vault
    from presidio_mx.errors import ConfigurationError
    from presidio_mx.service.api import create_app
    from presidio_mx.service.guard import LOOPBACK_NAMES, Limits
    from presidio_mx.service.listen import address, open_socket, read_token, run
    from presidio_mx.service.work import Setup, warm

    token = read_token(token_file)
    sock = open_socket(host, port, remote=allow_remote, token=token)
    setup = Setup(
        preset=preset,
        ner=resolved(ner, preset),
        site=site,
        operators=operators,
        # One key for all workers, even where the user gave none.
        key=find_key(key_file=key_file, required=vault is not None),
        vault=vault,
        sensitivity=sensitivity,
    )
    if operators not in setup.profiles():
        there = ", ".join(setup.profiles())
        raise ConfigurationError(f"--operators {operators}: the profiles are {there}")
    if vault is not None:
        add_to_vault(vault, [], find_key(setup.key))  # refused now or never
    warm(setup)
    names = {*LOOPBACK_NAMES, host.lower(), *(n.lower() for n in server_name or ())}
    limits = Limits(hosts=frozenset(names), token=token, max_bytes=max_bytes)
    app = create_app(setup, limits, workers=workers, seconds=timeout)
    run(app, sock, lambda: _say(f"{address(sock)}  (POST /anonymize, /openapi.json)"))


def _say(text: str) -> None:
    typer.echo(text, err=True)
    sys.stderr.flush()


@app.command(
    help=say(
        "Open a page to check what was found, note by note.",
        "Abre una página para revisar lo hallado, nota por nota.",
    )
)
def review(
    source: Annotated[
        Path,
        typer.Argument(
            help=say(
                "Folder of .txt files, or a .jsonl file with id and text.",
                "Carpeta de archivos .txt, o un .jsonl con id y text.",
            )
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            help=say(
                "Folder for decisions and results; reopen it to go on.",
                "Carpeta de decisiones y resultados; reábrala para continuar.",
            )
        ),
    ],
    reviewer: Annotated[
        str, typer.Option(help=say("Your name.", "Su nombre."))
    ] = "reviewer",
    sample: Annotated[
        int | None,
        typer.Option(
            min=1,
            help=say("Review so many notes, drawn at random.", "Revisa N al azar."),
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(help=say("Seed of the draw.", "Semilla del sorteo."))
    ] = 0,
    operators: OperatorsOption = "tag",
    people: Annotated[
        str,
        typer.Option(
            help=say(
                "everyone, or patient_and_relatives: names of staff stay.",
                "everyone (todos) o patient_and_relatives: queda el personal.",
            )
        ),
    ] = "everyone",
    preset: PresetOption = "mx",
    ner: NerOption = "auto",
    site: SiteOption = None,
    key_file: KeyOption = None,
    port: Annotated[
        int, typer.Option(help=say("Port; 0: a free one.", "Puerto; 0: uno libre."))
    ] = 0,
    browser: Annotated[
        bool, typer.Option(help=say("Open a browser.", "Abre un navegador."))
    ] = True,
) -> None:
    """Open a page to check what was found, note by note."""
    import webbrowser

    from rich.console import Console
    from rich.progress import Progress

    from presidio_mx.analyzer.engine import mx_recognizers
    from presidio_mx.analyzer.site import operator_folders
    from presidio_mx.anonymizer.engine import anonymize, resolve_operators
    from presidio_mx.anonymizer.keys import find_key
    from presidio_mx.cli_text import speaks_spanish
    from presidio_mx.pipeline import analyze
    from presidio_mx.service.listen import address, open_socket, run
    from presidio_mx.service.review.app import create_app, new_path
    from presidio_mx.service.review.export import export
    from presidio_mx.service.review.project import open_project
    from presidio_mx.service.review.session import Session

    folders = operator_folders(site)
    profile = resolve_operators(operators, folders)
    key = find_key(key_file=key_file)
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(say("Finding", "Buscando"), total=None)
        project = open_project(
            source,
            out,
            lambda text: analyze(
                text,
                people=people,  # type: ignore[arg-type]
                preset=preset,
                ner=ner,
                site=site,
            ),
            sample=sample,
            seed=seed,
            progress=lambda done, all_: bar.update(task, completed=done, total=all_),
        )
    session = Session(
        project, reviewer, lambda text, spans: anonymize(text, spans, profile, key=key)
    )
    found = [e for r in mx_recognizers(preset, site) for e in r.supported_entities]
    path = new_path()
    page = create_app(
        session,
        path,
        export,
        entities=sorted(set(found), key=lambda e: (_OFTEN.get(e, 99), e)),
        site=site,
        spanish=speaks_spanish(),
    )
    sock = open_socket("127.0.0.1", port, remote=False, token="")
    url = f"{address(sock)}/{path}/"

    def ready() -> None:
        _say(url)
        _say(say("Press Ctrl+C to end.", "Pulse Ctrl+C para terminar."))
        if browser:
            webbrowser.open(url)

    try:
        run(page, sock, ready)
    finally:
        session.close()
