"""Lists of one or more words, found at a word of the note, longest first."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from presidio_mx.spanish.gazetteer import kept, rows
from presidio_mx.text.document import Document
from presidio_mx.text.folding import fold_key

# What may stand between two words of one entry: "Vitoria-Gasteiz", "Dr. Peset".
_JOINTS = frozenset(
    {" ", "  ", "-", " - ", "'", ". ", ".", "/", ' "', " '", '" ', "' "}
)


@dataclass(slots=True)
class WordTable:
    """Entries as runs of folded words.

    :param entries: First word to the runs that begin with it, longest first.
    """

    entries: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)

    @classmethod
    def of(cls, names: Iterable[str]) -> "WordTable":
        """Build a table.

        :param names: Entries as written; case and accents do not matter.
        :return: The table.
        """
        table: dict[str, set[tuple[str, ...]]] = {}
        for name in names:
            key = fold_key(name)
            words = tuple("".join(c if c.isalnum() else " " for c in key).split())
            if words:
                table.setdefault(words[0], set()).add(words)
        return cls({k: sorted(v, key=len, reverse=True) for k, v in table.items()})

    def end(self, document: Document, index: int) -> int:
        """Return the index after the longest entry that begins at a word.

        :param document: The note.
        :param index: Index of a word.
        :return: Index of the word after the entry; ``index`` itself if there is none.
        """
        if index >= len(document):
            return index
        words = document.words
        for run in self.entries.get(words[index], ()):
            last = index + len(run)
            if tuple(words[index:last]) == run and all(
                document.gap(i) in _JOINTS for i in range(index, last - 1)
            ):
                return last
        return index


@kept
def spain_towns(folders: tuple[Path, ...]) -> WordTable:
    """Return the towns, provinces and regions that the preset knows.

    :param folders: Folders with further rows of a site's own.
    :return: The table.
    """
    names = [
        row["name"] for row in rows("spain_places", folders) if row["kind"] != "country"
    ]
    for row in rows("foreign_places", folders):
        if row["country"] == "ES" and row["kind"] != "country":
            names.append(row["name"])
    return WordTable.of(names)


@kept
def spain_countries(folders: tuple[Path, ...]) -> WordTable:
    """Return the countries.

    :param folders: Folders with further rows of a site's own.
    :return: The table.
    """
    return WordTable.of(
        row["name"] for row in rows("spain_places", folders) if row["kind"] == "country"
    )


@kept
def spain_hospitals(folders: tuple[Path, ...]) -> WordTable:
    """Return the names of hospitals without the generic words before them.

    :param folders: Folders with further rows of a site's own.
    :return: The table.
    """
    return WordTable.of(row["name"] for row in rows("spain_hospitals", folders))


@kept
def spain_institutions(kind: str, folders: tuple[Path, ...]) -> WordTable:
    """Return companies or institutions known by name.

    :param kind: ``company`` or ``institution``.
    :param folders: Folders with further rows of a site's own.
    :return: The table.
    """
    return WordTable.of(
        row["name"]
        for row in rows("spain_institutions", folders)
        if row["kind"] == kind
    )
