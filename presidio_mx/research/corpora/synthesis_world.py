"""Invented people and places: names, addresses, phones, institutions."""

from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache
from itertools import accumulate
from random import Random

from presidio_mx.research.corpora.synthesis_codes import Name, draw_digits
from presidio_mx.resources import folder
from presidio_mx.spanish.gazetteer import read_table, rows
from presidio_mx.spanish.places import Place, atlas
from presidio_mx.spanish.words import listed
from presidio_mx.spanish.writing import place_key

_COMPOUNDS = {
    "F": listed("synthetic_compound_female"),
    "M": listed("synthetic_compound_male"),
}
_COMMON = 1200
_RARE_SHARE = 0.12
_STREET_KINDS = (*listed("synthetic_street"), "")
_QUARTER_KINDS = listed("synthetic_quarter")


class Weighted:
    """Draws from a list by weight; now and then from its long tail.

    :param items: Values and their weights, any order.
    """

    def __init__(self, items: Sequence[tuple[str, float]]) -> None:
        """Order the list by weight."""
        ranked = sorted(items, key=lambda item: (-item[1], item[0]))
        self.common = [value for value, _ in ranked[:_COMMON]]
        self.weights = list(accumulate(weight for _, weight in ranked[:_COMMON]))
        self.rare = [value for value, _ in ranked[_COMMON:]]

    def draw(self, random: Random) -> str:
        """Return one value.

        :param random: Source of chance.
        :return: A value.
        """
        if self.rare and random.random() < _RARE_SHARE:
            return random.choice(self.rare)
        return random.choices(self.common, cum_weights=self.weights)[0]


@cache
def _names() -> dict[str, Weighted]:
    given: dict[str, list[tuple[str, float]]] = {"F": [], "M": []}
    for row in rows("given_names"):
        if row["sex"] in given and " " not in row["name"]:
            given[row["sex"]].append((row["name"], float(row["count"] or 1)))
    surnames = [(row["name"], float(row["count"] or 1)) for row in rows("surnames")]
    return {key: Weighted(items) for key, items in (*given.items(), ("", surnames))}


@cache
def _municipalities() -> tuple[list[Place], list[float]]:
    places = [place for group in atlas().by_state.values() for place in group]
    return places, list(accumulate(p.population**0.7 + 1 for p in places))


@cache
def _lists() -> dict[str, tuple[str, ...]]:
    def names(kind: str) -> tuple[str, ...]:
        return tuple(r["name"] for r in rows("institutions") if r["kind"] == kind)

    streets = read_table(folder("operators") / "streets.tsv")
    quarters = sorted(rows("colonias"), key=lambda row: -int(row["count"] or 1))
    return {
        "street": tuple(row["name"] for row in streets),
        "quarter": tuple(row["name"] for row in quarters[:2000]),
        "hospital": names("hospital"),
        "employer": names("employer"),
        "school": names("school"),
    }


def draw_name(random: Random, sex: str = "", family: Sequence[str] = ()) -> Name:
    """Return an invented name.

    :param random: Source of chance.
    :param sex: F, M, or empty for either.
    :param family: First and second surname, if they are given.
    :return: The name.
    """
    sex = sex or random.choice("FM")
    names = _names()
    given = names[sex].draw(random)
    chance = random.random()
    if chance < 0.2:
        given = random.choice(_COMPOUNDS[sex])
    elif chance < 0.5:
        second = names[sex].draw(random)
        given = given if second == given else f"{given} {second}"
    surnames = [*family, names[""].draw(random), names[""].draw(random)]
    return Name(given, surnames[0], surnames[1], sex)


def draw_place(random: Random) -> Place:
    """Return a municipality, large ones more often.

    :param random: Source of chance.
    :return: The municipality.
    """
    places, weights = _municipalities()
    return random.choices(places, cum_weights=weights)[0]


def state_forms(state: str) -> tuple[str, str]:
    """Return the name of a state and an abbreviation of it.

    :param state: CURP code.
    :return: E.g. ``Michoacán`` and ``Mich.``.
    """
    names = atlas().state_names[state]
    pointed = [name for name in names[1:] if name.endswith(".")]
    return names[0], (pointed or list(names))[0]


def draw_phone(random: Random, place: Place) -> str:
    """Return a phone number with the area code of a place, in one of many formats.

    :param random: Source of chance.
    :param place: Where the phone is.
    :return: The number.
    """
    world = atlas()
    codes = world.ladas_of.get((place_key(place.name), place.state)) or (
        world.ladas_of.get(("", place.state)) or ("55",)
    )
    lada = random.choice(list(codes))
    rest = draw_digits(random, 10 - len(lada))
    a, b, c = rest[:-4], rest[-4:-2], rest[-2:]
    forms = (
        f"{lada}{rest}",
        f"{lada} {a} {b} {c}",
        f"{lada} {a} {b}{c}",
        f"({lada}) {a} {b}{c}",
        f"({lada}) {a}-{b}-{c}",
        f"{lada}-{a}-{b}{c}",
        f"{lada}.{a}.{b}.{c}",
        f"+52 {lada} {a} {b}{c}",
        f"+52 1 {lada} {a} {b}{c}",
        f"044 {lada} {a} {b} {c}",
        f"01 {lada} {a} {b}{c}",
    )
    weights = (4, 4, 5, 2, 1, 3, 1, 1, 1, 1, 1)
    return random.choices(forms, weights)[0]


def draw_postal(random: Random, place: Place) -> str:
    """Return a postal code whose prefix belongs to a place.

    :param random: Source of chance.
    :param place: The place.
    :return: Five digits.
    """
    world = atlas()
    prefixes = world.postal_of.get((place_key(place.name), place.state)) or (
        world.postal_of.get(("", place.state)) or ("5",)
    )
    prefix = random.choice(list(prefixes))
    return prefix + "".join(str(random.randint(0, 9)) for _ in range(5 - len(prefix)))


def draw_quarter(random: Random) -> str:
    """Return a quarter with its kind, e.g. ``col. Centro``.

    :param random: Source of chance.
    :return: The quarter.
    """
    kind = random.choice(_QUARTER_KINDS)
    return f"{kind} {random.choice(_lists()['quarter'])}"


def draw_address(random: Random, place: Place) -> str:
    """Return an address from street to quarter, sometimes with a postal code.

    :param random: Source of chance.
    :param place: Where it is.
    :return: The address.
    """
    street = f"{random.choice(_STREET_KINDS)} {random.choice(_lists()['street'])}"
    number = random.choice(("#{}", "no. {}", "{}", "No. {}", "núm. {}", "{}"))
    text = f"{street.strip()} {number.format(random.randint(1, 2400))}"
    text = random.choices((text, f"{street.strip()} s/n"), (9, 1))[0]
    if random.random() < 0.15:
        text += f" int {random.randint(1, 30)}"
    if random.random() < 0.08:
        first, second = random.sample(_lists()["street"], 2)
        text += f" entre {first} y {second}"
    if random.random() < 0.85:
        text += random.choice((", ", " ")) + draw_quarter(random)
        if random.random() < 0.3:
            label = random.choice((", C.P. ", " CP ", ", CP "))
            text += label + draw_postal(random, place)
    return text


def draw_institution(random: Random, kind: str, place: Place) -> str:
    """Return an institution.

    :param random: Source of chance.
    :param kind: ``hospital``, ``clinic``, ``school`` or ``employer``.
    :param place: Where it is.
    :return: Its name.
    """
    number = random.randint(1, 120)
    lists = _lists()
    options = {
        "hospital": (
            f"HGZ {number}",
            f"HGR {random.randint(1, 46)}",
            f"HGZ/MF No. {number}",
            f"Hospital General de {place.name}",
            f"Hospital Regional de {place.name}",
            random.choice(lists["hospital"] or (f"HGS {number}",)),
        ),
        "clinic": (
            f"UMF {number}",
            f"UMF No. {number}",
            f"UMF no. {number}",
            f"Centro de Salud de {place.name}",
            f"CSU {place.name}",
        ),
        "school": (
            f"Secundaria Técnica {number}",
            f"Primaria {random.choice(lists['street'][:60])}",
            f"Telesecundaria {number}",
            f"CBTIS {number}",
            f"Jardín de Niños {random.choice(lists['street'][:60])}",
        ),
        "employer": (
            random.choice(lists["employer"] or ("Transportes del Valle",)),
            f"Constructora {random.choice(lists['quarter'][:200])}",
            f"Abarrotes {random.choice(lists['quarter'][:200])}",
        ),
    }
    return random.choice(options[kind])


def birth_date(random: Random, day: date, years: int) -> date:
    """Return a birth date that gives an age on a day.

    :param random: Source of chance.
    :param day: The day.
    :param years: Age in years on that day.
    :return: The birth date.
    """
    last = day.replace(year=day.year - years, day=min(day.day, 28))
    return last - timedelta(days=random.randint(1, 364))
