"""The line-up of systems: its rows, and the lists without rules."""

from pathlib import Path

import pytest
from line_up import NOTES, benchmark, rows, run_row
from presidio_analyzer import RecognizerResult

from presidio_mx.find.preset import load_preset
from presidio_mx.text.spans import Note, Span


def test_models_have_a_row_where_their_path_is_given():
    plain = rows("notes")
    assert not {"Flair", "Hugging Face", "GLiNER 0.30"} & set(plain)
    path = Path("model")
    more = set(rows("notes", flair=path, hf=path, gliner=path)) - set(plain)
    gliner = {"GLiNER 0.30", "GLiNER 0.50", "GLiNER 0.70"}
    assert more == {"Flair", "Hugging Face", *gliner}
    spain = rows("brat", train_brat=[path])
    assert "es-ES, gold of train propagated" in spain


def test_every_row_is_described():
    path = Path("model")
    every = rows("brat", flair=path, hf=path, gliner=path, train_brat=[path])
    assert benchmark("systems").about(list(every)).row_count == len(every)


def test_a_row_is_run_and_scored():
    done = run_row("lists alone")
    assert [NOTES[0].covered(s) for s in done.notes[0].spans] == ["Rosa Paz"]


def test_a_frontier_counts_marks_that_touch_nothing():
    frontier = benchmark("frontier")
    gold = [Note("a", "Rosa Paz de Zacapu", (Span(0, 8, "PERSON"),))]
    systems = {"none": lambda text: [RecognizerResult("LOCATION", 12, 18, 1.0)]}
    systems["part"] = lambda text: [RecognizerResult("PERSON", 5, 8, 1.0)]
    found, rates = frontier.run(systems, [gold[0].text])
    wrong = {
        name: frontier.false_marks(gold, [frontier.marked(gold[0], results[0])])
        for name, results in found.items()
    }
    assert wrong == {"none": 250.0, "part": 0.0}
    assert all(rate > 0 for rate in rates.values())
    assert frontier.megabytes("none") == ""


def test_lists_alone_know_no_context():
    resources = benchmark("resources")
    text = "Ana Gil llega de Nueva York al Gregorio Marañón. Rosa. Sal. Zamora Ruiz"
    found = resources.resources_only(text, spain=True)
    assert [(r.entity_type, text[r.start : r.end]) for r in found] == [
        ("ES_NOMBRE_SUJETO_ASISTENCIA", "Ana Gil"),
        ("ES_NOMBRE_SUJETO_ASISTENCIA", "Gregorio Marañón"),
        ("ES_NOMBRE_SUJETO_ASISTENCIA", "Zamora Ruiz"),
        ("ES_TERRITORIO", "Nueva York"),
    ]
    for street in ("c/ Doctor Esquerdo 46", "Calle del Dr. Esquerdo, 46"):
        (found,) = resources.resources_only(f"Vive en {street}.", spain=True)
        assert (found.entity_type, found.start, found.end) == (
            "ES_CALLE",
            8,
            8 + len(street),
        )
    # Short, a surname, an ordinary word: his filters.
    assert not {"ala", "zamora", "real"} & resources.places()
    assert resources.sizes()["hospitals"] > 500


def test_gold_of_train_is_propagated(tmp_path: Path):
    spans = (Span(0, 10, "TERRITORIO"), Span(12, 13, "TERRITORIO"))
    gold = Note("a", "Villarriba, 3", spans)
    folder = benchmark("resources").propagated([gold], tmp_path)
    assert (folder / "deny.tsv").read_text("utf-8") == (
        "text\tentity\nVillarriba\tES_TERRITORIO\n"
    )
    rules = load_preset("es-ES", str(folder))
    found = rules.find(rules.read("una tarde en Villarriba"))
    assert [f.entity for f in found] == ["ES_TERRITORIO"]


def test_marks_are_carried_to_what_a_scanner_read():
    pytest.importorskip("reportlab")
    scans = benchmark("scans")
    note = Note("a", "Paciente Ana Ruíz, 45", (Span(9, 17, "PERSON"),))
    for read, name in (
        ("Pacient Ana Ruiz, 45", "Ana Ruiz"),
        ("Paciente\nAna  Ru1z. 45", "Ana  Ru1z"),
        ("Paciente , 45", None),
    ):
        found = scans.carried(note, read)
        assert [found.covered(span) for span in found.spans] == [name] * bool(name)
