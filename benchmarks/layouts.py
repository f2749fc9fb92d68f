"""What is lost when a note is laid out anew in a way that no reader would mind.

    python benchmarks/layouts.py samples/corpus/heldout/c_ordinary.jsonl

For each change of layout: the share of the identifiers covered in the note as it is
that are no longer covered in the changed note, by rules and with the transformer.
"""

import argparse
import re
from collections.abc import Callable, Iterable
from itertools import cycle
from pathlib import Path

from presidio_mx import analyze
from presidio_mx.research.corpora import Note, read_corpus

Piece = tuple[str, int]
Change = Callable[[str], list[Piece]]

_LOOK_ALIKE = dict(zip("aceopxyABEHKMOPCTX", "асеорхуАВЕНКМОРСТХ", strict=True))
_FORMAT = "\u034f\u2060\u2063\u202a\u202c\x00"
_MORE_FORMAT = "\u200b\u200d\ufeff\u00ad\u202e\u2066\u2069\x0e\u180e\U000e0041"
_GREEK = dict(zip("AEZHIKMNOTYXo", "ΑΕΖΗΙΚΜΝΟΤΥΧο", strict=True))


def _pieces(text: str, pattern: str, new: Callable[[str], str]) -> list[Piece]:
    """Return the text in pieces, each with its old length, matches made anew."""
    pieces: list[Piece] = []
    done = 0
    for match in re.finditer(pattern, text):
        pieces += [(char, 1) for char in text[done : match.start()]]
        pieces.append((new(match[0]), len(match[0])))
        done = match.end()
    return pieces + [(char, 1) for char in text[done:]]


def _wrap(width: int) -> Change:
    def change(text: str) -> list[Piece]:
        pieces: list[Piece] = []
        column = 0
        for token in re.findall(r"\n|[^\S\n]|\S+", text):
            if (
                token.strip()
                and column + len(token) > width
                and pieces[-1:] == [(" ", 1)]
            ):
                pieces[-1] = ("\n", 1)
                column = 0
            pieces += [(char, 1) for char in token]
            column = 0 if token == "\n" else column + len(token)
        return pieces

    return change


def _inside_words(characters: str) -> Change:
    """Return a change that puts a character into every word, one after another."""

    def change(text: str) -> list[Piece]:
        turns = cycle(characters)
        return _pieces(
            text, r"[^\W\d_]{4,}", lambda word: word[:2] + next(turns) + word[2:]
        )

    return change


def _wide(char: str) -> str:
    """Return the letter or digit that takes the width of a Chinese one."""
    return chr(ord(char) + 0xFEE0)


CHANGES: dict[str, Change] = {
    "blanks doubled": lambda text: _pieces(text, " ", lambda _: "  "),
    "four blanks": lambda text: _pieces(text, " ", lambda _: "    "),
    "tabs": lambda text: _pieces(text, " ", lambda _: "\t"),
    "wrapped at 60": _wrap(60),
    "wrapped at 40": _wrap(40),
    "wrapped at 20": _wrap(20),
    r"literal \n": lambda text: _pieces(text, "\n", lambda _: r"\n"),
    "format characters": _inside_words(_FORMAT),
    "more of them": _inside_words(_MORE_FORMAT),
    "markdown": lambda text: _pieces(
        text, r"[A-ZÁÉÍÓÚÑ][^\W\d_]{3,}", lambda word: f"**{word}**"
    ),
    "look-alikes": lambda text: _pieces(
        text, "[aceopxyABEHKMOPCTX]", lambda char: _LOOK_ALIKE[char]
    ),
    "Greek look-alikes": lambda text: _pieces(
        text, "[AEZHIKMNOTYXo]", lambda char: _GREEK[char]
    ),
    "full width": lambda text: _pieces(text, "[A-Za-z0-9]", _wide),
    "no-break blanks": lambda text: _pieces(text, " ", lambda _: "\u00a0"),
    "empty lines between": lambda text: _pieces(text, "\n", lambda _: "\n\n"),
    "lines indented": lambda text: _pieces(text, "\n", lambda _: "\n    "),
    "lines quoted": lambda text: _pieces(text, "\n", lambda _: "\n> "),
    "CRLF": lambda text: _pieces(text, "\n", lambda _: "\r\n"),
}


def laid_out(note: Note, change: Change) -> tuple[str, list[tuple[int, int]]]:
    """Return a note's new text and where its gold spans stand in it.

    :param note: A note with gold spans.
    :param change: The change of layout.
    """
    starts: list[int] = []
    written, size = [], 0
    for new, old in change(note.text):
        starts += [size] * old
        written.append(new)
        size += len(new)
    starts.append(size)
    text = "".join(written)
    spans = []
    for span in note.spans:
        start, end = starts[span.start], starts[span.end]
        spans.append((start, end))
    return text, spans


def covered(text: str, spans: Iterable[tuple[int, int]], ner: str) -> list[bool]:
    """Tell of each span whether all its letters and digits are inside predictions."""
    found = {i for r in analyze(text, ner=ner) for i in range(r.start, r.end)}
    return [
        all(i in found for i in range(start, end) if text[i].isalnum())
        for start, end in spans
    ]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--ner", nargs="+", default=["none", "transformer"])
    parser.add_argument("--most", type=int, default=0, help="notes of each folder")
    arguments = parser.parse_args()
    notes = [
        note
        for folder in arguments.folders
        for note in read_corpus(folder).notes[: arguments.most or None]
    ]
    before = {
        ner: [
            covered(note.text, [(s.start, s.end) for s in note.spans], ner)
            for note in notes
        ]
        for ner in arguments.ner
    }
    print("| change | " + " | ".join(f"lost, {ner}" for ner in arguments.ner) + " |")
    print("|---|" + "---|" * len(arguments.ner))
    for name, change in CHANGES.items():
        shares = []
        for ner in arguments.ner:
            had = lost = 0
            for note, was in zip(notes, before[ner], strict=True):
                text, spans = laid_out(note, change)
                now = covered(text, spans, ner)
                had += sum(was)
                lost += sum(a and not b for a, b in zip(was, now, strict=True))
            shares.append(f"{100 * lost / max(had, 1):.2f} %")
        print(f"| {name} | " + " | ".join(shares) + " |", flush=True)


if __name__ == "__main__":
    main()
