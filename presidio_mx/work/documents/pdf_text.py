"""The text layer of a PDF document."""

import io
import logging
import re
from collections import Counter
from typing import Any

from pypdf import PageObject, PdfReader
from pypdf.errors import PyPdfError

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding
from presidio_mx.text.reading.mend import mend
from presidio_mx.work.documents.opened import Dropped
from presidio_mx.work.documents.prose import Prose

# It logs what it does not understand, with bytes of the file.
logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)
# A page with a picture and fewer letters than these is a scan with a stamp on it.
_LEAST_LETTERS = 40
# Signs without a letter behind them: the font does not say what its shapes mean.
_UNREADABLE = re.compile(
    "[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1b]|\\(cid:\\d+\\)|/g\\d+"
)
_MOST_UNREADABLE = 0.02
_BETWEEN_PAGES = "\n\n"


def open_pdf(data: bytes, name: str, encoding: Encoding | None = None) -> Prose:
    """Read the text layer of a PDF document.

    Form fields, annotations and pictures are no part of it and are left out.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Not needed: the fonts tell it.
    :raises InputError: If it is broken or locked, or has pages whose text cannot be
        read; the pages are named.
    """
    reader = _reader(data, name)
    texts: list[str] = []
    scanned: list[int] = []
    unreadable: list[int] = []
    dropped = Counter({Dropped.PROPERTIES: 0})
    for number, page in enumerate(reader.pages, start=1):
        text, pictures, notes = _page(page, name, number)
        letters = sum(map(str.isalnum, text))
        if pictures and letters < _LEAST_LETTERS:
            scanned.append(number)
        elif len(_UNREADABLE.findall(text)) > _MOST_UNREADABLE * max(1, len(text)):
            unreadable.append(number)
        texts.append(text)
        dropped += Counter({Dropped.PICTURES: pictures, Dropped.FORMS: notes})
    _refuse(scanned, name, "scanned: there is no text in it")
    _refuse(unreadable, name, "unreadable: its fonts do not say what they show")
    dropped[Dropped.PROPERTIES] = 0
    whole = _BETWEEN_PAGES.join(text.strip("\n") for text in texts).strip() + "\n"
    if not whole.strip():
        raise InputError(f"{name}: holds no text; recognise it first (OCR)")
    return Prose(mend(whole, name).text, dropped)


def _reader(data: bytes, name: str) -> PdfReader:
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError(
                f"{name}: is locked by a password; save it without one first"
            )
        len(reader.pages)
    except InputError:
        raise
    except (PyPdfError, OSError, ValueError, KeyError, RecursionError, ImportError):
        raise _broken(name) from None
    return reader


def _page(page: PageObject, name: str, number: int) -> tuple[str, int, int]:
    """Return the text of a page, and how many pictures and annotations it has."""
    try:
        text = page.extract_text()
        return text, _pictures(page), len(page.get("/Annots") or ())
    except Exception:
        # pypdf lets any error of a broken page through.
        raise _broken(f"{name}, page {number}") from None


def _pictures(page: PageObject) -> int:
    """Return how many pictures a page has, those in its forms included."""

    def count(resources: Any, depth: int = 0) -> int:
        found = 0
        objects = resources.get_object().get("/XObject") if resources else None
        for item in objects.get_object().values() if objects else ():
            item = item.get_object()
            if item.get("/Subtype") == "/Image":
                found += 1
            elif item.get("/Subtype") == "/Form" and depth < 5:
                found += count(item.get("/Resources"), depth + 1)
        return found

    return count(page.get("/Resources"))


def _broken(name: str) -> InputError:
    return InputError(f"{name}: cannot be read as PDF; print it to a new PDF file")


def _refuse(pages: list[int], name: str, why: str) -> None:
    if pages:
        numbers = ", ".join(map(str, pages))
        raise InputError(
            f"{name}: page {numbers} is {why}; recognise it first (OCR), e.g. with "
            "ocrmypdf"
        )
