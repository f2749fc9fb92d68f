"""spaCy's DocBin, for training and for spaCy's own tools.

Spans stand in ``doc.spans["sc"]`` and, where they do not overlap, in ``doc.ents``. The
tokens are words, signs and white space, cut at the edges of spans.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from presidio_mx.research.corpora.formats import (
    Broken,
    Format,
    Problem,
    Texts,
    rendered,
    require_same,
)
from presidio_mx.research.corpora.onefile import write_file
from presidio_mx.text.spans import Note, Span

GROUP = "sc"
_PIECE = re.compile(r"\w+|[^\w\s]|\s")


def _words(note: Note) -> tuple[list[str], list[bool]]:
    edges = {edge for span in note.spans for edge in (span.start, span.end)}
    words: list[str] = []
    spaces: list[bool] = []
    for match in _PIECE.finditer(note.text):
        start, end = match.span()
        if match[0] == " " and words and not spaces[-1] and start not in edges:
            spaces[-1] = True
            continue
        # A blank that starts a new piece after an edge belongs to the word before it
        # only if no span begins at the blank itself.
        cuts = sorted({start, end} | {e for e in edges if start < e < end})
        for left, right in zip(cuts, cuts[1:], strict=False):
            words.append(note.text[left:right])
            spaces.append(False)
    return words, spaces


def to_doc(note: Note, vocab: Any) -> Any:
    """Return a note as a spaCy document.

    :param note: The note.
    :param vocab: A spaCy vocabulary.
    :return: A ``Doc`` with exactly the note's text.
    """
    from spacy.tokens import Doc
    from spacy.util import filter_spans

    words, spaces = _words(note)
    doc = Doc(vocab, words=words, spaces=spaces)
    marked = []
    for span in note.spans:
        found = doc.char_span(span.start, span.end, label=span.entity_type)
        if found is not None:
            found.id_ = span.role or ""
            marked.append(found)
    doc.spans[GROUP] = marked
    if len(filter_spans(marked)) == len(marked):
        doc.ents = marked
    doc.user_data["id"] = note.id
    return doc


def from_doc(doc: Any, identifier: str) -> Note:
    """Return a spaCy document as a note.

    :param doc: The document; its spans are taken from the group, else its entities.
    :param identifier: Id where the document has none.
    :return: The note.
    """
    marked = doc.spans[GROUP] if GROUP in doc.spans else doc.ents
    spans = tuple(
        Span(s.start_char, s.end_char, s.label_, s.id_ or None)
        for s in marked
        if s.start_char < s.end_char
    )
    return Note(str(doc.user_data.get("id", identifier)), doc.text, spans)


def read(path: Path, identifier: str, texts: Texts) -> Iterator[Note | Problem]:
    """Yield the notes of a file.

    :param path: A ``.spacy`` file.
    :param identifier: Its stem.
    :param texts: Not needed.
    """
    import spacy
    from spacy.tokens import DocBin

    try:
        stored = DocBin().from_bytes(path.read_bytes())
        docs = list(stored.get_docs(spacy.blank("es").vocab))
    except Exception as error:
        raise Broken(0, f"not a DocBin ({type(error).__name__})") from None
    for number, doc in enumerate(docs, start=1):
        yield from_doc(doc, f"{identifier}-{number}")


def write(notes: Iterable[Note], path: Path) -> list[str]:
    """Write notes to one ``.spacy`` file.

    :param notes: The notes.
    :param path: A new file.
    :return: A sentence for each note that could not be written.
    """
    import spacy
    from spacy.tokens import DocBin

    vocab = spacy.blank("es").vocab

    def render(note: Note) -> Any:
        try:
            doc = to_doc(note, vocab)
        except UnicodeEncodeError:
            require_same(note, Note(note.id, ""), "docbin")
        require_same(note, from_doc(doc, note.id), "docbin")
        return doc

    stored = DocBin(store_user_data=True)
    problems: list[str] = []
    for _, doc in rendered(notes, render, problems):
        stored.add(doc)
    write_file(path, stored.to_bytes())
    return problems


FORMAT = Format("docbin", ".spacy", read, write, per_note=False)
