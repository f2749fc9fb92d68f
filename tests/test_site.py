"""A site's own folder adds to the shipped rules, and mistakes in it are named."""

import pytest
from typer.testing import CliRunner

from presidio_mx import ConfigurationError, analyze, analyze_and_anonymize
from presidio_mx.analyzer.check import check_site
from presidio_mx.analyzer.site import read_site
from presidio_mx.cli import app


@pytest.fixture
def site(tmp_path):
    (tmp_path / "staff.txt").write_text("# personal\nAnselma Xool\n", "utf-8")
    (tmp_path / "places.txt").write_text("Rincón de las Ánimas\n", "utf-8")
    (tmp_path / "allow.txt").write_text("Clínica de la Mujer\nYatziri\n", "utf-8")
    (tmp_path / "deny.tsv").write_text(
        "text\tentity\nGerión\tPERSON\nPabellón Siete\tORGANIZATION\n", "utf-8"
    )
    rules = tmp_path / "recognizers"
    rules.mkdir()
    (rules / "person.yaml").write_text(
        "entity: PERSON\n"
        "symbols:\n  padrinos: [compadrito, comadrita]\n"
        "rules:\n"
        "  - name: own\n"
        "    left: '{padrinos}[ ]'\n"
        "    mark: <name>\n"
        "    role: other\n"
        "    score: 0.9\n"
        "    match: ['su compadrito [Wenceslao] vino']\n",
        "utf-8",
    )
    return tmp_path


def found(text, site):
    return [(text[r.start : r.end], r.entity_type) for r in analyze(text, site=site)]


def test_lists_and_rules_are_used(site):
    text = (
        "con anselma xool en rincon de las animas; gerión vio a su compadrito Tolentino"
    )
    assert found(text, site) == [
        ("anselma xool", "PERSON"),
        ("rincon de las animas", "LOCATION"),
        ("gerión", "PERSON"),
        ("Tolentino", "PERSON"),
    ]


def test_words_are_added_to_a_shared_list(site):
    (site / "recognizers" / "organization.yaml").write_text(
        "entity: ORGANIZATION\nsymbols:\n  institution_kind: [hospicito]\n", "utf-8"
    )
    assert found("va del Hospicito Santa Rita al Hospital Santa Rita", site) == [
        ("Hospicito Santa Rita", "ORGANIZATION"),
        ("Hospital Santa Rita", "ORGANIZATION"),
    ]


def test_allowed_text_stays(site):
    assert found("su hija Yatziri refiere", site) == []


def test_staff_of_the_roster_is_staff(site):
    text = "lo vio anselma xool"
    done = analyze_and_anonymize(text, site=site, people="patient_and_relatives")
    assert done.text == text


def test_a_good_site_has_no_problems(site):
    assert check_site(site) == []


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("site.yaml", "covered_states: [XX]\n", "unknown state 'XX'"),
        ("site.yaml", "colour: blue\n", "unknown setting 'colour'"),
        ("site.yaml", "a: [1\n", "line"),
        ("deny.tsv", "text\tentity\nX\tSHOE\n", "unknown entity 'SHOE'"),
        ("deny.tsv", "a\tb\tc\n1\t2\t3\n", "columns must be"),
        ("staff.txt", "ok\n***\n", "line 2"),
        ("stuff.txt", "x", "unknown file"),
        ("recognizers/person.yaml", "entity: PERSON\nrules: [{mark: x}]\n", "rule 1"),
        (
            "recognizers/person.yaml",
            "entity: PERSON\nrules: [{name: a, mark: '{nosuch}', match: []}]\n",
            "unknown symbol {nosuch}",
        ),
        (
            "recognizers/person.yaml",
            "entity: PERSON\nrules: [{name: a, mark: '(x', match: ['[x]']}]\n",
            "rule a",
        ),
        (
            "recognizers/person.yaml",
            "entity: PERSON\nrules: [{name: a, mark: zzz, match: ['[yyy]']}]\n",
            "not matched",
        ),
        (
            "recognizers/person.yaml",
            "entity: PERSON\nrules: [{name: a, mark: zzz, no_match: ['zzz']}]\n",
            "must not match",
        ),
    ],
)
def test_mistakes_are_named(tmp_path, file, content, said):
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(content, "utf-8")
    problems = check_site(tmp_path)
    assert len(problems) == 1
    assert said in problems[0]
    assert path.name in problems[0] or str(tmp_path) in problems[0]


def test_missing_folder():
    with pytest.raises(ConfigurationError, match="no such site folder"):
        read_site("/no/such/folder")


def test_check_command(site):
    runner = CliRunner()
    assert runner.invoke(app, ["check", "--site", str(site)]).exit_code == 0
    (site / "site.yaml").write_text("colour: blue\n", "utf-8")
    result = runner.invoke(app, ["check", "--site", str(site)])
    assert result.exit_code == 2
    assert "colour" in result.output


def test_a_list_of_denied_texts_needs_its_first_line(tmp_path):
    """Without it the first entry was taken for the columns' names, and lost."""
    (tmp_path / "deny.tsv").write_text("Proyecto Fénix\tORGANIZATION\n", "utf-8")
    (problem,) = check_site(tmp_path)
    assert "columns must be text and entity" in problem


@pytest.mark.parametrize(
    "mention",
    [
        "peña nuñez",
        "R. Peña",
        "Ramon Peña N.",
        "RAMÓN PEÑA NÚÑEZ",
        "Pena Nunez Ramon",
    ],
)
def test_staff_is_found_however_written(tmp_path, mention):
    (tmp_path / "staff.txt").write_text("Dr. Ramón Peña Núñez\n", "utf-8")
    text = f"se comenta con {mention}, quien sugiere continuar"
    results = analyze(text, ner="none", site=tmp_path)
    assert any("pe" in text[r.start : r.end].lower() for r in results)
    assert {r.recognition_metadata.get("role") for r in results} == {"staff"}


def test_a_surname_of_the_staff_alone_is_nobody_s_name(tmp_path):
    """Half a hospital is called García, and so is the patient."""
    (tmp_path / "staff.txt").write_text("Dra. Paz García Luna\n", "utf-8")
    results = analyze("Sra. García, 40 años", ner="none", site=tmp_path)
    roles = [r.recognition_metadata.get("role") for r in results]
    assert "staff" not in roles


def test_lists_serve_the_preset_of_spain(tmp_path):
    """Entries used to add entities that es-ES does not report, and these won."""
    (tmp_path / "staff.txt").write_text("Ramón Peña Núñez\n", "utf-8")
    (tmp_path / "places.txt").write_text("Villaquieta\n", "utf-8")
    (tmp_path / "deny.tsv").write_text(
        "text\tentity\nProyecto Fénix\tES_INSTITUCION\nQ-77\tES_FECHAS\n", "utf-8"
    )
    text = "Ramón Peña Núñez, de Villaquieta, por el Proyecto Fénix, Q-77."
    found = {
        (text[r.start : r.end], r.entity_type)
        for r in analyze(text, preset="es-ES", ner="none", site=tmp_path)
    }
    assert found >= {
        ("Ramón Peña Núñez", "ES_NOMBRE_PERSONAL_SANITARIO"),
        ("Villaquieta", "ES_TERRITORIO"),
        ("Proyecto Fénix", "ES_INSTITUCION"),
        ("Q-77", "ES_FECHAS"),
    }


def test_an_edited_folder_is_read_anew(tmp_path):
    (tmp_path / "places.txt").write_text("Villaquieta\n", "utf-8")
    text = "se anota qwertlandia aparte"
    assert not analyze(text, ner="none", site=tmp_path)
    (tmp_path / "places.txt").write_text("Villaquieta\nQwertlandia\n", "utf-8")
    assert [r.entity_type for r in analyze(text, ner="none", site=tmp_path)] == [
        "LOCATION"
    ]


def test_the_site_of_the_environment_serves_profiles_and_known_data(
    tmp_path, monkeypatch
):
    (tmp_path / "operators").mkdir()
    (tmp_path / "operators" / "ours.yaml").write_text(
        "extends: tag\nentities: {PERSON: {operator: replace, new_value: XX}}\n",
        "utf-8",
    )
    (tmp_path / "allow.txt").write_text("Morelia\n", "utf-8")
    monkeypatch.setenv("PRESIDIO_MX_SITE", str(tmp_path))
    done = analyze_and_anonymize(
        "Sra. Ana Paz Ruiz, de Morelia",
        "ours",
        ner="none",
        known={"patient": "Ana Paz"},
    )
    assert done.text == "Sra. XX, de Morelia"
