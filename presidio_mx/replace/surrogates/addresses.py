"""Surrogates of addresses: kinds of street and words stay, names and numbers change."""

import re

from presidio_mx.replace.surrogates.area_codes import postal_image
from presidio_mx.replace.surrogates.atlas import atlas, place_key
from presidio_mx.replace.surrogates.case import (
    match_case,
    match_marks,
    writes_no_accents,
)
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.replace.surrogates.numerals import ordinal_end
from presidio_mx.replace.surrogates.ordinary import common_words
from presidio_mx.replace.surrogates.places import surrogate_place
from presidio_mx.replace.surrogates.shape import (
    has_accents,
    number_image,
    permute_code,
    strip_accents,
)
from presidio_mx.replace.surrogates.spoken import (
    is_number_word,
    other_number_words,
)
from presidio_mx.replace.surrogates.street_names import (
    is_listed,
    name_image,
    street_names,
)
from presidio_mx.spanish.words import either, listed, words
from presidio_mx.text.folding import fold, fold_key

_STREET = words("surrogate_street")
_QUARTER = words("surrogate_quarter")
_NUMBERED = words("surrogate_numbered")
_KEPT = words("surrogate_kept")
_BESIDE = words("surrogate_beside")
_ROADS = words("surrogate_road")
_ORDINALS = (listed("ordinal_feminine"), listed("ordinal_masculine"))
_ARTICLES = ("de", "del", "la", "las", "los", "el")
_DIRECTIONS = words("side_full", "side_short") | {"y", "con"}
_POSTAL = re.compile(
    r"(?P<label>(?:c\s*\.?\s*p\s*\.?|codigo\s+postal)\s*[:#]?\s*)(?P<code>\d{5})(?!\d)"
    r"|(?<![\d#])(?P<bare>\d{5})(?!\d)"
)
_COUNTED = re.compile(r"[\s.:#-]*(?:(?:no?|num)\b[\s.:#]*)?(?:\d|[a-z]\b)")
# The word behind a number, and the month of a street that is called after a date.
_BEHIND = re.compile(rf"[\s,.]*([a-zñ]+)(\s+{either('month')})?")
_NUMBER_SIGN = re.compile(r"\b[Nn]0\b(?=\.?\s*\d)")
_LONGEST_SHORT = 5
# "U.H.", "R/A", "C.P.": letters that stand for words, not for a lot.
_ABBREVIATED = re.compile(
    r"(?<![^\W_])[^\W\d_](?:[./][^\W\d_](?![^\W_]))|(?<=[./])[^\W\d_](?![^\W_])"
)
_ORDINAL_ENDS = frozenset("o a er ra da do ta to va vo ma mo na no".split())
_TOKEN = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*|\d+|[^\w]+|_+")
# A date that is a street: "calle 5 de Mayo", "Constitución de 1814".
_DATE_NAME = re.compile(
    rf"\b\d{{1,2}}\s+de\s+(?:{either('month')}|{either('month_short')}\b\.?)"
    r"|\b[a-z]{4,}\s+de\s+1[6-9]\d\d\b"
)


class _Writer:
    """Walks over an address and collects the words of one name at a time."""

    def __init__(self, text: str, context: Context) -> None:
        self.context = context
        self.plain = writes_no_accents(text)
        self.kind = "street"
        self.parts: list[str] = []
        self.held: list[str] = []
        self.led = False  # a name follows its kind: "calle hidalgo"
        self.numbered = False  # a house number was written: "Hidalgo 12, Centro"

    def flush(self) -> None:
        """Write the surrogate of the name collected so far."""
        tail: list[str] = []
        while self.held and (
            not self.held[-1][:1].isalnum() or fold(self.held[-1]) in _KEPT
        ):
            tail.append(self.held.pop())
        head: list[str] = []
        while self.held and (
            not self.held[0][:1].isalnum()
            or fold(self.held[0]) in _KEPT
            and fold(self.held[0]) not in _ARTICLES
        ):
            head.append(self.held.pop(0))
        name = "".join(self.held)
        self.parts += head
        if name and self.kind == "road":
            road = "Ciudad de México" if place_key(name) == "mexico" else name
            self.parts.append(surrogate_place(road, self.context))
        elif name:
            new = name_image(self.kind, name, self.context.draw)
            names, places = street_names(self.kind)
            known = names[places[fold_key(name)]] if fold_key(name) in places else ""
            plain = self.plain or (has_accents(known) and not has_accents(name))
            self.parts.append(match_marks(name, match_case(name, new), plain))
        self.parts += reversed(tail)
        self.led = self.led and not name
        self.held = []


def _mask_dates(text: str) -> str:
    """Join the words of a street that is called after a date into one token."""
    folded = fold(text)
    out, position = [], 0
    for match in _DATE_NAME.finditer(folded):
        out.append(text[position : match.start()])
        letters = re.sub(r"\W", "q", text[match.start() : match.end()])
        out.append(re.sub(r"\d", "q", letters))
        position = match.end()
    return "".join([*out, text[position:]])


def _walk(text: str, context: Context) -> str:
    writer = _Writer(text, context)
    expects_number = False
    for match in _TOKEN.finditer(_mask_dates(text)):
        token = text[match.start() : match.end()]
        shown = match.group()
        word = fold(token)
        follows_digit = text[: match.start()][-1:].isdigit()
        if word in _BESIDE:
            writer.flush()
            writer.kind = "street"
        if shown.isdigit():
            writer.flush()
            writer.parts.append(number_image(token, "number", context))
            expects_number, writer.numbered = False, True
        elif not shown[0].isalnum():
            _separate(writer, token)
            expects_number = expects_number and "," not in token
        elif follows_digit and word in _ORDINAL_ENDS:
            writer.flush()
            end = ordinal_end(word, writer.parts[-1])
            writer.parts.append(match_case(token + token, end))
        elif word in _STREET or word in _QUARTER or _numbers(word, text[match.end() :]):
            expects_number = _marker(writer, token, word)
        elif word in _DIRECTIONS:
            writer.flush()
            writer.parts.append(token)
        elif _counts(word, text[match.end() :]):
            writer.flush()
            writer.parts.append(other_number_words(token, context, least=1))
        elif any(word in group for group in _ORDINALS) and not writer.held:
            writer.parts.append(_ordinal(token, word, context))
        elif _ABBREVIATED.match(text, match.start()) and not writer.held:
            writer.parts.append(token)
        elif _is_said(token, writer, text):
            writer.parts += [*writer.held, token]
            writer.held = []
        elif len(word) == 1 and word.isalpha() and (expects_number or not writer.held):
            writer.flush()
            lot = permute_code(strip_accents(token).upper(), "letter", context)
            kept = word in _KEPT and not expects_number
            writer.parts.append(token if kept else match_case(token + token, lot))
        else:
            writer.held.append(token)
            expects_number = False
    writer.flush()
    return "".join(writer.parts)


def _is_said(token: str, writer: _Writer, text: str) -> bool:
    """Tell whether a word only says where: "canal" in "Moral s/n, a bordo de canal".

    A word in small letters among names with capitals that is neither a street's nor
    anybody's name, and that no kind of street or quarter leads to.
    """
    small = token.islower() and not text.islower() and len(token) > 2
    only_articles = all(not t[0].isalpha() or fold(t) in _ARTICLES for t in writer.held)
    if not small or fold(token) in _ARTICLES or writer.led or not only_articles:
        return False
    key = fold_key(token)
    named = lexicon().is_given(key) or is_listed("street", key)
    said = key in common_words() or key.endswith("eria")
    return said and not named


def _numbers(word: str, rest: str) -> bool:
    """Tell whether a word says what the number or letter behind it counts.

    The "torre" of "Av. Las Torres" does not, and is replaced like any name.
    """
    if word not in _NUMBERED:
        return False
    if rest.startswith(".") and len(word) <= _LONGEST_SHORT:  # "edif. Centauro"
        return True
    behind = _BEHIND.match(fold(rest))
    spoken = behind is not None and is_number_word(behind[1])
    return spoken or _COUNTED.match(fold(rest)) is not None


def _counts(word: str, rest: str) -> bool:
    """Tell whether a number in words numbers something: "Allende seis, colonia ..."."""
    if not is_number_word(word):
        return False
    behind = _BEHIND.match(fold(rest))
    if behind is None or is_number_word(behind[1]) or rest.startswith(","):
        return True
    return behind[1] in _STREET | _QUARTER | _NUMBERED | _KEPT and not behind[2]


def _ordinal(token: str, word: str, context: Context) -> str:
    """Replace "segunda" by another ordinal of the same gender."""
    feminine, masculine = _ORDINALS
    group = feminine if word in feminine else masculine
    place = group.index(word)
    index = context.draw.permute(len(group), place, "ordinal", len(feminine))
    return match_case(token, group[index])


def _marker(writer: _Writer, token: str, word: str) -> bool:
    """Begin a new part of the address; tell whether a number or letter follows."""
    writer.flush()
    writer.parts.append(token)
    writer.led = word in _STREET or word in _QUARTER
    if word in _ROADS:
        writer.kind = "road"
    elif word in _STREET:
        writer.kind = "street"
    elif word in _QUARTER:
        writer.kind = "quarter"
    return word in _NUMBERED or word in _STREET - _ROADS  # "Av. N", "calle A"


def _separate(writer: _Writer, token: str) -> None:
    """Signs and blanks: a comma or a sign ends a name, a blank goes on with it.

    Behind the number of a house and a comma stands a quarter, said or not, so that
    "Hidalgo 12, Centro" of a table agrees with the "col. Centro" of its notes.
    """
    if token.strip() in ("", ".") and writer.held:
        writer.held.append(token)
        return
    writer.flush()
    if "," in token and writer.numbered and writer.kind == "street":
        writer.kind = "quarter"
    writer.parts.append(token)


def surrogate_address(text: str, context: Context) -> str:
    """Return the surrogate of an address.

    Street names go to street names, quarters to quarters, numbers to numbers of as
    many digits; the postal code goes to one of the surrogate city.

    :param text: The address as it stands in the document.
    :param context: Key, settings and facts.
    :return: Another address of the same make.
    """
    sign = "O" if text.isupper() else "o"  # "N0. 307" of a scan
    text = _NUMBER_SIGN.sub(lambda match: match[0][0] + sign, text)
    if _is_town(text):
        return surrogate_place(text, context)
    folded = fold(text)
    out, position = [], 0
    for match in _POSTAL.finditer(folded):
        group = "code" if match["code"] else "bare"
        if group == "bare" and not _is_postal(folded, match.start()):
            continue
        start, end = match.span(group)
        label = match.start("label") if match["code"] else start
        out.append(_walk(text[position:label], context))
        out += [text[label:start], postal_image(folded[start:end], context)]
        position = end
    out.append(_walk(text[position:], context))
    return "".join(out)


def _is_town(text: str) -> bool:
    """Tell whether an address is nothing but a town: "Cancún"."""
    key, world = place_key(text), atlas()
    if key.partition(" ")[0] in _STREET | _QUARTER | _NUMBERED:
        return False
    known = world.has_town(key) or key in world.state_forms
    return known and not (is_listed("street", text) or is_listed("quarter", text))


def _is_postal(folded: str, start: int) -> bool:
    """Five bare digits are a postal code unless a word says what they number."""
    before = re.findall(r"[a-z]+|#|\d", folded[:start])
    return not before or (before[-1] not in _NUMBERED and before[-1] != "#")
