"""The accented words of Spanish and of Mexican names, to judge how a text was read."""

import math
import re
from collections.abc import Mapping
from functools import cache

from presidio_mx.resources import folder
from presidio_mx.tsv_file import read_cells

_LISTS = (
    "lexicon",
    "given_names",
    "surnames",
    "towns",
    "municipalities",
    "nicknames",
)
SPANISH = "áéíóúüñ"
LETTERS = SPANISH + SPANISH.upper()
_ACCENTED = re.compile(f"[{SPANISH}]")
_WORD = re.compile(r"[^\W\d_]+")
# How much commoner the word must be that is meant, in hundredths of the whole range of
# the lexicon's logarithmic weights; names are laid on the same scale by their bearers.
_AHEAD = 10.0


@cache
def words_of_names() -> frozenset[str]:
    """Return the words of given names and surnames, in lower case."""
    found: set[str] = set()
    for name in ("given_names", "surnames"):
        for cells in read_cells(folder("gazetteers") / f"{name}.tsv"):
            found.update(_WORD.findall(cells[0].lower()))
    return frozenset(found)


@cache
def words_known() -> Mapping[str, float]:
    """Return all words of the lists, in lower case, with how common they are."""
    found: dict[str, float] = {}
    for name in _LISTS:
        for cells in read_cells(folder("gazetteers") / f"{name}.tsv"):
            count = cells[-1]
            weight = float(cells[1]) if name == "lexicon" and count != "kind" else 0.0
            if name != "lexicon" and count.isdecimal():
                weight = 10.0 * math.log10(int(count) + 1)
            for word in _WORD.findall(cells[0].lower()):
                found[word] = max(weight, found.get(word, 0.0))
    return found


@cache
def _by_holes() -> Mapping[str, list[str]]:
    forms: dict[str, list[str]] = {}
    for word in words_known():
        if not word.isascii():
            forms.setdefault(_ACCENTED.sub("?", word), []).append(word)
    return forms


def with_holes(word: str) -> str:
    """Return the word that a word was before its accented letters went.

    :param word: In lower case, with ``?`` for each letter that is gone: ``mu?oz``.
    :return: ``muñoz``; empty if no list has such a word, or several as common.
    """
    weights = words_known()
    forms = sorted(_by_holes().get(word, ()), key=weights.__getitem__, reverse=True)
    if len(forms) > 1 and weights[forms[0]] - weights[forms[1]] < _AHEAD:
        return ""
    return forms[0] if forms else ""
