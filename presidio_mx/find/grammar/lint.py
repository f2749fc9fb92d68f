"""Find patterns that could hang on a note, or never match one."""

import re
from collections.abc import Iterator
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

from presidio_mx.find.grammar.ambiguity import ambiguous, endless_in_a_row, parts
from presidio_mx.text.folding import fold

# A pattern may repeat this without end; see also the tests of linear time.
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT)
# (a{1,m}){1,n} tries up to as many ways as n letters can be parted; m times n of the
# shipped rules is 504 at most.
_MOST_REPEATS = 1000
# What an endless repeat inside a bounded one counts: (?:a+b){1,9} is no harm.
_ENDLESS_INSIDE = 50
# Two make the square of a line's length.
_MOST_ENDLESS = 2
_LITERALS = (_constants.LITERAL, _constants.NOT_LITERAL)


def pattern_problems(expression: str) -> Iterator[str]:
    """Yield what is wrong with a regular expression over the folded note.

    A repeat around a repeat, ``(a+)+``, takes a time that doubles with every character
    of a note that does not match. Python's own parser of expressions
    finds them; it has no public name, and a test holds what is used of it.

    :param expression: A regular expression without symbols.
    """
    try:
        parsed = _parser.parse(expression)
    except (re.error, OverflowError) as error:
        yield f"no regular expression: {error}"
        return
    except RecursionError:
        yield "too many groups, one inside another; write fewer"
        return
    if _nested(parsed, 1):
        yield (
            "a repeat without bound inside another, like (a+)+, or with bounds whose "
            f"product is over {_MOST_REPEATS:,}, like (a{{1,50}}){{1,50}}, can take "
            "hours on one note; write a bound, like {1,30}, and none around it"
        )
    elif ambiguous(expression):
        yield (
            "a repeat that can read the same text in several ways, like (a|a)* or "
            "(a|aa){1,30}, can take hours on one note; let its alternatives begin with "
            "different characters"
        )
    elif endless_in_a_row(expression) > _MOST_ENDLESS:
        yield (
            f"more than {_MOST_ENDLESS} repeats without bound that read the same text, "
            "like .*a.*a, can take hours on a long line; write bounds, like .{0,40}"
        )
    for character in sorted(set(_unfolded(parsed))):
        yield (
            f"{character!r} never matches: notes are compared in lower case and "
            f"without accents; write {fold(character)!r}"
        )


def _nested(parsed: Any, times: int) -> bool:
    """Tell whether a repeat holds another and both may take more or less, too often.

    :param parsed: What Python's parser made of an expression.
    :param times: How often the repeats around it may take it.
    """
    for operator, value in parsed:
        if operator in _REPEATS:
            least, most, body = value
            varies = least != most and most > 1
            endless = most == _constants.MAXREPEAT
            weight = _ENDLESS_INSIDE if endless else int(most)
            if varies and times > 1 and times * weight > _MOST_REPEATS:
                return True
            if _nested(body, times * int(most) if varies else times):
                return True
        else:
            # What went through an atomic group is not tried again.
            inside = 1 if operator is _constants.ATOMIC_GROUP else times
            if any(_nested(part, inside) for part in parts(operator, value)):
                return True
    return False


def _unfolded(parsed: Any) -> Iterator[str]:
    """Yield the letters that folding changes."""
    for operator, value in parsed:
        if operator in _LITERALS:
            codes = (value,)
        elif operator is _constants.RANGE:
            codes = value
        elif operator is _constants.IN:
            yield from _unfolded(value)
            continue
        else:
            body = value[2:] if operator in _REPEATS else parts(operator, value)
            for part in body:
                yield from _unfolded(part)
            continue
        for code in codes:
            if fold(chr(code)) != chr(code):
                yield chr(code)
