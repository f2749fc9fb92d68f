"""Run compiled rules over a document, in order, each at the places it may apply."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import accumulate

from presidio_mx.find.finding import Finding
from presidio_mx.find.grammar.compile import CompiledRule
from presidio_mx.find.grammar.heads import places_of_heads
from presidio_mx.find.grammar.overlaps import resolve
from presidio_mx.find.grammar.phrase import Mark
from presidio_mx.find.grammar.places import Needs, Places, found_by, having
from presidio_mx.spanish.lexicon import Flag
from presidio_mx.spanish.typos import TypoIndex
from presidio_mx.text.document import Document

# A trigger with a typo is weaker evidence than one spelt right.
_TYPO_PENALTY = 0.08
_LOWEST = 0.05
_SHORTEST_TYPO = 5
_LOOK_BACK = 80


@dataclass(slots=True)
class Grammar:
    """The compiled rules of a preset.

    :param groups: Rules by file, in order of the files.
    :param typos: Finds the trigger that a misspelt word was meant to be.
    """

    groups: Sequence[tuple[CompiledRule, ...]]
    typos: TypoIndex
    _rules: tuple[CompiledRule, ...] = ()
    _by_word: dict[str, list[tuple[int, frozenset[str]]]] = field(default_factory=dict)
    _by_head: dict[str, list[int]] = field(default_factory=dict)
    _by_number: Needs = field(default_factory=dict)
    _always: Needs = field(default_factory=dict)
    _ends: tuple[int, ...] = ()
    # Entities that must be there already for a rule to find anything, by its number.
    _beside: tuple[frozenset[str], ...] = ()

    def __post_init__(self) -> None:
        """Index the rules, numbered in order, by their first words."""
        self._rules = tuple(rule for group in self.groups for rule in group)
        self._ends = tuple(accumulate(len(group) for group in self.groups))
        self._beside = tuple(
            frozenset({rule.anchor_entity, rule.right_entity} - {""})
            for rule in self._rules
        )
        for number, compiled in enumerate(self._rules):
            if compiled.anchor == "number":
                self._by_number.setdefault(compiled.need, []).append(number)
            elif compiled.anchor == "word":
                for word, seconds in compiled.anchor_words.items():
                    self._by_word.setdefault(word, []).append((number, seconds))
            elif compiled.heads:
                for head in compiled.heads:
                    self._by_head.setdefault(head, []).append(number)
            else:
                self._always.setdefault(compiled.need, []).append(number)

    def rules(self) -> Iterator[CompiledRule]:
        """Yield all rules in order."""
        yield from self._rules

    def scan(self, document: Document) -> list[Finding]:
        """Run every rule over a document.

        :param document: The prepared note.
        :return: Settled findings, blocks among them, in reading order.
        """
        found: list[Finding] = []
        for _ in self._runs(document, self._places(document), found):
            pass
        return found

    def _runs(
        self, document: Document, places: Places, found: list[Finding]
    ) -> Iterator[tuple[CompiledRule, list[Finding]]]:
        """Yield each rule that may find something, with what it found.

        :param document: The prepared note.
        :param places: Words at which rules may apply.
        :param found: What was found before, settled; what the rules of a file find is
            added, and settled behind its last rule.
        """
        settled = len(found)
        ends = iter(self._ends)
        end = 0
        present = {finding.entity for finding in found}
        for number in self._candidates(document, places):
            if not self._beside[number] <= present:
                continue
            if number >= end:
                if len(found) > settled:
                    found[:] = resolve(found, settled)
                    settled = len(found)
                end = next(after for after in ends if after > number)
            new = run_rule(self._rules[number], document, places, number, found)
            yield self._rules[number], new
            if new:
                found += new
                present.update([finding.entity for finding in new])
        found[:] = resolve(found, settled)

    def _candidates(self, document: Document, places: Places) -> list[int]:
        """Return the numbers of the rules that may find something, in order."""
        numbers = having(self._always, document.folded)
        numbers += places.heads
        numbers += places.words
        numbers.sort()
        return numbers

    def scan_rule(self, document: Document, label: str) -> list[Finding]:
        """Return what one rule finds where the rules before it ran as they always do.

        :param document: The prepared note.
        :param label: The rule's label.
        :return: Findings of the rule in the order found, each once, unsettled.
        :raises KeyError: If there is no such rule.
        """
        if not any(compiled.label == label for compiled in self._rules):
            raise KeyError(label)
        for compiled, new in self._runs(document, self._places(document), []):
            if compiled.label == label:
                return list(dict.fromkeys(new))
        return []

    def _places(self, document: Document) -> Places:
        """Return the words where each rule may apply: the one pass over a note."""
        places = Places({}, {}, places_of_heads(document.folded, self._by_head), {})
        by_rule, by_word, words = places.words, self._by_word, document.words
        last = len(words) - 1
        for index, flag in enumerate(document.flags):
            if flag & Flag.ANCHOR:
                rules = by_word[words[index]]
            elif flag:
                continue
            else:
                word = words[index]
                if len(word) < _SHORTEST_TYPO or not word.isalpha():
                    continue
                meant = self.typos.trigger(word)
                if not meant:
                    continue
                places.meant[index] = meant
                rules = by_word[meant]
            following = words[index + 1] if index < last else ""
            for number, seconds in rules:
                if seconds and following not in seconds:
                    continue
                if number in by_rule:
                    by_rule[number].append(index)
                else:
                    by_rule[number] = [index]
        digits = [index for index, word in enumerate(words) if word[0].isdigit()]
        if digits:
            numbers = having(self._by_number, document.folded)
            by_rule.update(dict.fromkeys(numbers, digits))
        return places


@dataclass(frozen=True, slots=True)
class Before:
    """What was found before a rule, gone through once and not at every offset.

    :param found: The findings; for a phrase in a list of their own that nobody changes.
    :param starts: Where those begin that must stand behind the rule's mark.
    """

    found: list[Finding]
    starts: frozenset[int] = frozenset()

    @classmethod
    def of(cls, compiled: CompiledRule, found: list[Finding]) -> "Before":
        """Return what a rule needs of the findings."""
        entity = compiled.right_entity
        kept = found.copy() if compiled.phrase else found
        if not entity:
            return cls(kept)
        starts = {f.start for f in found if f.entity == entity and not f.block}
        return cls(kept, frozenset(starts))


def run_rule(
    compiled: CompiledRule,
    document: Document,
    places: Places,
    number: int,
    found: list[Finding],
) -> list[Finding]:
    """Return what one rule marks.

    :param compiled: The rule.
    :param document: The prepared note.
    :param places: Words at which rules may apply.
    :param number: The rule's number in them.
    :param found: What was found before.
    :return: Findings, unsettled.
    """
    anchor, folded = compiled.anchor, document.folded
    if anchor in ("word", "number"):
        offsets = _behind_left(compiled, document, places, places.words[number])
    elif anchor == "entity":
        return _behind_entities(compiled, document, Before.of(compiled, found))
    elif anchor == "phrase":
        assert compiled.phrase is not None
        options, before = compiled.rule.options, Before.of(compiled, found)
        marks = compiled.phrase.candidates(document, options, before.found)
        return _finished(compiled, document, marks, before)
    elif anchor == "line":
        assert compiled.left is not None
        lines = map(partial(compiled.left.match, folded), document.lines())
        offsets = [(match.end(), 0.0) for match in lines if match]
    else:
        matches = found_by(compiled, folded, places, number)
        if compiled.left is None:
            spans = [Mark(*match.span(compiled.mark_group)) for match in matches]
            if not spans:
                return []
            return _finished(compiled, document, spans, Before.of(compiled, found))
        offsets = [(match.end(), 0.0) for match in matches]
    if not offsets:
        return []
    return _marked(compiled, document, offsets, Before.of(compiled, found))


def _behind_left(
    compiled: CompiledRule, document: Document, places: Places, indices: list[int]
) -> list[tuple[int, float]]:
    """Return (where the mark must begin, penalty) for the places of a rule."""
    folded, starts, left = document.folded, document.starts, compiled.left
    meant = places.meant
    if left is None:
        return [(starts[index], 0.0) for index in indices if index not in meant]
    offsets: list[tuple[int, float]] = []
    for index in indices:
        if index in meant:
            offset = _behind_misspelt(compiled, document, index, meant[index])
            if offset >= 0:
                offsets.append((offset, _TYPO_PENALTY))
            continue
        match = left.match(folded, starts[index])
        if match:
            offsets.append((match.end(), 0.0))
    return offsets


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _behind_misspelt(
    compiled: CompiledRule, document: Document, index: int, meant: str
) -> int:
    """Return where ``left`` ends behind a trigger with a typo, or -1.

    The misspelt trigger is taken whole; the rest must match as it stands.
    """
    if compiled.misspelt is None:
        return -1
    trigger, rest = compiled.misspelt
    if not _expression(trigger).fullmatch(meant):
        return -1
    match = _expression(rest).match(document.folded, document.ends[index])
    return match.end() if match else -1


def _behind_entities(
    compiled: CompiledRule, document: Document, before: Before
) -> list[Finding]:
    """Return what follows entities found before, and what follows that in turn."""
    assert compiled.left is not None
    entity, folded, behind = compiled.anchor_entity, document.folded, compiled.left
    queue = [f for f in before.found if f.entity == entity and not f.block]
    seen: set[tuple[int, int]] | None = None
    results: list[Finding] = []
    for anchor in queue:
        match = behind.match(folded, anchor.end)
        if match is None:
            continue
        for finding in _marked(compiled, document, [(match.end(), 0.0)], before):
            if compiled.rule.role == "same":
                finding = finding._replace(role=anchor.role)
            results.append(finding)
            if finding.entity != entity:
                continue
            if seen is None:
                seen = {(f.start, f.end) for f in queue}
            span = (finding.start, finding.end)
            if span not in seen:
                seen.add(span)
                queue.append(finding)
    return results


def _marked(
    compiled: CompiledRule,
    document: Document,
    offsets: Sequence[tuple[int, float]],
    before: Before,
) -> list[Finding]:
    """Return what a rule marks at the offsets where its left side ended."""
    results: list[Finding] = []
    phrase, pattern = compiled.phrase, compiled.mark
    for offset, penalty in offsets:
        if phrase:
            mark = phrase.at(document, offset, compiled.rule.options, before.found)
        else:
            assert pattern is not None
            match = pattern.match(document.folded, offset)
            mark = Mark(*match.span(compiled.mark_group)) if match else None
        if mark:
            results += _finished(compiled, document, (mark,), before, penalty)
    return results


def _finished(
    compiled: CompiledRule,
    document: Document,
    marks: Iterable[Mark],
    before: Before,
    penalty: float = 0.0,
) -> list[Finding]:
    """Return the marks around which stands what must, as findings."""
    results: list[Finding] = []
    for mark in marks:
        if mark.end <= mark.start or not _context_fits(compiled, document, mark):
            continue
        if compiled.right_entity:
            end = mark.end
            if compiled.right:
                match = compiled.right.match(document.folded, end)
                end = match.end() if match else -1
            if end not in before.starts:
                continue
        results.append(_finding(compiled, document, mark, penalty))
    return results


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
    score = float(rule.score)
    if compiled.check and compiled.check(document.text[mark.start : mark.end]):
        score = rule.checked_score
    if mark.delta or penalty or score < _LOWEST:
        score = round(min(1.0, max(_LOWEST, score + mark.delta - penalty)), 4)
    return Finding(
        mark.start,
        mark.end,
        rule.entity,
        score,
        compiled.label,
        rule.role,
        rule.stage == "block",
    )
