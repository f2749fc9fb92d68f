"""Compile the rules of a preset and run them over a document, in order."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from presidio_mx.analyzer.document import Document
from presidio_mx.analyzer.finding import Finding
from presidio_mx.analyzer.lexicon import Flag
from presidio_mx.analyzer.patterns import Symbols, compile_pattern, words_of
from presidio_mx.analyzer.phrase import Mark, Phrase
from presidio_mx.analyzer.rules import Rule
from presidio_mx.analyzer.typos import TypoIndex
from presidio_mx.errors import ConfigurationError
from presidio_mx.folding import fold_key

Check = Callable[[str], bool]

_FIRST_SYMBOL = re.compile(r"\{([a-z_][a-z0-9_]*)\}")
_FIRST_WORD = re.compile(r"[a-z]{2,}(?=$|\\b|\{|\s|\\s|\\\.)")
_FIRST_ENTITY = re.compile(r"<([A-Z_]+)>")
_LAST_ENTITY = re.compile(r"<([A-Z_]+)>$")
_PHRASE = re.compile(r"<([a-z_]+)>")
_DIGIT_STARTS = (r"\d", "[0-9", r"(?:\d", "[1-9")

# A trigger with a typo is weaker evidence than one spelt right.
_TYPO_PENALTY = 0.08


@dataclass(frozen=True, slots=True)
class CompiledRule:
    """A rule with its expressions, and how its places are found.

    :param anchor: ``word``, ``number``, ``entity``, ``phrase`` or ``scan``.
    :param anchor_words: First words of the rule, for ``word``.
    :param anchor_entity: Entity that must end where ``left`` goes on, for ``entity``.
    :param first: What stands first in ``left`` (a list of triggers), for ``word``.
    """

    rule: Rule
    anchor: str
    anchor_words: frozenset[str] = frozenset()
    anchor_entity: str = ""
    first: re.Pattern[str] | None = None
    left: re.Pattern[str] | None = None
    mark: re.Pattern[str] | None = None
    phrase: Phrase | None = None
    right: re.Pattern[str] | None = None
    right_entity: str = ""
    not_left: re.Pattern[str] | None = None
    not_right: re.Pattern[str] | None = None
    check: Check | None = None

    @property
    def label(self) -> str:
        """Name of the rule with its file, for explanations."""
        return f"{self.rule.file.rsplit('/', 1)[-1]}#{self.rule.name}"


def compile_rule(
    rule: Rule,
    symbols: Symbols,
    phrases: Mapping[str, Phrase],
    checks: Mapping[str, Check],
) -> CompiledRule:
    """Compile one rule.

    :param rule: The rule as read.
    :param symbols: Symbols in its reach.
    :param phrases: Phrases by name.
    :param checks: Checks by name.
    :return: The compiled rule.
    :raises ConfigurationError: Naming file, rule and reason.
    """
    try:
        return _compile(rule, symbols, phrases, checks)
    except ConfigurationError as error:
        raise ConfigurationError(f"{rule.file}: rule {rule.name}: {error}") from None


def _compile(
    rule: Rule,
    symbols: Symbols,
    phrases: Mapping[str, Phrase],
    checks: Mapping[str, Check],
) -> CompiledRule:
    def optional(pattern: str) -> re.Pattern[str] | None:
        return compile_pattern(pattern, symbols) if pattern else None

    phrase_name = _PHRASE.fullmatch(rule.mark)
    if phrase_name and phrase_name[1] not in phrases:
        raise ConfigurationError(
            f"unknown phrase <{phrase_name[1]}>; known: {', '.join(sorted(phrases))}"
        )
    if rule.check and rule.check not in checks:
        raise ConfigurationError(
            f"unknown check {rule.check!r}; known: {', '.join(sorted(checks))}"
        )
    right_entity = _LAST_ENTITY.search(rule.right)
    right = rule.right[: right_entity.start()] if right_entity else rule.right
    lead = rule.left or ("" if phrase_name else rule.mark)
    anchor, words, entity, rest = _anchor(lead, symbols)
    first = left = None
    if rule.left:
        left = optional(rest)
        if anchor == "word":
            first = compile_pattern(lead[: len(lead) - len(rest)], symbols)
    return CompiledRule(
        rule=rule,
        anchor="phrase" if phrase_name and not rule.left else anchor,
        anchor_words=words,
        anchor_entity=entity,
        first=first,
        left=left,
        mark=None if phrase_name else compile_pattern(rule.mark, symbols),
        phrase=phrases[phrase_name[1]] if phrase_name else None,
        right=optional(right),
        right_entity=right_entity[1] if right_entity else "",
        not_left=optional(f"(?:{rule.not_left})$") if rule.not_left else None,
        not_right=optional(rule.not_right),
        check=checks[rule.check] if rule.check else None,
    )


def _anchor(lead: str, symbols: Symbols) -> tuple[str, frozenset[str], str, str]:
    """Return how a pattern is found: (anchor, words, entity, rest of the pattern)."""
    entity = _FIRST_ENTITY.match(lead)
    if entity:
        return "entity", frozenset(), entity[1], lead[entity.end() :]
    symbol = _FIRST_SYMBOL.match(lead)
    if symbol and lead[symbol.end() : symbol.end() + 1] not in ("?", "*"):
        entries = words_of(symbol[1], symbols)
        if entries is not None:
            words = frozenset(_first_word(entry) for entry in entries)
            return "word", words, "", lead[symbol.end() :]
    word = _FIRST_WORD.match(lead)
    if word:
        return "word", frozenset([word[0]]), "", lead[word.end() :]
    if lead.startswith(_DIGIT_STARTS):
        return "number", frozenset(), "", lead
    return "scan", frozenset(), "", lead


def _first_word(entry: str) -> str:
    match = re.match(r"[^\W\d_]+|\d+", fold_key(entry))
    if match is None:
        raise ConfigurationError(f"trigger {entry!r} does not begin with a word")
    return match[0]


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
    anchors: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    _number_rules: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Index the rules by their first words."""
        for g, group in enumerate(self.groups):
            for r, compiled in enumerate(group):
                if compiled.anchor == "number":
                    self._number_rules.append((g, r))
                for word in compiled.anchor_words:
                    self.anchors.setdefault(word, []).append((g, r))

    def scan(self, document: Document, given: Sequence[Finding] = ()) -> list[Finding]:
        """Run every rule over a document.

        :param document: The prepared note.
        :param given: What others found; rules may refer to it, and it competes.
        :return: Settled findings, blocks among them, in reading order.
        """
        places = self._places(document)
        settled = self.resolve(document, list(given)) if given else []
        for g, group in enumerate(self.groups):
            found = list(settled)
            for r, compiled in enumerate(group):
                needs = compiled.rule.needs
                if needs and needs not in document.folded:
                    continue
                found.extend(self._run(compiled, document, places[g, r], found))
            if len(found) > len(settled):
                settled = self.resolve(document, found)
        return settled

    def scan_rule(self, document: Document, label: str) -> list[Finding]:
        """Return what one rule finds, unsettled; what other rules found stands before.

        :param document: The prepared note.
        :param label: The rule's label.
        :return: Findings of the rule in the order found, each once.
        """
        places = self._places(document)
        found: list[Finding] = []
        for g, group in enumerate(self.groups):
            for r, compiled in enumerate(group):
                new = list(self._run(compiled, document, places[g, r], found))
                if compiled.label == label:
                    return list(dict.fromkeys(new))
                found.extend(new)
        raise KeyError(label)

    def _places(
        self, document: Document
    ) -> defaultdict[tuple[int, int], list[tuple[int, str]]]:
        """Return, by rule, the words where it may apply and the trigger meant there."""
        places: defaultdict[tuple[int, int], list[tuple[int, str]]]
        places = defaultdict(list)
        anchors, flags, words = self.anchors, document.flags, document.words
        for index, flag in enumerate(flags):
            word = words[index]
            if flag & Flag.ANCHOR:
                for key in anchors[word]:
                    places[key].append((index, ""))
            elif word[0].isdigit():
                for key in self._number_rules:
                    places[key].append((index, ""))
            elif not flag and len(word) >= 5:
                meant = self.typos.trigger(word)
                if meant:
                    for key in anchors[meant]:
                        places[key].append((index, meant))
        return places

    def _run(
        self,
        compiled: CompiledRule,
        document: Document,
        places: list[tuple[int, str]],
        found: list[Finding],
    ) -> Iterator[Finding]:
        behind = _starts_of(compiled.right_entity, found)
        if compiled.anchor == "entity":
            yield from _after_entities(compiled, document, found, behind)
        elif compiled.anchor == "phrase" and compiled.phrase:
            options = compiled.rule.options
            marks = compiled.phrase.candidates(document, options, found)
            yield from _finished(compiled, document, marks, 0.0, behind)
        elif compiled.anchor == "scan" and compiled.left is None and compiled.mark:
            marks = map(_mark_of, compiled.mark.finditer(document.folded))
            yield from _finished(compiled, document, marks, 0.0, behind)
        else:
            for offset, penalty in _lefts(compiled, document, places):
                marks = _marks(compiled, document, offset, found)
                yield from _finished(compiled, document, marks, penalty, behind)


def _starts_of(entity: str, found: list[Finding]) -> frozenset[int]:
    """Return where the findings of an entity begin; none for no entity."""
    if not entity:
        return frozenset()
    return frozenset(f.start for f in found if f.entity == entity and not f.block)


def _finished(
    compiled: CompiledRule,
    document: Document,
    marks: Iterable[Mark],
    penalty: float,
    behind: frozenset[int],
) -> Iterator[Finding]:
    for mark in marks:
        finding = _finish(compiled, document, mark, penalty, behind)
        if finding:
            yield finding


def _after_entities(
    compiled: CompiledRule,
    document: Document,
    found: list[Finding],
    behind: frozenset[int],
) -> Iterator[Finding]:
    """Yield what follows entities found before, and what follows that in turn."""
    assert compiled.left is not None
    queue = [f for f in found if f.entity == compiled.anchor_entity and not f.block]
    seen = {(f.start, f.end) for f in queue}
    for anchor in queue:
        match = compiled.left.match(document.folded, anchor.end)
        if not match:
            continue
        marks = _marks(compiled, document, match.end(), found)
        for finding in _finished(compiled, document, marks, 0.0, behind):
            if compiled.rule.role == "same":
                finding = replace(finding, role=anchor.role)
            yield finding
            span = (finding.start, finding.end)
            if finding.entity == compiled.anchor_entity and span not in seen:
                seen.add(span)
                queue.append(finding)


def _lefts(
    compiled: CompiledRule, document: Document, places: list[tuple[int, str]]
) -> Iterator[tuple[int, float]]:
    """Yield (where the mark must begin, penalty)."""
    folded = document.folded
    if compiled.anchor == "scan" and compiled.left is not None:
        for match in compiled.left.finditer(folded):
            yield match.end(), 0.0
        return
    for start, penalty in _first_ends(compiled, document, places):
        if compiled.left is None:
            yield start, penalty
            continue
        found = compiled.left.match(folded, start)
        if found:
            yield found.end(), penalty


def _first_ends(
    compiled: CompiledRule, document: Document, places: list[tuple[int, str]]
) -> Iterator[tuple[int, float]]:
    """Yield (offset where the rest of the pattern begins, penalty)."""
    for index, meant in places:
        start = document.starts[index]
        if compiled.first is None:
            if not meant:
                yield start, 0.0
        elif meant:
            # The misspelt trigger is taken whole; the rest must match as it stands.
            if compiled.first.fullmatch(meant):
                yield document.ends[index], _TYPO_PENALTY
        else:
            match = compiled.first.match(document.folded, start)
            if match:
                yield match.end(), 0.0


def _marks(
    compiled: CompiledRule, document: Document, offset: int, found: list[Finding]
) -> Iterator[Mark]:
    if compiled.phrase:
        mark = compiled.phrase.at(document, offset, compiled.rule.options, found)
        if mark:
            yield mark
    elif compiled.mark:
        match = compiled.mark.match(document.folded, offset)
        if match:
            yield _mark_of(match)


def _mark_of(match: re.Match[str]) -> Mark:
    """Return the group named ``mark`` where a pattern has one, else the whole match."""
    if "mark" in match.re.groupindex:
        return Mark(match.start("mark"), match.end("mark"))
    return Mark(match.start(), match.end())


_LOOK_BACK = 80


def _finish(
    compiled: CompiledRule,
    document: Document,
    mark: Mark,
    penalty: float,
    behind: frozenset[int],
) -> Finding | None:
    """Check what must and must not stand around a mark; return the finding."""
    folded, rule = document.folded, compiled.rule
    if mark.end <= mark.start:
        return None
    if not _right_fits(compiled, folded, mark.end, behind):
        return None
    if compiled.not_right and compiled.not_right.match(folded, mark.end):
        return None
    if compiled.not_left:
        before = folded[max(0, mark.start - _LOOK_BACK) : mark.start]
        if compiled.not_left.search(before):
            return None
    score = rule.score
    if compiled.check and compiled.check(document.text[mark.start : mark.end]):
        score = rule.checked_score
    score = min(1.0, max(0.05, score + mark.delta - penalty))
    return Finding(
        start=mark.start,
        end=mark.end,
        entity=rule.entity,
        score=round(score, 4),
        rule=compiled.label,
        role=rule.role,
        block=rule.stage == "block",
    )


def _right_fits(
    compiled: CompiledRule, folded: str, end: int, behind: frozenset[int]
) -> bool:
    if compiled.right:
        match = compiled.right.match(folded, end)
        if not match:
            return False
        end = match.end()
    return end in behind if compiled.right_entity else True
