"""One sweep over places of files: no identifier stays, no clinical word goes unsaid."""

import contextlib
import html
import io
import json
import re
import zipfile
from pathlib import Path
from random import Random

import pytest
import sweep_files
from sweep import letters_left_out, survived

from presidio_mx.errors import InputError
from presidio_mx.work.documents import pdf_file
from presidio_mx.work.documents.deidentify import deidentify_file
from presidio_mx.work.documents.read import open_data

FORMATS = {
    # ending: name, maker, places at least
    ".docx": ("Word", sweep_files.word_file, 100),
    ".html": ("HTML", sweep_files.html_file, 40),
    ".eml": ("Mail", sweep_files.mail_file, 40),
    ".rtf": ("RTF", sweep_files.rtf_file, 40),
    ".hl7": ("HL7 v2", sweep_files.hl7_file, 40),
    ".json": ("FHIR", sweep_files.fhir_file, 40),
    ".xml": ("CDA", sweep_files.cda_file, 40),
    ".pdf": ("PDF", sweep_files.pdf_file, 25),
    ".xlsx": ("Workbooks", sweep_files.sheet_file, 25),
}
ROOT = Path(__file__).parents[1]


def text_of(data, suffix):
    """Return everything that stands in a file."""
    if suffix in (".docx", ".xlsx"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = [n + archive.read(n).decode() for n in archive.namelist()]
        return html.unescape("\n".join(parts))
    if suffix == ".json":
        return json.dumps(json.loads(data), ensure_ascii=False)
    return html.unescape(data.decode())


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """Return places, what survived and what was left out, by format."""
    patched = pytest.MonkeyPatch()
    patched.setattr(pdf_file, "_recogniser", lambda needed: None)
    found = {}
    for suffix, (_, make, _) in FORMATS.items():
        places = []
        path = tmp_path_factory.mktemp("sweep") / f"archivo{suffix}"
        path.write_bytes(make(places))
        new = deidentify_file(path, ner="none")
        text = text_of(new.data, suffix)
        found[suffix] = (places, *survived(text, places), new.left_out)
    patched.undo()
    return found


@pytest.mark.parametrize("suffix", FORMATS)
def test_there_are_places_enough(suffix, swept):
    names = [place.name for place in swept[suffix][0]]
    assert len(names) >= FORMATS[suffix][2]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("suffix", FORMATS)
def test_no_identifier_stays(suffix, swept):
    assert swept[suffix][1] == []


@pytest.mark.parametrize("suffix", FORMATS)
def test_clinical_words_stay_or_are_named(suffix, swept):
    places, _, lost, left_out = swept[suffix]
    words = [word for place in lost for word in re.findall(r"\w+", place.clinical)]
    assert letters_left_out(left_out) >= sum(map(len, words)), [p.name for p in lost]
    assert len(lost) <= len(places) // 3


def table(swept):
    """Return the table of docs/formats.md."""
    heads = ("Format", "Places", "Identifiers gone", "Clinical words kept")
    lines = [f"| {' | '.join(heads)} | Named as left out |", "|---|---|---|---|---|"]
    for suffix, (name, _, _) in FORMATS.items():
        places, left, lost, _ = swept[suffix]
        words = sum(bool(place.clinical) for place in places)
        gone = len(places) - len({text.partition(":")[0] for text in left})
        lines.append(
            f"| {name} | {len(places)} | {gone} | {words - len(lost)} | {len(lost)} |"
        )
    return "\n".join(lines)


def test_the_page_has_the_table_of_the_sweep(swept):
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    assert table(swept) in page


@pytest.mark.parametrize("suffix", FORMATS)
def test_broken_files_are_read_or_refused(suffix, monkeypatch):
    monkeypatch.setattr(pdf_file, "_recogniser", lambda needed: None)
    whole, random = FORMATS[suffix][1]([]), Random(suffix)
    for _ in range(12):
        data = bytearray(whole)
        for _ in range(3):
            at = random.randrange(len(data))
            data[at : at + random.choice((1, 9, 99))] = random.randbytes(5)
        with contextlib.suppress(InputError):
            opened = open_data(bytes(data), suffix, "x")
            opened.written([[] for _ in opened.parts])
