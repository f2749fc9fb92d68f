import json
import re
from collections import Counter
from datetime import date
from pathlib import Path
from random import Random

import pytest
from stdnum.mx import curp
from typer import Typer
from typer.testing import CliRunner

from presidio_mx.entities import thesis_tags
from presidio_mx.errors import ConfigurationError
from presidio_mx.research.corpora import synthesis_codes as codes
from presidio_mx.research.corpora import synthesis_world as world
from presidio_mx.research.corpora.synthesis import (
    Template,
    assemble,
    fill,
    genres,
    read_templates,
    shipped_templates,
    synthesize,
)
from presidio_mx.research.corpora.synthesis_chart import Chart
from presidio_mx.research.corpora.synthesis_grammar import (
    Choice,
    Slot,
    parse_choice,
    read_grammar,
    shipped_grammar,
)
from presidio_mx.research.corpora.synthesis_noise import NOISES, add_noise
from presidio_mx.research.corpora.synthesis_tagged import fill_tagged
from presidio_mx.spanish.codes import curp_letters
from presidio_mx.spanish.dates import read_date
from presidio_mx.spanish.gazetteer import rows
from presidio_mx.spanish.places import atlas
from presidio_mx.spanish.writing import place_key
from presidio_mx.work.cli import synthesize as synthesis_cli


def test_there_are_enough_different_templates():
    templates = shipped_templates()
    assert len({template.text for template in templates}) >= 150
    assert len(genres()) >= 10


@pytest.mark.parametrize("template", shipped_templates(), ids=lambda t: t.genre)
def test_every_template_can_be_filled(template):
    note = assemble("x", fill(template, Random(1)))
    assert note.spans
    assert not re.search(r"[{}|]", note.text)
    assert {span.entity_type for span in note.spans} <= set(thesis_tags())


def test_no_template_calls_somebody_of_any_sex_a_man_or_a_woman():
    words = "suegra|abuela|maestra|doctora|jefa|cirujan[oa]|químic[oa]|operador|al"
    wrong = re.compile(
        rf"\b({words}) {{{{(relative|doctor2?|nurse|ts|clerk)(\.title)?}}}}", re.I
    )
    folder = Path(synthesis_cli.__file__).parent / "templates"
    for path in folder.glob("*.txt"):
        assert not wrong.search(path.read_text(encoding="utf-8")), path.name


def test_notes_repeat_with_their_seed_and_can_be_split():
    first = list(synthesize(30, 5))
    assert first == list(synthesize(30, 5))
    assert list(synthesize(10, 5)) == first[:10]
    assert list(synthesize(30, 6)) != first
    assert len({note.id for note in first}) == 30


def test_all_entities_turn_up():
    found = Counter(
        span.entity_type for note in synthesize(800, 1) for span in note.spans
    )
    # Notes of the corpora mark no addresses of machines and no devices.
    assert set(found) >= set(thesis_tags()) - {"IP_ADDRESS", "DEVICE_ID"}


CASE = Template(
    "case",
    "{patient.inverse}|{age.n}|{date}|{birth}|{curp}|{rfc}|{city}|{state}|{phone}"
    "|{father.surname}|{mother.surname}",
    ages=(18, 70),  # an older one's birth year in two digits could be of this century
)


def test_inside_a_note_everything_agrees():
    for seed in range(60):
        pieces = fill(CASE, Random(seed))
        values = [piece.text for piece in pieces if piece.entity_type]
        name, age, day, birth, code, tax, city, state, phone, *parents = values
        today, born = (read_date(text, 2000).value for text in (day, birth))
        had = (today.month, today.day) >= (born.month, born.day)
        assert int(age) == today.year - born.year - (not had)
        assert curp.is_valid(code)
        assert code[4:10] == f"{born:%y%m%d}"
        assert tax[:10] == code[:10]
        assert atlas().state_forms[place_key(state)] == code[11:13]
        same_name = atlas().municipalities[place_key(city)]
        assert code[11:13] in {place.state for place in same_name}
        digits = "".join(c for c in phone if c.isdigit())[-10:]
        lada = digits[:2] if digits[:2] in atlas().ladas else digits[:3]
        assert atlas().ladas[lada][1] == code[11:13]
        assert name.startswith(" ".join(parents))


def test_the_letters_of_a_curp_follow_the_rules():
    # Example names of RENAPO's instructions and the exceptions they list.
    assert curp_letters(["Gloria"], "Hernández", "García")[0] == "HEGG"
    assert curp_letters(["María", "Luisa"], "Pérez", "Hernández")[0] == "PEHL"
    assert curp_letters(["Ofelia"], "Pedrero", "Domínguez")[0] == "PXDO"
    assert curp_letters(["Andrés"], "Ich", "Rodríguez")[0] == "IXRA"


@pytest.mark.parametrize("kind", NOISES)
def test_noise_keeps_the_gold(kind):
    random = Random(3)
    changed = 0
    for template in shipped_templates():
        clean = fill(template, random)
        noisy = add_noise(clean, kind, random)
        changed += clean != noisy
        assert [p.entity_type for p in clean] == [p.entity_type for p in noisy]
        note = assemble("x", noisy)
        gold = [piece.text for piece in noisy if piece.entity_type]
        assert [note.covered(span) for span in note.spans] == gold
    assert changed > 20


def test_tagged_notes_are_filled_with_what_fits():
    text = (
        "Paciente femenina {NOMBRE_1} de {EDAD} años, F. nac. {FECHA}, esposo "
        "{NOMBRE_2}, Dra. {NOMBRE}, vive en {DOM}, {CIUDAD}, {CIUDAD}. Tel {TEL}. "
        "CURP {CURP}. "
        "{NOMBRE_1} acude con {OTRA}."
    )
    note = fill_tagged("n", text, 4)
    assert note == fill_tagged("n", text, 4) != fill_tagged("n", text, 5)
    values = [(span.entity_type, note.covered(span)) for span in note.spans]
    kinds = [entity for entity, _ in values]
    assert kinds == [
        "PERSON",
        "AGE",
        "DATE_TIME",
        "PERSON",
        "PERSON",
        "ADDRESS",
        "LOCATION",
        "LOCATION",
        "PHONE_NUMBER",
        "MX_CURP",
        "PERSON",
    ]
    assert values[0] == values[-1]
    assert values[1][1].isdigit()
    assert values[9][1][10] == "M"
    assert [span.role for span in note.spans if span.role] == [
        "patient",
        "relative",
        "staff",
        "patient",
    ]
    assert "{OTRA}" in note.text


def test_what_is_wrong_is_named():
    with pytest.raises(ConfigurationError, match="unknown genre poetry; genres are"):
        next(synthesize(1, chosen=["poetry"]))
    with pytest.raises(ConfigurationError, match="noise must be"):
        next(synthesize(1, noise=2))
    with pytest.raises(ConfigurationError, match="unknown slot 'nombre'"):
        fill(Template("x", "{nombre}"), Random(1))
    with pytest.raises(ConfigurationError, match="unknown form 'short'"):
        fill(Template("x", "{patient.short}"), Random(1))
    with pytest.raises(ConfigurationError, match="'sex=X' is not understood"):
        read_templates("x", "--- sex=X\nhola")


def test_compound_names_are_borne_as_one():
    names = [world.draw_name(Random(seed), "F") for seed in range(300)]
    many = [name for name in names if " de " in name.given or "Ma." in name.given]
    assert 10 < len(many) < 90
    for name in many:
        code = codes.draw_curp(Random(1), name, date(1980, 5, 4), "DF")
        told = [w for w in name.given.split() if w[0].isupper()][1]
        assert code[3] == told[0].replace("Á", "A")
        assert name.called == name.called.title() and "." not in name.called


def test_addresses_and_birth_dates():
    random = Random(2)
    for _ in range(50):
        place = world.draw_place(random)
        assert re.search(r"\d|s/n", world.draw_address(random, place))
        day = date(2024, 2, 29)
        born = world.birth_date(random, day, 40)
        had = (day.month, day.day) >= (born.month, born.day)
        assert day.year - born.year - (not had) == 40


def run(*arguments):
    app = Typer()
    app.command()(synthesis_cli.synthesize)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_the_command_writes_gold_and_never_overwrites(tmp_path):
    output = tmp_path / "notes.jsonl"
    assert run(output, "--count", 5, "--seed", 3, "--genre", "letters").exit_code == 0
    notes = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    wanted = list(synthesize(5, 3, chosen=["letters"]))
    assert [note["text"] for note in notes] == [note.text for note in wanted]
    assert [len(note["spans"]) for note in notes] == [len(n.spans) for n in wanted]
    again = run(output, "--count", 5)
    assert again.exit_code and "not overwritten" in str(again.exception)
    wrong = run(tmp_path / "x", "--genre", "poetry")
    assert wrong.exit_code and "genres are" in str(wrong.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.jsonl"]


def test_the_command_fills_a_folder_of_tagged_notes(tmp_path):
    folder = tmp_path / "tagged"
    folder.mkdir()
    (folder / "a.txt").write_text("Pte {NOMBRE}, tel {TEL}", encoding="utf-8")
    output = tmp_path / "filled.jsonl"
    assert run(output, "--tagged", folder).exit_code == 0
    note = json.loads(output.read_text("utf-8"))
    assert note["id"] == "a" and "{" not in note["text"]
    assert [span["entity_type"] for span in note["spans"]] == ["PERSON", "PHONE_NUMBER"]
    empty = tmp_path / "empty"
    empty.mkdir()
    refused = run(tmp_path / "y", "--tagged", empty)
    assert refused.exit_code and "no .txt notes" in str(refused.exception)


@pytest.mark.parametrize("genre", sorted(shipped_grammar().genres))
def test_notes_of_the_grammar_are_whole(genre):
    lengths = []
    for note in synthesize(25, 4, chosen=[genre], noise=0):
        assert note.spans
        assert not re.search(r"[{}\[\]¶]|\( ?\)|,\.| ,|\n\n\n", note.text), note.text
        assert {span.entity_type for span in note.spans} <= set(thesis_tags())
        for span in note.spans:
            assert note.covered(span).strip() == note.covered(span) != ""
        lengths.append(len(note.text.split()))
    assert sum(80 <= length <= 600 for length in lengths) >= 24


def _symbols(choice):
    for option in choice.options:
        for part in option.parts:
            if isinstance(part, Choice):
                yield from _symbols(part)
            elif not isinstance(part, str):
                yield part.name


def test_every_slot_of_the_grammar_can_be_filled():
    grammar = shipped_grammar()
    choices = [genre.layouts for genre in grammar.genres.values()]
    choices += grammar.symbols.values()
    choices += [text for c in grammar.conditions for text in c.symbols.values()]
    names = {name.lstrip("^=") for choice in choices for name in _symbols(choice)}
    own = {f"dx.{name}" for c in grammar.conditions for name in c.symbols}
    chart = Chart(grammar, "operation", Random(3))
    for name in sorted(names - own - {"bg.name", "bg.drug"}):
        if not name.startswith("#"):
            chart._slot(Slot(name), [], 0)


def test_every_disease_tells_what_its_notes_ask_for():
    used = {kind for genre in shipped_grammar().genres.values() for kind in genre.kinds}
    known = {row["code"] for row in rows("icd10_es")}
    for condition in shipped_grammar().conditions:
        parts = {"name", "story", "exam", "study", "drug", "plan"}
        if "surgical" in condition.kinds:
            parts |= {"surgery", "finding"}
        assert parts <= set(condition.symbols), condition.code
        assert condition.code in known
        assert set(condition.kinds) <= used | {"background"}, condition.code


def test_the_documentation_counts_what_there_is():
    page = (Path(__file__).parents[1] / "docs" / "synthetic.md").read_text("utf-8")
    grammar = shipped_grammar()
    assert f"whole notes of {len(grammar.genres)} kinds" in page
    assert f"a grammar of {len(grammar.conditions)} diseases" in page


def test_large_towns_are_drawn_more_often():
    people = {
        (place_key(row["name"]), row["state"]): int(row["population"] or 0)
        for row in rows("municipalities")
    }
    random = Random(4)
    drawn = [world.draw_place(random) for _ in range(1000)]
    # 184 of a thousand are as large; weights of other towns would draw about as many.
    assert sum(people[place.key, place.state] > 20_000 for place in drawn) > 500


def test_sex_age_and_disease_agree():
    for note in synthesize(60, 2, chosen=["maternity"], noise=0):
        assert not re.search(r"masculino de \d|próstata|\bel pte\b", note.text)
        curps = [note.covered(s) for s in note.spans if s.entity_type == "MX_CURP"]
        assert {curp[10] for curp in curps} <= {"M"}
    for note in synthesize(60, 2, chosen=["child_visit"], noise=0):
        assert not re.search(r"unión libre|metoprolol|tabaquismo activo", note.text)
    small = Chart(shipped_grammar(), "child_visit", Random(1))
    weight, height, index = (
        float(small._measured(name)) for name in ("weight", "height", "bmi")
    )
    assert abs(weight / height**2 - index) < 0.6


@pytest.mark.parametrize(
    ("text", "sex", "years", "drawn"),
    [
        ("a\nb\n  c", "F", 30, {"a", "b c"}),
        ("F :: a\nM :: b", "M", 30, {"b"}),
        ("0-17 :: a\nM 18-99 x3 :: b", "F", 30, set()),
        ("[a|[b|c]]", "F", 30, {"a", "b", "c"}),
        ("[a]", "F", 30, {"a", ""}),
    ],
)
def test_alternatives_are_read(text, sex, years, drawn):
    def written(parts, random):
        return "".join(
            part
            if isinstance(part, str)
            else written(part.draw(random, sex, years, 1)[0].parts, random)
            for part in parts
        )

    choice = parse_choice(text, "x")
    found = {
        written(option.parts, Random(seed))
        for seed in range(40)
        for option in choice.draw(Random(seed), sex, years, 1)
    }
    assert found == drawn


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("words.yaml", "a: '[b'", "words.yaml, a: a \\[ that is not closed"),
        ("words.yaml", "a: 'b]'", "a \\] that nothing opens"),
        ("words.yaml", "a: ''", "write alternatives, one a line"),
        ("conditions.yaml", "E11: {name: x}", "condition E11: write who"),
    ],
)
def test_a_broken_grammar_is_named(tmp_path, name, content, problem):
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=problem):
        read_grammar(tmp_path)


def test_a_symbol_that_holds_itself_is_named(tmp_path):
    condition = "E11: {kinds: chronic, name: a}"
    (tmp_path / "conditions.yaml").write_text(condition, encoding="utf-8")
    (tmp_path / "genres.yaml").write_text("g: {of: chronic, text: '{a}'}")
    (tmp_path / "words.yaml").write_text("a: '{a}'")
    (tmp_path / "body.yaml").write_text("ta: {0-9: 60-80}")
    chart = Chart(read_grammar(tmp_path), "g", Random(1))
    with pytest.raises(ConfigurationError, match="holds itself"):
        chart.pieces()
    with pytest.raises(ConfigurationError, match="no range of 'ta' fits"):
        chart._measured("ta")
    with pytest.raises(ConfigurationError, match="has no range of 'fc'"):
        chart._measured("fc")


def test_blood_and_sides_agree():
    for note in synthesize(200, 6, noise=0):
        blood = re.search(r"Hb (\d+\.\d), [Hh]to (\d+)", note.text)
        if blood and "engue" not in note.text:
            assert abs(3 * float(blood[1]) - int(blood[2])) <= 2
    for note in synthesize(40, 6, chosen=["operation"], noise=0):
        sides = set(re.findall(r"hernia inguinal (derecha|izquierda)", note.text))
        assert len(sides) < 2


def test_nobody_has_mail_at_a_reserved_name():
    texts = [note.text for note in synthesize(400, 9)]
    mails = {mail for text in texts for mail in re.findall(r"@([\w.]+\w)", text)}
    assert len(mails) > 5 and not any("example" in mail for mail in mails)


def test_notes_do_not_repeat_one_another():
    notes = list(synthesize(300, 11, noise=0))
    bare = {re.sub(r"\d+", "0", note.text) for note in notes}
    assert len(bare) == len(notes)


MARKED = (
    "Pte {{PERSON:patient|Erandi Cuiriz}}, {{AGE|61 años}}, tel {{PHONE|4361234567}}"
)


def test_the_command_copies_marked_notes_about_other_people(tmp_path):
    corpus = tmp_path / "marked"
    corpus.mkdir()
    (corpus / "a.txt").write_text(MARKED, encoding="utf-8")
    key = tmp_path / "key"
    key.write_text("b7c1e90d5a2f4e6c8b3d1f0a9e8c7d6b", encoding="utf-8")
    key.chmod(0o600)
    texts = []
    for name in ("one.jsonl", "two.jsonl"):
        output = tmp_path / name
        options = ("--from", corpus, "--copies", 3, "--key-file", key)
        assert run(output, *options).exit_code == 0
        notes = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
        assert [note["id"] for note in notes] == ["a-1", "a-2", "a-3"]
        texts.append([note["text"] for note in notes])
        for note in notes:
            spans = [(s["entity_type"], s["start"], s["end"]) for s in note["spans"]]
            kinds = [kind for kind, _, _ in spans]
            assert kinds == ["PERSON", "AGE", "PHONE_NUMBER"]
            assert note["text"][: spans[0][1]] == "Pte "
            assert note["text"][spans[0][2] :].startswith(", ")
            assert note["spans"][0]["role"] == "patient"
    assert texts[0] == texts[1]
    assert len(set(texts[0])) == 3 and not any("Erandi" in t for t in texts[0])
    both = run(tmp_path / "x", "--from", corpus, "--tagged", corpus)
    assert both.exit_code and "exclude one another" in str(both.exception)
    (corpus / "a.txt").write_text("{{PERSON|", encoding="utf-8")
    broken = run(tmp_path / "x", "--from", corpus)
    assert broken.exit_code and "could be read" in str(broken.exception)


@pytest.mark.parametrize("genre", ["hospital_stay", "follow_up", "therapy_process"])
def test_the_days_of_a_long_note_are_in_order_and_about_one_patient(genre):
    lengths = []
    for note in synthesize(12, 5, chosen=[genre], noise=0):
        patients = [s for s in note.spans if s.role == "patient"]
        words = {w for s in patients for w in note.covered(s).split() if len(w) > 3}
        assert len(words) < 9
        heads = re.findall(r"(?m)^(?:\w+ )?(\d\d/\d\d/\d{4})\b", note.text)
        days = [read_date(head, 2020).value for head in heads]
        assert days == sorted(days)
        lengths.append(len(note.text.split()))
    assert max(lengths) > 200


def test_a_later_day_moves_what_follows():
    chart = Chart(shipped_grammar(), "hospital_stay", Random(3))
    first = chart._dated("date").text
    assert chart._dated("day+2").text == "" and chart._dated("stay").text == "3"
    assert chart._dated("date-2").text == first == chart._dated("start").text
    later = chart._dated("weekday").text
    assert later != chart._dated("weekday-1").text
    usual = chart.grammar.ranges["temp"]["0-120"]
    chart._dated("better")
    low, high = map(float, usual.split("-"))
    assert low <= float(chart._measured("temp")) <= high
