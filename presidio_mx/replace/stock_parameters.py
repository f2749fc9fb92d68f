"""Parameters of Presidio's own operators, and what Presidio lets pass of them."""

from collections.abc import Mapping
from typing import Any

from presidio_anonymizer.entities import InvalidParamError

STOCK_PARAMETERS: Mapping[str, frozenset[str]] = {
    "hash": frozenset({"hash_type", "salt"}),
    "keep": frozenset(),
    "mask": frozenset({"masking_char", "chars_to_mask", "from_end"}),
    "redact": frozenset(),
    "replace": frozenset({"new_value"}),
}
# Bytes; Presidio says so, too, but not before it meets the first entity.
_SHORTEST_SALT = 16


def check_stock(operator: str, params: Mapping[str, Any]) -> None:
    """Refuse what would leave a text as it was, or end in a fault of Presidio's.

    Presidio checks no value that Python takes for false, and no number at all.

    :param operator: Name of the operator.
    :param params: Its parameters.
    :raises InvalidParamError: Naming the parameter and what is possible.
    """
    if operator == "mask":
        count = params.get("chars_to_mask", 1)
        if type(count) is not int or count < 1:
            raise InvalidParamError(
                "mask: chars_to_mask must be a whole number above 0, how many letters "
                "are masked"
            )
        if not isinstance(params.get("masking_char", "*"), str):
            raise InvalidParamError("mask: masking_char must be text")
        if not isinstance(params.get("from_end", False), bool):
            raise InvalidParamError("mask: from_end must be true or false")
    if operator == "replace" and not isinstance(params.get("new_value"), str | None):
        raise InvalidParamError("replace: new_value must be text")
    if operator == "hash" and not _is_salt(params.get("salt", b"0" * _SHORTEST_SALT)):
        raise InvalidParamError(
            f"hash: salt must be text or bytes, at least {_SHORTEST_SALT} bytes"
        )


def _is_salt(salt: object) -> bool:
    if isinstance(salt, str):
        salt = salt.encode("utf-8", "surrogatepass")
    return isinstance(salt, bytes) and len(salt) >= _SHORTEST_SALT
