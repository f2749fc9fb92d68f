"""Roles, notes put aside, two reviewers and a third one, and the time a note takes."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_review import find, live

from presidio_mx.errors import InputError
from presidio_mx.replace.engine import anonymize
from presidio_mx.research.corpora.store import read_corpus
from presidio_mx.work.service.review.adjudication import merged
from presidio_mx.work.service.review.decide import next_note
from presidio_mx.work.service.review.export import export
from presidio_mx.work.service.review.figures import conflicts
from presidio_mx.work.service.review.marks import Mark, NoteState, replay
from presidio_mx.work.service.review.project import Project, Sample, open_project
from presidio_mx.work.service.review.reach import Ask, Texts
from presidio_mx.work.service.review.session import Clock, Session

TEXTS = {
    "uno": "Acude Rosa Ek con Rosa Ek. Vive en Tulum.",
    "dos": "ROSA EK regresa. Llama Beto.",
    "tres": "Sin datos.",
}


@pytest.fixture
def start(tmp_path):
    """Return what opens a session; all are closed at the end."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    opened = []

    def make(reviewer="ana", between=None):
        project = open_project(folder, tmp_path / "out", find)
        opened.append(Session(project, reviewer, anonymize, between))
        return opened[-1]

    yield make
    for session in opened:
        session.close()


def finish(session, *notes):
    for note in notes:
        session.decide(Ask("done", note))


def add(session, note, piece, entity="PERSON", **more):
    at = TEXTS[note].index(piece)
    session.decide(
        Ask("add", note, entity=entity, start=at, end=at + len(piece), **more)
    )


def test_a_role_is_set_wherever_the_reach_says(start):
    session = start()
    session.decide(Ask("role", "uno", "p0", role="relative", reach="all"))
    for note in ("uno", "dos"):
        roles = [m.role for m in session.states[note].live if m.entity == "PERSON"]
        assert set(roles) == {"relative"}
    add(session, "dos", "Beto", role="staff")
    assert session.states["dos"].live[-1].role == "staff"
    add(session, "uno", "Vive", "URL", role="staff")
    assert [m.role for m in session.states["uno"].live if m.entity == "URL"] == [""]
    session.decide(Ask("retype", "uno", "p0", entity="LOCATION"))
    assert session.states["uno"].marks["p0"].role == ""
    for wrong in (
        Ask("role", "uno", "p2", role="patient"),
        Ask("role", "uno", "p0", role="boss"),
    ):
        with pytest.raises(InputError):
            session.decide(wrong)


def test_a_note_is_put_aside_with_a_comment_until_the_others_are_done(start):
    session = start()
    session.decide(Ask("flag", "uno", flag="skipped", comment="falta una hoja"))
    assert session.summary()["next"] == "dos"
    assert {row.id: row.flag for row in session.rows()}["uno"] == "skipped"
    assert session.note("uno")["comment"] == "falta una hoja"
    session.close()
    again = start()
    assert again.states == session.states
    finish(again, "dos", "tres")
    assert again.summary()["next"] == "uno"
    report = json.loads((Path(export(again)["folder"]) / "report.json").read_text())
    assert report["set_aside"] == [
        {"note": "uno", "flag": "skipped", "comment": "falta una hoja"}
    ]
    again.step_back("undo", "uno")
    again.step_back("undo", "uno")
    again.step_back("undo", "uno")
    assert again.states["uno"].flag == ""
    with pytest.raises(InputError):
        again.decide(Ask("flag", "uno", flag="unsure", comment="x" * 2001))


def test_skipped_notes_come_last():
    doubtful = NoteState({"p0": Mark("p0", 0, 3, "PERSON", score=0.1)}, flag="skipped")
    states = {"a": doubtful, "b": NoteState()}
    assert next_note(states, ["a", "b"]) == "b"
    assert next_note({"a": doubtful}, ["a"]) == "a"


def test_what_a_decision_would_reach(start):
    session = start()
    assert session.reached(Ask("", "uno", "p0")) == {
        "note": {"places": 2, "notes": 1},
        "all": {"places": 3, "notes": 2},
    }
    at = TEXTS["dos"].index("regresa")
    one = {"places": 1, "notes": 1}
    asked = Ask("", "dos", start=at, end=at + 7)
    assert session.reached(asked) == {"note": one, "all": one}
    with pytest.raises(InputError):
        session.reached(Ask("", "dos", start=0, end=999))


def test_search_minds_neither_case_nor_accents(start):
    session = start()
    assert session.search("rosa ÉK") == ["dos", "uno"]
    assert session.search("nadie") == []


def test_taking_what_another_reviewer_marked(start):
    ana, beto = start("ana"), start("beto")
    add(beto, "uno", "Ek con Rosa", "ORGANIZATION")
    finish(ana, "uno", "dos")
    beto.decide(Ask("reject", "dos", "p0"))
    finish(beto, "uno", "dos")
    [first, second] = ana.compare("beto")["places"]
    assert (first["note"], first["first"]) == ("dos", "PERSON")
    assert (second["text"], second["first"], second["second"]) == (
        "Rosa Ek con Rosa Ek",
        "PERSON + PERSON",
        "ORGANIZATION",
    )
    for place in (first, second):
        where = {"start": place["start"], "end": place["end"]}
        ana.decide(Ask("take", place["note"], other="beto", **where))
    assert ana.compare("beto")["places"] == []
    assert live(ana, "uno") == [("Ek con Rosa", "ORGANIZATION"), ("Tulum", "LOCATION")]
    assert live(ana, "dos") == []
    ana.step_back("undo", "uno")
    assert live(ana, "uno")[0] == ("Rosa Ek", "PERSON")
    with pytest.raises(InputError, match="nobody"):
        ana.decide(Ask("take", "uno", start=0, end=5, other="nobody"))


def test_a_third_reviewer_decides_where_two_differ(start, tmp_path):
    ana, beto = start("ana"), start("beto")
    beto.decide(Ask("reject", "uno", "p2"))
    add(beto, "dos", "Beto", role="other")
    finish(ana, "uno", "dos", "tres")
    finish(beto, "uno", "dos")
    carla = start("carla", ("ana", "beto"))
    assert carla.notes == ["dos", "uno"]  # what both have finished
    [place] = carla.note("uno")["conflicts"]
    assert (place["first"], place["second"]) == ("LOCATION", "")
    open_ = {n: [m.recognizer for m in s.open] for n, s in carla.states.items()}
    assert open_ == {"dos": ["beto"], "uno": ["ana"]}
    carla.decide(
        Ask("take", "uno", start=place["start"], end=place["end"], other="beto")
    )
    carla.decide(Ask("accept", "dos", carla.states["dos"].open[0].id))
    finish(carla, "uno", "dos")
    done = export(carla)
    assert (done["notes"], done["total"]) == (2, 2)
    gold = read_corpus(Path(done["folder"]) / "training" / "notes.jsonl", "jsonl")
    marked = {n.id: [(n.covered(s), s.role) for s in n.spans] for n in gold.notes}
    assert marked["uno"] == [("Rosa Ek", None)] * 2
    assert marked["dos"] == [("ROSA EK", None), ("Beto", "other")]
    # What the two do later changes nothing of what was begun.
    beto.decide(Ask("reopen", "dos"))
    states = carla.states
    carla.close()
    assert start("carla", ("ana", "beto")).states == states
    text = (tmp_path / "out" / "adjudication" / "carla.json").read_text()
    assert "Rosa" not in text


def test_what_cannot_be_adjudicated_is_one_sentence(start):
    ana, beto = start("ana"), start("beto")
    finish(ana, "uno")
    with pytest.raises(InputError, match="no note in common"):
        start("carla", ("ana", "beto"))
    with pytest.raises(InputError, match="three reviewers"):
        start("dora", ("ana", "dora"))
    finish(beto, "uno")
    start("eva", ("ana", "beto")).close()
    with pytest.raises(InputError, match="between ana and beto"):
        start("eva", ("beto", "ana"))


def test_of_overlapping_marks_the_first_reviewers_stand():
    first = NoteState({"p0": Mark("p0", 0, 4, "PERSON", "accepted")}, done=True)
    second = NoteState({"a1": Mark("a1", 2, 9, "ADDRESS", "accepted")}, done=True)
    made = merged(first, second, ("ana", "beto"))
    assert [(m.start, m.end, m.recognizer) for m in made.open] == [(0, 4, "ana")]
    [place] = conflicts("n", first.live, second.live)
    assert (place.start, place.end, place.first, place.second) == (
        0,
        9,
        "PERSON",
        "ADDRESS",
    )


def test_time_is_kept_and_added_up(start, tmp_path):
    session = start()
    session.clock.add("uno", 30.04)
    session.clock.add("uno", 12)
    session.clock.add("dos", 10**9)
    session.close()
    again = start()
    assert again.clock.seconds == {"uno": 42.0, "dos": 3600.0}
    finish(again, "uno")
    assert again.figures()["seconds"] == {"total": 42.0, "median": 42.0}
    path = tmp_path / "out" / "times" / "ana.jsonl"
    path.write_text(path.read_text() + '{"note": "uno", "sec')
    assert Clock(path).seconds == again.clock.seconds


asks = st.one_of(
    st.builds(
        Ask,
        st.sampled_from(["accept", "reject"]),
        st.sampled_from(["a", "b"]),
        st.sampled_from(["p0", "p1"]),
        reach=st.sampled_from(["here", "note", "all"]),
    ),
    st.builds(Ask, st.sampled_from(["done", "reopen"]), st.sampled_from(["a", "b"])),
    st.just(Ask("add", "a", entity="URL", start=0, end=3, reach="all")),
    st.just(Ask("flag", "b", flag="unsure", comment="x")),
    st.sampled_from(["undo", "redo"]),
)


@given(sequence=st.lists(asks, max_size=12))
def test_every_step_leaves_what_the_journal_says(tmp_path_factory, sequence):
    """What a session keeps up to date is what a restart makes of its journal."""
    marks = {f"p{n}": Mark(f"p{n}", 8 * n, 8 * n + 3, "PERSON") for n in range(2)}
    base = {"a": NoteState(marks), "b": NoteState(dict(marks))}
    texts = Texts({"a": "Ana vio Ana.", "b": "Ana con Eva."})
    out = tmp_path_factory.mktemp("out")
    project = Project(out, out, texts, base, Sample(("a", "b"), 2))
    session = Session(project, "ana", anonymize)
    try:
        for ask in sequence:
            if isinstance(ask, str):
                session.step_back(ask, "a")
            else:
                session.decide(ask)
        assert session.states == replay(base, session._journal.events)
    finally:
        session.close()
