"""One invented case: the patient, the others, the dates, and every slot's value."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from presidio_mx.errors import ConfigurationError
from presidio_mx.research.corpora import synthesis_codes as codes
from presidio_mx.research.corpora import synthesis_world as world
from presidio_mx.research.corpora.synthesis_codes import Name
from presidio_mx.spanish.dates import MONTHS
from presidio_mx.spanish.words import listed

_KIN = {"F": listed("synthetic_kin_female"), "M": listed("synthetic_kin_male")}
_YOUNGER = ("hija", "hijo", "nuera", "yerno", "sobrina", "sobrino")
_ROLES = {
    "patient": "patient",
    "mother": "relative",
    "father": "relative",
    "partner": "relative",
    "son": "relative",
    "daughter": "relative",
    "relative": "relative",
    "woman": "relative",
    "friend": "other",
    "doctor": "staff",
    "doctor2": "staff",
    "nurse": "staff",
    "ts": "staff",
    "clerk": "staff",
}
_SEXES = {
    "mother": "F",
    "father": "M",
    "son": "M",
    "daughter": "F",
    "woman": "F",
    "friend": "F",
}
_FORMS = ("given", "surname", "inverse", "initial", "upper")
_DATE = re.compile(
    r"(?:date(?P<form>\.long|\.short)?|(?P<week>weekday))(?P<days>[+-]\d+)?$"
)


def _write_long(day: date) -> str:
    """Return a date in words: ``3 de mayo de 2024``."""
    return f"{day.day} de {MONTHS[day.month - 1]} de {day.year}"


def _month_short(day: date) -> str:
    return MONTHS[day.month - 1][:3]


_DATE_FORMS: tuple[Callable[[date], str], ...] = (
    lambda d: f"{d:%d/%m/%Y}",
    lambda d: f"{d:%d/%m/%Y}",
    lambda d: f"{d:%d/%m/%y}",
    lambda d: f"{d:%d-%m-%Y}",
    lambda d: f"{d:%d.%m.%y}",
    lambda d: f"{d.day}/{d.month}/{d:%y}",
    lambda d: f"{d.day:02d}-{_month_short(d).upper()}-{d:%y}",
    lambda d: f"{d.day} {_month_short(d)} {d.year}",
    lambda d: f"{d.day}/{_month_short(d)}/{d:%y}",
    _write_long,
)
_SHORT_FORMS: tuple[Callable[[date], str], ...] = (
    lambda d: f"{d:%d/%m}",
    lambda d: f"{d.day} de {MONTHS[d.month - 1]}",
    lambda d: f"{d.day} {_month_short(d)}",
    lambda d: f"{d.day:02d}-{_month_short(d).upper()}",
    lambda d: f"{d.day}/{_month_short(d)}",
)


@dataclass(frozen=True)
class Value:
    """What a slot becomes.

    :param text: The text.
    :param entity_type: What it is; empty for words that identify nobody.
    :param role: Role of a person, or empty.
    """

    text: str
    entity_type: str = ""
    role: str = ""


class Case:
    """Everything that one note speaks of, drawn when it is first needed.

    :param random: Source of chance.
    :param sex: Sex of the patient, or empty.
    :param ages: Youngest and oldest age of the patient in years.
    """

    def __init__(self, random: Random, sex: str, ages: tuple[int, int]) -> None:
        """Draw the patient, the day and the place."""
        self.random = random
        self.day = date(2016, 1, 1) + timedelta(days=random.randint(0, 3650))
        self.years = random.randint(*ages)
        self.birth = world.birth_date(random, self.day, self.years)
        self.patient = world.draw_name(random, sex)
        self.place = world.draw_place(random)
        self.other_place = world.draw_place(random)
        self.people: dict[str, Name] = {"patient": self.patient}
        self.values: dict[str, Value] = {}
        self.date_form = random.choice(_DATE_FORMS)
        self.short_form = random.choice(_SHORT_FORMS)
        self.curp = codes.draw_curp(random, self.patient, self.birth, self.place.state)
        self.kin = ""

    def person(self, who: str) -> Name:
        """Return a person of the case; a family shares its surnames.

        :param who: E.g. ``mother``.
        :return: The name.
        """
        if who not in self.people:
            patient = self.patient
            sex = _SEXES.get(who, "")
            family: tuple[str, ...] = ()
            if who == "mother":
                family = (patient.second,)
            elif who == "father":
                family = (patient.first,)
            elif who in ("son", "daughter"):
                family = (patient.first,) if patient.sex == "M" else ()
            elif who == "partner":
                sex = "M" if patient.sex == "F" else "F"
            elif who == "relative":
                family = self._kinship()
                sex = "F" if self.kin in _KIN["F"] else "M"
            self.people[who] = world.draw_name(self.random, sex, family)
        return self.people[who]

    def _kinship(self) -> tuple[str, ...]:
        """Draw how the relative is related and which surnames that gives."""
        patient = self.patient
        sex = self.random.choice("FM")
        choices = [k for k in _KIN[sex] if self._possible(k)]
        self.kin = self.random.choice(choices)
        if self.kin in ("hija", "hijo") and patient.sex == "M":
            return (patient.first,)
        if self.kin in ("hermana", "hermano"):
            return patient.first, patient.second
        if self.kin == "mamá":
            return (patient.second,)
        return (patient.first,) if self.kin == "papá" else ()

    def _possible(self, kin: str) -> bool:
        if self.years < 18:
            return kin in ("mamá", "papá", "tía", "tío", "hermana", "hermano")
        if self.years > 70 and kin in ("mamá", "papá", "tía", "tío"):
            return False
        if self.years < 40 and kin in _YOUNGER:
            return False
        return kin != ("esposa" if self.patient.sex == "F" else "esposo")

    def value(self, slot: str) -> Value:
        """Return the value of a slot, the same each time.

        :param slot: E.g. ``patient.surname`` or ``date+7``.
        :return: The value.
        :raises ConfigurationError: If there is no such slot.
        """
        if slot not in self.values:
            self.values[slot] = self._draw(slot)
        return self.values[slot]

    def _draw(self, slot: str) -> Value:
        who, _, form = slot.partition(".")
        if who in _ROLES:
            return self._named(who, form)
        match = _DATE.match(slot)
        if match:
            day = self.day + timedelta(days=int(match["days"] or 0))
            if match["week"]:
                return Value(listed("weekday")[day.weekday()])
            text = self._written(day, match["form"])
            return Value(text, "DATE_TIME")
        if "/" in slot:
            male, female = slot.split("/", 1)
            if (male, female) == ("masculino", "femenino"):
                return Value(female if self.patient.sex == "F" else male)
            return Value(self._ending(male, female))
        drawn = self._plain(slot)
        if drawn is None:
            raise ConfigurationError(f"unknown slot {slot!r} in a template")
        return drawn

    def _written(self, day: date, form: str | None) -> str:
        if form == ".long":
            return _write_long(day)
        return self.short_form(day) if form else self.date_form(day)

    def _ending(self, male: str, female: str) -> str:
        if male in ("el", "El") and female in ("la", "La"):
            return female if self.patient.sex == "F" else male
        return female if self.patient.sex == "F" else male

    def _named(self, who: str, form: str) -> Value:
        name = self.person(who)
        if form == "title":
            return Value("Dra." if name.sex == "F" else "Dr.")
        if form == "kin":
            return Value(self.kin or "familiar")
        given = name.called
        texts = {
            "": name.full
            if self.random.random() < 0.8
            else f"{name.given} {name.first}",
            "given": given,
            "surname": name.first,
            "inverse": f"{name.first} {name.second} {name.given}",
            "initial": f"{given[0]}. {name.first}",
            "upper": name.full.upper(),
        }
        if form not in texts:
            raise ConfigurationError(
                f"unknown form {form!r} of a name in a template; forms are "
                f"{', '.join(_FORMS)}, title, kin"
            )
        return Value(texts[form], "PERSON", _ROLES[who])

    def _plain(self, slot: str) -> Value | None:
        random, place = self.random, self.place
        state, short = world.state_forms(place.state)
        state2, _ = world.state_forms(self.other_place.state)
        digits = codes.draw_digits
        makers = {
            "age": lambda: Value(self._age(), "AGE"),
            "age.n": lambda: Value(str(self.years), "AGE"),
            "age2": lambda: Value(f"{random.randint(20, 60)} años", "AGE"),
            "birth": lambda: Value(self.date_form(self.birth), "DATE_TIME"),
            "curp": lambda: Value(self.curp, "MX_CURP"),
            "rfc": lambda: Value(codes.draw_rfc(random, self.curp), "MX_RFC"),
            "nss": lambda: Value(codes.draw_nss(random, self.birth), "MX_NSS"),
            "agregado": lambda: Value(self._agregado(), "MX_NSS"),
            "ine": lambda: Value(
                codes.draw_ine(random, self.patient, self.birth, place.state), "MX_INE"
            ),
            "record": lambda: Value(self._record(), "MEDICAL_RECORD"),
            "folio": lambda: Value(self._record(), "MEDICAL_RECORD"),
            "matricula": lambda: Value(digits(random, 8), "MEDICAL_RECORD"),
            "license": lambda: Value(digits(random, 7), "MX_PROFESSIONAL_LICENSE"),
            "license2": lambda: Value(digits(random, 8), "MX_PROFESSIONAL_LICENSE"),
            "phone": lambda: Value(world.draw_phone(random, place), "PHONE_NUMBER"),
            "phone2": lambda: Value(world.draw_phone(random, place), "PHONE_NUMBER"),
            "address": lambda: Value(world.draw_address(random, place), "ADDRESS"),
            "colonia": lambda: Value(world.draw_quarter(random), "ADDRESS"),
            "cp": lambda: Value(world.draw_postal(random, place), "ADDRESS"),
            "city": lambda: Value(place.name, "LOCATION"),
            "city2": lambda: Value(self.other_place.name, "LOCATION"),
            "state": lambda: Value(state, "LOCATION"),
            "state.short": lambda: Value(short, "LOCATION"),
            "state2": lambda: Value(state2, "LOCATION"),
            "email": lambda: Value(
                codes.draw_email(random, self.patient, self.birth), "EMAIL_ADDRESS"
            ),
            "url": lambda: Value(codes.draw_url(random), "URL"),
            "clabe": lambda: Value(codes.draw_clabe(random), "MX_CLABE"),
            "card": lambda: Value(codes.draw_card(random), "CREDIT_CARD"),
            "plate": lambda: Value(self._plate(), "MX_LICENSE_PLATE"),
        }
        for kind in ("hospital", "clinic", "school", "employer"):
            if slot == kind:
                name = world.draw_institution(random, kind, place)
                return Value(name, "ORGANIZATION")
        maker = makers.get(slot)
        return maker() if maker else None

    def _age(self) -> str:
        if self.years < 2:
            days = (self.day - self.birth).days
            small = f"{days} días" if days < 60 else f"{days * 12 // 365} meses"
            return small
        forms = ("{} años", "{} años", "{} años", "{} a", "{}a", "{} años de edad")
        text = self.random.choice(forms).format(self.years)
        return text.removesuffix(" de edad")

    def _agregado(self) -> str:
        sex = self.patient.sex
        kind = self.random.choice(("OR", "PE", "ES"))
        return f"{self.random.randint(1, 6)}{sex}{self.birth.year}{kind}"

    def _record(self) -> str:
        random, year = self.random, self.day.year
        number = random.randint(100, 99999)
        forms = (f"{year}-{number:06d}", f"{number}", f"{number}/{year % 100:02d}")
        return random.choice((*forms, f"{random.choice('ABCTU')}-{number:05d}"))

    def _plate(self) -> str:
        letters = "".join(self.random.choice("ABCDEFGHJKLMNPRSTUVWXYZ") for _ in "123")
        return f"{letters}-{codes.draw_digits(self.random, 3)}-{letters[0]}"
