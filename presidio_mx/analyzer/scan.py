"""Run compiled rules over a document, in order, each at the places it may apply."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from presidio_mx.analyzer.document import Document
from presidio_mx.analyzer.finding import Finding
from presidio_mx.analyzer.grammar import CompiledRule
from presidio_mx.analyzer.lexicon import Flag
from presidio_mx.analyzer.phrase import Mark
from presidio_mx.analyzer.typos import TypoIndex

# A trigger with a typo is weaker evidence than one spelt right.
_TYPO_PENALTY = 0.08
_SHORTEST_TYPO = 5
_LOOK_BACK = 80

# Place of a rule: (word, trigger that a misspelt word was meant to be, or nothing).
Place = tuple[int, str]


@dataclass(slots=True)
class Grammar:
    """The compiled rules of a preset.

    :param groups: Rules by file, in order of the files.
    :param resolve: Settles what was found so far; called after every file.
    :param typos: Finds the trigger that a misspelt word was meant to be.
    """

    groups: Sequence[tuple[CompiledRule, ...]]
    resolve: Callable[[Document, list[Finding]], list[Finding]]
    typos: TypoIndex
    _by_word: dict[str, list[int]] = field(default_factory=dict)
    _by_number: list[int] = field(default_factory=list)
    _always: frozenset[int] = frozenset()
    _groups: list[tuple[tuple[CompiledRule, ...], int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Index the rules, numbered in order, by their first words."""
        for number, compiled in enumerate(self.rules()):
            if compiled.anchor == "number":
                self._by_number.append(number)
            for word in compiled.anchor_words:
                self._by_word.setdefault(word, []).append(number)
        self._always = frozenset(
            number
            for number, compiled in enumerate(self.rules())
            if compiled.anchor not in ("word", "number")
        )
        first = 0
        for group in self.groups:
            self._groups.append((group, first))
            first += len(group)

    def rules(self) -> Iterator[CompiledRule]:
        """Yield all rules in order."""
        for group in self.groups:
            yield from group

    def scan(self, document: Document, given: Sequence[Finding] = ()) -> list[Finding]:
        """Run every rule over a document.

        :param document: The prepared note.
        :param given: What others found; rules may refer to it, and it competes.
        :return: Settled findings, blocks among them, in reading order.
        """
        places = self._places(document)
        numbers = sorted(self._always.union(places))
        found = self.resolve(document, list(given)) if given else []
        at = 0
        for group, first in self._groups:
            settled = len(found)
            after = first + len(group)
            while at < len(numbers) and numbers[at] < after:
                number = numbers[at]
                rule = group[number - first]
                found += run_rule(rule, document, places.get(number, ()), found)
                at += 1
            if len(found) > settled:
                found = self.resolve(document, found)
        return found

    def scan_rule(self, document: Document, label: str) -> list[Finding]:
        """Return what one rule finds, unsettled; what other rules found stands before.

        :param document: The prepared note.
        :param label: The rule's label.
        :return: Findings of the rule in the order found, each once.
        :raises KeyError: If there is no such rule.
        """
        places = self._places(document)
        found: list[Finding] = []
        for number, compiled in enumerate(self.rules()):
            new = run_rule(compiled, document, places.get(number, ()), found)
            if compiled.label == label:
                return list(dict.fromkeys(new))
            found += new
        raise KeyError(label)

    def _places(self, document: Document) -> dict[int, list[Place]]:
        """Return, by rule, the words where it may apply: the one pass over a note."""
        places: dict[int, list[Place]] = {}
        by_word, by_number, words = self._by_word, self._by_number, document.words
        for index, flag in enumerate(document.flags):
            word, meant = words[index], ""
            numbers: list[int] = []
            if flag & Flag.ANCHOR:
                numbers = by_word[word]
            elif not flag and len(word) >= _SHORTEST_TYPO and word.isalpha():
                meant = self.typos.trigger(word)
                numbers = by_word[meant] if meant else []
            for number in numbers:
                places.setdefault(number, []).append((index, meant))
            if word[0].isdigit():
                for number in by_number:
                    places.setdefault(number, []).append((index, ""))
        return places


def run_rule(
    compiled: CompiledRule,
    document: Document,
    places: Sequence[Place],
    found: list[Finding],
) -> list[Finding]:
    """Return what one rule marks.

    :param compiled: The rule.
    :param document: The prepared note.
    :param places: Words at which it may apply.
    :param found: What was found before.
    :return: Findings, unsettled.
    """
    anchor = compiled.anchor
    if anchor in ("word", "number"):
        if not places:
            return []
        offsets = _behind_left(compiled, document, places)
    elif _lacks(compiled, document.folded):
        return []
    elif anchor == "line":
        assert compiled.left is not None
        lines = map(partial(compiled.left.match, document.folded), document.lines())
        offsets = [(match.end(), 0.0) for match in lines if match]
    elif anchor == "entity":
        return _behind_entities(compiled, document, found)
    elif anchor == "phrase":
        assert compiled.phrase is not None
        marks = compiled.phrase.candidates(document, compiled.rule.options, found)
        return _finished(compiled, document, marks, 0.0, found)
    elif compiled.left is None:
        assert compiled.mark is not None
        marks = map(_mark_of, compiled.mark.finditer(document.folded))
        return _finished(compiled, document, marks, 0.0, found)
    else:
        matches = compiled.left.finditer(document.folded)
        offsets = [(match.end(), 0.0) for match in matches]
    results: list[Finding] = []
    for offset, penalty in offsets:
        mark = _mark_at(compiled, document, offset, found)
        if mark:
            results += _finished(compiled, document, (mark,), penalty, found)
    return results


def _lacks(compiled: CompiledRule, folded: str) -> bool:
    """Tell whether a note lacks what a rule cannot do without."""
    literal, pattern = compiled.rule.needs, compiled.needs
    return bool(
        (literal and literal not in folded) or (pattern and not pattern.search(folded))
    )


def _behind_left(
    compiled: CompiledRule, document: Document, places: Sequence[Place]
) -> list[tuple[int, float]]:
    """Return (where the mark must begin, penalty) for the places of a rule."""
    folded, starts = document.folded, document.starts
    first, left = compiled.first, compiled.left
    offsets: list[tuple[int, float]] = []
    for index, meant in places:
        offset, penalty = starts[index], 0.0
        if first is None:
            if meant:
                continue
        elif meant:
            # The misspelt trigger is taken whole; the rest must match as it stands.
            if not first.fullmatch(meant):
                continue
            offset, penalty = document.ends[index], _TYPO_PENALTY
        else:
            match = first.match(folded, offset)
            if match is None:
                continue
            offset = match.end()
        if left is not None:
            match = left.match(folded, offset)
            if match is None:
                continue
            offset = match.end()
        offsets.append((offset, penalty))
    return offsets


def _behind_entities(
    compiled: CompiledRule, document: Document, found: list[Finding]
) -> list[Finding]:
    """Return what follows entities found before, and what follows that in turn."""
    assert compiled.left is not None
    queue = [f for f in found if f.entity == compiled.anchor_entity and not f.block]
    seen = {(f.start, f.end) for f in queue}
    results: list[Finding] = []
    for anchor in queue:
        match = compiled.left.match(document.folded, anchor.end)
        mark = match and _mark_at(compiled, document, match.end(), found)
        if not mark:
            continue
        for finding in _finished(compiled, document, (mark,), 0.0, found):
            if compiled.rule.role == "same":
                finding = finding._replace(role=anchor.role)
            results.append(finding)
            span = (finding.start, finding.end)
            if finding.entity == compiled.anchor_entity and span not in seen:
                seen.add(span)
                queue.append(finding)
    return results


def _mark_at(
    compiled: CompiledRule, document: Document, offset: int, found: list[Finding]
) -> Mark | None:
    if compiled.phrase:
        return compiled.phrase.at(document, offset, compiled.rule.options, found)
    assert compiled.mark is not None
    match = compiled.mark.match(document.folded, offset)
    return _mark_of(match) if match else None


def _mark_of(match: re.Match[str]) -> Mark:
    """Return the group named ``mark`` where a pattern has one, else the whole match."""
    if "mark" in match.re.groupindex:
        return Mark(match.start("mark"), match.end("mark"))
    return Mark(match.start(), match.end())


def _finished(
    compiled: CompiledRule,
    document: Document,
    marks: Iterable[Mark],
    penalty: float,
    found: list[Finding],
) -> list[Finding]:
    """Return the marks around which stands what must, as findings."""
    results: list[Finding] = []
    behind: frozenset[int] | None = None
    for mark in marks:
        if mark.end <= mark.start or not _context_fits(compiled, document, mark):
            continue
        if compiled.right_entity:
            if behind is None:
                behind = _starts_of(compiled.right_entity, found)
            end = mark.end
            if compiled.right:
                match = compiled.right.match(document.folded, end)
                end = match.end() if match else -1
            if end not in behind:
                continue
        results.append(_finding(compiled, document, mark, penalty))
    return results


def _starts_of(entity: str, found: list[Finding]) -> frozenset[int]:
    return frozenset(f.start for f in found if f.entity == entity and not f.block)


def _context_fits(compiled: CompiledRule, document: Document, mark: Mark) -> bool:
    folded = document.folded
    if compiled.right and not compiled.right.match(folded, mark.end):
        return False
    if compiled.not_right and compiled.not_right.match(folded, mark.end):
        return False
    if compiled.not_left:
        before = folded[max(0, mark.start - _LOOK_BACK) : mark.start]
        return not compiled.not_left.search(before)
    return True


def _finding(
    compiled: CompiledRule, document: Document, mark: Mark, penalty: float
) -> Finding:
    rule = compiled.rule
    score = rule.score
    if compiled.check and compiled.check(document.text[mark.start : mark.end]):
        score = rule.checked_score
    return Finding(
        start=mark.start,
        end=mark.end,
        entity=rule.entity,
        score=round(min(1.0, max(0.05, score + mark.delta - penalty)), 4),
        rule=compiled.label,
        role=rule.role,
        block=rule.stage == "block",
    )
