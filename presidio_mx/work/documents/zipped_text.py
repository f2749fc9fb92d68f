"""The text of presentations (.pptx) and of OpenDocument texts (.odt).

Every text of every part is read, wherever it stands; what is none of the text is
counted.
"""

import re
from collections.abc import Iterator
from typing import Any
from zipfile import ZipFile

from lxml import etree

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding
from presidio_mx.text.reading.kinds import refuse_other_kinds
from presidio_mx.text.reading.mend import mend
from presidio_mx.work.documents.opened import (
    DAMAGED,
    ZIP,
    Dropped,
    LeftOut,
    unzipped,
)
from presidio_mx.work.documents.prose import Prose

# Parts with texts, in reading order: slides with what hangs on them, content, margins.
_SLIDE = re.compile(
    r"ppt/(?:slides|notesSlides|comments|charts|diagrams|embeddings)/"
    r"(?P<kind>slide|notesSlide|\w*[cC]omment|chart|data|drawing)(?P<number>\d*)\w*\.xml"
)
_ORDER = ("slide", "notesSlide", "comment", "modernComment", "chart", "data", "drawing")
_SILENT = re.compile(
    r"META-INF/.*|mimetype|\[Content_Types\]\.xml|.*\.rels|docProps/.*|meta\.xml"
    r"|settings\.xml|manifest\.rdf|Configurations2/.*|Thumbnails/.*|layout-cache"
    r"|ppt/(?:theme|slideLayouts|slideMasters|presProps|viewProps|tableStyles"
    r"|notesMasters|handoutMasters|presentation|tags|commentAuthors|authors)[/.].*"
)
_PICTURES = re.compile(r"(?i).*\.(?:png|jpe?g|gif|emf|wmf|svg|tiff?|bmp|svm|wdp)")
_PARAGRAPHS = frozenset(("p", "h", "text", "pt", "title", "desc"))
_CELLS = frozenset(("tc", "table-cell"))
_ROWS = frozenset(("tr", "table-row"))
_SIGNS = {"tab": "\t", "br": "\n", "line-break": "\n"}
# Elements whose texts nobody sees on the page.
_GONE = {
    "tracked-changes": Dropped.CHANGES,
    "binary-data": Dropped.PICTURES,
    "script": Dropped.SCRIPTS,
    "styleId": Dropped.NAMES,
    "tableStyleId": Dropped.NAMES,
}
_SHOWN = ("descr", "title", "string-value", "display-name", "label")


def open_zipped(data: bytes, name: str, encoding: Encoding | None = None) -> Prose:
    """Read a presentation or an OpenDocument text.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Not needed: it is UTF-8.
    :raises InputError: If it is no such file, is locked, or holds no text.
    """
    if not data.startswith(ZIP):
        refuse_other_kinds(data, name)
        raise InputError(f"{name}: is no such document; save it anew, or as .docx")
    left_out = LeftOut()
    left_out.add(Dropped.PROPERTIES, count=0)
    try:
        with unzipped(data, name) as archive:
            texts = list(_texts(archive, left_out))
    except InputError:
        raise
    except DAMAGED:
        raise InputError(
            f"{name}: cannot be read (damaged, or locked by a password); open it and "
            "save it anew"
        ) from None
    whole = re.sub(r"\n{3,}", "\n\n", "\n\n".join(texts)).strip() + "\n"
    if not whole.strip():
        raise InputError(f"{name}: holds no text")
    return Prose(mend(whole, name).text, left_out)


def _texts(archive: ZipFile, left_out: LeftOut) -> Iterator[str]:
    names = archive.namelist()
    for name in sorted(names, key=_place):
        if _PICTURES.fullmatch(name):
            left_out.add(Dropped.PICTURES)
        elif name.endswith("/") or _SILENT.fullmatch(name):
            continue
        elif name.endswith(".xml"):
            parser = etree.XMLParser(resolve_entities=False, no_network=True)
            root = etree.fromstring(archive.read(name), parser)
            if name == "styles.xml":
                # Headers and footers of OpenDocument; the rest are looks.
                for page in root.iter("{*}master-page"):
                    yield from _read(page, left_out)
            elif _SLIDE.fullmatch(name) or "/" not in name or "/content" in name:
                yield from _read(root, left_out)
            else:
                text = " ".join(root.itertext())
                if any(map(str.isalnum, text)):
                    left_out.add(Dropped.OBJECTS, "part", text)
        else:
            left_out.add(Dropped.OBJECTS)


def _place(name: str) -> tuple[int, int, str]:
    """Return where a part stands among the others."""
    match = _SLIDE.fullmatch(name)
    if match is None:
        return len(_ORDER), 0, name
    kind = match["kind"]
    order = _ORDER.index(kind) if kind in _ORDER else len(_ORDER)
    # The notes of a slide follow all slides: their numbers are not the slides'.
    return order, int(match["number"] or 0), name


def _read(root: Any, left_out: LeftOut) -> Iterator[str]:
    """Yield the text of a part, a paragraph a line, a row of a table a line."""
    pieces: list[str] = []
    _gather(root, pieces, left_out)
    text = re.sub(r"[ \t]*\n[ \t]*", "\n", "".join(pieces)).strip()
    if text:
        yield text


def _gather(root: Any, pieces: list[str], left_out: LeftOut) -> None:
    in_cell = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if not isinstance(element.tag, str):
            continue
        tag = etree.QName(element).localname
        if _inside_gone(element, root):
            continue
        if event == "start":
            if tag in _GONE:
                left_out.add(_GONE[tag], tag, " ".join(element.itertext()))
                continue
            in_cell += tag in _CELLS
            if tag == "s":
                pieces.append(" " * min(int(element.get(_count(element)) or 1), 80))
            pieces.append(_SIGNS.get(tag, ""))
            for key, value in element.attrib.items():
                if key.rpartition("}")[2] in _SHOWN and value.strip():
                    pieces.append(f"\n{value}\n")
            pieces.append(element.text or "")
        else:
            if tag in _PARAGRAPHS:
                pieces.append(" " if in_cell else "\n")
            elif tag in _ROWS:
                pieces.append("\n")
            elif tag in _CELLS:
                in_cell -= 1
                pieces.append(" | " if element.getnext() is not None else "")
            if element is not root:
                pieces.append(element.tail or "")


def _count(element: Any) -> str:
    return str(next((key for key in element.attrib if key.endswith("}c")), "c"))


def _inside_gone(element: Any, root: Any) -> bool:
    """Tell whether an element stands in one that is not read."""
    parent = element.getparent() if element is not root else None
    while parent is not None:
        if isinstance(parent.tag, str) and etree.QName(parent).localname in _GONE:
            return True
        parent = parent.getparent() if parent is not root else None
    return False
