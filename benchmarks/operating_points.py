"""What sensitivity costs and brings, and how far stated probabilities can be trusted.

usage: python benchmarks/operating_points.py FOLDER... [--ner transformer] [--charts]
           [--preset es-ES --format brat]

For each threshold on the probability of findings: share of identifiers covered, share
of marked letters that are marked in gold, share of notes in which nothing is left. The
same for the rules and the model by themselves. Then how often findings of a stated
probability are right, with the expected calibration error; and for each bound on the
stated risk of a note: share of notes below it, and share of these in which something
is left. The format is told by the ending unless --format names
it. --charts prints the reliability diagram and the curve as Mermaid charts, as
docs/sensitivity.md has them.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from presidio_analyzer import RecognizerResult
from rich.console import Console
from rich.table import Table

from presidio_mx.find.ner.choose import ner_recognizers
from presidio_mx.find.sensitivity import BALANCED, SENSITIVITIES
from presidio_mx.pipeline import examine
from presidio_mx.research.corpora import read_corpus
from presidio_mx.research.training.logistic import Reliability
from presidio_mx.schemes import Scheme
from presidio_mx.text.spans import Note

THRESHOLDS = (0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.25, 0.35, 0.5, 0.7)
BOUNDS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.01)


@dataclass(frozen=True)
class Read:
    """A note with everything that was nearly marked in it.

    :param note: The note with gold spans.
    :param results: What is marked at each threshold.
    :param risk: The stated risk at the balanced sensitivity.
    """

    note: Note
    results: dict[float, list[RecognizerResult]]
    risk: float


@dataclass(frozen=True)
class Point:
    """What a threshold brings, in per cent.

    :param least: Probability from which on findings are marked.
    :param covered: Identifiers whose letters are all marked.
    :param precision: Marked letters that are marked in gold.
    :param clean: Notes in which nothing is left.
    """

    least: float
    covered: float
    precision: float
    clean: float


def read(notes: Sequence[Note], ner: str, preset: str) -> list[Read]:
    """Examine notes."""
    made = []
    for note in notes:
        risk = examine(note.text, preset=preset, ner=ner).risk
        made.append(Read(note, {}, 1.0 if risk is None else risk))
    # Few analyzers are kept at a time: each threshold reads all notes with one.
    for least in THRESHOLDS:
        for one in made:
            found = examine(one.note.text, preset=preset, ner=ner, sensitivity=least)
            one.results[least] = found.results
    return made


def read_by_model(notes: Sequence[Note], ner: str, preset: str) -> list[Read]:
    """Let a model read notes by itself."""
    models = {
        least: ner_recognizers(ner, preset, sensitivity=least)[0]
        for least in THRESHOLDS
    }
    return [
        Read(note, {t: m.analyze(note.text, []) for t, m in models.items()}, 1.0)
        for note in notes
    ]


def letters(text: str, spans: list[tuple[int, int]]) -> set[int]:
    """Return the offsets of letters and digits in spans."""
    return {i for start, end in spans for i in range(start, end) if text[i].isalnum()}


def marked(one: Read, least: float) -> set[int]:
    """Return the letters of a note that are marked from a probability on."""
    return letters(one.note.text, [(r.start, r.end) for r in one.results[least]])


def is_clean(one: Read, least: float) -> bool:
    """Tell whether every identifier of a note is wholly marked."""
    inside = marked(one, least)
    text = one.note.text
    return all(letters(text, [(s.start, s.end)]) <= inside for s in one.note.spans)


def points(reads: list[Read]) -> list[Point]:
    """Return what each threshold brings."""
    made = []
    for least in THRESHOLDS:
        gold = covered = given = right = clean = 0
        for one in reads:
            inside, text = marked(one, least), one.note.text
            spans = [letters(text, [(s.start, s.end)]) for s in one.note.spans]
            gold += len(spans)
            covered += sum(span <= inside for span in spans)
            given += len(inside)
            right += len(inside & set().union(*spans))
            clean += all(span <= inside for span in spans)
        made.append(
            Point(
                least,
                100 * covered / max(1, gold),
                100 * right / max(1, given),
                100 * clean / max(1, len(reads)),
            )
        )
    return made


def curve(made: list[Point], title: str) -> Table:
    """Return the table of thresholds."""
    table = Table("from", "covered", "character precision", "clean notes", title=title)
    for point in made:
        names = [name for name, value in SENSITIVITIES.items() if value == point.least]
        table.add_row(
            f"{point.least} {', '.join(names)}",
            f"{point.covered:.1f}",
            f"{point.precision:.1f}",
            f"{point.clean:.1f}",
        )
    return table


def reliability(reads: list[Read]) -> Reliability:
    """Hold stated probabilities against gold; right is what is half identifying."""
    told, right = [], []
    for one in reads:
        gold = letters(one.note.text, [(s.start, s.end) for s in one.note.spans])
        for result in one.results[THRESHOLDS[0]]:
            own = letters(one.note.text, [(result.start, result.end)])
            told.append(result.score)
            right.append(bool(own) and 2 * len(own & gold) >= len(own))
    return Reliability.of(told, right)


def told(made: Reliability) -> Table:
    """Return the table of stated probabilities."""
    title = f"expected calibration error {made.error:.3f}"
    table = Table("predicted", "observed", "findings", title=title)
    for one in made.bins:
        table.add_row(f"{one.told:.2f}", f"{one.right:.2f}", str(one.count))
    return table


def reliability_chart(made: Reliability) -> str:
    """Return the reliability diagram as a Mermaid chart; the straight line is ideal."""
    labels = ", ".join(f'"{one.told:.2f}"' for one in made.bins)
    lines = [
        [f"{one.told:.2f}" for one in made.bins],
        [f"{one.right:.2f}" for one in made.bins],
    ]
    return _chart("predicted", f"[{labels}]", "observed", "0 --> 1", lines)


def curve_chart(made: list[Point]) -> str:
    """Return covered and character precision by threshold as a Mermaid chart."""
    labels = ", ".join(f'"{point.least}"' for point in made)
    lines = [
        [f"{point.covered:.1f}" for point in made],
        [f"{point.precision:.1f}" for point in made],
    ]
    return _chart("marked from", f"[{labels}]", "per cent", "88 --> 100", lines)


def _chart(x: str, labels: str, y: str, span: str, lines: list[list[str]]) -> str:
    drawn = "\n".join(f"    line [{', '.join(line)}]" for line in lines)
    head = f'xychart-beta\n    x-axis "{x}" {labels}\n    y-axis "{y}" {span}'
    return f"```mermaid\n{head}\n{drawn}\n```"


def releases(reads: list[Read], title: str, balanced: float) -> Table:
    """Return the table of bounds on the risk."""
    table = Table("risk below", "notes", "with something left", title=title)
    for bound in BOUNDS:
        go = [one for one in reads if one.risk < bound]
        left = sum(not is_clean(one, balanced) for one in go)
        table.add_row(
            str(min(1.0, bound)),
            f"{100 * len(go) / max(1, len(reads)):.0f} %",
            f"{left} of {len(go)} ({100 * left / max(1, len(go)):.1f} %)",
        )
    return table


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--ner", default="transformer")
    parser.add_argument("--preset", default="mx")
    parser.add_argument("--format", default="auto")
    parser.add_argument("--charts", action="store_true")
    options = parser.parse_args()
    console = Console()
    preset = options.preset
    scheme: Scheme = "meddocan" if preset == "es-ES" else "native"
    notes = [
        note
        for folder in options.folder
        for note in read_corpus(folder, options.format, scheme).notes
    ]
    systems: dict[str, Callable[[], list[Read]]] = {
        "rules": lambda: read(notes, "none", preset)
    }
    if options.ner != "none":
        systems["model alone"] = lambda: read_by_model(notes, options.ner, preset)
        systems[f"rules and {options.ner}"] = lambda: read(notes, options.ner, preset)
    reads: list[Read] = []
    made: list[Point] = []
    for name, examined in systems.items():
        reads = examined()
        made = points(reads)
        console.print(curve(made, f"{len(reads)} notes, {name}"))
    trusted = reliability(reads)
    console.print(told(trusted))
    balanced = SENSITIVITIES[BALANCED]
    console.print(releases(reads, f"{len(reads)} notes, {name}", balanced))
    if options.charts:
        print(reliability_chart(trusted), curve_chart(made), sep="\n")


if __name__ == "__main__":
    main()
