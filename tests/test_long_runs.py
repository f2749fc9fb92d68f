"""Notes that repeat an opening word for ever neither fail nor find nonsense."""

import pytest

from presidio_mx.find.preset import load_preset


@pytest.mark.parametrize(
    "unit",
    [
        "UNEME ",
        "UMAE UNEME ",
        "CMN 2 ",
        "Hospital General No. 2 CMN ",
        "esquina de ",
        "en Lomas de Mz 4, casi esquina con ",
    ],
)
def test_a_repeated_opening_word_ends(unit):
    text = unit * 1500
    preset = load_preset("mx")
    found = preset.find(preset.read(text))
    assert all(0 <= f.start < f.end <= len(text) for f in found)
    assert max((f.end - f.start for f in found), default=0) < 400
