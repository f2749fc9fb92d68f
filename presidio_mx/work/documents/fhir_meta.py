"""What was done to a FHIR resource, said in its ``meta.security``."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from presidio_mx.errors import ConfigurationError
from presidio_mx.work.documents.deidentify import Changed

# http://terminology.hl7.org/CodeSystem/v3-ObservationValue
_SYSTEM = "http://terminology.hl7.org/CodeSystem/v3-ObservationValue"
_PSEUDONYMS = ("surrogate", "pseudo", "encrypt", "hash", "shift")


def with_security(
    data: bytes, suffix: str, changes: Iterable[Changed], name: str
) -> bytes:
    """Return FHIR whose resources say that they are de-identified.

    :param data: The new file.
    :param suffix: Its ending.
    :param changes: What was replaced, with the operators.
    :param name: What to call the file in errors.
    :raises ConfigurationError: If it is no FHIR in JSON.
    """
    used = {change.operator for change in changes}
    pseudonyms = any(word in one for one in used for word in _PSEUDONYMS)
    code = "PSEUDED" if pseudonyms else "REDACTED"
    lines = data.decode().split("\n") if suffix == ".ndjson" else [data.decode()]
    new, found = [], 0
    for line in lines:
        value = (
            json.loads(line)
            if line.strip() and suffix in (".json", ".ndjson")
            else None
        )
        resources = list(_resources(value))
        found += len(resources)
        for resource in resources:
            security = resource.setdefault("meta", {}).setdefault("security", [])
            security.append({"system": _SYSTEM, "code": code})
        indent = 2 if suffix == ".json" and "\n" in line.strip() else None
        shown = json.dumps(value, ensure_ascii=False, indent=indent)
        new.append(shown if resources else line)
    if not found:
        raise ConfigurationError(f"--meta-security: {name} holds no FHIR resource")
    return "\n".join(new).encode("utf-8", "surrogatepass")


def _resources(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the resources of a bundle and itself; contained ones have no meta."""
    if isinstance(value, dict):
        if isinstance(value.get("resourceType"), str):
            yield value
        for key, inner in value.items():
            if key != "contained":
                yield from _resources(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _resources(inner)
