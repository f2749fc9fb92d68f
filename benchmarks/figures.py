"""Fill the pages of the documentation with the figures of ``docs/figures.yaml``.

    python benchmarks/figures.py           # fill them
    python benchmarks/figures.py --check   # name the pages that differ, as a test does

A page marks a place by a pair of comments, in a line or around lines:

    <!-- figures: speed.rules -->120,900<!-- end -->
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "docs" / "figures.yaml"
# What a warning says of rules alone: covered and clean of some held-out sets.
WARNING = ROOT / "presidio_mx" / "models" / "mx-small" / "figures.yaml"
PLACE = re.compile(
    r"(?P<open><!-- figures: (?P<name>[\w. /-]+?) -->).*?(?P<close><!-- end -->)",
    re.DOTALL,
)
SYSTEMS = {
    "en": {
        "rules": "rules alone",
        "transformer": "transformer alone",
        "both": "**rules + transformer**",
    },
    "es": {"rules": "solo reglas", "both": "**reglas + transformer**"},
}
HEADS = {
    "en": "| notes | system | covered | exact F1 | character precision | clean |",
    "es": "| notas | sistema | cubierto | F1 exacto | precisión por letra | limpias |",
}
# Of covered, P, R, F1, character precision, clean.
SHORT = (0, 3, 4, 5)


def read() -> dict[str, Any]:
    """Return the figures."""
    return dict(yaml.safe_load(FIGURES.read_text("utf-8")))


def _head(line: str) -> str:
    return f"{line}\n{'|---' * (line.count('|') - 1)}|"


def _rows(
    name: str, entry: Mapping[str, Any], lang: str, columns: Sequence[int] = ()
) -> Iterator[str]:
    """Yield the rows of one set of notes: the systems that were measured on it.

    :param columns: Places of the figures that are shown; all by default, and then of
        the transformer alone, too.
    """
    label = (
        f"`{name}`, {entry[lang]}"
        if name.startswith(("heldout/", "dev/"))
        else entry[lang]
    )
    for system, shown in SYSTEMS[lang].items():
        row = entry[system]
        if row is None or (columns and system == "transformer"):
            continue
        bold = "**{:.1f}**" if system == "both" else "{:.1f}"
        cells = [bold.format(row[i]) for i in columns or range(len(row))]
        yield _line(label, shown, *cells)
        label = ""


def _line(*cells: str) -> str:
    return "| " + " | ".join(cells).lstrip() + " |"


def short_accuracy(figures: Mapping[str, Any], lang: str) -> str:
    """Return the table of a README."""
    lines = [_head(HEADS[lang])]
    for name, entry in figures["notes"].items():
        if entry["readme"]:
            lines += _rows(name, entry, lang, SHORT)
    label, name = {
        "en": ("80 of the first two", "stock Presidio with es_core_news_sm"),
        "es": ("80 de las dos primeras", "Presidio con es_core_news_sm"),
    }[lang]
    stock = figures["others"]["stock Presidio + es_core_news_sm"]
    cells = [f"{stock[i]:.1f}" for i in SHORT]
    return "\n".join([*lines, _line(label, name, *cells)])


def accuracy(figures: Mapping[str, Any]) -> str:
    """Return the whole table."""
    head = "| notes | system | covered | P | R | F1 | character precision | clean |"
    lines = [_head(head)]
    for name, entry in figures["notes"].items():
        lines += _rows(name, entry, "en")
    first = "80 development notes"
    for name, row in figures["others"].items():
        lines.append(
            "| " + " | ".join([first, name, *(f"{x:.1f}" for x in row)]) + " |"
        )
        first = ""
    return "\n".join(lines)


def spain(figures: Mapping[str, Any]) -> str:
    """Return the table of MEDDOCAN."""
    head = "| rules and transformer | F1 | covered | character precision | clean |"
    rows = (
        f"| `{name}` | " + " | ".join(f"{x:.1f}" for x in row) + " |"
        for name, row in figures["spain"].items()
    )
    return "\n".join([_head(head), *rows])


def speed(figures: Mapping[str, Any]) -> str:
    """Return the table of speeds."""
    names = {
        "rules": "**rules alone**",
        "stock": "stock Presidio with es_core_news_sm",
        "both": "**rules + transformer**",
    }
    found = figures["speed"]
    rows = (
        f"| {names[k]} | {found[k]:,} | {found[k] / found['stock']:.1f} |"
        for k in names
    )
    head = "| system | characters a second of one core | times stock |"
    return "\n".join([_head(head), *rows])


def calibration(figures: Mapping[str, Any], what: str, unit: str) -> str:
    """Return predicted and observed probabilities."""
    rows = (
        f"| {predicted:.2f} | {observed:.2f} | {number:,} |"
        for predicted, observed, number in figures["calibration"][what]
    )
    return "\n".join([_head(f"| predicted | observed | {unit} |"), *rows])


def points(figures: Mapping[str, Any]) -> str:
    """Return what each threshold covers."""
    head = "| marked from | rules | transformer alone | rules + transformer |"
    lines = [_head(head)]
    for row in figures["points"]["rows"]:
        cells = [" / ".join(f"{x:.1f}" for x in row[s]) for s in SYSTEMS["en"]]
        lines.append(f"| {row['from']} | {cells[0]} | {cells[1]} | **{cells[2]}** |")
    return "\n".join(lines)


def releases(figures: Mapping[str, Any]) -> str:
    """Return how many notes a bound on the risk releases, and what they keep."""
    found = figures["releases"]
    lines = [_head("| risk below | notes | with something left |")]
    for bound, notes, left in found["rows"]:
        share = f" ({100 * left / notes:.1f} %)" if notes else ""
        part = 100 * notes / found["notes"]
        lines.append(f"| {bound} | {notes} ({part:.0f} %) | {left}{share} |")
    return "\n".join(lines)


def peers(figures: Mapping[str, Any], group: str) -> str:
    """Return what each system does on a group of notes."""
    head = (
        "| system | covered | of what it knows | false marks per 1,000 words "
        "| exact F1 | of what it knows | clean notes | characters a second | MB |"
    )
    lines = [_head(head)]
    for name, row in figures["peers"][group]["systems"].items():
        shares = ("covered", "known", "false_marks", "f1", "f1_known", "clean")
        cells = [f"{row[key]:.1f}" for key in shares]
        lines.append(_line(name, *cells, f"{row['speed']:,.0f}", f"{row['mb']}"))
    return "\n".join(lines)


def peers_by_type(figures: Mapping[str, Any], group: str) -> str:
    """Return what each system covers of each type, in brackets what it knows not."""
    found = figures["peers"][group]
    lines = [_head(f"| type | marks | {' | '.join(found['systems'])} |")]
    for kind, number in found["types"].items():
        cells = []
        for row in found["systems"].values():
            covered, knows = row["types"][kind]
            cells.append(f"{covered:.1f}" if knows else f"({covered:.1f})")
        lines.append(_line(f"`{kind}`", f"{number:,}", *cells))
    return "\n".join(lines)


def peers_by_set(figures: Mapping[str, Any], group: str) -> str:
    """Return what each system covers in each set of notes."""
    found = figures["peers"][group]
    lines = [_head(f"| notes | {' | '.join(found['systems'])} |")]
    for name, row in found["sets"].items():
        lines.append(_line(f"`{name}`", *(f"{value:.1f}" for value in row.values())))
    return "\n".join(lines) if found["sets"] else ""


PEERS_IN_SHORT = {
    "en": "| held-out notes | covered | of what it knows | exact F1 | clean |",
    "es": "| notas reservadas | cubierto | de lo que conoce | F1 exacto | limpias |",
}


def peers_in_short(figures: Mapping[str, Any], language: str) -> str:
    """Return what the README says of peers."""
    lines = [_head(PEERS_IN_SHORT[language])]
    spanish = {"rules": "reglas", "rules + model": "reglas + modelo"}
    for name, row in figures["peers"]["heldout"]["systems"].items():
        if name != "model":
            cells = [f"{row[key]:.1f}" for key in ("covered", "known", "f1", "clean")]
            said = spanish.get(name, name) if language == "es" else name
            lines.append(_line(said.removeprefix("stock "), *cells))
    return "\n".join(lines)


TABLES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "accuracy": accuracy,
    "accuracy short en": lambda f: short_accuracy(f, "en"),
    "accuracy short es": lambda f: short_accuracy(f, "es"),
    "spain": spain,
    "speed": speed,
    "findings": lambda f: calibration(f, "findings", "findings"),
    "risk": lambda f: calibration(f, "risk", "notes"),
    "points": points,
    "releases": releases,
    "peers heldout": lambda f: peers(f, "heldout"),
    "peers heldout types": lambda f: peers_by_type(f, "heldout"),
    "peers heldout sets": lambda f: peers_by_set(f, "heldout"),
    "peers meddocan": lambda f: peers(f, "meddocan"),
    "peers meddocan types": lambda f: peers_by_type(f, "meddocan"),
    "peers short en": lambda f: peers_in_short(f, "en"),
    "peers short es": lambda f: peers_in_short(f, "es"),
}


def value(figures: Mapping[str, Any], name: str) -> str:
    """Return one figure by its path, such as ``notes.heldout/s_mixed.both.0``."""
    found: Any = figures
    for step in name.split("."):
        found = found[int(step)] if step.isdigit() else found[step]
    return f"{found:,}" if isinstance(found, int) else str(found)


def filled(text: str, figures: Mapping[str, Any]) -> str:
    """Return a page with its places filled."""

    def place(match: re.Match[str]) -> str:
        name = match["name"]
        new = (
            f"\n\n{TABLES[name](figures)}\n\n"
            if name in TABLES
            else value(figures, name)
        )
        return f"{match['open']}{new}{match['close']}"

    return PLACE.sub(place, text)


def warned(text: str, figures: Mapping[str, Any]) -> str:
    """Return the file of the warning with the figures of its sets."""
    lines = [line for line in text.splitlines() if line.startswith("#")]
    for name in yaml.safe_load(text):
        lines.append(f"{name}:")
        for system in ("rules", "both"):
            row = figures["notes"][name][system]
            lines.append(f"  {system}: {{covered: {row[0]}, clean: {row[-1]}}}")
    return "\n".join(lines) + "\n"


def pages() -> list[Path]:
    """Return the pages that may have such places."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


def contents() -> Iterator[tuple[Path, str]]:
    """Yield each page, and what it should be."""
    figures = read()
    for path in [*pages(), WARNING]:
        fill = warned if path == WARNING else filled
        yield path, fill(path.read_text("utf-8"), figures)


def update(files: Iterable[tuple[Path, str]], about: str | None) -> int:
    """Write the files that differ, or with ``--check`` only name them.

    :param files: Each file, and what it should be.
    :param about: What the program says of itself.
    :return: Its exit code.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    differ = []
    for path, content in files:
        if not path.exists() or path.read_text("utf-8") != content:
            differ.append(path.name)
            if not check:
                path.write_text(content, "utf-8")
    print(*(f"{'differs' if check else 'written'}: {n}" for n in differ), sep="\n")
    return 1 if check and differ else 0


if __name__ == "__main__":
    sys.exit(update(contents(), __doc__))
