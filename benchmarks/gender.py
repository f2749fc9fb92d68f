"""What a note still tells of the patient's sex when names are gone.

usage: python benchmarks/gender.py [--train N]

A classifier learns the sex of the patient from annotated notes whose identifiers were
replaced by tags, and guesses it on held-out notes by other authors; then the same with
the profile ``neutral-gender``, on whose output it learns anew. The sex is that of the
patient's given name, which the classifier does not see. Naive Bayes over the words and
pairs of words that a note has (Wang and Manning 2012, "Baselines and bigrams"). Notes
of which the sex is told by what only one sex has ("gesta", "próstata") are part of
both, so that the second figure cannot fall to chance.
"""

import argparse
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from presidio_mx.replacing import replace_found
from presidio_mx.research.corpora.store import read_corpus
from presidio_mx.spanish.names import parse_name, sex_of_given
from presidio_mx.text.folding import fold
from presidio_mx.text.spans import Note

CORPUS = Path(__file__).parents[1] / "samples" / "corpus"
PROFILES = ("tag", "neutral-gender")
_WORD = re.compile(r"[^\W\d_]+(?:/[^\W\d_]+)?")
_SEXES = ("F", "M")


@dataclass(frozen=True)
class Known:
    """A note whose patient's sex is known.

    :param note: The note.
    :param sex: F or M.
    """

    note: Note
    sex: str


def with_sex(notes: Iterable[Note]) -> list[Known]:
    """Return the notes of one patient whose given name tells the sex."""
    found = []
    for note in notes:
        names = [
            parse_name(note.covered(span)).given
            for span in note.spans
            if span.role == "patient"
        ]
        sexes = {sex_of_given(given) for given in names if given} & set(_SEXES)
        if len(sexes) == 1:
            found.append(Known(note, sexes.pop()))
    return found


def features(text: str) -> set[str]:
    """Return the words of a text and its pairs of words."""
    words = _WORD.findall(fold(text))
    return {*words, *map(" ".join, zip(words, words[1:], strict=False))}


def learn(rows: Sequence[tuple[set[str], str]]) -> dict[str, float]:
    """Return how much each feature speaks for F, as log-odds."""
    counts = {sex: Counter[str]() for sex in _SEXES}
    total = Counter(sex for _, sex in rows)
    for found, sex in rows:
        counts[sex].update(found)
    return {
        word: math.log((counts["F"][word] + 1) / (total["F"] + 2))
        - math.log((counts["M"][word] + 1) / (total["M"] + 2))
        for word in counts["F"] | counts["M"]
        if counts["F"][word] + counts["M"][word] > 2
    }


def accuracy(weights: dict[str, float], rows: Sequence[tuple[set[str], str]]) -> float:
    """Return how many notes are guessed right, per cent."""
    right = sum(
        (sum(weights.get(word, 0.0) for word in found) > 0) == (sex == "F")
        for found, sex in rows
    )
    return 100 * right / len(rows)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", type=int, default=3_000, help="notes to learn from")
    size = parser.parse_args().train
    train = with_sex(read_corpus(CORPUS / "train").notes)
    train = train[:: max(1, len(train) // size)]
    unseen = with_sex(read_corpus(CORPUS / "heldout").notes)
    women = sum(row.sex == "F" for row in unseen)
    often = 100 * max(women, len(unseen) - women) / len(unseen)
    print(f"{len(train)} notes to learn from, {len(unseen)} to guess")
    print(f"{'always the commoner sex':32} {often:5.1f} % right")
    for profile in PROFILES:
        learnt, guessed = (
            [
                (
                    features(replace_found(k.note.text, k.note.spans, profile).text),
                    k.sex,
                )
                for k in rows
            ]
            for rows in (train, unseen)
        )
        print(f"{profile:32} {accuracy(learn(learnt), guessed):5.1f} % right")


if __name__ == "__main__":
    main()
