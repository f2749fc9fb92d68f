"""In a patient's scope all notes agree with the person, and with one another."""

import pytest
from batch_helpers import KEY, job, read_csv, write_csv
from hypothesis import given, settings
from hypothesis import strategies as st

from presidio_mx.batch import deidentify
from presidio_mx.pipeline import analyze_and_anonymize
from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.keys import Key
from presidio_mx.replace.patient import Patient, gather, known_patient
from presidio_mx.spanish.codes import curp_letters
from presidio_mx.spanish.name_lists import name_lists
from presidio_mx.spanish.names import parse_name
from presidio_mx.text.folding import fold_key
from presidio_mx.text.spans import Span
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.run import run
from presidio_mx.work.batch.settings import Settings

SCOPE = "patient:17"


def words_of(name):
    return list(parse_name(name).words)


def document(*parts):
    text, spans = "", []
    for part in parts:
        if not isinstance(part, str):
            entity, part = part
            span = Span(len(text), len(text) + len(part), entity, None, 1.0)
            spans.append(span)
        text += part
    return text, spans


def replaced(parts, patient=None, scope=SCOPE):
    text, spans = document(*parts)
    done = anonymize(text, spans, "surrogate", key=KEY, scope=scope, patient=patient)
    return [done.text[item.new_start : item.new_end] for item in done.items]


FIRST = [
    ("PERSON", "Jesús Mendoza Mares"),
    ", CURP ",
    ("MX_CURP", "MEMJ800101HMNNRS05"),
]
SECOND = ["Acude ", ("PERSON", "J. Mendoza"), ", «", ("PERSON", "Chuy"), "»"]
THIRD = [("MX_CURP", "MEMJ800101HMNNRS05"), " ", ("EMAIL_ADDRESS", "jmendoza@imss.mx")]


def test_initials_nicknames_and_codes_follow_the_patient_in_every_note():
    patient = known_patient({"patient": ["Jesús Mendoza Mares"]})
    name, code = replaced(FIRST, patient)
    (short, nickname), (again, mail) = (
        replaced(SECOND, patient),
        replaced(THIRD, patient),
    )
    given, *surnames = words_of(name)
    assert short[0] == name[0] and short.split()[-1] == name.split()[1]
    assert fold_key(given) in name_lists().called.get(fold_key(nickname), ())
    assert code == again
    assert code[:4] == curp_letters([given], *surnames)[0]
    assert fold_key(surnames[0]) in mail
    # Without the patient each value stands alone: today's notes of others.
    assert replaced(SECOND) != [short, nickname]
    # Nobody but the patient depends on it.
    other = [("PERSON", "Brenda Paz Ochoa")]
    assert replaced(other, patient) == replaced(other)


def test_the_sex_is_that_of_the_code():
    names = name_lists()
    curps = {"F": "RILG800101MMNSPD05", "M": "RILG800101HMNSPD05"}
    for sex, curp in curps.items():
        known = {"patient": ["Guadalupe Ríos López"], "curp": [curp]}
        patient = known_patient(known)
        for note in (["", ("PERSON", "Guadalupe")], [("PERSON", "Guadalupe Ríos")]):
            (new,) = replaced(note, patient)
            assert names.sex(words_of(new)[0]) == sex


def test_notes_that_are_gathered_agree():
    notes = [FIRST, SECOND, THIRD, ["su hija ", ("PERSON", "Guadalupe Ríos")]]
    read = [document(*note) for note in notes]
    patient = gather(read)
    assert repr(patient) == "Patient(2 people hidden)"
    new = [replaced(note, patient) for note in notes]
    assert new[1][0][0] == new[0][0][0] and new[0][1] == new[2][0]
    (girl,) = new[3]
    assert name_lists().sex(words_of(girl)[0]) == "F"
    assert gather([]).person("Ana") is None
    assert known_patient({"staff": ["Ana Paz"]}) is None


WORDS = st.sampled_from(
    "Jesús Guadalupe María Xunka Eduviges Mendoza Mares Ríos Tudselk Paz Cruz".split()
)
NAMES = st.lists(WORDS, min_size=2, max_size=4, unique=True).map(" ".join)
MENTIONS = st.lists(NAMES | WORDS | st.just("J. Mendoza"), min_size=1, max_size=4)


@settings(max_examples=60, deadline=None)
@given(NAMES, MENTIONS, MENTIONS)
def test_the_same_value_is_the_same_in_every_note(name, first, second):
    patient = known_patient({"patient": [name]})

    def told(mentions):
        parts = [p for m in mentions for p in (("PERSON", m), "; su hija ")]
        return dict(zip(mentions, replaced(parts, patient), strict=True))

    one, two = told(first), told(second)
    assert {m: one[m] for m in one.keys() & two.keys()} == {
        m: two[m] for m in one.keys() & two.keys()
    }
    for mention, new in one.items():
        assert mention.split()[0] != new.split()[0] or mention.startswith("J.")


@pytest.mark.parametrize("scope", ["corpus", "document:1"])
def test_other_scopes_ask_nobody(scope):
    patient = known_patient({"patient": ["Jesús Mendoza Mares"]})
    assert isinstance(patient, Patient)
    for note in (FIRST, SECOND, THIRD):
        assert replaced(note, patient, scope) == replaced(note, None, scope)


def test_one_call_and_a_batch_do_the_same(tmp_path):
    name, curp = "Jesús Mendoza Mares", "MEMJ800101HMNNRS05"
    notes = [
        f"Paciente {name}, CURP {curp}, acude a control.",
        "Paciente J. Mendoza refiere dolor. Egresa.",
    ]
    known = {"patient": [name], "curp": [curp]}
    alone = [
        analyze_and_anonymize(
            note, "surrogate", ner="none", known=known, key=Key(KEY), scope=SCOPE
        ).text
        for note in notes
    ]
    rows = [["nss", "nombre", "curp", "nota"], *(["17", name, curp, n] for n in notes)]
    source = write_csv(tmp_path / "a.csv", rows)
    columns = Columns(
        ("nota",), {"nombre": "patient", "curp": "curp"}, "nss", known_as="replace"
    )
    chosen = Settings("surrogate", key=Key(KEY), ner="none")
    run(job(source, tmp_path / "b.csv", columns, settings=chosen))
    _, *written = read_csv(tmp_path / "b.csv")
    assert [row[-1] for row in written] == alone
    (new, code, _), (again, twice, second) = written
    assert (new, code) == (again, twice)
    assert f"Paciente {new[0]}. {new.split()[1]} refiere" in second
    given, *surnames = words_of(new)
    assert code[:4] == curp_letters([given], *surnames)[0]


def test_parts_of_a_name_are_joined_in_all_notes_of_a_patient():
    form = [
        "Apellidos: ",
        ("PERSON", "Mendoza Mares"),
        "   Nombre(s): ",
        ("PERSON", "Jesús"),
    ]
    initials = ["Firma ", ("PERSON", "J. M. M.")]
    patient = gather([document(*form), document(*initials)])
    surnames, given = replaced(form, patient)
    [signed] = replaced(initials, patient)
    letters = [given[0], *(word[0] for word in surnames.split())]
    assert signed == " ".join(f"{letter}." for letter in letters)


ROWS = [
    ("17", "Paciente: Jesús Mendoza Mares, CURP MEMJ800101HMNNRS05, acude."),
    ("17", "Paciente: J. Mendoza, refiere dolor. Se le dice Chuy."),
    ("18", "Paciente: Brenda Paz Ochoa, acude a control."),
]


def _of_frame(rows, **how):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows, columns=["nss", "nota"])
    return list(deidentify(frame, text="nota", id="nss", **how).data["nota"])


def _of_file(rows, tmp_path, workers):
    source = write_csv(tmp_path / "a.csv", [["nss", "nota"], *rows])
    columns = Columns(("nota",), {}, "nss")
    chosen = Settings("surrogate", key=Key(KEY), ner="none")
    made = job(
        source,
        tmp_path / "b.csv",
        columns,
        settings=chosen,
        workers=workers,
        force=True,
    )
    run(made)
    return [row[-1] for row in read_csv(tmp_path / "b.csv")[1:]]


def test_one_person_in_all_rows_of_an_id(tmp_path):
    how = {"operators": "surrogate", "key": KEY, "ner": "none"}
    first, second, third = _of_frame(ROWS, **how)
    given, surname, last = first.removeprefix("Paciente: ").split(",")[0].split()
    assert f"Paciente: {given[0]}. {surname}, refiere" in second
    assert curp_letters([given], surname, last)[0] in first
    # The order of rows changes nothing, nor who the rows of others name.
    assert _of_frame(ROWS[::-1], **how) == [third, second, first]
    assert _of_frame(ROWS[2:], **how) == [third]
    assert _of_file(ROWS, tmp_path, 0) == [first, second, third]


@pytest.mark.heavy
def test_workers_know_the_people_of_all_rows(tmp_path):
    assert _of_file(ROWS, tmp_path, 2) == _of_file(ROWS, tmp_path, 0)
