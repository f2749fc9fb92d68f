"""Places: variants of names, strengths, covered states, growth."""

import time

import pytest

from presidio_mx.find.phrases.place.gazetteer import BARE
from presidio_mx.find.phrases.place.gazetteer import load_places
from presidio_mx.find.phrases.place.phrase import PlacePhrase
from presidio_mx.find.phrases.place.typos import load_place_typos
from presidio_mx.find.preset import load_preset


@pytest.fixture(scope="module")
def preset():
    return load_preset("mx")


def longest(preset, text, covered=frozenset()):
    document = preset.read(text)
    return load_places(covered).longest(document, 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ciudad Juárez", 2),
        ("Cd. Juárez", 2),
        ("CD JUAREZ", 2),
        ("San Luis Potosí", 3),
        ("San Luis\nPotosí", 1),
        ("Sta. María del Oro", 4),
        ("N.L.", 2),
        ("Edo. Méx.", 2),
        ("Zitácuaro", 1),
        ("Estados Unidos", 2),
    ],
)
def test_a_name_is_found_in_its_usual_spellings(preset, text, words):
    match = longest(preset, text)
    if words == 1 and "\n" in text:
        assert match is None or match[0] == 1
    else:
        assert match is not None
        assert match[0] == words - 1


@pytest.mark.parametrize("name", ["Zitácuaro", "Apatzingán", "San Luis Potosí"])
def test_an_unambiguous_name_needs_no_context(preset, name):
    assert longest(preset, name)[1].strength >= BARE


@pytest.mark.parametrize(
    "name", ["Hidalgo", "Guerrero", "León", "Victoria", "Reyes", "Lázaro Cárdenas"]
)
def test_an_ambiguous_name_needs_context(preset, name):
    match = longest(preset, name)
    assert match is None or match[1].strength < BARE


def test_towns_of_states_that_are_not_covered_are_weaker(preset):
    everywhere = longest(preset, "Zitácuaro")[1].strength
    elsewhere = longest(preset, "Zitácuaro", frozenset(["JC"]))[1].strength
    at_home = longest(preset, "Zitácuaro", frozenset(["MN"]))[1].strength
    assert elsewhere < BARE <= at_home == everywhere


def test_uncovered_towns_still_count_in_context(preset):
    phrase = PlacePhrase(load_places(frozenset(["JC"])), preset.lexicon)
    document = preset.read("Zitácuaro con fiebre")
    assert list(phrase.candidates(document, {}, [])) == []
    assert phrase.at(document, 0, {"prior": 4.0}, []) is not None


def test_a_state_makes_an_ambiguous_town_sure(preset):
    text = "Se atiende en casa. Hidalgo, Mich."
    found = [text[f.start : f.end] for f in preset.find(text)]
    assert found == ["Hidalgo", "Mich."]


def test_time_grows_in_proportion_to_the_text(preset):
    unit = "San Juan de la Cruz, San Pedro, La Paz Col. Centro calle Hidalgo 3 y "

    def seconds(repeats):
        document = preset.read(unit * repeats)
        phrase = PlacePhrase(load_places(), preset.lexicon)
        start = time.process_time()
        list(phrase.candidates(document, {}, []))
        return time.process_time() - start

    def least(repeats):
        return min(seconds(repeats) for _ in range(3))

    seconds(50)
    assert least(2000) < 40 * max(least(200), 0.002)
