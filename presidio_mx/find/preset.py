"""A preset: the compiled grammar of a set of rule files, with a site's own."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from presidio_mx.declarations import PRESETS, unknown_preset
from presidio_mx.declarations import SYMBOLS_FILE as SHARED
from presidio_mx.errors import ConfigurationError
from presidio_mx.find.finding import (
    CHECKED,
    FIELDS,
    RULES,
    SITE,
    Finding,
    moved_back,
)
from presidio_mx.find.grammar.checks import CHECKS
from presidio_mx.find.grammar.compile import CompiledRule, compile_rules
from presidio_mx.find.grammar.rules import RuleFile, read_rule_file
from presidio_mx.find.grammar.scan import Grammar
from presidio_mx.find.matching import Roster
from presidio_mx.find.people import repeated
from presidio_mx.find.phrases.build import build_phrases
from presidio_mx.find.probability import (
    CALIBRATION_FILE,
    Calibration,
    read_calibration,
)
from presidio_mx.find.site import (
    LISTS,
    Stamp,
    allow_pattern,
    read_site,
    site_stamp,
    staff_roster,
    with_site,
)
from presidio_mx.find.structure.cut import cut
from presidio_mx.find.structure.find import field_findings, never_marked
from presidio_mx.find.structure.meanings import Meanings, load_meanings
from presidio_mx.find.structure.parts import Structure, united
from presidio_mx.find.structure.read import structure_of
from presidio_mx.find.structure.users import user_findings
from presidio_mx.resources import folder
from presidio_mx.spanish.lexicon import Flag, Lexicon, load_lexicon
from presidio_mx.spanish.typos import TypoIndex
from presidio_mx.spanish.words import word_lists
from presidio_mx.text.document import Document, read

# What a name on a site's list of staff is called in explanations.
_ROSTER = f"{LISTS}#staff_roster"
# The score of a code whose check digit is right.
_CHECKED = 1.0
# The preset whose keys and headings recognizers/fields.yaml knows.
_WITH_FIELDS = "mx"
# From which probability on what a field holds is certain.
_SURE = 0.9
# Presets whose notes all have one form, and from which probability on what a rule finds
# there is taken for the value of a field: a rule then knows its bounds better than a
# model does. On MEDDOCAN dev it brings 0.3 points of exact F1; in free notes it costs.
_FORMS = {"es-ES": 0.98}


def structure_in(document: Document) -> Structure:
    """Return the structure of a note as given."""
    return structure_of(document.source.original)


def kept_in(document: Document) -> tuple[tuple[int, int], ...]:
    """Return what no finding may hold: boundaries, and what is never marked."""
    structure = document.once(structure_in)
    never = never_marked(document, structure)
    return united([*structure.boundaries, *never])


@dataclass(frozen=True, slots=True, eq=False)
class Preset:
    """A compiled rule set; two are equal only if they are one.

    :param name: ``mx`` or another name in :data:`PRESETS`.
    :param files: The rule files in order.
    :param lexicon: What is known of words.
    :param grammar: The compiled rules.
    :param roster: A site's list of staff, if any, and the entity that its names are.
    :param keeps: Texts that a site never has marked.
    :param meanings: What keys, headings and positions mean, if fields are read.
    :param calibration: How findings become probabilities where no model reads the note.
    """

    name: str
    files: tuple[RuleFile, ...]
    lexicon: Lexicon
    grammar: Grammar
    roster: tuple[Roster, str] | None = None
    keeps: re.Pattern[str] | None = None
    meanings: Meanings | None = None
    calibration: Calibration | None = None

    def read(self, text: str) -> Document:
        """Prepare a note for these rules.

        :param text: The note as given.
        """
        return read(text, self.lexicon)

    def find(self, document: Document) -> list[Finding]:
        """Find everything that identifies somebody.

        :param document: The note, as :meth:`read` gave it.
        :return: Settled findings in offsets of the document, without blocks; then what
            is certain, which may overlap them.
        """
        found = self.grammar.scan(document)
        found += list(repeated(document, found))
        return [
            *(_read_by(f) for f in found if not f.block),
            *self._staff(document),
            *self._fields(document),
        ]

    def with_form(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield findings of rules; what is sure in notes of one form is a field's.

        :param findings: The findings, with their probabilities.
        """
        sure = _FORMS.get(self.name, math.inf)
        for finding in findings:
            field = finding.reader == RULES and finding.score >= sure
            yield finding._replace(reader=FIELDS) if field else finding

    def allowed(self, document: Document) -> list[tuple[int, int]]:
        """Return the spans that a site's own list keeps, in offsets of the note.

        :param document: The note, as :meth:`read` gave it.
        """
        if self.keeps is None:
            return []
        back = document.source.back
        return [back(*m.span()) for m in self.keeps.finditer(document.folded)]

    def _staff(self, document: Document) -> Iterator[Finding]:
        """Yield where a site's staff is named."""
        if self.roster is not None:
            roster, entity = self.roster
            for start, end in roster.find(document):
                yield Finding(
                    start, end, entity, 1.0, _ROSTER, role="staff", reader=SITE
                )

    def _fields(self, document: Document) -> list[Finding]:
        """Return what fields of exports hold, and the names of users of systems."""
        if self.meanings is None:
            return []
        structure = document.once(structure_in)
        found = [
            Finding(
                *(f.start, f.end, f.entity, f.probability, f"{FIELDS}#{f.kind}"),
                role=f.role,
                reader=FIELDS if f.probability >= _SURE else RULES,
            )
            for f in field_findings(document, structure)
        ]
        return [*found, *user_findings(document, self.lexicon)]

    def cut(self, document: Document, found: Iterable[Finding]) -> list[Finding]:
        """End findings where structure does; nothing coded is left in them.

        :param document: The note, as :meth:`read` gave it.
        :param found: Findings in offsets of the note.
        """
        if self.meanings is None:
            return list(found)
        structure = document.once(structure_in)
        if structure == Structure():
            return list(found)
        text, kept = document.source.original, document.once(kept_in)
        return [part for f in found for part in cut(text, [f], kept, structure.whole)]

    def rule_findings(self, text: str, label: str) -> Sequence[Finding]:
        """Return what one rule finds, before anything is settled, blocks included.

        :param text: A note or an example.
        :param label: The rule's label, e.g. ``phone.yaml#labelled``.
        :return: Findings of that rule in reading order, in offsets of the text.
        """
        document = self.read(text)
        found = self.grammar.scan_rule(document, label)
        return moved_back(sorted(found, key=lambda f: f.start), document.source)


def _read_by(finding: Finding) -> Finding:
    """Return what a rule of the grammar marks with its reader, certain or not."""
    if finding.rule.startswith(LISTS):
        return finding._replace(reader=SITE)
    return finding._replace(reader=CHECKED) if finding.score >= _CHECKED else finding


def rule_files(preset: str) -> tuple[RuleFile, ...]:
    """Read the rule files of a preset, in order.

    :param preset: Name of the preset.
    :return: The files that hold rules, sorted by ``order``.
    :raises ConfigurationError: If the preset is unknown or a file is broken.
    """
    if preset not in PRESETS:
        raise unknown_preset(preset)
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
        typos=TypoIndex.of(anchor_words),
    )
    roster = staff_roster(own, files) if own else None
    lexicon = replace(lexicon, flags=flags)
    meanings = load_meanings() if name == _WITH_FIELDS else None
    calibration = read_calibration(folder("recognizers") / CALIBRATION_FILE, name)
    keeps = allow_pattern(own) if own else None
    return Preset(name, files, lexicon, grammar, roster, keeps, meanings, calibration)
