"""CDA (HL7 v3): which attributes are codes, which elements hold names or places."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from presidio_mx.work.documents.meanings import is_code
from presidio_mx.work.documents.public import is_public
from presidio_mx.work.documents.structured import Value

# Attributes of the data types and classes (CDA R2, HL7 v3 data types) with values of
# code systems, and those of tables and marks of the narrative.
_CODED = frozenset(
    ("classCode", "moodCode", "typeCode", "determinerCode", "nullFlavor", "unit", "use")
    + ("type", "mediaType", "representation", "language", "lang", "inversionInd")
    + ("negationInd", "contextControlCode", "contextConductionInd", "operator")
    + ("qualifier", "partType", "styleCode", "colspan", "rowspan", "border", "width")
    + ("align", "valign", "codeSystemVersion", "institutionSpecified", "independentInd")
    + ("compression", "integrityCheckAlgorithm", "schemaLocation", "cellpadding")
    + ("cellspacing", "listType", "assigningAuthorityName", "displayable")
)
_NAMED = frozenset({"displayName", "codeSystemName", "valueSet", "sdtcValueSet"})
_QUANTITY = re.compile(r"-?\d{1,6}(?:\.\d+)?")
_TIMES = frozenset(
    ("birthTime", "effectiveTime", "time", "low", "high", "center", "deceasedTime")
    + ("signatureTime", "width")
)
_TIME = re.compile(r"\d{4}(?:\d\d){0,5}(?:\.\d+)?(?:[+-]\d{4})?")
_PLACES = frozenset(("city", "county", "precinct", "state"))
_STREETS = frozenset(
    ("streetAddressLine", "streetName", "houseNumber", "houseNumberNumeric")
    + ("additionalLocator", "postBox", "postalCode", "unitID", "deliveryAddressLine")
    + ("buildingNumberSuffix", "streetNameBase", "addr", "censusTract")
)
_NAMES = frozenset(("given", "family", "name"))
_NOBODY = frozenset(
    ("manufacturedMaterial", "manufacturedLabeledDrug", "authoringDevice")
    + ("assignedAuthoringDevice", "playingDevice", "playingEntity", "material")
)
_INSTITUTIONS = re.compile(
    r"(?i)organization|custodian|facility|scopingentity|location"
)
_STAFF = re.compile(r"(?i)author|authenticator|assigned|performer|enterer|informant")
_RELATIVES = re.compile(r"(?i)guardian|participant|associated|related|relationship")


def is_coded(
    attribute: str, text: str, element: str, siblings: Mapping[str, str]
) -> bool:
    """Tell whether an attribute holds a code, a unit, a number that was measured.

    :param attribute: Its name without prefix.
    :param text: Its value.
    :param element: Name of its element.
    :param siblings: All attributes of the element.
    """
    if is_public(text):
        return True
    if attribute in ("codeSystem", "root"):
        return False  # one that is no identifier of the standard
    if element == "templateId":
        return is_code(text)
    system = is_public(siblings.get("codeSystem", ""))
    if attribute in _NAMED:
        return system and "code" in siblings
    if attribute == "code":
        return is_code(text) or system and not re.search(r"[\s@]", text)
    if attribute == "value" and element not in _TIMES:
        measured = "unit" in siblings or siblings.get("type", "") in (
            "PQ",
            "INT",
            "REAL",
        )
        measured = measured or text in ("true", "false") or element == "versionNumber"
        return measured and bool(_QUANTITY.fullmatch(text) or text in ("true", "false"))
    return attribute in _CODED and is_code(text.replace(" ", "_"))


def cda_value(attribute: str, value: Value, element: str) -> Value:
    """Return an attribute with what its element says of it.

    :param attribute: Its name without prefix.
    :param value: Its value.
    :param element: Name of its element.
    """
    if attribute in ("extension", "root"):
        return replace(value, sure=("MEDICAL_RECORD", None))
    if attribute == "value" and element == "telecom":
        kind = value.text.partition(":")[0].lower()
        entity = {"mailto": "EMAIL_ADDRESS", "http": "URL", "https": "URL"}.get(kind)
        return replace(value, sure=(entity or "PHONE_NUMBER", None))
    if attribute == "value" and _TIME.fullmatch(value.text):
        if len(value.text) < 6 and element != "birthTime":
            return value
        return replace(value, sure=("DATE_TIME", None), form=_TIME)
    return value


def cda_text(element: str, around: Sequence[str]) -> tuple[str, str | None] | None:
    """Return what the text of an element identifies, if its kind tells it.

    :param element: Its name.
    :param around: Names of the elements around, from the outermost.
    """
    near = [*around, element]
    if element in _STREETS and (element == "addr" or "addr" in around):
        return "ADDRESS", None
    if element in _PLACES and "addr" in around:
        return "LOCATION", None
    if element == "telecom":
        return "PHONE_NUMBER", None
    if element not in _NAMES or _NOBODY & set(near):
        return None
    holder = next((name for name in reversed(near) if name not in _NAMES), "")
    if _INSTITUTIONS.search(holder):
        return "ORGANIZATION", None
    if not any(word in holder.lower() for word in ("patient", "person", "guardian")):
        return None
    roles = ((_RELATIVES, "relative"), (_STAFF, "staff"))
    above = " ".join(around)
    for pattern, role in roles:
        if pattern.search(above):
            return "PERSON", role
    return "PERSON", "patient"
