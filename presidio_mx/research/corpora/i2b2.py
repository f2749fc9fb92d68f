"""XML of the i2b2 2014 de-identification task, as MEDDOCAN offers it too.

``<deIdi2b2><TEXT>…</TEXT><TAGS><NAME id= start= end= text= TYPE= comment=/></TAGS>``.
The type is the attribute TYPE; the element is its group. Document types, and with them
entities, are refused.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

from presidio_mx.research.corpora.formats import (
    Broken,
    Format,
    Problem,
    Texts,
    make_span,
    require_same,
    write_folder,
)
from presidio_mx.text.spans import Note, Span

# Groups of Stubbs & Uzuner 2015, table 1; what is not here is OTHER.
_GROUPS = MappingProxyType(
    {
        "NAME": r"PERSON|NOMBRE.*",
        "LOCATION": r"ADDRESS|LOCATION|ORGANIZATION|DOM|CIUDAD|CALLE|TERRITORIO|PAIS"
        r"|HOSPITAL|INSTITUCION|CENTRO_SALUD",
        "AGE": r"AGE|EDAD.*",
        "DATE": r"DATE_TIME|FECHAS?",
        "CONTACT": r"PHONE_NUMBER|EMAIL_ADDRESS|URL|IP_ADDRESS|TEL|CORREO.*|NUMERO_.*",
        "ID": r"MX_.*|MEDICAL_RECORD|CREDIT_CARD|ID_.*",
        "PROFESSION": r"PROFESION",
    }
)


class _Builder(ElementTree.TreeBuilder):
    """Refuses a document type, so that no entity can be declared."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise Broken(0, "it declares a document type, which is refused")


def parse(identifier: str, data: bytes) -> Note:
    """Read one note.

    :param identifier: Id of the note.
    :param data: The XML.
    :return: The note.
    :raises Broken: If it is not such a document.
    """
    parser = ElementTree.XMLParser(target=_Builder())
    try:
        root = ElementTree.fromstring(data, parser)
    except ElementTree.ParseError as error:
        raise Broken(error.position[0], "not well-formed XML") from None
    text = root.findtext("TEXT")
    if text is None:
        raise Broken(0, "it has no TEXT element")
    group = root.find("TAGS")
    return Note(identifier, text, tuple(_spans(text, group)))


def _spans(text: str, group: ElementTree.Element | None) -> Iterator[Span]:
    for element in group if group is not None else ():
        name = element.get("id", element.tag)
        try:
            start, end = int(element.get("start", "")), int(element.get("end", ""))
        except ValueError:
            raise Broken(0, f"tag {name} has no whole start and end") from None
        quoted = element.get("text")
        stands = text[start:end] if 0 <= start <= end else ""
        # Line breaks in attributes read back as blanks.
        if quoted is not None and quoted.split() != stands.split():
            raise Broken(0, f"the text of tag {name} is not what stands there")
        entity_type = element.get("TYPE") or element.tag
        role = element.get("role")
        yield make_span(text, start, end, entity_type, role=role)


def render(note: Note) -> str:
    """Return the XML of a note.

    :param note: The note.
    :return: A document.
    :raises InputError: If XML cannot hold the text.
    """
    rows = []
    for number, span in enumerate(note.spans):
        values = {
            "id": f"P{number}",
            "start": str(span.start),
            "end": str(span.end),
            "text": note.covered(span),
            "TYPE": span.entity_type,
            "comment": "",
        } | ({"role": span.role} if span.role else {})
        cells = " ".join(f"{key}={quoteattr(value)}" for key, value in values.items())
        rows.append(f"<{_group(span.entity_type)} {cells} />\n")
    text = escape(note.text, {"\r": "&#13;"})
    document = (
        '<?xml version="1.0" encoding="UTF-8" ?>\n<deIdi2b2>\n'
        f"<TEXT>{text}</TEXT>\n<TAGS>\n{''.join(rows)}</TAGS>\n</deIdi2b2>\n"
    )
    try:
        again = parse(note.id, document.encode("utf-8"))
    except (Broken, UnicodeEncodeError):
        again = Note(note.id, "")
    require_same(note, again, "i2b2")
    return document


def _group(entity_type: str) -> str:
    for group, pattern in _GROUPS.items():
        if re.fullmatch(pattern, entity_type):
            return group
    return "OTHER"


def read(path: Path, identifier: str, texts: Texts) -> Iterator[Note | Problem]:
    """Yield the note of a file.

    :param path: The file.
    :param identifier: Id of the note.
    :param texts: Not needed.
    """
    yield parse(identifier, path.read_bytes())


def write(notes: Iterable[Note], folder: Path) -> list[str]:
    """Write one ``.xml`` file a note.

    :param notes: The notes.
    :param folder: A folder.
    :return: A sentence for each note that could not be written.
    """
    return write_folder(notes, folder, lambda note: {".xml": render(note)})


FORMAT = Format("i2b2", ".xml", read, write, per_note=True)
