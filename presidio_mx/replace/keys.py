"""The secret key of surrogates and pseudonyms, and the scope in which they hold."""

import hashlib
import hmac
import os
import re
import secrets
import warnings
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path

from presidio_mx.errors import ConfigurationError
from presidio_mx.private_file import open_to_others

ENVIRONMENT_VARIABLE = "PRESIDIO_MX_KEY"
MINIMUM_BYTES = 16
SCOPE_KINDS = ("document", "patient", "corpus")
_ADVICE = "make one with: presidio-mx key new FILE"
_MINIMUM_DISTINCT = 8
# What stands at both ends of a key by chance is shorter than this.
_REPEATED = 6
# The share of neighbours that repeat or count on above which a key is a pattern.
_PATTERN_SHARE = 2 / 3
# Of so many hexadecimal digits or more a text is a key itself; else a passphrase.
_RANDOM_TEXT = re.compile(r"[0-9a-fA-F]{32,}")
_ID_BYTES = 4
# Scrypt (RFC 7914) at 32 MiB and three rounds: OWASP's Password Storage Cheat Sheet.
_SCRYPT_N, _SCRYPT_R, _SCRYPT_P = 2**15, 8, 3
_SCRYPT_MEMORY = 64 * 2**20
# The same phrase must give the same surrogates on every machine, with no file beside
# it; so the salt parts this program from others, not one installation from another.
_SCRYPT_SALT = b"presidio-mx passphrase 1"


def weakness(secret: bytes) -> str:
    """Return why a secret is easy to guess.

    Only what is plain to see: few different bytes, a short pattern repeated, a row of
    neighbours such as ``0123456789abcdef``. A common password passes.

    :param secret: The bytes of a key.
    :return: The reason; empty if none is seen.
    """
    if len(secret) < MINIMUM_BYTES:
        return f"has {len(secret)} bytes and needs at least {MINIMUM_BYTES}"
    if len(set(secret)) < _MINIMUM_DISTINCT:
        return "has very few different characters"
    for width in range(1, min(MINIMUM_BYTES, len(secret) - _REPEATED) + 1):
        if secret[width:] == secret[:-width]:
            return "repeats a short pattern"
    steps = [abs(a - b) <= 1 for a, b in zip(secret, secret[1:], strict=False)]
    if sum(steps) > _PATTERN_SHARE * len(steps):
        return "is a row of neighbouring characters"
    return ""


@lru_cache(maxsize=8)
def _stretched(passphrase: bytes) -> bytes:
    return hashlib.scrypt(
        passphrase,
        salt=_SCRYPT_SALT,
        n=_SCRYPT_N,
        r=_SCRYPT_R,
        p=_SCRYPT_P,
        maxmem=_SCRYPT_MEMORY,
        dklen=32,
    )


@dataclass(frozen=True, repr=False)
class Key:
    """A secret of at least 16 bytes that is never printed.

    :param secret: The bytes of the key.
    :param given: What was given where a passphrase became the key: vaults and texts of
        the first format were made with that.
    :param file: The file it was read from; beside it stands what it has seen of vaults.
    :raises ConfigurationError: If there are fewer than 16 bytes, or they are plainly
        easy to guess.
    """

    secret: bytes = field(repr=False)
    given: bytes = field(default=b"", repr=False, compare=False)
    file: Path | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse a key that is no secret."""
        problem = weakness(self.secret)
        if problem:
            raise ConfigurationError(f"the key {problem}; {_ADVICE}")

    def __repr__(self) -> str:
        """Return a text without the key."""
        return "Key(hidden)"

    @property
    def id(self) -> str:
        """Eight hexadecimal digits that tell keys apart and say nothing of them."""
        return self.derive("key id")[:_ID_BYTES].hex()

    def derive(self, purpose: str, scope: str = "") -> bytes:
        """Return a key of 32 bytes for one purpose and scope (HMAC-SHA-256).

        :param purpose: What the derived key is for, e.g. ``surrogate``.
        :param scope: Identifier of the scope; another scope, another key.
        :return: 32 bytes.
        """
        message = f"{len(purpose)}:{purpose}{scope}".encode("utf-8", "surrogatepass")
        return hmac.digest(self.secret, message, hashlib.sha256)

    def as_given(self) -> "Key":
        """Return the key as versions before passphrases were stretched took it."""
        return Key(self.given) if self.given else self

    @classmethod
    def from_text(cls, text: bytes) -> "Key":
        """Return the key that a text stands for.

        32 hexadecimal digits or more are a key as they stand, and so are bytes that
        are no UTF-8. Any other text is a passphrase: scrypt makes the key of it.

        :param text: The text in UTF-8; blanks and line ends around it do not count.
        :return: The key.
        :raises ConfigurationError: If it is too short or plainly easy to guess.
        """
        text = text.strip()
        try:
            decoded = text.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            return cls(text)
        if _RANDOM_TEXT.fullmatch(decoded):
            return cls(text)
        cls(text)  # a weak passphrase is refused before it is stretched
        return cls(_stretched(text), text)

    @classmethod
    def from_value(cls, value: "Key | str | bytes") -> "Key":
        """Return a key made from what a user gave.

        :param value: A key; its bytes, which are taken as they are; or a text, see
            :meth:`from_text`.
        :return: The key.
        :raises ConfigurationError: If it is too short, easy to guess or of another
            type.
        """
        if isinstance(value, Key):
            return value
        if isinstance(value, str):
            return cls.from_text(value.encode("utf-8", "surrogatepass"))
        if isinstance(value, bytes):
            return cls(value)
        raise ConfigurationError(
            f"a key must be text or bytes, not {type(value).__name__}"
        )

    @classmethod
    def from_file(cls, path: Path | str) -> "Key":
        """Read a key from a file; warn if every user of the machine may read it.

        :param path: File with the key as :meth:`from_text` takes it.
        :return: The key.
        :raises ConfigurationError: If the file cannot be read, or the key is too short
            or easy to guess.
        """
        path = Path(path)
        try:
            content = path.read_bytes()
            open_ = open_to_others(path)
        except OSError as error:
            reason = error.strerror or "unreadable"
            raise ConfigurationError(f"key file {path}: {reason}") from None
        if open_:
            _warn(
                f"key file {path}: every user of this machine may read it; close it "
                "with: chmod 600"
            )
        return replace(cls.from_text(content), file=path)


def _warn(sentence: str) -> None:
    """Warn in one line: no place in this package's code, which tells a user nothing."""
    warnings.warn_explicit(sentence, UserWarning, "presidio-mx", 1)


@cache
def _process_key() -> Key:
    _warn(
        "no key given: surrogates and pseudonyms use a random key of this process and "
        f"cannot be repeated later; give key=, --key-file or set {ENVIRONMENT_VARIABLE}"
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
    :raises ConfigurationError: If the key is too short or easy to guess, the file
        cannot be read, or ``required`` is set and there is none.
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


@dataclass(frozen=True, repr=False)
class Scope:
    """Where the same value keeps the same surrogate.

    :param kind: ``document``, ``patient`` or ``corpus``.
    :param identifier: Of the document or patient; unused for a corpus.
    """

    kind: str = "document"
    identifier: str = ""

    def __repr__(self) -> str:
        """Return a text without the patient's identifier."""
        return "Scope(hidden)"

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
        :raises ConfigurationError: If the kind is unknown or an id is blank; what was
            given is not quoted, since it may be a name.
        """
        if isinstance(value, Scope):
            kind, identifier, named = value.kind, value.identifier, value.identifier
        elif not isinstance(value, str):
            raise ConfigurationError(
                "scope= takes document, document:ID, patient:ID or corpus, not "
                f"{type(value).__name__}"
            )
        else:
            kind, named, identifier = value.partition(":")
        kind = kind or "document"
        if kind not in SCOPE_KINDS:
            raise ConfigurationError(
                "unknown scope; scopes are document, document:ID, patient:ID and corpus"
            )
        # All whose id is blank would be one patient, or one document.
        blank = not identifier.strip()
        if kind == "patient" and blank:
            raise ConfigurationError("scope patient needs an id: patient:ID")
        if kind == "document" and blank and named:
            raise ConfigurationError(
                "scope document: needs an id behind the colon; document alone is the "
                "text itself"
            )
        if kind == "document" and not identifier:
            identifier = hashlib.sha256(
                text.encode("utf-8", "surrogatepass")
            ).hexdigest()
        return cls(kind, identifier)
