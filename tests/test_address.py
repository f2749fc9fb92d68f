"""Addresses: where the run ends, whatever follows; growth on hostile text."""

import time

import pytest

from presidio_mx.find.preset import load_preset

STREET = "calle Mariano Matamoros 145 int 3, col. Las Flores, C.P. 58000"


@pytest.fixture(scope="module")
def preset():
    return load_preset("mx")


def addresses(preset, text):
    found = preset.find(preset.read(text))
    return [text[f.start : f.end] for f in found if f.entity == "ADDRESS"]


@pytest.mark.parametrize(
    "after",
    [
        ", Morelia, Mich.",
        " Morelia, Michoacán",
        ". Tel. 443 312 4567",
        " tel 4433124567",
        "; edad 45 años",
        "\nOcupación: hogar",
        ", refiere dolor de 3 días",
        " (casa de su hermana)",
        "",
    ],
)
@pytest.mark.parametrize("label", ["Domicilio: ", "vive en ", "dom. ", "DOMICILIO "])
def test_the_run_ends_before_what_is_no_part_of_it(preset, label, after):
    assert addresses(preset, label + STREET + after) == [STREET]


def test_capitals_and_small_letters_give_the_same_span(preset):
    for text in (STREET.upper(), STREET.lower()):
        assert addresses(preset, f"DOMICILIO: {text}") == [text]


@pytest.mark.parametrize(
    "name", ["5 de Mayo", "Benito Juárez", "16 de Septiembre", "Dr. Liceaga"]
)
def test_streets_named_after_persons_and_dates_are_addresses(preset, name):
    text = f"Domicilio: calle {name} 12, col. Centro"
    found = preset.find(preset.read(text))
    assert [f.entity for f in found] == ["ADDRESS"]


@pytest.mark.parametrize(
    "unit",
    [
        "calle de la calle ",
        "col. col. col. ",
        "calle A y B y ",
        "entre entre calle 5 x 5 ",
        "km 5 carretera a a a ",
        "mz 1 lt 2 ",
        "Av. Juan Pedro Luis ",
        "hospital general de la ",
    ],
)
def test_time_grows_in_proportion_to_hostile_text(preset, unit):
    labels = ("address.yaml#opening_word", "organization.yaml#named")

    def seconds(size):
        document = preset.read(unit * (size // len(unit)))
        start = time.process_time()
        for group in preset.grammar.groups:
            for compiled in group:
                if compiled.label in labels:
                    list(compiled.phrase.candidates(document, {}, []))
        return time.process_time() - start

    def least(size):
        return min(seconds(size) for _ in range(3))

    seconds(500)
    assert least(40_000) < 40 * max(least(4_000), 0.003)
