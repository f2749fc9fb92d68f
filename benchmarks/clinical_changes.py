"""How often surrogates change what no identifier is: words and values of medicine.

usage: python benchmarks/clinical_changes.py [--notes N] [--show] [FOLDER ...]

Annotated notes (by default all of ``samples/corpus/heldout``) and 50 texts of
prose that name nobody (``benchmarks/prose.txt``) get surrogates. Counted is the text
under a surrogate and under no mark of the annotators, or beyond one: ``clinical`` if a
word of it is in a list of medicine or it holds a digit, else ``other``. A tag there
costs a word, and changes nothing silently. Wanted: at most 1 clinical in 2,000
surrogates. ``--show`` prints each, for somebody to read.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from presidio_mx import analyze_and_anonymize
from presidio_mx.replace.engine import AnonymizedText
from presidio_mx.replace.keys import Key
from presidio_mx.research.corpora.store import read_corpus
from presidio_mx.spanish.name_lists import PARTICLES
from presidio_mx.spanish.ordinary import clinical_words
from presidio_mx.text.folding import fold_key
from presidio_mx.text.spans import Note

HERE = Path(__file__).parent
CORPUS = HERE.parent / "samples" / "corpus"
KEY = Key(b"key of the benchmark of clinical words")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Change:
    """Text that a surrogate changed and that no annotator marked.

    :param entity: What it was taken for.
    :param old: The text.
    :param line: The text with what stands around it.
    """

    entity: str
    old: str
    line: str

    @property
    def clinical(self) -> bool:
        """Whether a word of it is one of medicine, or it holds a digit."""
        words = _WORD.findall(fold_key(self.old))
        return any(w in clinical_words() or any(map(str.isdigit, w)) for w in words)


def outside(note: Note, start: int, end: int, new: str) -> str:
    """Return the words of a piece that lie under no mark and do not stay.

    :param note: An annotated note.
    :param start: Where the piece begins.
    :param end: Where it ends.
    :param new: Its surrogate.
    """
    stays = {fold_key(word) for word in _WORD.findall(new)} | PARTICLES
    left = [
        word.group()
        for word in _WORD.finditer(note.text, start, end)
        if not any(s.start < word.end() and word.start() < s.end for s in note.spans)
    ]
    return " ".join(word for word in left if fold_key(word) not in stays)


def changes(note: Note, done: AnonymizedText) -> Iterator[Change]:
    """Yield what surrogates changed that no annotator marked.

    :param note: An annotated note.
    :param done: The note with surrogates.
    """
    for item in done.items:
        old = note.text[item.start : item.end]
        new = done.text[item.new_start : item.new_end]
        lost = outside(note, item.start, item.end, new)
        if lost and new != old and not new.startswith("{"):
            line = note.text[max(0, item.start - 40) : item.end + 40]
            yield Change(item.entity_type, lost, " ".join(line.split()))


def measure(name: str, notes: Sequence[Note], ner: str, show: bool) -> None:
    """Print how many surrogates the notes got, and what these changed.

    :param name: Name of the row.
    :param notes: Annotated notes.
    :param ner: Which model finds.
    :param show: Print each change.
    """
    made, found = 0, []
    for note in notes:
        done = analyze_and_anonymize(note.text, "surrogate", ner=ner, key=KEY)
        made += sum(item.operator == "surrogate" for item in done.items)
        found += [(note.id, change) for change in changes(note, done)]
    clinical = sum(change.clinical for _, change in found)
    rate = f"1 in {made / clinical:,.0f}" if clinical else "none"
    print(
        f"{name:18} {len(notes):6} notes {made:7,} surrogates  clinical {clinical:4} "
        f"({rate})  other {len(found) - clinical:4}",
        flush=True,
    )
    for place, change in found if show else ():
        kind = "clinical" if change.clinical else "other"
        print(f"  {place} {kind} {change.entity} «{change.old}»: {change.line}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="*", type=Path)
    parser.add_argument("--notes", type=int, default=0, help="so many, drawn by chance")
    parser.add_argument("--ner", default="auto")
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    corpora = arguments.corpora or [CORPUS / "heldout"]
    notes = [note for path in corpora for note in read_corpus(path).notes]
    if arguments.notes:
        notes = Random(36).sample(notes, min(arguments.notes, len(notes)))
    prose = (HERE / "prose.txt").read_text(encoding="utf-8").strip().split("\n\n")
    texts = [Note(str(n), text) for n, text in enumerate(prose, start=1)]
    measure("prose", texts, arguments.ner, arguments.show)
    measure("annotated notes", notes, arguments.ner, arguments.show)


if __name__ == "__main__":
    main()
