"""Surrogates of names of persons, word by word.

Each word has one surrogate in its scope, wherever it stands: "Jesús Mendoza Mares",
"Mendoza" and "MENDOZA MARES JESUS" stay one person without knowing of one another. Only
what the words of a name say of each other (sex, a name in two words, initials,
nicknames, slips) may change that.
"""

import re

from presidio_mx.replace.surrogates.bearer import NOBODY, Bearer, sex_in
from presidio_mx.replace.surrogates.boxes import boxed_like, unboxed
from presidio_mx.replace.surrogates.case import (
    lacks_accents,
    match_case,
    match_marks,
    writes_no_accents,
)
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.epithets import epithet_image, other_epithet
from presidio_mx.replace.surrogates.escapes import escaped_like, unescaped
from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.replace.surrogates.name_behind import called_behind, home_behind
from presidio_mx.replace.surrogates.name_classes import Member
from presidio_mx.replace.surrogates.name_images import word_image, written_image
from presidio_mx.replace.surrogates.name_initials import initial_surrogate
from presidio_mx.replace.surrogates.name_words import (
    NAME_WORD,
    bare,
    keyed_words,
    name_words,
    two_given,
    unglued,
)
from presidio_mx.replace.surrogates.nicknames import (
    is_nickname,
    is_short_for,
    nickname_of,
)
from presidio_mx.replace.surrogates.places import surrogate_place
from presidio_mx.replace.surrogates.slips import is_slip, repeat_slip
from presidio_mx.replace.surrogates.spoken import other_code_words, spells
from presidio_mx.replace.surrogates.spoken_codes import (
    other_spelt_name,
    spelt_letters,
)
from presidio_mx.replace.surrogates.web import is_login, surrogate_handle
from presidio_mx.text.folding import fold_key

_LOGIN_NAME = 3  # letters; a user name holds a longer one: "mestevez"
_WITH_ARTICLE = re.compile(r"\b(?:del|de\s+l[ao]s?)$", re.IGNORECASE)
_ANSWER = re.compile(r"[A-Z]\.?[ \t]*\n\s*\n\s*(?=\S)")
_QUOTED = re.compile(r"[\"“”«'](el|la)\s+$", re.IGNORECASE)
_PHRASE = re.compile(r"(?:de|del|d)(?:\s+l[aoe]s?)?", re.IGNORECASE)


def _nicknamed(key: str, bearer: Bearer) -> str:
    """Return the word of a name that another word is a nickname of, or nothing.

    :param key: Folded word: of another mention, or in the name itself, as the nickname
        of 'Maximiliano "Maxi" Ruiz' is.
    :param bearer: Who bears the name.
    """
    if key in bearer.words and not is_nickname(key):
        return ""
    others = [word for word in bearer.words if word != key]
    return next((word for word in others if is_short_for(key, word)), "")


def _planned_word(key: str, bearer: Bearer, context: Context) -> str | None:
    """Return the surrogate that the person's other mentions ask for, if any."""
    nicknamed = _nicknamed(key, bearer)
    if nicknamed:
        image = written_image(nicknamed, bearer, context).text
        return nickname_of(image, key, bearer.sex, context.draw)
    meant = context.facts.slips.get(key)
    if meant and meant not in bearer.words:  # "Viesc" of the sister of a Viesca
        image = word_image(meant, context, bearer).text
        cut = meant.startswith(key)
        return (
            image[: len(image) - len(meant) + len(key)]
            if cut
            else (repeat_slip(key, meant, image))
        )
    if key in bearer.words:
        return None
    for companion in bearer.words:  # "Cruz" of "De la Cruz"
        if bare(companion) == bare(key):
            return word_image(companion, context, bearer).text
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
            return written_image(companion, bearer, context).text[0].upper()
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
            new = token[0] if kept else self._initials(token.rstrip("."))
            self._add(match, new.lower() if token[0].islower() else new, point)
            return
        planned = _planned_word(full, self.bearer, self.context)
        quoted = _QUOTED.search(self.text[: match.start()])
        if quoted and not planned:  # Ulises "el Ruso" Cadena
            sex = "F" if quoted[1].lower() == "la" else "M"
            planned = other_epithet(full, sex, self.context).capitalize()
        image = (
            Member(planned)
            if planned
            else written_image(full, self.bearer, self.context)
        )
        if not image.particle and not planned and self._needs_particle(match):
            kind = "surname" if self.pieces and not self._given_before() else "given"
            kind = f"{kind} with particle 0"
            image = lexicon().drawn(kind, full, self.context.draw)
        value = image.text
        if bare(full) != key:
            value, point = _shortened(token, value), ""
        entry = lexicon().words.get(full)
        self.plain = self.plain or (
            bare(full) == key and entry is not None and lacks_accents(token, entry.text)
        )
        shown = self._shown(token)
        shouts = self.waiting and self.waiting[-1].group().isupper()
        if len(token) == 1 and token.isupper() and shouts:  # "DE LA O, Hilda"
            shown = self.waiting[-1].group()
        self._particle(match, image.particle)
        self._add(match, match_case(shown, value), point)

    def _initials(self, letters: str) -> str:
        letters = letters[0] if letters == "Ch" else letters
        known = self.context.facts.initials
        if len(letters) == 1 and not self.free and not name_words(self.text):
            new = known.get(fold_key(letters), letters)
            kept = fold_key(new) == fold_key(letters)
            return initial_surrogate(letters, self.context) if kept else new
        return "".join(
            _initial(letter, self.free, self.bearer, self.context) for letter in letters
        )

    def _needs_particle(self, match: re.Match[str]) -> bool:
        """Tell whether "de la" or "del" stands before: not every name goes with it."""
        if not self.waiting:
            return False
        before = self.text[self.waiting[0].start() : match.start()].rstrip()
        return _WITH_ARTICLE.search(before) is not None

    def _given_before(self) -> bool:
        """Tell whether the word before is a given name: "María de la ..."."""
        start, end, _ = self.pieces[-1]
        words_before = name_words(self.text[start:end])
        return bool(words_before) and lexicon().is_given(words_before[-1])

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


def _beside_epithet(
    text: str, behind: re.Match[str], context: Context, bearer: Bearer
) -> str:
    """Replace a name and what is said behind it: "Nati la Huesera"; "chico" stays."""
    start, end = behind.span("epithet")
    name, word = text[: behind.start()], text[start:end]
    article = text[behind.start() : start]
    if article.strip():
        sex = "F" if fold_key(article.strip()) == "la" else "M"
        word = match_case(
            word, other_epithet(fold_key(word), sex, context).capitalize()
        )
    return surrogate_name(name, context, bearer) + article + word


def surrogate_name(text: str, context: Context, bearer: Bearer = NOBODY) -> str:
    """Return the surrogate of a name.

    :param text: The name as it stands in the document.
    :param context: Key, settings and facts.
    :param bearer: What the document says of the person; initials, nicknames and slips
        are resolved by the words of the fullest mention.
    :return: A name of the same make: order, initials, capitals and missing accents are
        kept, particles where the new word has none of its own.
    """
    if unboxed(text) != text:
        return boxed_like(text, surrogate_name(unboxed(text), context, bearer))
    if unescaped(text) != text:
        new = surrogate_name(unescaped(text), context, bearer)
        return escaped_like(text, new)
    answer = _ANSWER.match(text)
    if answer:  # "F.", a category, and who signs below
        return answer.group() + surrogate_name(text[answer.end() :], context, bearer)
    text = unglued(text)
    known = context.facts.name_words
    if is_login(text):
        key = fold_key(text)
        if any(len(n) > _LOGIN_NAME and n != key and n in key for n in known):
            return surrogate_handle(text, context)
    if spells(text) or spelt_letters(text):
        return other_spelt_name(text, context) or other_code_words(text, context)
    if bearer.epithet:
        return epithet_image(text, bearer, context)
    joint = two_given(text)
    if joint:
        halves = text[: joint[0]], text[joint[1] :]
        first, second = (surrogate_name(half, context) for half in halves)
        return first + text[joint[0] : joint[1]] + second
    home = home_behind(text)
    if home:
        place = surrogate_place(text[home:], context)
        head = text[:home]
        return surrogate_name(head.rstrip(), context, bearer) + (
            head[len(head.rstrip()) :] + place
        )
    behind = called_behind(text)
    if behind:
        return _beside_epithet(text, behind, context, bearer)
    writer = _Writer(text, context, bearer)
    keyed = keyed_words(text)
    for match, (_, key, full) in zip(NAME_WORD.finditer(text), keyed, strict=True):
        writer.token(match, key, full)
    return writer.written()
