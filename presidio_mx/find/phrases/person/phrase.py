"""Names of persons: a scored combination of lists, letter case, place and neighbours.

Every word gets a score, the log-odds (roughly) that it belongs to a name: known given
names and surnames raise it, ordinary and clinical words lower it, a capital letter
counts where the line has capitals and small letters. A phrase is a run of words with
positive scores, particles ("de la", "y") and initials inside; what stands before it (a
title, a kinship word, a label) adds its own evidence through the rule's ``prior``.

=============  ===========================================================
``words``      particles, suffixes, titles
``weights``    what each sign is worth
``score``      the score of one word
``shapes``     shapes that words alone do not tell: pairs, titles, María
``joints``     whether what stands between two words keeps them together
``particles``  "de la", "viuda de" and what stands behind them
``surnames``   surnames that are words, surnames joined by "y"
``run``        the longest name from a word on
``bare``       names that stand without a trigger
=============  ===========================================================
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from presidio_mx.find.finding import Finding
from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.person.bare import BareName, bare_names
from presidio_mx.find.phrases.person.ending import TWO_LETTERS
from presidio_mx.find.phrases.person.run import longest_run
from presidio_mx.find.phrases.person.score import ScoredNote
from presidio_mx.find.phrases.person.shapes import quoted_nickname
from presidio_mx.find.phrases.person.weights import TRIGGERED, NameWeights
from presidio_mx.find.phrases.person.words import SUFFIXES
from presidio_mx.spanish.lexicon import Flag, Lexicon
from presidio_mx.text.document import Document

# The score that a name without trigger must reach where its rule says nothing else.
_BARE_THRESHOLD = 3.0
# What a name adds to its rule's score: so much for each point above the threshold.
_GAIN = 0.03
_MOST_GAIN = 0.1


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
            return _mark(document, index, index) if nickname else None
        if options.get("given") and not document.flags[index] & Flag.GIVEN:
            return None
        prior = float(options.get("prior", TRIGGERED))
        note = document.once(self._scored)
        run = longest_run(note, index, prior, bool(options.get("comma")))
        if run is None:
            return None
        if run.last == index and not options.get("single", True):
            return None
        threshold = options.get("threshold")
        if threshold is not None and run.total - prior < float(threshold):
            return None
        return _mark(document, index, run.last)

    def candidates(
        self, document: Document, options: Mapping[str, Any], found: list[Finding]
    ) -> Iterable[Mark]:
        """Yield names that stand without a trigger."""
        threshold = float(options.get("threshold", _BARE_THRESHOLD))
        single = options.get("single", True)
        ambiguous = options.get("ambiguous", False)
        for name in document.once(self._bare):
            if name.total < threshold or (name.alone and not single):
                continue
            if not name.listed and (name.eponym or not ambiguous):
                continue
            if options.get("given") and not name.lone_given:
                continue
            mark = _mark(document, name.first, name.last)
            delta = min(_MOST_GAIN, _GAIN * (name.total - threshold))
            yield mark._replace(delta=delta)

    def _scored(self, document: Document) -> ScoredNote:
        return ScoredNote(document, self.lexicon, self.weights, self.triggers)

    def _bare(self, document: Document) -> tuple[BareName, ...]:
        return tuple(bare_names(document.once(self._scored)))


def _mark(document: Document, first: int, last: int) -> Mark:
    """Return the span of a name, with the stop of a short form at its end."""
    end = document.ends[last]
    word, flag = document.words[last], document.flags[last]
    shortened = flag & Flag.ABBREVIATED and not flag & (Flag.GIVEN | Flag.SURNAME)
    if document.folded[end : end + 1] == "." and (
        len(word) == 1 or shortened or word in SUFFIXES or word == TWO_LETTERS
    ):
        end += 1
    return Mark(document.starts[first], quoted_nickname(document, end))
