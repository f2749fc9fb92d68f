"""Names that are others: nicknames, short forms, diminutives, slips of the pen."""

import re
from functools import cache

from rapidfuzz.distance import OSA

from presidio_mx.spanish.gazetteer import rows
from presidio_mx.spanish.name_lists import name_lists
from presidio_mx.spanish.writing import plain_spelling
from presidio_mx.text.folding import fold_key

_SHORTEST, _SHORTEST_END = 3, 4
_DIMINUTIVE = re.compile(r"(.{3,}?)c?(?:it[oa]|in)")
_SMALL = ("ito", "ita")
# How the sound of a stem is written before an i.
_BEFORE_I = (("c", "qu"), ("g", "gu"), ("z", "c"))
# Letters that sound alike, and those that no slip is told by.
_SOUNDS = str.maketrans("vzyjkq", "bsigcc", "aeiouh")
_SPELLINGS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"(?<!c)h", ""),
        (r"c(?=[ei])|z", "s"),
        (r"g(?=[ei])", "j"),
        (r"qu(?=[ei])|c(?!h)|k", "k"),
        (r"v", "b"),
        (r"ll", "y"),
        (r"y$", "i"),
        (r"ss", "s"),
    )
)
_RESPELLINGS = tuple(
    (re.compile(pattern), other)
    for pattern, other in (
        (r"(?<=.)z(?=[aeiou])", "s"),
        (r"(?<=[aeiou])s(?=[aeiou])", "z"),
        (r"(?<=.)s$", "z"),
        (r"(?<=.)z$", "s"),
        (r"(?<=.)v", "b"),
        (r"(?<=.)b(?=[aeiou])", "v"),
        (r"(?<=.)c(?=[ei])", "s"),
        (r"(?<=.)ll", "y"),
        (r"(?<=.)g(?=[ei])", "j"),
        (r"(?<=.)j(?=[ei])", "g"),
        (r"y$", "i"),
        (r"th", "t"),
    )
)
_LONG, _SHORT = 9, 5  # letters of words that may have two slips, or one


def is_short_for(word: str, given: str) -> bool:
    """Tell whether a word can be a nickname of a given name.

    :param word: Folded word.
    :param given: Folded given name.
    :return: True where a list says so, and for a beginning ("maxi"), an end ("tina" of
        Clementina) or a diminutive that is no name itself.
    """
    names = name_lists()
    if given in names.called.get(word, ()):
        return True
    larger = enlarged(word)
    if larger and given in names.called[larger]:
        return True
    if word == given or word[:1] != given[:1] and not given.endswith(word[-2:]):
        return False
    if word.endswith(_SMALL) and names.sex(given) == ("M" if word[-1] == "a" else "F"):
        return False  # "Rosita", Rosalío
    nickname, known = names.is_nickname(word), names.knows(word)
    if len(word) >= _SHORTEST_END and not names.knows(given):
        # "Selmita" of Selma, "Anto" of Antonella, that no list has either
        if not (known and not nickname) and fold_key(diminutive(given)) == word:
            return True
    if known and not nickname:
        return False
    if nickname and names.is_nickname(given):  # Tere, Teresita
        if set(names.called.get(word, ())) & set(names.called.get(given, ())):
            return True
    if not names.sex(given) or names.is_nickname(given):
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
    return base if base in name_lists().called else ""


def diminutive(name: str, sex: str = "") -> str:
    """Return the diminutive of a given name: "Bernardito", "Moniquita".

    :param name: The name in its usual spelling.
    :param sex: F or M for a name whose end does not say it.
    :return: The diminutive, its written accent left out.
    """
    plain = plain_spelling(name)
    last = plain[-1:].lower()
    known = sex or name_lists().sex(fold_key(name))
    women = last == "a" or (last != "o" and known == "F")
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


@cache
def _by_name() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for row in sorted(rows("nicknames"), key=lambda row: fold_key(row["name"])):
        nickname = fold_key(row["name"])
        for given in filter(None, row["given"].split(";")):
            # "Chema" is of José María, not of any María.
            name = fold_key(given).split()[0]
            if " " not in nickname and nickname not in found.get(name, ()):
                found.setdefault(name, []).append(nickname)
    return {name: tuple(nicknames) for name, nicknames in found.items()}


def nicknames_of(name: str, like: str, sex: str) -> list[str]:
    """Return the nicknames that may stand for another one: small ones for small ones.

    :param name: Folded given name whose nicknames are wanted.
    :param like: The folded nickname that they stand for.
    :param sex: F, M or empty, of who is called so.
    """
    names, small = name_lists(), like.endswith(_SMALL)
    found = []
    for nickname in _by_name().get(name, ()):
        listed = names.nicknames.get(nickname)
        other = sex and listed and listed.sex in ("F", "M") and listed.sex != sex
        if nickname in (like, name) or other or nickname.endswith(_SMALL) != small:
            continue
        if names.is_nickname(nickname):
            found.append(nickname)
    return found


def is_slip(word: str, other: str) -> bool:
    """Tell whether one word looks like another with a slip of the pen.

    :param word: A folded word.
    :param other: Another one.
    :return: True for ``mendosa`` and ``mendoza``.
    """
    shorter = min(len(word), len(other))
    if word == other or shorter < _SHORT or word[0] != other[0]:
        return False
    allowed = 2 if shorter >= _LONG else 1
    if abs(len(word) - len(other)) > allowed:
        return False
    if OSA.distance(word, other, score_cutoff=allowed) > allowed:
        return False
    names = name_lists()  # Ismael is no slip of Israel, Bryan one of Brayan
    if not (names.is_usual(word) and names.is_usual(other)):
        return True
    if {word[-1], other[-1]} == {"a", "o"}:  # Lázaro and Lázara are two
        return False
    return word.translate(_SOUNDS) == other.translate(_SOUNDS)


def sound_alike(word: str, other: str) -> bool:
    """Tell whether two words are spellings of one sound: "Eliezer", "Eliécer".

    :param word: A folded word.
    :param other: Another one.
    """
    if word == other or abs(len(word) - len(other)) > 2:
        return False
    return _sound(word) == _sound(other)


def _sound(word: str) -> str:
    for pattern, sound in _SPELLINGS:
        word = pattern.sub(sound, word)
    return word


def respelled(word: str) -> str:
    """Return another spelling of a name that sounds alike: "Meza" of Mesa.

    :param word: The name in its usual spelling.
    :return: The name itself where it has no other.
    """
    for pattern, other in _RESPELLINGS:
        new = pattern.sub(other, word, count=1)
        if new != word:
            return new
    return word


def repeat_slip(word: str, meant: str, new: str) -> str:
    """Make in a new word the kind of slip that a word has.

    :param word: The word with the slip, folded.
    :param meant: The word that was meant, folded.
    :param new: What stands for the word that was meant.
    :return: The new word with a similar slip at a similar place.
    """
    if meant.startswith(word):  # "Viesc" of a Viesca, cut by its column
        return new[: len(new) - len(meant) + len(word)]
    place = next(
        (i for i, (a, b) in enumerate(zip(word, meant, strict=False)) if a != b),
        min(len(word), len(meant)) - 1,
    )
    at = min(max(1, place * len(new) // len(meant)), len(new) - 2)
    head, tail = new[:at], new[at:]
    if len(word) > len(meant):
        return head + tail[0] + tail
    if len(word) < len(meant):
        return head + tail[1:]
    swapped = head + tail[1] + tail[0] + tail[2:]
    if sorted(word) == sorted(meant) and swapped != new:
        return swapped
    replaced = {"s": "z", "z": "s", "b": "v", "v": "b", "a": "e", "e": "i", "i": "e"}
    other = replaced.get(tail[0].lower(), "a" if tail[0] not in "aá" else "o")
    return head + other + tail[1:]
