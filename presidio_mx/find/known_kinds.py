"""Kinds of known data, and the English and Spanish words that users say for them."""

from collections.abc import Mapping

from presidio_mx.text.folding import fold_key

# The field of presidio_mx.find.known.Known, the entity whose operator replaces such
# a value, and further words for it.
_KINDS = (
    ("patient", "PERSON", "paciente nombre name derechohabiente"),
    ("relatives", "PERSON", "familiar familiares pariente parientes relative"),
    ("staff", "PERSON", "medico medica doctor doctora personal"),
    ("others", "PERSON", "otro otros otra otras persona personas other"),
    ("phone", "PHONE_NUMBER", "telefono telefonos tel celular cel movil phones"),
    ("address", "ADDRESS", "domicilio dom direccion"),
    ("location", "LOCATION", "municipio ciudad localidad lugar city"),
    ("email", "EMAIL_ADDRESS", "correo mail correo electronico"),
    ("curp", "MX_CURP", ""),
    ("rfc", "MX_RFC", ""),
    ("nss", "MX_NSS", "afiliacion"),
    ("record", "MEDICAL_RECORD", "expediente folio"),
)
ENTITY_OF_KIND: Mapping[str, str] = {kind: entity for kind, entity, _ in _KINDS}
ROLE_OF_KIND: Mapping[str, str] = {
    "patient": "patient",
    "relatives": "relative",
    "staff": "staff",
    "others": "other",
}
_KIND_OF_WORD: Mapping[str, str] = {
    word: kind for kind, _, words in _KINDS for word in (kind, *words.split())
}


def kind_of(word: str) -> str | None:
    """Return the kind of known data that an English or Spanish word stands for.

    :param word: E.g. ``paciente``, ``tel``, ``phone``.
    :return: A field of :class:`presidio_mx.find.known.Known`, or None.
    """
    return _KIND_OF_WORD.get(fold_key(word))


def kinds_listed() -> str:
    """Return the kinds with a Spanish word for each, for an error or a help text."""
    return ", ".join(
        f"{kind} ({words.split()[0]})" if words else kind for kind, _, words in _KINDS
    )
