"""The published baseline does what its description says; its index, its batch."""

from pathlib import Path

import pytest
import yaml
from batch_helpers import job, read_csv, write_csv
from typer.testing import CliRunner

from presidio_mx import ConfigurationError, analyze_and_anonymize, build_analyzer
from presidio_mx.research.corpora.inline import parse
from presidio_mx.research.systems.adbdc import (
    _municipalities,
    find,
    find_in,
    new_index,
    triggers,
)
from presidio_mx.research.systems.inverted_index import InvertedIndex
from presidio_mx.work.batch.cells import Cells
from presidio_mx.work.batch.run import run
from presidio_mx.work.batch.settings import Settings
from presidio_mx.work.batch.work import indexed
from presidio_mx.work.cli.program import app

CASES = Path(__file__).parent / "cases" / "adbdc" / "notes.yaml"
NOTES = ("Paciente Ana Ruiz con tos", "Sin fiebre", "Red de apoyo amplia, red amplia")


@pytest.mark.parametrize("case", yaml.safe_load(CASES.read_text("utf-8")))
def test_cases(case):
    note, broken = parse("n", case)
    assert not broken
    found = [(note.text[f.start : f.end], f.entity) for f in find(note.text)]
    assert found == [(note.covered(span), span.entity_type) for span in note.spans]


def test_it_is_a_preset():
    engine = build_analyzer(preset="ADBDC")
    text = "originario de Morelia, tel. 443 312 4567"
    results = sorted(engine.analyze(text, language="es"), key=lambda r: r.start)
    assert [r.entity_type for r in results] == ["LOCATION", "PHONE_NUMBER"]
    assert engine.analyze(text, language="es", entities=["PERSON"]) == []


def test_places_count_stop_words_as_in_figure_3_3():
    text = new_index(["Se recibe paciente con red de apoyo"]).documents[0]
    places = dict(zip(text.words, text.places, strict=True))
    assert places == {"recibe": 2, "paciente": 3, "red": 5, "apoyo": 7}


def test_as_many_forms_of_municipalities_as_the_thesis_had():
    assert sum(map(len, _municipalities().values())) == 145


STAFF = "Dr. Juan Pérez López valora; hijo Pedro Pérez, cel. 443 312 4567"
KEPT = "Dr. Juan Pérez López valora; hijo {NOMBRE}, cel. {CEL}"


def test_staff_stay_and_phones_are_cel_however_it_is_called(tmp_path):
    assert analyze_and_anonymize(STAFF, preset="ADBDC").text == KEPT
    note = tmp_path / "note.txt"
    note.write_text(STAFF, "utf-8")
    command = ["anonymize", str(note), "--preset", "ADBDC"]
    assert CliRunner().invoke(app, command).stdout == KEPT
    source = write_csv(tmp_path / "in.csv", [["folio", "nota"], ["1", STAFF]])
    settings = Settings(preset="ADBDC", ner="none")
    run(job(source, tmp_path / "out.csv", settings=settings))
    assert read_csv(tmp_path / "out.csv")[1][1] == KEPT
    # What a user asks for by name stands.
    masked = analyze_and_anonymize(STAFF, "tag-presidio", preset="ADBDC").text
    assert masked.endswith("<PHONE_NUMBER>")


def test_baseline_takes_no_site(tmp_path):
    with pytest.raises(ConfigurationError, match="site"):
        build_analyzer(preset="ADBDC", site=tmp_path)


def test_the_index_knows_documents_and_positions():
    index = InvertedIndex(NOTES, {"de", "con"})
    assert index.terms("Red de apoyo") == (("red", 0), ("apoyo", 2))
    assert list(index.positions(index.terms("red"), 2)) == [0, 3]
    assert list(index.positions(index.terms("red de apoyo"), 2)) == [0]
    assert list(index.positions(index.terms("amplia red de apoyo"), 2)) == []
    assert index.notes_with("red de apoyo", "TOS") == {0, 2}
    assert index.notes_with("red apoyo", "apoyo red", "de") == set()
    assert index.dictionary()["amplia"] == 2
    assert "con" not in index.dictionary()
    assert new_index().add("y fiebre") == 0


def test_notes_without_a_trigger_are_known_before_they_are_searched():
    index = new_index(NOTES)
    assert index.notes_with(*triggers()) == {0, 2}
    for number, text in enumerate(NOTES):
        assert find_in(index, number) == find(text)


def test_batch_indexes_the_rows_of_the_baseline_alone():
    cells = [Cells((text, None)) for text in NOTES]
    rows = indexed(Settings(preset="ADBDC", ner="none"), cells)
    assert [row.numbers for row in rows] == [(0, -1), (1, -1), (2, -1)]
    # Known data need an engine, and so do presets that find more.
    known = Settings(preset="ADBDC", ner="none", known=("patient",))
    row = Cells(("Sin fiebre",), ("Ana Ruiz",))
    assert list(indexed(known, [row])) == [row]
    assert indexed(Settings(ner="none"), cells) is cells


def test_batch_comes_to_what_single_notes_come_to(tmp_path):
    rows = [["folio", "nota"], *([str(i), text] for i, text in enumerate(NOTES))]
    source = write_csv(tmp_path / "in.csv", rows)
    settings = Settings(preset="ADBDC", ner="none")
    run(job(source, tmp_path / "out.csv", settings=settings))
    assert [row[1] for row in read_csv(tmp_path / "out.csv")[1:]] == [
        "Paciente {NOMBRE} con tos",
        *NOTES[1:],
    ]


def test_the_index_of_a_folder(tmp_path):
    for number, text in enumerate(NOTES):
        (tmp_path / f"{number}.txt").write_text(text, "utf-8")
    words = tmp_path / "words.tsv"
    command = ["corpus", "index", str(tmp_path), "--find", "red de apoyo"]
    done = CliRunner().invoke(app, [*command, "--dictionary", str(words)])
    assert done.exit_code == 0, done.output
    assert done.stdout == "2\n"
    assert "3 " in done.stderr
    assert "amplia\t2" in words.read_text("utf-8").splitlines()
