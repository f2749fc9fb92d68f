"""Signs that a scanner made of letters: ``Fe|ipa``, ``Ch!huahua``, ``HOSPIT~L``."""

import re
from collections.abc import Iterator, Sequence

from presidio_mx.find.note.edit import Edit
from presidio_mx.find.note.lexicon import Lexicon
from presidio_mx.text.folding import fold

_LETTER = r"[^\W\d_]"
_ANY = "aeonirslcdtmpubghvyqzjfxkw"
# Each sign, and the letters that it may have been, the likeliest first; that one stands
# for it in words that no list has. Dirt ("Gua_dalajara") was none.
_SIGNS: dict[str, Sequence[str]] = {
    "|": "li",
    "!": "il",
    "¡": "i",
    "(": "c",
    "€": "e",
    "@": "a",
    "$": "s",
    "~": _ANY,
    **dict.fromkeys("_^`·'", ("",)),
}
# What begins a word, too: "(RUZ R0JA"; and what ends one: "Capu| ".
_FIRST, _LAST = frozenset("(|!¡€"), frozenset("(|!¡€~@$")
_INSIDE = {
    sign: re.compile(
        rf"(?<!{_LETTER}){_LETTER}{'*' if sign in _FIRST else '+'}"
        rf"(?:{mark}{_LETTER}+)+{mark if sign in _LAST else ''}?"
    )
    for sign, mark in ((sign, re.escape(sign)) for sign in _SIGNS)
}
_AT_END = {
    sign: re.compile(rf"(?<!{_LETTER}){_LETTER}{{3,}}{re.escape(sign)}(?=[ .,;:)\n])")
    for sign in _LAST
}
# So many words must be words with a letter in place of the sign, and no more than so
# many signs part fields, before a sign is believed to be a letter.
_LEAST_WORDS = 2
_MOST_IN_LINE = 8
_SHORTEST = 4


def bars(text: str, lexicon: Lexicon) -> Iterator[Edit]:
    """Yield the letters that signs inside words stand for.

    Fields of messages and tables are parted by bars, too: a note is believed to come
    from a scanner where several words are known with the letter and not without it.

    :param text: The text.
    :param lexicon: What is known of words.
    """
    edits = [
        edit for sign in _SIGNS if sign in text for edit in _of(text, sign, lexicon)
    ]
    yield from sorted(edits)


def _of(text: str, sign: str, lexicon: Lexicon) -> Iterator[Edit]:
    """Yield the letters that one sign stands for."""
    lines = [
        line.span()
        for line in re.finditer(r"[^\n]+", text)
        if line[0].count(sign) <= _MOST_IN_LINE
    ]
    found = [m for span in lines for m in _INSIDE[sign].finditer(text, *span)]
    if sign in _LAST and sign != "!":
        # Behind a word an exclamation mark is one.
        found += [m for span in lines for m in _AT_END[sign].finditer(text, *span)]
    meant = [_meant(match[0], sign, lexicon) for match in found]
    # What stands before a word may be a sign like any other.
    telling = [
        letter
        for match, letter in zip(found, meant, strict=True)
        if sign in match[0][1:]
    ]
    sure = len(telling) - telling.count(None)
    if sure < _LEAST_WORDS or 2 * sure < len(telling):
        return
    usual = None if _SIGNS[sign] == _ANY else _SIGNS[sign][0]
    for match, known in zip(found, meant, strict=True):
        letter = usual if known is None else known
        if letter is None:
            continue
        for place, letter_there in enumerate(match[0]):
            if letter_there == sign:
                start = match.start() + place
                yield Edit(start, start + 1, _cased(match[0], place, letter))


def _meant(written: str, sign: str, lexicon: Lexicon) -> str | None:
    """Return the letter with which a word is known, unless all its parts are."""
    parts = written.split(sign)
    if all(len(part) > 3 and lexicon.flag(fold(part)) for part in parts):
        return None
    if len(written) < _SHORTEST:
        return None
    if sign == "~" and re.search("n~", written, re.I):
        # The rest of an ñ: "an~os".
        return "" if _known(lexicon, fold("".join(parts))) else None
    known = (
        letter for letter in _SIGNS[sign] if _known(lexicon, fold(letter.join(parts)))
    )
    return next(known, None)


def _known(lexicon: Lexicon, word: str) -> bool:
    return word in lexicon.flags or word in lexicon.places


def _cased(written: str, place: int, letter: str) -> str:
    """Return a letter as those around it are: an I among capitals."""
    around = written[max(0, place - 1)] + written[min(place + 1, len(written) - 1)]
    if not around.strip("".join(_SIGNS)).isupper():
        return letter
    return "I" if letter == "l" else letter.upper()
