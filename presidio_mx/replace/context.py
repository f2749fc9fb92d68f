"""What a surrogate may depend on: the secret, the settings, what the note says."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from functools import lru_cache
from typing import Any

from presidio_mx.entities import kind_of, tag_word
from presidio_mx.errors import ConfigurationError
from presidio_mx.replace.draw import Draw
from presidio_mx.spanish.dates import Dates
from presidio_mx.spanish.places import Place

_YEAR = 365.2425
# How far from its day of the year a date may move.
SEASON_DAYS = {"near": 28, "same": 4}
# With fewer shifts, in either direction, somebody could try them all.
_FEWEST_SHIFTS = 4


@lru_cache(maxsize=64)
def _shifts(
    smallest: int, largest: int, whole_weeks: bool, season: str
) -> tuple[int, ...]:
    step = 7 if whole_weeks else 1
    days = range(-(-smallest // step) * step, largest + 1, step)
    if season == "any":
        return tuple(days)
    near = SEASON_DAYS[season]
    return tuple(d for d in days if abs(d - round(d / _YEAR) * _YEAR) <= near)


@dataclass(frozen=True)
class Settings:
    """Choices of a deployment.

    :param places: ``any`` (a place goes to any state) or ``same_state``.
    :param check_digits: ``valid``, or ``wrong`` on purpose: a code with a right check
        digit may be somebody's.
    :param days_min: Smallest shift of dates, in days.
    :param days_max: Largest shift of dates, in days.
    :param direction: ``both``, ``past`` or ``future``.
    :param keep_weekday: Shift by whole weeks: weekdays that stand apart from their date
        stay true, and visits that never fall on a Sunday tell nothing of the shift.
    :param season: ``any``; ``near``: dates stay within four weeks of their season;
        ``same``: within four days, so that feasts stay true. Both shift by about whole
        years, to at most ``days_max``, and leave few shifts to guess among.
    :param mentions: ``same`` name for a person throughout a note, or ``vary``: from
        mention to mention it may become another, so that a real name that was missed
        does not stand out by being mentioned once (Osborne et al. 2025).
    :param ages: ``keep``, ``band`` (five years, to "85-89", then "90 y más"; months of
        infants stay) or ``cap`` ("89 y más").
    :param tag_below: Findings with a lower probability become tags, not surrogates:
        they are probably wrong, and a surrogate would silently change what was found.
    :param lowest_age: Lowest age in years of the patient over all visits, which then
        sets the band of every note of the patient.
    """

    places: str = "any"
    check_digits: str = "valid"
    days_min: int = 30
    days_max: int = 364
    direction: str = "both"
    keep_weekday: bool = True
    season: str = "any"
    mentions: str = "same"
    ages: str = "keep"
    tag_below: float = 0.0
    lowest_age: int | None = None

    def __post_init__(self) -> None:
        """Refuse values that no surrogate understands."""
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise ConfigurationError(
                    f"{name} must be one of {', '.join(choices)}, "
                    f"not {getattr(self, name)!r}"
                )
        for name in ("days_min", "days_max"):
            if type(getattr(self, name)) is not int:
                raise ConfigurationError(f"{name} must be a whole number of days")
        if not 1 <= self.days_min <= self.days_max <= 36500:
            raise ConfigurationError(
                "days_min and days_max must fulfil 1 <= days_min <= days_max <= 36500"
            )
        if self.keep_weekday and self.days_max // 7 * 7 < self.days_min:
            raise ConfigurationError(
                "keep_weekday needs a multiple of 7 between days_min and days_max"
            )
        if self.season != "any" and len(self.shifts) < _FEWEST_SHIFTS:
            raise ConfigurationError(
                f"season {self.season} leaves {len(self.shifts)} shifts from days_min "
                f"to days_max and needs {_FEWEST_SHIFTS}; raise days_max, to 1830 say"
            )
        if type(self.tag_below) not in (int, float) or not 0 <= self.tag_below <= 1:
            raise ConfigurationError("tag_below must be a score from 0 to 1")
        if type(self.keep_weekday) is not bool:
            raise ConfigurationError("keep_weekday must be true or false")
        if self.lowest_age is not None and type(self.lowest_age) is not int:
            raise ConfigurationError("lowest_age must be a whole number of years")

    @property
    def shifts(self) -> tuple[int, ...]:
        """The numbers of days among which the shift of a scope is drawn."""
        return _shifts(self.days_min, self.days_max, self.keep_weekday, self.season)

    @classmethod
    def from_params(cls, params: Mapping[str, Any]) -> "Settings":
        """Return the settings named in an operator's parameters; others are ignored.

        :param params: Parameters of an operator.
        :raises ConfigurationError: If a value is not understood.
        """
        return cls(**{name: params[name] for name in SETTING_NAMES if name in params})


_CHOICES = {
    "places": ("any", "same_state"),
    "check_digits": ("valid", "wrong"),
    "direction": ("both", "past", "future"),
    "mentions": ("same", "vary"),
    "season": ("any", *SEASON_DAYS),
    "ages": ("keep", "band", "cap"),
}
SETTING_NAMES = tuple(item.name for item in fields(Settings))


@dataclass(frozen=True)
class Note:
    """What a note says, for surrogates that must agree with one another.

    Every field is empty where an operator works alone.

    :param words: Folded word of a name to the folded word that stands for it, in the
        order of the names; for e-mails, logins and names that are spelt.
    :param own: Folded words of all names: no surrogate is another person's name.
    :param year: Year that a date without one most likely has.
    :param days: Days with a year, near one of which a date without a year lies.
    :param dates: Texts with their dates, as they were parsed, where these have a year.
    :param births: Birth dates of the note, those in codes included.
    :param institutions: The institutions that are named in several words.
    :param state: CURP code of the state that the note's places are in.
    :param city: Folded name of the municipality that most of the note is about.
    :param cities: Folded names that are towns here, though states are called so, too.
    :param towns: Folded short name to the town of the note that it is short for.
    :param lands: Folded place to the country or state abroad that stands behind it.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    year: int | None = None
    days: tuple[date, ...] = ()
    dates: Mapping[str, Dates] = field(default_factory=dict)
    births: tuple[date, ...] = ()
    institutions: tuple[str, ...] = ()
    state: str = ""
    city: str = ""
    cities: frozenset[str] = frozenset()
    towns: Mapping[str, Place] = field(default_factory=dict)
    lands: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Return a text without anything of the note."""
        return "Note(hidden)"


@dataclass(frozen=True)
class Context:
    """What a surrogate function gets beside the text.

    :param draw: Keyed numbers of the scope.
    :param settings: Choices of the deployment.
    :param note: What the note says.
    """

    draw: Draw
    settings: Settings = Settings()
    note: Note = Note()


def tag_of(entity_type: str) -> str:
    """Return the tag of an entity, for a value of which no surrogate can be made.

    :param entity_type: E.g. ``DATE_TIME``.
    :return: E.g. ``{FECHA}``.
    """
    return "{" + tag_word(kind_of(entity_type)) + "}"
