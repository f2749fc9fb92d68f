"""Initials of a person whose full name stands in the same note."""

from collections.abc import Iterable, Iterator

from presidio_mx.analyzer.note.document import Document
from presidio_mx.analyzer.note.finding import Finding
from presidio_mx.analyzer.note.lexicon import KNOWN, NAME

INITIALS_RULE = "consistency#initials"
# Two letters are too often something else ("TA", "FC"); five are hardly anybody's.
_FEWEST, _MOST = 3, 4
_SHORTEST_WORD = 3
_SURNAMES = 2


def initials_in(
    document: Document, names: Iterable[Finding]
) -> Iterator[tuple[int, int]]:
    """Yield spans of capitals that are the initials of a full name found in the note.

    "NGM" in a table of doses is the nurse who signs as "Nelly Gámez Montoya".

    :param document: The note.
    :param names: Persons found, in offsets of the working text.
    """
    whose = frozenset(
        letters
        for name in names
        for letters in initials_of(document, document.words_in(name.start, name.end))
        if _FEWEST <= len(letters) <= _MOST
    )
    if not whose:
        return
    for index, word in enumerate(document.words):
        if (
            word in whose
            and not document.flags[index] & KNOWN
            and document.shouted(index)
            and document.casing(index) == "mixed"
        ):
            yield document.starts[index], document.ends[index]


def initials_of(document: Document, indices: Iterable[int]) -> Iterator[str]:
    """Yield the initials of a name: as written, with the surnames behind, before.

    :param document: The note.
    :param indices: Indices of the words of the name, particles among them.
    """
    letters = "".join(
        document.words[i][0]
        for i in indices
        if len(document.words[i]) >= _SHORTEST_WORD
        and (document.flags[i] & NAME or not document.flags[i] & KNOWN)
    )
    if len(letters) > 1:
        yield letters
        yield letters[_SURNAMES:] + letters[:_SURNAMES]
        yield letters[-_SURNAMES:] + letters[:-_SURNAMES]
