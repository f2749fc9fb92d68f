"""Parse an address: kinds of street, names of streets and quarters, numbers, CP.

The parts of ``parse_address(text)``, put together, are the text. Kinds of parts:
``street``, ``quarter`` and ``road`` (names), ``number``, ``letter`` (of a lot),
``ordinal`` ("segunda"), ``ending`` (of an ordinal, "3ra"), ``words`` (a number in
words), ``postal``; what only says where or of which kind is kept and has none.
"""

import re
from functools import cache

from presidio_mx.resources import folder
from presidio_mx.spanish.gazetteer import read_table, rows
from presidio_mx.spanish.name_lists import name_lists
from presidio_mx.spanish.numbers import is_number_word
from presidio_mx.spanish.ordinary import common_words
from presidio_mx.spanish.parts import Part, Parts
from presidio_mx.spanish.words import either, listed, words
from presidio_mx.text.folding import fold, fold_key

_STREET, _QUARTER = words("surrogate_street"), words("surrogate_quarter")
_NUMBERED, _KEPT = words("surrogate_numbered"), words("surrogate_kept")
_LANDMARK, _ROADS = words("surrogate_beside"), words("surrogate_road")
ORDINALS = (listed("ordinal_feminine"), listed("ordinal_masculine"))
_ARTICLES = ("de", "del", "la", "las", "los", "el")
_DIRECTIONS = words("side_full", "side_short") | {"y", "con"}
_POSTAL = re.compile(
    r"(?:c\s*\.?\s*p\s*\.?|codigo\s+postal)\s*[:#]?\s*(?P<code>\d{5})(?!\d)"
    r"|(?<![\d#])(?P<bare>\d{5})(?!\d)"
)
_COUNTED = re.compile(r"[\s.:#-]*(?:(?:no?|num)\b[\s.:#]*)?(?:\d|[a-z]\b)")
# The word behind a number, and the month of a street that is called after a date.
_BEHIND = re.compile(rf"[\s,.]*([a-zñ]+)(\s+{either('month')})?")
_LONGEST_SHORT = 5
# "U.H.", "R/A", "C.P.": letters that stand for words, not for a lot.
_ABBREVIATED = re.compile(
    r"(?<![^\W_])[^\W\d_](?:[./][^\W\d_](?![^\W_]))|(?<=[./])[^\W\d_](?![^\W_])"
)
_ORDINAL_ENDS = frozenset("o a er ra da do ta to va vo ma mo na no".split())
_TOKEN = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*|\d+|[^\w]+|_+")
# A date that is a street: "calle 5 de Mayo", "Constitución de 1814".
_DATE_NAME = re.compile(
    rf"\b\d{{1,2}}\s+de\s+(?:{either('month')}\b|{either('month_short')}\b\.?)"
    r"|\b[a-z]{4,}\s+de\s+1[6-9]\d\d\b"
)


@cache
def street_names(kind: str) -> tuple[tuple[str, ...], dict[str, int]]:
    """Return the names of streets or quarters, and where each one stands.

    :param kind: ``street``, ``hero`` (streets that are called after people) or
        ``quarter``.
    """
    if kind == "quarter":
        found = sorted(rows("colonias"), key=lambda row: -int(row.get("count") or 1))
        names = tuple(row["name"] for row in found)
    else:
        table = read_table(folder("operators") / "streets.tsv")
        names = tuple(row["name"] for row in table)
        if kind == "hero":
            given = name_lists().is_given
            heroes = (n for n in names if " " in n and given(fold_key(n.split()[0])))
            names = tuple(heroes)
    return names, {fold_key(name): index for index, name in enumerate(names)}


def is_street(name: str) -> bool:
    """Tell whether a name is in the list of streets.

    :param name: The name as it stands in the document.
    """
    return fold_key(name) in street_names("street")[1]


def parse_address(text: str) -> Parts:
    """Parse an address.

    :param text: The address as it stands in the document.
    """
    folded = fold(text)
    parser = _Parser(text, folded)
    at = 0
    for match in _POSTAL.finditer(folded):
        group = "code" if match["code"] else "bare"
        if group == "bare" and not _is_postal(folded, match.start()):
            continue
        start, end = match.span(group)
        parser.walk(at, match.start())
        parser.parts.append(Part("", text[match.start() : start]))
        parser.parts.append(Part("postal", text[start:end], folded[start:end]))
        at = end
    parser.walk(at, len(text))
    return tuple(part for part in parser.parts if part.text)


def _is_postal(folded: str, start: int) -> bool:
    """Five bare digits are a postal code unless a word says what they number."""
    before = re.findall(r"[a-z]+|#|\d", folded[:start])
    return not before or (before[-1] not in _NUMBERED and before[-1] != "#")


class _Parser:
    """Walks over an address and collects the words of one name at a time."""

    def __init__(self, text: str, folded: str) -> None:
        self.text, self.folded = text, folded
        self.kind = "street"
        self.parts: list[Part] = []
        self.held: list[str] = []
        self.led = False  # a name follows its kind: "calle hidalgo"
        self.numbered = False  # a house number was written: "Hidalgo 12, Centro"
        self.expects = False  # a number or letter of a lot follows
        self.capitals = not text.islower()

    def walk(self, start: int, stop: int) -> None:
        """Parse a stretch that holds no postal code."""
        self.expects, at = False, start
        dates = {
            m.start(): m.end() for m in _DATE_NAME.finditer(self.folded, start, stop)
        }
        tokens = list(_TOKEN.finditer(self.text, start, stop))
        self.kind, self.numbered = "street", False
        for match in tokens:
            first, at = max(match.start(), at), max(match.end(), at)
            if first == at:
                continue
            if first in dates:
                at = dates[first]
                self.held.append(self.text[first:at])
                self.expects = False
                continue
            self._token(self.text[first:at], first, at, stop)
        self.flush()

    def keep(self, token: str, kind: str = "") -> None:
        """Take a token that is no name's."""
        self.flush()
        self.parts.append(Part(kind, token, fold(token)))

    def _token(self, token: str, start: int, end: int, stop: int) -> None:
        word, rest = self.folded[start:end], self.folded[end:stop]
        behind_digit = self.text[start - 1 : start].isdigit()
        if word in _LANDMARK:
            self.flush()
            self.kind = "street"
        if token.isdigit():
            self.keep(token, "number")
            self.expects, self.numbered = False, True
        elif not token[0].isalnum():
            self._separate(token)
        elif behind_digit and word in _ORDINAL_ENDS:
            self.keep(token, "ending")
        elif word in _STREET or word in _QUARTER or _numbers(word, rest):
            self._marker(token, word)
        elif word in _DIRECTIONS:
            self.keep(token)
        elif _counts(word, rest):
            self.keep(token, "words")
        elif not self.held and (word in ORDINALS[0] or word in ORDINALS[1]):
            self.keep(token, "ordinal")
        elif not self.held and _ABBREVIATED.match(self.text, start):
            self.keep(token)
        elif self._says_where(token, word):
            self.parts += [Part("", piece) for piece in (*self.held, token)]
            self.held = []
        elif len(word) == 1 and word.isalpha() and (self.expects or not self.held):
            kept = word in _KEPT and not self.expects
            self.keep(token, "" if kept else "letter")
        else:
            self.held.append(token)
            self.expects = False

    def flush(self) -> None:
        """Write the name collected so far; kept words at its ends are none of it."""
        held, head, tail = self.held, 0, len(self.held)
        while tail and (
            not held[tail - 1][:1].isalnum() or fold(held[tail - 1]) in _KEPT
        ):
            tail -= 1
        while head < tail and (
            not held[head][:1].isalnum()
            or (fold(held[head]) in _KEPT and fold(held[head]) not in _ARTICLES)
        ):
            head += 1
        self.parts += [Part("", piece) for piece in held[:head]]
        name = "".join(held[head:tail])
        if name:
            self.parts.append(Part(self.kind, name, fold_key(name)))
            self.led = False
        self.parts += [Part("", piece) for piece in held[tail:]]
        self.held = []

    def _separate(self, token: str) -> None:
        """Signs and blanks: a comma or a sign ends a name, a blank goes on with it.

        Behind the number of a house and a comma stands a quarter, so that "Hidalgo 12,
        Centro" of a table agrees with the "col. Centro" of its notes.
        """
        if token.strip() in ("", ".") and self.held:
            self.held.append(token)
            return
        self.flush()
        if "," in token:
            self.expects = False
            if self.numbered and self.kind == "street":
                self.kind = "quarter"
        self.parts.append(Part("", token))

    def _marker(self, token: str, word: str) -> None:
        """Begin a new part of the address."""
        self.keep(token)
        self.led = word in _STREET or word in _QUARTER
        if word in _ROADS:
            self.kind = "road"
        elif word in _STREET:
            self.kind = "street"
        elif word in _QUARTER:
            self.kind = "quarter"
        self.expects = word in _NUMBERED or word in _STREET - _ROADS  # "calle A"

    def _says_where(self, token: str, word: str) -> bool:
        """Tell whether a word only says where: "canal" in "s/n, a bordo de canal".

        A word in small letters among names with capitals that is neither a street's nor
        anybody's name, and that no kind of street or quarter leads to.
        """
        if not (token.islower() and self.capitals and len(token) > 2) or self.led:
            return False
        if word in _ARTICLES:
            return False
        if any(t[0].isalpha() and fold(t) not in _ARTICLES for t in self.held):
            return False
        key = fold_key(token)
        said = key in common_words() or key.endswith("eria")
        return said and not (name_lists().is_given(key) or is_street(key))


def _numbers(word: str, rest: str) -> bool:
    """Tell whether a word says what the number or letter behind it counts.

    The "torre" of "Av. Las Torres" does not, and is a name like any.
    """
    if word not in _NUMBERED:
        return False
    if rest.startswith(".") and len(word) <= _LONGEST_SHORT:  # "edif. Centauro"
        return True
    behind = _BEHIND.match(rest)
    spoken = behind is not None and is_number_word(behind[1])
    return spoken or _COUNTED.match(rest) is not None


def _counts(word: str, rest: str) -> bool:
    """Tell whether a number in words numbers something: "Allende seis, colonia ..."."""
    if not is_number_word(word):
        return False
    behind = _BEHIND.match(rest)
    if behind is None or is_number_word(behind[1]) or rest.startswith(","):
        return True
    return behind[1] in _STREET | _QUARTER | _NUMBERED | _KEPT and not behind[2]
