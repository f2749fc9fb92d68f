"""Commands of ``presidio-mx key``: make a key, check one, change the key of vaults."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from presidio_mx.work.cli.help import Group
from presidio_mx.work.cli.options import KeyOption, argument, option
from presidio_mx.work.cli.text import say, tell

_KEY_BYTES = 32

app = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    help=say(
        "Make, check and change the secret key of surrogates and vaults.",
        "Crea, revisa y cambia la clave secreta de sustitutos y bóvedas.",
    ),
)
VaultsOption = Annotated[
    list[Path] | None,
    option("A vault; may be repeated.", "Bóveda; se puede repetir.", "--vault"),
]


@app.command(
    help=say(
        "Write a new random key into a new file that only you may read.",
        "Escribe una clave nueva, al azar, en un archivo nuevo que solo usted lee.",
    )
)
def new(
    file: Annotated[
        Path, argument("A file that does not exist.", "Un archivo que no existe.")
    ],
) -> None:
    """Write a new random key."""
    made = _make(file)
    typer.echo(say(f"{file}: key {made}", f"{file}: clave {made}"))


def _make(file: Path) -> str:
    """Write a random key; return its id."""
    from presidio_mx.errors import ConfigurationError
    from presidio_mx.private_file import write_private
    from presidio_mx.replace.keys import Key

    text = secrets.token_hex(_KEY_BYTES).encode("ascii")
    try:
        write_private(file, [text, b"\n"], replace=False)
    except FileExistsError:
        raise ConfigurationError(f"{file} exists; a key is never overwritten") from None
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise ConfigurationError(f"key file {file}: {reason}") from None
    return Key.from_text(text).id


@app.command(
    help=say(
        "Show which key this is, and whether it opens vaults undamaged.",
        "Dice qué clave es y si las bóvedas están completas con ella.",
    )
)
def check(
    file: Annotated[
        Path | None,
        argument(
            "File with the key; else PRESIDIO_MX_KEY.",
            "Archivo con la clave; si no, PRESIDIO_MX_KEY.",
        ),
    ] = None,
    vault: VaultsOption = None,
) -> None:
    """Show which key this is, and whether it opens vaults undamaged."""
    from presidio_mx.replace.keys import find_key
    from presidio_mx.replace.vault import read_vault
    from presidio_mx.replace.vault_witness import Witness

    key = find_key(key_file=file, required=True)
    kind = say("passphrase", "frase") if key.given else say("key", "clave")
    typer.echo(f"{kind} {key.id}")
    for path in vault or ():
        records = sum(1 for _ in read_vault(path, key))
        typer.echo(
            say(
                f"{path}: whole, {records:,} records",
                f"{path}: completa, {records:,} registros",
            )
        )
    if vault and not Witness.of(key).kept():
        tell(
            say(
                "older copies are not noticed: beside this key nothing is kept",
                "no se notan copias anteriores: junto a esta clave no se guarda nada",
            )
        )


@app.command(
    help=say(
        "Re-encrypt vaults under a new key; the old key no longer opens them.",
        "Cifra bóvedas de nuevo con otra clave; la anterior ya no las abre.",
    )
)
def rotate(
    new_file: Annotated[
        Path,
        argument(
            "The new key; made if there is no such file.",
            "La clave nueva; se crea si no existe el archivo.",
            metavar="NEW_KEY_FILE",
        ),
    ],
    vault: VaultsOption = None,
    key_file: KeyOption = None,
) -> None:
    """Encrypt vaults anew under another key."""
    from presidio_mx.replace.keys import Key, find_key
    from presidio_mx.replace.vault import change_key, has_key, read_vault

    old = find_key(key_file=key_file, required=True)
    if not new_file.exists():
        for path in vault or ():
            next(iter(read_vault(path, old)), None)  # refused before a key is made
        _make(new_file)
    key = Key.from_file(new_file)
    for path in vault or ():
        if has_key(path, key):
            typer.echo(say(f"{path}: has this key", f"{path}: ya tiene esta clave"))
            continue
        records = change_key(path, old, key)
        typer.echo(
            say(
                f"{path}: {records:,} records, now under key {key.id}",
                f"{path}: {records:,} registros, ahora con la clave {key.id}",
            )
        )
    tell(
        say(
            f"Notes encrypted or replaced under key {old.id} stay as they are: keep it "
            "as long as they are needed.",
            f"Las notas cifradas o sustituidas con la clave {old.id} quedan igual: "
            "consérvela mientras hagan falta.",
        )
    )
