"""Words that a scanner misread: ``Bcrtha``, ``infecclon``, ``crcdcncial``, ``rnayo``.

A word that no list has is read anew with letters that scanners take for one another,
until one is found that a list has: a letter changed in short words, up to three in long
ones.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from presidio_mx.find.note.document import Document
from presidio_mx.find.note.edit import Edit
from presidio_mx.find.note.lexicon import Lexicon
from presidio_mx.text.folding import fold

# What stands in the scan, and what it may have been (Kukich 1992, "Techniques for
# automatically correcting words in text", on confusions of shape; counted in the scans
# of samples/corpus).
_USUAL = {
    "rn": "m",
    "cl": "d",
    "fi": "ñ",
    "fl": "ñ",
    "ii": "n",
    "l": "i",
    "c": "e",
    "h": "ñ",
}
# These are believed in a note where they make words of two others at least.
_SELDOM = {
    "nn": "m",
    "ri": "n",
    "li": "h",
    "vv": "w",
    "ii": "u",
    "i": "l",
    "t": "lf",
    "f": "t",
    "c": "o",
    "e": "co",
    "o": "ec",
    "h": "b",
    "b": "h",
    "n": "u",
    "u": "nv",
    "v": "uy",
    "y": "v",
    "g": "qc",
    "q": "g",
    "p": "r",
}
_LEAST_WORDS = 2
_SHORTEST = 4
# A word of so many letters may have as many wrong as it stands behind.
_LENGTHS = (4, 7, 10)
# A short word is believed to be another only if that is common.
_COMMON, _SHORT = 0.3, 6
_LONGEST = 24
# Words with more readings are read with fewer letters changed: time has a bound.
_MOST_READINGS = 4000


class Slip(NamedTuple):
    """A place in a word where a scanner saw something else.

    :param start: First letter.
    :param end: Letter after the last.
    :param meant: The letter that was there.
    """

    start: int
    end: int
    meant: str


Shapes = Mapping[str, str]


def _pairs(shapes: Shapes) -> Iterator[tuple[str, str]]:
    return ((seen, letter) for seen, letters in shapes.items() for letter in letters)


def _grouped(pairs: Iterable[tuple[str, str]]) -> Shapes:
    made: dict[str, str] = {}
    for seen, letter in sorted(pairs):
        made[seen] = made.get(seen, "") + letter
    return made


_EVERY = _grouped({*_pairs(_USUAL), *_pairs(_SELDOM)})


def misread_words(document: Document, lexicon: Lexicon) -> Iterator[Edit]:
    """Yield what makes words of what a scanner made of them: "rnayo", "48 ahos".

    :param document: A note that came from a scanner.
    :param lexicon: What is known of words.
    """
    unknown = {
        index: word
        for index, (word, flag) in enumerate(
            zip(document.words, document.flags, strict=True)
        )
        if not flag and word.isalpha() and word not in lexicon.places
    }
    shapes = _shapes_of(set(unknown.values()), lexicon)
    for index, word in unknown.items():
        start = document.starts[index]
        written = document.text[start : document.ends[index]]
        for slip in meant(word, lexicon, shapes):
            yield from _edits(written, start, slip)


def _shapes_of(words: set[str], lexicon: Lexicon) -> Shapes:
    """Return what was taken for one another in a note, by the words that tell."""
    told: Counter[tuple[str, str]] = Counter()
    for word in words:
        slips = meant(word, lexicon, _EVERY)
        told.update({(word[s.start : s.end], s.meant) for s in slips})
    usual = {(seen, letter) for seen, letter in _pairs(_USUAL)}
    return _grouped(usual | {pair for pair, n in told.items() if n >= _LEAST_WORDS})


def meant(word: str, lexicon: Lexicon, shapes: Shapes) -> tuple[Slip, ...]:
    """Return where a word was misread; nothing where no reading is a word.

    :param word: A folded word that no list has.
    :param lexicon: What is known of words.
    :param shapes: What may have been taken for one another.
    """
    if not _SHORTEST <= len(word) <= _LONGEST:
        return ()
    slips = list(_slips(word, shapes))
    read: list[tuple[tuple[Slip, ...], str]] = [((), word)]
    for least in _LENGTHS:
        if len(word) < least or len(read) * len(slips) > _MOST_READINGS:
            break
        read = [
            ((*done, slip), _with(text, len(word), slip))
            for done, text in read
            for slip in slips
            if not done or slip.start >= done[-1].end
        ]
        known = [
            (weight, done) for done, text in read if (weight := _weight(text, lexicon))
        ]
        if known:
            weight, best = max(known)
            return best if len(word) >= _SHORT or weight >= _COMMON else ()
    return ()


def _slips(word: str, shapes: Shapes) -> Iterator[Slip]:
    for start in range(len(word)):
        for size in (1, 2):
            for letter in shapes.get(word[start : start + size], ""):
                yield Slip(start, start + size, letter)


def _with(text: str, length: int, slip: Slip) -> str:
    """Return a reading with one more slip, which stands behind those made before.

    :param text: The reading; what stands behind the slip is as in the word.
    :param length: Length of the word.
    :param slip: The slip, in offsets of the word.
    """
    shorter = length - len(text)
    before, after = text[: slip.start - shorter], text[slip.end - shorter :]
    return before + fold(slip.meant) + after


def _weight(word: str, lexicon: Lexicon) -> float:
    """Return how common a word is, or a name; 0 where no list has it."""
    if word in lexicon.places:
        return 1.0
    if not lexicon.flags.get(word):
        return 0.0
    lists = (lexicon.ordinary, lexicon.given, lexicon.surname)
    return max(0.01, *(known.get(word, 0.0) for known in lists))


def _edits(written: str, start: int, slip: Slip) -> Iterator[Edit]:
    letter = slip.meant.upper() if written[slip.start].isupper() else slip.meant
    # A word keeps its first letter and its last: spans end there.
    kept = slip.start if slip.start == 0 else slip.end - 1
    if slip.start < kept:
        yield Edit(start + slip.start, start + kept)
    yield Edit(start + kept, start + kept + 1, letter)
    if kept + 1 < slip.end:
        yield Edit(start + kept + 1, start + slip.end)
