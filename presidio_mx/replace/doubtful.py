"""Which findings get no surrogate: they are probably, or certainly, none.

A surrogate would silently change what a note says: a lab value, a dose, a colour of
triage. What is probably no identifier becomes the tag; what certainly is none stays.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from presidio_mx.entities import kind_of
from presidio_mx.replace.ages import CAP, is_age, read_age
from presidio_mx.replace.context import Settings
from presidio_mx.replace.places import state_in
from presidio_mx.replace.profiles import Profile
from presidio_mx.replace.spoken import is_spoken
from presidio_mx.spanish.name_likeness import is_short_for
from presidio_mx.spanish.name_lists import name_lists
from presidio_mx.spanish.ordinary import clinical_words, common_words, eponym_words
from presidio_mx.spanish.places import atlas
from presidio_mx.spanish.words import words
from presidio_mx.text.folding import fold, fold_key
from presidio_mx.text.spans import Span

# What a finding needs beyond the threshold. Of 120 notes read all five addresses
# between 0.5 and 0.75 were scales and findings ("FAST 7c. PPS 40"), and more than half
# of the names below 0.6 were none; numbers alone may be measurements.
_NUMBERS_MORE = 0.15
_MORE = {
    **{"ADDRESS": 0.25, "PERSON": 0.1, "MEDICAL_RECORD": 0.15, "ORGANIZATION": 0.1},
    **{"MX_LICENSE_PLATE": 0.15, "PHONE_NUMBER": 0.1, "DATE_TIME": 0.1},
}
# And of one word alone. In 793 notes 26 of 60 single words that were no names lay
# below 0.75, and 32 of 1,500 that were; below 0.6, 14 of 30 places that were none, and
# 7 of 889 that were.
_WORD_MORE = {"PERSON": 0.25, "LOCATION": 0.1}
# Names of ordinary or clinical words alone, with no title before: "BLANCO PERLA".
_ORDINARY, _SURE, _CLINICAL = 0.9, 0.95, 0.97
_NEAR, _NEXT_WORD = 24, 3
_DOSES = re.compile(r"\d{1,2}(?:[-–/]\d{1,2}){2,3}")
_GIVEN = re.compile(
    r"\b(?:gotas|gts|mg|ui|u|tabs?|tabletas?|caps?|capsulas?|ml|insulina|glargina|"
    r"nph|unidades|esquema)\.?,?\s*$"
)
# Four small numbers are a formula, of pregnancies ("7-6-0-0") or of insulin; a sex and
# a weight are a child's.
_FORMULA = re.compile(r"\d{1,2}(?:[-–/]\d{1,2}){3}|[FM] \d{3,4}")
# Columns that a finding runs across: "FC   84    8B    112" is no number.
_COLUMNS = re.compile(r"\S(?: {3,}|\t|\n)\S")
# What stands before a number that is a value, a product or a place in the house.
_VALUE_OF = re.compile(
    rf"\b(?:{'|'.join(w for w in sorted(words('measure_short')) if len(w) > 2)}|apgar|"
    r"capurro|silverman|gesta|para|ab|cesareas?|lote|lot|cpt|cie|modelo|implante|hab|"
    r"cama|ext|sonda|foley|nyha|ecog|nihss|sofa|peso|talla)\.?\s{0,2}[:=#]?\s{0,2}$"
)
_PRESSURE = re.compile(r"\bciento\b.*\b(?:con|sobre)\b")  # as it is dictated
_SHORT_DATE = re.compile(r"\d{1,2}[-/. ]\w{1,2}(?:[-/. ]\d{1,2})?")
_FEWEST_DIGITS = {"MX_NSS": 10, "MX_CLABE": 16, "CREDIT_CARD": 12, "PHONE_NUMBER": 3}
# Ends of words of medicine, of eight letters and more: no name of the lists has them.
_MEDICAL_END = re.compile(
    r"[a-z]{2,}(?:itis|osis|iasis|emias?|(?:[cdglnprt]i?n|bl|gl|br|li|el)omas?|patias?|"
    r"tomia|plastia|astenia|algias?|uria|plejia|rragia|scopia|grafia|terapia|trofia|"
    r"penia|cilina|oxacino|azol|pril|sartan|statina|pram|mab|parina)"
)
_LONG_WORD, _SHORT_WORD = 8, 3
_CODED = re.compile(r"\b[a-z]\d\d\.\d{1,2}:?\s+$")  # of ICD-10, before its words
_HOUR = re.compile(r"(?:[01]?\d|2[0-3])[.:][0-5]\d")
_OF_HOUR = re.compile(r"\s?(?:[ap]\.?\s?m\b|hrs?\b|horas\b)")
_ZONE = re.compile(r"\b(?:America|Europe|US|Etc|Mexico)/[A-Z][A-Za-z_]+")
# Behind a number these measure something; a name before a dose is a drug's.
_UNIT = re.compile(
    r"\s{0,2}(?:%|(?:mg|mcg|ml|mm ?hg|mmol|meq|cm|mm|kg|grs?|lpm|rpm|ng|pg|ui?|"
    r"unidades|fr|grados|puntos|latidos)(?![a-z]))"
)
_DOSE = re.compile(
    r"\s{1,2}(?:\d+(?:[.,/]\d+)?\s?(?:mg|mcg|ml|g|ui|u)\b|tab|caps|amp|\d+x\d)"
)
# What stands before an eponym: scales, signs, instruments, diseases.
_EPONYM = re.compile(
    r"\b(?:escala|indice|signo|maniobra|test|prueba|criterios?|clasificacion|score|"
    r"sindrome|sx|sd|enfermedad|enf|mal|fractura|fx|tecnica|incision|punto|triangulo|"
    r"pinzas?|tijeras?|sonda|cateter|separador|valva|aguja|canula|drenaje|protesis|"
    r"clavo|placa|tornillo|tincion|metodo|formula|ley|reflejo|ruidos?|lineas?|"
    r"posicion|aparato|fenomeno|tumor|linfoma|hernia|ulcera|absceso|vacuna|anillo|"
    r"ligamento|trompas?|glandulas?|cuerpos?|celulas?|esquema|dieta)"
    r"(?:\s+(?:de|del|tipo|con|para))?\s+$"
)
_INSTRUMENT = re.compile(r"\s*(?:curv|rect|rob|de\s+mayo|clinic|tijera)")
_NEXT_TO_NAME = re.compile(r"[\s,;:(|\"'/-]{1,5}$")
_COUNT_AND_MAYO = re.compile(r"\d{1,2}\s*[,;]\s*mayo")
_LED = words("said_of_men", "said_of_women", "said_of_both", "title_in_cell")
_LED |= words("said_of_men_called", "said_of_women_called", "title_proposed")
_COUNTED = frozenset({"MX_LICENSE_PLATE", "PHONE_NUMBER", "MEDICAL_RECORD", "ADDRESS"})
_COUNTED |= {"MX_PROFESSIONAL_LICENSE", "MX_NSS", "DATE_TIME", "DEVICE_ID", "LOCATION"}
# A field's name and its colon say what a value is: "Nombre: Eustaquio".
_LABEL = re.compile(r"[^\W\d_]\)?\s?[:=]\s{0,3}[\"']?$")
_OTHER_WORDS, _ALL_WORDS = re.compile(r"[^\W\d_]+"), re.compile(r"\w+")


def verdicts(
    text: str, spans: Sequence[Span], profile: Profile
) -> dict[tuple[int, int, str], str]:
    """Return which findings get no surrogate.

    :param text: The document.
    :param spans: Its entities.
    :param profile: Which operator treats which entity.
    :return: Span to ``tag`` or ``keep``.
    """
    sure = _sure_words(text, spans)
    found: dict[tuple[int, int, str], str] = {}
    named = {span.end for span in spans if kind_of(span.entity_type) == "PERSON"}
    for span, after in pairwise((*spans, None)):
        assert span is not None
        spec = profile.spec(span.entity_type)
        if spec.operator not in ("surrogate", "faker"):
            continue
        least = float(spec.params.get("tag_below", Settings.tag_below))
        if kind_of(span.entity_type) == "AGE":
            kept = spec.params.get("ages", Settings.ages) == "keep"
            verdict = "" if kept else _verdict_on_age(text, span, named)
        else:
            verdict = _verdict(text, span, least, sure)
        if after and spec.params.get("places") == "same_state":
            verdict = "tag" if _is_capital(text, span, after) else verdict
        if verdict:
            found[span.start, span.end, span.entity_type] = verdict
    return found


def _verdict_on_age(text: str, span: Span, named: set[int]) -> str:
    """Return what becomes of an age: a number may be one, or something else.

    :param text: The document.
    :param span: The age.
    :param named: Where names of persons end: what stands next to one is an age.
    """
    value = text[span.start : span.end]
    before = text[max(0, span.start - 2 * _NEAR) : span.start]
    apart = _NEXT_TO_NAME.search(before)
    if apart and span.start - len(apart[0]) in named:
        return ""
    if is_age(value, before, text[span.end : span.end + _NEAR]):
        return ""
    # An age of 90 and more tells of few; whether it is one is not known.
    return "tag" if (read_age(value) or 0) > CAP else "keep"


def _verdict(text: str, span: Span, least: float, sure: set[str]) -> str:
    kind, value = kind_of(span.entity_type), text[span.start : span.end]
    before = text[max(0, span.start - _NEAR) : span.start]
    behind = text[span.end : span.end + _NEAR]
    score = 1.0 if span.score is None else span.score
    if kind == "DATE_TIME":
        if _HOUR.fullmatch(value) and _OF_HOUR.match(fold(behind)):
            return "keep"
        if _COUNT_AND_MAYO.fullmatch(fold(value)) and _INSTRUMENT.match(fold(behind)):
            return "keep"
        if _DOSES.fullmatch(value) and _GIVEN.search(fold(before)):
            return "tag"
    if kind in _COUNTED and score < 1.0 and _is_value(kind, value, before, behind):
        return "tag"
    if score < _SURE and kind in _COUNTED and _COLUMNS.search(value):
        return "tag"
    if kind == "LOCATION" and _in_zone(text, span):
        return "tag"
    if kind == "PERSON" and score < 1.0 and _names_nobody(value):
        return "tag"
    if kind == "PERSON" and _is_clinical(value, before, behind, score):
        return "tag"
    if kind in ("PERSON", "LOCATION") and _has_other(kind, value, before, score):
        return "tag"
    return "tag" if least and score < least + _more(kind, value, sure) else ""


def _names_nobody(value: str) -> bool:
    """Tell whether a finding is but a title or a word of kinship: "nuera"."""
    found = [fold(word) for word in _ALL_WORDS.findall(value)]
    return bool(found) and all(
        word in _LED and not name_lists().knows(word) for word in found
    )


def _is_capital(text: str, span: Span, after: Span) -> bool:
    """Tell whether a town is called as its state, which stands behind it.

    "Puebla, Pue.": where states stay, it would stay with them.
    """
    if after.start - span.end > _NEXT_WORD:
        return False
    if {kind_of(s.entity_type) for s in (span, after)} != {"LOCATION"}:
        return False
    one, other = (state_in(text[s.start : s.end]) for s in (span, after))
    return one != "" and one == other


def _sure_words(text: str, spans: Sequence[Span]) -> set[str]:
    """Return the folded words of the names of several words that are trusted."""
    least = 0.5 + _WORD_MORE["PERSON"]
    return {
        word.strip(".,")
        for span in spans
        if kind_of(span.entity_type) == "PERSON"
        and (span.score is None or span.score >= least)
        and " " in text[span.start : span.end]
        for word in fold_key(text[span.start : span.end]).split()
    }


def _is_sure(key: str, sure: set[str]) -> bool:
    """Tell whether a word is one of them, or a nickname of one: "Chuy" of Jesús."""
    return key in sure or (
        name_lists().is_nickname(key) and any(is_short_for(key, word) for word in sure)
    )


def _more(kind: str, value: str, sure: set[str]) -> float:
    """Return what a value needs beyond the threshold."""
    if not any(c.isalpha() for c in value):
        return _NUMBERS_MORE
    alone = len(value.split()) == 1 and not _is_sure(fold_key(value), sure)
    return _WORD_MORE.get(kind, _MORE.get(kind, 0.0)) if alone else _MORE.get(kind, 0.0)


def _is_clinical(value: str, before: str, behind: str, score: float) -> bool:
    """Tell whether a name is one of medicine, or words that are no name.

    By lists, unless a title or kin stands before; and by what stands around it.
    """
    ahead = fold(before)
    if any(p.search(ahead) for p in (_EPONYM, _CODED)) or _DOSE.match(fold(behind)):
        return score < 1.0 or _all_in(value, clinical_words())
    if score >= _CLINICAL:
        return False
    led = re.findall(r"[a-z]+", ahead)[-1:]
    if led and led[0] in _LED:
        return False
    if score >= _ORDINARY and _LABEL.search(before):
        return False
    if _all_in(value, clinical_words()):
        return True
    names = name_lists()
    if any(
        names.is_usual(fold(w)) and names.is_given(fold(w))
        for w in _OTHER_WORDS.findall(value)
    ):
        return False
    return score < _ORDINARY and _all_in(value, common_words())


def _is_value(kind: str, value: str, before: str, behind: str) -> bool:
    """Tell whether what was found as a number is a value, by its form or neighbours."""
    if value[-1:].isdigit() and _UNIT.match(fold(behind)):
        return True
    if kind in ("ADDRESS", "LOCATION"):
        return False
    digits = sum(c.isdigit() for c in value)
    if not digits:
        pressure = _PRESSURE.search(fold(value)) is not None
        return kind != "DATE_TIME" and (pressure or not is_spoken(value))
    if _FORMULA.fullmatch(value):
        return True
    if digits < _FEWEST_DIGITS.get(kind, 0) and not any(map(str.isalpha, value)):
        return True
    if kind == "DATE_TIME" and not _SHORT_DATE.fullmatch(value):
        return False
    return _VALUE_OF.search(fold(before)) is not None


def _has_other(kind: str, value: str, before: str, score: float) -> bool:
    """Tell whether a word of a name or place is one of medicine, or all are of Spanish.

    A word that is also a name or a place counts as that. Where a finding is rather
    certain, only a word alone in small letters counts: "roséola" in a list of names.
    """
    found = [fold(word) for word in _ALL_WORDS.findall(value)]
    others = [word for word in found if _is_other(word)]
    if score < 1.0 and any(map(_is_medical, others)):
        return True
    small = len(found) == 1 and value.islower()
    if score >= (_CLINICAL if kind == "LOCATION" else _SURE) and not small:
        return False
    if kind == "LOCATION" and len(found) > 1:
        return False
    # Whose name has several words may bear that of an eponym: "Ana Phelan".
    clinical = [w for w in others if w in clinical_words()]
    if any(len(found) == 1 or w not in eponym_words() for w in clinical):
        return True
    if score == 1.0 or not others or len(others) < len(found):
        return False
    led = re.findall(r"[a-z]+", fold(before))[-1:]
    titled = bool(led) and led[0] in _LED
    return not titled and all(w in common_words() for w in others)


def _is_other(word: str) -> bool:
    """Tell whether a word of three letters and more is no name, place or title."""
    if len(word) < _SHORT_WORD or not word.isalpha() or word in _LED:
        return False
    world = atlas()
    place = world.has_town(word) or word in world.state_forms or word in world.foreign
    return not place and not name_lists().knows(word)


def _is_medical(word: str) -> bool:
    return len(word) >= _LONG_WORD and _MEDICAL_END.fullmatch(word) is not None


def _all_in(value: str, known: frozenset[str]) -> bool:
    return all(fold(word) in known for word in _OTHER_WORDS.findall(value))


def _in_zone(text: str, span: Span) -> bool:
    """Tell whether a town is part of a time zone: "tz=America/Hermosillo"."""
    near = max(0, span.start - _NEAR)
    return any(
        near + zone.start() <= span.start and span.end <= near + zone.end()
        for zone in _ZONE.finditer(text[near : span.end + 2 * _NEAR])
    )
