"""Persons of a note: further mentions of names that rules found, everybody's role."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from presidio_mx.find.finding import Finding
from presidio_mx.find.reading import ROLES, Evidence, Floats
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document
from presidio_mx.text.folding import fold

PERSON = "PERSON"
STAFF = ROLES.index("staff")
# Rules: names from this score on may be repeated; surer ones also as ordinary words.
_TRUSTED, _SURE = 0.6, 0.8
_REPEAT_SCORE = 0.7
REPEAT_RULE = "people#repeat"
_SHORTEST = 3
_PARTICLES = words("particle_person")
# How sure each mention of a person must be before that person is staff.
_STAFF_FROM = 0.95
# What a rule's word on a role is worth, beside a model and alone.
_RULE_SAYS = 0.96


def repeated(document: Document, findings: Sequence[Finding]) -> Iterator[Finding]:
    """Yield where a name that rules found stands again and no rule sees it.

    :param document: The prepared note.
    :param findings: Settled findings, blocks among them, in offsets of the document.
    """
    persons = [f for f in findings if f.entity == PERSON and not f.block]
    sure, trusted = _vocabulary(document, persons)
    if not trusted:
        return
    # Settled spans do not overlap, so that their ends ascend with their starts.
    taken = [f for f in findings if not f.block]
    ends = [f.end for f in taken]
    blocks = [f for f in findings if f.block and f.entity == PERSON]
    blocked = {i for b in blocks for i in document.words_in(b.start, b.end)}
    index, size = 0, len(document)
    while index < size:
        if document.words[index] not in trusted or not _again(document, index, sure):
            index += 1
            continue
        last = index
        while (
            last + 1 < size
            and document.gap(last) == " "
            and document.words[last + 1] in trusted
            and _again(document, last + 1, sure)
        ):
            last += 1
        start, end = document.starts[index], document.ends[last]
        near = bisect_right(ends, start)
        free = near == len(taken) or taken[near].start >= end
        if free and blocked.isdisjoint(range(index, last + 1)):
            yield Finding(start, end, PERSON, _REPEAT_SCORE, REPEAT_RULE)
        index = last + 1


def _vocabulary(
    document: Document, persons: Sequence[Finding]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of sure names, and those of names that may be repeated."""
    sure: set[str] = set()
    trusted: set[str] = set()
    for person in persons:
        if person.score < _TRUSTED:
            continue
        for i in document.words_in(person.start, person.end):
            word, flag = document.words[i], document.flags[i]
            if len(word) < _SHORTEST or word in _PARTICLES:
                continue
            if not flag & (KNOWN | Flag.ANCHOR) or flag & NAME:
                trusted.add(word)
                if person.score >= _SURE:
                    sure.add(word)
    return frozenset(sure), frozenset(trusted)


def _again(document: Document, index: int, sure: frozenset[str]) -> bool:
    """Tell whether a word of a name means the person where it stands."""
    mixed = document.casing(index) == "mixed"
    if not document.flags[index] & (KNOWN | Flag.EPONYM):
        return not mixed or document.capital(index)
    # A word with another sense needs a capital that the sentence does not explain.
    return (
        mixed
        and document.words[index] in sure
        and document.capital(index)
        and not document.sentence_start(index)
    )


@dataclass(frozen=True, slots=True)
class _Mention:
    """A name where it stands.

    :param place: Its place among the findings.
    :param words: Its folded words of three letters or more, particles left out.
    """

    place: int
    words: frozenset[str]


def with_roles(
    text: str, findings: Sequence[Finding], evidence: Evidence | None
) -> list[Finding]:
    """Return findings in which every person has a role, one for all its mentions.

    Somebody is staff only where every mention surely is: a doubtful name is not staff.
    What a field says of its own value stays: a surname is that of many.

    :param text: The note.
    :param findings: What is marked, in offsets of the note.
    :param evidence: What a model says of the words, roles among it.
    """
    mentions = [
        _Mention(i, name_words(text[f.start : f.end]))
        for i, f in enumerate(findings)
        if f.entity == PERSON
    ]
    made = list(findings)
    for person in _persons(mentions):
        role = _role([findings[mention.place] for mention in person], evidence)
        for mention in person:
            finding = made[mention.place]
            if not _has_role(finding):
                made[mention.place] = finding._replace(role=role)
    return made


def _has_role(finding: Finding) -> bool:
    """Tell whether it is certain whose role somebody has."""
    return finding.certain and finding.role in ROLES


def name_words(name: str) -> frozenset[str]:
    """Return the words of a name by which a person is known again.

    :param name: The name.
    :return: Folded words of three letters or more, particles left out.
    """
    found = fold(name).split()
    if not all(map(str.isalpha, found)):
        found = "".join(c if c.isalpha() else " " for c in fold(name)).split()
    return frozenset(w for w in found if len(w) >= _SHORTEST and w not in _PARTICLES)


def _chances(finding: Finding, evidence: Evidence | None) -> Floats:
    """Return how probable each role is for one mention."""
    seen = evidence.roles_of(finding.start, finding.end) if evidence else None
    if _has_role(finding):
        return np.array([r == finding.role for r in ROLES], dtype=np.float32)
    if seen is not None:
        return seen
    rest = (1 - _RULE_SAYS) / (len(ROLES) - 1)
    chances = np.full(len(ROLES), rest, dtype=np.float32)
    # Without a word on it, somebody in a note is rather no staff.
    chances[ROLES.index(finding.role or "other")] = _RULE_SAYS
    return chances


def _persons(mentions: Sequence[_Mention]) -> list[list[_Mention]]:
    """Group mentions: one whose words are all among another's is the same person."""
    by_word: dict[str, list[list[_Mention]]] = {}
    persons: list[list[_Mention]] = []
    for mention in sorted(mentions, key=lambda m: (-len(m.words), m.place)):
        near = [p for word in mention.words for p in by_word.get(word, ())]
        same = next((p for p in near if mention.words <= p[0].words), None)
        if same is None:
            same = []
            persons.append(same)
            for word in mention.words:
                by_word.setdefault(word, []).append(same)
        same.append(mention)
    return persons


def _role(mentions: Sequence[Finding], evidence: Evidence | None) -> str:
    """Return the role that all mentions of a person have."""
    roles = {mention.role or "other" for mention in mentions}
    if evidence is None and len(roles) == 1:
        return roles.pop()
    table = np.stack([_chances(mention, evidence) for mention in mentions])
    if table[:, STAFF].min() >= _STAFF_FROM:
        return ROLES[STAFF]
    mean = np.log(table + 1e-6).mean(axis=0)
    mean[STAFF] = -np.inf
    return ROLES[int(mean.argmax())]
