"""PDF documents: the text layer, what hangs on it, and pages that are scanned."""

import io
import logging
import re
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import pypdfium2 as pdfium
from pypdf import PdfReader
from pypdf.errors import PyPdfError
from pypdfium2 import raw

from presidio_mx.errors import InputError, MissingExtraError
from presidio_mx.extras import need
from presidio_mx.text.reading.encoding import Encoding
from presidio_mx.text.reading.mend import mend
from presidio_mx.work.documents.opened import Dropped, LeftOut
from presidio_mx.work.documents.pages import Box, Page, Pages
from presidio_mx.work.documents.pdf_letters import Edges, letters_of
from presidio_mx.work.documents.read import Progress

# It logs what it does not understand, with bytes of the file.
logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)
# A page with a picture and fewer letters than these is a scan with a stamp on it.
_LEAST_LETTERS = 40
# Signs without a letter behind them: the font does not say what its shapes mean.
_UNREADABLE = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1b]|\\(cid:\\d+\\)")
_MOST_UNREADABLE = 0.02
_DPI = 200
_POINTS = 72
_DEEPEST = 40
# A picture over so much of a page may be a scan beside text.
_LARGE_PICTURE = 0.15
# Annotations whose text is a text of the page.
_MARKS = frozenset({"/Link", "/Widget", "/Popup", "/Highlight", "/Underline"})


def open_pdf(
    data: bytes,
    name: str,
    encoding: Encoding | None = None,
    *,
    out_kind: str = "text",
    progress: Progress | None = None,
) -> Pages:
    """Read a PDF document: its text layer, forms, annotations, outline, attachments.

    Pages that are scanned, or whose fonts do not say which letters they show, are
    recognised where the extra ``ocr`` is installed; and so is each page that shall be
    painted over, for what its pictures show.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Not needed: the fonts tell it.
    :param out_kind: ``text`` or ``pdf``.
    :param progress: Called with each page that is done and the number of all.
    :raises InputError: If it is broken or locked, or has pages whose text cannot be
        read; the pages are named.
    :raises MissingExtraError: If pages shall be painted over without that extra.
    """
    left_out = LeftOut()
    left_out.add(Dropped.PROPERTIES, count=0)
    recognise = _recogniser(out_kind == "pdf")
    document = _document(data, name)
    pages: list[Page] = []
    refused: dict[str, list[int]] = {}
    try:
        for number in range(1, len(document) + 1):
            sheet, problem = _page(document, number - 1, name)
            pictures, share = _pictures(document, number - 1)
            if problem and recognise is None:
                refused.setdefault(problem, []).append(number)
            elif recognise is not None and (
                problem or out_kind == "pdf" or share > _LARGE_PICTURE
            ):
                sheet = _with_scan(sheet, problem, recognise)
            elif pictures:
                left_out.add(Dropped.PICTURES, count=pictures)
            pages.append(sheet)
            if progress is not None:
                progress(number, len(document))
    finally:
        document.close()
    for problem, numbers in refused.items():
        listed = ", ".join(map(str, numbers))
        raise InputError(
            f"{name}: page {listed} is {problem}; install presidio-mx[ocr] and "
            "Tesseract, or recognise it first, e.g. with ocrmypdf"
        )
    more = "\n".join(_more(data, name, left_out))
    if not more.strip() and not any(page.text.strip() for page in pages):
        raise InputError(f"{name}: holds no text; recognise it first (OCR)")
    pages = [_mended(page, name) for page in pages]
    return Pages(pages, mend(more, name).text, out_kind, left_out)


def _recogniser(needed: bool) -> Callable[[Any, float], Page] | None:
    """Return what recognises a page, where it is installed."""
    if needed:
        need("PIL", "painting over pages", "ocr")
    if find_spec("PIL") is None:
        return None
    from presidio_mx.work.documents.scan_file import check_program, page_of

    try:
        check_program()
    except MissingExtraError:
        if needed:
            raise
        return None
    return page_of


def _document(data: bytes, name: str) -> Any:
    try:
        document = pdfium.PdfDocument(data)
        if len(document) == 0:
            raise InputError(f"{name}: has no pages; print it to a new PDF file")
        return document
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", 0) == raw.FPDF_ERR_PASSWORD:
            raise InputError(
                f"{name}: is locked by a password; save it without one first"
            ) from None
        raise InputError(
            f"{name}: cannot be read as PDF (it is cut off or damaged); print it to a "
            "new PDF file"
        ) from None


def _page(document: Any, index: int, name: str) -> tuple[Page, str]:
    """Return a page, and what is wrong with its text layer."""
    try:
        sheet = document[index]
        turn = sheet.get_rotation()
        sheet.set_rotation(0)  # lines are told apart upright alone
        size = sheet.get_size()
        letters = sheet.get_textpage()
    except pdfium.PdfiumError:
        raise InputError(
            f"{name}, page {index + 1}: cannot be read as PDF (it is cut off or "
            "damaged); print it to a new PDF file"
        ) from None
    text: list[str] = []
    boxes: list[Box | None] = []
    scale = _DPI / _POINTS
    for letter, place in letters_of(letters, size[1]):
        text.append(letter)
        edges = place and _turned(place, turn, *size)
        boxes.append(edges and Box(*(edge * scale for edge in edges)))
    whole = "".join(text)
    numbers = sum(map(str.isalnum, whole))
    problem = ""
    if numbers < _LEAST_LETTERS and _pictures(document, index)[0]:
        problem = "scanned: there is no text in it"
    elif len(_UNREADABLE.findall(whole)) > _MOST_UNREADABLE * max(1, len(whole)):
        problem = "unreadable: its fonts do not say what they show"

    def picture() -> Any:
        with pdfium.PdfDocument(document_data) as again:
            return again[index].render(scale=scale, draw_annots=False).to_pil()

    document_data = document._input
    return Page(whole, boxes, picture, _DPI), problem


def _turned(place: Edges, turn: int, width: float, height: float) -> Edges:
    """Return a place on a page as it is shown, turned clockwise."""
    left, top, right, bottom = place
    if turn == 90:
        return height - bottom, left, height - top, right
    if turn == 180:
        return width - right, height - bottom, width - left, height - top
    if turn == 270:
        return top, width - right, bottom, width - left
    return place


def _pictures(document: Any, index: int) -> tuple[int, float]:
    """Return how many pictures a page has, and how much of it they cover."""
    sheet = document[index]
    width, height = sheet.get_size()
    number, covered = 0, 0.0
    for shown in sheet.get_objects(filter=(raw.FPDF_PAGEOBJ_IMAGE,), max_depth=6):
        number += 1
        left, bottom, right, top = shown.get_bounds()
        covered += max(right - left, 0) * max(top - bottom, 0)
    return number, covered / max(width * height, 1.0)


def _with_scan(
    sheet: Page, problem: str, recognise: Callable[[Any, float], Page]
) -> Page:
    """Return a page with what is recognised on its picture.

    Words that stand where the text layer has none are added. Where the layer does not
    say what is seen, the picture alone counts.
    """
    scanned = recognise(sheet.picture(), sheet.dpi)
    if problem or not _alike(sheet.text, scanned.text):
        return scanned
    places = [box for box in sheet.boxes if box is not None]
    text, boxes = [sheet.text], list(sheet.boxes)
    for word, own in _words(scanned):
        middle = (own.left + own.right) / 2, (own.top + own.bottom) / 2
        if not any(box.holds(*middle) for box in places):
            gap = "\n" if len(text) == 1 else " "
            text += (gap, word)
            boxes += [None, *[own] * len(word)]
    return Page("".join(text), boxes, sheet.picture, sheet.dpi)


def _words(page: Page) -> Iterator[tuple[str, Box]]:
    for match in re.finditer(r"\S+", page.text):
        box = page.boxes[match.start()]
        if box is not None:
            yield match[0], box


def _alike(layer: str, seen: str) -> bool:
    """Tell whether a text layer says what is seen on the page."""
    words = [word for word in re.findall(r"[^\W\d_]{4,}", seen.lower())]
    if len(words) < 8:
        return True
    known = set(re.findall(r"[^\W\d_]{4,}", layer.lower()))
    return sum(word in known for word in words) * 4 >= len(words)


def _mended(page: Page, name: str) -> Page:
    """Return a page with broken letters mended, where it keeps its length."""
    text = mend(page.text, name).text
    if len(text) != len(page.text):
        # Places are lost with letters: a page that is painted stays as it is.
        return (
            page
            if page.boxes and text.split() == page.text.split()
            else Page(text, _stretched(page, text), page.picture, page.dpi)
        )
    return Page(text, page.boxes, page.picture, page.dpi)


def _stretched(page: Page, text: str) -> list[Box | None]:
    """Return places for a text that was mended: those of the words in their order."""
    old = [page.boxes[match.start()] for match in re.finditer(r"\S+", page.text)]
    boxes: list[Box | None] = [None] * len(text)
    for match, box in zip(re.finditer(r"\S+", text), old, strict=False):
        boxes[match.start() : match.end()] = [box] * len(match[0])
    return boxes


def _more(data: bytes, name: str, left_out: LeftOut) -> Iterator[str]:
    """Yield texts that stand on no page: fields, annotations, outline, attachments."""
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted:
            reader.decrypt("")
        root = reader.trailer["/Root"].get_object()
        form = _of(root, "/AcroForm")
        yield from _fields(_of(form, "/Fields"), "", 0)
        if _of(form, "/XFA") is not None:
            left_out.add(Dropped.UNREAD, "XFA form")
        for page in reader.pages:
            yield from _annotations(page, left_out)
        yield from _outline(_of(_of(root, "/Outlines"), "/First"), 0)
        names = _of(root, "/Names")
        if _of(names, "/JavaScript") is not None:
            left_out.add(Dropped.SCRIPTS, "JavaScript")
        for title, content in _embedded(_of(names, "/EmbeddedFiles"), 0):
            yield from _attachment(title, content, name, left_out)
    except InputError:
        raise
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, OSError):
        left_out.add(Dropped.UNREAD, "annotations, forms and attachments")
    except RecursionError:
        left_out.add(Dropped.UNREAD, "annotations, forms and attachments")


def _of(holder: Any, key: str) -> Any:
    """Return the value of a key, whatever stands between; None without one."""
    holder = holder.get_object() if hasattr(holder, "get_object") else holder
    if not hasattr(holder, "get"):
        return None
    value = holder.get(key)
    return value.get_object() if hasattr(value, "get_object") else value


def _said(holder: Any, *keys: str) -> str:
    values = (_of(holder, key) for key in keys)
    return next((str(value) for value in values if isinstance(value, str)), "")


def _fields(fields: Any, above: str, depth: int) -> Iterator[str]:
    """Yield the fields of a form that are filled, those without a place as well."""
    for field in fields or () if depth < _DEEPEST else ():
        title = ".".join(filter(None, (above, _said(field, "/T"))))
        value = _of(field, "/V")
        listed = value if isinstance(value, list) else [value]
        texts = [str(v).lstrip("/") for v in listed if isinstance(v, str)]
        if isinstance(value, dict) and hasattr(value, "get_data"):
            texts.append(value.get_data().decode("utf-8", "replace"))
        if any(text.strip() for text in texts):
            label = _said(field, "/TU") or title
            yield f"{label}: {', '.join(texts)}"
        yield from _fields(_of(field, "/Kids"), title, depth + 1)


def _annotations(page: Any, left_out: LeftOut) -> Iterator[str]:
    for note in _of(page, "/Annots") or ():
        kind = _said(note, "/Subtype")
        text = _said(note, "/Contents") or re.sub(r"<[^>]*>", " ", _said(note, "/RC"))
        if text.strip():
            yield text
        if kind == "/Link" and _of(_of(note, "/A"), "/URI") is not None:
            left_out.add(Dropped.LINKS)
        elif kind == "/FileAttachment":
            left_out.add(Dropped.ATTACHMENTS, "annotation")
        elif kind not in _MARKS and not text.strip():
            left_out.add(Dropped.PICTURES, "annotation")


def _outline(item: Any, depth: int) -> Iterator[str]:
    """Yield the titles of an outline."""
    seen = 0
    while item is not None and depth < _DEEPEST and seen < 10_000:
        seen += 1
        if title := _said(item, "/Title").strip():
            yield title
        yield from _outline(_of(item, "/First"), depth + 1)
        item = _of(item, "/Next")


def _embedded(tree: Any, depth: int) -> Iterator[tuple[str, bytes]]:
    """Yield names and bytes of the files inside."""
    if tree is None or depth > _DEEPEST:
        return
    entries = list(_of(tree, "/Names") or ())
    for title, holder in zip(entries[::2], entries[1::2], strict=False):
        streams = _of(holder, "/EF")
        stream = _of(streams, "/UF") or _of(streams, "/F")
        if stream is not None:
            yield _said(holder, "/UF", "/F") or str(title), stream.get_data()
    for kid in _of(tree, "/Kids") or ():
        yield from _embedded(kid, depth + 1)


def _attachment(
    title: str, content: bytes, name: str, left_out: LeftOut
) -> Iterator[str]:
    from presidio_mx.work.documents.read import open_data

    suffix = title[title.rfind(".") :].lower() if "." in title else ".txt"
    try:
        opened = open_data(content, suffix, name)
    except (InputError, MissingExtraError):
        left_out.add(Dropped.ATTACHMENTS, "attachment")
        return
    left_out.with_all(opened.left_out)
    yield "\n\n".join(["Adjunto:", *(part.text for part in opened.parts)])
