"""Find the trigger that a misspelt word was meant to be."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from rapidfuzz.distance import OSA

# Longer runs of letters are no misspelt words, and would cost their square.
_LONGEST = 24


def _deletions(word: str) -> set[str]:
    """Return the word and every word that lacks one of its letters."""
    return {word} | {word[:i] + word[i + 1 :] for i in range(len(word))}


@dataclass(slots=True)
class TypoIndex:
    """Triggers by their one-letter deletions (Garbe's symmetric-delete index).

    Words of five letters or more match within one edit (a letter missing, added,
    changed or two exchanged), those of ten or more within two.

    """

    _by_deletion: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, words: Iterable[str], shortest: int = 5) -> "TypoIndex":
        """Build the index of the words that are long enough to be recognised."""
        index = cls()
        for word in sorted({word for word in words if len(word) >= shortest}):
            for deletion in _deletions(word):
                index._by_deletion.setdefault(deletion, []).append(word)
                if len(word) >= 10:
                    for second in _deletions(deletion):
                        index._by_deletion.setdefault(second, []).append(word)
        return index

    def trigger(self, word: str) -> str:
        """Return the nearest trigger within the edits allowed, or an empty string.

        :param word: A folded word that no list knows.
        """
        if not 4 <= len(word) <= _LONGEST:
            return ""
        best, best_distance = "", 3
        by_deletion = self._by_deletion
        keys = _deletions(word)
        if len(word) >= 10:
            pairs = combinations(range(len(word)), 2)
            keys |= {word[:i] + word[i + 1 : j] + word[j + 1 :] for i, j in pairs}
        for key in by_deletion.keys() & keys:
            for candidate in by_deletion[key]:
                allowed = 2 if len(candidate) >= 10 else 1
                distance = OSA.distance(word, candidate, score_cutoff=allowed)
                if distance <= allowed and (distance, candidate) < (
                    best_distance,
                    best,
                ):
                    best, best_distance = candidate, distance
        return best
