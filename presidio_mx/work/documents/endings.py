"""What the ending of a file's name says: which reader goes with it."""

from pathlib import Path
from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of file.

    :param module: Module of this folder that reads it.
    :param function: The reader in it.
    :param package: Optional package that it needs.
    :param as_text: Whether the text alone is written.
    """

    module: str
    function: str
    package: str = ""
    as_text: bool = False


_HTML = Kind("html_text", "open_html", as_text=True)
_XML = Kind("xml_file", "open_xml", "defusedxml")
_LINES = Kind("json_file", "open_lines")
KINDS = {
    ".docx": Kind("word_file", "open_word", "docx"),
    ".pdf": Kind("pdf_text", "open_pdf", "pypdf", as_text=True),
    ".rtf": Kind("rtf_text", "open_rtf", "striprtf", as_text=True),
    ".html": _HTML,
    ".htm": _HTML,
    ".xhtml": _HTML,
    ".eml": Kind("mail_text", "open_mail", as_text=True),
    ".hl7": Kind("hl7_file", "open_hl7"),
    ".json": Kind("json_file", "open_json"),
    ".ndjson": _LINES,
    ".jsonl": _LINES,
    ".xml": _XML,
    ".cda": _XML,
}


def kind_of_file(file: str | Path) -> Kind | None:
    """Return what a file is by its name; None for plain text.

    :param file: A path.
    """
    return KINDS.get(Path(file).suffix.lower())


def written_as(file: str | Path) -> str:
    """Return the ending of what is written for a file.

    :param file: A path.
    """
    kind = kind_of_file(file)
    return ".txt" if kind and kind.as_text else Path(file).suffix.lower()
