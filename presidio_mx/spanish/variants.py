"""The usual spellings of a list entry that was written once.

The idea is Sánchez-León's (MEDDOCAN 2019): "Dr. Esquerdo 46" in a list also finds
"Calle del Doctor Esquerdo, 46" and "c/ Dr. Esquerdo nº 46". Case, accents and full
stops are the business of folding; here are abbreviations, optional words and number
signs.
"""

import re
from itertools import islice, product

from presidio_mx.spanish.words import groups, listed, words
from presidio_mx.text.folding import fold_key

# Before a number, which may stand without any of them.
_NUMBER_WORDS = listed("number_spelling")


def _spellings() -> dict[str, tuple[str, ...]]:
    """Return the words that are written in several ways, each with all of these."""
    every = (*groups("spelling"), (*_NUMBER_WORDS, ""))
    # A single letter is written for too many words, "#" for one.
    return {w: group for group in every for w in group if len(w) > 1 or w == "#"}


_SPELLINGS = _spellings()
# Words that people leave out inside a name of a street, colonia or institution.
_OPTIONAL = frozenset(("de", "del", "la", "las", "los", "el", "y"))
_STREET_TYPES = words("optional_type")
_UNIT = re.compile(r"[^\W\d_]+|\d+|#")
_MOST = 96


def variants(entry: str) -> tuple[str, ...]:
    """Return the spellings under which a list entry is looked for.

    :param entry: An entry written once, e.g. ``Dr. Esquerdo 46``, ``HGZ/MF No. 1``.
    :return: Folded spellings, the entry's own first, at most 96. A blank in them stands
        for any of blank, hyphen, slash, comma and full stop.
    """
    units = _UNIT.findall(fold_key(entry))
    if not units:
        return ()
    choices: list[tuple[str, ...]] = []
    for place, unit in enumerate(units):
        options: tuple[str, ...] = _SPELLINGS.get(unit, (unit,))
        if unit.isdigit() and place and units[place - 1] not in _NUMBER_WORDS:
            # "Esquerdo 46" is also "Esquerdo No. 46".
            options = (unit, f"no {unit}", f"num {unit}", f"numero {unit}", f"# {unit}")
        if unit in _OPTIONAL and place:
            options = (unit, "")
        if unit in _STREET_TYPES and place == 0 and len(units) > 1:
            options = (*options, "")
        choices.append((unit, *(o for o in options if o != unit)))
    spelt = (" ".join(" ".join(choice).split()) for choice in product(*choices))
    found = dict.fromkeys(s for s in islice(spelt, 8 * _MOST) if s and s[0].isalnum())
    return tuple(islice(found, _MOST))
