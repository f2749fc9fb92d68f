"""A hand never seen: what a model makes of authors who joined after it was trained.

usage: python benchmarks/hands.py --joined BEFORE AFTER FOLDER... [--joined ...]

Each ``--joined`` names two models, one trained before some authors joined and the next,
which was trained on them, and the folders of notes of these authors, one for each. The
transformer is run alone. Printed for each author: notes, identifiers covered, exact F1
with its 95 % interval and notes without a leak by the model that had seen nothing of
the author. Then, on every sixth note, which no training used: exact F1 and covered of
both models. The difference is what it is worth that a model knows an author; the first
figures are what to expect of a hospital whose notes nobody here has seen.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from systems import Analyze, alone, run

from presidio_mx.find.ner.transformer import MxTransformerRecognizer
from presidio_mx.research.corpora import Note, read_corpus
from presidio_mx.research.evaluation import score
from presidio_mx.research.evaluation.scores import Scores

_LEFT_OUT = slice(0, None, 6)


@dataclass(frozen=True)
class Hand:
    """One author's notes, by a model that had not seen the author and one that had.

    :param name: Of the folder.
    :param unseen: All notes, by the model before.
    :param before: Every sixth note, by the model before.
    :param after: The same notes, by the model after.
    """

    name: str
    unseen: Scores
    before: Scores
    after: Scores


def of(model: Path) -> Analyze:
    """Return an engine that holds a model alone."""
    return alone([MxTransformerRecognizer(model, fused=False)])


def scores(analyze: Analyze, gold: Sequence[Note]) -> Scores:
    """Run a model over notes and score it."""
    notes = list(gold)
    return score(notes, run("", analyze, notes, "native").notes, "native")


def hands(before: Path, after: Path, folders: Sequence[Path]) -> Iterator[Hand]:
    """Score the authors who joined between two models."""
    unseen, seen = of(before), of(after)
    for folder in folders:
        gold = read_corpus(folder, "inline").notes
        part = gold[_LEFT_OUT]
        yield Hand(
            folder.name, scores(unseen, gold), scores(unseen, part), scores(seen, part)
        )


def row(hand: Hand) -> tuple[str, ...]:
    """Return an author's figures, per cent."""
    between = hand.unseen.intervals["exact F1"]
    return (
        hand.name,
        str(len(hand.unseen.notes)),
        _percent(hand.unseen.covered.value),
        f"{_percent(between.value)} ({_percent(between.low)}-{_percent(between.high)})",
        _percent(hand.unseen.clean.value),
        f"{_percent(hand.before.exact.f1)} → {_percent(hand.after.exact.f1)}",
        f"{_percent(hand.before.covered.value)} → {_percent(hand.after.covered.value)}",
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--joined", nargs="+", type=Path, action="append", required=True
    )
    arguments = parser.parse_args()
    table = Table("author", "notes", "covered", "exact F1", "clean", "F1", "covered")
    for before, after, *folders in arguments.joined:
        for hand in hands(before, after, folders):
            table.add_row(*row(hand))
        table.add_section()
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
