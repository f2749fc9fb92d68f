"""Vaults of the first format, a text file; they are read and made into new ones.

The first line names the format and a random salt; each other line is one document:
base64 of a random nonce of 12 bytes and the encrypted record (AES-256-GCM).
"""

import base64
import binascii
from collections.abc import Iterator
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from presidio_mx.errors import ConfigurationError
from presidio_mx.replace.keys import Key

_FORMAT = "presidio-mx-vault-1"
_NONCE_BYTES = 12


class NotAVaultError(ConfigurationError):
    """The file is no vault of the format that was asked for; perhaps of the other."""


def text_vault_contents(path: Path, key: Key) -> Iterator[bytes]:
    """Yield the contents of the records.

    :param path: The vault.
    :param key: The key it was written with.
    :raises NotAVaultError: If it is no vault of this format.
    :raises ConfigurationError: If it cannot be read, the key is wrong or it is damaged.
    """
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except OSError as error:
        raise ConfigurationError(
            f"vault {path}: {error.strerror or 'unreadable'}"
        ) from None
    except UnicodeDecodeError:
        lines = []
    name, _, salt = lines[0].partition(" ") if lines else ("", "", "")
    if name != _FORMAT or not salt:
        raise NotAVaultError(f"{path}: not a vault of presidio-mx")
    cipher = AESGCM(key.as_given().derive("vault", salt))
    for number, line in enumerate(lines[1:], start=2):
        if line:
            try:
                raw = base64.b64decode(line, validate=True)
                nonce, sealed = raw[:_NONCE_BYTES], raw[_NONCE_BYTES:]
                yield cipher.decrypt(nonce, sealed, f"{_FORMAT} {salt}".encode())
            except (InvalidTag, binascii.Error, ValueError):
                raise ConfigurationError(
                    f"{path}, line {number}: wrong key or damaged vault; nothing was "
                    "restored"
                ) from None
