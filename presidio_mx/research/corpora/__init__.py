"""Annotated corpora: one form for notes, readers, writers, alignment, synthesis."""

from presidio_mx.research.corpora.formats import Problem
from presidio_mx.research.corpora.store import (
    FORMATS,
    Corpus,
    read_corpus,
    write_corpus,
)
from presidio_mx.schemes import in_scheme
from presidio_mx.text.spans import Note, Span

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
