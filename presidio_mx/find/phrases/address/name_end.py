"""Where the name of a street or colonia ends: at what can be no part of it.

A name is a run of joined words. It goes on until a word that never stands in one, until
another component of the address begins, or until the town behind it does.
"""

from dataclasses import dataclass

from presidio_mx.find.phrases.address.opening import Openings
from presidio_mx.find.phrases.address.part import NameKind
from presidio_mx.find.phrases.address.patterns import (
    CODE,
    KILOMETRE,
    NO_NUMBER,
    NUMBER_BEHIND,
    SAID_CODE,
    SAID_WORDS,
    SECTION,
    SETTLEMENT_NOUNS,
)
from presidio_mx.find.phrases.place.gazetteer import Place, PlaceIndex
from presidio_mx.spanish.lexicon import KNOWN, NAME
from presidio_mx.spanish.word_runs import (
    ABBREVIATED,
    FUNCTION_WORDS,
    WordTable,
    joined,
)
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

# "dl" and "d" stand for "del" and "de" in hurried notes.
PARTICLES = words("particle_street")
# "carretera a Pátzcuaro"
_ARTICLES = words("article")
# Labels that streets are called after, too: "Congreso de la Unión".
_STOPS_IN_NAMES = words("stop_in_name")
_ROAD_PARTICLES = words("particle_road")
_SECTION_WORDS = words("section_word", "ordinal_feminine") | frozenset(
    "i ii iii iv v vi".split()
)
_CORNER = words("corner_opening")
_NO_NUMBER = words("no_number")
_NUMBER_LABEL = words("number_label")

# Most words behind the first that count, particles left out: capitals hold a name
# together, small letters soon are something else.
_MOST_CAPITALISED = 6
_MOST_SMALL = 4
# With particles a name may be longer by so many words.
_MOST_BETWEEN = 3
# A place this strong is a town wherever it stands.
_SURE_PLACE = 1.0
# A state stands at most so many characters behind its town.
_STATE_GAP = 3


def is_particle(word: str, kind: NameKind) -> bool:
    """Tell whether a word may stand inside a name and never ends it."""
    return word in (_ROAD_PARTICLES if kind == "road" else PARTICLES)


@dataclass(frozen=True, slots=True)
class _Run:
    """A name that is being read.

    :param document: The note.
    :param first: Index of its first word.
    :param kind: What it names.
    :param capitalised: Whether its words must have capitals.
    """

    document: Document
    first: int
    kind: NameKind
    capitalised: bool


@dataclass(frozen=True, slots=True)
class NameEnd:
    """Find the last word of a name.

    :param openings: Opening words of components.
    :param settlements: Names of colonias.
    :param places: Names of places.
    """

    openings: Openings
    settlements: WordTable[int]
    places: PlaceIndex

    def last_word(self, document: Document, first: int, kind: NameKind) -> int:
        """Return the last word of the name that begins at a word.

        :param document: The note.
        :param first: Index of its first word.
        :param kind: What it names.
        :return: Index of its last word; ``first - 1`` where no name begins.
        """
        mixed = document.casing(first) == "mixed"
        capitalised = mixed and document.capital(first)
        run = _Run(document, first, kind, capitalised)
        most = _MOST_CAPITALISED if capitalised else _MOST_SMALL
        last, here, size = first - 1, first, len(document)
        while here < size and here - first < most + _MOST_BETWEEN:
            inside = here > first
            if inside and not _goes_on(document, here - 1, kind):
                break
            if inside and is_particle(document.words[here], kind):
                if kind == "settlement" and self._town_behind(document, first, here):
                    break
                here += 1
                continue
            if not self._may_be_name(run, here):
                break
            if inside and self._place_ends(document, here, last, kind):
                break
            last = here
            if here - first >= most:
                break
            here += 1
        return last

    def _may_be_name(self, run: _Run, here: int) -> bool:
        """Tell whether a word may be a part of the name; the first that knows says."""
        for says in (_by_initial, self._by_conjunction, _by_kind, self._by_word):
            told = says(run, here)
            if told is not None:
                return told
        if here > run.first and self._component(run, here):
            return False
        return _fits_casing(run, here)

    def _by_conjunction(self, run: _Run, here: int) -> bool | None:
        """Judge "y": "Niños Héroes y Patria", not two streets that cross."""
        document = run.document
        if document.words[here] != "y":
            return None
        return (
            run.capitalised
            and run.kind != "crossing"
            and here > run.first
            and here + 1 < len(document)
            and document.capital(here + 1)
            and not self.openings.opens_street(document, here + 1)
        )

    def _by_word(self, run: _Run, here: int) -> bool | None:
        """Judge what never goes on a name, and labels of the next field."""
        word, inside = run.document.words[here], here > run.first
        if word in FUNCTION_WORDS or (not inside and word in self.openings.not_name):
            return False
        label = word in self.openings.stop and not _in_name(run.document, here)
        if label and (inside or not run.capitalised):
            # "COL. ALTA VISTA": a name may begin with what is a label elsewhere.
            opens = run.kind == "settlement" and not inside
            if not opens or not _goes_on(run.document, here, run.kind):
                return False
        return None

    def _component(self, run: _Run, here: int) -> bool:
        """Tell whether another component begins at a word inside a name."""
        document, word = run.document, run.document.words[here]
        if run.kind == "settlement" and document.words[here - 1] not in PARTICLES:
            # "Fracc. Sol Priv. Ruiz 25"
            if self.openings.opens_street(document, here):
                return True
        if word in _CORNER:
            return True
        if word not in self.openings.heads and word not in _NO_NUMBER:
            return word in _NUMBER_LABEL
        folded, start = document.folded, document.starts[here]
        return bool(
            self.openings.match("settlement", document, start)
            or self.openings.unit.match(folded, start)
            or CODE.match(folded, start)
            or SAID_CODE.match(folded, start)
            or NO_NUMBER.match(folded, start)
            or KILOMETRE.match(folded, start)
        )

    def _town_behind(self, document: Document, first: int, here: int) -> bool:
        """Tell whether "de" leads on to the town: "col. La Ciénega de Tlalnepantla"."""
        if document.words[here] != "de" or here + 1 >= len(document):
            return False
        match = self.places.longest(document, here + 1)
        if match is None or match[1].strength < _SURE_PLACE:
            return False
        noun = document.words[here - 1] in SETTLEMENT_NOUNS
        if own_state_behind(self.places, document, *match):
            # "Héroes de Morelia, Morelia, Mich.": its town follows.
            return not (noun and self._town_and_state(document, match[0] + 1))
        if noun:
            return False
        article = first > 0 and document.words[first - 1] in PARTICLES
        return any(
            listed is not None and listed[0] == here - 1
            for listed in (
                self.settlements.longest(document, first),
                self.settlements.longest(document, first - article),
            )
        )

    def _town_and_state(self, document: Document, index: int) -> bool:
        """Tell whether a place that its own state follows begins at a word."""
        match = self.places.longest(document, index)
        return match is not None and own_state_behind(self.places, document, *match)

    def _place_ends(
        self, document: Document, here: int, last: int, kind: NameKind
    ) -> bool:
        """Tell whether a town, not the name, goes on at a word.

        "COL SANTA CRUZ LEON GTO": a state follows the town, or the address ends there.
        """
        if document.words[here - 1] in ABBREVIATED | SETTLEMENT_NOUNS:
            return False
        if last != here - 1 or kind == "road":
            # Behind "de" the town is part of the name: "Camino Real de Colima".
            return False
        match = self.places.longest(document, here)
        if match is None:
            return False
        end, place = match
        if kind != "settlement" and NUMBER_BEHIND.match(
            document.folded, document.ends[end]
        ):
            # "AV. ALVARO OBREGON # 2103"
            return False
        if place.is_state and place.short:
            return place.strength > 0
        if own_state_behind(self.places, document, end, place):
            return True
        if kind != "settlement" and document.casing(here) == "mixed":
            return False
        if place.strength < _SURE_PLACE or joined(document, end):
            return False
        return not self._town_after_comma(document, end)

    def is_closed(self, document: Document, last: int) -> bool:
        """Tell whether a comma, then a town or a postal code, stand behind a word.

        :param document: The note.
        :param last: Index of the word.
        """
        if document.gap(last) not in (", ", " , ") or last + 1 >= len(document):
            return False
        if CODE.match(document.folded, document.starts[last + 1]):
            return True
        match = self.places.longest(document, last + 1)
        return match is not None and (
            match[1].strength > 0
            or own_state_behind(self.places, document, match[0], match[1])
        )

    def _town_after_comma(self, document: Document, last: int) -> bool:
        """Tell whether a town follows: "Col. San Mateo Cuautepec, Tultitlán"."""
        if document.gap(last) != ", " or last + 1 >= len(document):
            return False
        match = self.places.longest(document, last + 1)
        return bool(
            match and not match[1].is_state and match[1].strength >= _SURE_PLACE
        )


def _by_initial(run: _Run, here: int) -> bool | None:
    """Judge an initial: "Carlos A. Carrillo"."""
    if not _is_initial(run.document, here):
        return None
    if run.document.casing(here) != "mixed" or not run.capitalised:
        return True
    return True if here > run.first else None


def _by_kind(run: _Run, here: int) -> bool | None:
    """Judge numbers, what goes on behind an apostrophe, and sections."""
    document, word = run.document, run.document.words[here]
    if word.isdigit() or (word == "altura" and run.kind == "road"):
        return False
    if here == run.first:
        return None
    if word in SAID_WORDS and not (run.capitalised and document.capital(here)):
        # "calle hidalgo ciento once": the house, as it is dictated.
        return False
    if document.gap(here - 1) == "'":
        # "Callejón Guelavi'a"
        return True
    if run.kind == "settlement" and word in _SECTION_WORDS:
        if SECTION.match(document.folded, document.ends[here - 1]):
            return False
    return None


def _fits_casing(run: _Run, here: int) -> bool:
    """Tell whether a word is typed as the name is."""
    document = run.document
    word, capital = document.words[here], document.capital(here)
    if len(word) == 1:
        behind = document.folded[document.ends[here] : document.ends[here] + 1]
        return run.capitalised and capital and behind in (".", " ")
    if run.capitalised:
        return capital
    if document.casing(here) == "mixed" and capital:
        return here == run.first or run.kind == "road"
    return True


def _goes_on(document: Document, index: int, kind: NameKind) -> bool:
    """Tell whether a name may go on behind a word."""
    gap = document.gap(index)
    if kind == "road" and gap in (" - ", "- ", " -"):
        return True
    if _is_initial(document, index):
        # "Carlos A. Carrillo": whatever other word the letter may be.
        return gap in (". ", ".")
    return joined(document, index)


def _is_initial(document: Document, index: int) -> bool:
    """Tell whether a word is an initial before a name."""
    if (
        len(document.words[index]) > 1
        or document.words[index].isdigit()
        or not document.gap(index).startswith(".")
        or index + 1 >= len(document)
    ):
        return False
    if document.casing(index) == "mixed" and document.capital(index):
        return document.capital(index + 1)
    # "av. francisco i. madero", "AVE. FELIX U. GOMEZ"
    flag = document.flags[index + 1]
    return bool(flag & NAME) and not flag & KNOWN and document.gap(index) == ". "


def own_state_behind(
    places: PlaceIndex, document: Document, last: int, place: Place
) -> bool:
    """Tell whether a state that a place lies in follows it.

    :param places: Names of places.
    :param document: The note.
    :param last: Index of the place's last word.
    :param place: The place.
    :return: Whether its state is the next word.
    """
    if last + 1 >= len(document) or len(document.gap(last)) > _STATE_GAP:
        return False
    state = places.longest(document, last + 1)
    return bool(state and state[1].is_state and place.states & state[1].states)


def _in_name(document: Document, here: int) -> bool:
    """Tell whether a label is a word of a name: "Congreso de la Unión 5631"."""
    if here < 2 or document.words[here - 1] not in _ARTICLES:
        return False
    if document.casing(here) != "mixed":
        return document.words[here] in _STOPS_IN_NAMES
    return document.capital(here)
