"""Words that are something else beside a name: of Spanish, medicine, institutions."""

from functools import cache

from presidio_mx.spanish.gazetteer import rows
from presidio_mx.text.folding import fold_key

_EPONYM_LISTS = ("drugs", "eponyms", "medical_terms", "institutions")


@cache
def common_words() -> frozenset[str]:
    """Return the words of Spanish that the shipped list has, folded."""
    return frozenset(row["word"] for row in rows("lexicon"))


@cache
def eponym_words() -> frozenset[str]:
    """Return the names of people of one word that medicine uses, folded."""
    keys = (fold_key(next(iter(row.values()))) for row in rows("eponyms"))
    return frozenset(key for key in keys if " " not in key)


@cache
def clinical_words() -> frozenset[str]:
    """Return drugs, eponyms and terms of medicine of one word, folded."""
    found = {
        fold_key(next(iter(row.values())))
        for name in ("drugs", "medical_terms")
        for row in rows(name)
    }
    medical = {row["word"] for row in rows("lexicon") if row.get("kind") == "m"}
    alone = frozenset(key for key in found if " " not in key)
    return alone | medical | eponym_words()


@cache
def ordinary_words() -> frozenset[str]:
    """Return the words that are something else beside a name, folded."""
    found = set(common_words())
    for name in _EPONYM_LISTS:
        for row in rows(name):
            found.update(fold_key(next(iter(row.values()))).split())
    return frozenset(found)


@cache
def institution_names() -> frozenset[str]:
    """Return the names and acronyms of the listed institutions, folded."""
    return frozenset(
        fold_key(name)
        for row in rows("institutions")
        for name in (row["name"], *row.get("acronym", "").split(";"))
        if name
    )
