"""Sub-commands around anonymization: bring back the originals, obfuscate."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from presidio_mx.cli_options import KeyOption
from presidio_mx.cli_text import read_note, say
from presidio_mx.errors import PresidioMxError
from presidio_mx.private_file import write_private


def reidentify(
    file: Annotated[
        str, typer.Argument(help="Anonymized document, or - for standard input.")
    ],
    vault: Annotated[Path, typer.Option(help="Vault written when it was anonymized.")],
    key_file: Annotated[
        Path | None,
        typer.Option(help="File with the key (otherwise PRESIDIO_MX_KEY)."),
    ] = None,
    document: Annotated[
        str, typer.Option(help="Identifier of the document; else its text decides.")
    ] = "",
    output: Annotated[
        Path | None, typer.Option(help="Where to write the original; never overwrites.")
    ] = None,
) -> None:
    """Restore the original of an anonymized document from the encrypted vault."""
    from presidio_mx.anonymizer import vault as vaults
    from presidio_mx.anonymizer.keys import find_key

    try:
        key = find_key(key_file=key_file, required=True)
        text = _read(file)
        record = vaults.find_record(vault, key, text, document)
        original = vaults.reidentify(text, record)
        _write(original, output)
    except PresidioMxError as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None


def decrypt(
    file: Annotated[
        str,
        typer.Argument(
            help=say(
                "Note whose values are encrypted, or - for standard input.",
                "Nota con valores cifrados, o - para la entrada estándar.",
            )
        ),
    ],
    key_file: KeyOption = None,
    aes_cbc: Annotated[
        bool,
        typer.Option(
            "--aes-cbc",
            help=say(
                "The values are of Presidio's own operator, which has no checksum.",
                "Los valores son del operador propio de Presidio, sin verificación.",
            ),
        ),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            help=say(
                "Where to write the original; never overwrites.",
                "Dónde escribir el original; nunca sobrescribe.",
            )
        ),
    ] = None,
) -> None:
    """Decrypt the values of a note that the profile ``encrypt`` wrote."""
    from presidio_mx.anonymizer.encryption import decrypt_cbc, decrypt_text
    from presidio_mx.anonymizer.keys import find_key

    try:
        key = find_key(key_file=key_file, required=True)
        text = _read(file)
        back = decrypt_cbc(text, key) if aes_cbc else decrypt_text(text, key)
        _write(back, output)
    except PresidioMxError as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None


def _read(file: str) -> str:
    """Read a document as it is: the places in the vault's record count its letters."""
    from presidio_mx.errors import InputError

    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return raw.decode("utf-8")
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or 'unreadable'}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: not UTF-8 text") from None


def _write(text: str, output: Path | None) -> None:
    from presidio_mx.errors import InputError

    data = text.encode("utf-8", "surrogatepass")
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return
    try:
        write_private(output, [data], replace=False)
    except FileExistsError:
        raise InputError(f"{output} exists; it is not overwritten") from None
    except OSError as error:
        raise InputError(f"{output}: {error.strerror or 'unwritable'}") from None


def train_embeddings(
    notes: Annotated[Path, typer.Argument(help="Folder of .txt notes.")],
    output: Annotated[Path, typer.Option(help="Vectors to write; never overwrites.")],
    dimensions: Annotated[int, typer.Option(min=2, help="Length of vectors.")] = 100,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the notes.")] = 10,
    minimum: Annotated[int, typer.Option(min=1, help="Rarer words are left out.")] = 2,
) -> None:
    """Train Word2Vec vectors on de-identified notes, for obfuscation."""
    from presidio_mx.anonymizer.embeddings import train_vectors

    try:
        texts = [read_note(str(path)) for path in sorted(notes.glob("**/*.txt"))]
        count = train_vectors(
            texts, output, dimensions=dimensions, epochs=epochs, minimum=minimum
        )
    except PresidioMxError as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None
    typer.echo(f"{output}: {count} words from {len(texts)} notes")


def obfuscate(
    file: Annotated[str, typer.Argument(help="Note, or - for standard input.")],
    vectors: Annotated[Path, typer.Option(help="Vectors of Word2Vec or GloVe, text.")],
    neighbours: Annotated[int, typer.Option(min=1, help="Choose among so many.")] = 5,
    keep_clinical: Annotated[
        bool, typer.Option(help="Keep drugs and clinical terms.")
    ] = False,
    key_file: Annotated[
        Path | None,
        typer.Option(help="File with the key (otherwise PRESIDIO_MX_KEY)."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Where to write the note; never overwrites.")
    ] = None,
) -> None:
    """Replace every word of a note by one of its nearest neighbours."""
    from presidio_mx.anonymizer import embeddings
    from presidio_mx.anonymizer.keys import find_key

    try:
        key = find_key(key_file=key_file)
        keep = embeddings.clinical_words() if keep_clinical else frozenset()
        text = embeddings.obfuscate(
            read_note(file),
            embeddings.load_vectors(vectors),
            key=key,
            neighbours=neighbours,
            keep=keep,
        )
        _write(text, output)
    except PresidioMxError as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None
