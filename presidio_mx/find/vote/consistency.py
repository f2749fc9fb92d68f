"""Whole-note consistency: a name found once is found wherever a part of it stands."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from presidio_mx.find.note.casing import casing
from presidio_mx.find.note.document import Document
from presidio_mx.find.note.finding import Finding
from presidio_mx.find.note.lexicon import KNOWN, NAME, Flag
from presidio_mx.find.vote.initials import (
    INITIALS_RULE,
    LEGEND_RULE,
    explained_in,
    initials_in,
)
from presidio_mx.find.vote.resolve import Overlaps

PERSON = "PERSON"
_TRUSTED = 0.6
_SURE = 0.8
_LEGEND_SCORE = 0.9
_REPEAT_SCORE = 0.7
_REPEAT_RULE = "consistency#repeat"
_SHORTEST = 3
_MOST_NAMESAKES = 50
_SHORTEST_TYPO = 6


@dataclass(frozen=True, slots=True)
class _Person:
    """A name found with evidence.

    :param words: Its folded words, initials and particles left out.
    :param finding: Where it was found.
    """

    words: tuple[str, ...]
    finding: Finding


def make_consistent(document: Document, findings: list[Finding]) -> list[Finding]:
    """Add further mentions of the persons found, and settle everybody's role.

    :param document: The note.
    :param findings: Settled findings, blocks among them.
    :return: The findings with repeated names added and a role for each person.
    """
    persons = [
        _Person(_name_words(document, f), f)
        for f in findings
        if f.entity == PERSON and not f.block
    ]
    if not persons:
        return findings
    repeats = list(_repeats(document, persons, findings))
    repeats += _initials(document, persons, [*findings, *repeats])
    persons += [_Person(_name_words(document, f), f) for f in repeats]
    roles = _roles(persons)
    return sorted(
        (
            f._replace(role=roles.get((f.start, f.end), f.role))
            if f.entity == PERSON and not f.block
            else f
            for f in [*findings, *repeats]
        ),
        key=lambda f: (f.start, f.end, f.rule),
    )


def _name_words(document: Document, finding: Finding) -> tuple[str, ...]:
    indices = document.words_in(finding.start, finding.end)
    return tuple(
        document.words[i] for i in indices if len(document.words[i]) >= _SHORTEST
    )


def _repeats(
    document: Document, persons: list[_Person], findings: list[Finding]
) -> Iterator[Finding]:
    """Yield uncovered runs of words that belong to one of the names found."""
    sure, trusted = _vocabulary(document, persons)
    if not trusted:
        return
    # Settled spans do not overlap, so that their ends ascend with their starts.
    taken = [f for f in findings if not f.block]
    ends = [f.end for f in taken]
    blocks = [f for f in findings if f.block and f.entity == PERSON]
    blocked = {i for b in blocks for i in document.words_in(b.start, b.end)}
    words, flags = document.words, document.flags
    index, size = 0, len(document)
    while index < size:
        # What is known and in no name cannot be one: most words of a note.
        known = flags[index] and words[index] not in trusted
        if known or not _is_repeat(document, index, sure, trusted):
            index += 1
            continue
        last = index
        while (
            last + 1 < size
            and document.gap(last) == " "
            and _is_repeat(document, last + 1, sure, trusted)
        ):
            last += 1
        start, end = document.starts[index], document.ends[last]
        near = bisect_right(ends, start)
        free = near == len(taken) or taken[near].start >= end
        if free and not blocked.intersection(range(index, last + 1)):
            yield Finding(start, end, PERSON, _REPEAT_SCORE, _REPEAT_RULE)
        index = last + 1


def _initials(
    document: Document, persons: list[_Person], findings: list[Finding]
) -> list[Finding]:
    """Return initials of the persons found that stand where nothing was found."""
    sure = [p.finding for p in persons if p.finding.score >= _SURE]
    trusted = [p.finding for p in persons if p.finding.score >= _TRUSTED]
    taken = Overlaps.of([f for f in findings if f.entity == PERSON or not f.block])
    initials = [
        *(
            Finding(*span, PERSON, _LEGEND_SCORE, LEGEND_RULE)
            for span in explained_in(document, trusted)
        ),
        *(
            Finding(*span, PERSON, _SURE, INITIALS_RULE)
            for span in initials_in(document, sure)
        ),
    ]
    free = {f[:2]: f for f in reversed(initials) if not any(taken.with_(f))}
    return list(free.values())


def _vocabulary(
    document: Document, persons: list[_Person]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of names found surely, and of those found with some trust."""
    sure: set[str] = set()
    trusted: set[str] = set()
    for person in persons:
        if person.finding.score < _TRUSTED:
            continue
        for i in document.words_in(person.finding.start, person.finding.end):
            word, flag = document.words[i], document.flags[i]
            if len(word) < _SHORTEST or word[0].isdigit():
                continue
            if not flag & (KNOWN | Flag.ANCHOR) or flag & NAME:
                trusted.add(word)
                if person.finding.score >= _SURE:
                    sure.add(word)
    return frozenset(sure), frozenset(trusted)


def _is_repeat(
    document: Document, index: int, sure: frozenset[str], trusted: frozenset[str]
) -> bool:
    word, flag = document.words[index], document.flags[index]
    if word in trusted:
        if not flag & (KNOWN | Flag.EPONYM):
            return casing(document, index) != "mixed" or document.capital(index)
        # A word with another sense needs a capital that the sentence does not explain.
        return (
            word in sure
            and casing(document, index) == "mixed"
            and document.capital(index)
            and not document.sentence_start(index)
        )
    if flag or len(word) < _SHORTEST_TYPO or not document.capital(index):
        return False
    return any(
        abs(len(word) - len(name)) <= 1
        and len(name) >= _SHORTEST_TYPO
        and OSA.distance(word, name, score_cutoff=1) <= 1
        for name in sure
    )


def _roles(persons: list[_Person]) -> dict[tuple[int, int], str]:
    """Return a role for each mention: its own, its namesake's, or a default."""
    roles = {
        (p.finding.start, p.finding.end): p.finding.role
        for p in persons
        if p.finding.role
    }
    by_word = _by_word(persons)
    settled: dict[tuple[int, int], str] = {}
    patient_named = any(role == "patient" for role in roles.values())
    for person in sorted(persons, key=lambda p: p.finding.start):
        span = (person.finding.start, person.finding.end)
        role = roles.get(span) or _namesake(person, by_word)
        if role is None:
            role = "other" if patient_named else "patient"
            patient_named = True
        settled[span] = role
    return settled


def _by_word(persons: list[_Person]) -> dict[str, dict[tuple[str, ...], str]]:
    """Return, by word, the different names that have a role, each with its first."""
    index: dict[str, dict[tuple[str, ...], str]] = {}
    for person in persons:
        if person.finding.role:
            for word in person.words:
                names = index.setdefault(word, {})
                if len(names) < _MOST_NAMESAKES:
                    names.setdefault(person.words, person.finding.role)
    return index


def _namesake(
    person: _Person, by_word: dict[str, dict[tuple[str, ...], str]]
) -> str | None:
    """Return the role of the person with a role that this mention is a part of."""
    words = set(person.words)
    best: tuple[int, str] | None = None
    for word in person.words:
        for name, role in by_word.get(word, {}).items():
            if not (words <= set(name) or set(name) <= words):
                continue
            # The first word is mostly the given name: it tells relatives apart.
            weight = len(words & set(name)) + (name[:1] == person.words[:1])
            if best is None or weight > best[0]:
                best = (weight, role)
    return best[1] if best else None
