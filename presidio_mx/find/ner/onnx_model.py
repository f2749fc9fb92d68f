"""Load a trained token classifier and run it with onnxruntime alone."""

import hashlib
import json
import os
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from presidio_mx.errors import ConfigurationError, MissingExtraError
from presidio_mx.find.ner.pieces import (
    BEGIN,
    END,
    Pieces,
    centres,
    cut,
    windows,
)
from presidio_mx.find.ner.viterbi import Floats, LabelSet, log_softmax

WEIGHTS, TOKENIZER, CARD = "model.onnx", "tokenizer.json", "presidio_mx.json"
KIND = "transformer"
# onnxruntime's own node for a sum and its layer normalisation takes five to eight times
# as long as the two nodes that it replaces.
_SLOWER = ["SkipLayerNormFusion"]


@dataclass(frozen=True)
class ModelCard:
    """What ``presidio_mx.json`` says of a model.

    :param heads: The labels of each scheme the model was trained for.
    :param window: Pieces in a window, the two at its edges included.
    :param overlap: Pieces two windows share.
    """

    heads: dict[str, LabelSet]
    window: int
    overlap: int


@dataclass(frozen=True)
class TokenClassifier:
    """An encoder with one head for each scheme.

    :param folder: Where it was read from.
    :param card: Its labels and windows.
    :param tokenizer: A ``tokenizers.Tokenizer``.
    :param session: An ``onnxruntime.InferenceSession``.
    :param model_hash: SHA-256 of the weights, in hexadecimal.
    :param masked: Whether the session must be told that no piece is padding.
    """

    folder: Path
    card: ModelCard
    tokenizer: Any = field(repr=False)
    session: Any = field(repr=False)
    model_hash: str
    masked: bool = True

    def cut(self, text: str) -> Pieces:
        """Cut a text into this model's pieces."""
        return cut(self.tokenizer, text)

    def log_probabilities(
        self,
        pieces: Pieces,
        head: str,
        batch_size: int,
        window: int = 0,
        overlap: int = -1,
    ) -> Floats:
        """Return the log-probabilities of each word's labels.

        Windows run together in the order of the note: the same note always makes the
        same batches, so that dynamic quantisation gives the same figures. They are of
        one length, so that nothing is padded.

        :param pieces: A note in pieces.
        :param head: The scheme.
        :param batch_size: Windows run at once.
        :param window: Pieces in a window; the model's own by default.
        :param overlap: Pieces two windows share; the model's own by default.
        :return: Shape (words, labels).
        """
        size = (window or self.card.window) - 2
        shared = self.card.overlap if overlap < 0 else overlap
        cuts = windows(len(pieces.ids), size, shared)
        width = len(self.card.heads[head].labels)
        if not len(pieces.starts):
            return np.empty((0, width), dtype=np.float32)
        logits = np.empty((len(pieces.ids), width), dtype=np.float32)
        parts = list(zip(cuts, centres(cuts), strict=True))
        for at in range(0, len(parts), batch_size):
            batch = parts[at : at + batch_size]
            output = self._run([pieces.ids[a:b] for (a, b), _ in batch], head)
            for row, ((start, _), (left, right)) in zip(output, batch, strict=True):
                logits[left:right] = row[left - start + 1 : right - start + 1]
        return log_softmax(logits[pieces.firsts])

    def _run(self, rows: list[Any], head: str) -> Any:
        ids = np.empty((len(rows), len(rows[0]) + 2), dtype=np.int64)
        ids[:, 0], ids[:, -1] = BEGIN, END
        ids[:, 1:-1] = rows
        feed = {"input_ids": ids}
        if self.masked:
            feed["attention_mask"] = np.ones_like(ids)
        return self.session.run([output_name(head)], feed)[0]


def output_name(head: str) -> str:
    """Return the name of a head's output in the ONNX graph."""
    return "logits_" + head.replace("-", "_")


def default_threads() -> int:
    """Return the threads of a session: ``OMP_NUM_THREADS``, else all cores (0)."""
    value = os.environ.get("OMP_NUM_THREADS", "")
    return int(value) if value.isdecimal() else 0


def read_card(folder: Path) -> ModelCard:
    """Read what a model folder says of itself.

    :param folder: Folder of a model.
    :return: Its labels and windows.
    :raises ConfigurationError: If it is no folder of a transformer of this suite.
    """
    path = folder / CARD
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        if raw["kind"] != KIND:
            raise ConfigurationError(
                f"{path}: kind is {raw['kind']!r}, {KIND!r} is needed here"
            )
        heads = {name: LabelSet(tuple(types)) for name, types in raw["heads"].items()}
        return ModelCard(heads, int(raw["window"]), int(raw["overlap"]))
    except FileNotFoundError:
        raise ConfigurationError(
            f"there is no model in {folder}: {CARD} is missing; train one with "
            "'presidio-mx train transformer' or reinstall presidio-mx"
        ) from None
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error!r}") from None


@lru_cache(maxsize=4)
def load_model(folder: Path, threads: int) -> TokenClassifier:
    """Load a model; the same one with the same threads is loaded once a process.

    :param folder: Folder with ``model.onnx``, ``tokenizer.json``, ``presidio_mx.json``.
    :param threads: Threads of onnxruntime; 0 for all cores.
    :return: The model.
    :raises MissingExtraError: If onnxruntime or tokenizers is not installed.
    :raises ConfigurationError: If a file is missing or broken.
    """
    card = read_card(folder)
    try:
        import onnxruntime  # type: ignore[import-untyped]
        from tokenizers import Tokenizer
    except ImportError:
        raise MissingExtraError("the transformer", "transformer") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # Threads that wait for work would use up a core each meanwhile.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    for name in (WEIGHTS, TOKENIZER):
        if not (folder / name).is_file():
            raise ConfigurationError(f"{folder / name} is missing; train or reinstall")
    weights = (folder / WEIGHTS).read_bytes()
    try:
        session = onnxruntime.InferenceSession(
            weights,
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=_SLOWER,
        )
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    except Exception as error:  # each library raises classes of its own
        raise ConfigurationError(
            f"the model in {folder} cannot be loaded: {type(error).__name__}"
        ) from None
    digest = hashlib.sha256(weights).hexdigest()
    masked = any(one.name == "attention_mask" for one in session.get_inputs())
    return TokenClassifier(folder, card, tokenizer, session, digest, masked)
