"""Time for a text that repeats a word: tell whether it grows in step with the length.

usage: python benchmarks/linear.py [--sizes 10 20 40] [--pairs 500] [--sample N]
                                   [--seed 1] [--preset mx] [--worst 15] [--out FILE]
                                   [UNIT...]

Repeated to texts of 10, 20 and 40 kB are, for each preset:

words      every word of the word lists, of the lists in the rule files and of the
           rules' triggers, alone
examples   every example of a rule, which holds what patterns match: codes, dates
pairs      a word of one list and a word of the same or another list, drawn by the
           seed. A text that repeats "a b" repeats "b a", too, so each two lists are
           one pair; they come in an order that the seed draws, and --pairs takes so
           many of them. Of all words there would be some 20 million pairs.

Rules alone, process time. A unit fails that takes more than 2.3 times as long where the
text is twice as long, or more than 40 ms/kB on an idle machine; before it fails it is
timed seven times more, and the shortest times count. --sample takes so many of the
units, UNIT... only those given. With --out, each unit's times are added to FILE, as a
line of JSON, and what stands there already is not timed again: a sweep that was stopped
goes on.
"""

import argparse
import gc
import json
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, islice, pairwise
from pathlib import Path

from presidio_mx.declarations import PRESETS
from presidio_mx.find.examples import bracketed, examples_of
from presidio_mx.find.grammar.patterns import words_of
from presidio_mx.find.preset import Preset, load_preset, shared_symbols

SIZES = (10, 20, 40)
MOST_GROWTH = 2.3
MOST_MS = 40.0
TRIES = 8
JOINERS = (" ", " ", ", ", "\n")
KB = 1000


@dataclass(frozen=True)
class Times:
    """How long a repeated unit took.

    :param unit: What was repeated.
    :param sizes: Lengths of the texts, in kB, each twice the one before.
    :param seconds: Process time for each.
    """

    unit: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def ms_per_kb(self) -> float:
        """The most milliseconds a kB."""
        return max(
            1000 * second / size
            for second, size in zip(self.seconds, self.sizes, strict=True)
        )

    @property
    def growth(self) -> float:
        """The most that time grew where the length doubled."""
        return max((b / a for a, b in pairwise(self.seconds)), default=1.0)

    @property
    def linear(self) -> bool:
        """Whether both limits hold."""
        return self.growth <= MOST_GROWTH and self.ms_per_kb <= MOST_MS


def repeated(unit: str, size: int) -> str:
    """Return a unit repeated to a number of kB."""
    return (unit * (size * KB // len(unit) + 1))[: size * KB]


def lists(preset: Preset) -> list[tuple[str, ...]]:
    """Return the word lists in reach of the rules, each once.

    What no list has of the triggers of a rule is a list of its own.
    """
    shared = shared_symbols(preset.name)
    found: dict[tuple[str, ...], None] = {}
    for symbols in (shared, *({**shared, **file.symbols} for file in preset.files)):
        for name in symbols:
            found[words_of(name, symbols) or ()] = None
    known = {word for words in found for word in words}
    for rule in preset.grammar.rules():
        found[tuple(sorted(set(rule.anchor_words) - known))] = None
    return [words for words in found if words]


def entries(preset: Preset) -> list[str]:
    """Return the words of all lists and the triggers of all rules, each once."""
    return sorted({word for words in lists(preset) for word in words})


def examples(preset: Preset) -> list[str]:
    """Return the examples of all rules, each once, without brackets."""
    texts = (
        bracketed(example)[0] if must_match else example
        for _, example, must_match in examples_of(preset)
    )
    return list(dict.fromkeys(texts))


def pairs(preset: Preset, dice: random.Random) -> Iterator[str]:
    """Yield a pair of words for each two lists."""
    every = list(combinations_with_replacement(lists(preset), 2))
    dice.shuffle(every)
    for one, other in every:
        left, right = dice.choice(one), dice.choice(other)
        yield left + dice.choice(JOINERS) + right + dice.choice(JOINERS)


def units(preset: Preset, most: int, dice: random.Random) -> Iterator[str]:
    """Yield every word and example with a blank, then so many pairs at most."""
    for text in (*entries(preset), *examples(preset)):
        yield f"{text} "
    yield from islice(pairs(preset, dice), most)


def seconds(preset: Preset, text: str) -> float:
    """Return the process time of one reading."""
    begin = time.process_time()
    preset.find(preset.read(text))
    return time.process_time() - begin


def timed(preset: Preset, unit: str, sizes: Sequence[int] = SIZES) -> Times:
    """Time a unit; where a limit does not hold, again, and the shortest times count."""
    best = tuple(float("inf") for _ in sizes)
    times = Times(unit, tuple(sizes), best)
    for _ in range(TRIES):
        new = [seconds(preset, repeated(unit, size)) for size in sizes]
        best = tuple(map(min, best, new))
        times = Times(unit, tuple(sizes), best)
        if times.linear:
            break
    return times


class Record:
    """The times of a sweep, in a file that outlives it."""

    def __init__(self, path: Path | None) -> None:
        """Read what stands there.

        :param path: The file, made at need; None: nothing is kept.
        """
        self.path = path
        self.done: dict[tuple[str, str], Times] = {}
        if path and path.exists():
            for line in path.read_text("utf-8").splitlines():
                preset, unit, sizes, took = json.loads(line)
                self.done[preset, unit] = Times(unit, tuple(sizes), tuple(took))

    def timed(self, preset: Preset, unit: str, sizes: Sequence[int]) -> Times:
        """Return a unit's times, kept or taken now."""
        times = self.done.get((preset.name, unit))
        if times is None:
            times = timed(preset, unit, sizes)
            if self.path:
                line = json.dumps([preset.name, unit, times.sizes, times.seconds])
                with open(self.path, "a", encoding="utf-8") as file:
                    file.write(line + "\n")
        return times


def report(name: str, times: Iterable[Times], worst: int) -> bool:
    """Print the worst units of a preset and those that fail; tell whether none did."""
    every = list(times)
    most = max(t.ms_per_kb for t in every), max(t.growth for t in every)
    print(f"{name}: {len(every):,} units", end=", ")
    print("most {:.1f} ms/kB, most growth {:.2f}".format(*most))
    slow = sorted(every, key=lambda t: t.ms_per_kb, reverse=True)[:worst]
    steep = sorted(every, key=lambda t: t.growth, reverse=True)[:worst]
    failing = [t for t in every if not t.linear]
    for title, group in (("slow", slow), ("steep", steep), ("FAILING", failing)):
        print(title)
        for t in group:
            print(f"  {t.unit!r}: {t.ms_per_kb:.1f} ms/kB, growth {t.growth:.2f}")
    return not failing


def main() -> int:
    """Time the units; the exit code is 1 if one does not keep to the limits."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("units", nargs="*", metavar="UNIT")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--sample", type=int, help="so many units, drawn by the seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--preset", choices=PRESETS, action="append")
    parser.add_argument("--worst", type=int, default=15)
    parser.add_argument("--out", type=Path, help="file for the times of each unit")
    options = parser.parse_args()
    fine = True
    record = Record(options.out)
    for name in options.preset or PRESETS:
        preset = load_preset(name)
        dice = random.Random(options.seed)
        chosen = options.units or list(units(preset, options.pairs, dice))
        if options.sample and options.sample < len(chosen):
            chosen = dice.sample(chosen, options.sample)
        seconds(preset, repeated(chosen[0], 1))
        # Collections that walk through all rules and lists come when they come.
        gc.freeze()
        times = (record.timed(preset, unit, options.sizes) for unit in chosen)
        fine = report(name, times, options.worst) and fine
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
