"""Which name a word of a name becomes, and what the other words have to say in it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from presidio_mx.anonymizer.surrogates.bearer import Bearer
from presidio_mx.anonymizer.surrogates.calendar import MONTHS
from presidio_mx.anonymizer.surrogates.context import Context
from presidio_mx.anonymizer.surrogates.lexicon import lexicon
from presidio_mx.anonymizer.surrogates.name_classes import (
    NAHUA_SURNAME_ENDS,
    Member,
    guessed_sex,
)
from presidio_mx.anonymizer.surrogates.nicknames import is_short_for
from presidio_mx.anonymizer.surrogates.odd_names import rare_class
from presidio_mx.folding import fold_key
from presidio_mx.words import listed, words

_WRITTEN_OF_BOTH = listed("name_written_of_both")
_ATTEMPTS = 6
_BOTH, _SECOND = words("name_of_both"), words("name_second")
_FORMAL = words("name_formal_too")
# Names of one sex that stand for one of both are of the second band: common, not first.
_BAND = 1
_FULL_NAME = 3
_RARE_SURNAMES = ("surname 2", "surname 3", "surname 4")


def word_image(
    key: str, context: Context, bearer: Bearer | None = None, given: bool = False
) -> Member:
    """Return the surrogate of a folded word, with the particle that it usually has.

    :param key: Folded word, abbreviations written out.
    :param context: Key and facts.
    :param bearer: Who bears the name.
    :param given: A word that no list has is a given name.
    :return: A name of the same class; a rare real one for a word that no list has. In
        the name of somebody it is none of its words nor short for one of them.
    """
    image = _image(key, context, bearer, given)
    for attempt in range(_ATTEMPTS):
        new = fold_key(image.text)
        others = new in context.facts.own and new != key
        if not others and (bearer is None or not _clashes(key, new, bearer)):
            break
        again = replace(context, draw=context.draw.again(attempt))
        image = _image(key, again, bearer, given)
    return image


def _clashes(key: str, image: str, bearer: Bearer) -> bool:
    """Tell whether a surrogate is of the name itself: "Erik Bryan" for "Bryan Alexis".

    Or a diminutive of its word, or of both sexes where its word is of one.
    """
    own = {word.rsplit(" ", 1)[-1] for word in (key, *bearer.words)}
    if image in own or (image in _BOTH and key.rsplit(" ", 1)[-1] not in _BOTH):
        return True
    return is_short_for(key, image) or is_short_for(image, key)


def _of_both(key: str, context: Context) -> Member:
    """Return another name of both sexes."""
    keys = [fold_key(name) for name in _WRITTEN_OF_BOTH]
    if key in keys:
        at = context.draw.permute(len(keys), keys.index(key), "both")
    else:
        at = context.draw.number(len(keys), "both", key)
    return Member(_WRITTEN_OF_BOTH[at].capitalize())


@cache
def _twin_stems() -> tuple[str, ...]:
    """Return what a usual name of men in -o and one of women in -a share."""
    names = lexicon()
    men = sorted(w for w in names.usual if w.endswith("o") and names.is_given(w))
    return tuple(
        word[:-1]
        for word in men
        if names.sexes.get(word) == "M"
        and names.sexes.get(word[:-1] + "a") == "F"
        and word[:-1] + "a" in names.usual
        and names.is_given(word[:-1] + "a")
    )


def _twin(key: str, context: Context) -> Member:
    """Return a name for one of two that differ in their end: "Otilio", "Otilia"."""
    names, stems, own = lexicon(), _twin_stems(), context.facts.own
    at = context.draw.number(len(stems), "twins", key[:-1])
    for step in range(len(stems)):
        stem = stems[(at + step) % len(stems)]
        if not {stem + "o", stem + "a"} & own:
            break
    return Member(names.words[stem + key[-1]].text)


def _image(key: str, context: Context, bearer: Bearer | None, given: bool) -> Member:
    names = lexicon()
    sex = bearer.sex if bearer else ""
    if bearer and not sex and key in _BOTH and bearer.words[:1] == (key,):
        return _of_both(key, context)
    if key[:-1] in context.facts.twins and key[-1] in "ao":
        return _twin(key, context)
    told = _told(key, bearer) if bearer else ""
    if told:
        return names.drawn(told, key, context.draw)
    opening = _opens(key, bearer) if bearer else ""
    if opening:
        return names.drawn(f"given {opening} {_BAND}", key, context.draw)
    if bearer and (_is_surname(key, bearer) or _is_third(key, bearer)):
        return names.drawn(f"surname {_BAND}", key, context.draw)
    attempt = context.facts.attempts.get(key, 0)
    rare = rare_class(key, sex)
    if rare:
        return names.drawn(rare, key, context.draw, attempt)
    image = names.image(key, context.draw)
    if image is not None:
        return image
    kind = names.rare(key, (sex or guessed_sex(key)) if given else "")
    return names.drawn(kind, key, context.draw, attempt)


def _told(key: str, bearer: Bearer) -> str:
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
            return f"given {sex or entry.group.split()[1]} {_BAND}"
        if sex and first and sex != entry.group.split()[1]:  # "Doña Chuy"
            kind = "given" if len(bearer.words) > 1 else "nickname"
            return f"{kind} {sex} {_BAND}"
    if not sex:
        return ""
    other = listed in ("F", "M") and listed != sex
    either = key in _BOTH or (listed == "U" and names.is_given(key))
    if either or (
        other and (_is_second(key, bearer) or (key in _SECOND and not first))
    ):
        return f"given {sex} {_BAND}"
    more = bearer.words[1:]
    if other and first and names.is_given(key) and not any(map(names.is_given, more)):
        # "su primo Denis", "Don Isabel Sulub"; "Dra. Santiago" is a surname.
        kind = f"given {sex}" if bearer.called or more else "surname"
        return f"{kind} {_BAND}"
    return ""


def _opens(key: str, bearer: Bearer) -> str:
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


def _is_surname(key: str, bearer: Bearer) -> bool:
    """Tell whether a given name of the other sex is a surname: "Dr. Jorge Angélica"."""
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


def _is_third(key: str, bearer: Bearer) -> bool:
    """Tell whether a given name behind two others is a surname: "Dulce Rubí Nieves"."""
    names, words_ = lexicon(), bearer.words
    if len(words_) <= _FULL_NAME or words_[2] != key or " " in key:
        return False
    return names.is_given(key) and all(map(names.is_given, words_[:2]))


def word_surrogate(key: str, context: Context) -> str:
    """Return the surrogate of a folded word, in its usual spelling.

    :param key: Folded word, abbreviations written out.
    :param context: Key and facts.
    :return: A name, without a particle.
    """
    return word_image(key, context).text


def given_last(words: Sequence[str]) -> bool:
    """Tell whether a word that no list has is a given name behind two surnames.

    :param words: Folded words of a name.
    :return: True for "Polanco Be Segundino": no other word can be the given name.
    """
    names = lexicon()
    if len(words) != _FULL_NAME or words[-1] in names.words:
        return False
    entries = [names.words.get(word) for word in words[:-1]]
    if not all(entry and "surname" in entry.group for entry in entries):
        return False
    word = words[-1]  # "Ofeli" of "Ofelia", cut by its column
    cut = len(word) > len("Ofe") and any(n.startswith(word) for n in names.usual)
    return cut or word.endswith(("ino", "ina", "io", "ia", "berto", "berta"))


def is_given(key: str, bearer: Bearer, context: Context) -> bool:
    """Tell whether a word that no list has is a given name: it opens a longer name.

    :param key: Folded word.
    :param bearer: Who bears the name.
    :param context: Key and facts.
    :return: True for the "Xunka" of "Xunka Pérez", and alone where no title is before.
    """
    if key.endswith(NAHUA_SURNAME_ENDS):
        return False
    if given_last(bearer.words) and bearer.words[-1] == key:
        return True
    if key in context.facts.given:
        return True
    first = bearer.words[:1] == (key,) and key not in context.facts.surnames
    return first and (len(bearer.words) > 1 or bearer.called)


def written_image(key: str, bearer: Bearer, context: Context) -> Member:
    """Return the surrogate of a word where it stands in the name of somebody.

    :param key: Folded word.
    :param bearer: Who bears the name.
    :param context: Key and facts.
    :return: As :func:`word_image`; a rare given name for one that no list has.
    """
    return word_image(key, context, bearer, is_given(key, bearer, context))
