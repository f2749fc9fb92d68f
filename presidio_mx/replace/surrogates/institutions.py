"""Surrogates of institutions: their kind stays, their number or name changes."""

import re
from collections.abc import Sequence
from functools import partial

from presidio_mx.replace.surrogates.atlas import atlas, place_key
from presidio_mx.replace.surrogates.calendar import MONTHS
from presidio_mx.replace.surrogates.case import match_case, match_marks
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.guard import guarded
from presidio_mx.replace.surrogates.institution_names import (
    LEGAL_FORM,
    adjective,
    after_article,
    firm_name,
    hopeful_name,
    listed_image,
)
from presidio_mx.replace.surrogates.institution_parts import (
    charity_name,
    firm_of_words,
    holds_brand,
    is_of_state,
    other_part,
    payer,
)
from presidio_mx.replace.surrogates.institution_towns import (
    is_town_of_saint,
    other_words,
    some_town,
    whole_saint,
)
from presidio_mx.replace.surrogates.institution_trades import (
    behind_number,
    numbered_part,
    of_speciality,
    of_trade,
)
from presidio_mx.replace.surrogates.institution_whole import (
    acronym_in,
    is_of_no_kind,
    split_acronym,
    whole_name,
    write_acronym,
)
from presidio_mx.replace.surrogates.institution_words import (
    HONOURED,
    SAINTS,
    TOKEN,
    common_phrase,
    is_honoured,
    is_kept,
    is_kind,
    listed_name,
    opens_with_ordinal,
    place_span,
    unknown_run,
)
from presidio_mx.replace.surrogates.lexicon import PARTICLES, lexicon
from presidio_mx.replace.surrogates.name_images import word_surrogate
from presidio_mx.replace.surrogates.places import surrogate_place
from presidio_mx.replace.surrogates.shape import number_image, strip_accents
from presidio_mx.replace.surrogates.street_names import name_image
from presidio_mx.replace.surrogates.unread import tag_of
from presidio_mx.spanish.words import words
from presidio_mx.text.folding import fold_key

_BRANDS = words("institution_of_the_country")
_HEROES = words("state_of_person")
_CENTRES = tuple(words("institution_centre"))
_INITIAL = re.compile(r"\b[A-ZÁÉÍÓÚÑ]\.$")
_DEL_LA = re.compile(r"\b(de|De|DE)[lL] (?=(?:l[ao]s?|el)\b)", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")
_STATE_TWICE = re.compile(r"\b(estado de) (?=estado de)", re.IGNORECASE)


def _piece(tokens: Sequence[str], at: int, context: Context) -> tuple[int, str]:
    """Return how many tokens a piece of the name has, and its surrogate."""
    token = tokens[at]
    if token.isdigit():
        said = numbered_part(tokens, at, context)
        return said or (1, number_image(token, "institution", context))
    width = behind_number(tokens, at)  # "HGZ 32 Villa Coapa"
    if width:
        phrase = "".join(tokens[at : at + width])
        listed = atlas().has_town(place_key(phrase))
        known = listed or place_key(phrase) in atlas().state_forms
        new = surrogate_place(phrase, context) if known else some_town(phrase, context)
        return width, match_case(phrase, new)
    return _worded_piece(tokens, at, context)


def _worded_piece(tokens: Sequence[str], at: int, context: Context) -> tuple[int, str]:
    token = tokens[at]
    key, before = fold_key(token), "".join(tokens[:at]).rstrip()
    other = other_part(tokens, at, context)
    if other is not None:
        return other
    if is_town_of_saint(tokens, at):
        return len(tokens) - at, surrogate_place("".join(tokens[at:]), context)
    width = 0 if is_honoured(tokens, at) else listed_name(tokens, at)
    width = whole_saint(tokens, at, width) if key in SAINTS else width
    if width and key in SAINTS and (town := place_span(tokens, at)) > width:
        return town, surrogate_place("".join(tokens[at : at + town]), context)
    if not width and opens_with_ordinal(tokens, at):
        width = 3
    if width:
        phrase = "".join(tokens[at : at + width])
        return width, match_case(phrase, name_image("hero", phrase, context.draw))
    if (centre := _centre(token, context)) is not None:
        return 1, centre
    led = fold_key(before).split()[-1:] in (["de"], ["en"], ["del"])
    place = place_span(tokens, at) if token[0].isalpha() else 0
    named = led or (key not in SAINTS and not is_kind(key, at))
    if place == 1 and not led and _honours(tokens, at):
        return 1, match_case(token, name_image("hero", token, context.draw))
    if place > 1 and (named or (at and key == "ciudad")):
        return place, surrogate_place("".join(tokens[at : at + place]), context)
    if not token[0].isalpha() or is_kind(key, at) or key in PARTICLES:
        return 1, token
    if key in MONTHS:
        month = context.draw.permute(12, MONTHS.index(key), "institution month")
        return 1, match_case(token, MONTHS[month])
    new = None if len(key) == 1 else after_article(before, token, context)
    if new is not None and not (place and fold_key(before).endswith("del")):
        return max(1, place, unknown_run(tokens, at)), new
    if place:
        return place, surrogate_place("".join(tokens[at : at + place]), context)
    if len(key) == 1:
        return 1, token
    if key in lexicon().words:
        return 1, match_case(token, word_surrogate(key, context))
    return _unknown_piece(tokens, at, context)


def _honours(tokens: Sequence[str], at: int) -> bool:
    """Tell whether a state's name is that of its hero: "Morelos Chihuahua"."""
    behind = "".join(tokens[at + 1 :]).strip()
    states = atlas().state_forms
    return at > 0 and fold_key(tokens[at]) in _HEROES and place_key(behind) in states


def _centre(token: str, context: Context) -> str | None:
    """Return another acronym of a hospital for one of a centre: "CMNO"."""
    key = fold_key(token)
    of_one = key.startswith(_CENTRES) and key not in _CENTRES and token.isupper()
    return listed_image(token, context) if of_one else None


def _unknown_piece(tokens: Sequence[str], at: int, context: Context) -> tuple[int, str]:
    """Replace words of no list: by what reads well where they stand."""
    token, before = tokens[at], "".join(tokens[:at]).rstrip()
    if is_honoured(tokens, at):
        return 1, match_case(token, word_surrogate(fold_key(token), context))
    behind = fold_key("".join(tokens[at + 1 : at + 3])).strip(" .")
    if at == 0 and behind in HONOURED and acronym_in(token):
        return 1, token  # "CAE Dr. Rafael Lucio"
    service = payer(tokens, at, context)
    if service is not None:
        return 1, service
    acronym = listed_image(token, context)
    if acronym is not None:
        return 1, match_case(token, acronym)
    if (new := adjective(before, token, context)) is not None:
        return 1, new
    # "Hospital del Valle": the word after "del" may be a name, so no run begins there.
    width = max(1, unknown_run(tokens, at))
    phrase = "".join(tokens[at : at + width])
    if (new := hopeful_name(phrase, context)) is not None:
        return width, new
    if at == 0 and width < len(tokens):  # "Bombardier Aerospace planta Colón"
        return width, firm_name(phrase, context, short=True)
    if _among_names(tokens, at, at + width) or _INITIAL.search(before):
        return 1, match_case(token, word_surrogate(fold_key(token), context))
    return width, match_case(phrase, name_image("hero", phrase, context.draw))


def _among_names(tokens: Sequence[str], start: int, end: int) -> bool:
    """Tell whether words stand beside the words of a person's name."""
    names = lexicon().words
    beside = [t for t in (*tokens[max(0, start - 2) : start], *tokens[end : end + 2])]
    return any(fold_key(token) in names for token in beside)


def _walk(text: str, context: Context) -> str:
    tokens = TOKEN.findall(text)
    plain = strip_accents(text) == text and (text.isupper() or text.islower())
    parts: list[str] = []
    at = 0
    while at < len(tokens):
        width, new = _piece(tokens, at, context)
        old = "".join(tokens[at : at + width])
        parts.append(new if new == old else match_marks(old, new, plain))
        at += width
    return _STATE_TWICE.sub("", _DEL_LA.sub(r"\1 ", "".join(parts)))


def _of_acronym(text: str, context: Context) -> str:
    """Return the acronym of the surrogate of its long form in the note, or the tag."""
    match = acronym_in(text)
    assert match is not None
    for name in context.facts.institutions:
        widths = split_acronym(match[2], name)
        if not widths:
            continue
        make = partial(surrogate_institution, name)
        acronym = write_acronym(widths, guarded("ORGANIZATION", name, make, context))
        if acronym and acronym != strip_accents(match[2]):
            return match[1] + acronym + match[3]
        break
    return tag_of("ORGANIZATION")


def _is_bare_acronym(text: str) -> bool:
    """Tell whether an institution is an acronym and neither a place nor a name."""
    match = acronym_in(text)
    if match is None:
        return False
    key = fold_key(match[2])
    place = place_span([match[2]], 0) or key in lexicon().words
    return not place


def surrogate_institution(text: str, context: Context) -> str:
    """Return the surrogate of an institution.

    A listed one becomes another one of its kind; otherwise words of kind stay, numbers
    become other numbers, places and names what they become elsewhere.

    :param text: E.g. ``HGZ 83`` or ``Hospital General de Apatzingán``.
    :param context: Key, settings and facts.
    :return: An institution of the same kind.
    """
    text = _POSSESSIVE.sub("", text)
    tokens = TOKEN.findall(text)
    told = of_speciality(text, context) or of_trade(text, context)
    if told is not None:
        return told
    new = None if holds_brand(tokens) else listed_image(text, context)
    # "Hospital de la Mujer" and the longer names of its class hold one another.
    if new is not None and fold_key(text) not in fold_key(new):
        plain = (
            strip_accents(text) == text
            and strip_accents(new) != new
            and (text.isupper() or text.islower())
        )
        return match_marks(text, match_case(text, new), plain)
    charity = charity_name(text, context)
    if charity is not None:
        return charity
    if fold_key(text).partition(" ")[0] in _BRANDS:
        return tag_of("ORGANIZATION")
    if _is_bare_acronym(text):
        return _of_acronym(text, context)
    if _is_acronym_of_state(tokens):
        return tag_of("ORGANIZATION")
    legal = LEGAL_FORM.search(text)
    head = text[: legal.start()] if legal else text
    hopeful = hopeful_name(head, context)
    kinds = (is_kind(fold_key(t), 0) for t in TOKEN.findall(head) if t[0].isalpha())
    if hopeful is not None and not any(kinds):
        return hopeful + text[len(head) :]
    firm = _is_firm(text)
    strange = firm or (tokens and not is_kept(fold_key(tokens[0]), 0))
    if strange and is_of_no_kind(text) and not HONOURED & set(map(fold_key, tokens)):
        return tag_of("ORGANIZATION")
    if firm:
        return firm_name(text, context)
    firm_like = firm_of_words(tokens, context)
    if firm_like is not None:
        return firm_like
    of_state = any(is_of_state(tokens, at) for at in range(len(tokens)))
    opening = None if hopeful or of_state else common_phrase(tokens)
    if opening is not None:
        return whole_name(text, "".join(tokens[:opening]), context)
    new = _walk(text, context)
    if new == text and any(c.isalpha() for c in text):
        return other_words(text, context)
    return new


def _is_acronym_of_state(tokens: Sequence[str]) -> bool:
    """Tell whether a name is an unknown acronym and a state: "CETS CDMX"."""
    said = [token for token in tokens if token.strip()]
    if len(said) != 2 or acronym_in(said[0]) is None:
        return False
    key = fold_key(said[0])
    known = is_kept(key, 0) or is_kind(key, 0) or key in lexicon().words
    return not known and place_key(said[1]) in atlas().state_forms


def _is_firm(text: str) -> bool:
    """Tell whether a name holds nothing but words of no list: an unknown employer."""
    tokens = TOKEN.findall(text)
    width = unknown_run(tokens, 0)
    whole = 0 < width == len(tokens) and len(fold_key(text)) > 3
    return whole and not any(place_span(tokens, at) for at in range(0, width, 2))
