"""From a batch to its review, and from there to a release."""

import json

import pytest
from batch_helpers import job, read_csv, write_csv
from docx import Document

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.pipeline import examine
from presidio_mx.replace.engine import anonymize
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.finished import read_finished
from presidio_mx.work.batch.run import run
from presidio_mx.work.service.review.batch import batch_notes
from presidio_mx.work.service.review.project import open_project
from presidio_mx.work.service.review.reach import Ask
from presidio_mx.work.service.review.release import (
    job_of,
    page_of,
    read_decisions,
    report_of,
)
from presidio_mx.work.service.review.session import Session

ROWS = [
    ["folio", "nota"],
    ["1", "Paciente Wenceslao Zurita, tel. 443 312 4567. Duerme junto al faro."],
    ["2", "Niega alergias."],
    ["3", "Cita con la Dra. Eréndira Tzintzún."],
]
NAMED = Columns(text=("nota",), keep=("folio",))


def review(source, out, reviewer="ana", add=None):
    """Finish every note as it was found; mark a word of note 1, if asked for."""
    notes = batch_notes(source, None)
    project = open_project(
        source, out, lambda text: examine(text, ner="none"), notes=notes.texts
    )
    write = lambda text, spans: anonymize(text, spans, "tag")  # noqa: E731
    session = Session(project, reviewer, write)
    if add:
        start = project.texts["1"].index(add)
        end = start + len(add)
        session.decide(Ask("add", "1", start=start, end=end, entity="PERSON"))
    for note in session.notes[:2] if reviewer == "ana" else session.notes:
        session.decide(Ask("done", note))
    session.close()


@pytest.fixture
def batch(tmp_path):
    source = write_csv(tmp_path / "in.csv", ROWS)
    run(job(source, tmp_path / "out.csv", NAMED))
    return tmp_path / "out.csv"


def released(batch, folder, out, reviewer=None):
    made = read_finished(batch)
    made.check_input()
    decided = read_decisions(made, folder, reviewer)
    task = job_of(made, decided, out, key=None, site=None, workers=0)
    return report_of(made, decided, run(task))


def test_what_a_reviewer_decided_is_merged_and_reported(batch, tmp_path):
    review(batch, tmp_path / "review", add="faro")
    report = released(batch, tmp_path / "review", tmp_path / "free.csv")
    before, after = read_csv(batch), read_csv(tmp_path / "free.csv")
    assert "faro" in before[1][1] and "faro" not in after[1][1]
    assert after[2:] == before[2:] and after[0] == before[0]
    assert (report["reviewer"], report["reviewed"]) == ("ana", 2)
    assert report["not_reviewed"] == 1
    assert report["missed_before_review"]["failed"] == 1
    text = json.dumps(report, ensure_ascii=False) + page_of(report)
    assert not any(word in text for word in ("faro", "Zurita", "Tzintzún"))


def test_of_two_reviewers_one_is_chosen_and_their_kappa_is_told(batch, tmp_path):
    review(batch, tmp_path / "review", add="faro")
    review(batch, tmp_path / "review", "beto")
    with pytest.raises(ConfigurationError, match="2 reviewers; say with --reviewer"):
        released(batch, tmp_path / "review", tmp_path / "free.csv")
    report = released(batch, tmp_path / "review", tmp_path / "free.csv", "beto")
    assert "faro" in read_csv(tmp_path / "free.csv")[1][1]
    assert 0 < report["agreement"][0]["kappa"] < 1


def test_the_riskiest_notes_of_a_batch_alone(batch, tmp_path):
    assert len(batch_notes(batch, None).texts) == 3
    assert list(batch_notes(batch, 1).texts) == ["1"]
    assert len(batch_notes(batch, 2).texts) == 2
    assert batch_notes(tmp_path / "in.csv", None) is None
    with pytest.raises(ConfigurationError, match="is no output"):
        batch_notes(tmp_path / "in.csv", 2)


def test_another_input_is_refused(batch, tmp_path):
    write_csv(tmp_path / "in.csv", ROWS[:2])
    with pytest.raises(InputError, match="was changed since the batch"):
        batch_notes(batch, None)


def test_files_are_known_by_their_paths(tmp_path):
    (tmp_path / "in" / "a").mkdir(parents=True)
    (tmp_path / "in" / "a" / "001.txt").write_text(ROWS[1][1], encoding="utf-8")
    (tmp_path / "in" / "b.txt").write_text(ROWS[2][1], encoding="utf-8")
    run(job(tmp_path / "in", tmp_path / "out", Columns(text=("text",))))
    assert sorted(batch_notes(tmp_path / "out", None).texts) == ["a/001.txt", "b.txt"]


@pytest.fixture
def documents(tmp_path):
    """Return the output of a batch of a text, a message and a document of Word."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text(ROWS[1][1], encoding="utf-8")
    message = "MSH|^~\\&|A|B|C|D|20240312||ADT^A01|1|P|2.5.1\rPID|1||||TZINTZUN^LUZ\r"
    (folder / "b.hl7").write_text(message, newline="")
    document = Document()
    document.add_heading("Nota de Wenceslao Zurita")
    for line in (ROWS[1][1], "Vive sola."):
        document.add_paragraph(line)
    document.save(folder / "c.docx")
    run(job(folder, tmp_path / "out", Columns(text=("text",))))
    return tmp_path / "out"


def lines_of(path):
    return [paragraph.text for paragraph in Document(str(path)).paragraphs]


def test_a_review_of_documents_finds_what_the_batch_found(documents, tmp_path):
    notes = batch_notes(documents, None)
    assert sorted(notes.texts) == ["a.txt", "b.hl7", "c.docx"]
    project = open_project(
        documents,
        tmp_path / "r",
        lambda text: notes.examine(text, None),
        notes=notes.texts,
    )
    found = {
        id_: [(m.entity, project.texts[id_][m.start : m.end]) for m in state.live]
        for id_, state in project.base.items()
    }
    assert ("PERSON", "Wenceslao Zurita") in found["c.docx"]
    assert ("PERSON", "TZINTZUN^LUZ") in found["b.hl7"]
    released_rows = [row.risk for row in read_finished(documents).rows]
    assert list(project.risks) and all(risk is not None for risk in released_rows)


def test_documents_are_released_as_they_were_decided(documents, tmp_path):
    notes = batch_notes(documents, None)
    project = open_project(
        documents,
        tmp_path / "r",
        lambda text: notes.examine(text, None),
        notes=notes.texts,
    )
    session = Session(project, "ana", lambda text, spans: anonymize(text, spans, "tag"))
    text = project.texts["c.docx"]
    begin = text.index("faro.")
    # From one paragraph into the next: what stands between them stays.
    end = text.index("Vive") + len("Vive")
    session.decide(Ask("add", "c.docx", start=begin, end=end, entity="LOCATION"))
    phone = next(m for m in session.states["c.docx"].live if m.entity == "PHONE_NUMBER")
    session.decide(Ask("reject", "c.docx", mark=phone.id))
    session.decide(Ask("done", "c.docx"))
    session.close()
    report = released(documents, tmp_path / "r", tmp_path / "free")
    assert (report["rows"], report["reviewed"], report["failed"]) == (3, 1, 0)
    assert report["not_reviewed"] == 2
    new = (tmp_path / "free" / "b.hl7").read_text()
    assert new.startswith("MSH|^~\\&|A|B|C|D|") and "TZINTZUN" not in new
    head, first, second = lines_of(tmp_path / "free" / "c.docx")
    assert "Zurita" not in head + first
    assert "443 312 4567" in first and "faro" not in first
    assert second.endswith(" sola.") and "Vive" not in second
