"""How varied notes of ``presidio-mx synthesize`` are, beside hand-written ones.

usage: python benchmarks/synthesis.py [--notes 10000] [--seed 1]

What identifies is put by its type first: names and numbers are new in each note anyhow
and would hide that the rest repeats itself. Distinct 3-grams of words are counted over
as many words of both, drawn note by note. A skeleton is a note of which only the words
of the language are left, digits as noughts. Exit 1 if a promise is broken.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from statistics import median

from presidio_mx.research.corpora.store import read_corpus
from presidio_mx.research.corpora.synthesis import synthesize
from presidio_mx.text.spans import Note

SAMPLES = Path(__file__).parents[1] / "samples" / "corpus"
WORD = re.compile(r"\w+")
SIZES = (10_000, 50_000, 150_000)
PROMISED = 150_000
LEAST_SHARE = 0.65
MOST_ALIKE = 0.01


def masked(note: Note) -> str:
    """Return a note with types in place of what identifies."""
    parts, position = [], 0
    for span in note.spans:
        if span.start >= position:
            parts += [note.text[position : span.start], f" {span.entity_type} "]
            position = span.end
    return "".join([*parts, note.text[position:]])


def distinct(texts: Sequence[str], words: int) -> float:
    """Return the share of 3-grams that are different, over so many of them."""
    seen: set[tuple[str, ...]] = set()
    count = 0
    for text in texts:
        tokens = WORD.findall(text.lower())
        for gram in zip(tokens, tokens[1:], tokens[2:], strict=False):
            seen.add(gram)
            count += 1
            if count == words:
                return len(seen) / count
    raise SystemExit(f"there are no {words} words; ask for more notes")


def skeletons(texts: Iterable[str]) -> Counter[str]:
    """Count notes that differ in numbers and identifiers only."""
    return Counter(re.sub(r"\d+", "0", text.lower()) for text in texts)


def main() -> int:
    """Print the figures; return 1 if one is not what is promised."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    made = list(synthesize(chosen.notes, chosen.seed))
    written = read_corpus(SAMPLES / "train").notes
    broken = False
    texts = {}
    for name, notes in (("hand-written", written), ("synthesised", made)):
        texts[name] = [masked(note) for note in notes]
        Random(0).shuffle(texts[name])
        lengths = sorted(len(note.text.split()) for note in notes)
        inside = sum(80 <= length <= 600 for length in lengths) / len(lengths)
        print(
            f"{name}: {len(notes):,} notes, {sum(lengths):,} words; of a note "
            f"{lengths[0]} to {lengths[-1]}, median {median(lengths):.0f}; "
            f"{100 * inside:.1f} % have 80 to 600"
        )
    print("\n| 3-grams | hand-written | synthesised | share of it |\n|---|---|---|---|")
    for size in SIZES:
        by_hand, by_grammar = (distinct(part, size) for part in texts.values())
        share = by_grammar / by_hand
        broken |= size <= PROMISED and share < LEAST_SHARE
        print(
            f"| {size:,} | {100 * by_hand:.1f} % | {100 * by_grammar:.1f} % "
            f"| {100 * share:.0f} % |"
        )
    _, most = skeletons(texts["synthesised"]).most_common(1)[0]
    alike = most / len(made)
    reserved = sum("@example." in note.text for note in made)
    broken |= alike > MOST_ALIKE or reserved > 0
    print(f"\nnotes of the commonest skeleton: {100 * alike:.2f} %")
    print(f"notes with an e-mail of example.com: {reserved}")
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
