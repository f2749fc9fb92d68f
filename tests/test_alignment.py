"""Alignment of notes with their copies de-identified by hand."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from presidio_mx.research.corpora.alignment import align

CASES = yaml.safe_load(
    (Path(__file__).parent / "cases" / "corpora" / "alignment.yaml").read_text("utf-8")
)
PLAIN = ["refiere", "dolor", "desde", "hace", "dos", "y", "de", "la", ",", ".", "con"]
NAMES = ["Itzel", "Cuiriz", "de", "la", "Luz", "Paz", "Ana", "Ruiz"]
DIGITS = ["443", "555", "01", "02", "-", "4435550102"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_cases(case: dict) -> None:
    found = align("n", case["original"], case["copy"])
    spans = [[s.entity_type, found.note.covered(s)] for s in found.note.spans]
    assert spans == case["spans"]
    wanted = case.get("problems", [])
    assert len(found.problems) == len(wanted), [str(p) for p in found.problems]
    for problem, words in zip(found.problems, wanted, strict=True):
        assert words in str(problem)


def test_problems_name_the_line_and_quote_nothing_of_the_note() -> None:
    found = align(
        "n", "Alta\nhoy Erandi Paz aqui", "Alta\n{NOMBRE} hoy Erandi Paz aqui"
    )
    assert [str(p) for p in found.problems] == [
        "line 2, {NOMBRE}: nothing in the original stands for it"
    ]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str, list[tuple[int, int, str]]]:
    original, copy, spans, length = [], [], [], 0
    for _ in range(draw(st.integers(1, 6))):
        plain = draw(st.lists(st.sampled_from(PLAIN), max_size=5))
        tag = draw(st.sampled_from(["NOMBRE", "TEL", ""]))
        words = NAMES if tag == "NOMBRE" else DIGITS
        hidden = draw(st.lists(st.sampled_from(words), min_size=1, max_size=4))
        for word in plain + (hidden if tag else []):
            original.append(word)
        text = " ".join(original)
        if tag:
            start = length + len("".join(w + " " for w in plain))
            spans.append((start, len(text), tag))
        copy += plain + ([f"{{{tag}}}"] if tag else [])
        length = len(text) + 1 if text else 0
    blank = draw(st.sampled_from([" ", "  ", "\n"]))
    return " ".join(original), blank.join(copy), spans


@settings(max_examples=150, deadline=None)
@given(pairs())
def test_spans_are_exact_where_no_problem_is_reported(
    pair: tuple[str, str, list[tuple[int, int, str]]],
) -> None:
    original, copy, spans = pair
    found = align("n", original, copy)
    got = {(s.start, s.end, s.entity_type) for s in found.note.spans}
    if not found.problems:
        # Edge punctuation belongs to no span, whatever the copy hid.
        trimmed = set()
        for start, end, tag in spans:
            piece = original[start:end]
            start += len(piece) - len(piece.lstrip(",;: "))
            trimmed.add((start, start + len(piece.strip(",;: ")), tag))
        assert got == trimmed
