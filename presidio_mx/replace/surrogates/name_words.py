"""The words of a name, and what each of them is looked up by."""

import re
import unicodedata
from collections.abc import Container, Iterator

from presidio_mx.replace.surrogates.boxes import unboxed
from presidio_mx.replace.surrogates.escapes import unescaped
from presidio_mx.replace.surrogates.lexicon import PARTICLES, lexicon
from presidio_mx.replace.surrogates.scanned import digitless, name_read
from presidio_mx.replace.surrogates.shape import letters_read, well_decoded
from presidio_mx.text.folding import fold_key

# A word of a name: letters with their marks, an ordinal (Mª), an abbreviation's point.
_LETTER = r"[^\W\d_¹²³]"  # raised numbers are notes: "Bertrab K²"
NAME_WORD = re.compile(
    rf"{_LETTER}(?:{_LETTER}|[\u0300-\u036f]|(?<=[^\W\d_])['’](?={_LETTER}{{2}}))*(?:\.?[ªº])?\.?"
)
# The stop of Tsotsil, where nothing is quoted: "Xunka' Hernández".
_GLOTTAL = re.compile(r"(?<=[^\W\d_]{3})['’](?=\s+[^\W\d_]|$)")
_MISREAD = re.compile(r"(?<=[^\W\d_])[01](?=[^\W\d_]{2})")
_RUN = re.compile(r"[^\W\d_]+\Z")
# Pieces of one word that a scanner parted, the first of them capitalised.
_PARTED = re.compile(
    r"(?<![^\W_])([A-ZÁÉÍÓÚÑ]\w*)[ ]([a-zñáéíóú]+)(?:[ ]([a-zñáéíóú]+))?"
)
_AND = re.compile(r"\s+(?:y|e|Y|E)\s+")
_INITIALS = re.compile(r"[^\W\d_]{2,4}")
_VOWELS = frozenset("aeiou")
_ALWAYS_SHORT = frozenset(("ma", "gpe", "fco", "jo"))
_SHORT_SURNAME = 4


def unglued(text: str) -> str:
    """Return a name with the letters that a scanner took for digits.

    :param text: A name as it stands in the document.
    :return: ``Abraham Omeana`` for ``Abraham0meana``: two words that grew together are
        parted, as a surrogate copies no joint; ``Mendoza`` for ``Mend0za``,
        ``Horacio`` for ``H orac io``.
    """

    def joined(match: re.Match[str]) -> str:
        names = lexicon().words
        for pieces in (match.groups(""), match.groups("")[:2]):
            real = [piece for piece in pieces if piece]
            whole = all(_is_whole(fold_key(piece), names) for piece in real)
            if fold_key("".join(real)) in names and not whole:
                rest = match.group()[len(" ".join(real)) :]
                return "".join(real) + rest
        return match.group()

    def glued(match: re.Match[str]) -> str:
        before = _RUN.search(match.string, 0, match.start())
        known = before is not None and fold_key(before.group()) in lexicon().words
        if not known:
            return match.group()
        return " O" if match.group() == "0" else " I"

    text = unescaped(well_decoded(text))
    if text.count("'") + text.count("’") == 1:
        text = _GLOTTAL.sub("", text)
    whole = name_read(unboxed(text))
    return _PARTED.sub(joined, digitless(letters_read(_MISREAD.sub(glued, whole))))


def _is_whole(key: str, names: Container[str]) -> bool:
    return key in names or key in PARTICLES


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
    if letter == "Ch" and token.endswith("."):
        return True
    return len(letter) == 1 and (letter.isupper() or token.endswith("."))


def are_initials(token: str, text: str) -> bool:
    """Tell whether a token is the initials of several names: "Arreola-Nájera JM".

    :param token: A word as it stands in the document.
    :param text: The name it stands in.
    :return: True for two or three capitals that no list has, with no vowel among them
        where all of the name is in capitals.
    """
    if not (token.isupper() and _INITIALS.fullmatch(token)):
        return False
    key, names = fold_key(token), lexicon()
    if key in names.words or key in names.short or key in PARTICLES:
        return False
    return not (text.isupper() and set(key) & _VOWELS)


def _ends_small(match: re.Match[str], text: str) -> bool:
    """Tell whether a small letter ends a name in small letters: "gladys noemi m"."""
    alone = len(match.group()) == 1 and match.start() > 0
    return alone and match.end() == len(text) and text.islower()


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
        elif is_initial(token) or are_initials(token, text) or _ends_small(match, text):
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


def two_given(text: str) -> tuple[int, int] | None:
    """Return where the "y" stands between the first names of two people.

    :param text: A name as it stands in the document.
    :return: Its span with the blanks around; None where one person is named.
    """
    match = _AND.search(text)
    if match is None:
        return None
    halves = name_words(text[: match.start()]), name_words(text[match.end() :])
    given = all(half and all(map(lexicon().is_given, half)) for half in halves)
    return match.span() if given else None
