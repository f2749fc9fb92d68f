r"""Mend letters that an earlier export broke, where it is certain; else say so.

Recognizers know ``Muñoz``; they do not know ``MuÃ±oz``, ``Mu&ntilde;oz``,
``Mu\u00f1oz``, ``Mu¤oz`` or ``Mu?oz``, and would leave them in clear.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

import ftfy
from ftfy.badness import is_bad

from presidio_mx.errors import InputError
from presidio_mx.text.reading.kinds import refuse_control_characters
from presidio_mx.text.reading.lexicon import (
    LETTERS,
    with_holes,
    words_known,
    words_of_names,
)
from presidio_mx.text.reading.misread import undo_misreading

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z]{2,8}\d{0,2});")
# Letters of Latin-1, Latin Extended-A and general punctuation, as JSON and Java write
# them; a database that takes away backslashes leaves "Muu00f1oz".
_ESCAPE = re.compile(
    r"\\+[uU](00[a-fA-F][\da-fA-F]|01[0-7][\da-fA-F]|20[0-3][\da-fA-F])"
)
_HEX = r"u(00[c-fC-F][\da-fA-F])"
_BARE_ESCAPE = re.compile(rf"(?<=[A-Za-z]){_HEX}|\b{_HEX}(?=[a-z])")
_LATIN = "A-Za-zÀ-ÖØ-öø-ÿ"
# One letter that is gone: U+FFFD, once or for each of its two bytes, or a question
# mark.
_GONE = re.compile(rf"(?:[{_LATIN}]|\ufffd{{1,2}}|(?<=[{_LATIN}])\?|\?(?=[{_LATIN}]))+")
_RARER = 10.0
_SHORTEST = 4  # shorter words prove nothing
_MARKED = re.compile(rf"[{_LATIN}]\?|\?[{_LATIN}]")
_INSIDE = re.compile(rf"[{_LATIN}]\?[{_LATIN}]")
# The bytes of one letter, each read as a letter: ftfy need not look at other texts.
_PAIR = re.compile(r"[^\x00-\x7f]{2}|[ÃÂ]")
_PIECE = re.compile(r"\S+")
_SYMBOLS = re.compile(
    rf"[{_LATIN}]"
    r"[\u0080-\u009f¤¢£¥¦§¨¬±¶÷†‡ƒ‰‚„¸¯\u2500-\u259f\ue000-\uf8ff]+"
    r"[a-zß-öø-ÿ]"
)
_LOST = (
    "letters were lost before (replacement characters or ? in words, {number}); export "
    "it again"
)
_GARBLED = (
    "words have symbols among their letters ({number}), as if it was read in a wrong "
    "encoding; export it again, or name its encoding with --encoding"
)


@dataclass(frozen=True, repr=False)
class Mended:
    """A text and what was mended in it.

    :param text: The text.
    :param how: Names of what was mended; empty for a sound text.
    """

    text: str
    how: tuple[str, ...] = ()


def mend(text: str, name: str = "") -> Mended:
    """Mend what is certain.

    :param text: A note as it was decoded.
    :param name: What to call it in errors; empty for a row.
    :return: The note with its letters.
    :raises InputError: If letters are broken and it is not certain which they were, or
        the text is binary.
    """
    refuse_control_characters(text, name)
    how = []
    for step, change in _STEPS:
        new = change(text)
        if new != text:
            how.append(step)
            text = new
    where = f"{name}: " if name else ""
    if not text.isascii():
        new, garbled = undo_misreading(text)
        if new != text:
            how.append("a wrong encoding")
            text = new
        garbled = garbled or len(_SYMBOLS.findall(text))
        if garbled:
            raise InputError(where + _GARBLED.format(number=garbled))
    text, mended, lost = _fill(text)
    if lost:
        raise InputError(where + _LOST.format(number=lost))
    if mended:
        how.append("lost accents")
    return Mended(text, tuple(how))


def _entities(text: str) -> str:
    if "&" not in text:
        return text
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)


def _escapes(text: str) -> str:
    if "u0" not in text and "u20" not in text and "U0" not in text:
        return text
    text = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
    return _BARE_ESCAPE.sub(_bare, text)


def _bare(escape: re.Match[str]) -> str:
    letter = chr(int(escape[1] or escape[2], 16))
    return letter if letter in LETTERS else escape[0]


def _mojibake(text: str) -> str:
    """Undo UTF-8 that was read as a one-byte encoding, once or several times."""
    if not _PAIR.search(text) or not is_bad(text):
        return text
    return "".join(ftfy.fix_encoding(line) for line in text.splitlines(True))


_STEPS = (
    ("HTML entities", _entities),
    ("escapes", _escapes),
    ("UTF-8 read twice", _mojibake),
)


def _fill(text: str) -> tuple[str, int, int]:
    """Put back the accented letters that became ``?`` or U+FFFD.

    A question mark in a word may be a slip; only if another word of the text shows by
    the lists that letters are gone are the others taken for losses, too.

    :param text: The text.
    :return: The text, how many words were mended, and how many could not be.
    """
    replaced = "\ufffd" in text
    if not replaced and not ("?" in text and _MARKED.search(text)):
        return text, 0, 0
    parts, at, mended, lost = [], 0, 0, 0
    for match in _words_with_holes(text):
        word = match[0]
        whole = _whole(word)
        if whole is None:
            lost += _is_loss(word)
            continue
        mended += len(whole) >= _SHORTEST
        parts += [text[at : match.start()], whole]
        at = match.end()
    if not replaced and not mended:
        return text, 0, 0
    return "".join(parts) + text[at:], mended, lost


def _words_with_holes(text: str) -> Iterator[re.Match[str]]:
    for piece in _PIECE.finditer(text):
        holes = "?" in piece[0] or "\ufffd" in piece[0]
        if not holes or "://" in piece[0] or "www." in piece[0]:
            continue
        for match in _GONE.finditer(text, *piece.span()):
            if not match[0].isalpha():
                yield match


def _whole(word: str) -> str | None:
    """Return a word with its letters, if the lists have one such word alone."""
    holes = re.sub("\ufffd{1,2}|\\?", "?", word)
    letters = holes.replace("?", "")
    if not letters:
        return None
    whole = with_holes(holes.lower())
    if not whole:
        return None
    if word.startswith("?") or word.endswith("?"):
        # The end of a question, or its beginning whose ¿ is gone, is no lost letter.
        weights = words_known()
        if weights.get(letters.lower(), -1.0) > weights[whole] - _RARER:
            return None
    if letters.isupper() and len(letters) > 1:
        return whole.upper()
    # A first letter that is gone was a capital if the word is a name.
    capital = whole in words_of_names() if holes[0] == "?" else holes[0].isupper()
    return whole.capitalize() if capital else whole


def _is_loss(word: str) -> bool:
    """Tell whether a word that no list completes has surely lost a letter."""
    letters = sum(map(str.isalpha, word))
    if "\ufffd" in word:
        return letters > 1
    return bool(_INSIDE.search(word))
