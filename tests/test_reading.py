"""How bytes become a note: encodings, kinds of files, broken letters."""

import re
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from presidio_mx.errors import InputError
from presidio_mx.research.corpora import read_corpus
from presidio_mx.text.reading.chat import senders
from presidio_mx.text.reading.encoding import find_encoding
from presidio_mx.text.reading.evidence import sloppy
from presidio_mx.text.reading.mend import mend
from presidio_mx.text.reading.misread import PAIRS
from presidio_mx.text.reading.note import decode_note, read_note
from presidio_mx.time_limit import within
from presidio_mx.work.cli import text as cli_text

CASES = Path(__file__).parent / "cases" / "batch"
CORPUS = Path(__file__).parents[1] / "samples" / "corpus" / "dev" / "a_hospital.jsonl"


def cases(name):
    return yaml.safe_load((CASES / f"{name}.yaml").read_text(encoding="utf-8"))


ENCODINGS, MENDING = cases("encodings"), cases("mending")


def encoded(text, encoding):
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        pytest.skip("the encoding does not have these letters")


@pytest.mark.parametrize("encoding", ENCODINGS["encodings"])
@pytest.mark.parametrize("text", ENCODINGS["read"])
def test_encodings_are_told_by_their_bytes(text, encoding):
    assert decode_note(encoded(text, encoding), "x").text == text


@pytest.mark.parametrize("text", ENCODINGS["windows"])
def test_windows_is_not_taken_for_another(text):
    assert decode_note(encoded(text, "cp1252"), "x").text == text


@pytest.mark.parametrize("case", ENCODINGS["refused"], ids=lambda case: case["about"])
def test_what_is_not_certain_is_refused(case):
    with pytest.raises(InputError, match="x: its encoding is not clear.*--encoding"):
        decode_note(bytes.fromhex(case["bytes"]), "x")


def test_encodings_mixed_word_by_word():
    data = "Señora Muñoz\n".encode("cp850") + "Señor Ibáñez\n".encode("cp1252")
    data += "niña Peña\n".encode()
    assert decode_note(data, "x").text == "Señora Muñoz\nSeñor Ibáñez\nniña Peña\n"
    data = "Peña Núñez\n".encode() * 3 + "Señora Muñoz\n".encode("cp850")
    found = find_encoding([data], "x")
    assert str(found) == "UTF-8 mixed with cp850 (DOS)"
    assert found.decode(data).endswith("Señora Muñoz\n")


@given(st.text(st.characters(codec="cp1252", categories=("L",)), max_size=30))
def test_utf8_is_always_read_as_utf8(text):
    assert find_encoding([text.encode()], "x").decode(text.encode()) == text


def test_a_long_run_of_letters_takes_no_time():
    for data in (b"a" * 2_000_000 + b"\xf1", b"\xe9" * 2_000_000):
        within(30.0, lambda data=data: find_encoding([data], "x"))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{\\rtf1\\ansi Juan P\\'e9rez}", "RTF"),
        (b"  \n{\\rtf1", "RTF"),
        (b"%PDF-1.7 Juan", "PDF"),
        (b"PK\x03\x04\x14\x00", "zip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Office"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"\x89PNG\r\n", "picture"),
        (b"Juan \x00\x01\x02\x03\x00\xff P\x00\x00rez", "NULs|control"),
        (b"Juan P\x01erez \x02\x03", "control"),
        (bytes(range(256)) * 4, "NULs|control|encoding"),
    ],
)
def test_other_kinds_are_refused_in_one_sentence(data, said):
    with pytest.raises(InputError, match=said) as error:
        decode_note(data, "nota.txt")
    assert str(error.value).startswith("nota.txt: ")
    assert "\n" not in str(error.value) and "Juan" not in str(error.value)


def spoken(text):
    """Return a text with the characters that its braces name: ``{FFFD}``."""
    return re.sub(r"\{([\dA-F]{2,4})\}", lambda found: chr(int(found[1], 16)), text)


@pytest.mark.parametrize(("broken", "whole"), MENDING["mended"])
def test_broken_letters_are_mended(broken, whole):
    done = mend(spoken(broken))
    assert done.text == whole
    assert done.how


@pytest.mark.parametrize("text", MENDING["left"])
def test_sound_texts_are_left_alone(text):
    done = mend(spoken(text))
    assert done.text == spoken(text)
    assert not done.how


@pytest.mark.parametrize("text", MENDING["refused"])
def test_lost_letters_are_refused(text):
    with pytest.raises(InputError) as error:
        mend(spoken(text))
    assert "\n" not in str(error.value)
    assert not any(word in str(error.value) for word in ("Juan", "Tzin", "Mu", "Xyr"))


@given(st.text(st.characters(codec="latin-1", categories=("L", "Zs")), max_size=40))
def test_mending_twice_changes_nothing_more(text):
    try:
        once = mend(text).text
        again = mend(once).text
    except InputError:
        return
    assert again == once


def test_sample_notes_lose_no_letter():
    """One note alone is little to tell an encoding by; it may be refused, not misread.

    Where a degree sign is the only witness, that sign may be misread.
    """
    refused = read = 0
    for note in read_corpus(CORPUS).notes:
        text = note.text
        assert mend(text).text == text, note.id
        assert decode_note(text.encode("cp1252", "ignore"), "x").text
        for codec in ("cp1252", "cp850", "mac_roman"):
            try:
                found = decode_note(text.encode(codec), "x").text
            except UnicodeEncodeError:
                continue
            except InputError:
                refused += 1
                continue
            read += 1
            wrong = {old for old, new in zip(text, found, strict=True) if old != new}
            assert wrong <= set("°·"), (note.id, codec)
    assert refused * 50 < read


@pytest.mark.parametrize(("read", "written"), PAIRS)
def test_sample_notes_misread_and_saved_so(read, written):
    """Their names come back, or the note is refused; some signs alone do not."""
    whole = 0
    for note in read_corpus(CORPUS).notes[::12]:
        raw = note.text.encode(written, "ignore")
        text = raw.decode(written)
        try:
            found = mend(sloppy(raw, read)).text
        except InputError:
            continue
        whole += 1
        for old, new in zip(text.split(), found.split(), strict=True):
            assert old == new or not any(map(str.isalpha, old)), (note.id, old, new)
    assert whole >= 5


def test_missing_file_and_standard_input(tmp_path, monkeypatch):
    import io

    with pytest.raises(InputError, match="No such file"):
        read_note(str(tmp_path / "no.txt"))
    data = io.TextIOWrapper(io.BytesIO("niño".encode("cp850")))
    monkeypatch.setattr(sys, "stdin", data)
    assert read_note("-").text == "niño"


@pytest.mark.parametrize(
    "piece",
    [
        "a?",
        "?",
        "\ufffd",
        "a\ufffd",
        "&a",
        "Ã",
        "a¤a",
        "é",
        "http://",
        "w?x ",
        "Mu¤oz ",
    ],
)
def test_mending_takes_linear_time(piece):
    from time import process_time

    def seconds(size):
        begin = process_time()
        try:
            mend(piece * (size // len(piece)) + " a?a")
        except InputError:
            pass
        return process_time() - begin

    seconds(1_000)
    # A quadratic step would take a thousand times as long for 32 times the text.
    assert seconds(320_000) < 300 * seconds(10_000) + 0.5


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("Señora Muñoz".encode(), ""),
        ("Señora Muñoz".encode("cp850"), "read as cp850 (DOS)"),
        (
            "Señora Muñoz\n".encode() + "Señora Muñoz".encode("cp1252"),
            "read as UTF-8 mixed with Windows-1252",
        ),
    ],
)
def test_a_command_says_how_it_read_a_note(tmp_path, capsys, data, said):
    (tmp_path / "n.txt").write_bytes(data)
    assert "Señora Muñoz" in cli_text.read_note(str(tmp_path / "n.txt"))
    told = capsys.readouterr().err
    assert said in told if said else told == ""


def test_who_writes_in_an_exported_chat_is_somebody():
    chat = (
        "12/03/23, 10:15 a. m. - Los mensajes están cifrados.\n"
        "12/03/23, 10:15 a. m. - Peque 🌸: Buenos días\nsigue con fiebre\n"
        "12/03/23, 10:17 a. m. - +52 443 312 4567: ¿cuánto?\n"
        "[12/03/23, 10:18:22] Titina Vecina: 38.5\n12/03/23, 10:19 - Mamá: ok\n"
    )
    assert senders(chat) == ["Peque", "Titina Vecina"]
    assert senders("Nota: 12/03/23, 10:15 - TA 120/80: normal") == []
