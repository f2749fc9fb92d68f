"""Names of odd spelling in the lists, which surrogates do not write."""

import re

from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.replace.surrogates.name_classes import guessed_sex

_FOR_OTHER_SURNAMES = (
    *("surname 2", "surname 2", "surname 3", "surname 3"),
    *("surname 4", "surname 4", "surname 5"),
)
_ODD_GIVEN = re.compile(r"(?P<kind>latin|foreign) given (?P<sex>[FMU]) (?P<band>\d)")
_ODD_FROM = {
    **{("latin", "M"): 0, ("latin", "F"): 2, ("latin", "U"): 0},
    **{("foreign", "M"): 3, ("foreign", "F"): 3, ("foreign", "U"): 0},
}
_ODD_BAND = 2


def rare_class(key: str, sex: str = "") -> str:
    """Return the class that a name of odd spelling or little use is drawn from.

    The lists hold many such ("Fransico", "Velazguez", "Arroliga"): whoever bears one
    gets a name that reads well, as for a word that no list has.

    :param key: Folded word.
    :param sex: F, M or empty, of who bears it.
    :return: Name of a class; empty for any other word.
    """
    entry = lexicon().words.get(key)
    if entry is None:
        return ""
    kind, _, band = entry.group.rpartition(" ")
    if kind == "other surname":
        return _FOR_OTHER_SURNAMES[min(int(band), len(_FOR_OTHER_SURNAMES) - 1)]
    match = _ODD_GIVEN.fullmatch(entry.group)
    if match is None or int(match["band"]) < _ODD_FROM[match["kind"], match["sex"]]:
        return ""
    own = match["sex"] if match["sex"] != "U" else sex or guessed_sex(key)
    return (
        f"{'given' if match['kind'] == 'latin' else 'modern given'} {own} {_ODD_BAND}"
    )
