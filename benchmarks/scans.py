"""Scanned pages: how much is covered of what Tesseract reads.

usage: python benchmarks/scans.py CORPUS [--notes 10] [--dpi 150] [--skew 1.5]
       [--noise 12] [--ner transformer] [--seed 1]

Notes of a marked corpus are printed, turned by up to ``--skew`` degrees, sprinkled with
noise (standard deviation of the grey, and one dot in 400), saved as JPEG and read by
the reader of scans. Each mark is carried to the recognised text by the least edits
between both texts; what the scanner lost of it is no leak. Beside it stands what is
covered of the same notes as typed.
"""

import argparse
import io
import textwrap
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import reportlab
from PIL import Image, ImageDraw, ImageFont
from rapidfuzz.distance import Levenshtein
from rich.console import Console
from rich.table import Table

from presidio_mx.research.corpora import Note, Span, read_corpus
from presidio_mx.research.evaluation.bootstrap import interval
from presidio_mx.research.evaluation.identifiers import is_covered, offsets
from presidio_mx.research.evaluation.systems import build_engine, predict
from presidio_mx.work.documents.scan_file import page_of

_PAGE = (8.5, 11.0)  # inches
_MARGIN = 0.9
_POINTS = 10
_LETTERS = 78  # on a line
# Has the letters of Spanish; Pillow's own font has not.
_FONT = str(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf")
_DOTS = 1 / 400


def printed(text: str, dpi: int) -> Iterator[Image.Image]:
    """Yield the pages of a note as a printer puts them on paper.

    :param text: The note.
    :param dpi: Pixels an inch.
    """
    size = round(_POINTS * dpi / 72)
    font = ImageFont.truetype(_FONT, size)
    lines = [
        piece
        for line in text.splitlines()
        for piece in textwrap.wrap(line, _LETTERS) or [""]
    ]
    step = round(size * 1.35)
    each = int((_PAGE[1] - 2 * _MARGIN) * dpi) // step
    for first in range(0, len(lines), each):
        page = Image.new("L", (round(_PAGE[0] * dpi), round(_PAGE[1] * dpi)), 255)
        draw = ImageDraw.Draw(page)
        for number, line in enumerate(lines[first : first + each]):
            place = _MARGIN * dpi, _MARGIN * dpi + number * step
            draw.text(place, line, font=font, fill=20)
        yield page


def scanned(page: Image.Image, skew: float, noise: float, seed: int) -> Image.Image:
    """Return a page as it comes out of a scanner.

    :param page: The page.
    :param skew: By how many degrees it is turned at most.
    :param noise: Standard deviation of the grey.
    :param seed: Seed of all chance.
    """
    angle = Random(seed).uniform(-skew, skew)
    turned = page.rotate(angle, Image.Resampling.BICUBIC, fillcolor=250)
    draw = np.random.default_rng(seed)
    grey = np.asarray(turned, float) + draw.normal(0, noise, turned.size[::-1])
    dots = draw.random(grey.shape)
    grey[dots < _DOTS / 2], grey[dots > 1 - _DOTS / 2] = 0, 255
    saved = io.BytesIO()
    Image.fromarray(grey.clip(0, 255).astype(np.uint8)).save(saved, "JPEG", quality=70)
    return Image.open(saved)


def carried(note: Note, text: str) -> Note:
    """Return what was recognised of a note, with its marks carried there.

    :param note: The note with gold spans.
    :param text: What was recognised.
    """
    places = np.full(len(note.text), -1)  # where each letter went; -1: nowhere
    for step in Levenshtein.opcodes(note.text, text):
        if step.tag in ("equal", "replace"):
            places[step.src_start : step.src_end] = np.arange(
                step.dest_start, step.dest_end
            )
    spans = []
    for span in note.spans:
        there = places[span.start : span.end]
        there = there[there >= 0]
        if len(there):
            ends = int(there.min()), int(there.max()) + 1
            spans.append(Span(*ends, span.entity_type, span.role))
    return Note(note.id, text, tuple(spans))


def covered(gold: list[Note], ner: str) -> tuple[float, float, float]:
    """Return the share of gold spans that are covered, with its interval, in per cent.

    :param gold: Notes with gold spans.
    :param ner: Which model.
    """
    found = list(predict(build_engine("mx", ner), gold))
    hidden = [
        float(sum(is_covered(one, s, offsets(other)) for s in one.spans))
        for one, other in zip(gold, found, strict=True)
    ]
    share = interval(hidden, [float(len(note.spans)) for note in gold])
    return 100 * share.value, 100 * share.low, 100 * share.high


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--notes", type=int, default=10)
    parser.add_argument("--dpi", type=int, default=150)
    parser.add_argument("--skew", type=float, default=1.5)
    parser.add_argument("--noise", type=float, default=12.0)
    parser.add_argument("--ner", default="transformer")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    notes = list(read_corpus(given.corpus).notes)
    notes = Random(given.seed).sample(notes, min(given.notes, len(notes)))
    read, pages, wrong, letters = [], 0, 0, 0
    for number, note in enumerate(notes):
        texts = []
        for page in printed(note.text, given.dpi):
            pages += 1
            seed = given.seed + 1000 * number + pages
            scan = scanned(page, given.skew, given.noise, seed)
            texts.append(page_of(scan, given.dpi).text)
        read.append(carried(note, "\n\n".join(texts)))
        plain, seen = ("".join(t.split()) for t in (note.text, read[-1].text))
        wrong += Levenshtein.distance(plain, seen)
        letters += len(plain)
    table = Table("notes", "identifiers", "covered", "95 %")
    for name, those in (("as typed", notes), ("as scanned", read)):
        value, low, high = covered(those, given.ner)
        number = sum(len(note.spans) for note in those)
        table.add_row(name, str(number), f"{value:.1f}", f"{low:.1f}-{high:.1f}")
    console = Console()
    console.print(table)
    share = 100 * wrong / max(letters, 1)
    console.print(f"{len(notes)} notes, {pages} pages; {share:.1f} % letters misread")


if __name__ == "__main__":
    main()
