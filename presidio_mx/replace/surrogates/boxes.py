"""Values with a box or a blank for each letter: "|R|U|I|Z| |A|N|A|", "R U I Z"."""

import re

_SIGN = "|"
_BOXES = re.compile(r"\s?[^\W_]\s?(?:\|\s{0,2}[^\W_]?\s{0,2}){4,}")
_LEAST_FILLED = 4
# "M A R T H A   R U I Z": letters one blank apart, words two or more.
_SPACED_WORD = r"[^\W\d_](?: [^\W\d_])+"
_SPACED = re.compile(rf"{_SPACED_WORD}(?: {{2,5}}{_SPACED_WORD})*")
_GAP = re.compile(r" {2,}")
_VOWELS = frozenset("AEIOUÁÉÍÓÚ")


def unboxed(text: str) -> str:
    """Return the value whose letters stand in boxes, or the text itself.

    :param text: As it stands in the document.
    :return: E.g. ``RUIZ ANA``; an empty box is a blank.
    """
    if _is_spaced(text):
        return " ".join(word.replace(" ", "") for word in _GAP.split(text))
    if _SIGN not in text or not _BOXES.fullmatch(text):
        return text
    cells = [cell.strip() for cell in text.strip(_SIGN).split(_SIGN)]
    if sum(map(bool, cells)) < _LEAST_FILLED:
        return text
    return re.sub(r" +", " ", "".join(cell or " " for cell in cells)).strip()


def boxed_like(original: str, value: str) -> str:
    """Put the letters of a value into boxes where the original has them.

    :param original: As it stands in the document.
    :param value: The surrogate of the unboxed value; a tag stays whole.
    """
    if unboxed(original) == original or value.startswith("{"):
        return value
    if _is_spaced(original):
        return "   ".join(" ".join(word) for word in value.split())
    end = _SIGN if original.rstrip().endswith(_SIGN) else ""
    return _SIGN.join(value) + end


def _is_spaced(text: str) -> bool:
    """Tell whether a text is capitals with a blank behind each: "M A R T H A".

    Of three letters or of consonants alone it may be initials: "J M R".
    """
    if not (text.replace("l", "I").isupper() and _SPACED.fullmatch(text)):
        return False
    letters = [c for c in text if c != " "]
    return len(letters) >= _LEAST_FILLED and not _VOWELS.isdisjoint(letters)
