"""Letters before the digits of a record number: what it is of, or of which place.

"GMM-0077123" says which kind of number it is, and keeps its letters; "OAX-90240" says
of which state, and goes where the state goes; what else "CDHEH-0031" says, may be a
place, and becomes a word of any series.
"""

import re
from functools import cache

from presidio_mx.replace.surrogates.atlas import STATES, atlas, state_image
from presidio_mx.replace.surrogates.case import match_case
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.shape import permute_code, scramble
from presidio_mx.spanish.gazetteer import rows
from presidio_mx.spanish.words import listed, words
from presidio_mx.text.folding import fold_key

_PIECE = re.compile(r"[^\W_]+")
_PREFIX = re.compile(r"([A-Za-z]+)\d*")
_MOST_PIECES = 8
_SHORTEST = 3  # letters; two are too few for a word of a series
_SERIES, _KEPT = words("record_series"), words("record_acronym")
_NEUTRAL = listed("record_neutral")
_HELD = "\1"


def numbered(text: str, context: Context) -> str:
    """Return another record number: its digits change, its letters keep what they say.

    :param text: A number, in which what moves by itself is no letter and no digit.
    :param context: Key and settings.
    :return: A number of the same make; all of it scrambled where it is no run of
        letters before digits.
    """
    pieces = _PIECE.findall(text)
    heads = [match[1] for piece in pieces if (match := _PREFIX.fullmatch(piece))]
    digits = any(c.isdigit() for c in text)
    if not (heads and digits and text.isascii()) or len(pieces) > _MOST_PIECES:
        return scramble(text, "MEDICAL_RECORD", context)
    dropped: list[str] = []
    written: list[str] = []

    def hold(match: re.Match[str]) -> str:
        head = _PREFIX.fullmatch(match.group())
        if head is None:
            return match.group()
        new = _image(head[1], context)
        if new is None:
            dropped.append(fold_key(head[1]))
            at = context.draw.number(len(_NEUTRAL), "record prefix", dropped[-1])
            new = _NEUTRAL[(at + len(dropped) - 1) % len(_NEUTRAL)]
        written.append(match_case(head[1], new.upper()))
        return _HELD + match.group()[len(head[1]) :]

    held = _PIECE.sub(hold, text)
    # Two series that get one word stay apart by their digits.
    label = " ".join(("MEDICAL_RECORD", *dropped))
    new = scramble(held, label, context)
    for head_image in written:
        new = new.replace(_HELD, head_image, 1)
    return new


def _image(head: str, context: Context) -> str | None:
    """Return what letters become; None for a word of which any series does."""
    key = fold_key(head)
    if key in _SERIES or key in _KEPT:
        return head
    state = _states().get(key)
    if state:
        return _codes()[state_image(state, context)]
    if len(head) >= _SHORTEST:
        return None
    new = permute_code(head.upper(), "record letters", context)
    while fold_key(new) in _SERIES | _KEPT:  # those are images of themselves
        new = permute_code(new, "record letters", context)
    return new


@cache
def _codes() -> dict[str, str]:
    """Return the three letters of each state: "OAX", of Oaxaca."""
    return {row["code"]: row["iso"].partition("-")[2] for row in rows("states")}


@cache
def _states() -> dict[str, str]:
    """Return the state of each of its forms of three or four letters."""
    forms = atlas().state_forms
    short = {key: state for key, state in forms.items() if key.isalpha()}
    return {
        key: state
        for key, state in short.items()
        if _SHORTEST <= len(key) <= _SHORTEST + 1 and state in STATES
    }
