"""The names of streets and quarters that surrogates draw from."""

from functools import cache

from presidio_mx.replace.surrogates.draw import Draw
from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.resources import folder
from presidio_mx.spanish.gazetteer import read_table, rows
from presidio_mx.spanish.words import words
from presidio_mx.text.folding import fold_key

_KEPT = words("surrogate_kept")


@cache
def street_names(kind: str) -> tuple[tuple[str, ...], dict[str, int]]:
    """Return the names of streets or quarters, and where each one stands.

    :param kind: ``street``, ``hero`` (streets that are called after people) or
        ``quarter``.
    """
    if kind in ("street", "hero"):
        table = read_table(folder("operators") / "streets.tsv")
        names = tuple(row["name"] for row in table)
        if kind == "hero":  # streets that are called after people, as schools are
            given = lexicon().is_given
            heroes = (n for n in names if " " in n and given(fold_key(n.split()[0])))
            names = tuple(heroes)
    else:
        found = sorted(rows("colonias"), key=lambda row: -int(row.get("count") or 1))
        names = tuple(row["name"] for row in found)
    return names, {fold_key(name): index for index, name in enumerate(names)}


def is_listed(kind: str, name: str) -> bool:
    """Tell whether a name is in the list of streets or quarters.

    :param kind: ``street`` or ``quarter``.
    :param name: The name as it stands in the document.
    :return: True if it is.
    """
    return fold_key(name) in street_names(kind)[1]


def name_image(kind: str, name: str, draw: Draw) -> str:
    """Return the name that a name of a street or quarter becomes.

    :param kind: ``street`` or ``quarter``.
    :param name: The name as it stands in the document.
    :param draw: Keyed numbers.
    :return: Another name of the list.
    """
    names, places = street_names(kind)
    key = fold_key(name)
    if key in places:
        return names[draw.permute(len(names), places[key], kind)]
    index = draw.number(len(names), kind, key)
    own = set(key.split())
    while own & set(fold_key(names[index]).split()) - _KEPT:
        index = (index + 1) % len(names)
    return names[index]
