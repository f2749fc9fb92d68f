"""Round trips of all formats, and what is said of broken files."""

import json
from pathlib import Path

import pytest
import spacy
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.research.corpora import (
    FORMATS,
    Note,
    Span,
    docbin,
    label_studio,
    read_corpus,
    write_corpus,
)
from presidio_mx.research.corpora.pairs import read_texts
from presidio_mx.schemes import in_scheme, to_meddocan
from presidio_mx.text.tokens import sentences, tokens

CASES = Path(__file__).parent / "cases" / "corpora"
BROKEN = yaml.safe_load((CASES / "broken.yaml").read_text(encoding="utf-8"))
TYPES = st.sampled_from(["PERSON", "PHONE_NUMBER", "MX_CURP", "ADDRESS", "DATE_TIME"])
ALPHABET = st.one_of(
    st.sampled_from("aeñÁ1 .,-\n\r\t{}|<&>\"'#😀\u0301\u2028"),
    st.characters(exclude_categories=["Cs"]),
)


@st.composite
def notes(draw: st.DrawFn) -> Note:
    text = draw(st.text(ALPHABET, max_size=60))
    spans = []
    for _ in range(draw(st.integers(0, 4)) if text else 0):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        role = draw(st.sampled_from([None, "patient", "staff"]))
        spans.append(Span(start, end, draw(TYPES), role))
    return Note("n1", text, tuple(spans))


def keys(note: Note) -> list[tuple[int, int, str]]:
    return sorted((s.start, s.end, s.entity_type) for s in note.spans)


@pytest.mark.parametrize("form", FORMATS)
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(note=notes())
@example(note=Note("n1", "{{"))
def test_round_trip_keeps_every_span_or_says_so(
    form: str, note: Note, tmp_path_factory: pytest.TempPathFactory
) -> None:
    target = tmp_path_factory.mktemp("c") / "corpus"
    problems = write_corpus([note], target, form)
    if problems:
        assert "n1" in problems[0]
        assert form not in ("jsonl", "label-studio", "brat", "presidio")
        return
    again = read_corpus(target, form)
    assert not again.problems
    assert [n.text for n in again.notes] == [note.text]
    assert keys(again.notes[0]) == keys(note)


SIMPLE = Note(
    "sala/nota",
    "Paciente Erandi Cuiriz,\r\ntel. 443 555 01 02.\nHija: Itzel 😀 Cuiriz.",
    (
        Span(9, 22, "PERSON", "patient"),
        Span(30, 43, "PHONE_NUMBER"),
        Span(51, 65, "PERSON", "relative"),
    ),
)


@pytest.mark.parametrize("form", FORMATS)
def test_an_ordinary_note_can_be_written_in_every_format(
    form: str, tmp_path: Path
) -> None:
    assert SIMPLE.covered(SIMPLE.spans[2]) == "Itzel 😀 Cuiriz"
    assert write_corpus([SIMPLE], tmp_path / "out", form) == []
    again = read_corpus(tmp_path / "out", form).notes
    assert keys(again[0]) == keys(SIMPLE)
    assert again[0].id == "sala/nota"
    if form not in ("bio", "bioes"):  # columns have no place for a role
        assert [s.role for s in again[0].spans] == [s.role for s in SIMPLE.spans]


@pytest.mark.parametrize("form", ["jsonl", "presidio", "label-studio"])
def test_score_and_recognizer_survive_where_the_format_has_a_place(
    form: str, tmp_path: Path
) -> None:
    span = Span(0, 3, "PERSON", "staff", 0.85, "MxPersonRecognizer")
    write_corpus([Note("a", "Ana", (span,))], tmp_path / "out", form)
    assert read_corpus(tmp_path / "out", form).notes[0].spans == (span,)


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case["name"])
def test_a_broken_file_is_named_and_the_others_go_on(
    case: dict, tmp_path: Path
) -> None:
    for name, content in case["files"].items():
        content = content.replace("BRACKETS", "[" * 100_000)
        (tmp_path / name).write_text(content, encoding="utf-8")
    corpus = read_corpus(tmp_path, case["format"])
    assert sorted(note.id for note in corpus.notes) == case["read"]
    places = [(Path(p.file).name, p.line) for p in corpus.problems]
    assert places == [tuple(place) for place in case["problems"]]
    for problem in corpus.problems:
        assert "Erandi" not in str(problem)


def test_an_ending_in_capitals_is_an_ending(tmp_path: Path) -> None:
    """``NOTA.TXT`` was passed over without a word, and missing from all figures."""
    (tmp_path / "a.txt").write_text("{{PERSON|Ana}}", encoding="utf-8")
    (tmp_path / "NOTA.TXT").write_text("{{PERSON|Eva}}", encoding="utf-8")
    ids = [note.id for note in read_corpus(tmp_path, "inline").notes]
    texts, problems = read_texts(tmp_path)
    assert ids == list(texts) == ["NOTA", "a"]
    assert problems == []


def test_two_texts_of_one_name_are_told(tmp_path: Path) -> None:
    for name in ("a.TXT", "a.txt"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    if len(list(tmp_path.iterdir())) < 2:
        pytest.skip("this file system knows no case")
    texts, problems = read_texts(tmp_path)
    assert texts == {"a": "a.TXT"}
    assert problems == [f"{tmp_path / 'a.txt'}: another note has this name; rename one"]


def test_bytes_that_are_no_utf8_are_named_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"una\ndos\nx\x81\x8dx\n")
    (tmp_path / "b.txt").write_text("{{PERSON:staff|Ana}}", encoding="utf-8")
    corpus = read_corpus(tmp_path, "inline")
    assert [note.id for note in corpus.notes] == ["b"]
    assert corpus.problems[0].line == 3


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    for form in FORMATS:
        target = tmp_path / form
        write_corpus([SIMPLE], target, form)
        with pytest.raises(InputError, match="exists"):
            write_corpus([SIMPLE], target, form)


def test_ids_that_leave_the_folder_are_refused(tmp_path: Path) -> None:
    names = ("../a", "/a", "a//b", "", "a\nb", "..", "x" * 300, "\ud800", "\udce9")
    for identifier in names:
        problems = write_corpus([Note(identifier, "x")], tmp_path / "o", "brat")
        assert problems, identifier


def test_unknown_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="formats are brat"):
        read_corpus(tmp_path, "docx")
    with pytest.raises(InputError, match=r"no \.ann files"):
        read_corpus(tmp_path, "brat")
    with pytest.raises(ConfigurationError, match="schemes are"):
        in_scheme(SIMPLE, "icd")  # type: ignore[arg-type]


def test_brat_predictions_come_without_texts(tmp_path: Path) -> None:
    (tmp_path / "a.ann").write_text("T1\tFECHAS 0 4\t2019\n", encoding="utf-8")
    corpus = read_corpus(tmp_path, "brat", "meddocan", {"a": "2019 y más"})
    assert keys(corpus.notes[0]) == [(0, 4, "FECHAS")]


@pytest.mark.parametrize(
    ("content", "read"),
    [
        ("\ufeffT1\tPERSON 0 3\tAna\r\n", [(0, 3, "PERSON")]),
        (f"T1\tPERSON 0 {'9' * 5000}\tAna\nT2\tPERSON 0 3\tAna\n", [(0, 3, "PERSON")]),
    ],
    ids=["byte order mark", "a number of 5000 digits"],
)
def test_brat_as_other_programs_write_it(tmp_path: Path, content, read) -> None:
    (tmp_path / "a.txt").write_text("Ana Paz", encoding="utf-8")
    (tmp_path / "a.ann").write_bytes(content.encode())
    assert keys(read_corpus(tmp_path, "brat").notes[0]) == read


def test_a_line_of_json_with_a_number_of_5000_digits(tmp_path: Path) -> None:
    row = f'{{"id": "a", "text": "x", "spans": [[0, {"9" * 5000}, "P"]]}}\n'
    (tmp_path / "a.jsonl").write_text(row + '{"id": "\\ud800", "text": "x"}\n')
    corpus = read_corpus(tmp_path, "jsonl")
    assert [problem.line for problem in corpus.problems] == [1]
    assert write_corpus(corpus.notes, tmp_path / "out.jsonl", "jsonl") == []


def test_discontinuous_brat_annotations_become_pieces(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Ana y Luis Paz", encoding="utf-8")
    (tmp_path / "a.ann").write_text("T1\tPERSON 0 3;11 14\tAna Paz\n", encoding="utf-8")
    corpus = read_corpus(tmp_path, "brat")
    assert keys(corpus.notes[0]) == [(0, 3, "PERSON"), (11, 14, "PERSON")]


def test_plain_conll_without_texts_is_read(tmp_path: Path) -> None:
    rows = "La O\nSra. O\nAna B-NOMBRE\nPaz I-NOMBRE\n\nTel O\n4431234567 S-TEL\n"
    (tmp_path / "a.conll").write_text(rows, encoding="utf-8")
    note = read_corpus(tmp_path, "bio").notes[0]
    assert note.text == "La Sra. Ana Paz\nTel 4431234567"
    assert [(note.covered(s), s.entity_type) for s in note.spans] == [
        ("Ana Paz", "PERSON"),
        ("4431234567", "PHONE_NUMBER"),
    ]


def test_bioes_tags_are_the_published_ones(tmp_path: Path) -> None:
    note = Note("a", "Ana Paz y Leo.", (Span(0, 7, "P"), Span(10, 13, "P")))
    write_corpus([note], tmp_path / "a.conll", "bioes")
    lines = (tmp_path / "a.conll").read_text(encoding="utf-8").splitlines()
    assert lines[2:] == ["Ana B-P", "Paz E-P", "y O", "Leo S-P", ". O", ""]


def test_label_studio_annotations_win_over_predictions(tmp_path: Path) -> None:
    task = label_studio.task(Note("a", "😀 Ana Paz", (Span(2, 5, "PERSON"),)))
    old_offsets = {"start": 3, "end": 10, "text": "Ana Paz", "labels": ["PERSON"]}
    result = [{"type": "labels", "value": old_offsets, "meta": {"role": "staff"}}]
    task["annotations"] = [
        {"was_cancelled": True, "result": []},
        {"was_cancelled": False, "result": result},
    ]
    (tmp_path / "export.json").write_text(json.dumps([task, {"data": 3}]))
    corpus = read_corpus(tmp_path / "export.json", "label-studio")
    assert corpus.notes[0].spans == (Span(2, 9, "PERSON", "staff"),)
    assert "task 2" in str(corpus.problems[0])


def test_docbin_has_entities_for_training() -> None:
    doc = docbin.to_doc(SIMPLE, spacy.blank("es").vocab)
    assert [ent.label_ for ent in doc.ents] == ["PERSON", "PHONE_NUMBER", "PERSON"]
    assert doc.text == SIMPLE.text


def test_xml_with_a_document_type_is_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE a [<!ENTITY x "y">]><d><TEXT>&x;</TEXT><TAGS/></d>'
    (tmp_path / "a.xml").write_text(bomb, encoding="utf-8")
    corpus = read_corpus(tmp_path, "i2b2")
    assert not corpus.notes
    assert "refused" in str(corpus.problems[0])


def test_meddocan_labels_of_the_spanish_preset_and_of_native_types() -> None:
    assert to_meddocan(Span(0, 1, "ES_TERRITORIO")) == "TERRITORIO"
    assert to_meddocan(Span(0, 1, "PERSON", "staff")) == "NOMBRE_PERSONAL_SANITARIO"
    assert to_meddocan(Span(0, 1, "PERSON")) == "NOMBRE_SUJETO_ASISTENCIA"
    assert to_meddocan(Span(0, 1, "NRP")) == "NRP"


@given(st.text(ALPHABET, max_size=80), st.lists(st.integers(0, 80)))
def test_tokens_and_sentences_leave_only_white_space_out(
    text: str, cuts: list[int]
) -> None:
    for pieces in (tokens(text, cuts), sentences(text)):
        rest = list(text)
        last = 0
        for start, end in pieces:
            assert last <= start < end
            last = end
            rest[start:end] = [" "] * (end - start)
        assert not "".join(rest).strip()
    for start, end in tokens(text, cuts):
        assert not any(start < cut < end for cut in cuts)


def test_sentences_do_not_end_after_titles() -> None:
    text = "Vista por Dra. Ruiz V. en la col. Centro. Tel. 443\nAlta"
    assert [text[s:e] for s, e in sentences(text)] == [
        "Vista por Dra. Ruiz V. en la col. Centro.",
        "Tel. 443",
        "Alta",
    ]
