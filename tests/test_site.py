"""A site's own folder adds to the shipped rules, and mistakes in it are named."""

import os
from itertools import product

import pytest
from typer.testing import CliRunner

from presidio_mx import ConfigurationError, analyze, analyze_and_anonymize
from presidio_mx.find.check import check_site
from presidio_mx.find.grammar.lint import pattern_problems
from presidio_mx.find.site import read_site
from presidio_mx.find.site_lists import _row_problems
from presidio_mx.resources import folder
from presidio_mx.time_limit import within
from presidio_mx.work.cli.program import app


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


def test_allowed_patterns_stay(site):
    (site / "allow.txt").write_text("/yatziri|proy-[a-z]{2}\\d{4}/\n", "utf-8")
    text = "expediente PROY-MX2024; su hija Yatziri y su hija Eréndira"
    assert found(text, site) == [("Eréndira", "PERSON")]


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
        ("site.yaml", "covered_states: [MN]\ncovered_states: []\n", "line 2: 'cov"),
        ("deny.tsv", "text\tentity\nXal\tSHOE\n", "unknown entity 'SHOE'"),
        ("deny.tsv", "a\tb\tc\n1\t2\t3\n", "columns must be"),
        ("staff.txt", "ok\n***\n", "line 2"),
        ("site.yaml", "covered_states: 5\n", "takes a list"),
        ("site.yaml", "covered_states: MN\n", "takes a list"),
        ("site.yaml", "about: " + "[" * 3000 + "]" * 3000, "levels"),
        ("site.yaml", "about: " + "{a: " * 3000 + "}" * 3000, "levels"),
        ("site.yaml", "- " * 3000, "levels"),
        ("site.yaml", "about: &a x\n#" + "\nk: *a" * 30, "aliases"),
        ("staff.txt", "Ana\x00 López\n", "line 1: an invisible character"),
        ("allow.txt", "Proto\u200bcolo\n", "line 1: an invisible character"),
        ("deny.tsv", "text\tentity\nGe\u00adrión\tPERSON\n", "entry 1: an invisible"),
        ("gazetteers/surnames.tsv", "name\tcount\nXx\tmuchos\n", "count must be"),
        ("gazetteers/surnames.tsv", "name\tcount\n\t5\n", "first cell is empty"),
        ("gazetteers/surnames.tsv", "nombre\tcount\nXx\t5\n", "columns must be"),
        ("gazetteers/apellidos.tsv", "name\tcount\nXx\t5\n", "no shipped gazetteer"),
        ("gazetteers", "a file", "must be a folder"),
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
        *(
            (
                "recognizers/person.yaml",
                f"entity: PERSON\nrules: [{{name: a, mark: '{mark}', match: ['[a]']}}]",
                "hours on one note",
            )
            for mark in (
                "(a+)+b",
                "(a{1,50}){1,50}b",
                "([a-z]+ ?){1,40}",
                "(a*)*b",
                "(a|a)*$",
                "(a|aa){1,30}b",
                "(a{1,2}){1,40}b",
                "(.*a){20}",
            )
        ),
        *(
            (
                "recognizers/person.yaml",
                f"entity: PERSON\nrules: [{{name: a, mark: '{mark}', match: ['[a]']}}]",
                "hours on a long line",
            )
            for mark in (
                ".*a.*b",
                "a.*b.*c.*d",
                "(.*a){5}",
                r"([a-z]+\s*){5}x",
                "a*,?a*a*b",
                "(?:x|.*a.*b)c.*d",
            )
        ),
        (
            "recognizers/person.yaml",
            "entity: PERSON\nrules: [{name: a, mark: '"
            + "(" * 3000
            + "a"
            + ")" * 3000
            + "'}]\n",
            "too many groups",
        ),
        (
            "recognizers/person.yaml",
            "entity: PERSON\nsymbols: {deep: '" + "(" * 3000 + ")" * 3000 + "'}\n",
            "too many groups",
        ),
        ("site.yaml", "about: 2024-13-45\n", "cannot be read; put it in quotes"),
        ("site.yaml", f"about: {'9' * 9000}\n", "cannot be read; put it in quotes"),
        ("site.yaml", "about: !!timestamp x\n", "cannot be read; put it in quotes"),
        ("site.yaml", "about: !!bool x\n", "cannot be read; put it in quotes"),
        ("site.yaml", "2024-13-45: 1\n", "cannot be read; put it in quotes"),
        ("allow.txt", "/(a+)+/\n", "line 1: a repeat without bound"),
        ("allow.txt", "/(ab/\n", "line 1: no regular expression"),
        ("allow.txt", "ok\n/a*/\n", "line 2: this pattern matches an empty"),
        ("allow.txt", "/(a)b/\n", "line 1: a group is written (?:"),
        ("allow.txt", "/Á/\n", "line 1: 'Á' never matches"),
        ("places.txt", "/ab/\n", "line 1: an entry must begin"),
        ("places.txt", "M\n", "line 1: an entry of one letter"),
        ("deny.tsv", "text\tentity\nM.\tPERSON\n", "entry 1: an entry of one letter"),
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


@pytest.mark.parametrize(
    "name",
    [
        "site.yaml",
        "staff.txt",
        "deny.tsv",
        "recognizers/person.yaml",
        "gazetteers/surnames.tsv",
    ],
)
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_what_would_be_read_for_ever_is_refused(tmp_path, name, make):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    make(path)
    problems = within(60, lambda: check_site(tmp_path))
    assert problems == [f"{path}: must be a file"]


@pytest.mark.parametrize("mark", [r"(\d+-){3}", r"[a-z]+: [a-z]+", "a.*b.*c"])
def test_repeats_that_are_apart_are_no_harm(mark):
    assert list(pattern_problems(mark)) == []


@pytest.mark.heavy
def test_a_hundred_thousand_places_are_checked_and_found(tmp_path):
    first, second = "ba ce di fo gu la me ni po ru".split(), "sa te vi xo zu".split()
    names = [
        "".join(["San ", *a, "tlan de ", *b]).title()
        for a in product(first, repeat=4)
        for b in product(second, repeat=2)
    ][:100_000]
    (tmp_path / "places.txt").write_text("\n".join(names), "utf-8")
    assert within(120, lambda: check_site(tmp_path)) == []
    text = f"va de {names[7].upper()} a {names[-1]}"
    assert found(text, tmp_path) == [
        (names[7].upper(), "LOCATION"),
        (names[-1], "LOCATION"),
    ]


def test_shipped_lists_would_pass_as_a_site_s():
    for file in sorted(folder("gazetteers").glob("*.tsv")):
        assert list(_row_problems(file)) == [], file.name


def test_all_that_is_wrong_is_told_at_once(tmp_path):
    wrong = {
        "site.yaml": "covered_states: [XX, YY]\ncolour: blue\n",
        "stuff.txt": "x",
        "staff.txt": "*\nAna Paz\n#\n(a)\n",
        "deny.tsv": "text\tentity\nXal\tSHOE\nYal\tHAT\n",
        "gazetteers/surnames.tsv": "a\tb\n",
        "recognizers/person.yaml": ": : :\n",
        "recognizers/own.yaml": "entity: PERSONA\nrules: []\n",
        "operators/a.yaml": "extends: nothing\n",
        "operators/b.yaml": "entities: {PERSON: {operator: shout}}\n",
    }
    for name, content in wrong.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, "utf-8")
    result = CliRunner().invoke(app, ["check", "--site", str(tmp_path)])
    assert result.exit_code == 2
    for said in (
        "'XX'",
        "'YY'",
        "'colour'",
        "stuff.txt",
        "staff.txt, line 1",
        "staff.txt, line 4",
        "'SHOE'",
        "'HAT'",
        "surnames.tsv",
        "person.yaml, line 1",
        "'PERSONA'",
        "'nothing'",
        "'shout'",
    ):
        assert said in result.output, said


def test_a_list_that_is_a_folder_is_no_empty_list(tmp_path):
    (tmp_path / "staff.txt").mkdir()
    with pytest.raises(ConfigurationError, match="staff.txt: must be a file"):
        analyze("Ana Paz", ner="none", site=tmp_path)


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


def test_check_says_in_spanish_what_is_wrong(site, monkeypatch):
    monkeypatch.setenv("PRESIDIO_MX_LANG", "es")
    (site / "staff.txt").write_bytes("Peña".encode("latin-1"))
    result = CliRunner().invoke(app, ["check", "--site", str(site)])
    assert "staff.txt: no es UTF-8; guárdelo como UTF-8" in result.output


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


def test_gazetteer_rows_serve_the_preset_of_spain(tmp_path):
    """They used to be checked, and then left out."""
    (tmp_path / "gazetteers").mkdir()
    (tmp_path / "gazetteers" / "spain_places.tsv").write_text(
        "name\tkind\nZuribeltza\tcity\n", "utf-8"
    )
    text = "Remitido desde Zuribeltza."
    assert not analyze(text, preset="es-ES", ner="none")
    found = analyze(text, preset="es-ES", ner="none", site=tmp_path)
    assert [(text[r.start : r.end], r.entity_type) for r in found] == [
        ("Zuribeltza", "ES_TERRITORIO")
    ]


def test_rules_for_what_nobody_reports_are_refused(tmp_path):
    """They used to pass the check, and what they found was dropped."""
    (tmp_path / "recognizers").mkdir()
    (tmp_path / "recognizers" / "badge.yaml").write_text(
        "entity: BADGE\nrecognizer: MxBadgeRecognizer\n"
        "rules:\n  - {name: badge, left: 'gafete[ ]', mark: '\\d{4}', score: 0.9}\n",
        "utf-8",
    )
    problem = "badge.yaml: unknown entity 'BADGE'; there are ADDRESS"
    assert [problem in said for said in check_site(tmp_path)] == [True]
    with pytest.raises(ConfigurationError, match=problem):
        analyze("gafete 1234", ner="none", site=tmp_path)


def test_an_edited_folder_is_read_anew(tmp_path):
    (tmp_path / "places.txt").write_text("Villaquieta\n", "utf-8")
    text = "se anota qwertlandia aparte"
    assert not analyze(text, ner="none", site=tmp_path)
    (tmp_path / "places.txt").write_text("Villaquieta\nQwertlandia\n", "utf-8")
    assert [r.entity_type for r in analyze(text, ner="none", site=tmp_path)] == [
        "LOCATION"
    ]


def test_edited_gazetteer_rows_are_read_anew(tmp_path):
    """The rules were, but what is made of the lists was kept with the process."""
    rows = tmp_path / "gazetteers" / "spain_places.tsv"
    rows.parent.mkdir()
    text = "Remitido desde Zuribeltza. Remitido desde Kortabeltza."
    for names in (["Zuribeltza"], ["Zuribeltza", "Kortabeltza"]):
        lines = [f"{name}\tcity\n" for name in names]
        rows.write_text("name\tkind\n" + "".join(lines), "utf-8")
        found = analyze(text, preset="es-ES", ner="none", site=tmp_path)
        assert [text[r.start : r.end] for r in found] == names


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
