"""``batch --plan``: what columns are for, by names and cells; no cell is shown."""

import random
import shlex

import pytest
from batch_helpers import write_csv
from child import call

from presidio_mx.work.batch.formats import Reading
from presidio_mx.work.batch.plan import command, propose

# Each kind of column: names in Spanish and in English; how it may be declared.
KINDS = {
    "note": (("nota", "evolucion"), ("note", "report_text"), {"--text"}),
    "patient": (("nombre_paciente", "nombre"), ("patient_name", "name"), {"--known"}),
    "doctor": (("medico_tratante", "elaboro"), ("physician", "attending"), {"--known"}),
    "birth": (("fecha_nacimiento", "fnac"), ("dob", "birth_date"), {"--generalize"}),
    "admitted": (("fecha_ingreso", "egreso"), ("admission_date", "date"), {"--shift"}),
    "mrn": (("expediente", "no_exp"), ("mrn", "patient_id"), {"--id"}),
    "curp": (("curp", "clave_curp"), ("curp", "CURP"), {"--known"}),
    "phone": (("telefono", "cel"), ("phone", "mobile"), {"--known"}),
    "age": (("edad", "edad_anos"), ("age", "patient_age"), {"--generalize"}),
    "sex": (("sexo", "genero"), ("sex", "gender"), {"--keep"}),
    "icd": (("cie10", "dx_cie10"), ("icd", "icd10"), {"--keep"}),
    "stay": (("dias_estancia", "peso"), ("los", "weight"), {"--keep"}),
    "town": (("municipio", "localidad"), ("city", "county"), {"--known"}),
    "state": (
        ("estado", "entidad"),
        ("state", "province"),
        {"--generalize", "--known"},
    ),
    "ward": (("servicio", "area"), ("ward", "unit_type"), {"--keep"}),
}
# Without a name, dates of birth are dates and ages numbers; an id is surer with one.
UNNAMED = {"birth": {"--shift"}, "age": {"--keep"}, "doctor": {"--known"}}
GIVEN, SURNAMES = ("Ana José Luz Íñigo", "Ruiz Zurita Mendoza Tzintzún Flores")
ROWS = 120


def cells(kind, dice, patient):
    one = random.Random(patient)
    name = f"{one.choice(GIVEN.split())} {' '.join(one.sample(SURNAMES.split(), 2))}"
    day = f"{dice.randint(1, 28):02d}/{dice.randint(1, 12):02d}"
    return {
        "note": f"Acude {name} por tos de {dice.randint(2, 9)} días; niega fiebre y "
        "alergias, se indica reposo y abundantes líquidos.",
        "patient": name,
        "doctor": f"Dra. {dice.choice(GIVEN.split())} {dice.choice(SURNAMES.split())}",
        "birth": f"{day}/{one.randint(1930, 2015)}",
        "admitted": f"2024-{day[3:]}-{day[:2]}",
        "mrn": f"HG-{4000 + patient}",
        "curp": f"RUIA{one.randint(100000, 999999)}MMNZXN05",
        "phone": f"443{one.randint(1000000, 9999999)}",
        "age": str(one.randint(1, 99)),
        "sex": dice.choice("FM"),
        "icd": dice.choice(["E11.9", "I10", "J45", "N18.5", "O80"]),
        "stay": str(dice.randint(0, 30)),
        "town": one.choice(["Zacapu", "Morelia", "Uruapan", "Pátzcuaro"]),
        "state": one.choice(["Michoacán", "Jalisco", "Guanajuato"]),
        "ward": dice.choice(["Urgencias", "Medicina interna", "Cirugía"]),
    }[kind]


def table(folder, names, seed=0):
    dice = random.Random(seed)
    kinds = dice.sample(list(names), len(names))
    rows = []
    for _ in range(ROWS):
        patient = dice.randrange(60)
        rows.append([cells(kind, dice, patient) for kind in kinds])
    return write_csv(folder / "t.csv", [[names[kind] for kind in kinds], *rows]), rows


@pytest.mark.parametrize("language", ["Spanish", "English", "none"])
@pytest.mark.parametrize("seed", range(2))
def test_each_column_is_proposed_for_what_it_is(tmp_path, language, seed):
    place = ("Spanish", "English").index(language) if language != "none" else None
    names = {
        kind: f"c{number}" if place is None else entry[place][seed]
        for number, (kind, entry) in enumerate(KINDS.items())
    }
    path, rows = table(tmp_path, names, seed)
    proposals = propose(str(path), Reading())
    option = {proposal.column: proposal.option for proposal in proposals}
    for kind, (*_, right) in KINDS.items():
        if place is None:
            right = UNNAMED.get(kind, right)
        assert option[names[kind]] in right, kind
    told = command(str(path), proposals) + "".join(p.reason for p in proposals)
    values = {cell for row in rows for cell in row if len(cell) > 3}
    assert not any(value in told for value in values)


def test_the_proposed_command_runs_and_nothing_of_a_note_is_printed(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("presidio_mx.processes.cores", lambda: 0)
    monkeypatch.chdir(tmp_path)
    names = {kind: KINDS[kind][0][0] for kind in ("note", "patient", "mrn", "sex")}
    table(tmp_path, names)
    shown = call("batch", "t.csv", "--plan")
    assert shown.returncode == 0
    assert not any(word in shown.stdout.decode() for word in SURNAMES.split())
    line = shlex.split(shown.stdout.decode().splitlines()[-1])
    assert line[:4] == ["presidio-mx", "batch", "t.csv", "t_deid.csv"]
    assert call(*line[1:]).returncode == 0
    assert (tmp_path / "t_deid.csv").read_text("utf-8").count("{NOMBRE}") >= ROWS


def test_numbers_that_may_be_patients_do_not_stay(tmp_path):
    rows = [[str(1000 + n % 40), str(n % 40), "1.5"] for n in range(100)]
    write_csv(tmp_path / "t.csv", [["x1", "x2", "x3"], *rows])
    found = {p.column: p.option for p in propose(str(tmp_path / "t.csv"), Reading())}
    assert found == {"x1": "--drop", "x2": "--keep", "x3": "--keep"}


@pytest.mark.parametrize(
    "first", ["Ana Ruiz Zurita", "12/03/2024", "4431234567", "x" * 200, "44"]
)
def test_a_first_line_that_is_a_patient_s_is_not_shown(tmp_path, first):
    write_csv(tmp_path / "t.csv", [["nota", first], ["Acude por tos.", "x"]])
    done = call("batch", str(tmp_path / "t.csv"), "--plan")
    assert done.returncode == 2
    assert first not in (done.stdout + done.stderr).decode()
