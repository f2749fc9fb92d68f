"""Names of persons: the longest run of words whose scores say that they are one.

Particles ("de la"), initials and a nickname in quotation marks stand inside a run; so
does a capitalised word that no list of names has, between two names or at the end.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.note.document import Document
from presidio_mx.find.note.finding import Finding
from presidio_mx.find.note.lexicon import KNOWN, NAME, Flag, Lexicon
from presidio_mx.find.phrases.person.score import NEVER, ScoredNote
from presidio_mx.spanish.words import words

_FULL_NAME = Flag.GIVEN | Flag.SURNAME | Flag.NICKNAME
# Priors of rules: from the first on a trigger stands before the name, from the second
# on a title, or a label as sure as one.
_TRIGGERED, _TITLED = 1.0, 2.0
# What a word gets that belongs to the name by its neighbours alone.
_TIED = 0.3
# What a word gains from following another of the name: any, a listed name that is no
# far commoner word, a given name behind "Ma."; and a listed name behind "de la".
_GO_ON, _GO_ON_LISTED, _AFTER_MARIA, _PARTICLE = 0.6, 1.1, 3.0, 0.6
_FAR_COMMONER = -0.15
# Ordinary words no commoner than this may be anything; surnames from this frequency on
# are surnames where they are a town or a word, too.
_RARE, _FREQUENT = 0.25, 0.6
_MOST_WORDS, _MOST_PARTICLES = 12, 3
# A gap as wide as a column's parts two names; "Mtz., Javier" is short for Martínez.
_MOST_BLANKS, _LONGEST_SHORT, _LONGEST_SYLLABLE = 3, 4, 5
# An unlisted given name before two names.
_PAIR, _SHORTEST_GIVEN = 2, 5
# The score that a name without trigger must reach where its rule says nothing else, and
# what it adds to its rule's score: so much for each point above.
_BARE_THRESHOLD, _GAIN, _MOST_GAIN = 3.0, 0.03, 0.1

_PARTICLES, _OPENING = words("particle_person"), words("particle_opening")
# Inside a name they are none without "de" before them.
_ARTICLES, _SAINTS = words("article"), words("name_saint")
# "de Anda"; before a name: "oftalmo Beatriz Ponce"; before a word: "el consuelo".
_ONLY_BEHIND_PARTICLE = words("surname_behind_particle")
_SPECIALTIES, _NO_NAME_BEHIND = words("specialty_beside_name"), words("no_name_behind")
_SUFFIXES, _TITLE_LETTERS = words("name_suffix"), words("title_letter")
# "nieto", "pastor": before a name they say who it is. "Rosa Hogar Díaz" is a name.
_TITLE_OR_NAME, _KINDS = words("title_or_name"), words("kind_in_name")

# What a name ends before: "Ana Patrón, 60", "Héctor Cal (hijo)", "Ana Patrón refiere".
_ENDS = re.compile(r"[,.;:)\n|/\t]|[ ]?[(—–]|[ ]{2,}|[ ][-/·|]|[ ][a-zñáéíóú]|\Z")
_INITIALS = re.compile(r"(?:[A-ZÑ]\.){2,3}(?![^\W_])")
# Letters of professions, shifts and hours, not of names; a sex and "y", no initials.
_NO_INITIALS = frozenset(
    "T.S. M.C. C.P. S.A. M.E. C.D. L.E. A.M. P.M. T.V. F.N.".split()
)
_NO_LETTER = frozenset("yeaoumfhx")
_LAST_LETTER = re.compile(r"[ \t\n,]|\Z")
# A nickname behind a name and inside one: 'Enriqueta "Queta" Islas'.
_NICKNAME = re.compile(r"""[ ](["'])(?:(?:el|la|los)[ ])?[a-z]{3,12}\1""")
_INSIDE = re.compile(rf"(?:{_NICKNAME.pattern}|[ ]\([^()\n\d]{{3,20}}\))[ ]")


class Run(NamedTuple):
    """A name as far as it was read.

    :param first: Index of its first word.
    :param last: Index of its last word; ``first - 1`` while there is none.
    :param total: Sum of the scores of its parts, the trigger's prior included.
    :param parts: Number of its words, particles left out.
    """

    first: int
    last: int
    total: float
    parts: int


class NoteNames(ScoredNote):
    """The names of one note."""

    def longest(self, first: int, prior: float, comma: bool = False) -> Run | None:
        """Return the longest name that begins at a word.

        :param first: Index of the word.
        :param prior: What stands before it says, in the unit of scores: 0 where nothing
            does, 2 and more for titles.
        :param comma: Whether "SURNAME, GIVEN" may hold a comma.
        """
        end = min(len(self.document), first + _MOST_WORDS)
        run, index, bonus = Run(first, first - 1, 0.0, 0), first, prior
        while index < end:
            if run.parts:
                index = self._joined(run, index, comma)
            step = self._step(run, index, bonus, prior) if index >= 0 else None
            if step is None:
                break
            last, score = step
            run = Run(first, last, run.total + score, run.parts + 1)
            index, bonus = last + 1, self._going_on(last + 1)
        if any(len(w) > 1 for w in self.document.words[first : run.last + 1]):
            return run
        # A label vouches for initials alone.
        fewest = 2 if prior >= _TITLED else 3
        return run if prior >= _TRIGGERED and run.parts >= fewest else None

    def _step(
        self, run: Run, index: int, bonus: float, prior: float
    ) -> tuple[int, float] | None:
        """Return the last word and the score of what a name goes on with."""
        document = self.document
        word = document.words[index]
        if word in _PARTICLES and not (len(word) == 1 and document.capital(index)):
            behind = self._behind_particles(index, run.parts > 0, prior)
            score = bonus + (self._score_behind(index, behind) if behind else NEVER)
            return (behind, score) if score > 0 else None
        if word in _ONLY_BEHIND_PARTICLE:
            return None
        if run.parts:
            ends = index if word in _SUFFIXES else self._initials(run, index, prior)
            if ends:
                return (ends, _TIED) if ends > 0 else None
        elif not self._may_open(index, prior):
            return None
        score = self.score(index) + bonus
        if score <= 0 and run.parts and self._tied(run, index, prior):
            score = _TIED
        return (index, score) if score > 0 else None

    def _going_on(self, index: int) -> float:
        """Return what a word gains from following a part of a name."""
        flags = self.document.flags
        if self.maria(index - 1):
            return _AFTER_MARIA
        if index >= len(flags) or not flags[index] & _FULL_NAME:
            return _GO_ON
        excess = self.frequency(index) - self.ordinary(index)
        return _GO_ON if excess < _FAR_COMMONER else _GO_ON_LISTED

    def _may_open(self, index: int, prior: float) -> bool:
        """Tell whether the first word of a name may be this one, whatever the trigger.

        An ordinary word needs the capital that a name has; a title, or a trigger that
        is also a surname ("nieto"), is none before a name.
        """
        document, following = self.document, index + 1
        word, flag = document.words[index], document.flags[index]
        anchor = len(word) > 1 and flag & Flag.ANCHOR and not flag & NAME
        if (anchor or word in _TITLE_OR_NAME) and (prior <= 0 or self.clear(following)):
            return False
        if word in _TITLE_LETTERS and prior < _TITLED and document.gap(index) == ". ":
            return not self.clear(following, Flag.GIVEN)  # "C. Araceli", "D. Natalio"
        if flag & NAME or not flag & KNOWN or len(word) == 1:
            return True
        return self.mixed(index) and document.capital(index)

    # --------------------------------------------------------- what keeps two words

    def _joined(self, run: Run, index: int, comma: bool) -> int:
        """Return the word with which a name may go on, or -1 where it ends."""
        document, last = self.document, run.last
        word, flag = document.words[last], document.flags[last]
        gap = document.folded[document.ends[last] : document.starts[index]]
        match gap.strip(" "):
            case "":
                # A wide gap is a column or a new field unless a name follows.
                near = 0 < len(gap) <= _MOST_BLANKS and self.clear(index)
                joined = gap == " " or near
            case ".":
                short = len(word) == 1 or word == "vda" or flag & Flag.ABBREVIATED
                joined = bool(short) and len(gap) <= _MOST_BLANKS
            case "'":  # O'Neill, Xunka' Pérez
                joined = not flag or (gap == "'" and document.capital(last))
            case "-" if gap == "-":
                syllable = len(document.words[index]) <= _LONGEST_SYLLABLE
                flag = document.flags[index]
                syllable = syllable and bool(flag & NAME or not flag & KNOWN)
                joined = document.capital(index) or syllable
            case "," | ".,":
                short = "." not in gap or len(word) <= _LONGEST_SHORT
                joined = bool(short) and self._surname_first(run, index, comma)
            case _:
                inside = _INSIDE.match(document.folded, document.ends[last])
                index = document.word_at(inside.end()) if inside else len(document)
                named = index < len(document) and document.flags[index] & NAME
                joined = bool(named) and document.capital(index)
        return index if joined else -1

    def _surname_first(self, run: Run, index: int, comma: bool) -> bool:
        """Tell whether a comma stands between surnames and given names."""
        document, last, maria = self.document, run.last, self.maria(index)
        flag = document.flags[index]
        if self.mixed(index) and (
            not document.capital(index)
            or document.shouted(index) > document.shouted(last)
        ):
            return False
        if comma:
            initial = len(document.words[index]) == 1 and "." in document.gap(index)
            return bool(flag & Flag.GIVEN) or maria or initial
        surnames = last > run.first and document.flags[last] & Flag.SURNAME
        return (
            document.casing(index) != "lower"
            and (maria or (self.given(index) and not flag & KNOWN))
            and not self.given(run.first)
            and (bool(surnames) or not self.given(last))
        )

    # ------------------------------------------------------------------- particles

    def _behind_particles(self, index: int, begun: bool, prior: float) -> int:
        """Return the word behind the particles that go on or open a name, or 0."""
        document, words, behind = self.document, self.document.words, index
        while behind < len(words) and words[behind] in _PARTICLES:
            if document.gap(behind) not in (" ", ". "):
                return 0
            behind += 1
        if behind >= len(words) or behind - index > _MOST_PARTICLES:
            return 0
        if begun:
            return 0 if words[index] in _ARTICLES else behind
        if words[index] not in _OPENING:
            return 0
        # "De León" opens a name; "médico de guardia" does not.
        mixed, several = self.mixed(index), behind > index + 1
        if (mixed and document.capital(index)) or (several and not mixed):
            return behind
        titled = prior >= _TITLED and self.score(behind) > NEVER
        return behind if titled and (several or self._surname_at(behind)) else 0

    def _score_behind(self, particle: int, behind: int) -> float:
        """Return the score of a word behind particles.

        "de" alone before a word that no list of names has tells of a place ("don
        Agapito de Xpujil"); "de la", "del", "viuda de" do belong to names.
        """
        document, alone = self.document, behind == particle + 1
        if document.words[behind] == "o" and not alone:
            return _GO_ON if document.capital(behind) else NEVER  # "De la O"
        named = document.flags[behind] & NAME
        if alone and document.words[particle] in ("de", "d") and not named:
            return NEVER
        return self.score(behind) + (_PARTICLE if named else 0.0)

    # -------------------------------------------------- words that neighbours tie

    def _tied(self, run: Run, index: int, prior: float) -> bool:
        """Tell whether a word that is no listed name belongs to the one before it.

        "Ana Abdo Gosén", "FRANCISCO LOO GUERRERO"; at the end of a name "Ana Patrón,".
        """
        document, last = self.document, run.last
        word, flag = document.words[index], document.flags[index]
        gap = document.gap(last)
        if gap == "-":
            return len(word) > 1
        if gap != " " or not document.flags[last] & NAME or len(word) < 2:
            return False
        if flag & Flag.ANCHOR and not flag & NAME and word not in _KINDS:
            return False
        if document.capital(index) != document.capital(last):
            return False
        inside = document.gap(index) == " " and self._surname_at(index + 1)
        if not self.mixed(index):
            rare = self.ordinary(index) <= _RARE
            return inside and rare and not flag & ~Flag.ORDINARY
        if document.shouted(index) != document.shouted(last):
            return False
        if inside and document.capital(index + 1):
            return True
        sure = prior >= _TRIGGERED or run.parts > 1
        ordinary = flag & Flag.ORDINARY and not flag & Flag.MEDICAL
        ends = _ENDS.match(document.text, document.ends[index])
        return bool(sure and ordinary and ends) and not document.shouted(index)

    def _surname_at(self, index: int) -> bool:
        """Tell whether a word is a name, whatever else a common surname means."""
        if self.clear(index):
            return True
        word = self.document.words[index] if index < len(self.document) else ""
        return self.lexicon.surname.get(word, 0.0) >= _FREQUENT

    def _initials(self, run: Run, index: int, prior: float) -> int:
        """Return the last of the initials at a name's end: "YEPES R", "Ana T.C.".

        0 where there are none, -1 where the letters are of something else.
        """
        document, last = self.document, run.last
        word, flag = document.words[index], document.flags[last]
        if len(word) != 1 or document.gap(last) != " " or len(document.words[last]) < 2:
            return 0
        match = _INITIALS.match(document.text, document.starts[index])
        if match:
            given = flag & Flag.GIVEN or not flag or run.parts > 1
            whole = given and match[0] not in _NO_INITIALS
            return index + match[0].count(".") - 1 if whole else -1
        if word in _NO_LETTER or not document.capital(index) or self.mixed(index):
            return 0
        sure = prior >= _TITLED or (run.parts > 1 and not flag & KNOWN)
        ends = _LAST_LETTER.match(document.folded, document.ends[index])
        return index if sure and ends else 0

    # -------------------------------------------------- names without a trigger

    def bare(self) -> Iterable[Run]:
        """Yield all names of the note as they stand without a trigger."""
        words, free = self.document.words, 0
        for index, flag in enumerate(self.document.flags):
            if index < free or (flag and not flag & NAME and len(words[index]) > 1):
                continue  # most words of a note: known, and no name
            run = self.longest(index, 0.0) if self._may_begin(index) else None
            if run is not None:
                first = self._unlisted_first(run) if index > free else index
                free = run.last + 1
                if not self._eponym_pair(run):
                    yield run._replace(first=first)

    def _may_begin(self, index: int) -> bool:
        """Tell whether a name without trigger may begin with a word."""
        document, capital = self.document, self.document.capital(index)
        word, flag = document.words[index], document.flags[index]
        if index and document.words[index - 1] in _SAINTS:
            return False  # "San Pedro Sula" is a place
        if flag & NAME:
            return capital or not (flag & KNOWN and self.mixed(index))
        if len(word) > 1:
            return not flag and capital and len(word) > 2 and self.mixed(index)
        # "J. Rosas"; "C." is a title and "T.S." a profession.
        start = document.starts[index]
        before = document.folded[start - 1] if start else " "
        named = index + 1 < len(document) and len(document.words[index + 1]) > 1
        named = self.clear(index + 1, Flag.SURNAME) if word == "c" else named
        stopped = document.gap(index) in (". ", ".")
        return capital and named and stopped and not (before.isalnum() or before == ".")

    def _unlisted_first(self, run: Run) -> int:
        """Return the first word of a name, unlisted perhaps: "Itandehui Gil Ríos"."""
        document, first, before = self.document, run.first, run.first - 1
        if run.parts < _PAIR or not self.clear(first) or document.gap(before) != " ":
            return first
        word, flag = document.words[before], document.flags[before]
        alike = document.capital(before) == document.capital(first)
        alike = alike and document.shouted(before) == document.shouted(first)
        odd = not flag and len(word) >= _SHORTEST_GIVEN and word not in _SPECIALTIES
        return before if odd and alike else first

    def _eponym_pair(self, run: Run) -> bool:
        """Tell whether a run is one or two surnames at a hyphen: "Bush-Francis"."""
        document, (first, last, *_) = self.document, run
        first -= first > 0 and document.gap(first - 1) == "-"
        last += last + 1 < len(document) and document.gap(last) == "-"
        if last != first + 1 or document.gap(first) != "-" or not self.mixed(first):
            return False
        if (document.flags[first] | document.flags[last]) & Flag.GIVEN:
            return False
        named = first and document.gap(first - 1) == " " and document.capital(first - 1)
        return not named or bool(document.flags[first - 1] & KNOWN)

    def listed(self, run: Run) -> bool:
        """Tell whether one word at least is a listed name and nothing else."""
        flags = self.document.flags[run.first : run.last + 1]
        clear = any(f & NAME and not f & (KNOWN | Flag.EPONYM) for f in flags)
        return clear or (run.parts == 1 and self._lone_given(run.last))

    def _lone_given(self, index: int) -> bool:
        """Tell whether a given name has a capital among small words.

        What else the word means would be written small there: "vive con Consuelo".
        """
        document, flag = self.document, self.document.flags[index]
        if not index or flag & (Flag.EPONYM | Flag.ABBREVIATED):
            return False
        behind = index + 1 < len(document) and document.gap(index) == " "
        return (
            self.given(index)
            and self.mixed(index)
            and not document.shouted(index)
            and not document.sentence_start(index)
            and document.words[index - 1] not in _NO_NAME_BEHIND
            and not document.capital(index - 1)
            and document.gap(index - 1) in (" ", ", ")
            and not (behind and document.capital(index + 1))
        )

    def eponym(self, run: Run) -> bool:
        """Tell whether a word is an eponym, too."""
        flags = self.document.flags[run.first : run.last + 1]
        return any(f & Flag.EPONYM for f in flags)

    def mark(self, run: Run) -> Mark:
        """Return the span of a name, with the stop of a short form at its end."""
        document, last = self.document, run.last
        word, flag, end = (
            document.words[last],
            document.flags[last],
            document.ends[last],
        )
        short = flag & Flag.ABBREVIATED and not flag & (Flag.GIVEN | Flag.SURNAME)
        if document.folded[end : end + 1] == ".":
            end += len(word) == 1 or bool(short) or word in _SUFFIXES
        nickname = _NICKNAME.match(document.folded, end)
        return Mark(document.starts[run.first], nickname.end() if nickname else end)


@dataclass(slots=True, eq=False)
class NamePhrase:
    """Parse names of persons.

    Options of rules: ``prior``, added to the first word's score; ``threshold``, the
    score that the words alone must reach (3 by default where there is no left side);
    ``comma``, whether "SURNAME, GIVEN" may hold a comma; ``ambiguous``, whether words
    that are all ordinary words, too, are enough where there is no left side.

    :param lexicon: What is known of words.
    """

    lexicon: Lexicon

    def at(
        self,
        document: Document,
        offset: int,
        options: Mapping[str, Any],
        found: list[Finding],
    ) -> Mark | None:
        """Parse the name that begins at an offset."""
        index = document.word_at(offset)
        if index >= len(document) or document.starts[index] != offset:
            return None
        prior = float(options.get("prior", _TRIGGERED))
        names = document.once(self._names)
        run = names.longest(index, prior, bool(options.get("comma")))
        least = float(options.get("threshold", NEVER))
        return names.mark(run) if run and run.total - prior >= least else None

    def candidates(
        self, document: Document, options: Mapping[str, Any], found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield names that stand without a trigger."""
        threshold = float(options.get("threshold", _BARE_THRESHOLD))
        ambiguous = options.get("ambiguous", False)
        names = document.once(self._names)
        for run in document.once(self._bare):
            if run.total < threshold:
                continue
            if names.listed(run) or (ambiguous and not names.eponym(run)):
                delta = min(_MOST_GAIN, _GAIN * (run.total - threshold))
                yield names.mark(run)._replace(delta=delta)

    def _names(self, document: Document) -> NoteNames:
        return NoteNames(document, self.lexicon)

    def _bare(self, document: Document) -> tuple[Run, ...]:
        return tuple(document.once(self._names).bare())
