"""Words with labels, the history of a training, the folder of a model."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_mx.errors import InputError
from presidio_mx.research.systems.bio import (
    label_set,
    labelled,
    may_follow,
    runs,
    spans_of,
    words,
)
from presidio_mx.research.training.history import (
    FILE,
    EarlyStopping,
    Epoch,
    add_epoch,
    read_history,
)
from presidio_mx.text.spans import Note, Span


def epoch(number: int, f1: float) -> Epoch:
    return Epoch(number, number * 10, 0.5, 1.0 / number, f1, f1, f1)


@st.composite
def notes(draw: st.DrawFn) -> Note:
    """Notes whose spans begin and end where words do, and do not touch."""
    text = draw(st.text("ab Ñá1.,\n_X", max_size=60))
    pieces = words(text)
    spans, at = [], 0
    while at < len(pieces):
        size = draw(st.integers(0, 3))
        if size:
            last = min(at + size, len(pieces)) - 1
            kind = draw(st.sampled_from(["PERSON", "AGE"]))
            spans.append(Span(pieces[at][0], pieces[last][1], kind))
            at = last
        at += 2
    return Note("n", text, tuple(spans))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("tel4431234567", ["tel", "4431234567"]),
        ("SraMaría Ñ", ["Sra", "María", "Ñ"]),
        ("a_b 75a", ["a", "_", "b", "75", "a"]),
        ("IMSS 12/03", ["IMSS", "12", "/", "03"]),
    ],
)
def test_words_are_cut_where_kinds_of_characters_meet(
    text: str, expected: list[str]
) -> None:
    assert [text[start:end] for start, end in words(text)] == expected


@given(notes(), st.booleans())
def test_labels_lead_back_to_the_spans(note: Note, bioes: bool) -> None:
    found = [
        span
        for run in labelled(note, 1_000, bioes)
        for span in spans_of(run.pieces, run.labels)
    ]
    assert found == list(note.spans)


@given(notes(), st.integers(1, 7))
def test_labels_are_legal_and_runs_keep_every_word(note: Note, limit: int) -> None:
    runs_found = labelled(note, limit, bioes=True)
    assert [p for run in runs_found for p in run.pieces] == words(note.text)
    assert all(1 <= len(run.pieces) <= limit for run in runs_found)
    for run in runs_found:
        path = [None, *run.labels, None]
        assert all(may_follow(a, b) for a, b in zip(path, path[1:], strict=False))


def test_a_word_touched_by_a_span_belongs_to_it() -> None:
    note = Note("n", "Pedrosis va", (Span(0, 5, "PERSON"),))
    assert labelled(note, 9)[0].labels == ("B-PERSON", "O")


def test_runs_end_with_sentences_where_they_can() -> None:
    text = "Uno dos tres.\nCuatro cinco.\nSeis"
    assert [len(run) for run in runs(text, 7)] == [7, 1]
    assert [len(run) for run in runs(text, 2)] == [2, 2, 2, 2]


def test_a_stray_continuation_begins_a_span_and_scores_are_means() -> None:
    pieces = [(0, 1), (1, 2), (3, 4)]
    found = spans_of(pieces, ["I-AGE", "I-AGE", "B-AGE"], [0.5, 0.7, 0.9])
    assert [(s.start, s.end) for s in found] == [(0, 2), (3, 4)]
    assert found[0].score == pytest.approx(0.6)


@pytest.mark.parametrize(
    "before, after, expected",
    [
        ("O", "I-A", False),
        ("B-A", "I-A", True),
        ("B-A", "I-B", False),
        ("B-A", None, False),
        ("B-A", "O", False),
        ("B-A", "E-A", True),
        ("E-A", "S-A", True),
        ("E-A", "E-A", False),
        (None, "E-A", False),
    ],
)
def test_which_label_may_follow(
    before: str | None, after: str | None, expected: bool
) -> None:
    assert may_follow(before, after) is expected


def test_label_sets() -> None:
    assert label_set(["A"]) == ("O", "B-A", "I-A")
    assert label_set(["A"], bioes=True) == ("O", "B-A", "I-A", "E-A", "S-A")


def test_history_grows_and_is_read_again(tmp_path: Path) -> None:
    assert read_history(tmp_path) == []
    rows = [epoch(1, 0.2), epoch(2, 0.3)]
    for row in rows:
        add_epoch(tmp_path, row)
    assert read_history(tmp_path) == rows
    assert [p.name for p in tmp_path.iterdir()] == [FILE]


def test_a_broken_history_names_its_line(tmp_path: Path) -> None:
    add_epoch(tmp_path, epoch(1, 0.2))
    with (tmp_path / FILE).open("a") as file:
        file.write(json.dumps({"epoch": 2}) + "\n")
    with pytest.raises(InputError, match="history.jsonl, line 2"):
        read_history(tmp_path)


@pytest.mark.parametrize(
    "scores, patience, expected",
    [
        ([], 1, False),
        ([0.5, 0.4], 2, False),
        ([0.5, 0.4, 0.5], 2, True),
        ([0.5, 0.4, 0.6], 2, False),
        ([0.5, 0.4, 0.3], 0, False),
    ],
)
def test_patience(scores: list[float], patience: int, expected: bool) -> None:
    history = [epoch(i, f1) for i, f1 in enumerate(scores, start=1)]
    assert EarlyStopping(patience).stop(history) is expected
