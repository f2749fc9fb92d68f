"""Score the es-ES preset on a folder of MEDDOCAN: sub-tasks 1 and 2, body, speed.

Run: python benchmarks/meddocan.py FOLDER [--errors TYPE]
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from presidio_mx.find.preset import load_preset
from presidio_mx.find.session import Session

Span = tuple[int, int, str]
_PREFIX = "ES_"


def read_case(path: Path) -> tuple[str, set[Span]]:
    """Return a case's text and its marked spans (start, end, label)."""
    text = path.read_text(encoding="utf-8")
    spans: set[Span] = set()
    for line in path.with_suffix(".ann").read_text(encoding="utf-8").splitlines():
        if line.startswith("T"):
            label, start, *_, end = line.split("\t")[1].split()
            spans.add((int(start), int(end), label))
    return text, spans


def find(text: str) -> set[Span]:
    """Return what the preset finds, in MEDDOCAN's labels."""
    rules = load_preset("es-ES")
    return {
        (f.start, f.end, f.entity.removeprefix(_PREFIX))
        for f in Session(text).rules(rules)
    }


def merged(spans: Iterable[tuple[int, int]], text: str) -> set[tuple[int, int]]:
    """Join spans with no letter or digit between them (MEDDOCAN's merged spans)."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and not any(map(str.isalnum, text[joined[-1][1] : start])):
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return set(joined)


def merged_counts(text: str, gold: set[Span], found: set[Span]) -> tuple[int, int, int]:
    """Return hits, extra and missed of sub-task 2, merged.

    Strict hits and equal merged spans count; a strict miss or extra that lies inside
    an equal merged span is forgiven.
    """
    strict_gold = {(s, e) for s, e, _ in gold}
    strict_found = {(s, e) for s, e, _ in found}
    hits = strict_gold & strict_found
    equal = merged(strict_gold, text) & merged(strict_found, text)

    def outside(spans: set[tuple[int, int]]) -> int:
        return sum(not any(a <= s and e <= b for a, b in equal) for s, e in spans)

    both = hits | equal
    return len(both), outside(strict_found - hits), outside(strict_gold - hits)


def body_of(text: str) -> tuple[int, int]:
    """Return where the case itself begins and ends, without the form around it."""
    start = text.find("\n", max(text.find("Médico:"), 0)) + 1
    foots = [text.rfind(label) for label in ("Remitido por", "Responsable")]
    foot = max(foots)
    return start, foot if foot > start else len(text)


def scores(hits: int, extra: int, missed: int) -> str:
    """Return precision, recall and F1 as text."""
    precision = hits / (hits + extra) if hits + extra else 0.0
    recall = hits / (hits + missed) if hits + missed else 0.0
    total = precision + recall
    f1 = 2 * precision * recall / total if total else 0.0
    return f"P {precision:.4f}  R {recall:.4f}  F1 {f1:.4f}  ({hits}/{extra}/{missed})"


def errors(
    path: Path, text: str, gold: set[Span], found: set[Span], label: str
) -> Iterator[str]:
    """Yield every error of a label in its surroundings."""
    for kind, spans in (("MISSED", gold - found), ("EXTRA", found - gold)):
        for start, end, own in sorted(spans):
            if label in ("all", own):
                left, right = text[max(0, start - 60) : start], text[end : end + 40]
                line = f"{kind} {own} {left}[{text[start:end]}]{right}"
                yield f"{line!r} {path.stem}"


def main() -> None:
    """Score a folder and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--errors", default="", help="label to list errors of, or all")
    arguments = parser.parse_args()
    load_preset("es-ES")
    counts: dict[str, Counter[str]] = {}
    task2: Counter[str] = Counter()
    seconds, characters = 0.0, 0
    for path in sorted(arguments.folder.glob("*.txt")):
        text, gold = read_case(path)
        began = time.perf_counter()
        found = find(text)
        seconds += time.perf_counter() - began
        characters += len(text)
        for line in errors(path, text, gold, found, arguments.errors):
            print(line)
        first, last = body_of(text)
        for kind, spans in (
            ("hit", gold & found),
            ("extra", found - gold),
            ("missed", gold - found),
        ):
            for start, end, label in spans:
                for key in ("ALL", label):
                    counts.setdefault(key, Counter())[kind] += 1
                if first <= start and end <= last:
                    counts.setdefault("BODY", Counter())[kind] += 1
        strict = {(s, e) for s, e, _ in gold}, {(s, e) for s, e, _ in found}
        task2["hit"] += len(strict[0] & strict[1])
        task2["extra"] += len(strict[1] - strict[0])
        task2["missed"] += len(strict[0] - strict[1])
        for kind, number in zip(
            ("m_hit", "m_extra", "m_missed"),
            merged_counts(text, gold, found),
            strict=True,
        ):
            task2[kind] += number
    for label in sorted(counts, key=lambda key: -sum(counts[key].values())):
        c = counts[label]
        print(f"{label:34} {scores(c['hit'], c['extra'], c['missed'])}")
    print("sub-task 2 strict ", scores(task2["hit"], task2["extra"], task2["missed"]))
    print(
        "sub-task 2 merged ",
        scores(task2["m_hit"], task2["m_extra"], task2["m_missed"]),
    )
    print(f"{1e6 * seconds / max(characters, 1):.2f} ms per 1,000 characters")


if __name__ == "__main__":
    main()
