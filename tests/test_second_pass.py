"""A word of a name goes wherever it stands, whatever kind of file holds the note."""

import json

import pytest
from child import call

from presidio_mx.research.cohort.run import Columns, Settings, make_cohort

NOTE = (
    "Paciente Erandi Tzintzun Huerta, femenino de 34 años, acude con dolor; "
    "erandi dice que no toma nada y que vive sola desde hace un año."
)
FILES = {
    "nota.txt": NOTE,
    "nota.html": f"<p>{NOTE}</p>",
    "nota.json": json.dumps({"nota": NOTE}, ensure_ascii=False),
    "nota.xml": f"<n><nota>{NOTE}</nota></n>",
    "nota.hl7": "MSH|^~\\&|A|B|C|D|20240312||ORU^R01|1|P|2.5\r"
    f"OBX|1|TX|11||{NOTE}||||||F\r",
}


@pytest.mark.parametrize("name", FILES)
def test_every_kind_of_file_loses_it(name, tmp_path):
    path = tmp_path / name
    path.write_text(FILES[name], encoding="utf-8", newline="")
    done = call("anonymize", str(path), "--ner", "none")
    assert done.returncode == 0, done.stderr
    assert "dice que no" in done.stdout.decode()
    assert "erandi" not in done.stdout.decode().lower()


def test_a_cohort_loses_it():
    found = make_cohort([{"nota": NOTE}], Columns("nota"), Settings(ner="none"))
    assert "dice que no" in found.notes[0].text
    assert "erandi" not in found.notes[0].text.lower()


def test_known_data_give_every_kind_of_file_the_same_surrogates(tmp_path, monkeypatch):
    """The letters of an e-mail follow a patient whom the note does not name."""
    monkeypatch.setenv("PRESIDIO_MX_KEY", "Xo3pW-9zTf7q-Lm2bV-8sKd4")
    text = "Enviar resultados a etzintzun@correo.mx y citar en una semana."
    said = set()
    for name, content in (("a.txt", text), ("a.html", f"<p>{text}</p>")):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        done = call(
            *("anonymize", str(path), "--ner", "none", "--operators", "surrogate"),
            *("--known", "paciente=Erandi Tzintzun Huerta", "--scope", "patient:7"),
        )
        assert done.returncode == 0, done.stderr
        said.add(done.stdout.strip())
    assert len(said) == 1
