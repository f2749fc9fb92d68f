"""Scans whose words stand far apart: ``H orac io    Zal divar`` is Horacio Zaldivar.

A scanner that lost the measure of a typewritten page puts two, three or four blanks
between words and single ones inside them. Told by the small words of running text:
"a   la   vecina" is no table.
"""

import re
from collections.abc import Iterator

from presidio_mx.find.note.document import Document
from presidio_mx.find.note.edit import Edit
from presidio_mx.find.note.lexicon import Lexicon
from presidio_mx.spanish.words import words

# Between a small word and the next one no column begins.
_SMALL = re.compile(
    r"(?<![^\W_])(?:de|del|la|las|los|el|y|en|con|por|que|se|su|al?)[ ]{2,4}(?=[^\W_])",
    re.I,
)
_LEAST_SMALL = 3
_LEAST_WIDE = 8
_BLANKS = re.compile(r"(?<=\S)[ ]+(?=\S)")
_WIDE = re.compile(r"(?<=\S)[ ]{2,}(?=\S)")
_SINGLE = re.compile(r"(?<=[^\W\d_])[ ](?=[^\W\d_])")
# What is wider parts columns.
_WIDEST = 4
_FUNCTION = words("function_word", "particle_street", "particle_place")
_CLOSING, _OPENING = ".,;:)", "("
_DIGITS = frozenset("0123456789OlIS")
# "Tolentin 0": the o that ends a word.
_END_OF_WORD = "0"


def spread(text: str) -> bool:
    """Tell whether the words of a text stand far apart.

    :param text: The text.
    """
    if text.count("  ") < _LEAST_WIDE:
        return False
    return len(_SMALL.findall(text)) >= _LEAST_SMALL


def drawn_together(document: Document, lexicon: Lexicon) -> Iterator[Edit]:
    """Yield what makes single blanks of wide ones, and none of those inside words.

    :param document: A note whose words stand far apart.
    :param lexicon: What is known of words.
    """
    text, begin = document.text, 0
    everywhere = _broken(text)
    for line in text.splitlines(keepends=True):
        broken = everywhere or _broken(line)
        for match in _BLANKS.finditer(text, begin, begin + len(line)):
            start, end = match.span()
            if 1 < end - start <= _WIDEST:
                yield Edit(start, end, " ")
            elif end - start == 1 and broken and _inside(document, lexicon, start):
                yield Edit(start, end)
        begin += len(line)


def _broken(text: str) -> bool:
    """Tell whether wide blanks part the words of a text, and single ones do not."""
    return len(_WIDE.findall(text)) >= len(_SINGLE.findall(text))


def _inside(document: Document, lexicon: Lexicon, blank: int) -> bool:
    """Tell whether a single blank is none in truth: inside a word, before a stop."""
    text = document.text
    before, behind = text[blank - 1], text[blank + 1]
    if behind in _CLOSING or before in _OPENING:
        return True
    second = document.word_at(blank)
    if not second or document.starts[second : second + 1] != [blank + 1]:
        return False
    first = second - 1
    if document.ends[first] != blank:
        return False
    left = text[document.starts[first] : blank]
    right = text[blank + 1 : document.ends[second]]
    if _DIGITS.issuperset(left) and _DIGITS.issuperset(right):
        return True
    if left.isalpha() and right in _END_OF_WORD and len(left) > 2:
        return True
    if not (left + right).isalpha():
        return False
    pair = document.words[first], document.words[second]
    if lexicon.flag("".join(pair)):
        return True
    if not _FUNCTION.isdisjoint(pair):
        return False
    return any(len(word) == 1 or not lexicon.flag(word) for word in pair)
