"""Which mentions of names in a document are one person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.replace.surrogates.name_behind import called_behind, home_behind
from presidio_mx.replace.surrogates.name_words import bare, keyed_words, unglued
from presidio_mx.replace.surrogates.nicknames import (
    enlarged,
    is_nickname,
    is_short_for,
)
from presidio_mx.replace.surrogates.slips import is_slip
from presidio_mx.text.folding import fold_key

_NO_ROLE = "other"
_FEWEST_INITIALS = 3  # two are those of many
_START = 3  # a slip of the pen is looked for in words that begin alike


@dataclass(frozen=True)
class Mention:
    """A text that names a person.

    :param text: As it stands in the document.
    :param role: Role of the person, or empty.
    :param position: Place in reading order.
    """

    text: str
    role: str
    position: int


@dataclass(frozen=True)
class Person:
    """A person of the document.

    :param words: Folded words of the fullest mention, in its order.
    :param texts: Every text that names the person.
    :param role: Role, or empty.
    :param position: Reading order of the first mention.
    :param fullest: The fullest mention.
    """

    words: tuple[str, ...]
    texts: tuple[str, ...]
    role: str
    position: int
    fullest: str


@dataclass(frozen=True)
class _Parsed:
    mention: Mention
    words: tuple[str, ...]
    initials: tuple[str, ...]


def _parse(mention: Mention) -> _Parsed:
    words: list[str] = []
    initials: list[str] = []
    text = unglued(mention.text)
    text = text[: home_behind(text) or None]
    behind = called_behind(text)
    for token, key, full in keyed_words(text[: behind.start()] if behind else text):
        if full and not key:
            letters = fold_key(token).rstrip(".")
            initials += letters[:1] if letters == "ch" else letters
        elif full:
            words.append(full)
    return _Parsed(mention, tuple(words), tuple(initials))


def _fits(parsed: _Parsed, words: Sequence[str]) -> bool:
    """Tell whether a mention can be of somebody with these words."""
    free = list(words)
    exact = 0
    for word in parsed.words:
        found = next(
            (
                other
                for other in free
                if bare(other) == bare(word)
                or is_slip(word, other)
                or is_short_for(word, other)
            ),
            None,
        )
        if found is None:
            return False
        exact += 1
        free.remove(found)
    for initial in parsed.initials:
        found = next((other for other in free if bare(other).startswith(initial)), None)
        if found is None:
            return False
        free.remove(found)
    return exact > 0


def find_people(mentions: Sequence[Mention]) -> list[Person]:
    """Group the mentions of a document into people.

    A mention belongs to a fuller one if all its words are in that one: whole, as an
    initial, as a nickname, or with a slip of the pen. Two known, different roles are
    two people. The same text is always the same person.

    :param mentions: Names in reading order.
    :return: People in reading order.
    """
    first: dict[str, _Parsed] = {}
    for mention in mentions:
        held = first.get(mention.text)
        if held is None or (not held.mention.role and mention.role):
            position = held.mention.position if held else mention.position
            fixed = Mention(mention.text, mention.role, position)
            first[mention.text] = _parse(fixed)
    ordered = sorted(
        first.values(),
        key=lambda p: (-len(p.words), len(p.initials), p.mention.position),
    )
    groups: list[list[_Parsed]] = []
    begun: dict[str, set[int]] = {}  # beginning or end of a word: its groups
    for parsed in ordered:
        candidates = _candidates(parsed, begun)
        fitting = [
            groups[number]
            for number in sorted(candidates)
            if _roles_agree(parsed, groups[number])
            and _fits(parsed, groups[number][0].words)
        ]
        if not fitting and len(parsed.words) == 1 and not parsed.initials:
            fitting = [
                groups[number]
                for number in sorted(candidates)
                if _is_nickname_of(parsed.words[0], groups[number][0])
            ]
            fitting = fitting if len(fitting) == 1 else []
            if fitting:  # the role of a diminutive alone was guessed
                parsed = replace(parsed, mention=replace(parsed.mention, role=""))
        if not parsed.words:
            fitting = [group for group in groups if _abbreviates(parsed, group)]
            agreeing = [group for group in fitting if _roles_agree(parsed, group)]
            fitting = agreeing or fitting
            fitting = fitting if len(fitting) == 1 else []
        if fitting:
            min(fitting, key=lambda g: _distance(parsed, g)).append(parsed)
            continue
        ends = {f"-{word[-_START:]}" for word in parsed.words}
        for start in ends | {bare(word)[:_START] for word in parsed.words}:
            begun.setdefault(start, set()).add(len(groups))
        groups.append([parsed])
    people = [_person(group) for group in groups]
    return sorted(people, key=lambda person: person.position)


def _is_nickname_of(word: str, fullest: _Parsed) -> bool:
    """Tell whether a diminutive is of somebody, whatever was guessed of their roles."""
    if not word.endswith(("ito", "ita")):
        return False
    others = [other for other in fullest.words if other != word]
    return word not in fullest.words and any(is_short_for(word, o) for o in others)


def _abbreviates(parsed: _Parsed, group: Sequence[_Parsed]) -> bool:
    """Tell whether initials alone are those of a name, surnames first or last."""
    whole = [bare(word)[:1] for word in group[0].words]
    turned = [whole[at:] + whole[:at] for at in range(len(whole))]
    long = len(parsed.initials) >= _FEWEST_INITIALS
    return long and list(parsed.initials) in turned


def _candidates(parsed: _Parsed, begun: Mapping[str, set[int]]) -> set[int]:
    """Return the groups with a word that begins like each word of a mention."""
    nicknames = lexicon().nicknames
    found: list[set[int]] = []
    for word in parsed.words:
        groups = begun.get(bare(word)[:_START], set())
        for given in (*nicknames.get(word, ()), *nicknames.get(enlarged(word), ())):
            groups = groups | begun.get(given[:_START], set())
        groups = groups | begun.get(f"-{word[-_START:]}", set())
        found.append(groups)
    return set.intersection(*sorted(found, key=len)) if found else set()


def _roles_agree(parsed: _Parsed, group: Sequence[_Parsed]) -> bool:
    """Tell whether roles leave it open that a mention is of a person.

    Of a nickname "other" says only that nothing else was said: "llaman Tina"; so it
    does of one word that no list has: "doña Came".
    """
    names = lexicon()
    nickname = any(is_nickname(word) for word in parsed.words) or (
        len(parsed.words) == 1
        and (parsed.words[0] not in names.words or parsed.words[0] in names.nicknames)
    )
    # "Wilmer Antunes o Antunez": a slip alone is whose name it is, too.
    alone = parsed.words[0] if len(parsed.words) == 1 else ""
    slip = not names.is_given(alone) and any(
        is_slip(alone, bare(word)) for word in group[0].words
    )
    unknown = ("", _NO_ROLE) if nickname or slip else ("",)
    role = parsed.mention.role
    return role in unknown or all(p.mention.role in (*unknown, role) for p in group)


def _distance(parsed: _Parsed, group: Sequence[_Parsed]) -> tuple[bool, int]:
    """Rank groups: one with a mention before this one first, then the nearest."""
    here = parsed.mention.position
    before = [p.mention.position for p in group if p.mention.position < here]
    if before:
        return False, here - max(before)
    return True, min(p.mention.position for p in group) - here


def _person(group: Sequence[_Parsed]) -> Person:
    roles = [p.mention.role for p in group if p.mention.role]
    return Person(
        words=group[0].words,
        texts=tuple(p.mention.text for p in group),
        role=roles[0] if roles else "",
        position=min(p.mention.position for p in group),
        fullest=group[0].mention.text,
    )


def by_text(people: Sequence[Person]) -> Mapping[str, Person]:
    """Return the person of each text.

    :param people: People of a document.
    :return: Text to person.
    """
    return {text: person for person in people for text in person.texts}
