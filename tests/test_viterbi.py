"""Decoding: always valid, always the best, trimmed to what belongs to a span."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from presidio_mx.find.finding import trimmed
from presidio_mx.find.ner.pieces import places, windows
from presidio_mx.find.ner.viterbi import (
    LabelSet,
    best_path,
    bio_columns,
    log_softmax,
    word_spans,
)

LABELS = LabelSet(("A", "B"))


def valid(path):
    return all(
        column == 0 or column % 2 == 1 or before in (column, column - 1)
        for before, column in zip((0, *path), path, strict=False)
    )


@given(
    hnp.arrays(
        np.float32,
        st.tuples(st.integers(1, 4), st.just(5)),
        elements=st.floats(-8, 0, width=32),
    )
)
def test_best_of_all_valid_paths(scores):
    path = tuple(best_path(scores))
    assert valid(path)

    def total(p):
        return sum(float(scores[i, c]) for i, c in enumerate(p))

    best = max(total(p) for p in product(range(5), repeat=len(scores)) if valid(p))
    assert total(path) == pytest.approx(best, abs=1e-4)


def test_spans_and_scores():
    logits = np.full((4, 5), -9.0, dtype=np.float32)
    for row, column in enumerate((1, 2, 0, 3)):
        logits[row, column] = 9.0
    rows = log_softmax(logits)
    first, second = word_spans(rows, rows, LABELS)
    assert (first.first, first.last, first.kind) == (0, 1, "A")
    assert (second.first, second.last, second.kind) == (3, 3, "B")
    assert first.score > 0.999
    none = np.empty((0, 5), dtype=np.float32)
    assert word_spans(none, none, LABELS) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [(", Ana Ruiz,", "Ana Ruiz"), ("Ruiz V.", "Ruiz V."), (" ;: ", "")],
)
def test_trimmed(text, kept):
    start, end = trimmed(text, 0, len(text))
    assert text[start:end] == kept


def test_gold_columns_follow_spans():
    starts, ends = np.array([0, 4, 9, 12]), np.array([3, 8, 11, 15])
    columns = bio_columns(starts, ends, [(0, 8, "A"), (12, 14, "B")], LABELS)
    assert list(columns) == [1, 2, 0, 3]


@given(st.integers(0, 500), st.integers(16, 64))
def test_every_piece_has_one_place_in_windows_of_one_length(count, size):
    cuts = windows(count, size)
    if not count:
        assert cuts == []
        return
    lengths = {end - start for start, end in cuts}
    assert len(lengths) == 1
    assert lengths.pop() <= size
    row, column = np.divmod(places(cuts), cuts[0][1] - cuts[0][0] + 2)
    found = [cuts[r][0] + c - 1 for r, c in zip(row, column, strict=True)]
    assert found == list(range(count))
