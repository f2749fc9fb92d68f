"""Looking up where rules may begin finds what a search of the whole note finds."""

import re
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_mx.find.grammar.heads import heads_of, matches_at, places_of_heads
from presidio_mx.find.preset import load_preset
from presidio_mx.text.folding import fold

NOTES = Path(__file__).parent.parent / "samples" / "notes"
PATTERNS = [
    r"(?<![a-z])(?:el|del|al)[ ]dia",
    r"[\d](?<!\d\d)\d{2,3}-?\d",
    r"(?:ab?){2,4}c|aab",
    r"(?:a|ab|)(?:bc){1,2}d?[ab]",
    r"(?=ab)(?:[ab]{3}|(?>a*)bcd)",
    r"[a\d\s]{3,5}?b",
]


@pytest.mark.parametrize(
    ("pattern", "heads"),
    [
        ("dia[ ]?", {"dia"}),
        (r"(?:el|al)\d?[ ]x", {"el0", "al0", "el ", "al "}),
        (r"(?<!x)[1-5](?:/|-){2,3}", {"0//", "0/-", "0-/", "0--"}),
        # Shorter than a head, begun by anything, or without regard to case.
        ("el", set()),
        ("a?bc", set()),
        (".abc", set()),
        ("[^a]bcd", set()),
        ("(?i)abc", set()),
        ("(?i:abc)d", set()),
        (r"[a-z\d]{3}", set()),
    ],
)
def test_heads(pattern: str, heads: set[str]) -> None:
    assert heads_of(pattern) == heads


@given(st.text("abcdel 019-x\t٣", max_size=40))
def test_lookup_finds_what_a_search_finds(text: str) -> None:
    folded = fold(text)
    for number, pattern in enumerate(PATTERNS):
        heads = heads_of(pattern)
        assert heads
        places = places_of_heads(folded, {head: [number] for head in heads})
        found = matches_at(re.compile(pattern), folded, places.get(number, [[]]))
        wanted = [match.span() for match in re.finditer(pattern, folded)]
        assert [match.span() for match in found] == wanted


@pytest.mark.parametrize("preset", ["mx", "es-ES"])
def test_rules_find_the_same_in_notes(preset: str) -> None:
    rules = [rule for rule in load_preset(preset).grammar.rules() if rule.begun]
    assert rules
    by_head: dict[str, list[int]] = {}
    for number, rule in enumerate(rules):
        for head in rule.heads:
            by_head.setdefault(head, []).append(number)
    for path in islice(sorted(NOTES.glob("*.txt")), 20):
        folded = fold(path.read_text(encoding="utf-8"))
        places = places_of_heads(folded, by_head)
        for number, rule in enumerate(rules):
            pattern = rule.left or rule.mark
            assert pattern is not None
            found = matches_at(pattern, folded, places.get(number, [[]]))
            wanted = [match.span() for match in pattern.finditer(folded)]
            assert [match.span() for match in found] == wanted, rule.label
