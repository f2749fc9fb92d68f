"""A preset: the compiled grammar of a set of rule files, with a site's own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from presidio_mx.declarations import PRESETS
from presidio_mx.declarations import SYMBOLS_FILE as SHARED
from presidio_mx.errors import ConfigurationError
from presidio_mx.find.grammar.checks import CHECKS
from presidio_mx.find.grammar.compile import CompiledRule, compile_rules
from presidio_mx.find.grammar.rules import RuleFile, read_rule_file
from presidio_mx.find.grammar.scan import Grammar
from presidio_mx.find.matching import Roster
from presidio_mx.find.note.document import Document
from presidio_mx.find.note.finding import FIELDS_RULE, SHAPED, Finding, moved_back
from presidio_mx.find.note.lexicon import Flag, Lexicon, load_lexicon
from presidio_mx.find.note.prepare import prepare
from presidio_mx.find.note.typos import TypoIndex
from presidio_mx.find.note.working_text import WorkingText
from presidio_mx.find.phrases.build import build_phrases
from presidio_mx.find.site import (
    Stamp,
    read_site,
    site_stamp,
    staff_roster,
    with_site,
)
from presidio_mx.find.structure.find import field_findings, never_marked
from presidio_mx.find.structure.meanings import Meanings, load_meanings
from presidio_mx.find.structure.parts import Structure
from presidio_mx.find.structure.read import structure_of
from presidio_mx.find.structure.users import user_findings
from presidio_mx.find.vote.calibration import (
    CALIBRATION_FILE,
    Calibration,
    read_calibration,
)
from presidio_mx.find.vote.consistency import make_consistent
from presidio_mx.find.vote.proposals import mended
from presidio_mx.find.vote.resolve import resolve
from presidio_mx.resources import folder
from presidio_mx.spanish.words import word_lists

# A name on a site's list of staff, and what it is called in explanations.
_ON_A_LIST = 1.0
_ROSTER = "lists#staff_roster"
# What is never marked where a field holds a code, or a label stands.
_EVERY = (*"PERSON LOCATION ORGANIZATION ADDRESS DATE_TIME AGE".split(), *sorted(SHAPED))
# The preset whose keys and headings recognizers/fields.yaml knows.
_WITH_FIELDS = "mx"


def structure_in(document: Document) -> Structure:
    """Return the structure of a note, in offsets of the note as given."""
    return structure_of(document.source.original)


@dataclass(frozen=True, slots=True, eq=False)
class Preset:
    """A compiled rule set; two are equal only if they are one.

    :param name: ``mx`` or another name in :data:`PRESETS`.
    :param files: The rule files in order.
    :param lexicon: What is known of words.
    :param grammar: The compiled rules.
    :param roster: A site's list of staff, if any, and the entity that its names are.
    :param meanings: What keys, headings and positions mean, if fields are read.
    :param calibration: How findings become probabilities where no model reads the note.
    """

    name: str
    files: tuple[RuleFile, ...]
    lexicon: Lexicon
    grammar: Grammar
    roster: tuple[Roster, str] | None = None
    meanings: Meanings | None = None
    calibration: Calibration | None = None

    def prepare(self, source: WorkingText | str) -> Document:
        """Prepare a note for this preset.

        :param source: The note as given, or its working text.
        """
        return prepare(source, self.lexicon)

    def find(self, text: str, given: Sequence[Finding] = ()) -> Sequence[Finding]:
        """Find everything that identifies somebody.

        :param text: The note.
        :param given: What other recognizers found, in offsets of the note.
        :return: Findings as :meth:`settle` gives them.
        """
        return self.settle(self.prepare(text), given)

    def settle(
        self, document: Document, given: Sequence[Finding] = ()
    ) -> Sequence[Finding]:
        """Run the rules over a prepared note and settle what was found.

        :param document: The note, prepared by :meth:`prepare`.
        :param given: What other recognizers found, in offsets of the note.
        :return: Findings in offsets of the note, settled, without blocks; those given
            that prevailed are among them, perhaps narrower or in parts.
        """
        return [f for f in self.settle_all(document, given) if not f.block]

    def settle_all(
        self, document: Document, given: Sequence[Finding] = ()
    ) -> Sequence[Finding]:
        """Return what :meth:`settle` does, and the blocks that forbid an entity.

        :param document: The note, prepared by :meth:`prepare`.
        :param given: What other recognizers found, in offsets of the note.
        """
        proposed = self._mended(document, given)
        proposed += self._staff(document) + self._fields(document)
        settled = make_consistent(document, self.grammar.scan(document, proposed))
        return moved_back(settled, document.source)

    def mended(
        self, document: Document, findings: Sequence[Finding]
    ) -> Sequence[Finding]:
        """Hold proposals against the lists: narrow, part or drop them.

        :param document: The note, prepared by :meth:`prepare`.
        :param findings: Proposals in offsets of the note.
        :return: What is left of them, in offsets of the note.
        """
        return moved_back(self._mended(document, findings), document.source)

    def _mended(self, document: Document, findings: Sequence[Finding]) -> list[Finding]:
        """Return proposals, mended, in offsets of the working text."""
        there = document.source.there
        moved = [f._replace(start=there(f.start), end=there(f.end)) for f in findings]
        return mended(document, self.lexicon, moved)

    def _staff(self, document: Document) -> list[Finding]:
        """Return where a site's staff is named."""
        if self.roster is None:
            return []
        roster, entity = self.roster
        return [
            Finding(start, end, entity, _ON_A_LIST, _ROSTER, role="staff")
            for start, end in roster.find(document)
        ]

    def _fields(self, document: Document) -> list[Finding]:
        """Return what fields of exports hold, and the names of users of systems."""
        if self.meanings is None:
            return []
        structure, there = document.once(structure_in), document.source.there
        found = [
            Finding(f.start, f.end, f.entity, f.probability, FIELDS_RULE + f.kind, f.role)
            for f in field_findings(document, structure)
        ]
        for start, end in never_marked(document, structure):
            first, last = there(start), there(end)
            found += (
                Finding(first, last, entity, 1.0, f"{FIELDS_RULE}coded", block=True)
                for entity in _EVERY
                if first < last
            )
        return [*found, *user_findings(document, self.lexicon)]

    def rule_findings(self, text: str, label: str) -> Sequence[Finding]:
        """Return what one rule finds, before anything is settled, blocks included.

        :param text: A note or an example.
        :param label: The rule's label, e.g. ``phone.yaml#labelled``.
        :return: Findings of that rule in reading order.
        """
        document = self.prepare(text)
        found = self.grammar.scan_rule(document, label)
        return moved_back(sorted(found, key=lambda f: f.start), document.source)


def rule_files(preset: str) -> tuple[RuleFile, ...]:
    """Read the rule files of a preset, in order.

    :param preset: Name of the preset.
    :return: The files that hold rules, sorted by ``order``.
    :raises ConfigurationError: If the preset is unknown or a file is broken.
    """
    if preset not in PRESETS:
        raise ConfigurationError(
            f"unknown preset {preset!r}; there are {', '.join(PRESETS)} and ADBDC"
        )
    base = folder("recognizers") / preset
    paths = [path for path in sorted(base.glob("*.yaml")) if path.name != SHARED]
    files = [read_rule_file(path) for path in paths]
    return tuple(sorted(files, key=lambda file: (file.order, file.path.name)))


def shared_symbols(preset: str) -> dict[str, tuple[str, ...] | str]:
    """Return the symbols for all presets, word lists first, then those of one preset.

    :param preset: Name of the preset.
    :return: Symbols by name.
    """
    base = folder("recognizers")
    symbols: dict[str, tuple[str, ...] | str] = dict(word_lists())
    symbols |= dict(read_rule_file(base / SHARED).symbols)
    own = base / preset / SHARED
    if own.is_file():
        symbols |= read_rule_file(own).symbols
    return symbols


def load_preset(name: str = "mx", site: str | None = None) -> Preset:
    """Compile a preset; the result is kept until the site's folder changes.

    :param name: Name of the preset.
    :param site: Folder of a site's own lists and rules, as text.
    :return: The compiled preset.
    :raises ConfigurationError: Naming file, rule and reason.
    """
    return _kept(name, site, site_stamp(site))


@lru_cache(maxsize=8)
def _kept(name: str, site: str | None, stamp: Stamp) -> Preset:
    return _load(name, site)


def _load(name: str, site: str | None) -> Preset:
    own = read_site(site) if site else None
    folders = (own.gazetteers,) if own else ()
    lexicon = load_lexicon(folders)
    files = rule_files(name)
    if own:
        files = with_site(files, own)
    shared = shared_symbols(name)
    groups: list[tuple[CompiledRule, ...]] = []
    late: list[tuple[CompiledRule, ...]] = []
    problems: list[str] = []
    for file in files:
        symbols = {**shared, **file.symbols}
        settings = dict(file.settings)
        if own and own.covered_states:
            settings["covered_states"] = own.covered_states
        phrases = build_phrases(lexicon, settings, symbols, folders)
        try:
            compiled = compile_rules(file.rules, symbols, phrases, CHECKS)
        except ConfigurationError as error:
            problems += error.problems
            continue
        groups.append(tuple(c for c in compiled if c.rule.stage != "heuristic"))
        late.append(tuple(c for c in compiled if c.rule.stage == "heuristic"))
    if problems:
        raise ConfigurationError(*problems)
    every = [c for group in groups + late for c in group]
    anchor_words = {word for c in every for word in c.anchor_words}
    flags = dict(lexicon.flags)
    for word in anchor_words:
        flags[word] = flags.get(word, 0) | Flag.ANCHOR
    grammar = Grammar(
        groups=[group for group in groups + late if group],
        resolve=resolve,
        typos=TypoIndex.of(anchor_words),
    )
    roster = staff_roster(own, files) if own else None
    lexicon = replace(lexicon, flags=flags)
    meanings = load_meanings() if name == _WITH_FIELDS else None
    calibration = read_calibration(folder("recognizers") / CALIBRATION_FILE, name)
    return Preset(name, files, lexicon, grammar, roster, meanings, calibration)
