"""Prepare a note: its words, once what scanners and hurry did to them is undone."""

import re

from presidio_mx.find.note.bars import bars
from presidio_mx.find.note.broken_codes import broken_codes
from presidio_mx.find.note.broken_words import (
    broken_words,
    letters_apart,
    run_together,
)
from presidio_mx.find.note.document import Document, tokenise
from presidio_mx.find.note.lexicon import Flag, Lexicon, load_lexicon
from presidio_mx.find.note.misread import misread_words
from presidio_mx.find.note.pieces_of_words import in_pieces, whole_words
from presidio_mx.find.note.scans import LABELS, scan_slips, scanned
from presidio_mx.find.note.spread import drawn_together, spread
from presidio_mx.find.note.working_text import (
    WorkingText,
    with_blanks,
    working_text,
)

# A label and the number behind it, without a blank: "FECHA12/03/19", "Edad43a".
_LABEL_AND_NUMBER = re.compile(rf"(?<![^\W_])(?:{LABELS})(?=\d{{2}}|\d[\d/.,a-z-]*\d)")


def prepare(source: WorkingText | str, lexicon: Lexicon) -> Document:
    """Prepare a note.

    :param source: The note as given, or its working text.
    :param lexicon: What is known of words.
    :return: The document; its spans lead back to the note by ``document.source``.
    """
    if isinstance(source, str):
        source = working_text(source)
    source = source.edited(bars(source.text, lexicon))
    document = tokenise(source, lexicon)
    if in_pieces(document, lexicon):
        whole = document.source.edited(tuple(whole_words(document, lexicon)))
        document = tokenise(whole, lexicon)
    apart = spread(source.text)
    broken = from_scanner(document)
    if apart:
        together = document.source.edited(tuple(drawn_together(document, lexicon)))
        together = together.edited(tuple(scan_slips(together.text, sure=True)))
        document = tokenise(together, lexicon)
    if broken:
        together = document.source.edited(tuple(letters_apart(document.text)))
        if together is not document.source:
            together = together.edited(tuple(scan_slips(together.text, sure=True)))
        together = together.edited(tuple(broken_codes(together.text)))
        if together is not document.source:
            document = tokenise(together, lexicon)
        misread = tuple(misread_words(document, lexicon))
        if misread:
            document = tokenise(document.source.edited(misread), lexicon)
        whole = document.source.edited(tuple(broken_words(document, lexicon)))
        if whole is not document.source:
            document = tokenise(whole, lexicon)
    glued = set(_glued_words(document, lexicon))
    glued.update(m.end() for m in _LABEL_AND_NUMBER.finditer(document.folded))
    if broken and not apart:
        glued.update(run_together(document, lexicon))
    if glued:
        document = tokenise(with_blanks(document.source, sorted(glued)), lexicon)
    return document


def readable(source: WorkingText | str) -> WorkingText:
    """Return a note as a model reads it: what scanners and hurry did to it is undone.

    Words that a scanner cut, spread or glued are whole again, letters that it took for
    digits are letters. A model learns from such text and is shown no other.

    :param source: The note as given, or its working text.
    """
    return prepare(source, load_lexicon()).source


def from_scanner(document: Document) -> bool:
    """Tell whether a note came from a scanner.

    :param document: The note.
    """
    original = document.source.original
    return spread(original) or scanned(original)


def _glued_words(document: Document, lexicon: Lexicon) -> list[int]:
    """Return offsets of the text where a trigger and the next word are glued."""
    found: list[int] = []
    words = document.words
    for index, flag in enumerate(document.flags):
        if flag or len(words[index]) < 5:
            continue
        start = document.starts[index]
        written = document.text[start : document.ends[index]]
        for cut in range(2, len(written) - 2):
            if not (written[cut].isupper() and written[cut - 1].islower()):
                continue
            if document.words[index][:cut] == "mc":
                continue  # McBurney
            parts = (document.words[index][:cut], document.words[index][cut:])
            if any(lexicon.flags.get(part, 0) & Flag.ANCHOR for part in parts):
                found.append(start + cut)
                break
    return found
