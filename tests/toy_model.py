"""A token classifier so small that a test can write it by hand: one row a word."""

import json
from pathlib import Path

import numpy as np

VOCABULARY = ["<s>", "<pad>", "</s>", "<unk>"]


def write_toy_model(
    folder: Path, words: dict[str, tuple[str, float]], window=16, overlap=4
) -> Path:
    """Write a model that gives each word of a table one label.

    :param folder: New folder.
    :param words: Word to its label and the label's logit; all other words are O.
    """
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers

    kinds = sorted({label[2:] for label, _ in words.values() if label != "O"})
    labels = ["O", *(f"{mark}-{kind}" for kind in kinds for mark in "BI")]
    vocabulary = [*VOCABULARY, *words]
    table = np.zeros((len(vocabulary), len(labels)), dtype=np.float32)
    table[:, 0] = 6.0
    for word, (label, logit) in words.items():
        table[vocabulary.index(word), labels.index(label)] = logit
    folder.mkdir(parents=True)
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
            # The mask must be an input, as in a real model.
            helper.make_node(
                "Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT
            ),
            helper.make_node("Unsqueeze", ["mask", "last"], ["wide"]),
            helper.make_node("Mul", ["rows", "wide"], ["logits_mx"]),
        ],
        "toy",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["rows", "pieces"])
            for name in ("input_ids", "attention_mask")
        ],
        [
            helper.make_tensor_value_info(
                "logits_mx", TensorProto.FLOAT, ["rows", "pieces", len(labels)]
            )
        ],
        [
            numpy_helper.from_array(table, "table"),
            numpy_helper.from_array(np.array([2], dtype=np.int64), "last"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, folder / "model.onnx")
    tokenizer = Tokenizer(
        models.WordLevel({w: i for i, w in enumerate(vocabulary)}, unk_token="<unk>")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.WhitespaceSplit(),
            pre_tokenizers.Split(Regex(r"\p{L}+|\p{N}+|[^\p{L}\p{N}]"), "isolated"),
        ]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    card = {
        "kind": "transformer",
        "heads": {"mx": kinds},
        "window": window,
        "overlap": overlap,
    }
    (folder / "presidio_mx.json").write_text(json.dumps(card))
    return folder
