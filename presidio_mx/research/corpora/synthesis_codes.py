"""Invented codes that agree with their bearer: CURP, RFC, NSS, accounts, mail."""

from dataclasses import dataclass
from datetime import date
from random import Random

from stdnum import luhn
from stdnum.mx import curp as stdnum_curp
from stdnum.mx import rfc as stdnum_rfc

from presidio_mx.replace.codes import clabe_check_digit
from presidio_mx.spanish.codes import curp_letters, voter_letters
from presidio_mx.spanish.places import STATES
from presidio_mx.spanish.words import listed
from presidio_mx.spanish.writing import strip_accents

_MAIL = listed("synthetic_mail")


@dataclass(frozen=True)
class Name:
    """A person's name.

    :param given: Given names.
    :param first: First surname.
    :param second: Second surname.
    :param sex: F or M.
    """

    given: str
    first: str
    second: str
    sex: str

    @property
    def full(self) -> str:
        """The name in its usual order."""
        return f"{self.given} {self.first} {self.second}"

    @property
    def called(self) -> str:
        """What the person is called: the first given name, or one that says more."""
        words = self.given.split()
        return words[0] if len(words[0]) > 3 else words[-1]


def draw_digits(random: Random, count: int) -> str:
    """Return digits, the first of which is not 0.

    :param random: Source of chance.
    :param count: How many.
    :return: The digits.
    """
    first = str(random.randint(1, 9))
    return first + "".join(str(random.randint(0, 9)) for _ in range(count - 1))


def draw_curp(random: Random, name: Name, birth: date, state: str) -> str:
    """Return the CURP of a person, with its check digit.

    :param random: Source of chance, for the sign that tells namesakes apart.
    :param name: The name.
    :param birth: The birth date.
    :param state: CURP code of the state of birth.
    :return: 18 characters.
    """
    four, inner = curp_letters(_told(name), _last(name.first), _last(name.second))
    sex = "M" if name.sex == "F" else "H"
    mark = random.choice("0123456789" if birth.year < 2000 else "ABCDEFGHIJ")
    body = f"{four}{birth:%y%m%d}{sex}{state}{inner}{mark}"
    return body + stdnum_curp.calc_check_digit(body)


def _told(name: Name) -> list[str]:
    """Return the given names without "de la" and the like, which codes pass over."""
    return [word for word in name.given.split() if word[0].isupper()]


def _last(surname: str) -> str:
    return surname.rsplit(maxsplit=1)[-1]


def draw_rfc(random: Random, curp: str) -> str:
    """Return the RFC of a person.

    :param random: Source of chance, for the homoclave.
    :param curp: The person's CURP, with which it shares ten characters.
    :return: 13 or 10 characters.
    """
    if random.random() < 0.15:
        return curp[:10]
    signs = "123456789ABCDEFGHIJKLMNPQRSTUV"
    body = curp[:10] + random.choice(signs) + random.choice(signs)
    return body + stdnum_rfc.calc_check_digit(body)


def draw_nss(random: Random, birth: date) -> str:
    """Return a social security number of IMSS in one of its formats.

    :param random: Source of chance.
    :param birth: The birth date, whose year is in it.
    :return: Eleven digits with or without separators.
    """
    joined = (birth.year + random.randint(16, 25)) % 100
    body = f"{draw_digits(random, 2)}{joined:02d}{birth.year % 100:02d}"
    body += draw_digits(random, 4)
    number = body + luhn.calc_check_digit(body)
    form = random.choice(
        ("{0}{1}{2}{3}{4}", "{0}{1} {2} {3} {4}", "{0}-{1}-{2}-{3}-{4}")
    )
    return form.format(number[:2], number[2:4], number[4:6], number[6:10], number[10])


def draw_ine(random: Random, name: Name, birth: date, state: str) -> str:
    """Return a voter key in format.

    :param random: Source of chance.
    :param name: The name.
    :param birth: The birth date.
    :param state: CURP code of the state of birth.
    :return: 18 characters.
    """
    letters = voter_letters(_told(name), _last(name.first), _last(name.second))
    number = STATES.index(state) + 1 if state in STATES else 1
    sex = "M" if name.sex == "F" else "H"
    return f"{letters}{birth:%y%m%d}{number:02d}{sex}{random.randint(0, 999):03d}"


def draw_clabe(random: Random) -> str:
    """Return a CLABE with its check digit.

    :param random: Source of chance.
    :return: 18 digits.
    """
    body = random.choice(("002", "012", "014", "021", "072", "127"))
    body += "".join(str(random.randint(0, 9)) for _ in range(14))
    return body + clabe_check_digit(body)


def draw_card(random: Random) -> str:
    """Return a bank card number with its check digit.

    :param random: Source of chance.
    :return: 16 digits in groups of four.
    """
    body = random.choice("45") + "".join(str(random.randint(0, 9)) for _ in range(14))
    number = body + luhn.calc_check_digit(body)
    return " ".join(number[i : i + 4] for i in range(0, 16, 4))


def draw_email(random: Random, name: Name, birth: date) -> str:
    """Return an address of the usual providers that is made of a name.

    :param random: Source of chance.
    :param name: Whose it is.
    :param birth: The birth date, whose year many have in it.
    :return: The address.
    """
    given, first, second = (
        strip_accents(part.split()[0]).lower()
        for part in (name.called, name.first, name.second)
    )
    users = (
        f"{given}.{first}{random.randint(1, 99)}",
        f"{given}{first}{birth:%y}",
        f"{given[0]}{first}.{second}",
        f"{given}_{first}{second[0]}",
        f"{first}{given}{random.randint(100, 9999)}",
        f"{given[:3]}{first[:4]}{birth.year}",
    )
    return f"{random.choice(users)}@{random.choice(_MAIL)}"


def draw_url(random: Random) -> str:
    """Return an address of a page with somebody's study or file.

    :param random: Source of chance.
    :return: The address, under a name that is reserved for examples.
    """
    site = random.choice(("estudios", "visor", "pacs", "resultados", "expediente"))
    path = random.choice(("r", "paciente", "estudio", "ver?id="))
    slash = "" if path.endswith("=") else "/"
    host = f"{site}{random.randint(1, 40)}.hospital.example"
    return f"https://{host}/{path}{slash}{draw_digits(random, random.randint(5, 8))}"
