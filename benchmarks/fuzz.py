"""Fuzzed notes: tell whether any input crashes the analyzer or breaks what it promises.

usage: python benchmarks/fuzz.py [--from 0] [--count 10000] [--out FILE]

Inputs are numbered; the same number gives the same input for as long as the rules and
the sample notes stay as they are, so a run can be stopped and gone on with. The first
ones are all prefixes and suffixes of every rule's examples, of both presets; then come
random ones: rule examples and sample notes cut and spliced, changed letters, triggers
glued, cut and doubled, characters of all scripts, very long words, punctuation alone,
lone surrogates, whole notes. Rules alone; operators take turns. What must hold:

crash      nothing raises
offsets    spans lie inside the text and are not empty
overlap    spans do not overlap
replaced   every span is replaced
kept       every character outside the spans stands in the new text, in order
same       the same input gives the same spans (each eighth is read twice)
blanks     blanks around a note move its spans and change nothing else

A line is printed each 10,000 inputs; with --out, each input that breaks one of these is
added to FILE, as a line of JSON.
"""

import argparse
import gc
import json
import random
import string
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from presidio_analyzer import RecognizerResult

from presidio_mx.declarations import PRESETS
from presidio_mx.find.examples import bracketed, examples_of
from presidio_mx.find.preset import load_preset
from presidio_mx.pipeline import analyze, analyze_and_anonymize
from presidio_mx.replace.engine import AnonymizedText, Item, anonymize
from presidio_mx.research.corpora import read_corpus

ROOT = Path(__file__).parents[1]
KEY = "a key for fuzzed notes alone"
OPERATORS = ("tag", "redact", "surrogate", "pseudonym")
ONCE_MORE = 8
AROUND = ("  ", "\n", " \n\n ", "\t")
JOINERS = ("", "", " ", " ", "\n", ", ", ": ", ". ", "\t", "-", " \n", "\r\n")
CUTS = (".", ",", ":", " ", "\n", "#", "(", ")", "-", "/", "°", "ª", "º", "'", '"')
RANGES = (
    (0x00, 0x7F),
    (0xA0, 0x24F),
    (0x300, 0x36F),
    (0x370, 0x58F),
    (0x600, 0x6FF),
    (0x2000, 0x206F),
    (0x2100, 0x2BFF),
    (0x3040, 0x9FFF),
    (0xFB00, 0xFFFD),
    (0x1D400, 0x1D7FF),
    (0x1F300, 0x1FAFF),
    (0xE0000, 0xE007F),
)
PUNCTUATION = string.punctuation + "¿¡«»“”‘’…–—·•ºª°€§¶ \n\t"
SURROGATES = (0xD800, 0xDFFF)
Span = tuple[int, int, str]


class BrokenError(Exception):
    """An invariant that does not hold; the message is its name."""


@dataclass(frozen=True)
class Source:
    """What inputs are made of.

    :param examples: Examples of all rules with their presets, without brackets.
    :param notes: Sample notes.
    :param triggers: Words at which rules begin, by preset.
    """

    examples: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    triggers: dict[str, tuple[str, ...]]

    @classmethod
    def shipped(cls) -> "Source":
        """Return the examples and triggers of all presets and the sample notes."""
        examples = []
        triggers = {}
        for name in PRESETS:
            preset = load_preset(name)
            examples += [
                (name, bracketed(example)[0] if must_match else example)
                for _, example, must_match in examples_of(preset)
            ]
            rules = preset.grammar.rules()
            triggers[name] = tuple(sorted({w for r in rules for w in r.anchor_words}))
        samples = ROOT / "samples"
        notes = [path.read_text("utf-8") for path in samples.glob("notes/*.txt")]
        corpus = read_corpus(samples / "corpus" / "dev" / "a_hospital.jsonl").notes
        notes += [note.text for note in corpus]
        return cls(tuple(dict.fromkeys(examples)), tuple(sorted(notes)), triggers)

    def edges(self) -> int:
        """Return the number of all prefixes and suffixes."""
        return sum(2 * len(text) for _, text in self.examples)


def edge_of(text: str, number: int) -> str:
    """Return a prefix of one letter or more, then suffixes from the whole on."""
    if number < len(text):
        return text[: number + 1]
    return text[number - len(text) :]


class Inputs:
    """Inputs by number."""

    def __init__(self, source: Source) -> None:
        """Count the prefixes and suffixes.

        :param source: What inputs are made of.
        """
        self.source = source
        self._ends = list(accumulate(2 * len(text) for _, text in source.examples))

    def __getitem__(self, number: int) -> tuple[str, str]:
        """Return the preset and the text of a number."""
        if number < self._ends[-1]:
            index = bisect_right(self._ends, number)
            before = self._ends[index - 1] if index else 0
            preset, text = self.source.examples[index]
            return preset, edge_of(text, number - before)
        dice = random.Random(number)
        preset = dice.choice(PRESETS)
        return preset, dice.choice(KINDS)(dice, self.source, preset)


def piece(dice: random.Random, source: Source) -> str:
    """Return a part of an example or of a note."""
    if dice.random() < 0.7:
        text = dice.choice(source.examples)[1]
        if dice.random() < 0.5:
            return text
    else:
        text = dice.choice(source.notes)
    begin = dice.randrange(len(text))
    return text[begin : begin + dice.randint(1, 200)]


def spliced(dice: random.Random, source: Source, preset: str) -> str:
    """Return two to six parts, one behind another."""
    return "".join(
        piece(dice, source) + dice.choice(JOINERS) for _ in range(dice.randint(2, 6))
    )


def changed(dice: random.Random, source: Source, preset: str) -> str:
    """Return a part in which letters are dropped, doubled, swapped or other ones."""
    letters = list(piece(dice, source))
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(letters))
        letters[at] = dice.choice(
            ("", letters[at] * 2, letters[at].swapcase(), *dice.sample(CUTS, 2))
        )
    if dice.random() < 0.3:
        return dice.choice((str.upper, str.lower, str.title))("".join(letters))
    return "".join(letters)


def triggers(dice: random.Random, source: Source, preset: str) -> str:
    """Return triggers glued, cut and doubled, with names and numbers among them."""
    parts = []
    for _ in range(dice.randint(1, 8)):
        word = dice.choice(source.triggers[preset])
        word = dice.choice((word, word, word.upper(), word.title(), word * 2))
        if dice.random() < 0.3:
            word = word[: dice.randint(1, len(word))]
        if dice.random() < 0.3:
            word += dice.choice(("Ana", "Peña", "12", "4", "Col. Centro", "IMSS", "de"))
        parts += [word, dice.choice((*JOINERS, ". ", " de ", " del ", " y "))]
    return "".join(parts)


def unicode(dice: random.Random, source: Source, preset: str) -> str:
    """Return a part with characters of all scripts thrown in."""
    letters = list(piece(dice, source)) if dice.random() < 0.7 else [""]
    for _ in range(dice.randint(1, 20)):
        at = dice.randrange(len(letters))
        letters[at] += chr(dice.randint(*dice.choice(RANGES)))
    return "".join(letters)


def long_word(dice: random.Random, source: Source, preset: str) -> str:
    """Return a part with a very long word or number in it."""
    letters = dice.choice((string.ascii_letters, string.digits, "aA", "ñÑ", "a1", "x"))
    word = "".join(dice.choices(letters, k=dice.choice((60, 300, 2000))))
    return piece(dice, source) + dice.choice(JOINERS) + word + piece(dice, source)


def punctuation(dice: random.Random, source: Source, preset: str) -> str:
    """Return punctuation alone."""
    return "".join(dice.choices(PUNCTUATION, k=dice.randint(1, 80)))


def whole(dice: random.Random, source: Source, preset: str) -> str:
    """Return a whole note, seldom several, with parts of others in it."""
    text = "\n".join(dice.choices(source.notes, k=8 if dice.random() < 0.02 else 1))
    for _ in range(dice.randint(0, 3)):
        at = dice.randrange(len(text))
        text = text[:at] + dice.choice(JOINERS) + piece(dice, source) + text[at:]
    return text


def surrogates(dice: random.Random, source: Source, preset: str) -> str:
    """Return a part with lone surrogates thrown in."""
    letters = list(piece(dice, source))
    for _ in range(dice.randint(1, 4)):
        letters.insert(dice.randrange(len(letters)), chr(dice.randint(*SURROGATES)))
    return "".join(letters)


KINDS: tuple[Callable[[random.Random, Source, str], str], ...] = (
    spliced,
    spliced,
    spliced,
    changed,
    changed,
    triggers,
    triggers,
    unicode,
    long_word,
    punctuation,
    surrogates,
    whole,
)


def found(text: str, preset: str) -> list[RecognizerResult]:
    """Return what is found in a note, in reading order."""
    return analyze(text, preset=preset, ner="none")


def spans_of(results: Iterable[RecognizerResult | Item], before: int = 0) -> list[Span]:
    """Return the spans of results, moved back over what stands before the note."""
    return [(r.start - before, r.end - before, r.entity_type) for r in results]


def must(holds: bool, name: str) -> None:
    """Raise if an invariant does not hold."""
    if not holds:
        raise BrokenError(name)


def kept(text: str, made: AnonymizedText) -> bool:
    """Tell whether everything outside the replaced spans is as it was."""
    old = new = 0
    for item in made.items:
        if text[old : item.start] != made.text[new : item.new_start]:
            return False
        old, new = item.end, item.new_end
    return text[old:] == made.text[new:]


def check(text: str, preset: str, number: int = 0) -> None:
    """Hold a note to the invariants.

    :param text: The note.
    :param preset: Name of the preset.
    :param number: Picks the operators and the blanks around the note.
    :raises BrokenError: Naming the invariant that does not hold.
    """
    results = found(text, preset)
    spans = spans_of(results)
    must(all(0 <= start < end <= len(text) for start, end, _ in spans), "offsets")
    must(
        all(a[1] <= b[0] for a, b in zip(spans, spans[1:], strict=False)),
        "overlap",
    )
    operators = OPERATORS[number % len(OPERATORS)]
    made = anonymize(text, results, operators, key=KEY, second_pass=True)
    must(kept(text, made), "kept")
    must(set(spans) <= set(spans_of(made.items)), "replaced")
    if number % ONCE_MORE == 0:
        again = analyze_and_anonymize(
            text, operators, preset=preset, ner="none", key=KEY
        )
        must(again.items == made.items, "same")
    blanks = AROUND[number // len(OPERATORS) % len(AROUND)]
    around = found(blanks + text + blanks, preset)
    must(spans_of(around, len(blanks)) == spans, "blanks")


def failures(inputs: Inputs, numbers: range) -> Iterator[dict[str, object]]:
    """Yield the inputs that break an invariant, with its name."""
    for number in numbers:
        if number != numbers[0] and number % 10_000 == 0:
            print(f"{number:,} inputs done", flush=True)
        preset, text = inputs[number]
        try:
            check(text, preset, number)
            continue
        except BrokenError as broken:
            name = str(broken)
        except Exception as error:
            name = f"crash {type(error).__name__}"
        yield {"number": number, "broken": name, "preset": preset, "text": text}


def main() -> int:
    """Run the inputs; the exit code is 1 if one breaks an invariant."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--out", type=Path, help="file for inputs that break something")
    options = parser.parse_args()
    source = Source.shipped()
    print(
        f"{source.edges():,} prefixes and suffixes of {len(source.examples):,} examples"
        ", then random inputs",
        flush=True,
    )
    # Collections need not walk through all rules and lists each time.
    check("", PRESETS[0])
    gc.freeze()
    numbers = range(options.first, options.first + options.count)
    broken: Counter[str] = Counter()
    for failure in failures(Inputs(source), numbers):
        broken[str(failure["broken"])] += 1
        if options.out:
            with open(options.out, "a", encoding="utf-8") as file:
                file.write(json.dumps(failure) + "\n")
    print(f"inputs {numbers.start:,} to {numbers.stop - 1:,}: ", end="")
    print(", ".join(f"{n} {name}" for name, n in broken.items()) or "nothing broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
