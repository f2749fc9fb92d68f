"""Find stand-ins of names in a text that somebody wrote anew, and what each stood for.

A language model that was shown "Jaime Romero Mota" answers with "Sr. Romero", "ROMERO
MOTA, JAIME", "J. Romero" or "J.R.M.". Each word of the stand-in stands for a word of
the original. A word that may be an ordinary one ("Salas", "Rosa") stays where nothing
shows that it is a name.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile

from presidio_mx.spanish.name_likeness import diminutive
from presidio_mx.spanish.names import parse_name, word_key
from presidio_mx.spanish.ordinary import (
    clinical_words,
    common_words,
    eponym_words,
    ordinary_words,
)
from presidio_mx.spanish.words import either, words
from presidio_mx.text.folding import fold, fold_key

_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]\.|[^\W\d_]+")
_GAP = re.compile(r"[ \t\u00a0]{0,6}|,[ \t]{0,6}| ?- ?")
_PARTICLES = words("particle") | {"y"}
_LONGEST_GAP = 3  # words: "de la"
_FEWEST_INITIALS = 3
_TITLE = re.compile(
    rf"(?:^|\W)(?:{either('title_proposed')}|mr|mrs|ms|miss|hola|estimad[oa]"
    r"|querid[oa]|dear|familia|hermanos)\.?\s+(?:de\s+)?$"
)
# Behind these stands the name of something else.
_OF_NO_PERSON = re.compile(
    r"(?:calle|avenida|av\.?|blvd\.?|colonia|col\.?|hospital|clinica|escuela|sindrome"
    r"|enfermedad|signo|escala|maniobra|prueba|test|indice|clasificacion|tecnica)"
    r"\s+(?:(?:general|de(?:\s+los?|\s+las?|l)?)\s+)?$"
)
_SENTENCE = re.compile(r"(?:^|[.?!:;]\s+|\n)[\s\-*•#>«\"'¿¡(|\d.)]*$")
_BEFORE = 40  # letters before a word that are looked at


@dataclass(frozen=True, slots=True)
class Back:
    """A place of a text and what goes there.

    :param start: Where it begins.
    :param end: Where it ends.
    :param text: The original; None where it is not sure that anything is meant.
    """

    start: int
    end: int
    text: str | None


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a stand-in, and what it stood for, in usual capitals."""

    key: str
    lead: str
    given: bool
    original: str
    original_lead: str


@dataclass(frozen=True, slots=True)
class Person:
    """The words of one person's stand-in, each with what it stood for."""

    words: tuple[_Word, ...]

    def has_initials(self, letters: str) -> bool:
        """Tell whether letters are those of a given name, or all, and the surnames.

        :param letters: In small letters.
        """
        given = "".join(word.key[0] for word in self.words if word.given)
        surnames = "".join(word.key[0] for word in self.words if not word.given)
        return letters in (given + surnames, given[:1] + surnames)


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    text: str
    key: str


@dataclass(frozen=True, slots=True)
class _Run:
    """Words of a text that name one person: token and word of each."""

    person: Person
    taken: tuple[tuple[int, _Word], ...]
    first: int
    whole: int

    @property
    def end(self) -> int:
        """The last token."""
        return self.taken[-1][0]


def agreed(texts: Iterable[str | None]) -> str | None:
    """Return the one text that several are but for accents; None if they differ.

    :param texts: Texts; None says nothing.
    """
    given = [text for text in texts if text is not None]
    if len({fold(text) for text in given}) != 1:
        return None
    return max(given, key=lambda text: (sum(not c.isascii() for c in text), text))


def person_of(original: str, shown: str) -> Person:
    """Return which word of a stand-in stands for which word of the original.

    :param original: The name.
    :param shown: Its stand-in, which is written in the same format.
    """
    ours, theirs = _name_words(original), _name_words(shown)
    if len(ours) == len(theirs):
        return Person(tuple(_word(*pair) for pair in zip(theirs, ours, strict=True)))
    found: list[_Word] = []
    for given in (True, False):
        mine = [word for word in ours if word[2] == given]
        shown_words = [word for word in theirs if word[2] == given]
        found += _aligned(shown_words, mine)
    return Person(tuple(found))


def names_in(line: str, people: Sequence[Person]) -> Iterator[Back]:
    """Yield the stand-ins of people in a line.

    :param line: A line of a text.
    :param people: The people.
    """
    tokens = [
        _Token(m.start(), m.end(), m[0], word_key(m[0])) for m in _WORD.finditer(line)
    ]
    at = 0
    while at < len(tokens):
        runs = [run for person in people if (run := _run(line, tokens, at, person))]
        if not runs:
            at += 1
            continue
        longest = max(run.end for run in runs)
        best = [run for run in runs if run.end == longest]
        best = [run for run in best if run.whole == max(r.whole for r in best)]
        text = agreed({_written(line, tokens, run) for run in best})
        sure = all(_is_name(line, tokens, run) for run in best)
        first = min(run.first for run in best)
        start, end = tokens[first].start, tokens[longest].end
        if sure and text is not None:
            yield Back(start, end, text)
        elif not line[start:end].islower():
            yield Back(start, end, None)
        at = longest + 1


def has_title(line: str, start: int) -> bool:
    """Tell whether a title stands before a word: "Dr. Guerrero".

    :param line: A line of a text.
    :param start: Where the word begins.
    """
    return bool(_TITLE.search(fold(line[max(0, start - _BEFORE) : start])))


def diminutives(people: Sequence[Person]) -> frozenset[str]:
    """Return the folded diminutives of people's given names.

    :param people: The people.
    """
    given = {word.key for person in people for word in person.words if word.given}
    return frozenset(fold_key(diminutive(name)) for name in given)


def nicknames_in(line: str, short: Collection[str]) -> Iterator[Back]:
    """Yield words that may be diminutives of given names, none of which is put back.

    :param line: A line of a text.
    :param short: As :func:`diminutives` gives them.
    """
    for match in _WORD.finditer(line):
        if match[0][0].isupper() and fold_key(match[0]) in short:
            yield Back(match.start(), match.end(), None)


def _name_words(name: str) -> list[tuple[str, str, bool]]:
    """Return the words of a name: particles before it, as written, whether given."""
    found, lead = [], ""
    for part in parse_name(name).parts:
        if part.kind == "particle":
            lead += f"{part.text.lower()} "
        elif part.kind:
            text = part.text.title() if name.isupper() else part.text
            text = text if len(text) == len("J.") else text.rstrip(".")
            found.append((lead, text, part.kind in ("given", "nickname")))
            lead = ""
    return found


def _word(shown: tuple[str, str, bool], mine: tuple[str, str, bool]) -> _Word:
    return _Word(word_key(shown[1]), shown[0], mine[2], mine[1], mine[0])


def _aligned(
    shown: Sequence[tuple[str, str, bool]], mine: Sequence[tuple[str, str, bool]]
) -> Iterator[_Word]:
    """Yield pairs of words; the last of the stand-in stands for all that are left."""
    for at, word in enumerate(shown):
        if at < len(shown) - 1 or at >= len(mine):
            yield _word(word, mine[at] if at < len(mine) else ("", "", word[2]))
        else:
            rest = " ".join(f"{lead}{text}" for lead, text, _ in mine[at:])
            yield _word(word, (("", rest, word[2])))


def _run(line: str, tokens: Sequence[_Token], at: int, person: Person) -> _Run | None:
    """Return the words from one on that name a person; None if none does."""
    left = list(person.words)
    taken: list[tuple[int, _Word]] = []
    place, comma = at, False
    while place < len(tokens):
        if taken:
            gap = line[tokens[place - 1].end : tokens[place].start]
            if not _GAP.fullmatch(gap) or ("," in gap and (comma or _has_given(taken))):
                break
            if len(gap) > len(", ") and len(tokens[place].key) == 1:
                break
            comma = comma or "," in gap
        if word := _taken(tokens[place], left):
            taken.append((place, word))
            left.remove(word)
            place += 1
            continue
        skipped = list(takewhile(_is_particle, tokens[place : place + _LONGEST_GAP]))
        behind = place + len(skipped)
        joins = skipped and behind < len(tokens)
        if not (joins and _leads(tokens[behind], left, skipped)):
            break
        place = behind
    while taken and _is_loose(tokens, taken):
        taken.pop()
    if not taken:
        return None
    whole = sum(len(tokens[i].key) > 1 for i, _ in taken)
    return _Run(person, tuple(taken), at, whole)


def _is_loose(tokens: Sequence[_Token], taken: Sequence[tuple[int, _Word]]) -> bool:
    """Tell whether the last word is a letter that need be no initial: "Ramos a"."""
    last = tokens[taken[-1][0]]
    return len(last.key) == 1 and not (
        last.text.endswith(".") and last.text[0].isupper()
    )


def _is_particle(token: _Token) -> bool:
    return token.key in _PARTICLES


def _has_given(taken: Sequence[tuple[int, _Word]]) -> bool:
    return any(word.given for _, word in taken)


def _taken(token: _Token, left: Sequence[_Word]) -> _Word | None:
    """Return the word that a token is, in full or by its first letter."""
    if len(token.key) > 1:
        return next((word for word in left if word.key == token.key), None)
    if not token.text[0].isupper():
        return None
    return next((word for word in left if word.key[0] == token.key), None)


def _leads(token: _Token, left: Sequence[_Word], skipped: Sequence[_Token]) -> bool:
    word = _taken(token, left)
    lead = "".join(f"{token.key} " for token in skipped)
    return bool(word and fold(word.lead) == lead)


def _written(line: str, tokens: Sequence[_Token], run: _Run) -> str:
    """Return the originals of a run, in its order, capitals and separators."""
    parts, end = [], tokens[run.first].start
    for at, word in run.taken:
        token = tokens[at]
        before = line[end : token.start]
        led = bool(word.lead) and fold(before).endswith(fold(word.lead))
        if led:
            before = before[: -len(word.lead)]
        lead = word.original_lead if led or not word.lead else ""
        parts += [before, _like(token.text, lead, word.original)]
        end = token.end
    text = re.sub(r"\s{2,}", " ", "".join(parts)).strip(" ,")
    start = line[tokens[run.first].start]
    return text[:1].upper() + text[1:] if start.isupper() else text


def _like(shown: str, lead: str, original: str) -> str:
    """Return an original as short and in the same capitals as its stand-in."""
    if not original:
        return ""
    if len(shown.rstrip(".")) == 1:
        return original[0].upper() + shown[1:]
    text = lead + original
    if shown.isupper():
        return text.upper()
    return text.lower() if shown.islower() else text


def _is_name(line: str, tokens: Sequence[_Token], run: _Run) -> bool:
    """Tell whether words that name somebody are meant as a name here."""
    first, last = tokens[run.first], tokens[run.end]
    if has_title(line, first.start):
        return True
    named = [tokens[at] for at, _ in run.taken]
    if run.whole == 0:
        letters = "".join(token.key for token in named)
        return len(letters) >= _FEWEST_INITIALS and run.person.has_initials(letters)
    lower = all(token.text.islower() for token in named)
    common = all(may_be_ordinary(token.text) for token in named)
    if len(named) > 1:
        return not (lower and common)
    if _OF_NO_PERSON.search(fold(line[max(0, first.start - _BEFORE) : first.start])):
        return False
    if lower:
        return run.taken[0][1].given and not common
    return _alone(line, first, last, common or not run.taken[0][1].given)


@cache
def _everyday() -> frozenset[str]:
    return common_words() | clinical_words()


def may_be_ordinary(word: str) -> bool:
    """Tell whether a word, or what it is the plural of, has another meaning.

    :param word: A name of one word; in small letters the more words have one.
    """
    key = fold_key(word)
    if word.islower():
        meanings = ordinary_words()
    elif key in eponym_words():
        return False
    else:
        meanings = _everyday()
    return any(key.removesuffix(end) in meanings for end in ("", "s", "es"))


def _alone(line: str, first: _Token, last: _Token, common: bool) -> bool:
    """Tell whether a word with a capital is meant as a name, and as this one."""
    before, behind = line[: first.start], line[last.end :]
    begins = bool(_SENTENCE.search(before))
    if begins and common and re.match(r"\s+[^\W\d_]", behind):
        return False
    after = re.match(r"[ ]+([^\W\d_]\w+)", behind)
    ahead = re.search(r"([^\W\d_]\w+)[ ]+$", before)
    if first.text.isupper():
        return not common or not (
            (after and after[1].isupper()) or (ahead and ahead[1].isupper())
        )
    if after and after[1][0].isupper() and not after[1].isupper():
        return False
    return not (
        ahead
        and ahead[1][0].isupper()
        and not _SENTENCE.search(before[: ahead.start()])
    )
