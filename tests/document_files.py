"""Files as tests need them; everybody in them is invented."""

import io
import zipfile

from docx import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn

NAME = "Eulalia Tzintzun Huerta"
PHONE = "443 312 4567"
# Everything that a de-identified file must not hold.
HIDDEN = (
    "Eulalia",
    "Tzintzun",
    "Huerta",
    "Yatziri",
    "Mondragón",
    "443 312",
    "Ocampo",
    "TIHE610314",
)
# What must survive, in this order.
KEPT = ("metformina 850 mg", "HbA1c 8.2")


def word_file():
    """Return a .docx with identifiers in every corner that Word has."""
    document = Document()
    properties = document.core_properties
    properties.author, properties.title = "Yatziri Mondragón", f"Nota de {NAME}"
    section = document.sections[0]
    section.header.paragraphs[0].text = f"Paciente: {NAME}"
    section.footer.paragraphs[0].text = "Elaboró: Dra. Yatziri Mondragón Ruiz"
    paragraph = document.add_paragraph("Se presenta la paciente ")
    paragraph.add_run("Eulalia ").bold = True
    paragraph.add_run("Tzin")
    paragraph.add_run("tzun Huerta").italic = True
    paragraph.add_run(f", de 61 años, tel. {PHONE}. Toma metformina 850 mg.")
    table = document.add_table(rows=2, cols=3)
    for column, (label, value) in enumerate(
        (("Nombre", NAME), ("Edad", "61"), ("Lab", "HbA1c 8.2"))
    ):
        table.cell(0, column).text = label
        table.cell(1, column).text = value
    document.add_comment(paragraph.runs[0], "Es Eulalia", "Yatziri Mondragón", "YM")
    body = document.element.body
    for xml in (_TRACKED, _FIELD, _BOX, _CONTROL, _BOOKMARK):
        body.insert(len(body) - 1, parse_xml(xml.replace("<w:p>", _OPEN, 1)))
    target = "mailto:eulalia.tzintzun@correo.example"
    linked = document.part.relate_to(target, RELATIONSHIP_TYPE.HYPERLINK, True)
    link = _LINK.replace("<w:p>", _OPEN, 1).replace("RID", linked)
    body.insert(len(body) - 1, parse_xml(link))
    settings = document.settings.element
    variable = f'<w:docVar w:name="p" w:val="{NAME}"/>'
    settings.append(parse_xml(f"<w:docVars {nsdecls('w')}>{variable}</w:docVars>"))
    paragraph._p.set(qn("w:rsidR"), "00AB12CD")
    saved = io.BytesIO()
    document.save(saved)
    return saved.getvalue()


_OPEN = (
    f"<w:p {nsdecls('w', 'r')} "
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape">'
)
_TRACKED = (
    '<w:p><w:ins w:id="1" w:author="Yatziri Mondragón" w:date="2023-03-14T10:00:00Z">'
    "<w:r><w:t>Vive con su hija Yatziri.</w:t></w:r></w:ins>"
    '<w:del w:id="2" w:author="Yatziri Mondragón"><w:r>'
    "<w:delText>Eulalia Huerta</w:delText></w:r></w:del></w:p>"
)
_FIELD = (
    '<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="Huerta"/>'
    "</w:ffData></w:fldChar></w:r><w:r><w:instrText>MERGEFIELD Huerta</w:instrText>"
    '</w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r>'
    "<w:t>Refiere la paciente Eulalia Tzintzun mareo.</w:t></w:r>"
    '<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
)
_TEXT_IN_BOX = (
    "<w:txbxContent><w:p><w:r><w:t>CURP: TIHE610314MMNZRL07</w:t></w:r></w:p>"
    "</w:txbxContent>"
)
_BOX = (
    '<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:wsp>'
    f"<wps:txbx>{_TEXT_IN_BOX}</wps:txbx></wps:wsp></w:drawing></mc:Choice>"
    '<mc:Fallback><w:pict><v:shape alt="Eulalia"><v:textbox>'
    f"{_TEXT_IN_BOX}</v:textbox></v:shape></w:pict></mc:Fallback>"
    "</mc:AlternateContent></w:r></w:p>"
)
_CONTROL = (
    '<w:p><w:sdt><w:sdtPr><w:alias w:val="Eulalia"/><w:dropDownList>'
    '<w:listItem w:value="Dra. Mondragón"/></w:dropDownList></w:sdtPr><w:sdtContent>'
    "<w:r><w:t>Domicilio: calle Melchor Ocampo 212, col. Centro.</w:t></w:r>"
    "</w:sdtContent></w:sdt></w:p>"
)
_BOOKMARK = (
    '<w:p><w:bookmarkStart w:id="7" w:name="Eulalia_Huerta"/><w:r>'
    '<w:t>Control en un mes.</w:t></w:r><w:bookmarkEnd w:id="7"/></w:p>'
)
_LINK = '<w:p><w:hyperlink r:id="RID"><w:r><w:t>correo</w:t></w:r></w:hyperlink></w:p>'


def everything_in(data):
    """Return all text of a zip file: names, parts, links."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "\n".join(
            name + archive.read(name).decode("utf-8", "replace")
            for name in archive.namelist()
        )


def pdf_file(*pages, picture=()):
    """Return a PDF with lines of text.

    :param pages: Lines of each page.
    :param picture: Numbers of the pages that show a picture, from 1.
    """
    image = b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8"
    image += b" /ColorSpace /DeviceGray /Length 1 >>\nstream\n\x00\nendstream"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica"
    font += b" /Encoding /WinAnsiEncoding >>"
    kids = b" ".join(b"%d 0 R" % (5 + 2 * n) for n in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(pages)),
        font,
        image,
    ]
    for number, lines in enumerate(pages, start=1):
        shown = b"/XObject << /I 4 0 R >>" if number in picture else b""
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R"
            b" /Resources << /Font << /F 3 0 R >> %s >> >>" % (4 + 2 * number, shown)
        )
        text = b"".join(
            b"(%s) Tj 0 -16 Td "
            % line.translate({40: "\\(", 41: "\\)", 92: "\\\\"}).encode("cp1252")
            for line in lines
        )
        drawn = b" q 90 0 0 90 56 90 cm /I Do Q" if number in picture else b""
        stream = b"BT /F 11 Tf 56 780 Td %sET%s" % (text, drawn)
        objects.append(
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream)
        )
    return _numbered(objects)


def _numbered(objects):
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\n"
        b"startxref\n%d\n%%%%EOF\n"
        % (len(objects) + 1, table, len(objects) + 1, len(out))
    )
