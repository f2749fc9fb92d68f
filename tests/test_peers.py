"""The table of peers: what each covers, of all and of the types that it knows."""

import os

import pytest
from presidio_analyzer import RecognizerResult

from presidio_mx.text.spans import Note, Span


@pytest.fixture(scope="module")
def peers():
    pytest.importorskip("onnxruntime", reason="our model is one of the systems")
    from line_up import benchmark

    threads = os.environ.get("OMP_NUM_THREADS")
    found = benchmark("peers")
    if threads is None:
        os.environ.pop("OMP_NUM_THREADS", None)
    return found


class Finds:
    """An engine that finds names alone, and a word that is none."""

    def analyze(self, text: str, language: str) -> list[RecognizerResult]:
        found = [
            RecognizerResult("PERSON", text.index(word), text.index(word) + 4, 1.0)
            for word in ("Rosa", "tose")
            if word in text
        ]
        # A name within an address is a mark that touches something.
        if "Juan" in text:
            at = text.index("Juan")
            found.append(RecognizerResult("LOCATION", at, at + 4, 0.5))
        return found


NOTES = [
    Note(f"set/{n}", text, spans)
    for n, (text, spans) in enumerate(
        [
            ("Rosa tose", (Span(0, 4, "PERSON", "patient"),)),
            ("Calle Juan 5, MX", (Span(0, 12, "ADDRESS"), Span(14, 16, "LOCATION"))),
        ]
    )
]


def test_what_a_system_does_not_know_is_scored_apart(peers, tmp_path):
    (tmp_path / "weights").write_bytes(b"x" * 2_000_000)
    known = frozenset({"PERSON"})
    system = peers.System(Finds(), [tmp_path], known)
    results = [system.analyze(note.text) for note in NOTES]
    found = peers.measured(system, NOTES, results)
    assert found["covered"] == 33.3
    assert found["known"] == 100.0
    assert found["clean"] == 50.0
    # One false mark among six words, "tose"; the mark inside the address is none.
    assert found["false_marks"] == pytest.approx(1000 / 6, abs=0.01)
    # Of three findings one is exact, and of three identifiers.
    assert found["f1"] == 33.3
    assert found["f1_known"] == 66.7
    assert found["mb"] == 2.0


def test_types_are_compared_in_general(peers):
    kinds = ("ES_NOMBRE_PERSONAL_SANITARIO", "NAME", "TEL", "MX_CLABE", "ES_CALLE")
    assert [peers.kind(name) for name in kinds] == [
        "PERSON",
        "NAME",
        "PHONE_NUMBER",
        "CREDIT_CARD",
        "ADDRESS",
    ]


def test_the_tables_hold_every_system(peers):
    known = frozenset({"PERSON"})
    made = {
        "names": peers.System(Finds(), [], known),
        "all": peers.System(Finds(), []),
    }
    notes = [
        Note(f"{name}/{n}/{note.id}", note.text, note.spans)
        for n in range(20)
        for name in "ab"
        for note in NOTES
    ]
    done = {"peers": {"heldout": peers.compare(notes, made, lambda name: name[0])}}
    table = peers.figures.peers(done, "heldout")
    assert [line.split("|")[1].strip() for line in table.splitlines()[2:]] == [*made]
    types = peers.figures.peers_by_type(done, "heldout").splitlines()
    assert types[0] == "| type | marks | names | all |"
    assert any("| (0.0) | 0.0 |" in line for line in types if "ADDRESS" in line)
    sets = peers.figures.peers_by_set(done, "heldout").splitlines()
    assert [line.split("|")[1].strip() for line in sets[2:]] == ["`a`", "`b`"]
    short = peers.figures.peers_in_short(done, "es")
    assert short.count("\n") == 3
