"""Rule files: every rule has examples that hold, every key is checked and described."""

import ast
import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
from typer.testing import CliRunner

import presidio_mx
from presidio_mx.declarations import PRESETS, declarations
from presidio_mx.errors import ConfigurationError
from presidio_mx.find.check import check_site, unused_symbols, used_symbols
from presidio_mx.find.examples import bracketed, examples_of, unguarded
from presidio_mx.find.grammar.checks import CHECKS
from presidio_mx.find.grammar.compile import compiled_problems
from presidio_mx.find.grammar.lint import pattern_problems
from presidio_mx.find.grammar.phrase import PHRASES
from presidio_mx.find.grammar.rules import Rule, read_rule_file
from presidio_mx.find.grammar.validate import (
    FILE_KEYS,
    ROLES,
    RULE_KEYS,
    SAME,
    SETTINGS,
    STAGES,
)
from presidio_mx.find.phrases.address import components
from presidio_mx.find.phrases.build import build_phrases
from presidio_mx.find.phrases.institution import phrase as institution
from presidio_mx.find.preset import load_preset, rule_files, shared_symbols
from presidio_mx.research.evaluation.hits import added, count_hits
from presidio_mx.resources import folder
from presidio_mx.spanish.words import word_lists
from presidio_mx.text.spans import Note, Span
from presidio_mx.time_limit import OutOfTime, within
from presidio_mx.work.cli.program import app
from presidio_mx.yaml_file import parse_yaml

ROOT = Path(__file__).parent.parent
PACKAGE = Path(presidio_mx.__file__).parent
WIDTH = 100
CASES = [
    pytest.param(preset, *example, id=f"{preset}-{example[0]}-{number}")
    for preset in PRESETS
    for number, example in enumerate(examples_of(load_preset(preset)))
]


@pytest.mark.parametrize(("preset", "label", "example", "wanted"), CASES)
def test_rule_does_what_its_example_says(preset, label, example, wanted):
    text, spans = bracketed(example)
    found = load_preset(preset).rule_findings(text, label)
    marked = [text[f.start : f.end] for f in found]
    if wanted:
        assert [text[s:e] for s, e in spans] == marked
    else:
        assert marked == []


def test_every_rule_has_an_example_that_matches():
    for preset in PRESETS:
        for file in load_preset(preset).files:
            for rule in file.rules:
                assert rule.match, f"{rule.file}: {rule.name} has no example"
                for example in rule.match:
                    assert re.search(r"\[.+?\]", example, re.S), rule.name


@pytest.mark.parametrize("preset", PRESETS)
def test_every_guard_has_an_example_that_fails_without_it(preset):
    assert unguarded(load_preset(preset)) == []


@pytest.mark.parametrize("preset", PRESETS)
def test_shipped_patterns_can_match_and_cannot_hang(preset):
    shared = shared_symbols(preset)
    problems = [
        (file.path.name, rule.name, problem)
        for file in rule_files(preset)
        for rule in file.rules
        for problem in compiled_problems(rule, {**shared, **file.symbols})
    ]
    assert problems == []


# ------------------------------------------------------------------ symbols


def _quoted_in_code():
    code = "\n".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    return frozenset(re.findall(r"""["'{]([a-z_][a-z0-9_]*)["'}]""", code))


def _in_tables_of_code():
    """Return the symbols that code names by their parts or in a table."""
    table = " ".join(re.split(r"[ ,{}<>()|]", components._TABLE))
    kinds = (PACKAGE / "find/phrases/institution/kinds.py").read_text("utf-8")
    listed = re.findall(r'listed\("(\w+)"\)', kinds)
    return {
        *table.split(),
        *(f"i_{name}" for name in institution._PATTERNS),
        *(f"institution_{name}" for name in listed),
    }


def test_every_symbol_is_used():
    code = _quoted_in_code() | _in_tables_of_code()
    shared = set(read_rule_file(folder("recognizers") / "symbols.yaml").symbols)
    shared |= set(word_lists())
    used = set(code)
    unused = []
    for preset in PRESETS:
        own = folder("recognizers") / preset / "symbols.yaml"
        of_preset = set(read_rule_file(own).symbols) if own.is_file() else set()
        used_here = set(code)
        for file in rule_files(preset):
            known = used_symbols(file)
            used_here |= known
            unused += [p for p in unused_symbols(file) if not _named(p) & code]
        used |= _with_shared(used_here, preset)
        unused += sorted(of_preset - used)
    for path in (folder("recognizers") / "words").glob("*.yaml"):
        # A list of words may name others.
        used |= set(re.findall(r"\{(\w+)\}", path.read_text("utf-8")))
    assert unused == []
    assert sorted(shared - used) == []


def _named(problem):
    return set(re.findall(r"\{(\w+)\}", problem))


def _with_shared(names, preset):
    """Return names with those that shared symbols of a preset use in turn."""
    symbols = shared_symbols(preset)
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            value = symbols.get(name, ())
            for entry in [value] if isinstance(value, str) else value:
                waiting += re.findall(r"\{(\w+)\}", entry)
    return found


# ------------------------------------------------------------------ form and docs


def _rule_paths():
    base = folder("recognizers")
    return [base / "symbols.yaml"] + [
        path
        for name in (*PRESETS, "words")
        for path in sorted((base / name).glob("*.yaml"))
    ]


@pytest.mark.parametrize("path", _rule_paths(), ids=lambda path: path.stem)
def test_rule_files_wrap(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [n for n, line in enumerate(lines, start=1) if len(line) > WIDTH] == []


def test_docs_name_every_key_phrase_and_option():
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    words = [*FILE_KEYS, *RULE_KEYS, *SETTINGS, *CHECKS, *STAGES, *ROLES, SAME]
    words += [f"<{name}>" for name in PHRASES]
    words += [option for known in PHRASES.values() for option in known]
    words += [
        c for known in PHRASES.values() for o in known.values() for c in o.choices
    ]
    assert [word for word in words if f"`{word}`" not in text] == []


def test_the_keys_are_those_of_a_rule():
    assert {field.name for field in fields(Rule)} - {"file"} == RULE_KEYS


def test_the_phrases_are_those_that_code_makes():
    made = set()
    for preset in PRESETS:
        compiled = load_preset(preset)
        shared = shared_symbols(preset)
        for file in compiled.files:
            symbols = {**shared, **file.symbols}
            made |= set(build_phrases(compiled.lexicon, file.settings, symbols))
    assert made == set(PHRASES)


def test_the_options_are_those_that_code_reads():
    read = set()
    for path in (PACKAGE / "find" / "phrases").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            read |= _options_in(node)
    assert read == {option for known in PHRASES.values() for option in known}


def _options_in(node):
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="options"), attr="get"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            return {name}
        case ast.Subscript(
            value=ast.Name(id="options"), slice=ast.Constant(value=str(name))
        ):
            return {name}
    return set()


@pytest.mark.parametrize("preset", PRESETS)
def test_the_head_of_a_file_is_read_alike_alone(preset):
    whole = [(f.path, f.entities, f.recognizer, f.order) for f in rule_files(preset)]
    assert whole == [
        (h.path, tuple(h.entities), h.recognizer, h.order) for h in declarations(preset)
    ]


# ------------------------------------------------------------------ mistakes are named

RULE = "entity: PERSON\nrules:\n  - name: a\n    mark: x\n"
WRONG = [
    ("entitty: PERSON\n", "unknown key 'entitty'; did you mean 'entity'?"),
    ("rules: [{name: a, mark: x}]\n", "'entity' is missing"),
    ("entity: PERSONA\nrules: []\n", "did you mean 'PERSON'?"),
    ("entity: NEW\nrules: []\n", "needs 'recognizer'"),
    ("entity: 7\n", "must be words"),
    ("entity: URL\nentities: [URL]\n", "not both"),
    ("entities: {URL: URL}\ntag: URL\n", "its own tag"),
    ("entity: PERSON\norder: soon\n", "'order' must be a whole number"),
    ("entity: PERSON\nrecognizer: [A]\n", "one line of text"),
    ("entity: PERSON\nsettings: {colour: 1}\n", "unknown setting 'colour'"),
    ("entity: PERSON\nsettings: {covered_states: MN}\n", "must be a list"),
    ("entity: PERSON\nrules: {a: b}\n", "must be a list"),
    ("entity: PERSON\nsymbols: [a]\n", "'symbols' must map"),
    ("entity: PERSON\nsymbols: {a: {b: c}}\n", "symbol 'a' must be a list"),
    ("entity: PERSON\nsymbols: {a: '(?:b+)+'}\n", "symbol 'a': a repeat without bound"),
    (RULE + "    priro: 9\n", "rule a: unknown key 'priro'"),
    (RULE + "    priro: 9\n", "'prior' is an option"),
    (RULE + "    role: stafff\n", "unknown role 'stafff'; did you mean 'staff'?"),
    (RULE + "    role: same\n", "unknown role 'same'"),
    (RULE + "    stage: blok\n", "did you mean 'block'?"),
    (RULE + "    stage: block\n    role: staff\n", "no effect"),
    (RULE + "    check: nsss\n", "did you mean 'nss'?"),
    (RULE + "    checked_score: 0.9\n", "no effect without 'check'"),
    (RULE + "    score: high\n", "'score' must be a number"),
    (RULE + "    score: true\n", "'score' must be a number"),
    (RULE + "    left: [a]\n", "'left' must be text"),
    (RULE + "    match: '[x]'\n", "'match' must be a list"),
    (RULE + "    entity: PERSOON\n", "did you mean 'PERSON'?"),
    (RULE + "    left: 'a <AGE>'\n", "only at its beginning"),
    (RULE + "    right: '<AGE> a'\n", "only at its end"),
    (RULE + "    left: '<AGES>'\n", "did you mean 'AGE'?"),
    (RULE + "    options: {prior: 1}\n", "'options' are for phrases"),
    (RULE.replace("x", "<nam>"), "unknown phrase 'nam'; did you mean 'name'?"),
    (RULE.replace("x", "<name>") + "    options: {prio: 1}\n", "mean 'prior'?"),
    (RULE.replace("x", "<name>") + "    options: {prior: a}\n", "must be a number"),
    (RULE.replace("x", "<name>") + "    options: {comma: 1}\n", "true or false"),
    (RULE.replace("x", "<name>") + "    options: [a]\n", "must map names"),
    (RULE.replace("x", "<address>") + "    options: {free: a}\n", "one of label"),
    (RULE.replace("x", "<es_country>") + "    options: {a: 1}\n", "takes no options"),
    (RULE.replace("x", "<es_street>"), "needs the option 'foot'"),
    (RULE + "  - name: a\n    mark: y\n", "two rules are named 'a'"),
    (RULE + "  - mark: y\n", "rule 2 has no 'name'"),
    (RULE.replace("    mark: x\n", ""), "'mark' is missing"),
]


@pytest.mark.parametrize(("content", "said"), WRONG)
def test_a_mistake_is_named_with_file_and_way_out(content, said, tmp_path):
    path = tmp_path / "person.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        read_rule_file(path)
    assert said in str(caught.value)
    assert all(line.startswith(f"{path}: ") for line in caught.value.problems)


UNFIT = [
    ("mark: '{phone_wrd}'", "did you mean {phone_word}?"),
    ("mark: '(?:[a-z]+,?)+x'", "a repeat without bound"),
    ("mark: 'Folio'", "'F' never matches"),
    ("mark: 'año'", "'ñ' never matches"),
    ("mark: 'a('", "pattern 'a('"),
    ("mark: 'abc'\n    needs: 'abd'", "'needs' is 'abd'"),
    ("mark: 'abc'\n    needs: 'ABC'", "'needs' must be written"),
    ("mark: 'abc'\n    match: ['abd [abc] x', 'ab[c]']", "not matched as"),
    ("mark: 'abc'\n    no_match: ['abc']", "must not match"),
    ("mark: <address>", "here no phrase 'address'"),
]


@pytest.mark.parametrize(("rule", "said"), UNFIT)
def test_check_names_rules_that_cannot_work(rule, said, tmp_path):
    (tmp_path / "recognizers").mkdir()
    path = tmp_path / "recognizers" / "phone.yaml"
    path.write_text(
        f"entity: PHONE_NUMBER\nrules:\n  - name: a\n    {rule}\n", encoding="utf-8"
    )
    problems = check_site(tmp_path)
    assert len(problems) == 1
    assert said in problems[0]
    assert f"{path}: rule a: " in problems[0]


def test_check_reports_everything_at_once(tmp_path):
    rules = tmp_path / "recognizers"
    rules.mkdir()
    (rules / "person.yaml").write_text(RULE + "    role: a\n    b: 1\n", "utf-8")
    (rules / "phone.yaml").write_text("entity: PHONE\ncolour: 1\n", "utf-8")
    (tmp_path / "stuff.txt").write_text("x", "utf-8")
    done = CliRunner().invoke(app, ["check", "--site", str(tmp_path)])
    lines = done.output.splitlines()
    assert done.exit_code == 2
    assert len(lines) == 5
    for said in ("role 'a'", "key 'b'", "key 'colour'", "entity 'PHONE'", "stuff.txt"):
        assert sum(said in line for line in lines) == 1


def test_compile_mistakes_of_several_files_come_together(tmp_path):
    rules = tmp_path / "recognizers"
    rules.mkdir()
    for name, entity in (("person", "PERSON"), ("phone", "PHONE_NUMBER")):
        (rules / f"{name}.yaml").write_text(
            f"entity: {entity}\nrules:\n  - {{name: a, mark: '{{b}}'}}\n"
            "  - {name: c, mark: '{d}'}\n",
            "utf-8",
        )
    with pytest.raises(ConfigurationError) as caught:
        load_preset("mx", str(tmp_path))
    assert len(caught.value.problems) == 4


def test_check_names_symbols_that_no_rule_uses(tmp_path):
    (tmp_path / "recognizers").mkdir()
    path = tmp_path / "recognizers" / "person.yaml"
    path.write_text(
        "entity: PERSON\nsymbols: {kin: [mamita], hours: [ayer]}\nrules: []\n", "utf-8"
    )
    assert check_site(tmp_path) == [
        f"{path}: no rule uses symbol {{hours}}; write it in a pattern or leave it out"
    ]


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+",
        "(?:a|b*)*x",
        "(?:[a-z]{1,3})+",
        "((?:ab?)*c?)*",
        "(?=(a+)+b)",
        "(a{2,}?)+",
    ],
)
def test_nested_repeats_without_bound_are_refused(pattern):
    assert any("repeat without bound" in p for p in pattern_problems(pattern))


@pytest.mark.parametrize(
    ("pattern", "unit"),
    [
        ("(a|a)*$", "a"),
        ("(a|aa)+$", "a"),
        ("(?:a|b|ab)*c", "ab"),
        ("(a|b?a)*$", "a"),
        ("(?:a?a?)*b", "a"),
        ("(?:(?:a?)?b)*c", "b"),
        ("(a|a){1,30}x", "a"),
        ("(?:a{1,2}){1,40}b", "a"),
        ("(?:(?:a|a){1,8}){1,8}z", "a"),
        ("(?=(a|a)*b)", "a"),
        ("(?>(?:a|a)*b)", "a"),
        ("(?:(?>ab)|a|b)*c", "ab"),
    ],
)
def test_repeats_that_read_a_text_in_several_ways_are_refused(pattern, unit):
    assert any("in several ways" in p for p in pattern_problems(pattern))
    with pytest.raises(OutOfTime):  # ten letters more, a thousand times as long
        within(0.2, lambda: re.match(pattern, unit * 60 + "!"))


@pytest.mark.parametrize(
    "pattern",
    [
        *("[a-z]+", "(?:ab)+", "(?:a?b)+", "(?:a{2})*", "(?:a+b){1,9}", "a+b+"),
        *("(?:ab|a)*x", "(?:x(?:a|b|ab))*y", "(?:[a-z]|a)*x", "(?:ana|eva)*$"),
        *("(?:(?>a|b|ab)[ ]){1,30}x", "(?:a*+b)*c", "(?>a|a)*b"),
        *(r"(?:[a-z]{2,15}[ ]){1,12}x", r"(?:\d{2}-)*x", r"(?:[^\W_]|[ -])*x"),
    ],
)
def test_other_repeats_pass(pattern):
    assert list(pattern_problems(pattern)) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb: 2\na: 3\n", "line 3: 'a' stands here again, first in line 1"),
        ('a: 1\n"a": 2\n', "line 2: 'a'"),
        ("a:\n  - b: {c: 1, d: 2, c: 3}\n", "line 2: 'c'"),
        ("1: x\n0x1: y\n", "line 2: '0x1'"),
    ],
)
def test_a_key_that_stands_twice_is_refused(tmp_path, text, said):
    """The last one used to count, alone and without a word."""
    with pytest.raises(ConfigurationError, match=rf"a\.yaml, {said}"):
        parse_yaml(tmp_path / "a.yaml", text)


def test_merged_keys_and_those_of_another_mapping_are_none_that_stand_twice(tmp_path):
    text = "a: &a {x: 1}\nb: &b\n  <<: *a\n  x: 2\nc: {<<: [*a, *b], y: no}\n"
    found = parse_yaml(tmp_path / "a.yaml", text)
    assert found == {"a": {"x": 1}, "b": {"x": 2}, "c": {"x": 1, "y": "no"}}
    assert parse_yaml(tmp_path / "a.yaml", text, words=False)["c"]["y"] is False


def test_an_alias_bomb_gives_one_sentence(tmp_path):
    levels = "".join(
        f"{name}: &{name} [{','.join(['*' + before] * 9)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    path = tmp_path / "person.yaml"
    path.write_text("a: &a [x]\n" + levels, "utf-8")
    with pytest.raises(ConfigurationError, match=r"person\.yaml: more than .* aliases"):
        read_rule_file(path)


def test_a_huge_file_gives_one_sentence(tmp_path):
    path = tmp_path / "person.yaml"
    path.write_bytes(b"#" * 6_000_000)
    with pytest.raises(ConfigurationError, match="6 MB"):
        read_rule_file(path)


def test_the_lines_of_a_pattern_in_a_block_are_joined(tmp_path):
    path = tmp_path / "person.yaml"
    path.write_text(
        "entity: PERSON\nsymbols:\n  s: |-\n    a\n    b\n"
        "rules:\n  - name: a\n    mark: |-\n      x[ ]\n      y\n",
        "utf-8",
    )
    file = read_rule_file(path)
    assert file.rules[0].mark == "x[ ]y"
    assert file.symbols["s"] == "ab"


# ------------------------------------------------------------------ hits

NOTE = "Tel. 443 312 4567. Escala de Glasgow 15. CURP pendiente. Tel. 443 123 4567"


def test_hits_are_counted_by_rule_and_against_gold():
    gold = (Span(5, 17, "PHONE"), Span(60, 74, "PHONE_NUMBER"))
    preset = load_preset("mx")
    note = Note("a", NOTE, gold)
    hits = {hit.rule: hit for hit in count_hits(preset, [note])}
    labelled = hits["phone.yaml#labelled"]
    assert (labelled.findings, labelled.right, labelled.near) == (2, 1, 1)
    assert hits["person.yaml#eponym_after_head"].findings == 1
    assert hits["curp.yaml#labelled"].findings == 0
    unmarked = {h.rule: h for h in count_hits(preset, [note], marked=False)}
    assert unmarked["phone.yaml#labelled"].findings == 2
    assert unmarked["phone.yaml#labelled"].wrong == 0
    both = added(list(hits.values()), list(unmarked.values()))
    assert max(hit.findings for hit in both) == 4


def test_the_command_lists_rules_and_counts_hits(tmp_path):
    (tmp_path / "a.txt").write_text("Tel. {{PHONE|443 312 4567}}", "utf-8")
    plain = json.loads(CliRunner().invoke(app, ["rules", "--json"]).output)
    assert set(plain[0]) == {"rule", "entity", "stage"}
    counted = CliRunner().invoke(app, ["rules", "--hits", str(tmp_path), "--json"])
    rows = {row["rule"]: row for row in json.loads(counted.output)}
    assert rows["phone.yaml#labelled"]["findings"] == 1
    assert len(rows) == len(plain)
    table = CliRunner().invoke(app, ["rules", "--preset", "es-ES"])
    assert "names.yaml#foot" in table.output
