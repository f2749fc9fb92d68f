"""Words that a scanner gave digits for letters, read after the lists.

:func:`presidio_mx.replace.surrogates.shape.letters_read` knows no list; here a
reading that some list has counts before its rule: "Monc1ova", "E1ba", "c1ínica".
"""

import re
from collections.abc import Callable, Container, Iterator
from functools import cache
from itertools import product

from presidio_mx.replace.surrogates.atlas import atlas
from presidio_mx.replace.surrogates.lexicon import PARTICLES, lexicon
from presidio_mx.replace.surrogates.ordinary import ordinary_words
from presidio_mx.text.folding import fold_key

_WORD = re.compile(r"[^\W_]+")
_READINGS = {"0": "o", "1": "li", "6": "o", "5": "s", "8": "b"}
_MOST_DIGITS = 3
_LEAST_LETTERS, _LEAST_COMMON = 2, 3
_CUT = re.compile(r"([^\W\d_]+)[-\u00ad]\n\s*([^\W\d_]+)")
_GAP = re.compile(r"( {2,})")


def _readings(word: str) -> Iterator[str]:
    """Yield a word with its digits as letters, in every way; nothing for a code."""
    capitals = word.replace("l", "I")
    word = capitals if capitals.isupper() and sum(map(str.isupper, word)) > 1 else word
    digits = [at for at, c in enumerate(word) if c.isdigit()]
    letters = len(word) - len(digits)
    if not digits or letters < max(_LEAST_LETTERS, len(digits)):
        return
    if len(digits) > _MOST_DIGITS or any(word[at] not in _READINGS for at in digits):
        return
    for choice in product(*(_READINGS[word[at]] for at in digits)):
        read = list(word)
        for at, letter in zip(digits, choice, strict=True):
            beside = [c for c in word[max(0, at - 1) : at + 2] if c.isalpha()]
            upper = all(c.isupper() for c in beside) or (at == 0 and word[1:].islower())
            read[at] = letter.upper() if upper else letter
        yield "".join(read)


def _read(text: str, known: Callable[[str], bool]) -> str:
    def write(match: re.Match[str]) -> str:
        found = (r for r in _readings(match.group()) if known(fold_key(r)))
        return next(found, match.group())

    return _WORD.sub(write, text)


def handle_read(text: str, names: Container[str]) -> str:
    """Return a user name with the words read that are names of the document.

    :param text: E.g. ``dr.rosa1es``.
    :param names: Folded names.
    """
    return _read(text, names.__contains__)


@cache
def _place_words() -> frozenset[str]:
    world = atlas()
    lists = (world.municipalities, world.towns, world.state_forms)
    return frozenset(w for names in lists for name in names for w in name.split())


def _of_place(key: str) -> bool:
    common = len(key) > _LEAST_COMMON and key in ordinary_words()
    return key in _place_words() or key in lexicon().words or common


def place_read(text: str) -> str:
    """Return a place, address or institution with the words read that lists have.

    :param text: As it stands in the document.
    :return: E.g. ``Monclova`` for ``Monc1ova``; of the same length.
    """
    return _read(text, _of_place)


def name_read(text: str) -> str:
    """Return a name with its words read: no name holds a digit.

    :param text: As it stands in the document, words of one letter each put together.
    :return: E.g. ``Marta Elba`` for ``Marta E1ba``; where blanks of two part the words,
        those of one inside them go: ``CASTILLO  REYES`` for ``CAS T lLLO  REYES``.
    """
    names = lexicon().words
    text = _CUT.sub(lambda m: m[1] + m[2] if _is_cut(m) else m[0], text)
    text = _read(text, names.__contains__)
    if not _GAP.search(text):
        return _rejoined(text)
    chunks = _GAP.split(text)
    for at, chunk in enumerate(chunks):
        whole = chunk.replace(" ", "")
        pieces = fold_key(chunk).split()
        if " " in chunk.strip() and not all(piece in names for piece in pieces):
            readings = (whole, whole.replace("l", "I"), *_readings(whole))
            found = (r for r in readings if fold_key(r) in names)
            chunks[at] = next(found, chunk)
    return "".join(chunks)


def _is_cut(match: re.Match[str]) -> bool:
    """Tell whether a line's end cuts a name: "Bal-", "tazar" below."""
    return fold_key(match[1] + match[2]) in lexicon().words


def _rejoined(text: str) -> str:
    """Put pieces of capitals together that lists have only as one: "HIL ARIO"."""
    if not text.replace("l", "I").isupper():
        return text
    names, words = lexicon().words, text.split(" ")
    at = 0
    while at + 1 < len(words):
        pair = words[at : at + 2]
        whole = "".join(pair).replace("l", "I")
        parted = all(len(w) > 1 and w[0].isalpha() and w.isalnum() for w in pair)
        unknown = any(fold_key(w.replace("l", "I")) not in names for w in pair)
        readings = (r for r in (whole, *_readings(whole)) if fold_key(r) in names)
        read = next(readings, "")
        if parted and unknown and read and not _particle(pair):
            words[at : at + 2] = [read]
        at += 1
    return " ".join(words)


def _particle(pair: list[str]) -> bool:
    return any(fold_key(word) in PARTICLES for word in pair)


def digitless(text: str) -> str:
    """Return a name whose last digits are letters, whatever the lists have.

    :param text: A name in which all that lists know is read.
    :return: E.g. ``Civalero`` for ``Civa1er0``.
    """

    def write(match: re.Match[str]) -> str:
        return next(_readings(match.group()), match.group())

    return _WORD.sub(write, text)
