"""The profile that generalises as the measure asks: what ``--apply`` writes."""

from collections.abc import Mapping
from pathlib import Path

from presidio_mx.errors import ConfigurationError
from presidio_mx.private_file import write_private
from presidio_mx.work.risk.classes import AS_IS, LEFT_OUT
from presidio_mx.work.risk.measure import Bound, Measure

_TAG = "{operator: tag}"
# A date as it is would leave birth dates, too: it moves by whole weeks instead.
_OPERATORS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "age": (
        "AGE",
        {
            AS_IS: "{operator: keep}",
            "cap": "{operator: generalize, to: cap}",
            "band": "{operator: generalize, to: band}",
            LEFT_OUT: _TAG,
        },
    ),
    "date": (
        "DATE_TIME",
        {
            AS_IS: "{operator: surrogate}",
            "month": "{operator: generalize, to: month, births: tag}",
            "year": "{operator: generalize, to: year, births: tag}",
            LEFT_OUT: _TAG,
        },
    ),
    "place": (
        "LOCATION",
        {
            AS_IS: "{operator: keep}",
            "state": "{operator: generalize, to: state}",
            LEFT_OUT: _TAG,
        },
    ),
}


def profile_text(chosen: Measure, bound: Bound, made_by: str) -> str:
    """Return a profile that generalises so.

    :param chosen: The generalisation.
    :param bound: What it fulfils.
    :param made_by: Versions and date.
    """
    lines = [
        f"# Written by presidio-mx risk --apply; {made_by}",
        f"# Measured: {100 * chosen.below:.1f} % in classes of fewer than {bound.k}, "
        f"{100 * chosen.uniques:.1f} % alone; allowed {100 * bound.share:.1f} %.",
        "# Everything else becomes a tag. Columns of a table follow with presidio-mx",
        "# batch: --known edad=COLUMN, --shift COLUMN, --known municipio=COLUMN",
        "# --known-as replace.",
    ]
    if chosen.levels["diagnosis"] == LEFT_OUT:
        lines += [
            "# Rare diagnoses do not count here: no operator takes them out of a note.",
            "# Read the rows that the report lists, and drop the column with codes.",
        ]
    lines += [
        f"description: quasi-identifiers generalised to k = {bound.k}",
        "default: {operator: tag}",
        "entities:",
    ]
    for name, (entity, operators) in _OPERATORS.items():
        lines.append(f"  {entity}: {operators[chosen.levels[name]]}")
    return "\n".join(lines) + "\n"


def write_profile(path: Path, text: str) -> None:
    """Write a profile into a new file.

    :param path: The file, which must end in ``.yaml``.
    :param text: The profile.
    :raises ConfigurationError: If it exists or cannot be written.
    """
    if path.suffix not in (".yaml", ".yml"):
        raise ConfigurationError(f"{path}: a profile is a .yaml file; name it so")
    try:
        write_private(path, [text.encode("utf-8")], replace=False)
    except FileExistsError:
        raise ConfigurationError(f"{path} exists; it is not overwritten") from None
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise ConfigurationError(f"{path}: {reason}") from None
