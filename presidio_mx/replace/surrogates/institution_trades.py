"""Institutions whose kind says more than their name: specialities, trades, parishes.

A surrogate keeps what was treated or sold there: the cancer institute becomes no heart
institute, a glass works no law firm.
"""

import re
from collections.abc import Sequence

from presidio_mx.replace.surrogates.case import match_case
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.institution_names import LEGAL_FORM, titled
from presidio_mx.replace.surrogates.institution_words import HONOURED, is_kind
from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.spanish.words import either, listed, words
from presidio_mx.text.folding import fold, fold_key

_NATIONAL = re.compile(r"(?:instituto|centro|hospital)\s+nacional\s+de\s+")
_REGIONAL = tuple(
    f"{kind} de"
    for kind in (
        *("Instituto Estatal", "Instituto Regional", "Centro Estatal"),
        *("Centro Regional", "Hospital Regional"),
    )
)
_WORD = re.compile(r"[^\W\d_]+")
_HEADS, _NAMES = words("firm_head"), listed("firm_after_trade")
_PARISHES, _SAINTS = words("parish"), listed("institution_after_san")
_PAPERS, _OTHER_PAPERS = words("newspaper"), listed("newspaper_neutral")
_LABS = re.compile(r"(lab(?:oratorios?)?\.?)\s+clinicos?")
_CIVIC = listed("civic_date")
_DATE = re.compile(rf"\d{{1,2}}\s*[°ºo]?\s+de\s+{either('month')}\b")
_GRADE = re.compile(r"[1-6]\s?[°º]")
_PRIMARY = words("school_of_six_grades")
_SCHOOLS = words("institution_named_school")
_CODES = words("institution_code")


def of_speciality(text: str, context: Context) -> str | None:
    """Return another institute of the speciality for a national one.

    :param text: E.g. ``Instituto Nacional de Cancerología``.
    :param context: The key.
    :return: E.g. ``Centro Estatal de Cancerología``; None for any other.
    """
    match = _NATIONAL.match(fold(text))
    if match is None:
        return None
    speciality = text[match.end() :]
    for word in _WORD.finditer(speciality):  # "Cardiología Ignacio Chávez"
        if lexicon().is_given(fold_key(word.group())) and word.start():
            speciality = speciality[: word.start()].strip(' ,"“')
            break
    number = context.draw.number(len(_REGIONAL), "national", fold_key(speciality))
    return f"{match_case(text, _REGIONAL[number])} {speciality}"


def of_trade(text: str, context: Context) -> str | None:
    """Return another firm of the trade, newspaper, laboratory or parish.

    :param text: E.g. ``Cristales Finos de Tlalpujahua``.
    :param context: The key.
    :return: E.g. ``Cristales La Herradura``; None for what is none of these.
    """
    key, parts = fold_key(text), text.split()
    head = fold_key(parts[0]).strip(".,") if parts else ""
    if key in _PAPERS:
        return _drawn(_OTHER_PAPERS, text, context, "newspaper")
    if _LABS.fullmatch(key):  # of no name: another way to say it
        return match_case(text, f"{parts[0].capitalize()} de análisis clínicos")
    if len(parts) < 2:
        return None
    if head in _PARISHES:
        saint = _drawn(_SAINTS, text, context, "parish")
        return f"{parts[0]} {match_case(' '.join(parts[1:]), f'de San {saint}')}"
    if head not in _HEADS:
        return None
    legal = LEGAL_FORM.search(text)
    tail = text[legal.start() :] if legal else ""
    return f"{parts[0]} {_drawn(_NAMES, text, context, 'after trade')}{tail}"


def _drawn(choices: Sequence[str], text: str, context: Context, label: str) -> str:
    """Return one of some names that shares no word with a text."""
    own = set(fold_key(text).split()) - {"el", "la", "del", "de", "san"}
    free = [name for name in choices if not own & set(fold_key(name).split())]
    number = context.draw.number(len(free), label, fold_key(text))
    return match_case(text, titled(free[number]))


def numbered_part(
    tokens: Sequence[str], at: int, context: Context
) -> tuple[int, str] | None:
    """Return how many tokens a date or a school's grade has, and another of its kind.

    :param tokens: The tokens of an institution.
    :param at: Which of them, a number.
    :param context: The key.
    :return: None for any other number.
    """
    rest = "".join(tokens[at:])
    date = _DATE.match(fold(rest))
    if date is not None:
        free = [d for d in _CIVIC if fold(d).split()[0] != rest.split()[0].strip("°º")]
        number = context.draw.number(len(free), "civic date", fold_key(date.group()))
        width, length = 0, 0
        while length < date.end():
            length += len(tokens[at + width])
            width += 1
        return width, match_case(rest[: date.end()], titled(free[number]))
    before = {fold_key(token) for token in tokens[:at]}
    if _GRADE.match(rest) and before & _SCHOOLS:
        most = 6 if before & _PRIMARY else 3
        grade = min(int(tokens[at]), most) - 1
        return 1, str(1 + context.draw.permute(most, grade, "grade", most))
    return None


def behind_number(tokens: Sequence[str], at: int) -> int:
    """Return how many tokens stand behind the number of a clinic, where its town does.

    :param tokens: The tokens of an institution.
    :param at: The first of them.
    :return: 0 where they do not, or say a kind or a name with a title.
    """
    before = [token for token in tokens[:at] if not token.isspace()]
    coded = bool(before) and fold_key(before[0]) in _CODES
    if not (coded and before[-1].isdigit() and tokens[at][0].isupper()):
        return 0
    end = at
    while end < len(tokens) and (tokens[end].isalpha() or tokens[end].isspace()):
        end += 1
    kinds = any(
        is_kind(fold_key(t), 1) or fold_key(t) in HONOURED for t in tokens[at:end]
    )
    return 0 if kinds else end - at
