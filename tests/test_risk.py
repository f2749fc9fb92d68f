"""The risk of re-identification: what is read, counted, reported and applied."""

import json
from collections import Counter

import pytest
from batch_helpers import KEY, job, write_csv
from hypothesis import given, settings
from hypothesis import strategies as st

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.keys import Key
from presidio_mx.text.spans import Span
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.run import run
from presidio_mx.work.batch.settings import Settings
from presidio_mx.work.cli.program import main
from presidio_mx.work.cli.risk import profile_of
from presidio_mx.work.risk.classes import AS_IS, LEFT_OUT, LEVELS, NOTHING, Table
from presidio_mx.work.risk.corpus import Named, Unit, cells_of, read_corpus
from presidio_mx.work.risk.measure import (
    Bound,
    best,
    diversity,
    expected_people,
    measure,
    search,
    worst,
)
from presidio_mx.work.risk.population import (
    OLDEST,
    read_population,
    shipped_population,
)
from presidio_mx.work.risk.profile import profile_text, write_profile
from presidio_mx.work.risk.quasi import (
    QUASI,
    Quasi,
    Wanted,
    quasi_of,
    read_ages,
    read_day,
    read_sex,
)

PEOPLE = shipped_population()
COUNTRY = 126_014_024


@pytest.mark.parametrize(
    "text, ages",
    [
        ("46", (46, 46)),
        ("46 años", (46, 46)),
        ("40-49 años", (40, 49)),
        ("40 a 49", (40, 49)),
        ("70 y más", (70, OLDEST)),
        ("89 años y más", (89, OLDEST)),
        ("8 meses", (0, 0)),
        ("{EDAD}", None),
        ("", None),
        ("460", None),
    ],
)
def test_ages(text, ages):
    assert read_ages(text) == ages


@pytest.mark.parametrize(
    "text, day",
    [
        ("12/03/2024", "2024-03-12"),
        ("2024-03-12 10:15:00", "2024-03-12"),
        ("2024-03-12T10:15", "2024-03-12"),
        ("12 de marzo de 2024", "2024-03-12"),
        ("marzo de 2024", "2024-03"),
        ("2024", "2024"),
        ("3 de abril", ""),
        ("{FECHA}", ""),
        ("", ""),
    ],
)
def test_days(text, day):
    assert read_day(text) == day


@pytest.mark.parametrize(
    "text, sex",
    [("F", "F"), ("Mujer", "F"), ("masculino", "M"), ("H", "H"), ("?", ""), ("", "")],
)
def test_sexes(text, sex):
    assert read_sex(text) == sex


def test_a_note_is_read_for_what_no_column_tells():
    note = (
        "Paciente femenina de 46 años, originaria de Morelia, Michoacán, F. nac. "
        "12/03/1977, ingresa el 4/02/2024 y egresa el 9/02/2024 con DM2. CIE-10: C69.2"
    )
    found = quasi_of(Wanted(notes=True), [note], [])
    assert found.age == (46, 46)
    assert (found.sex, found.place) == ("F", ("MN", "morelia"))
    assert found.dates == ("2024-02-04",)
    assert {"C69", "E11"} <= set(found.diagnoses)
    wanted = Wanted(("age", "codes", "state"), notes=True)
    mixed = quasi_of(wanted, [note], [50, "a09.X; k80", "Jal."])
    assert mixed.age == (50, 50) and mixed.diagnoses == ("A09", "K80")
    assert (mixed.place, mixed.sex, mixed.dates) == (("JC", ""), "F", ("2024-02-04",))
    tagged = "Paciente {NOMBRE} de {EDAD}, de {CIUDAD}, ingresa el {FECHA}."
    assert quasi_of(Wanted(notes=True), [tagged], []) == Quasi()


UNITS = st.lists(
    st.builds(
        Unit,
        row=st.integers(1, 9),
        notes=st.just(1),
        age=st.none() | st.integers(0, 110).map(lambda age: (age, age)),
        sex=st.sampled_from(["F", "M", ""]),
        place=st.sampled_from(
            [("MN", "morelia"), ("MN", "charo"), ("MN", ""), ("JC", "tala"), ("", "")]
        ),
        dates=st.sets(
            st.sampled_from(["2024-03-12", "2024-03-13", "2024-05", "2023"]), max_size=2
        ).map(frozenset),
        diagnoses=st.sets(st.sampled_from(["E11", "C69", "I10"]), max_size=2).map(
            frozenset
        ),
    ),
    min_size=1,
    max_size=30,
)


@settings(max_examples=50, deadline=None)
@given(UNITS, st.data())
def test_classes_are_those_of_a_plain_count(units, data):
    table = Table(units, 3)
    levels = {
        name: data.draw(st.sampled_from(list(LEVELS[name])), name) for name in QUASI
    }

    def key(unit):
        rare = [code for code in unit.diagnoses if code in table.rare]
        told = {
            "age": unit.age,
            "sex": unit.sex,
            "place": unit.place,
            "date": unit.dates,
            "diagnosis": min(rare, key=lambda c: (table.rare[c], c), default=""),
        }
        return tuple(LEVELS[name][level](told[name]) for name, level in levels.items())

    counts = Counter(map(key, units))
    assert list(table.sizes(levels)) == [counts[key(unit)] for unit in units]
    # Telling less makes no class smaller, and saying it twice changes nothing.
    for name in QUASI:
        order = list(LEVELS[name])
        for less in order[order.index(levels[name]) :]:
            wider = table.sizes({**levels, name: less})
            assert (wider >= table.sizes(levels)).all()
    for name, level in levels.items():
        coded = table.coded(name, level)
        general = LEVELS[name][level]
        assert all(general(value) == value for value in coded.values)


@settings(max_examples=25, deadline=None)
@given(UNITS)
def test_the_search_finds_what_fulfils_the_bound_and_loses_least(units):
    table, bound = Table(units, 2), Bound(2, 0.1)
    nodes = search(table, PEOPLE, bound)
    assert len(nodes) == 4 * 3 * 4 * 2
    found = best(nodes, bound)
    if found is None:
        assert not any(node.holds(bound) for node in nodes)
        return
    again = table.sizes(found.levels)
    assert (again < bound.k).mean() == pytest.approx(found.below)
    assert found.below <= bound.share
    kept = [
        node
        for node in nodes
        if node.holds(bound) and LEFT_OUT not in node.levels.values()
    ]
    if kept:
        assert found.lost == min(node.lost for node in kept)


def test_the_population_adds_up():
    assert PEOPLE.expected(None, "", ("", "")) == pytest.approx(COUNTRY)
    parts = [PEOPLE.expected((a, a), s, ("", "")) for a in range(121) for s in "FM"]
    assert sum(parts) == pytest.approx(COUNTRY)
    girls = PEOPLE.expected((0, 4), "F", ("", ""))
    assert girls == pytest.approx(4_969_883, rel=0.005)
    assert PEOPLE.expected(None, "", ("MN", "")) == pytest.approx(4_748_846)
    old = [PEOPLE.expected((a, a), "M", ("MN", "morelia")) for a in (60, 80, 90, 99)]
    assert old == sorted(old, reverse=True) and old[0] > 1000 and old[-1] < 40


def test_a_table_of_ones_own_takes_the_place_of_the_shipped_one(tmp_path):
    path = tmp_path / "censo.csv"
    path.write_text(
        "state,municipality,sex,from,to,population\n"
        "Michoacán,Charo,F,0,4,100\nMich.,Charo,F,5,,900\nMich.,Charo,M,0,,1000\n",
        "utf-8",
    )
    own = read_population(path)
    charo = ("MN", "charo")
    assert own.expected((0, 4), "F", charo) == pytest.approx(100)
    assert own.expected((2, 2), "F", charo) == pytest.approx(20)
    assert own.expected(None, "", charo) == pytest.approx(2000)
    assert own.expected(None, "", ("MN", "morelia")) == PEOPLE.expected(
        None, "", ("MN", "morelia")
    )
    for text, message in (
        ("state,sex\n", "no column 'municipality'"),
        (
            "state,municipality,sex,from,to,population\nNada,X,F,0,4,1\n",
            "row 2: needs a state",
        ),
    ):
        path.write_text(text, "utf-8")
        with pytest.raises(InputError, match=message):
            read_population(path)


def unit(row, age, place="morelia", date="2024-03-12", codes=(), sex="F"):
    return Unit(
        row,
        1,
        (age, age),
        sex,
        ("MN", place),
        frozenset({date}),
        frozenset(codes),
    )


def test_figures_of_a_small_corpus():
    units = [unit(n, 40 + n % 2) for n in range(1, 7)]
    units += [unit(7, 43, codes=("C69",)), unit(8, 91, "charo")]
    table = Table(units, 3)
    found = measure(table, PEOPLE, Bound(3, 0.1))
    assert (found.k, found.uniques, found.below) == (1, 0.25, 0.25)
    assert found.mean_risk == 0.5
    rows = [(u.row, u.notes) for u in units]
    first, second, *_ = worst(table, PEOPLE, rows, 3)
    # Fewer people of the country are 91 and of Charo than 43 and of Morelia.
    assert [(u.row, u.alone) for u in (first, second)] == [(8, ("age",)), (7, ("age",))]
    assert first.people < second.people
    assert expected_people(table, PEOPLE)[0] > 1000
    few = best(search(table, PEOPLE, Bound(3, 0.2)), Bound(3, 0.2))
    assert few is not None
    # No band makes the rare disease of row 7 less; the other one can be hidden.
    assert (few.levels["age"], few.levels["place"]) == (LEFT_OUT, "state")
    assert few.levels["diagnosis"] == AS_IS and few.below == 1 / 8
    told = diversity(table, {**NOTHING, "age": "band"})
    assert told.told == 1.0 - 7 / 8


def test_l_of_a_class_is_its_diagnoses():
    units = [unit(n, 40, codes=(code,)) for n, code in enumerate("ABAB")]
    units += [unit(9, 60, codes=("A",)), unit(10, 60, codes=("A",))]
    assert diversity(Table(units, 2)).l == 1
    assert diversity(Table(units[:4], 2)).l == 2
    assert diversity(Table(units, 2)).told == pytest.approx(2 / 6)


NAMES = ("Jesús Mendoza Mares", "Rosa Ibarra Luna", "Brenda Paz Ochoa")


def archive(path, people=120):
    """Write a table of invented patients, two visits each, one with a rare disease."""
    rows = [["nss", "nombre", "nota", "edad", "sexo", "municipio", "ingreso", "cie"]]
    for n in range(people):
        age, town = 30 + n % 25, ("Morelia", "Uruapan", "Charo")[n % 5 // 2]
        for day in (n % 28 + 1, (n * 7) % 28 + 1):
            name = NAMES[n % 3]
            date = f"{day:02d}/03/2024"
            text = f"{name}, {age} años, de {town}, Michoacán, ingresa el {date}."
            code = "E84.0" if n == 5 else "J18"
            sex = "HM"[n % 2]
            rows.append([f"P{n}", name, text, age, sex, town, date, code])
    return write_csv(path, rows)


COLUMNS = dict(age="edad", sex="sexo", municipality="municipio", date="ingreso")


def test_rows_of_a_patient_are_one_and_nothing_of_it_is_kept(tmp_path):
    path = archive(tmp_path / "a.csv")
    cells = cells_of(**COLUMNS, codes="cie")
    patients = read_corpus(path, Named((), "nss", cells), Wanted())
    assert (patients.rows, len(patients.units), patients.patients) == (240, 120, True)
    first = patients.units[0]
    assert (first.row, first.notes, first.age, first.sex) == (1, 2, (30, 30), "M")
    assert patients.units[1].sex == "F"  # M beside H
    assert first.place == ("MN", "morelia") and first.diagnoses == {"J18"}
    rows = read_corpus(path, Named((), None, cells), Wanted())
    assert len(rows.units) == 240 and not rows.patients


def test_notes_are_read_in_other_processes_as_in_this_one(tmp_path):
    path = archive(tmp_path / "a.csv", 40)
    wanted = Wanted()
    named = Named(("nota",), "nss", cells_of(sex="sexo"))
    alone = read_corpus(path, named, wanted, workers=0).units
    assert alone == read_corpus(path, named, wanted, workers=2).units
    assert {u.age for u in alone} == {(age, age) for age in range(30, 55)}
    assert {u.place[1] for u in alone} == {"morelia", "uruapan", "charo"}


def test_what_cannot_be_read_is_said(tmp_path):
    path = archive(tmp_path / "a.csv", 5)
    with pytest.raises(ConfigurationError, match="no column 'anios'"):
        read_corpus(path, Named(cells=(("age", "anios"),)), Wanted())
    with pytest.raises(ConfigurationError, match="name the column with notes"):
        read_corpus(path, Named(), Wanted())
    with pytest.raises(ConfigurationError, match="is a .yaml file"):
        write_profile(tmp_path / "p.txt", "")


def risk(capsys, *arguments, code=0):
    with pytest.raises(SystemExit) as left:
        main(["risk", *map(str, arguments)])
    told = capsys.readouterr()
    assert left.value.code == code, told.err
    return told.out + told.err


OPTIONS = (
    "--age edad --sex sexo --municipality municipio --date ingreso --codes cie --id nss"
).split()


def test_the_profile_does_what_was_measured(tmp_path, capsys):
    source = archive(tmp_path / "a.csv")
    html, record, profile = (tmp_path / name for name in ("r.html", "r.json", "p.yaml"))
    written = ("--html", html, "--json", record, "--apply", profile)
    said = risk(capsys, source, *OPTIONS, *written, "--k", "4", "--share", "0.1")
    assert "120 patients, 240 rows" in said
    told = json.loads(record.read_text("utf-8"))
    assert told["risk"]["uniques"] > 0.8 and told["chosen"]["below_k"] <= 0.1
    assert told["made_by"]["rules"] and told["made_by"]["profile"] == {}
    assert told["worst"][0]["class"]["diagnosis"] == "E84"
    for shown in (html.read_text("utf-8"), record.read_text("utf-8")):
        for name in NAMES:
            assert not any(word in shown for word in name.split())
        assert "Morelia" not in shown and "/03/2024" not in shown and "P5" not in shown
    assert "no names" in html.read_text("utf-8")

    columns = Columns(
        text=("nota",),
        known={
            "nombre": "patient",
            "edad": "age",
            "municipio": "location",
            "ingreso": "date",
        },
        id="nss",
        keep=("sexo", "cie"),
        known_as="replace",
        id_as="replace",
    )
    chosen = Settings(str(profile), key=Key(KEY), ner="none")
    run(job(source, tmp_path / "b.csv", columns, settings=chosen))
    again = tmp_path / "again.json"
    risk(capsys, tmp_path / "b.csv", *OPTIONS, "--json", again, "--k", "4")
    measured = json.loads(again.read_text("utf-8"))
    assert measured["risk"]["below_k"] == pytest.approx(told["chosen"]["below_k"])
    assert measured["made_by"]["profile"]["name"] == str(profile)
    # Everything that was written is new.
    assert "exists" in risk(capsys, source, *OPTIONS, "--html", html, code=2)


def test_no_profile_is_written_that_fulfils_nothing(tmp_path, capsys):
    rows = [["edad", "sexo"], ["30", "F"], ["40", "M"], ["50", "?"]]
    source = write_csv(tmp_path / "a.csv", rows)
    profile = tmp_path / "p.yaml"
    options = ("--age", "edad", "--sex", "sexo", "--share", "0", "--apply", profile)
    assert "no generalisation" in risk(capsys, source, *options, code=2)
    assert not profile.exists()


@pytest.mark.parametrize("age", LEVELS["age"])
@pytest.mark.parametrize("place", LEVELS["place"])
@pytest.mark.parametrize("date", LEVELS["date"])
def test_every_generalisation_is_a_profile(tmp_path, age, place, date):
    table, bound = Table([unit(1, 40)], 2), Bound(2, 1.0)
    levels = {**NOTHING, "age": age, "place": place, "date": date}
    chosen = measure(table, PEOPLE, bound, levels)
    path = tmp_path / "p.yaml"
    write_profile(path, profile_text(chosen, bound, "a test"))
    text = "Ana Ruiz, 46 años, de Morelia, F. nac. 12/03/1977, ingresa el 4/02/2024."
    values = [
        ("Ana Ruiz", "PERSON"),
        ("46 años", "AGE"),
        ("Morelia", "LOCATION"),
        ("12/03/1977", "DATE_TIME"),
        ("4/02/2024", "DATE_TIME"),
    ]
    starts = [text.index(value) for value, _ in values]
    spans = [
        Span(start, start + len(value), entity, None, 1.0)
        for start, (value, entity) in zip(starts, values, strict=True)
    ]
    new = anonymize(text, spans, path, key=KEY).text
    assert "Ruiz" not in new and "12/03" not in new and "4/02" not in new
    assert (", 46 años" in new) == (age in (AS_IS, "cap"))
    assert ("40-49" in new) == (age == "band")
    assert ("Morelia" in new) == (place == AS_IS)
    assert ("Michoacán" in new) == (place == "state")
    assert ("febrero de 2024" in new) == (date == "month")


def test_an_audit_tells_the_profile(tmp_path):
    assert profile_of(tmp_path / "a.csv") == {}
    (tmp_path / "a.csv.audit.jsonl").write_text("[]\n")
    assert profile_of(tmp_path / "a.csv") == {}
