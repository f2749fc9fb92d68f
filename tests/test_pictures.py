"""The pictures and the example notebook show what the program does."""

import pytest
from line_up import benchmark

pictures = benchmark("pictures")
DRAWN = list(pictures.pictures())


@pytest.mark.parametrize(("path", "picture"), DRAWN, ids=[p.name for p, _ in DRAWN])
def test_a_picture_is_up_to_date(path, picture):
    """After a change of figures or surrogates: python benchmarks/pictures.py."""
    assert path.read_text("utf-8") == picture


def test_the_notebook_runs_and_prints_what_it_shows():
    pytest.importorskip("pandas")
    assert pictures.notebook() == pictures.NOTEBOOK.read_text("utf-8")


def test_lines_of_a_picture_hold_the_whole_note():
    note = "uno dos tres\ncuatro cinco"
    lines = [note[start:end] for start, end in pictures.wrapped(note, 8)]
    assert lines == ["uno dos", "tres", "cuatro", "cinco"]
