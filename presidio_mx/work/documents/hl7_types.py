"""Types of HL7 v2's fields and of their components, by version of the standard."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from hl7apy import load_library
from hl7apy.exceptions import HL7apyException

_USUAL = "2.5.1"


@cache
def _library(version: str) -> Any:
    try:
        return load_library(version)
    except (HL7apyException, ImportError, ValueError):
        return load_library(_USUAL)


@cache
def type_of_field(version: str, segment: str, number: int) -> str:
    """Return the type of a field, such as ``XPN``; empty if the standard has none.

    :param version: E.g. ``2.5``.
    :param segment: E.g. ``PID``.
    :param number: Number of the field.
    """
    for library in (_library(version), _library(_USUAL), _library("2.8")):
        field = library.FIELDS.get(f"{segment}_{number}")
        if field is not None:
            return str(field[2] or "")
    return ""


@cache
def types_of_components(version: str, kind: str) -> Sequence[str]:
    """Return the types of the components of a type; none if it is a simple one.

    :param version: E.g. ``2.5``.
    :param kind: E.g. ``XPN``.
    """
    for library in (_library(version), _library(_USUAL)):
        found = library.DATATYPES_STRUCTS.get(kind)
        if found:
            return [str(part[1][2]) for part in found]
    return ()
