"""Values encrypted in place, ``{NOMBRE:3f9a02c1:…}``, and back again.

AES-256-GCM (NIST SP 800-38D) under a key derived from the user's, with the entity's tag
and the key's id as associated data: a value of which one character was changed is
refused, where Presidio's AES-CBC returns something else or fails by chance.
"""

import base64
import re
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from presidio_anonymizer.operators import Decrypt as PresidioDecrypt

from presidio_mx.entities import tag_word
from presidio_mx.errors import InputError
from presidio_mx.replace.keys import Key

_FORMAT = "presidio-mx-encrypt-1"
_NONCE_BYTES = 12
_AES_BYTES = (16, 24, 32)
_TOKEN = re.compile(r"\{([^\W_]\w*):([0-9a-f]{8}):([A-Za-z0-9_-]+)\}")
# What is left of a value of which a character was changed: its key's id, or the long
# run of base64, in which small and capital letters alternate as in no word.
_KEY_ID = re.compile(r":[0-9a-f]{8}:")
_RUN = re.compile(r"[A-Za-z0-9_-]{38,}")
_NOT_OF_A_WORD = re.compile(r"\W")
# Presidio's operator: base64 of a vector of 16 bytes and one block of 16 or more.
_CBC = re.compile(r"(?<![A-Za-z0-9_=-])[A-Za-z0-9_-]{42,}={0,2}(?![A-Za-z0-9_=-])")
_CBC_BLOCK = 16


def _cipher(key: Key) -> AESGCM:
    return AESGCM(key.derive("encrypt 2"))


def _bound(tag: str, key: Key) -> bytes:
    return f"{_FORMAT} {tag} {key.id}".encode()


def encrypt_value(text: str, entity: str, key: Key) -> str:
    """Return a value encrypted.

    :param text: The value.
    :param entity: Its entity, e.g. ``PERSON``; its tag stays readable.
    :param key: The key.
    :return: ``{NOMBRE:key id:base64}``; another one each time.
    """
    tag = _NOT_OF_A_WORD.sub("", tag_word(entity)).lstrip("_") or "DEFAULT"
    nonce = secrets.token_bytes(_NONCE_BYTES)
    plain = text.encode("utf-8", "surrogatepass")
    sealed = nonce + _cipher(key).encrypt(nonce, plain, _bound(tag, key))
    content = base64.urlsafe_b64encode(sealed).rstrip(b"=").decode("ascii")
    return f"{{{tag}:{key.id}:{content}}}"


def decrypt_value(value: str, key: Key) -> str:
    """Return what :func:`encrypt_value` was given.

    :param value: The encrypted value, whole.
    :param key: The key.
    :return: The original.
    :raises InputError: If it is another key's, changed, or no encrypted value.
    """
    match = _TOKEN.fullmatch(value)
    if match is None:
        raise InputError("an encrypted value is damaged; nothing was decrypted")
    tag, key_id, content = match.groups()
    if key_id != key.id:
        raise InputError(
            f"an encrypted value needs key {key_id} and this is key {key.id}; nothing "
            "was decrypted"
        )
    try:
        raw = base64.urlsafe_b64decode(content + "=" * (-len(content) % 4))
        if base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii") != content:
            raise ValueError  # the last digit has bits that no byte uses
        nonce, sealed = raw[:_NONCE_BYTES], raw[_NONCE_BYTES:]
        plain = _cipher(key).decrypt(nonce, sealed, _bound(tag, key))
    except (InvalidTag, ValueError):
        raise InputError(
            "an encrypted value is damaged; nothing was decrypted"
        ) from None
    return plain.decode("utf-8", "surrogatepass")


def _mixed(run: str) -> bool:
    return run != run.lower() and run != run.upper()


def decrypt_text(text: str, key: Key) -> str:
    """Return a text with all its encrypted values decrypted, or refuse it.

    :param text: A text that the operator ``encrypt`` of this package wrote.
    :param key: The key.
    :return: The original text.
    :raises InputError: If it has none, or one is damaged or another key's.
    """
    rest = _TOKEN.sub("\n", text)
    if _KEY_ID.search(rest) or any(map(_mixed, _RUN.findall(rest))):
        raise InputError("an encrypted value is damaged; nothing was decrypted")
    if _TOKEN.search(text) is None:
        raise InputError("the text has no encrypted value")
    return _TOKEN.sub(lambda match: decrypt_value(match.group(), key), text)


def decrypt_cbc(text: str, key: Key) -> str:
    """Return a text with the values decrypted that Presidio's own operator encrypted.

    AES-CBC does not tell a changed value from a good one, except by chance.

    :param text: The text.
    :param key: The key that was given when it was encrypted: to this package, or to
        Presidio itself (16, 24 or 32 bytes).
    :return: The original text.
    :raises InputError: If it has no such value, or the key does not fit one.
    """
    given = key.as_given()
    candidates = [given.derive("encrypt")]
    if len(given.secret) in _AES_BYTES:
        candidates.append(given.secret)
    operator = PresidioDecrypt()
    count = 0

    def back(match: re.Match[str]) -> str:
        nonlocal count
        value = match.group()
        try:
            size = len(base64.urlsafe_b64decode(value))
        except ValueError:
            return value
        if size % _CBC_BLOCK:
            return value
        for candidate in candidates:
            try:
                plain: str = operator.operate(value, {"key": candidate})
            except ValueError:
                continue
            count += 1
            return plain
        raise InputError("the key does not fit an encrypted value, or it is damaged")

    done = _CBC.sub(back, text)
    if not count:
        raise InputError("the text has no value that Presidio's operator encrypted")
    return done
