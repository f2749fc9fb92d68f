"""Pages whose words have places: painted over, written anew with what is left."""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from presidio_mx.work.documents.opened import (
    Change,
    LeftOut,
    Part,
    changed,
    inside,
)

_BETWEEN_PAGES = "\n\n"
# A word is painted over with this part of its height around it.
_MARGIN = 0.18
_LEAST_MARGIN = 2.0
_JPEG_QUALITY = 80
_POINTS = 72.0
_INVISIBLE = 3
_SIZE_OF_TEXT = 9.0
_LINES_ON_PAGE = 62
_LETTERS_ON_LINE = 95
_EDGE = 50.0


class Box(NamedTuple):
    """A place on the picture of a page, in its pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, x: float, y: float) -> bool:
        """Tell whether a point is inside."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom


@dataclass(frozen=True, repr=False)
class Page:
    """A page.

    :param text: Its text.
    :param boxes: Place of each character; None where it has none.
    :param picture: Makes its picture, a Pillow image, when it is needed.
    :param dpi: Pixels of the picture an inch.
    """

    text: str
    boxes: Sequence[Box | None]
    picture: Callable[[], Any]
    dpi: float


@dataclass(repr=False)
class Pages:
    """A file of pages, with texts that stand on none of them behind.

    :param pages: The pages.
    :param more: Texts of annotations, forms and the like.
    :param out_kind: ``text``, ``pdf`` or ``image``.
    :param left_out: What the new file lacks.
    """

    pages: Sequence[Page]
    more: str
    out_kind: str
    left_out: LeftOut = field(default_factory=LeftOut)

    @property
    def suffix(self) -> str:
        """Return the ending of the new file."""
        return {"pdf": ".pdf", "image": ".png"}.get(self.out_kind, ".txt")

    @property
    def _texts(self) -> list[str]:
        return [page.text for page in self.pages] + ([self.more] if self.more else [])

    @property
    def parts(self) -> Sequence[Part]:
        """Return the text of all pages as one: a sentence may go on overleaf."""
        return (Part(_BETWEEN_PAGES.join(self._texts) + "\n"),)

    def place(self, part: int, offset: int) -> str:
        """Return the page.

        :param part: The one there is.
        :param offset: Where in it.
        """
        at = 0
        for number, page in enumerate(self.pages, start=1):
            at += len(page.text) + len(_BETWEEN_PAGES)
            if offset < at:
                return f"page {number}"
        return "annotations"

    def written(self, changes: Sequence[Sequence[Change]]) -> bytes:
        """Return the new file.

        :param changes: For the one part what is replaced in it.
        """
        if self.out_kind == "text":
            new = changed(self.parts[0].text, changes[0])
            return new.encode("utf-8", "surrogatepass")
        own = list(self._of_each(changes[0]))
        if self.out_kind == "image":
            saved = io.BytesIO()
            _painted(self.pages[0], own[0]).save(saved, "PNG")
            return saved.getvalue()
        more = changed(self.more, own[-1]) if self.more else ""
        return _pdf_of(zip(self.pages, own, strict=False), more)

    def _of_each(self, changes: Sequence[Change]) -> Iterator[list[Change]]:
        at = 0
        for text in self._texts:
            yield list(inside(changes, at, at + len(text)))
            at += len(text) + len(_BETWEEN_PAGES)


def _painted(page: Page, changes: Sequence[Change]) -> Any:
    """Return the picture of a page with all that is replaced painted over."""
    from PIL import Image, ImageDraw

    picture = page.picture().convert("RGB")
    # A new picture: nothing of the old one's metadata goes with it.
    new = Image.frombytes("RGB", picture.size, picture.tobytes())
    draw = ImageDraw.Draw(new)
    for box in _boxes_of(page, changes):
        margin = max(_LEAST_MARGIN, _MARGIN * (box.bottom - box.top))
        draw.rectangle(
            (
                box.left - margin,
                box.top - margin,
                box.right + margin,
                box.bottom + margin,
            ),
            fill="black",
        )
    return new


def _boxes_of(page: Page, changes: Sequence[Change]) -> Iterator[Box]:
    """Yield what is painted over: whole words, so that no letter shows beside."""
    for start, end, _ in changes:
        while start > 0 and page.text[start - 1].isalnum():
            start -= 1
        while end < len(page.text) and page.text[end].isalnum():
            end += 1
        line: list[Box] = []
        for box in page.boxes[start:end]:
            if box is None:
                continue
            if line and not _on_a_line(line[-1], box):
                yield _around(line)
                line = []
            line.append(box)
        if line:
            yield _around(line)


def _on_a_line(first: Box, second: Box) -> bool:
    middle = (second.top + second.bottom) / 2
    return first.top <= middle <= first.bottom and second.left >= first.left - 1


def _around(boxes: Sequence[Box]) -> Box:
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def _pdf_of(pages: Any, more: str) -> bytes:
    """Return a new PDF: pictures, and under them the text that is left."""
    import pypdfium2 as pdfium
    from pypdfium2 import raw

    pdf = pdfium.PdfDocument.new()
    font = raw.FPDFText_LoadStandardFont(pdf, b"Helvetica")
    for page, changes in pages:
        picture = _painted(page, changes)
        scale = _POINTS / page.dpi
        width, height = picture.width * scale, picture.height * scale
        sheet = pdf.new_page(width, height)
        for box, text in _lines(page, changes):
            size = max(4.0, (box.bottom - box.top) * scale * 0.8)
            at = box.left * scale, height - box.bottom * scale
            _write(pdf, sheet, font, text, size, at, _INVISIBLE)
        jpeg = io.BytesIO()
        picture.save(jpeg, "JPEG", quality=_JPEG_QUALITY)
        jpeg.seek(0)
        shown = pdfium.PdfImage.new(pdf)
        shown.load_jpeg(jpeg, inline=True)
        shown.set_matrix(pdfium.PdfMatrix().scale(width, height))
        sheet.insert_obj(shown)
        sheet.gen_content()
    lines = [piece for line in more.splitlines() for piece in _folded(line)]
    for first in range(0, len(lines), _LINES_ON_PAGE):
        sheet = pdf.new_page(595, 842)
        for number, line in enumerate(lines[first : first + _LINES_ON_PAGE]):
            at = _EDGE, 842 - _EDGE - number * 12
            _write(pdf, sheet, font, line, _SIZE_OF_TEXT, at, 0)
        sheet.gen_content()
    saved = io.BytesIO()
    pdf.save(saved)
    return saved.getvalue()


def _folded(line: str) -> Iterator[str]:
    for first in range(0, max(len(line), 1), _LETTERS_ON_LINE):
        yield line[first : first + _LETTERS_ON_LINE]


def _lines(page: Page, changes: Sequence[Change]) -> Iterator[tuple[Box, str]]:
    """Yield the new lines of a page with their places."""
    at = 0
    for line in page.text.split("\n"):
        boxes = [box for box in page.boxes[at : at + len(line)] if box is not None]
        new = changed(line, inside(changes, at, at + len(line))).strip()
        at += len(line) + 1
        if boxes and new:
            yield _around(boxes), new


def _write(
    pdf: Any,
    sheet: Any,
    font: Any,
    text: str,
    size: float,
    at: tuple[float, float],
    mode: int,
) -> None:
    """Write a line of text onto a page; letters that the font lacks become ``?``."""
    from ctypes import c_ushort

    from pypdfium2 import raw

    line = text.encode("cp1252", "replace").decode("cp1252")
    letters = [*map(ord, line), 0]
    item = raw.FPDFPageObj_CreateTextObj(pdf, font, size)
    raw.FPDFText_SetText(item, (c_ushort * len(letters))(*letters))
    raw.FPDFTextObj_SetTextRenderMode(item, mode)
    raw.FPDFPageObj_Transform(item, 1, 0, 0, 1, *at)
    raw.FPDFPage_InsertObject(sheet, item)
