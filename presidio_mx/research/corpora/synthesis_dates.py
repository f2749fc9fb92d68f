"""How the dates of invented notes are written."""

from collections.abc import Callable
from datetime import date

from presidio_mx.spanish.dates import MONTHS

WEEKDAYS = ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo")


def write_long(day: date) -> str:
    """Return a date in words.

    :param day: The date.
    :return: E.g. ``3 de mayo de 2024``.
    """
    return f"{day.day} de {MONTHS[day.month - 1]} de {day.year}"


def _month_short(day: date) -> str:
    return MONTHS[day.month - 1][:3]


DATE_FORMS: tuple[Callable[[date], str], ...] = (
    lambda d: f"{d:%d/%m/%Y}",
    lambda d: f"{d:%d/%m/%Y}",
    lambda d: f"{d:%d/%m/%y}",
    lambda d: f"{d:%d-%m-%Y}",
    lambda d: f"{d:%d.%m.%y}",
    lambda d: f"{d.day}/{d.month}/{d:%y}",
    lambda d: f"{d.day:02d}-{_month_short(d).upper()}-{d:%y}",
    lambda d: f"{d.day} {_month_short(d)} {d.year}",
    lambda d: f"{d.day}/{_month_short(d)}/{d:%y}",
    write_long,
)
SHORT_FORMS: tuple[Callable[[date], str], ...] = (
    lambda d: f"{d:%d/%m}",
    lambda d: f"{d.day} de {MONTHS[d.month - 1]}",
    lambda d: f"{d.day} {_month_short(d)}",
    lambda d: f"{d.day:02d}-{_month_short(d).upper()}",
    lambda d: f"{d.day}/{_month_short(d)}",
)
