"""Surrogates of institutions: their kind stays, their number or name changes."""

import re
from collections.abc import Sequence
from functools import cache

from presidio_mx.anonymizer.surrogates.addresses import (
    is_listed,
    name_image,
    number_image,
)
from presidio_mx.anonymizer.surrogates.atlas import atlas, place_key, state_image
from presidio_mx.anonymizer.surrogates.calendar import MONTHS
from presidio_mx.anonymizer.surrogates.case import match_case, match_marks
from presidio_mx.anonymizer.surrogates.context import Context
from presidio_mx.anonymizer.surrogates.institution_names import (
    adjective,
    after_article,
    firm_name,
    hopeful_name,
    listed_image,
)
from presidio_mx.anonymizer.surrogates.lexicon import PARTICLES, lexicon
from presidio_mx.anonymizer.surrogates.name_images import word_surrogate
from presidio_mx.anonymizer.surrogates.places import surrogate_place
from presidio_mx.anonymizer.surrogates.shape import strip_accents
from presidio_mx.folding import fold_key
from presidio_mx.words import words

_TOKEN = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*|\d+|[^\w]+|_+")


_SAINTS = frozenset(("san", "santa", "sta", "sto"))
_TOWN_OF_SAINT = 3  # "San Juan Copala": a town, known or not
_TRADE = words("firm_trade")
_ORDINALS = words("institution_ordinal")
_TRADES = words("institution_trade")
_OF_TOWN = words("institution_of_town")
_LARGE = 2  # the largest two of a state are cities first
# "Oftalmológicas", "Pediátrico": what an institution is for.
_SPECIALTY = re.compile(
    r"(?:logic|iatric|grafic|terapic|medic|nomic|tecnic)[oa]s?$|logia$"
)
_HONOURED = words("title_honoured")
# What opens a firm's name and says its trade: "Despepitadora", "Bordados".
_OPENING = re.compile(r"(?:dora|doras|eria|erias|ados|adas|idos|ciones|eros|eras)$")
_HEADS = words("kind_in_name")
_STRICT_HEADS = _HEADS - {"refugio"}
# States that are called after people, as streets and schools are too.
_HEROES = words("state_of_person")


@cache
def _kind_words() -> frozenset[str]:
    """Return the words that say what kind of institution it is; they stay.

    A kind that is a name of persons, too ("CESAR"), stays only if the list of kept
    words has it.
    """
    kinds = words("institution_code", "institution_kind", "institution_generic")
    letters = (kind.replace(".", "") for kind in kinds)
    plain = frozenset(kind for kind in letters if kind.isalpha())
    return words("institution_kept") | (plain - lexicon().words.keys())


def _place_span(tokens: Sequence[str], at: int) -> int:
    """Return how many tokens from one on are a municipality, state or town; 0 if none.

    A person's name counts before a place unless the word before is a preposition or a
    number ("HGZ 4 Celaya").
    """
    world = atlas()
    before = fold_key("".join(tokens[max(0, at - 2) : at])).strip(" .")
    if before in _HONOURED:  # "Dr. Rafael Lucio": a town is called after him, too
        return 0
    led = before in ("de", "en", "del") or before.isdigit() or not tokens[:at]
    for width in (7, 5, 3, 1):
        phrase = place_key("".join(tokens[at : at + width]))
        article = fold_key(tokens[at]) in PARTICLES - _SAINTS
        if len(tokens[at : at + width]) < width or (article and width == 1):
            continue
        if article and phrase not in world.municipalities:
            continue
        if (
            phrase in world.municipalities
            or phrase in world.state_forms
            or phrase in world.towns
        ):
            named = lexicon().words.get(phrase)
            state = phrase in world.state_forms and phrase not in _HEROES
            if (
                width > 1
                or led
                or named is None
                or state
                or _is_large(tokens, at, phrase)
            ):
                return width
    return 0


def _is_large(tokens: Sequence[str], at: int, phrase: str) -> bool:
    """Tell whether a word that is also a surname is a city: "ISSSTE Monterrey"."""
    found = atlas().municipalities.get(phrase, ())
    before = [fold_key(token) for token in tokens[:at] if token[0].isalpha()]
    person = bool(before) and lexicon().is_given(before[-1])
    return bool(found) and found[0].rank < _LARGE and not person


def _unknown_run(tokens: Sequence[str], at: int) -> int:
    """Return how many tokens from one on are words of no list of names."""
    names, end = lexicon().words, at
    for place in range(at, len(tokens)):
        token = tokens[place]
        key = fold_key(token)
        if token.isspace():
            continue
        if not token[0].isalpha() or key in _kind_words() or key in names:
            break
        if len(key) == 1 or _SPECIALTY.search(key):
            break
        end = place + 1
    return end - at


def _listed_name(tokens: Sequence[str], at: int) -> int:
    """Return how many tokens from one on are a name that streets bear; 0 if none."""
    for width in (7, 5, 3):
        piece = tokens[at : at + width]
        phrase = "".join(piece)
        whole = len(piece) == width and piece[0].isalnum() and piece[-1].isalnum()
        if whole and is_listed("street", phrase):
            return width
    return 0


def _opens_with_ordinal(tokens: Sequence[str], at: int) -> bool:
    """Tell whether an ordinal opens a name: "Tercer Milenio", not "Tercer Nivel"."""
    behind = fold_key("".join(tokens[at + 2 : at + 3]))
    ordinal = fold_key(tokens[at]) in _ORDINALS
    return ordinal and behind.isalpha() and not _is_kind(behind, at + 2)


def _is_kind(key: str, at: int) -> bool:
    """Tell whether a word says what it is: at the beginning also "Refugio" does."""
    kept = key in _kind_words() or key in _TRADE or key in _STRICT_HEADS
    if at == 0:
        opens = _OPENING.search(key) is not None and key not in lexicon().words
        kept = kept or opens or key in _TRADES or key in _HEADS
    return kept or _SPECIALTY.search(key) is not None


def _piece(tokens: Sequence[str], at: int, context: Context) -> tuple[int, str]:
    """Return how many tokens a piece of the name has, and its surrogate."""
    token = tokens[at]
    key, before = fold_key(token), "".join(tokens[:at]).rstrip()
    if token.isdigit():
        return 1, number_image(token, "institution", context)
    rest = "".join(tokens[at:]).split()
    if key in _SAINTS and len(rest) == _TOWN_OF_SAINT and rest[-1].isalpha():
        return len(tokens) - at, surrogate_place("".join(tokens[at:]), context)
    width = _listed_name(tokens, at)
    if width and key in _SAINTS and (town := _place_span(tokens, at)) > width:
        return town, surrogate_place("".join(tokens[at : at + town]), context)
    if not width and _opens_with_ordinal(tokens, at):
        width = 3
    if width:
        phrase = "".join(tokens[at : at + width])
        return width, match_case(phrase, name_image("hero", phrase, context.draw))
    led = fold_key(before).split()[-1:] in (["de"], ["en"], ["del"])
    place = _place_span(tokens, at) if token[0].isalpha() else 0
    if place and (place > 1 and (led or key not in _SAINTS) and not _is_kind(key, at)):
        return place, surrogate_place("".join(tokens[at : at + place]), context)
    if place > 1 and (led or (at and key == "ciudad")):
        return place, surrogate_place("".join(tokens[at : at + place]), context)
    if not token[0].isalpha() or _is_kind(key, at) or key in PARTICLES:
        return 1, token
    if key in MONTHS:
        month = context.draw.permute(12, MONTHS.index(key), "institution month")
        return 1, match_case(token, MONTHS[month])
    new = None if len(key) == 1 else after_article(before, token, context)
    if new is not None and not (place and fold_key(before).endswith("del")):
        return max(1, place, _unknown_run(tokens, at)), new
    if place:
        return place, surrogate_place("".join(tokens[at : at + place]), context)
    if len(key) == 1:
        return 1, token
    if key in lexicon().words:
        return 1, match_case(token, word_surrogate(key, context))
    return _unknown_piece(tokens, at, context)


def _unknown_piece(tokens: Sequence[str], at: int, context: Context) -> tuple[int, str]:
    """Replace words of no list: by what reads well where they stand."""
    token, before = tokens[at], "".join(tokens[:at]).rstrip()
    acronym = listed_image(token, context)
    if acronym is not None:
        return 1, match_case(token, acronym)
    if (new := adjective(before, token, context)) is not None:
        return 1, new
    # "Hospital del Valle": the word after "del" may be a name, so no run begins there.
    width = max(1, _unknown_run(tokens, at))
    phrase = "".join(tokens[at : at + width])
    if (new := hopeful_name(phrase, context)) is not None:
        return width, new
    if at == 0 and width > 1:  # "Bombardier Aerospace planta Colón"
        return width, firm_name(phrase, context, short=True)
    if _among_names(tokens, at, at + width):
        return 1, match_case(token, word_surrogate(fold_key(token), context))
    return width, match_case(phrase, name_image("hero", phrase, context.draw))


def _among_names(tokens: Sequence[str], start: int, end: int) -> bool:
    """Tell whether words stand beside the words of a person's name."""
    names = lexicon().words
    beside = [t for t in (*tokens[max(0, start - 2) : start], *tokens[end : end + 2])]
    return any(fold_key(token) in names for token in beside)


def _walk(text: str, context: Context) -> str:
    tokens = _TOKEN.findall(text)
    plain = strip_accents(text) == text and (text.isupper() or text.islower())
    parts: list[str] = []
    at = 0
    while at < len(tokens):
        width, new = _piece(tokens, at, context)
        old = "".join(tokens[at : at + width])
        parts.append(new if new == old else match_marks(old, new, plain))
        at += width
    return "".join(parts)


def surrogate_institution(text: str, context: Context) -> str:
    """Return the surrogate of an institution.

    A listed one becomes another one of its kind; otherwise words of kind stay, numbers
    become other numbers, places and names what they become elsewhere.

    :param text: E.g. ``HGZ 83`` or ``Hospital General de Apatzingán``.
    :param context: Key, settings and facts.
    :return: An institution of the same kind.
    """
    new = listed_image(text, context)
    # "Hospital de la Mujer" and the longer names of its class hold one another.
    if new is not None and fold_key(text) not in fold_key(new):
        plain = (
            strip_accents(text) == text
            and strip_accents(new) != new
            and (text.isupper() or text.islower())
        )
        return match_marks(text, match_case(text, new), plain)
    hopeful = hopeful_name(text, context)
    if hopeful is not None and not _has_kind(text):
        return hopeful
    if _is_firm(text):
        return firm_name(text, context)
    new = _walk(text, context)
    if new == text and any(c.isalpha() for c in text):
        return _other_words(text, context)
    return new


def _is_firm(text: str) -> bool:
    """Tell whether a name holds nothing but words of no list: an unknown employer."""
    tokens = _TOKEN.findall(text)
    width = _unknown_run(tokens, 0)
    whole = 0 < width == len(tokens) and len(fold_key(text)) > 3
    return whole and not any(_place_span(tokens, at) for at in range(0, width, 2))


def _has_kind(text: str) -> bool:
    """Tell whether a name holds a word that says what it is."""
    return any(_is_kind(fold_key(t), 0) for t in _TOKEN.findall(text) if t[0].isalpha())


def _other_words(text: str, context: Context) -> str:
    """Nothing but words of kind: leave the last out and say where it is.

    "Hospital General" becomes "Hospital de Tuxpam"; of a single word, and of
    "Instituto de las Mujeres", the guard makes the tag, as nothing else would be of
    its kind.
    """
    parts = text.split()[:-1]
    while parts and fold_key(parts[-1]) in PARTICLES | {"para"}:
        parts.pop()
    if not parts or fold_key(parts[0]).rstrip(".") not in _OF_TOWN:
        return text
    places = atlas().by_state
    state = sorted(places)[context.draw.number(len(places), "institution", text)]
    if context.facts.state in places:
        state = state_image(context.facts.state, context)
    towns = [place for place in places[state] if place.plain]
    town = towns[context.draw.number(len(towns), "institution town", text)].name
    link = "DE" if text.isupper() else "de"
    return f"{' '.join(parts)} {link} {match_case(text, town)}"
