"""The letters that a CURP and an RFC take from a name.

Source: RENAPO, Instructivo normativo para la asignación de la CURP (DOF 18-10-2021),
annex: first letter and first inner vowel of the first surname, first letters of the
second surname and the given name; then the first inner consonants of the three.
"""

from collections.abc import Sequence

from stdnum.mx import curp as stdnum_curp

from presidio_mx.text.folding import fold_key

_SKIPPED_GIVEN = ("jose", "maria", "ma", "j", "m")
_VOWELS = "aeiou"


def _letters(word: str) -> str:
    return "".join(c if "a" <= c <= "z" else "x" for c in fold_key(word) if c.isalpha())


def inner_consonants(word: str) -> str:
    """Return the first consonant of a word after its first letter.

    :param word: A name.
    :return: A capital letter, X if there is none.
    """
    inner = (c for c in _letters(word)[1:] if c not in _VOWELS)
    return next(inner, "x").upper()


def curp_letters(given: Sequence[str], first: str, second: str) -> tuple[str, str]:
    """Return the letters of a name in a CURP.

    :param given: Given names, without particles.
    :param first: First surname.
    :param second: Second surname, may be empty.
    :return: The first four letters and the three inner consonants.
    """
    name = given[0] if given else "x"
    if len(given) > 1 and fold_key(given[0]).rstrip(".") in _SKIPPED_GIVEN:
        name = given[1]
    plain = _letters(first) or "x"
    vowel = next((c for c in plain[1:] if c in _VOWELS), "x")
    second_plain = _letters(second) or "x"
    four = (plain[0] + vowel + second_plain[0] + (_letters(name) or "x")[0]).upper()
    if four in stdnum_curp._name_blacklist:
        four = four[0] + "X" + four[2:]
    inner = "".join(inner_consonants(word) for word in (first, second, name))
    return four, inner


def voter_letters(given: Sequence[str], first: str, second: str) -> str:
    """Return the six letters of a voter key: two of each surname and the given name.

    The first letter and the first inner consonant of each (INE, Manual de la
    credencial para votar, clave de elector).

    :param given: Given names, without particles.
    :param first: First surname.
    :param second: Second surname, may be empty.
    :return: Six capital letters.
    """
    name = given[0] if given else "x"
    if len(given) > 1 and fold_key(name).rstrip(".") in _SKIPPED_GIVEN:
        name = given[1]
    words = (first, second, name)
    return "".join(
        (_letters(word) or "x")[0].upper() + inner_consonants(word) for word in words
    )
