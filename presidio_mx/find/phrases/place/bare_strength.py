"""How sure a place name is by itself, roughly the log-odds that it means the place.

A large population raises the strength; a name that is also a given name, a surname, an
ordinary word or a person (Lázaro Cárdenas) lowers it, after the filters of Sánchez-León
(2019).
"""

import math

from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag, Lexicon
from presidio_mx.spanish.word_runs import PARTICLES
from presidio_mx.spanish.words import words

# Without any evidence from around it a name must reach this strength.
BARE = 1.5

# A name with a word that no list has is as good as sure, unless it is that short.
_ODD = 2.5
_ODD_SHORT = 1.6
_SHORT = 4
# One word of less than four letters is anything.
_TOO_SHORT = -1.0
# A name of known words gains this for each power of ten of its population ...
_BY_SIZE = 0.45
# ... and loses for what its words mean elsewhere.
_SAINT_OF_PERSON = 0.9
_SAINT_OR_CITY = 0.5
_PERSONAL_NAMES = 1.2
_KNOWN_WORDS = 1.0
_EPONYM_OR_DRUG = 1.0
# One word loses this times its weight as a name, and as an ordinary word.
_BY_NAME = 2.8
_BY_WORD = 3.0
# "Lázaro Cárdenas", "Benito Juárez": persons, streets, schools too. They begin with a
# given name of this weight.
_PERSON = -1.0
_COMMON_GIVEN = 0.2

# First words that towns share with persons.
SAINT = words("saint")
_SAINT_OF_PERSONS = words("saint_of_person")
_CITY_WORDS = words("city_word")


def bare_strength(lexicon: Lexicon, name: tuple[str, ...], population: int) -> float:
    """Return the log-odds that a bare name means a place.

    :param lexicon: What is known of words.
    :param name: Its folded words.
    :param population: Inhabitants.
    """
    size = math.log10(population + 10)
    if len(name) == 1:
        return _of_word(lexicon, name[0], size)
    content = [word for word in name if word not in PARTICLES] or list(name)
    flags = [lexicon.flags.get(word, 0) for word in content]
    if not all(flag & (NAME | KNOWN) for flag in flags):
        return _ODD
    if name[0] in SAINT or name[0] in _CITY_WORDS:
        person = name[0] in _SAINT_OF_PERSONS
        return _BY_SIZE * size - (_SAINT_OF_PERSON if person else _SAINT_OR_CITY)
    if all(flag & NAME and not flag & Flag.ORDINARY for flag in flags):
        if lexicon.given.get(content[0], 0.0) > _COMMON_GIVEN:
            return _PERSON
        return _BY_SIZE * size - _PERSONAL_NAMES
    return _BY_SIZE * size - _KNOWN_WORDS


def _of_word(lexicon: Lexicon, word: str, size: float) -> float:
    """Return the strength of a name of one word."""
    flag = lexicon.flags.get(word, 0)
    if len(word) < _SHORT:
        return _TOO_SHORT
    if not flag & (NAME | KNOWN | Flag.EPONYM):
        return _ODD if len(word) > _SHORT else _ODD_SHORT
    named = max(lexicon.given.get(word, 0.0), lexicon.surname.get(word, 0.0))
    common = lexicon.ordinary.get(word, 0.0)
    strength = _BY_SIZE * size - _BY_NAME * named - _BY_WORD * common
    if flag & (Flag.EPONYM | Flag.DRUG):
        strength -= _EPONYM_OR_DRUG
    return strength
