"""Word documents (.docx): runs, tables, headers, footers and notes keep their looks."""

import io
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from docx import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.part import XmlPart
from docx.oxml.ns import qn
from docx.oxml.parser import parse_xml

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding
from presidio_mx.text.reading.kinds import refuse_other_kinds
from presidio_mx.work.documents.opened import Change, Dropped, Part
from presidio_mx.work.documents.word_clean import (
    clean_looks,
    clean_settings,
    clean_story,
    clean_theme,
    without_targets,
)
from presidio_mx.work.documents.word_text import WordText

_ZIP = b"PK\x03\x04"
_LARGEST = 300 << 20
# A file that does not change has bytes that do not change.
_DAY = (1980, 1, 1, 0, 0, 0)
_KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
# Parts that stay: those with text, in the order in which they are read, and looks.
_STORIES = ("header", "", "footnotes", "endnotes", "footer")
_LOOKS: Mapping[str, Callable[[Any], None]] = {
    "styles": clean_looks,
    "numbering": clean_looks,
    "fontTable": clean_looks,
    "theme": clean_theme,
    "settings": clean_settings,
}
_COMMENTS = "comments"


def open_word(data: bytes, name: str, encoding: Encoding | None = None) -> "WordFile":
    """Read a Word document.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Not needed: it is UTF-8.
    :raises InputError: If it is no such document, or is locked by a password.
    """
    if not data.startswith(_ZIP):
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
    return WordFile(_main_part(data, name))


def _main_part(data: bytes, name: str) -> Any:
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            size = sum(item.file_size for item in archive.infolist())
        if size > _LARGEST:
            raise InputError(f"{name}: unpacks to more than {_LARGEST >> 20} MiB")
        return Document(io.BytesIO(data)).part
    except InputError:
        raise
    except (BadZipFile, KeyError, ValueError, OSError, SyntaxError, AttributeError):
        # XMLSyntaxError of lxml is a SyntaxError; python-docx lets all of them through.
        raise InputError(
            f"{name}: cannot be read as a Word document; open it in Word and save it "
            "as .docx"
        ) from None


class WordFile:
    """A Word document without what nobody reads in it.

    :param main: Its main part; changed in place.
    """

    suffix = ".docx"

    def __init__(self, main: Any) -> None:
        """Clean the document and read its text."""
        self.dropped: Counter[Dropped] = Counter({Dropped.PROPERTIES: 0})
        self._package = main.package
        self._text = WordText()
        for story in self._stories(main):
            self._text.read(story)

    @property
    def parts(self) -> Sequence[Part]:
        """Return the text."""
        return (Part(self._text.text),)

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

    def _stories(self, main: Any) -> list[Any]:
        """Drop and clean parts; return the elements with text in reading order."""
        for identifier, link in list(self._package.rels.items()):
            if link.reltype != RELATIONSHIP_TYPE.OFFICE_DOCUMENT:
                del self._package.rels[identifier]
        stories: dict[str, list[Any]] = {"": [main.element]}
        story = partial(clean_story, dropped=self.dropped)
        for identifier, link in list(main.rels.items()):
            kind = link.reltype.removeprefix(_KINDS)
            clean = story if kind in _STORIES else _LOOKS.get(kind)
            if link.is_external or clean is None:
                self._count(kind, link)
                del main.rels[identifier]
                continue
            root = _element_of(main, identifier, link)
            if kind in _STORIES:
                stories.setdefault(kind, []).append(root)
            clean(root)
            without_targets(root)
        story(main.element)
        without_targets(main.element, main.rels)
        return [root for kind in _STORIES for root in stories.get(kind, ())]

    def _count(self, kind: str, link: Any) -> None:
        """Count the comments of a part that is dropped."""
        if kind == _COMMENTS and not link.is_external:
            root = parse_xml(link.target_part.blob)
            self.dropped[Dropped.COMMENTS] += len(root.findall(qn("w:comment")))


def _element_of(main: Any, identifier: str, link: Any) -> Any:
    """Return the element of a part, in a form that is saved with its changes."""
    old = link.target_part
    new = XmlPart(old.partname, old.content_type, parse_xml(old.blob), main.package)
    # Its own links (pictures of a header, fonts) are not taken over.
    main.load_rel(link.reltype, new, identifier)
    return new.element
