"""Which name a word of a name becomes, and what the other words have to say in it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from presidio_mx.replace.surrogates.bearer import Bearer
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.replace.surrogates.name_classes import (
    NAHUA_SURNAME_ENDS,
    Member,
    guessed_sex,
)
from presidio_mx.replace.surrogates.nicknames import is_short_for
from presidio_mx.replace.surrogates.odd_names import rare_class
from presidio_mx.replace.surrogates.word_roles import (
    BAND,
    is_surname,
    is_third,
    opening_sex,
    told_by_name,
)
from presidio_mx.spanish.words import listed, words
from presidio_mx.text.folding import fold_key

_WRITTEN_OF_BOTH = listed("name_written_of_both")
_ATTEMPTS = 6
_BOTH = words("name_of_both")
_FULL_NAME = 3


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
    told = told_by_name(key, bearer) if bearer else ""
    if told:
        return names.drawn(told, key, context.draw)
    opening = opening_sex(key, bearer) if bearer else ""
    if opening:
        return names.drawn(f"given {opening} {BAND}", key, context.draw)
    if bearer and (is_surname(key, bearer) or is_third(key, bearer)):
        return names.drawn(f"surname {BAND}", key, context.draw)
    attempt = context.facts.attempts.get(key, 0)
    rare = rare_class(key, sex)
    if rare:
        return names.drawn(rare, key, context.draw, attempt)
    image = names.image(key, context.draw)
    if image is not None:
        return image
    kind = names.rare(key, (sex or guessed_sex(key)) if given else "")
    return names.drawn(kind, key, context.draw, attempt)


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
