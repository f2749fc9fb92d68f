"""The name of its own behind a kind: what tells one hospital from another.

A name in quotation marks, a date ("20 de Noviembre"), a person, a listed name, a name
in capitals or a town. Behind a number little more can follow: a town, a school's name.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.institution.capitals import capital_name
from presidio_mx.find.phrases.institution.caseless import (
    caseless_name,
    small_name,
    town_at_end,
)
from presidio_mx.find.phrases.institution.ending import QUOTED, tail
from presidio_mx.find.phrases.institution.honoured import TITLED, person_named
from presidio_mx.find.phrases.institution.kind import PROGRAMME, Opening, flows
from presidio_mx.find.phrases.institution.table import EMPLOYER, Lists
from presidio_mx.find.phrases.institution.words import ARTICLES, LINKS, PARTICLES
from presidio_mx.find.phrases.place.gazetteer import Place
from presidio_mx.spanish.word_runs import FUNCTION_WORDS, broken_line, joined
from presidio_mx.spanish.words import either, words
from presidio_mx.text.document import Document

# Returns the institution that begins at a word, for names that hold another.
Named = Callable[[Document, int], Mark | None]

# "Primaria 18 de Marzo", "Hospital 20 de Noviembre"
_DATE_NAME = re.compile(
    rf"[ ]\d{{1,2}}[ ]de[ ]{either('month_name')}(?![^\W_]|[ ]del?[ ](?:\d|ano))"
)
# A second name behind a numbered hospital's.
_CENTRES = words("institution_centre")
# How sure a town must be behind a number: log-odds, see gazetteer.py.
_SMALL_TOWN = 1.2
_SMALL_TOWN_BEHIND_PARTICLE = 0.0
_CAPITAL_TOWN = -1.6
_CASELESS_TOWN = 0.3
# And behind a kind alone.
_TOWN_OF_KIND = -0.8
# From here on a place's name is a place whatever else its first word means.
_SURE_PLACE = 0.0
# How far back the kind of a numbered school is looked for.
_WORDS_OF_KIND = 3


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Where a name of its own may begin.

    :param behind: Index of the word behind the opening, perhaps a particle.
    :param first: Index of the first word that is no particle.
    :param place: (Last word, place) of the place that begins there.
    :param mixed: Whether capitals tell something in its line.
    """

    behind: int
    first: int
    place: tuple[int, Place] | None
    mixed: bool

    @property
    def particle(self) -> bool:
        """Whether a particle stands before the first word."""
        return self.first > self.behind


def own_name(
    lists: Lists, document: Document, opening: Opening, named: Named
) -> int | None:
    """Return where the name of its own behind an opening ends.

    :param lists: What words and places are known.
    :param document: The note.
    :param opening: Kind, generic words and number.
    :param named: Parses the institution that begins at a word.
    :return: Offset after the name, or ``None`` where there is none.
    """
    quoted = QUOTED.match(document.folded, opening.end)
    if quoted:
        return tail(lists, document, quoted.end())
    if opening.numbered:
        candidate = _candidate(lists, document, opening)
        if candidate is None:
            return None
        return _behind_number(lists, document, opening, candidate, named)
    date = _DATE_NAME.match(document.folded, opening.end)
    if date:
        return date.end()
    titled = TITLED.match(document.folded, opening.end)
    if titled:
        return person_named(lists, document, titled.end())
    listed = _listed_name(lists, document, opening.last)
    if listed is not None:
        return listed
    candidate = _candidate(lists, document, opening)
    if candidate is None:
        return None
    return _behind_kind(lists, document, opening, candidate)


def _listed_name(lists: Lists, document: Document, last: int) -> int | None:
    """Return the end of a listed name: "Hospital de Oncología CMN Siglo XXI"."""
    first = last + 1
    if first + 1 >= len(document) or document.gap(last) != " ":
        return None
    listed = lists.institutions.longest(document, first)
    if listed is None or listed[0] == first or listed[1] == EMPLOYER:
        return None
    if document.words[first].isdigit():
        return None
    return tail(lists, document, document.ends[listed[0]])


def _candidate(lists: Lists, document: Document, opening: Opening) -> _Candidate | None:
    """Return where a name may begin, or ``None`` where none can."""
    last, behind, words = opening.last, opening.last + 1, document.words
    if behind >= len(document) or not flows(document, last):
        return None
    if "\n" in document.gap(last) and not broken_line(document, last):
        # "NOTA CLÍNICA" and a new line; "HGZ 20" and the town below it.
        return None
    first = behind
    while first < len(document) and words[first] in PARTICLES:
        if not joined(document, first):
            return None
        first += 1
    if first >= len(document):
        return None
    place = _place(lists, document, behind, first)
    if (
        place
        and words[behind] in ("de", "del")
        and words[last] in (lists.words.not_of_town)
    ):
        return None
    if document.gap(last) == "-" and not opening.numbered:
        # "CAM-ICU"
        return None
    if words[behind] in LINKS:
        return None
    if len(words[first]) == 1 and document.gap(first) != "'":
        # "O'Horán" is a name.
        return None
    return _Candidate(behind, first, place, document.casing(first) == "mixed")


def _place(
    lists: Lists, document: Document, behind: int, first: int
) -> tuple[int, Place] | None:
    """Return the place that begins at a word, its article included: "La Paz"."""
    place = lists.place_from(document, first)
    if first > behind and document.words[first - 1] in ARTICLES:
        # "HGZ 1 de La Paz"
        wide = lists.place_from(document, first - 1)
        if wide and (place is None or wide[0] >= place[0]):
            return wide
    return place


def _behind_number(
    lists: Lists,
    document: Document,
    opening: Opening,
    candidate: _Candidate,
    named: Named,
) -> int | None:
    """Return where what follows a number ends: "HGZ 20 La Margarita"."""
    last, behind, first = opening.last, candidate.behind, candidate.first
    if document.words[behind] in _CENTRES:
        # "Hospital de Especialidades No. 2 CMN del Noroeste"
        if not _CENTRES.isdisjoint(document.words[max(0, last - 2) : last + 1]):
            return None
        centre = named(document, behind)
        return centre.end if centre else None
    programme = PROGRAMME.match(document.folded, document.ends[last])
    if programme:
        return tail(lists, document, programme.end())
    town = _town(document, candidate)
    if town:
        return town
    if not (candidate.mixed and document.capital(behind)):
        return None
    article = document.words[behind] in ARTICLES
    if not article and not _of_school(lists, document, last, first):
        return None
    end = capital_name(lists, document, first)
    return document.ends[end] if end >= first else None


def _town(document: Document, candidate: _Candidate) -> int | None:
    """Return where the town behind a number ends: "UMF 45 San Luis Potosí"."""
    first, particle = candidate.first, candidate.particle
    if candidate.place is None:
        return None
    last, place = candidate.place
    if particle and document.words[first - 1] in LINKS | {"en"}:
        return None
    if "  " in document.gap(candidate.behind - 1):
        # "HGR No. 270  REYNOSA": the next column.
        return None
    if not candidate.mixed:
        enough = _CASELESS_TOWN
    elif document.capital(first):
        enough = _CAPITAL_TOWN
    else:
        enough = _SMALL_TOWN_BEHIND_PARTICLE if particle else _SMALL_TOWN
    if place.strength < enough:
        return None
    end = document.ends[last]
    quoted = QUOTED.match(document.folded, end)
    return quoted.end() if quoted else end


def _of_school(lists: Lists, document: Document, last: int, first: int) -> bool:
    """Tell whether a school's name follows its number: "CAM 11 Frida Kahlo"."""
    kinds = document.words[max(0, last - _WORDS_OF_KIND) : last]
    return (
        not lists.words.schools.isdisjoint(kinds)
        and document.capital(first)
        and document.gap(last) == " "
        and first + 1 < len(document)
        and document.capital(first + 1)
        and joined(document, first)
        and not document.words[first].isdigit()
    )


def _behind_kind(
    lists: Lists, document: Document, opening: Opening, candidate: _Candidate
) -> int | None:
    """Return where the name behind a kind without a number ends."""
    first, place, mixed = candidate.first, candidate.place, candidate.mixed
    word, start = document.words[first], document.starts[first]
    if lists.words.code.match(document.folded, start):
        return None
    if place is None or place[1].strength <= _SURE_PLACE:
        written = mixed and document.capital(first) and joined(document, first)
        if word in lists.words.field or (word in FUNCTION_WORDS and not written):
            return None
    apart = opening.weak or not candidate.particle
    if apart and lists.words.head.match(document.folded, start):
        # "refugio Casa Amiga": the inner name is the institution's.
        return None
    if mixed:
        return _mixed_name(lists, document, opening, candidate)
    return caseless_name(
        lists, document, first, place, opening.weak, candidate.particle
    )


def _mixed_name(
    lists: Lists, document: Document, opening: Opening, candidate: _Candidate
) -> int | None:
    """Return where a name ends in a line whose capitals tell something."""
    first, place = candidate.first, candidate.place
    if document.capital(first):
        last = capital_name(lists, document, first)
        return tail(lists, document, document.ends[last]) if last >= first else None
    if opening.weak:
        return None
    if place and candidate.particle and place[1].strength > _TOWN_OF_KIND:
        return tail(lists, document, document.ends[place[0]])
    if document.capital(first - 1):
        return None
    return town_at_end(lists, document, first) or small_name(document, first)
