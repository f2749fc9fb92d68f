"""What a key has seen of vaults, kept beside the key and not beside the vault.

A vault proves by itself that nothing in it was removed or changed, but not that it is
the newest: an older copy of all of it is a whole vault, too. So the file of a key has
another one beside it, ``KEYFILE.vaults``, that tells of each vault how many records it
had and what the last of them was. It says nothing of documents. Who may write where the
key is can take it away, and could take the key.
"""

import hashlib
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from presidio_mx.errors import ConfigurationError
from presidio_mx.replace.keys import Key
from presidio_mx.replace.private_database import connect_private

SUFFIX = ".vaults"
_DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS seen "
    "(vault BLOB PRIMARY KEY, records INTEGER NOT NULL, last BLOB NOT NULL)"
)
# Of two processes that end at once the one that has seen more is right.
_KEEP = (
    "INSERT INTO seen VALUES (?, ?, ?) ON CONFLICT (vault) DO UPDATE SET "
    "records = excluded.records, last = excluded.last "
    "WHERE excluded.records > seen.records"
)


@dataclass(frozen=True)
class Seen:
    """How far a vault had come.

    :param records: Number of its records.
    :param last: Digest of the last one as it is stored.
    """

    records: int
    last: bytes

    @classmethod
    def of(cls, records: int, sealed: bytes) -> "Seen":
        """Return what is kept of a vault.

        :param records: Number of its records.
        :param sealed: The last one as it is stored.
        """
        return cls(records, hashlib.sha256(sealed).digest())


@dataclass(frozen=True)
class Witness:
    """The file beside a key's file.

    :param path: The file; None if the key has none, then nothing is kept.
    """

    path: Path | None

    @classmethod
    def of(cls, key: Key) -> "Witness":
        """Return the witness of a key.

        :param key: The key.
        """
        file = key.file
        return cls(None if file is None else file.with_name(file.name + SUFFIX))

    def kept(self) -> bool:
        """Tell whether there is such a file."""
        return self.path is not None and self.path.exists()

    def seen(self, vault: bytes) -> Seen | None:
        """Return how far a vault had come when this key last saw it.

        :param vault: The vault's salt, by which it is known.
        :return: What is kept; None if nothing is.
        :raises ConfigurationError: If the file is damaged.
        """
        if self.path is None:
            return None
        try:
            with closing(connect_private(self.path)) as connection:
                row = connection.execute(
                    "SELECT records, last FROM seen WHERE vault = ?", (vault,)
                ).fetchone()
        except OSError:  # none yet
            return None
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
                return None  # another user's, or made a moment ago
            raise ConfigurationError(
                f"{self.path}: damaged; it tells which vaults are older copies: take a "
                "copy of it, or delete it if you know that the vaults are the newest"
            ) from None
        return None if row is None else Seen(int(row[0]), bytes(row[1]))

    def keep(self, vault: bytes, seen: Seen) -> None:
        """Keep how far a vault has come, where the key's folder can be written.

        :param vault: The vault's salt.
        :param seen: What was seen, of a transaction that is over.
        """
        if self.path is None:
            return
        # A key on a medium that cannot be written is no reason to lose a record.
        with suppress(OSError, sqlite3.Error):
            with closing(connect_private(self.path, make=True)) as connection:
                connection.execute(_SCHEMA)
                connection.execute(_KEEP, (vault, seen.records, seen.last))
