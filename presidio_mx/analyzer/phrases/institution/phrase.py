"""Institutions: hospitals, clinics, schools, shelters, firms, by their words.

A name opens with a kind of institution ("hospital", "UMF", "secundaria"), goes on with
generic words ("general", "de zona", "técnica") and needs something of its own: a
number, a name in capitals or in quotation marks, a town. "El hospital general" has none
and is no institution's name. Which words open and which are generic is data (the
symbols of ``organization.yaml``).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from presidio_mx.analyzer.grammar.patterns import Symbols, compile_pattern, words_of
from presidio_mx.analyzer.grammar.phrase import Mark
from presidio_mx.analyzer.note.document import Document
from presidio_mx.analyzer.note.finding import Finding
from presidio_mx.analyzer.note.lexicon import KNOWN, NAME, Flag, Lexicon
from presidio_mx.analyzer.note.wording import (
    FUNCTION_WORDS,
    WordTable,
    broken_line,
    capital_run,
    entry_words,
    joined,
    plain_gap,
)
from presidio_mx.analyzer.phrases.place.gazetteer import PlaceIndex
from presidio_mx.gazetteer import rows

_PARTICLES = frozenset("de del la las los el para y e en".split())
_NUMBER = re.compile(
    r"(?:\.(?=[ ]?(?:no|num|#)))?[ \t]{0,2}(?:,[ ]?(?=no|num|nro|n[.°]|#))?"
    r"(?:-[ ]?)?(?:(?:no|num|nro|n)(?![a-z])\.?|#|numero)?[ \t]{0,2}"
    r"(?:\d{1,4}|[ol]\d{1,2})(?:[ ]?-[ ]?[a-z](?![a-z]))?"
    r"(?![^\W_]|[.,:/-]\d|[ ]?(?:%|(?:de[ ])?(?:ene(?:ro)?|feb(?:rero)?|mar(?:zo)?|"
    r"abr(?:il)?|mayo?|jun(?:io)?|jul(?:io)?|ago(?:sto)?|sep(?:t(?:iembre)?)?|"
    r"oct(?:ubre)?|nov(?:iembre)?|dic(?:iembre)?)\b|hrs?\b|anos\b|veces\b|dias\b|mg\b|horas\b))"
)
# "INC-289114" is a code, not the institute.
_CODE_BEHIND = re.compile(r"-\d")
# "el 20 de Noviembre", "CMN 20 de Noviembre": the hospital.
_CALLED = re.compile(r"(?<![a-z])(?:al?|el|del|en|cmn|hr|issste)[ ]{1,2}$")
_QUOTED = re.compile(r'[ \t]{0,2},?[ \t]{0,2}["\'][^"\'\n]{2,60}["\']')
# "General", "GRAL. NO. 3", "General de\nZona"
_GENERIC_GAP = re.compile(r"[ \t]{1,2}|[ ]?\n[ ]?|-|/[ ]?")
_SHORT_GAP = re.compile(r"\.[ ]?")

_TRAILING_NUMBER = re.compile(
    r"[ ](?:no\.?[ ]?|num\.?[ ]?|#[ ]?)?[a-z]?\d{1,3}"
    r"(?=[ ]?(?:[,.;)\n]|$|[ ](?:en|de|y|por|con)[ ])(?!\.\d|,\d))"
)
# "Primaria 18 de Marzo", "Hospital 20 de Noviembre"
_DATE_NAME = re.compile(
    r"[ ]\d{1,2}[ ]de[ ](?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|"
    r"septiembre|octubre|noviembre|diciembre)(?![^\W_]|[ ]del?[ ](?:\d|ano))"
)
_TITLED = re.compile(
    r"[ \t]{1,2}(?:dr|dra|gral|lic|prof|profr|profa|ing|sor|fray|don|dona)\.?[ \t]{1,2}"
)
# "FARlNGE": a scanner's small l among capitals; no firm's name has one there.
_SCANNED = re.compile(r"[bcdfgjmnpqrstvxz]l[bcdfghjkmnpqrstvwxz]")
_PLANT = re.compile(
    r"[ ](?:planta|suc(?:ursal)?\.?|tienda|plaza)[ ]"
    r"(?:(?P<number>\d{1,3})(?!\d)|(?=[a-z]))"
)
_RESPECT = frozenset("don dona san santa".split())
_HONOURED = re.compile(r"[ ](?:dr|dra|lic|gral|ing|profr?|fray)\.?[ ]")
_NAME_ENDS = re.compile(r"$|[,.;:)\n\"]|[ ]{2}")
_FIRM_TAIL = re.compile(
    r"[ \t]{0,2},?[ \t]{0,2}(?<![^\W_])"
    r"(?:s\.?[ ]?a\.?(?:[ ]?b\.?)?(?:[ ]?de[ ]?c\.?[ ]?v\.?)?|"
    r"s\.?[ ]?de[ ]?r\.?[ ]?l\.?(?:[ ]?de[ ]?c\.?[ ]?v\.?)?|s\.?[ ]?c\.?|a\.?[ ]?c\.?|"
    r"i\.?[ ]?a\.?[ ]?p\.?|s\.?p\.?r\.?(?:[ ]?de[ ]?r\.?[ ]?l\.?)?)(?![^\W_])\.?"
)
# "la empresa Bachoco": behind these a name is a firm's though it is a town's too.
_FIRM_NOUNS = frozenset(
    "empresa fabrica maquila maquiladora planta compania constructora tienda".split()
)
# "Universidad Veracruzana, sede Selvas", "Lear Corporation planta San Lorenzo"
_BRANCH = re.compile(
    r"(?:[ ]|,[ ])(?:sede|plantel|campus|planta|sucursal|suc\.?)[ ]{1,2}(?=[a-z])"
)
_JOINTS = ("en", "a")
_TITLES = frozenset("c dr dra sr sra lic paciente menor joven".split())
# "Hospital Rural No. 32 IMSS-Bienestar Zacapoaxtla"
_BIENESTAR = re.compile(r"[ ](?:de[ ]l[ ])?imss(?:[ -]bienestar|-oportunidades)")
# What the parts of a name are worth; a name needs one point.
_OWN = 1.0


@lru_cache(maxsize=8)
def load_institutions(folders: tuple[Path, ...] = ()) -> WordTable[str]:
    """Build the table of known institutions and their acronyms, with their kinds.

    :param folders: Folders of a site's own that may add rows.
    :return: Folded names with the kind of each.
    :raises ConfigurationError: If the gazetteer is broken.
    """
    table: WordTable[str] = WordTable()
    for row in rows("institutions", folders):
        for name in (row["name"], row["acronym"]):
            words = entry_words(name)
            if words and sum(map(len, words)) > 2:
                table.add(words, row["kind"])
    table.sort()
    return table


@dataclass(slots=True)
class InstitutionPhrase:
    """Parse names of institutions.

    Symbols that the rule file must define: ``unit_code`` (abbreviated kinds that a
    number or town completes: "UMF", "HGZ"), ``institution`` (kinds spelt out),
    ``generic`` (words that may stand in a name and do not make one), ``field`` (words
    that end a name), ``institution_weak`` (kinds that are everyday words too),
    ``institution_sure`` (kinds that generic words complete),
    ``outside_quotes`` (kinds that are no part of a name in quotation marks),
    ``outside_small`` (kinds that are no part of a name if they are in small letters),
    ``unnumbered`` (kinds that a number does not complete), ``school`` (kinds that may
    have a name behind their number), ``not_alone`` (listed words that need a kind),
    ``not_of_town`` (kinds that a town's name does not complete), ``virtue`` (ordinary
    words that shelters and groups bear as names: "NUEVO AMANECER"), ``trade`` (kinds of
    firms that open a name where somebody works).

    Options of rules: ``employer``, where any capitalised run is a firm's name;
    ``strict``, where plain words in capitals are none.

    :param symbols: Symbols of the rule file.
    :param institutions: Known institutions.
    :param places: Names of places.
    :param lexicon: What is known of words.
    """

    symbols: Symbols
    institutions: WordTable[str]
    places: PlaceIndex
    lexicon: Lexicon
    _code: re.Pattern[str] = field(init=False)
    _head: re.Pattern[str] = field(init=False)
    _trade: re.Pattern[str] = field(init=False)
    _heads: frozenset[str] = field(init=False)
    _generic: frozenset[str] = field(init=False)
    _field: frozenset[str] = field(init=False)
    _weak: frozenset[str] = field(init=False)
    _outside: frozenset[str] = field(init=False)
    _sure: re.Pattern[str] = field(init=False)
    _outside_small: frozenset[str] = field(init=False)
    _unnumbered: frozenset[str] = field(init=False)
    _schools: frozenset[str] = field(init=False)
    _not_alone: frozenset[str] = field(init=False)
    _not_of_town: frozenset[str] = field(init=False)
    _virtues: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """Compile the opening words."""
        self._code = compile_pattern("{unit_code}\\.?", self.symbols)
        self._head = compile_pattern("{institution}\\.?", self.symbols)
        self._trade = compile_pattern("{trade}\\.?[ ]", self.symbols)
        self._heads = frozenset(
            entry_words(entry)[0]
            for name in ("unit_code", "institution")
            for entry in words_of(name, self.symbols) or ()
        )
        self._generic = frozenset(words_of("generic", self.symbols) or ())
        self._field = frozenset(words_of("field", self.symbols) or ())
        self._sure = compile_pattern("{institution_sure}", self.symbols)
        self._outside = frozenset(words_of("outside_quotes", self.symbols) or ())
        self._outside_small = frozenset(words_of("outside_small", self.symbols) or ())
        self._unnumbered = frozenset(words_of("unnumbered", self.symbols) or ())
        self._schools = frozenset(words_of("school", self.symbols) or ())
        self._not_of_town = frozenset(words_of("not_of_town", self.symbols) or ())
        self._not_alone = frozenset(words_of("not_alone", self.symbols) or ())
        self._virtues = frozenset(words_of("virtue", self.symbols) or ())
        self._weak = frozenset(words_of("institution_weak", self.symbols) or ())

    def at(
        self,
        document: Document,
        offset: int,
        options: Mapping[str, Any],
        found: list[Finding],
    ) -> Mark | None:
        """Parse the institution that begins at an offset."""
        index = document.word_at(offset)
        if index >= len(document):
            return None
        quoted = document.folded[offset : document.starts[index]] == '"'
        if document.starts[index] != offset and not quoted:
            return None
        if document.words[index] in self._heads:
            mark = self._named(document, index)
            if mark:
                return mark
        listed = self.institutions.longest(document, index)
        if listed and options.get("listed"):
            if not self._distinct(document, index, listed[0]):
                return None
        if listed:
            last = listed[0]
            if document.casing(index) == "mixed" and document.capital(index):
                last = max(last, self._capital_name(document, index))
            end = self._firm_tail(document, document.ends[last])
            if options.get("employer"):
                end = self._plant(document, last, end)
            return Mark(document.starts[index], end)
        if options.get("employer") and not options.get("listed"):
            trade_end = self._trade_firm(document, index)
            if trade_end:
                return Mark(document.starts[index], trade_end)
        if not options.get("employer") or options.get("listed"):
            return None
        return self._employer(document, index, bool(options.get("strict")))

    @staticmethod
    def _distinct(document: Document, index: int, last: int) -> bool:
        """Tell whether a firm's name is no word, name or place: "Yazaki"."""
        plain = KNOWN | NAME | Flag.PLACE
        return any(
            not document.flags[here] & plain and len(document.words[here]) > 3
            for here in range(index, last + 1)
        )

    def _plant(self, document: Document, last: int, end: int) -> int:
        """Return the end with the plant or town behind a firm: "nissan planta 2"."""
        match = _PLANT.match(document.folded, end)
        if match and match["number"]:
            return match.end()
        index = document.word_at(match.end()) if match else last + 1
        if index >= len(document) or (not match and document.gap(last) != " "):
            return end
        place = self.places.longest(document, index)
        if place and (match or place[1].strength > -1.0):
            return document.ends[place[0]]
        return document.ends[index] if match else end

    def _trade_firm(self, document: Document, index: int) -> int | None:
        """Return the end of "transportes castores", where capitals tell nothing."""
        if document.casing(index) == "mixed" and document.capital(index):
            return None
        head = self._trade.match(document.folded, document.starts[index])
        if head is None:
            return None
        first = document.word_at(head.end())
        last, named = first - 1, False
        for here in range(first, min(first + 5, len(document))):
            word, gap = document.words[here], document.gap(here - 1)
            short = gap == ". " and len(document.words[here - 1]) < 4
            if not (gap == " " or short) or word.isdigit() or word in self._field:
                break
            if word in ("numero", "num", "no"):
                break
            if word in _PARTICLES and word not in ("y", "e", "en", "para"):
                named = named or (here == first and word not in ("de", "del"))
                continue
            if word in FUNCTION_WORDS:
                break
            if len(word) > 2:
                known = document.flags[here] & KNOWN
                named = named or not known or word in _RESPECT
            last = here
        return document.ends[last] if named and last >= first else None

    def candidates(
        self, document: Document, options: Mapping[str, Any], found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield institutions by their opening words, and listed ones."""
        heads, listed = self._heads, self.institutions.by_first
        end = 0
        for index, word in enumerate(document.words):
            if word == "s" and index and document.starts[index] >= end:
                firm = self._firm_before(document, index, end)
                if firm:
                    yield firm
                    end = firm.end
                continue
            if word not in heads and word not in listed:
                continue
            if document.starts[index] < end:
                continue
            mark = self._named(document, index) if word in heads else None
            mark = mark or self._listed(document, index)
            if mark:
                end = mark.end
                yield mark

    @staticmethod
    def _firm_before(document: Document, index: int, limit: int) -> Mark | None:
        """Return the firm whose name stands before "S.A. de C.V."."""
        tail = _FIRM_TAIL.match(document.folded, document.starts[index])
        if tail is None or tail.end() - tail.start() < 3:
            return None
        first = index
        for here in range(index - 1, max(-1, index - 8), -1):
            gap = document.gap(here).strip(" ")
            if document.starts[here] < limit or gap not in ("", "-", "&", ","):
                break
            if gap == "," and here < index - 1:
                break
            if document.capital(here) and document.words[here] not in FUNCTION_WORDS:
                first = here
            elif document.words[here] not in _PARTICLES:
                break
        if first == index or document.casing(first) != "mixed":
            return None
        return Mark(document.starts[first], tail.end())

    def _listed(self, document: Document, index: int) -> Mark | None:
        """Return a listed institution; employers need a context and are left to it."""
        match = self.institutions.longest(document, index)
        if match is None or match[1] == "employer":
            return None
        last = match[0]
        if last == index:
            # A single word must look like an acronym or a proper name.
            if document.words[index] in self._not_alone | self._heads:
                return None
            if document.flags[index] & (KNOWN | NAME) or not document.capital(index):
                return None
        if _CODE_BEHIND.match(document.folded, document.ends[last]):
            return None
        if document.words[index].isdigit() and not _CALLED.search(
            document.folded[
                max(0, document.starts[index] - 12) : document.starts[index]
            ]
        ):
            # "calle 20 de Noviembre" is no hospital.
            return None
        end = self._tail(document, last, document.ends[last])
        return Mark(document.starts[index], end)

    # ------------------------------------------------------------------ the parts

    def _named(self, document: Document, index: int) -> Mark | None:
        start = document.starts[index]
        code = self._code.match(document.folded, start)
        head = None if code else self._head.match(document.folded, start)
        match = code or head
        if match is None:
            return None
        end = match.end()
        last = document.word_at(end) - 1
        own = 0.0
        inner = self._inner(document, end) or self._doubled(document, index, end)
        if inner:
            return inner
        if code is None:
            last = self._generic_run(document, last)
            end = max(end, document.ends[last])
        bienestar = _BIENESTAR.match(document.folded, end) if code else None
        if bienestar:
            return Mark(start, self._tail(document, 0, bienestar.end()))
        sure = self._sure.match(document.folded, start)
        if sure and self._completes(document, index, sure.end(), end):
            # "Instituto Nacional de Cardiología": generic words make the name.
            own += _OWN
        number = _NUMBER.match(document.folded, end)
        if number and self._sentence_ends(document, last, end, number[0]):
            number = None
        if number and document.words[index] not in self._unnumbered:
            own += _OWN
            end = number.end()
            last = document.word_at(end) - 1
        weak = document.words[index] in self._weak and not own
        grown = self._own_name(document, last, end, number is not None, weak)
        if grown is not None:
            own, end = own + _OWN, grown
        if own < _OWN:
            tail = self._tail_behind(document, index) if head else None
            branch = self._branch(document, end) if code else end
            tail = branch if branch > end else tail
            return Mark(start, tail) if tail else None
        if grown is not None and self._left_out(document, index, last):
            start = document.starts[last + 1]
        if number is None and document.words[index] not in self._schools:
            end = self._honoured(document, end)
        end = self._branch(document, end)
        return Mark(start, self._firm_tail(document, end))

    @staticmethod
    def _sentence_ends(document: Document, last: int, end: int, number: str) -> bool:
        """Tell whether a bare number begins the next sentence: "CLINICA NORMAL. 2"."""
        return (
            document.folded[end - 1] == "."
            and len(document.words[last]) > 5
            and number.strip()[:1].isdigit()
        )

    def _left_out(self, document: Document, index: int, last: int) -> bool:
        """Tell whether a kind in small letters is no part: "el asilo San Vicente"."""
        return (
            document.words[index] in self._outside_small
            and document.casing(index) == "mixed"
            and not document.capital(index)
            and last + 1 < len(document)
            and document.capital(last + 1)
        )

    def _doubled(self, document: Document, index: int, end: int) -> Mark | None:
        """Return "UMAE Hospital de Traumatología", "UNEME CAPASITS Tepic"."""
        following = index + 1
        if document.words[index] not in ("umae", "uneme") or (
            following >= len(document)
            or document.starts[following] < end
            or document.gap(index) != " "
            or document.words[following] in ("umae", "uneme")
        ):
            return None
        inner = self._named(document, following)
        return Mark(document.starts[index], inner.end) if inner else None

    def _branch(self, document: Document, end: int) -> int:
        """Return the end with a plant, seat or campus behind a name."""
        match = _BRANCH.match(document.folded, end)
        if match is None:
            return end
        index = document.word_at(match.end())
        if index >= len(document) or not document.capital(index):
            return end
        last = self._capital_name(document, index)
        return document.ends[last] if last >= index else end

    @staticmethod
    def _completes(document: Document, index: int, sure: int, end: int) -> bool:
        """Tell whether generic words complete a name that began so."""
        if end == sure:
            return document.capital(index)
        following = document.word_at(sure)
        return following < len(document) and document.capital(following)

    def _inner(self, document: Document, end: int) -> Mark | None:
        """Return what stands in quotation marks where that alone is the name.

        'Residencia de ancianos "Casa Hogar Luz"', 'anexo "Un Nuevo Amanecer"'.
        """
        quoted = _QUOTED.match(document.folded, end)
        if quoted is None:
            return None
        start = document.starts[document.word_at(end)]
        inner = self._head.match(document.folded, start)
        last = document.word_at(end) - 1
        if inner or document.words[last] in self._outside:
            return Mark(start, quoted.end() - 1)
        return None

    @staticmethod
    def _flows(document: Document, index: int) -> bool:
        """Tell whether a word and the next can be in one name: "SEC. GRAL. NO. 3"."""
        gap = document.gap(index)
        word = document.words[index]
        if _SHORT_GAP.fullmatch(gap):
            return len(word) <= 4 and not word.isdigit()
        return _GENERIC_GAP.fullmatch(gap) is not None

    def _generic_run(self, document: Document, last: int) -> int:
        """Return the last generic word behind a head ("General de Zona")."""
        here = last
        size = len(document)
        for _ in range(8):
            if here + 1 >= size or not self._flows(document, here):
                break
            here += 1
            word = document.words[here]
            if "  " in document.gap(here - 1) and word in self._heads:
                # "INSTITUTO NACIONAL DE REHABILITACION  CLINICA DE": two columns.
                break
            if word in self._generic:
                last = here
            elif word not in _PARTICLES and word not in ("con", "c", "a"):
                break
        return last

    def _own_name(
        self,
        document: Document,
        last: int,
        end: int,
        numbered: bool,
        weak: bool,
    ) -> int | None:
        """Return where the name of its own ends, or ``None`` where there is none."""
        folded = document.folded
        quoted = _QUOTED.match(folded, end)
        if quoted:
            return self._tail(document, 0, quoted.end())
        date = _DATE_NAME.match(folded, end)
        if date and not numbered:
            return date.end()
        titled = _TITLED.match(folded, end)
        if titled and not numbered:
            named = document.word_at(titled.end())
            run = self._capital_name(document, named)
            if run < named:
                run = self._names_run(document, named)
            return document.ends[run] if run >= named else None
        inner = None if numbered else self._inner_listed(document, last)
        if inner is not None:
            return inner
        first = last + 1
        if first >= len(document) or not self._flows(document, last):
            return None
        if "\n" in document.gap(last) and not broken_line(document, last):
            # "NOTA CLÍNICA" and a new line; "HGZ 20" and the town below it.
            return None
        while first < len(document) and document.words[first] in _PARTICLES:
            if not joined(document, first):
                return None
            first += 1
        if first >= len(document):
            return None
        particle = first > last + 1
        place = self.places.longest(document, first)
        if particle and document.words[first - 1] in ("el", "la", "los", "las"):
            # "HGZ 1 de La Paz"
            wide = self.places.longest(document, first - 1)
            if wide and (place is None or wide[0] >= place[0]):
                place = wide
        if place and document.words[last + 1] in ("de", "del"):
            if document.words[last] in self._not_of_town:
                return None
        mixed = document.casing(first) == "mixed"
        if numbered and document.words[last + 1] == "cmn":
            # "Hospital de Especialidades No. 2 CMN del Noroeste"
            if "cmn" in document.words[max(0, last - 2) : last + 1]:
                return None
            centre = self._named(document, last + 1)
            return centre.end if centre else None
        if document.gap(last) == "-" and not numbered:
            # "CAM-ICU"
            return None
        if document.words[last + 1] in ("y", "e"):
            return None
        if len(document.words[first]) == 1 and document.gap(first) != "'":
            # "O'Horán" is a name.
            return None
        if numbered:
            bienestar = _BIENESTAR.match(folded, document.ends[last])
            if bienestar:
                return self._tail(document, 0, bienestar.end())
            town = self._town(document, first, place, particle)
            article = document.words[last + 1] in ("el", "la", "los", "las")
            if town:
                return town
            if not (mixed and document.capital(last + 1)):
                return None
            if not article and not self._schooling(document, last, first):
                return None
            # "HGZ 20 La Margarita"
            named = self._capital_name(document, first)
            return document.ends[named] if named >= first else None
        if self._code.match(folded, document.starts[first]):
            return None
        listed = place is not None and place[1].strength > 0
        if not listed and document.words[first] in self._field | FUNCTION_WORDS:
            if not (mixed and document.capital(first) and joined(document, first)):
                return None
            if document.words[first] in self._field:
                return None
        if (first == last + 1 or weak) and self._head.match(
            folded, document.starts[first]
        ):
            # "refugio Casa Amiga": the inner name is the institution's.
            return None
        if mixed:
            return self._mixed_name(document, first, place, particle, weak)
        return self._caseless_name(document, first, place, weak, particle)

    def _inner_listed(self, document: Document, last: int) -> int | None:
        """Return the end of a listed name: "Hospital de Oncología CMN Siglo XXI"."""
        first = last + 1
        if first + 1 >= len(document) or document.gap(last) != " ":
            return None
        listed = self.institutions.longest(document, first)
        if listed is None or listed[0] == first or listed[1] == "employer":
            return None
        if document.words[first].isdigit():
            return None
        return self._tail(document, listed[0], document.ends[listed[0]])

    @staticmethod
    def _names_run(document: Document, first: int) -> int:
        """Return the last word of a person's name whose capitals tell nothing."""
        last, here = first - 1, first
        while here < len(document) and here - first < 7:
            if here > first and not joined(document, here - 1):
                break
            if document.flags[here] & NAME and len(document.words[here]) > 2:
                last = here
            elif document.words[here] not in _PARTICLES:
                break
            here += 1
        return last if last > first else first - 1

    def _honoured(self, document: Document, end: int) -> int:
        """Return the end with whom a hospital is named after behind its town.

        "H. G. de Tlaxcala Lic. Anselmo Cervantes": two names at least, no sentence.
        """
        titled = _HONOURED.match(document.folded, end)
        if titled is None:
            return end
        first = document.word_at(titled.end())
        last = self._names_run(document, first)
        behind = document.folded[document.ends[last] : document.ends[last] + 2]
        if last <= first or not document.capital(first):
            return end
        return document.ends[last] if _NAME_ENDS.match(behind) else end

    def _schooling(self, document: Document, last: int, first: int) -> bool:
        """Tell whether a school's name follows its number: "CAM 11 Frida Kahlo"."""
        head = max(0, last - 3)
        kinds = set(document.words[head:last]) & self._schools
        return (
            bool(kinds)
            and document.capital(first)
            and document.gap(last) == " "
            and first + 1 < len(document)
            and document.capital(first + 1)
            and joined(document, first)
            and not document.words[first].isdigit()
        )

    def _town(
        self, document: Document, first: int, place: Any, particle: bool
    ) -> int | None:
        """Return where the town behind a number ends: "UMF 45 San Luis Potosí"."""
        if place is None:
            return None
        last, found = place
        if particle and document.words[first - 1] in ("y", "e", "en"):
            return None
        mixed = document.casing(first) == "mixed"
        if mixed and not document.capital(first):
            if found.strength < (0.0 if particle else 1.2):
                return None
        elif found.strength < (-1.6 if mixed else 0.3):
            return None
        end = document.ends[last]
        quoted = _QUOTED.match(document.folded, end)
        return quoted.end() if quoted else end

    def _mixed_name(
        self, document: Document, first: int, place: Any, particle: bool, weak: bool
    ) -> int | None:
        if document.capital(first):
            last = self._capital_name(document, first)
            if last < first:
                return None
            return self._tail(document, last, document.ends[last])
        if place and (place[1].strength > 0 or particle):
            if particle and place[1].strength > -0.8 and not weak:
                return self._tail(document, place[0], document.ends[place[0]])
        if weak or document.capital(first - 1):
            return None
        return self._town_at_end(document, first) or self._small_name(document, first)

    def _town_at_end(self, document: Document, first: int) -> int | None:
        """Return the end of a name in small letters whose town follows "de"."""
        for here in range(first, min(first + 4, len(document) - 2)):
            word = document.words[here]
            if word.isdigit() or word in FUNCTION_WORDS - _PARTICLES:
                return None
            if word in self._field or not plain_gap(document.gap(here)):
                return None
            if document.words[here + 1] == "de" and plain_gap(document.gap(here + 1)):
                place = self.places.longest(document, here + 2)
                if place and place[1].strength > 1.0:
                    return document.ends[place[0]]
        return None

    def _small_name(self, document: Document, first: int) -> int | None:
        """Return where a name in small letters ends: one or two words no list has."""
        flag = document.flags[first] & ~Flag.ANCHOR
        if flag & KNOWN or len(document.words[first]) < 4:
            return None
        if document.words[first].isdigit():
            return None
        last = first
        following = first + 1
        if following < len(document) and joined(document, first):
            more = document.flags[following] & ~Flag.ANCHOR
            if not more & KNOWN and len(document.words[following]) > 3:
                last = following
        return document.ends[last]

    def _capital_name(self, document: Document, first: int) -> int:
        last = capital_run(document, first, 6)
        last = self._beyond_joint(document, first, last)
        loud = document.shouted(first) and document.casing(first) == "mixed"
        for here in range(first, last + 1):
            word = document.words[here]
            if here > first and (
                self._title_behind(document, here)
                or self._number_behind(document, here)
                or (loud and self._quiet(document, here))
            ):
                last = here - 1
                break
            if here > first and self._code.match(
                document.folded, document.starts[here]
            ):
                last = here - 1
                break
            place = self.places.longest(document, here) if here > first else None
            if place and place[1].is_state and place[1].short:
                last = here - 1
                break
            if (
                word in self._field
                and here > first
                or document.flags[here] == 0
                and (word in FUNCTION_WORDS - {"e"})
            ):
                last = here - 1
                break
        while last >= first and document.words[last] in _PARTICLES:
            last -= 1
        own = [
            here
            for here in range(first, last + 1)
            if document.words[here] not in self._generic
            and document.words[here] not in _PARTICLES
        ]
        if not own:
            return first - 1
        if document.words[first] in self._field:
            return first - 1
        return last

    @staticmethod
    def _title_behind(document: Document, here: int) -> bool:
        """Tell whether an article leads on to a person: "Valles el C. Hilario"."""
        return (
            document.words[here] in ("el", "la", "al")
            and not document.capital(here)
            and here + 1 < len(document)
            and document.words[here + 1] in _TITLES
        )

    @staticmethod
    def _number_behind(document: Document, here: int) -> bool:
        """Tell whether "No." and a number follow a name: "Club de Leones No. 1"."""
        return (
            document.words[here] in ("no", "num", "nro")
            and here + 1 < len(document)
            and document.words[here + 1].isdigit()
        )

    @staticmethod
    def _quiet(document: Document, here: int) -> bool:
        """Tell whether a word behind shouted ones is typed in the usual way."""
        word = document.words[here]
        return len(word) > 3 and document.capital(here) and not document.shouted(here)

    @staticmethod
    def _beyond_joint(document: Document, first: int, last: int) -> int:
        """Return the end of a run that a preposition joins: "Hermanos en el Camino"."""
        here = last + 1
        if (
            last > first - 1
            and here + 2 < len(document)
            and document.words[here] in _JOINTS
            and document.words[here + 1] in ("el", "la", "los", "las")
            and all(document.gap(i) == " " for i in (last, here, here + 1))
            and document.capital(here + 2)
            and not document.shouted(here + 2)
            and document.words[last] not in ("dr", "dra")
            and document.flags[here + 2] & KNOWN
        ):
            return capital_run(document, here + 2, 3)
        return last

    def _caseless_name(
        self, document: Document, first: int, place: Any, weak: bool, particle: bool
    ) -> int | None:
        """Return where a name ends in a line whose capitals tell nothing."""
        town = None if weak else self._town_at_end(document, first)
        if town:
            return town
        if place and place[1].strength > (1.0 if weak else -1.2 if particle else 0.5):
            end = self._of_saint(document, place[0])
            return self._tail(document, place[0], end)
        here, last, size = first, first - 1, len(document)
        while here < size and here - first < 4:
            if here > first and not joined(document, here - 1):
                break
            word, flag = document.words[here], document.flags[here] & ~Flag.ANCHOR
            if (word in _PARTICLES and here > first) or document.gap(here) == "'":
                here += 1
                continue
            if word in self._virtues and (
                here > first or not weak or self._surname_behind(document, here)
            ):
                last = here
                here += 1
                continue
            if word.isdigit() or word in self._field or word in FUNCTION_WORDS:
                break
            named = bool(flag & NAME) or flag == 0 or word in ("san", "santa", "santo")
            if not named or (len(word) < 3):
                break
            if flag & KNOWN and here == first and word not in ("san", "santa", "santo"):
                if not self._full_name(document, here):
                    break
            last = here
            here += 1
        return document.ends[last] if last >= first else None

    @staticmethod
    def _surname_behind(document: Document, here: int) -> bool:
        """Tell whether a surname alone follows: "PRIMARIA HERMANOS ALDAMA"."""
        following = here + 1
        if following >= len(document) or document.gap(here) != " ":
            return False
        return document.flags[following] & (KNOWN | NAME) == Flag.SURNAME

    @staticmethod
    def _full_name(document: Document, here: int) -> bool:
        """Tell whether a word that is a name too begins one: "ANGEL FLORES"."""
        following = here + 1
        return (
            following < len(document)
            and document.casing(here) == "upper"
            and bool(document.flags[here] & Flag.GIVEN)
            and bool(document.flags[following] & NAME)
            and document.gap(here) == " "
        )

    def _of_saint(self, document: Document, last: int) -> int:
        """Return the end with what follows "de": "SAN VICENTE DE PAUL"."""
        name = last + 2
        if (
            name < len(document)
            and document.words[last + 1] == "de"
            and document.gap(last) == document.gap(last + 1) == " "
        ):
            place = self.places.longest(document, name)
            if place and place[1].strength > 0:
                return document.ends[place[0]]
            if document.flags[name] & Flag.GIVEN:
                return document.ends[name]
        return document.ends[last]

    def _tail(self, document: Document, last: int, end: int) -> int:
        """Return the end with a town, a state or a name in quotation marks behind."""
        quoted = _QUOTED.match(document.folded, end)
        if quoted and document.folded[end] != ",":
            return quoted.end()
        folded = document.folded
        if folded[end : end + 1] == "." and folded[end - 2 : end - 1] in (".", " "):
            # "T.V.", "S. A."
            end += 1
        number = _TRAILING_NUMBER.match(folded, end)
        if number:
            return number.end()
        index = document.word_at(end)
        if index >= len(document):
            return end
        gap = document.folded[end : document.starts[index]]
        if gap not in (" ", "  ") or not document.capital(index):
            return end
        place = self.places.longest(document, index)
        if (
            place
            and place[1].strength > -1.6
            and document.words[index] not in self._field
        ):
            end = document.ends[place[0]]
        return end

    def _firm_tail(self, document: Document, end: int) -> int:
        match = _FIRM_TAIL.match(document.folded, end)
        return match.end() if match else end

    def _tail_behind(self, document: Document, index: int) -> int | None:
        """Return where "S.A. de C.V." ends that follows within a firm's words."""
        last = index
        while last - index < 8 and last + 1 < len(document):
            tail = _FIRM_TAIL.match(document.folded, document.ends[last])
            if tail:
                return tail.end()
            if document.gap(last) not in (" ", "-", ". ", " & "):
                return None
            last += 1
        return None

    def _employer(self, document: Document, index: int, strict: bool) -> Mark | None:
        """Return a firm's name: a capitalised run that is no place or plain word."""
        start = document.starts[index]
        opening = document.folded[start - 1 : start] == '"'
        if opening:
            close = document.folded.find('"', start, start + 60)
            if close > 0 and "\n" not in document.folded[start:close]:
                return Mark(start, close)
        mixed = document.casing(index) == "mixed"
        tail_only = not mixed
        if not document.capital(index) and mixed:
            return None
        tail = self._tail_behind(document, index)
        if tail:
            return Mark(start, tail)
        last = capital_run(document, index, 6)
        while last > index and (
            document.words[last] in _PARTICLES or document.words[last] in self._field
        ):
            last -= 1
        if last < index:
            return None
        if tail_only:
            if strict:
                return self._unknown_firm(document, index)
            return self._caseless_firm(document, index)
        if strict and document.words[index] in ("san", "santa", "santo"):
            # "panadero en San Juan Ixtenco"
            return None
        labelled = index > 0 and document.words[index - 1] in _FIRM_NOUNS
        place = self.places.longest(document, index)
        if (
            place
            and not labelled
            and place[0] >= last
            and (place[1].strength > -1.0 or not place[1].states)
        ):
            return None
        words = range(index, last + 1)
        if all(
            document.words[i] in self._generic | self._field | _PARTICLES
            or document.words[i] in FUNCTION_WORDS
            or document.words[i].isdigit()
            for i in words
        ):
            return None
        if document.words[index] in self._field:
            return None
        if strict and all(
            document.flags[i] & KNOWN and not document.flags[i] & NAME for i in words
        ):
            return None
        if len(document.words[last]) == 1 and last > index and not document.gap(last):
            # "Nissan A2": the letter belongs to the number.
            last -= 1
        number = _TRAILING_NUMBER.match(document.folded, document.ends[last])
        end = number.end() if number else document.ends[last]
        return Mark(start, self._branch(document, end))

    def _unknown_firm(self, document: Document, index: int) -> Mark | None:
        """Return words in capitals that no list has: "TRABAJA EN PROTEXA"."""
        if document.casing(index) != "upper" or self.places.longest(document, index):
            return None
        last, here = index - 1, index
        while here < len(document) and here - index < 3:
            if here > index and document.gap(here - 1) not in (" ", "-", " & "):
                break
            word, flag = document.words[here], document.flags[here] & ~Flag.ANCHOR
            if flag or len(word) < 4 or word.isdigit() or _SCANNED.search(word):
                break
            last = here
            here += 1
        return (
            Mark(document.starts[index], document.ends[last]) if last >= index else None
        )

    def _caseless_firm(self, document: Document, index: int) -> Mark | None:
        """Return a firm's name behind a label in capitals: a run of words, no field."""
        if document.casing(index) != "upper":
            return None
        last, here = index - 1, index
        while here < len(document) and here - index < 7:
            word = document.words[here]
            if here > index and document.gap(here - 1) not in (" ", ". ", "-", " & "):
                break
            if word.isdigit() or word in self._field:
                break
            if word not in _PARTICLES:
                if word in FUNCTION_WORDS:
                    break
                last = here
            here += 1
        if last < index:
            return None
        if last == index and document.flags[index] & KNOWN:
            return None
        place = self.places.longest(document, index)
        if place and place[0] >= last:
            return None
        return Mark(document.starts[index], document.ends[last])
