"""Slips of the pen in names: recognised, and made again in surrogates."""

import re

from rapidfuzz.distance import OSA

from presidio_mx.replace.surrogates.lexicon import lexicon

# Letters that sound alike, and those that no slip is told by.
_SOUNDS = str.maketrans("vzyjkq", "bsigcc", "aeiouh")

_SPELLINGS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"(?<!c)h", ""),
        (r"c(?=[ei])|z", "s"),
        (r"g(?=[ei])", "j"),
        (r"qu(?=[ei])|c(?!h)|k", "k"),
        (r"v", "b"),
        (r"ll", "y"),
        (r"y$", "i"),
        (r"ss", "s"),
    )
)


def is_slip(word: str, other: str) -> bool:
    """Tell whether one word looks like another with a slip of the pen.

    :param word: A folded word.
    :param other: Another one.
    :return: True for ``mendosa`` and ``mendoza``.
    """
    if word == other or min(len(word), len(other)) < 5 or word[0] != other[0]:
        return False
    allowed = 2 if min(len(word), len(other)) >= 9 else 1
    if OSA.distance(word, other, score_cutoff=allowed) > allowed:
        return False
    usual = lexicon().usual  # Ismael is no slip of Israel, Bryan one of Brayan
    if not (word in usual and other in usual):
        return True
    if {word[-1], other[-1]} == {"a", "o"}:  # Lázaro and Lázara are two
        return False
    return word.translate(_SOUNDS) == other.translate(_SOUNDS)


def sound_alike(word: str, other: str) -> bool:
    """Tell whether two words are spellings of one sound: "Eliezer", "Eliécer".

    :param word: A folded word.
    :param other: Another one.
    """
    return word != other and _sound(word) == _sound(other)


def _sound(word: str) -> str:
    for pattern, sound in _SPELLINGS:
        word = pattern.sub(sound, word)
    return word


def repeat_slip(word: str, meant: str, surrogate: str) -> str:
    """Make in a surrogate the kind of slip that a word has.

    :param word: The word with the slip, folded.
    :param meant: The word that was meant, folded.
    :param surrogate: Surrogate of the word that was meant.
    :return: The surrogate with a similar slip at a similar place.
    """
    place = next(
        (i for i, (a, b) in enumerate(zip(word, meant, strict=False)) if a != b),
        min(len(word), len(meant)) - 1,
    )
    at = min(max(1, place * len(surrogate) // len(meant)), len(surrogate) - 2)
    head, tail = surrogate[:at], surrogate[at:]
    if len(word) > len(meant):
        return head + tail[0] + tail
    if len(word) < len(meant):
        return head + tail[1:]
    swapped = head + tail[1] + tail[0] + tail[2:]
    if sorted(word) == sorted(meant) and swapped != surrogate:
        return swapped
    replaced = {"s": "z", "z": "s", "b": "v", "v": "b", "a": "e", "e": "i", "i": "e"}
    other = replaced.get(tail[0].lower(), "a" if tail[0] not in "aá" else "o")
    return head + other + tail[1:]
