"""Fill anyone's tagged notes: {NOMBRE}, {DOM} ... become values that fit."""

import re
from collections.abc import Mapping
from functools import cache
from random import Random

from presidio_mx.entities import thesis_tags
from presidio_mx.research.corpora.synthesis import assemble
from presidio_mx.research.corpora.synthesis_case import Case, Value
from presidio_mx.text.folding import fold
from presidio_mx.text.spans import Note

_TAG = re.compile(r"[{<\[](?P<tag>[A-ZÁÉÍÓÚÑ_]{2,}?)(?:_(?P<number>\d+))?[}>\]]")
_SLOTS = {
    "PHONE_NUMBER": ("phone", "phone2"),
    "ADDRESS": ("address",),
    "LOCATION": ("city", "state", "city2"),
    "MX_CURP": ("curp",),
    "MX_RFC": ("rfc",),
    "MX_NSS": ("nss",),
    "MX_INE": ("ine",),
    "MEDICAL_RECORD": ("record", "folio", "matricula"),
    "MX_PROFESSIONAL_LICENSE": ("license", "license2"),
    "EMAIL_ADDRESS": ("email",),
    "URL": ("url",),
    "CREDIT_CARD": ("card",),
    "MX_CLABE": ("clabe",),
    "MX_LICENSE_PLATE": ("plate",),
    "ORGANIZATION": ("hospital", "clinic"),
}
_OTHER_TAGS = {
    "CEL": "PHONE_NUMBER",
    "CELULAR": "PHONE_NUMBER",
    "CORREO": "EMAIL_ADDRESS",
}
_OTHER_TAGS |= {"DIRECCION": "ADDRESS", "DOMICILIO": "ADDRESS", "LUGAR": "LOCATION"}
_STAFF = re.compile(
    r"\b(dra?|enf|lic|ts|t\.s|psic|mip|r[1-5]|medico|cirujan[oa]|adscrit[oa])\b\W*$"
)
_KIN = re.compile(
    r"\b(?P<kin>espos[oa]|hij[oa]|herman[oa]|mama|papa|madre|padre|familiar|suegr[oa]"
    r"|cunad[oa]|ti[oa]|abuel[oa]|niet[oa]|prim[oa]|sobrin[oa]|pareja)\b[\s,:(]*$"
)
_FEMALE = re.compile(
    r"\b(femenin[oa]|fem|la paciente|la pte|embarazada|sra|originaria)\b"
)
_BIRTH = re.compile(r"nac|f\.?\s*n\b|fdn")
_LOOK_BACK = 24


@cache
def _tags() -> Mapping[str, str]:
    """Return the entities by what a template may write between its brackets."""
    tags = thesis_tags()
    return {tag: e for e, tag in tags.items()} | {e: e for e in tags} | _OTHER_TAGS


def _sex_of_note(text: str) -> str:
    folded = fold(text)
    if _FEMALE.search(folded):
        return "F"
    male = re.search(r"\b(masculino|masc|el paciente|el pte|originario)\b", folded)
    return "M" if male else ""


class _Filler:
    """Chooses who and what each tag of one note is."""

    def __init__(self, text: str, random: Random) -> None:
        self.case = Case(random, _sex_of_note(text), (18, 90))
        self.random = random
        self.used: dict[str, int] = {}
        self.numbered: dict[tuple[str, str], Value] = {}

    def value(self, entity: str, number: str, before: str, after: str) -> Value:
        """Return what a tag becomes; the same number the same thing."""
        if number and (entity, number) in self.numbered:
            return self.numbered[entity, number]
        drawn = self._draw(entity, fold(before), fold(after))
        if number:
            self.numbered[entity, number] = drawn
        return drawn

    def _draw(self, entity: str, before: str, after: str) -> Value:
        if entity == "PERSON":
            return self._person(before)
        turn = self.used.get(entity, 0)
        self.used[entity] = turn + 1
        if entity == "AGE":
            has_unit = re.match(r"\s*(anos|a\b|meses)", after)
            return self.case.value("age.n" if has_unit else "age")
        if entity == "DATE_TIME":
            if _BIRTH.search(before):
                return self.case.value("birth")
            return self.case.value("date" if turn == 0 else f"date-{turn * 3}")
        if entity == "IP_ADDRESS":
            return Value(f"192.0.2.{self.random.randint(1, 254)}", entity)
        if entity == "LOCATION" and re.search(r",\s*$", before) and turn:
            return self.case.value("state")
        slots = _SLOTS[entity]
        return self.case.value(slots[min(turn, len(slots) - 1)])

    def _person(self, before: str) -> Value:
        kin = _KIN.search(before)
        if _STAFF.search(before):
            return self._next("staff", ("doctor", "doctor2", "nurse", "ts"))
        if kin:
            word = kin["kin"]
            if word in ("mama", "madre"):
                return self.case.value("mother")
            if word in ("papa", "padre"):
                return self.case.value("father")
            if word[:-1] == "espos" or word == "pareja":
                return self.case.value("partner")
            female = word.endswith("a")
            return self.case.value("daughter" if female else "son")
        return self._next("other", ("patient", "friend", "relative", "clerk"))

    def _next(self, group: str, slots: tuple[str, ...]) -> Value:
        turn = self.used.get(group, 0)
        self.used[group] = turn + 1
        return self.case.value(slots[min(turn, len(slots) - 1)])


def fill_tagged(name: str, text: str, seed: int = 0) -> Note:
    """Return a note whose tags are replaced by invented values that fit.

    Known tags are the thesis's ({NOMBRE}, {DOM}, {TEL}, {CIUDAD} ...), Presidio's
    (<PERSON>) and both with numbers; what is in braces otherwise stays.

    :param name: Id of the note.
    :param text: The tagged note.
    :param seed: Another seed, other values.
    :return: The note with its gold spans.
    """
    random = Random(f"{seed}:{name}")
    filler = _Filler(text, random)
    pieces, position = [], 0
    for match in _TAG.finditer(text):
        entity = _tags().get(match["tag"])
        if entity is None:
            continue
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        after = text[match.end() : match.end() + _LOOK_BACK]
        pieces.append(Value(text[position : match.start()]))
        pieces.append(filler.value(entity, match["number"] or "", before, after))
        position = match.end()
    pieces.append(Value(text[position:]))
    return assemble(name, pieces)
