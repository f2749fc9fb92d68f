"""Optional packages, imported when they are used."""

from importlib import import_module
from typing import Any

from presidio_mx.errors import MissingExtraError


def need(module: str, feature: str, extra: str = "batch") -> Any:
    """Import an optional module.

    :param module: E.g. ``pyarrow.parquet``; its top package is returned.
    :param feature: What the user wanted to do.
    :param extra: The extra of presidio-mx that brings it.
    :return: The top package.
    :raises MissingExtraError: If it is not installed.
    """
    try:
        import_module(module)
        return import_module(module.partition(".")[0])
    except ImportError:
        raise MissingExtraError(feature, extra) from None
