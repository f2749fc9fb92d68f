"""The rule engine: what a rule may say, and what a broken one is answered."""

import time

import pytest

from presidio_mx import ConfigurationError
from presidio_mx.find.finding import Finding
from presidio_mx.find.grammar.compile import compile_rule
from presidio_mx.find.grammar.overlaps import clusters
from presidio_mx.find.grammar.patterns import alternation, compile_pattern, words_of
from presidio_mx.find.grammar.rules import Rule, read_rule_file
from presidio_mx.find.grammar.scan import Grammar
from presidio_mx.find.preset import load_preset
from presidio_mx.spanish.lexicon import Flag, Lexicon
from presidio_mx.spanish.typos import TypoIndex
from presidio_mx.text.document import read

SYMBOLS = {
    "pet": ("perro", "gato siames"),
    "sp": r"[ :]{0,3}",
    "any_place": ("Col. Roma",),
}


def scan(text, *rules):
    compiled = tuple(
        compile_rule(rule, SYMBOLS, {}, {"even": lambda t: t == "22"}) for rule in rules
    )
    lexicon = Lexicon()
    words = [word for c in compiled for word in c.anchor_words]
    lexicon.add(words, Flag.ANCHOR)
    grammar = Grammar([compiled], TypoIndex.of(words))
    return [
        (text[f.start : f.end], f.entity, f.score)
        for f in grammar.scan(read(text, lexicon))
        if not f.block
    ]


@pytest.mark.parametrize(
    ("text", "rule", "wanted"),
    [
        ("El Perro: 22", Rule("a", "X", r"\d+", left="{pet}{sp}"), "22"),
        ("gato  siamés 22", Rule("a", "X", r"\d+", left="{pet}{sp}"), "22"),
        ("perrera 22", Rule("a", "X", r"\d+", left="{pet}{sp}"), None),
        ("hay 22 perros", Rule("a", "X", r"\d+", right=" perros"), "22"),
        ("hay 22 gatos", Rule("a", "X", r"\d+", right=" perros"), None),
        ("no 22", Rule("a", "X", r"\d+", not_left="no "), None),
        ("22 mg", Rule("a", "X", r"\d+", not_right=" mg"), None),
        ("uno@dos", Rule("a", "X", r"[a-z]+@[a-z]+", needs="@"), "uno@dos"),
        ("perro (22)", Rule("a", "X", r"\((?P<mark>\d+)\)", left="{pet} "), "22"),
        ("vive en COLONIA ROMA", Rule("a", "X", "{any_place}"), "COLONIA ROMA"),
    ],
)
def test_rule(text, rule, wanted):
    assert [found[0] for found in scan(text, rule)] == ([wanted] if wanted else [])


def test_a_check_raises_the_score():
    rule = Rule("a", "X", r"\d+", score=0.4, check="even", checked_score=0.9)
    assert [found[2] for found in scan("22 y 23", rule)] == [0.9, 0.4]


def test_a_misspelt_trigger_counts_a_little_less():
    rule = Rule("a", "X", r"\d+", left="{pet}{sp}", score=0.9)
    (exact,), (typo,) = scan("perro 22", rule), scan("pero22 y perrro 22", rule)
    assert exact[2] == 0.9 and typo[2] < 0.9


def test_rules_see_what_was_found_before():
    first = Rule("a", "X", r"\d+")
    behind = Rule("b", "Y", "[a-z]+", left="<X> ")
    ahead = Rule("c", "Z", "(?:hay)", right=" <X>")
    chain = Rule("d", "Y", "[a-z]+", left="<Y>, ")
    found = scan("hay 22 perros, gatos, ratas", first, behind, chain, ahead)
    assert [f[:2] for f in found] == [
        ("hay", "Z"),
        ("22", "X"),
        ("perros", "Y"),
        ("gatos", "Y"),
        ("ratas", "Y"),
    ]


def test_a_block_forbids_its_entity_up_to_its_score():
    mark = Rule("a", "X", r"\d+", score=0.6)
    assert (
        scan("perro 22", Rule("b", "X", r"\d+", left="{pet} ", stage="block"), mark)
        == []
    )
    weak = Rule("b", "X", r"\d+", left="{pet} ", stage="block", score=0.5)
    assert len(scan("perro 22", weak, mark)) == 1
    other = Rule("b", "Y", r"\d+", left="{pet} ", stage="block")
    assert len(scan("perro 22", other, mark)) == 1


def test_the_longer_span_wins_between_near_equals():
    short = Rule("a", "X", r"\d+", score=0.8)
    long = Rule("b", "Y", r"\d+ perros", score=0.8)
    assert [f[1] for f in scan("22 perros", short, long)] == ["Y"]


def test_clusters_are_overlapping_chains():
    spans = [(21, 30), (20, 22), (9, 12), (4, 9), (0, 5)]
    found = [Finding(s, e, "X", 0.5, "r") for s, e in spans]
    assert clusters(found) == [[4, 3], [2], [1, 0]]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("rules: []", "'entity' is missing"),
        ("entity: X\nrulez: []", "unknown key 'rulez'"),
        ("entity: X\nrules: [{name: a}]", "'mark' is missing"),
        ("entity: X\nrules: [{name: a, mark: b, colour: red}]", "unknown key 'colour'"),
        ("entity: X\nrules: [{name: a, mark: b, score: 7}]", "'score'"),
        ("entity: X\nrules: [{name: a, mark: b, stage: c}]", "unknown stage 'c'"),
        ("entity: X\nrules: [{name: a, mark: b}, {name: a, mark: c}]", "two rules"),
        ("entity: X\nsymbols: {a: 5}", "symbol 'a'"),
        ("entity: [", "line"),
        ("- x", "expected"),
    ],
)
def test_a_broken_file_is_named_with_the_reason(tmp_path, content, said):
    path = tmp_path / "broken.yaml"
    path.write_text(content, "utf-8")
    with pytest.raises(ConfigurationError) as error:
        read_rule_file(path)
    assert "broken.yaml" in str(error.value) and said in str(error.value)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (Rule("a", "X", "{nope}", file="f.yaml"), "unknown symbol {nope}"),
        (Rule("a", "X", "(", file="f.yaml"), "pattern"),
        (Rule("a", "X", "<nope>", file="f.yaml"), "no phrase 'nope'"),
        (Rule("a", "X", "b", check="nope", file="f.yaml"), "unknown check 'nope'"),
    ],
)
def test_a_broken_rule_is_named_with_file_and_reason(rule, said):
    with pytest.raises(ConfigurationError) as error:
        compile_rule(rule, SYMBOLS, {}, {})
    message = str(error.value)
    assert "f.yaml" in message and "rule a" in message and said in message


def test_words_like_no_and_si_need_no_quotes(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text("entity: PERSON\nsymbols: {w: [no, si, y, on]}\n", "utf-8")
    assert read_rule_file(path).symbols["w"] == ("no", "si", "y", "on")


def test_alternation_takes_the_longest_whole_word():
    pattern = compile_pattern(alternation(["san", "san juan", "dr."]), {})
    assert pattern.match("san juan x")[0] == "san juan"
    assert pattern.match("santo") is None
    assert pattern.match("dr. x")[0] == "dr."
    assert pattern.match("dr x")[0] == "dr"


def test_lists_may_name_lists():
    symbols = {"a": ("x", "{b}"), "b": ("y",), "loop": ("{loop}",)}
    assert words_of("a", symbols) == ("x", "y")
    with pytest.raises(ConfigurationError, match="names itself"):
        words_of("loop", symbols)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("telefno", "telefono"),
        ("teléfonoo", ""),
        ("telefonoo", "telefono"),
        ("domisilio", "domicilio"),
        ("expedeinet", "expediente"),
        ("tel", ""),
    ],
)
def test_typos(word, meant):
    index = TypoIndex.of(["telefono", "domicilio", "expediente"])
    assert index.trigger(word) == meant


def test_presets_are_compiled_once():
    assert load_preset("mx") is load_preset("mx")


HOSTILE = {
    "digits": "1234567890",
    "digits apart": "12 34-",
    "blanks": " ",
    "line ends": "\n",
    "stops": ".",
    "dr": "dr. ",
    "names": "María José de la Luz ",
    "calle": "calle ",
    "commas": "Ana, ",
    "at": "a@",
    "quotes": '"',
    "slashes": "1/",
    "letters": "x",
    "capitals": "A.",
}


@pytest.mark.heavy
@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_time_grows_with_length_on_hostile_input(unit):
    preset = load_preset("mx")

    def seconds(size):
        text = unit * (size // len(unit))
        start = time.process_time()
        preset.find(preset.read(text))
        return time.process_time() - start

    seconds(2_000)
    small, large = max(seconds(20_000), 0.01), seconds(200_000)
    assert large < 40 * small
