"""Take out of a Word document what nobody reads in it, and what tells who wrote it.

An allow-list: parts, elements and attributes that are not known to be harmless go.
Names are those of ISO/IEC 29500-1 (WordprocessingML).
"""

from collections import Counter
from collections.abc import Container, Iterator
from typing import Any

from docx.oxml.ns import qn

from presidio_mx.work.documents.opened import Dropped

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_XML = "{http://www.w3.org/XML/1998/namespace}"

_DELETED = frozenset({"del", "moveFrom", "cellDel"})
_CHANGES = frozenset({"ins", "moveTo", "cellIns", "cellMerge", "numberingChange"})
# Elements that go with all they hold, by what they are to the user; "" is not told.
_GONE: dict[str, Dropped | None] = {
    **dict.fromkeys(("drawing", "pict"), Dropped.PICTURES),
    **dict.fromkeys(("object", "control", "altChunk", "subDoc"), Dropped.OBJECTS),
    **dict.fromkeys(("delText", "delInstrText", "instrText", "fldChar")),
    **dict.fromkeys(("commentRangeStart", "commentRangeEnd", "commentReference")),
    **dict.fromkeys(("annotationRef", "bookmarkStart", "bookmarkEnd", "permStart")),
    **dict.fromkeys(("permEnd", "proofErr", "sdtPr", "sdtEndPr", "ffData", "fldData")),
    **dict.fromkeys(("smartTagPr", "customXmlPr", "printerSettings", "tblCaption")),
    **dict.fromkeys(("tblDescription", "moveFromRangeStart", "moveFromRangeEnd")),
    **dict.fromkeys(("moveToRangeStart", "moveToRangeEnd", "numPicBullet")),
    **dict.fromkeys(("embedRegular", "embedBold", "embedItalic", "embedBoldItalic")),
}
# Elements that go and leave what they hold.
_OPENED = frozenset(
    ("ins", "moveTo", "hyperlink", "fldSimple", "smartTag", "customXml", "sdt")
    + ("sdtContent",)
)
_ATTRIBUTES_GONE = frozenset(
    ("author", "date", "initials", "ed", "edGrp", "anchor", "tooltip", "docLocation")
    + ("tgtFrame", "uri", "element", "instr", "displacedByCustomXml")
)
# Settings that change how a page looks; the others hold paths, users, sessions.
_SETTINGS = frozenset(
    ("zoom", "mirrorMargins", "evenAndOddHeaders", "autoHyphenation", "compat")
    + ("defaultTabStop", "characterSpacingControl", "footnotePr", "endnotePr")
    + ("themeFontLang", "clrSchemeMapping", "decimalSymbol", "listSeparator")
)


def clean_story(root: Any, dropped: Counter[Dropped]) -> None:
    """Clean the body, a header, a footer or notes: what is left is text and looks.

    Tracked changes are accepted, fields keep their last result, text boxes become
    paragraphs.

    :param root: Element of the part; changed in place.
    :param dropped: What is taken out is counted here.
    """
    _choose_alternatives(root)
    _unbox(root)
    _accept(root, dropped)
    for element in list(root.iter()):
        if not isinstance(element.tag, str):
            _remove(element)
            continue
        name = element.tag.removeprefix(_W)
        if name == "hyperlink" and element.get(_R + "id") is not None:
            dropped[Dropped.LINKS] += 1
        if name in _GONE:
            what = _GONE[name]
            if what is not None:
                dropped[what] += 1
            _remove(element)
        elif name in _OPENED:
            _open(element)
    clean_looks(root)


def clean_looks(root: Any) -> None:
    """Clean styles, numbering or what is left of a story.

    :param root: Element of the part; changed in place.
    """
    for element in list(root.iter()):
        tag = element.tag
        if not isinstance(tag, str) or not tag.startswith((_W, _M)):
            if element is not root:
                _remove(element)
            continue
        if tag.removeprefix(_W) in _GONE or tag.endswith("Change"):
            _remove(element)
            continue
        for attribute in list(element.attrib):
            if not _harmless(attribute):
                del element.attrib[attribute]


def clean_settings(root: Any) -> None:
    """Keep those settings that change how a page looks.

    :param root: Element of the part; changed in place.
    """
    for element in list(root):
        if str(element.tag).removeprefix(_W) not in _SETTINGS:
            root.remove(element)
    clean_looks(root)


def clean_theme(root: Any) -> None:
    """Take the name of a theme, its pictures and its extensions away.

    :param root: Element of the part; changed in place.
    """
    root.attrib.pop("name", None)
    for element in list(root.iter()):
        if str(element.tag).endswith("}extLst"):
            _remove(element)
    without_targets(root)


def without_targets(root: Any, kept: Container[str] = ()) -> None:
    """Remove what refers to parts that go.

    :param root: Element of the part; changed in place.
    :param kept: Identifiers of relationships that stay.
    """
    for element in list(root.iter()):
        if any(
            name.startswith(_R) and value not in kept
            for name, value in element.attrib.items()
        ):
            _remove(element)


def _harmless(attribute: str) -> bool:
    """Tell whether an attribute says how something looks."""
    if attribute.startswith(_W):
        name = attribute.removeprefix(_W)
        return not name.startswith("rsid") and name not in _ATTRIBUTES_GONE
    return attribute.startswith((_M, _R, _XML)) or not attribute.startswith("{")


def _choose_alternatives(root: Any) -> None:
    """Leave one of the forms in which a thing is given: the first that has text."""
    for element in reversed(list(root.iter(_MC + "AlternateContent"))):
        forms = list(element)
        texts = [form for form in forms if any(True for _ in form.iter(qn("w:t")))]
        chosen = (texts or forms)[:1]
        for form in forms:
            if form not in chosen:
                element.remove(form)
        for form in chosen:
            _open(form)
        _open(element)


def _unbox(root: Any) -> None:
    """Put the paragraphs of text boxes behind the one that they hang on."""
    for box in reversed(list(root.iter(qn("w:txbxContent")))):
        holder = next(iter(box.iterancestors(qn("w:p"))), None)
        if holder is None:
            continue
        for block in reversed(list(box)):
            holder.addnext(block)


def _accept(root: Any, dropped: Counter[Dropped]) -> None:
    """Accept tracked changes: what was deleted goes, rows and cells included."""
    for element in list(root.iter()):
        tag = str(element.tag)
        if not tag.startswith(_W):
            continue
        name = tag.removeprefix(_W)
        change = name.endswith("Change")
        if name in _DELETED or name in _CHANGES or change:
            dropped[Dropped.CHANGES] += 1
        if name in _DELETED:
            _remove(_deleted(element))
        elif change or name in ("cellIns", "cellMerge"):
            _remove(element)


def _deleted(element: Any) -> Any:
    """Return what a mark of deletion deletes: itself, its row or its cell."""
    parent = element.getparent()
    holder = None if parent is None else str(parent.tag).removeprefix(_W)
    if holder in ("trPr", "tcPr"):
        return parent.getparent()
    return element


def _remove(element: Any) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def _open(element: Any) -> None:
    """Put what an element holds in its place."""
    for child in _children(element):
        element.addprevious(child)
    _remove(element)


def _children(element: Any) -> Iterator[Any]:
    yield from list(element)
