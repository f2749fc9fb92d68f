"""Faker: its values in the place of findings, and our generators as its provider."""

import re
import sys

import pytest
from faker import Faker
from presidio_anonymizer.entities import OperatorConfig
from stdnum import luhn
from stdnum.mx import curp, rfc
from surrogate_helpers import KEYS, replaced

from presidio_mx.errors import ConfigurationError
from presidio_mx.faker import Provider
from presidio_mx.spanish.codes import curp_letters
from presidio_mx.spanish.name_lists import name_lists
from presidio_mx.spanish.places import atlas
from presidio_mx.spanish.writing import place_key
from presidio_mx.text.folding import fold_key

NOTE = (
    "[patient:Jesús Mendoza Mares], [AGE:46 años], CURP [MX_CURP:MEMJ780101HMNNRS09], "
    "vive en [LOCATION:Morelia]. Cita [DATE_TIME:12/03/2019]. "
    "Firma [patient:Jesús Mendoza Mares]"
)


def made(seed):
    """Return a generator with our provider."""
    fake = Faker("es_MX")
    fake.add_provider(Provider)
    fake.seed_instance(seed)
    return fake


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("decade", [1940, 1980, 2010])
def test_codes_of_a_made_up_person_agree(seed, decade):
    who = made(seed).mx_person(decade=decade)
    assert who == made(seed).mx_person(decade=decade)
    assert who.birth.year // 10 * 10 == decade
    given = [fold_key(word) for word in who.given.split()]
    four, inner = curp_letters(given, fold_key(who.first), fold_key(who.second))
    assert curp.is_valid(who.curp) and who.curp[:4] == four
    assert who.curp[13:16] == inner
    assert curp.get_birth_date(who.curp) == who.birth
    assert curp.get_gender(who.curp) == who.sex
    assert rfc.is_valid(who.rfc, validate_check_digits=True)
    assert who.rfc[:10] == who.curp[:10]
    assert luhn.is_valid(who.nss) and len(who.nss) == 11
    assert re.fullmatch(rf"[A-Z]{{6}}{who.curp[4:10]}\d\d[HM]\d{{3}}", who.ine)
    assert all(name_lists().sex(name) in (who.sex, "U") for name in given)


@pytest.mark.parametrize("seed", range(20))
def test_made_up_addresses_are_of_a_state(seed):
    address = made(seed).mx_address()
    town, state = address.split(", ")[-2:]
    code = atlas().state_forms[place_key(state)]
    assert atlas().town(place_key(town), code).state == code
    assert re.search(r", CP \d{5}, ", address)


def test_every_generator_of_the_provider_makes_something():
    fake = made(1)
    names = [name for name in dir(Provider) if name.startswith("mx_")]
    assert len(names) > 9
    assert all(str(getattr(fake, name)()) for name in names)


@pytest.mark.parametrize("wrong", [{"sex": "H"}, {"decade": 80}])
def test_what_no_person_is_made_of_is_refused(wrong):
    with pytest.raises(ValueError, match="mx_person"):
        made(1).mx_person(**wrong)


def test_the_same_value_has_the_same_fake_under_a_key():
    text, values = replaced(NOTE, KEYS[0], "faker")
    assert (text, values) == replaced(NOTE, KEYS[0], "faker")
    assert values[0] == values[-1] and text != replaced(NOTE, KEYS[1], "faker")[0]
    assert not re.search(r"Mendoza|Morelia|MEMJ|12/03/2019", text)
    assert curp.is_valid(values[2])


def test_a_provider_may_be_named():
    operators = {
        "PERSON": OperatorConfig(
            "faker", {"provider": "mx_name", "arguments": {"sex": "F"}}
        )
    }
    name = replaced(NOTE, KEYS[0], operators)[1][0]
    assert name_lists().sex(fold_key(name.split()[0])) in ("F", "U")


@pytest.mark.parametrize(
    ("params", "error"),
    [
        ({"provider": "nme"}, "unknown provider 'nme'; did you mean 'name'"),
        ({"locale": "xx_YY"}, "unknown locale 'xx_YY'"),
        ({"arguments": "F"}, "arguments must be names with values"),
        ({"provider": "mx_name", "arguments": {"age": 3}}, "does not take these"),
    ],
)
def test_what_faker_cannot_make_is_refused(params, error):
    with pytest.raises(ConfigurationError, match=error):
        replaced(NOTE, KEYS[0], {"PERSON": OperatorConfig("faker", params)})


@pytest.mark.parametrize("key", KEYS[:3])
def test_an_unknown_firm_becomes_one_of_a_surname(key, monkeypatch):
    monkeypatch.setitem(sys.modules, "faker", None)
    firm, again = (
        replaced("trabaja en [ORGANIZATION:Zutrex Kalimba]", key=key)[1][0]
        for _ in range(2)
    )
    assert firm == again
    kind, surname = firm.split(" ", 1)
    assert kind in {"Grupo", "Industrias", "Corporación", "Proyectos"}
    assert fold_key(surname) in name_lists().surnames
