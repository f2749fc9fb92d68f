"""Word documents (.docx): runs, tables, headers, footers and notes keep their looks."""

import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docx import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import XmlPart
from docx.oxml.parser import parse_xml

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding
from presidio_mx.text.reading.kinds import refuse_other_kinds
from presidio_mx.work.documents.opened import (
    DAMAGED,
    ZIP,
    Change,
    Dropped,
    LeftOut,
    Part,
    line_of,
    unzipped,
)
from presidio_mx.work.documents.word_clean import (
    SEEN,
    StyleIds,
    clean_looks,
    clean_settings,
    clean_story,
    clean_styles,
    clean_theme,
    without_targets,
)
from presidio_mx.work.documents.word_text import WordText

# A file that does not change has bytes that do not change.
_DAY = (1980, 1, 1, 0, 0, 0)
_KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
# The strict form of the standard names its spaces otherwise (ISO/IEC 29500-1).
_STRICT = b"http://purl.oclc.org/ooxml/"
_SPACES = {
    b"officeDocument/relationships": b"officeDocument/2006/relationships",
    b"officeDocument/math": b"officeDocument/2006/math",
    b"officeDocument/": b"officeDocument/2006/",
    b"wordprocessingml/main": b"wordprocessingml/2006/main",
    b"drawingml/": b"drawingml/2006/",
}
# Parts that stay: those with text, in the order in which they are read, and looks.
_STORIES = ("header", "", "footnotes", "endnotes", "footer")
_LOOKS: Mapping[str, Callable[[Any, LeftOut], None]] = {
    "styles": clean_styles,
    "numbering": clean_looks,
    "theme": clean_theme,
    "settings": clean_settings,
}
# Parts about fonts, the web and who wrote comments.
_SILENT = frozenset(
    ("fontTable", "webSettings", "people", "commentsExtended", "commentsIds")
    + ("commentsExtensible", "stylesWithEffects", "attachedTemplate")
)
# Parts that are told apart from others when they go.
_TOLD = {
    "comments": Dropped.COMMENTS,
    "image": Dropped.PICTURES,
    "chart": Dropped.PICTURES,
    "diagramData": Dropped.PICTURES,
    "oleObject": Dropped.OBJECTS,
    "package": Dropped.OBJECTS,
    "aFChunk": Dropped.OBJECTS,
    "glossaryDocument": Dropped.OBJECTS,
    "customXml": Dropped.OBJECTS,
}


def open_word(data: bytes, name: str, encoding: Encoding | None = None) -> "WordFile":
    """Read a Word document.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Not needed: it is UTF-8.
    :raises InputError: If it is no such document, or is locked by a password.
    """
    if not data.startswith(ZIP):
        if data.startswith(b"\xd0\xcf\x11\xe0"):
            raise InputError(
                f"{name}: is locked by a password or an old .doc; save it as .docx "
                "without a password"
            )
        refuse_other_kinds(data, name)
        raise InputError(
            f"{name}: is no Word document; save it anew as .docx, or as plain text "
            "(UTF-8) under .txt"
        )
    try:
        with unzipped(data, name) as archive:
            data = _transitional(archive, data)
        return WordFile(Document(io.BytesIO(data)).part)
    except InputError:
        raise
    except DAMAGED:
        raise InputError(
            f"{name}: cannot be read as a Word document; open it in Word and save it "
            "as .docx"
        ) from None


def _transitional(archive: ZipFile, data: bytes) -> bytes:
    """Return a document whose spaces have their usual names."""
    parts = {name: archive.read(name) for name in archive.namelist()}
    if not any(_STRICT in part for part in parts.values()):
        return data
    new = io.BytesIO()
    with ZipFile(new, "w", ZIP_DEFLATED) as written:
        for name, part in parts.items():
            if name.endswith((".xml", ".rels")):
                for strict, usual in _SPACES.items():
                    usual = b"http://schemas.openxmlformats.org/" + usual
                    part = part.replace(_STRICT + strict, usual)
            written.writestr(name, part)
    return new.getvalue()


class WordFile:
    """A Word document without what nobody reads in it.

    :param main: Its main part; changed in place.
    """

    suffix = ".docx"

    def __init__(self, main: Any) -> None:
        """Clean the document and read its text."""
        self.left_out = LeftOut()
        self.left_out.add(Dropped.PROPERTIES, count=0)
        self._package = main.package
        self._text = WordText()
        self._styles = StyleIds()
        stories, looks = self._roots(main)
        for story in stories:
            self._text.read(story, self.left_out)
        for root in (*stories, *looks):
            for element in root.iter(*SEEN):
                key = next((k for k in element.attrib if k.endswith("}val")), "")
                self._text.read_value(element, key)

    @property
    def parts(self) -> Sequence[Part]:
        """Return the text."""
        return (Part(self._text.text, cells=self._text.bounds),)

    def place(self, part: int, offset: int) -> str:
        """Return the line of the text.

        :param part: The one there is.
        :param offset: Where in it.
        """
        return line_of(self._text.text, offset)

    def written(self, changes: Sequence[Sequence[Change]]) -> bytes:
        """Return the new document.

        :param changes: For the one part what is replaced in it.
        """
        self._text.write(changes[0])
        saved, new = io.BytesIO(), io.BytesIO()
        self._package.save(saved)
        with ZipFile(saved) as old, ZipFile(new, "w", ZIP_DEFLATED) as archive:
            for item in old.namelist():
                info = ZipInfo(item, _DAY)
                info.compress_type = ZIP_DEFLATED
                archive.writestr(info, old.read(item))
        return new.getvalue()

    def _roots(self, main: Any) -> tuple[list[Any], list[Any]]:
        """Drop and clean parts; return those with text in reading order, and looks."""
        for identifier, link in list(self._package.rels.items()):
            if link.reltype != RELATIONSHIP_TYPE.OFFICE_DOCUMENT:
                del self._package.rels[identifier]
        stories: dict[str, list[Any]] = {"": [main.element]}
        looks: list[Any] = []
        story = partial(clean_story, left_out=self.left_out)
        rename = self._styles.rename
        for number, (identifier, link) in enumerate(list(main.rels.items()), start=1):
            kind = link.reltype.removeprefix(_KINDS)
            if link.is_external or not (kind in _STORIES or kind in _LOOKS):
                self._count(kind, link)
                del main.rels[identifier]
                continue
            root = _element_of(main, identifier, link, kind, number)
            rename(root)
            if kind in _STORIES:
                stories.setdefault(kind, []).append(root)
                story(root)
            else:
                looks.append(root)
                _LOOKS[kind](root, self.left_out)
            without_targets(root)
        rename(main.element)
        story(main.element)
        without_targets(main.element, main.rels)
        return [root for kind in _STORIES for root in stories.get(kind, ())], looks

    def _count(self, kind: str, link: Any) -> None:
        """Count a part that is dropped."""
        if link.is_external:
            return
        part = link.target_part
        try:
            text = " ".join(parse_xml(part.blob).itertext())
        except (SyntaxError, ValueError):
            text = ""
        if kind == "comments":
            number = part.blob.count(b"<w:comment ")
            self.left_out.add(Dropped.COMMENTS, "", text, number)
        elif kind in _TOLD and any(map(str.isalnum, text)):
            self.left_out.add(_TOLD[kind], kind, text)
        elif any(map(str.isalnum, text)) and kind not in _SILENT:
            self.left_out.add(Dropped.UNKNOWN, "part", text)


def _element_of(main: Any, identifier: str, link: Any, kind: str, number: int) -> Any:
    """Return the element of a part, in a form that is saved with its changes."""
    old = link.target_part
    name = PackURI(f"/word/{kind}{number}.xml")
    new = XmlPart(name, old.content_type, parse_xml(old.blob), main.package)
    # Its own links (pictures of a header, fonts) are not taken over.
    main.load_rel(link.reltype, new, identifier)
    return new.element
