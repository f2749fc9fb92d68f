"""Commands: serve, mcp and review."""

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from presidio_mx.work.cli.options import (
    KeyOption,
    NerOption,
    OperatorsOption,
    PortOption,
    PresetOption,
    SensitivityOption,
    SiteOption,
    TimeLimitOption,
    VaultOption,
    argument,
    option,
)
from presidio_mx.work.cli.review import review
from presidio_mx.work.cli.text import say, tell

if TYPE_CHECKING:
    from presidio_mx.replace.keys import Key

app = typer.Typer()
app.command(
    help=say(
        "Open a page to check what was found, note by note.",
        "Abre una página para revisar lo hallado, nota por nota.",
    )
)(review)


@app.command(help=say("De-identify notes over HTTP.", "Desidentifica notas por HTTP."))
def serve(
    host: Annotated[str, option("Address.", "Dirección.")] = "127.0.0.1",
    port: PortOption = 8765,
    allow_remote: Annotated[
        bool,
        option(
            "Let other machines connect; needs a token.",
            "Permite que otras máquinas se conecten; exige un token.",
            "--allow-remote",
        ),
    ] = False,
    server_name: Annotated[
        list[str] | None,
        option(
            "Name by which clients call this server; may be repeated.",
            "Nombre con que los clientes llaman al servidor; se puede repetir.",
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        option(
            "File with the token callers must send; else PRESIDIO_MX_TOKEN.",
            "Archivo con el token que se exige; si no, PRESIDIO_MX_TOKEN.",
        ),
    ] = None,
    operators: OperatorsOption = "tag",
    preset: PresetOption = "mx",
    ner: NerOption = "auto",
    site: SiteOption = None,
    sensitivity: SensitivityOption = "balanced",
    also: Annotated[
        list[str] | None,
        option(
            "Further language by Presidio's own recognizers; may be repeated.",
            "Otro idioma, con los reconocedores de Presidio; se puede repetir.",
            metavar="LANGUAGE[=MODEL]",
        ),
    ] = None,
    key_file: KeyOption = None,
    ephemeral_key: Annotated[
        bool,
        option(
            "Without a key, use a random one that ends with the server.",
            "Sin clave, usa una al azar que termina con el servidor.",
            "--ephemeral-key",
        ),
    ] = False,
    vault: VaultOption = None,
    workers: Annotated[int, option("Worker processes.", "Procesos.", min=1)] = min(
        4, os.cpu_count() or 1
    ),
    max_bytes: Annotated[
        int,
        option(
            "Largest request, in bytes; a note's limit follows from --timeout.",
            "Petición más grande, en bytes; la de una nota sigue de --timeout.",
            min=1,
        ),
    ] = 8_388_608,
    timeout: TimeLimitOption = 30.0,
) -> None:
    """De-identify notes over HTTP."""
    from presidio_mx.errors import ConfigurationError
    from presidio_mx.find.ner.choose import resolved
    from presidio_mx.replace.vault import add_to_vault
    from presidio_mx.time_limit import check_limit
    from presidio_mx.work.service.api import create_app
    from presidio_mx.work.service.guard import LOOPBACK_NAMES, Limits
    from presidio_mx.work.service.listen import (
        address,
        is_loopback,
        open_socket,
        read_token,
        run,
    )
    from presidio_mx.work.service.presidio_config import parse_also
    from presidio_mx.work.service.work import NEEDS_KEY, Setup, note_limit, warm

    check_limit(timeout)
    token = read_token(token_file)
    sock = open_socket(host, port, remote=allow_remote, token=token)
    chosen = resolved(ner, preset)
    setup = Setup(
        preset=preset,
        ner=chosen,
        site=site,
        operators=operators,
        key=_server_key(key_file, ephemeral=ephemeral_key, required=vault is not None),
        vault=vault,
        sensitivity=sensitivity,
        note_bytes=note_limit(chosen, timeout),
        also=tuple(parse_also(also or ()).items()),
    )
    if operators not in setup.profiles():
        there = ", ".join(setup.profiles())
        raise ConfigurationError(f"--operators {operators}: the profiles are {there}")
    if setup.lacks_key(operators):
        raise ConfigurationError(f"--operators: {NEEDS_KEY.format(operators)}")
    if vault is not None and setup.key is not None:
        add_to_vault(vault, [], setup.key)  # refused now or never
    warm(setup)
    names = {*LOOPBACK_NAMES, host.lower(), *(n.lower() for n in server_name or ())}
    if any("*" in name for name in names):
        raise ConfigurationError("--server-name is a whole name, without *")
    limits = Limits(hosts=frozenset(names), token=token, max_bytes=max_bytes)
    app = create_app(
        setup, limits, workers=workers, seconds=timeout, page=is_loopback(host)
    )
    run(app, sock, lambda: tell(f"{address(sock)}  (POST /anonymize, /openapi.json)"))


@app.command(
    help=say(
        "Offer hide and restore to assistants (Model Context Protocol, stdio).",
        "Ofrece hide y restore a asistentes (Model Context Protocol, stdio).",
    )
)
def mcp(
    folder: Annotated[
        Path,
        argument(
            "Folder of the notes, where answers are written, too.",
            "Carpeta de las notas; ahí se escriben también las respuestas.",
        ),
    ],
    preset: PresetOption = "mx",
    ner: NerOption = "auto",
    site: SiteOption = None,
    sensitivity: SensitivityOption = "balanced",
) -> None:
    """Offer hide and restore to assistants (Model Context Protocol, stdio)."""
    from presidio_mx.extras import need
    from presidio_mx.work.service.mcp_server import Desk, mcp_server

    need("mcp", "an MCP server", "mcp")
    desk = Desk(folder, preset=preset, ner=ner, site=site, sensitivity=sensitivity)
    mcp_server(desk).run()


def _server_key(
    key_file: Path | None, *, ephemeral: bool, required: bool
) -> "Key | None":
    """Return the key that all workers share, or None if there is none."""
    from presidio_mx.replace.keys import ENVIRONMENT_VARIABLE, Key, find_key

    if key_file or os.environ.get(ENVIRONMENT_VARIABLE) or required:
        return find_key(key_file=key_file, required=True)
    return Key(secrets.token_bytes(32)) if ephemeral else None
