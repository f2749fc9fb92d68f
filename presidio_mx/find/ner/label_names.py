"""From the labels of other people's models to the suite's entities."""

from collections.abc import Iterable
from types import MappingProxyType

from presidio_mx.entities import MEDDOCAN_KINDS, thesis_tags
from presidio_mx.schemes import SPAIN_PREFIX, to_native

# Names of CoNLL-2002/2003, OntoNotes and models of personal data.
_COMMON = MappingProxyType(
    {
        "PER": "PERSON",
        "PERS": "PERSON",
        "NAME": "PERSON",
        "PATIENT": "PERSON",
        "DOCTOR": "PERSON",
        "LOC": "LOCATION",
        "GPE": "LOCATION",
        "CITY": "LOCATION",
        "STATE": "LOCATION",
        "COUNTRY": "LOCATION",
        "ORG": "ORGANIZATION",
        "HOSPITAL": "ORGANIZATION",
        "STREET": "ADDRESS",
        "ZIP": "ADDRESS",
        "PHONENUMBER": "PHONE_NUMBER",
        "FAX": "PHONE_NUMBER",
        "ID": "MEDICAL_RECORD",
        "MEDICALRECORD": "MEDICAL_RECORD",
        "USERNAME": "URL",
        "IP": "IP_ADDRESS",
    }
)


def entity_for(label: str) -> str | None:
    """Return the entity that a label means.

    It knows the suite's own names, the marks of its guidelines, the thesis tags, the
    labels of MEDDOCAN and the usual PER, LOC, ORG.

    :param label: A label without ``B-`` or ``I-``, in any case.
    :return: The entity, or None where none is meant (``O``, ``MISC``, ``PROFESION``).
    """
    name = label.upper().removeprefix(SPAIN_PREFIX)
    if name in MEDDOCAN_KINDS:
        name = MEDDOCAN_KINDS[name]
    native = to_native(_COMMON.get(name, name))
    return native if native in thesis_tags() else None


def entities_for(labels: Iterable[str]) -> dict[str, str]:
    """Return the labels that mean an entity, with the entity of each.

    :param labels: Labels of a model, with or without ``B-`` and the like.
    """
    found = {}
    for label in labels:
        sign, hyphen, rest = label.partition("-")
        plain = rest if hyphen and len(sign) == 1 else label
        entity = entity_for(plain)
        if entity is not None:
            found[plain] = entity
    return found
