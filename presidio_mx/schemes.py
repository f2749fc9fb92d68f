"""Names of entity types in the schemes of the literature, and how they relate."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Literal, get_args

from presidio_mx.entities import STUDY_KINDS, thesis_tags
from presidio_mx.errors import ConfigurationError
from presidio_mx.text.spans import Note, Span

Scheme = Literal["native", "thesis", "adap", "meddocan"]

# Marks of the annotation guidelines for Mexican notes -> native names.
INLINE_TO_NATIVE = MappingProxyType(
    {
        "PHONE": "PHONE_NUMBER",
        "DATE": "DATE_TIME",
        "CURP": "MX_CURP",
        "RFC": "MX_RFC",
        "NSS": "MX_NSS",
        "INE": "MX_INE",
        "RECORD": "MEDICAL_RECORD",
        "LICENSE": "MX_PROFESSIONAL_LICENSE",
        "EMAIL": "EMAIL_ADDRESS",
        "CARD": "CREDIT_CARD",
        "PLATE": "MX_LICENSE_PLATE",
        "INSTITUTION": "ORGANIZATION",
    }
)
# The guidelines have one mark for cards and bank accounts.
NATIVE_TO_INLINE = MappingProxyType(
    {native: inline for inline, native in INLINE_TO_NATIVE.items()}
    | {"MX_CLABE": "CARD"}
)

# Tags in use beside those that the rule files declare.
_OTHER_TAGS = MappingProxyType(
    {"CEL": "PHONE_NUMBER", "DOMICILIO": "ADDRESS", "TELEFONO": "PHONE_NUMBER"}
)
# The thesis measured these four; nothing else counts in its scheme.
THESIS_MEASURED = frozenset({"NOMBRE", "TEL", "DOM", "CIUDAD"})
# The three tags of ADAP, the thesis's trained model: addresses and cities share one.
NATIVE_TO_ADAP = MappingProxyType(
    {
        "PERSON": "NOMBRE",
        "PHONE_NUMBER": "CEL",
        "ADDRESS": "DOM",
        "LOCATION": "DOM",
    }
)
ADAP_TAGS = frozenset(NATIVE_TO_ADAP.values())

# The labels that occur in MEDDOCAN (Marimon et al. 2019).
MEDDOCAN_LABELS = (
    "TERRITORIO",
    "FECHAS",
    "EDAD_SUJETO_ASISTENCIA",
    "NOMBRE_SUJETO_ASISTENCIA",
    "NOMBRE_PERSONAL_SANITARIO",
    "SEXO_SUJETO_ASISTENCIA",
    "CALLE",
    "PAIS",
    "ID_SUJETO_ASISTENCIA",
    "CORREO_ELECTRONICO",
    "ID_TITULACION_PERSONAL_SANITARIO",
    "ID_ASEGURAMIENTO",
    "HOSPITAL",
    "FAMILIARES_SUJETO_ASISTENCIA",
    "INSTITUCION",
    "ID_CONTACTO_ASISTENCIAL",
    "NUMERO_TELEFONO",
    "PROFESION",
    "NUMERO_FAX",
    "OTROS_SUJETO_ASISTENCIA",
    "CENTRO_SALUD",
    "ID_EMPLEO_PERSONAL_SANITARIO",
)
SPAIN_PREFIX = "ES_"
# For systems that know native types only (stock Presidio, the mx preset).
NATIVE_TO_MEDDOCAN = MappingProxyType(
    {
        "PERSON": "NOMBRE_SUJETO_ASISTENCIA",
        "PHONE_NUMBER": "NUMERO_TELEFONO",
        "ADDRESS": "CALLE",
        "LOCATION": "TERRITORIO",
        "DATE_TIME": "FECHAS",
        "AGE": "EDAD_SUJETO_ASISTENCIA",
        "MX_NSS": "ID_ASEGURAMIENTO",
        "MEDICAL_RECORD": "ID_SUJETO_ASISTENCIA",
        "MX_PROFESSIONAL_LICENSE": "ID_TITULACION_PERSONAL_SANITARIO",
        "EMAIL_ADDRESS": "CORREO_ELECTRONICO",
        "ORGANIZATION": "HOSPITAL",
    }
)


@cache
def _native_of_tags() -> dict[str, str]:
    return {tag: native for native, tag in thesis_tags().items()} | dict(_OTHER_TAGS)


def to_native(entity_type: str) -> str:
    """Return the native name of a mark or thesis tag; any other name as it is.

    :param entity_type: For example ``PHONE``, ``TEL`` or ``PHONE_NUMBER``.
    :return: For example ``PHONE_NUMBER``.
    """
    native = INLINE_TO_NATIVE.get(entity_type, entity_type)
    native = STUDY_KINDS.get(native, native)
    return _native_of_tags().get(native, native)


def to_thesis(entity_type: str) -> str:
    """Return the thesis tag of a mark, tag or native name; any other as it is.

    :param entity_type: For example ``PHONE`` or ``CEL``.
    :return: For example ``TEL``.
    """
    native = to_native(entity_type)
    return thesis_tags().get(native, native)


def to_adap(entity_type: str) -> str:
    """Return the tag of ADAP of a mark, tag or native name; any other as it is.

    :param entity_type: For example ``LOCATION``.
    :return: For example ``DOM``.
    """
    native = to_native(entity_type)
    return NATIVE_TO_ADAP.get(native, native)


def to_meddocan(span: Span) -> str:
    """Return the MEDDOCAN label of a span.

    The es-ES preset names its entities ``ES_`` and the label. For systems with native
    types the nearest label is taken; staff are told apart by the role.

    :param span: A gold or predicted span.
    :return: A label, or the type as it is where none fits.
    """
    label = span.entity_type.removeprefix(SPAIN_PREFIX)
    if label in MEDDOCAN_LABELS:
        return label
    if label == "PERSON" and span.role == "staff":
        return "NOMBRE_PERSONAL_SANITARIO"
    return NATIVE_TO_MEDDOCAN.get(label, label)


def in_scheme(note: Note, scheme: Scheme) -> Note:
    """Name the spans of a note by a scheme.

    :param note: A note as a reader or system gave it.
    :param scheme: ``native``, ``thesis``, ``adap`` or ``meddocan``.
    :return: The note with its spans renamed.
    :raises ConfigurationError: If there is no such scheme.
    """
    if scheme not in get_args(Scheme):
        raise ConfigurationError(
            f"unknown scheme {scheme!r}; schemes are {', '.join(get_args(Scheme))}"
        )
    naming: dict[str, Callable[[Span], str]] = {
        "native": lambda span: to_native(span.entity_type),
        "thesis": lambda span: to_thesis(span.entity_type),
        "adap": lambda span: to_adap(span.entity_type),
        "meddocan": to_meddocan,
    }
    name = naming[scheme]
    return note.with_spans(
        tuple(replace(span, entity_type=name(span)) for span in note.spans)
    )
