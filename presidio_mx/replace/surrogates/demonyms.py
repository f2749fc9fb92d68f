"""What people of a state or country are called: "poblana" goes where Puebla goes."""

from functools import cache

from presidio_mx.replace.surrogates.atlas import state_image
from presidio_mx.replace.surrogates.case import match_case
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.countries import country_image
from presidio_mx.resources import folder
from presidio_mx.spanish.gazetteer import read_table
from presidio_mx.text.folding import fold


def _forms(word: str) -> dict[str, tuple[bool, bool]]:
    """Return the folded forms of a word, and whether each is feminine and plural."""
    key = fold(word)
    stem = key[:-1] if key.endswith("o") else key
    woman = stem + "a" if key.endswith(("o", "es")) else key
    many = key + ("es" if key.endswith("s") else "s")
    return {
        woman + "s": (True, True),
        many: (False, True),
        woman: (True, False),
        key: (False, False),
    }


@cache
def _table() -> tuple[dict[str, tuple[str, bool, bool]], dict[str, str]]:
    """Return the state, gender and number of each form, and the word of each state.

    Of a country abroad its code in small letters stands for the state.
    """
    forms: dict[str, tuple[str, bool, bool]] = {}
    written: dict[str, str] = {}
    for row in read_table(folder("operators") / "demonyms.tsv"):
        names = row["words"].split(";")
        written[row["state"]] = names[0]
        for name in names:
            for form, (woman, many) in _forms(name).items():
                forms[form] = (row["state"], woman, many)
    for row in read_table(folder("operators") / "demonyms_abroad.tsv"):
        names = row["words"].split(";")
        written[row["country"].lower()] = names[0]
        for name in names:
            for form, (woman, many) in _forms(name).items():
                forms.setdefault(form, (row["country"].lower(), woman, many))
    return forms, written


def state_of_demonym(word: str) -> str:
    """Return the state whose people a word names.

    :param word: As it stands in the document.
    :return: Code of CURP; empty if it names none.
    """
    found = _table()[0].get(fold(word))
    return found[0] if found and found[0].isupper() else ""


def country_of_demonym(word: str) -> str:
    """Return the country abroad whose people a word names.

    :param word: As it stands in the document.
    :return: ISO 3166 code; empty if it names none.
    """
    found = _table()[0].get(fold(word))
    return found[0].upper() if found and found[0].islower() else ""


def demonym_image(word: str, context: Context) -> str:
    """Return what the people are called of the state that a word's state becomes.

    :param word: E.g. ``poblanas``.
    :param context: Key and settings.
    :return: E.g. ``queretanas``; empty if the word names no state's people.
    """
    forms, written = _table()
    found = forms.get(fold(word))
    if found is None:
        return ""
    state, woman, many = found
    if state.islower():
        new = written.get(country_image(state.upper(), context).lower(), "")
    else:
        new = written[state_image(state, context)]
    if not new:
        return ""
    if woman and new.endswith("o"):
        new = new[:-1] + "a"
    elif woman and new.endswith("és"):
        new = new[:-2] + "esa"
    if many:
        new = new[:-2] + "eses" if new.endswith("és") else new + "s"
    return match_case(word, new)
