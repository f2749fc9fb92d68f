"""One note in PDF files of many writers: it comes out without its patient, or not."""

import re
import unicodedata

import pytest

pytest.importorskip("reportlab", reason="needs reportlab to write the files")

import pdf_kinds

from presidio_mx.errors import InputError
from presidio_mx.work.documents import pdf_file
from presidio_mx.work.documents.deidentify import deidentify_file


@pytest.fixture(autouse=True)
def without_tesseract(monkeypatch):
    monkeypatch.setattr(pdf_file, "_recogniser", lambda needed: None)


def bare(text):
    """Return the letters and digits of a text, however they were written."""
    text = unicodedata.normalize("NFKD", text).lower()
    return "".join(c for c in text if c.isalnum())


def rewritten(data, tmp_path):
    path = tmp_path / "nota.pdf"
    path.write_bytes(data)
    return deidentify_file(path, ner="none").data.decode()


def faults(data, tmp_path):
    """Return identifiers that stay in the new file, and clinical words that do not."""
    try:
        text = bare(rewritten(data, tmp_path))
    except InputError as error:
        return [str(error)]
    left = [word for word in pdf_kinds.HIDDEN if bare(word) in text]
    return left + [word for word in [pdf_kinds.KEPT] if bare(word) not in text]


@pytest.mark.heavy
def test_files_come_out_without_their_patient(tmp_path):
    files = dict(pdf_kinds.readable())
    assert len(files) >= 130
    found = {name: faults(data, tmp_path) for name, data in files.items()}
    assert {name: what for name, what in found.items() if what} == {}


@pytest.mark.heavy
def test_what_cannot_be_read_is_refused_in_a_sentence(tmp_path):
    for name, data, why in pdf_kinds.refused():
        with pytest.raises(InputError, match=why) as told:
            rewritten(data, tmp_path)
        said = str(told.value)
        assert "\n" not in said, name
        assert re.search(r"; |: ", said), name
        assert not [word for word in pdf_kinds.HIDDEN if word in said], name
