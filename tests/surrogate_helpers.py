"""What tests of surrogates share: notes with marks, contexts, words of names."""

import re

from presidio_mx.replace.context import Context, Settings
from presidio_mx.replace.draw import Draw
from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.names import Bearer, Names
from presidio_mx.spanish.name_lists import name_lists
from presidio_mx.text.folding import fold_key
from presidio_mx.text.spans import Span

KEY = b"a key for tests only"
KEYS = [f"key number {number} for these tests".encode() for number in range(4)]
SECRETS = [bytes([number]) * 32 for number in range(8)]
ROLES = {"patient", "relative", "staff", "other"}


def context(number=0, **choices):
    """Return a context of a secret, with settings."""
    return Context(Draw(SECRETS[number]), Settings(**choices))


def word_surrogate(key, here):
    """Return what a folded word of a name becomes by itself."""
    role = "given" if name_lists().lean(key) > 0 else "surname"
    if name_lists().use(key) in ("nickname", "epithet"):
        role = "nickname"
    return Names(here).word(key, role, Bearer()).text


def marked(text):
    """Return text and spans of "Vive en [LOCATION:Puebla]", "[patient:Ana Ríos]"."""
    plain, spans = "", []
    for piece in re.split(r"(\[\w+:[^]]+\])", text):
        value = piece
        if re.fullmatch(r"\[\w+:[^]]+\]", piece):
            kind, _, value = piece[1:-1].partition(":")
            role = kind if kind in ROLES else None
            entity = "PERSON" if role else kind
            spans.append(Span(len(plain), len(plain) + len(value), entity, role, 1.0))
        plain += value
    return plain, spans


def replaced(text, key=KEY, profile="surrogate", **options):
    """Return the new text and the values of a marked note."""
    plain, spans = marked(text)
    done = anonymize(plain, spans, profile, key=key, **options)
    return done.text, [done.text[i.new_start : i.new_end] for i in done.items]


def sexes_of(word):
    """Return the sexes that a name or nickname is of."""
    key, names = fold_key(word), name_lists()
    entry = names.nicknames.get(key)
    found = {names.sex(key), entry.sex if entry else ""} - {""}
    return found | {"F", "M"} if "U" in found else found
