"""What a word is in the name it stands in: given name, surname, nickname."""

from presidio_mx.replace.surrogates.bearer import Bearer
from presidio_mx.replace.surrogates.calendar import MONTHS
from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.spanish.words import words

_BOTH, _SECOND = words("name_of_both"), words("name_second")
_FORMAL = words("name_formal_too")
# Names of one sex that stand for one of both are of the second band: common, not first.
BAND = 1
_FULL_NAME = 3
_RARE_SURNAMES = ("surname 2", "surname 3", "surname 4")


def told_by_name(key: str, bearer: Bearer) -> str:
    """Return the class of names that the rest of a name and its title ask for.

    :param key: Folded word.
    :param bearer: Who bears the name.
    :return: Name of a class; empty where the word says for itself what it is.
    """
    names, sex = lexicon(), bearer.sex
    listed, first = names.sexes.get(key, ""), bearer.words[:1] == (key,)
    entry = names.words.get(key)
    if entry and entry.group.startswith(("nickname", "epithet")):
        if _names_family(key, bearer):  # "Nicolás Febrero Toto", "Artemio Lobo"
            return "surname 3"
        if first and len(bearer.words) > 1 and key in _FORMAL:  # "Ciro Menchaca"
            return f"given {sex or entry.group.split()[1]} {BAND}"
        if sex and first and sex != entry.group.split()[1]:  # "Doña Chuy"
            kind = "given" if len(bearer.words) > 1 else "nickname"
            return f"{kind} {sex} {BAND}"
    if not sex:
        return ""
    other = listed in ("F", "M") and listed != sex
    either = key in _BOTH or (listed == "U" and names.is_given(key))
    if either or (
        other and (_is_second(key, bearer) or (key in _SECOND and not first))
    ):
        return f"given {sex} {BAND}"
    more = bearer.words[1:]
    if other and first and names.is_given(key) and not any(map(names.is_given, more)):
        # "su primo Denis", "Don Isabel Sulub"; "Dra. Santiago" is a surname.
        kind = f"given {sex}" if bearer.called or more else "surname"
        return f"{kind} {BAND}"
    return ""


def opening_sex(key: str, bearer: Bearer) -> str:
    """Return the sex of a surname that is a given name here: "Lucero Mora Cano".

    :param key: Folded word.
    :param bearer: Who bears the name.
    :return: F or M; empty if it is a surname, or the name has another given name.
    """
    names = lexicon()
    entry, sex = names.words.get(key), names.sexes.get(key, "")
    group = entry.group if entry else ""
    # Mexico hardly has "Prudencio" as a surname: two words are enough.
    least = 2 if group.startswith("other surname") else _FULL_NAME
    alone = bearer.words == (key,)
    if (alone or least == _FULL_NAME) and _is_given_here(key, bearer):
        return bearer.sex or sex
    first = bearer.words[:1] == (key,)
    if least == 2 and len(bearer.words) > 1:  # "José Crisanto"
        first = first or (bearer.words[1] == key and names.is_given(bearer.words[0]))
    if not first or len(bearer.words) < least:
        return ""
    surname = group.startswith(("surname", "other surname"))
    if not surname or sex not in ("F", "M") or key not in names.usual:
        return ""
    if least == 2:
        return sex
    return "" if any(map(names.is_given, bearer.words)) else sex


def _is_given_here(key: str, bearer: Bearer) -> bool:
    """Tell whether a rare surname is the given name of two words: "Dra. Paz Salgado".

    Or one alone that no title makes a surname: "mi esposa Lucero". Where a title says
    another sex than the name has, it is the surname: "Dr. Lucero".
    """
    names = lexicon()
    entry, sex = names.words.get(key), names.sexes.get(key, "")
    other = entry is not None and entry.group.startswith("other surname")
    alone = bearer.words == (key,) and bearer.called and (bearer.sex or other)
    two = len(bearer.words) == 2 and bearer.words[0] == key
    if not (alone or two) or key not in names.usual:
        return False
    rare = other or (entry is not None and entry.group in _RARE_SURNAMES)
    agrees = sex in (bearer.sex, "U") if bearer.sex else sex in ("F", "M")
    return rare and agrees and not any(map(names.is_given, bearer.words[1:]))


def _names_family(key: str, bearer: Bearer) -> bool:
    """Tell whether a word that is a nickname elsewhere is a surname here.

    It stands behind a given name, or between surnames, and is short for none of them.
    """
    names = lexicon()
    if bearer.words[:1] == (key,) or key not in bearer.words:
        return False
    if key in MONTHS:  # "Dulce Mayo Cisneros"
        return True
    at, last = bearer.words.index(key), len(bearer.words) - 1
    if at == 1 and at < last and names.is_given(bearer.words[0]):  # "Ma. Tere Cedano"
        return False
    others = [word for word in bearer.words if word != key]
    if any(key in (word, *names.nicknames.get(word, ())) for word in others):
        return False
    if any(word in names.nicknames.get(key, ()) for word in others):
        return False
    return any(map(names.is_given, others)) and not any(
        word.startswith(key[:3]) for word in others
    )


def _is_second(key: str, bearer: Bearer) -> bool:
    """Tell whether a word is the second of two given names before two surnames."""
    names = lexicon()
    four = len(bearer.words) > _FULL_NAME and bearer.words[1] == key
    return four and names.is_given(bearer.words[0]) and names.is_given(key)


def is_surname(key: str, bearer: Bearer) -> bool:
    """Tell whether a given name of the other sex is a surname: "Dr. Jorge Angélica".

    :param key: Folded word.
    :param bearer: Who bears the name.
    """
    names = lexicon()
    first = next(iter(bearer.words), "")
    listed = names.sexes.get(key, "")
    return (
        key != first
        and bearer.sex in ("F", "M")
        and names.sexes.get(first) == bearer.sex
        and (names.is_given(first) or first in names.usual)
        and listed in ("F", "M")
        and listed != bearer.sex
        and names.is_given(key)
        and key not in _SECOND
        and not _is_second(key, bearer)
    )


def is_third(key: str, bearer: Bearer) -> bool:
    """Tell whether a given name behind two others is a surname: "Dulce Rubí Nieves".

    :param key: Folded word.
    :param bearer: Who bears the name.
    """
    names, words_ = lexicon(), bearer.words
    if len(words_) <= _FULL_NAME or words_[2] != key or " " in key:
        return False
    return names.is_given(key) and all(map(names.is_given, words_[:2]))
