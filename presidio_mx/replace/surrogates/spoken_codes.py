"""Codes and names dictated sign by sign, read as what is written: "te ele ene jota"."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import MappingProxyType

from presidio_mx.replace.surrogates.case import match_case
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.numerals import read_number, write_number
from presidio_mx.text.folding import fold

_WORD = re.compile(r"[^\W\d_]+")
_LETTERS = MappingProxyType(
    dict(
        zip(
            "a b c d e f g h i j k l m n o p q r s t u v w x y z".split(),
            "a be ce de e efe ge hache i jota ka ele eme ene o pe cu ere ese te u uve "
            "dobleu equis ye zeta".split(),
            strict=True,
        )
    )
)
_NAMES = MappingProxyType(
    {name: letter for letter, name in _LETTERS.items()}
    | {"ache": "h", "ku": "q", "erre": "r", "ve": "v", "doble u": "w", "doble ve": "w"}
    | {"doble uve": "w", "i latina": "i", "i griega": "y", "y griega": "y"}
    | {"be grande": "b", "be alta": "b", "be larga": "b", "ve chica": "v"}
    | {"ve corta": "v", "ve baja": "v", "uve doble": "w", "elle": "l"}
)
_MARKS = frozenset("guion medio diagonal punto espacio coma raya barra slash".split())
_VOWELS = frozenset("aeiou")
_TWO_DIGITS = 100
_WIDEST = 3  # words of a number below a hundred: "treinta y dos"


@dataclass(frozen=True)
class _Said:
    """Words of a dictated code, and the signs they stand for."""

    start: int
    end: int
    signs: str


def _read(text: str) -> list[_Said] | None:
    """Return what each word says; None where one says no sign."""
    found: list[_Said] = []
    words = list(_WORD.finditer(text))
    at = 0
    while at < len(words):
        for width in range(min(_WIDEST, len(words) - at), 0, -1):
            run = words[at : at + width]
            signs = _signs(" ".join(fold(word.group()) for word in run))
            if signs is not None:
                if signs:
                    found.append(_Said(run[0].start(), run[-1].end(), signs))
                at += width
                break
        else:
            return None
    return found


def _signs(phrase: str) -> str | None:
    """Return the signs of some words; empty for a mark, None for other words."""
    if phrase in _NAMES:
        return _NAMES[phrase].upper()
    if len(phrase) == 1 and phrase in _LETTERS and phrase != "y":
        return phrase.upper()
    if phrase in _MARKS:
        return ""
    number = read_number(phrase)
    return str(number) if number is not None and number < _TWO_DIGITS else None


def _say(signs: str, like: str) -> str:
    if signs.isalpha():
        alone = len(like) == 1 and fold(like) not in _VOWELS
        if alone:
            return match_case(like + like, signs)
        return match_case(like + like, _LETTERS[signs.lower()])
    words = [write_number(int(signs))]
    if len(signs) > 1 and signs[0] == "0":
        words.insert(0, write_number(0))
    return match_case(like, " ".join(words))


def said_code(text: str) -> str:
    """Return the code that was dictated.

    :param text: As it stands in the document.
    :return: Its signs; empty where some word is none of a code.
    """
    return "".join(said.signs for said in _read(text) or ())


def spelt_letters(text: str) -> bool:
    """Tell whether a text is a name spelt by names of letters: "ere a i griega".

    :param text: What was found.
    """
    if " griega" not in fold(text):  # else words of one name each, which others tell
        return False
    code = said_code(text)
    return len(code) > _WIDEST and code.isalpha()


def other_said_code(text: str, make: Callable[[str], str]) -> str | None:
    """Return a dictated code with the words of its surrogate.

    :param text: As it stands in the document.
    :param make: Makes the surrogate of the code.
    :return: None where it cannot be read, or the surrogate has another length.
    """
    read = _read(text)
    if not read:
        return None
    new = make("".join(said.signs for said in read))
    if len(new) != sum(len(said.signs) for said in read) or not new.isascii():
        return None
    return "".join(_written(text, read, new))


def _written(text: str, read: list[_Said], new: str) -> Iterator[str]:
    position = taken = 0
    for said in read:
        signs = new[taken : taken + len(said.signs)]
        yield text[position : said.start] + _say(signs, text[said.start : said.end])
        position, taken = said.end, taken + len(said.signs)
    yield text[position:]


def other_spelt_name(text: str, context: Context) -> str | None:
    """Return the letters of the surrogate for a name that a note spells.

    :param text: The letters as they stand in the document.
    :param context: Facts of the document.
    :return: None where the note has no such name.
    """
    read = _read(text)
    word = "".join(said.signs for said in read or ()).lower()
    image = context.facts.name_words.get(word)
    letters = [c for c in (image or "").lower() if c in _LETTERS]
    if not read or len(read) < 2 or not letters:
        return None
    between = text[read[0].end : read[1].start]
    names = (_LETTERS[letter] for letter in letters)
    return text[: read[0].start] + between.join(names) + text[read[-1].end :]
