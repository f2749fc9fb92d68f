"""What stands before an address's first opening word and belongs to it.

"2a. Cerrada", "Tajín 512, Col. Narvarte", "Insurgentes esquina con Mina", "Lomas de San
Juan, mz 4 lt 12": the search begins at the opening word and looks back.
"""

import re

from presidio_mx.find.phrases.address.patterns import (
    DATE_NAME,
    NAME_BEFORE_LOT,
    NUMBER_BEHIND,
    ORDINAL_BEFORE,
    PLACED,
    PROLONGED,
    SETTLEMENT_NOUNS,
    SIDES,
    SIGNED_END,
    STREET_BEFORE,
    YEAR_NAME,
)
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.spanish.word_runs import FUNCTION_WORDS, joined
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

_PARTICLES = words("particle_before_street")
_NUMBER_ENDS = words("number_suffix_written") | SIDES | {"n", "numero"}
_NUMBER_STARTS = words("number_label") | words("no_number")
_CORNERS = words("corner")
_LOTS = words("lot")
_MONTHS = words("month")
_DATE_BEFORE = re.compile(rf"(?:{DATE_NAME.pattern})$")
_LEADING_PARTICLES = frozenset({"de", "del", "la", "las", "los", "el"})
_SURE_OPENINGS = words("sure_opening")
_COMMA = re.compile(r",?[ ]{1,2}")

# How far a search looks back, in characters, and from how many words.
_ORDINAL_WIDTH = 24
_STREET_WIDTH = 70
_CORNER_WIDTH = 50
_LEAD_WIDTH = 12
_SIGNED_WIDTH = 14
_MOST_WORDS = 5
# "adolfo lópez mateos 501, col. …": so many words may be a street's in small letters.
_MOST_SMALL_WORDS = 4


def ordinal_before(document: Document, start: int, limit: int) -> int:
    """Return where an ordinal before the street's word begins ("2a. Cerrada").

    :param document: The note.
    :param start: Where the opening word begins.
    :param limit: Where what was found before ends.
    :return: The new beginning; ``start`` where nothing stands before.
    """
    for pattern in (ORDINAL_BEFORE, PROLONGED):
        low = max(limit, start - _ORDINAL_WIDTH)
        match = pattern.search(document.folded[low:start])
        if match:
            start = low + match.start()
    return start


def name_before(document: Document, index: int, limit: int) -> int | None:
    """Return where a street or settlement before an opening word begins.

    :param document: The note.
    :param index: Index of the opening word.
    :param limit: Where what was found before ends.
    :return: Its beginning; ``None`` where there is none.
    """
    if not index:
        return None
    word, before = document.words[index], document.words[index - 1]
    if before.isdigit() or before in _NUMBER_ENDS or len(before) == 1:
        return _numbered_street(document, document.starts[index], limit)
    if word in _CORNERS:
        return _street_of_corner(document, index, limit)
    if word in _LOTS:
        return _settlement_of_lot(document, index, limit)
    return None


def _numbered_street(document: Document, start: int, limit: int) -> int | None:
    """Find a street without its type: "Tajín 512, Col. Narvarte"."""
    low = max(limit, start - _STREET_WIDTH)
    before = document.folded[low:start]
    match = STREET_BEFORE.search(before)
    while match:
        begin = _street_begin(document, low, match, start)
        if begin is not None:
            return begin
        # "SE LE CITA EN BABIT 50, COL. …": the line is no boundary, "en" is.
        match = STREET_BEFORE.search(before, match.start() + 1)
    return None


def _street_begin(
    document: Document, low: int, match: re.Match[str], start: int
) -> int | None:
    """Return where the name begins in what looks like a street and its number."""
    if DATE_NAME.match(match["street"]):
        # "5 de Mayo 132, barrio de Santiago"
        return low + match.start("street")
    first = document.word_at(low + match.start("street"))
    end = low + match.end("street")
    while document.starts[first] < end and document.words[first] in FUNCTION_WORDS:
        # ", en Tajín 512": the comma was the boundary, the name begins here.
        first += 1
    if document.starts[first] >= end:
        return None
    capital = document.capital(first)
    if not capital and not _is_small_name(document, first, start):
        return None
    if not _is_name(document, first, end, capital):
        return None
    least = document.word_at(low + match.start("street"))
    while first > least and document.words[first - 1] in _LEADING_PARTICLES:
        # "SE LE CITA EN DEL PASO 401, C.P. …"
        first -= 1
    return document.starts[first]


def _is_small_name(document: Document, first: int, start: int) -> bool:
    """Tell whether a number and a comma follow a few words, names among them.

    Before a colonia or a postal code they may be any words: "en peluqueros 99, col. …".
    """
    end = document.folded[:start].rstrip()
    if not end.endswith(",") and not SIGNED_END.search(end[-_SIGNED_WIDTH:]):
        return False
    sure = document.words[document.word_at(start)] in _SURE_OPENINGS
    named = False
    for here in range(first, min(first + _MOST_SMALL_WORDS + 2, len(document))):
        word, flag = document.words[here], document.flags[here]
        if word in _NUMBER_STARTS or word.isdigit():
            return named and here - first <= _MOST_SMALL_WORDS
        if word not in _PARTICLES:
            if flag & KNOWN and not flag & NAME and not sure:
                return False
            named = True
    return False


def _is_name(document: Document, first: int, end: int, capital: bool) -> bool:
    """Tell whether the words up to a number can be a street's name."""
    mixed = document.casing(first) == "mixed" and capital
    for here in range(first, len(document)):
        word = document.words[here]
        if document.starts[here] >= end or word.isdigit():
            break
        if here > first and word in _NUMBER_STARTS:
            break
        if word in _PARTICLES:
            continue
        if word in FUNCTION_WORDS or document.flags[here] & Flag.MEDICAL:
            return False
        if mixed and not document.capital(here) and word not in SIDES:
            return False
    return True


def name_of_side(document: Document, index: int, limit: int) -> int | None:
    """Find the name before a side and its number: "en Ceiba Sur 8, C.P. 58000".

    :param document: The note.
    :param index: Index of the side.
    :param limit: Where what was found before ends.
    :return: Its beginning; ``None`` where there is none.
    """
    joint = index > 0 and document.gap(index - 1) == " "
    return _street_of_corner(document, index, limit) if joint else None


def sided_street(document: Document, index: int, limit: int) -> int | None:
    """Find the street before a side: "Insurgentes 118 Ote.", at the end of a name.

    :param document: The note.
    :param index: Index of the side.
    :param limit: Where what was found before ends.
    :return: Its beginning; ``None`` where there is none.
    """
    return _numbered_street(document, document.starts[index + 1], limit)


def _street_of_corner(document: Document, index: int, limit: int) -> int | None:
    """Find the street before "esquina con": "en Insurgentes esquina con Mina"."""
    start = document.starts[index]
    low = max(limit, start - _CORNER_WIDTH)
    before = document.folded[low:start].rstrip()
    date = _DATE_BEFORE.search(before)
    if date:
        return low + date.start()
    first = index
    for here in _words_before(index):
        if document.starts[here] < low or not joined(document, here):
            break
        if document.capital(here) and document.words[here] not in FUNCTION_WORDS:
            first = here
        elif document.words[here] not in _PARTICLES:
            break
    if first == index or document.casing(first) != "mixed":
        return None
    begin = document.starts[first]
    if not PLACED.search(document.folded[max(0, begin - _LEAD_WIDTH) : begin]):
        return None
    return begin


def _settlement_of_lot(document: Document, index: int, limit: int) -> int | None:
    """Find the settlement before a lot: "Lomas de San Juan, mz 4 lt 12"."""
    if document.gap(index - 1) == " ":
        return _name_of_lot(document, index, limit)
    if not _COMMA.fullmatch(document.gap(index - 1)):
        return None
    for here in _words_before(index):
        if document.starts[here] < limit:
            return None
        if here < index - 1 and not joined(document, here):
            return None
        if document.words[here] in SETTLEMENT_NOUNS and here < index - 1:
            return document.starts[here] if document.capital(here) else None
        if document.words[here].isdigit() or document.words[here] in (
            FUNCTION_WORDS - _PARTICLES
        ):
            return None
    return None


def _name_of_lot(document: Document, index: int, limit: int) -> int | None:
    """Find the name between "en" and a lot: "en Molino de Rosas mz 7 lt 3"."""
    start = document.starts[index]
    low = max(limit, start - _STREET_WIDTH)
    match = NAME_BEFORE_LOT.search(document.folded[low:start])
    while match:
        first = document.word_at(low + match.start("name"))
        inside = range(first, index)
        flags = [document.flags[here] for here in inside]
        names = [here for here in inside if document.words[here] not in _PARTICLES]
        if (
            names
            and not any(document.words[here] in FUNCTION_WORDS for here in names)
            and not any(flag & Flag.MEDICAL for flag in flags)
            and any(flag & (NAME | Flag.PLACE) for flag in flags)
        ):
            return document.starts[first]
        match = NAME_BEFORE_LOT.search(document.folded[low:start], match.start("name"))
    return None


def _words_before(index: int) -> range:
    """Return the indices of the words before one, the nearest first."""
    return range(index - 1, max(-1, index - _MOST_WORDS - 1), -1)


def after_preposition(document: Document, index: int) -> bool:
    """Tell whether a street without its type may begin behind "en".

    "en Río Bravo 118, Estrella": a capitalised name and then its number.

    :param document: The note.
    :param index: Index of the word behind the preposition.
    :return: Whether a name of one to five words and a number follow.
    """
    if index >= len(document) or not document.capital(index):
        return False
    if document.casing(index) != "mixed" or document.words[index].isdigit():
        return False
    named = False
    for here in range(index, min(index + _MOST_WORDS + 1, len(document))):
        word = document.words[here]
        if word.isdigit():
            if YEAR_NAME.match(document.folded, document.ends[here - 1]):
                # "en Revolución 1910 núm. 12"
                return here > index
            return named and document.gap(here - 1) in (" ", " #", " # ")
        if named and NUMBER_BEHIND.match(document.folded, document.ends[here - 1]):
            return True
        if here > index and not joined(document, here - 1):
            return False
        if word in _PARTICLES:
            continue
        flag = document.flags[here]
        if not document.capital(here) or word in _MONTHS or document.shouted(here):
            return False
        named = named or bool(flag & (NAME | Flag.PLACE)) or not flag
    return False
