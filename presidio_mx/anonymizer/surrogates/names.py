"""Surrogates of names of persons, word by word.

Each word has one surrogate in its scope, wherever it stands: "Jesús Mendoza Mares",
"Mendoza" and "MENDOZA MARES JESUS" stay one person without knowing of one another. Only
what the words of a name say of each other (sex, a name in two words, initials,
nicknames, slips) may change that.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from presidio_mx.anonymizer.surrogates.case import (
    lacks_accents,
    match_case,
    match_marks,
    writes_no_accents,
)
from presidio_mx.anonymizer.surrogates.context import Context
from presidio_mx.anonymizer.surrogates.lexicon import lexicon
from presidio_mx.anonymizer.surrogates.name_classes import Member
from presidio_mx.anonymizer.surrogates.name_words import (
    NAME_WORD,
    bare,
    keyed_words,
    name_words,
)
from presidio_mx.anonymizer.surrogates.slips import is_slip, repeat_slip
from presidio_mx.folding import fold_key
from presidio_mx.words import words

_COMMON_INITIALS = "ABCDEFGHIJLMNOPRSTV"
_RARE_INITIALS = "KQUWXYZ"
_BOTH, _SECOND = words("name_of_both"), words("name_second")
_PHRASE = re.compile(r"(?:de|del|d)(?:\s+l[aoe]s?)?", re.IGNORECASE)
# Names of one sex that stand for one of both are of the second band: common, not first.
_BAND = 1


@dataclass(frozen=True)
class Bearer:
    """What a document says of the person whose name it is.

    :param words: Folded words of the fullest mention.
    :param sex: F, M or empty.
    :param called: What stands alone is a first name, as behind "su hija".
    """

    words: tuple[str, ...] = ()
    sex: str = ""
    called: bool = False


NOBODY = Bearer()


def sex_in(words: Sequence[str]) -> str:
    """Return the sex that the words of a name say.

    :param words: Folded words in the order of the name.
    :return: F, M, or empty if no word is of one sex alone.
    """
    names = lexicon()
    for word in words:
        sex = names.sexes.get(word, "")
        if names.is_given(word) and sex in ("F", "M") and word not in _BOTH:
            return sex
    return ""


def word_image(
    key: str, context: Context, bearer: Bearer | None = None, given: bool = False
) -> Member:
    """Return the surrogate of a folded word, with the particle that it usually has.

    :param key: Folded word, abbreviations written out.
    :param context: Key and facts.
    :param bearer: Who bears the name.
    :param given: A word that no list has is a given name.
    :return: A name of the same class; a rare real one for a word that no list has.
    """
    names = lexicon()
    sex = bearer.sex if bearer else ""
    listed = names.sexes.get(key, "")
    either = key in _BOTH or (listed == "U" and names.is_given(key))
    if sex and (either or (key in _SECOND and listed not in ("", sex))):
        second = bearer is not None and key != next(iter(bearer.words), "")
        if either or second:
            return names.drawn(f"given {sex} {_BAND}", key, context.draw)
    image = names.image(key, context.draw)
    if image is not None:
        return image
    attempt = context.facts.attempts.get(key, 0)
    kind = names.rare(key, (sex or _guessed(key)) if given else "")
    return names.drawn(kind, key, context.draw, attempt)


def _guessed(key: str) -> str:
    return "F" if key.endswith("a") else "M"


def word_surrogate(key: str, context: Context) -> str:
    """Return the surrogate of a folded word, in its usual spelling.

    :param key: Folded word, abbreviations written out.
    :param context: Key and facts.
    :return: A name, without a particle.
    """
    return word_image(key, context).text


def initial_surrogate(letter: str, context: Context) -> str:
    """Return the surrogate of an initial whose name is not known.

    :param letter: A letter.
    :param context: The key.
    :return: Another capital letter.
    """
    plain = fold_key(letter).upper()
    for letters in (_COMMON_INITIALS, _RARE_INITIALS):
        if plain in letters:
            index = letters.index(plain)
            return letters[context.draw.permute(len(letters), index, "initial")]
    return _COMMON_INITIALS[context.draw.number(len(_COMMON_INITIALS), "initial")]


def _planned_word(key: str, bearer: Bearer, context: Context) -> str | None:
    """Return the surrogate that the person's other mentions ask for, if any."""
    names = lexicon()
    if key in bearer.words:
        return None
    for companion in bearer.words:  # "Cruz" of "De la Cruz"
        if bare(companion) == bare(key):
            return word_image(companion, context, bearer).text
    for given in names.nicknames.get(key, ()):
        if given in bearer.words:
            image = fold_key(word_image(given, context, bearer).text)
            fitting = sorted(n for n, g in names.nicknames.items() if image in g)
            if fitting:
                choice = fitting[context.draw.number(len(fitting), "nick", key)]
                entry = names.words.get(choice)
                return entry.text if entry else choice.capitalize()
    for companion in bearer.words:
        if is_slip(key, bare(companion)):
            meant = word_image(companion, context, bearer).text
            return repeat_slip(key, companion, meant)
    return None


def _initial(
    letter: str, companions: list[str], bearer: Bearer, context: Context
) -> str:
    for index, companion in enumerate(companions):
        if bare(companion)[0] == fold_key(letter)[0]:
            del companions[index]
            return word_image(companion, context, bearer).text[0].upper()
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


def _is_given(key: str, bearer: Bearer) -> bool:
    """Tell whether a word that no list has is a given name: it opens a longer name."""
    first = bool(bearer.words) and bearer.words[0] == key
    return first and (len(bearer.words) > 1 or bearer.called)


class _Writer:
    """Writes the surrogate of one name; particles wait for the word behind them."""

    def __init__(self, text: str, context: Context, bearer: Bearer) -> None:
        own = name_words(text)
        known = bearer.words or tuple(own)
        self.bearer = Bearer(known, bearer.sex or sex_in(known), bearer.called)
        self.text, self.context = text, context
        self.free = [word for word in bearer.words if word not in own]
        self.plain = writes_no_accents(text)
        self.pieces: list[tuple[int, int, str]] = []
        self.waiting: list[re.Match[str]] = []

    def token(self, match: re.Match[str], key: str, full: str) -> None:
        """Take the next word of the name."""
        token = match.group()
        if not full:
            self.waiting.append(match)
            return
        point = "." if token.endswith(".") else ""
        if not key:
            kept = _is_withheld(self.text, token)
            new = (
                token[0]
                if kept
                else _initial(token[0], self.free, self.bearer, self.context)
            )
            self._add(match, new.lower() if token[0].islower() else new, point)
            return
        planned = _planned_word(full, self.bearer, self.context)
        image = (
            Member(planned)
            if planned
            else word_image(
                full, self.context, self.bearer, _is_given(full, self.bearer)
            )
        )
        value = image.text
        if bare(full) != key:
            value, point = _shortened(token, value), ""
        entry = lexicon().words.get(full)
        self.plain = self.plain or (
            bare(full) == key and entry is not None and lacks_accents(token, entry.text)
        )
        self._particle(match, image.particle)
        self._add(match, match_case(self._shown(token), value), point)

    def _shown(self, token: str) -> str:
        return token if len(token.rstrip(".")) > 1 else self.text

    def _add(self, match: re.Match[str], value: str, point: str) -> None:
        self.waiting = []
        self.pieces.append((match.start(), match.end(), value + point))

    def _particle(self, match: re.Match[str], particle: str) -> None:
        """Write the particle of the new word where the old one's stands."""
        if not (self.waiting and particle):
            return
        start = self.waiting[0].start()
        for first in self.waiting:
            before = self.text[first.start() : match.start()].rstrip()
            if _PHRASE.fullmatch(before):
                start = first.start()
                break
        else:
            return
        end = self.waiting[-1].end()
        new = particle.upper() if self.text[start:end].isupper() else particle
        self.pieces.append((start, end, new))

    def written(self) -> str:
        """Return the name with its new words."""
        parts, position = [], 0
        for start, end, value in self.pieces:
            parts += [
                self.text[position:start],
                match_marks(self.text, value, self.plain),
            ]
            position = end
        return "".join([*parts, self.text[position:]])


def surrogate_name(text: str, context: Context, bearer: Bearer = NOBODY) -> str:
    """Return the surrogate of a name.

    :param text: The name as it stands in the document.
    :param context: Key, settings and facts.
    :param bearer: What the document says of the person; initials, nicknames and slips
        are resolved by the words of the fullest mention.
    :return: A name of the same make: order, initials, capitals and missing accents are
        kept, particles where the new word has none of its own.
    """
    writer = _Writer(text, context, bearer)
    keyed = keyed_words(text)
    for match, (_, key, full) in zip(NAME_WORD.finditer(text), keyed, strict=True):
        writer.token(match, key, full)
    return writer.written()
