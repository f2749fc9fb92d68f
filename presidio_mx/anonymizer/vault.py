"""The vault: the originals of anonymized documents, encrypted with AES-256-GCM.

A text file. The first line names the format and a random salt; each other line is one
document: base64 of a random nonce of 12 bytes and the encrypted record (NIST SP
800-38D). Without the key nothing in it can be read, not even which documents it has.
"""

import base64
import binascii
import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from presidio_mx.anonymizer.engine import AnonymizedText
from presidio_mx.anonymizer.keys import Key
from presidio_mx.errors import ConfigurationError, InputError

_FORMAT = "presidio-mx-vault-1"
_NONCE_BYTES = 12


@dataclass(frozen=True)
class Original:
    """What stood in the place of a replacement.

    :param new_start: Offset of the replacement in the anonymized text.
    :param new_end: Offset after it.
    :param text: The original text.
    """

    new_start: int
    new_end: int
    text: str = field(repr=False)


@dataclass(frozen=True)
class Record:
    """What restores one document.

    :param document: Identifier of the document.
    :param digest: SHA-256 of the anonymized text, in hexadecimal digits.
    :param originals: What was replaced, in reading order.
    """

    document: str
    digest: str
    originals: tuple[Original, ...]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def make_record(document: str, text: str, done: AnonymizedText) -> Record:
    """Return what restores a document.

    :param document: Its identifier.
    :param text: The original document.
    :param done: What :func:`presidio_mx.anonymizer.engine.anonymize` made of it.
    :return: The record.
    """
    originals = tuple(
        Original(item.new_start, item.new_end, text[item.start : item.end])
        for item in done.items
    )
    return Record(document, _digest(done.text), originals)


def _cipher(key: Key, salt: str) -> AESGCM:
    return AESGCM(key.derive("vault", salt))


def _seal(record: Record, key: Key, salt: str) -> str:
    content = {
        "document": record.document,
        "digest": record.digest,
        "originals": [[o.new_start, o.new_end, o.text] for o in record.originals],
    }
    nonce = secrets.token_bytes(_NONCE_BYTES)
    plain = json.dumps(content).encode("ascii")
    sealed = _cipher(key, salt).encrypt(nonce, plain, f"{_FORMAT} {salt}".encode())
    return base64.b64encode(nonce + sealed).decode("ascii")


def _open(line: str, key: Key, salt: str, where: str) -> Record:
    try:
        raw = base64.b64decode(line, validate=True)
        plain = _cipher(key, salt).decrypt(
            raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], f"{_FORMAT} {salt}".encode()
        )
    except (InvalidTag, binascii.Error, ValueError):
        raise ConfigurationError(
            f"{where}: wrong key or damaged vault; nothing was restored"
        ) from None
    content = json.loads(plain)
    originals = tuple(Original(*item) for item in content["originals"])
    return Record(content["document"], content["digest"], originals)


def read_vault(path: Path | str, key: Key) -> Iterator[Record]:
    """Yield the records of a vault.

    :param path: The vault.
    :param key: The key it was written with.
    :return: One record a document.
    :raises ConfigurationError: If it is no vault, the key is wrong or it is damaged.
    """
    try:
        lines = Path(path).read_text(encoding="ascii").splitlines()
    except OSError as error:
        raise ConfigurationError(
            f"vault {path}: {error.strerror or 'unreadable'}"
        ) from None
    except UnicodeDecodeError:
        lines = []
    name, _, salt = lines[0].partition(" ") if lines else ("", "", "")
    if name != _FORMAT or not salt:
        raise ConfigurationError(f"{path}: not a vault of presidio-mx")
    for number, line in enumerate(lines[1:], start=2):
        if line:
            yield _open(line, key, salt, f"{path}, line {number}")


def add_to_vault(path: Path | str, records: Iterable[Record], key: Key) -> None:
    """Add documents to a vault, which is made if there is none.

    :param path: The vault; only its owner may read a new one.
    :param records: What restores the documents; written one by one.
    :param key: The key; an existing vault must have been written with it.
    :raises ConfigurationError: If the vault is another's, or has a document already.
    """
    path = Path(path)
    held: set[str] = set()
    if path.exists():
        held = {record.document for record in read_vault(path, key)}
        salt = path.read_text(encoding="ascii").splitlines()[0].partition(" ")[2]
        start = ""
    else:
        salt = secrets.token_hex(16)
        start = f"{_FORMAT} {salt}\n"
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    try:
        with os.fdopen(os.open(path, flags, 0o600), "a", encoding="ascii") as file:
            file.write(start)
            for record in records:
                if record.document in held:
                    raise ConfigurationError(
                        f"{path} already holds this document; use another id or "
                        "another vault"
                    )
                held.add(record.document)
                file.write(_seal(record, key, salt) + "\n")
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise ConfigurationError(f"vault {path}: {reason}") from None


def reidentify(text: str, record: Record) -> str:
    """Put the originals back into an anonymized document.

    :param text: The anonymized document, unchanged.
    :param record: Its record.
    :return: The original document.
    :raises InputError: If the text is not the one the record belongs to.
    """
    if _digest(text) != record.digest:
        raise InputError(
            "this text is not the anonymized document that the vault knows, or it was "
            "changed since; restore from an unchanged copy"
        )
    parts, position = [], 0
    for original in record.originals:
        parts += [text[position : original.new_start], original.text]
        position = original.new_end
    return "".join([*parts, text[position:]])


def find_record(path: Path | str, key: Key, text: str, document: str = "") -> Record:
    """Return the record of a document.

    :param path: The vault.
    :param key: The key it was written with.
    :param text: The anonymized document.
    :param document: Its identifier; otherwise its text decides.
    :return: The record.
    :raises ConfigurationError: If the vault cannot be read with this key.
    :raises InputError: If it has no such document.
    """
    digest = _digest(text)
    for record in read_vault(path, key):
        if record.document == document or (not document and record.digest == digest):
            return record
    wanted = "a document with this id" if document else "this text"
    raise InputError(f"{path} does not hold {wanted}")
