"""Tell a text from what is none: documents, archives, pictures, programs."""

import re

from presidio_mx.errors import InputError

# First bytes of formats (https://www.iana.org/assignments/media-types and the formats'
# own specifications), and what to do with such a file.
_SAVE = "save it as plain text (UTF-8)"
_NAME = "name it with the ending {} or save it as plain text (UTF-8)"
_UNPACK = "unpack it first"
_ARCHIVE = "give a Word file the ending .docx; unpack an archive of notes first"
_RECOGNISE = "its text must be recognised first"
_SIGNATURES = (
    (b"{\\rtf", "an RTF document", _NAME.format(".rtf")),
    (b"%PDF", "a PDF document", _NAME.format(".pdf")),
    (b"PK\x03\x04", "a zip archive (.docx, .xlsx, .odt ...)", _ARCHIVE),
    (b"PK\x05\x06", "an empty zip archive", _SAVE),
    (b"\xd0\xcf\x11\xe0", "an old Office document (.doc, .xls, .msg)", _SAVE),
    (b"\x1f\x8b", "compressed by gzip", _UNPACK),
    (b"BZh", "compressed by bzip2", _UNPACK),
    (b"\xfd7zXZ", "compressed by xz", _UNPACK),
    (b"7z\xbc\xaf", "a 7z archive", _UNPACK),
    (b"Rar!", "a RAR archive", _UNPACK),
    (b"\x89PNG", "a picture", _RECOGNISE),
    (b"\xff\xd8\xff", "a picture", _RECOGNISE),
    (b"GIF8", "a picture", _RECOGNISE),
    (b"II*\x00", "a picture", _RECOGNISE),
    (b"MM\x00*", "a picture", _RECOGNISE),
    (b"\x7fELF", "a program", "give a text"),
    (b"SQLite format 3", "a database", "export its tables first"),
    (b"PAR1", "a Parquet file", "name it with the ending .parquet"),
)
_BLANKS = b" \t\r\n\x00\xef\xbb\xbf"
# \t \n \v \f \r and the separators \x1c-\x1f are white space to Python as well.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f]")
_MOST = 0.01


def refuse_other_kinds(head: bytes, name: str) -> None:
    """Refuse what is no text, by its first bytes.

    :param head: The beginning of the file, 16 bytes or more if it has them.
    :param name: What to call it in the error.
    :raises InputError: Naming its kind and the way out.
    """
    begin = head[:64].lstrip(_BLANKS)
    for signature, kind, way_out in _SIGNATURES:
        if head.startswith(signature) or begin.startswith(signature):
            raise InputError(f"{name}: is {kind}, not plain text; {way_out}")
    if head[128:132] == b"DICM":
        raise InputError(f"{name}: is a DICOM file, not plain text")


def refuse_control_characters(text: str, name: str = "") -> None:
    """Refuse a text with NULs, or with more control characters than slips in.

    Recognizers look at words; letters with NULs between them are none, and the whole
    note would pass in clear.

    :param text: The text.
    :param name: What to call it in the error; empty for a row.
    :raises InputError: If it is binary, or text in another encoding.
    """
    text = text.rstrip("\x1a")  # DOS's end of a file
    if not _CONTROL.search(text):
        return
    found = _CONTROL.findall(text)
    if found and ("\x00" in found or len(found) > _MOST * len(text)):
        where = f"{name}: " if name else ""
        raise InputError(
            f"{where}holds control characters ({len(found):,}), so that it is no plain "
            "text or has another encoding"
        )
