"""The commands of ``presidio-mx corpus``."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.work.cli.corpus import app

RUN = CliRunner()


@pytest.fixture
def marked(tmp_path: Path) -> Path:
    folder = tmp_path / "inline"
    folder.mkdir()
    (folder / "a.txt").write_text(
        "Pte {{PERSON:patient|Itzel Paz}}, cel {{PHONE|443 555 01 02}}.\n", "utf-8"
    )
    (folder / "b.txt").write_text("Alta {{PERSON:patient|Leo", "utf-8")
    return folder


def test_convert_writes_what_it_can_and_names_the_rest(
    marked: Path, tmp_path: Path
) -> None:
    target = tmp_path / "out"
    done = RUN.invoke(
        app, ["convert", str(marked), str(target), "--from", "inline", "--to", "brat"]
    )
    assert done.exit_code == 3
    assert "b.txt, line 1" in done.stderr
    assert "Leo" not in done.stderr
    assert (target / "a.ann").read_text("utf-8").splitlines() == [
        "T1\tPERSON 4 13\tItzel Paz",
        "T2\tPHONE_NUMBER 19 32\t443 555 01 02",
        "A1\tRole T1 patient",
    ]


def test_convert_refuses_an_unknown_format_before_it_reads(tmp_path: Path) -> None:
    done = RUN.invoke(
        app, ["convert", str(tmp_path), str(tmp_path / "o"), "--from", "brat"]
    )
    assert done.exit_code == 2
    bad = ["convert", "no", str(tmp_path / "o"), "--from", "brat", "--to", "pdf"]
    assert isinstance(RUN.invoke(app, bad).exception, ConfigurationError)
    bad[-1] = "bio"
    assert isinstance(RUN.invoke(app, bad).exception, InputError)


def test_align_writes_a_bio_corpus_and_reports_what_is_missing(tmp_path: Path) -> None:
    for name, files in {
        "originals": {"a": "su esposa Itzel Paz refiere", "b": "Alta", "c": "Alta"},
        "copies": {"a": "su esposa {NOMBRE} refiere", "c": "{TEL} Alta", "d": "x"},
    }.items():
        (tmp_path / name).mkdir()
        for stem, text in files.items():
            (tmp_path / name / f"{stem}.txt").write_text(text, "utf-8")
    target = tmp_path / "corpus.conll"
    folders = [str(tmp_path / name) for name in ("originals", "copies")]
    done = RUN.invoke(app, ["align", *folders, str(target)])
    assert done.exit_code == 3
    rows = target.read_text("utf-8").splitlines()
    assert rows[2:7] == [
        "su O",
        "esposa O",
        "Itzel B-NOMBRE",
        "Paz I-NOMBRE",
        "refiere O",
    ]
    assert "b: no copy in" in done.stderr
    assert "d: no note in" in done.stderr
    assert "c: line 1, {TEL}: nothing" in done.stderr
