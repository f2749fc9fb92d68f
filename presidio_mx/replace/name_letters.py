"""The letters of CURP, RFC and voter key that follow the names of a document."""

import re
from collections.abc import Iterator, Sequence

from presidio_mx.replace.people import Person
from presidio_mx.replace.surrogates.bearer import Bearer
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.letters import curp_letters, voter_letters
from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.replace.surrogates.name_images import written_image
from presidio_mx.replace.surrogates.name_initials import initial_surrogate
from presidio_mx.replace.surrogates.name_words import bare, name_words
from presidio_mx.replace.surrogates.names import surrogate_name
from presidio_mx.text.folding import fold_key

_MARRIED = 3  # words of a name that may end with the husband's
_OF_HUSBAND = re.compile(r"\bde\s+[^\W\d_]+\W*$", re.IGNORECASE)
_Names = tuple[list[str], str, str]


def _readings(
    people: Sequence[tuple[Person, Bearer]], context: Context
) -> Iterator[tuple[_Names, _Names]]:
    """Yield the ways to read each name, and the surrogate read the same way."""
    for person, bearer in people:
        new = _written(person, bearer, context)
        for given, surnames in _ways(person):
            new_given = [new[word] for word in given]
            new_surnames = [new[word] for word in surnames]
            given = [bare(word) for word in given]
            surnames = [bare(word) for word in surnames]
            yield (
                (given, surnames[0], surnames[1] if len(surnames) > 1 else ""),
                (
                    new_given,
                    new_surnames[0],
                    new_surnames[1] if len(new_surnames) > 1 else "",
                ),
            )


def _written(person: Person, bearer: Bearer, context: Context) -> dict[str, str]:
    """Return what the words of a name become where the whole of it is written.

    A word behind "del" may become another than alone: not every name goes with it.
    """
    words = name_words(surrogate_name(person.fullest, context, bearer))
    old = name_words(person.fullest)
    if len(words) == len(old) and tuple(old) == person.words:
        return {a: bare(b) for a, b in zip(old, words, strict=True)}
    return {w: written_image(w, bearer, context).text for w in person.words}


def _ways(person: Person) -> list[tuple[list[str], list[str]]]:
    """Return the ways to read a name, that of a married woman without "de Barrera"."""
    ways = splits(person.words)
    if len(person.words) > _MARRIED and _OF_HUSBAND.search(person.fullest):
        ways += splits(person.words[:-1])
    return ways


def code_letters(
    curps: set[str],
    voters: set[str],
    people: Sequence[tuple[Person, Bearer]],
    context: Context,
) -> tuple[dict[str, tuple[str, str]], dict[str, str]]:
    """Return the letters of the surrogates of people whose code stands in the note.

    :param curps: First four letters of the CURP and RFC of the note.
    :param voters: First six of its voter keys.
    :param people: Each with what is known of it.
    :param context: Key and facts.
    :return: Old letters to new ones: of CURP and RFC, of voter keys.
    """
    letters: dict[str, tuple[str, str]] = {}
    keys: dict[str, str] = {}
    readings = list(_readings(people, context)) if curps or voters else []
    for old, new in readings:
        four, six = curp_letters(*old)[0], voter_letters(*old)
        short = _one_surname(old)
        if four in curps:
            letters.setdefault(four, curp_letters(*new))
        elif short in curps:
            letters.setdefault(short, (_one_surname(new), curp_letters(*new)[1]))
        for key in voters - keys.keys():
            if key == six or _loosely(key, old):
                keys[key] = voter_letters(*new)
    for old, new in readings:  # the code knows a second surname that the note does not
        four = curp_letters(*old)[0]
        for code in curps - letters.keys() if not old[2] else ():
            if agree_but_for_second(four, code):
                letters[code] = _with_second(code, new, context)
    return letters, keys


def _one_surname(names: _Names) -> str:
    """Return the letters of an RFC with one surname: two of it, two of the name."""
    given, first, second = names
    if second or not given:
        return ""
    return (fold_key(first)[:2] + fold_key(given[0])[:2]).upper()


def _loosely(key: str, names: _Names) -> bool:
    """Tell whether a key has two letters of each name, be they not the right ones."""
    given, first, second = names
    if not given or not second or len(key) != 2 * len(("first", "second", "given")):
        return False
    return all(
        word[0].upper() == key[at] and key[at + 1].lower() in fold_key(word)[1:]
        for at, word in zip(
            (0, 2, 4), map(fold_key, (first, second, given[0])), strict=True
        )
    )


def _with_second(code: str, new: _Names, context: Context) -> tuple[str, str]:
    """Return the letters of a name without its second surname, that one drawn."""
    four, inner = curp_letters(*new)
    third, consonant = initial_surrogate(code[2], context), "S"
    return four[:2] + third + four[3:], inner[:1] + consonant + inner[2:]


def curp_starts(words: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield how the CURP of a name begins, by each way to read it.

    :param words: Folded words of a name.
    :return: Four letters, and whether the name has no second surname.
    """
    for given, surnames in splits(words):
        first, *more = map(bare, surnames)
        second = more[0] if more else ""
        yield curp_letters([bare(word) for word in given], first, second)[0], not second


def agree_but_for_second(four: str, other: str) -> bool:
    """Tell whether two beginnings of CURPs agree but for the second surname's letter.

    :param four: Four letters.
    :param other: Four others.
    """
    return (four[:2], four[3:]) == (other[:2], other[3:])


def splits(words: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    """Return the ways to read words as given names and one or two surnames.

    :param words: Folded words of a name.
    :return: Given names and surnames, the likeliest way first.
    """
    ways = []
    for surnames in (2, 1):
        if len(words) > surnames:
            ways.append((list(words[:-surnames]), list(words[-surnames:])))
            ways.append((list(words[surnames:]), list(words[:surnames])))
    sexes = lexicon().sexes
    return sorted(ways, key=lambda way: way[0][0] not in sexes)
