"""Values of forms that have a box for each letter: "|R|U|I|Z| |A|N|A|"."""

import re

_SIGN = "|"
_BOXES = re.compile(r"\s?[^\W_]\s?(?:\|\s{0,2}[^\W_]?\s{0,2}){4,}")
_LEAST_FILLED = 4


def unboxed(text: str) -> str:
    """Return the value whose letters stand in boxes, or the text itself.

    :param text: As it stands in the document.
    :return: E.g. ``RUIZ ANA``; an empty box is a blank.
    """
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
    end = _SIGN if original.rstrip().endswith(_SIGN) else ""
    return _SIGN.join(value) + end
