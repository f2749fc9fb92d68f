"""Surrogates of names of persons: each word becomes another of its kind and sex.

A word has one surrogate in its scope, wherever it stands, so that "Jesús Mendoza
Mares", "Mendoza" and "MENDOZA MARES JESUS" stay one person; initials, nicknames and
slips follow the words of whom they are of.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from presidio_mx.replace.context import Context
from presidio_mx.replace.draw import Draw
from presidio_mx.replace.name_classes import (
    Member,
    class_for,
    guessed_sex,
    name_classes,
    rare_class,
    sounds_foreign,
    twin_stems,
    written_of_both,
)
from presidio_mx.spanish.name_likeness import (
    diminutive,
    is_short_for,
    is_slip,
    nicknames_of,
    repeat_slip,
    respelled,
    sound_alike,
)
from presidio_mx.spanish.name_lists import BOTH_SEXES, PARTICLES, name_lists
from presidio_mx.spanish.names import Name, bare, parse_name, sex_of_given, word_key
from presidio_mx.spanish.parts import Part
from presidio_mx.spanish.words import listed
from presidio_mx.spanish.writing import (
    has_accents,
    match_case,
    plain_spelling,
    writes_no_accents,
    written_like,
)
from presidio_mx.text.folding import fold_key

_ATTEMPTS = 8
_START = 2  # letters that a slip of the pen leaves
_COMMON_INITIALS, _RARE_INITIALS = "ABCDEFGHIJLMNOPRSTV", "KQUWXYZ"
_EPITHETS = {"M": listed("epithet_of_men"), "F": listed("epithet_of_women")}
_PHRASE = re.compile(r"(?:de|del|d)(?:\s+l[aoe]s?)?", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(?:del|de\s+l[ao]s?)$", re.IGNORECASE)
_WORDS = ("given", "surname", "nickname", "married")


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who bears a name.

    :param given: Folded given names.
    :param surnames: Folded surnames.
    :param sex: F, M, or empty where nothing tells it.
    :param epithet: F or M of one word that is no name, but what somebody is called by.
    """

    given: tuple[str, ...] = ()
    surnames: tuple[str, ...] = ()
    sex: str = ""
    epithet: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """All words of the name."""
        return (*self.given, *self.surnames)

    def role(self, key: str) -> str:
        """Return what a word is in this name: ``given``, ``surname`` or empty.

        :param key: Folded word.
        """
        if key in self.given:
            return "given"
        return "surname" if key in self.surnames else ""


def bearer_of(name: Name) -> Bearer:
    """Return who bears a name, by the name alone.

    :param name: The name.
    """
    return Bearer(name.given, name.surnames, sex_of_given(name.given))


@dataclass
class Names:
    """The new names of a note or scope, each word made once.

    :param context: Key, settings, what the note says.
    :param used: Folded words that stand for others of the note already; None where a
        word may not depend on other words.
    """

    context: Context
    used: set[str] | None = None
    _made: dict[tuple[str, str, str], Member] = field(default_factory=dict)
    _like: dict[str, str] = field(default_factory=dict)

    def prepare(self, bearers: Sequence[Bearer]) -> None:
        """Make the words of all people of a note: first those that are permuted.

        :param bearers: The people.
        """
        self.used = set()
        self._like = _alike({word for bearer in bearers for word in bearer.words})
        drawn = []
        for bearer in bearers:
            for key in bearer.words:
                if name_classes().group(key) and not rare_class(key):
                    self.word(key, bearer.role(key), bearer)
                else:
                    drawn.append((key, bearer))
        for key, bearer in sorted(drawn, key=lambda pair: pair[0]):
            self.word(key, bearer.role(key), bearer)

    def word(self, key: str, role: str, bearer: Bearer) -> Member:
        """Return what a word of a name becomes.

        :param key: Folded word, abbreviations written out.
        :param role: ``given``, ``surname``, ``married`` or ``nickname``.
        :param bearer: Who bears the name.
        :return: A name of the class; none of the words of the name or of the note.
        """
        role = "surname" if role in ("married", "") else role
        sex = bearer.sex if role != "surname" else ""
        known = self._made.get((key, role, sex))
        if known is not None:
            return known
        whole = self._like.get(key)
        if whole is not None:
            new = self.word(whole, role, bearer).text
            if sound_alike(key, whole):
                return Member(respelled(new))
            return Member(repeat_slip(key, bare(whole), new))
        draw, here = self.context.draw, self.context
        foreign = any(map(sounds_foreign, bearer.words))
        image = _image(key, role, sex, draw, here, foreign)
        for attempt in range(_ATTEMPTS):
            if not self._clashes(key, fold_key(image.text), bearer):
                break
            image = _image(key, role, sex, draw.again(attempt), here, foreign)
        self._made[key, role, sex] = image
        if self.used is not None:
            self.used.add(fold_key(image.text))
        return image

    def _clashes(self, key: str, new: str, bearer: Bearer) -> bool:
        """Tell whether a surrogate is of the name itself, or of another of the note.

        Or a diminutive of its word, or of both sexes where its word is of one.
        """
        own, last = self.context.note.own, bare(key)
        if new == last or (new in own and new != key):
            return True
        permuted = name_classes().group(key) and not rare_class(key)
        if self.used is not None and new in self.used and not permuted:
            return True
        if any(bare(word) == new for word in bearer.words):
            return True
        if new in BOTH_SEXES and last not in BOTH_SEXES:
            return True
        # "Jimena" for Ximena sounds the same.
        short = is_short_for(key, new) or is_short_for(new, key)
        return short or sound_alike(last, new)

    def initial(self, letter: str, bearer: Bearer, free: list[str]) -> str:
        """Return the initial of the word that an initial stands for.

        :param letter: Folded letter.
        :param bearer: Who bears the name.
        :param free: Words of the name that are not written out; the one that is found
            is taken.
        """
        for at, word in enumerate(free):
            if bare(word)[:1] == letter:
                del free[at]
                first = self.word(word, bearer.role(word), bearer).text[0]
                return plain_spelling(first).upper()
        return other_initial(letter, self.context.draw)


def other_initial(letter: str, draw: Draw) -> str:
    """Return the surrogate of an initial whose name is not known.

    :param letter: A letter.
    :param draw: Keyed numbers.
    """
    plain = fold_key(letter).upper()
    for letters in (_COMMON_INITIALS, _RARE_INITIALS):
        if plain and plain in letters:
            at = draw.permute(len(letters), letters.index(plain), "initial")
            return letters[at]
    return _COMMON_INITIALS[draw.number(len(_COMMON_INITIALS), "initial", plain)]


def _image(
    key: str, role: str, sex: str, draw: Draw, context: Context, foreign: bool
) -> Member:
    classes, names = name_classes(), name_lists()
    group = classes.group(key)
    if role == "surname":
        if " " in key and not group and key.split(maxsplit=1)[0] in PARTICLES:
            return classes.drawn("surname with particle 0", bare(key), draw)
        if "surname" not in group and "mixed" not in group:
            return classes.drawn(class_for(key, role, "", foreign), key, draw)
    elif " " in key:  # "de Jesús", "del Carmen"
        listed_so = classes.group(bare(key)).endswith("with particle")
        image = classes.image(bare(key), draw) if listed_so else None
        return image or classes.drawn("given with particle 0", key, draw)
    elif key in BOTH_SEXES and not sex:
        return _of_both(key, draw)
    elif key[-1:] in "ao" and _is_twin(key, context):
        return _twin(key, draw, context)
    elif role == "nickname" and group.startswith(("nickname", "epithet")):
        listed_sex = group.split()[1]
        if sex and listed_sex in ("F", "M") and listed_sex != sex:
            return classes.drawn(class_for(key, "nickname", sex), key, draw)
    else:
        listed_sex = names.sex(key)
        if not sex:
            sex = listed_sex if listed_sex in ("F", "M") else guessed_sex(key)
        of_given = "given" in group or "mixed" in group
        if not of_given or (listed_sex != sex and group):
            return classes.drawn(class_for(key, "given", sex, foreign), key, draw)
    rare = rare_class(key, sex)
    if rare:
        return classes.drawn(rare, key, draw)
    image = classes.image(key, draw)
    assert image is not None
    return image


def _of_both(key: str, draw: Draw) -> Member:
    """Return another name of both sexes."""
    choices = written_of_both()
    keys = [fold_key(name) for name in choices]
    if key in keys:
        at = draw.permute(len(keys), keys.index(key), "both")
    else:
        at = draw.number(len(keys), "both", key)
    return Member(choices[at].capitalize())


def _is_twin(key: str, context: Context) -> bool:
    """Tell whether a note has a man's and a woman's form of a name: Otilio, Otilia."""
    own, other = context.note.own, key[:-1] + ("a" if key[-1] == "o" else "o")
    return other in own and key in own and name_lists().is_given(other)


def _twin(key: str, draw: Draw, context: Context) -> Member:
    """Return a name for one of two that differ in their end."""
    stems, own = twin_stems(), context.note.own
    at = draw.number(len(stems), "twins", key[:-1])
    for step in range(len(stems)):
        stem = stems[(at + step) % len(stems)]
        if not {stem + "o", stem + "a"} & own:
            break
    return Member(name_lists().given[stem + key[-1]].text)


def nickname_of(name: str, like: str, sex: str, draw: Draw) -> str:
    """Return a nickname of a new name.

    :param name: The new name in its usual spelling.
    :param like: The folded nickname that it stands for: a diminutive gets a diminutive.
    :param sex: F, M or empty.
    :param draw: Keyed numbers.
    :return: A listed one; its diminutive where no list has any.
    """
    names = name_lists()
    key = fold_key(name)
    if names.is_nickname(key) and names.called.get(key):
        key = names.called[key][0]  # "Tere" of Teresita, whose new name is "Lety"
        name = key.capitalize()
    own = names.sex(key)
    sex = own if own in ("F", "M") else sex
    fitting = [n for n in nicknames_of(key, like, sex) if n != fold_key(name)]
    if not fitting:
        return diminutive(name, sex)
    choice = fitting[draw.number(len(fitting), "nick", like)]
    entry = names.nicknames.get(choice)
    return entry.text if entry else choice.capitalize()


def other_epithet(key: str, sex: str, draw: Draw) -> str:
    """Return another word that people are called by.

    :param key: The folded one.
    :param sex: F or M.
    :param draw: Keyed numbers.
    """
    choices = [name for name in _EPITHETS[sex] if fold_key(name) != key]
    return choices[draw.number(len(choices), "epithet", key)]


def write_name(text: str, name: Name, bearer: Bearer, names: Names) -> str:
    """Return the surrogate of a mention of somebody.

    :param text: The mention, for its capitals.
    :param name: The mention in its parts.
    :param bearer: Who is named, by all mentions.
    :param names: The new names.
    :return: A name of the same make: order, initials, capitals and missing accents are
        kept, particles where the new word has none of its own.
    """
    return _Writer(text, name, bearer, names).written()


def surrogate_name(text: str, context: Context) -> str:
    """Return the surrogate of a name by itself.

    :param text: The name as it stands in the document.
    :param context: Key and settings.
    """
    name = parse_name(text)
    return write_name(text, name, bearer_of(name), Names(context))


class _Writer:
    """Writes the surrogate of one mention; particles wait for the word behind them."""

    def __init__(self, text: str, name: Name, bearer: Bearer, names: Names) -> None:
        self.text, self.name, self.names = text, name, names
        known = bearer.words or bearer.epithet
        self.bearer = bearer if known else replace(bearer_of(name), sex=bearer.sex)
        self.free = [w for w in self.bearer.words if w not in name.words]
        self.plain = writes_no_accents(text) or any(
            part.kind in _WORDS and _drops_accents(part) for part in name.parts
        )
        self.done: list[str] = []
        self.waiting: list[str] = []  # particles and what stands behind each

    def written(self) -> str:
        """Return the name with its new words."""
        for part in self.name.parts:
            if part.kind == "particle" or (self.waiting and part.text.isspace()):
                self.waiting.append(part.text)
                continue
            if part.kind in _WORDS:
                self._word(part)
                continue
            self.done += self.waiting
            self.waiting = []
            if part.kind == "initials":
                self.done.append(self._initials(part))
            elif part.kind == "epithet":
                self.done.append(self._epithet(part))
            else:
                self.done.append(part.text)
        return "".join([*self.done, *self.waiting])

    def _word(self, part: Part) -> None:
        member = self._planned(part) or self._own(part)
        value, point = member.text, ""
        token = part.text
        abbreviated = " " not in token and bare(part.key) != word_key(token)
        if abbreviated:
            value = _shortened(token, fold_key(value), value)
        elif token.endswith("."):
            point = "."
        shown = token if len(token.rstrip(".")) > 1 else self._neighbour()
        new = written_like(shown, value)
        self._particle(member.particle)
        self.done.append((plain_spelling(new) if self.plain else new) + point)

    def _neighbour(self) -> str:
        """Return what tells the case of a word of one letter: "DE LA O, Hilda"."""
        capitals = self.waiting and self.waiting[0].isupper()
        return "XX" if capitals or self.text.isupper() else self.text

    def _planned(self, part: Part) -> Member | None:
        """Return what the words of the person ask for: a nickname or slip of theirs."""
        key, bearer, draw = part.key, self.bearer, self.names.context.draw
        if bearer.epithet and key in bearer.words:
            return Member(other_epithet(key, bearer.epithet, draw).capitalize())
        nickname = name_lists().is_nickname(key)
        if key in bearer.words and not nickname:
            return None
        for word in bearer.given:
            if word != key and is_short_for(key, word):
                image = self.names.word(word, "given", bearer).text
                return Member(nickname_of(image, key, bearer.sex, draw))
        if key in bearer.words:
            return None
        for word in bearer.words:
            if bare(word) == bare(key):
                return self.names.word(word, bearer.role(word), bearer)
        for word in bearer.words:
            if is_slip(key, bare(word)) or _is_cut(key, bare(word)):
                image = self.names.word(word, bearer.role(word), bearer).text
                return Member(repeat_slip(key, bare(word), image))
        return None

    def _own(self, part: Part) -> Member:
        role = self.bearer.role(part.key) or part.kind
        if role == "given" and part.kind == "nickname":
            role = "nickname"
        member = self.names.word(part.key, role, self.bearer)
        if not member.particle and _ARTICLE.search("".join(self.waiting).rstrip()):
            kind = "surname" if role in ("surname", "married") else "given"
            draw = self.names.context.draw
            return name_classes().drawn(f"{kind} with particle 0", part.key, draw)
        return member

    def _particle(self, particle: str) -> None:
        """Write the particle of the new word where the old one's stands."""
        held, self.waiting = "".join(self.waiting), []
        old = held.rstrip()
        if particle and old:
            phrase = re.search(rf"(?:{_PHRASE.pattern})$", old, re.IGNORECASE)
            if phrase:
                new = particle.upper() if phrase.group().isupper() else particle
                held = old[: phrase.start()] + new + held[len(old) :]
        self.done.append(held)

    def _initials(self, part: Part) -> str:
        point = "." if part.text.endswith(".") else ""
        if part.text == "N" and re.search(r"[\"'“”«]N[\"'“”»]", self.text):
            return part.text  # a surname that is withheld: Javier "N"
        new = "".join(
            self.names.initial(letter, self.bearer, self.free) for letter in part.key
        )
        return (new.lower() if part.text[0].islower() else new) + point

    def _epithet(self, part: Part) -> str:
        article = "".join(self.done).split()[-1:]
        sex = "F" if article and fold_key(article[0]).strip("\"'“«") == "la" else "M"
        new = other_epithet(part.key, sex, self.names.context.draw)
        return match_case(part.text, new.capitalize())


def _alike(words: Iterable[str]) -> dict[str, str]:
    """Return the words of people that are others with a slip of the pen, and which.

    "Soto Viesc" and "Soto Viesca" are kin, "Eliécer" and "Eliezer" one name.
    """
    begun: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda word: (-len(word), word)):
        begun.setdefault(word[:_START], []).append(word)
    found: dict[str, str] = {}
    names = name_lists()
    for group in begun.values():
        for number, word in enumerate(group):
            for whole in group[:number]:
                unknown = not names.knows(word)
                slip = unknown and (_is_cut(word, whole) or is_slip(word, whole))
                if whole not in found and (slip or sound_alike(word, whole)):
                    found[word] = whole
                    break
    return found


def _is_cut(key: str, whole: str) -> bool:
    """Tell whether a word is another that its column cut: "Viesc" of Viesca."""
    return len(key) > 4 and whole.startswith(key) and len(whole) - len(key) <= 2


def _drops_accents(part: Part) -> bool:
    names = name_lists()
    if word_key(part.text) != part.key:  # "Ma." leaves out more than accents
        return False
    entry = names.given.get(part.key) or names.surnames.get(part.key)
    return entry is not None and has_accents(entry.text) and not has_accents(part.text)


def _shortened(token: str, key: str, value: str) -> str:
    """Return a name abbreviated as a token is: with an ordinal, a point, or bare."""
    ordinal = token.rstrip(".").endswith(("ª", "º"))
    for form in name_lists().abbreviations.get(key, ()):
        if form.rstrip(".").endswith(("ª", "º")) == ordinal:
            return form.rstrip(".") + ("." if token.endswith(".") else "")
    return value


def code_words(
    bearer: Bearer, given: Sequence[str], surnames: Sequence[str], names: Names
) -> tuple[list[str], str, str]:
    """Return the new given names and surnames as codes take them.

    :param bearer: Whose they are.
    :param given: Folded given names as the code reads the name.
    :param surnames: Folded surnames as the code reads it.
    :param names: The new names.
    """

    def new(word: str) -> str:
        return bare(fold_key(names.word(word, bearer.role(word), bearer).text))

    second = new(surnames[1]) if len(surnames) > 1 else ""
    return [new(word) for word in given], new(surnames[0]), second
