"""Parse the name of a person: given names, surnames, particles, initials, nicknames.

The parts of ``parse_name(text)``, put together, are the text. What a word is follows
from how it is used in Mexico and from its place: given names before one or two
surnames, or behind them; a comma or a caret says which.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from presidio_mx.spanish.name_lists import BOTH_SEXES, PARTICLES, name_lists
from presidio_mx.spanish.parts import Part, Parts
from presidio_mx.spanish.words import listed, words
from presidio_mx.text.folding import fold_key

# A word of a name: letters with their marks, an ordinal (Mª), an abbreviation's point.
_LETTER = r"[^\W\d_¹²³]"  # raised numbers are notes: "Bertrab K²"
NAME_WORD = re.compile(
    rf"{_LETTER}(?:{_LETTER}|[\u0300-\u036f]|(?<=[^\W\d_])['’](?={_LETTER}{{2}}))*"
    r"(?:\.?[ªº])?\.?"
)
_GLUED = re.compile(r"(?P<name>[^\W\d_]{3,})(?P<rest>vda\.?|Vda\.?|VDA\.)\Z")
_WIDOW = words("particle_widow")
_WITH_ARTICLE = frozenset(("del", "de la", "de las", "de los"))
_SIZES = frozenset(
    "chico chica grande chiquito chiquita viejo vieja mayor menor grandote".split()
)
_SECOND = words("name_second")
_ALWAYS_SHORT = frozenset(("ma", "gpe", "fco", "jo"))
_SHORT_SURNAME, _MOST_INITIALS, _FEWEST_INITIALS = 4, 5, 2
_VOWELS = frozenset("aeiou")
# No Spanish word begins or ends so; and three consonants in a row are rare.
_BEGINS = re.compile(
    r"[aeiouy]|[bcdfghjklmnpqrstvwxyz]h?[aeiouy]|[bcfgpt][lr]|dr|ch|ll|tl|tz|x[ho]|qu|st"
)
_UNSAYABLE = re.compile(r"[bcdfghjklmnpqrstvwxz]{3}|[bcdfghjkmpqtvw]{2}$|(.)\1$")
_QUOTES = "\"'“”«»‘’(["
_ENDS = tuple("\"'”»’")
_SIGN = re.compile(r"[,^<]")
# How likely a name has so many given names, or surnames.
_GIVEN = {0: -2.0, 1: 0.0, 2: -0.3, 3: -2.0, 4: -4.0}
_SURNAMES = {0: -2.5, 1: -0.7, 2: 0.0, 3: -2.5, 4: -5.0}
_TURNED, _TURNED_CAPITALS = -2.5, -1.0
_BEHIND_GIVEN = -3.0  # "Remedios Alcántara Luz": the last word is rarely the given name
_BOTH_SEXES, _NO_GIVEN = -5.0, -3.0  # though one of them is a given name
_FIRST_OF_TWO, _CUT_OFF = frozenset(("maria", "jose", "juan")), -2.5  # "Ma. Trinidad"
_OF_BOTH = 0.8


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a person.

    :param parts: Its parts; kinds are ``given``, ``surname``, ``nickname``, ``married``
        (the husband's surname), ``particle``, ``initials``, ``epithet`` (what somebody
        is called by), ``size`` ("chico"), ``kept`` (titles, suffixes), or empty.
    :param given: Folded given names, abbreviations written out.
    :param surnames: Folded surnames, with the particle where they are others without.
    :param initials: Folded letters that stand for names, in their order.
    :param turned: Surnames stand first.
    """

    parts: Parts
    given: tuple[str, ...]
    surnames: tuple[str, ...]
    initials: str = ""
    turned: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """Given names and surnames as they are written."""
        if self.turned:
            return (*self.surnames, *self.given)
        return (*self.given, *self.surnames)


@dataclass(slots=True)
class _Token:
    start: int
    end: int
    text: str
    kind: str
    key: str = ""
    lead: str = ""  # the particles before it


@cache
def _compounds() -> tuple[tuple[str, ...], ...]:
    found = (tuple(name.split()) for name in listed("compound_surname"))
    return tuple(sorted(found, key=len, reverse=True))


def bare(key: str) -> str:
    """Return a word's key without the particle that it may have.

    :param key: E.g. ``de la cruz``.
    :return: E.g. ``cruz``; of a compound surname, its first word.
    """
    if " " not in key:
        return key
    parts = key.split()
    if parts[0] in PARTICLES:
        return parts[-1]
    return parts[0]


def word_key(token: str) -> str:
    """Return the folded word of a token: no accents, no point, no ordinal.

    :param token: A word as it stands in the document.
    :return: E.g. ``ma`` for ``Mª``.
    """
    if token.isalpha() and token.isascii():
        return token.lower()
    key = fold_key(token)
    if _has_ordinal(token):
        key = fold_key(token.rstrip(".")[:-1].rstrip(".")) + "a"
    return key.rstrip(".")


def _has_ordinal(token: str) -> bool:
    return token.rstrip(".").endswith(("ª", "º"))


def _full_key(key: str, token: str, last: bool) -> str:
    """Return the folded full word of an abbreviation, or the word itself.

    "Franco", "Anta" and "Ros" are abbreviations with a point only: without it they are
    surnames; so is a longer one that a point follows at the end of the name.
    """
    names = name_lists()
    full = names.short.get(key, key)
    if full == key or _has_ordinal(token) or key in _ALWAYS_SHORT:
        return full
    if not names.knows(key):
        return full
    ends = last and len(key) >= _SHORT_SURNAME
    return full if token.endswith(".") and not ends else key


def is_initial(token: str) -> bool:
    """Tell whether a token is an initial: ``J.``, ``J``, ``j.``, ``Ch.``.

    :param token: A word as it stands in the document.
    """
    if len(token) > 3:
        return False
    letter = unicodedata.normalize("NFC", token.rstrip("."))
    if letter == "Ch" and token.endswith("."):
        return True
    return len(letter) == 1 and (letter.isupper() or token.endswith("."))


def are_initials(token: str, text: str) -> bool:
    """Tell whether a token is the initials of several names: "Arreola JM", "JTMO".

    :param token: A word as it stands in the document.
    :param text: The name it stands in.
    :return: True for capitals that no list has and nobody could say.
    """
    size = len(token)
    if not _FEWEST_INITIALS <= size <= _MOST_INITIALS or not token.isupper():
        return False
    key, names = fold_key(token), name_lists()
    if not key.isalpha() or key in PARTICLES or key in names.short or names.knows(key):
        return False
    if size == _FEWEST_INITIALS:
        return not (text.isupper() and len(text) > size and set(key) & _VOWELS)
    if size == _MOST_INITIALS and set(key) & _VOWELS:
        return False
    return not _BEGINS.match(key) or _UNSAYABLE.search(key) is not None


def parse_name(text: str, lean: float = 0.0) -> Name:
    """Parse a name.

    :param text: The name as it stands in the document.
    :param lean: How much likelier a word alone is a given name than a surname, by what
        stands around it: logarithm of the odds.
    """
    tokens = _classified(text, _tokens(text))
    free = [t for t in tokens if t.kind == "word"]
    widow = next((t.start for t in tokens if t.key in _WIDOW), len(text))
    behind = [t for t in free if t.start > widow]
    if len(behind) > 1 and _lean(behind[-1]) > 0 and not behind[-1].lead:
        behind.pop()  # "Valdés vda. de Ruiz Socorro": the given name of a list
    for token in behind:
        token.kind = "married"
    free = [t for t in free if t.kind == "word"]
    initials = any(token.kind == "initials" for token in tokens)
    turned = _assign(free, _sign_after(text, free), text, lean, initials)
    _marry(tokens, free)
    parts: list[Part] = []
    at = 0
    for token in tokens:
        if token.start > at:
            parts.append(Part("", text[at : token.start]))
        parts.append(Part(token.kind, text[token.start : token.end], token.key))
        at = token.end
    if at < len(text):
        parts.append(Part("", text[at:]))
    return Name(
        parts=tuple(parts),
        given=tuple(t.key for t in tokens if t.kind in ("given", "nickname")),
        surnames=tuple(t.key for t in tokens if t.kind == "surname"),
        initials="".join(t.key for t in tokens if t.kind == "initials"),
        turned=turned,
    )


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    for match in NAME_WORD.finditer(text):
        glued = _GLUED.match(match.group())
        if glued:
            middle = match.start() + glued.end("name")
            pieces = [(match.start(), middle), (middle, match.end())]
        else:
            pieces = [match.span()]
        found += [_Token(a, b, text[a:b], "") for a, b in pieces]
    return found


def _classified(text: str, tokens: list[_Token]) -> list[_Token]:
    """Say of each token what its form says: particle, initial, word; join compounds."""
    names = name_lists()
    done: list[_Token] = []
    before = ""  # particles that wait for their word
    at = 0
    while at < len(tokens):
        token = tokens[at]
        token.key = word_key(token.text)
        width = _compound(tokens, at)
        if width:
            end = tokens[at + width - 1].end
            key = " ".join(word_key(t.text) for t in tokens[at : at + width])
            done.append(_Token(token.start, end, text[token.start : end], "word", key))
            before, at = "", at + width
            continue
        phrase = f"{before} {token.key}"
        if before and phrase in names.phrases:
            token.kind, token.key = "word", phrase
        elif _is_epithet(text, tokens, at, done):
            token.kind = "epithet"
        elif is_initial(token.text) or _ends_small(token, text):
            letter = token.key[:1]
            token.kind, token.key = "initials", letter
        elif are_initials(token.text, text):
            token.kind = "initials"
        elif token.key in PARTICLES or not token.key:
            token.kind = "particle" if _is_particle(token.key) else "kept"
            before = f"{before} {token.key}".strip() if token.kind == "particle" else ""
            done.append(token)
            at += 1
            continue
        elif token.key in _SIZES and _of_given_alone(
            tokens[:at], at == len(tokens) - 1
        ):
            token.kind = "size"
        else:
            last = at == len(tokens) - 1
            token.kind, token.lead = "word", before
            token.key = _full_key(token.key, token.text, last)
            if before in _WITH_ARTICLE:
                token.key = f"{before} {token.key}"
        before = ""
        done.append(token)
        at += 1
    return done


def _is_particle(key: str) -> bool:
    return key in ("de", "del", "d", "la", "las", "los", "lo", "le")


def _compound(tokens: Sequence[_Token], at: int) -> int:
    """Return how many tokens a compound surname has from one on."""
    key = word_key(tokens[at].text)
    for compound in _compounds():
        if compound[0] == key:
            own = tokens[at : at + len(compound)]
            if tuple(word_key(t.text) for t in own) == compound:
                return len(compound)
    return 0


def _ends_small(token: _Token, text: str) -> bool:
    """Tell whether a small letter ends a name in small letters: "gladys noemi m"."""
    alone = len(token.text) == 1 and token.start > 0
    return alone and token.end == len(text) and text.islower()


def _of_given_alone(before: Sequence[_Token], last: bool) -> bool:
    """Tell whether given names or nicknames alone stand before the last word."""
    names = name_lists()
    if not last or not 0 < len(before) <= 2:
        return False
    return all(
        names.lean(t.key) > 0 or names.is_usual(t.key) or names.is_nickname(t.key)
        for t in before
    )


def _is_epithet(
    text: str, tokens: Sequence[_Token], at: int, done: Sequence[_Token]
) -> bool:
    """Tell whether a word is what somebody is called by: "la Huesera", '"el Ruso"'."""
    if not done or done[-1].key not in ("el", "la") or len(done) < 2:
        return False
    article = done[-1]
    quoted = text[: article.start].rstrip()[-1:] in _QUOTES
    named = done[-2].kind == "word" and at == len(tokens) - 1
    return quoted or (named and done[-2].key not in ("de", "y"))


def _sign_after(text: str, free: Sequence[_Token]) -> int:
    """Return how many words stand before the comma that ends the surnames."""
    for number, (token, following) in enumerate(zip(free, free[1:], strict=False), 1):
        if _SIGN.search(text, token.end, following.start):
            return number
    return 0


def _assign(
    free: Sequence[_Token], split: int, text: str, lean: float, initials: bool
) -> bool:
    """Say which words are given names and which surnames; tell if these are first."""
    names = name_lists()
    if not free:
        return False
    for token in free:
        if " " in token.key or not _quoted(text, token):
            continue
        # Luis "Piojo" Basurto; in brackets an unlisted word may be a maiden name.
        closed = (
            text[token.start - 1] != "(" and text[token.end : token.end + 1] in _ENDS
        )
        unlisted = closed and len(free) > 1 and names.use(token.key) != "surname"
        if names.is_nickname(token.key) or unlisted:
            token.kind = "nickname"
    plain = [t for t in free if t.kind == "word"]
    leans = [_lean(t) for t in plain]
    turned = False
    best, given = float("-inf"), range(0)
    n = len(plain)
    if n == 1 and len(free) == 1:
        nickname = names.use(plain[0].key) in ("nickname", "epithet")
        leans[0] = max(leans[0], _OF_BOTH) if nickname else leans[0] + lean
    before = sum(t.start < free[split].start for t in plain) if split else 0
    for first in (True, False):
        for count in range(0 if first else 1, n + 1):
            if split and (first or count != n - before):
                continue
            inner = range(count) if first else range(n - count, n)
            if n > 1 and not first and count == n:
                continue
            score = _score(plain, leans, inner)
            if not count and n > 1:
                usual = any(names.is_usual(token.key) for token in plain)
                score += _NO_GIVEN if usual else -_GIVEN[0] if initials else 0.0
            if not first and not split:
                score += _TURNED_CAPITALS if text.isupper() else _TURNED
                given_first = n > 2 and names.is_given(plain[0].key)
                score += _BEHIND_GIVEN if given_first else 0.0
            if score > best:
                best, given, turned = score, inner, not first
    for number, token in enumerate(plain):
        if number not in given:
            token.kind = "surname"
        else:
            nickname = names.use(token.key) in ("nickname", "epithet")
            token.kind = "nickname" if nickname and n == 1 else "given"
    return turned and bool(len(given))


def _quoted(text: str, token: _Token) -> bool:
    return text[token.start - 1 : token.start] in tuple(_QUOTES) and token.start > 0


def _lean(token: _Token) -> float:
    """Return how much likelier a word, with its particle or not, is a given name."""
    if not token.lead and " " not in token.key:
        lean = name_lists().lean(token.key)
        return max(lean, _OF_BOTH) if token.key in BOTH_SEXES else lean
    key = token.key if " " in token.key else f"{token.lead} {token.key}"
    known = name_lists().phrases
    return _after_particles().get(key, -6.0 if key in known else -2.0)


@cache
def _after_particles() -> dict[str, float]:
    """Return what words with their particle are: "de jesus" a given name."""
    found: dict[str, float] = {}
    for word, particles, kind in name_lists().after_particle:
        for particle in particles.split(", "):
            lean = 3.0 if kind.startswith("given") else -4.0
            found.setdefault(f"{particle} {fold_key(word)}", lean)
    return found


def _score(plain: Sequence[_Token], leans: Sequence[float], given: range) -> float:
    """Return how likely some words are the given names and all others surnames."""
    n = len(plain)
    score = _GIVEN.get(len(given), -6.0) if n > 1 else 0.0
    score += _SURNAMES.get(n - len(given), -8.0) if n > 1 else 0.0
    names = name_lists()
    sexes = set()
    for number, (token, lean) in enumerate(zip(plain, leans, strict=True)):
        if number not in given:
            score -= lean / 2
            continue
        score += lean / 2
        sex = names.sex(token.key)
        if sex in ("F", "M") and token.key not in _SECOND:
            sexes.add(sex)
    if given and given[-1] + 1 < n:
        last, following = plain[given[-1]], plain[given[-1] + 1]
        short = last.key in _FIRST_OF_TWO and word_key(last.text) != last.key
        if short and names.sex(following.key):
            score += _CUT_OFF
    return score + (_BOTH_SEXES if len(sexes) > 1 else 0.0)


def _marry(tokens: Sequence[_Token], free: Sequence[_Token]) -> None:
    """Mark the husband's surname behind two others: "Jalil Nazar de Barrera"."""
    surnames = [t for t in free if t.kind == "surname"]
    if len(surnames) > 2 and surnames[-1].lead == "de":
        surnames[-1].kind = "married"


def sex_of_given(given: Sequence[str]) -> str:
    """Return the sex that given names say: F, M, or empty.

    :param given: Folded given names.
    """
    names = name_lists()
    sexes = [names.sex(word) for word in given]
    for place, (word, sex) in enumerate(zip(given, sexes, strict=True)):
        if sex not in ("F", "M"):
            entry = names.nicknames.get(word)
            sex = entry.sex if entry and not names.is_usual(word) else sex
        if sex in ("F", "M") and not (place and word in _SECOND):
            return sex
    return ""


def kept_letters(name: str) -> str:
    """Return the letters of a word as codes take them: no accents, ñ as x.

    :param name: A name.
    """
    if name.isascii() and name.isalpha():
        return name.lower()
    return "".join(c if "a" <= c <= "z" else "x" for c in fold_key(name) if c.isalpha())
