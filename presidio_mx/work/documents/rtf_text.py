r"""The text of an RTF document, of its margins and notes.

Read here, by the specification (RTF 1.9.1), since no library reads notes, headers,
text boxes and ``\upr``, nor what stands behind a brace too many.
"""

import codecs
import re
from dataclasses import dataclass, field, replace

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding
from presidio_mx.text.reading.mend import mend
from presidio_mx.work.documents.opened import Dropped, LeftOut
from presidio_mx.work.documents.prose import Prose

_SIGNATURE = "{\\rtf"
_TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<byte>[\da-fA-F]{2})"
    r"|\\(?P<sign>[^A-Za-z'])|\\'|(?P<brace>[{}])|(?P<end>[\r\n\0]+)"
    r"|(?P<text>[^\\{}\r\n\0]+)",
    re.S,
)
_LETTERS = {
    **dict.fromkeys(("par", "line", "sect", "page", "column", "row", "nestrow"), "\n"),
    **dict.fromkeys(("softline", "softpage"), "\n"),
    **dict.fromkeys(("cell", "nestcell"), " | "),
    **dict.fromkeys(("emspace", "enspace", "qmspace"), " "),
    "tab": "\t",
    "emdash": "—",
    "endash": "–",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "bullet": "•",
}
_SIGNS = {"~": "\xa0", "_": "-", "-": "", "\n": "\n", "\r": "\n", ":": "", "|": ""}
# Destinations with text of their own, which is read at the beginning or the end.
_HEADS = re.compile(r"header[lrf]?")
_NOTES = re.compile(r"footer[lrf]?|footnote|annotation|shptxt|dptxbxtext")
_READ = re.compile(
    r"rtf|fldrslt|field|listtext|pntext|result|ud|shp|shpgrp|nestcell|nesttableprops"
    r"|m(?:math|oMath\w*|r|e|[A-Z]\w*|begChr|endChr|sepChr|chr|f|d|num|den|sub|sup|deg)"
    r"|m(?:fName|lim\w*|func|rad|nary|acc|bar|box|eqArr|groupChr|phant|s[SP]\w+)"
)
# Destinations whose text nobody sees, by what they are to the user.
_GONE = {
    **dict.fromkeys(("info", "userprops", "generator", "docvar"), Dropped.PROPERTIES),
    **dict.fromkeys(("atnid", "atnauthor", "atntime", "atndate"), Dropped.PROPERTIES),
    **dict.fromkeys(("atnref", "atnparent", "atrfstart", "atrfend"), Dropped.MARKUP),
    **dict.fromkeys(("fonttbl", "stylesheet", "revtbl", "filetbl"), Dropped.NAMES),
    **dict.fromkeys(("latentstyles", "listoverridetable", "colortbl"), Dropped.NAMES),
    **dict.fromkeys(("bkmkstart", "bkmkend", "xmlnstbl", "rsidtbl"), Dropped.MARKUP),
    **dict.fromkeys(("themedata", "datastore", "mmathPr", "wgrffmtfilter"), None),
    **dict.fromkeys(("colorschememapping", "passwordhash", "pgptbl"), None),
    **dict.fromkeys(("blipuid", "nonshppict", "picprop", "objclass", "objname"), None),
    **dict.fromkeys(("listtable", "fldinst", "formfield", "xe", "tc"), Dropped.CODES),
    **dict.fromkeys(("datafield", "mailmerge", "factoidname"), Dropped.CODES),
    "pict": Dropped.PICTURES,
    "objdata": Dropped.OBJECTS,
    "shprslt": Dropped.MARKUP,
}
_COUNTED = frozenset({Dropped.PICTURES, Dropped.OBJECTS})
# Code pages of fonts, by their character set.
_CHARSETS = {0: "cp1252", 2: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949"}
_CHARSETS |= {134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254", 177: "cp1255"}
_CHARSETS |= {178: "cp1256", 186: "cp1257", 204: "cp1251", 238: "cp1250", 255: "cp437"}
_DEEPEST = 5000


@dataclass(frozen=True, slots=True)
class _State:
    r"""What holds inside a group.

    :param gone: What its text is lost as; None if it is read.
    :param place: Name of the destination that is not read.
    :param codec: Code page of its font.
    :param skip: How many characters stand for each ``\u``.
    :param deleted: Whether it is a tracked deletion.
    :param aside: Number of the text of its own; 0 for the body.
    :param upr: Whether it is a group with an older and a newer form.
    """

    gone: Dropped | None = None
    place: str = ""
    codec: str = "cp1252"
    skip: int = 1
    deleted: bool = False
    aside: int = 0
    upr: bool = False


@dataclass(repr=False)
class _Reader:
    """Reads tokens one after the other."""

    left_out: LeftOut
    codec: str
    state: _State = field(default_factory=_State)
    texts: list[list[str]] = field(default_factory=lambda: [[]])
    heads: list[int] = field(default_factory=list)
    _stack: list[_State] = field(default_factory=list)
    _bytes: bytearray = field(default_factory=bytearray)
    _starred: bool = False
    _first: bool = False
    _skip: int = 0
    _fonts: dict[int, str] = field(default_factory=dict)
    _font: int = 0

    def read(self, text: str) -> None:
        at = 0
        while match := _TOKEN.match(text, at):
            at = match.end()
            kind = match.lastgroup
            if match["byte"]:
                self._byte(int(match["byte"], 16))
                continue
            if kind == "end":
                continue
            self._flush()
            if match["word"]:
                number = int(match["number"]) if match["number"] else None
                self._word(match["word"], number)
                if match["word"] == "bin" and number:
                    at += max(number, 0)
            elif match["brace"] == "{":
                self._open()
            elif match["brace"] == "}":
                self.state = self._stack.pop() if self._stack else self.state
                self._first = self._starred = False
                self._skip = 0
            elif match["sign"] == "*":
                self._starred = True
            elif match["sign"]:
                self._put(_SIGNS.get(match["sign"], match["sign"]))
            elif match["text"]:
                raw = match["text"].encode("latin-1")
                self._put(raw.decode(self.state.codec, "replace"))
        self._flush()

    def _open(self) -> None:
        if len(self._stack) > _DEEPEST:
            raise RecursionError
        self._stack.append(self.state)
        if self.state.upr:
            # The first form is for old readers; that behind \*\ud is the same anew.
            self.state = replace(
                self.state, upr=False, gone=Dropped.MARKUP, place="upr"
            )
        self._first, self._starred = True, False

    def _word(self, word: str, number: int | None) -> None:
        first, self._first = self._first, False
        starred, self._starred = self._starred, False
        state = self.state
        if first and (starred or self._is_destination(word)):
            self._enter(word)
        elif word == "u" and number is not None:
            self._put(chr(number % 65536))
            self._skip = state.skip
        elif word == "uc":
            self.state = replace(state, skip=max(number or 0, 0))
        elif word in ("f", "af", "dbch", "loch", "hich") and state.place == "fonttbl":
            self._font = number or 0
        elif word == "fcharset":
            self._fonts[self._font] = _CHARSETS.get(number or 0, self.codec)
        elif word == "f":
            self.state = replace(state, codec=self._fonts.get(number or 0, self.codec))
        elif word == "plain":
            self.state = replace(state, deleted=False, codec=self.codec)
        elif word == "ansicpg":
            self._page(number)
        elif word == "deleted":
            self.state = replace(state, deleted=number != 0)
        elif word == "upr":
            self.state = replace(state, upr=True)
        elif word in _LETTERS:
            self._put(_LETTERS[word])

    @staticmethod
    def _is_destination(word: str) -> bool:
        return word in _GONE or bool(
            _HEADS.fullmatch(word) or _NOTES.fullmatch(word) or word == "upr"
        )

    def _enter(self, word: str) -> None:
        """Begin a destination."""
        if word == "upr":
            self.state = replace(self.state, upr=True)
        elif _HEADS.fullmatch(word) or _NOTES.fullmatch(word):
            self.texts.append([])
            number = len(self.texts) - 1
            if _HEADS.fullmatch(word):
                self.heads.append(number)
            if self.state.place != "shprslt":
                self.state = replace(self.state, gone=None, aside=number)
        elif word in _GONE:
            what = _GONE[word]
            if what in _COUNTED:
                self.left_out.add(what, "", count=1)
            gone = what or Dropped.NAMES
            self.state = replace(self.state, gone=gone, place=word)
        elif _READ.fullmatch(word):
            if self.state.place in ("", "upr", "shpinst"):
                self.state = replace(self.state, gone=None)
        else:
            place = word if word == "shpinst" else "destination"
            self.state = replace(self.state, gone=Dropped.UNKNOWN, place=place)

    def _page(self, number: int | None) -> None:
        name = {65001: "utf-8", 10000: "mac_roman"}.get(number or 0, f"cp{number}")
        try:
            self.codec = codecs.lookup(name).name
        except LookupError:
            return
        self.state = replace(self.state, codec=self.codec)

    def _byte(self, byte: int) -> None:
        self._first = False
        if self._skip:
            self._skip -= 1
            return
        self._bytes.append(byte)

    def _flush(self) -> None:
        if self._bytes:
            data, self._bytes = bytes(self._bytes), bytearray()
            self._put(data.decode(self.state.codec, "replace"))

    def _put(self, text: str) -> None:
        self._first = False
        if self._skip:
            skipped = min(self._skip, len(text))
            text, self._skip = text[skipped:], self._skip - skipped
        state = self.state
        if not text:
            return
        if state.deleted and state.gone is None:
            self.left_out.add(Dropped.CHANGES, "", text)
        elif state.gone is None:
            self.texts[state.aside].append(text)
        elif state.gone not in _COUNTED and any(map(str.isalnum, text)):
            named = state.gone not in (Dropped.NAMES, Dropped.MARKUP)
            self.left_out.add(state.gone, state.place if named else "", text, 0)
            if state.gone is Dropped.UNKNOWN or state.gone is Dropped.CODES:
                self.left_out[state.gone].count += 1


def rtf_text(data: bytes, name: str, encoding: Encoding | None) -> tuple[str, LeftOut]:
    r"""Return the text of an RTF document and what is left out of it.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Encoding of its ``\'xx``, if it does not say it itself.
    :raises InputError: If it is no RTF, or holds no text.
    """
    source = data.decode("latin-1")
    if not source.lstrip().startswith(_SIGNATURE):
        raise InputError(f"{name}: is no RTF document; name it .txt if it is a text")
    left_out = LeftOut()
    reader = _Reader(left_out, encoding.name if encoding else "cp1252")
    try:
        reader.read(source)
    except RecursionError:
        raise InputError(f"{name}: is nested too deep") from None
    texts = ["".join(text) for text in reader.texts]
    order = [*reader.heads, 0, *range(1, len(texts))]
    shown = [texts[n] for n in dict.fromkeys(order) if texts[n].strip()]
    whole = "\n\n".join(text.strip("\n") for text in shown)
    whole = re.sub(r" \| (?=\n)", "", whole)
    # Letters beyond the first plane are written as two halves.
    text = whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if not text.strip():
        raise InputError(f"{name}: holds no text that can be read; save it as .docx")
    return text + "\n", left_out


def open_rtf(data: bytes, name: str, encoding: Encoding | None = None) -> Prose:
    r"""Read an RTF document.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Encoding of its ``\'xx``, if it does not say it itself.
    :raises InputError: If it is no RTF, or its letters cannot be read.
    """
    text, left_out = rtf_text(data, name, encoding)
    return Prose(mend(text, name).text, left_out)
