"""A small grammar of notes; ``grammar/FORMAT.md`` says how it is written."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

from presidio_mx.errors import ConfigurationError
from presidio_mx.yaml_file import read_yaml

_GUARD = re.compile(
    r"(?:(?P<sex>[FM])(?:[ ]|(?=::)))?(?:(?P<low>\d+)-(?P<high>\d+)[ ])?"
    r"(?:x(?P<weight>\d+)[ ])?::[ ]?"
)
_REPEAT = re.compile(r"(?P<name>.+?)\*(?P<low>\d)-(?P<high>\d)(?P<join>\D.*)?$")
_MARKS = re.compile(r"([\[\]|]|\{[^{}]*\})")


@dataclass(frozen=True)
class Slot:
    """What stands in braces.

    :param name: A symbol or a slot of the case.
    :param low: Least number of alternatives to draw.
    :param high: Most.
    :param join: What stands between them.
    """

    name: str
    low: int = 1
    high: int = 1
    join: str = " "


@dataclass(frozen=True)
class Option:
    """One alternative, and whom it may be written about.

    :param parts: Text, slots and choices in order.
    :param sex: F or M, or empty for either.
    :param ages: Youngest and oldest in years.
    :param weight: How often it is drawn.
    """

    parts: tuple["str | Slot | Choice", ...]
    sex: str = ""
    ages: tuple[int, int] = (0, 120)
    weight: int = 1

    def fits(self, sex: str, years: int) -> bool:
        """Tell whether it may be written about a patient.

        :param sex: F or M.
        :param years: Age in years.
        """
        return self.sex in ("", sex) and self.ages[0] <= years <= self.ages[1]


@dataclass(frozen=True)
class Choice:
    """Alternatives of which one is drawn.

    :param options: The alternatives.
    """

    options: tuple[Option, ...]

    def draw(self, random: Random, sex: str, years: int, count: int) -> list[Option]:
        """Return different alternatives that fit a patient.

        :param random: Source of chance.
        :param sex: F or M.
        :param years: Age in years.
        :param count: How many, at most.
        """
        fitting = [option for option in self.options if option.fits(sex, years)]
        drawn = []
        for _ in range(min(count, len(fitting))):
            weights = [option.weight for option in fitting]
            at = random.choices(range(len(fitting)), weights)[0]
            drawn.append(fitting.pop(at))
        return drawn


Parts = tuple[str | Slot | Choice, ...]


def parse_option(text: str, where: str) -> Option:
    """Return an alternative.

    :param text: As it is written, e.g. ``F 15-49 :: [Niega|Refiere] sangrado``.
    :param where: Its place, for errors.
    :raises ConfigurationError: If a bracket is left open or closed twice.
    """
    guard = _GUARD.match(text)
    rest = text[guard.end() :] if guard else text
    tokens = iter([token for token in _MARKS.split(rest) if token])
    sequences = list(_sequences(tokens, where, 0))
    parts: Parts = sequences[0]
    for more in sequences[1:]:  # a bar outside brackets is a bar
        parts += ("|", *more)
    if not guard:
        return Option(parts)
    ages = int(guard["low"] or 0), int(guard["high"] or 120)
    return Option(parts, guard["sex"] or "", ages, int(guard["weight"] or 1))


def _sequences(tokens: Iterator[str], where: str, depth: int) -> Iterator[Parts]:
    """Yield what stands between bars, up to the bracket that closes."""
    parts: list[str | Slot | Choice] = []
    for token in tokens:
        if token == "|":
            yield tuple(parts)
            parts = []
        elif token == "[":
            inner = list(_sequences(tokens, where, depth + 1))
            inner = inner if len(inner) > 1 else [*inner, ()]
            parts.append(Choice(tuple(Option(each) for each in inner)))
        elif token == "]":
            if not depth:
                raise ConfigurationError(f"{where}: a ] that nothing opens")
            yield tuple(parts)
            return
        elif token[0] == "{":
            parts.append(_slot(token[1:-1]))
        else:
            parts.append(token)
    if depth:
        raise ConfigurationError(f"{where}: a [ that is not closed")
    yield tuple(parts)


def _slot(text: str) -> Slot:
    match = _REPEAT.match(text)
    if not match:
        return Slot(text)
    join = (match["join"] or " ").replace("¶", "\n")
    return Slot(match["name"], int(match["low"]), int(match["high"]), join)


def _lines(text: str) -> Iterator[str]:
    """Yield the alternatives of a block; an indented line goes on with the last."""
    held = ""
    for line in text.splitlines():
        if line[:1] == " " and held:
            held += " " + line.strip()
        elif line.strip():
            if held:
                yield held
            held = line.rstrip()
    if held:
        yield held


def parse_choice(text: Any, where: str) -> Choice:
    """Return the alternatives of a symbol.

    :param text: A block, one alternative a line.
    :param where: Its place, for errors.
    :raises ConfigurationError: If it is no text or holds nothing.
    """
    if not isinstance(text, str) or not text.strip():
        raise ConfigurationError(f"{where}: write alternatives, one a line")
    return Choice(tuple(parse_option(line, where) for line in _lines(text)))


@dataclass(frozen=True)
class Condition:
    """A disease as a note tells it.

    :param code: Category of ICD-10.
    :param kinds: In which notes it is found.
    :param sex: F or M, or empty for either.
    :param ages: Youngest and oldest in years.
    :param weight: How often it is drawn.
    :param since: Least, most and unit of how long it has lasted.
    :param body: Ranges of vital signs and laboratory values that it changes.
    :param symbols: Its own alternatives: name, story, exam ...
    """

    code: str
    kinds: tuple[str, ...]
    sex: str
    ages: tuple[int, int]
    weight: int
    since: tuple[int, int, str]
    body: Mapping[str, str]
    symbols: Mapping[str, Choice]


def _condition(code: str, entry: Mapping[str, Any]) -> Condition:
    where = f"condition {code}"
    who = _GUARD.match(f"{entry.get('who', '')} :: ".lstrip())
    since = re.fullmatch(r"(\d+)-(\d+) (\w+)", str(entry.get("since", "1-4 días")))
    if who is None or since is None or "kinds" not in entry:
        raise ConfigurationError(
            f"{where}: write who ('F 15-49 x3'), since ('2-6 días') and kinds"
        )
    return Condition(
        code.split(".", maxsplit=1)[0],
        tuple(str(entry["kinds"]).split()),
        who["sex"] or "",
        (int(who["low"] or 18), int(who["high"] or 90)),
        int(who["weight"] or 1),
        (int(since[1]), int(since[2]), since[3]),
        {str(name): str(value) for name, value in (entry.get("body") or {}).items()},
        {
            name: parse_choice(text, f"{where}, {name}")
            for name, text in entry.items()
            if name not in ("who", "since", "kinds", "body")
        },
    )


@dataclass(frozen=True)
class Genre:
    """A kind of note.

    :param kinds: Kinds of diseases it tells of.
    :param ages: Youngest and oldest patient in years.
    :param layouts: The notes.
    """

    kinds: frozenset[str]
    ages: tuple[int, int]
    layouts: Choice

    def tells_of(self, condition: Condition) -> bool:
        """Tell whether a disease may be the one of such a note.

        :param condition: The disease.
        """
        low, high = condition.ages
        return (
            not self.kinds.isdisjoint(condition.kinds)
            and low <= self.ages[1]
            and high >= self.ages[0]
        )


@dataclass(frozen=True)
class Grammar:
    """Everything that notes are written from.

    :param genres: By name.
    :param symbols: Alternatives by name.
    :param conditions: Diseases.
    :param ranges: Vital signs and laboratory values by age and sex.
    """

    genres: Mapping[str, Genre]
    symbols: Mapping[str, Choice]
    conditions: tuple[Condition, ...]
    ranges: Mapping[str, Mapping[str, str]]


def _genre(name: str, entry: Mapping[str, Any]) -> Genre:
    low, high = str(entry.get("ages", "0-120")).split("-")
    layouts = parse_choice(entry["text"], f"genre {name}")
    return Genre(frozenset(entry["of"].split()), (int(low), int(high)), layouts)


def read_grammar(folder: Path) -> Grammar:
    """Return the grammar of a folder.

    :param folder: Has ``genres.yaml``, ``conditions*.yaml``, ``body.yaml`` and files of
        symbols.
    :raises ConfigurationError: If something in it is not understood.
    """
    symbols: dict[str, Choice] = {}
    conditions: list[Condition] = []
    genres, ranges = {}, {}
    for path in sorted(folder.glob("*.yaml")):
        content = read_yaml(path)
        if path.stem == "body":
            ranges = {
                str(k): {str(a): str(b) for a, b in v.items()}
                for k, v in content.items()
            }
        elif path.stem.startswith("conditions"):
            conditions += [_condition(str(c), entry) for c, entry in content.items()]
        elif path.stem == "genres":
            for name, entry in content.items():
                genres[str(name)] = _genre(str(name), entry)
        else:
            for name, text in content.items():
                symbols[str(name)] = parse_choice(text, f"{path.name}, {name}")
    return Grammar(genres, symbols, tuple(conditions), ranges)


@cache
def shipped_grammar() -> Grammar:
    """Return the grammar that ships with the package."""
    return read_grammar(Path(str(files("presidio_mx.research.corpora") / "grammar")))
