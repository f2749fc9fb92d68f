"""Recognizers of the ``es-ES`` preset: clinical notes of Spain in MEDDOCAN's scheme.

The entities are MEDDOCAN's labels (Marimon et al., IberLEF 2019) with ``ES_`` before
them; spans end where that corpus ends them.
"""

from typing import Any, ClassVar

from presidio_mx.analyzer.recognizer import MxRecognizer

PREFIX = "ES_"


class MxSpainRecognizer(MxRecognizer):
    """The base of the recognizers for notes of Spain."""

    COUNTRY_CODE: ClassVar[str | None] = "es"

    def __init__(self, *, preset: str = "es-ES", **kwargs: Any) -> None:
        """Load the preset; it is loaded once a process.

        :param preset: Name of the rule set.
        :param kwargs: See :class:`MxRecognizer`.
        """
        super().__init__(preset=preset, **kwargs)


class MxSpainCodeRecognizer(MxSpainRecognizer):
    """Numbers of patients, insurance, episodes and physicians; ``codes.yaml``."""

    ENTITIES = (
        "ES_ID_SUJETO_ASISTENCIA",
        "ES_ID_ASEGURAMIENTO",
        "ES_ID_CONTACTO_ASISTENCIAL",
        "ES_ID_TITULACION_PERSONAL_SANITARIO",
        "ES_ID_EMPLEO_PERSONAL_SANITARIO",
    )


class MxSpainContactRecognizer(MxSpainRecognizer):
    """E-mail addresses, telephone and fax numbers; rules in ``contact.yaml``."""

    ENTITIES = ("ES_CORREO_ELECTRONICO", "ES_NUMERO_TELEFONO", "ES_NUMERO_FAX")


class MxSpainDateRecognizer(MxSpainRecognizer):
    """Calendar dates, months and years; rules in ``dates.yaml``."""

    ENTITIES = ("ES_FECHAS",)


class MxSpainPatientRecognizer(MxSpainRecognizer):
    """Age, sex and the like of the patient; rules in ``patient.yaml``."""

    ENTITIES = (
        "ES_EDAD_SUJETO_ASISTENCIA",
        "ES_SEXO_SUJETO_ASISTENCIA",
        "ES_PROFESION",
        "ES_OTROS_SUJETO_ASISTENCIA",
    )


class MxSpainNameRecognizer(MxSpainRecognizer):
    """Names of patients and of staff; rules in ``names.yaml``."""

    ENTITIES = ("ES_NOMBRE_SUJETO_ASISTENCIA", "ES_NOMBRE_PERSONAL_SANITARIO")


class MxSpainInstitutionRecognizer(MxSpainRecognizer):
    """Hospitals, health centres, other institutions; ``institutions.yaml``."""

    ENTITIES = ("ES_HOSPITAL", "ES_CENTRO_SALUD", "ES_INSTITUCION")


class MxSpainPlaceRecognizer(MxSpainRecognizer):
    """Streets, postal codes, towns, regions, countries; rules in ``places.yaml``."""

    ENTITIES = ("ES_CALLE", "ES_TERRITORIO", "ES_PAIS")


class MxSpainRelativeRecognizer(MxSpainRecognizer):
    """Relatives of the patient, by kinship or name; rules in ``relatives.yaml``."""

    ENTITIES = ("ES_FAMILIARES_SUJETO_ASISTENCIA",)
