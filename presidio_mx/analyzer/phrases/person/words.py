"""The words that stand before, between and behind the words of a name."""

from presidio_mx.analyzer.grammar.patterns import Symbols, words_of
from presidio_mx.folding import fold_key

PARTICLES = frozenset("de del la las los d da do dos san santa von van mc".split())
PARTICLES |= {"vda", "viuda"}
OPENING_PARTICLES = frozenset("de del la las los san santa von van mc da".split())
ARTICLES = frozenset("la las los".split())
SAINTS = frozenset("san santa santo sta sto".split())
SUFFIXES = frozenset("jr junior".split())
# Verbs that are surnames behind "de" alone.
BEHIND_PARTICLE = frozenset(("anda",))
# "C." the citizen, "D." the don, "P." the priest: titles before a given name.
TITLE_LETTERS = frozenset("cdp")
# Before a word that is a given name too they say that it is none: "el consuelo".
NO_NAME_BEHIND = frozenset("la el los las del al mi gata gato perro perra".split())
# First letters of names such as "D'Acosta" and "O'Farril".
ELISIONS = frozenset("do")

_TRIGGER_LISTS = ("kin", "other_person", "staff", "respect_f", "respect_m", "patient")


def trigger_words(symbols: Symbols) -> frozenset[str]:
    """Return the single words of the lists that stand before names.

    :param symbols: The symbols of a rule file.
    :return: Folded titles, kinship words and the like; none where there are no lists.
    """
    lists = (words_of(name, symbols) for name in _TRIGGER_LISTS if name in symbols)
    entries = (fold_key(entry).rstrip(".") for words in lists for entry in words or ())
    return frozenset(entry for entry in entries if " " not in entry)
