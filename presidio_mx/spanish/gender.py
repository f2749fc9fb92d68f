"""The gender of a person in Spanish: where words agree with it, and how to write both.

``La paciente se encuentra orientada`` and ``El paciente se encuentra orientado`` become
``El/la paciente se encuentra orientado/a``. Articles, nouns and titles count, the word
for the sex, and adjectives and participles that stand with the person, not those of
findings ("mucosas hidratadas", "herida limpia"). Nothing else of a text is touched, so
that what only one sex has ("G2 P1", "próstata") still tells it. The words are in
``recognizers/words/gender.yaml``.
"""

import re
from collections.abc import Iterator
from functools import cache

from presidio_mx.spanish.words import either, listed, words
from presidio_mx.text.folding import fold, fold_key
from presidio_mx.text.tokens import Piece

# Not a part of what is written for both already: "el/la", "hijo(a)".
_FREE, _ENDS = r"(?<![\w/(])", r"(?![\w/(@])"
_PARTICIPLE = r"[a-z]{2,}[ai]d[oa]"
_AGE = r"de \d{1,3}(?: ?(?:anos|meses|dias|a))?"
_TAG = r"\{[^{}\n]{1,30}\}"
_NO_SEX = "no especificado"
_ARTICLES = {
    "del": "del/de la",
    "de la": "del/de la",
    "al": "al/a la",
    "a la": "al/a la",
    "el": "el/la",
    "la": "el/la",
    "un": "un/a",
    "una": "un/a",
    "este": "este/a",
    "esta": "este/a",
}
_INDEFINITE = ("un", "una")


def _both(name: str) -> str:
    """Return a pattern of the adjectives of a list in both genders."""
    stems = (re.escape(fold_key(word).removesuffix("o")) for word in listed(name))
    return f"(?:{'|'.join(sorted(stems, key=len, reverse=True))})[oa]?"


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return patterns of what is neutralised as one piece, over folded text."""
    person, noun = either("gender_person"), either("gender_noun")
    title = either("gender_title")
    sex, article = either("gender_sex"), either("gender_article")
    pair = either("gender_noun", "gender_spouse", "gender_partner")
    said = rf"(?:{sex}|[fm])"
    return tuple(
        re.compile(_FREE + pattern + _ENDS)
        for pattern in (
            rf"sexo(?: ?: ?| ){said}",
            rf"{person} (?:del sexo )?{sex}",
            rf"(?:(?:el|la|una?) )?{sex}(?= (?:de )?\d| adult| joven| mayor)",
            rf"(?:(?<![^\n])|(?<=[,;:.(|/] )|(?<=[|;(])){sex}(?=[,;.)|/]|\s*\n|\s*\Z)",
            r"(?<!de la )(?:(?:el|la|una?) )?(?:mujer|hombre|varon)",
            rf"{article}(?= (?:{person}|{pair}|{title}){_ENDS})",
            rf"(?:{noun}|{pair}|{title})",
            _both("gender_anywhere"),
        )
    )


@cache
def _adjective() -> re.Pattern[str]:
    own = _both("gender_adjective")
    anywhere = _both("gender_anywhere")
    return re.compile(rf"{_FREE}(?:{own}|{anywhere}|{_PARTICIPLE}){_ENDS}")


@cache
def _beside() -> re.Pattern[str]:
    """Return the pattern of what is said of a person right behind the noun."""
    person = either("gender_person", "gender_noun", "gender_title")
    between = rf"(?:{either('gender_link')}(?!\w)|{_AGE}(?!\w)|{_TAG}|\w+/a(?!\w))"
    like = rf"{_adjective().pattern}|{either('gender_sex')}(?!\w)"
    more = rf"(?:[ ,]{{1,3}}(?:{between}|{like}))"
    return re.compile(rf"{_FREE}{person}(?!\w){more}{{1,24}}")


def gendered(text: str) -> Iterator[Piece]:
    """Yield what tells the gender of a person, in order, none over another.

    :param text: A note.
    """
    folded = fold(text)
    found = [m.span() for pattern in _patterns() for m in pattern.finditer(folded)]
    for zone in _beside().finditer(folded):
        found += [m.span() for m in _adjective().finditer(folded, *zone.span())]
    end = 0
    for piece in sorted(set(found), key=lambda piece: (piece[0], -piece[1])):
        if piece[0] >= end:
            end = piece[1]
            yield piece


def neutral(text: str) -> str:
    """Return a piece as it is written for both genders.

    :param text: An article, noun, title, adjective or word for the sex, as
        :func:`gendered` finds them.
    :return: ``el/la``, ``hijo/a``, ``Sr(a).``, ``orientado/a``, ``persona``; the text
        itself where it tells no gender.
    """
    made = _neutral(text, fold_key(text))
    if text.isupper() and len(text) > 1:
        return made.upper()
    return made[:1].upper() + made[1:] if text[:1].isupper() else made


def _neutral(text: str, key: str) -> str:
    sexes = words("gender_sex")
    first, last = key.split(" ", maxsplit=1)[0], key.rstrip(".").rsplit(" ", 1)[-1]
    if first.startswith("sexo"):
        return text[: len(text) - len(last)] + _NO_SEX
    if key in _ARTICLES:
        return _ARTICLES[key]
    if last in sexes:
        if first in words("gender_person"):
            return text.split(" ", maxsplit=1)[0]
        if first == last:
            return "persona"
        return "una persona" if first in _INDEFINITE else "la persona"
    if last in words("gender_title"):
        return "sr(a)" + "." * key.endswith(".")
    if key in words("gender_spouse"):
        return "cónyuge"
    if key in words("gender_partner"):
        return "pareja"
    if key.endswith("ora"):
        return f"{text[:-1]}/a"
    if key.endswith(("or", "o")):
        return f"{text}/a"
    return f"{text[:-1]}o/a" if key.endswith("a") else text


def neutralised(text: str) -> str:
    """Return a note in which nothing agrees with a person's gender.

    :param text: The note.
    """
    parts, at = [], 0
    for start, end in gendered(text):
        parts += [text[at:start], neutral(text[start:end])]
        at = end
    return "".join([*parts, text[at:]])
