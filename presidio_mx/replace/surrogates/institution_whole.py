"""Names of institutions that are replaced whole, or not at all.

What stands behind a kind need be no place and no person: "Fundación Corazón de Niño". A
place in one word of it would read badly, so all of it becomes another name that such
institutions have; where none is known the tag stands.
"""

import re
from collections.abc import Sequence
from functools import cache

from presidio_mx.replace.surrogates.case import match_case
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.institution_names import (
    LEGAL_FORM,
    known_institutions,
    titled,
)
from presidio_mx.replace.surrogates.lexicon import PARTICLES
from presidio_mx.replace.surrogates.shape import strip_accents
from presidio_mx.replace.surrogates.street_names import name_image
from presidio_mx.replace.surrogates.unread import tag_of
from presidio_mx.spanish.words import listed, words
from presidio_mx.text.folding import fold_key

_WORD = re.compile(r"[^\W\d_]+")
_ACRONYM = re.compile(r"(\W*)([A-ZÁÉÍÓÚÑ]{2,})(\W*)")
_VOWEL = re.compile(r"[aeiou]")
_MIXED = re.compile(r"[A-Z]{2,}[a-z][A-Z]+")  # "SEPyC"
_LONGEST_ACRONYM = 5
_HEALTH = re.compile(r"salud|medic|clinic|hospit|dialis|univers|\bmed\b|imss|isss?te")
_SMALL = PARTICLES | {"para", "con", "en", "y"}
_CHARITIES, _SCHOOLS = words("institution_charity"), words("institution_named_school")
_HOPEFUL = listed("institution_hopeful")


def _head(name: str) -> str:
    """Return the folded first word of a name."""
    found = _WORD.search(name)
    return fold_key(found.group()) if found else ""


@cache
def _of_head() -> dict[str, tuple[str, ...]]:
    """Return the first word of the listed institutions to their names."""
    found: dict[str, list[str]] = {}
    for names in known_institutions()[1].values():
        for name in names:
            if " " in name:
                found.setdefault(_head(name), []).append(name)
    return {head: tuple(names) for head, names in found.items()}


def whole_name(text: str, kind: str, context: Context) -> str:
    """Return another name of the kind for what is neither a place nor a person.

    :param text: The institution.
    :param kind: Its beginning: the words that say what it is.
    :param context: The key.
    :return: A charity's hopeful name, the hero of a school, a listed institution that
        begins alike; else the tag.
    """
    kind = kind.rstrip()
    head = _head(kind)
    legal = LEGAL_FORM.search(text)
    tail = text[legal.start() :] if legal else ""
    name = text[len(kind) : len(text) - len(tail)].strip()
    if head in _CHARITIES:
        choices = [n for n in _HOPEFUL if not _shared(n, text)]
        at = context.draw.number(len(choices), "hopeful", fold_key(name))
        return f"{kind} {match_case(name, titled(choices[at]))}{tail}"
    if head in _SCHOOLS:
        hero = name_image("hero", name, context.draw)
        return f"{kind} {match_case(name, hero)}{tail}"
    choices = [n for n in _of_head().get(head, ()) if not _shared(n, text, head)]
    if not choices:
        return tag_of("ORGANIZATION")
    at = context.draw.number(len(choices), "institution", fold_key(text))
    return match_case(text, choices[at])


def _shared(name: str, text: str, head: str = "") -> set[str]:
    own, other = (set(map(fold_key, _WORD.findall(t))) for t in (name, text))
    return (own & other) - _SMALL - {head}


def acronym_in(text: str) -> re.Match[str] | None:
    """Return the match of a bare acronym: before it, its letters, behind it.

    :param text: An institution.
    :return: None for a longer name, and for a long word in capitals.
    """
    match = _ACRONYM.fullmatch(text)
    if match is None:
        return None
    short = len(match[2]) <= _LONGEST_ACRONYM
    return match if short or _HEALTH.search(fold_key(match[2])) else None


def is_of_no_kind(text: str) -> bool:
    """Tell whether a name that no list has is none of a firm.

    :param text: A name without a known kind.
    :return: True for ``GenSalud`` and for what opens with an acronym: ``AME Bacum``.
    """
    first = _WORD.search(text)
    opens = first is not None and acronym_in(first.group()) is not None
    # "HCG VIEJO": capitals without a vowel are an acronym among capitals, too.
    no_word = first is not None and not _VOWEL.search(fold_key(first.group()))
    if _MIXED.fullmatch(text):
        return True
    opens = opens and (not text.isupper() or no_word)
    return bool(_HEALTH.search(fold_key(text))) or opens


def split_acronym(acronym: str, name: str) -> tuple[int, ...]:
    """Return how many letters of each word of a name its acronym has.

    :param acronym: E.g. ``HGT``, ``ISESALUD``.
    :param name: E.g. ``Hospital General de Tijuana``.
    :return: ``(1, 1, 1)``, ``(1, 2, 5)``; nothing where the name is another one's.
    """
    found = _split(fold_key(acronym), _named(name))
    return tuple(found) if len(found) > 1 else ()


def _named(name: str) -> list[str]:
    found = (fold_key(w) for w in _WORD.findall(name))
    return [word for word in found if word not in _SMALL]


def _split(letters: str, names: Sequence[str]) -> list[int]:
    if not names:
        return []
    for width in range(1, min(len(letters), len(names[0])) + 1):
        if letters[:width] != names[0][:width]:
            break
        if width == len(letters):
            return [width]
        if rest := _split(letters[width:], names[1:]):
            return [width, *rest]
    return []


def write_acronym(widths: Sequence[int], name: str) -> str:
    """Return the acronym of a name, built as that of another one is.

    :param widths: Letters of each word, as of :func:`split_acronym`.
    :param name: The name.
    :return: In capitals without accents; empty where the name has too few words.
    """
    found = _named(name)
    if len(found) < len(widths):
        return ""
    pieces = (w[:n] for w, n in zip(found, widths, strict=False))
    return strip_accents("".join(pieces)).upper()
