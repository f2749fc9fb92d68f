"""Take out of a Word document what nobody reads in it, and what tells who wrote it.

An allow-list: parts, elements, attributes and values that are not known to be harmless
go (``word.yaml``). Names are those of ISO/IEC 29500-1 (WordprocessingML).
"""

import re
from collections.abc import Container
from functools import cache
from pathlib import Path
from typing import Any

from docx.oxml.ns import qn
from lxml import etree

from presidio_mx.work.documents.opened import Dropped, LeftOut
from presidio_mx.yaml_file import read_yaml

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_XML = "{http://www.w3.org/XML/1998/namespace}"

_DELETED = frozenset({"del", "moveFrom", "cellDel"})
_CHANGES = frozenset({"ins", "moveTo", "cellIns", "cellMerge", "numberingChange"})
# Elements that go with all they hold, by what they are to the user; "" is not told.
_GONE: dict[str, Dropped | None] = {
    **dict.fromkeys(("drawing", "pict", "numPicBullet"), Dropped.PICTURES),
    **dict.fromkeys(("object", "control", "altChunk", "subDoc"), Dropped.OBJECTS),
    **dict.fromkeys(("delText", "delInstrText"), Dropped.CHANGES),
    **dict.fromkeys(("instrText", "sdtPr", "ffData", "fldData"), Dropped.CODES),
    **dict.fromkeys(("smartTagPr", "customXmlPr", "sdtEndPr"), Dropped.CODES),
    **dict.fromkeys(("tblCaption", "tblDescription"), Dropped.PROPERTIES),
}
# Elements that go and leave what they hold.
_OPENED = frozenset(
    ("ins", "moveTo", "hyperlink", "fldSimple", "smartTag", "customXml", "sdt")
    + ("sdtContent",)
)
# Settings that change how a page looks; the others hold paths, users, sessions.
_SETTINGS = frozenset(
    ("zoom", "mirrorMargins", "evenAndOddHeaders", "autoHyphenation", "compat")
    + ("defaultTabStop", "characterSpacingControl", "footnotePr", "endnotePr")
    + ("themeFontLang", "clrSchemeMapping", "decimalSymbol", "listSeparator")
)
_STYLES = frozenset(
    ("pStyle", "rStyle", "tblStyle", "basedOn", "next", "link", "numStyleLink")
    + ("styleLink",)
)
_FONTS = frozenset(("ascii", "hAnsi", "eastAsia", "cs", "font"))
_NUMBER = re.compile(
    r"-?\d{1,7}(?:\.\d{1,4})?(?:%|pt|cm|mm|in|pc|pi)?|F[\dA-F]{5}|(?=.*\d)[\dA-F]{2,8}"
    r"|[,;.]"
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?")
# Texts inside of what goes that somebody could read.
_SAID = ("descr", "title", "alt", "string", "displayText", "value")
_TEXTS = frozenset({_W + "t", _M + "t"})
# Values that are seen on the page (9.17.11 and 22.1 of the standard).
SEEN = frozenset(
    {_W + "lvlText", _M + "begChr", _M + "endChr", _M + "sepChr", _M + "chr"}
)


# python-docx's elements give the text of all their runs; this is the element's own.
_own_text = etree._Element.text


@cache
def _known(kind: str) -> frozenset[str]:
    """Return the words of a list; those of styles and fonts are parted by bars."""
    listed: str = read_yaml(Path(__file__).with_name("word.yaml"))[kind]
    if kind == "fonts":
        return frozenset(name.strip() for name in listed.split("|"))
    return frozenset(re.split(r"[|\s]+", listed))


def clean_story(root: Any, left_out: LeftOut) -> None:
    """Clean the body, a header, a footer or notes: what is left is text and looks.

    Tracked changes are accepted, fields keep their last result, text boxes become
    paragraphs.

    :param root: Element of the part; changed in place.
    :param left_out: What is taken out is counted here.
    """
    _choose_alternatives(root)
    _unbox(root)
    _accept(root, left_out)
    for element in list(root.iter()):
        if not isinstance(element.tag, str):
            left_out.add(Dropped.COMMENTS, "XML", _text_of(element))
            _remove(element)
            continue
        name = element.tag.removeprefix(_W)
        if name == "hyperlink" and element.get(_R + "id") is not None:
            left_out.add(Dropped.LINKS)
        if name in _GONE:
            what = _GONE[name]
            text = _text_in(element)
            if what in (Dropped.PICTURES, Dropped.OBJECTS):
                left_out.add(what, "", text)
            elif what is not None and any(map(str.isalnum, text)):
                left_out.add(what, name, text)
            _remove(element)
        elif name in _OPENED:
            _count_values(element, left_out)
            _open(element)
    clean_looks(root, left_out)


def clean_looks(root: Any, left_out: LeftOut) -> None:
    """Clean styles, numbering or what is left of a story.

    :param root: Element of the part; changed in place.
    :param left_out: Texts in places where none is read are counted here.
    """
    known = _known("elements")
    for element in list(root.iter()):
        tag = element.tag
        name = tag.partition("}")[2] if isinstance(tag, str) else ""
        if element is not root and (
            not tag.startswith((_W, _M)) if isinstance(tag, str) else True
        ):
            left_out_text(element, left_out)
            _remove(element)
        elif name in _GONE or tag.endswith("Change"):
            _remove(element)
        elif element is not root and name not in known:
            if any(True for _ in element.iter(*_TEXTS)):
                _open(element)
            else:
                left_out_text(element, left_out)
                _remove(element)
        else:
            _without_texts(element, name, left_out)
            for attribute, value in element.attrib.items():
                if not _harmless(element, name, attribute, value):
                    looks = name in ("rFonts", "name", "sym", "lsdException")
                    if not looks and not attribute.startswith(_MC):
                        _count_value(value, left_out)
                    del element.attrib[attribute]


def _count_values(element: Any, left_out: LeftOut) -> None:
    for value in element.attrib.values():
        _count_value(value, left_out)


def _count_value(value: str, left_out: LeftOut) -> None:
    """Count an attribute that goes, if it is a text and no name or number."""
    if " " in value.strip() and any(map(str.isalpha, value)):
        left_out.add(Dropped.CODES, "attribute", value)


def left_out_text(element: Any, left_out: LeftOut) -> None:
    """Count the text of an element that goes."""
    text = _text_in(element)
    if any(map(str.isalnum, text)):
        left_out.add(Dropped.UNKNOWN, "element", text)


def _without_texts(element: Any, name: str, left_out: LeftOut) -> None:
    """Take away texts that stand where the format has none."""
    odd = "" if element.tag in _TEXTS else _text_of(element)
    odd += element.tail or ""
    if any(map(str.isalnum, odd)):
        left_out.add(Dropped.UNKNOWN, f"text in w:{name}", odd)
    if element.tag not in _TEXTS:
        _own_text.__set__(element, None)
    element.tail = None


def clean_settings(root: Any, left_out: LeftOut) -> None:
    """Keep those settings that change how a page looks.

    :param root: Element of the part; changed in place.
    :param left_out: Not needed: no setting is a text.
    """
    for element in list(root):
        if str(element.tag).removeprefix(_W) not in _SETTINGS:
            _remove(element)
    clean_looks(root, LeftOut())


def clean_theme(root: Any, left_out: LeftOut) -> None:
    """Take the names of a theme, of its fonts and its pictures away.

    :param root: Element of the part; changed in place.
    :param left_out: Not needed: no name of a theme is a text.
    """
    fonts = _known("fonts")
    for element in list(root.iter()):
        tag = str(element.tag)
        if not tag.startswith(_A) or tag.endswith(("}extLst", "}blip", "}custClrLst")):
            _remove(element)
            continue
        _own_text.__set__(element, None)
        element.tail = None
        for attribute, value in element.attrib.items():
            if attribute == "name":
                element.set(attribute, "")
            elif attribute == "typeface":
                kept = value.lower() in fonts or value.startswith("+m")
                element.set(attribute, value if kept else "")
            elif not re.fullmatch(
                r"-?\d{1,8}|[\dA-F]{6}|[a-z]+[A-Za-z\d]{0,20}", value
            ):
                del element.attrib[attribute]
    without_targets(root)


def clean_styles(root: Any, left_out: LeftOut) -> None:
    """Clean styles; those that are not Word's own are numbered.

    :param root: Element of the part; changed in place.
    :param left_out: Not needed: names of styles are told as a whole.
    """
    known = _known("styles")
    number = 0
    for style in root.iter(_W + "style"):
        name = style.find(_W + "name")
        if name is None:
            continue
        words = re.findall(r"[^\W\d_]+|\d[a-z]", (name.get(_W + "val") or "").lower())
        if not all(word in known for word in words):
            number += 1
            name.set(_W + "val", f"Estilo {number}")
            left_out.add(Dropped.NAMES, "style")
    for gone in ("aliases", "latentStyles"):
        for element in list(root.iter(_W + gone)):
            _remove(element)
    clean_looks(root, left_out)


class StyleIds:
    """New identifiers of styles: the old ones are their names without blanks."""

    def __init__(self) -> None:
        """No style was met yet."""
        self._new: dict[str, str] = {}

    def rename(self, root: Any) -> None:
        """Rename styles and what refers to them.

        :param root: Element of a part; changed in place.
        """
        for element in root.iter():
            name = str(element.tag).removeprefix(_W)
            key = _W + ("styleId" if name == "style" else "val")
            if name in _STYLES or name == "style":
                old = element.get(key)
                if old is not None:
                    new = self._new.setdefault(old, f"s{len(self._new) + 1}")
                    element.set(key, new)


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


def _harmless(element: Any, name: str, attribute: str, value: str) -> bool:
    """Tell whether an attribute says how something looks."""
    if attribute == _XML + "space":
        return value in ("preserve", "default")
    if attribute.startswith(_R):
        return re.fullmatch(r"rId\d{1,5}", value) is not None
    own = attribute.partition("}")[2]
    if not attribute.startswith((_W, _M)) or own not in _known("attributes"):
        return False
    if _NUMBER.fullmatch(value) or value in _known("values"):
        return True
    if element.tag in SEEN:
        return True  # it is read
    if name in ("lang", "themeFontLang", "lid"):
        return _LANGUAGE.fullmatch(value) is not None
    if own in _FONTS and name in ("rFonts", "sym"):
        return value.lower() in _known("fonts")
    if name in _STYLES or own == "styleId":
        return re.fullmatch(r"s\d{1,5}", value) is not None
    if name == "name" and element.getparent().tag == _W + "style":
        return True  # cleaned before
    return (
        name == "compatSetting" and value == "http://schemas.microsoft.com/office/word"
    )


def _text_in(element: Any) -> str:
    """Return all that could be read in an element."""
    texts = [
        part
        for inner in element.iter()
        for part in (
            _text_of(inner) if isinstance(inner.tag, str) else "",
            inner.tail if inner is not element else "",
            *(inner.get(key) for key in _SAID),
            *(inner.get(_W + key) for key in ("displayText", "value", "alias")),
        )
        if part
    ]
    return " ".join(texts)


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


def _accept(root: Any, left_out: LeftOut) -> None:
    """Accept tracked changes: what was deleted goes, rows and cells included."""
    for element in list(root.iter()):
        tag = str(element.tag)
        if not tag.startswith(_W):
            continue
        name = tag.removeprefix(_W)
        change = name.endswith("Change")
        if name in _DELETED:
            left_out.add(Dropped.CHANGES, "", _text_in(_deleted(element)))
            _remove(_deleted(element))
        elif name in _CHANGES or change:
            left_out.add(Dropped.CHANGES)
            if change or name in ("cellIns", "cellMerge"):
                _remove(element)


def _deleted(element: Any) -> Any:
    """Return what a mark of deletion deletes: itself, its row or its cell."""
    parent = element.getparent()
    holder = None if parent is None else str(parent.tag).removeprefix(_W)
    if holder in ("trPr", "tcPr"):
        return parent.getparent()
    return element


def _text_of(element: Any) -> str:
    text: str | None = _own_text.__get__(element)
    return text or ""


def _remove(element: Any) -> None:
    """Remove an element; what stands behind it is looked at with its neighbours."""
    _move_text(element, element.tail)
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def _open(element: Any) -> None:
    """Put what an element holds in its place."""
    _move_text(element, _text_of(element))
    for child in list(element):
        element.addprevious(child)
    _remove(element)


def _move_text(element: Any, text: str | None) -> None:
    """Put a text before an element, where it is met again."""
    parent = element.getparent()
    if parent is None or not text or not text.strip():
        return
    before = element.getprevious()
    if before is not None:
        before.tail = (before.tail or "") + text
    else:
        _own_text.__set__(parent, _text_of(parent) + text)
