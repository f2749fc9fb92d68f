"""Invented addresses of mail and pages."""

from datetime import date
from random import Random

from presidio_mx.research.corpora.synthesis_codes import Name, draw_digits
from presidio_mx.spanish.words import listed
from presidio_mx.spanish.writing import strip_accents

_MAIL = listed("synthetic_mail")


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
