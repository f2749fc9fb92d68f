"""Generalise a column: bands of numbers, years or months of dates, states."""

import re
from typing import Any

from presidio_mx.errors import ConfigurationError
from presidio_mx.replace.generalize import generalize
from presidio_mx.spanish.dates import LONGEST_DATE, read_date, split_date
from presidio_mx.work.batch.cells import as_text

# How a kind of column begins whose cells are generalised.
PREFIX = "generalize "
_LEVELS = ("year", "month", "state", "country", "band", "cap")
_FIRST = re.compile(r"first([1-9]\d?)")
_NUMBER = re.compile(
    r"\s*(-?\d{1,15})(?:[.,]\d+)?\s*(?:a|años?|anos?|years?)?\s*", re.I
)
_HINT = (
    "a whole number of 2 or more (width of a band), "
    f"{', '.join(_LEVELS)} or first3 (characters)"
)


def generalized_columns(options: dict[str, str]) -> dict[str, str]:
    """Return the kind of each column that is to be generalised.

    :param options: Column to how: ``5``, ``year``, ``month``, ``first3`` ...
    :raises ConfigurationError: If there is no such way.
    """
    for column, how in options.items():
        if not (_width(how) or _FIRST.fullmatch(how) or how in _LEVELS):
            raise ConfigurationError(
                f"--generalize {column}={how}: unknown; write COLUMN=HOW, where HOW "
                f"is {_HINT}"
            )
    return {column: PREFIX + how for column, how in options.items()}


def parse_generalize(options: list[str]) -> dict[str, str]:
    """Return column to how from what a user wrote as ``COLUMN=HOW``.

    :param options: E.g. ``["edad=5", "fecha=year"]``.
    :raises ConfigurationError: If one is not so written, or a column stands twice.
    """
    found: dict[str, str] = {}
    for option in options:
        column, _, how = (part.strip() for part in option.rpartition("="))
        if not column or column in found:
            raise ConfigurationError(
                f"--generalize {option}: write COLUMN=HOW once a column, where HOW is "
                f"{_HINT}"
            )
        found[column] = how
    return found


def _width(how: str) -> int:
    return int(how) if re.fullmatch(r"\d{1,9}", how) and int(how) > 1 else 0


def generalized(kind: str, cell: Any) -> str | None:
    """Return a cell of less detail; None where it cannot be read.

    :param kind: A kind that :func:`generalized_columns` returned.
    :param cell: The cell.
    """
    how = kind.removeprefix(PREFIX)
    text = as_text(cell).strip()
    if width := _width(how):
        number = _NUMBER.fullmatch(text)
        if number is None:
            return None
        low = int(number[1]) // width * width
        return f"{low}-{low + width - 1}"
    if first := _FIRST.fullmatch(how):
        return text[: int(first[1])] or None
    if how == "month":
        if len(text) > LONGEST_DATE:
            return None
        reading = read_date(split_date(text)[1].strip(), 2000)
        whole = reading is not None and reading.has_year
        return f"{reading.value:%Y-%m}" if reading and whole else None
    return generalize(text, how)
