"""Load a trained word classifier and run it with onnxruntime alone."""

import hashlib
import json
import os
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from presidio_mx.errors import ConfigurationError
from presidio_mx.extras import need
from presidio_mx.find.ner.pieces import BEGIN, END, Ints, Pieces, cut, places, windows
from presidio_mx.find.ner.viterbi import Floats, LabelSet, log_softmax
from presidio_mx.find.ner.words import FLAGS, Tokens

WEIGHTS, TOKENIZER, CARD = "model.onnx", "tokenizer.json", "presidio_mx.json"
KIND = "transformer"
ROLES_OUTPUT = "roles"
# onnxruntime's own node for a sum and its layer normalisation takes five to eight times
# as long as the two nodes that it replaces.
_SLOWER = ["SkipLayerNormFusion"]
_BITS = np.arange(FLAGS)


@dataclass(frozen=True)
class ModelCard:
    """What ``presidio_mx.json`` says of a model.

    :param heads: The labels of each scheme the model was trained for.
    :param window: Pieces in a window, the two at its edges included.
    """

    heads: dict[str, LabelSet]
    window: int


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model says of a text.

    :param tokens: Its words.
    :param rows: Log-probabilities of the labels, shape (words, labels).
    :param roles: Log-probabilities of the roles, shape (words, 4).
    """

    tokens: Tokens
    rows: Floats
    roles: Floats


@dataclass(frozen=True)
class WordClassifier:
    """An encoder over pieces, layers over words, and one head for each scheme.

    :param folder: Where it was read from.
    :param card: Its labels and windows.
    :param tokenizer: A ``tokenizers.Tokenizer``.
    :param session: An ``onnxruntime.InferenceSession``.
    :param model_hash: SHA-256 of the weights, in hexadecimal.
    """

    folder: Path
    card: ModelCard
    tokenizer: Any = field(repr=False)
    session: Any = field(repr=False)
    model_hash: str

    def read(self, text: str, head: str) -> Reply:
        """Return what the model says of a text.

        A text is run by itself, in windows of one length: whatever its neighbours, the
        same text gives the same figures.

        :param text: A prepared text.
        :param head: The scheme.
        """
        pieces = cut(self.tokenizer, text)
        width = len(self.card.heads[head].labels)
        if not len(pieces.ids):
            count = len(pieces.tokens)
            outside = np.full((count, width), -np.inf, dtype=np.float32)
            outside[:, :1] = 0.0
            return Reply(pieces.tokens, outside, np.zeros((count, 4), np.float32))
        rows, roles = self.session.run(
            [output_name(head), ROLES_OUTPUT], feed(pieces, self.card.window)
        )
        return Reply(pieces.tokens, log_softmax(rows), log_softmax(roles))


def feed(pieces: Pieces, window: int) -> dict[str, Any]:
    """Return the inputs of a model's graph.

    :param pieces: A text that has pieces.
    :param window: Pieces in a window, the two at its edges included.
    """
    tokens = pieces.tokens
    cuts = windows(len(pieces.ids), window - 2)
    ids = np.empty((len(cuts), cuts[0][1] - cuts[0][0] + 2), dtype=np.int64)
    ids[:, 0], ids[:, -1] = BEGIN, END
    for row, (start, end) in enumerate(cuts):
        ids[row, 1:-1] = pieces.ids[start:end]
    place = places(cuts)
    there = pieces.first >= 0
    return {
        "ids": ids,
        "first": np.where(there, place[pieces.first], 0),
        "last": np.where(there, place[pieces.last], 0),
        "there": there.astype(np.float32)[:, None],
        "flags": ((tokens.flags[:, None] >> _BITS) & 1).astype(np.float32),
        "shape": tokens.shape,
        "gap": tokens.gap,
        "sign": tokens.sign,
        "group": tokens.group[:, None],
        "share": _shares(tokens.group),
        "groups": np.array([int(tokens.group.max(initial=0)) + 1, 1], dtype=np.int64),
    }


def _shares(group: Ints) -> Floats:
    """Return for each word one over the number of its kind; 0 where it has none."""
    counts = np.bincount(group)[group].astype(np.float32)
    return np.where(group > 0, 1.0 / counts, 0.0).astype(np.float32)[:, None]


def output_name(head: str) -> str:
    """Return the name of a head's output in the ONNX graph."""
    return "logits_" + head.replace("-", "_")


def default_threads() -> int:
    """Return the threads of a session: ``OMP_NUM_THREADS``, else all cores (0)."""
    value = os.environ.get("OMP_NUM_THREADS", "")
    return int(value) if value.isdecimal() else 0


def onnx_session(weights: bytes | str, threads: int) -> Any:
    """Return an ``onnxruntime.InferenceSession``.

    :param weights: A model, or the path of its file.
    :param threads: Threads; 0 for all cores.
    :raises MissingExtraError: If onnxruntime is not installed.
    """
    need("onnxruntime", "an ONNX model", "transformer")
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # Threads that wait for work would use up a core each meanwhile.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(
        weights,
        options,
        providers=["CPUExecutionProvider"],
        disabled_optimizers=_SLOWER,
    )


def read_card(folder: Path) -> ModelCard:
    """Read what a model folder says of itself.

    :param folder: Folder of a model.
    :return: Its labels and windows.
    :raises ConfigurationError: If it is no folder of a model of this suite.
    """
    path = folder / CARD
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        if raw["kind"] != KIND:
            raise ConfigurationError(
                f"{path}: kind is {raw['kind']!r}, {KIND!r} is needed here"
            )
        heads = {name: LabelSet(tuple(types)) for name, types in raw["heads"].items()}
        return ModelCard(heads, int(raw["window"]))
    except FileNotFoundError:
        raise ConfigurationError(
            f"there is no model in {folder}: {CARD} is missing; train one with "
            "'presidio-mx train transformer' or reinstall presidio-mx"
        ) from None
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error!r}") from None


@lru_cache(maxsize=4)
def load_model(folder: Path, threads: int) -> WordClassifier:
    """Load a model; the same one with the same threads is loaded once a process.

    :param folder: Folder with ``model.onnx``, ``tokenizer.json``, ``presidio_mx.json``.
    :param threads: Threads of onnxruntime; 0 for all cores.
    :return: The model.
    :raises MissingExtraError: If onnxruntime or tokenizers is not installed.
    :raises ConfigurationError: If a file is missing or broken.
    """
    card = read_card(folder)
    need("onnxruntime", "the transformer", "transformer")
    need("tokenizers", "the transformer", "transformer")
    from tokenizers import Tokenizer

    for name in (WEIGHTS, TOKENIZER):
        if not (folder / name).is_file():
            raise ConfigurationError(f"{folder / name} is missing; train or reinstall")
    weights = (folder / WEIGHTS).read_bytes()
    try:
        session = onnx_session(weights, threads)
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    except Exception as error:  # each library raises classes of its own
        raise ConfigurationError(
            f"the model in {folder} cannot be loaded: {type(error).__name__}"
        ) from None
    digest = hashlib.sha256(weights).hexdigest()
    return WordClassifier(folder, card, tokenizer, session, digest)
