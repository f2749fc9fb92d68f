"""Findings end where structure does: what comes out parses to the same shape."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from typing import NamedTuple

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from presidio_mx.find.structure.cut import cut
from presidio_mx.find.structure.parts import united
from presidio_mx.find.structure.read import structure_of
from presidio_mx.replacing import replace_found
from presidio_mx.text.spans import Span


class Found(NamedTuple):
    start: int
    end: int
    entity: str = "PERSON"


KEY = "7d3a9c51e8f04b62a1c5d97e3f286b04"
TAGS = ("{NOMBRE}", "<PERSON>", "Xola Xul")
WORDS = st.text("abcdeñé XYZ", min_size=1, max_size=12)
TEXTS = st.text("abé XY12 .,:;'\"\\/<>&|^~{}[]()=-_#\tñ", max_size=25)
KEYS = st.from_regex(r"[a-z]{2,6}_?[a-z]{1,4}", fullmatch=True)
SPANS = st.lists(st.tuples(st.integers(0, 400), st.integers(1, 60)), max_size=6)
ENTITIES = st.sampled_from(["PERSON", "DATE_TIME", "ORGANIZATION"])


def replaced(text, spans, entity, new):
    """Return a text in which what is found anywhere is replaced, cut by structure."""
    structure = structure_of(text)
    found = []
    for start, size in sorted(spans):
        start = min(start, len(text))
        start = max([start, *(f.end for f in found)])
        end = min(start + size, len(text))
        if start < end:
            found.append(Found(start, end, entity))
    boundaries = united([*structure.boundaries, *structure.labels])
    out, last = [], 0
    for finding in cut(text, found, boundaries, structure.whole):
        assert last <= finding.start < finding.end
        out += text[last : finding.start], new
        last = finding.end
    return "".join((*out, text[last:]))


VALUES = st.one_of(TEXTS, WORDS, st.integers(-(10**6), 10**6), st.booleans(), st.none())
JSON = st.dictionaries(
    KEYS,
    st.recursive(
        VALUES,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)
        ),
        max_leaves=8,
    ),
    min_size=1,
    max_size=4,
)


def shape(value):
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner) for inner in value]
    # A number that is replaced is a bare tag: read as null, both are no text.
    return "text" if isinstance(value, str) else "other"


@settings(deadline=None, max_examples=40)
@given(
    JSON,
    st.booleans(),
    st.sampled_from([None, 2]),
    SPANS,
    ENTITIES,
    st.sampled_from(TAGS[:2]),
)
def test_json(value, plain, indent, spans, entity, tag):
    text = json.dumps(value, ensure_ascii=plain, indent=indent)
    new = replaced(text, spans, entity, tag)
    bare = re.sub(
        rf'(?<=[\s:\[,]){re.escape(tag)}(?=\s*[,\]}}])(?=[^"]*(?:"[^"\\]*(?:\\.[^"\\]*)*"[^"]*)*$)',
        "null",
        new,
    )
    assert shape(json.loads(bare)) == shape(value)


@settings(deadline=None, max_examples=40)
@given(JSON, SPANS, ENTITIES)
def test_json_inside_prose(value, spans, entity):
    before, behind = "Se recibe mensaje: ", " y se archiva."
    text = before + json.dumps(value) + behind
    new = replaced(text, [(s + len(before), n) for s, n in spans], entity, "Xola")
    inside = re.sub(r"(?<=[\s:\[,])Xola(?=\s*[,\]}])", "null", new)
    assert json.JSONDecoder().raw_decode(inside, inside.index("{"))


@st.composite
def elements(draw, depth=2):
    """An element with attributes, and text or further elements."""
    element = ElementTree.Element(draw(KEYS))
    element.attrib.update(draw(st.dictionaries(KEYS, TEXTS, max_size=2)))
    element.text = draw(st.one_of(TEXTS, WORDS))
    if depth:
        element.extend(draw(st.lists(elements(depth - 1), max_size=2)))
    return element


def tags_of(element):
    return element.tag, sorted(element.attrib), [tags_of(inner) for inner in element]


@settings(deadline=None, max_examples=40)
@given(elements(), SPANS, ENTITIES)
def test_xml(element, spans, entity):
    text = ElementTree.tostring(element, encoding="unicode")
    new = replaced(text, spans, entity, "{NOMBRE}")
    assert tags_of(ElementTree.fromstring(new)) == tags_of(element)


ROWS = st.integers(4, 5).flatmap(
    lambda size: st.lists(
        st.lists(st.one_of(WORDS, TEXTS), min_size=size, max_size=size),
        min_size=4,
        max_size=5,
    )
)


@settings(deadline=None, max_examples=40)
@given(ROWS, st.sampled_from("\t;,"), st.booleans(), SPANS, ENTITIES)
def test_tables(rows, sign, headed, spans, entity):
    """A table whose headings are known, or whose rows have three signs at least."""
    rows = [[cell.replace("\t", " ") for cell in row] for row in rows]
    if headed:
        rows[0] = ["Paciente", "Edad", "Expediente", "Municipio", "Dx"][: len(rows[0])]
    else:  # in prose a blank follows a comma
        rows = [[cell.replace(", ", ",") for cell in row] for row in rows]
        rows = [[cell.strip() for cell in row] for row in rows]
    file = io.StringIO()
    csv.writer(file, delimiter=sign, lineterminator="\n").writerows(rows)
    new = replaced(file.getvalue(), spans, entity, "Xola")
    parsed = list(csv.reader(io.StringIO(new), delimiter=sign))
    assert [len(row) for row in parsed] == [len(row) for row in rows]


@settings(deadline=None, max_examples=40)
@given(ROWS, SPANS, ENTITIES, st.sampled_from(TAGS))
@example(
    [["X"] * 5] * 4 + [["X", "X", '"', "X", '"']], [(121, 4)], "PERSON", "{NOMBRE}"
)
def test_markdown(rows, spans, entity, tag):
    rows = [[cell.replace("|", "/").strip() or "x" for cell in row] for row in rows]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, "|---" * len(rows[0]) + "|")
    new = replaced("\n".join(lines), spans, entity, tag)
    assert [line.count("|") for line in new.split("\n")] == [
        line.count("|") for line in lines
    ]


@settings(deadline=None, max_examples=40)
@given(ROWS, st.booleans(), SPANS, ENTITIES)
def test_sql(rows, columns, spans, entity):
    def literal(cell):
        return (
            "NULL"
            if not cell
            else "'" + cell.replace("\\", "").replace("'", "''") + "'"
        )

    named = " (a_uno, b_dos, c_tres, d_cua, e_cin)" if columns else ""
    tuples = [f"({', '.join(map(literal, row))})" for row in rows]
    text = f"INSERT INTO pacientes{named} VALUES {', '.join(tuples)};"
    new = replaced(text, spans, entity, "Xola")
    token = re.compile(r"'(?:[^']|'')*'|[(),;]|NULL")
    assert [t if t in "(),;" else "value" for t in token.findall(new)] == [
        t if t in "(),;" else "value" for t in token.findall(text)
    ]


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["PID", "NK1", "PV1", "OBR", "OBX", "AL1", "ZPX"]),
            st.lists(st.text("abÉ12 .^&~-", max_size=12), max_size=12),
        ),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from("\r\n"),
    SPANS,
    ENTITIES,
    st.sampled_from(TAGS),
)
def test_hl7(segments, end, spans, entity, tag):
    head = "MSH|^~\\&|HIS|HGZ 24|RIS|X|20240101||ADT^A01|1|P|2.5"
    lines = [head, *("|".join((name, "1", *fields)) for name, fields in segments)]
    new = replaced(end.join(lines), spans, entity, tag).split(end)
    assert [line.count("|") for line in new] == [line.count("|") for line in lines]
    assert [line[:4] for line in new] == [line[:4] for line in lines]


PLAIN = st.one_of(
    st.from_regex(r"[a-z]{2,8}( [A-Z][a-z]{1,8}){0,2}", fullmatch=True), TEXTS
)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.dictionaries(KEYS, PLAIN, min_size=3, max_size=4), min_size=1, max_size=3
    ),
    st.booleans(),
    SPANS,
    ENTITIES,
)
@example([{"aaa": "aa", "aaaa": "", "aaaaa": " #"}], True, [(0, 32)], "PERSON")
def test_yaml(cases, flow, spans, entity):
    text = yaml.safe_dump(
        {"casos_x": cases, "fin_a": "uno", "fin_b": "dos", "fin_c": "tres"},
        allow_unicode=True,
        width=10**6,
        default_flow_style=None if flow else False,
    )
    new = yaml.safe_load(replaced(text, spans, entity, "Xola"))
    assert [sorted(case) for case in new["casos_x"]] == [sorted(case) for case in cases]


@settings(deadline=None, max_examples=40)
@given(
    st.dictionaries(KEYS, st.text("abÉ12 .,;:=", max_size=20), min_size=1),
    SPANS,
    ENTITIES,
)
def test_quoted_pairs(pairs, spans, entity):
    text = " ".join(f'{key}="{value}"' for key, value in pairs.items())
    new = replaced(text, spans, entity, "Xola")
    assert re.findall(r'(\w+)="[^"]*"', new) == list(pairs)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.text("abÉ12 .;:", min_size=1, max_size=12), min_size=2), SPANS, ENTITIES
)
def test_quoted_lists(values, spans, entity):
    text = f"Se atiende en {', '.join(map(repr, values))} y ya"
    new = replaced(text, spans, entity, "Xola")
    assert len(re.findall(r"'[^']*'", new)) == len(values)


def test_a_text_without_structure_is_left():
    text = 'Dice "me duele" y refiere tos, fiebre; edad: 45, "ya no".'
    assert cut(text, [Found(0, len(text))], structure_of(text).boundaries) == [
        Found(0, len(text))
    ]


@settings(deadline=None, max_examples=40)
@given(
    st.dictionaries(KEYS, st.integers(1, 120), min_size=3, max_size=6),
    st.sampled_from(["tag", "research", "surrogate"]),
    st.data(),
)
def test_numbers_become_texts_in_quotes(values, profile, data):
    text = json.dumps({"nombre": "Ana", "dx": "I10", **values})
    chosen = data.draw(st.sets(st.sampled_from(sorted(values))))
    spans = []
    for key in chosen:
        start = text.index(f'"{key}": ') + len(key) + 4
        spans.append(Span(start, start + len(str(values[key])), "AGE"))
    done = replace_found(text, sorted(spans, key=lambda s: s.start), profile, key=KEY)
    new = json.loads(done.text)
    assert list(new) == ["nombre", "dx", *values]
    assert all(new[key] == value for key, value in values.items() if key not in chosen)
    for item in done.items:
        assert done.text[item.new_start : item.new_end] in json.dumps(
            list(new.values()), ensure_ascii=False
        )


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ("('Ana Uh', 95, 'F')", "('Ana Uh', '{EDAD}', 'F')"),
        ("('Ana Uh', '95', 'F')", "('Ana Uh', '{EDAD}', 'F')"),
    ],
)
def test_rows_of_sql_keep_their_quotes(row, shown):
    head = "INSERT INTO p (nombre, edad, sexo) VALUES "
    start = len(head) + row.index("95")
    done = replace_found(head + row, [Span(start, start + 2, "AGE")], "tag")
    assert done.text == head + shown


@pytest.mark.parametrize("cell", ["mareo", "Crohn", "apendicitis", "cefalea tensional"])
def test_a_cell_of_medicine_is_nobody(cell):
    assert structure_of(cell).coded() == [(0, len(cell))]


@pytest.mark.parametrize(
    "cell",
    [
        *(
            "Dr Crohn",
            "Rosa",
            "Cruz Delgado",
            "dos de mayo",
            "cuarenta años",
            "J. Crohn",
        ),
        *("El Mirador", "Hospital Español", "mareo 443 312 4567"),
    ],
)
def test_a_cell_that_may_identify_is_not_coded(cell):
    assert structure_of(cell).coded() == []
