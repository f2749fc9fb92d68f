"""Surrogates of institutions: their kind stays, their number, place or name changes.

What names none ("Hospital General con Medicina Familiar") stays as it is; a name of
its own that no other of its kind is known for becomes the tag.
"""

import re
from collections.abc import Sequence
from functools import cache

from presidio_mx.replace.addresses import other_street
from presidio_mx.replace.context import Context, tag_of
from presidio_mx.replace.names import Names, bearer_of, write_name
from presidio_mx.replace.places import some_town, surrogate_place
from presidio_mx.replace.shapes import other_number
from presidio_mx.replace.spoken import other_number_words
from presidio_mx.replace.states import other_demonym, other_marker
from presidio_mx.spanish.dates import MONTHS
from presidio_mx.spanish.gazetteer import rows
from presidio_mx.spanish.institutions import (
    LEGAL_FORM,
    Institution,
    acronym_in,
    kind_words,
    parse_institution,
)
from presidio_mx.spanish.name_lists import PARTICLES, name_lists
from presidio_mx.spanish.names import parse_name
from presidio_mx.spanish.parts import Part
from presidio_mx.spanish.places import atlas
from presidio_mx.spanish.words import listed, words
from presidio_mx.spanish.writing import (
    first_word,
    match_case,
    place_key,
    strip_accents,
    written_like,
)
from presidio_mx.text.folding import fold, fold_key

_WORD = re.compile(r"[^\W\d_]+")
# What may follow an article or "San" in the name of an institution or firm.
_AFTER = {
    "de las": listed("institution_after_de_las"),
    "de los": listed("institution_after_de_los"),
    "de la": listed("institution_after_de_la"),
    "del": listed("institution_after_del"),
    "las": listed("institution_after_de_las"),
    "los": listed("institution_after_de_los"),
    "la": listed("institution_after_de_la"),
    "el": listed("institution_after_el"),
}
_SAINTS = {
    "san": listed("institution_after_san"),
    "santa": listed("institution_after_santa"),
}
_HOPEFUL, _AFTER_TRADE = listed("institution_hopeful"), listed("firm_after_trade")
_BRANDS = listed("institution_brand")
_ACRONYMS = frozenset(("abc", "mac", "cima"))
_CIVIC = listed("civic_date")
_PAPERS, _OTHER_PAPERS = words("newspaper"), listed("newspaper_neutral")
_OF_COUNTRY = words("institution_of_the_country")
_SIX_GRADES = words("school_of_six_grades")
_UNIVERSITIES = tuple(n.upper() for n in listed("university_of_many_states"))
_NATIONAL = re.compile(r"(?:instituto|centro|hospital)\s+nacional\s+de\s+")
_REGIONAL = tuple(
    f"{kind} de"
    for kind in (
        *("Instituto Estatal", "Instituto Regional", "Centro Estatal"),
        *("Centro Regional", "Hospital Regional"),
    )
)
_INNER_PARTICLE = re.compile(r"(?<=\s)(?:De|La|Las|Los|El|Y|A)(?=\s)")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")
_SMALL = PARTICLES | {"para", "con", "en", "y"}
_FIRM_KINDS = ("Grupo", "Industrias", "Corporación", "Proyectos")
_FIRM_SURNAMES = 150  # the commonest: a firm's name says nothing of its owner
_HEALTHY = re.compile(r"salud|medic|clinic|hospit|dialis|univers|\bmed\b|imss|isss?te")
_VOWEL = re.compile(r"[aeiou]")
_MIXED = re.compile(r"[A-Z]{2,}[a-z][A-Z]+")  # "SEPyC"


def titled(name: str) -> str:
    """Return a name with capitals, its particles inside without: "Camino de Luz".

    :param name: In small letters.
    """
    if name in _ACRONYMS:
        return name.upper()
    return _INNER_PARTICLE.sub(lambda match: match[0].lower(), name.title())


def _drawn(choices: Sequence[str], text: str, label: str, context: Context) -> str:
    """Return one of some names that shares no word with a text, in its case."""
    own = set(map(fold_key, _WORD.findall(text))) - _SMALL - {"san", "santa"}
    free = [n for n in choices if not own & set(fold_key(n).split())] or list(choices)
    at = context.draw.number(len(free), label, fold_key(text))
    name = free[at]
    return written_like(text, titled(name) if name.islower() else name)


def surrogate_institution(text: str, context: Context) -> str:
    """Return the surrogate of an institution.

    A listed one becomes another one of its kind; otherwise words of kind stay, numbers
    become other numbers, places and names what they become elsewhere.

    :param text: E.g. ``HGZ 83`` or ``Hospital General de Apatzingán``.
    :param context: Key, settings, what the note says.
    :return: An institution of the same kind; the text itself where it names none, the
        tag where its name cannot be replaced.
    """
    text = _POSSESSIVE.sub("", text)
    key = fold_key(text)
    national = _NATIONAL.match(fold(text))
    if national:  # each has its speciality: another institute of it
        speciality = _without_person(text[national.end() :])
        kind = _REGIONAL[
            context.draw.number(len(_REGIONAL), "national", fold_key(speciality))
        ]
        return f"{match_case(text, kind)} {speciality}"
    if key in _PAPERS:
        return _drawn(_OTHER_PAPERS, text, "newspaper", context)
    if first_word(text) in _OF_COUNTRY:
        return tag_of("ORGANIZATION")
    found = parse_institution(text)
    kinds = {part.kind for part in found.parts} - {""}
    if not kinds and not any(map(str.isdigit, text)):
        return text
    if "brand" not in kinds:
        other = _other_listed(text, context)
        if other is not None:
            return written_like(text, other)
    acronym = acronym_in(text)
    if acronym and "own" in kinds:
        return _of_acronym(acronym, context)
    if found.parts and not found.family:
        first = found.parts[0].kind
        one_name = first == "name" and len(found.parts) == 1 and " " not in text
        if first == "own" or one_name:  # "empleado de Alfa" is of a firm
            return _unkinded(found, text, context)
    written = _written(found, context)
    return tag_of("ORGANIZATION") if written is None else written


def _without_person(speciality: str) -> str:
    """Return a speciality without whom its institute is named after."""
    for word in _WORD.finditer(speciality):
        if word.start() and name_lists().is_given(fold_key(word.group())):
            return speciality[: word.start()].strip(' ,"“')
    return speciality


def _written(found: Institution, context: Context) -> str | None:
    """Return the parts written anew; None if one of them cannot be replaced."""
    parts: list[str] = []
    for number, part in enumerate(found.parts):
        new = _image(found, number, "".join(parts), context) if part.kind else part.text
        if new is None:
            return None
        parts.append(new)
    return "".join(parts)


def _image(
    found: Institution, number: int, before: str, context: Context
) -> str | None:
    part, draw = found.parts[number], context.draw
    text, key = part.text, part.key
    if part.kind == "number":
        return other_number(text, "institution", draw)
    if part.kind == "words":
        return other_number_words(text, draw, least=1)
    if part.kind == "date":
        free = [d for d in _CIVIC if d.split()[0] != text.split()[0].strip("°ºo")]
        civic = free[draw.number(len(free), "civic date", key)]
        return match_case(text, titled(civic))
    if part.kind == "grade":
        most = 6 if found.head in _SIX_GRADES else 3
        return str(1 + draw.permute(most, min(int(text), most) - 1, "grade", most))
    if part.kind == "month":
        return match_case(text, MONTHS[draw.permute(12, MONTHS.index(key), "month")])
    if part.kind == "place":
        return _place(part, context)
    if part.kind == "demonym":
        return other_demonym(text, context) or None
    if part.kind == "marker":
        return other_marker(text, context)
    if part.kind == "brand":
        return _drawn(_BRANDS, text, "brand", context)
    if part.kind == "saint":
        head = text.split()[0]
        kind = "san" if fold(head) in ("san", "sto") else "santa"
        return (
            f"{head} {_drawn(_SAINTS[kind], text[len(head) :].strip(), kind, context)}"
        )
    if part.kind == "name":
        return _name(found, part, before, context)
    return _own(found, part, before, context)


def _place(part: Part, context: Context) -> str:
    key = place_key(part.text)
    world = atlas()
    known = world.has_town(key) or key in world.state_forms or key in context.note.towns
    if known:
        return surrogate_place(part.text, context)
    return written_like(part.text, some_town(key, context))


def _article(before: str) -> str:
    """Return the article that ends a text: "de la", "los"; empty if there is none."""
    ended = f" {fold_key(before)}"
    return next((a for a in _AFTER if ended.endswith(f" {a}")), "")


def _name(found: Institution, part: Part, before: str, context: Context) -> str | None:
    """Return another name for that of a person: a hero's for schools, else by words."""
    article = _article(before)
    if article and (found.family == "parish" or " " not in part.text):
        return (
            None
            if found.family == "parish"
            else _drawn(_AFTER[article], part.text, article, context)
        )
    if found.family == "school" or " " not in part.text.strip():
        if found.family == "charity":
            return _drawn(_HOPEFUL, part.text, "hopeful", context)
        if found.family == "school" and " " in part.text:
            return written_like(
                part.text, other_street("hero", part.text, context.draw)
            )
    name = parse_name(part.text)
    return write_name(part.text, name, bearer_of(name), Names(context))


def _own(found: Institution, part: Part, before: str, context: Context) -> str | None:
    """Return another name for words of no person or place; None if none is known."""
    article = _article(before)
    if article and (len(part.text.split()) <= 2 or found.family == "charity"):
        return _drawn(_AFTER[article], part.text, article, context)
    other = _other_listed(part.text, context)
    if other is not None or acronym_in(part.text):
        return other
    if found.family == "charity":
        return _drawn(_HOPEFUL, part.text, "hopeful", context)
    if found.family == "school":
        return written_like(part.text, other_street("hero", part.text, context.draw))
    if found.family == "firm":
        return _drawn(_AFTER_TRADE, part.text, "after trade", context)
    if found.family == "parish":
        saint = _drawn(_SAINTS["san"], part.text, "parish", context)
        return f"{match_case(part.text, 'San')} {saint}"
    if found.family == "health" and before.strip().isalpha():
        return _drawn(_BRANDS, part.text, "brand", context)
    return None


def _unkinded(found: Institution, text: str, context: Context) -> str:
    """Return another name where nothing says what kind of institution it is."""
    first = found.parts[0]
    rest = "".join(part.text for part in found.parts[1:])
    acronym = acronym_in(first.text.split()[0]) is not None
    opens = acronym and not (text.isupper() and _VOWEL.search(first.key.split()[0]))
    if _HEALTHY.search(first.key) or _MIXED.fullmatch(first.text) or opens:
        return tag_of("ORGANIZATION")
    if any(part.kind for part in found.parts[1:]):
        return tag_of("ORGANIZATION")
    legal = LEGAL_FORM.search(text)
    association = legal and re.search(r"A\.?\s?C\.?$", text)
    if association or set(first.key.split()) & words("hopeful_word"):
        return _drawn(_HOPEFUL, first.text, "hopeful", context) + rest
    return _drawn(_firms(), first.text, "firm", context) + rest


@cache
def _firms() -> tuple[str, ...]:
    """Return names of firms that say no trade: "Grupo Zavala"."""
    listed = name_lists().surnames.values()
    common = sorted(listed, key=lambda name: (-name.share, name.text))[:_FIRM_SURNAMES]
    return tuple(f"{kind} {name.text}" for kind in _FIRM_KINDS for name in common)


@cache
def _listed() -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return folded name: class, and class: names, of the listed institutions.

    A class has one kind and one first word, so that no clinic becomes a hospital;
    names that hold a place, a number or a person are in none, nor national institutes.
    """
    kinds: dict[str, str] = {}
    members: dict[str, list[str]] = {}
    for row in rows("institutions"):
        key = fold_key(row["name"])
        if key.startswith("instituto nacional"):
            continue
        found = parse_institution(row["name"])
        telling = {"place", "number", "name", "date", "marker", "demonym"}
        if key not in kinds and not telling & {part.kind for part in found.parts}:
            head = [w for w in key.split() if w not in PARTICLES]
            more = [w for w in head[1:2] if w in kind_words()]
            kinds[key] = f"{row['kind']} {' '.join([*head[:1], *more])}"
            members.setdefault(kinds[key], []).append(row["name"])
        for acronym in filter(None, row.get("acronym", "").split(";")):
            if fold_key(acronym) not in kinds:
                kinds[fold_key(acronym)] = f"{row['kind']} acronym"
    return kinds, {kind: tuple(names) for kind, names in members.items()}


def _other_listed(text: str, context: Context) -> str | None:
    """Return the institution that a listed one becomes; None if it is in no class."""
    kinds, members = _listed()
    key = fold_key(text)
    kind = kinds.get(key, "")
    if kind == "university acronym":  # not that of another state
        names = [n for n in _UNIVERSITIES if fold_key(n) != key]
        return names[context.draw.number(len(names), "university", key)]
    names = list(members.get(kind, ()))
    at = next((i for i, n in enumerate(names) if fold_key(n) == key), -1)
    if len(names) < 2 or at < 0:
        return None
    first = context.draw.permute(len(names), at, "institution", kind)
    own = {w for w in key.split() if w not in kind_words() | PARTICLES}
    for step in range(len(names)):
        other = fold_key(names[(first + step) % len(names)])
        if other != key and not own & set(other.split()) and key not in other:
            return names[(first + step) % len(names)]
    return None


def _of_acronym(match: re.Match[str], context: Context) -> str:
    """Return the acronym of the surrogate of its long form in the note, or the tag."""
    for name in context.note.institutions:
        widths = _split(fold_key(match[2]), _named(name))
        if len(widths) < 2:
            continue
        new = _named(surrogate_institution(name, context))
        if len(new) >= len(widths):
            pieces = (w[:n] for w, n in zip(new, widths, strict=False))
            acronym = strip_accents("".join(pieces)).upper()
            if acronym != strip_accents(match[2]):
                return match[1] + acronym + match[3]
        break
    return tag_of("ORGANIZATION")


def _named(name: str) -> list[str]:
    return [w for w in map(fold_key, _WORD.findall(name)) if w not in _SMALL]


def _split(letters: str, names: Sequence[str]) -> list[int]:
    """Return how many letters of each word of a name its acronym has."""
    if not names:
        return []
    for width in range(1, min(len(letters), len(names[0])) + 1):
        if letters[:width] != names[0][:width]:
            break
        if width == len(letters):
            return [width]
        if rest := _split(letters[width:], names[1:]):
            return [width, *rest]
    return []
