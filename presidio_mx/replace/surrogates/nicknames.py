"""Nicknames: whose they can be, and those that a new name has."""

import re
from functools import cache

from presidio_mx.replace.surrogates.draw import Draw
from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.replace.surrogates.shape import strip_accents
from presidio_mx.spanish.gazetteer import rows
from presidio_mx.text.folding import fold_key

_SHORTEST, _SHORTEST_END = 3, 4
_DIMINUTIVE = re.compile(r"(.{3,}?)c?(?:it[oa]|in)")
_SMALL = ("ito", "ita")
# How the sound of a stem is written before an i.
_BEFORE_I = (("c", "qu"), ("g", "gu"), ("z", "c"))


def is_nickname(word: str) -> bool:
    """Tell whether a folded word is a nickname of the lists.

    :param word: Folded word.
    :return: True for ``maxi`` and ``tina``, False for ``carmen``, a name itself.
    """
    names = lexicon()
    entry = names.words.get(word)
    if entry is not None and entry.group.startswith(("nickname", "epithet")):
        return True
    return word in names.nicknames and word not in names.usual


def is_short_for(word: str, given: str) -> bool:
    """Tell whether a word can be a nickname of a given name.

    :param word: Folded word.
    :param given: Folded given name.
    :return: True where a list says so, and for a beginning ("maxi"), an end ("tina" of
        Clementina) or a diminutive that is no name itself.
    """
    names = lexicon()
    if given in names.nicknames.get(word, ()):
        return True
    larger = enlarged(word)
    if larger and given in names.nicknames[larger]:
        return True
    if word.endswith(_SMALL) and _of_other_sex(word, given):  # "Rosita", Rosalío
        return False
    if len(word) >= _SHORTEST_END and given not in names.words:
        # "Selmita" of Selma, "Anto" of Antonella, that no list has either
        known = word in names.words and not is_nickname(word)
        if not known and fold_key(diminutive(given)) == word:
            return True
    if word in names.words and not is_nickname(word):
        return False
    if word != given and is_nickname(word) and is_nickname(given):  # Tere, Teresita
        if set(names.nicknames[word]) & set(names.nicknames.get(given, ())):
            return True
    if given not in names.sexes or is_nickname(given) or word == given:
        return False
    small = _DIMINUTIVE.fullmatch(word)  # "Bernabecito", "Ramoncín"
    if fold_key(diminutive(given)) == word or (small and given.startswith(small[1])):
        return True
    if len(given) < len(word) + 2 or len(word) < _SHORTEST:
        return False
    stem = word[:-1] if word[-1] in "iy" and len(word) > _SHORTEST else word
    ends = len(word) >= _SHORTEST_END and given.endswith(word)
    return given.startswith(stem) or ends


def enlarged(word: str) -> str:
    """Return the listed nickname that a diminutive is of: "chela" for "chelita".

    :param word: Folded word.
    :return: Empty where it is none.
    """
    base = word[: -len("ito")] + word[-1] if word.endswith(_SMALL) else ""
    return base if base in lexicon().nicknames else ""


def _of_other_sex(word: str, given: str) -> bool:
    sex = lexicon().sexes.get(given, "")
    return sex == ("M" if word.endswith("a") else "F")


def diminutive(name: str, sex: str = "") -> str:
    """Return the diminutive of a given name: "Bernardito", "Moniquita".

    :param name: The name in its usual spelling.
    :param sex: F or M for a name whose end does not say it.
    :return: The diminutive, its written accent left out.
    """
    plain = "".join(c if c in "ñÑ" else strip_accents(c) for c in name)
    last = plain[-1:].lower()
    women = last == "a" or (last != "o" and (sex or _listed_sex(name)) == "F")
    end = "ita" if women else "ito"
    if last in "nriyu":
        return plain + "c" + end
    stem = plain[:-1] if last in "aoe" else plain
    if stem.lower().endswith("i") and len(stem) > _SHORTEST:
        return stem[:-1] + end
    for sound, written in _BEFORE_I:
        hard = last in "ao" or sound == "z"
        if hard and stem.lower().endswith(sound):
            return stem[:-1] + written + end
    return stem + end


def _listed_sex(name: str) -> str:
    return lexicon().sexes.get(fold_key(name), "")


@cache
def _by_name() -> dict[str, tuple[str, ...]]:
    """Return folded given name to its folded nicknames of the lists."""
    found: dict[str, list[str]] = {}
    for row in sorted(rows("nicknames"), key=lambda row: fold_key(row["name"])):
        nickname = fold_key(row["name"])
        for given in filter(None, row["given"].split(";")):
            # "Chema" is of José María, not of any María.
            name = fold_key(given).split()[0]
            if " " not in nickname and nickname not in found.get(name, ()):
                found.setdefault(name, []).append(nickname)
    return {name: tuple(nicknames) for name, nicknames in found.items()}


def nickname_of(name: str, like: str, sex: str, draw: Draw) -> str:
    """Return a nickname of a new name.

    :param name: The new name in its usual spelling.
    :param like: The folded nickname that it stands for: a diminutive gets a diminutive.
    :param sex: F, M or empty.
    :param draw: Keyed numbers.
    :return: A listed one; its diminutive where no list has any.
    """
    names = lexicon()
    key, small = fold_key(name), like.endswith(_SMALL)
    own = key
    base = names.nicknames.get(key, ()) if is_nickname(key) else ()
    if base:  # "Tere" of Teresita, whose new name is "Lety"
        name, key = base[0].capitalize(), base[0]
    sex = _listed_sex(name) if _listed_sex(name) in ("F", "M") else sex
    fitting = [
        nickname
        for nickname in _by_name().get(key, ())
        if nickname not in (like, own)
        and is_nickname(nickname)
        and nickname.endswith(_SMALL) == small
        and _agrees(nickname, sex)
    ]
    if not fitting:
        return diminutive(name, sex)
    choice = fitting[draw.number(len(fitting), "nick", like)]
    entry = names.words.get(choice)
    return entry.text if entry else choice.capitalize()


def _agrees(nickname: str, sex: str) -> bool:
    """Tell whether somebody of a sex can be called so."""
    entry = lexicon().words.get(nickname)
    group = entry.group.split() if entry else []
    return not sex or not {"F", "M"} & set(group) or sex in group
