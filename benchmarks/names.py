"""Names in plain sentences: how many are found, by typing and by how rare they are.

usage: python benchmarks/names.py [--each 20] [--seed 5] [--ner transformer]

Names are drawn from the gazetteers (by the root of their counts, so that rare ones are
not rare here) and put into some seventy short sentences of notes. In the second half
every word of four letters or more has a slip, so that hardly any stands in a list. A
name is found where all its letters are covered. Each sentence stands alone: no note
around it helps, which makes this harder than notes are.
"""

import argparse
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from rich.console import Console
from rich.table import Table

from presidio_mx import build_analyzer
from presidio_mx.spanish.gazetteer import rows
from presidio_mx.spanish.writing import strip_accents

SENTENCES = Path(__file__).with_name("names.yaml")
LETTERS = "abcdeghijlmnoprstuvyz"
Names = tuple[list[str], list[float]]


@dataclass(frozen=True)
class Cases:
    """What sentences are made of.

    :param sentences: Sentences with a gap, by the parts of the name that fills it.
    :param lists: Given names and surnames.
    """

    sentences: Mapping[str, Sequence[str]]
    lists: Mapping[str, Names]


TYPING: dict[str, Callable[[str], str]] = {
    "as it should be": str,
    "without accents": strip_accents,
    "CAPITALS": str.upper,
    "small letters": lambda text: strip_accents(text).lower(),
}


def listed(name: str) -> Names:
    """Return the entries of a gazetteer and how often to draw each."""
    entries = list(rows(name))
    weights = [int(row["count"] or 1) ** 0.5 for row in entries]
    return [row["name"] for row in entries], weights


def slip(word: str, draw: random.Random) -> str:
    """Return a word with a letter changed, added or left out."""
    if len(word) < 4:
        return word
    place, kind = draw.randrange(1, len(word)), draw.randrange(3)
    letter = draw.choice(LETTERS) if kind else ""
    return word[:place] + letter + word[place + (kind < 2) :]


def name_of(
    parts: str, lists: Mapping[str, Names], draw: random.Random, odd: bool
) -> str:
    """Return a name: ``g`` for a given name, ``s`` for a surname, one letter a part."""
    kinds = {"g": "given_names", "s": "surnames"}
    words = [draw.choices(*lists[kinds[part]])[0] for part in parts]
    return " ".join(slip(word, draw) if odd else word for word in words)


def found_share(
    find: Callable[[str], Sequence[tuple[int, int]]],
    cases: Cases,
    typed: Callable[[str], str],
    each: int,
    seed: int,
    odd: bool,
) -> float:
    """Return the share of names whose letters are all covered.

    :param find: Returns the spans found in a sentence.
    :param cases: Sentences and names.
    :param typed: How the sentence is typed.
    :param each: Names drawn for every sentence.
    :param seed: Of the draw.
    :param odd: Whether every word has a slip.
    """
    draw = random.Random(seed)
    hits = total = 0
    for parts, sentences in cases.sentences.items():
        for sentence in sentences:
            for _ in range(each):
                name = name_of(parts, cases.lists, draw, odd)
                before = typed(sentence[: sentence.index("_")])
                text = before + typed(name) + typed(sentence[len(before) + 1 :])
                spans = find(text)
                letters = range(len(before), len(before) + len(typed(name)))
                total += 1
                hits += all(
                    any(start <= i < end for start, end in spans)
                    for i in letters
                    if text[i].isalnum()
                )
    return hits / total


def finder(ner: str) -> Callable[[str], Sequence[tuple[int, int]]]:
    """Return a function that finds spans with rules alone or with a model."""
    engine = build_analyzer(ner=ner)
    return lambda text: [
        (result.start, result.end) for result in engine.analyze(text, language="es")
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--ner", default="transformer")
    arguments = parser.parse_args()
    table = Table("names", "typed", "rules alone", f"rules + {arguments.ner}")
    cases = Cases(
        yaml.safe_load(SENTENCES.read_text("utf-8")),
        {name: listed(name) for name in ("given_names", "surnames")},
    )
    finders = [finder("none"), finder(arguments.ner)]
    for odd in (False, True):
        for typing, typed in TYPING.items():
            shares = [
                found_share(find, cases, typed, arguments.each, arguments.seed, odd)
                for find in finders
            ]
            kind = "with a slip in every word" if odd else "of the gazetteers"
            table.add_row(kind, typing, *(f"{100 * share:.1f}" for share in shares))
    Console().print(table)


if __name__ == "__main__":
    main()
