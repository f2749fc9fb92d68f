"""The vault's file: an SQLite database of encrypted, numbered, counted records.

SQLite brings what many writers need: locks, an index, and commits that are there whole
or not at all. What is in the rows says nothing without the key
(:mod:`presidio_mx.replace.vault_cipher`):

- A record is bound to its number, its index values and the vault's salt as associated
  data: moved, exchanged or copied from another vault it does not open.
- Records have the numbers 1 to n without a gap, and n is stored with a keyed seal: one
  that was removed is missed when the vault is next opened.
- That it is the newest copy is known beside the key's file
  (:mod:`presidio_mx.replace.vault_witness`).
"""

import hmac
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from cryptography.exceptions import InvalidTag

from presidio_mx.errors import ConfigurationError
from presidio_mx.replace.keys import Key
from presidio_mx.replace.private_database import check_ordinary, connect_private
from presidio_mx.replace.vault_cipher import VaultCipher
from presidio_mx.replace.vault_text import NotAVaultError
from presidio_mx.replace.vault_witness import Seen, Witness

_VERSION = 2
_SALT_BYTES = 16
_SCHEMA = (
    "CREATE TABLE vault (salt BLOB, key_id TEXT, records INTEGER, seal BLOB)",
    "CREATE TABLE record (number INTEGER PRIMARY KEY, document BLOB NOT NULL, "
    "text BLOB NOT NULL, sealed BLOB NOT NULL)",
    "CREATE INDEX by_document ON record (document)",
    "CREATE INDEX by_text ON record (text)",
    f"PRAGMA user_version = {_VERSION}",
)


class VaultFile:
    """An open vault inside a transaction; made by :func:`open_vault`.

    :param connection: The database.
    :param path: Its path, for messages.
    :param key: The key.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, key: Key) -> None:
        """Read and check the vault's state."""
        self._connection, self._path = connection, path
        self._witness = Witness.of(key)
        row = connection.execute("SELECT salt, key_id, records, seal FROM vault")
        salt, key_id, records, seal = row.fetchone()
        self.records = int(records)
        self._secrets = VaultCipher.of(key, salt)
        if not hmac.compare_digest(seal, self._secrets.seal_of(self.records)):
            other = "" if key_id == key.id else f" (key {key_id} made it, not {key.id})"
            raise ConfigurationError(
                f"{path}: wrong key or damaged vault{other}; nothing was restored"
            )
        # Two questions: SQLite answers each from an index, both at once from all rows.
        for question in ("count(*)", "ifnull(max(number), 0)"):
            answer = connection.execute(f"SELECT {question} FROM record").fetchone()
            if answer != (self.records,):
                raise self._tampered()
        self._seen = self._witness.seen(salt)
        self._check_newest()

    def _last(self, number: int | None = None) -> Seen:
        """Return how far the vault has come.

        :param number: How far it had come at that record.
        """
        number = self.records if number is None else number
        row = self._connection.execute(
            "SELECT sealed FROM record WHERE number = ?", (number,)
        ).fetchone()
        return Seen.of(number, row[0] if row else b"")

    def _check_newest(self) -> None:
        """Hold the vault against what its key has seen of it before."""
        seen = self._seen
        if seen is None:
            return
        if seen.records > self.records or self._last(seen.records) != seen:
            raise ConfigurationError(
                f"{self._path} has {self.records} records and is an older copy of a "
                f"vault that had {seen.records}, or one that went on from such a copy; "
                "nothing was restored or added: put the newest copy back, or delete "
                f"{self._witness.path} if this one is meant"
            )

    def kept(self) -> Callable[[], None]:
        """Return what keeps beside the key how far the vault has come.

        :return: To be called when the transaction is over: what was taken back was
            never there.
        """
        salt, now = self._secrets.salt, self._last()
        if now == self._seen:
            return lambda: None
        return partial(self._witness.keep, salt, now)

    def _tampered(self) -> ConfigurationError:
        return ConfigurationError(
            f"{self._path}: damaged vault: records were removed, exchanged or changed; "
            "nothing was restored: take a copy that is whole"
        )

    def _opened(self, row: tuple[int, bytes, bytes, bytes]) -> bytes:
        try:
            return self._secrets.decrypt(*row)
        except (InvalidTag, ValueError, TypeError):
            raise self._tampered() from None

    def contents(self) -> Iterator[bytes]:
        """Yield the contents of all records in the order in which they came.

        :raises ConfigurationError: If one is not what was written there.
        """
        rows = self._connection.execute(
            "SELECT number, document, text, sealed FROM record ORDER BY number"
        )
        for expected, row in enumerate(rows, start=1):
            if row[0] != expected:
                raise self._tampered()
            yield self._opened(row)

    def by_document(self, document: str) -> list[bytes]:
        """Return the contents of a document's records.

        :param document: Identifier of the document.
        """
        return self._found("document", document)

    def by_text(self, digest: str) -> list[bytes]:
        """Return the contents of the records of a text.

        :param digest: Digest of the anonymized text.
        """
        return self._found("text", digest)

    def _found(self, kind: str, value: str) -> list[bytes]:
        rows = self._connection.execute(
            "SELECT number, document, text, sealed FROM record "
            f"WHERE {kind} = ? ORDER BY number",
            (self._secrets.index_value(kind, value),),
        )
        return [self._opened(row) for row in rows]

    def add(self, document: str, digest: str, content: bytes) -> None:
        """Add a record.

        :param document: Identifier of the document, or empty.
        :param digest: Digest of the anonymized text.
        :param content: What to keep.
        """
        number = self.records + 1
        at = self._secrets.index_value("document", document)
        text = self._secrets.index_value("text", digest)
        sealed = self._secrets.encrypt(number, at, text, content)
        self._connection.execute(
            "INSERT INTO record VALUES (?, ?, ?, ?)", (number, at, text, sealed)
        )
        self._connection.execute(
            "UPDATE vault SET records = ?, seal = ?",
            (number, self._secrets.seal_of(number)),
        )
        self.records = number

    def clear(self, key: Key) -> None:
        """Take all records out and go on with another key, for a change of keys.

        :param key: The new key.
        """
        self._connection.execute("DELETE FROM record")
        self._connection.execute("DELETE FROM vault")
        _begin(self._connection, key)
        fresh = VaultFile(self._connection, self._path, key)
        self._secrets, self.records = fresh._secrets, fresh.records
        self._witness, self._seen = fresh._witness, fresh._seen


def _begin(connection: sqlite3.Connection, key: Key) -> None:
    fresh = VaultCipher.of(key, secrets.token_bytes(_SALT_BYTES))
    row = (fresh.salt, key.id, 0, fresh.seal_of(0))
    connection.execute("INSERT INTO vault VALUES (?, ?, ?, ?)", row)


@contextmanager
def open_vault(path: Path, key: Key, *, write: bool = False) -> Iterator[VaultFile]:
    """Open a vault for one transaction: all of it is written at the end, or nothing.

    :param path: The vault.
    :param key: Its key.
    :param write: Make it if there is none, and keep other writers waiting.
    :return: The open vault.
    :raises NotAVaultError: If the file is no database.
    :raises ConfigurationError: If the vault is another key's, damaged, busy for a
        minute, or cannot be read or written.
    """
    try:
        connection = connect_private(path, make=write)
        with closing(connection), _transaction(connection, write):
            check_ordinary(path)
            if write and not _tables(connection):
                for statement in _SCHEMA:
                    connection.execute(statement)
                _begin(connection, key)
            if _version(connection) != _VERSION:
                raise NotAVaultError(f"{path}: not a vault of presidio-mx")
            vault = VaultFile(connection, path, key)
            yield vault
            keep = vault.kept()
        keep()
    except sqlite3.Error as error:
        raise _explained(error, path) from None
    except OSError as error:
        raise ConfigurationError(
            f"vault {path}: {error.strerror or 'unreadable'}"
        ) from None


@contextmanager
def _transaction(connection: sqlite3.Connection, write: bool) -> Iterator[None]:
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _tables(connection: sqlite3.Connection) -> int:
    found = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return int(found[0])


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _explained(error: sqlite3.Error, path: Path) -> ConfigurationError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return NotAVaultError(f"{path}: not a vault of presidio-mx")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ConfigurationError(f"vault {path}: another process keeps it; try again")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):
        return ConfigurationError(f"{path}: wrong key or damaged vault; take a copy")
    # SQLite's own words for a full disk, a folder without rights and the like.
    return ConfigurationError(f"vault {path}: {error}")
