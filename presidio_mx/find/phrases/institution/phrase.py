"""Institutions: hospitals, clinics, schools, shelters, firms, by their words.

A name opens with a kind of institution ("hospital", "UMF", "secundaria"), goes on with
generic words ("general", "de zona", "técnica") and needs something of its own: a
number, a name in capitals or in quotation marks, a town, a person. "El hospital
general" has none and is no institution's name. Which words open and which are generic
is data (``recognizers/words/institution.yaml``).
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from presidio_mx.find.finding import Finding
from presidio_mx.find.grammar.patterns import Symbols, compile_pattern
from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.institution.kinds import PARTICLES, Kinds, Opening
from presidio_mx.find.phrases.place.gazetteer import Place, PlaceIndex
from presidio_mx.spanish.gazetteer import kept, rows
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.spanish.word_runs import (
    FUNCTION_WORDS,
    WordTable,
    broken_line,
    capital_run,
    entry_words,
    joined,
)
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

# Rows of this kind are firms: they are marked where somebody works.
_EMPLOYER = "employer"
_ARTICLES, _LINKS = words("article"), words("particle_and")
_SAINTS = words("particle_saint") | {"santo"}
_NUMBER_LABELS = words("number_label") - {"numero"}
_PERSON_BEHIND = words("institution_person_behind")
_DOUBLED, _CENTRES = words("institution_doubled"), words("institution_centre")
_SCALES, _SYMPTOMS = words("institution_scale"), words("institution_symptom")
_NOT_ALONE, _VIRTUES = words("institution_not_alone"), words("institution_virtue")
_NOT_OF_TOWN, _FIRM_NOUNS = words("institution_not_of_town"), words("firm_noun")
_CALLED = words("institution_of_date")
# A hospital's acronym has them; the hormone that is called so is feminine.
_HOSPITAL_ARTICLES = ("el", "del", "al")
_MOST_WORDS, _MOST_SMALL = 6, 4
_SHORTEST_NAME, _SHORTEST_UNKNOWN = 3, 4
# How sure a town must be: log-odds, see place/gazetteer.py.
_TOWN_IN_CAPITALS, _TOWN_OF_KIND, _TOWN, _SURE_TOWN = -1.6, -0.8, 0.3, 1.0
_PATTERNS = (
    *("quoted", "date", "titled", "honoured", "programme", "trailing"),
    *("legal", "label", "branch", "plant", "trade"),
)


@kept
def load_institutions(folders: tuple[Path, ...] = ()) -> WordTable[str]:
    """Build the table of known institutions and their acronyms, with their kinds.

    :param folders: Folders of a site's own that may add rows.
    :raises ConfigurationError: If the gazetteer is broken.
    """
    table: WordTable[str] = WordTable()
    for row in rows("institutions", folders):
        for name in (row["name"], row["acronym"]):
            key = entry_words(name)
            if key and sum(map(len, key)) >= _SHORTEST_NAME:
                table.add(key, row["kind"])
    table.sort()
    return table


class InstitutionPhrase:
    """Parse names of institutions.

    Options of rules: ``employer``, where any capitalised run is a firm's name;
    ``strict``, where plain words in capitals are none; ``listed``, where only a listed
    firm is one that is no word, name or place.

    :param symbols: Symbols of the rule file.
    :param institutions: Known institutions.
    :param places: Names of places.
    """

    def __init__(
        self, symbols: Symbols, institutions: WordTable[str], places: PlaceIndex
    ) -> None:
        """Compile the patterns."""
        self.kinds = Kinds(symbols)
        self.institutions, self.places = institutions, places
        texts = {name: f"{{i_{name}}}" for name in _PATTERNS}
        texts["trade"] = r"{institution_trade}\.?[ ]"
        self.patterns = {k: compile_pattern(t, symbols) for k, t in texts.items()}

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
        mark = self._named(document, index)
        if mark:
            return mark
        listed = self.institutions.longest(document, index)
        if options.get("listed") and not (
            listed and _distinct(document, index, listed[0])
        ):
            return None
        works, strict = bool(options.get("employer")), bool(options.get("strict"))
        if listed:
            return self._listed_firm(document, index, listed[0], works)
        return self._firm(document, index, strict) if works else None

    def candidates(
        self, document: Document, options: Mapping[str, Any], found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield institutions by their opening words, and listed ones."""
        heads, listed = self.kinds.heads, self.institutions.by_first
        end = 0
        for index, word in enumerate(document.words):
            if document.starts[index] < end:
                continue
            mark = None
            if word == "s" and index:
                mark = self._before_form(document, index, end)
            elif word in heads or word in listed:
                mark = self._named(document, index) or self._listed(document, index)
            if mark:
                end = mark.end
                yield mark

    # ------------------------------------------------------------------ by kind

    def _named(self, document: Document, index: int) -> Mark | None:
        """Return the institution that opens with a kind at a word."""
        if document.words[index] not in self.kinds.heads:
            return None
        opening = self.kinds.read(document, index)
        if opening is None:
            return None
        start, following = document.starts[index], index + 1
        if document.words[index] in _DOUBLED and following < len(document):
            # "UMAE Hospital de Traumatología", "UNEME CAPASITS Tepic"
            if document.words[following] not in _DOUBLED:
                inner = self._named(document, following)
                if inner and document.gap(index) == " ":
                    return Mark(start, inner.end)
        own = self._own_name(document, opening)
        if own is None and not opening.complete:
            end = (
                self._with_branch(document, opening.end)
                if opening.code
                else opening.end
            )
            form = self._form_behind(document, index) if not opening.code else end
            return Mark(start, form) if form and form > opening.end else None
        if own is not None and self._is_finding(document, opening, own):
            return None
        end = opening.end if own is None else own
        if not opening.numbered:
            end = self._with_honoured(document, end)
        end = self._with_branch(document, end)
        form_behind = self.patterns["legal"].match(document.folded, end)
        return Mark(start, form_behind.end() if form_behind else end)

    def _own_name(self, document: Document, opening: Opening) -> int | None:
        """Return where the name of its own behind an opening ends."""
        folded, end, last = document.folded, opening.end, opening.last
        first = last + 1
        quoted = self.patterns["quoted"].match(folded, end)
        if quoted:
            return self._tail(document, quoted.end())
        if opening.code or opening.numbered:
            programme = self.patterns["programme"].match(folded, end)
            if programme:
                return self._tail(document, programme.end())
        if not opening.numbered:
            date = self.patterns["date"].match(folded, end)
            if date:
                return date.end()
            titled = self.patterns["titled"].match(folded, end)
            if titled:
                return self._person(document, document.word_at(titled.end()))
        if first >= len(document) or not self.kinds.flows(document, last):
            return None
        if "\n" in document.gap(last) and not broken_line(document, last):
            return None
        listed = self.institutions.longest(document, first)
        if (
            listed
            and listed[0] > first
            and listed[1] != _EMPLOYER
            and not opening.numbered
        ):
            if not document.words[first].isdigit():
                return self._tail(document, document.ends[listed[0]])
        while first < len(document) and document.words[first] in PARTICLES:
            if not joined(document, first):
                return None
            first += 1
        if first >= len(document) or document.words[last + 1] in _LINKS:
            return None
        if opening.numbered:
            return self._behind_number(document, opening, first)
        return self._behind_kind(document, opening, first)

    def _behind_number(
        self, document: Document, opening: Opening, first: int
    ) -> int | None:
        """Return where what follows a number ends: "HGZ 20 La Margarita"."""
        behind = opening.last + 1
        mixed, capital = document.casing(first) == "mixed", document.capital(first)
        if document.words[behind] in _CENTRES:
            # "Hospital de Especialidades No. 2 CMN del Noroeste"
            if not _CENTRES.isdisjoint(document.words[max(0, behind - 3) : behind]):
                return None
            centre = self._named(document, behind)
            return centre.end if centre else None
        place = self._place(document, behind, first)
        if place and "  " not in document.gap(behind - 1):
            enough = (
                _TOWN if not mixed else _TOWN_IN_CAPITALS if capital else _SURE_TOWN
            )
            if place[1].strength >= enough and document.words[first - 1] != "en":
                return document.ends[place[0]]
        if not (mixed and document.capital(behind)):
            return None
        school = not self.kinds.schools.isdisjoint(
            document.words[max(0, behind - 4) : behind]
        )
        if document.words[behind] not in _ARTICLES:
            following = first + 1
            if not school or following >= len(document) or not joined(document, first):
                return None
            if not document.capital(following) or document.gap(behind - 1) != " ":
                return None
        last = self._capital_name(document, first)
        return document.ends[last] if last >= first else None

    def _behind_kind(
        self, document: Document, opening: Opening, first: int
    ) -> int | None:
        """Return where the name behind a kind without a number ends."""
        behind, word = opening.last + 1, document.words[first]
        particle, mixed = first > behind, document.casing(first) == "mixed"
        place = self._place(document, behind, first)
        kind = document.words[opening.last]
        if place and particle and kind in _NOT_OF_TOWN:
            return None
        if document.gap(opening.last) == "-" or (
            len(word) == 1 and document.gap(first) != "'"
        ):
            # "CAM-ICU"; "O'Horán" is a name.
            return None
        if place is None or place[1].strength <= 0:
            written = mixed and document.capital(first) and joined(document, first)
            if word in self.kinds.field or (word in FUNCTION_WORDS and not written):
                return None
        start = document.starts[first]
        if self.kinds.code.match(document.folded, start):
            return None
        if (opening.weak or not particle) and self.kinds.head.match(
            document.folded, start
        ):
            # "refugio Casa Amiga": the inner name is the institution's.
            return None
        if mixed and document.capital(first):
            last = self._capital_name(document, first)
            return self._tail(document, document.ends[last]) if last >= first else None
        if mixed:
            if opening.weak or document.capital(first - 1):
                return None
            if place and particle and place[1].strength > _TOWN_OF_KIND:
                return self._tail(document, document.ends[place[0]])
            return self._town_at_end(document, first) or _small_name(document, first)
        town = None if opening.weak else self._town_at_end(document, first)
        if town:
            return town
        enough = _SURE_TOWN if opening.weak else -1.2 if particle else 0.5
        last = self._caseless_name(document, first, opening.weak)
        if place and place[1].strength > enough:
            saint = word in _SAINTS and last > place[0]
            return self._tail(document, document.ends[last if saint else place[0]])
        return document.ends[last] if last >= first else None

    def _capital_name(self, document: Document, first: int) -> int:
        """Return the last word of a capitalised name; the one before if none begins."""
        if first >= len(document):
            return first - 1
        last = capital_run(document, first, _MOST_WORDS)
        joint = last + 1
        if (
            last >= first
            and joint + 2 < len(document)
            and document.words[joint] in ("en", "a")
            and document.words[joint + 1] in _ARTICLES
            and document.capital(joint + 2)
            and document.flags[joint + 2] & KNOWN
            and all(document.gap(here) == " " for here in range(last, joint + 2))
        ):
            # "Hermanos en el Camino"
            last = capital_run(document, joint + 2, 3)
        loud = document.shouted(first) and document.casing(first) == "mixed"
        for here in range(first, last + 1):
            if self._ends_before(document, first, here, loud):
                last = here - 1
                break
        while last >= first and document.words[last] in PARTICLES:
            last -= 1
        named = any(
            word not in self.kinds.generic and word not in PARTICLES
            for word in document.words[first : last + 1]
        )
        return (
            last
            if named and document.words[first] not in self.kinds.field
            else first - 1
        )

    def _ends_before(
        self, document: Document, first: int, here: int, loud: bool
    ) -> bool:
        """Tell whether a capitalised name ends before one of its words."""
        word, capital = document.words[here], document.capital(here)
        if document.flags[here] == 0 and word in FUNCTION_WORDS and word != "e":
            return True
        if here == first:
            return False
        following = document.words[here + 1] if here + 1 < len(document) else ""
        if word in self.kinds.field or (word in _NUMBER_LABELS and following.isdigit()):
            return True
        if loud and len(word) > 3 and capital and not document.shouted(here):
            return True
        if word in ("el", "la", "al") and not capital and following in _PERSON_BEHIND:
            return True
        if self.kinds.code.match(document.folded, document.starts[here]):
            return True
        place = self.places.longest(document, here)
        return place is not None and place[1].is_state and place[1].short

    def _caseless_name(self, document: Document, first: int, weak: bool) -> int:
        """Return the last word of a name where capitals tell nothing."""
        last = first - 1
        for here in range(first, min(first + _MOST_SMALL, len(document))):
            if here > first and not joined(document, here - 1):
                break
            if here > first and document.words[here] in PARTICLES:
                continue
            if document.gap(here) != "'" and not self._belongs(
                document, first, here, weak
            ):
                break
            last = here
        return last

    def _belongs(self, document: Document, first: int, here: int, weak: bool) -> bool:
        """Tell whether a word is one of a name whose capitals tell nothing."""
        word, flag = document.words[here], document.flags[here] & ~Flag.ANCHOR
        following = document.flags[here + 1] if here + 1 < len(document) else 0
        if word in _VIRTUES:
            if here > first or not weak or following & (KNOWN | NAME) == Flag.SURNAME:
                return True
        if word.isdigit() or word in self.kinds.field or word in FUNCTION_WORDS:
            return False
        if word in _SAINTS:
            return True
        if len(word) < _SHORTEST_NAME or (flag and not flag & NAME):
            return False
        full = (
            flag & Flag.GIVEN and following & NAME and document.casing(here) == "upper"
        )
        return not flag & KNOWN or here > first or bool(full)

    def _town_at_end(self, document: Document, first: int) -> int | None:
        """Return the end of a name in small letters whose town follows "de"."""
        for here in range(first, min(first + _MOST_SMALL, len(document) - 2)):
            word = document.words[here]
            if word.isdigit() or word in self.kinds.field or document.gap(here) != " ":
                return None
            if word in FUNCTION_WORDS and word not in PARTICLES:
                return None
            if document.words[here + 1] == "de" and document.gap(here + 1) == " ":
                place = self.places.longest(document, here + 2)
                if place and place[1].strength > _SURE_TOWN:
                    return document.ends[place[0]]
        return None

    def _is_finding(self, document: Document, opening: Opening, end: int) -> bool:
        """Tell whether kind and own name are a label, a scale or a symptom."""
        inside = document.words_in(document.ends[opening.last], end)
        own = [n for n in inside if document.words[n] not in PARTICLES]
        own = [n for n in own if not document.words[n].isdigit()]
        if opening.numbered or not own:
            return False
        kind, flags = document.words[opening.first], [document.flags[n] for n in own]
        if kind in _SCALES and len(own) == 1 and flags[0] & Flag.EPONYM:
            return True
        if opening.weak and self.patterns["label"].match(document.folded, end):
            return True
        small = not document.capital(opening.first)
        medical = all(flag & KNOWN and not flag & NAME for flag in flags) and any(
            flag & (Flag.MEDICAL | Flag.DRUG) for flag in flags
        )
        if kind in _SYMPTOMS and not flags[0] & (NAME | Flag.PLACE):
            of = document.words[opening.last + 1] == "de"
            if of and not document.capital(own[0]):
                return True
        return small and medical and (opening.weak or kind in _SYMPTOMS)

    # ------------------------------------------------------------- what follows a name

    def _place(
        self, document: Document, behind: int, first: int
    ) -> tuple[int, Place] | None:
        """Return the place that begins at a word, its article included: "La Paz"."""
        place = self.places.longest(document, first)
        if first > behind and document.words[first - 1] in _ARTICLES:
            wide = self.places.longest(document, first - 1)
            if wide and (place is None or wide[0] >= place[0]):
                return wide
        return place

    def _tail(self, document: Document, end: int) -> int:
        """Return the end of a name with a number, a town or a name in quotes behind."""
        folded = document.folded
        if folded.startswith(".", end) and folded[end - 2 : end - 1] in (".", " "):
            # "T.V.", "S. A."
            end += 1
        for name in ("quoted", "trailing"):
            match = self.patterns[name].match(folded, end)
            if match:
                return match.end()
        index = document.word_at(end)
        if index >= len(document) or not document.capital(index):
            return end
        if folded[end : document.starts[index]] not in (" ", "  "):
            return end
        place = self.places.longest(document, index)
        if place is None or document.words[index] in self.kinds.field:
            return end
        return document.ends[place[0]] if place[1].strength > _TOWN_IN_CAPITALS else end

    def _person(self, document: Document, first: int) -> int | None:
        """Return where the name of the person behind a title ends."""
        last = self._capital_name(document, first)
        if last < first:
            last = _names_run(document, first)
        return document.ends[last] if last >= first else None

    def _with_honoured(self, document: Document, end: int) -> int:
        """Return the end with its eponym: "H. G. de Tlaxcala Lic. Ana Cano"."""
        title = self.patterns["honoured"].match(document.folded, end)
        if title is None:
            return end
        first = document.word_at(title.end())
        last = _names_run(document, first)
        if last <= first or not document.capital(first):
            return end
        behind = document.folded[document.ends[last] : document.ends[last] + 2]
        return (
            document.ends[last] if behind[:1] in ',.;:)\n"' or behind == "  " else end
        )

    def _with_branch(self, document: Document, end: int) -> int:
        """Return the end of a name with a plant, seat or campus behind."""
        branch = self.patterns["branch"].match(document.folded, end)
        index = document.word_at(branch.end()) if branch else len(document)
        if index >= len(document) or not document.capital(index):
            return end
        last = self._capital_name(document, index)
        return document.ends[last] if last >= index else end

    # ------------------------------------------------------------------ listed, firms

    def _listed(self, document: Document, index: int) -> Mark | None:
        """Return a listed institution; employers need a context and are left to it."""
        match = self.institutions.longest(document, index)
        if match is None or match[1] == _EMPLOYER:
            return None
        last, word = match[0], document.words[index]
        before = document.words[index - 1] if index else ""
        if last == index:
            # A single word must look like an acronym or a proper name.
            flag = document.flags[index]
            known = flag & KNOWN and before not in _HOSPITAL_ARTICLES
            if word in self.kinds.heads or word in _NOT_ALONE or flag & NAME or known:
                return None
            if not document.capital(index):
                return None
        code = document.folded[document.ends[last] : document.ends[last] + 2]
        if code[:1] == "-" and code[1:].isdigit():
            return None
        if word.isdigit() and before not in _CALLED:
            # "calle 20 de Noviembre" is no hospital.
            return None
        return Mark(document.starts[index], self._tail(document, document.ends[last]))

    def _listed_firm(
        self, document: Document, index: int, last: int, works: bool
    ) -> Mark:
        """Return a listed name with what belongs to it where somebody works."""
        if document.casing(index) == "mixed" and document.capital(index):
            last = max(last, self._capital_name(document, index))
        form = self.patterns["legal"].match(document.folded, document.ends[last])
        end = form.end() if form else document.ends[last]
        plant = self.patterns["plant"].match(document.folded, end) if works else None
        if plant and plant["number"]:
            return Mark(document.starts[index], plant.end())
        following = document.word_at(plant.end()) if plant else last + 1
        if works and following < len(document) and (plant or document.gap(last) == " "):
            place = self.places.longest(document, following)
            if place and (plant or place[1].strength > -1.0):
                end = document.ends[place[0]]
            elif plant:
                end = document.ends[following]
        return Mark(document.starts[index], end)

    def _before_form(self, document: Document, index: int, limit: int) -> Mark | None:
        """Return the firm whose name stands before "S.A. de C.V."."""
        form = self.patterns["legal"].match(document.folded, document.starts[index])
        if form is None or form.end() - form.start() < _SHORTEST_NAME:
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
            elif document.words[here] not in PARTICLES:
                break
        if first == index or document.casing(first) != "mixed":
            return None
        return Mark(document.starts[first], form.end())

    def _form_behind(self, document: Document, index: int) -> int | None:
        """Return where a legal form ends that follows within a firm's few words."""
        for last in range(index, min(index + 8, len(document) - 1)):
            form = self.patterns["legal"].match(document.folded, document.ends[last])
            if form:
                return form.end()
            if document.gap(last) not in (" ", "-", ". ", " & "):
                return None
        return None

    def _firm(self, document: Document, index: int, strict: bool) -> Mark | None:
        """Return a firm's name behind a label or "trabaja en"."""
        start = document.starts[index]
        if document.folded[start - 1 : start] == '"':
            close = document.folded.find('"', start, start + 60)
            if close > 0 and "\n" not in document.folded[start:close]:
                return Mark(start, close)
        mixed = document.casing(index) == "mixed"
        if not mixed or not document.capital(index):
            trade = self.patterns["trade"].match(document.folded, start)
            last = self._trade(document, document.word_at(trade.end())) if trade else -1
            if last >= 0:
                return Mark(start, document.ends[last])
        if mixed and not document.capital(index):
            return None
        form = self._form_behind(document, index)
        if form:
            return Mark(start, form)
        last = self._firm_end(document, index, mixed, strict)
        place = self.places.longest(document, index)
        before = document.words[index - 1] if index else ""
        if last < index or (place and place[0] >= last and before not in _FIRM_NOUNS):
            if last < index or not place or place[1].strength > -1.0 or not mixed:
                return None
        trailing = self.patterns["trailing"].match(document.folded, document.ends[last])
        end = trailing.end() if trailing else document.ends[last]
        return Mark(start, self._with_branch(document, end))

    def _firm_end(
        self, document: Document, first: int, mixed: bool, strict: bool
    ) -> int:
        """Return the last word of a firm's name; the word before if none begins."""
        if mixed:
            last = capital_run(document, first, _MOST_WORDS)
            while (
                last >= first and document.words[last] in PARTICLES | self.kinds.field
            ):
                last -= 1
            words = document.words[first : last + 1]
            flags = document.flags[first : last + 1]
            none = PARTICLES | self.kinds.field | self.kinds.generic | FUNCTION_WORDS
            plain = strict and all(flag & KNOWN and not flag & NAME for flag in flags)
            saint = strict and words[:1] and words[0] in _SAINTS
            if plain or saint or words[:1] and words[0] in self.kinds.field:
                return first - 1
            return first - 1 if all(word in none for word in words) else last
        last = first - 1
        if document.casing(first) != "upper":
            return last
        for here in range(first, min(first + (3 if strict else 7), len(document))):
            word, flag = document.words[here], document.flags[here] & ~Flag.ANCHOR
            if here > first and document.gap(here - 1) not in (" ", ". ", "-", " & "):
                break
            if not strict and word in PARTICLES:
                continue
            if word.isdigit() or word in self.kinds.field or word in FUNCTION_WORDS:
                break
            if strict and (flag or len(word) < _SHORTEST_UNKNOWN):
                break
            last = here
        return first - 1 if last == first and document.flags[first] & KNOWN else last

    def _trade(self, document: Document, first: int) -> int:
        """Return the last word of "transportes castores"'s name; -1 where none is."""
        last, named = -1, False
        for here in range(first, min(first + 5, len(document))):
            word, gap = document.words[here], document.gap(here - 1)
            if gap != " " and not (gap == ". " and len(document.words[here - 1]) < 4):
                break
            if word.isdigit() or word in self.kinds.field or word in _NUMBER_LABELS:
                break
            if word in PARTICLES - _LINKS - {"en", "para"}:
                named = named or (here == first and word not in ("de", "del"))
                continue
            if word in FUNCTION_WORDS:
                break
            known = document.flags[here] & KNOWN and word not in _SAINTS
            named = named or (len(word) >= _SHORTEST_NAME and not known)
            last = here
        return last if named else -1


def _distinct(document: Document, first: int, last: int) -> bool:
    """Tell whether a firm's name is no word, name or place: "Yazaki"."""
    return any(
        not document.flags[here] & (KNOWN | NAME | Flag.PLACE)
        and len(document.words[here]) >= _SHORTEST_UNKNOWN
        for here in range(first, last + 1)
    )


def _small_name(document: Document, first: int) -> int | None:
    """Return where a name in small letters ends: one or two words no list has."""
    last = first - 1
    for here in range(first, min(first + 2, len(document))):
        word = document.words[here]
        if here > first and not joined(document, here - 1):
            break
        if (
            word.isdigit()
            or document.flags[here] & KNOWN
            or len(word) < _SHORTEST_UNKNOWN
        ):
            break
        last = here
    return document.ends[last] if last >= first else None


def _names_run(document: Document, first: int) -> int:
    """Return the last of two or more words of a person's name, whatever their case."""
    last = first - 1
    for here in range(first, min(first + 7, len(document))):
        if here > first and not joined(document, here - 1):
            break
        word = document.words[here]
        if document.flags[here] & NAME and len(word) >= _SHORTEST_NAME:
            last = here
        elif word not in PARTICLES:
            break
    return last if last > first else first - 1
