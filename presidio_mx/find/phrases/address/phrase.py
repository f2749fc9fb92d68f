"""Addresses: one contiguous run of street, number, interior, colonia, postal code.

An address is a chain of components, each followed by the longest that may stand there.
It stops where something else begins: a place, a label, a telephone, the end of the
sentence. Components and names add evidence, and so does a rule's left side (``prior``).
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from presidio_mx.find.finding import Finding
from presidio_mx.find.grammar.patterns import Symbols, compile_pattern
from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.address.components import Component, components
from presidio_mx.find.phrases.address.names import (
    SETTLEMENT_NOUNS,
    SIDES,
    AddressNames,
)
from presidio_mx.find.phrases.place.gazetteer import PlaceIndex
from presidio_mx.spanish.lexicon import NAME, Flag
from presidio_mx.spanish.word_runs import (
    FUNCTION_WORDS,
    WordTable,
    field_number,
    joined,
)
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

# What an address needs to be one. A street with a capitalised name has 1.0, one in
# small letters less: it needs a number, a colonia or a label before it.
_ENOUGH = 0.8
# Evidence of a rule's left side, unless the rule says otherwise; of a name and its
# number before the opening word; of a street without its type.
_PRIOR, _NAME_BEFORE, _BARE_STREET = 0.4, 0.4, 0.2
# Of a colonia without "col.": behind "por el rumbo de", a comma, a number.
_AREA, _BEHIND_COMMA, _BEHIND_NUMBER = 0.6, 0.4, 0.3
# What the name of a street without its type must say, by what stands before it.
_LEAST = {"label": 0.1, "verb": 0.4, "behind": 0.1, "corner": 0.4}
# A name from this evidence on is capitalised, dated or listed.
_CLEAR_NAME = 0.4
# A place from this strength on is a town wherever it stands.
_SURE_PLACE = 1.0
# Longer runs are lists of addresses, or hostile text.
_MOST_COMPONENTS = 14
# How far before its opening word an address may begin, in words and characters.
_MOST_BEFORE, _ORDINAL_WIDTH = 8, 30

_FEW, _CORNERS, _MONTHS = words("few"), words("corner"), words("month")
_IN_FULL = words("opening_in_full")
_NUMBER_ENDS = words("number_suffix_written") | SIDES | {"n", "numero"}
_PATTERNS = {
    "separator": r"[ \t]{0,3}[,.;:/-]?[ \t]{0,3}(?:\r?\n[ \t]{0,4})?",
    # An end of line or sentence, or the label of the next field.
    "ended": r"[ \t]{0,3}(?:$|[\n,.;:()|]|[ ]{2}|{address_end}|c\.?p)",
    # "de la Obrera": a colonia's name alone.
    "link": r"(?:de|en)[ ](?:la|el|los|las)[ ](?![a-z]{2,10}\.?[ ]de[ ])",
    # "2a. Cerrada", "Prol. de la calle ..."
    "ordinal": r"(?<![^\W_])(?:(?:\d{1,2}[ ]?(?:a|ra|da|ta|na|o|er|do|to)?\.?"
    r"|{ordinal_feminine}|{ordinal_masculine})[ ]{1,2}"
    r"|{prolongation}\.?[ ]{1,2}(?:de[ ](?:la[ ])?)?){1,2}$",
    "signed": "{a_signed}",
    "code_behind": r"[ \t]{0,3},?[ \t]{0,3}(?:{a_code}|{a_code_bare})",
}


class Part(NamedTuple):
    """A component of an address: its end, what it says for one, its kind."""

    end: int
    evidence: float
    kind: str


class AddressPhrase:
    """Find addresses, at an offset or by their opening words.

    Options of rules: ``prior``, added to the evidence; ``free``: ``label`` or ``verb``
    where the address may begin with a bare street name, ``area`` where it may be a
    colonia's name alone.

    :param symbols: Symbols of the rule file.
    :param settlements: Names of colonias.
    :param places: Names of places.
    """

    def __init__(
        self, symbols: Symbols, settlements: WordTable[int], places: PlaceIndex
    ) -> None:
        """Compile the components."""
        self.components: Mapping[str, tuple[Component, ...]] = components(symbols)
        self.names = AddressNames(symbols, self.components, settlements, places)
        self.settlements, self.places = settlements, places
        heads = {
            head
            for head, rows in self.components.items()
            if any(row.first for row in rows)
        }
        self.behind = {
            head
            for head, rows in self.components.items()
            if any(row.first and row.kind not in ("street", "road") for row in rows)
        }
        self.behind -= {"m", "l"}
        self.heads = heads - {"a", "de", "del", "e"} | _CORNERS | SIDES | {"en"}
        self.patterns = {
            name: compile_pattern(text, symbols) for name, text in _PATTERNS.items()
        }

    def at(
        self,
        document: Document,
        offset: int,
        options: Mapping[str, Any],
        found: list[Finding],
    ) -> Mark | None:
        """Parse the address that begins at an offset."""
        prior = float(options.get("prior", _PRIOR))
        return self._chain(document, offset, options.get("free", ""), prior)

    def candidates(
        self, document: Document, options: Mapping[str, Any], found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield the addresses that begin with a word such as "calle" or "col."."""
        heads, starts, end = self.heads, document.starts, 0
        for index, word in enumerate(document.words):
            if word in heads and starts[index] >= end:
                mark = self._opened(document, index, end)
                if mark:
                    yield mark
                    end = mark.end

    def _opened(self, document: Document, index: int, limit: int) -> Mark | None:
        """Parse the address whose opening word stands at an index."""
        word, here = document.words[index], document.starts[index]
        if word == "en":
            following = index + 1
            if following == len(document) or not document.capital(following):
                return None
            return self._chain(document, document.starts[following], "behind", 0.0)
        before, second = ["", "", *document.words[max(0, index - 2) : index]][-1:-3:-1]
        numbered = before.isdigit() or before in _NUMBER_ENDS
        numbered = numbered or (len(before) == 1 and second.isdigit())
        numbered = numbered and document.gap(index - 1)[-1:] in (" ", "\t")
        numbered = numbered and word in self.behind
        if word == "calles" and (before.isdigit() or before in _FEW):
            return None
        if numbered or word in _CORNERS or word in SIDES:
            mark = self._before(document, index, limit)
            if mark:
                return mark
        if word in SIDES:
            return self._chain(document, here, "verb", 0.0)
        low = max(limit, here - _ORDINAL_WIDTH)
        ordinal = self.patterns["ordinal"].search(document.folded[low:here])
        mark = self._chain(document, here, "", 0.0)
        return mark._replace(start=low + ordinal.start()) if mark and ordinal else mark

    def _before(self, document: Document, index: int, limit: int) -> Mark | None:
        """Parse an address that begins before its opening word.

        "Tajín 512, Col. Narvarte", "Insurgentes esquina con Mina": from the farthest
        word before which a boundary stands.
        """
        best, lead = None, "corner" if document.words[index] in _CORNERS else "behind"
        for first in range(index - 1, max(-1, index - _MOST_BEFORE - 1), -1):
            gap = document.gap(first)
            if document.starts[first] < limit or any(s in gap for s in "\n:;"):
                break
            if ". " in gap and not joined(document, first):
                break
            before = document.words[first - 1] if first else ""
            inside = first and document.gap(first - 1).strip(" \t") in ("", "-")
            if inside and before not in FUNCTION_WORDS | self.names.stop:
                continue
            mark = self._chain(document, document.starts[first], lead, _NAME_BEFORE)
            if mark and mark.end > document.starts[index]:
                best = mark
        return best

    def _chain(
        self, document: Document, offset: int, lead: str, prior: float
    ) -> Mark | None:
        """Parse the address that begins at an offset.

        :param document: The note.
        :param offset: Where it must begin.
        :param lead: What it may begin with: ``label`` and ``verb`` allow a street
            without its type, ``area`` a colonia's name; ``behind`` and ``corner`` ask
            for a street without its type before a number or a corner.
        :param prior: Evidence of what stands before it.
        :return: The mark, where there is enough evidence.
        """
        part = self._first(document, offset, lead)
        evidence, end = prior, offset
        for _ in range(_MOST_COMPONENTS):
            if part is None:
                break
            evidence, end = evidence + part.evidence, part.end
            part = self._next(document, part)
        if end == offset or evidence < _ENOUGH:
            return None
        return Mark(offset, end, min(0.1, 0.05 * (evidence - _ENOUGH)))

    def _first(self, document: Document, offset: int, lead: str) -> Part | None:
        """Parse the first component."""
        if lead not in ("behind", "corner"):
            part = self._longest(document, offset, None, "")
            if part or not lead:
                return part
        if lead == "area":
            return self._colonia(document, offset, _AREA)
        return self._bare(document, offset, lead)

    def _next(self, document: Document, before: Part) -> Part | None:
        """Return what follows a component, parsed once: runs share their ends."""
        known, key = document.once(self._followed), (before.end, before.kind)
        if key not in known:
            known[key] = self._following(document, before)
        return known[key]

    def _followed(self, document: Document) -> dict[tuple[int, str], Part | None]:
        """Return the place for what follows components of a note, by end and kind."""
        return {}

    def _following(self, document: Document, before: Part) -> Part | None:
        """Parse the component that follows another, after one separator."""
        folded, end = document.folded, before.end
        match = self.patterns["separator"].match(folded, end)
        assert match is not None
        gap, offset = match[0], match.end()
        if offset >= len(folded) or folded[end - 1 : end + 1].isalpha():
            return None
        part = self._longest(document, offset, before, gap)
        if part:
            return part
        link = self.patterns["link"].match(folded, offset)
        if link and before.kind in ("number", "corner"):
            return self._colonia(document, link.end(), _BEHIND_NUMBER)
        if "," in gap:
            return self._colonia(document, offset, _BEHIND_COMMA)
        return None

    def _longest(
        self, document: Document, offset: int, before: Part | None, gap: str
    ) -> Part | None:
        """Return the longest component that may begin at an offset.

        :param document: The note.
        :param offset: The offset.
        :param before: The component before, if any.
        :param gap: What stands between.
        """
        hard = any(sign in gap for sign in "\n.;")
        best: Part | None = None
        for row in self.components.get(_head(document, offset), ()):
            if before is None:
                if not row.first:
                    continue
            elif hard and not row.hard:
                continue
            elif row.after and before.kind not in row.after:
                continue
            part = self._read(row, document, offset)
            if part and (best is None or part[:2] > best[:2]):
                if before is None or self._may_follow(document, part):
                    best = part
        return best

    def _may_follow(self, document: Document, part: Part) -> bool:
        """Tell whether a component has enough of its own to go on an address."""
        least = {"street": 0.5, "road": 0.3}.get(part.kind, -1.0)
        if part.evidence > least:
            return True
        gap = self.patterns["separator"].match(document.folded, part.end)
        number = gap and self.patterns["signed"].match(document.folded, gap.end())
        return bool(number) and part.evidence > -0.4

    def _read(self, row: Component, document: Document, offset: int) -> Part | None:
        """Parse one component."""
        end, opened, named = offset, "", None
        for step in row.steps:
            if isinstance(step, str):
                named = self.names.parse(document, end, step)
                if named is None:
                    return None
                end = named.end
            else:
                match = step.match(document.folded, end)
                if match is None:
                    return None
                end, opened = match.end(), opened or match[0]
        evidence = row.evidence
        if named and row.kind == "road":
            evidence += max(0.0, named.evidence - 0.4)
        elif named and row.kind in ("street", "settlement"):
            word = document.words[document.word_at(offset)]
            if f"{word}." in opened and word in _IN_FULL:
                # "sin saber calle. Huele": a sentence ends at the stop.
                return None
            weak = evidence < 0 and named.evidence < _CLEAR_NAME
            evidence += named.evidence - 0.2 * weak
        elif row.kind == "number" and field_number(document.folded, offset):
            return None
        return Part(end, evidence, row.kind)

    def _bare(self, document: Document, offset: int, lead: str) -> Part | None:
        """Parse a street without its type, where what stands before allows it."""
        named = self.names.parse(document, offset, "bare")
        index = document.word_at(offset)
        word = document.words[index] if named else ""
        if not named or word in _MONTHS or (len(word) == 1 and word.isalpha()):
            return None
        small = document.casing(index) == "mixed" and not document.capital(index)
        least = _LEAST[lead] if small or lead != "label" else -1.0
        flag = document.flags[index]
        if named.evidence < least and not word.isdigit():
            return None
        if flag & Flag.MEDICAL and not flag & NAME:
            return None
        part = Part(named.end, _BARE_STREET, "street")
        gap = self.patterns["separator"].match(document.folded, named.end)
        assert gap is not None
        following = self._longest(document, gap.end(), part, gap[0])
        if following is None or following.kind in ("street", "road"):
            return None
        if lead in ("behind", "corner"):
            # "Tajín 512, ...", no "Bruno Koll, 16, ..."
            number = following.kind == "number" and "," not in gap[0]
            return part if number or following.kind == lead else None
        return part

    def _colonia(self, document: Document, offset: int, said: float) -> Part | None:
        """Parse a colonia that no opening word tells: "Tajín 512, Narvarte".

        A name alone is none. It is one where a list has it, where it opens as names of
        colonias do ("Lomas de ..."), or where a postal code or a town follows; and it
        is none where it is rather a town of its own.

        :param document: The note.
        :param offset: Where it must begin.
        :param said: Evidence of what stands before it, by which it is known, too.
        """
        named = self.names.parse(document, offset, "settlement")
        index = document.word_at(offset)
        if named is None or (said != _BEHIND_COMMA and not document.capital(index)):
            return None
        if document.words[index] in self.names.stop:
            return None
        last = document.word_at(named.end) - 1
        closed = self._closed(document, last)
        if document.words[index].isdigit():
            return Part(named.end, said, "settlement") if closed else None
        noun = document.words[index] in SETTLEMENT_NOUNS and document.capital(index)
        noun = noun and last > index
        place = self.places.longest(document, index)
        if place and place[0] >= last:
            rather_colonia = closed and place[1].strength < _SURE_PLACE and not noun
            if self.names.own_state_behind(document, *place):
                return None
            if place[1].strength > 0 and not rather_colonia:
                return None
        ended = self.patterns["ended"].match(document.folded, named.end)
        listed = self.settlements.longest(document, index)
        typed = document.capital(index) and listed and listed[0] >= last
        if noun or (listed and (typed or closed or ended)):
            return Part(named.end, said, "settlement")
        coded = self.patterns["code_behind"].match(document.folded, named.end)
        clear = named.evidence >= _CLEAR_NAME
        if said == _BEHIND_COMMA:
            said = _BEHIND_NUMBER if closed or (clear and coded) else 0.0
        elif not (clear and ended):
            said = 0.0
        return Part(named.end, said, "settlement") if said else None

    def _closed(self, document: Document, last: int) -> bool:
        """Tell whether a comma, then a town or a postal code, stand behind a word."""
        if document.gap(last) not in (", ", " , ") or last + 1 >= len(document):
            return False
        if self.patterns["code_behind"].match(document.folded, document.ends[last]):
            return True
        match = self.places.longest(document, last + 1)
        return match is not None and (
            match[1].strength > 0 or self.names.own_state_behind(document, *match)
        )


def _head(document: Document, offset: int) -> str:
    """Return the word, number or sign that begins at an offset, as tables have it."""
    sign = document.folded[offset : offset + 1]
    if sign.isdigit():
        return "0"
    index = document.word_at(offset)
    begins = index < len(document) and document.starts[index] == offset
    return document.words[index] if begins else sign
