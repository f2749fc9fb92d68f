r"""What a CRF is told of each word of a note.

The kinds of features are those of Stat De-id (Uzuner, Sibanda, Luo and Szolovits, 2008,
Artificial Intelligence in Medicine 42) and HIDE (Gardner and Xiong, 2008, IEEE CBMS):
the word, its orthography (capitals, digits, length, shape), its affixes, the words
around it (here two on each side), the heading of its line, and whether dictionaries of
names, places and clinical words hold it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from presidio_mx.find.phrases.place.gazetteer import PlaceIndex, load_places
from presidio_mx.spanish.lexicon import Flag, Lexicon, load_lexicon
from presidio_mx.text.folding import fold
from presidio_mx.text.tokens import Piece

WINDOW = 2
_LONGEST_AFFIX = 4
_LONGEST_RUN = 24
_COMMON = 0.5
_FLAGS = (
    (Flag.GIVEN, "given"),
    (Flag.SURNAME, "surname"),
    (Flag.NICKNAME, "nickname"),
    (Flag.ABBREVIATED, "abbreviated"),
    (Flag.ORDINARY, "ordinary"),
    (Flag.MEDICAL, "medical"),
    (Flag.EPONYM, "eponym"),
    (Flag.DRUG, "drug"),
)


@dataclass(frozen=True, slots=True)
class Gazetteers:
    """The lists that features look words up in.

    :param lexicon: What is known of single words.
    :param places: Names of places.
    """

    lexicon: Lexicon
    places: PlaceIndex


def load_gazetteers() -> Gazetteers:
    """Return the shipped lists."""
    return Gazetteers(load_lexicon(), load_places())


def shape(word: str) -> str:
    """Return the kinds of a word's characters: ``María`` to ``Xxxxx``.

    :param word: Any text.
    :return: A text of equal length; signs stay.
    """
    return "".join(map(_kind, word))


def _kind(character: str) -> str:
    if character.isdigit():
        return "d"
    if character.isalpha():
        return "X" if character.isupper() else "x"
    return character


def _short(kinds: str) -> str:
    return "".join(kind for kind, _ in groupby(kinds))


def features(text: str, run: Sequence[Piece], lists: Gazetteers) -> list[list[str]]:
    """Return the features of each word of a run.

    :param text: The note.
    :param run: Start and end of each word.
    :param lists: The gazetteers.
    :return: A list of features for each word.
    """
    folded = fold(text)
    keys = [folded[start:end] for start, end in run]
    places = _places(keys, lists.places)
    own = [
        _word(text, piece, key, place, lists.lexicon)
        for piece, key, place in zip(run, keys, places, strict=True)
    ]
    found = []
    for i, piece in enumerate(run):
        row = ["bias", *own[i], *_affixes(keys[i]), *_layout(text, folded, piece)]
        for step in range(-WINDOW, WINDOW + 1):
            if step == 0:
                continue
            at = i + step
            if 0 <= at < len(run):
                row += [f"{step}:{feature}" for feature in own[at]]
            else:
                row.append(f"{step}:none")
        if i:
            row.append(f"-1|0={keys[i - 1]}|{keys[i]}")
        if i + 1 < len(run):
            row.append(f"0|1={keys[i]}|{keys[i + 1]}")
        found.append(row)
    return found


def _word(text: str, piece: Piece, key: str, place: str, lexicon: Lexicon) -> list[str]:
    word = text[piece[0] : piece[1]]
    kinds = shape(word)
    # Figures of one length are one word: their values say nothing.
    row = [f"w={'0' * len(key) if key.isdigit() else key}", f"s={_short(kinds)}"]
    if key.isalnum():
        row.append(f"n={min(len(key), 12)}")
    flags = lexicon.flags.get(key, 0)
    row += [f"g={name}" for flag, name in _FLAGS if flags & flag]
    if lexicon.given.get(key, 0.0) > _COMMON:
        row.append("g=common given")
    if lexicon.surname.get(key, 0.0) > _COMMON:
        row.append("g=common surname")
    if key.isalpha() and not flags:
        row.append("g=unknown")
    if place:
        row.append(f"p={place}")
    return row


def _affixes(key: str) -> list[str]:
    if not key.isalpha():
        return []
    sizes = range(1, min(_LONGEST_AFFIX, len(key)) + 1)
    return [f"<{key[:n]}" for n in sizes] + [f"{key[-n:]}>" for n in sizes]


def _layout(text: str, folded: str, piece: Piece) -> list[str]:
    """Return what stands around a word: its line's heading, the unbroken run of it."""
    start, end = piece
    line = folded.rfind("\n", 0, start) + 1
    before = folded[line:start]
    row = []
    if not before.strip():
        row.append("line begins")
    heading, colon, _ = before.partition(":")
    if colon and len(heading) < 40:
        row.append(f"h={heading.strip()}")
    left, right = start, end
    while left > line and not text[left - 1].isspace() and start - left < _LONGEST_RUN:
        left -= 1
    while (
        right < len(text) and not text[right].isspace() and right - end < _LONGEST_RUN
    ):
        right += 1
    if (left, right) != piece:
        kinds = shape(text[left:right])
        row.append(f"r={_short(kinds)}")
        row.append(f"r#={len(kinds)}")
    if end < len(text):
        row.append(f"then={'word' if text[end].isalnum() else text[end]!r}")
    return row


def _places(keys: Sequence[str], places: PlaceIndex) -> list[str]:
    """Return for each word whether it begins or goes on the name of a place."""
    found = [""] * len(keys)
    at = 0
    while at < len(keys):
        size, sure = _place_at(keys, at, places)
        for offset in range(size):
            sign = "B" if offset == 0 else "I"
            found[at + offset] = f"{sign} {'sure' if sure else 'unsure'}"
        at += max(size, 1)
    return found


def _place_at(keys: Sequence[str], at: int, places: PlaceIndex) -> tuple[int, bool]:
    """Return how many words the longest place has here, and whether it is sure."""
    seconds = places.by_first.get(keys[at], {})
    if at + 1 < len(keys):
        for rest, place in seconds.get(keys[at + 1], ()):
            if tuple(keys[at + 2 : at + 2 + len(rest)]) == rest:
                return 2 + len(rest), place.strength > 0
    single = seconds.get("")
    return (1, single[0][1].strength > 0) if single else (0, False)
