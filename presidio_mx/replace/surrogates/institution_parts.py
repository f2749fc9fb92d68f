"""Parts of institutions' names that are neither places nor people.

Numbers in words, brands of private hospitals, what the people of a state are called,
services of health that one state has, and what stands behind a firm's trade.
"""

import re
from collections.abc import Sequence

from presidio_mx.replace.surrogates.case import match_case
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.demonyms import demonym_image, state_of_demonym
from presidio_mx.replace.surrogates.institution_names import (
    LEGAL_FORM,
    firm_name,
    titled,
)
from presidio_mx.replace.surrogates.institution_words import (
    TOKEN,
    brand_keys,
    is_kind,
    kind_words,
    place_span,
)
from presidio_mx.replace.surrogates.lexicon import PARTICLES, lexicon
from presidio_mx.replace.surrogates.ordinary import common_words
from presidio_mx.replace.surrogates.spoken import (
    is_number_word,
    other_number_words,
)
from presidio_mx.spanish.words import listed, words
from presidio_mx.text.folding import fold_key

_ACRONYMS = frozenset(("Abc", "Mac", "Cima"))
_BRANDS = tuple(
    name.upper() if name in _ACRONYMS else name
    for name in map(titled, listed("institution_brand"))
)
_PRIVATE = words("institution_private")
_PAYERS = tuple(name.upper() for name in listed("institution_payer"))
_AFTER_TRADE = listed("firm_after_trade")
_FIRMS = words("institution_trade", "firm_trade", "institution_weak")
_NOT_FIRMS = words(
    "institution_charity", "institution_named_school", "institution_of_town"
)
_FIRMS -= _NOT_FIRMS | {"facultad"}
_HONOURED = words("title_honoured") | {"dra"}
_PARTS_OF_LAND = words("institution_after_del")
_HOPEFUL, _HOPEFUL_WORDS = listed("institution_hopeful"), words("hopeful_word")
_ASSOCIATION = re.compile(r",?\s+A\.?\s?C\.?$")
_SAID = common_words() | PARTICLES
_SMALL_NUMBERS = frozenset(("un", "uno", "una", "dos", "tres", "cien"))  # "Tres Marías"
_LONGEST_BRAND, _LONGEST_ACRONYM, _SHORTEST_ACRONYM = 5, 9, 4
_LONGEST_CODE = 4


def other_part(
    tokens: Sequence[str], at: int, context: Context
) -> tuple[int, str] | None:
    """Return how many tokens a part of these kinds has, and what it becomes.

    :param tokens: The tokens of an institution.
    :param at: Where the part begins.
    :param context: Key, settings and facts.
    :return: None for any other part.
    """
    token = tokens[at]
    if not token[0].isalpha():
        return None
    width = _number(tokens, at)
    if width:
        return width, other_number_words("".join(tokens[at : at + width]), context, 1)
    if _is_code(tokens, at):
        return 1, token
    brand = _brand(tokens, at, context)
    if brand is not None:
        return brand
    if is_of_state(tokens, at):
        return 1, demonym_image(token, context)
    return None


def is_of_state(tokens: Sequence[str], at: int) -> bool:
    """Tell whether a word says of which state it is: "Instituto Zacatecano".

    :param tokens: The tokens of an institution.
    :param at: Which of them; behind "de" it is another word: "Club de Leones".
    """
    token = tokens[at]
    led = fold_key("".join(tokens[max(0, at - 2) : at])).strip() in PARTICLES
    one = not fold_key(token).endswith(("es", "s"))
    return at > 0 and one and not led and bool(state_of_demonym(token))


def _keys(tokens: Sequence[str]) -> list[str]:
    """Return the folded words among some tokens."""
    return [fold_key(token) for token in tokens if token[0].isalpha()]


def _number(tokens: Sequence[str], at: int) -> int:
    """Return how many tokens a number in words has behind a kind: "zona uno"."""
    before = _keys(tokens[:at])
    if (
        not before
        or not is_kind(before[-1], at)
        or not is_number_word(fold_key(tokens[at]))
    ):
        return 0
    end = at + 1
    for place in range(at + 1, len(tokens)):
        key = fold_key(tokens[place])
        if is_number_word(key):
            end = place + 1
        elif not (key.isspace() or key == "y"):
            break
    behind = fold_key("".join(tokens[end : end + 2])).strip()
    small = end == at + 1 and fold_key(tokens[at]) in _SMALL_NUMBERS
    return 0 if small and behind.isalpha() and behind not in PARTICLES else end - at


def _is_code(tokens: Sequence[str], at: int) -> bool:
    """Tell whether capitals are of a code with the digit behind them: "FM4"."""
    token = tokens[at]
    glued = at + 1 < len(tokens) and tokens[at + 1].isdigit()
    return glued and token.isupper() and len(token) <= _LONGEST_CODE


def _brand(tokens: Sequence[str], at: int, context: Context) -> tuple[int, str] | None:
    """Return another brand for that of a private hospital: "Star Médica Juárez"."""
    keys = brand_keys()
    before = _keys(tokens[:at])[-1:]
    if before and before[0] not in _PRIVATE:
        return None
    for width in range(_LONGEST_BRAND, 0, -2):
        phrase = "".join(tokens[at : at + width])
        key = fold_key(phrase)
        if len(tokens[at : at + width]) == width and key in keys:
            choices = [b for b in _BRANDS if fold_key(b) != key]
            number = context.draw.number(len(choices), "brand", key)
            return width, match_case(phrase, choices[number])
    return None


def holds_brand(tokens: Sequence[str]) -> bool:
    """Tell whether a name holds a brand of private hospitals behind its kind.

    :param tokens: The tokens of an institution.
    """
    text = f" {fold_key(''.join(tokens))} "
    return any(f" {key} " in text for key in brand_keys())


def payer(tokens: Sequence[str], at: int, context: Context) -> str | None:
    """Return a health service of the country for one that a state has: "ISSEMYM".

    :param tokens: The tokens of an institution.
    :param at: Where its acronym stands, behind words of kind.
    :param context: The key.
    """
    token = tokens[at]
    fits = _SHORTEST_ACRONYM <= len(token) <= _LONGEST_ACRONYM and token.isupper()
    if not at or not fits or "".join(tokens).isupper():
        return None
    before = _keys(tokens[:at])
    if not all(is_kind(key, 1) or key in PARTICLES for key in before):
        return None
    choices = [p for p in _PAYERS if p != token]
    return choices[context.draw.number(len(choices), "payer", fold_key(token))]


def charity_name(text: str, context: Context) -> str | None:
    """Return another name for a home or association of a hopeful or ordinary name.

    :param text: The institution: "Albergue Mi Gran Esperanza", "Nariz Roja A.C.".
    :param context: The key.
    :return: None where it is no such one, or its name holds a place or a person.
    """
    tokens = TOKEN.findall(text)
    spoken = [at for at, token in enumerate(tokens) if token[0].isalpha()]
    legal = _ASSOCIATION.search(text)
    stop = legal.start() if legal else len(text)
    head = fold_key(tokens[spoken[0]]) if spoken else ""
    charity = head in words("institution_charity")
    own = [at for at in spoken[charity:] if len("".join(tokens[:at])) < stop]
    while own and fold_key(tokens[own[0]]) in kind_words():  # "Grupo AA Renacer"
        own.pop(0)
    if not own or not all(fold_key(tokens[at]) in _SAID for at in own):
        return None
    hopeful = bool({fold_key(tokens[at]) for at in own} & _HOPEFUL_WORDS)
    if not (charity and hopeful) and not (legal and not charity):
        return None
    first = len("".join(tokens[: own[0]]))
    name = text[first:stop].strip(" ,")
    choices = [n for n in _HOPEFUL if not set(n.split()) & set(fold_key(name).split())]
    new = choices[context.draw.number(len(choices), "charity", fold_key(name))]
    rest = text[first:].partition(name)[2]
    return text[:first] + match_case(name, titled(new)) + rest


def firm_of_words(tokens: Sequence[str], context: Context) -> str | None:
    """Return another firm for one that is called by ordinary words, or by its trade.

    "Andamios y Maniobras Petroleras del Pacífico, S. de R.L." is no name of a hero: its
    trade stays, and all behind it becomes what firms are called.

    :param tokens: The tokens of an institution.
    :param context: The key.
    :return: None where it is no firm, or its name holds a place or a person.
    """
    text = "".join(tokens)
    legal = LEGAL_FORM.search(text)
    spoken = [at for at, token in enumerate(tokens) if token[0].isalpha()]
    head = fold_key(tokens[spoken[0]]) if spoken else ""
    trade = head in _FIRMS or (is_kind(head, 0) and head not in kind_words())
    named_so = {fold_key(tokens[at]) for at in spoken}
    kept_whole = head in _NOT_FIRMS or named_so & _HONOURED
    if any(map(state_of_demonym, named_so)) or kept_whole:
        return None
    stop = legal.start() if legal else len(text)
    named = [at for at in spoken[1:] if len("".join(tokens[:at])) < stop]
    if not (trade or legal) or not named:
        return None
    strange = [at for at in named if _is_common(tokens, at) and not _led(tokens, at)]
    if not strange or any(_is_name(tokens, at) for at in named):
        return None
    tail = text[stop:]
    name = text[len(tokens[spoken[0]]) : stop].strip()
    if head not in common_words() and not trade:
        return firm_name(text[:stop], context, short=True) + tail
    choices = [
        n for n in _AFTER_TRADE if not set(n.split()) & set(fold_key(text).split())
    ]
    new = choices[context.draw.number(len(choices), "after trade", fold_key(name))]
    return f"{tokens[spoken[0]]} {match_case(name, titled(new))}{tail}"


def _led(tokens: Sequence[str], at: int) -> bool:
    """Tell whether a word is replaced where it stands: "La Parisina", "Textiles"."""
    before = fold_key("".join(tokens[max(0, at - 2) : at])).strip()
    ends = fold_key(tokens[at]).endswith("es") and before.endswith("s")
    return ends or before in ("la", "el", "los", "las", "del", "san", "santa")


def _is_common(tokens: Sequence[str], at: int) -> bool:
    """Tell whether a word is one of Spanish that says no kind, or one of no list."""
    key = fold_key(tokens[at])
    named = key in lexicon().words or place_span(tokens, at)
    return not (named or key in PARTICLES or is_kind(key, at)) and len(key) > 1


def _is_name(tokens: Sequence[str], at: int) -> bool:
    """Tell whether a word is that of a place or of a person."""
    key = fold_key(tokens[at])
    if key in PARTICLES or is_kind(key, at) or key in common_words() | _PARTS_OF_LAND:
        return False
    return key in lexicon().words or bool(place_span(tokens, at))
