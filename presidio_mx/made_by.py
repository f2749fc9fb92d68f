"""What made a result: versions, model, hash of the rules, date."""

import hashlib
import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import presidio_mx
from presidio_mx.find.ner.choose import Ner, ner_recognizers, resolved
from presidio_mx.find.site import site_folder
from presidio_mx.resources import folder

DIGITS = 16
_PACKAGES = ("presidio-analyzer", "presidio-anonymizer", "faker")
_RULES = ("recognizers", "gazetteers")
_DATA = (".yaml", ".tsv", ".txt")


@dataclass(frozen=True)
class Provenance:
    """What a report, an audit or an answer says of the system that made it.

    :param version: Version of presidio-mx.
    :param presidio: Version of Presidio's analyzer.
    :param preset: Name of the rule set.
    :param ner: ``none``, ``transformer`` or the path of a model.
    :param models: Name of each recognizer with a model to the model's hash.
    :param rules: Hash of the shipped rules and lists.
    :param site: Hash of the site's own; empty without one.
    :param date: Day on which it was made, ISO 8601.
    """

    version: str
    presidio: str
    preset: str
    ner: str
    models: dict[str, str]
    rules: str
    site: str
    date: str

    def record(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        return asdict(self)

    def __str__(self) -> str:
        """Return it in one line."""
        models = ", ".join(
            f"{name} {hash_[:DIGITS]}" for name, hash_ in self.models.items()
        )
        site = f", site {self.site}" if self.site else ""
        return (
            f"presidio-mx {self.version} (Presidio {self.presidio}), preset "
            f"{self.preset}, rules {self.rules}{site}, model {models or 'none'}, "
            f"{self.date}"
        )


def provenance(
    preset: str = "mx", ner: Ner = "auto", site: Path | str | None = None
) -> Provenance:
    """Return what makes results with these settings, today.

    :param preset: Name of the rule set.
    :param ner: As :func:`presidio_mx.analyze` takes it; its model is loaded.
    :param site: Folder with a site's own lists and rules.
    :raises ConfigurationError: If there is no such preset or model.
    """
    chosen = resolved(ner, preset)
    own = site_folder(site)
    return Provenance(
        version=presidio_mx.__version__,
        presidio=versions()["presidio-analyzer"],
        preset=preset,
        ner=chosen,
        models=model_hashes(preset, chosen),
        rules=rules_hash(),
        site="" if own is None else hash_of_folders([Path(own)]),
        date=date.today().isoformat(),
    )


def versions() -> dict[str, str]:
    """Return the versions of the packages that decide the output."""
    found = {
        "python": platform.python_version(),
        "presidio-mx": presidio_mx.__version__,
    }
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found


def model_hashes(preset: str, ner: Ner) -> dict[str, str]:
    """Return the hash of every model that takes part.

    A recognizer with a model says its hash in an attribute ``model_hash``.

    :param preset: Name of the rule set.
    :param ner: Model beside the rules.
    :return: Name of the recognizer to hash; empty for rules alone.
    """
    found: dict[str, str] = {}
    recognizers: list[Any] = list(ner_recognizers(ner, preset))
    for recognizer in recognizers:
        if getattr(recognizer, "model_hash", None):
            name = str(recognizer.name)
            if name in found:  # two models of one class
                name = f"{name} {len(found) + 1}"
            found[name] = str(recognizer.model_hash)
    return found


@cache
def rules_hash() -> str:
    """Return the hash of the shipped rules and lists."""
    return hash_of_folders([folder(name) for name in _RULES])


def hash_of_folders(folders: Sequence[Path]) -> str:
    """Return 16 hexadecimal digits of the SHA-256 of all data files of some folders.

    :param folders: The folders; names and content of the files in them count.
    :return: The digits.
    """
    digest = hashlib.sha256()
    for place in folders:
        for path in sorted(_data_files(place)):
            name = path.relative_to(place).as_posix()
            data = path.read_bytes()
            digest.update(f"{name}\0{len(data)}\0".encode())
            digest.update(data)
    return digest.hexdigest()[:DIGITS]


def _data_files(place: Path) -> Iterator[Path]:
    for path in place.rglob("*"):
        if path.suffix in _DATA and path.is_file():
            yield path
