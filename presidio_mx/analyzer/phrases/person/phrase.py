"""Names of persons: a scored combination of lists, letter case, place and neighbours.

Every word gets a score, the log-odds (roughly) that it belongs to a name: known given
names and surnames raise it, ordinary and clinical words lower it, a capital letter
counts where the line has capitals and small letters. A phrase is a run of words with
positive scores, particles ("de la", "y") and initials inside; what stands before it (a
title, a kinship word, a label) adds its own evidence through the rule's ``prior``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from presidio_mx.analyzer.grammar.patterns import Symbols, words_of
from presidio_mx.analyzer.grammar.phrase import Mark
from presidio_mx.analyzer.note.casing import casing
from presidio_mx.analyzer.note.document import Document
from presidio_mx.analyzer.note.finding import Finding
from presidio_mx.analyzer.note.lexicon import KNOWN, NAME, Flag, Lexicon
from presidio_mx.analyzer.phrases.person.shapes import (
    before_given,
    between_names,
    elision,
    eponym_pair,
    full_line,
    lone_given,
    maria,
    quoted_nickname,
    syllable,
    title_shaped,
    trailing_initial,
    twin,
)
from presidio_mx.errors import ConfigurationError
from presidio_mx.folding import fold_key

_PARTICLES = frozenset("de del la las los d da do dos san santa von van mc".split())
_PARTICLES |= {"vda", "viuda"}
_OPENING_PARTICLES = frozenset("de del la las los san santa von van mc da".split())
_ARTICLES = frozenset("la las los".split())
_SAINTS = frozenset("san santa santo sta sto".split())
_SUFFIXES = frozenset("jr junior".split())
_TRIGGER_LISTS = ("kin", "other_person", "staff", "respect_f", "respect_m", "patient")
_MOST_PARTS = 8
_SHORTEST_TYPO = 6
_FULL_NAME = Flag.GIVEN | Flag.SURNAME | Flag.NICKNAME
# CURP and RFC begin with four letters of the name.
_CODE_LETTERS = 4
_ACRONYM = 4
# An ordinary word so much commoner than the name gains nothing from its neighbour.
_FAR_COMMONER = 0.15
# A small letter where names have capitals is forgiven to common names alone.
_COMMON = 0.5
# A surname this common stands behind "de" even where it is a town or a word too.
_FREQUENT = 0.6
_NEVER = -9.0
# What a word gets that belongs to the name by its neighbours alone.
_TIED = 0.3
# Words no commoner than this may be anything.
_RARE = 0.25
# Verbs that are surnames behind "de" alone.
_BEHIND_PARTICLE = frozenset(("anda",))
# From this prior on a title stands before, or a label as sure as one.
_TITLE = 2.0
# "Villarreal Z., Javier" and "Mtz., Javier": a stop and a comma behind a short form.
_INITIAL = 4
_MOST_BLANKS = 3


@dataclass(frozen=True, slots=True)
class NameWeights:
    """Scores of a word; ``settings`` of ``person.yaml`` may change each.

    :param known: A listed name that is no ordinary word.
    :param frequency: Times the frequency (0 to 1) of a listed name.
    :param ambiguity: Times (name frequency − word frequency), for words that are both.
    :param misspelt: A word that no list has, one edit away from a common name.
    :param unknown: A word that no list has.
    :param unknown_short: The same with three letters or fewer.
    :param ordinary: An ordinary or clinical word that no list of names has.
    :param eponym: A name that is also a medical eponym.
    :param capital: A capital inside a sentence, in a line of mixed case.
    :param capital_first: A capital at the start of a sentence.
    :param capital_ordinary: A capital on a word that is no listed name.
    :param small: A small first letter in a line of mixed case.
    :param shouted: All capitals in a line of mixed case: no listed name, or so short
        that it may be an acronym.
    :param caseless: An ambiguous word in a line whose case tells nothing.
    :param go_on: For a word that follows another word of the name.
    :param go_on_listed: The same for a listed name.
    :param initial: A single letter.
    :param particle: For a listed name behind "de", "de la" and the like.
    :param shortened: A usual abbreviation ("Gpe.") with its full stop.
    :param maria: "Ma" before a given name, with a stop or without.
    :param after_maria: For the given name behind it.
    :param before_given: For a given name that is a word before one that is none.
    """

    known: float = 2.0
    frequency: float = 1.0
    ambiguity: float = 2.0
    misspelt: float = 1.4
    unknown: float = 0.3
    unknown_short: float = -0.8
    ordinary: float = -3.0
    eponym: float = -1.5
    capital: float = 1.5
    capital_first: float = 0.4
    capital_ordinary: float = 0.5
    small: float = -2.2
    shouted: float = -2.0
    caseless: float = -0.5
    go_on: float = 0.6
    go_on_listed: float = 1.1
    initial: float = 0.2
    particle: float = 0.6
    shortened: float = 1.5
    maria: float = 2.5
    after_maria: float = 3.0
    before_given: float = 1.2

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "NameWeights":
        """Return weights with the changes that a rule file makes.

        :param settings: ``settings`` of the file; ``weights`` is read.
        :return: The weights.
        :raises ConfigurationError: If a weight has no such name.
        """
        changes = dict(settings.get("weights") or {})
        known = {field.name for field in fields(cls)}
        for name in changes:
            if name not in known:
                raise ConfigurationError(
                    f"unknown weight {name!r}; known: {', '.join(sorted(known))}"
                )
        return cls(**changes)


def trigger_words(symbols: Symbols) -> frozenset[str]:
    """Return the single words of the lists that stand before names.

    :param symbols: The symbols of a rule file.
    :return: Folded titles, kinship words and the like; none where there are no lists.
    """
    lists = (words_of(name, symbols) for name in _TRIGGER_LISTS if name in symbols)
    entries = (fold_key(entry).rstrip(".") for words in lists for entry in words or ())
    return frozenset(entry for entry in entries if " " not in entry)


@dataclass(slots=True, eq=False)
class NamePhrase:
    """Parse names of persons.

    Options of rules: ``prior``, added to the first word's score; ``threshold``, the
    score that the words alone must reach (3 by default where there is no left side);
    ``comma``, whether "SURNAME, GIVEN" may hold a comma; ``single``, whether one word
    is enough (default true); ``ambiguous``, whether words that are all ordinary words,
    too, are enough; ``given``, whether it must begin with a given name (without a
    trigger: be one with a capital among small letters); ``nickname``, to take one word
    that is a listed nickname, whatever else it means.

    :param lexicon: What is known of words.
    :param weights: Scores of words.
    :param triggers: Titles and kinship words; before a name they are no part of it.
    """

    lexicon: Lexicon
    weights: NameWeights
    triggers: frozenset[str] = frozenset()

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
        if options.get("nickname"):
            nickname = document.flags[index] & Flag.NICKNAME
            return self._mark(document, index, index) if nickname else None
        prior = float(options.get("prior", 1.0))
        run = self._run(document, index, prior, bool(options.get("comma")))
        if run is None:
            return None
        if options.get("given") and not document.flags[index] & Flag.GIVEN:
            return None
        last, total = run
        if last == index and not options.get("single", True):
            return None
        if total - prior < float(options.get("threshold", -99.0)):
            return None
        return self._mark(document, index, last)

    def candidates(
        self, document: Document, options: Mapping[str, Any], found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield names that stand without a trigger."""
        threshold = float(options.get("threshold", 3.0))
        single = options.get("single", True)
        ambiguous = options.get("ambiguous", False)
        for mark, total, listed, alone in self._bare(document):
            if total < threshold or listed is None or (alone and not single):
                continue
            if not (listed or ambiguous):
                continue
            if options.get("given"):
                index = document.word_at(mark.start)
                given = alone and self._rather_given(document, index)
                if not (given and lone_given(document, index)):
                    continue
            delta = min(0.1, 0.03 * (total - threshold))
            yield Mark(mark.start, mark.end, delta)

    def _bare(self, document: Document) -> list[tuple[Mark, float, bool | None, bool]]:
        """Return (mark, score, listed, one word) of all runs, computed once a note."""
        memo = document.memo.get((self, "runs"))
        if memo is None:
            memo = document.memo[self, "runs"] = []
            index, size = 0, len(document)
            words, flags = document.words, document.flags
            while index < size:
                if flags[index] and not flags[index] & NAME and len(words[index]) > 1:
                    index += 1  # most words of a note: known, and no name
                    continue
                run = None
                if self._may_begin(document, index):
                    run = self._run(document, index, 0.0, False)
                if run and eponym_pair(document, index, run[0]):
                    index = run[0] + 1
                elif run:
                    listed = self._has_listed(document, index, run[0])
                    mark = self._mark(document, index, run[0])
                    memo.append((mark, run[1], listed, run[0] == index))
                    index = run[0] + 1
                else:
                    index += 1
        runs: list[tuple[Mark, float, bool | None, bool]] = memo
        return runs

    def _may_begin(self, document: Document, index: int) -> bool:
        """Tell whether a name without trigger may begin with a word."""
        flag = document.flags[index]
        if index and document.words[index - 1] in _SAINTS:
            return False  # "San Pedro Sula" is a place
        if flag & NAME:
            # A small letter on a word with another sense never scores above zero.
            return not flag & KNOWN or (
                document.capital(index) or casing(document, index) != "mixed"
            )
        word = document.words[index]
        if len(word) == 1:
            return self._leading_initial(document, index) or elision(document, index)
        if flag or word[0].isdigit() or not document.capital(index):
            return False
        return len(word) > 2 and casing(document, index) == "mixed"

    def _leading_initial(self, document: Document, index: int) -> bool:
        """Tell whether "J." begins a name; "C." is a title and "T.S." a profession."""
        start = document.starts[index]
        alone = start == 0 or not (
            document.folded[start - 1].isalnum() or document.folded[start - 1] == "."
        )
        return (
            alone
            and document.words[index] != "c"
            and document.capital(index)
            and document.gap(index) in (". ", ".")
            and index + 1 < len(document)
            and len(document.words[index + 1]) > 1
        )

    def _has_listed(self, document: Document, first: int, last: int) -> bool | None:
        """Tell whether one word at least is a listed name and no ordinary word.

        ``None`` where an eponym stands in the run and no such name: it is never taken
        without a trigger ("Semmes-Weinstein").
        """
        flags = document.flags[first : last + 1]
        if any(flag & NAME and not flag & (KNOWN | Flag.EPONYM) for flag in flags):
            return True
        return None if any(flag & Flag.EPONYM for flag in flags) else False

    def _mark(self, document: Document, first: int, last: int) -> Mark:
        end = document.ends[last]
        word = document.words[last]
        flag = document.flags[last]
        shortened = flag & Flag.ABBREVIATED and not flag & (Flag.GIVEN | Flag.SURNAME)
        if document.folded[end : end + 1] == "." and (
            len(word) == 1 or shortened or word in _SUFFIXES
        ):
            end += 1
        return Mark(document.starts[first], quoted_nickname(document, end))

    def _run(
        self, document: Document, first: int, prior: float, comma: bool
    ) -> tuple[int, float] | None:
        """Return (last word, score) of the longest run of name words from a word."""
        words, size = document.words, len(document)
        total, last, parts = 0.0, -1, 0
        index = first
        bonus = prior
        while index < size and index - first < _MOST_PARTS + 4 and parts < _MOST_PARTS:
            again = 0
            if words[index] == "y" and last >= 0:
                again = twin(document, first, last, index)
            if again:
                last, index, parts = again, again + 1, parts + 1
                continue
            if last >= 0 and not self._joined(document, first, last, index, comma):
                behind_quote = self._behind_nickname(document, last, index)
                if not behind_quote:
                    break
                index = behind_quote
            word = words[index]
            if word in _BEHIND_PARTICLE:
                break
            titled = prior >= _TITLE and index == first
            if self._is_particle(document, index, last >= 0, titled):
                behind = self._behind_particles(document, index)
                if behind is None:
                    break
                score = self._behind(document, index, behind) + bonus
                if score <= 0:
                    break
                total, last, index = total + score, behind, behind + 1
                parts += 1
                bonus = self._going_on(document, index)
                continue
            if last >= 0 and word in _SUFFIXES:
                last, index = index, index + 1
                continue
            named = last >= 0 and any(len(words[i]) > 1 for i in range(first, last + 1))
            if named and self._acronym(document, index):
                break
            score = self.word(document, index) + bonus
            if last < 0 and not self._may_open(document, index, prior):
                break
            if score <= 0 and last >= 0 and self._tied(document, last, index):
                score = _TIED
            elif score <= 0 and last >= 0 and prior >= 1.0:
                score = self._closing(document, last, index)
            if score <= 0 and named and prior >= _TITLE:
                score = _TIED if trailing_initial(document, last, index) else score
            if score <= 0:
                break
            total += score
            last = index
            parts += 1
            index += 1
            bonus = self._going_on(document, index)
        if last < 0:
            return None
        if all(len(words[i]) == 1 for i in range(first, last + 1)):
            # Initials alone are a name only where a label or a trigger says so.
            enough = 1 if prior >= 2.0 else 2 if prior >= 1.0 else _MOST_PARTS
            return (last, total) if last - first >= enough else None
        return last, total

    def _closing(self, document: Document, last: int, index: int) -> float:
        """Return the score of an ordinary word that ends a name: "Ana Patrón, 60"."""
        flag = document.flags[index]
        ends = document.gap(index)[:1] in tuple(",.;:)") or (
            index + 1 < len(document)
            and document.gap(index) == " "
            and not document.capital(index + 1)
        )
        plain = flag & Flag.ORDINARY and not flag & (Flag.MEDICAL | Flag.ANCHOR)
        if (
            plain
            and ends
            and document.gap(last) == " "
            and document.flags[last] & NAME
            and casing(document, index) == "mixed"
            and document.capital(index)
            and not document.shouted(index)
            and not document.shouted(last)
        ):
            return _TIED
        return 0.0

    def _tied(self, document: Document, last: int, index: int) -> bool:
        """Tell whether a word belongs to the name that stands before it."""
        if document.gap(last) == "-":
            return len(document.words[index]) > 1
        lexicon, words = self.lexicon, document.words
        rare = lexicon.ordinary.get(words[index], 0.0) <= _RARE
        if index + 1 >= len(document) or not rare and not document.capital(index):
            return False
        following = document.flags[index + 1]
        surname = lexicon.surname.get(words[index + 1], 0.0) >= _FREQUENT
        if not following & NAME or (following & KNOWN and not surname):
            return False
        return between_names(document, last, index, rare)

    def _going_on(self, document: Document, index: int) -> float:
        """Return what the next word gains from following a part of the name."""
        if document.words[index - 1] == "ma" and maria(document, index - 1):
            return self.weights.after_maria
        if index >= len(document) or not document.flags[index] & _FULL_NAME:
            return self.weights.go_on
        word, flag = document.words[index], document.flags[index]
        common = self.lexicon.ordinary.get(word, 0.0)
        if flag & KNOWN and common > self._frequency(word, flag) + _FAR_COMMONER:
            return self.weights.go_on
        return self.weights.go_on_listed

    def _acronym(self, document: Document, index: int) -> bool:
        """Tell whether letters joined by stops ("U.A.S.") begin at a word."""
        words = document.words
        return (
            len(words[index]) == 1
            and document.gap(index) == "."
            and index + 1 < len(words)
            and len(words[index + 1]) == 1
        )

    def _may_open(self, document: Document, index: int, prior: float) -> bool:
        """Tell whether the first word of a name may be this one, whatever the trigger.

        An ordinary word needs the capital that a name has; a trigger that is also a
        surname ("nieto", "pastor") is a trigger where a name follows.
        """
        if len(document.words[index]) <= _ACRONYM and title_shaped(
            document, index, prior
        ):
            return False
        flag = document.flags[index]
        if document.words[index] in self.triggers:
            last = index + 1 >= len(document)
            if prior <= 0 or last or document.flags[index + 1] & NAME:
                return False
        if flag & NAME or not flag & KNOWN or len(document.words[index]) == 1:
            return True
        return casing(document, index) == "mixed" and document.capital(index)

    def _is_particle(
        self, document: Document, index: int, inside: bool, titled: bool = False
    ) -> bool:
        """Tell whether a word is a particle that goes on or begins a name.

        :param document: The note.
        :param index: Index of the word.
        :param inside: Whether words of the name stand before.
        :param titled: Whether the title of a person does ("Dra. de la O").
        """
        word = document.words[index]
        if len(word) == 1 and document.capital(index):
            return False  # "Chávez D." has an initial
        if inside:
            return word in _PARTICLES and word not in _ARTICLES
        if word not in _OPENING_PARTICLES or index + 1 >= len(document):
            return False
        # "De León" opens a name; "médico de guardia" does not.
        if casing(document, index) == "mixed" and document.capital(index):
            return True
        if titled and self._named_behind(document, index):
            return True
        several = document.words[index + 1] in _PARTICLES
        return several and casing(document, index) != "mixed"

    def _named_behind(self, document: Document, index: int) -> bool:
        """Tell whether particles lead to a name, and not to a service or a town."""
        behind = self._behind_particles(document, index)
        if behind is None:
            return False
        word, flag = document.words[behind], document.flags[behind]
        if casing(document, behind) == "mixed" and not document.capital(behind):
            return False
        if word == "o":
            return behind > index + 1
        if behind == index + 1 and document.words[index] == "de":
            common = self.lexicon.surname.get(word, 0.0) >= _FREQUENT
            return common or bool(flag & NAME and not flag & (KNOWN | Flag.PLACE))
        return bool(flag & NAME)

    def _behind_nickname(self, document: Document, last: int, index: int) -> int:
        """Return the word behind a quoted nickname inside a name, or 0.

        'Enriqueta "Queta" Islas' is one name; a nickname at its end is another.
        """
        gap = document.folded[document.ends[last] : document.starts[index]]
        if gap.strip() not in ('"', "'", "("):
            return 0
        closing = {'"': '"', "'": "'", "(": ")"}[gap.strip()]
        for here in range(index, min(index + 3, len(document) - 1)):
            between = document.gap(here)
            if between == closing + " ":
                named = document.flags[here + 1] & NAME
                return here + 1 if named and document.capital(here + 1) else 0
            if between != " ":
                return 0
        return 0

    def _behind(self, document: Document, particle: int, behind: int) -> float:
        """Return the score of a word behind particles.

        "de" alone before a word that no list of names has tells of a place ("don
        Agapito de Xpujil"); "de la", "del", "viuda de" do belong to names.
        """
        if document.words[behind] == "o" and behind > particle + 1:
            return 1.0 if document.capital(behind) else -9.0  # "De la O"
        plain = behind == particle + 1 and document.words[particle] in ("de", "d")
        if plain and not document.flags[behind] & NAME:
            return _NEVER
        bonus = self.weights.particle if document.flags[behind] & NAME else 0.0
        return self.word(document, behind) + bonus

    def _behind_particles(self, document: Document, index: int) -> int | None:
        """Return the word behind a run of particles, or ``None``."""
        size = len(document)
        for step in range(4):
            here = index + step
            if here >= size:
                return None
            if here > index and document.gap(here - 1).strip(" ."):
                return None
            if "\n" in document.gap(here) and document.words[here] in _PARTICLES:
                return None
            if document.words[here] not in _PARTICLES:
                return here
        return None

    def _joined(
        self, document: Document, first: int, last: int, index: int, comma: bool
    ) -> bool:
        """Tell whether nothing between two words ends a name."""
        gap = document.folded[document.ends[last] : document.starts[index]]
        if gap == " ":
            return True
        if not gap:
            return False
        bare = gap.strip(" \t")
        if not bare:
            # A wide gap is a column or a new field unless the next word is a name.
            flag = document.flags[index]
            named = bool(flag & NAME) and not flag & KNOWN
            return len(gap) <= _MOST_BLANKS and "\t" not in gap and named
        if bare == ".":
            word, flag = document.words[last], document.flags[last]
            return len(gap) <= 3 and (
                len(word) == 1 or bool(flag & Flag.ABBREVIATED) or word == "vda"
            )
        if bare == "'":
            if gap == "'":  # Be'el
                if elision(document, last):
                    return True
                return document.capital(last) and not document.flags[last] & KNOWN
            return gap == "' " and not document.flags[last]  # Xunka' Pérez
        if bare == "-":
            tied = document.capital(index) or syllable(document, last, index)
            return gap == "-" and tied
        if bare == "," or (bare == ".," and len(document.words[last]) <= _INITIAL):
            return self._surname_first(document, first, last, index, comma)
        if bare in ("\n", "\r\n"):
            return self._wrapped(document, last, index)
        return False

    def _surname_first(
        self, document: Document, first: int, last: int, index: int, comma: bool
    ) -> bool:
        """Tell whether a comma stands between surnames and given names."""
        if casing(document, index) == "mixed" and (
            not document.capital(index) or document.shouted(index)
        ):
            return False
        maria_behind = maria(document, index)
        if comma and (document.flags[index] & Flag.GIVEN or maria_behind):
            return True
        if comma and len(document.words[index]) == 1:
            return document.gap(index)[:1] == "."
        clear = self._rather_given(document, index) and not (
            document.flags[index] & KNOWN
        )
        several = last > first and document.flags[last] & Flag.SURNAME
        return (
            (clear or maria_behind)
            and not self._rather_given(document, first)
            and (bool(several) or not self._rather_given(document, last))
            and casing(document, index) != "lower"
        )

    def _rather_given(self, document: Document, index: int) -> bool:
        word = document.words[index]
        given = self.lexicon.given.get(word, 0.0)
        return given > self.lexicon.surname.get(word, 0.0)

    def _wrapped(self, document: Document, last: int, index: int) -> bool:
        """Tell whether a line that is full goes on with another part of the name."""
        flag = document.flags[index]
        return bool(flag & NAME) and not flag & KNOWN and full_line(document, last)

    def word(self, document: Document, index: int) -> float:
        """Return the score of one word, computed once a note.

        :param document: The note.
        :param index: Index of the word.
        :return: Positive where the word looks like part of a name.
        """
        scores = document.memo.get(self)
        if scores is None:
            scores = document.memo[self] = {}
        score: float | None = scores.get(index)
        if score is None:
            score = scores[index] = self._score(document, index)
        return score

    def _score(self, document: Document, index: int) -> float:
        word, flag = document.words[index], document.flags[index]
        weights = self.weights
        if word[0].isdigit() or document.text[document.starts[index]] in "°º":
            return _NEVER
        typed = casing(document, index)
        if len(word) == 1:
            return self._initial(document, index, typed)
        named = flag & NAME
        if not named and self._begins_code(document, index):
            return _NEVER
        if word == "ma" and maria(document, index):
            return weights.maria
        score = self._listed(word, flag)
        if flag & Flag.ABBREVIATED and document.folded.startswith(
            ".", document.ends[index]
        ):
            score = max(score, self.weights.shortened)
        if typed == "mixed":
            if not document.capital(index):
                common = flag & _FULL_NAME and self._frequency(word, flag) >= _COMMON
                return score + weights.small if common else _NEVER
            if document.shouted(index) and (not named or len(word) <= _ACRONYM):
                return score + weights.shouted
            if not named and flag & KNOWN:
                return score + weights.capital_ordinary
            if document.sentence_start(index):
                return score + weights.capital_first
            return score + weights.capital
        if named and flag & KNOWN:
            score += weights.caseless
            if flag & Flag.GIVEN and before_given(document, index):
                score += weights.before_given
        return score

    @staticmethod
    def _begins_code(document: Document, index: int) -> bool:
        """Tell whether a word is the letters of a code ("MAMJ020515V14")."""
        end = document.ends[index]
        short = len(document.words[index]) <= _CODE_LETTERS
        return short and document.folded[end : end + 1].isdigit()

    def _initial(self, document: Document, index: int, typed: str) -> float:
        """Return the score of a single letter."""
        stop = (
            document.folded[document.ends[index]]
            if (document.ends[index] < len(document.folded))
            else ""
        )
        if typed == "mixed" and not document.capital(index):
            return _NEVER
        if stop == "." or elision(document, index):
            return self.weights.initial
        # Without a full stop a letter counts only before another word of the name.
        if typed == "mixed" and stop == " " and index + 1 < len(document):
            following = document.flags[index + 1]
            if following & NAME and document.capital(index + 1):
                return self.weights.initial
            # "Vania R refiere": behind a given name, before a small letter.
            before = document.flags[index - 1] if index else 0
            if before & Flag.GIVEN and not before & KNOWN:
                return 0.0 if not document.capital(index + 1) else -9.0
        return _NEVER

    def _listed(self, word: str, flag: int) -> float:
        """Return what the lists say of a word."""
        weights, lexicon = self.weights, self.lexicon
        if not flag & NAME:
            if flag & (KNOWN | Flag.EPONYM | Flag.ANCHOR):
                return weights.ordinary
            if len(word) >= _SHORTEST_TYPO and self.lexicon.names.trigger(word):
                return weights.misspelt
            return weights.unknown if len(word) > 3 else weights.unknown_short
        frequency = self._frequency(word, flag)
        score = weights.eponym if flag & Flag.EPONYM else 0.0
        if lexicon.given.get(word, 0.0) > lexicon.surname.get(word, 0.0):
            score /= 3  # "Rolando" is rather somebody than a fissure
        if flag & KNOWN:
            common = lexicon.ordinary.get(word, 0.5)
            return score + weights.ambiguity * (frequency - common)
        return score + weights.known + weights.frequency * frequency

    def _frequency(self, word: str, flag: int) -> float:
        """Return how common a listed name is, 0 to 1."""
        lexicon = self.lexicon
        frequency = max(lexicon.given.get(word, 0.0), lexicon.surname.get(word, 0.0))
        if flag & Flag.NICKNAME:
            return max(frequency, _COMMON)
        return max(frequency, 0.4) if flag & Flag.ABBREVIATED else frequency
