"""Other people's models: Hugging Face checkpoints and GLiNER, tiny ones made here."""

import json
import shutil
import sys
from importlib import import_module
from pathlib import Path

import pytest
from line_up import run_row

from presidio_mx.entities import thesis_tags
from presidio_mx.errors import ConfigurationError, MissingExtraError
from presidio_mx.find.ner.choose import kind_of
from presidio_mx.find.ner.gliner import (
    SETTINGS,
    MxGliner2Recognizer,
    MxGlinerRecognizer,
    pieces,
    read_settings,
)
from presidio_mx.find.ner.huggingface import MxHuggingFaceRecognizer
from presidio_mx.find.ner.model_folder import file_hash
from presidio_mx.find.ner.reader_file import read_reader
from presidio_mx.find.preset import load_preset, rule_files
from presidio_mx.resources import folder

TEXT = "Paciente Rosa Paz, 45 a, tel 4431234567.\n" * 25


def write_tokenizer(folder: Path) -> int:
    """Write a tokenizer that knows single characters; return its size."""
    tokenizers = pytest.importorskip("tokenizers", reason="needs the extra hf")
    transformers = pytest.importorskip("transformers", reason="needs the extra hf")
    letters = [chr(code) for code in range(33, 256)]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters]
    pieces += [f"##{letter}" for letter in letters]
    model = tokenizers.models.WordPiece(
        {piece: number for number, piece in enumerate(pieces)}, unk_token="[UNK]"
    )
    made = tokenizers.Tokenizer(model)
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        model_max_length=512,
    )
    fast.save_pretrained(folder)
    return len(pieces)


def bert_config(size: int, **more):
    transformers = pytest.importorskip("transformers", reason="needs the extra hf")
    return transformers.BertConfig(
        vocab_size=size,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        **more,
    )


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT with random weights whose labels are PER, CALLE, MISC and O."""
    torch = pytest.importorskip("torch", reason="needs the extra hf")
    from transformers import BertForTokenClassification

    folder = tmp_path_factory.mktemp("bert")
    names = ["O", "B-PER", "I-PER", "B-CALLE", "I-CALLE", "B-MISC"]
    labels = dict(enumerate(names))
    config = bert_config(
        write_tokenizer(folder),
        id2label=labels,
        label2id={name: number for number, name in labels.items()},
    )
    torch.manual_seed(3)
    BertForTokenClassification(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def gliner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GLiNER with random weights."""
    package = pytest.importorskip("gliner", reason="needs the extra gliner")
    from transformers import BertModel

    encoder = tmp_path_factory.mktemp("encoder")
    BertModel(bert_config(write_tokenizer(encoder))).save_pretrained(encoder)
    config = package.GLiNERConfig(
        model_name=str(encoder), hidden_size=32, max_width=6, max_len=384, dropout=0.0
    )
    folder = tmp_path_factory.mktemp("gliner")
    import_module("torch").manual_seed(3)  # some weights mark nothing at all
    package.GLiNER.from_config(config).save_pretrained(folder)
    shutil.rmtree(encoder)
    return folder


@pytest.mark.heavy
def test_a_checkpoint_marks_by_the_names_of_its_labels(bert: Path) -> None:
    recognizer = MxHuggingFaceRecognizer(bert, threshold=0.0)
    assert recognizer.supported_entities == ["ADDRESS", "PERSON"]
    found = recognizer.analyze(TEXT, [])
    assert {r.entity_type for r in found} == {"ADDRESS", "PERSON"}
    assert max(r.end for r in found) > 900
    assert all(0 <= r.start < r.end <= len(TEXT) for r in found)
    assert recognizer.model_hash == file_hash(bert / "model.safetensors")
    wordy = [TEXT[r.start - 1 : r.start] + TEXT[r.end : r.end + 1] for r in found]
    # Whole words, though each character is a token.
    assert not any(edges.isalpha() and len(edges) == 2 for edges in wordy)


def write_byte_tokenizer(folder: Path, roberta: bool) -> int:
    """Write a tokenizer of bytes, as RoBERTa and the Privacy Filter have; its size."""
    tokenizers = pytest.importorskip("tokenizers", reason="needs the extra hf")
    letters = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    names = ["<s>", "<pad>", "</s>", "<unk>"] if roberta else ["<|endoftext|>"]
    vocabulary = {piece: n for n, piece in enumerate([*names, *letters])}
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, []))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    if roberta:
        made.post_processor = tokenizers.processors.RobertaProcessing(
            ("</s>", 2), ("<s>", 0), trim_offsets=False
        )
    made.save(str(folder / "tokenizer.json"))
    return len(vocabulary)


def privacy_filter(size: int, labels: dict[int, str]):
    config = pytest.importorskip("transformers").OpenAIPrivacyFilterConfig(
        vocab_size=size,
        hidden_size=32,
        intermediate_size=16,
        num_hidden_layers=1,
        num_local_experts=4,
        num_experts_per_tok=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=16,
        sliding_window=8,
        pad_token_id=0,
    )
    assert set(config.id2label.values()) == set(labels.values())
    return config


def encoder(name: str, size: int, labels: dict[int, str]):
    """Return a small configuration of an architecture."""
    module = pytest.importorskip("transformers", reason="needs the extra hf")
    small = {"hidden_size": 32, "num_hidden_layers": 1, "intermediate_size": 32}
    return getattr(module, f"{name}Config")(
        vocab_size=size,
        num_attention_heads=2,
        max_position_embeddings=66,
        pad_token_id=1,
        id2label=labels,
        label2id={label: number for number, label in labels.items()},
        **small,
    )


def labels_in(stem: str, signs: str) -> dict[int, str]:
    """Return the labels of a shipped file in a scheme, by number."""
    file = read_reader(folder("recognizers") / "models" / f"{stem}.yaml")
    names = [f"{sign}-{label}" for label in sorted(file.labels) for sign in signs]
    return dict(enumerate(["O", *names]))


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("name", "stem", "signs"),
    [
        ("Roberta", "bsc-bio-ehr-es-meddocan", "BI"),
        ("XLMRoberta", "openmed-es", "BI"),
        ("DebertaV2", "openmed-es", "BI"),
        ("Bert", "rampart", "BI"),
        ("OpenAIPrivacyFilter", "openai-privacy-filter", "BIES"),
    ],
)
def test_each_architecture_is_read_by_its_shipped_file(
    tmp_path: Path, name: str, stem: str, signs: str
) -> None:
    """Random weights: that it loads, is known by its labels, reads all of a note."""
    torch = pytest.importorskip("torch", reason="needs the extra hf")
    import transformers

    if not hasattr(transformers, f"{name}Config"):
        pytest.skip(f"this transformers has no {name}")
    size = write_byte_tokenizer(tmp_path, roberta=name != "OpenAIPrivacyFilter")
    labels = labels_in(stem, signs)
    made = (
        privacy_filter(size, labels)
        if name == "OpenAIPrivacyFilter"
        else encoder(name, size, labels)
    )
    torch.manual_seed(5)
    getattr(transformers, f"{name}ForTokenClassification")(made).save_pretrained(
        tmp_path
    )
    recognizer = MxHuggingFaceRecognizer(tmp_path, threshold=0.0)
    file = read_reader(folder("recognizers") / "models" / f"{stem}.yaml")
    assert recognizer.supported_entities == sorted(
        {entity for entity in file.labels.values() if entity}
    )
    found = recognizer.analyze(TEXT, [])
    assert found and found == recognizer.analyze(TEXT, [])
    assert all(0 <= r.start < r.end <= len(TEXT) for r in found)
    assert {r.entity_type for r in found} <= set(recognizer.supported_entities)
    assert max(r.end for r in found) > 900


@pytest.mark.heavy
def test_a_mapping_of_ones_own(bert: Path) -> None:
    mapped = MxHuggingFaceRecognizer(
        bert, threshold=0.0, label_mapping={"MISC": "ORGANIZATION"}
    )
    assert {r.entity_type for r in mapped.analyze(TEXT, [])} <= {"ORGANIZATION"}
    assert mapped.supported_entities == ["ORGANIZATION"]


@pytest.mark.parametrize(
    "labels, sentence",
    [
        (None, "no id2label"),
        ({"0": "POS", "1": "NEG"}, "label_mapping"),
        ({"0": "O", "1": "PER"}, "no weights"),
    ],
)
def test_a_folder_that_is_no_checkpoint(
    tmp_path: Path, labels: dict[str, str] | None, sentence: str
) -> None:
    config = {} if labels is None else {"id2label": labels}
    (tmp_path / "config.json").write_text(json.dumps(config), "utf-8")
    with pytest.raises(ConfigurationError, match=sentence):
        MxHuggingFaceRecognizer(tmp_path)


def test_the_extra_of_checkpoints_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.json").write_text(
        '{"id2label": {"0": "O", "1": "PER"}}', "utf-8"
    )
    (tmp_path / "model.safetensors").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtraError, match=r"presidio-mx\[hf\]"):
        MxHuggingFaceRecognizer(tmp_path)


@pytest.mark.heavy
def test_gliner_is_asked_as_in_the_study(gliner: Path) -> None:
    recognizer = MxGlinerRecognizer(gliner, threshold=0.01)
    asked: list[tuple[str, list[str], float]] = []
    inner = recognizer._inner.gliner
    answer = inner.predict_entities

    def watched(text: str, labels: list[str], **more):
        asked.append((text, labels, more["threshold"]))
        return answer(text=text, labels=labels, **more)

    inner.predict_entities = watched
    found = recognizer.analyze(TEXT, ["PERSON", "LOCATION", "MX_CURP", "US_SSN"])
    assert {r.entity_type for r in found} <= {"PERSON", "LOCATION", "MX_CURP"}
    every = recognizer.analyze(TEXT, [])
    assert every and {r.entity_type for r in every} <= set(thesis_tags())
    assert all(0 <= r.start < r.end <= len(TEXT) for r in every)
    assert all(
        labels == list(read_settings(folder("recognizers") / SETTINGS).labels)
        for _, labels, _ in asked
    )
    assert all(len(text.split()) <= 150 for text, _, _ in asked)
    assert len(asked) > 2 and {limit for _, _, limit in asked} == {0.01}
    assert MxGlinerRecognizer(gliner).threshold == 0.30


@pytest.mark.heavy
def test_gliner_with_settings_of_ones_own(gliner: Path, tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("threshold: 0.02\ntokens: 5\nlabels:\n  mascota: PET\n", "utf-8")
    recognizer = MxGlinerRecognizer(gliner, settings=path)
    assert recognizer.supported_entities == ["PET"]
    assert {r.entity_type for r in recognizer.analyze(TEXT, [])} == {"PET"}


def test_the_settings_are_those_of_the_study() -> None:
    settings = read_settings(folder("recognizers") / SETTINGS)
    assert (settings.threshold, settings.tokens) == (0.30, 150)
    assert len(settings.labels) == 28
    assert {entity for entity in settings.labels.values() if entity} <= set(
        thesis_tags()
    )


def test_the_settings_are_no_rule_file() -> None:
    assert "gliner.yaml" not in {file.path.name for file in rule_files("mx")}
    assert load_preset("mx").files


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ": expected threshold, tokens and labels"),
        ("threshold: 1\n", ": broken"),
        ("threshold: x\ntokens: 5\nlabels: {a: B}\n", ": broken"),
        ("a: [", ", line"),
        ("threshold: 1\ntokens: 5\nlabels: {a: B, a: C}\n", ", line 3: 'a' stands"),
    ],
)
def test_broken_settings_are_told(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigurationError, match=f"own.yaml{said}"):
        read_settings(path)


def test_a_folder_without_gliner(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"gliner_config\.json"):
        MxGlinerRecognizer(tmp_path)


def test_the_extra_of_gliner_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gliner_config.json").write_text("{}", "utf-8")
    (tmp_path / "pytorch_model.bin").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "gliner", None)
    with pytest.raises(MissingExtraError, match=r"presidio-mx\[gliner\]"):
        MxGlinerRecognizer(tmp_path)


@pytest.mark.heavy
def test_gliner2_is_asked_as_its_file_says(tmp_path: Path) -> None:
    """Random weights: that it loads, is asked by pieces, and offsets are the note's."""
    package = pytest.importorskip("gliner2", reason="needs the extra gliner2")
    from transformers import BertModel

    encoder, folder = tmp_path / "encoder", tmp_path / "model"
    # Each letter is a token here.
    made = bert_config(write_tokenizer(encoder), max_position_embeddings=4096)
    BertModel(made).save_pretrained(encoder)
    import_module("torch").manual_seed(3)
    config = package.ExtractorConfig(model_name=str(encoder), max_width=4)
    package.Extractor(config).save_pretrained(str(folder))
    shutil.rmtree(encoder)
    assert kind_of(folder) == "gliner2"
    recognizer = MxGliner2Recognizer(folder, threshold=0.01)
    asked: list[tuple[str, list[str]]] = []
    answer = recognizer._model.extract_entities

    def watched(text: str, labels: list[str], **more):
        asked.append((text, labels))
        return answer(text, labels, **more)

    recognizer._model.extract_entities = watched
    found = recognizer.analyze(TEXT * 3, [])
    assert {r.entity_type for r in found} <= set(thesis_tags())
    assert all(0 <= r.start < r.end <= 3 * len(TEXT) for r in found)
    assert len(asked) > 2 and all(len(text.split()) <= 300 for text, _ in asked)
    recognizer._model.extract_entities = lambda text, labels, **more: {
        "entities": {"person": [{"start": 0, "end": 4, "confidence": 0.9}], "x": [{}]}
    }
    cut = pieces(TEXT * 3, 300)
    assert [(r.start, r.entity_type) for r in recognizer.analyze(TEXT * 3, [])] == [
        (start, "PERSON") for start, _ in cut
    ]


def test_gliner2_asks_for_entities_we_have(tmp_path: Path) -> None:
    settings = read_settings(folder("recognizers") / "models" / "gliner2.yaml")
    assert {entity for entity in settings.labels.values() if entity} <= set(
        thesis_tags()
    )
    (tmp_path / "model.safetensors").write_bytes(b"")
    with pytest.raises(ConfigurationError, match="encoder_config/config.json is"):
        MxGliner2Recognizer(tmp_path)


@pytest.mark.heavy
def test_a_checkpoint_has_its_row_in_the_line_up(bert: Path) -> None:
    assert len(run_row("Hugging Face", hf=bert).notes) == 2


@pytest.mark.heavy
def test_gliner_has_its_rows_in_the_line_up(gliner: Path) -> None:
    assert len(run_row("GLiNER 0.50", gliner=gliner).notes) == 2
