"""Annotated corpora: one form for notes, readers, writers, alignment, synthesis."""

from presidio_mx.corpora.formats import Problem
from presidio_mx.corpora.notes import Note, Span
from presidio_mx.corpora.schemes import in_scheme
from presidio_mx.corpora.store import FORMATS, Corpus, read_corpus, write_corpus

__all__ = [
    "FORMATS",
    "Corpus",
    "Note",
    "Problem",
    "Span",
    "in_scheme",
    "read_corpus",
    "write_corpus",
]
