"""Run a token-classification folder: ONNX by onnxruntime, weights by transformers."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from presidio_mx.errors import ConfigurationError, MissingExtraError
from presidio_mx.extras import need
from presidio_mx.find.ner.model_folder import file_hash, model_file, weights_file
from presidio_mx.find.ner.onnx_model import TOKENIZER, default_threads, onnx_session
from presidio_mx.find.ner.pieces import Ints, encodable, windows
from presidio_mx.find.ner.viterbi import Floats, log_softmax

CONFIG = "config.json"
_FEATURE = "a Hugging Face model"
# RoBERTa's positions begin at 2.
_POSITIONS_BEFORE = 2


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text, each a row of pieces.

    :param rows: Log-probabilities of the labels by piece, shape (pieces, labels).
    :param first: First piece of each word.
    :param last: The piece after its last.
    :param starts: First offset of each word.
    :param ends: Offset after each word.
    """

    rows: Floats
    first: list[int]
    last: list[int]
    starts: list[int]
    ends: list[int]

    def joined(self, pieces: str) -> Floats:
        """Return log-probabilities by word.

        :param pieces: Which piece speaks for a word, see
            :data:`~presidio_mx.find.ner.reader_file.PIECES`.
        """
        if pieces in ("first", "each"):
            return self.rows[self.first]
        join = _surest if pieces == "max" else _mean
        words = zip(self.first, self.last, strict=True)
        return np.stack([join(self.rows[first:last]) for first, last in words])


def _surest(rows: Floats) -> Floats:
    """Return the piece that is least surely outside."""
    return np.asarray(rows[rows[:, 0].argmin()])


def _mean(rows: Floats) -> Floats:
    """Return log-probabilities of the mean probability."""
    return np.asarray(np.logaddexp.reduce(rows, axis=0) - np.log(len(rows)))


@dataclass(frozen=True)
class Classifier:
    """A model that gives each piece of a text a label.

    :param labels: Its labels, ``O`` first.
    :param order: The columns of the model's output in that order.
    :param tokenizer: A ``tokenizers.Tokenizer``.
    :param logits: Gives the logits of a row of ids, shape (ids, labels).
    :param model_hash: SHA-256 of the weights, in hexadecimal.
    :param window: Tokens that it reads at once.
    :param overlap: Tokens that neighbouring windows share.
    """

    labels: tuple[str, ...]
    order: list[int]
    tokenizer: Any = field(repr=False)
    logits: Callable[[Ints], Floats] = field(repr=False)
    model_hash: str
    window: int
    overlap: int

    def read(self, text: str, each: bool) -> Words:
        """Return what the model says of a text.

        :param text: A text.
        :param each: Whether each piece is a word of its own.
        """
        encoded = self.tokenizer.encode(encodable(text), add_special_tokens=False)
        words = Words(self._rows(np.array(encoded.ids, np.int64)), [], [], [], [])
        before: Any = object()
        pieces = zip(encoded.offsets, encoded.word_ids, strict=True)
        for piece, ((start, end), word) in enumerate(pieces):
            while start < end and text[start].isspace():
                start += 1
            if start == end:
                continue  # a blank of its own
            if each or word is None or word != before:
                words.first.append(piece)
                words.last.append(piece)
                words.starts.append(start)
                words.ends.append(end)
            before = word
            words.last[-1] = piece + 1
            words.ends[-1] = max(words.ends[-1], end)
        return words

    def _rows(self, ids: Ints) -> Floats:
        """Return log-probabilities; where windows overlap, of the mean probability."""
        before, after = _signs(self.tokenizer)
        room = self.window - len(before) - len(after)
        rows = np.full((len(ids), len(self.labels)), -np.inf, dtype=np.float32)
        read = np.zeros((len(ids), 1), dtype=np.float32)
        for start, end in windows(len(ids), room, self.overlap):
            logits = self.logits(np.array([*before, *ids[start:end], *after], np.int64))
            here = log_softmax(logits[len(before) : len(logits) - len(after)])
            rows[start:end] = np.logaddexp(rows[start:end], here[:, self.order])
            read[start:end] += 1
        return rows - np.log(read)


def _signs(tokenizer: Any) -> tuple[list[int], list[int]]:
    """Return the ids that a tokenizer sets before and after a text."""
    encoded = tokenizer.encode("a", add_special_tokens=True)
    mask, ids = list(encoded.special_tokens_mask), list(encoded.ids)
    first = mask.index(0) if 0 in mask else len(mask)
    last = len(mask) - mask[::-1].index(0) if 0 in mask else len(mask)
    return ids[:first], ids[last:]


def labels_of(folder: Path) -> tuple[str, ...]:
    """Return the labels of a checkpoint, in the order of its columns.

    :param folder: Its folder.
    :raises ConfigurationError: If it names none.
    """
    path = model_file(folder, CONFIG)
    try:
        names = json.loads(path.read_text("utf-8"))["id2label"]
        return tuple(str(names[number]) for number in sorted(names, key=int))
    except (KeyError, AttributeError, TypeError, ValueError):
        raise ConfigurationError(
            f"{path}: no id2label; give a token-classification checkpoint"
        ) from None


def load_classifier(
    folder: Path, window: int, overlap: int, weights: str, device: str | None
) -> Classifier:
    """Load a model; nothing is fetched from elsewhere.

    :param folder: Folder with ``config.json``, a tokenizer and weights.
    :param window: Tokens that it shall read at once; fewer if it cannot.
    :param overlap: Tokens that neighbouring windows share.
    :param weights: File of the weights within the folder; empty for the only one.
    :param device: Where torch runs it; by default a GPU where there is one.
    :raises ConfigurationError: If a file is missing or broken.
    :raises MissingExtraError: If what runs it is not installed.
    """
    labels = labels_of(folder)
    if "O" not in labels:
        raise ConfigurationError(
            f"{folder / CONFIG}: no label O; give a token-classification checkpoint"
        )
    order = sorted(range(len(labels)), key=lambda column: labels[column] != "O")
    onnx = _onnx_file(folder, weights)
    path = onnx or weights_file(folder)
    try:
        if onnx is not None:
            tokenizer, logits = _onnx(folder, onnx)
        else:
            tokenizer, logits = _torch(folder, device)
        tokenizer.no_truncation()
        tokenizer.no_padding()
    except (ConfigurationError, MissingExtraError):
        raise
    except Exception as error:
        # Each library raises what its parts happen to raise.
        runs = "transformers" if onnx is None else "onnxruntime"
        raise ConfigurationError(
            f"{folder}: {runs} cannot load it ({type(error).__name__})"
        ) from None
    positions = json.loads((folder / CONFIG).read_text("utf-8")).get(
        "max_position_embeddings"
    )
    if isinstance(positions, int) and positions > _POSITIONS_BEFORE:
        window = min(window, positions - _POSITIONS_BEFORE)
    return Classifier(
        tuple(labels[column] for column in order),
        order,
        tokenizer,
        logits,
        file_hash(path),
        window,
        min(overlap, window // 4),
    )


def _onnx_file(folder: Path, weights: str) -> Path | None:
    """Return the ONNX file of a folder, if it has one.

    :raises ConfigurationError: If it has several, or not the one that is named.
    """
    if weights:
        path = model_file(folder, weights)
        return path if path.suffix == ".onnx" else None
    found = sorted(folder.glob("*.onnx")) or sorted(folder.glob("onnx/*.onnx"))
    plain = [path for path in found if path.name == "model.onnx"] or found
    if len(plain) > 1:
        names = ", ".join(path.name for path in plain)
        raise ConfigurationError(
            f"{folder}: several ONNX files ({names}); name one as weights in "
            "reader.yaml"
        )
    return plain[0] if plain else None


def _onnx(folder: Path, path: Path) -> tuple[Any, Callable[[Ints], Floats]]:
    tokenizer = _tokenizer(folder)
    session = onnx_session(str(path), default_threads())
    wanted = {node.name: node.type for node in session.get_inputs()}
    given: dict[str, Callable[[Ints], Any]] = {
        "input_ids": lambda ids: ids,
        "attention_mask": np.ones_like,
        "token_type_ids": np.zeros_like,
        "position_ids": lambda ids: np.arange(len(ids)),
    }
    if not set(wanted) <= set(given):
        unknown = ", ".join(sorted(set(wanted) - set(given)))
        raise ConfigurationError(
            f"{path}: it asks for {unknown}; give a token-classification model"
        )
    types = {
        name: np.int32 if kind == "tensor(int32)" else np.int64
        for name, kind in wanted.items()
    }

    def logits(ids: Ints) -> Floats:
        rows = {n: given[n](ids)[None].astype(kind) for n, kind in types.items()}
        return np.asarray(session.run(None, rows)[0][0], dtype=np.float32)

    return tokenizer, logits


def _tokenizer(folder: Path) -> Any:
    need("tokenizers", _FEATURE, "transformer")
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(model_file(folder, TOKENIZER)))


def _torch(folder: Path, device: str | None) -> tuple[Any, Callable[[Ints], Floats]]:
    for module in ("torch", "transformers"):
        need(module, _FEATURE, "hf")
    import torch
    from transformers import AutoModelForTokenClassification, AutoTokenizer

    if (folder / TOKENIZER).is_file():
        tokenizer = _tokenizer(folder)
    else:
        made = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        tokenizer = made.backend_tokenizer
    model = AutoModelForTokenClassification.from_pretrained(
        str(folder), local_files_only=True
    )
    place = device or ("cuda" if torch.cuda.is_available() else "cpu")
    model.to(place).eval()

    def logits(ids: Ints) -> Floats:
        with torch.no_grad():
            found = model(input_ids=torch.from_numpy(ids)[None].to(place)).logits[0]
        return np.asarray(found.float().cpu().numpy(), dtype=np.float32)

    return tokenizer, logits
