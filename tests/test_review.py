"""Decisions, their journal, figures, lists and export of the review, without a page."""

import json
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from presidio_analyzer import RecognizerResult

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.pipeline import Examined
from presidio_mx.replace.engine import anonymize
from presidio_mx.research.corpora.store import read_corpus
from presidio_mx.text.folding import fold
from presidio_mx.work.service.review import figures
from presidio_mx.work.service.review.decide import changes_for, next_note
from presidio_mx.work.service.review.export import FORMS, export, file_name
from presidio_mx.work.service.review.journal import Journal, read_journal
from presidio_mx.work.service.review.marks import (
    Change,
    Event,
    Mark,
    NoteState,
    from_json,
    replay,
    standing,
    to_json,
)
from presidio_mx.work.service.review.notes import read_notes
from presidio_mx.work.service.review.project import open_project
from presidio_mx.work.service.review.reach import Ask, occurrences
from presidio_mx.work.service.review.session import Session
from presidio_mx.work.service.review.site_lists import save

TEXTS = {
    "uno": "Acude Rosa Ek con Rosa Ek. Vive en Tulum.",
    "dos": "ROSA EK regresa. Llama Beto.",
    "tres": "Sin datos.",
}


def find(text):
    """Find the name in its two spellings, and a town with less certainty."""
    spans = [(text, name, "PERSON", 0.9) for name in ("Rosa Ek", "ROSA EK")]
    spans.append((text, "Tulum", "LOCATION", 0.4))
    found = []
    for whole, piece, entity, score in spans:
        at = whole.find(piece)
        while at >= 0:
            found.append(RecognizerResult(entity, at, at + len(piece), score))
            at = whole.find(piece, at + 1)
    return Examined(sorted(found, key=lambda result: result.start), None)


def find_with_risk(text):
    """Find the same; the longest note has the least risk."""
    return Examined(find(text).results, 1 / len(text))


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def start(source, tmp_path):
    """Return what opens a session; all are closed at the end."""
    opened = []

    def make(reviewer="ana", find=find, **options):
        project = open_project(source, tmp_path / "out", find, **options)
        opened.append(Session(project, reviewer, anonymize))
        return opened[-1]

    yield make
    for session in opened:
        session.close()


def live(session, note):
    text = session.project.texts[note]
    return [(text[m.start : m.end], m.entity) for m in session.states[note].live]


def test_notes_are_shown_as_found_and_anonymized(start):
    view = start().note("uno")
    assert [mark["status"] for mark in view["marks"]] == ["proposed"] * 3
    assert view["output"]["text"] == "Acude {NOMBRE} con {NOMBRE}. Vive en {CIUDAD}."
    assert [item["from"] for item in view["output"]["items"]] == [6, 18, 35]


def test_reject_changes_the_output_and_undo_brings_it_back(start):
    session = start()
    view = session.decide(Ask("reject", "uno", "p2"))
    assert view["note"]["output"]["text"].endswith("Tulum.")
    view = session.step_back("undo", "uno")
    assert view["note"]["output"]["text"].endswith("{CIUDAD}.")
    view = session.step_back("redo", "uno")
    assert view["note"]["output"]["text"].endswith("Tulum.")


@pytest.mark.parametrize(
    ("reach", "changed"), [("here", {"uno": 1}), ("note", {"uno": 2})]
)
def test_reach_of_a_rejection(start, reach, changed):
    session = start()
    session.decide(Ask("reject", "uno", "p0", reach=reach))
    for note, count in changed.items():
        marks = session.states[note].marks.values()
        assert sum(mark.status == "rejected" for mark in marks) == count
    assert len(live(session, "dos")) == 1


def test_everywhere_in_all_notes_ignores_case_and_is_undone_as_one(start):
    session = start()
    session.decide(Ask("retype", "uno", "p0", entity="ORGANIZATION", reach="all"))
    assert live(session, "dos") == [("ROSA EK", "ORGANIZATION")]
    assert [entity for _, entity in live(session, "uno")][:2] == ["ORGANIZATION"] * 2
    session.step_back("undo", "uno")
    assert live(session, "dos") == [("ROSA EK", "PERSON")]


def test_adding_trims_replaces_what_it_overlaps_and_reaches_other_notes(start):
    session = start()
    start_at = TEXTS["dos"].index(" Beto")
    session.decide(Ask("add", "dos", entity="PERSON", start=start_at, end=start_at + 5))
    assert ("Beto", "PERSON") in live(session, "dos")
    session.decide(Ask("add", "uno", entity="PERSON", start=0, end=10))
    assert live(session, "uno")[0] == ("Acude Rosa", "PERSON")
    assert session.states["uno"].marks["p0"].status == "rejected"
    at = TEXTS["uno"].index("Vive")
    session.decide(Ask("add", "uno", entity="URL", start=at, end=at + 4, reach="all"))
    assert ("Vive", "URL") in live(session, "uno")


def test_resizing_moves_edges_and_rejects_what_it_runs_over(start):
    session = start()
    session.decide(Ask("resize", "uno", "p0", start=6, end=25))
    assert live(session, "uno")[0] == ("Rosa Ek con Rosa Ek", "PERSON")
    assert session.states["uno"].marks["p1"].status == "rejected"


def test_finishing_accepts_what_was_left(start):
    session = start()
    session.decide(Ask("reject", "uno", "p2"))
    session.decide(Ask("done", "uno"))
    statuses = [mark.status for mark in session.states["uno"].in_order]
    assert statuses == ["accepted", "accepted", "rejected"]
    assert session.states["uno"].done
    session.decide(Ask("reopen", "uno"))
    assert not session.states["uno"].done


def test_the_most_doubtful_note_comes_first(start):
    session = start()
    assert session.summary()["next"] == "uno"
    session.decide(Ask("done", "uno"))
    assert session.summary()["next"] == "dos"
    session.decide(Ask("done", "dos"))
    session.decide(Ask("done", "tres"))
    assert session.summary()["next"] is None


def test_the_riskiest_note_comes_first_whatever_was_decided(start):
    session = start(find=find_with_risk)
    assert session.notes == ["tres", "dos", "uno"]
    assert session.rows()[0].risk == pytest.approx(0.1)
    assert session.summary()["next"] == "tres"
    assert session.summary("tres")["next"] == "dos"
    session.decide(Ask("flag", "dos", flag="skipped"))
    assert session.summary("tres")["next"] == "uno"
    session.close()
    again = start(find=find)  # what was found is kept, and its risk
    assert again.summary()["next"] == "tres"
    report = json.loads(
        (Path(export(again)["folder"]) / "report.json").read_text(encoding="utf-8")
    )
    assert report["risk_by_note"]["tres"] == pytest.approx(0.1)


def test_a_review_keeps_what_found_its_marks(start):
    first = start(found_by={"version": "1", "sensitivity": 0.03})
    first.close()
    with pytest.raises(InputError, match="begun with --sensitivity 0.03"):
        start(found_by={"version": "1", "sensitivity": 0.2})
    again = start(found_by={"version": "2", "sensitivity": 0.03})
    assert again.project.found_by == {"version": "1", "sensitivity": 0.03}
    report = (Path(export(again)["folder"]) / "report.json").read_text(encoding="utf-8")
    assert json.loads(report)["found_by"]["version"] == "1"


def test_the_open_note_is_next_only_if_no_other_is_left():
    states = {"a": NoteState(), "b": NoteState(done=True)}
    assert next_note(states, ["a", "b"], after="a") == "a"


@pytest.mark.parametrize(
    "ask",
    [
        Ask("accept", "nope", "p0"),
        Ask("accept", "uno", "p9"),
        Ask("bless", "uno", "p0"),
        Ask("add", "uno", entity="PERSON", start=0, end=999),
        Ask("add", "uno", entity="PERSON", start=5, end=6),
        Ask("add", "uno", entity="no es tipo", start=0, end=5),
        Ask("retype", "uno", "p0"),
        Ask("resize", "uno", "p0", start=9, end=9),
    ],
)
def test_what_cannot_be_is_refused_and_not_kept(start, ask):
    session = start()
    with pytest.raises(InputError):
        session.decide(ask)
    assert session.summary()["undo"] is None


def test_decisions_are_there_after_a_restart(start):
    session = start()
    session.decide(Ask("reject", "uno", "p2"))
    session.decide(Ask("done", "dos"))
    session.close()
    again = start()
    assert again.states == session.states
    assert again.summary()["undo"] == "done"


def test_the_journal_holds_no_text(start, tmp_path):
    session = start()
    session.decide(Ask("done", "uno"))
    kept = b"".join(p.read_bytes() for p in (tmp_path / "out").rglob("*.json*"))
    for word in (b"Rosa", b"Tulum", b"Acude"):
        assert word not in kept


def test_a_half_written_line_is_cut_off(tmp_path):
    path = tmp_path / "j.jsonl"
    journal = Journal(path)
    journal.append(Event("accept", "now", (Change("uno", Mark("p0", 0, 4, "PERSON")),)))
    journal.close()
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"kind": "rej')
    assert len(read_journal(path)) == 1
    journal = Journal(path)
    assert len(journal.events) == 1
    journal.close()
    assert path.read_bytes() == whole


def test_a_full_disk_costs_one_decision_and_not_the_journal(tmp_path, monkeypatch):
    path = tmp_path / "j.jsonl"
    journal = Journal(path)
    event = Event("accept", "now", (Change("uno", Mark("p0", 0, 4, "PERSON")),))
    journal.append(event)
    written = os.write

    def full(descriptor, data):
        if len(data) < 10:
            raise OSError(28, "No space left on device")
        return written(descriptor, data[:-5])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(InputError, match="No space left on device; this decision"):
        journal.append(event)
    monkeypatch.undo()
    journal.append(event)
    journal.close()
    assert len(read_journal(path)) == len(journal.events) == 2


def test_what_cannot_be_written_is_a_sentence_of_the_page(start):
    client = pytest.importorskip("starlette.testclient").TestClient
    from presidio_mx.work.service.review.app import create_app

    def full(session):
        raise OSError(28, "No space left on device", "out/export")

    app = create_app(start(), "secret", full, entities=["PERSON"])
    answer = client(app, base_url="http://127.0.0.1").post("/secret/api/export")
    assert answer.status_code == 500
    assert answer.json() == {"error": "out/export: No space left on device"}


def test_a_damaged_line_is_named(tmp_path):
    path = tmp_path / "j.jsonl"
    path.write_text('{"kind": 1}\n')
    with pytest.raises(InputError, match="line 1"):
        Journal(path)


@pytest.mark.parametrize("content", ["{", "[]", '{"notes": []}'])
def test_a_damaged_sample_is_named(source, tmp_path, content):
    out = tmp_path / "out"
    out.mkdir()
    (out / "sample.json").write_text(content)
    with pytest.raises(InputError, match="sample.json: damaged; give another --out"):
        open_project(source, out, find)


@pytest.mark.skipif(os.name == "nt", reason="flock is POSIX")
def test_a_journal_has_one_writer(start):
    start()
    with pytest.raises(InputError, match="already open"):
        start()


def test_nothing_is_lost_when_the_process_is_killed(source, tmp_path):
    """Every decision that was confirmed before a kill -9 is in the journal."""
    program = """
import sys
import warnings
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from test_review import find
from presidio_mx.replace.engine import anonymize
from presidio_mx.work.service.review.reach import Ask
from presidio_mx.work.service.review.project import open_project
from presidio_mx.work.service.review.session import Session
project = open_project(Path(sys.argv[1]), Path(sys.argv[2]), find)
session = Session(project, "ana", anonymize)
for number in range(10_000):
    session.decide(Ask("reject" if number % 2 else "accept", "uno", "p0"))
    print(number, flush=True)
"""
    out = tmp_path / "out"
    process = subprocess.Popen(
        [sys.executable, "-c", program, source, out, Path(__file__).parent],
        stdout=subprocess.PIPE,
        text=True,
    )
    confirmed = -1
    for line in process.stdout:
        confirmed = int(line)
        if confirmed == 25:
            process.kill()
            break
    process.wait()
    journal = Journal(out / "decisions" / "ana.jsonl")
    assert len(journal.events) >= confirmed + 1
    journal.close()


kinds = st.sampled_from(["accept", "reject", "undo", "redo"])


@given(st.lists(kinds, max_size=30))
def test_undo_and_redo_are_a_stack(sequence):
    base = {"n": NoteState({"p0": Mark("p0", 0, 4, "PERSON")})}
    done, undone = [], []
    events = []
    for number, kind in enumerate(sequence):
        if kind == "undo":
            if done:
                undone.append(done.pop())
        elif kind == "redo":
            if undone:
                done.append(undone.pop())
        else:
            done.append(number)
            undone = []
        status = "accepted" if kind == "accept" else "rejected"
        change = Change("n", Mark(f"a{number}", 0, 1, "URL", status))
        decision = kind in ("accept", "reject")
        events.append(Event(kind, "now", (change,) if decision else ()))
    assert [events.index(event) for event in standing(events)[0]] == done
    marks = replay(base, events)["n"].marks
    assert set(marks) == {"p0"} | {f"a{number}" for number in done}
    assert [from_json(to_json(event)) for event in events] == events


@given(st.text(alphabet="aáÁñ .\n", max_size=40), st.text(alphabet="aAñ", min_size=1))
def test_occurrences_are_whole_words(text, wanted):
    for start, end in occurrences(fold(text), fold(wanted)):
        assert len(text[start:end]) == len(wanted)
        assert not text[start - 1 : start].isalnum() or start == 0
        assert not text[end : end + 1].isalnum()


def test_occurrences_ignore_case_and_accents():
    folded = fold("ANDRÉS y Andres; Andresito")
    assert list(occurrences(folded, fold("Andrés"))) == [(0, 6), (9, 15)]


def test_the_failure_rate_has_wilsons_interval():
    # 1 of 2: 0.0945 to 0.9055 (Wilson 1927).
    seen = NoteState({"a1": Mark("a1", 0, 3, "PERSON", "accepted")}, done=True)
    tallies = [
        figures.tally("Ana", NoteState(), seen),
        figures.tally("x", NoteState(), NoteState(done=True)),
    ]
    rate = figures.failures(tallies)
    assert (rate.failed, rate.reviewed) == (1, 2)
    assert (rate.low, rate.high) == pytest.approx((0.0945, 0.9055), abs=1e-4)
    none = figures.failures([])
    assert (none.reviewed, none.low, none.high) == (0, 0.0, 1.0)


def test_kappa_of_a_table():
    # 20 both yes, 5 first only, 10 second only, 15 both no: kappa 0.4.
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert figures.kappa(pairs) == pytest.approx(0.4)
    assert figures.kappa([]) is None
    assert figures.kappa([("O", "O")]) is None


def test_figures_count_finished_notes_and_failures(start):
    session = start()
    session.decide(Ask("reject", "uno", "p2"))
    session.decide(Ask("done", "uno"))
    at = TEXTS["dos"].index("Beto")
    session.decide(Ask("add", "dos", entity="PERSON", start=at, end=at + 4))
    before = session.figures()
    assert before["failures"]["reviewed"] == 1
    assert before["entities"]["LOCATION"]["rejected"] == 1
    session.decide(Ask("done", "dos"))
    after = session.figures()
    assert after["failures"]["failed"] == 1
    assert after["entities"]["PERSON"] == {
        "kept": 3,
        "changed": 0,
        "rejected": 0,
        "added": 1,
    }


def test_two_reviewers_are_compared(start):
    ana, beto = start("ana"), start("beto")
    for session in (ana, beto):
        session.decide(Ask("done", "uno"))
        session.decide(Ask("done", "dos"))
    same = ana.compare("beto")
    assert (same["kappa"], same["f1"], same["places"]) == (1.0, 1.0, [])
    beto.decide(Ask("reject", "uno", "p2"))
    other = ana.compare("beto")
    assert other["kappa"] < 1
    [place] = other["places"]
    assert (place["text"], place["first"], place["second"]) == ("Tulum", "LOCATION", "")
    with pytest.raises(InputError):
        ana.compare("nobody")


def test_a_sample_is_drawn_once(start, tmp_path):
    session = start(sample=2, seed=3)
    drawn = list(session.project.texts)
    assert len(drawn) == 2
    assert session.figures()["drawn_from"] == 3
    session.close()
    assert list(start("beto", sample=1, seed=9).project.texts) == drawn


def test_notes_that_came_since_are_told(start, source):
    start().close()
    (source / "nueva.txt").write_text("Acude Rosa.", encoding="utf-8")
    with pytest.warns(UserWarning, match="1 notes came since"):
        session = start()
    assert "nueva" not in session.notes


def test_a_changed_note_is_noticed(start, source):
    start().close()
    (source / "uno.txt").write_text("otra", encoding="utf-8")
    with pytest.raises(InputError, match="uno was changed"):
        start()


def test_export_has_finished_notes_only(start):
    session = start()
    session.decide(Ask("done", "uno"))
    done = export(session)
    folder = Path(done["folder"])
    assert (done["notes"], done["total"]) == (1, 3)
    assert [p.name for p in (folder / "anonymized").iterdir()] == ["uno.txt"]
    text = (folder / "anonymized" / "uno.txt").read_text(encoding="utf-8")
    assert text == "Acude {NOMBRE} con {NOMBRE}. Vive en {CIUDAD}."
    session.decide(Ask("reopen", "uno"))
    session.decide(Ask("done", "tres"))
    export(session)
    assert [p.name for p in (folder / "anonymized").iterdir()] == ["tres.txt"]
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert report["failures"]["reviewed"] == 1


@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
def test_the_files_of_a_review_are_private_and_no_link_is_followed(start, tmp_path):
    before = os.umask(0)
    try:
        session = start()
        session.decide(Ask("done", "uno"))
        folder = Path(export(session)["folder"])
    finally:
        os.umask(before)
    out = session.project.out
    files = [path for path in out.rglob("*") if path.is_file()]
    assert len(files) > 6
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "mine.txt").write_text("mine")
    shutil.rmtree(folder / "anonymized")
    (folder / "anonymized").symlink_to(victim)
    with pytest.raises(InputError, match="not written through links"):
        export(session)
    (folder / "anonymized").unlink()
    (folder / "training.part").symlink_to(victim)
    export(session)
    assert [path.name for path in victim.iterdir()] == ["mine.txt"]


def test_exported_training_data_are_read_again(start):
    session = start()
    session.decide(Ask("reject", "uno", "p2"))
    session.decide(Ask("done", "uno"))
    at = TEXTS["dos"].index("Beto")
    session.decide(Ask("add", "dos", entity="PERSON", start=at, end=at + 4))
    session.decide(Ask("done", "dos"))
    for _ in range(2):  # a second export replaces the first
        done = export(session)
    assert done["problems"] == []
    training = Path(done["folder"]) / "training"
    assert sorted(path.name for path in training.iterdir()) == sorted(FORMS.values())
    for form, name in FORMS.items():
        corpus = read_corpus(training / name, form)
        assert corpus.problems == ()
        found = {
            note.id: {(note.covered(s), s.entity_type) for s in note.spans}
            for note in corpus.notes
        }
        assert found == {
            "uno": {("Rosa Ek", "PERSON")},
            "dos": {("ROSA EK", "PERSON"), ("Beto", "PERSON")},
        }


@pytest.mark.parametrize(
    "note",
    ["../../etc/passwd", "a/b", "..", "", "C:\\x", "a\nb", "x" * 300, "ñ🙂" * 60],
)
def test_file_names_stay_in_their_folder(note):
    name = file_name(note)
    assert Path(name).name == name
    assert name not in ("", ".", "..")
    assert len(name.encode()) < 240


@pytest.mark.parametrize(
    ("note", "name"),
    [
        ("ñandú raro %20", "ñandú raro %2520"),
        ("Ωμέγα 病歴 हिन्दी", "Ωμέγα 病歴 हिन्दी"),
        ("nota_1-b.2 (x) [y]", "nota_1-b.2 (x) [y]"),
        ("n\u0303u", "n%CC%83u"),
        ("🙂/\u200b", "%F0%9F%99%82%2F%E2%80%8B"),
    ],
)
def test_file_names_keep_letters_of_any_alphabet(note, name):
    assert file_name(note) == name
    assert unquote(name) == note


def test_long_names_stay_apart():
    assert file_name("x" * 300 + "a") != file_name("x" * 300 + "b")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "no notes"),
        ('{"id": "a"}\n', "row 1"),
        ('{"id": "a", "text": "x"}\nnot json\n', "row 2"),
        ('{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}\n', "unique"),
        ('{"id": "a", "text": 7}\n', "row 1"),
        ("[" * 100_000 + "\n", "row 1"),
        ('{"id": "\\ud800", "text": "x"}\n', "half a character"),
    ],
)
def test_a_wrong_jsonl_names_the_row(tmp_path, content, said):
    path = tmp_path / "n.jsonl"
    path.write_text(content)
    with pytest.raises(InputError, match=said):
        read_notes(path)


def test_a_folder_as_other_systems_write_it(tmp_path):
    (tmp_path / "B.TXT").write_bytes(b"dos")
    (tmp_path / "a.txt").write_bytes(b"uno")
    (tmp_path / "._a.txt").write_bytes(b"\x00\x05\x16\x07\xff")
    (tmp_path / "~$a.txt").write_bytes(b"\xff")
    (tmp_path / "c.txt").mkdir()
    assert read_notes(tmp_path) == {"B": "dos", "a": "uno"}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "cp850", "utf-16"])
def test_notes_are_read_in_the_encoding_that_they_have(tmp_path, encoding):
    text = "Paciente María Muñoz, señora de 40 años.\r\nSe comentó con el médico.\n"
    (tmp_path / "a.txt").write_bytes(text.encode(encoding))
    row = json.dumps({"id": "a", "text": text}, ensure_ascii=False)
    (tmp_path / "n.jsonl").write_bytes(f"{row}\n".encode(encoding))
    assert read_notes(tmp_path) == read_notes(tmp_path / "n.jsonl") == {"a": text}


def test_what_is_no_text_is_refused(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"%PDF-1.7 ...")
    with pytest.raises(InputError, match=r"a\.txt: is a PDF document"):
        read_notes(tmp_path)


def test_what_a_folder_holds_beside_its_notes_is_counted_once(start, source):
    (source / "2019").mkdir()
    for name in ("nota.docx", "nota", ".b.doc", "~$nota.docx"):
        (source / name).write_bytes(b"")
    said = r"subfolders \(1\) and files that are no \.txt \(2\) are no part"
    with pytest.warns(UserWarning, match=said) as told:
        start()
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (source / "2019").rmdir()
        (source / "nota").unlink()
        (source / "nota.docx").unlink()
        open_project(source, source / "review", find)
        open_project(source, source / "review", find)


@pytest.mark.parametrize(
    ("name", "said"), [("a.TXT", "this name"), (os.fsdecode(b"n\xe9.txt"), "not UTF-8")]
)
def test_a_name_that_cannot_be_kept_is_told_before_the_review(tmp_path, name, said):
    (tmp_path / "a.txt").write_bytes(b"uno")
    try:
        (tmp_path / name).write_bytes(b"dos")
    except OSError:
        pytest.skip("this system has no such names")
    if len(list(tmp_path.iterdir())) < 2:
        pytest.skip("this system does not tell a from A")
    with pytest.raises(InputError, match=said):
        read_notes(tmp_path)


def test_a_jsonl_is_read(tmp_path):
    path = tmp_path / "n.jsonl"
    path.write_bytes(
        '{"id": 7, "text": "a\u2028b"}\r\n\n{"id": "x", "text": ""}\n'.encode()
    )
    assert read_notes(path) == {"7": "a\u2028b", "x": ""}


@pytest.mark.parametrize("name", ["../x", "", ".hidden", "a/b", "x" * 41])
def test_a_reviewer_must_name_a_file(start, name):
    with pytest.raises(ConfigurationError, match="reviewer"):
        start(name)


def test_site_lists(tmp_path):
    assert save(tmp_path, "deny", "El  Zopilote\n", "PERSON")
    assert not save(tmp_path, "deny", "el zopilote", "PERSON")
    assert (tmp_path / "deny.tsv").read_text() == "text\tentity\nEl Zopilote\tPERSON\n"
    (tmp_path / "places.txt").write_text("# lugares\nTulum")
    assert save(tmp_path, "places", "Cobá")
    assert (tmp_path / "places.txt").read_text("utf-8") == "# lugares\nTulum\nCobá\n"
    with pytest.raises(InputError, match="begin"):
        save(tmp_path, "allow", "#no")
    with pytest.raises(InputError, match="list"):
        save(tmp_path, "nope", "Ana")


def test_a_broken_site_stays_as_it_was(tmp_path):
    (tmp_path / "odd.txt").write_text("x")
    with pytest.raises(ConfigurationError):
        save(tmp_path, "staff", "Ana Soto")
    assert not (tmp_path / "staff.txt").exists()


def test_changes_are_none_where_nothing_changes(start):
    session = start()
    session.decide(Ask("accept", "uno", "p0"))
    ask = Ask("accept", "uno", "p0")
    assert changes_for(ask, session.project.texts, session.states) == ()
