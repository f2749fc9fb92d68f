"""Where states and countries go, and what tells them: demonyms, acronyms, letters."""

from functools import cache

from presidio_mx.replace.context import Context
from presidio_mx.replace.draw import Draw
from presidio_mx.spanish.institutions import state_markers
from presidio_mx.spanish.places import (
    COUNTRY_NAMES,
    FAR,
    NEAR,
    STATES,
    atlas,
    demonym,
    demonym_like,
)
from presidio_mx.spanish.words import listed
from presidio_mx.spanish.writing import match_case
from presidio_mx.text.folding import fold_key

# States of many and of few municipalities stay among themselves, so that two towns of
# a note do not fall together (INEGI 2020: from 570 down to 51; from 46 down to 5).
_MANY = tuple("CH CS GR HG JC MC MN NL OC PL SP SR TL VZ YN ZS".split())
_FEW = tuple(state for state in STATES if state not in _MANY)
_PAYERS = tuple(name.upper() for name in listed("institution_payer"))


def state_image(state: str, context: Context) -> str:
    """Return the state that a state becomes.

    :param state: CURP code.
    :param context: Key and settings.
    :return: CURP code; the same if the settings keep states or it is abroad (NE).
    """
    if context.settings.places == "same_state" or state not in STATES:
        return state
    group = _MANY if state in _MANY else _FEW
    at = context.draw.permute(len(group), group.index(state), "state", group[0])
    return group[at]


def country_image(code: str, draw: Draw) -> str:
    """Return the country that one with towns of its own becomes.

    :param code: ISO 3166 code.
    :param draw: Keyed numbers.
    :return: Another code; the same for a country without such towns.
    """
    if code not in COUNTRY_NAMES:
        return code
    for countries, label in ((NEAR, "country of towns"), (FAR, "far country")):
        codes = [name[-2:] for name in countries]
        if code in codes:
            return codes[draw.permute(len(codes), codes.index(code), label)]
    return code


def other_demonym(word: str, context: Context) -> str:
    """Return what the people are called of the area that a word's area becomes.

    :param word: E.g. ``poblanas``.
    :param context: Key and settings.
    :return: E.g. ``queretanas``; empty if no list says it.
    """
    area = demonym(word)
    if area.islower():
        target = country_image(area.upper(), context.draw).lower()
    else:
        target = state_image(area, context)
    return match_case(word, demonym_like(word, target))


def other_marker(word: str, context: Context) -> str:
    """Return the acronym of a service of the state that a service's state becomes.

    :param word: E.g. ``ISSEMyM``.
    :param context: Key and settings.
    :return: An acronym of that state, or of the whole country where it has none of
        the kind.
    """
    key = fold_key(word)
    state = state_markers().get(key, "")
    target = state_image(state, context) if state else ""
    kind = key.startswith(_INSURERS)
    found = [
        a
        for a in _of_state().get(target, ())
        if a.lower().startswith(_INSURERS) == kind
    ]
    choices = [name for name in found or _PAYERS if fold_key(name) != key]
    return choices[context.draw.number(len(choices), "marker", key)]


_INSURERS = ("iss", "ip", "pens", "capre", "captr", "ictsg", "dpce")


@cache
def _of_state() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for acronym, state in state_markers().items():
        found.setdefault(state, []).append(acronym.upper())
    return found


def other_letters(letters: str, context: Context) -> str:
    """Return the letters of the state that some letters' state becomes: "OAX".

    :param letters: Three or four letters of a state.
    :param context: Key and settings.
    :return: Three letters; empty if they are no state's.
    """
    state = atlas().state_letters.get(fold_key(letters))
    if not state:
        return ""
    target = state_image(state, context)
    return match_case(letters, _iso()[target])


@cache
def _iso() -> dict[str, str]:
    """Return the three letters of ISO 3166-2:MX of each state."""
    found: dict[str, str] = {}
    for form, state in atlas().state_letters.items():
        found.setdefault(state, form.upper())
    return found
