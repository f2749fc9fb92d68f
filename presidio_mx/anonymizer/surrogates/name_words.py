"""The words of a name, and what each of them is looked up by."""

import re
import unicodedata
from collections.abc import Iterator

from presidio_mx.anonymizer.surrogates.lexicon import PARTICLES, lexicon
from presidio_mx.folding import fold_key

# A word of a name: letters with their marks, an ordinal (Mª), an abbreviation's point.
NAME_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*(?:\.?[ªº])?\.?")
_MISREAD = re.compile(r"(?<=[^\W\d_])[01](?=[^\W\d_]{2})")
_RUN = re.compile(r"[^\W\d_]+\Z")
_ALWAYS_SHORT = frozenset(("ma", "gpe", "fco", "jo"))
_SHORT_SURNAME = 4


def unglued(text: str) -> str:
    """Return a name with the letters that a scanner took for digits.

    :param text: A name as it stands in the document.
    :return: ``Abraham Omeana`` for ``Abraham0meana``: two words that grew together are
        parted, as a surrogate copies no joint; ``Mendoza`` for ``Mend0za``.
    """

    def read(match: re.Match[str]) -> str:
        before = _RUN.search(match.string, 0, match.start())
        glued = before is not None and fold_key(before.group()) in lexicon().words
        letter = "o" if match.group() == "0" else "i"
        if glued:
            return " " + letter.upper()
        return letter.upper() if match.string.isupper() else letter

    return _MISREAD.sub(read, text)


def word_key(token: str) -> str:
    """Return the folded word of a token: no accents, no point, no ordinal.

    :param token: A word as it stands in the document.
    :return: E.g. ``ma`` for ``Mª``.
    """
    key = fold_key(token)
    if _has_ordinal(token):
        key = fold_key(token.rstrip(".")[:-1].rstrip(".")) + "a"
    return key.rstrip(".")


def _has_ordinal(token: str) -> bool:
    return token.rstrip(".").endswith(("ª", "º"))


def full_key(key: str, token: str, last: bool) -> str:
    """Return the folded full word of an abbreviation, or the word itself.

    "Franco", "Anta" and "Ros" are abbreviations with a point only: without it they are
    surnames; so is a longer one that a point follows at the end of the name.

    :param key: Folded word.
    :param token: The word as it stands in the document.
    :param last: Nothing of the name follows.
    :return: E.g. ``maria`` for ``Ma.``.
    """
    names = lexicon()
    full = names.short.get(key, key)
    if full == key or _has_ordinal(token) or key in _ALWAYS_SHORT:
        return full
    if key not in names.words:
        return full
    ends = last and len(key) >= _SHORT_SURNAME
    return full if token.endswith(".") and not ends else key


def is_initial(token: str) -> bool:
    """Tell whether a token is an initial.

    :param token: A word as it stands in the document.
    :return: True for ``J.``, ``J`` and ``j.``, False for the particle ``y``.
    """
    letter = unicodedata.normalize("NFC", token.rstrip("."))
    return len(letter) == 1 and (letter.isupper() or token.endswith("."))


def keyed_words(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the words of a name with their keys.

    :param text: A name.
    :return: Each token; its folded form, empty for an initial; its folded full word,
        with the particle before it if it is another word without ("de la cruz"),
        empty for a particle.
    """
    names, before = lexicon(), ""
    matches = list(NAME_WORD.finditer(text))
    for place, match in enumerate(matches):
        token = match.group()
        key = word_key(token)
        phrase = f"{before} {key}"
        if before and (phrase in names.phrases or phrase in names.words):
            yield token, key, phrase
            before = ""
        elif is_initial(token):
            yield token, "", key
            before = ""
        elif key in PARTICLES or not key:
            yield token, key, ""
            before = f"{before} {key}".strip()
        else:
            yield token, key, full_key(key, token, place == len(matches) - 1)
            before = ""


def bare(key: str) -> str:
    """Return a word's key without the particle that it may have.

    :param key: E.g. ``de la cruz``.
    :return: E.g. ``cruz``.
    """
    return key.rsplit(" ", 1)[-1]


def name_words(text: str) -> list[str]:
    """Return the keys of the words of a name, without particles and initials.

    :param text: A name.
    :return: In the order of the text.
    """
    return [full for _, key, full in keyed_words(text) if key and full]
