"""Write a fitted calibration into its file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from presidio_mx.find.vote.calibration import Calibration
from presidio_mx.find.vote.features import FEATURES
from presidio_mx.find.vote.risk import RISK_FEATURES


def write_calibration(path: Path, key: str, made: Calibration, note: str) -> None:
    """Write a calibration; entries of other keys stay.

    :param path: The file.
    :param key: The preset, or the head of a model.
    :param made: The calibration.
    :param note: What it was fitted on; stands in the file.
    """
    content: dict[str, Any] = {}
    if path.is_file():
        content = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    content[key] = {
        "fitted": note,
        "weights": {
            group: _named(FEATURES, row) for group, row in made.weights.items()
        },
        "rules": {rule: round(chance, 3) for rule, chance in made.rules.items()},
        "risk": _named(RISK_FEATURES, made.risk),
    }
    head = (
        "# How evidence becomes the probability that a finding identifies somebody\n"
        "# (presidio_mx/find/vote/calibration.py), and the risk of a note;\n"
        "# written by presidio-mx train calibration.\n"
    )
    text = yaml.safe_dump(content, allow_unicode=True, sort_keys=True, width=100)
    part = path.with_name(path.name + ".part")
    part.write_text(head + text, encoding="utf-8")
    part.replace(path)


def _named(names: Sequence[str], row: Sequence[float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in zip(names, row, strict=True)}
