"""What people are called by that is no name: "el Tuercas", "la Huesera"."""

import re

from presidio_mx.replace.surrogates.bearer import Bearer
from presidio_mx.replace.surrogates.case import match_case
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.name_words import NAME_WORD
from presidio_mx.spanish.words import listed
from presidio_mx.text.folding import fold_key

_EPITHETS = {"M": listed("epithet_of_men"), "F": listed("epithet_of_women")}


def other_epithet(key: str, sex: str, context: Context) -> str:
    """Return another epithet.

    :param key: The folded one.
    :param sex: F or M.
    :param context: The key.
    """
    choices = [name for name in _EPITHETS[sex] if fold_key(name) != key]
    return choices[context.draw.number(len(choices), "epithet", key)]


def epithet_image(text: str, bearer: Bearer, context: Context) -> str:
    """Replace what somebody is called by, its article kept: "El Chapo".

    :param text: As it stands in the document.
    :param bearer: Who is called so.
    :param context: The key.
    """

    def write(match: re.Match[str]) -> str:
        key = fold_key(match.group())
        if key not in bearer.words:
            return match.group()
        return match_case(match.group(), other_epithet(key, bearer.epithet, context))

    return NAME_WORD.sub(write, text)
