"""Names of persons: a note as a string of signs, and what names look like in it.

Every word becomes a sign by its score, its flags and its letters, every gap between two
words another; one pattern over these signs says how far a name goes that begins at a
word. The scores of its words add up and tell whether it is taken.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from presidio_mx.find.finding import Finding
from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.person.score import NEVER, ScoredNote
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag, Lexicon
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

# Signs of words:
#   G  a given name and nothing else; S another such name; A short for one ("Gpe")
#   N  a listed name that is a word, too, but rather a name; a  rather a word
#   u  no list has it, a capital says that it may be a name; v no capital says so
#   O  an ordinary word typed as names are; o  the same, if it stands between two
#   i  an initial with its stop; l  a letter alone in a line of one case; j "Jr"
#   p  a particle, t an article; P, T with a capital; 9 a number; x  anything else, X
#   with a capital
# Signs of gaps: one blank; "_" two or three; "." a stop and blanks; "," "-" "'";
#   q Q  quotation marks or brackets that open and close; "/"; "=" none; "|" others.
_NEXT = re.compile(
    r"""(?:
      [ ][GSANauvij]
    | (?:[ ]|(?<=[iAp])\.)[pP](?:[ ][GSANa]|(?:[ .][pPtT]){1,2}[ ][GSANauvilX])
    | (?<=[GSANa])[ ](?:[oO](?=[ ][GSN])|O(?=[,.|_q]|[ ][xpt]|\Z))
    | (?<=[iA])\.[GSANauvi] | _[GS] | '[GSANauvoOX] | -[GSANauvoOX]
    | q.(?:[ ].){0,2}Q[GSANa]
    | (?<=[GSAuv])[ ]l(?=[_|,]|[ ][xX9lv]|\Z)
    ){0,13}""",  # one more than _MOST_WORDS: a list of names is not read to its end
    re.VERBOSE,
)
# "De León", "De la O": particles that open a name; behind a title small ones, too.
_OPENING = re.compile(r"(?:[PT]|[pt](?=[ .][pt]))(?:[ .][ptPT]){0,2}[ ][GSANauvl]")
_OPENING_TITLED = re.compile(
    r"(?:[PT]|[pt](?=[ .][ptPT]))(?:[ .][ptPT]){0,2}[ ][GSANauvl]|[pt][ ][GSAN]"
)
# A given name that is a word, too, with a capital among small words.
_LONE = re.compile(r"(?<=[xp9][ ,])[GN](?![ ][GSANauoOXPT])")
_BEHIND_INITIAL = tuple(f".{sign}" for sign in "GSANauXOP")
_EPONYM_PAIR = re.compile(r"[SNAauX]-[SNAauX](?!-)")

# Priors of rules: from the first on a trigger stands before the name, from the second
# on a title, or a label as sure as one.
_TRIGGERED, _TITLED = 1.0, 2.0
# What a word gets that its neighbours alone tie to the name; and what one gains that
# follows another: any, a listed name, a given name behind "Ma.", one behind "de la".
_TIED, _GO_ON, _GO_ON_LISTED, _AFTER_MARIA, _PARTICLE = 0.3, 0.6, 1.1, 3.0, 0.6
# Words so much commoner than the name gain as any; so rare ones may be any name.
_FAR_COMMONER, _RARE, _FREQUENT = -0.15, 0.25, 0.6
# The score that a name without trigger must reach where its rule says nothing else, and
# what it adds to its rule's score: so much for each point above.
_BARE_THRESHOLD, _GAIN, _MOST_GAIN = 3.0, 0.03, 0.1
_MOST_WORDS = 12

_PARTICLES, _OPEN = words("particle_person"), words("particle_opening")
_ARTICLES = words("article")
_SAINTS, _SUFFIXES = words("name_saint"), words("name_suffix")
# "C. Araceli"; "su nieto Abel"; "de Anda", a verb elsewhere; "el consuelo", no name.
_TITLE_LETTERS, _TITLES = words("title_letter"), words("title_or_name")
# "Rosa Hogar Díaz"
_KINDS = words("kind_in_name")
_BEHIND_DE, _NO_NAME_BEHIND = words("surname_behind_particle"), words("no_name_behind")
# Letters of professions, shifts and hours.
_ACRONYMS = frozenset(
    "t.s c.p s.a m.e c.d l.e a.m p.m t.v t.m m.c d.g n.s n.l f.n".split()
)
# What between two words is its own sign.
_PLAIN_GAPS = frozenset((" ", "-", "'", "/"))
_NICKNAME = re.compile(r"""[ ](["'])(?:(?:el|la|los)[ ])?[a-z]{3,12}\1""")


class Run(NamedTuple):
    """A name as far as it was read; its total score has no trigger's prior in it."""

    first: int
    last: int
    total: float


class NoteNames(ScoredNote):
    """The names of one note."""

    def __init__(self, document: Document, lexicon: Lexicon) -> None:
        """Write the note as signs.

        :param document: The note.
        :param lexicon: What is known of words.
        """
        super().__init__(document, lexicon)
        self.signs = "".join(map(self._signs, range(len(document))))

    def _signs(self, index: int) -> str:
        """Return the sign of a word and that of what stands behind it."""
        document = self.document
        flag = document.flags[index]
        gap = document.gap(index)
        between = gap if gap in _PLAIN_GAPS else self._gap(gap, index)
        # Most words are in lower case and no names; the first way says the same.
        if (
            flag
            and flag != Flag.ORDINARY
            and not flag & NAME
            and not document.capital(index)
            and document.words[index] not in _PARTICLES
            and len(document.words[index]) > 1
        ):
            return "x" + between
        return self._sign(index) + between

    def _sign(self, index: int) -> str:
        document = self.document
        word, flag = document.words[index], document.flags[index]
        capital = document.capital(index)
        if len(word) == 1:
            return self._sign_of_letter(index)
        if word in _PARTICLES:
            sign = "t" if word in _ARTICLES else "p"
            return sign.upper() if capital and self.mixed(index) else sign
        if flag and not flag & NAME:
            return self._sign_of_word(index) if capital or flag == 16 else "x"
        if word in _SUFFIXES:
            return "j"
        if word[0].isdigit():
            return "9"
        if self._gain(index) <= 0:
            return "X" if capital else "x"
        if flag & NAME == Flag.ABBREVIATED:
            return "A"
        if not flag & NAME:
            return "u" if capital and self.mixed(index) and len(word) >= 3 else "v"
        if not flag & KNOWN and self.score(index) > 0:
            return "G" if self.given(index) else "S"
        return "N" if self.score(index) > 0 else "a"

    def _sign_of_letter(self, index: int) -> str:
        document = self.document
        word, capital = document.words[index], document.capital(index)
        if word.isdigit() or (word == "d" and not capital):
            return "p" if word == "d" else "9"
        end = document.ends[index]
        start = document.starts[index]
        pair = document.folded[start : end + 2], document.folded[start - 2 : end]
        if self._gain(index) > 0 and not _ACRONYMS.intersection(pair):
            return "i"
        alone = capital and word not in "yeaumfhx" and not self.mixed(index)
        return "l" if alone or (word == "o" and capital) else "x"

    def _sign_of_word(self, index: int) -> str:
        """Return the sign of a word that no list of names has."""
        document = self.document
        word, flag = document.words[index], document.flags[index]
        anchor = flag & Flag.ANCHOR and word not in _KINDS
        if not self.mixed(index):
            rare = self.ordinary(index) <= _RARE and not flag & ~Flag.ORDINARY
            return "o" if rare else "X" if document.capital(index) else "x"
        if anchor or document.shouted(index) or not document.capital(index):
            return "X" if document.capital(index) else "x"
        return "O" if flag & Flag.ORDINARY and not flag & Flag.MEDICAL else "o"

    def _gap(self, gap: str, index: int) -> str:
        bare = gap.strip(" ")
        if not bare:
            return "_" if 0 < len(gap) <= 3 else "|" if gap else "="
        if bare in (".", ",", ".,") and len(gap) <= 3:
            return bare[-1]
        if gap in (' "', " '", " ("):
            return "q"
        if gap in ('" ', ") "):
            return "Q"
        return "'" if gap == "' " and not self.document.flags[index] else "|"

    def _gain(self, index: int) -> float:
        """Return what a word adds to a name that it goes on."""
        score = self.score(index)
        if not index:
            return score
        if self.maria(index - 1):
            return score + _AFTER_MARIA
        flag = self.document.flags[index]
        if not flag & NAME & ~Flag.ABBREVIATED:
            return score + _GO_ON
        excess = self.frequency(index) - self.ordinary(index)
        score += _GO_ON if excess < _FAR_COMMONER else _GO_ON_LISTED
        particle = self.document.words[index - 1] in _PARTICLES
        return score + (_PARTICLE if particle else 0.0)

    def longest(self, first: int, prior: float, comma: bool = False) -> Run | None:
        """Return the longest name that begins at a word.

        :param first: Index of the word.
        :param prior: What stands before it says, in the unit of scores: 0 where nothing
            does, 2 and more for titles.
        :param comma: Whether "SURNAME, GIVEN" may hold a comma.
        """
        signs, start = self.signs, 2 * first
        if signs[start] in "ptPT":
            opening = _OPENING_TITLED if prior >= _TITLED else _OPENING
            match = opening.match(signs, start)
            if match is None or self.document.words[first] not in _OPEN:
                return None
            end = match.end()
            behind = end // 2
            alone = behind == first + 1 and self.document.words[first] == "de"
            if self.mixed(behind) and not self.document.capital(behind):
                return None
            if alone and signs[start] == "p" and not self._is_surname(behind):
                return None  # "médico de guardia"
        elif not self._may_open(first, prior) or self.score(first) + prior <= 0:
            return None
        else:
            end = start + 1
        end = self._goes_on(end)
        if signs[end : end + 1] == "," and self._surname_first(first, end, comma):
            end = self._goes_on(end + 2)
        last = min((end - 1) // 2, first + _MOST_WORDS)
        return self._run(first, last, prior)

    def _is_surname(self, index: int) -> bool:
        """Tell whether a word is a surname, a frequent one if it is a town as well."""
        word, place = (
            self.document.words[index],
            self.document.flags[index] & Flag.PLACE,
        )
        frequent = self.lexicon.surname.get(word, 0.0) >= _FREQUENT
        return frequent or (self.clear(index) and not place)

    def _goes_on(self, end: int) -> int:
        match = _NEXT.match(self.signs, end)
        assert match is not None
        return match.end()

    def _surname_first(self, first: int, comma: int, wanted: bool) -> bool:
        """Tell whether a comma stands between surnames and given names."""
        given = self.signs[comma + 1 : comma + 2]
        if wanted:
            return given in tuple("GSNAi")
        index = (comma + 1) // 2
        named = given == "G" or (given == "A" and self.maria(index))
        lower = self.document.casing(index) == "lower" if named else True
        return named and not lower and not self.given(first)

    def _run(self, first: int, last: int, prior: float) -> Run | None:
        """Return a name with the sum of its words' scores."""
        total, letters = 0.0, 0
        for index in range(first, last + 1):
            sign = self.signs[2 * index]
            letters += len(self.document.words[index]) == 1
            if index == first:
                total += self.score(index) if sign not in "ptPT" else 0.0
            elif sign in "GSANauvi":
                total += max(self._gain(index), _TIED)
            elif sign not in "ptPT":
                total += _TIED
        fewest = 2 if prior >= _TITLED else 3 if prior >= _TRIGGERED else 99
        if letters == last - first + 1 < fewest:
            return None  # a label vouches for initials alone
        return Run(first, last, total)

    def _may_open(self, index: int, prior: float) -> bool:
        """Tell whether the first word of a name may be this one, whatever the trigger.

        An ordinary word needs the capital that a name has; a title, or a trigger that
        is also a surname ("nieto"), is none before a name.
        """
        document = self.document
        word, flag = document.words[index], document.flags[index]
        if len(word) == 1:
            title = word in _TITLE_LETTERS and prior < _TITLED
            given = self.signs[2 * index + 1 : 2 * index + 3] == ".G"
            return not (title and given) and not word.isdigit()
        trigger = word in _TITLES or (flag & Flag.ANCHOR and not flag & NAME)
        if trigger and (prior <= 0 or self.clear(index + 1)):
            return False
        written = self.mixed(index) and document.capital(index)
        return word not in _BEHIND_DE and (
            bool(flag & NAME) or not flag & KNOWN or written
        )

    def bare(self) -> Iterator[Run]:
        """Yield all names of the note as they stand without a trigger."""
        document, free = self.document, 0
        for index, sign in enumerate(self.signs[::2]):
            short = len(document.words[index]) == 2 and not document.capital(index)
            if index < free or short or sign not in "GSANui":
                continue
            before = document.words[index - 1] if index else ""
            if before in _SAINTS or (sign == "i" and not self._leads(index)):
                continue  # "San Pedro Sula" is a place
            run = self.longest(index, 0.0)
            if run is not None:
                free = run.last + 1
                if not self._is_eponym_pair(run):
                    yield run

    def _leads(self, index: int) -> bool:
        """Tell whether "J." begins a name; "C." is a title and "T.S." a profession."""
        document = self.document
        before = document.gap(index - 1)[-1:] if index else " "
        behind = self.signs[2 * index + 1 : 2 * index + 3]
        surname = document.words[index] != "c" or behind == ".S"
        return before not in ("", ".") and surname and behind in _BEHIND_INITIAL

    def _is_eponym_pair(self, run: Run) -> bool:
        """Tell whether a run is one or two surnames at a hyphen: "Bush-Francis"."""
        start = 2 * run.first
        start -= 2 * (self.signs[start - 1 : start] == "-")
        match = _EPONYM_PAIR.match(self.signs, start)
        end = max(2 * run.last + 1, start + 3)
        named = self.signs[start - 2 : start] in ("S ", "G ", "u ", "A ", "N ")
        return match is not None and match.end() == end and not named

    def sure(self, run: Run, ambiguous: bool) -> bool:
        """Tell whether a name holds one that is nothing else, or none need be."""
        flags = self.document.flags[run.first : run.last + 1]
        if any(f & NAME and not f & (KNOWN | Flag.EPONYM) for f in flags):
            return True
        if any(f & Flag.EPONYM for f in flags):
            return False
        lone = run.first == run.last and _LONE.match(self.signs, 2 * run.first)
        before = self.document.words[run.first - 1]
        return ambiguous or bool(
            lone and self.given(run.first) and before not in _NO_NAME_BEHIND
        )

    def mark(self, run: Run) -> Mark:
        """Return the span of a name, with the stop of a short form at its end."""
        document, last = self.document, run.last
        end, sign = document.ends[last], self.signs[2 * last]
        end += (
            sign in "AijlS"
            and self._is_short(last)
            and (document.folded.startswith(".", end))
        )
        nickname = _NICKNAME.match(document.folded, end)
        return Mark(document.starts[run.first], nickname.end() if nickname else end)

    def _is_short(self, index: int) -> bool:
        kind = self.document.flags[index] & NAME
        return kind == Flag.ABBREVIATED or len(self.document.words[index]) <= 2


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
        return names.mark(run) if run and run.total >= least else None

    def candidates(
        self, document: Document, options: Mapping[str, Any], found: list[Finding]
    ) -> Iterator[Mark]:
        """Yield names that stand without a trigger."""
        threshold = float(options.get("threshold", _BARE_THRESHOLD))
        ambiguous = bool(options.get("ambiguous"))
        names = document.once(self._names)
        for run in document.once(self._bare):
            if run.total >= threshold and names.sure(run, ambiguous):
                delta = min(_MOST_GAIN, _GAIN * (run.total - threshold))
                yield names.mark(run)._replace(delta=delta)

    def _names(self, document: Document) -> NoteNames:
        return NoteNames(document, self.lexicon)

    def _bare(self, document: Document) -> tuple[Run, ...]:
        return tuple(document.once(self._names).bare())
