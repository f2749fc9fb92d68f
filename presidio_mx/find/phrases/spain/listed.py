"""What is parsed wherever a known word begins it, with a trigger and without."""

from abc import ABC, abstractmethod
from collections.abc import Container, Iterator

from presidio_mx.find.finding import Finding
from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.phrases.spain.words import Options, index_at
from presidio_mx.text.document import Document


class Listed(ABC):
    """A phrase that begins with one of the words of a list."""

    __slots__ = ()

    @abstractmethod
    def firsts(self) -> Container[str]:
        """Return the words that may begin it."""

    @abstractmethod
    def mark(self, document: Document, index: int, options: Options) -> Mark | None:
        """Parse the phrase that begins at a word.

        :param document: The note.
        :param index: Index of the word.
        :param options: The rule's ``options``.
        :return: The mark, or ``None`` where no such phrase begins.
        """

    def at(
        self,
        document: Document,
        offset: int,
        options: Options,
        found: list[Finding],
    ) -> Mark | None:
        """Parse the phrase that begins at an offset."""
        index = index_at(document, offset)
        return None if index is None else self.mark(document, index, options)

    def candidates(
        self, document: Document, options: Options, found: list[Finding]
    ) -> Iterator[Mark]:
        """Yield every such phrase of the note."""
        firsts = self.firsts()
        for index, word in enumerate(document.words):
            if word in firsts:
                mark = self.mark(document, index, options)
                if mark:
                    yield mark
