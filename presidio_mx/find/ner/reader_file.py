"""How the model of somebody else is read: ``reader.yaml`` in its folder.

Files for some published models are shipped in ``recognizers/models``.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.ner.tags import BIASES, SCHEMES
from presidio_mx.resources import folder
from presidio_mx.yaml_file import read_yaml

READER = "reader.yaml"
LIKE = "like"
PIECES = ("first", "max", "mean", "each")
"""Which piece speaks for a word: the first; the one least surely outside; the mean of
all; or each for itself, so that spans may end inside words."""
# Files with another form, for models that are asked for labels.
_ASKED = "gliner"
_CALIBRATION = "viterbi_calibration.json"


@dataclass(frozen=True)
class ReaderFile:
    """What a reader file says.

    :param labels: Label, without ``B-`` and the like, to entity; None for one that is
        not reported. Without a file labels mean what their names say.
    :param scheme: Tag scheme; empty for what the labels show.
    :param pieces: How pieces are joined to words, one of :data:`PIECES`.
    :param window: Tokens that the model reads at once, its own signs included.
    :param overlap: Tokens that neighbouring windows share.
    :param bias: What is taken off the log-probability of "outside".
    :param moves: What is added to the moves of :data:`tags.BIASES`.
    :param threshold: Spans with a lower score are not reported, 0 to 1.
    :param weights: The model's file within the folder; empty for the only one.
    """

    labels: Mapping[str, str | None] = field(default_factory=dict)
    scheme: str = ""
    pieces: str = "first"
    window: int = 512
    overlap: int = 64
    bias: float = 0.0
    moves: Mapping[str, float] = field(default_factory=dict)
    threshold: float = 0.0
    weights: str = ""


_KEYS = tuple(f.name for f in fields(ReaderFile) if f.name != "moves")


def plain(label: str) -> str:
    """Return a label as it is compared: letters and digits in lower case.

    :param label: A label without its sign, e.g. ``DATE_OF_BIRTH``.
    """
    return re.sub(r"[\W_]", "", label).lower()


def reader_of(model: Path, kinds: Collection[str]) -> ReaderFile:
    """Return how a model is read.

    By its own ``reader.yaml``, else by the shipped file that names its labels.

    :param model: The folder of the model.
    :param kinds: Its labels, without signs.
    :raises ConfigurationError: If its file is broken.
    """
    own = model / READER
    if own.is_file():
        found = read_reader(own)
    else:
        wanted = set(map(plain, kinds))
        found = next((f for f in shipped() if _named(f, wanted)), ReaderFile())
    calibration = model / _CALIBRATION
    if calibration.is_file() and not found.moves:
        found = ReaderFile(**(vars(found) | {"moves": _operating_point(calibration)}))
    return found


def _named(file: ReaderFile, wanted: set[str]) -> bool:
    """Tell whether a file names all labels of a model, and few that it lacks."""
    named = set(map(plain, file.labels))
    return wanted <= named and 2 * len(wanted) >= len(named)


@cache
def shipped() -> tuple[ReaderFile, ...]:
    """Return the shipped reader files."""
    return tuple(read_reader(path) for path in _shipped_paths())


def _shipped_paths() -> Iterator[Path]:
    for path in sorted((folder("recognizers") / "models").glob("*.yaml")):
        if not path.name.startswith(_ASKED):
            yield path


def read_reader(path: Path) -> ReaderFile:
    """Read a reader file.

    :param path: A YAML file.
    :raises ConfigurationError: If it is broken.
    """
    content = _content(path)
    labels = content.get("labels", {})
    if not isinstance(labels, dict) or not any(labels.values()):
        raise ConfigurationError(f"{path}: labels must name an entity for some label")
    for key, known in (("scheme", tuple(SCHEMES)), ("pieces", PIECES)):
        if content.get(key, known[0]) not in known:
            raise ConfigurationError(f"{path}: {key} is one of {', '.join(known)}")
    bias = content.pop("bias", 0.0)
    try:
        if isinstance(bias, dict):
            content["moves"] = _moves(bias)
        else:
            content["bias"] = float(bias)
        content["threshold"] = float(content.get("threshold", 0.0))
        for key in ("window", "overlap"):
            if key in content:
                content[key] = int(content[key])
    except (TypeError, ValueError):
        raise ConfigurationError(
            f"{path}: window, overlap, bias and threshold are numbers; a bias may name "
            f"moves, which are {', '.join(BIASES)}"
        ) from None
    found = ReaderFile(**content)
    if not 0 <= found.threshold <= 1:
        raise ConfigurationError(f"{path}: threshold must be from 0 to 1")
    if found.overlap < 0 or found.window < 2 * found.overlap + 8:
        raise ConfigurationError(
            f"{path}: window must be more than twice the overlap, and that not negative"
        )
    return found


def _content(path: Path) -> dict[str, Any]:
    """Return what a file says, with what it takes from the shipped one it is like."""
    content = read_yaml(path, ", ".join(_KEYS))
    unknown = set(content) - {*_KEYS, LIKE}
    if unknown:
        raise ConfigurationError(
            f"{path}: unknown key {min(unknown)}; the keys are {', '.join(_KEYS)} and "
            f"{LIKE}"
        )
    like = content.pop(LIKE, None)
    if like is None:
        return content
    files = {file.stem: file for file in _shipped_paths()}
    if like not in files:
        raise ConfigurationError(
            f"{path}: {LIKE} is one of {', '.join(files)}; or give labels"
        )
    base = _content(files[like])
    own = content.get("labels")
    if isinstance(own, dict):
        content["labels"] = base["labels"] | own
    return base | content


def _moves(biases: Mapping[str, Any]) -> dict[str, float]:
    """Return biases of moves; the long names of OpenAI's file will do.

    :raises ValueError: If a name is unknown or a value no number.
    """
    found = {
        str(key).removeprefix("transition_bias_"): float(value)
        for key, value in biases.items()
    }
    if not set(found) <= set(BIASES):
        raise ValueError("unknown move")
    return found


def _operating_point(path: Path) -> dict[str, float]:
    try:
        content = json.loads(path.read_text("utf-8"))
        return _moves(content["operating_points"]["default"]["biases"])
    except (OSError, KeyError, TypeError, AttributeError, ValueError):
        raise ConfigurationError(
            f"{path}: broken; operating_points, default, biases must hold numbers for "
            f"{', '.join(BIASES)}"
        ) from None
