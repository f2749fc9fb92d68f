"""How a vault's records are encrypted, indexed and counted.

AES-256-GCM (NIST SP 800-38D); index values and the seal of the count are HMAC-SHA-256.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from presidio_mx.replace.keys import Key

_FORMAT = b"presidio-mx-vault-2"
_NONCE_BYTES = 12
_INDEX_BYTES = 16


@dataclass(frozen=True, repr=False)
class VaultCipher:
    """What a key and a vault's salt give: to encrypt, to index and to seal.

    :param cipher: Encrypts records.
    :param index: Secret of index values.
    :param seal: Secret of the count's seal.
    :param salt: Random bytes of the vault.
    """

    cipher: AESGCM
    index: bytes
    seal: bytes
    salt: bytes

    @classmethod
    def of(cls, key: Key, salt: bytes) -> "VaultCipher":
        """Return the secrets of a key in one vault.

        :param key: The key.
        :param salt: The vault's salt.
        """
        name = salt.hex()
        return cls(
            AESGCM(key.derive("vault 2 records", name)),
            key.derive("vault 2 index", name),
            key.derive("vault 2 seal", name),
            salt,
        )

    def index_value(self, kind: str, value: str) -> bytes:
        """Return what stands in the index for a document or text; empty for nothing."""
        if not value:
            return b""
        message = f"{kind}:{value}".encode("utf-8", "surrogatepass")
        return hmac.digest(self.index, message, hashlib.sha256)[:_INDEX_BYTES]

    def seal_of(self, records: int) -> bytes:
        """Return the proof that the vault has so many records."""
        return hmac.digest(self.seal, b"%d" % records, hashlib.sha256)

    def _bound(self, number: int, document: bytes, text: bytes) -> bytes:
        # Lengths are fixed but for the document's, which is empty or full.
        return b"%s %d %s|%s|%s" % (_FORMAT, number, self.salt, text, document)

    def encrypt(
        self, number: int, document: bytes, text: bytes, content: bytes
    ) -> bytes:
        """Return a record's content encrypted and bound to its place."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        bound = self._bound(number, document, text)
        return nonce + self.cipher.encrypt(nonce, content, bound)

    def decrypt(
        self, number: int, document: bytes, text: bytes, sealed: bytes
    ) -> bytes:
        """Return a record's content.

        :raises InvalidTag: If anything of it or its place was changed.
        """
        nonce, rest = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        return self.cipher.decrypt(nonce, rest, self._bound(number, document, text))
