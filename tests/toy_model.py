"""A model so small that a test can write it by hand: one row of labels a word."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from presidio_mx.find.ner.words import FLAGS
from presidio_mx.find.reading import ROLES

VOCABULARY = ["<s>", "<pad>", "</s>", "<unk>"]
OUTSIDE, OF_ROLE = 6.0, 1.0
WHOLE = ("first", "last", "shape", "gap", "sign")


def word_tokenizer(words: list[str]) -> Any:
    """Return a tokenizer whose pieces are these words."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers

    vocabulary = dict.fromkeys([*VOCABULARY, *words])
    tokenizer = Tokenizer(
        models.WordLevel({w: i for i, w in enumerate(vocabulary)}, unk_token="<unk>")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.WhitespaceSplit(),
            pre_tokenizers.Split(Regex(r"\p{L}+|\p{N}+|[^\p{L}\p{N}]"), "isolated"),
        ]
    )
    return tokenizer


def write_toy_model(
    folder: Path, words: dict[str, tuple[str, float]], window=16, role="other"
) -> Path:
    """Write a model that gives each word of a table one label.

    :param folder: New folder.
    :param words: Word to its label and the label's logit; all other words are O.
    :param role: The role that it holds every word for.
    """
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    kinds = sorted({label[2:] for label, _ in words.values() if label != "O"})
    labels = ["O", *(f"{mark}-{kind}" for kind in kinds for mark in "BI")]
    vocabulary = [*VOCABULARY, *words]
    table = np.zeros((len(vocabulary), len(labels) + len(ROLES)), dtype=np.float32)
    table[:, 0] = OUTSIDE
    table[:, len(labels) + ROLES.index(role)] = OF_ROLE
    for word, (label, logit) in words.items():
        table[vocabulary.index(word), labels.index(label)] = logit
    whole, real = TensorProto.INT64, TensorProto.FLOAT
    value = helper.make_tensor_value_info
    # What a trained model takes; this one needs the first piece of each word alone.
    inputs = [
        value("ids", whole, ["windows", "pieces"]),
        *(value(name, whole, ["words"]) for name in WHOLE),
        value("there", real, ["words", 1]),
        value("flags", real, ["words", FLAGS]),
        value("group", whole, ["words", 1]),
        value("share", real, ["words", 1]),
        value("groups", whole, [2]),
    ]
    constants = {
        "table": table,
        "flat": np.array([-1]),
        "sizes": np.array([len(labels), len(ROLES)]),
    }
    graph = helper.make_graph(
        [
            helper.make_node("Reshape", ["ids", "flat"], ["all"]),
            helper.make_node("Gather", ["all", "first"], ["own"]),
            helper.make_node("Gather", ["table", "own"], ["rows"]),
            helper.make_node(
                "Split", ["rows", "sizes"], ["logits_mx", "roles"], axis=1
            ),
        ],
        "toy",
        inputs,
        [
            value("logits_mx", real, ["words", len(labels)]),
            value("roles", real, ["words", len(ROLES)]),
        ],
        [numpy_helper.from_array(v, name) for name, v in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    folder.mkdir(parents=True)
    onnx.save(model, folder / "model.onnx")
    word_tokenizer(list(words)).save(str(folder / "tokenizer.json"))
    card = {"kind": "transformer", "heads": {"mx": kinds}, "window": window}
    (folder / "presidio_mx.json").write_text(json.dumps(card))
    return folder
