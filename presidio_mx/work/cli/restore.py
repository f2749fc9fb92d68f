"""Sub-commands around anonymization: restore the originals, obfuscate."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from presidio_mx.work.cli.options import (
    KeyOption,
    NoteArgument,
    OutputOption,
    argument,
    option,
)
from presidio_mx.work.cli.text import read_note, say, write_text


def reidentify(
    file: Annotated[
        str,
        argument(
            "De-identified note, or - for standard input.",
            "Nota desidentificada, o - para la entrada estándar.",
        ),
    ],
    vault: Annotated[
        Path,
        option(
            "Vault written when it was de-identified.",
            "Bóveda escrita al desidentificarla.",
        ),
    ],
    key_file: KeyOption = None,
    document: Annotated[
        str,
        option(
            "Identifier of the document; by default it is found by its text.",
            "Identificador del documento; si no, decide su texto.",
        ),
    ] = "",
    output: OutputOption = None,
) -> None:
    """Restore a de-identified note from the encrypted vault."""
    from presidio_mx.replace import vault as vaults
    from presidio_mx.replace.keys import find_key

    key = find_key(key_file=key_file, required=True)
    text = _read(file)
    record = vaults.find_record(vault, key, text, document)
    write_text(vaults.reidentify(text, record), output)


def decrypt(
    file: Annotated[
        str,
        argument(
            "Note whose values are encrypted, or - for standard input.",
            "Nota con valores cifrados, o - para la entrada estándar.",
        ),
    ],
    key_file: KeyOption = None,
    aes_cbc: Annotated[
        bool,
        option(
            "The values are by Presidio's own operator, which has no checksum.",
            "Los valores son del operador propio de Presidio, sin verificación.",
            "--aes-cbc",
        ),
    ] = False,
    output: OutputOption = None,
) -> None:
    """Decrypt the values of a note that the profile encrypt wrote."""
    from presidio_mx.replace.encryption import decrypt_cbc, decrypt_text
    from presidio_mx.replace.keys import find_key

    key = find_key(key_file=key_file, required=True)
    text = _read(file)
    back = decrypt_cbc(text, key) if aes_cbc else decrypt_text(text, key)
    write_text(back, output)


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


LemmasOption = Annotated[
    str,
    option(
        "spaCy model for lemmas, the same for both commands.",
        "Modelo de spaCy para lemas, el mismo en ambas órdenes.",
    ),
]


def train_embeddings(
    notes: Annotated[Path, argument("Folder of .txt notes.", "Carpeta de notas .txt.")],
    output: Annotated[
        Path,
        option(
            "New file for the vectors; never overwritten.",
            "Archivo nuevo para los vectores; nunca se sobrescribe.",
        ),
    ],
    dimensions: Annotated[
        int, option("Length of the vectors.", "Largo de los vectores.", min=2)
    ] = 100,
    epochs: Annotated[
        int, option("Passes over the notes.", "Vueltas sobre las notas.", min=1)
    ] = 10,
    minimum: Annotated[
        int,
        option(
            "Leave out words that occur fewer times.",
            "Se omiten las menos frecuentes.",
            min=1,
        ),
    ] = 2,
    method: Annotated[
        str, option("word2vec or glove.", "word2vec o glove.")
    ] = "word2vec",
    lemmas: LemmasOption = "",
) -> None:
    """Train Word2Vec vectors on de-identified notes, for obfuscation."""
    from presidio_mx.replace.lemmas import lemma_of
    from presidio_mx.replace.vector_training import train_vectors
    from presidio_mx.text.reading.folders import notes_in

    texts = [read_note(str(path)) for path in notes_in(notes)]
    count = train_vectors(
        texts,
        output,
        dimensions=dimensions,
        epochs=epochs,
        minimum=minimum,
        method=method,
        lemma=lemma_of(lemmas),
    )
    typer.echo(
        say(
            f"{output}: {count} words from {len(texts)} notes",
            f"{output}: {count} palabras de {len(texts)} notas",
        )
    )


def obfuscate(
    file: NoteArgument,
    vectors: Annotated[
        Path,
        option(
            "Vectors of Word2Vec or GloVe, as text.",
            "Vectores de Word2Vec o GloVe, en texto.",
        ),
    ],
    neighbours: Annotated[
        int,
        option(
            "Number of neighbours to choose from.",
            "Cuántas entre las que elige.",
            min=1,
        ),
    ] = 5,
    keep_clinical: Annotated[
        bool,
        option("Keep drugs and clinical terms.", "Deja fármacos y términos clínicos."),
    ] = False,
    lemmas: LemmasOption = "",
    key_file: KeyOption = None,
    output: OutputOption = None,
) -> None:
    """Replace every word of a note by one of its nearest neighbours."""
    from presidio_mx.replace import embeddings
    from presidio_mx.replace.keys import find_key
    from presidio_mx.replace.lemmas import lemma_of

    key = find_key(key_file=key_file)
    keep = embeddings.clinical_words() if keep_clinical else frozenset()
    text = embeddings.obfuscate(
        read_note(file),
        embeddings.load_vectors(vectors),
        key=key,
        neighbours=neighbours,
        keep=keep,
        lemma=lemma_of(lemmas),
    )
    write_text(text, output)
