"""The folder of a trained model: the model's own files and ``presidio_mx.json``.

``presidio_mx.json`` says what kind of model it is, by which scheme its types are named,
which labels it gives and how it was trained. It is written last: a folder without it is
no model, or one whose training has not ended.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, get_args

from presidio_mx.errors import ConfigurationError
from presidio_mx.schemes import SPAIN_PREFIX, Scheme, to_native

MANIFEST = "presidio_mx.json"
# Of weights in several files the index stands for all.
_WEIGHTS = (
    "model.safetensors",
    "pytorch_model.bin",
    "model.safetensors.index.json",
    "pytorch_model.bin.index.json",
)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What ``presidio_mx.json`` says.

    :param kind: ``crf``, ``bilstm-crf`` and so on.
    :param scheme: How types are named.
    :param labels: The labels of the model.
    :param recipe: Parameters of the training.
    """

    kind: str
    scheme: Scheme
    labels: tuple[str, ...]
    recipe: dict[str, Any] = field(default_factory=dict)

    @property
    def types(self) -> list[str]:
        """The entity types of the labels, sorted."""
        found = {label.partition("-")[2] for label in self.labels}
        return sorted(found - {""})


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write ``presidio_mx.json``, all or nothing.

    :param folder: The folder of the model.
    :param manifest: What to write.
    """
    part = folder / f"{MANIFEST}.part"
    text = json.dumps(asdict(manifest), ensure_ascii=False, indent=1) + "\n"
    part.write_text(text, "utf-8")
    part.replace(folder / MANIFEST)


def read_manifest(folder: Path, kind: str) -> Manifest:
    """Read ``presidio_mx.json``.

    :param folder: The folder of the model.
    :param kind: The kind of model that is wanted.
    :return: What it says.
    :raises ConfigurationError: If there is none, it is broken, or of another kind.
    """
    path = folder / MANIFEST
    try:
        content = json.loads(path.read_text("utf-8"))
        found = Manifest(
            str(content["kind"]),
            content["scheme"],
            tuple(content["labels"]),
            dict(content["recipe"]),
        )
    except FileNotFoundError:
        raise ConfigurationError(
            f"{folder}: there is no {MANIFEST}; give the folder of a model that "
            f"'presidio-mx train {kind}' wrote to the end"
        ) from None
    except (OSError, KeyError, TypeError, ValueError):
        raise ConfigurationError(
            f"{path}: broken; it must hold kind, scheme, labels and recipe"
        ) from None
    if found.kind != kind:
        raise ConfigurationError(f"{folder}: a model of kind {found.kind}, not {kind}")
    if found.scheme not in get_args(Scheme):
        raise ConfigurationError(f"{path}: unknown scheme {found.scheme!r}")
    return found


def model_file(folder: Path, name: str) -> Path:
    """Return the path of a model's file.

    :param folder: The folder of the model.
    :param name: Name of the file.
    :raises ConfigurationError: If it is not there.
    """
    path = folder / name
    if not path.is_file():
        raise ConfigurationError(
            f"{folder}: {name} is missing; copy it there or train the model again"
        )
    return path


def weights_file(folder: Path) -> Path:
    """Return the file with the weights of a Hugging Face folder.

    :param folder: The folder of the model.
    :raises ConfigurationError: If there is none.
    """
    for name in _WEIGHTS:
        if (folder / name).is_file():
            return folder / name
    raise ConfigurationError(f"{folder}: no weights there ({', '.join(_WEIGHTS)})")


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal.

    :param path: The file.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def entity_of(entity_type: str, scheme: Scheme) -> str:
    """Return the Presidio entity of a type that a model gives.

    :param entity_type: A type in the model's scheme.
    :param scheme: The scheme.
    :return: A native name; for MEDDOCAN the name that the ``es-ES`` preset uses.
    """
    if scheme == "meddocan":
        return SPAIN_PREFIX + entity_type.removeprefix(SPAIN_PREFIX)
    return to_native(entity_type)
