"""Marks: what was put out is known again, and nothing else is."""

import json

import pytest
from batch_helpers import KEY, job, read_csv, write_csv
from hypothesis import given, settings
from hypothesis import strategies as st

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.keys import Key
from presidio_mx.replace.marks import (
    LEAST,
    Marks,
    Ours,
    add_marks,
    marks_of,
    read_marks,
)
from presidio_mx.text.spans import Span
from presidio_mx.work.batch import run as run_module
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.run import run
from presidio_mx.work.batch.settings import Settings
from presidio_mx.work.cli.program import main

SECRET = Key(KEY)
PARTS = (
    ("Paciente ", "Jesús Mendoza Mares", "PERSON"),
    (", CURP ", "MEMJ800101HMNNRS05", "MX_CURP"),
    (", tel. ", "443 312 4567", "PHONE_NUMBER"),
    (", ingresa el ", "12/03/2024", "DATE_TIME"),
    (" acompañado de ", "Rosa Elena Mares", "PERSON"),
    (", de ", "Morelia", "LOCATION"),
    (". Expediente ", "482913", "MEDICAL_RECORD"),
    (". Atiende ", "Dra. Lucía Paz Ochoa", "PERSON"),
)


def note(parts=PARTS):
    text, spans = "", []
    for before, value, entity in parts:
        start = len(text) + len(before)
        text += before + value
        spans.append(Span(start, start + len(value), entity, None, 1.0))
    return text + ".", spans


def put_out(parts=PARTS, place=""):
    text, spans = note(parts)
    done = anonymize(text, spans, "surrogate", key=SECRET)
    return done, Marks(SECRET, marks_of(done.text, done.items, SECRET, place))


def test_the_mark_of_one_short_note_alone_is_known():
    for place in "12345678":
        done, marks = put_out(PARTS[:2], place)
        assert len(marks) == 1
        assert marks.find(done.text, place).whole
        assert not marks.find(done.text, "9").whole


@pytest.mark.parametrize("key", [KEY, KEY.decode()], ids=["bytes", "text"])
def test_from_python_with_the_key_and_the_path_as_the_pages_give_them(tmp_path, key):
    text, spans = note()
    done = anonymize(text, spans, "surrogate", key=key)
    path = str(tmp_path / "notes.marks")
    add_marks(path, marks_of(done.text, done.items, key), key)
    assert read_marks([path], key).find(done.text).whole


def test_what_was_put_out_stays_and_the_rest_of_a_span_does_not():
    done, marks = put_out()
    ours = marks.find(done.text)
    assert ours == Ours(True, ((0, len(done.text)),))
    again = [Span(i.new_start, i.new_end, i.entity_type) for i in done.items]
    assert anonymize(done.text, again, "surrogate", key=SECRET, ours=ours).text == (
        done.text
    )
    text = "Ana Ruiz Paz"
    left = Ours(False, ((4, 8),)).rest_of([Span(0, 12, "PERSON")], text)
    assert [text[s.start : s.end] for s in left] == ["Ana ", " Paz"]
    assert Ours(False, ((0, 11),)).rest_of([Span(0, 12, "PERSON")], "Ana Ruiz P.") == []


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 40),
    st.text("abcdé ñ\n", min_size=1, max_size=30).filter(str.strip),
    st.sampled_from(["\n", "  ", " \r\n"]),
)
def test_an_edit_costs_only_what_it_touches(at, new, blank):
    done, marks = put_out()
    words = done.text.split(" ")
    at = min(at, len(words))
    text = blank.join([*words[:at], f"#{new.strip()}#", *words[at:]])
    inserted = len(blank.join(words[:at])) + (len(blank) if at else 0)
    ours = marks.find(text)
    assert not ours.whole
    for start, end in ours.regions:
        assert not start <= inserted < end
    front = sum(item.new_end <= len(" ".join(words[:at])) for item in done.items)
    back = sum(item.new_start > len(" ".join(words[:at])) for item in done.items)
    assert bool(ours.regions) == (front >= LEAST or back >= LEAST)


@pytest.mark.parametrize("wide", ["\n", "\t ", "\r\n\r\n"])
def test_white_space_does_not_matter(wide):
    done, marks = put_out()
    assert marks.find(done.text.replace(" ", wide)).whole


def test_a_real_name_in_the_place_of_a_surrogate_is_not_ours():
    short = PARTS[:2]
    done, marks = put_out(short, place="7/1")
    assert marks.find(done.text, "7/1").whole
    # The same template and, by chance, the same values, in another row.
    assert marks.find(done.text, "8/1") == Ours()
    assert marks.find(done.text + " Sigue igual.", "7/1") == Ours()
    # All of a longer note but for one word before its end.
    done, marks = put_out()
    changed = done.text.replace(" ", " Otra ", 1)
    assert marks.find(changed).regions[0][0] > changed.index("Otra")


def test_marks_hold_nothing_and_need_their_key(tmp_path):
    done, _ = put_out()
    path = tmp_path / "notas.marks"
    for _ in range(2):
        add_marks(path, marks_of(done.text, done.items, SECRET), SECRET)
    assert path.stat().st_mode & 0o077 == 0
    lines = path.read_text("ascii").splitlines()
    assert [set(json.loads(line)) for line in lines] == [{"key", "marks"}] * 2
    assert read_marks([path], SECRET).find(done.text).whole
    assert repr(read_marks([path], SECRET)).endswith("hidden)")
    other = Key(b"another secret of 32 bytes, or so")
    with pytest.raises(InputError, match=f"{SECRET.id}, not with key {other.id}"):
        read_marks([path], other)
    for broken in ("no marks\n", '{"keys": 1}\n'):
        path.write_text(broken)
        with pytest.raises(InputError, match="not a file of marks"):
            read_marks([path], SECRET)


NOTES = (
    "Paciente Jesús Mendoza Mares de 46 años, CURP MEMJ800101HMNNRS05, tel. 443 312 "
    "4567, originario de Morelia, Michoacán, ingresa el 12/03/2024 con su esposa Rosa "
    "Elena Ríos Luna. Atiende Dra. Lucía Paz Ochoa.",
    "Acude Ma. del Carmen Solís Vega. Cita el 3 de abril de 2024.",
    "Sin cambios. Mismo manejo.",
)


def archive(path, notes):
    rows = [["nota", "fecha"], *([text, "12/03/2024"] for text in notes)]
    return write_csv(path, rows)


def batch(source, output, **more):
    columns = Columns(text=("nota",), known={"fecha": "date"})
    chosen = Settings("surrogate", key=SECRET, ner="none", ours=more.pop("ours", ()))
    run(job(source, output, columns, settings=chosen, **more))
    return read_csv(output)


def test_a_second_batch_changes_nothing_and_a_mixed_file_only_what_is_new(tmp_path):
    marks = tmp_path / "uno.marks"
    source = archive(tmp_path / "notas.csv", NOTES)
    first = batch(source, tmp_path / "uno.csv", marks=marks)
    assert first[1] != [NOTES[0], "12/03/2024"]
    ours = (str(marks),)
    assert batch(tmp_path / "uno.csv", tmp_path / "dos.csv", ours=ours) == first
    assert batch(tmp_path / "uno.csv", tmp_path / "no.csv") != first

    news = " Evolución: su hija Brenda Mares Ibarra llama al 443 555 0101."
    mixed = [first[1][0] + news, first[2][0], first[3][0], NOTES[0]]
    archive(tmp_path / "mezcla.csv", mixed)
    third = batch(tmp_path / "mezcla.csv", tmp_path / "tres.csv", ours=ours)
    kept = first[1][0].rpartition(".")[0].rpartition(" ")[0]
    assert third[1][0].startswith(kept)
    assert "Brenda" not in third[1][0] and "555 0101" not in third[1][0]
    assert third[2][0] == first[2][0]
    assert "Mendoza" not in third[4][0]


def test_marks_of_an_interrupted_run_are_those_of_a_quiet_one(tmp_path, monkeypatch):
    source = archive(tmp_path / "notas.csv", NOTES * 50)
    batch(source, tmp_path / "uno.csv", marks=tmp_path / "uno.marks")
    monkeypatch.setattr("presidio_mx.work.batch.run.CHECKPOINT_SECONDS", 0.0)
    kept = run_module.row_record
    count = iter(range(10_000))

    def stop(number, row, place):
        if next(count) == 100:
            raise KeyboardInterrupt
        return kept(number, row, place)

    monkeypatch.setattr(run_module, "row_record", stop)
    with pytest.raises(KeyboardInterrupt):
        batch(source, tmp_path / "dos.csv", marks=tmp_path / "dos.marks")
    assert not (tmp_path / "dos.marks").exists()
    monkeypatch.setattr(run_module, "row_record", kept)
    batch(source, tmp_path / "dos.csv", marks=tmp_path / "dos.marks", resume=True)
    for ending in ("csv", "marks"):
        one, two = (tmp_path / f"{name}.{ending}" for name in ("uno", "dos"))
        assert one.read_bytes() == two.read_bytes()


def verify(capsys, *arguments):
    with pytest.raises(SystemExit) as left:
        main(["surrogates", "verify", *map(str, arguments)])
    assert left.value.code == 0
    return capsys.readouterr().out


def test_verify_says_what_is_ours(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("PRESIDIO_MX_KEY", KEY.decode())
    key = Key.from_value(KEY.decode())
    marks = tmp_path / "uno.marks"
    text, spans = note()
    done = anonymize(text, spans, "surrogate", key=key)
    add_marks(marks, marks_of(done.text, done.items, key), key)
    mixed = archive(tmp_path / "m.csv", [done.text, done.text + " Alta.", text])
    options = ("--marks", marks, "--text", "nota", "--json")
    told = json.loads(verify(capsys, mixed, *options))
    assert [n["state"] for n in told["notes"]] == ["ours", "partly", "unknown"]
    assert 0.9 < told["notes"][1]["share"] < 1
    note_file = tmp_path / "nota.txt"
    note_file.write_text(done.text, "utf-8")
    assert "1 " in verify(capsys, note_file, "--marks", marks)
    with pytest.raises(SystemExit) as left:
        main(["surrogates", "verify", str(mixed), "--marks", str(marks), "--text", "x"])
    assert left.value.code == 2


def test_anonymize_twice(tmp_path, capsysbinary, monkeypatch):
    monkeypatch.setenv("PRESIDIO_MX_KEY", KEY.decode())
    marks = tmp_path / "m"

    def once(text, *options):
        with pytest.raises(SystemExit):
            options = ("--operators", "surrogate", "--ner", "none", *options)
            main(["anonymize", "--text", text, *map(str, options)])
        return capsysbinary.readouterr().out.decode().rstrip("\n")

    for text in NOTES[:2]:
        new = once(text, "--marks", marks)
        assert new != text
        assert once(new, "--ours", marks) == new
        assert once(new) != new


@pytest.mark.parametrize("held", [KEY, b"a,b\n1,2\n", b"{}\n", b"\x00" * 5000])
def test_marks_are_added_to_nothing_else(held, tmp_path):
    path = tmp_path / "k.key"
    path.write_bytes(held)
    with pytest.raises(ConfigurationError, match="something else than marks"):
        add_marks(path, [b"12345678"], SECRET)
    assert path.read_bytes() == held


@pytest.mark.parametrize("before", [None, b""])
def test_marks_are_added_to_marks(before, tmp_path):
    path = tmp_path / "m.marks"
    if before is not None:
        path.write_bytes(before)
    add_marks(path, [b"12345678"], SECRET)
    add_marks(path, [b"87654321"], SECRET)
    assert len(read_marks([path], SECRET)) == 2
