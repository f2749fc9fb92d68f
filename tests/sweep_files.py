"""Templates of files with marks at many places; see ``sweep``."""

import base64
import io
import json
import zipfile

from sweep import filled

_W = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:x="urn:otro"'
)


def _r(text, properties=""):
    return f"<w:r>{properties}<w:t>{text}</w:t></w:r>"


def _p(inside, properties=""):
    return f"<w:p>{properties}{inside}</w:p>"


def _box(text):
    return f"<w:txbxContent>{_p(_r(text))}</w:txbxContent>"


_BODY = [
    _p(_r("¤body¤")),
    _p(_r("¤heading¤"), '<w:pPr><w:pStyle w:val="Ttulo1"/></w:pPr>'),
    _p(
        _r("¤list item¤"),
        '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>',
    ),
    _p(_r("¤bold¤", "<w:rPr><w:b/></w:rPr>")),
    _p(_r("¤hidden¤", "<w:rPr><w:vanish/></w:rPr>")),
    _p(_r("¤capitals¤", "<w:rPr><w:caps/></w:rPr>")),
    _p(_r("¤right to left¤", "<w:rPr><w:rtl/></w:rPr>")),
    _p(f'<w:hyperlink r:id="rId90">{_r("¤link¤")}</w:hyperlink>'),
    _p(
        f'<w:hyperlink w:anchor="¤anchor:name¤" w:tooltip="¤tooltip¤">{_r("enlace")}</w:hyperlink>'
    ),
    _p(
        f'<w:fldSimple w:instr="MERGEFIELD ¤instr:name¤">{_r("¤simple field¤")}</w:fldSimple>'
    ),
    _p(
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="¤form name:name¤"/>'
        '<w:default w:val="¤form default:name¤"/></w:ffData></w:fldChar></w:r>'
        "<w:r><w:instrText> ¤field code¤ </w:instrText></w:r>"
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        + _r("¤field result¤")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    ),
    _p(
        '<w:sdt><w:sdtPr><w:alias w:val="¤control alias:name¤"/><w:tag w:val="¤control tag:name¤"/>'
        '<w:dropDownList><w:listItem w:displayText="¤choice¤" w:value="1"/></w:dropDownList>'
        f"</w:sdtPr><w:sdtContent>{_r('¤control¤')}</w:sdtContent></w:sdt>"
    ),
    f"<w:sdt><w:sdtContent>{_p(_r('¤block control¤'))}</w:sdtContent></w:sdt>",
    _p(
        '<w:smartTag w:element="¤smart element:name¤"><w:smartTagPr><w:attr w:name="a" '
        f'w:val="¤smart value:name¤"/></w:smartTagPr>{_r("¤smart tag¤")}</w:smartTag>'
    ),
    _p(
        f'<w:customXml w:element="¤custom element:name¤">{_r("¤custom XML¤")}</w:customXml>'
    ),
    f"<w:customXml>{_p(_r('¤custom block¤'))}</w:customXml>",
    _p(f'<w:ins w:id="5" w:author="¤insert author:name¤">{_r("¤inserted¤")}</w:ins>'),
    _p('<w:del w:id="6"><w:r><w:delText>¤deleted¤</w:delText></w:r></w:del>' + _r("x")),
    _p(f'<w:moveTo w:id="7">{_r("¤moved here¤")}</w:moveTo>'),
    _p(
        '<w:moveFrom w:id="8"><w:r><w:t>¤moved away¤</w:t></w:r></w:moveFrom>' + _r("x")
    ),
    _p(
        f"<w:ruby><w:rt>{_r('¤ruby text¤')}</w:rt><w:rubyBase>{_r('¤ruby base¤')}"
        "</w:rubyBase></w:ruby>"
    ),
    _p("<m:oMath><m:r><m:t>¤math¤</m:t></m:r></m:oMath>"),
    _p(
        '<m:oMath><m:d><m:dPr><m:begChr m:val="¤begin sign¤"/><m:sepChr m:val="¤between sign¤"/>'
        '<m:endChr m:val="¤end sign¤"/></m:dPr><m:e><m:r><m:t>x</m:t></m:r></m:e></m:d></m:oMath>'
    ),
    _p(
        '<m:oMath><m:nary><m:naryPr><m:chr m:val="¤operator sign¤"/></m:naryPr></m:nary></m:oMath>'
    ),
    _p(
        f"<w:r><w:pict><v:shape><v:textbox>{_box('¤VML box¤')}</v:textbox></v:shape></w:pict></w:r>"
    ),
    _p(
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:wsp><wps:txbx>'
        f"{_box('¤shape box¤')}</wps:txbx></wps:wsp></w:drawing></mc:Choice></mc:AlternateContent></w:r>"
    ),
    _p(
        '<w:r><w:drawing><wp:docPr id="1" name="¤picture name:name¤" descr="¤alternative text¤" '
        'title="¤picture title¤"/><a:p><a:r><a:t>¤drawing text¤</a:t></a:r></a:p></w:drawing></w:r>'
    ),
    _p(
        '<w:r><w:pict><v:shape alt="¤VML alt¤"><v:textpath string="¤word art¤"/></v:shape></w:pict></w:r>'
    ),
    '<w:tbl><w:tblPr><w:tblCaption w:val="¤table caption:name¤"/><w:tblDescription '
    'w:val="¤table description:name¤"/></w:tblPr><w:tr><w:tc>'
    + _p(_r("¤cell¤"))
    + "</w:tc><w:tc>"
    + _p(_r("¤second cell¤"))
    + "<w:tbl><w:tr><w:tc>"
    + _p(_r("¤nested table¤"))
    + "</w:tc></w:tr></w:tbl>"
    + _p("")
    + "</w:tc></w:tr><w:sdt><w:sdtContent><w:tr><w:tc>"
    + _p(_r("¤row control¤"))
    + "</w:tc></w:tr></w:sdtContent></w:sdt></w:tbl>",
    "<w:tbl><w:tr><w:tc>"
    + _p(_r("¤tall cell, first line¤"))
    + _p(_r("¤tall cell, second line¤"))
    + "</w:tc></w:tr></w:tbl>",
    _p(
        _r("Paciente ")
        + _r("¤split run:name¤".replace("¤split", "¤split"))
        + _r(", control")
    ),
    _p(
        _r("antes")
        + "<w:r><w:tab/></w:r>"
        + _r("¤behind a tab¤")
        + "<w:r><w:br/></w:r>"
    ),
    _p("<w:r><w:cr/></w:r>" + _r("¤behind a return¤")),
    _p(_r("con") + "<w:r><w:noBreakHyphen/></w:r>" + _r("guion ¤behind a hyphen¤")),
    _p(f'<w:dir w:val="ltr">{_r("¤direction¤")}</w:dir>'),
    _p(f'<w:bdo w:val="rtl">{_r("¤override¤")}</w:bdo>'),
    _p(
        '<w:bookmarkStart w:id="3" w:name="¤bookmark:name¤"/>'
        + _r("x")
        + '<w:bookmarkEnd w:id="3"/>'
    ),
    _p('<w:permStart w:id="4" w:ed="¤permission:name¤"/>' + _r("x")),
    _p(_r("x"), '<w:pPr><w:rPr><w:rFonts w:ascii="¤font name:name¤"/></w:rPr></w:pPr>'),
    _p('<w:r w:rsidR="¤session:name¤"><w:t>x</w:t></w:r>'),
    _p('<w:r><w:rPr><w:lang w:val="¤language:name¤"/></w:rPr><w:t>x</w:t></w:r>'),
    _p('<w:r><w:sym w:font="¤symbol font:name¤" w:char="F0B7"/></w:r>' + _r("x")),
    '<w:p w14:paraId="¤paragraph id:name¤" w:desconocido="¤unknown attribute:name¤">'
    + _r("x")
    + "</w:p>",
    '<w:p x:nota="¤foreign attribute:name¤">' + _r("x") + "</w:p>",
    _p(
        '<w:desconocido w:val="¤unknown element value:name¤">¤unknown element¤</w:desconocido>'
        + _r("x")
    ),
    _p(f"<w:envoltura>{_r('¤unknown wrapper¤')}</w:envoltura>"),
    "<w:p><x:otro>¤foreign element¤</x:otro>" + _r("x") + "</w:p>",
    "<w:p>¤text in a paragraph¤" + _r("x") + "</w:p>",
    "<w:p><w:r>¤text in a run¤<w:t>x</w:t>¤text behind a text¤</w:r>¤text behind a run¤</w:p>",
    "¤text in the body¤",
    "<w:t>¤text element in the body¤</w:t>",
    "<w:tbl>¤text in a table¤<w:tr>¤text in a row¤<w:tc>¤text in a cell¤"
    + _p(_r("x"))
    + "<w:t>¤text element in a cell¤</w:t></w:tc></w:tr></w:tbl>",
    "<!-- ¤XML comment¤ -->",
    _p(
        _r("x"), "<w:pPr><w:rPr><w:t>¤text element in properties¤</w:t></w:rPr></w:pPr>"
    ),
    _p(
        '<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:endnoteReference w:id="2"/></w:r>'
    ),
    '<w:altChunk r:id="rId91"/>',
]
_RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_STRICT = "http://purl.oclc.org/ooxml/officeDocument/relationships/"
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_STYLES = (
    f"<w:styles {_W}><w:docDefaults/>"
    '<w:latentStyles><w:lsdException w:name="¤latent style:name¤"/></w:latentStyles>'
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Ttulo1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="¤style id:surname¤"><w:name w:val="¤style name:name¤"/>'
    '<w:aliases w:val="¤style alias:name¤"/><w:basedOn w:val="Normal"/><w:rPr>'
    '<w:rFonts w:hAnsi="¤style font:name¤"/></w:rPr></w:style></w:styles>'
)
_NUMBERING = (
    f'<w:numbering {_W}><w:abstractNum w:abstractNumId="0"><w:nsid w:val="¤list id:name¤"/>'
    '<w:name w:val="¤list name:name¤"/><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
    '<w:lvlText w:val="¤list label¤ %1."/></w:lvl></w:abstractNum><w:num w:numId="1">'
    '<w:abstractNumId w:val="0"/></w:num></w:numbering>'
)
_THEME = (
    '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="¤theme:name¤">'
    '<a:themeElements><a:clrScheme name="¤colours:name¤"><a:dk1><a:srgbClr val="000000"/></a:dk1></a:clrScheme>'
    '<a:fontScheme name="¤fonts:name¤"><a:majorFont><a:latin typeface="¤typeface:name¤"/></a:majorFont>'
    '</a:fontScheme><a:fmtScheme name="¤effects:name¤"/></a:themeElements></a:theme>'
)
_SETTINGS = (
    f'<w:settings {_W}><w:docVars><w:docVar w:name="p" w:val="¤variable:name¤"/></w:docVars>'
    '<w:mailMerge><w:query w:val="¤merge query:name¤"/></w:mailMerge></w:settings>'
)
_COMMENTS = (
    f'<w:comments {_W}><w:comment w:id="0" w:author="¤comment author:name¤" w:initials="AB">'
    + _p(_r("¤comment¤"))
    + "</w:comment></w:comments>"
)


def _notes(kind):
    root = f"{kind}s"
    return (
        f'<w:{root} {_W}><w:{kind} w:id="2">'
        + _p(_r(f"¤{kind}¤"))
        + f"</w:{kind}></w:{root}>"
    )


def _margin(tag, kind):
    return f"<w:{tag} {_W}>" + _p(_r(f"¤{kind}¤")) + f"</w:{tag}>"


def word_parts():
    """Return the parts of a Word document with marks: kind, type, content."""
    margins = {
        f"{place} {kind}": (tag, kind)
        for tag, kind in (("hdr", "header"), ("ftr", "footer"))
        for place in ("first", "default", "even")
    }
    body = "".join(_BODY)
    references, parts = "", []
    for number, (place, (tag, kind)) in enumerate(margins.items(), start=20):
        which = place.split()[0]
        references += f'<w:{kind}Reference w:type="{which}" r:id="rId{number}"/>'
        relation = (_STRICT if which == "even" else _RELS) + kind
        parts.append((relation, f"rId{number}", _MAIN + kind, _margin(tag, place)))
    document = f"<w:document {_W}><w:body>{body}<w:sectPr>{references}</w:sectPr></w:body></w:document>"
    parts += [
        (_RELS + "styles", "rId1", _MAIN + "styles", _STYLES),
        (_RELS + "numbering", "rId2", _MAIN + "numbering", _NUMBERING),
        (
            _RELS + "theme",
            "rId3",
            "application/vnd.openxmlformats-officedocument.theme",
            _THEME,
        ),
        (_RELS + "settings", "rId4", _MAIN + "settings", _SETTINGS),
        (_RELS + "comments", "rId5", _MAIN + "comments", _COMMENTS),
        (_RELS + "footnotes", "rId6", _MAIN + "footnotes", _notes("footnote")),
        (_STRICT + "endnotes", "rId7", _MAIN + "endnotes", _notes("endnote")),
        (
            _RELS + "customXml",
            "rId8",
            "application/xml",
            "<datos>¤custom part¤</datos>",
        ),
        (_RELS + "people", "rId9", "application/xml", "<p>¤people:name¤</p>"),
        (_RELS + "chart", "rId10", "application/xml", "<c>¤chart part¤</c>"),
        (
            _RELS + "glossaryDocument",
            "rId11",
            _MAIN + "document.glossary",
            f"<w:glossaryDocument {_W}>¤glossary¤</w:glossaryDocument>",
        ),
        (
            _RELS + "webSettings",
            "rId12",
            _MAIN + "webSettings",
            f"<w:webSettings {_W}><w:x>¤web settings:name¤</w:x></w:webSettings>",
        ),
        (_RELS + "aFChunk", "rId91", "application/xml", "<html>¤chunk¤</html>"),
        ("urn:desconocida", "rId92", "application/xml", "<x>¤unknown part¤</x>"),
    ]
    return document, parts


def word_file(places):
    """Return a Word document of all places."""
    document, parts = word_parts()
    overrides, links = "", ""
    files = {"word/document.xml": document}
    for relation, identifier, kind, content in parts:
        name = f"parte{identifier[3:]}.xml"
        files[f"word/{name}"] = content
        links += f'<Relationship Id="{identifier}" Type="{relation}" Target="{name}"/>'
        kind = kind if kind == "application/xml" else kind + "+xml"
        overrides += f'<Override PartName="/word/{name}" ContentType="{kind}"/>'
    links += (
        f'<Relationship Id="rId90" Type="{_RELS}hyperlink" Target="mailto:¤link target:surname¤" '
        'TargetMode="External"/>'
    )
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    core = "http://schemas.openxmlformats.org/package/2006/"
    rels = f'<Relationships xmlns="{core}relationships">'
    files["docProps/core.xml"] = (
        f'<cp:coreProperties xmlns:cp="{core}metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>¤title:name¤</dc:title>'
        "<dc:creator>¤creator:name¤</dc:creator><cp:keywords>¤keywords:name¤</cp:keywords>"
        "<cp:lastModifiedBy>¤last author:name¤</cp:lastModifiedBy></cp:coreProperties>"
    )
    files["docProps/app.xml"] = (
        '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">'
        "<Company>¤company:name¤</Company><Manager>¤manager:name¤</Manager></Properties>"
    )
    files["word/_rels/document.xml.rels"] = f"{rels}{links}</Relationships>"
    files["_rels/.rels"] = (
        f'{rels}<Relationship Id="rId1" Type="{_RELS}officeDocument" Target="word/document.xml"/>'
        f'<Relationship Id="rId2" Type="{core}relationships/metadata/core-properties" Target="docProps/core.xml"/>'
        f'<Relationship Id="rId3" Type="{_RELS}extended-properties" Target="docProps/app.xml"/></Relationships>'
    )
    files["[Content_Types].xml"] = (
        f'<Types xmlns="{core}content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" '
        f'ContentType="{_MAIN}document.main+xml"/><Override PartName="/docProps/core.xml" '
        'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>'
        f"{overrides}</Types>"
    )
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, head + filled(content, places))
        archive.writestr("word/suelto.xml", "<a>x</a>")
    return saved.getvalue()


_HTML = """<!-- ¤comment¤ --><!DOCTYPE html><html lang="es"><head><title>¤title¤</title>
<meta name="author" content="¤meta¤"><style>p::before{content:"¤style¤"}</style>
<body data-nota="¤data attribute¤"><p>¤paragraph¤</p><div>¤division¤</div><h1>¤heading¤</h1>
<ul><li>¤list item¤</ul><dl><dt>¤term¤<dd>¤definition¤</dl><blockquote>¤quotation¤</blockquote>
<pre>¤preformatted¤</pre><table><caption>¤caption¤</caption><tr><th>¤head cell¤<td>¤cell¤
<tr><td><p>¤paragraph in a cell¤</table><a href="mailto:¤link target:surname¤@x.mx" title="¤tooltip¤">¤link¤</a>
<img src="a.png" alt="¤alternative text¤"><span>¤span¤</span><b>¤bold¤</b><font>¤font¤</font>
<form><label>¤label¤</label><input value="¤input¤"><input type="hidden" value="¤hidden input¤">
<input placeholder="¤placeholder¤"><textarea>¤text area¤</textarea><button>¤button¤</button>
<select><option>¤choice¤<option selected>¤chosen¤</select><fieldset><legend>¤legend¤</legend></fieldset></form>
<noscript>¤no script¤</noscript><template><p>¤template¤</p></template>
<iframe srcdoc="&lt;p&gt;¤inner page¤&lt;/p&gt;">¤frame¤</iframe><object data="x">¤object¤</object>
<details><summary>¤summary¤</summary>¤details¤</details><div hidden>¤hidden¤</div><audio>¤audio¤</audio>
<svg><title>¤drawing title¤</title><text>¤drawing text¤</text></svg><math><mi>¤math¤</mi></math>
<span class="ocr_line" title="bbox 0 0 1 1">¤scanned line¤</span><ruby>¤ruby¤<rt>¤ruby text¤</rt></ruby>
<marquee>¤marquee¤</marquee><custom-tag>¤custom element¤</custom-tag><p aria-label="¤spoken label¤">x
<script>var x = "¤script¤"</script><p>¤behind a script¤</p></body>¤behind the body¤</html>¤behind the end¤"""


def html_file(places):
    """Return a page of all places."""
    return filled(_HTML, places).encode()


def _part(kind, text, extra=""):
    return f"--x\nContent-Type: {kind}; charset=utf-8\n{extra}\n{text}\n"


_MAIL = (
    "From: ¤sender:name¤ <a@x.mx>\nTo: ¤receiver:name¤ <b@x.mx>\nCc: ¤copy:name¤ <c@x.mx>\n"
    "Reply-To: ¤reply:name¤ <d@x.mx>\nBcc: ¤blind copy:name¤ <e@x.mx>\nSender: ¤real sender:name¤ <f@x.mx>\n"
    "Subject: ¤subject¤\nComments: ¤comments¤\nKeywords: ¤keywords:who¤\nX-Nota: ¤other header¤\n"
    "Organization: ¤organization header:name¤\nMIME-Version: 1.0\n"
    'Content-Type: multipart/mixed; boundary="x"\n\n¤preamble¤\n'
    + _part("text/plain", "¤plain part¤")
    + _part("text/html", "<p>¤HTML part¤</p><img alt='¤HTML attribute¤'>")
    + '--x\nContent-Type: multipart/alternative; boundary="y"\n\n--y\nContent-Type: text/plain; charset=utf-8\n\n'
    "¤plain form¤\n--y\nContent-Type: text/html; charset=utf-8\n\n<p>¤HTML form that says more¤</p>\n--y--\n"
    + '--x\nContent-Type: multipart/related; boundary="z"\n\n--z\nContent-Type: text/html; charset=utf-8\n\n'
    "<b>¤related page¤</b>\n--z--\n"
    + "--x\nContent-Type: message/rfc822\n\nFrom: ¤inner sender:name¤ <g@x.mx>\nSubject: ¤inner subject¤\n"
    "Content-Type: text/plain; charset=utf-8\n\n¤inner message¤\n"
    + "--x\nContent-Type: message/delivery-status\n\nFinal-Recipient: ¤delivery status¤\n\n"
    + _part("text/calendar", "BEGIN:VEVENT\nSUMMARY:¤calendar¤\nEND:VEVENT")
    + _part("text/vcard", "BEGIN:VCARD\nFN:¤card:name¤\nEND:VCARD")
    + _part(
        "text/csv",
        "nota\n¤table¤",
        'Content-Disposition: attachment; filename="¤file name:surname¤.csv"\n',
    )
    + _part("text/rtf", r"{\rtf1 ¤RTF part¤}")
    + _part("application/rtf", r"{\rtf1 ¤RTF application¤}")
    + _part("application/octet-stream", "¤octet stream¤")
    + _part("application/x-nota", "¤unknown application¤")
    + _part("application/json", '{"nota": "¤JSON part¤"}')
    + _part("application/xml", "<nota>¤XML part¤</nota>")
    + _part("text/x-desconocido", "¤unknown text¤")
    + _part(
        "text/plain",
        "¤attached text¤",
        'Content-Disposition: attachment; filename="nota.txt"\n',
    )
    + _part(
        "text/html",
        "<p>¤attached page¤</p>",
        'Content-Disposition: attachment; filename="a.html"\n',
    )
    + _part("text/plain", "@@BASE64@@", "Content-Transfer-Encoding: base64\n")
    + _part("text/plain", "@@QUOTED@@", "Content-Transfer-Encoding: quoted-printable\n")
    + _part(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "@@WORD@@",
        'Content-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="a.docx"\n',
    )
    + "--x\nContent-Type: multipart/mixed\n\n¤no boundary¤\n"
    + "--x\nContent-Type: text/plain; charset=no-hay\n\n¤unknown charset¤\n"
    + "--x\n\n¤no type¤\n"
    + "--x\nContent-Type: text/enriched\n\n<bold>¤enriched¤</bold>\n"
    + "--x--\n¤epilogue¤\n"
)


def mail_file(places):
    """Return a message of all places."""
    from docx import Document

    document, saved = Document(), io.BytesIO()
    document.add_paragraph(filled("¤attached Word document¤", places))
    document.save(saved)
    inner = base64.b64encode(filled("¤base64¤", places).encode()).decode()
    quoted = (
        filled("¤quoted-printable¤", places)
        .replace(",", "=2C")
        .replace(" toma", "=\n toma")
    )
    text = (
        filled(_MAIL, places).replace("@@BASE64@@", inner).replace("@@QUOTED@@", quoted)
    )
    return text.replace(
        "@@WORD@@", base64.b64encode(saved.getvalue()).decode()
    ).encode()


_RTF = r"""{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 ¤font:name¤;}}{\stylesheet{\s1 ¤style:name¤;}}
{\info{\title ¤title:name¤}{\author ¤author:name¤}{\doccomm ¤remark¤}}{\*\generator ¤generator:name¤;}
{\*\userprops{\propname ¤property:name¤}}{\header ¤header¤\par}{\footer ¤footer¤\par}{\headerf ¤first header¤}
{\footerl ¤left footer¤}¤body¤\par {\b ¤bold¤}\par{\v ¤hidden¤}\par x{\footnote ¤footnote¤}\par
{\*\annotation ¤annotation¤}{\*\atnauthor ¤annotation author:name¤}\par
{\field{\*\fldinst HYPERLINK "¤link:surname¤"}{\fldrslt ¤field result¤}}\par
{\upr{¤older form:name¤}{\*\ud ¤newer form¤}}\par\trowd ¤first cell¤\cell ¤second cell¤\cell\row
{\shp{\*\shpinst{\shptxt ¤shape text¤}}}\par{\*\bkmkstart ¤bookmark:name¤}{\*\xe ¤index entry¤}{\tc ¤contents entry¤}
{\listtext ¤list label¤\tab}x\par{\*\listtable{\list{\listname ¤list name:name¤;}}}{\deleted ¤deleted¤}
{\revised ¤inserted¤}\par{\*\desconocido ¤unknown destination¤}{\desconocida ¤unknown word¤}\par
{\pict\pngblip 89504e47 }{\*\mmath{\*\moMath{\mr ¤math¤}}}\par{\*\docvar {p}{¤variable:name¤}}
{\ul ¤underlined¤}{\i ¤italic¤}{\fs20 ¤small¤}{\cf1 ¤coloured¤}{\super ¤raised¤}\line ¤behind a line¤\par
{\object{\*\objdata 00}{\result ¤object result¤}}\par{\*\formfield{\*\ffdeftext ¤form default¤}}
{\pntext ¤paragraph number¤}\page ¤behind a page¤\sect ¤behind a section¤}} ¤behind a brace too many¤ {¤open brace¤"""


def rtf_file(places):
    """Return an RTF document of all places."""
    return filled(_RTF, places).encode("cp1252")


_HL7 = r"""MSH|^~\&|¤sending program:name¤|¤sending place:name¤|¤receiving program:name¤|¤receiving place:name¤|20230412||ORU^R01|¤control id:surname¤|P|2.5
PID|1|¤old id:digits¤|¤id:digits¤^^^HIS^MR|¤other id:digits¤|¤patient:upper¤|¤mother:upper¤|19900211|F|¤alias:upper¤||¤street:phone¤^^Uruapan^MIC^60000^MEX^H||^PRN^PH^^^^^¤phone:phone¤|¤work phone:digits¤
PD1||||1234567^¤doctor:upper¤
NK1|1|¤relative:upper¤|MTH^MADRE^HL70063|Calle 1^^Uruapan|¤relative phone:digits¤
PV1|1|I|URG^1^A||||1234567^¤attending:upper¤|¤referring:upper¤|7654321^¤consulting:upper¤||||||||||¤visit:digits¤
PV2|||^¤admission reason¤
GT1|1||¤guarantor:upper¤||Calle 2|¤guarantor phone:digits¤
IN1|1|A1|B2|SEGURO||||||||||||¤insured:upper¤
ORC|RE|¤placer order:digits¤|¤filler order:digits¤|||||||1^¤entered by:upper¤|2^¤verified by:upper¤|3^¤ordered by:upper¤
OBR|1|O1|F1|58410-2^BH^LN|||20230412|||1^¤collector:upper¤|||¤clinical information¤|||4^¤provider:upper¤
OBX|1|ST|1^NOTA||¤string¤
OBX|2|TX|1^NOTA||¤text¤
OBX|3|FT|1^NOTA||¤formatted text¤\.br\¤second line¤~¤repetition¤
OBX|4|XPN|1^N||¤value name:upper¤
OBX|5|XTN|1^T||¤value phone:digits¤
OBX|6|CE|1^D||^¤text of a code without code¤
OBX|7|CWE|1^D||E11^DIABETES^I10^^^^^^¤original text¤
OBX|8|XCN|1^D||77^¤value staff:upper¤
OBX|9|CX|1^D||¤value id:digits¤
OBX|10|ST|1^N||\H\¤highlighted¤\N\
OBX|11|ST|1^N||\Z¤own escape¤\
OBX|12|ST|1^N||@@HEX@@
OBX|13|ED|1^N||^TEXT^plain^A^¤attached¤
NTE|1|L|¤note¤
NTE|2|L|nota ~¤second part of a note¤
DG1|1||^¤diagnosis text¤
AL1|1|DA^DROGA^HL70127|PEN^PENICILINA|SV|¤reaction¤
TXA|1|OP|TX|20230412|9^¤text author:upper¤
ROL|1|AD|AT|6^¤role:upper¤
PRD|RP|¤referral:upper¤
ZZZ|1|¤own segment¤|x^¤component¤&¤part of a component¤
linea suelta ¤line of no segment¤"""


def hl7_file(places):
    """Return a message of all places."""
    hexed = filled("¤hexadecimal¤", places)
    hexed = f"\\X{hexed[:40].encode().hex().upper()}\\{hexed[40:]}"
    return filled(_HL7, places).replace("@@HEX@@", hexed).replace("\n", "\r").encode()


_FHIR = {
    "resourceType": "Bundle",
    "id": "¤bundle id:surname¤",
    "¤key:name¤": {"nota": "¤under a key¤"},
    "¤number as key:digits¤": 1,
    "entry": [
        {
            "fullUrl": "https://x.mx/Patient/¤full URL:surname¤",
            "request": {"method": "PUT", "url": "Patient?family=¤query:surname¤"},
            "resource": {
                "resourceType": "Patient",
                "id": "¤resource id:surname¤",
                "meta": {"source": "urn:oid:¤behind a prefix:surname¤"},
                "text": {
                    "div": "<div title='¤attribute of the narrative¤'><b>¤narrative¤</b><td>¤cell of the narrative¤</td></div>"
                },
                "identifier": [
                    {
                        "system": "http://hl7.org/fhir/¤behind a system:surname¤",
                        "value": "¤identifier:digits¤",
                    }
                ],
                "name": [
                    {
                        "text": "¤whole name:name¤",
                        "family": "¤family:surname¤",
                        "given": ["¤given:surname¤"],
                    }
                ],
                "telecom": [{"system": "phone", "value": "¤telecom:digits¤"}],
                "gender": "female",
                "birthDate": "1985-03-12",
                "address": [{"text": "¤address:surname¤", "line": ["¤line:surname¤"]}],
                "contact": [
                    {
                        "name": {"text": "¤contact:name¤"},
                        "telecom": [{"value": "¤contact phone:phone¤"}],
                    }
                ],
                "photo": [
                    {
                        "contentType": "image/png",
                        "data": "cGFjaWVudGU=",
                        "title": "¤photo title¤",
                    }
                ],
                "generalPractitioner": [
                    {
                        "reference": "Practitioner/¤reference:surname¤",
                        "display": "¤practitioner:name¤",
                    }
                ],
                "extension": [
                    {
                        "url": "https://x.mx/¤extension url:surname¤",
                        "valueString": "¤extension¤",
                    }
                ],
                "contained": [
                    {
                        "resourceType": "RelatedPerson",
                        "id": "r1",
                        "name": [{"family": "¤relative:surname¤"}],
                    }
                ],
                "_gender": {"extension": [{"valueMarkdown": "¤extension of a value¤"}]},
            },
        },
        {
            "resource": {
                "resourceType": "Observation",
                "status": "final",
                "code": {
                    "coding": [
                        {
                            "system": "http://loinc.org",
                            "code": "4548-4",
                            "display": "HbA1c",
                        }
                    ],
                    "text": "¤text of a concept¤",
                },
                "subject": {"reference": "Patient/1", "display": "¤subject:name¤"},
                "performer": [{"type": "Practitioner", "display": "¤performer:name¤"}],
                "note": [{"text": "¤note¤", "authorString": "¤note author:name¤"}],
                "valueString": "¤value¤",
                "interpretation": [{"text": "¤interpretation¤"}],
                "component": [
                    {"code": {"text": "¤component code¤"}, "valueString": "¤component¤"}
                ],
                "bodySite": {"text": "¤body site¤"},
            }
        },
        {
            "resource": {
                "resourceType": "QuestionnaireResponse",
                "item": [
                    {
                        "linkId": "1",
                        "text": "Nombre de la madre",
                        "answer": [{"valueString": "¤answered name:name¤"}],
                    },
                    {
                        "linkId": "2",
                        "text": "Teléfono",
                        "answer": [{"valueString": "¤answered phone:digits¤"}],
                    },
                    {
                        "linkId": "3",
                        "text": "¤question¤",
                        "answer": [
                            {
                                "valueString": "¤answer¤",
                                "item": [
                                    {
                                        "text": "x",
                                        "answer": [
                                            {"valueUri": "urn:¤answered URI:surname¤"}
                                        ],
                                    }
                                ],
                            }
                        ],
                    },
                ],
            }
        },
        {
            "resource": {
                "resourceType": "Condition",
                "code": {"text": "¤diagnosis¤"},
                "stage": [{"summary": {"text": "¤stage¤"}}],
                "asserter": {"display": "¤asserter:name¤"},
            }
        },
        {
            "resource": {
                "resourceType": "Composition",
                "title": "¤title¤",
                "section": [
                    {
                        "title": "¤section title¤",
                        "text": {"div": "<div>¤section&#58; numeric entity¤</div>"},
                    }
                ],
                "author": [{"display": "¤author:name¤"}],
            }
        },
        {
            "resource": {
                "resourceType": "MedicationRequest",
                "dosageInstruction": [
                    {"text": "¤dosage¤", "patientInstruction": "¤instruction¤"}
                ],
            }
        },
        {
            "resource": {
                "resourceType": "Communication",
                "payload": [{"contentString": "¤payload¤"}],
            }
        },
        {
            "resource": {
                "resourceType": "Organization",
                "name": "Clínica",
                "alias": ["¤alias¤"],
                "contact": [
                    {"name": {"family": "¤contact of an organisation:surname¤"}}
                ],
            }
        },
    ],
}


def fhir_file(places):
    """Return a bundle of all places."""
    return filled(json.dumps(_FHIR, ensure_ascii=False), places).encode()


_CDA = """<?xml version="1.0" encoding="UTF-8"?><!-- ¤comment¤ --><?nota ¤instruction¤?>
<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:q="urn:¤namespace:surname¤">
<id root="2.16.840.1.113883.3.215" extension="¤document id:surname¤"/><title>¤title¤</title><effectiveTime value="20230101"/>
<setId extension="¤set id:digits¤" root="1.2.3"/><recordTarget><patientRole><id extension="¤patient id:digits¤" root="¤root:surname¤"/>
<addr><streetAddressLine>¤street:surname¤</streetAddressLine><city>¤city:surname¤</city></addr><telecom value="tel:¤telecom:digits¤"/>
<patient><name><given>¤given:surname¤</given><family>¤family:surname¤</family></name><administrativeGenderCode code="M" codeSystem="2.16.840.1.113883.5.1"/>
<birthTime value="19850312"/><guardian><guardianPerson><name>¤guardian:name¤</name></guardianPerson></guardian></patient>
<providerOrganization><name>¤organisation:name¤</name></providerOrganization></patientRole></recordTarget>
<author><time value="20230101"/><assignedAuthor><id extension="¤author id:digits¤"/><assignedPerson><name><prefix>Dra.</prefix><given>¤author given:surname¤</given>
<family>¤author family:surname¤</family></name></assignedPerson></assignedAuthor></author><dataEnterer><assignedEntity><assignedPerson><name>¤enterer:name¤</name>
</assignedPerson></assignedEntity></dataEnterer><custodian><assignedCustodian><representedCustodianOrganization><telecom value="mailto:¤mail:surname¤@x.mx"/>
</representedCustodianOrganization></assignedCustodian></custodian><legalAuthenticator><assignedEntity><assignedPerson><name>¤authenticator:name¤</name></assignedPerson>
</assignedEntity></legalAuthenticator><participant typeCode="IND"><associatedEntity classCode="NOK"><associatedPerson><name>¤participant:name¤</name></associatedPerson>
</associatedEntity></participant><component><structuredBody><component><section><title>¤section title¤</title><text>¤narrative¤<br/>¤behind a break¤
<paragraph>¤paragraph¤</paragraph><list><item>¤list item¤</item></list><content styleCode="Bold">¤content¤</content><table><thead><tr><th>¤head cell¤</th></tr></thead>
<tbody><tr><td>¤cell¤</td><td ID="¤cell id:surname¤">¤second cell¤</td></tr></tbody></table><footnote>¤footnote¤</footnote><linkHtml href="https://x.mx/¤link:surname¤">¤link text¤</linkHtml>
<renderMultiMedia><caption>¤caption¤</caption></renderMultiMedia><![CDATA[¤marked section¤]]></text><entry><observation classCode="OBS" moodCode="EVN">
<code code="4548-4" codeSystem="2.16.840.1.113883.6.1" displayName="HbA1c"><originalText>¤original text¤</originalText><qualifier><name code="¤code that is none:name¤"/></qualifier></code>
<text>¤text of an entry¤</text><value xsi:type="ST">¤string value¤</value><value xsi:type="PQ" value="8.2" unit="%"/><value xsi:type="CD" displayName="¤name without a code¤"/>
<performer><assignedEntity><assignedPerson><name>¤performer:name¤</name></assignedPerson></assignedEntity></performer>
<entryRelationship><act><text><reference value="#¤reference:surname¤"/>¤act text¤</text></act></entryRelationship></observation></entry></section></component>
<component><section><text mediaType="text/plain">¤plain section¤</text></section></component></structuredBody></component>
<¤element:surname¤ ¤attribute:surname¤="¤own attribute¤">¤own element¤</¤element:surname¤><nota>Mar&#237;a ¤numeric entity¤</nota></ClinicalDocument>"""


def cda_file(places):
    """Return a clinical document of all places; an element ends as it began."""
    text = _CDA.replace("</¤element:surname¤>", "</@@END@@>")
    text = filled(text, places)
    name = next(place for place in places if place.name == "element").surname
    return text.replace("@@END@@", name).encode()


def pdf_file(places):
    """Return a PDF document of all places."""
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen import canvas

    saved = io.BytesIO()
    sheet = canvas.Canvas(saved, pagesize=A4)
    sheet.setTitle(filled("¤title:name¤", places))
    sheet.setAuthor(filled("¤author:name¤", places))
    fonts = ("Helvetica", "Times-Roman", "Courier", "Helvetica-Bold", "Times-Italic")
    for number, font in enumerate(fonts):
        sheet.setFont(font, 9 + number)
        sheet.drawString(40, 800 - 20 * number, filled(f"¤{font}¤", places))
    sheet.setFont("Helvetica", 10)
    x = 40.0
    for letter in filled("¤a letter an operator¤", places):
        sheet.drawString(x, 690, letter)
        x += sheet.stringWidth(letter)
    lines = sheet.beginText(40, 670)
    for line in filled("¤text object¤", places).split(", "):
        lines.textLine(line)
    lines.setCharSpace(1.5)
    lines.textLine(filled("¤wide letters¤", places))
    lines.setCharSpace(0)
    lines.setWordSpace(4)
    lines.textLine(filled("¤wide words¤", places))
    lines.setTextRenderMode(3)
    lines.textLine(filled("¤invisible¤", places))
    lines.setTextRenderMode(0)
    lines.setFillGray(1)
    lines.textLine(filled("¤white on white¤", places))
    lines.setFillGray(0)
    sheet.drawText(lines)
    sheet.saveState()
    sheet.translate(560, 100)
    sheet.rotate(90)
    sheet.drawString(0, 0, filled("¤turned¤", places))
    sheet.restoreState()
    sheet.beginForm("forma")
    sheet.drawString(40, 500, filled("¤form object¤", places))
    sheet.endForm()
    sheet.doForm("forma")
    sheet.drawString(40, 470, "Nombre:")
    sheet.drawString(300, 470, filled("¤second column:name¤", places))
    sheet.acroForm.textfield(
        name="nota", value=filled("¤form field¤", places), x=40, y=430, width=500
    )
    sheet.textAnnotation(filled("¤annotation¤", places), Rect=(40, 400, 60, 420))
    sheet.linkURL(filled("mailto:¤link:surname¤@x.mx", places), (0, 0, 9, 9))
    sheet.bookmarkPage("a")
    sheet.addOutlineEntry(filled("¤outline¤", places), "a")
    sheet.showPage()
    sheet.setPageRotation(180)
    sheet.drawString(40, 500, filled("¤page upside down¤", places))
    sheet.showPage()
    sheet.setPageSize((842, 595))
    sheet.drawString(40, 500, filled("¤wide page¤", places))
    sheet.drawString(40, 480, filled("¤wide page, second line¤", places))
    sheet.showPage()
    sheet.save()
    return _with_more(saved.getvalue(), places)


def _with_more(data, places):
    """Add what the library of pages does not write: attachments, a lone field."""
    from pypdf import PdfReader, PdfWriter
    from pypdf.generic import DictionaryObject, NameObject, TextStringObject

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.add_attachment("nota.txt", filled("¤attachment¤", places).encode())
    page = filled("<p>¤attached page¤</p>", places)
    writer.add_attachment("pagina.html", page.encode())
    lone = DictionaryObject(
        {
            NameObject("/T"): TextStringObject("campo"),
            NameObject("/FT"): NameObject("/Tx"),
            NameObject("/V"): TextStringObject(
                filled("¤field without a place¤", places)
            ),
        }
    )
    form = writer._root_object["/AcroForm"]
    form["/Fields"].append(writer._add_object(lone))
    note = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Annot"),
            NameObject("/Subtype"): NameObject("/FreeText"),
            NameObject("/RC"): TextStringObject(
                filled("<p>¤rich annotation¤</p>", places)
            ),
        }
    )
    writer.pages[0]["/Annots"].append(writer._add_object(note))
    writer.add_metadata({"/Keywords": filled("¤keywords:name¤", places)})
    saved = io.BytesIO()
    writer.write(saved)
    return saved.getvalue()


def sheet_file(places):
    """Return a workbook of all places."""
    from datetime import datetime

    from openpyxl import Workbook
    from openpyxl.comments import Comment
    from openpyxl.workbook.defined_name import DefinedName
    from openpyxl.worksheet.datavalidation import DataValidation

    def fill(mark):
        return filled(mark, places)

    book = Workbook()
    sheet = book.active
    sheet.title = fill("¤sheet title:name¤")
    sheet.append(["Nombre", "Teléfono", "Nota", "Fecha"])
    sheet.append(
        [
            fill("¤cell of names:name¤"),
            int(fill("¤number:digits¤")),
            fill("¤cell¤"),
            datetime(2023, 1, 2),
        ]
    )
    sheet["A4"], sheet["B5"] = fill("¤merged cell¤"), fill("¤hidden row¤")
    sheet.merge_cells("A4:C4")
    sheet.row_dimensions[5].hidden = True
    sheet["D6"], sheet["E7"] = fill("¤hidden column¤"), fill("¤far cell¤")
    sheet.column_dimensions["D"].hidden = True
    sheet["Z99"] = fill("¤very far cell¤")
    sheet["A2"].comment = Comment(fill("¤comment¤"), fill("¤comment author:name¤"))
    sheet["C2"].comment = Comment(fill("¤second comment¤"), "x")
    sheet["A8"] = '=CONCATENATE("' + fill("¤formula¤") + '",1)'
    sheet["A9"], sheet["A9"].hyperlink = (
        fill("¤link text¤"),
        fill("https://x.mx/¤link:surname¤"),
    )
    sheet["A10"].number_format = '"' + fill("¤number format:name¤") + '"0'
    sheet["A10"] = 5
    for margin in ("oddHeader", "oddFooter", "firstHeader", "evenFooter"):
        getattr(sheet, margin).center.text = fill(f"¤{margin}¤")
    rule = DataValidation(
        type="list",
        formula1='"' + fill("¤list:name¤") + ',otro"',
        prompt=fill("¤prompt¤"),
    )
    rule.error, rule.promptTitle = fill("¤error of a list¤"), "x"
    rule.add("F1")
    sheet.add_data_validation(rule)
    defined = fill("¤defined name:surname¤")
    book.defined_names[defined] = DefinedName(defined, attr_text="'x'!$A$1")
    other = book.create_sheet(fill("¤second title:surname¤"))
    other["A1"] = fill("¤second sheet¤")
    other.sheet_state = "hidden"
    other["A2"] = fill("¤hidden sheet¤") + "\nsegunda línea"
    for name in (
        "creator",
        "title",
        "subject",
        "description",
        "keywords",
        "lastModifiedBy",
    ):
        setattr(book.properties, name, fill(f"¤{name}:name¤"))
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()
