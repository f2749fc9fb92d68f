"""The published baseline does what its description says."""

import pytest

from presidio_mx import ConfigurationError, build_analyzer


@pytest.fixture(scope="module")
def engine():
    return build_analyzer(preset="ADBDC")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "Paciente hipertenso Jesús Mendoza Mares es considerado remiso",
            ["Jesús Mendoza Mares"],
        ),
        ("red de apoyo: Rosa Hernández", ["Rosa Hernández"]),
        ("Dr. Juan Hernández", []),
        ("originario de Morelia", ["Morelia"]),
        ("originario de Guadalajara", []),
        ("tel. 443 312 4567 y 312-9999", ["443 312 4567 y 312-9999"]),
        ("tel. 12345", []),
        (
            "domicilio calle Aldama 45 colonia Centro Histórico, urgencias",
            ["calle Aldama 45 colonia Centro Histórico"],
        ),
    ],
)
def test_baseline(engine, text, wanted):
    results = sorted(engine.analyze(text, language="es"), key=lambda r: r.start)
    assert [text[r.start : r.end] for r in results] == wanted


def test_baseline_takes_no_site(tmp_path):
    with pytest.raises(ConfigurationError, match="site"):
        build_analyzer(preset="ADBDC", site=tmp_path)
