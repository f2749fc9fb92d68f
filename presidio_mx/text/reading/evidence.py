"""Judge in which one-byte encoding Spanish words were written.

Statistics over languages take Spanish in capitals for Turkish or Czech. Here only three
encodings are in question, those of Windows, of DOS and of old Macintoshes, and each
word with a high byte is a witness: read rightly it is a Spanish word, read wrongly it
has a symbol among its letters or a capital among small ones.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from presidio_mx.text.reading.lexicon import LETTERS, words_known

CODECS = ("cp1252", "cp850", "mac_roman")
# It begins where no letter stands before, so that long runs are read in linear time.
TOKEN = re.compile(rb"(?<![A-Za-z\x80-\xff])[A-Za-z]*[\x80-\xff][A-Za-z\x80-\xff]*")
_WORD = re.compile(r"[^\W\d_]+")
# What stands in notes beside letters; each is a sign of right reading nowhere.
_MARKS = frozenset("¿¡ºª°·«»±²³¹½¼¾µ´×÷“”‘’–—…•†€™®\u00a0\u00ad")
_BLANK = "\u00a0\u00ad"
_JOINING = "–—’·"
_FOREIGN = frozenset("àâãäåæçèêëìîïðòôõöøùûýþÿßœšžÀÂÃÄÅÆÇÈÊËÌÎÏÐÒÔÕÖØÙÛÝÞŒŠŽŸ")
_VOWELS = frozenset("aeiouáéíóúüAEIOUÁÉÍÓÚÜ")
_FORM = re.compile("[\u2500-\u259f]+")  # frames of DOS forms
KNOWN, PLAIN, NEUTRAL, FOREIGN, ODD, WRONG = 1.5, 0.5, 0.0, -0.25, -0.5, -1.0
_WEIGHT = 20
_LONGEST = 64
_WRONG_SHARE = 0.05


def sloppy(data: bytes, codec: str) -> str:
    """Decode bytes of a one-byte encoding; bytes that it lacks become controls."""
    return "".join(bytes([byte]).decode(codec, "ignore") or chr(byte) for byte in data)


def score_text(text: str) -> float:
    """Return how well a token reads as Spanish: from ``WRONG`` to ``KNOWN``.

    :param text: A word with letters that are not ASCII, and what is glued to it.
    :return: The score; one sign of wrong reading outweighs everything.
    """
    if _FORM.fullmatch(text):
        return NEUTRAL
    scores = [_symbols(text)]
    for match in _WORD.finditer(text):
        if not match[0].isascii():
            scores.append(_word(match[0]))
    return min(scores) if min(scores) < 0 else max(scores)


def _symbols(text: str) -> float:
    worst = NEUTRAL
    for place, character in enumerate(text):
        mark = character in _MARKS
        if character.isascii() or (character.isalpha() and not mark):
            continue
        if not mark:
            return WRONG
        around = text[max(0, place - 1) : place] + text[place + 1 : place + 2]
        if character == "’" and around[-1:].isupper():
            continue  # d’Angelo
        if len(around) == 2 and around.isalpha() and character not in _BLANK:
            if character not in _JOINING:
                return WRONG
            worst = ODD
    return worst


def _word(word: str) -> float:
    worst = PLAIN
    for place, letter in enumerate(word):
        if letter.isascii():
            continue
        before, after = word[:place], word[place + 1 :]
        if letter in _MARKS:
            continue
        if not (letter in LETTERS or letter in _FOREIGN):
            return WRONG
        if not _case_fits(before, letter, after):
            return WRONG
        if letter in "ñÑ" and after and after[0] not in _VOWELS:
            return WRONG
        if letter in _FOREIGN:
            worst = min(worst, FOREIGN)
        if letter.islower() and after[:1].isupper():
            worst = ODD
    return KNOWN if word.lower() in words_known() else worst


def _case_fits(before: str, letter: str, after: str) -> bool:
    if letter.isupper():
        return not (before and (before[-1].islower() or after[:1].islower()))
    if before and before[-1].isupper():
        return len(before) == 1 and not after[:1].isupper()
    return not (not before and after[:1].isupper())


@lru_cache(maxsize=1 << 16)
def scores_of(token: bytes) -> tuple[float, ...]:
    """Return the score of a token in each of the encodings.

    :param token: Letters and high bytes.
    :return: Scores in the order of ``CODECS``.
    """
    token = token[:_LONGEST]
    return tuple(score_text(sloppy(token, codec)) for codec in CODECS)


@dataclass(frozen=True)
class Verdict:
    """In which encoding words were written.

    :param codec: Python's name of it; empty if it is not certain.
    :param mixed: Whether no single encoding reads them all, but each word is certain.
    """

    codec: str
    mixed: bool = False


def judge(tokens: Mapping[bytes, int]) -> Verdict:
    """Judge by all words with high bytes.

    :param tokens: How often each occurs.
    :return: The verdict.
    """
    totals = _totals(tokens)
    windows = totals[0]
    best = max(totals, key=lambda total: (total.sum, -CODECS.index(total.codec)))
    if best.codec != windows.codec and best.plain:
        if best.known and best.certain and best.sum - windows.sum >= 1.0:
            return Verdict(best.codec)
        if windows.sum < NEUTRAL:
            return _apart(tokens)
    rivals = [total for total in totals if total is not windows]
    alone = all(rival.sum < windows.sum or not rival.plain for rival in rivals)
    if windows.certain and (alone or windows.sum >= NEUTRAL):
        return Verdict(windows.codec)
    return _apart(tokens)


@dataclass
class _Total:
    codec: str
    sum: float = 0.0
    plain: int = 0
    known: int = 0
    wrong: int = 0
    elsewhere: int = 0
    number: int = 0

    @property
    def certain(self) -> bool:
        """Whether nearly all is read rightly, or what is not is a slip of the pen."""
        slips = not self.elsewhere and self.wrong <= self.known
        return slips or self.wrong <= _WRONG_SHARE * self.number

    def add(self, score: float, best: float, count: int) -> None:
        self.sum += score * count
        self.number += count
        self.plain += count * (score >= PLAIN)
        self.known += count * (score >= KNOWN)
        self.wrong += count * (score <= WRONG)
        self.elsewhere += count * (score <= WRONG and best >= KNOWN)


def _totals(tokens: Mapping[bytes, int]) -> list[_Total]:
    totals = [_Total(codec) for codec in CODECS]
    for token, count in tokens.items():
        scores = scores_of(token)
        for total, score in zip(totals, scores, strict=True):
            total.add(score, max(scores), min(count, _WEIGHT))
    return totals


def codec_of(token: bytes) -> str:
    """Return the encoding of one word in a file where they are mixed.

    :param token: Letters and high bytes.
    :return: The best; that of Windows among equals.
    """
    scores = scores_of(token)
    return CODECS[scores.index(max(scores))]


def _apart(tokens: Mapping[bytes, int]) -> Verdict:
    """Judge every word alone: files were put together from several encodings."""
    known = wrong = number = 0
    used: Counter[str] = Counter()
    for token, count in tokens.items():
        best, second = sorted(scores_of(token), reverse=True)[:2]
        number += count
        wrong += count * (best < NEUTRAL)
        if best >= KNOWN and best - second >= 1.0:
            known += count
            used[codec_of(token)] += count
    if known * 2 >= number and wrong <= _WRONG_SHARE * number:
        common = used.most_common(1)[0][0] if used else ""
        return Verdict(common, len(used) > 1)
    return Verdict("")
