"""The vault: the originals of anonymized documents, encrypted with AES-256-GCM.

Without the key nothing in it can be read, not even which documents it has. The file is
described in :mod:`presidio_mx.replace.vault_file`.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.replace.keys import Key
from presidio_mx.replace.vault_file import VaultFile, open_vault
from presidio_mx.replace.vault_text import NotAVaultError, text_vault_contents

if TYPE_CHECKING:  # the engine takes seconds to import, a vault needs none
    from presidio_mx.replace.engine import AnonymizedText


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

    :param document: Identifier of the document; may be empty.
    :param digest: SHA-256 of the anonymized text, in hexadecimal digits.
    :param originals: What was replaced, in reading order.
    """

    document: str = field(repr=False)
    digest: str
    originals: tuple[Original, ...]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def make_record(document: str, text: str, done: "AnonymizedText") -> Record:
    """Return what restores a document.

    :param document: Its identifier; empty if its text shall decide.
    :param text: The original document.
    :param done: What :func:`presidio_mx.replace.engine.anonymize` made of it.
    :return: The record.
    """
    return record_of(document, done.text, originals_of(text, done))


def originals_of(text: str, done: "AnonymizedText") -> tuple[Original, ...]:
    """Return what stood in the places of a document's replacements.

    :param text: The original document.
    :param done: What became of it.
    """
    return tuple(
        Original(item.new_start, item.new_end, text[item.start : item.end])
        for item in done.items
    )


def record_of(document: str, new: str, originals: tuple[Original, ...]) -> Record:
    """Return what restores a document, from what another process sent.

    :param document: Its identifier.
    :param new: The anonymized text.
    :param originals: What stood in its places.
    """
    return Record(document, _digest(new), originals)


def document_id(vault: Path | str, file: Path | str) -> str:
    """Return what a vault calls a file: its path as seen from the vault's folder.

    Two files of one name in two folders are two documents, from wherever a command is
    run.

    :param vault: The vault.
    :param file: The document's file.
    :return: A relative path with ``/``; absolute if it is on another drive.
    """
    try:
        found = os.path.relpath(file, Path(vault).parent)
    except ValueError:  # Windows: another drive
        return Path(file).absolute().as_posix()
    return Path(found).as_posix()


def _packed(record: Record) -> bytes:
    content = asdict(record)
    content["originals"] = [list(o.values()) for o in content["originals"]]
    return json.dumps(content).encode("ascii")


def _unpacked(content: bytes) -> Record:
    data = json.loads(content)
    originals = tuple(Original(*item) for item in data["originals"])
    return Record(data["document"], data["digest"], originals)


def read_vault(path: Path | str, key: Key | str | bytes) -> Iterator[Record]:
    """Yield the records of a vault.

    :param path: The vault.
    :param key: The key it was written with.
    :return: One record a document, in the order in which they came.
    :raises ConfigurationError: If it is no vault, the key is wrong, or records were
        changed, removed or put in another order.
    """
    path, key = Path(path), Key.from_value(key)
    try:
        with open_vault(path, key) as vault:
            contents = list(vault.contents())  # whoever reads slowly stops no writer
    except NotAVaultError:
        contents = list(text_vault_contents(path, key))
    yield from map(_unpacked, contents)


def add_to_vault(
    path: Path | str, records: Iterable[Record], key: Key | str | bytes
) -> None:
    """Add documents to a vault, which is made if there is none: all of them or none.

    Several processes may add at once. A record that the vault holds already is passed
    over, so that an interrupted run can be repeated.

    :param path: The vault; only its owner may read a new one.
    :param records: What restores the documents.
    :param key: The key; an existing vault must have been written with it.
    :raises ConfigurationError: If the vault is another key's, damaged, of the first
        format, or has another text under the same identifier.
    """
    path, key = Path(path), Key.from_value(key)
    given = list(records)
    try:
        with open_vault(path, key, write=True) as vault:
            for record in given:
                if not _holds(vault, record, path):
                    vault.add(record.document, record.digest, _packed(record))
    except NotAVaultError as error:
        raise _older_or_none(path, key, error) from None


def _holds(vault: VaultFile, record: Record, path: Path) -> bool:
    if not record.document:
        same = vault.by_text(record.digest)
        return any(_unpacked(content) == record for content in same)
    for content in vault.by_document(record.document):
        if _unpacked(content) == record:
            return True
        raise ConfigurationError(
            f"{path} already holds this document with another text; use another id or "
            "another vault"
        )
    return False


def _older_or_none(
    path: Path, key: Key, error: ConfigurationError
) -> ConfigurationError:
    try:
        for _ in text_vault_contents(path, key):
            break
    except NotAVaultError:
        return error
    except ConfigurationError as problem:
        return problem
    return ConfigurationError(
        f"{path} is a vault of the first format, which is only read; make it into a "
        "new one with: presidio-mx key rotate"
    )


def has_key(path: Path | str, key: Key | str | bytes) -> bool:
    """Tell whether a vault of the present format was written with a key.

    :param path: The vault.
    :param key: The key.
    """
    key = Key.from_value(key)
    try:
        with open_vault(Path(path), key):
            return True
    except ConfigurationError:
        return False


def change_key(path: Path | str, old: Key, new: Key) -> int:
    """Encrypt a vault anew under another key; the old one opens it no more.

    A vault of the first format becomes one of the present format. Interrupted, the
    vault is as it was.

    :param path: The vault.
    :param old: The key it was written with.
    :param new: The key it gets.
    :return: Number of records.
    :raises ConfigurationError: As :func:`read_vault`.
    """
    path = Path(path)
    if not os.path.lexists(path):
        raise ConfigurationError(f"vault {path}: no such file")
    try:
        with open_vault(path, old, write=True) as vault:
            contents = list(vault.contents())
            vault.clear(new)
            for content in contents:
                record = _unpacked(content)
                vault.add(record.document, record.digest, content)
            return vault.records
    except NotAVaultError:
        return _convert(path, old, new)


def _convert(path: Path, old: Key, new: Key) -> int:
    contents = list(text_vault_contents(path, old))
    made = path.with_name(path.name + ".new")
    made.unlink(missing_ok=True)
    try:
        with open_vault(made, new, write=True) as vault:
            for content in contents:
                record = _unpacked(content)
                vault.add(record.document, record.digest, content)
        os.replace(made, path)
    finally:
        made.unlink(missing_ok=True)
    return len(contents)


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


def find_record(
    path: Path | str, key: Key | str | bytes, text: str, document: str = ""
) -> Record:
    """Return the record of a document.

    :param path: The vault.
    :param key: The key it was written with.
    :param text: The anonymized document.
    :param document: Its identifier; otherwise its text decides.
    :return: The record.
    :raises ConfigurationError: If the vault cannot be read with this key, or is
        damaged.
    :raises InputError: If it has no such document, or has several of this text that
        were different before.
    """
    path, key = Path(path), Key.from_value(key)
    digest = _digest(text)
    try:
        with open_vault(path, key) as vault:
            contents = (
                vault.by_document(document) if document else vault.by_text(digest)
            )
            if not contents:  # an index that was tampered with hides no record
                for _ in vault.contents():
                    pass
            found = list(map(_unpacked, contents))
    except NotAVaultError:
        every = map(_unpacked, text_vault_contents(path, key))
        found = [
            record
            for record in every
            if (record.document == document if document else record.digest == digest)
        ]
    if not found:
        wanted = "a document with this id" if document else "this text"
        raise InputError(f"{path} does not hold {wanted}")
    if len({record.originals for record in found}) > 1:
        raise InputError(
            f"{path} holds {len(found)} documents that have this text now and were "
            "different before; say which one is meant by --document"
        )
    return found[0]
