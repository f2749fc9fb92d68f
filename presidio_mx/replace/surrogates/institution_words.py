"""What the words of an institution's name are: kinds, places, people, or neither."""

import re
from collections.abc import Sequence
from functools import cache

from presidio_mx.replace.surrogates.atlas import atlas, place_key
from presidio_mx.replace.surrogates.calendar import MONTHS
from presidio_mx.replace.surrogates.lexicon import PARTICLES, lexicon
from presidio_mx.replace.surrogates.street_names import is_listed
from presidio_mx.spanish.words import listed, words
from presidio_mx.text.folding import fold_key

TOKEN = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*|\d+|[^\w]+|_+")

SAINTS = frozenset(("san", "santa", "sta", "sto"))
_TRADE = words("firm_trade")
_ORDINALS = words("institution_ordinal")
_TRADES = words("institution_trade")
_LARGE = 3  # the largest three of a state are cities first
# "Oftalmológicas", "Pediátrico": what an institution is for.
_SPECIALTY = re.compile(
    r"(?:logic|iatric|grafic|terapic|medic|nomic|tecnic)[oa]s?$|logia$"
)
HONOURED = words("title_honoured") | {"dra"}
_HOSPITALS = frozenset("h hosp hospital htal".split())
_LINKS = frozenset("de del en a al con para por sin".split())
# What opens a firm's name and says its trade: "Despepitadora", "Bordados".
_OPENING = re.compile(r"(?:dora|doras|eria|erias|ados|adas|idos|ciones|eros|eras)$")
_CODES = words("institution_code") | {"hg"}
_HEADS = words("kind_in_name")
_STRICT_HEADS = _HEADS - {"refugio"}
# States that are called after people, as streets and schools are too.
_HEROES = words("state_of_person")


@cache
def kind_words() -> frozenset[str]:
    """Return the words that say what kind of institution it is; they stay.

    A kind that is a name of persons, too ("CESAR"), stays only if the list of kept
    words has it.

    :return: Folded words.
    """
    kinds = words("institution_code", "institution_kind", "institution_generic")
    letters = (kind.replace(".", "") for kind in kinds)
    plain = frozenset(kind for kind in letters if kind.isalpha())
    return words("institution_kept") | (plain - lexicon().words.keys())


@cache
def brand_keys() -> tuple[str, ...]:
    """Return the brands of private hospitals, folded."""
    return tuple(fold_key(brand) for brand in listed("institution_brand"))


def place_span(tokens: Sequence[str], at: int) -> int:
    """Return how many tokens from one on are a municipality, state or town; 0 if none.

    A person's name counts before a place unless the word before is a preposition or a
    number ("HGZ 4 Celaya").

    :param tokens: The tokens of an institution.
    :param at: Which of them.
    """
    world = atlas()
    before = fold_key("".join(tokens[max(0, at - 2) : at])).strip(" .")
    if is_honoured(tokens, at):  # "Dr. Rafael Lucio": a town is called after him, too
        return 0
    if _is_initial(tokens, at) and _is_initial(tokens, at - 2):  # "H.B.C. Ometepec"
        return 0
    led = before in ("de", "en", "del") or before.isdigit() or not tokens[:at]
    ahead = fold_key("".join(tokens[:at])).rstrip()
    led = led or ahead.endswith(tuple(f" {key}" for key in brand_keys()))
    for width in (7, 5, 3, 1):
        phrase = place_key("".join(tokens[at : at + width]))
        article = fold_key(tokens[at]) in PARTICLES - SAINTS
        if len(tokens[at : at + width]) < width or (article and width == 1):
            continue
        if article and phrase not in world.municipalities:
            continue
        if world.has_town(phrase) or phrase in world.state_forms:
            named = lexicon().words.get(phrase)
            state = phrase in world.state_forms and phrase not in _HEROES
            if (
                width > 1
                or led
                or named is None
                or state
                or _is_rare(tokens, at, phrase)
                or _is_large(tokens, at, phrase)
            ):
                return width
    return 0


def _is_initial(tokens: Sequence[str], at: int) -> bool:
    """Tell whether a token is a letter with its point."""
    behind = "".join(tokens[at + 1 : at + 2])
    return at >= 0 and len(tokens[at]) == 1 and behind.startswith(".")


def is_honoured(tokens: Sequence[str], at: int) -> bool:
    """Tell whether a word is of the name behind a title: "Dr. José G. Parres".

    :param tokens: The tokens of an institution.
    :param at: Which of them.
    """
    for place in range(at - 1, -1, -1):
        token, key = tokens[place], fold_key(tokens[place])
        if key in HONOURED:
            before = fold_key("".join(tokens[max(0, place - 2) : place])).strip(" .")
            return not (key == "gral" and before in _HOSPITALS)  # "H. Gral. Tapachula"
        if key in _LINKS or key.isdigit() or set(token) & set(',;()"”»'):
            return False
    return False


def _is_rare(tokens: Sequence[str], at: int, phrase: str) -> bool:
    """Tell whether a municipality ends a name, and hardly anybody is called so."""
    entry = lexicon().words[phrase]
    coded = at > 1 and fold_key(tokens[at - 2]) in _CODES
    seldom = entry.group.startswith("surname") and entry.group[-1] in "3456"
    rare = coded or seldom
    last = all(not token[0].isalpha() for token in tokens[at + 1 :])
    person = at > 1 and fold_key(tokens[at - 2]) in lexicon().words
    return rare and last and not person and phrase in atlas().municipalities


def _is_large(tokens: Sequence[str], at: int, phrase: str) -> bool:
    """Tell whether a word that is also a surname is a city: "ISSSTE Monterrey"."""
    found = atlas().municipalities.get(phrase, ())
    before = [fold_key(token) for token in tokens[:at] if token[0].isalpha()]
    person = bool(before) and lexicon().is_given(before[-1])
    return bool(found) and found[0].rank < _LARGE and not person


def unknown_run(tokens: Sequence[str], at: int) -> int:
    """Return how many tokens from one on are words of no list of names.

    :param tokens: The tokens of an institution.
    :param at: Which of them.
    """
    names, end = lexicon().words, at
    for place in range(at, len(tokens)):
        token = tokens[place]
        key = fold_key(token)
        if token.isspace():
            continue
        if not token[0].isalpha() or key in kind_words() or key in names:
            break
        if len(key) == 1 or _SPECIALTY.search(key):
            break
        end = place + 1
    return end - at


def listed_name(tokens: Sequence[str], at: int) -> int:
    """Return how many tokens from one on are a name that streets bear; 0 if none.

    :param tokens: The tokens of an institution.
    :param at: Which of them.
    """
    for width in (7, 5, 3):
        piece = tokens[at : at + width]
        phrase = "".join(piece)
        whole = len(piece) == width and piece[0].isalnum() and piece[-1].isalnum()
        if whole and is_listed("street", phrase):
            return width
    return 0


def opens_with_ordinal(tokens: Sequence[str], at: int) -> bool:
    """Tell whether an ordinal opens a name: "Tercer Milenio", not "Tercer Nivel".

    :param tokens: The tokens of an institution.
    :param at: Which of them.
    """
    behind = fold_key("".join(tokens[at + 2 : at + 3]))
    ordinal = fold_key(tokens[at]) in _ORDINALS
    return ordinal and behind.isalpha() and not is_kind(behind, at + 2)


def is_kind(key: str, at: int) -> bool:
    """Tell whether a word says what it is: at the beginning also "Refugio" does.

    :param key: Folded word.
    :param at: Its place among the tokens.
    """
    kept = key in kind_words() or key in _TRADE or key in _STRICT_HEADS
    if at == 0:
        opens = _OPENING.search(key) is not None and key not in lexicon().words
        kept = kept or opens or key in _TRADES or key in _HEADS
    return kept or _SPECIALTY.search(key) is not None


def common_phrase(tokens: Sequence[str]) -> int | None:
    """Return where a name begins that is no place and no person: "Corazón de Niño".

    A word of no list before a preposition that leads to no place, or behind "de".

    :param tokens: The tokens of an institution.
    :return: The place of the first token that says no kind; None if there is no such
        phrase.
    """
    spoken = [at for at, token in enumerate(tokens) if token[0].isalpha()]
    keys = [fold_key(tokens[at]) for at in spoken]
    opening = next(
        (n for n, at in enumerate(spoken) if not is_kept(keys[n], at)), len(spoken)
    )
    while opening and (keys[opening - 1] in PARTICLES or keys[opening - 1] == "club"):
        opening -= 1
    for number, at in enumerate(spoken[:-1]):
        behind = keys[number + 1]
        if behind == "de" and number + 2 < len(spoken):
            other = spoken[number + 2]
            if _is_common(tokens, at) and not _leads(tokens, other):
                return spoken[opening]
        if keys[number] == "de" and number and _is_common(tokens, spoken[number + 1]):
            return spoken[opening]
    return None


def is_kept(key: str, at: int) -> bool:
    """Tell whether a word stays: one of kind or a particle.

    :param key: Folded word.
    :param at: Its place among the tokens.
    """
    return is_kind(key, at) or key in PARTICLES


def _leads(tokens: Sequence[str], at: int) -> bool:
    """Tell whether what stands behind "de" is a place or goes on with an article."""
    return bool(place_span(tokens, at)) or fold_key(tokens[at]) in PARTICLES


def _is_common(tokens: Sequence[str], at: int) -> bool:
    """Tell whether a word is no kind, no place, nobody's name and no acronym."""
    token, key = tokens[at], fold_key(tokens[at])
    if len(key) == 1 or is_kept(key, at) or key in lexicon().words or key in MONTHS:
        return False
    if token.isupper() and not "".join(tokens).isupper():
        return False
    return not (
        is_honoured(tokens, at) or place_span(tokens, at) or listed_name(tokens, at)
    )
