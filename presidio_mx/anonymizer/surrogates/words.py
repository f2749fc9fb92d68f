"""Surrogates of words that no list knows, so that they still read like Spanish names.

A word is cut into sounds; every sound is replaced by another of its class (vowel by
vowel, onset by onset, coda by coda). Word to word this is a keyed permutation of all
words of one sound pattern that are in no list: two words never share a surrogate, no
word stays itself, and none becomes a name of the lists.
"""

import re
from collections.abc import Container

from presidio_mx.anonymizer.surrogates.draw import Draw

# Spanish syllables: Real Academia Española, Ortografía (2010), chapter I.
_CLASSES: dict[str, tuple[str, ...]] = {
    "cluster": tuple("br bl cr cl dr fr fl gr gl pr pl tr".split()),
    "digraph": ("ch", "ll", "tz", "tl"),
    "glide": ("hu", "cu"),
    "native end": tuple("tl tz ch c x k t b p".split()),
    "strong r": ("rr",),
    "vowel y": ("y",),
    "quiet u": ("que", "qui", "gue", "gui"),
    "diphthong": tuple("ia ie io ua ue ui ai ei au eu".split()),
    "vowel": tuple("aeiou"),
    "onset": tuple("bcdfghjlmnprstvyz"),
    "coda": tuple("nrslzdm"),
    "rare coda": tuple("bcfgkptvx"),
    "odd coda": tuple("hjqw"),
    "rare onset": tuple("kqwx"),
}
# What stands between, before and after the vowels of Spanish names and of those of
# Nahuatl and Maya origin.
_HEAD = re.compile(r"(?:[bcfgp][lr]|[dt]r|ch|ll|t[zl]|qu|gu|hu|[a-z])?$")
_MIDDLE = re.compile(r"(?:m[bp]|[nrslz])?(?:[bcfgp][lr]|[dt]r|ch|ll|rr|t[zl]|[a-z])?$")
_END = re.compile(r"(?:t[zl]|ch|[nrslzdcxktbp])?$")
_VOWELS = re.compile(r"[aeiou]+")
_MOST_STEPS = 2_000
_SOUND = re.compile(
    r"(?P<cluster>[bcfgp][rl]|[dt]r(?=[aeiou]))(?=[aeiou])"
    r"|(?P<digraph>ch|ll|t[zl])(?=[aeiou])"
    r"|(?P<glide>[hc]u(?=[aei]))"
    r"|(?P<native_end>t[zl]$|ch$|[cxktbp]$)"
    r"|(?P<strong_r>rr)(?=[aeiou])"
    r"|(?P<quiet_u>[qg]u[ei])"
    r"|(?P<diphthong>i[aeo]|u[aei]|[ae][iu])"
    r"|(?P<vowel>[aeiou])"
    r"|(?P<vowel_y>y)(?![aeiou])"
    r"|(?P<onset>[bcdfghjlmnprstvyz])(?=[aeiou])"
    r"|(?P<rare_onset>[kqwx])(?=[aeiou])"
    r"|(?P<coda>[nrslzdm])"
    r"|(?P<rare_coda>[bcfgkptvx])"
    r"|(?P<odd_coda>[a-z])"
)


def _sounds(word: str) -> list[tuple[str, str]]:
    found = []
    for match in _SOUND.finditer(word):
        found.append((str(match.lastgroup).replace("_", " "), match.group()))
    return found


def reads_well(word: str) -> bool:
    """Tell whether the consonants of a word stand as they do in names of Mexico.

    :param word: A folded word.
    :return: True for ``xoconostle`` and ``tuyub``, False for ``wdonhon``.
    """
    runs = _VOWELS.split(word)
    middle = runs[1:-1]
    return (
        len(runs) > 1
        and _HEAD.match(runs[0]) is not None
        and _END.match(runs[-1]) is not None
        and all(_MIDDLE.match(run) for run in middle)
    )


def unknown_word(word: str, taken: Container[str], draw: Draw) -> str:
    """Return the surrogate of a word that is in no list.

    :param word: The word, folded: letters a to z.
    :param taken: Folded words that no surrogate may be.
    :param draw: Keyed numbers.
    :return: A word of the same length and sound pattern, in lower case; the word
        itself if there is no other (a pattern of very few words).
    """
    sounds = _sounds(word)
    pattern = [name for name, _ in sounds]
    classes = [_CLASSES[name] for name in pattern]
    size, index = 1, 0
    for (_, sound), members in zip(sounds, classes, strict=True):
        index = index * len(members) + members.index(sound)
        size *= len(members)
    label = " ".join(pattern)
    reads = reads_well(word)
    for _ in range(_MOST_STEPS):
        index = draw.permute(size, index, "unknown word", label)
        rest, parts = index, []
        for members in reversed(classes):
            rest, place = divmod(rest, len(members))
            parts.append(members[place])
        candidate = "".join(reversed(parts))
        if candidate == word:
            break
        if (
            candidate not in taken
            and reads_well(candidate) == reads
            and [n for n, _ in _sounds(candidate)] == pattern
        ):
            return candidate
    return word
