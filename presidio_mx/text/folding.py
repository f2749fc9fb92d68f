"""Fold case, accents and width without ever moving an offset."""

import unicodedata
from functools import cache

# Marks that stay on one code point: ordinals read as the letter they stand for.
_SPECIAL = {"º": "o", "ª": "a", "°": "o", "’": "'", "‘": "'", "´": "'", "`": "'"}
_SPECIAL |= {"“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-", "‐": "-"}
_SPECIAL |= {"\u2011": "-", "\u2212": "-"}


def _fold_character(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character.isspace() and character not in "\n\r\t ":
        return " "
    plain = unicodedata.normalize("NFKD", character)
    base = "".join(c for c in plain if not unicodedata.combining(c))
    folded = base.lower()
    # A character that folds to several ("ß", "ﬁ", "½") keeps itself: offsets first.
    return folded if len(folded) == 1 else character


class _Table(dict[int, str]):
    """Translation table that is filled on first sight of a character."""

    def __missing__(self, code: int) -> str:
        value = _fold_character(chr(code))
        self[code] = value
        return value


@cache
def _table() -> _Table:
    table = _Table()
    for code in range(0x250):
        table[code] = _fold_character(chr(code))
    return table


def fold(text: str) -> str:
    """Return the text in lower case without accents, of exactly the same length.

    ``ñ`` becomes ``n`` and ``ü`` becomes ``u``; a combining accent (NFD text) stays as
    a character of its own.

    :param text: Any string, lone surrogates included.
    :return: The folded string; ``len(fold(text)) == len(text)``.
    """
    return text.translate(_table())


def fold_key(text: str) -> str:
    """Return the look-up key of a list entry: folded, one blank between words.

    Unlike :func:`fold` this may shorten the text (NFD accents vanish).

    :param text: An entry of a gazetteer, trigger list or name.
    :return: The key.
    """
    if text.isascii() and text.isalpha():
        # The hundred thousands of plain entries, in a third of the time.
        return text.lower()
    composed = unicodedata.normalize("NFC", text)
    return " ".join(fold(composed).split())
