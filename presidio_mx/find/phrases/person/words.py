"""The words that stand before, between and behind the words of a name."""

from presidio_mx.find.grammar.patterns import Symbols, words_of
from presidio_mx.spanish.words import listed, words
from presidio_mx.text.folding import fold_key

PARTICLES = words("particle_person")
OPENING_PARTICLES = words("particle_opening")
# Inside a name they are none without "de" before them.
ARTICLES = words("article")
SAINTS = words("name_saint")
SUFFIXES = words("name_suffix")
# Verbs that are surnames behind "de" alone.
BEHIND_PARTICLE = words("surname_behind_particle")
# "C." the citizen, "D." the don, "P." the priest: titles before a given name.
TITLE_LETTERS = words("title_letter")
# Before a word that is a given name too they say that it is none: "el consuelo".
NO_NAME_BEHIND = words("no_name_behind")
# "oftalmo beatriz ponce"
SPECIALTIES = words("specialty_beside_name")
# First letters of names such as "D'Acosta" and "O'Farril".
ELISIONS = words("elision")
# Kinds of institutions that are surnames: "Rosa Hogar Díaz".
KINDS = words("kind_in_name")
# Surnames that are words: "Ana Ruiz Grande".
WORD_SURNAMES = words("surname_of_word")
# "Cabeza de Vaca": surnames of ordinary words by their first word, the longest first.
COMPOUNDS: dict[str, list[tuple[str, ...]]] = {}
for _entry in sorted(map(str.split, listed("compound_surname")), key=len, reverse=True):
    COMPOUNDS.setdefault(_entry[0], []).append(tuple(_entry))

_TRIGGER_LISTS = ("kin", "other_person", "staff", "respect_f", "respect_m", "patient")


def trigger_words(symbols: Symbols) -> frozenset[str]:
    """Return the single words of the lists that stand before names.

    :param symbols: The symbols of a rule file.
    :return: Folded titles, kinship words and the like; none where there are no lists.
    """
    lists = (words_of(name, symbols) for name in _TRIGGER_LISTS if name in symbols)
    entries = (fold_key(entry).rstrip(".") for some in lists for entry in some or ())
    return frozenset(entry for entry in entries if " " not in entry)
