"""Recall without gold: what readers of the same notes say of one another."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.research.corpora import read_corpus, write_corpus
from presidio_mx.research.evaluation import systems
from presidio_mx.research.evaluation.estimate import (
    histories,
    notes_to_review,
    review,
    two_readers,
)
from presidio_mx.research.evaluation.identifiers import is_covered, offsets
from presidio_mx.text.spans import Note, Span
from presidio_mx.work.cli.program import app

CORPUS = Path(__file__).parents[1] / "samples" / "corpus" / "dev" / "a_hospital.jsonl"
KINDS = {"PERSON": 0.8, "DATE_TIME": 0.97}


def archive(seed, notes=120, each=10):
    """Return notes full of identifiers."""
    random = Random(seed)
    text = "x " * each
    spans = [
        [Span(2 * i, 2 * i + 1, random.choice(sorted(KINDS))) for i in range(each)]
        for _ in range(notes)
    ]
    return [Note(str(n), text, tuple(marks)) for n, marks in enumerate(spans)]


def reader(notes, seed, chance):
    """Return the notes as somebody marks them who overlooks some marks."""
    random = Random(seed)
    return [
        n.with_spans(tuple(s for s in n.spans if random.random() < chance(s)))
        for n in notes
    ]


def by_kind(span):
    return KINDS[span.entity_type]


def test_chapman_on_a_table_that_can_be_counted():
    marks = tuple(Span(2 * i, 2 * i + 1, "PERSON") for i in range(40))
    text = "x " * 40
    first, second = Note("a", text, marks[:30]), Note("a", text, marks[10:34])
    found = two_readers([first], [second])
    assert found.total.value == pytest.approx(31 * 25 / 21 - 1)
    assert found.recall.value == pytest.approx(30 / (31 * 25 / 21 - 1))


def test_marks_that_touch_are_one_and_count_by_their_probability():
    text = "Ana Ruiz Paz, 443 312 4567"
    first = Note("a", text, (Span(0, 8, "PERSON", score=0.9), Span(14, 17, "ID")))
    second = Note("a", text, (Span(4, 12, "PERSON", score=0.6),))
    assert histories(first, second) == {"PERSON": (0, 0, 0.9), "ID": (1, 0, 0)}


@pytest.mark.parametrize("chance", [0.6, 0.9])
def test_the_interval_holds_the_truth_where_readers_are_independent(chance):
    held = 0
    for seed in range(60):
        notes = archive(seed, 60)
        first = reader(notes, seed, by_kind)
        found = two_readers(first, reader(notes, -seed - 1, lambda s: chance), 300)
        truth = sum(len(n.spans) for n in first) / sum(len(n.spans) for n in notes)
        held += found.recall.low <= truth <= found.recall.high
        held += found.total.low <= 600 <= found.total.high
    assert held >= 0.9 * 120


def test_readers_who_miss_the_same_look_better_than_they_are():
    notes = archive(1)
    seen = reader(notes, 2, lambda s: 0.7)  # the rest is seen by neither
    first, second = reader(seen, 3, by_kind), reader(seen, 4, by_kind)
    found = two_readers(first, second)
    assert found.either.low > 0.9
    person = review(reader(notes, 5, lambda s: 0.97), first, (first, second))
    assert person.odds > 2
    truth = sum(len(n.spans) for n in first) / sum(len(n.spans) for n in notes)
    assert person.found.low <= truth <= person.found.high


def test_no_miss_in_a_small_sample_is_not_none():
    notes = archive(1, 12)
    found = review(notes, notes)
    assert found.covered.value == 1.0
    assert 0.9 < found.covered.low < 0.99
    assert found.minutes == pytest.approx(12 * (10 / 180 + 10 * 3 / 60))
    assert found.odds is None


def test_a_plan_has_notes_and_minutes():
    number, minutes = notes_to_review(archive(1, 10), 0.95)
    assert number == 182  # 0.95 * 0.05 * (1.96 / 0.01) ** 2 / 10 marks a note
    assert minutes == pytest.approx(number * (10 / 180 + 0.5))


def test_too_little_in_common_is_refused():
    notes = archive(1, 1, 5)
    with pytest.raises(InputError, match="5 marks in common"):
        two_readers(notes, notes)


def test_a_reviewed_sample_tells_recall_on_the_archive():
    """A person who overlooks one in twenty reads a third of the notes."""
    gold = list(read_corpus(CORPUS).notes)
    marked = list(systems.predict(systems.build_engine("mx"), gold))
    hidden = [offsets(note) for note in marked]
    covered = [
        [is_covered(n, s, h) for s in n.spans]
        for n, h in zip(gold, hidden, strict=True)
    ]
    truth = sum(map(sum, covered)) / sum(map(len, covered))
    sample = sorted(Random(7).sample(range(len(gold)), len(gold) // 3))
    person = reader([gold[n] for n in sample], 3, lambda s: 0.95)
    found = review(person, [marked[n] for n in sample])
    assert found.covered.low <= truth <= found.covered.high
    assert found.covered.high - found.covered.low < 0.2
    there = sum(len(gold[n].spans) for n in sample)
    assert found.total.low - 0.02 * there <= there <= found.total.high + 0.02 * there


def test_the_command_needs_two_readers(tmp_path):
    notes = [replace(n, id=n.id[-3:]) for n in read_corpus(CORPUS).notes[:8]]
    folder = tmp_path / "notes"
    folder.mkdir()
    for note in notes:
        (folder / f"{note.id}.txt").write_text(note.text, "utf-8")
    done = CliRunner().invoke(app, ["estimate", str(folder), "--ner", "none"])
    assert isinstance(done.exception, ConfigurationError)
    assert write_corpus(notes[:5], tmp_path / "marked", "inline") == []
    done = CliRunner().invoke(
        app,
        [
            *("estimate", str(folder), "--ner", "none"),
            *("--reviewed", str(tmp_path / "marked")),
        ],
        env={"PRESIDIO_MX_LANG": "en", "COLUMNS": "120"},
    )
    assert done.exit_code == 0, done.output
    assert "5 notes with" in done.stdout
    assert "covered whole" in done.stdout


def test_rules_and_model_are_compared(tmp_path, monkeypatch):
    notes = archive(3, 20)
    for note in notes:
        (tmp_path / f"{note.id}.txt").write_text(note.text, "utf-8")

    class Fake:
        def __init__(self, seed):
            self.found = {n.id: n for n in reader(notes, seed, by_kind)}

    monkeypatch.setattr(systems, "build_engine", lambda *_: Fake(1))
    monkeypatch.setattr(systems, "model_engine", lambda *_: Fake(2))
    monkeypatch.setattr(
        systems,
        "predict",
        lambda engine, those: (replace(engine.found[n.id]) for n in those),
    )
    done = CliRunner().invoke(
        app,
        ["estimate", str(tmp_path), "--ner", "transformer"],
        env={"PRESIDIO_MX_LANG": "en", "COLUMNS": "120"},
    )
    assert done.exit_code == 0, done.output
    assert "both, at most" in done.stdout
    assert "--reviewed" in done.stdout
