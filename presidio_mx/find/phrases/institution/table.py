"""The known institutions, and what the parsers of institutions look things up in."""

from dataclasses import dataclass
from pathlib import Path

from presidio_mx.find.phrases.institution.words import InstitutionWords
from presidio_mx.find.phrases.place.gazetteer import Place, PlaceIndex
from presidio_mx.spanish.gazetteer import kept, rows
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.spanish.word_runs import WordTable, entry_words
from presidio_mx.text.document import Document

# Shorter names and acronyms ("UG") mean too much else.
_SHORTEST_NAME = 3
_SHORTEST_OWN_WORD = 4
# Rows of this kind are firms: they are marked where somebody works.
EMPLOYER = "employer"


@kept
def load_institutions(folders: tuple[Path, ...] = ()) -> WordTable[str]:
    """Build the table of known institutions and their acronyms, with their kinds.

    :param folders: Folders of a site's own that may add rows.
    :return: Folded names with the kind of each.
    :raises ConfigurationError: If the gazetteer is broken.
    """
    table: WordTable[str] = WordTable()
    for row in rows("institutions", folders):
        for name in (row["name"], row["acronym"]):
            words = entry_words(name)
            if words and sum(map(len, words)) >= _SHORTEST_NAME:
                table.add(words, row["kind"])
    table.sort()
    return table


@dataclass(frozen=True, slots=True)
class Lists:
    """What the parsers of institutions look things up in.

    :param words: Words by the part they play in a name.
    :param institutions: Known institutions with the kind of each.
    :param places: Names of places.
    """

    words: InstitutionWords
    institutions: WordTable[str]
    places: PlaceIndex

    def place_from(self, document: Document, index: int) -> tuple[int, Place] | None:
        """Return (last word, place) of the longest place that begins at a word."""
        return self.places.longest(document, index)


def distinct(document: Document, first: int, last: int) -> bool:
    """Tell whether a firm's name is no word, name or place: "Yazaki"."""
    plain = KNOWN | NAME | Flag.PLACE
    return any(
        not document.flags[here] & plain
        and len(document.words[here]) >= _SHORTEST_OWN_WORD
        for here in range(first, last + 1)
    )
