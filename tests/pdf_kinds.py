"""PDF files of many writers and versions, all of one note; everybody is invented.

Each is made as soon as it is asked for, so that functions see the loop as it is.
"""

# ruff: noqa: B023

import base64
import io
import zlib
from pathlib import Path

import reportlab
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
    RectangleObject,
    TextStringObject,
)
from reportlab.lib.enums import TA_JUSTIFY, TA_RIGHT
from reportlab.lib.pagesizes import A3, A4, LETTER, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Frame,
    ListFlowable,
    PageTemplate,
    Paragraph,
    SimpleDocTemplate,
    Table,
)

LINES = (
    "Paciente: Josefina Tzintzun Huerta, 61 años",
    "Tel. 443 312 4567, CURP TIHJ610314MMNZRS07",
    "Domicilio: calle Melchor Ocampo 212, col. Centro, Morelia",
    "Toma metformina 850 mg cada 12 horas por diabetes",
    "Atendió la Dra. Yatziri Mondragón Ruiz",
)
# Everything that the new file must not hold.
HIDDEN = "Josefina Tzintzun Huerta 4433124567 TIHJ61 Ocampo Yatziri Mondragón".split()
KEPT = "metformina 850"
_FONTS = Path(reportlab.__file__).parent / "fonts"
_X, _Y, _LEADING = 50, 760, 22


def _embedded(name):
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(name, str(_FONTS / f"{name}.ttf")))
    return name


def _sheet(draw, size=A4, **options):
    saved = io.BytesIO()
    sheet = canvas.Canvas(saved, pagesize=size, **options)
    draw(sheet)
    sheet.save()
    return saved.getvalue()


def _lines(sheet, lines=LINES, font="Helvetica", size=11, x=_X, y=_Y):
    sheet.setFont(font, size)
    for number, line in enumerate(lines):
        sheet.drawString(x, y - number * _LEADING, line)


# ---- how the letters of a line are set


def _words(sheet, font):
    sheet.setFont(font, 11)
    for number, line in enumerate(LINES):
        x = _X
        for word in line.split():
            sheet.drawString(x, _Y - number * _LEADING, word)
            x += sheet.stringWidth(word + " ", font, 11)


def _letters(sheet, font):
    sheet.setFont(font, 11)
    for number, line in enumerate(LINES):
        x = _X
        for letter in line:
            if letter != " ":
                sheet.drawString(x, _Y - number * _LEADING, letter)
            x += sheet.stringWidth(letter, font, 11)


def _text_object(sheet, font, **spaced):
    text = sheet.beginText(_X, _Y)
    text.setFont(font, 11, leading=_LEADING)
    text.setCharSpace(spaced.get("letters", 0))
    text.setWordSpace(spaced.get("words", 0))
    text.setHorizScale(spaced.get("wide", 100))
    for line in LINES:
        text.textLine(line)
    sheet.drawText(text)


def _hyphens(sheet, font):
    cut = []
    for line in LINES:
        line = line.replace("Tzintzun", "Tzin-\ntzun").replace(
            "Mondragón", "Mon-\ndragón"
        )
        cut += line.replace("Ocampo", "Ocam-\npo").split("\n")
    _lines(sheet, cut, font)


def _columns(sheet, font):
    sheet.setFont(font, 11)
    for number, line in enumerate(LINES):
        label, _, value = line.partition(":")
        sheet.drawString(_X, _Y - number * _LEADING, label + ":" * bool(value))
        sheet.drawString(_X + 220 * bool(value), _Y - number * _LEADING, value.strip())


SETTINGS = {
    "lines": lambda sheet, font: _lines(sheet, font=font),
    "words": _words,
    "letters": _letters,
    "wide letters": lambda sheet, font: _text_object(sheet, font, letters=1.4),
    "letterspaced": lambda sheet, font: _text_object(sheet, font, letters=3),
    "far letterspaced": lambda sheet, font: _text_object(sheet, font, letters=7),
    "tight letters": lambda sheet, font: _text_object(sheet, font, letters=-0.3),
    "wide words": lambda sheet, font: _text_object(sheet, font, words=5),
    "narrow": lambda sheet, font: _text_object(sheet, font, wide=70),
    "hyphens": _hyphens,
    "columns": _columns,
    "capitals": lambda sheet, font: _lines(sheet, [s.upper() for s in LINES], font),
    "small": lambda sheet, font: _lines(sheet, font=font, size=5),
}
FONTS = ("Helvetica", "Times-Italic", "Courier-Bold", "Vera", "VeraIt")


def _set_pages():
    for font in FONTS:
        name = _embedded(font) if font.startswith("Vera") else font
        for setting, draw in SETTINGS.items():
            yield f"{font}, {setting}", _sheet(lambda s: draw(s, name))


# ---- pages


def _turned(sheet, angle):
    sheet.translate(300, 400)
    sheet.rotate(angle)
    _lines(sheet, x=-200, y=50)


def _nested(sheet, depth=4):
    sheet.beginForm("f0")
    _lines(sheet)
    sheet.endForm()
    for number in range(1, depth):
        sheet.beginForm(f"f{number}")
        sheet.doForm(f"f{number - 1}")
        sheet.endForm()
    sheet.doForm(f"f{depth - 1}")


def _mode(sheet, mode):
    text = sheet.beginText(_X, _Y)
    text.setFont("Helvetica", 11, leading=_LEADING)
    text.setTextRenderMode(mode)
    text.textLines(LINES)
    sheet.drawText(text)


def _under_a_bar(sheet):
    _lines(sheet)
    sheet.rect(_X, _Y - 120, 500, 140, fill=1)


def _white(sheet):
    sheet.setFillGray(1)
    _lines(sheet)


def _page_kinds():
    for angle in (90, 180, 270):
        yield f"page turned {angle}", _page_turned(angle)
    for angle in (5, 30, 90, 180, 270):
        yield f"text turned {angle}", _sheet(lambda s: _turned(s, angle))
    for mode in (1, 2, 3, 7):
        yield f"render mode {mode}", _sheet(lambda s: _mode(s, mode))
    yield "white on white", _sheet(_white)
    yield "under a bar", _sheet(_under_a_bar)
    yield "forms in forms", _sheet(_nested)
    for name, size in (("letter", LETTER), ("A3", A3), ("landscape", landscape(A4))):
        y = size[1] - 80
        yield f"{name} page", _sheet(lambda s: _lines(s, y=y), size)
    for name, box in (
        ("CropBox", (40, 600, 400, 842)),
        ("MediaBox", (-90, -50, 600, 900)),
    ):
        yield f"{name} moved", _edited(lambda page: _boxed(page, name, box))
    yield (
        "UserUnit",
        _edited(lambda page: page.update({NameObject("/UserUnit"): FloatObject(2)})),
    )
    yield "one line a page", _sheet(_line_a_page)


def _line_a_page(sheet):
    for line in LINES:
        _lines(sheet, [line])
        sheet.showPage()


def _page_turned(angle):
    def draw(sheet):
        sheet.setPageRotation(angle)
        _lines(sheet)

    return _sheet(draw)


def _boxed(page, name, box):
    page[NameObject(f"/{name}")] = RectangleObject(box)


def _edited(edit=lambda page: None, whole=lambda writer: None, data=None, lines=LINES):
    """Return a plain file after an edit of its first page or of the whole."""
    data = data or _sheet(lambda sheet: _lines(sheet, lines))
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    edit(writer.pages[0])
    whole(writer)
    return _saved(writer)


def _saved(writer):
    saved = io.BytesIO()
    writer.write(saved)
    return saved.getvalue()


# ---- layouts of reports


def _report(story, template=None):
    saved = io.BytesIO()
    document = template(saved) if template else SimpleDocTemplate(saved, pagesize=A4)
    document.build(story)
    return saved.getvalue()


def _two_columns(saved):
    document = BaseDocTemplate(saved, pagesize=A4)
    frames = [Frame(x, 60, 240, 720) for x in (40, 310)]
    document.addPageTemplates([PageTemplate(frames=frames)])
    return document


def _report_kinds():
    text = ". ".join(LINES)
    for name, style in (
        ("justified", ParagraphStyle("a", alignment=TA_JUSTIFY)),
        ("to the right", ParagraphStyle("a", alignment=TA_RIGHT)),
        ("indented", ParagraphStyle("a", firstLineIndent=40, leftIndent=120)),
        ("narrow column", ParagraphStyle("a", rightIndent=330)),
        ("hyphenated column", ParagraphStyle("a", rightIndent=330, splitLongWords=1)),
    ):
        yield f"report, {name}", _report([Paragraph(text, style)])
    plain = ParagraphStyle("a")
    yield (
        "report, two columns",
        _report([Paragraph(s, plain) for s in LINES] * 30, _two_columns),
    )
    marked = text.replace("Tzintzun", "<b>Tzin</b>tzun").replace("312", "<i>312</i>")
    yield "report, runs of fonts", _report([Paragraph(marked, plain)])
    raised = text.replace("Josefina", "<super>Josefina</super>")
    yield "report, raised", _report([Paragraph(raised, plain)])
    yield (
        "report, table",
        _report([Table([s.split(":") for s in LINES if ":" in s] + [[KEPT, ""]])]),
    )
    yield "report, list", _report([ListFlowable([Paragraph(s, plain) for s in LINES])])


# ---- letters


def _letter_kinds():
    vera = _embedded("Vera")
    for name, put in (
        ("ligatures", lambda s: s.replace("fi", "\ufb01")),
        (
            "combining accents",
            lambda s: s.replace("ó", "o\u0301").replace("ñ", "n\u0303"),
        ),
        ("soft hyphens", lambda s: s.replace("Tzintzun", "Tzin\u00adtzun")),
        ("hard blanks", lambda s: s.replace(" ", "\u00a0")),
        ("long dashes", lambda s: s.replace("443 312 4567", "443–312–4567")),
        ("no accents", lambda s: s.translate(str.maketrans("áéíóúñ", "aeioun"))),
    ):
        lines = [put(line) for line in LINES]
        yield f"letters, {name}", _sheet(lambda s: _lines(s, lines, vera))
    for name in ("WinAnsiEncoding", "MacRomanEncoding"):
        yield f"encoding {name}", _raw(name)
    for how in ("hex", "octal", "quote", "array", "cut", "continued"):
        yield f"strings, {how}", _raw(how=how)
    differences = b"<< /Type /Encoding /Differences [1 /T /z /i /n /t /u] >>"
    yield "encoding by differences", _raw(encoding=differences)
    yield "ActualText", _raw(how="actual")


# ---- what hangs on a page


def _hung_kinds():
    who, clinical = " ".join(LINES[:3]), LINES[3]
    for kind in ("Text", "FreeText", "Highlight", "Stamp", "Square", "Popup"):
        yield (
            f"annotation {kind}",
            _edited(
                lambda page: _annotated(page, kind, {"/Contents": who}),
                lines=[clinical],
            ),
        )
    yield (
        "annotation, rich",
        _edited(
            lambda page: _annotated(page, "FreeText", {"/RC": f"<p>{who}</p>"}),
            lines=[clinical],
        ),
    )
    yield (
        "author of an annotation",
        _edited(
            lambda page: _annotated(page, "Text", {"/T": "Josefina Tzintzun Huerta"}),
            lines=[clinical],
        ),
    )
    plain = _sheet(lambda s: _lines(s, [clinical]))
    yield (
        "outline",
        _edited(
            whole=lambda w: w.add_outline_item(title=who, page_number=0), data=plain
        ),
    )
    yield (
        "metadata",
        _edited(
            whole=lambda w: w.add_metadata({"/Author": LINES[4], "/Title": who}),
            data=plain,
        ),
    )
    for name, content in (
        ("txt", who.encode()),
        ("html", f"<p>{who}</p>".encode()),
        ("json", b'{"nombre": "Josefina Tzintzun Huerta", "telefono": "443 312 4567"}'),
        ("pdf", _sheet(_lines)),
        ("bin", b"\x00\x01" + who.encode()),
    ):
        yield (
            f"attached {name}",
            _edited(
                whole=lambda w: w.add_attachment(f"nota.{name}", content),
                data=plain,
            ),
        )
    for field in ("text", "choice", "list"):
        yield f"form, {field}", _sheet(lambda s: _form(s, field, who))
    yield (
        "form without a place",
        _edited(whole=lambda w: _lone_field(w, who), data=plain),
    )


def _annotated(page, kind, more):
    note = {"/Type": NameObject("/Annot"), "/Subtype": NameObject(f"/{kind}")}
    note["/Rect"] = ArrayObject(map(NumberObject, (40, 400, 60, 420)))
    note |= {key: TextStringObject(value) for key, value in more.items()}
    made = DictionaryObject({NameObject(key): value for key, value in note.items()})
    page[NameObject("/Annots")] = ArrayObject([made])


def _form(sheet, field, who):
    _lines(sheet, [LINES[3]])
    place = {"name": "datos", "x": 40, "y": 500, "width": 500, "height": 40}
    if field == "text":
        sheet.acroForm.textfield(value=who, **place)
    elif field == "choice":
        sheet.acroForm.choice(value=who, options=[who, "otra"], **place)
    else:
        sheet.acroForm.listbox(value=who, options=[who, "otra"], **place)


def _lone_field(writer, who):
    field = DictionaryObject(
        {
            NameObject("/FT"): NameObject("/Tx"),
            NameObject("/T"): TextStringObject("datos"),
            NameObject("/V"): TextStringObject(who),
        }
    )
    form = DictionaryObject({NameObject("/Fields"): ArrayObject([field])})
    writer.root_object[NameObject("/AcroForm")] = form


# ---- how a file is written


def _file_kinds():
    for version in ("1.0", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "2.0"):
        yield f"version {version}", _raw(version=version)
    yield "object streams", _raw(packed=True)
    yield "inherited resources", _raw(inherited=True)
    for name in ("FlateDecode", "ASCIIHexDecode", "ASCII85Decode"):
        yield f"filter {name}", _raw(filter_name=name)
    plain = _sheet(_lines, pageCompression=0)
    yield "uncompressed", plain
    yield "compressed", _sheet(_lines, pageCompression=1)
    yield "invariant", _sheet(_lines, invariant=1)
    yield "no xref", plain.replace(b"startxref", b"startxxxx")
    yield "wrong offsets", plain.replace(b"0000000", b"0000001")
    yield "before the header", b"HTTP/1.1 200 OK\r\n\r\n" + plain
    yield "behind the end", plain + b"\r\n\x00\x00trailing"
    yield "carriage returns", _raw().replace(b"endobj\n", b"endobj\r\n")
    yield "incremental update", _updated(plain)
    for name in ("RC4-40", "RC4-128"):
        yield (
            f"locked without a password, {name}",
            _edited(whole=lambda w: w.encrypt("", "x", algorithm=name)),
        )


def _updated(data):
    writer = PdfWriter(io.BytesIO(data), incremental=True)
    writer.pages[0].merge_page(
        PdfReader(io.BytesIO(_sheet(lambda s: _lines(s, y=400)))).pages[0]
    )
    return _saved(writer)


def _shown(how):
    """Return the operators that show the note, in one of the ways there are."""

    def literal(line):
        for sign in "\\()":
            line = line.replace(sign, "\\" + sign)
        return b"(%s)" % line.encode("cp1252")

    shown = []
    for line in LINES:
        data = line.encode("cp1252")
        if how == "hex":
            shown.append(b"<%s> Tj T*" % data.hex().encode())
        elif how == "octal":
            shown.append(b"(%s) Tj T*" % b"".join(b"\\%03o" % byte for byte in data))
        elif how == "quote":
            shown.append(literal(line) + b" '")
        elif how == "array":
            pieces = [literal(line[n : n + 3]) for n in range(0, len(line), 3)]
            shown.append(b"[%s] TJ T*" % b" -18 ".join(pieces))
        elif how == "cut":
            middle = len(line) // 2
            shown.append(
                b"%s Tj %s Tj T*" % (literal(line[:middle]), literal(line[middle:]))
            )
        elif how == "continued":
            shown.append(literal(line).replace(b"intz", b"in\\\ntz") + b" Tj T*")
        elif how == "actual":
            actual = b"\xfe\xff".hex() + line.encode("utf-16-be").hex()
            span = b"/Span << /ActualText <%s> >> BDC " % actual.encode()
            shown.append(span + literal(line) + b" Tj EMC T*")
        else:
            shown.append(literal(line) + b" Tj T*")
    return b"BT /F 11 Tf 22 TL 50 760 Td " + b"\n".join(shown) + b" ET"


def _stream(data, filter_name, more=b""):
    coded = {
        "FlateDecode": zlib.compress,
        "ASCIIHexDecode": lambda d: d.hex().encode() + b">",
        "ASCII85Decode": lambda d: base64.a85encode(d) + b"~>",
    }
    if filter_name:
        data = coded[filter_name](data)
        more += b" /Filter /" + filter_name.encode()
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), more, data)


def _raw(
    encoding="WinAnsiEncoding",
    how="",
    version="1.4",
    packed=False,
    inherited=False,
    filter_name="",
    shown=b"",
):
    """Return a file written by hand."""
    shown = shown or _shown(how)
    if encoding == "MacRomanEncoding":
        shown = shown.decode("cp1252").encode("mac_roman")
    if isinstance(encoding, bytes):
        shown = shown.replace(b"Tzintzun", b"\x01\x02\x03\x04\x05\x02\x06\x04")
        coded = encoding.replace(
            b"/Differences", b"/BaseEncoding /WinAnsiEncoding /Differences"
        )
    else:
        coded = b"/" + encoding.encode()
    resources = b"/Resources << /Font << /F 3 0 R >> >>"
    own, above = (b"", resources) if inherited else (resources, b"")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 /MediaBox [0 0 595 842] %s >>" % above,
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding %s >>" % coded,
        b"<< /Type /Page /Parent 2 0 R /Contents 5 0 R %s >>" % own,
        _stream(shown, filter_name),
    ]
    return _packed(objects) if packed else _numbered(objects, version)


def _numbered(objects, version):
    out, places = b"%%PDF-%s\n" % version.encode(), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return out + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\n"
        b"startxref\n%d\n%%%%EOF\n" % (size, table, size, len(out))
    )


def _packed(objects):
    """Return a file whose objects lie in a stream, and whose table is one, too."""
    *inside, content = objects
    heads, body = [], b""
    for number, one in enumerate(inside, start=1):
        heads.append(b"%d %d" % (number, len(body)))
        body += one + b" "
    head = b" ".join(heads) + b" "
    out, places = b"%PDF-1.5\n", {}
    more = b"/Type /ObjStm /N %d /First %d" % (len(inside), len(head))
    for number, one in ((5, content), (6, _stream(head + body, "FlateDecode", more))):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    places[7] = len(out)
    rows = [(0, 0, 65535), *((2, 6, n) for n in range(len(inside)))]
    rows += [(1, places[number], 0) for number in (5, 6, 7)]
    table = b"".join(
        bytes([kind]) + second.to_bytes(4, "big") + third.to_bytes(2, "big")
        for kind, second, third in rows
    )
    more = b"/Type /XRef /W [1 4 2] /Size 8 /Root 1 0 R"
    out += b"7 0 obj\n%s\nendobj\n" % _stream(table, "FlateDecode", more)
    return out + b"startxref\n%d\n%%%%EOF\n" % places[7]


def readable():
    """Yield name and bytes of files whose note can be read."""
    yield from _set_pages()
    yield from _page_kinds()
    yield from _report_kinds()
    yield from _letter_kinds()
    yield from _hung_kinds()
    yield from _file_kinds()


def refused():
    """Yield name and bytes of files that must be refused, and why they are."""
    plain = _sheet(_lines, pageCompression=0)
    locked = _edited(whole=lambda w: w.encrypt("secreto", algorithm="RC4-128"))
    yield "locked", locked, "locked"
    yield "cut in the middle", plain[:400], "damaged|no text|no pages"
    yield "not a PDF", b"%PDF-1.4\n" + b"\x00" * 200, "damaged"
    yield "empty", b"", "."
    yield "no pages", _saved(PdfWriter()), "no pages|damaged"
    yield "blank", _sheet(lambda sheet: sheet.rect(0, 0, 9, 9)), "no text"
    yield "drawn letters", _sheet(_drawn), "no text"
    yield "a font that says nothing", _numbered_letters(), "fonts"


def _drawn(sheet):
    for x in range(50, 500, 9):
        sheet.line(x, 700, x + 5, 710)


def _numbered_letters():
    """Return a file whose font has its letters under numbers, and says no more."""
    letters = sorted(set("".join(LINES)))
    codes = {letter: b"\\%03o" % number for number, letter in enumerate(letters, 128)}
    codes |= {letter: b"\\%03o" % (n + 1) for n, letter in enumerate(letters[:8])}
    codes |= {letter: b"\\%03o" % (n + 14) for n, letter in enumerate(letters[8:26])}
    lines = [b"(%s) Tj T*" % b"".join(codes[c] for c in line) for line in LINES]
    shown = b"BT /F 11 Tf 22 TL 50 760 Td " + b"\n".join(lines) + b" ET"
    return _raw(shown=shown)
