"""The one form in which every reader gives and every writer takes a note."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Span:
    """A marked piece of a note.

    :param start: Offset of the first character, in code points.
    :param end: Offset after the last character.
    :param entity_type: Type in the scheme of the corpus (see ``schemes``).
    :param role: patient, relative, staff or other, for persons where it is known.
    :param score: Confidence from 0 to 1, of a prediction.
    :param recognizer: Name of the recognizer that made a prediction.
    """

    start: int
    end: int
    entity_type: str
    role: str | None = None
    score: float | None = None
    recognizer: str | None = None

    def __post_init__(self) -> None:
        """Refuse a span that covers nothing."""
        if not 0 <= self.start < self.end:
            raise ValueError(f"a span cannot run from {self.start} to {self.end}")

    def overlaps(self, other: "Span") -> bool:
        """Tell whether two spans share a character."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Note:
    """A text with its spans, ordered by where they start, longest first.

    :param id: Name of the note, unique in its corpus (a file's stem, a row's id).
    :param text: The text, exactly as stored.
    :param spans: Marked pieces; they may overlap.
    """

    id: str
    text: str
    spans: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        """Order the spans and refuse one that leaves the text."""
        ordered = sorted(self.spans, key=lambda s: (s.start, -s.end, s.entity_type))
        for span in ordered:
            if span.end > len(self.text):
                raise ValueError(
                    f"a span runs from {span.start} to {span.end}, "
                    f"but the text has {len(self.text)} characters"
                )
        object.__setattr__(self, "spans", tuple(ordered))

    def covered(self, span: Span) -> str:
        """Return the text under a span.

        :param span: A span of this note.
        :return: The piece of text.
        """
        return self.text[span.start : span.end]

    def with_spans(self, spans: tuple[Span, ...]) -> "Note":
        """Return the same note with other spans.

        :param spans: The new spans.
        :return: A new note.
        """
        return replace(self, spans=spans)
