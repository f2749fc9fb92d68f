"""Bars that a scanner made of the letters l and i: ``Fe|ipa``, ``Ch!huahua``."""

import re
from collections.abc import Iterator

from presidio_mx.analyzer.note.edit import Edit
from presidio_mx.analyzer.note.lexicon import Lexicon
from presidio_mx.folding import fold

_LETTER = r"[^\W\d_]"
# Each sign, and the letter that it mostly was.
_SIGNS = {"|": "l", "!": "i", "¡": "i"}
_WORDS = {
    sign: re.compile(
        rf"(?<!{_LETTER})(?:{_LETTER}+(?:{mark}{_LETTER}+)+{mark}?"
        rf"|{_LETTER}{{3,}}{mark}(?=[ .,;:)\n]))"
    )
    for sign, mark in ((sign, re.escape(sign)) for sign in _SIGNS)
}
# So many words must be words with a letter in place of the bar, and no more than so
# many bars part fields, before a bar is believed to be a letter.
_LEAST_WORDS = 2
_MOST_IN_LINE = 8


def bars(text: str, lexicon: Lexicon) -> Iterator[Edit]:
    """Yield the letters that bars inside words stand for.

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
    few = [
        (line.start(), line.end())
        for line in re.finditer(r"[^\n]+", text)
        if line[0].count(sign) <= _MOST_IN_LINE
    ]
    found = [m for start, end in few for m in _WORDS[sign].finditer(text, start, end)]
    # Behind a word an exclamation mark is one.
    found = [m for m in found if sign == "|" or sign in m[0][:-1]]
    sure = sum(1 for match in found if _meant(match[0], sign, lexicon))
    if sure < _LEAST_WORDS or 2 * sure < len(found):
        return
    for match in found:
        letter = _meant(match[0], sign, lexicon) or _SIGNS[sign]
        for place, letter_there in enumerate(match[0]):
            if letter_there == sign:
                start = match.start() + place
                yield Edit(start, start + 1, _cased(match[0], place, letter))


def _meant(written: str, sign: str, lexicon: Lexicon) -> str:
    """Return the letter with which a word is known, unless all its parts are."""
    parts = written.split(sign)
    if all(len(part) > 3 and lexicon.flag(fold(part)) for part in parts):
        return ""
    letters = (letter for letter in "li" if lexicon.flag(fold(letter.join(parts))))
    return next(letters, "")


def _cased(written: str, place: int, letter: str) -> str:
    """Return a letter as those around it are: an I among capitals."""
    around = written[max(0, place - 1)] + written[min(place + 1, len(written) - 1)]
    if around.isupper():
        return "I"
    return letter
