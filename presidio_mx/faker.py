"""The keyed generators of surrogates as a provider of Faker, for Mexican test data.

    from faker import Faker
    import presidio_mx.faker

    fake = Faker("es_MX")
    fake.add_provider(presidio_mx.faker.Provider)
    fake.mx_person(sex="F", decade=1980)

Names are as frequent as in Mexico, codes have their check digits and agree with the
person, towns and postal prefixes exist. Everything is made up: who bears such a name,
or has such a code, is somebody else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from faker.providers import BaseProvider
from stdnum import luhn
from stdnum.mx import curp as stdnum_curp
from stdnum.mx import rfc as stdnum_rfc

from presidio_mx.replace.codes import (
    HOMOCLAVE,
    HOMOCLAVE_FIRST,
    clabe_check_digit,
)
from presidio_mx.spanish.addresses import street_names
from presidio_mx.spanish.codes import curp_letters, voter_letters
from presidio_mx.spanish.name_lists import name_lists
from presidio_mx.spanish.names import bare
from presidio_mx.spanish.places import STATES, Place, atlas
from presidio_mx.text.folding import fold_key

_OLD, _YOUNG = 1955, 1990
_DIGITS = "0123456789"
_KINDS = ("Calle", "Avenida", "Privada", "Andador", "Calzada", "Callejón")
_UNITS = ("HGZ", "HGR", "UMF", "HGSZ", "CSU", "CESSA")
_HOSPITALS = ("Hospital General de", "Centro de Salud", "Hospital Regional de")
_TWO_GIVEN = 60  # per cent


@dataclass(frozen=True, slots=True)
class Person:
    """A made-up person whose codes agree with one another.

    :param given: Given names.
    :param first: First surname.
    :param second: Second surname.
    :param sex: F or M.
    :param birth: Date of birth.
    :param state: CURP code of the state of birth.
    :param curp: CURP.
    :param rfc: RFC with homoclave.
    :param nss: Social security number of IMSS.
    :param ine: Voter key.
    """

    given: str
    first: str
    second: str
    sex: str
    birth: date
    state: str
    curp: str
    rfc: str
    nss: str
    ine: str

    @property
    def name(self) -> str:
        """The whole name."""
        return f"{self.given} {self.first} {self.second}"


@cache
def _given(sex: str, age: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
    names = name_lists()
    found = [
        (entry.text, entry.share)
        for key, entry in names.given.items()
        if entry.sex == sex
        and entry.kind == "usual"
        and names.is_given(key)
        and names.generations.get(key, age) == age
    ]
    return tuple(text for text, _ in found), tuple(share for _, share in found)


@cache
def _surnames() -> tuple[tuple[str, ...], tuple[float, ...]]:
    names = name_lists()
    usual = [(k, e) for k, e in names.surnames.items() if e.kind == "usual"]
    return (
        tuple(entry.text for _, entry in usual),
        tuple(1.0 / (10 + names.ranks[key]) for key, _ in usual),
    )


class Provider(BaseProvider):
    """Made-up people, codes, addresses and institutions of Mexico."""

    def _chosen(self, choices: Sequence[str], weights: Sequence[float]) -> str:
        return str(self.generator.random.choices(choices, weights)[0])

    def _signs(self, signs: str, count: int) -> str:
        return "".join(self.generator.random.choices(signs, k=count))

    def mx_person(self, sex: str = "", decade: int = 0) -> Person:
        """Return a person.

        :param sex: F, M, or empty for either.
        :param decade: Decade of birth, e.g. 1980; 0 for any from 1930 to 2010.
        :raises ValueError: If the sex is another, or the decade is none.
        """
        if sex not in ("", "F", "M") or (decade and not 1900 <= decade <= 2090):
            raise ValueError("mx_person: sex is F or M, decade a year such as 1980")
        random = self.generator.random
        sex = sex or random.choice("FM")
        start = decade // 10 * 10 or random.randrange(1930, 2020, 10)
        birth = date(start, 1, 1) + timedelta(days=random.randrange(3650))
        age = "old" if birth.year < _OLD else "young" if birth.year >= _YOUNG else ""
        count = 2 if random.randrange(100) < _TWO_GIVEN else 1
        given: dict[str, None] = {}
        while len(given) < count:
            given[self._chosen(*_given(sex, age))] = None
        first, second = self._chosen(*_surnames()), self._chosen(*_surnames())
        state = random.choice(STATES)
        keys = (
            [fold_key(name) for name in given],
            bare(fold_key(first)),
            bare(fold_key(second)),
        )
        four, inner = curp_letters(*keys)
        day = birth.strftime("%y%m%d")
        mark = self._signs(_DIGITS if birth.year < 2000 else "ABCDEFGH", 1)
        body = f"{four}{day}{'H' if sex == 'M' else 'M'}{state}{inner}{mark}"
        tax = four + day + self._signs(HOMOCLAVE_FIRST, 1)
        tax += self._signs(HOMOCLAVE, 1)
        joined = (birth.year + 16 + random.randrange(15)) % 100
        number = f"{random.randrange(1, 98):02d}{joined:02d}{birth:%y}"
        number += self._signs(_DIGITS, 4)
        place = f"{STATES.index(state) + 1:02d}"
        voter = voter_letters(*keys) + day + place + body[10] + self._signs(_DIGITS, 3)
        return Person(
            given=" ".join(given),
            first=first,
            second=second,
            sex=sex,
            birth=birth,
            state=state,
            curp=body + stdnum_curp.calc_check_digit(body),
            rfc=tax + stdnum_rfc.calc_check_digit(tax),
            nss=number + luhn.calc_check_digit(number),
            ine=voter,
        )

    def mx_name(self, sex: str = "", decade: int = 0) -> str:
        """Return the name of a person.

        :param sex: F, M, or empty for either.
        :param decade: Decade of birth, which names tell: "Epifania", "Ximena".
        """
        return self.mx_person(sex, decade).name

    def mx_curp(self) -> str:
        """Return a CURP."""
        return self.mx_person().curp

    def mx_rfc(self) -> str:
        """Return the RFC of a person."""
        return self.mx_person().rfc

    def mx_nss(self) -> str:
        """Return a social security number of IMSS."""
        return self.mx_person().nss

    def mx_ine(self) -> str:
        """Return a voter key."""
        return self.mx_person().ine

    def mx_clabe(self) -> str:
        """Return a CLABE."""
        body: str = self.generator.random.choice(("002", "012", "021", "072", "127"))
        body += self._signs(_DIGITS, 14)
        return body + clabe_check_digit(body)

    def mx_license(self) -> str:
        """Return the number of a professional licence."""
        return str(self.generator.random.randrange(1_000_000, 13_000_000))

    def mx_age(self) -> str:
        """Return an age."""
        return f"{self.generator.random.randrange(1, 95)} años"

    def mx_place(self) -> Place:
        """Return a municipality."""
        random = self.generator.random
        plain = [p for p in atlas().by_state[random.choice(STATES)] if p.plain]
        place: Place = random.choice(plain)
        return place

    def mx_city(self) -> str:
        """Return a municipality with its state."""
        place = self.mx_place()
        return f"{place.name}, {atlas().state_names[place.state][0]}"

    def mx_address(self) -> str:
        """Return an address with a postal prefix of its municipality or state."""
        random, world = self.generator.random, atlas()
        place = self.mx_place()
        street = random.choice(street_names("street")[0])
        quarter = random.choice(street_names("quarter")[0][:400])
        prefixes = world.postal_of.get((place.key, place.state))
        prefix = random.choice(prefixes or world.postal_of["", place.state])
        code = prefix + self._signs(_DIGITS, 5 - len(prefix))
        state = world.state_names[place.state][0]
        door = f"{random.choice(_KINDS)} {street} {random.randrange(1, 2000)}"
        return f"{door}, col. {quarter}, CP {code}, {place.name}, {state}"

    def mx_institution(self) -> str:
        """Return a clinic or hospital."""
        random = self.generator.random
        if random.randrange(2):
            return f"{random.choice(_UNITS)} {random.randrange(1, 120)}"
        return f"{random.choice(_HOSPITALS)} {self.mx_place().name}"
