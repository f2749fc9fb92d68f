"""What a second reader of surrogates stumbled over: each kind has its case."""

import re
from pathlib import Path

import pytest
import yaml
from surrogate_helpers import sexes_of
from test_surrogates_read import names_in

from presidio_mx.replace.engine import anonymize
from presidio_mx.spanish.name_lists import name_lists
from presidio_mx.spanish.names import parse_name
from presidio_mx.text.folding import fold_key
from presidio_mx.text.spans import Span

CASES = yaml.safe_load(
    (Path(__file__).parent / "cases" / "surrogates" / "oddities.yaml").read_text(
        "utf-8"
    )
)
KEYS = [f"key number {number} for these tests".encode() for number in range(4)]


@pytest.mark.parametrize(("marked", "pattern"), CASES["names"])
@pytest.mark.parametrize("key", KEYS)
def test_names_alike_stay_alike_and_what_is_no_name_stays(marked, pattern, key):
    new = "|".join(names_in(marked, key))
    assert re.fullmatch(pattern, new), new


@pytest.mark.parametrize("marked", CASES["women"])
@pytest.mark.parametrize("key", KEYS)
def test_a_woman_gets_the_name_of_a_woman(marked, key):
    first = fold_key(names_in(marked, key)[-1].split()[0])
    assert "F" in sexes_of(first), first


@pytest.mark.parametrize(
    ("before", "entity", "value", "behind", "score", "there"), CASES["kept"]
)
def test_what_is_no_date_town_or_name_gets_no_surrogate(
    before, entity, value, behind, score, there
):
    span = Span(len(before), len(before) + len(value), entity, None, score)
    done = anonymize(before + value + behind, [span], "surrogate", key=KEYS[0])
    new = done.text[len(before) : len(done.text) - len(behind)]
    if there:
        assert new == there
    else:
        assert new != value
        assert "{" not in new


@pytest.mark.parametrize(
    "marked",
    [
        "Enf. [staff:Toño]",
        "TS [staff:Lety]",
        'camillero [staff:Rolando "Rolis" Téllez]',
    ],
)
@pytest.mark.parametrize("key", KEYS)
def test_a_nickname_becomes_no_surname(marked, key):
    (new,) = names_in(marked, key)
    word = re.search(r'"(.+)"', new)
    assert name_lists().use(fold_key(word[1] if word else new)) != "surname", new


def test_the_last_word_behind_a_given_name_is_a_surname():
    assert parse_name("Remedios Alcántara Luz").surnames == ("alcantara", "luz")
    assert parse_name("Mendoza Mares Luz").given == ("luz",)
    read = parse_name("VALDES VDA DE RUIZ SOCORRO")
    assert read.given == ("socorro",) and read.surnames == ("valdes",)
    assert parse_name("Ana Ríos vda. de Paz").given == ("ana",)
