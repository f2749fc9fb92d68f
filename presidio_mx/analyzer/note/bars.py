"""Upright bars that a scanner made of the letters l and I: ``Fe|ipa``, ``QU|R|NO``."""

import re
from collections.abc import Iterator

from presidio_mx.analyzer.note.edit import Edit
from presidio_mx.analyzer.note.lexicon import Lexicon
from presidio_mx.folding import fold

_LETTER = r"[^\W\d_]"
_WORD = re.compile(rf"{_LETTER}+(?:\|{_LETTER}+)+\|?|{_LETTER}{{3,}}\|(?=[ .,;:)\n])")
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
    if "|" not in text:
        return
    found = [match for match in _WORD.finditer(text) if _alone(text, match.start())]
    sure = sum(1 for match in found if _is_word(match[0], lexicon))
    if sure < _LEAST_WORDS or 2 * sure < len(found):
        return
    for match in found:
        for bar in re.finditer(r"\|", match[0]):
            place = match.start() + bar.start()
            yield Edit(place, place + 1, _letter(match[0], bar.start()))


def _alone(text: str, place: int) -> bool:
    """Tell whether the line of a place has few bars."""
    start, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
    return text.count("|", start, len(text) if end < 0 else end) <= _MOST_IN_LINE


def _is_word(written: str, lexicon: Lexicon) -> bool:
    """Tell whether a word is known with letters for its bars, its parts not all."""
    parts = written.split("|")
    if all(len(part) > 3 and lexicon.flag(fold(part)) for part in parts):
        return False
    return any(lexicon.flag(fold(letter.join(parts))) for letter in "li")


def _letter(written: str, place: int) -> str:
    """Return the letter that a bar stands for: I among capitals, else l."""
    around = written[max(0, place - 1)] + written[min(place + 1, len(written) - 1)]
    return "I" if around.isupper() else "l"
