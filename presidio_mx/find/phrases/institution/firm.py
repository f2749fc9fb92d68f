"""Firms: what stands behind "trabaja en", and before "S.A. de C.V."."""

import re

from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.institution.capitals import MOST_CAPITALS
from presidio_mx.find.phrases.institution.ending import (
    LEGAL_FORM,
    TRAILING_NUMBER,
    legal_form_behind,
    with_branch,
)
from presidio_mx.find.phrases.institution.table import Lists
from presidio_mx.find.phrases.institution.words import LINKS, PARTICLES, SAINTS
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.spanish.word_runs import FUNCTION_WORDS, capital_run
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

# "FARlNGE": a scanner's small l among capitals; no firm's name has one there.
_SCANNED = re.compile(r"[bcdfgjmnpqrstvxz]l[bcdfghjkmnpqrstvwxz]")
# "la empresa Bachoco": behind these a name is a firm's though it is a town's too.
_FIRM_NOUNS = words("firm_noun")
_RESPECT = words("particle_saint") | {"don", "dona"}
# "transportes la paloma" has a name, "quesos y cremas" a joint.
_ARTICLES_OF_TRADE = PARTICLES - LINKS - {"en", "para"}
_NUMBER_WORDS = words("number_label") - {"nro"}
# A place surer than this is no firm's name: log-odds, see gazetteer.py.
_PLACE = -1.0
_SHORTEST_FORM = 3
_MOST_QUOTED = 60
# Words that a firm's name may have, by how little else tells that it is one.
_MOST_BEFORE_FORM = 7
_MOST_LABELLED = 7
_MOST_OF_TRADE = 5
_MOST_UNKNOWN = 3
_SHORTEST_UNKNOWN = 4
# Words this short may be shortened: "fca. de hilados".
_LONGEST_SHORT = 3
_SHORTEST_NAME = 3


def firm_before(document: Document, index: int, limit: int) -> Mark | None:
    """Return the firm whose name stands before "S.A. de C.V.".

    :param document: The note.
    :param index: Index of the legal form's first letter.
    :param limit: Offset before which the name may not begin.
    """
    form = LEGAL_FORM.match(document.folded, document.starts[index])
    if form is None or form.end() - form.start() < _SHORTEST_FORM:
        return None
    first = index
    for here in range(index - 1, max(-1, index - 1 - _MOST_BEFORE_FORM), -1):
        gap = document.gap(here).strip(" ")
        if document.starts[here] < limit or gap not in ("", "-", "&", ","):
            break
        if gap == "," and here < index - 1:
            break
        if document.capital(here) and document.words[here] not in FUNCTION_WORDS:
            first = here
        elif document.words[here] not in PARTICLES:
            break
    if first == index or document.casing(first) != "mixed":
        return None
    return Mark(document.starts[first], form.end())


def trade_firm(lists: Lists, document: Document, index: int) -> Mark | None:
    """Return "transportes castores", where capitals tell nothing.

    :param lists: What words and places are known.
    :param document: The note.
    :param index: Index of the word with which the trade may begin.
    """
    if document.casing(index) == "mixed" and document.capital(index):
        return None
    trade = lists.words.trade.match(document.folded, document.starts[index])
    if trade is None:
        return None
    first = document.word_at(trade.end())
    last, named = first - 1, False
    for here in range(first, min(first + _MOST_OF_TRADE, len(document))):
        if _ends_trade(lists, document, here):
            break
        word = document.words[here]
        if word in _ARTICLES_OF_TRADE:
            named = named or (here == first and word not in ("de", "del"))
            continue
        if word in FUNCTION_WORDS:
            break
        if len(word) >= _SHORTEST_NAME:
            known = document.flags[here] & KNOWN
            named = named or not known or word in _RESPECT
        last = here
    if not named or last < first:
        return None
    return Mark(document.starts[index], document.ends[last])


def _ends_trade(lists: Lists, document: Document, here: int) -> bool:
    """Tell whether the name behind a trade ends before a word."""
    word, gap = document.words[here], document.gap(here - 1)
    short = gap == ". " and len(document.words[here - 1]) <= _LONGEST_SHORT
    if gap != " " and not short:
        return True
    return word.isdigit() or word in lists.words.field or word in _NUMBER_WORDS


def employer(lists: Lists, document: Document, index: int, strict: bool) -> Mark | None:
    """Return a firm's name behind a label or "trabaja en".

    :param lists: What words and places are known.
    :param document: The note.
    :param index: Index of the name's first word.
    :param strict: Whether plain words in capitals are none.
    """
    start = document.starts[index]
    if document.folded[start - 1 : start] == '"':
        close = document.folded.find('"', start, start + _MOST_QUOTED)
        if close > 0 and "\n" not in document.folded[start:close]:
            return Mark(start, close)
    mixed = document.casing(index) == "mixed"
    if mixed and not document.capital(index):
        return None
    form = legal_form_behind(document, index)
    if form:
        return Mark(start, form)
    last = capital_run(document, index, MOST_CAPITALS)
    while last > index and _ends_no_name(lists, document.words[last]):
        last -= 1
    if last < index:
        return None
    if mixed:
        return _capital_firm(lists, document, index, last, strict)
    if strict:
        return _unknown_firm(lists, document, index)
    return _labelled_firm(lists, document, index)


def _ends_no_name(lists: Lists, word: str) -> bool:
    """Tell whether a word ends no name."""
    return word in PARTICLES or word in lists.words.field


def _capital_firm(
    lists: Lists, document: Document, first: int, last: int, strict: bool
) -> Mark | None:
    """Return a capitalised run, if it is no place and no plain words."""
    if strict and document.words[first] in SAINTS:
        # "panadero en San Juan Ixtenco"
        return None
    if _is_place(lists, document, first, last):
        return None
    if document.words[first] in lists.words.field:
        return None
    if all(_is_plain(lists, document, here) for here in range(first, last + 1)):
        return None
    flags = document.flags[first : last + 1]
    if strict and all(flag & KNOWN and not flag & NAME for flag in flags):
        return None
    if len(document.words[last]) == 1 and last > first and not document.gap(last):
        # "Nissan A2": the letter belongs to the number.
        last -= 1
    number = TRAILING_NUMBER.match(document.folded, document.ends[last])
    end = number.end() if number else document.ends[last]
    return Mark(document.starts[first], with_branch(lists, document, end))


def _is_place(lists: Lists, document: Document, first: int, last: int) -> bool:
    """Tell whether words are a place, and nothing before them says "firm"."""
    if first and document.words[first - 1] in _FIRM_NOUNS:
        return False
    place = lists.place_from(document, first)
    if place is None or place[0] < last:
        return False
    return place[1].strength > _PLACE or not place[1].states


def _is_plain(lists: Lists, document: Document, here: int) -> bool:
    """Tell whether a word makes no firm's name."""
    word = document.words[here]
    return (
        word in lists.words.generic
        or _ends_no_name(lists, word)
        or word in FUNCTION_WORDS
        or word.isdigit()
    )


def _unknown_firm(lists: Lists, document: Document, first: int) -> Mark | None:
    """Return words in capitals that no list has: "TRABAJA EN PROTEXA"."""
    if document.casing(first) != "upper" or lists.place_from(document, first):
        return None
    last = first - 1
    for here in range(first, min(first + _MOST_UNKNOWN, len(document))):
        if here > first and document.gap(here - 1) not in (" ", "-", " & "):
            break
        word, flag = document.words[here], document.flags[here] & ~Flag.ANCHOR
        if flag or len(word) < _SHORTEST_UNKNOWN or word.isdigit():
            break
        if _SCANNED.search(word):
            break
        last = here
    if last < first:
        return None
    return Mark(document.starts[first], document.ends[last])


def _labelled_firm(lists: Lists, document: Document, first: int) -> Mark | None:
    """Return a firm's name behind a label in capitals: a run of words, no field."""
    if document.casing(first) != "upper":
        return None
    last = first - 1
    for here in range(first, min(first + _MOST_LABELLED, len(document))):
        word = document.words[here]
        if here > first and document.gap(here - 1) not in (" ", ". ", "-", " & "):
            break
        if word.isdigit() or word in lists.words.field:
            break
        if word in PARTICLES:
            continue
        if word in FUNCTION_WORDS:
            break
        last = here
    if last < first or (last == first and document.flags[first] & KNOWN):
        return None
    place = lists.place_from(document, first)
    if place and place[0] >= last:
        return None
    return Mark(document.starts[first], document.ends[last])
