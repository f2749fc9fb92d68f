"""The tags that stand for an entity in text, and the entities a profile may name."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from presidio_mx.declarations import declared_entities

# The preset whose entities are the suite's own; other schemes are mapped to them.
NATIVE = "mx"

# Labels of the MEDDOCAN shared task (Marimon et al. 2019) and the entity whose
# operators treat them.
MEDDOCAN_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "NOMBRE_SUJETO_ASISTENCIA": "PERSON",
        "NOMBRE_PERSONAL_SANITARIO": "PERSON",
        "EDAD_SUJETO_ASISTENCIA": "AGE",
        "FECHAS": "DATE_TIME",
        "TERRITORIO": "LOCATION",
        "PAIS": "LOCATION",
        "CALLE": "ADDRESS",
        "HOSPITAL": "ORGANIZATION",
        "INSTITUCION": "ORGANIZATION",
        "CENTRO_SALUD": "ORGANIZATION",
        "NUMERO_TELEFONO": "PHONE_NUMBER",
        "NUMERO_FAX": "PHONE_NUMBER",
        "CORREO_ELECTRONICO": "EMAIL_ADDRESS",
        "URL_WEB": "URL",
        "DIREC_PROT_INTERNET": "IP_ADDRESS",
        "ID_SUJETO_ASISTENCIA": "MEDICAL_RECORD",
        "ID_ASEGURAMIENTO": "MEDICAL_RECORD",
        "ID_CONTACTO_ASISTENCIAL": "MEDICAL_RECORD",
        "ID_TITULACION_PERSONAL_SANITARIO": "MX_PROFESSIONAL_LICENSE",
        "ID_EMPLEO_PERSONAL_SANITARIO": "MEDICAL_RECORD",
        "IDENTIF_VEHICULOS_NRSERIE_PLACAS": "MX_LICENSE_PLATE",
        "IDENTIF_DISPOSITIVOS_NRSERIE": "DEVICE_ID",
        "IDENTIF_BIOMETRICOS": "MEDICAL_RECORD",
        "NUMERO_BENEF_PLAN_SALUD": "MEDICAL_RECORD",
        "OTRO_NUMERO_IDENTIF": "MEDICAL_RECORD",
        "SEXO_SUJETO_ASISTENCIA": "SEXO_SUJETO_ASISTENCIA",
        "FAMILIARES_SUJETO_ASISTENCIA": "FAMILIARES_SUJETO_ASISTENCIA",
        "PROFESION": "PROFESION",
        "OTROS_SUJETO_ASISTENCIA": "OTROS_SUJETO_ASISTENCIA",
    }
)

# Labels of da Silva and Pazin-Filho (2025), as entities, and the entity whose operators
# treat them; the other seven of their 28 have the name of ours.
STUDY_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "CITY": "LOCATION",
        "POSTAL_CODE": "ADDRESS",
        "DATE": "DATE_TIME",
        "EMAIL": "EMAIL_ADDRESS",
        "USERNAME": "URL",
        "SOCIAL_SECURITY_NUMBER": "MX_NSS",
        "SOCIAL_SECURITY_NUMBER_2": "MX_NSS",
        "TIME_DURATION": "DURATION",
        "MOBILE_PHONE_NUMBER": "PHONE_NUMBER",
        "FAX_NUMBER": "PHONE_NUMBER",
        "CPF": "MX_CURP",
        "NATIONAL_ID_NUMBER": "MX_CURP",
        "CNPJ": "MX_RFC",
        "IDENTITY_CARD_NUMBER": "MX_INE",
        "IDENTITY_DOCUMENT_NUMBER": "MX_INE",
        "REGISTRATION_NUMBER": "MEDICAL_RECORD",
        "STUDENT_ID_NUMBER": "MEDICAL_RECORD",
        "SERIAL_NUMBER": "MEDICAL_RECORD",
        "DIGITAL_SIGNATURE": "PERSON",
        "SOCIAL_MEDIA_HANDLE": "URL",
        "LICENSE_PLATE_NUMBER": "MX_LICENSE_PLATE",
    }
)

# Entities of Presidio's own recognizers that may turn up in a deployment.
STOCK_ENTITIES = frozenset(
    "CRYPTO ES_NIE ES_NIF IBAN_CODE MAC_ADDRESS MEDICAL_LICENSE NRP UUID "
    "US_SSN US_PASSPORT US_DRIVER_LICENSE US_BANK_NUMBER US_ITIN ID TITLE".split()
)

# What a study may mask beside what identifies (da Silva and Pazin-Filho 2025).
MASKED_ENTITIES = frozenset({"GENDER", "RELIGION", "DURATION"})


def thesis_tags() -> Mapping[str, str]:
    """Return the suite's own entities with the words inside their tags.

    The tags {NOMBRE} {DOM} {TEL} {CIUDAD} are those of the Michoacán thesis (2022); the
    others follow its pattern. Each stands in the entity's rule file.
    """
    return declared_entities(NATIVE)


@cache
def known_entities() -> frozenset[str]:
    """Return the entities that a profile may name."""
    ours = frozenset(thesis_tags()) | frozenset(MEDDOCAN_KINDS) | frozenset(STUDY_KINDS)
    return ours | STOCK_ENTITIES | MASKED_ENTITIES


def kind_of(entity_type: str) -> str:
    """Return the entity of this project that is treated like the one given.

    :param entity_type: Any entity name, e.g. MEDDOCAN's ``TERRITORIO``.
    :return: E.g. ``LOCATION``; an unknown name is returned as it is.
    """
    kind = MEDDOCAN_KINDS.get(entity_type, entity_type)
    return STUDY_KINDS.get(kind, kind)


def tag_word(entity_type: str) -> str:
    """Return the word inside the thesis tag of an entity.

    :param entity_type: E.g. ``PERSON``.
    :return: E.g. ``NOMBRE``; the entity's own name if the thesis has no tag for it.
    """
    return declared_entities().get(entity_type, entity_type)
