"""Encodings, delimiters and broken CSV files."""

import io
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.text.reading.encoding import find_encoding, named_encoding
from presidio_mx.work.batch.csv_records import (
    Broken,
    Dialect,
    Records,
    find_delimiter,
)
from presidio_mx.work.batch.guard import Guard

CASES = Path(__file__).parent / "cases" / "batch"


def cases(name):
    return yaml.safe_load((CASES / f"{name}.yaml").read_text(encoding="utf-8"))


def read(text, delimiter=","):
    """Read a table as a run does whose last column has the notes."""

    def records(*learnt):
        return Records(io.StringIO(text, newline=""), Dialect(delimiter), *learnt)

    first = records()
    guard = Guard(len(first.header))
    for record in first:
        if not isinstance(record, Broken):
            guard.learn(record)
    return records(guard, range(len(first.header) - 1))


@pytest.mark.parametrize("case", cases("records"), ids=lambda case: case["about"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_records(case, end):
    records = read(end.join(case["lines"]) + end)
    rows = [
        "BROKEN"
        if isinstance(record, Broken)
        else [field.replace("\r\n", "\n") for field in record]
        for record in records
    ]
    assert rows == case["rows"]


def test_a_broken_record_names_lines_and_no_text():
    broken = list(read('a,b\n1,x\n2,"Juan\nPérez\n3,w\n'))[1]
    assert "line 3 to 4" in broken.problem
    assert "Juan" not in broken.problem


def test_one_open_quote_in_a_large_file_costs_one_row():
    lines = [f"{number},nota {number}" for number in range(20_000)]
    lines[10] = '10,"abierta'
    records = list(read("a,b\n" + "\n".join(lines)))
    assert len(records) == 20_000
    assert sum(isinstance(record, Broken) for record in records) == 1


def test_a_piece_of_an_unquoted_note_is_no_row():
    """It has the right number of commas; its words must not pass as a folio."""
    lines = [f"{number},2020-01-0{number % 9},tos" for number in range(100)]
    lines[50] = "50,2020-01-05,acude con su madre"
    lines.insert(51, "Juana Pérez, de Uruapan, por fiebre")
    lines.insert(52, "y tos")
    records = list(read("folio,fecha,nota\n" + "\n".join(lines)))
    broken = [record for record in records if isinstance(record, Broken)]
    assert [r.problem.partition(":")[0] for r in broken] == ["line 53", "line 54"]
    assert len(records) == 102


def test_a_word_in_one_numeric_column_is_a_row():
    lines = [f"{number},{number},tos" for number in range(100)]
    lines[50] = "50,se ignora,tos"
    records = list(read("folio,edad,nota\n" + "\n".join(lines)))
    assert records[50] == ["50", "se ignora", "tos"]


FIELD = st.text(
    st.characters(codec="utf-8", exclude_characters="\x00\x1e"), max_size=20
)


@given(st.lists(st.tuples(st.integers(0, 999), FIELD), min_size=1, max_size=8))
def test_what_python_writes_is_read(rows):
    import csv

    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(["folio", "nota"])
    writer.writerows(rows)
    assert list(read(text.getvalue())) == [[str(a), b] for a, b in rows]


@pytest.mark.parametrize("case", cases("delimiters"), ids=lambda case: case["lines"][0])
def test_delimiters(case):
    assert find_delimiter("\n".join(case["lines"]) + "\n") == case["delimiter"]


TEXT = "Peña Núñez, niño de 5 años, ¿fiebre? “sí” – 38.5 °C €"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-8-sig", "utf-16"])
def test_encodings(encoding):
    data = TEXT.encode(encoding)
    found = find_encoding([data], "x")
    assert found.decode(data) == TEXT


def test_utf8_cut_between_blocks():
    data = ("a" * 7 + "ñ" * 20).encode()
    found = find_encoding([data[:8], data[8:]], "x")
    assert str(found) == "UTF-8"


def test_ascii_for_megabytes_before_the_first_accent():
    blocks = [b"a" * 1_000_000] * 3 + ["Muñoz".encode("cp1252")]
    assert str(find_encoding(blocks, "x")) == "Windows-1252"


def test_mixed_file_keeps_every_letter():
    data = ("Peña Ibáñez Núñez\n" * 5).encode() + "Muñoz\n".encode("cp1252")
    found = find_encoding([data], "x")
    assert str(found) == "UTF-8 mixed with Windows-1252"
    assert found.decode(data) == "Peña Ibáñez Núñez\n" * 5 + "Muñoz\n"


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused_in_one_sentence(data):
    try:
        find_encoding([data], "x").decode(data)
    except InputError as error:
        assert str(error).startswith("x: ") and "\n" not in str(error)


def test_unknown_encoding():
    with pytest.raises(ConfigurationError, match="cp850"):
        named_encoding("klingon")
