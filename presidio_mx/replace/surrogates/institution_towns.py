"""Towns and saints in names of institutions, known or not."""

import re
from collections.abc import Sequence

from presidio_mx.replace.surrogates.atlas import atlas, state_image
from presidio_mx.replace.surrogates.case import match_case
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.institution_words import SAINTS, is_kind
from presidio_mx.replace.surrogates.lexicon import PARTICLES, lexicon
from presidio_mx.spanish.words import words
from presidio_mx.text.folding import fold_key

_TOWN_OF_SAINT = 3  # "San Juan Copala": a town, known or not
_OF_TOWN = words("institution_of_town")
_OF_SAINTS = words("institution_after_san", "institution_after_santa")
_ARTICLE = re.compile(r"\s+de(?:l|\s+l[ao]s?)\s", re.IGNORECASE)


def whole_saint(tokens: Sequence[str], at: int, width: int) -> int:
    """Return how many tokens a saint has with given names: "San Juan Diego".

    :param tokens: The tokens of an institution.
    :param at: The first of the saint's.
    :param width: How many the list's saint has.
    """
    while width and "".join(tokens[at + width : at + width + 1]).isspace():
        behind = fold_key("".join(tokens[at + width + 1 : at + width + 2]))
        if not lexicon().is_given(behind):
            break
        width += 2
    return width


def is_town_of_saint(tokens: Sequence[str], at: int) -> bool:
    """Tell whether a town is all that follows: "San Juan Copala", listed or not.

    Behind a kind it is a saint: "Hospital San José TecSalud".

    :param tokens: The tokens of an institution.
    :param at: Which of them.
    """
    rest = "".join(tokens[at:]).split()
    if fold_key(tokens[at]) not in SAINTS or len(rest) != _TOWN_OF_SAINT:
        return False
    kind = fold_key("".join(tokens[:at])).split()[-1:]
    saint = bool(kind) and is_kind(kind[0], 1) and fold_key(rest[1]) in _OF_SAINTS
    return rest[-1].isalpha() and not saint


def other_words(text: str, context: Context) -> str:
    """Nothing but words of kind: leave the last out and say where it is.

    "Hospital General" becomes "Hospital de Tuxpam"; of a single word, and of
    "Instituto de las Mujeres", the guard makes the tag, as nothing else would be of
    its kind.

    :param text: The institution.
    :param context: Key, settings and facts.
    """
    article = _ARTICLE.search(text)  # "Hospital Civil de los Servicios de Salud"
    parts = text[: article.start()].split() if article else text.split()[:-1]
    while parts and fold_key(parts[-1]) in PARTICLES | {"para"}:
        parts.pop()
    if not parts or fold_key(parts[0]).rstrip(".") not in _OF_TOWN:
        return text
    link = "DE" if text.isupper() else "de"
    return f"{' '.join(parts)} {link} {match_case(text, some_town(text, context))}"


def some_town(text: str, context: Context) -> str:
    """Return a town of the state that the note's becomes, else of any.

    :param text: What it stands for.
    :param context: Key, settings and facts.
    """
    places = atlas().by_state
    state = sorted(places)[context.draw.number(len(places), "institution", text)]
    if context.facts.state in places:
        state = state_image(context.facts.state, context)
    towns = [place for place in places[state] if place.plain]
    return towns[context.draw.number(len(towns), "institution town", text)].name
