"""Names of persons in notes of Spain: staff, patients, relatives."""

from collections.abc import Container, Iterator
from dataclasses import dataclass

from presidio_mx.find.finding import Finding
from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.spain.listed import Listed
from presidio_mx.find.phrases.spain.words import (
    BLANKS,
    Options,
    capital_run,
    covered_words,
    index_at,
    mark_of,
)
from presidio_mx.spanish.lexicon import NAME, Flag, Lexicon
from presidio_mx.text.document import Document


@dataclass(frozen=True, slots=True)
class SpainName:
    """The name of a person after a label or title.

    :param lexicon: What is known of words.
    :param stops: Words that no name contains.
    """

    lexicon: Lexicon
    stops: frozenset[str]

    def at(
        self,
        document: Document,
        offset: int,
        options: Options,
        found: list[Finding],
    ) -> Mark | None:
        """Parse a name; see :class:`~presidio_mx.find.grammar.phrase.Phrase`.

        Option ``known: true`` asks for a listed name among the first two words,
        ``least`` for a number of words; ``comma: true`` takes surnames first.
        """
        index = index_at(document, offset)
        if index is None:
            return None
        end = capital_run(document, index, self.stops)
        if options.get("comma") and end > index and document.gap(end - 1) == ", ":
            # "López García, María": surnames first.
            end = max(end, capital_run(document, end, self.stops))
        if end - index < options.get("least", 1):
            return None
        if options.get("known") and not any(
            flag & NAME for flag in document.flags[index : min(end, index + 2)]
        ):
            return None
        known = any(flag & NAME for flag in document.flags[index:end])
        if not known and end - index < 2:
            return None
        return mark_of(document, index, end)

    def candidates(
        self, document: Document, options: Options, found: list[Finding]
    ) -> Iterator[Mark]:
        """Yield later mentions of the names already found for ``options: of``."""
        indices = [
            i
            for f in found
            if f.entity == options["of"] and not f.block
            for i in document.words_in(f.start, f.end)
            if len(document.words[i]) > 2
        ]
        names = {document.words[i] for i in indices}
        given = {document.words[i] for i in indices if document.flags[i] & Flag.GIVEN}
        taken = covered_words(document, found) if given else set()
        for index, word in enumerate(document.words if given else ()):
            if word not in given or index in taken or not document.capital(index):
                continue
            start = document.starts[index]
            end = index + 1
            while end < len(document) and document.gap(end - 1) in BLANKS:
                if document.words[end] not in names or not document.capital(end):
                    break
                end += 1
            yield Mark(start, document.ends[end - 1])


@dataclass(frozen=True, slots=True)
class SpainRelative(Listed):
    """A kinship word with the names that follow it: "sus padres Ana y Juan".

    :param kin: Kinship words.
    :param stops: Words that no name contains.
    """

    kin: frozenset[str]
    stops: frozenset[str]

    def firsts(self) -> Container[str]:
        """Return the words that name kin."""
        return self.kin

    def mark(self, document: Document, index: int, options: Options) -> Mark | None:
        """Parse a kinship word and the names that follow it."""
        first = index + 1
        if document.gap(index) not in BLANKS or first >= len(document):
            return None
        if not document.flags[first] & NAME or not document.capital(first):
            return None
        return mark_of(document, index, capital_run(document, first, self.stops))
