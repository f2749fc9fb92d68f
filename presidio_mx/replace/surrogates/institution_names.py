"""The listed institutions, and the words that read well in names of others."""

import re
from functools import cache

from faker import Faker

from presidio_mx.replace.surrogates.atlas import atlas, place_key
from presidio_mx.replace.surrogates.case import match_case
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.lexicon import PARTICLES, lexicon
from presidio_mx.spanish.gazetteer import rows
from presidio_mx.spanish.words import listed, words
from presidio_mx.text.folding import fold_key

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
    "san": listed("institution_after_san"),
    "santa": listed("institution_after_santa"),
}
_HOPEFUL, _HOPEFUL_WORDS = listed("institution_hopeful"), words("hopeful_word")
_GENERIC = words("institution_kind", "institution_generic", "institution_kept")
_ADJECTIVES = listed("firm_adjective")
_UNIVERSITIES = tuple(n.upper() for n in listed("university_of_many_states"))
_LONGEST_PLACE = 4
_INNER_PARTICLE = re.compile(r"(?<=\s)(?:De|La|Las|Los|El|Y|A)(?=\s)")
# Of Faker's firms those that say no trade and sound like no law firm: "Grupo Zavala".
_FIRM = re.compile(r"(?:Grupo|Industrias|Corporación|Proyectos) ")
_SECOND_OWNER = re.compile(r"-\w+| y \w+")
_ATTEMPTS = 60
LEGAL_FORM = re.compile(
    r"(?:,? (?:S|A|C|e) ?\.? ?(?:[A-Z]\.|(?:en|de) [CR]\.).*| e Hijos)$"
)


def names_a_place(name: str) -> bool:
    """Tell whether the name of an institution holds that of a municipality or state.

    :param name: The name.
    :return: True for ``Hospital Civil de Tepic``; places behind other words than a
        preposition do not count, as most of them are names of people, too.
    """
    parts = place_key(name).split()
    world = atlas()
    for at, part in enumerate(parts[:-1]):
        if part not in ("de", "en", "del"):
            continue
        for width in range(1, _LONGEST_PLACE + 1):
            phrase = " ".join(parts[at + 1 : at + 1 + width])
            if phrase in world.municipalities or phrase in world.state_forms:
                return True
    return False


def _head(name: str) -> str:
    """Return the words that say what an institution is: "hospital general"."""
    found = [w for w in place_key(name).split() if w not in PARTICLES]
    return " ".join([*found[:1], *(w for w in found[1:2] if w in _GENERIC)])


@cache
def known_institutions() -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return folded name: class, and class: names, of the listed institutions.

    A class has one kind and one first word, so that no clinic becomes a hospital;
    names that hold a place are in none, as their places must agree with the note's. Nor
    are hospitals with a number or the name of somebody, as all know in which state they
    are, and national institutes, each of which has its speciality.
    """
    kinds: dict[str, str] = {}
    members: dict[str, list[str]] = {}
    for row in rows("institutions"):
        key = fold_key(row["name"])
        national = key.startswith("instituto nacional")
        named = row["kind"] == "hospital" and _names_somebody(row["name"])
        if key not in kinds and not (names_a_place(row["name"]) or national or named):
            kinds[key] = f"{row['kind']} {_head(row['name'])}"
            members.setdefault(kinds[key], []).append(row["name"])
        for acronym in row.get("acronym", "").split(";"):
            if acronym and not national and fold_key(acronym) not in kinds:
                short = f"{row['kind']} acronym"
                kinds[fold_key(acronym)] = short
                members.setdefault(short, []).append(acronym)
    return kinds, {kind: tuple(names) for kind, names in members.items()}


def _names_somebody(name: str) -> bool:
    """Tell whether a name holds a number or a given name: "Hospital Carlos Canseco"."""
    found = place_key(name).split()
    titled = any(word in ("dr", "dra", "lic", "fray", "gral") for word in found)
    borne = any(word in lexicon().words for word in found[1:])
    return titled or borne or any(c.isdigit() for c in name)


def _named_after(name: str) -> set[str]:
    """Return the words of a name that say which one it is."""
    return {w for w in place_key(name).split() if w not in _GENERIC | PARTICLES}


def listed_image(text: str, context: Context) -> str | None:
    """Return the institution that a listed one becomes.

    :param text: A name or acronym.
    :param context: The key.
    :return: Another one of its class; None if it is not listed or alone in its class.
    """
    kinds, members = known_institutions()
    key = fold_key(text)
    names = members.get(kinds.get(key, ""), ())
    if kinds.get(key) == "university acronym":  # not that of another state
        names = tuple(n for n in _UNIVERSITIES if fold_key(n) != key)
        return names[context.draw.number(len(names), "university", key)]
    if len(names) < 2:
        return None
    index = next(i for i, n in enumerate(names) if fold_key(n) == key)
    at = context.draw.permute(len(names), index, "institution", kinds[key])
    own = _named_after(text)
    for step in range(len(names)):
        # One hospital may stand twice, with "Dr." or without.
        other = names[(at + step) % len(names)]
        if fold_key(other) != key and len(own & _named_after(other)) < 2:
            return other
    return None


def titled(name: str) -> str:
    """Return a name with capitals, its particles inside without: "Camino de Luz".

    :param name: In small letters.
    """
    return _INNER_PARTICLE.sub(lambda match: match[0].lower(), name.title())


def after_article(before: str, phrase: str, context: Context) -> str | None:
    """Return what reads well behind an article or "San".

    :param before: What stands before in the name.
    :param phrase: What is replaced.
    :param context: The key.
    :return: A word; None if nothing of the kind stands before.
    """
    ended = f" {fold_key(before)}"
    for article, choice in _AFTER.items():
        if ended.endswith(f" {article}"):
            choices = [w for w in choice if fold_key(w) != fold_key(phrase)]
            number = context.draw.number(len(choices), article, fold_key(phrase))
            return match_case(phrase, titled(choices[number]))
    return None


def hopeful_name(text: str, context: Context) -> str | None:
    """Return another name for a home or group that is called "Nuevo Amanecer".

    :param text: The whole name.
    :param context: The key.
    :return: A name of the kind; None if it has no such word.
    """
    parts = fold_key(text).split()
    if not set(parts) & _HOPEFUL_WORDS:
        return None
    choices = [
        name for name in _HOPEFUL if not set(fold_key(name).split()) & set(parts)
    ]
    number = context.draw.number(len(choices), "hopeful", fold_key(text))
    return match_case(text, titled(choices[number]))


def adjective(before: str, token: str, context: Context) -> str | None:
    """Return another adjective behind a plural: "Autotransportes Peninsulares".

    :param before: What stands before in the name.
    :param token: The adjective.
    :param context: The key.
    :return: Another one; None if it is no such adjective.
    """
    last = fold_key(before).split()[-1:]
    if not (last and last[0].endswith("s") and fold_key(token).endswith("es")):
        return None
    choices = [w for w in _ADJECTIVES if fold_key(w) != fold_key(token)]
    number = context.draw.number(len(choices), "adjective", fold_key(token))
    return match_case(token, choices[number].capitalize())


def firm_name(text: str, context: Context, short: bool = False) -> str:
    """Return the name of a firm by Faker; the same for the same name in its scope.

    Other versions of Faker may give other names: machines that must agree need the
    same version.

    :param text: A firm that no list has.
    :param context: The key.
    :param short: Without its legal form: more of the name follows.
    :return: Another one.
    """
    faker = _faker()
    key = fold_key(text)
    for attempt in range(_ATTEMPTS):
        faker.seed_instance(context.draw.number(2**62, "firm", key, attempt))
        name = faker.company().replace("Corporacin", "Corporación")  # Faker's slip
        name = _SECOND_OWNER.sub("", name)
        odd = not _FIRM.match(name) or "," in LEGAL_FORM.sub("", name)
        if not odd and not set(key.split()) & set(fold_key(name).split()):
            break
    return match_case(text, LEGAL_FORM.sub("", name) if short else name)


@cache
def _faker() -> Faker:
    return Faker("es_MX")
