"""One note of the grammar: its case, its disease, its signs, and how it is laid out."""

import re
from collections.abc import Sequence
from datetime import timedelta
from itertools import groupby
from random import Random

from presidio_mx.errors import ConfigurationError
from presidio_mx.research.corpora.synthesis_case import Case, Value
from presidio_mx.research.corpora.synthesis_grammar import (
    Choice,
    Condition,
    Grammar,
    Option,
    Slot,
)
from presidio_mx.spanish.gazetteer import rows

_RANGE = re.compile(r"(?P<low>\d+(?:\.\d+)?)-(?P<high>\d+(?:\.\d+)?)$")
_DAYS = {"horas": 0, "días": 1, "semanas": 7, "meses": 30, "años": 365}
_ONE = {"horas": "hora", "días": "día", "semanas": "semana", "meses": "mes"}
_ONE["años"] = "año"
# How a note sets its headings, ends a section, marks a list.
_HEADINGS = ("{}: ", "{}:\n", "{}.- ", "{}\n", "{} - ", "* {}: ", "- {}: ", "## {}\n")
_BREAKS = ("\n\n", "\n", "\n", "\n\n", " ")
_DEPTH = 40
_NEXT = re.compile(r"day\+(?P<least>\d+)(?:-(?P<most>\d+))?$")
_DATED = re.compile(r"(?P<slot>date(?:\.long|\.short)?|weekday)(?P<days>[+-]\d+)?$")
# Doses are round: below the first number, in steps of the second.
_STEPS = ((25, 5), (100, 10), (500, 50), (float("inf"), 250))


def _number(text: str, random: Random, rounded: bool = False) -> str:
    """Return a number of a range, with as many decimals as its ends have."""
    match = _RANGE.match(text)
    if match is None:
        raise ConfigurationError(f"{text!r} is no range such as 60-100 or 0.6-1.2")
    decimals = len(match["low"].partition(".")[2])
    value = random.uniform(float(match["low"]), float(match["high"]))
    if rounded and not decimals and value >= 5:
        step = next(step for most, step in _STEPS if value < most)
        low, high = int(match["low"]), int(match["high"])
        value = min(max(round(value / step) * step, low), high)
    return f"{value:.{decimals}f}"


class Chart:
    """Writes one note.

    :param grammar: What it is written from.
    :param genre: Kind of note.
    :param random: Source of chance.
    """

    def __init__(self, grammar: Grammar, genre: str, random: Random) -> None:
        """Draw the disease, the patient who may have it, and the layout."""
        self.grammar, self.random = grammar, random
        kind = grammar.genres[genre]
        self.layouts = kind.layouts
        fitting = [c for c in grammar.conditions if kind.tells_of(c)]
        self.main = random.choices(fitting, [c.weight for c in fitting])[0]
        low = max(self.main.ages[0], kind.ages[0])
        high = min(self.main.ages[1], kind.ages[1])
        self.case = Case(random, self.main.sex, (low, high))
        self.sex, self.years = self.case.patient.sex, self.case.years
        self.other = self._background()
        self.heading = random.choice(_HEADINGS)
        self.capital = random.random() < 0.5
        self.gap = random.choice(_BREAKS)
        if "\n" in self.heading and self.gap == " ":
            self.gap = "\n"
        self.kept: dict[str, list[Value]] = {}
        self.rounded = False  # while a drug is written
        self.haemoglobin = 0.0  # of which the haematocrit is three times as much
        least, most, unit = self.main.since
        self.lasted, self.unit = random.randint(least, most), unit
        self.days = 0  # that have gone by since the note began
        self.better = False  # signs and values are no longer those of the disease

    def _background(self) -> Condition:
        """Return a chronic disease beside the main one."""
        fitting = [
            c
            for c in self.grammar.conditions
            if "background" in c.kinds
            and c.code != self.main.code
            and c.sex in ("", self.sex)
            and c.ages[0] <= self.years <= c.ages[1]
        ]
        weights = [c.weight for c in fitting]
        return self.random.choices(fitting, weights)[0] if fitting else self.main

    def pieces(self) -> list[Value]:
        """Return the pieces of the note in order, blanks and breaks settled."""
        found: list[Value] = []
        self.case.person("relative")  # settles how the relative is related
        self._choice(self.layouts, found, 1, 1, " ", 0)
        return _settled(found)

    def _choice(
        self,
        choice: Choice,
        found: list[Value],
        low: int,
        high: int,
        join: str,
        depth: int,
    ) -> None:
        if depth > _DEPTH:
            raise ConfigurationError("a symbol of the grammar holds itself")
        count = self.random.randint(low, high)
        options = choice.draw(self.random, self.sex, self.years, count)
        for number, option in enumerate(options):
            if number:
                found.append(Value(join))
            self._option(option, found, depth)

    def _option(self, option: Option, found: list[Value], depth: int) -> None:
        for part in option.parts:
            if isinstance(part, str):
                found.append(Value(part))
            elif isinstance(part, Choice):
                self._choice(part, found, 1, 1, " ", depth + 1)
            else:
                self._slot(part, found, depth + 1)

    def _slot(self, slot: Slot, found: list[Value], depth: int) -> None:
        name = slot.name
        if name[0] == "=":  # drawn once, the same ever after
            if name not in self.kept:
                self.kept[name] = []
                self._slot(Slot(name[1:]), self.kept[name], depth)
            found += self.kept[name]
        elif name[0] == "^":
            drawn: list[Value] = []
            self._slot(Slot(name[1:], slot.low, slot.high, slot.join), drawn, depth)
            found += _capitalised(drawn)
        elif name[0] == "#":
            found.append(Value(self._heading(name[1:])))
        else:
            choice = self._symbol(name)
            if name.endswith(".drug") and not self.rounded:
                self.rounded = True
                self._slot(slot, found, depth)
                self.rounded = False
            elif choice is not None:
                self._choice(choice, found, slot.low, slot.high, slot.join, depth)
            else:
                found.append(self._value(name))

    def _heading(self, text: str) -> str:
        words = self.random.choice(text.split("/"))
        words = words.upper() if self.capital else words
        return self.heading.format(words)

    def _symbol(self, name: str) -> Choice | None:
        """Return the alternatives of a symbol; those of the disease come first."""
        head, _, rest = name.partition(".")
        if head in ("dx", "bg") and rest not in ("code", "label"):
            condition = self.main if head == "dx" else self.other
            return condition.symbols.get(rest) or self.grammar.symbols.get(rest)
        return self.grammar.symbols.get(name)

    def _value(self, name: str) -> Value:
        if _RANGE.match(name):
            return Value(_number(name, self.random, self.rounded))
        if name in ("p", "br", "none"):
            return Value({"p": self.gap, "br": "\n", "none": ""}[name])
        head, _, rest = name.partition(".")
        if head in ("v", "l"):
            return Value(self._measured(rest))
        if head in ("dx", "bg"):
            return Value(self._coded(self.main if head == "dx" else self.other, rest))
        if head == "since":
            return self._since(rest)
        if head == "perkg":
            return Value(self._dose(float(rest)))
        return self._dated(name) or self.case.value(name)

    def _dated(self, name: str) -> Value | None:
        """Return a date seen from the day that the note has come to; or go on."""
        further = _NEXT.match(name)
        if further:
            least = int(further["least"])
            self.days += self.random.randint(least, int(further["most"] or least))
            return Value("")
        if name == "better":
            self.better = True
            return Value("")
        if name == "stay":
            return Value(str(self.days + 1))
        if name == "start":
            return self.case.value("date")
        dated = _DATED.match(name)
        if dated is None:
            return None
        days = self.days + int(dated["days"] or 0)
        return self.case.value(f"{dated['slot']}{days:+d}" if days else dated["slot"])

    def _coded(self, condition: Condition, what: str) -> str:
        if what == "code":
            return condition.code
        return next(
            row["description"]
            for row in rows("icd10_es")
            if row["code"] == condition.code
        )

    def _since(self, form: str) -> Value:
        if form == "date":
            back = self.lasted * _DAYS[self.unit]
            day = self.case.day - timedelta(days=back)
            return Value(self.case.date_form(day), "DATE_TIME")
        unit = self.unit if self.lasted > 1 else _ONE[self.unit]
        return Value(f"{self.lasted} {unit}")

    def _measured(self, name: str) -> str:
        """Return a sign or a laboratory value that fits age, sex and disease."""
        if name in ("weight", "height", "bmi"):
            return self._size(name)
        ranges = "" if self.better else self.main.body.get(name, "")
        if name == "hto" and self.haemoglobin and not ranges:
            return f"{3 * self.haemoglobin + self.random.uniform(-1.5, 1.5):.0f}"
        ranges = ranges or self._usual(name)
        found = "/".join(_number(part, self.random) for part in ranges.split("/"))
        if name == "hb":
            self.haemoglobin = float(found)
        return found

    def _usual(self, name: str) -> str:
        """Return the range of a value for the patient's age and sex."""
        table = self.grammar.ranges.get(name)
        if table is None:
            raise ConfigurationError(f"the grammar has no range of {name!r}")
        for ages, text in table.items():
            guard = re.fullmatch(r"([FM])?\s*(?:(\d+)-(\d+))?", ages)
            if guard is None or guard[1] not in (None, self.sex):
                continue
            if guard[2] is None or int(guard[2]) <= self.years <= int(guard[3]):
                return text
        raise ConfigurationError(f"no range of {name!r} fits {self.years} years")

    def _size(self, name: str) -> str:
        """Return weight, height or body mass index, which agree with one another."""
        if "=size" not in self.kept:
            height = float(_number(self._usual("height"), self.random)) / 100
            bodies = (self.main.body, self.other.body)
            given = next((body["bmi"] for body in bodies if "bmi" in body), "")
            index = float(_number(given or self._usual("bmi"), self.random))
            values = (f"{height * height * index:.1f}", f"{height:.2f}", f"{index:.1f}")
            self.kept["=size"] = [Value(value) for value in values]
        at = ("weight", "height", "bmi").index(name)
        return self.kept["=size"][at].text

    def _dose(self, milligrams: float) -> str:
        dose = milligrams * float(self._size("weight"))
        step = 5 if dose < 200 else 25
        return str(max(step, round(dose / step) * step))


def _capitalised(pieces: list[Value]) -> list[Value]:
    """Return pieces of which the first word has a capital.

    :param pieces: Pieces; what identifies keeps its letters.
    """
    for at, piece in enumerate(pieces):
        if piece.text.strip():
            if not piece.entity_type:
                text = piece.text.lstrip()
                pieces[at] = Value(text[:1].upper() + text[1:])
            break
    return pieces


_TIDY = tuple(
    (re.compile(pattern), new)
    for pattern, new in (
        (r"[ ]{2,}", " "),
        (r"[ ]*\n[ ]*", "\n"),
        (r"\n{3,}", "\n\n"),
        (r"[ ]+([,.;:)])(?!\d)", r"\1"),
        (r"[,;](?=[.;])|(?<=[.;,]),|(?<=[.:;])\.", ""),
        (r"\bcon (?=sin\b)", ""),
        (r"\b(de|a) el (?=[a-z])", lambda m: "del " if m[1] == "de" else "al "),
    )
)


def _settled(pieces: Sequence[Value]) -> list[Value]:
    """Return pieces without doubled blanks, empty lines at the ends, stray points.

    :param pieces: Pieces of a note in order.
    """
    found: list[Value] = []
    for plain, group in groupby(pieces, key=lambda piece: not piece.entity_type):
        if not plain:
            found += group
            continue
        text = "".join(piece.text for piece in group)
        for pattern, new in _TIDY:
            text = pattern.sub(new, text)
        if found:
            if found[-1].text.endswith("."):  # "Mich." and the end of a sentence
                text = text.removeprefix(".")
        else:
            text = text.lstrip()
        if text:
            found.append(Value(text))
    if found and not found[-1].entity_type:
        found[-1] = Value(found[-1].text.rstrip())
    return [piece for piece in found if piece.text]
