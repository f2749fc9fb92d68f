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
