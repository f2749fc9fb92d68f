"""What the key of a value says of it, for formats of records and for exports."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from presidio_mx.find.structure.meanings import load_meanings
from presidio_mx.find.structure.parts import key_of
from presidio_mx.find.structure.shapes import empty
from presidio_mx.text.folding import fold
from presidio_mx.work.documents.public import fhir_names, is_public
from presidio_mx.work.documents.structured import Read

Sure = tuple[str, str | None]

# Entities by what a field holds (``recognizers/fields.yaml``).
_ENTITIES = {
    **dict.fromkeys(("name", "initials", "login", "user"), "PERSON"),
    **dict.fromkeys(("street", "house", "address", "zip"), "ADDRESS"),
    **dict.fromkeys(("institution", "organization"), "ORGANIZATION"),
    **dict.fromkeys(("record", "code", "codes"), "MEDICAL_RECORD"),
    "place": "LOCATION",
    "age": "AGE",
    "date": "DATE_TIME",
    "phone": "PHONE_NUMBER",
    "email": "EMAIL_ADDRESS",
    "curp": "MX_CURP",
    "rfc": "MX_RFC",
    "nss": "MX_NSS",
    "ine": "MX_INE",
    "license": "MX_PROFESSIONAL_LICENSE",
    "plate": "MX_LICENSE_PLATE",
    "account": "MX_CLABE",
}
_NUMBERED = frozenset({"DATE_TIME", "AGE", "PHONE_NUMBER", "ADDRESS", "MEDICAL_RECORD"})
_WORDS_OF_NAME = re.compile(r"[^\W\d_]+\.?(?:[ '-]+[^\W\d_]+\.?){0,6}")
_MOST_WORDS_OF_CONCEPT = 8
_LONGEST_UNIT = 16
_ROLES = {
    "Patient": "patient",
    "Person": "patient",
    "RelatedPerson": "relative",
    "Practitioner": "staff",
    "PractitionerRole": "staff",
}
_RELATIVES = frozenset({"contact", "RelatedPerson"})
# A file in a value, whatever its length.
_FILES = frozenset(
    ("data", "b64", "base64", "binary", "contenido", "archivo", "adjunto", "imagen")
    + ("foto", "fotografia", "pdf", "documento", "file", "content", "firmadigital")
    + ("huella", "blob", "image", "photo", "attachment", "sigdata", "documentopdf")
)
_FILE_NEAR = frozenset({"contentType", "mimeType", "mime", "mimetype", "sigFormat"})
_URI = re.compile(r"(?:https?|urn|ftp|oid|mailto|tel):\S+")
_CODE = re.compile(r"(?!.*\d{7})[A-Za-z0-9][\w.:/+*^{}\[\]%-]{0,39}")
# Codes of persons have the form of codes, too (CURP, RFC).
_OF_PERSON = re.compile(r"(?i)[A-ZÑ&]{3,4}\d{6}\w{0,9}|.*@.*")
DATE = re.compile(
    r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?)?)?"
)
"""A date or time as FHIR writes it."""
_FULL_DATE = re.compile(r"\d{4}-\d\d.*")
_QUESTIONS = ("text", "pregunta", "question", "campo", "etiqueta", "label", "variable")
_ANSWERS = frozenset(
    ("answer", "respuesta", "contestacion", "valor", "value", "answers", "respuestas")
)


class Told(NamedTuple):
    """What is known of a value before anybody reads it.

    :param read: How it is looked at.
    :param sure: What it identifies, and whose role.
    :param file: Whether it is a file in letters.
    """

    read: Read = Read.FIELD
    sure: Sure | None = None
    file: bool = False


KEPT = Told(Read.KEPT)


class Around(NamedTuple):
    """What stands around a value.

    :param keys: Keys of the objects around it, from the outermost.
    :param siblings: Keys beside it with their texts; what is no text is empty.
    :param resource: Type of the FHIR resource around; empty outside of one.
    :param question: What it answers, if it does.
    """

    keys: Sequence[str]
    siblings: dict[str, str]
    resource: str = ""
    question: str = ""


def told(key: str, text: str, around: Around) -> Told:
    """Return what its key and the objects around it tell of a text.

    :param key: Its key.
    :param text: The text.
    :param around: What stands around it.
    """
    if key_of(key) in _FILES and (
        around.siblings.keys() & _FILE_NEAR or _is_file(text)
    ):
        return Told(file=True)
    if is_public(text):
        return KEPT
    if around.resource:
        found = _told_by_fhir(key, text, around)
        if found is not None:
            return found
    if _is_concept(key, text, around):
        return KEPT
    if _URI.fullmatch(text):
        entity = {"tel": "PHONE_NUMBER", "mailto": "EMAIL_ADDRESS"}
        return Told(sure=(entity.get(text.partition(":")[0], "URL"), None))
    if around.question:
        return Told(Read.PROSE, answer_to(around.question, text))
    return Told()


def _is_file(text: str) -> bool:
    from presidio_mx.work.documents.public import encoded

    return encoded(text)


def answer_to(question: str, text: str) -> Sure | None:
    """Return what the answer to a question identifies, if the question tells it.

    :param question: E.g. "Número de expediente".
    :param text: The answer.
    """
    meaning = load_meanings().of_label(question.strip(" ¿?:."))
    entity = _ENTITIES.get(meaning.holds) if meaning is not None else None
    if meaning is None or entity is None or empty(fold(text)):
        return None
    if entity in _NUMBERED and not any(map(str.isdigit, text)):
        return None
    if entity == "PERSON" and not _WORDS_OF_NAME.fullmatch(text.strip()):
        return None
    return entity, meaning.role if entity == "PERSON" else None


def question_of(siblings: dict[str, str]) -> str:
    """Return the question among the texts of an object.

    :param siblings: Its keys and texts.
    """
    by_key = {key_of(key): text for key, text in siblings.items()}
    if not by_key.keys() & _ANSWERS:
        return ""
    return next((by_key[key] for key in _QUESTIONS if by_key.get(key)), "")


def is_answer(key: str) -> bool:
    """Tell whether a key holds an answer."""
    return key_of(key) in _ANSWERS


def _is_concept(key: str, text: str, around: Around) -> bool:
    """Tell whether a name is that of a diagnosis, a drug, a test: of nobody."""
    meanings = load_meanings()
    meaning = meanings.of_label(key)
    if meaning is None or meaning.holds != "name" or not around.keys:
        return False
    holder = key_of(around.keys[-1])
    return (holder in meanings.catalogues or holder in meanings.institutions) and len(
        text.split()
    ) <= _MOST_WORDS_OF_CONCEPT


def is_code(text: str) -> bool:
    """Tell whether a text has the form of a code and not that of a person's."""
    return bool(_CODE.fullmatch(text)) and not _OF_PERSON.fullmatch(text)


def _told_by_fhir(key: str, text: str, around: Around) -> Told | None:
    siblings = around.siblings
    parent = around.keys[-1] if around.keys else ""
    if key in ("code", "display") and ("system" in siblings or "code" in siblings):
        coded = not around.siblings.get("system") or is_public(siblings["system"])
        if coded and (key == "display" or is_code(text) or siblings.get("system")):
            return KEPT
    unit = key == "unit" and len(text) < _LONGEST_UNIT
    if unit or (key in fhir_names("codes") and is_code(text)):
        return KEPT
    if key in fhir_names("dates") and DATE.fullmatch(text):
        whole = _FULL_DATE.fullmatch(text) or key == "birthDate"
        return Told(sure=("DATE_TIME", None)) if whole else Told()
    if parent in ("name", "maiden") and key in ("family", "given", "text"):
        return Told(sure=("PERSON", role_around(around)))
    if parent == "address":
        if key in ("line", "text", "postalCode"):
            return Told(sure=("ADDRESS", None))
        if key in ("city", "district", "state"):
            return Told(sure=("LOCATION", None))
    if key == "value" and parent == "telecom":
        kind = {"email": "EMAIL_ADDRESS", "url": "URL"}
        return Told(sure=(kind.get(siblings.get("system", ""), "PHONE_NUMBER"), None))
    if key == "value" and parent == "identifier":
        return Told(sure=("MEDICAL_RECORD", None))
    if key == "display":
        whose = siblings.get("type") or siblings.get("reference", "").rpartition("/")[0]
        role = _ROLES.get(whose.rpartition("/")[2])
        if role and _WORDS_OF_NAME.fullmatch(text):
            return Told(sure=("PERSON", role))
    return None


def role_around(around: Around) -> str | None:
    """Return whose the names inside a FHIR resource are."""
    if _RELATIVES & set(around.keys):
        return "relative"
    return _ROLES.get(around.resource)
