"""Pictures of pages: their words are recognised by Tesseract, with their places.

Tesseract is given the picture and gives its words over pipes, so that no page lies in
a temporary file.
"""

import csv
import io
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, ImageSequence, UnidentifiedImageError

from presidio_mx.errors import ConfigurationError, InputError, MissingExtraError
from presidio_mx.text.reading.encoding import Encoding
from presidio_mx.work.documents.opened import Dropped, LeftOut
from presidio_mx.work.documents.pages import Box, Page, Pages
from presidio_mx.work.documents.read import Progress

_PROGRAM = "tesseract"
_LANGUAGE = "spa"
_ENOUGH_DPI = 250
_GOAL_DPI = 300
_MOST_PIXELS = 120_000_000
_LONGEST = 600
# A page turned over gives few words that are any.
_POOR = 55.0
_FEW_WORDS = 4
_SKEWS = np.arange(-4.0, 4.01, 0.25)
_LEAST_SKEW = 0.2
_WIDTH_FOR_SKEW = 700
# A dot differs by so much from all around it; a page with more of them is sprinkled.
_DOT = 60
_SPRINKLED = 0.0002
_CORNER = 1 << 11

Grey = NDArray[np.int16]


@dataclass(frozen=True, repr=False)
class Word:
    """A word on a page.

    :param text: Its letters.
    :param box: Its place.
    :param trust: How sure its letters are, up to 100.
    :param line: Block, paragraph and line that it stands in.
    """

    text: str
    box: Box
    trust: float
    line: tuple[int, int, int]


def open_scan(
    data: bytes,
    name: str,
    encoding: Encoding | None = None,
    *,
    out_kind: str = "text",
    progress: Progress | None = None,
) -> Pages:
    """Read a picture of a page, or of several.

    :param data: The file: PNG, JPEG or TIFF.
    :param name: What to call it in errors.
    :param encoding: Not needed.
    :param out_kind: ``text``, ``pdf`` or ``image``.
    :param progress: Called with each page that is done and the number of all.
    :raises InputError: If it is no picture, or no word is found on it.
    :raises ConfigurationError: If it has several pages and shall become one picture.
    :raises MissingExtraError: If Tesseract or its Spanish is not installed.
    """
    check_program()
    frames = _frames(data, name)
    if out_kind == "image" and len(frames) > 1:
        raise ConfigurationError(f"{name}: has several pages; use --out-kind pdf")
    left_out = LeftOut()
    left_out.add(Dropped.PROPERTIES, count=0)
    pages = []
    for number, (frame, dpi) in enumerate(frames, start=1):
        pages.append(page_of(frame, dpi))
        if progress is not None:
            progress(number, len(frames))
    if not any(any(map(str.isalnum, page.text)) for page in pages):
        raise InputError(
            f"{name}: no word can be recognised on it; scan it at 300 dpi, upright"
        )
    return Pages(pages, "", out_kind, left_out)


def check_program() -> None:
    """Refuse to go on without Tesseract and its Spanish.

    :raises MissingExtraError: Naming what to install.
    """
    if shutil.which(_PROGRAM) is not None:
        done = subprocess.run(
            [_PROGRAM, "--list-langs"], capture_output=True, text=True, check=False
        )
        if _LANGUAGE in done.stdout.split():
            return
    raise MissingExtraError(
        "recognising scans (and Tesseract: apt-get install tesseract-ocr "
        "tesseract-ocr-spa)",
        "ocr",
    )


def _frames(data: bytes, name: str) -> list[tuple[Any, float]]:
    """Return the pages of a picture, upright, with their pixels an inch."""
    try:
        picture = Image.open(io.BytesIO(data))
        if picture.width * picture.height > _MOST_PIXELS:
            raise InputError(f"{name}: is too large a picture; scan it at 300 dpi")
        dpi = float(picture.info.get("dpi", (0, 0))[0] or 0)
        return [
            (ImageOps.exif_transpose(frame).convert("L"), dpi)
            for frame in ImageSequence.Iterator(picture)
        ]
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError):
        raise InputError(f"{name}: cannot be read as a picture; save it anew") from None
    except Image.DecompressionBombError:
        raise InputError(
            f"{name}: is too large a picture; scan it at 300 dpi"
        ) from None


def page_of(picture: Any, dpi: float = 0.0) -> Page:
    """Return a page with its words.

    :param picture: Its picture, a Pillow image.
    :param dpi: Pixels an inch, if they are known.
    """
    clean = _despeckled(picture.convert("L"))
    straight = straightened(clean)
    words = words_of(straight)
    if _poor(words):
        for turn in (180, 90, 270):
            turned = straightened(clean.rotate(turn, expand=True, fillcolor=255))
            others = words_of(turned)
            if _goodness(others) > _goodness(words):
                straight, words = turned, others
            if not _poor(words):
                break
    if not 60 <= dpi <= 1200:
        dpi = straight.width / (8.5 if straight.width < straight.height else 11)
    text, boxes = laid_out(words)
    return Page(text, boxes, lambda: straight, dpi)


def straightened(picture: Any) -> Any:
    """Return a page whose lines are level.

    :param picture: Its picture, grey.
    """
    angle = _skew(picture)
    if abs(angle) < _LEAST_SKEW:
        return picture
    return picture.rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor=255)


def _skew(picture: Any) -> float:
    """Return by which angle a page must be turned: that with the clearest lines."""
    small = picture.copy()
    small.thumbnail((_WIDTH_FOR_SKEW, _WIDTH_FOR_SKEW * 2))
    ink = ImageOps.autocontrast(small).point(lambda level: 255 if level < 140 else 0)
    best, angle = -1.0, 0.0
    for candidate in _SKEWS:
        rows = np.asarray(ink.rotate(candidate, fillcolor=0), dtype=np.float64)
        profile = rows.sum(axis=1)
        clear = float(((profile[1:] - profile[:-1]) ** 2).sum())
        if clear > best:
            best, angle = clear, float(candidate)
    return angle


def words_of(picture: Any) -> list[Word]:
    """Return the words on a page.

    :param picture: Its picture, grey and level.
    :raises InputError: If Tesseract fails.
    """
    scale = _scale(picture)
    clean = picture
    if scale != 1.0:
        size = round(picture.width * scale), round(picture.height * scale)
        clean = picture.resize(size, Image.Resampling.LANCZOS)
    saved = io.BytesIO()
    ImageOps.autocontrast(clean, cutoff=1).save(saved, "PNG", compress_level=1)
    command = [_PROGRAM, "stdin", "stdout", "-l", _LANGUAGE, "--dpi", str(_GOAL_DPI)]
    command += ["--psm", "3", "-c", "preserve_interword_spaces=1", "tsv"]
    try:
        done = subprocess.run(
            command,
            input=saved.getvalue(),
            capture_output=True,
            timeout=_LONGEST,
            check=True,
            # Its threads wait for one another longer than they work.
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )
    except (subprocess.SubprocessError, OSError):
        raise InputError("a page cannot be recognised: Tesseract failed") from None
    return list(_words_in(done.stdout.decode("utf-8", "replace"), scale))


def _scale(picture: Any) -> float:
    """Return by how much a page is made larger: Tesseract wants 300 pixels an inch."""
    longer = max(picture.size)
    return 1.0 if longer > _ENOUGH_DPI * 11 else _GOAL_DPI * 11 / longer


def _despeckled(picture: Any) -> Any:
    """Return a page without dots of a pixel, if it is sprinkled with them.

    Only the dots are changed: a filter over the whole page would blur thin letters.
    """
    grey = np.asarray(picture, dtype=np.int16)
    corner = _dots(grey[:_CORNER, :_CORNER])
    if corner.sum() <= _SPRINKLED * corner.size:
        return picture
    clean, dots = grey.copy(), _dots(grey)
    around = [side[dots] for side in _sides(grey)]
    clean[1:-1, 1:-1][dots] = np.median(around, axis=0)
    return Image.fromarray(clean.astype(np.uint8))


def _dots(grey: Grey) -> NDArray[np.bool_]:
    """Tell which pixels, but for the outermost, are darker or lighter than all around.

    Between the two are the soft edges of letters.
    """
    sides = _sides(grey)
    darkest, lightest = (pick.reduce(sides) for pick in (np.minimum, np.maximum))
    inner = grey[1:-1, 1:-1]
    dots: NDArray[np.bool_] = (inner + _DOT < darkest) | (inner - _DOT > lightest)
    return dots


def _sides(grey: Grey) -> list[Grey]:
    """Return the eight neighbours of each pixel, but for the outermost."""
    high, wide = grey.shape
    return [
        grey[top : high - 2 + top, left : wide - 2 + left]
        for top in range(3)
        for left in range(3)
        if (top, left) != (1, 1)
    ]


def _words_in(table: str, scale: float) -> Iterator[Word]:
    rows = csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE)
    for row in rows:
        text = (row.get("text") or "").strip()
        if not text or row["level"] != "5":
            continue
        left, top, width, height = (
            int(row[key]) / scale for key in ("left", "top", "width", "height")
        )
        yield Word(
            text,
            Box(left, top, left + width, top + height),
            float(row["conf"]),
            (int(row["block_num"]), int(row["par_num"]), int(row["line_num"])),
        )


def _goodness(words: list[Word]) -> float:
    return sum(word.trust for word in words if len(word.text) > 2)


def _poor(words: list[Word]) -> bool:
    long = [word.trust for word in words if len(word.text) > 2]
    return len(long) < _FEW_WORDS or sum(long) / len(long) < _POOR


def laid_out(words: list[Word]) -> tuple[str, list[Box | None]]:
    """Return the text of words and the place of each character.

    :param words: In reading order.
    """
    text: list[str] = []
    boxes: list[Box | None] = []
    last: tuple[int, int, int] | None = None
    for word in words:
        gap = ""
        if last is not None:
            # Paragraphs are told by indents, in which Tesseract errs; blocks are sure.
            line = "\n" if word.line[0] == last[0] else "\n\n"
            gap = " " if word.line == last else line
        text += gap
        boxes += [None] * len(gap)
        text += word.text
        boxes += [word.box] * len(word.text)
        last = word.line
    return "".join(text), boxes
