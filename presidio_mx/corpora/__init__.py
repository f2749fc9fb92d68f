"""Annotated corpora: one form for notes, readers, writers, alignment."""

from presidio_mx.corpora.notes import Note, Span

__all__ = ["Note", "Span"]
