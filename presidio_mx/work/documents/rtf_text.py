"""The text of an RTF document."""

import re
from collections import Counter

from striprtf.striprtf import rtf_to_text

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding
from presidio_mx.text.reading.mend import mend
from presidio_mx.work.documents.opened import Dropped
from presidio_mx.work.documents.prose import Prose

_SIGNATURE = b"{\\rtf"
_CODEC = "cp1252"
# Destinations of the specification (RTF 1.9.1) whose text striprtf passes over.
_PASSED_OVER = (
    (
        Dropped.HEADS,
        re.compile(rb"\\(?:(?:header|footer)[lrf]?|footnote|shptxt)\b"),
    ),
    (Dropped.COMMENTS, re.compile(rb"\\annotation\b")),
    (Dropped.PICTURES, re.compile(rb"\\pict\b")),
    (Dropped.OBJECTS, re.compile(rb"\\objdata\b")),
)


def open_rtf(data: bytes, name: str, encoding: Encoding | None = None) -> Prose:
    r"""Read an RTF document.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Encoding of its ``\'xx``, if it does not say it itself.
    :raises InputError: If it is no RTF, or its letters cannot be read.
    """
    if not data.lstrip().startswith(_SIGNATURE):
        raise InputError(f"{name}: is no RTF document; name it .txt if it is a text")
    try:
        text: str = rtf_to_text(  # type: ignore[no-untyped-call]
            data.decode(_CODEC, "replace"), encoding.name if encoding else _CODEC
        )
    except (UnicodeError, ValueError, LookupError):
        raise InputError(
            f"{name}: its letters cannot be read; save it as .docx or .txt"
        ) from None
    dropped = Counter({Dropped.PROPERTIES: 0})
    for what, pattern in _PASSED_OVER:
        if number := len(pattern.findall(data)):
            dropped[what] = number
    return Prose(mend(text, name).text, dropped)
