"""Surrogates of names of persons, word by word.

Each word has one surrogate in its scope, wherever it stands: "Jesús Mendoza Mares",
"Mendoza" and "MENDOZA MARES JESUS" stay one person without knowing of one another.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from rapidfuzz.distance import OSA

from presidio_mx.anonymizer.surrogates.case import (
    lacks_accents,
    match_case,
    match_marks,
    writes_no_accents,
)
from presidio_mx.anonymizer.surrogates.context import Context
from presidio_mx.anonymizer.surrogates.lexicon import PARTICLES, lexicon
from presidio_mx.anonymizer.surrogates.shape import permute_code
from presidio_mx.anonymizer.surrogates.words import unknown_word
from presidio_mx.folding import fold_key

# A word of a name: letters with their marks, an ordinal (Mª), an abbreviation's point.
NAME_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*(?:\.?[ªº])?\.?")
_COMMON_INITIALS = "ABCDEFGHIJLMNOPRSTV"
_LONGEST_WORD = 24  # longer ones are no names; they just get other letters
_RARE_INITIALS = "KQUWXYZ"


def word_key(token: str) -> str:
    """Return the folded word of a token: no accents, no point, no ordinal.

    :param token: A word as it stands in the document.
    :return: E.g. ``ma`` for ``Mª``.
    """
    key = fold_key(token)
    if token.rstrip(".").endswith(("ª", "º")):
        key = fold_key(token.rstrip(".")[:-1].rstrip(".")) + "a"
    return key.rstrip(".")


def full_key(key: str) -> str:
    """Return the folded full word of an abbreviation, or the word itself.

    :param key: Folded word.
    :return: E.g. ``maria`` for ``ma``.
    """
    return lexicon().short.get(key, key)


def is_initial(token: str) -> bool:
    """Tell whether a token is an initial.

    :param token: A word as it stands in the document.
    :return: True for ``J.`` and ``J``, False for the particle ``y``.
    """
    letter = token.rstrip(".")
    return len(unicodedata.normalize("NFC", letter)) == 1 and letter.isupper()


def keyed_words(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the words of a name with their keys.

    :param text: A name.
    :return: Each token; its folded form, empty for an initial; its folded full word,
        with the particle before it if it is another word without ("de la rosa"),
        empty for a particle.
    """
    names, before = lexicon().words, ""
    for match in NAME_WORD.finditer(text):
        token = match.group()
        key = word_key(token)
        after_particle = f"{before} {key}"
        if before and after_particle in names:
            yield token, key, after_particle
            before = ""
        elif is_initial(token):
            yield token, "", key
            before = ""
        elif key in PARTICLES or not key:
            yield token, key, ""
            before = f"{before} {key}".strip()
        else:
            yield token, key, full_key(key)
            before = ""


def bare(key: str) -> str:
    """Return a word's key without the particle that it may have.

    :param key: E.g. ``de la rosa``.
    :return: E.g. ``rosa``.
    """
    return key.rsplit(" ", 1)[-1]


def name_words(text: str) -> list[str]:
    """Return the keys of the words of a name, without particles and initials.

    :param text: A name.
    :return: In the order of the text.
    """
    return [full for _, key, full in keyed_words(text) if key and full]


def word_surrogate(key: str, context: Context) -> str:
    """Return the surrogate of a folded word, in its usual spelling.

    :param key: Folded word, abbreviations written out.
    :param context: The key.
    :return: A name of the same class, or a made-up word for one that no list has.
    """
    names = lexicon()
    image = names.image(key, context.draw)
    if image is not None:
        return image
    letters = "".join(
        c if "a" <= c <= "z" else "abcdefghijklmnop"[context.draw.number(16, key, i)]
        for i, c in enumerate(key)
    )
    if len(letters) <= _LONGEST_WORD:
        made = unknown_word(letters, names.words, context.draw)
        if made != letters:
            return made.capitalize()
    return permute_code(letters.upper(), "long word", context).capitalize()


def initial_surrogate(letter: str, context: Context) -> str:
    """Return the surrogate of an initial whose name is not known.

    :param letter: A capital letter.
    :param context: The key.
    :return: Another capital letter.
    """
    plain = fold_key(letter).upper()
    for letters in (_COMMON_INITIALS, _RARE_INITIALS):
        if plain in letters:
            index = letters.index(plain)
            return letters[context.draw.permute(len(letters), index, "initial")]
    return _COMMON_INITIALS[context.draw.number(len(_COMMON_INITIALS), "initial")]


def is_slip(word: str, other: str) -> bool:
    """Tell whether one word looks like another with a slip of the pen.

    :param word: A folded word.
    :param other: Another one.
    :return: True for ``mendosa`` and ``mendoza``.
    """
    if word == other or min(len(word), len(other)) < 5 or word[0] != other[0]:
        return False
    allowed = 2 if min(len(word), len(other)) >= 9 else 1
    return OSA.distance(word, other, score_cutoff=allowed) <= allowed


def repeat_slip(word: str, meant: str, surrogate: str) -> str:
    """Make in a surrogate the kind of slip that a word has.

    :param word: The word with the slip, folded.
    :param meant: The word that was meant, folded.
    :param surrogate: Surrogate of the word that was meant.
    :return: The surrogate with a similar slip at a similar place.
    """
    place = next(
        (i for i, (a, b) in enumerate(zip(word, meant, strict=False)) if a != b),
        min(len(word), len(meant)) - 1,
    )
    at = min(max(1, place * len(surrogate) // len(meant)), len(surrogate) - 2)
    head, tail = surrogate[:at], surrogate[at:]
    if len(word) > len(meant):
        return head + tail[0] + tail
    if len(word) < len(meant):
        return head + tail[1:]
    swapped = head + tail[1] + tail[0] + tail[2:]
    if sorted(word) == sorted(meant) and swapped != surrogate:
        return swapped
    replaced = {"s": "z", "z": "s", "b": "v", "v": "b", "a": "e", "e": "i", "i": "e"}
    other = replaced.get(tail[0].lower(), "a" if tail[0] not in "aá" else "o")
    return head + other + tail[1:]


def _planned_word(key: str, companions: Sequence[str], context: Context) -> str | None:
    """Return the surrogate that the person's other mentions ask for, if any."""
    names = lexicon()
    if key in companions:
        return None
    for given in names.nicknames.get(key, ()):
        if given in companions:
            image = fold_key(word_surrogate(given, context))
            fitting = [n for n, g in names.nicknames.items() if image in g]
            if fitting:
                choice = fitting[context.draw.number(len(fitting), "nick", key)]
                entry = names.words.get(choice)
                return entry.text if entry else choice.capitalize()
    for companion in companions:
        if is_slip(key, companion):
            return repeat_slip(key, companion, word_surrogate(companion, context))
    return None


def _initial(letter: str, companions: list[str], context: Context) -> str:
    for index, companion in enumerate(companions):
        if bare(companion)[0] == fold_key(letter)[0]:
            del companions[index]
            return word_surrogate(companion, context)[0].upper()
    return initial_surrogate(letter, context)


def _is_withheld(text: str, token: str) -> bool:
    """Tell whether a quoted N stands for a surname that is withheld: Javier "N"."""
    return token == "N" and re.search(r"[\"'“”«]N[\"'“”»]", text) is not None


def _shortened(token: str, value: str) -> str:
    """Return a name abbreviated as a token is: with an ordinal, a point, or bare."""
    ordinal = token.rstrip(".").endswith(("ª", "º"))
    for form in lexicon().abbreviations.get(fold_key(value), ()):
        if form.rstrip(".").endswith(("ª", "º")) == ordinal:
            return form.rstrip(".") + ("." if token.endswith(".") else "")
    return value


def surrogate_name(text: str, context: Context, companions: Sequence[str] = ()) -> str:
    """Return the surrogate of a name.

    :param text: The name as it stands in the document.
    :param context: Key, settings and facts.
    :param companions: Folded words of the same person's fullest mention in the
        document; initials, nicknames and slips are resolved by them.
    :return: A name of the same make: order, particles, initials, capitals and missing
        accents are kept.
    """
    names = lexicon()
    own = set(name_words(text))
    free = [word for word in companions if word not in own]
    pieces: list[tuple[str, str]] = []
    plain = writes_no_accents(text)
    for token, key, full in keyed_words(text):
        point = "." if token.endswith(".") else ""
        if full and not key:
            kept = _is_withheld(text, token)
            new = token[0] if kept else _initial(token[0], free, context)
            pieces.append((token, new + point))
            continue
        if not full:
            pieces.append((token, token))
            continue
        planned = _planned_word(full, companions, context)
        value = planned or word_surrogate(full, context)
        if bare(full) != key:
            value = _shortened(token, value)
            point = ""
        entry = names.words.get(full)
        plain = plain or (
            bare(full) == key and entry is not None and lacks_accents(token, entry.text)
        )
        shown = token if len(token.rstrip(".")) > 1 else text
        pieces.append((token, match_case(shown, value) + point))
    replaced = iter(pieces)

    def write(_: re.Match[str]) -> str:
        token, value = next(replaced)
        return value if value == token else match_marks(text, value, plain)

    return NAME_WORD.sub(write, text)
