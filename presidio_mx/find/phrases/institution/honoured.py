"""Whom an institution is named after: "Hospital Dr. Miguel Silva"."""

import re

from presidio_mx.find.phrases.institution.capitals import capital_name
from presidio_mx.find.phrases.institution.table import Lists
from presidio_mx.find.phrases.institution.words import PARTICLES
from presidio_mx.spanish.lexicon import NAME
from presidio_mx.spanish.word_runs import joined
from presidio_mx.spanish.words import either
from presidio_mx.text.document import Document

TITLED = re.compile(rf"[ \t]{{1,2}}{either('title_honoured_inside')}\.?[ \t]{{1,2}}")
_HONOURED = re.compile(rf"[ ]{either('title_honoured')}\.?[ ]")
_NAME_ENDS = re.compile(r"$|[,.;:)\n\"]|[ ]{2}")
_MOST_WORDS = 7
_SHORTEST_NAME = 3


def person_named(lists: Lists, document: Document, offset: int) -> int | None:
    """Return where the person's name behind a title ends, or ``None``.

    :param lists: What words and places are known.
    :param document: The note.
    :param offset: Offset behind the title.
    """
    first = document.word_at(offset)
    last = capital_name(lists, document, first)
    if last < first:
        last = _names_run(document, first)
    return document.ends[last] if last >= first else None


def with_honoured(document: Document, end: int) -> int:
    """Return the end with whom a hospital is named after behind its town.

    "H. G. de Tlaxcala Lic. Anselmo Cervantes": two names at least, no sentence.
    """
    title = _HONOURED.match(document.folded, end)
    if title is None:
        return end
    first = document.word_at(title.end())
    last = _names_run(document, first)
    if last <= first or not document.capital(first):
        return end
    behind = document.folded[document.ends[last] : document.ends[last] + 2]
    return document.ends[last] if _NAME_ENDS.match(behind) else end


def _names_run(document: Document, first: int) -> int:
    """Return the last of two or more words of a name, whatever their case.

    :return: Index of the last word; ``first - 1`` where there are no two.
    """
    last = first - 1
    for here in range(first, min(first + _MOST_WORDS, len(document))):
        if here > first and not joined(document, here - 1):
            break
        word = document.words[here]
        if document.flags[here] & NAME and len(word) >= _SHORTEST_NAME:
            last = here
        elif word not in PARTICLES:
            break
    return last if last > first else first - 1
