"""The secret key of surrogates and pseudonyms, and the scope in which they hold."""

import hashlib
import hmac
import os
import secrets
import warnings
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from presidio_mx.errors import ConfigurationError

ENVIRONMENT_VARIABLE = "PRESIDIO_MX_KEY"
MINIMUM_BYTES = 16
SCOPE_KINDS = ("document", "patient", "corpus")


@dataclass(frozen=True, repr=False)
class Key:
    """A secret of at least 16 bytes that is never printed.

    :param secret: The bytes of the key.
    :raises ConfigurationError: If there are fewer than 16 bytes.
    """

    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse a key that is too short to be secret."""
        if len(self.secret) < MINIMUM_BYTES:
            raise ConfigurationError(
                f"the key has {len(self.secret)} bytes and needs at least "
                f"{MINIMUM_BYTES}; make one with: openssl rand -hex 32"
            )

    def __repr__(self) -> str:
        """Return a text without the key."""
        return "Key(hidden)"

    def derive(self, purpose: str, scope: str = "") -> bytes:
        """Return a key of 32 bytes for one purpose and scope (HMAC-SHA-256).

        :param purpose: What the derived key is for, e.g. ``surrogate``.
        :param scope: Identifier of the scope; another scope, another key.
        :return: 32 bytes.
        """
        message = f"{len(purpose)}:{purpose}{scope}".encode("utf-8", "surrogatepass")
        return hmac.digest(self.secret, message, hashlib.sha256)

    @classmethod
    def from_value(cls, value: "Key | str | bytes") -> "Key":
        """Return a key made from what a user gave.

        :param value: A key, its bytes, or a text of at least 16 bytes in UTF-8.
        :return: The key.
        :raises ConfigurationError: If it is too short or of another type.
        """
        if isinstance(value, Key):
            return value
        if isinstance(value, str):
            return cls(value.strip().encode("utf-8", "surrogatepass"))
        if isinstance(value, bytes):
            return cls(value)
        raise ConfigurationError(
            f"a key must be text or bytes, not {type(value).__name__}"
        )

    @classmethod
    def from_file(cls, path: Path | str) -> "Key":
        """Read a key from a file; blanks and line ends around it do not count.

        :param path: File with the key as text or bytes.
        :return: The key.
        :raises ConfigurationError: If the file cannot be read or is too short.
        """
        try:
            return cls(Path(path).read_bytes().strip())
        except OSError as error:
            reason = error.strerror or "unreadable"
            raise ConfigurationError(f"key file {path}: {reason}") from None


@cache
def _process_key() -> Key:
    warnings.warn(
        "no key given: surrogates and pseudonyms use a random key of this process and "
        f"cannot be repeated later; give key= or set {ENVIRONMENT_VARIABLE}",
        UserWarning,
        stacklevel=4,
    )
    return Key(secrets.token_bytes(32))


def find_key(
    key: "Key | str | bytes | None" = None,
    key_file: Path | str | None = None,
    *,
    required: bool = False,
) -> Key:
    """Return the key to use: given, from a file, from the environment, or random.

    :param key: The key itself; wins over everything else.
    :param key_file: A file that holds the key.
    :param required: Refuse to make up a random key (batch runs need this).
    :return: The key; without any, one random key per process, said once in a warning.
    :raises ConfigurationError: If the key is too short, the file cannot be read, or
        ``required`` is set and there is none.
    """
    if key is not None:
        return Key.from_value(key)
    if key_file is not None:
        return Key.from_file(key_file)
    from_environment = os.environ.get(ENVIRONMENT_VARIABLE)
    if from_environment:
        return Key.from_value(from_environment)
    if required:
        raise ConfigurationError(
            "this needs a key so that every process and every run agrees: give key=, "
            f"--key-file or set {ENVIRONMENT_VARIABLE}"
        )
    return _process_key()


@dataclass(frozen=True)
class Scope:
    """Where the same value keeps the same surrogate.

    :param kind: ``document``, ``patient`` or ``corpus``.
    :param identifier: Of the document or patient; unused for a corpus.
    """

    kind: str = "document"
    identifier: str = ""

    @property
    def label(self) -> str:
        """The text that goes into the derivation of keys."""
        return "" if self.kind == "corpus" else f"{self.kind}:{self.identifier}"

    @classmethod
    def parse(cls, value: "Scope | str", text: str = "") -> "Scope":
        """Return the scope that a user named.

        ``""`` and ``"document"`` are the document itself, identified by its text;
        ``"document:ID"``, ``"patient:ID"`` and ``"corpus"`` are the others.

        :param value: A scope or its name.
        :param text: The document, which identifies itself if no identifier is given.
        :return: The scope.
        :raises ConfigurationError: If the kind is unknown or a patient has no id.
        """
        if isinstance(value, Scope):
            kind, identifier = value.kind, value.identifier
        else:
            kind, _, identifier = value.partition(":")
        kind = kind or "document"
        if kind not in SCOPE_KINDS:
            raise ConfigurationError(
                f"unknown scope {kind!r}; scopes are document, document:ID, patient:ID "
                "and corpus"
            )
        if kind == "patient" and not identifier:
            raise ConfigurationError("scope patient needs an id: patient:ID")
        if kind == "document" and not identifier:
            identifier = hashlib.sha256(
                text.encode("utf-8", "surrogatepass")
            ).hexdigest()
        return cls(kind, identifier)
