"""Cells that nothing covers, in columns of identifiers."""

import pytest
from presidio_mx.find.vote.columns import column_mates
from presidio_mx.find.vote.resolve import Overlaps

from presidio_mx.find.finding import Finding
from presidio_mx.find.preset import load_preset

# What stands is in brackets with its entity; what its columns tell is behind the arrow.
CASES = {
    "initials among names": (
        "AZ-1 | (PERSON:Lizárraga) | pend\nAZ-2 | NGL | ya\nAZ-3 | (PERSON:Ruiz) | no",
        ["NGL"],
    ),
    "a foreign name among names": (
        "1\t(PERSON:Elpidio)\tsilla\n2\tJean-Baptiste Estimé\tlentes\n"
        "3\tProf. (PERSON:Hilario Salazar)\tbastón",
        ["Jean-Baptiste Estimé"],
    ),
    "an age among ages": (
        "a  (AGE:33)  x\nb  (AGE:41)  x\nc  9  x",
        ["9"],
    ),
    "numbers like those of files": (
        "F-(MEDICAL_RECORD:118);ok;x\nF-119;ok;x",
        [],
    ),
    "numbers beside names": (
        "2041\t(PERSON:BARRERA SIXTO)\tE\n2077\t(PERSON:GATICA L)\tE\n"
        "2099\t(PERSON:MORALES)\tS",
        ["2041", "2077", "2099"],
    ),
    "numbers with a dash beside names": (
        "240318-0117\t(PERSON:Ruiz)\tGLU\n240318-0118\t(PERSON:Luna)\tTSH\n"
        "240318-0121\t(PERSON:Mora)\tHB",
        ["240318-0117", "240318-0118", "240318-0121"],
    ),
    "values beside names": (
        "PLAQ\tINIC\n250000\t(PERSON:Ruiz)\n180000\t(PERSON:Luna)\n210000\t(PERSON:Mora)",
        [],
    ),
    "a text that ends in a name": (
        "trae a su hermana (PERSON:Lupe)\tx\tx\nxilofen\tx\tx\n"
        "viene con su tia (PERSON:Rosa)\tx\tx",
        [],
    ),
    "hours beside names": (
        "0800\t(PERSON:BARRERA SIXTO)\tE\n0820\t(PERSON:GATICA L)\tE\n"
        "0840\t(PERSON:MORALES)\tS",
        [],
    ),
    "an ordinary word": (
        "AZ-1 | (PERSON:Lizárraga) | a\nAZ-2 | pendiente | a\nAZ-3 | (PERSON:Ruiz) | b",
        [],
    ),
    "a cell that says there is none": (
        "AZ-1 | (PERSON:Lizárraga) | a\nAZ-2 | S/D | a\nAZ-3 | (PERSON:Ruiz) | b",
        [],
    ),
    "too few are marked": (
        "1 | (PERSON:Ruiz) | a\n2 | LMN | a\n3 | OPQ | b\n4 | RST | b",
        [],
    ),
}


def read(written):
    """Return a text without its marks, and the findings that they stand for."""
    text, found = "", []
    for piece in written.split("("):
        marked, closed, rest = piece.partition(")")
        if closed:
            entity, _, value = marked.partition(":")
            start = len(text)
            text += value
            found.append(Finding(start, len(text), entity, 0.9, "rule"))
            text += rest
        else:
            text += piece
    return text, found


@pytest.mark.parametrize("name", CASES)
def test_column(name):
    written, wanted = CASES[name]
    text, found = read(written)
    document = load_preset("mx").prepare(text)
    mates = column_mates(document, text, found, Overlaps.of([]))
    assert [text[m.start : m.end] for m in mates] == wanted


def test_what_is_forbidden_stays():
    text, found = read(CASES["initials among names"][0])
    start = text.index("NGL")
    block = Finding(start, start + 3, "PERSON", 1.0, "rule", block=True)
    document = load_preset("mx").prepare(text)
    assert column_mates(document, text, found, Overlaps.of([block])) == []
