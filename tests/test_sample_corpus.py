"""The annotated notes of samples/corpus: its table is true, no note is in two parts."""

import csv
from pathlib import Path

import pytest
from typer.testing import CliRunner

from presidio_mx.errors import InputError
from presidio_mx.find.reading import ROLES
from presidio_mx.research.corpora import inline, read_corpus
from presidio_mx.schemes import NATIVE_TO_INLINE
from presidio_mx.work.cli.program import app

CORPUS = Path(__file__).parents[1] / "samples" / "corpus"
DEV = CORPUS / "dev" / "c_odd_forms.jsonl"


@pytest.fixture(scope="module")
def notes():
    """Return the notes of every file, by its path below the corpus."""
    files = sorted(CORPUS.glob("*/*.jsonl"))
    return {p.relative_to(CORPUS).as_posix(): read_corpus(p).notes for p in files}


def test_the_table_of_authors_counts_what_is_there(notes):
    with open(CORPUS / "authors.tsv", encoding="utf-8", newline="") as file:
        rows = {row["file"]: row for row in csv.DictReader(file, delimiter="\t")}
    assert list(rows) == sorted(notes)
    for name, own in notes.items():
        words = sum(len(note.text.split()) for note in own)
        marks = sum(len(note.spans) for note in own)
        counted = [rows[name][column] for column in ("notes", "words", "marks")]
        assert counted == [str(len(own)), str(words), str(marks)], name
        assert rows[name]["split"] == name.split("/")[0]


def test_ids_name_the_file_and_no_text_is_in_two_parts(notes):
    parts = {}
    for name, own in notes.items():
        part, stem = Path(name).parts[0], Path(name).stem
        for note in own:
            assert note.id.startswith(f"{stem}/")
            assert parts.setdefault(note.text, part) == part, note.id


def test_marks_are_of_known_types_and_roles(notes):
    types = {"PERSON", "ADDRESS", "LOCATION", "AGE", "URL", *NATIVE_TO_INLINE}
    for own in notes.values():
        for span in (span for note in own for span in note.spans):
            assert span.entity_type in types
            assert span.role in ROLES if span.entity_type == "PERSON" else not span.role


def test_a_folder_of_files_is_read_as_one_corpus(notes):
    whole = read_corpus(CORPUS / "dev")
    assert not whole.problems
    assert len(whole.notes) == sum(len(n) for f, n in notes.items() if f[:3] == "dev")


def test_show_counts_or_prints_a_note(notes):
    shown = CliRunner().invoke(app, ["corpus", "show", str(DEV)])
    assert shown.exit_code == 0
    head, row = shown.output.splitlines()
    assert head.split("\t")[:3] == ["part", "notes", "words"]
    assert row.split("\t")[:2] == ["c_odd_forms", "25"]
    first = notes["dev/c_odd_forms.jsonl"][0]
    shown = CliRunner().invoke(app, ["corpus", "show", str(DEV), "--note", first.id])
    again, broken = inline.parse(first.id, shown.output.removesuffix("\n"))
    assert (again.text, broken) == (first.text, [])
    refused = CliRunner().invoke(app, ["corpus", "show", str(DEV), "--note", "x"])
    assert isinstance(refused.exception, InputError)


def test_the_way_to_files_that_people_edit_and_back(tmp_path, notes):
    first = notes["dev/c_odd_forms.jsonl"]
    for source, target, form in (
        (DEV, tmp_path / "marked", "inline"),
        (tmp_path / "marked", tmp_path / "again.jsonl", "jsonl"),
    ):
        done = CliRunner().invoke(
            app, ["corpus", "convert", str(source), str(target), "--to", form]
        )
        assert done.exit_code == 0, done.output
    again = read_corpus(tmp_path / "again.jsonl").notes
    assert [note.text for note in again] == [note.text for note in first]
    assert [note.spans for note in again] == [note.spans for note in first]
