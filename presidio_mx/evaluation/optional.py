"""Import what an extra brings, or say which extra."""

from importlib import import_module
from typing import Any

from presidio_mx.errors import MissingExtraError


def require(module: str, feature: str, extra: str) -> Any:
    """Import an optional module.

    :param module: Its name.
    :param feature: What the user wanted to do.
    :param extra: The extra of presidio-mx that brings it.
    :return: The module.
    :raises MissingExtraError: If it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(feature, extra) from None
