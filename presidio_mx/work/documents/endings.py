"""What the ending of a file's name says: which reader goes with it."""

from pathlib import Path
from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of file.

    :param module: Module of this folder that reads it.
    :param function: The reader in it.
    :param packages: Optional packages that it needs.
    :param as_text: Whether the text alone is written.
    :param outs: What can be written, if there is a choice.
    :param extra: The extra that brings the packages.
    """

    module: str
    function: str
    packages: tuple[str, ...] = ()
    as_text: bool = False
    outs: tuple[str, ...] = ()
    extra: str = "documents"


_HTML = Kind("html_text", "open_html", ("html5lib",), as_text=True)
_XML = Kind("xml_file", "open_xml", ("defusedxml",))
_LINES = Kind("json_file", "open_lines")
_ZIPPED = Kind("zipped_text", "open_zipped", ("lxml",), as_text=True)
_CUES = Kind("cues_file", "open_cues")
_SCAN = Kind(
    "scan_file",
    "open_scan",
    ("PIL", "pypdfium2"),
    as_text=True,
    outs=("text", "pdf", "image"),
    extra="ocr",
)
KINDS = {
    ".docx": Kind("word_file", "open_word", ("docx",)),
    ".pdf": Kind(
        "pdf_file",
        "open_pdf",
        ("pypdf", "pypdfium2"),
        as_text=True,
        outs=("text", "pdf"),
    ),
    ".rtf": Kind("rtf_text", "open_rtf", as_text=True),
    ".html": _HTML,
    ".htm": _HTML,
    ".xhtml": _HTML,
    ".hocr": _HTML,
    ".eml": Kind("mail_text", "open_mail", ("html5lib",), as_text=True),
    ".hl7": Kind("hl7_file", "open_hl7", ("hl7apy",)),
    ".json": Kind("json_file", "open_json"),
    ".ndjson": _LINES,
    ".jsonl": _LINES,
    ".xml": _XML,
    ".cda": _XML,
    ".xlsx": Kind("sheet_file", "open_sheets", ("openpyxl",)),
    ".pptx": _ZIPPED,
    ".odt": _ZIPPED,
    ".srt": _CUES,
    ".vtt": _CUES,
    ".png": _SCAN,
    ".jpg": _SCAN,
    ".jpeg": _SCAN,
    ".tif": _SCAN,
    ".tiff": _SCAN,
}
REFUSED = {
    **dict.fromkeys((".doc", ".docm", ".dot"), "save it as .docx"),
    **dict.fromkeys((".xls", ".xlsm"), "save it as .xlsx"),
    ".ppt": "save it as .pptx",
    ".msg": "save it as .eml, or its text as .txt",
    **dict.fromkeys((".ods", ".odp"), "save it as .xlsx or .pptx"),
}
"""Files of notes that nobody here reads, and what to do with them."""


def kind_of_file(file: str | Path) -> Kind | None:
    """Return what a file is by its name; None for plain text.

    :param file: A path.
    """
    return KINDS.get(Path(file).suffix.lower())


def written_as(file: str | Path, out_kind: str = "") -> str:
    """Return the ending of what is written for a file.

    :param file: A path.
    :param out_kind: What the user asked for.
    """
    kind = kind_of_file(file)
    if kind is not None and kind.outs and out_kind in ("pdf", "image"):
        return ".pdf" if out_kind == "pdf" else ".png"
    return ".txt" if kind and kind.as_text else Path(file).suffix.lower()
