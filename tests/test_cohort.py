"""The four phases of the study of Ribeirão Preto: cleaning, facts, what is put back."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.find.ner.gliner import (
    SETTINGS,
    pieces,
    read_settings,
    sentences,
)
from presidio_mx.replace.profiles import load_profile
from presidio_mx.research.cohort.cleaning import Columns, clean, clean_text
from presidio_mx.research.cohort.facts import (
    Facts,
    bands,
    charlson,
    frequencies,
    icd_codes,
    main_code,
    names_of,
    stay,
    suffix,
)
from presidio_mx.research.cohort.masks import masked
from presidio_mx.research.cohort.run import BLANK, Settings, make_cohort
from presidio_mx.resources import folder
from presidio_mx.schemes import to_native
from presidio_mx.text.spans import Span
from presidio_mx.work.cli.program import app

HEADER = ["paciente", "tipo", "ingreso", "egreso", "nota"]
FIRST = (
    "Paciente Tzintia Paz Reyes, 51 años, femenina, católica, ingresa el 03/02/2024 "
    "con neumonía. Dx CIE-10 E11.9, E11.9. Tos de 3 días."
)
ROWS = [
    ["7", "Egreso", "2024-02-03", "2024-02-10 09:30", FIRST],
    ["7", "egreso", "2022-01-01", "2022-01-01", "Tzintia Paz, 49 años, con HAS."],
    ["8", "Egreso", "", "", "NULL"],
    ["8", "Enfermería", "", "", "Turno sin novedad."],
    ["9", "EGRESO", "2024-02-03", "2024-02-01", "Sin datos."],
]
TABLE = [dict(zip(HEADER, row, strict=True)) for row in ROWS]
COLUMNS = Columns(
    "nota",
    "paciente",
    category="tipo",
    wanted=("egreso",),
    admission="ingreso",
    discharge="egreso",
)
RULES = Settings(ner="none")


def test_empty_notes_and_other_kinds_are_left_out():
    kept, found = clean(TABLE, COLUMNS)
    assert [row["paciente"] for row in kept] == ["7", "7", "9"]
    assert (found.empty, found.kept, found.other) == (1, 3, {"Enfermería": 1})
    assert clean(TABLE, Columns("nota"))[1].kept == 4


def test_categories_with_few_records_are_left_out():
    found = clean(TABLE, Columns("nota", category="tipo", least=1))[1]
    assert (found.kept, found.other) == (3, {"Enfermería": 1})


def test_signs_and_blanks_are_cleaned_inside_a_text():
    text = "Dx -> IAM ==  estable\t\n \n  TA 120/80 --> alta = a las 3-4 h"
    assert clean_text(text) == "Dx IAM estable\nTA 120/80 alta = a las 3-4 h"


def test_records_of_an_admission_become_one_note():
    rows = [
        {"nota": text, "caso": case, "egreso": date}
        for text, case, date in (
            ("Uno.", "a", ""),
            ("Solo.", "", "1"),
            ("Dos.", "a", "2"),
            ("Sola.", "", "3"),
        )
    ]
    kept, found = clean(rows, Columns("nota", episode="caso"))
    assert found.kept == 3
    assert [(row["nota"], row["egreso"]) for row in kept] == [
        ("Uno.\nDos.", "2"),
        ("Solo.", "1"),
        ("Sola.", "3"),
    ]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Dx: E11.9 y CIE-10: I10", ["E119", "I10"]),
        ("vitamina B12, lesión L5, T4 libre, HbA1c 8.2", []),
        ("C50.9, además código C78.0", ["C509", "C780"]),
        ("niega asma. Diabetes tipo 2 y neumonía", ["E11", "J18"]),
    ],
)
def test_codes_are_read_from_the_note(text, codes):
    assert icd_codes(text) == codes


@pytest.mark.parametrize(
    ("codes", "score"),
    [
        ([], 0),
        (["I10", "J18"], 0),
        (["E119", "E11.4"], 2),
        (["E11"], 1),
        (["C50.9", "C780"], 6),
        (["B18", "K72.1"], 3),
        (["I21.9", "I50", "N18.5", "N19"], 4),
        (["B20", "F00"], 7),
    ],
)
def test_charlson_takes_the_heaviest_of_a_group(codes, score):
    assert charlson(codes) == score


def test_the_main_code_is_the_most_frequent():
    assert main_code(["J18", "E11", "E119", "E119"], {}) == "E119"
    assert main_code(["J18", "E11"], {}) == "J18"
    assert main_code([], {}) == ""
    # Of equals, the one that stands in more notes of the cohort.
    table = frequencies([["J18", "J180"], ["E11"], ["E119", "I10"]])
    assert table == {"J18": 1, "E11": 2, "I10": 1}
    assert main_code(["J18", "E11"], table) == "E11"


def test_the_stay_is_counted_in_days():
    assert stay("2024-02-03", "2024-02-10T09:30") == 7
    assert stay("03/02/2024 08:00", "03/02/2024") == 0
    assert stay("", "2024-02-10") is None
    with pytest.raises(InputError, match="before the admission"):
        stay("2024-02-03", "2024-02-01")
    with pytest.raises(InputError, match="cannot be read"):
        stay("ayer", "2024-02-01")


def test_the_lowest_age_of_a_patient_decides_the_band():
    patients = ["a", "a", "", "", "b"]
    ages = ["51 años", "49a", "3 años", "83 años", ""]
    assert bands(patients, ages) == ["40-49", "40-49", "0-9", "70+", ""]


def test_the_suffix_is_that_of_the_paper_and_its_names_are_free():
    facts = Facts("I219", 2, 1, "60-69")
    assert suffix(facts) == (
        " & nome_cid: I21.9 Infarto agudo del miocardio & estadia: 02 d"
        " & comorbidity_score: 1 & df_faixa_etaria: 60-69"
    )
    assert suffix(Facts("Q999")) == " & nome_cid: Q99.9"
    names = names_of({"main_icd": "", "length_of_stay": "", "age_band": "edad"})
    assert suffix(facts, names) == " & comorbidity_score: 1 & edad: 60-69"
    with pytest.raises(ConfigurationError, match="unknown fact 'stay'"):
        names_of({"stay": "x"})


def test_gender_religion_and_durations_are_masked_as_asked():
    text = "Mujer de 40 años, católica, tos de 3 días y dos semanas"
    age = Span(9, 16, "AGE")
    found = masked(text, ["gender", "religion", "duration"], [age])
    assert [text[s.start : s.end] for s in found] == [
        "Mujer",
        "católica",
        "3 días",
        "dos semanas",
    ]
    assert [s.entity_type for s in masked(text, ["religion"], [])] == ["RELIGION"]
    with pytest.raises(ConfigurationError, match="unknown mask"):
        masked(text, ["race"], [])


@pytest.mark.parametrize(
    ("text", "durations"),
    [
        ("reposo diez días, control en quince días", ["diez días", "quince días"]),
        ("cada 3 a 5 días, dos o tres semanas", ["3 a 5 días", "dos o tres semanas"]),
        ("10-12 hrs, treinta y dos semanas", ["10-12 hrs", "treinta y dos semanas"]),
        ("hace varios meses; 1.5 horas", ["varios meses", "1.5 horas"]),
        ("TA 120/80, 1 de mayo, tos y días", []),
    ],
)
def test_durations_are_masked_whole(text, durations):
    found = masked(text, ["duration"], [])
    assert [text[s.start : s.end] for s in found] == durations


def test_all_four_phases():
    found = make_cohort(TABLE, COLUMNS, RULES)
    first, second, third = found.notes
    assert first.text == (
        "Paciente [person], [age], [gender], [religion], ingresa el [date] con "
        "neumonía. Dx CIE-10 E11.9, E11.9. Tos de [time duration]."
        " & nome_cid: E11.9 Diabetes mellitus no insulinodependiente & estadia: 07 d"
        " & comorbidity_score: 1 & df_faixa_etaria: 40-49"
    )
    assert second.facts == Facts("I10", 0, 0, "40-49")
    # A stay that cannot be counted costs the stay alone.
    assert third.text == "Sin datos. & comorbidity_score: 0"
    assert "before the admission" in third.problem
    coded = make_cohort(TABLE, COLUMNS, replace(RULES, only_coded=True))
    assert (len(coded.notes), coded.cleaning.uncoded) == (2, 1)
    with pytest.raises(ConfigurationError, match="no column 'texto'"):
        make_cohort(TABLE, Columns("texto"), RULES)
    with pytest.raises(ConfigurationError, match="a GLiNER model, such as"):
        make_cohort(TABLE, COLUMNS, Settings("hc-ribeirao"))


def test_the_command(tmp_path: Path):
    source, output = tmp_path / "in.csv", tmp_path / "out.csv"
    with source.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";").writerows([HEADER, *ROWS])
    command = ["cohort", str(source), str(output), "--text", "nota", "--ner", "none"]
    command += ["--patient", "paciente", "--category", "tipo", "--take", "egreso"]
    command += ["--admission", "ingreso", "--discharge", "egreso", "--mask", "none"]
    done = CliRunner().invoke(app, [*command, "--name", "age_band=edad"])
    assert done.exit_code == 4, done.output
    with output.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header[0] == "nota" and header[-1] == "edad"
    assert "femenina, católica" in rows[0][0]
    assert rows[0][-1] == "40-49"
    assert "Tzintia" not in output.read_text("utf-8") + done.output


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('nota,n\n"Alta de Erandi,1\nAlta,2\n', "a quote"),
        ("nota,n,nota\nAlta,1,Alta\n", "twice"),
        ("nota,n\nAlta\n", "record 2"),
    ],
)
def test_a_table_that_cannot_be_told_apart_is_refused(tmp_path, content, said):
    source, output = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(content, "utf-8")
    command = ["cohort", str(source), str(output), "--text", "nota", "--ner", "none"]
    done = CliRunner().invoke(app, command)
    assert isinstance(done.exception, InputError) and said in str(done.exception)
    assert not output.exists()


def test_a_long_note_of_a_table(tmp_path):
    source, output = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(f"nota\n{'alta ' * 30_000}\n", "utf-8")
    command = ["cohort", str(source), str(output), "--text", "nota", "--ner", "none"]
    assert CliRunner().invoke(app, command).exit_code == 0


def test_two_facts_need_two_names():
    with pytest.raises(ConfigurationError, match="same name"):
        names_of({"main_icd": "nota", "age_band": "nota"})
    assert names_of({"main_icd": "", "age_band": ""})["main_icd"] == ""


def test_the_preset_asks_for_the_same_labels_and_reports_all():
    asked = read_settings(folder("recognizers") / "models" / "gliner-hc-ribeirao.yaml")
    assert list(asked.labels) == list(
        read_settings(folder("recognizers") / SETTINGS).labels
    )
    assert len(asked.labels) == 28
    # 28 labels are 28 tags, and each counts as an entity of ours.
    profile = load_profile("hc-ribeirao")
    tags = {
        name: profile.spec(kind).params["tag"] for name, kind in asked.labels.items()
    }
    assert tags == {name: f"[{name}]" for name in asked.labels}
    known = {
        *read_settings(folder("recognizers") / SETTINGS).labels.values(),
        "GENDER",
        "RELIGION",
        "DURATION",
    }
    for name, kind in asked.labels.items():
        assert to_native(kind) in known | {"PERSON", "MEDICAL_RECORD"}, name


def test_sentences_end_where_nltk_ends_them():
    punkt = pytest.importorskip("nltk.tokenize.punkt")
    known = punkt.PunktParameters()
    known.abbrev_types = {"dr", "dra"}
    text = (
        "Ingresa por tos. ¿Dolor? No! La Dra. Ruiz lo ve\ncon J. Pérez a las 3.5 h. "
        'Refiere "mejor." Alta'
    )
    theirs = punkt.PunktSentenceTokenizer(known).tokenize(text)
    assert [text[start:end].strip() for start, end in sentences(text)] == theirs


def test_pieces_have_so_many_words_of_gliner_and_end_with_sentences():
    text = "Uno dos tres-cuatro. Cinco, seis. Siete ocho\nnueve diez once"
    cut = [text[start:end] for start, end in pieces(text, 4)]
    # "tres-cuatro" is one word to GLiNER, signs are words of their own.
    assert cut == [
        "Uno dos tres-cuatro.",
        "Cinco, seis.",
        "Siete ocho\nnueve diez",
        "once",
    ]
    assert pieces(text, 150) == [(0, len(text))]


def test_a_note_that_fails_or_hangs_costs_itself_alone(monkeypatch):
    def find(text, **_):
        if "falla" in text:
            raise RuntimeError(f"cannot work on {text}")
        while "cuelga" in text:
            pass
        return []

    monkeypatch.setattr("presidio_mx.research.cohort.run.analyze", find)
    texts = ("Ana falla.", "Ana cuelga.", "Sin datos.")
    settings = Settings(ner="none", seconds=0.3, masks=())
    found = make_cohort([{"nota": text} for text in texts], Columns("nota"), settings)
    first, second, third = found.notes
    assert (first.text, second.text) == (BLANK, BLANK)
    assert first.problem.startswith("RuntimeError at test_cohort.py:")
    assert second.problem == "the note took longer than 0.3 seconds"
    assert third.text.startswith("Sin datos.")
    assert not third.problem
