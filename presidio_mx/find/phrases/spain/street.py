"""Streets of Spain from the type to the floor, whatever follows at once."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from presidio_mx.find.finding import Finding
from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.spain.table import WordTable
from presidio_mx.find.phrases.spain.words import (
    Options,
    covered_words,
    foot_of,
    starts_next_part,
)
from presidio_mx.spanish.words import either, words
from presidio_mx.text.document import Document

# Most characters of a street with all its parts, and least of any.
_LONGEST = 130
_SHORTEST = 5
# Floor, stair, door, letter: so many parts follow the number at most.
_MOST_DETAILS = 7
# Types that are clear enough outside the foot.
_PLAIN_TYPES = words("spain_plain_street")
_NUMBER = r"(?:n[\s.]{0,2}[o.]{1,2}|n[uo]m(?:ero)?\.?|#|km\.?|n)"
# Name of the street, then its number or "s/n".
_CORE = re.compile(
    r"[^\n;()@]{2,70}?[ ,.]{1,3}"
    rf"(?:{_NUMBER}[ ]{{0,2}}){{0,2}}"
    r"(?:\d{5}(?=[ ,.]{1,3}\d{5}(?!\d))"
    r"|\d{1,4}(?!\d)[a-z]?(?![a-z])(?:[,.]\d{1,3}(?!\d))?"
    r"|s[ ]?[/.]?[ ]?n(?![a-z])(?:\.o)?)"
)
_FLOOR_WORD = either("spain_floor")
_FLOOR = re.compile(_FLOOR_WORD + "$")
_SENTENCE = re.compile(r"[.,](?=[ ]|$)| \(")
# Floor, door and the like after the number.
_DETAIL = re.compile(
    r"[ ,.\-/]{0,4}(?:"
    rf"{_FLOOR_WORD}(?![a-z])\.?[ ]?(?:[-\"']?[a-z0-9]{{1,3}}(?![a-z0-9])[\"']?)?"
    r"|(?:n[o.]{0,2}|numero)[ ]?\d{1,4}(?!\d)[a-z]?(?:-\d{1,4})?"
    r"|#[ ]?\d{1,4}(?:-\d{1,4})?"
    r"|[a-z]?\d{1,3}(?!\d)(?:[ ]?\.?[oa]{1,2}(?![a-z]))?\.?"
    r"(?:[ ]?-?[ ]?[a-z](?![a-z]))?"
    r"|\"?[a-z](?![a-z@/\\])\"?(?!-mail)"
    r")"
)
# What can only come after a street.
_NEXT = re.compile(
    r"[\s,.\-(]{0,5}(?:"
    r"(?<![a-z0-9])(?:c\.?[ ]?p\.?:?[ ]{0,2}|codigo postal:?[ ]?|e[ -]|d-)?"
    r"(?<!\d)\d{5}(?!\d)(?![ ,.]{1,3}\d{5}(?!\d))"
    r"|(?<![a-z])(?:c\.[ ]?p\.|[a-z]\d{4}[a-z]{3}"
    rf"|e-?mails?(?![a-z])|{either('spain_after_street')}|tel[.:efs ]|tlfn?o?[.: ]"
    r"|[^\s@]{1,40}@|espana(?![a-z]))|\n|$)"
)


@dataclass(frozen=True, slots=True)
class SpainStreet:
    """A street with number and floor, typed ("Calle") or not.

    :param types: First words of street types.
    :param stops: Words that belong to no street.
    :param towns: Places, where a street without a postal code ends.
    """

    types: frozenset[str]
    stops: frozenset[str]
    towns: WordTable

    def at(
        self,
        document: Document,
        offset: int,
        options: Options,
        found: list[Finding],
    ) -> Mark | None:
        """Parse a street; see :class:`~presidio_mx.find.grammar.phrase.Phrase`.

        Without a type it needs a number and a capital.
        """
        index = document.word_at(offset)
        if index >= len(document) or document.starts[index] != offset:
            return None
        if offset < foot_of(document, options["foot"], found):
            return None
        word = document.words[index]
        if word in self.stops or _FLOOR.match(word):
            return None
        return self._street(document, index, foot=True)

    def candidates(
        self, document: Document, options: Options, found: list[Finding]
    ) -> Iterator[Mark]:
        """Yield the streets that begin with a type.

        In the text of the case a street needs a number; in the foot any type will do.
        Option ``foot`` names the rule that finds whose foot it is.
        """
        foot = foot_of(document, options["foot"], found)
        taken = {f.start for f in found if not f.block}
        covered = covered_words(document, found)
        for index, word in enumerate(document.words):
            if word not in self.types:
                continue
            start = document.starts[index]
            below = start >= foot
            if not below and word not in _PLAIN_TYPES:
                continue
            if index in covered and start not in taken:
                continue
            if word == "c" and not below and document.gap(index)[:1] != "/":
                continue
            if self._is_type(document, index):
                mark = self._street(document, index, foot=below)
                if mark:
                    yield mark

    def _is_type(self, document: Document, index: int) -> bool:
        word, gap = document.words[index], document.gap(index)
        if word == "gran":
            return document.words[index + 1 : index + 2] == ["via"]
        if word == "c":
            return gap[:1] in ("/", "\\") or gap[:2] in ("./", ". ")
        if word == "p":
            return gap == "." and document.words[index + 1 : index + 2] == ["o"]
        return True

    def _street(self, document: Document, index: int, foot: bool) -> Mark | None:
        start = document.starts[index]
        word = document.words[index]
        typed = word in self.types and self._is_type(document, index)
        if not typed and not (
            document.capital(index) or document.words[index].isdigit()
        ):
            return None
        folded = document.folded
        room = min(len(folded), start + _LONGEST)
        follows = _NEXT.search(folded, start + 2, room)
        limit = follows.start() if follows else room
        limit = self._first_stop(document, index, limit)
        postal = bool(follows and limit == follows.start() and _has_code(follows[0]))
        core = _CORE.match(folded, start, limit)
        end = core.end() if core else None
        if end is not None:
            end = _details(folded, end, limit)
        plain = word != "c" or document.gap(index)[:2] != ". "
        if end is None and not (typed and foot and plain):
            return None
        if not typed and self._type_inside(document, index, end or limit):
            return None
        if end is None or (foot and postal):
            end = self._before_town(document, index, end, limit)
        end = _trimmed(folded, start, end)
        return Mark(start, end) if end - start >= _SHORTEST else None

    def _type_inside(self, document: Document, index: int, end: int) -> bool:
        """Tell whether a typed street begins on the way: "Edificio A. Avda. B, 3"."""
        return any(
            document.words[i] in self.types
            and document.capital(i)
            and document.gap(i - 1) in (". ", ".", ", ")
            and self._is_type(document, i)
            for i in range(index + 1, document.word_at(end))
        )

    def _place(self, document: Document, index: int, last: int) -> bool:
        """Tell whether words after the number look like a place."""
        words = document.words[index:last]
        return document.capital(index) and not any(
            _FLOOR.match(word) or word in self.types or len(word) < 2 for word in words
        )

    def _first_stop(self, document: Document, index: int, limit: int) -> int:
        """Return where a word opens another part, or the limit."""
        for i in range(index + 1, document.word_at(limit)):
            if starts_next_part(document, i, self.stops) and not _post(document, i):
                return document.starts[i]
        return limit

    def _before_town(
        self, document: Document, index: int, end: int | None, limit: int
    ) -> int:
        """Return the limit, or the end of the sentence before a place on the way."""
        last = document.word_at(limit)
        first = index + 2 if end is None else document.word_at(end)
        for i in range(first, last):
            before = document.gap(i - 1)
            if before[:1] not in (".", ",") and (end is None or before != " "):
                continue
            letters = not any(w[0].isdigit() for w in document.words[i:last])
            if letters and self.towns.end(document, i) > i:
                return document.ends[i - 1]
            # Letters alone after the number are a place, though no list has it.
            if letters and end is not None and self._place(document, i, last):
                return end
        if end is None:
            start = document.ends[index] + 2
            stop = _SENTENCE.search(document.folded, start, limit + 1)
            if stop:
                return stop.start()
        return limit


def _post(document: Document, index: int) -> bool:
    """Tell whether a word is the post office of an address ("calle Correos 5")."""
    after = document.words[index + 1 : index + 2]
    return document.words[index] == "correos" and after != ["electronicos"]


def _has_code(text: str) -> bool:
    """Tell whether a postal code follows."""
    return any(c.isdigit() for c in text)


def _details(folded: str, end: int, limit: int) -> int:
    """Return where floor, door and the like end."""
    for _ in range(_MOST_DETAILS):
        detail = _DETAIL.match(folded, end, limit)
        if not detail or detail.end() == end:
            break
        end = detail.end()
    return end


def _trimmed(folded: str, start: int, end: int) -> int:
    while end > start and folded[end - 1] in " ,.-(\n\t\r/":
        end -= 1
    return end
