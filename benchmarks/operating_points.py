"""What sensitivity costs and brings, and how far the stated risk can be trusted.

usage: python benchmarks/operating_points.py FOLDER... [--ner none|transformer]

For each threshold on the probability of findings: share of identifiers covered, share
of marked letters that are marked in gold, share of notes in which nothing is left.
Then, for each bound on the stated risk of a note: share of notes below it, and share of
these in which something is left. Folders hold notes with inline marks.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

from presidio_analyzer import RecognizerResult
from rich.console import Console
from rich.table import Table

from presidio_mx.analyzer.vote.weigh import SENSITIVITIES
from presidio_mx.corpora import read_corpus
from presidio_mx.pipeline import examine
from presidio_mx.spans import Note

THRESHOLDS = (0.03, 0.05, 0.1, 0.15, 0.2, 0.25, 0.35, 0.5, 0.7)
BOUNDS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.01)
_LOWEST = 0.01


@dataclass(frozen=True)
class Read:
    """A note with everything that was nearly marked in it.

    :param note: The note with gold spans.
    :param results: Findings from the lowest probability on.
    :param risk: The stated risk at the balanced sensitivity.
    """

    note: Note
    results: list[RecognizerResult]
    risk: float


def read(folder: Path, ner: str) -> list[Read]:
    """Examine all notes of a folder."""
    made = []
    for note in read_corpus(folder, "inline").notes:
        results = examine(note.text, ner=ner, sensitivity=_LOWEST).results
        risk = examine(note.text, ner=ner).risk
        made.append(Read(note, results, 1.0 if risk is None else risk))
    return made


def letters(text: str, spans: list[tuple[int, int]]) -> set[int]:
    """Return the offsets of letters and digits in spans."""
    return {i for start, end in spans for i in range(start, end) if text[i].isalnum()}


def marked(one: Read, least: float) -> set[int]:
    """Return the letters of a note that are marked from a probability on."""
    kept = [(r.start, r.end) for r in one.results if r.score >= least]
    return letters(one.note.text, kept)


def is_clean(one: Read, least: float) -> bool:
    """Tell whether every identifier of a note is wholly marked."""
    inside = marked(one, least)
    text = one.note.text
    return all(letters(text, [(s.start, s.end)]) <= inside for s in one.note.spans)


def points(reads: list[Read], title: str) -> Table:
    """Return the table of thresholds."""
    table = Table("from", "covered", "character precision", "clean notes", title=title)
    names = {value: name for name, value in SENSITIVITIES.items()}
    for least in THRESHOLDS:
        gold = covered = given = right = clean = 0
        for one in reads:
            inside, text = marked(one, least), one.note.text
            spans = [letters(text, [(s.start, s.end)]) for s in one.note.spans]
            gold += len(spans)
            covered += sum(span <= inside for span in spans)
            given += len(inside)
            right += len(inside & set().union(*spans))
            clean += is_clean(one, least)
        table.add_row(
            f"{least} {names.get(least, '')}",
            f"{100 * covered / max(1, gold):.1f}",
            f"{100 * right / max(1, given):.1f}",
            f"{100 * clean / max(1, len(reads)):.1f}",
        )
    return table


def releases(reads: list[Read], title: str) -> Table:
    """Return the table of bounds on the risk."""
    table = Table("risk below", "notes", "with something left", title=title)
    balanced = SENSITIVITIES["balanced"]
    for bound in BOUNDS:
        go = [one for one in reads if one.risk < bound]
        left = sum(not is_clean(one, balanced) for one in go)
        table.add_row(
            str(min(1.0, bound)),
            f"{100 * len(go) / max(1, len(reads)):.0f} %",
            f"{left} of {len(go)} ({100 * left / max(1, len(go)):.1f} %)",
        )
    return table


def main() -> None:
    """Print both tables for each folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--ner", default="transformer")
    options = parser.parse_args()
    console = Console()
    reads = [one for folder in options.folder for one in read(folder, options.ner)]
    title = f"{len(reads)} notes, {options.ner}"
    console.print(points(reads, title))
    console.print(releases(reads, title))


if __name__ == "__main__":
    main()
