r"""Undo letters that were read in a wrong encoding and then saved as other letters.

``Muñoz`` becomes ``Mu¤oz``, ``Mu–oz``, ``Mu±oz``, ``MuÒoz`` or ``Mu√±oz``. Each word is
written back into bytes and read anew; a word that is known only so is a witness, and
what the witnesses agree on is done to the other words that are none as they stand.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from presidio_mx.text.reading.evidence import (
    CODECS,
    KNOWN,
    NEUTRAL,
    WRONG,
    score_text,
    sloppy,
)
from presidio_mx.text.reading.lexicon import LETTERS, SPANISH, words_known

# In which encoding words were read, and in which they had been written.
Pair = tuple[str, str]
PAIRS: tuple[Pair, ...] = tuple(
    (read, written)
    for written in (*CODECS, "utf-8")
    for read in CODECS
    if read != written
)
_LATIN = f"A-Za-z{LETTERS}"
# Neither letters of Spanish nor blanks, nor what is composed or not seen.
_ODD = rf"(?![{LETTERS}\s\u00ad\u0300-\u036f\u200b-\u200f\u2060-\u206f])[^\x00-\x7f]"
_SUSPECT = re.compile(
    rf"(?<=[{_LATIN}]){_ODD}|{_ODD}(?=[{_LATIN}])"
    rf"|[a-z{SPANISH}][{SPANISH.upper()}]|[{SPANISH}][A-Z]|[A-Z][{SPANISH.upper()}][a-z]"
)
# A blank that does not break is the "á" of DOS.
_TOKEN = re.compile(
    r"(?<![A-Za-z\x80-\U0010ffff])[A-Za-z]*[^\x00-\x7f][^\x00-@\[-`{-~]*"
)
_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 4  # shorter words prove nothing
_LONGEST = 64
_RARER = 10.0


def undo_misreading(text: str) -> tuple[str, int]:
    """Undo a wrong encoding where words of the lists show that there was one.

    :param text: A text as it was decoded.
    :return: The text, and how many words in it are still none although others show
        that it was read in a wrong encoding.
    """
    if not _SUSPECT.search(text):
        return text, 0
    seen: Counter[Pair] = Counter()
    for match in _TOKEN.finditer(text):
        seen.update(pair for pair, _ in _witnesses(match[0]))
    if not seen:
        return text, 0
    pairs = sorted(seen, key=lambda pair: (-seen[pair], PAIRS.index(pair)))
    parts, at, broken = [], 0, 0
    for match in _TOKEN.finditer(text):
        word = _best(match[0], pairs)
        broken += _is_broken(word)
        parts += [text[at : match.start()], word]
        at = match.end()
    return "".join(parts) + text[at:], broken


def _is_broken(word: str) -> bool:
    letters = sum(map(str.isalpha, word))
    return letters > 1 and score_text(word) <= WRONG


def _witnesses(token: str) -> Iterator[tuple[Pair, str]]:
    """Yield how a token becomes a known word, unless it may stand as it is."""
    if len(token) < _SHORTEST or "\xa0" in token or _stands(token):
        return
    for pair in PAIRS:
        word = _reread(token, pair)
        if word and _is_known(word) and not _holds_a_word(token, word):
            yield pair, word


def _best(token: str, pairs: list[Pair]) -> str:
    """Return what a token was, by pairs that have witnesses, the commonest first."""
    if _stands(token):
        return token
    best, score = token, score_text(token)
    for pair in pairs:
        word = _reread(token, pair)
        if not word:
            continue
        new = score_text(word)
        blank = "\xa0" in token and pair != pairs[0] and not _is_known(word)
        if new > score and new >= NEUTRAL and not blank:
            best, score = word, new
    return best


def _stands(token: str) -> bool:
    """Tell whether a token is sound, or too long for a word."""
    return len(token) > _LONGEST or score_text(token) >= KNOWN


def _is_known(word: str) -> bool:
    """Tell whether all words with letters beyond ASCII are known, and there are any."""
    words = [w for w in _WORD.findall(word) if not w.isascii()]
    known = words_known()
    return (
        bool(words)
        and score_text(word) >= KNOWN
        and all(w.lower() in known for w in words)
    )


def _holds_a_word(token: str, word: str) -> bool:
    """Tell whether a sign beside a word explains a token: ``¡vida``, ``Ávida``."""
    core = _WORD.findall(token)
    weights = words_known()
    meant = max(weights.get(w.lower(), -1.0) for w in _WORD.findall(word))
    return len(core) == 1 and weights.get(core[0].lower(), -1.0) > meant - _RARER


def _reread(token: str, pair: Pair) -> str:
    """Return what a token was; empty if it cannot have been read so."""
    read, written = pair
    numbers = _bytes_of(read)
    try:
        raw = bytes(ord(c) if c.isascii() else numbers[c] for c in token)
    except KeyError:
        return ""
    if written != "utf-8":
        return sloppy(raw, written)
    try:
        return raw.decode(written)
    except UnicodeDecodeError:
        return ""


@cache
def _bytes_of(codec: str) -> dict[str, int]:
    """Return the byte of each character beyond ASCII."""
    return {sloppy(bytes([byte]), codec): byte for byte in range(0x80, 0x100)}
