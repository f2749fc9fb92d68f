"""Show a text with its entities marked: in a terminal, a notebook or a page."""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.text import Text

# Colours on which black letters can be read (contrast over 7:1), each with the name
# that terminals know it by. The entity's name always stands beside its colour.
_COLOURS = (
    ("#ffd27f", "light_goldenrod2"),
    ("#a8e6a1", "light_green"),
    ("#9fd8ff", "sky_blue1"),
    ("#ffb3c7", "light_pink1"),
    ("#d9c2ff", "plum1"),
    ("#b6ece4", "pale_turquoise1"),
    ("#e4e08a", "khaki1"),
)
_STYLE = (
    "white-space:pre-wrap;line-height:1.8;font-family:inherit;color:#111;"
    "background:#fff;padding:.5em"
)
_PAGE = """\
<!doctype html>
<html lang="es">
<meta charset="utf-8">
<title>presidio-mx</title>
<meta name="viewport" content="width=device-width">
<body style="max-width:60em;margin:auto;font-family:sans-serif">
{body}
</body>
</html>
"""


def display(text: str, results: Sequence[Any]) -> "Marked":
    """Return a text that shows itself, with what was found marked, in a notebook.

    >>> display(note, presidio_mx.analyze(note))

    It holds the note's text: a notebook that is saved with its output does, too.

    :param text: The note, or the text of an anonymized note.
    :param results: Presidio's results for it, or items of an anonymized text.
    :return: An object with ``_repr_html_``, ``rich()`` for terminals and ``page()``.
    """
    marks = [
        Mark(result.start, result.end, str(result.entity_type), _hint(result))
        for result in results
    ]
    return Marked(text, tuple(_apart(marks, len(text))))


def replaced(text: str, items: Sequence[Any]) -> "Marked":
    """Return an anonymized text that shows itself, its replacements marked.

    :param text: The new text.
    :param items: What was done, as :class:`presidio_mx.AnonymizedText` holds it.
    """
    marks = [
        Mark(item.new_start, item.new_end, item.entity_type, _hint(item))
        for item in items
    ]
    return Marked(text, tuple(_apart(marks, len(text))))


@dataclass(frozen=True)
class Mark:
    """What is marked.

    :param start: Where it begins.
    :param end: Where it ends.
    :param label: What it is called.
    :param hint: What else is known of it: role, score, rule.
    """

    start: int
    end: int
    label: str
    hint: str = ""


@dataclass(frozen=True)
class Marked:
    """A text with marks that do not overlap.

    :param text: The text.
    :param marks: The marks in reading order.
    """

    text: str = field(repr=False)
    marks: tuple[Mark, ...]

    def _pieces(self) -> Iterator[tuple[str, Mark | None]]:
        position = 0
        for mark in self.marks:
            yield self.text[position : mark.start], None
            yield self.text[mark.start : mark.end], mark
            position = mark.end
        yield self.text[position:], None

    def _repr_html_(self) -> str:
        """Return the text for a notebook."""
        body = "".join(
            escape(piece) if mark is None else _html(piece, mark)
            for piece, mark in self._pieces()
        )
        return f'<div style="{_STYLE}">{body}</div>'

    def page(self) -> str:
        """Return a page of its own."""
        return _PAGE.format(body=self._repr_html_())

    def rich(self) -> "Text":
        """Return the text for a terminal; without colours its marks are brackets."""
        from rich.text import Text

        shown = Text()
        for piece, mark in self._pieces():
            if mark is None:
                shown.append(piece)
            else:
                style = f"black on {_colour(mark.label)[1]}"
                shown.append(f"[{piece}]", style).append(f" {mark.label} ", "dim")
        return shown


def _hint(result: Any) -> str:
    """Return what is known of a result or item beside its type."""
    metadata = getattr(result, "recognition_metadata", None) or {}
    role = getattr(result, "role", None) or metadata.get("role")
    rule = metadata.get("rule") or getattr(result, "operator", "")
    score = getattr(result, "score", None)
    said = (role, None if score is None else f"{score:.2f}", rule)
    return ", ".join(filter(None, said))


def _apart(marks: Sequence[Mark], length: int) -> Iterator[Mark]:
    """Yield marks in reading order; of those that overlap, the later one is cut."""
    position = 0
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        start, end = max(mark.start, position), min(mark.end, length)
        if start < end:
            yield replace(mark, start=start, end=end)
            position = end


def _colour(label: str) -> tuple[str, str]:
    """Return an entity's colour, the same in every run."""
    return _COLOURS[zlib.crc32(label.encode()) % len(_COLOURS)]


def _html(piece: str, mark: Mark) -> str:
    style = f"background:{_colour(mark.label)[0]};color:#111;padding:.1em .2em"
    return (
        f'<mark style="{style}" title="{escape(mark.hint)}">{escape(piece)}'
        f"<sub>&nbsp;{escape(mark.label)}</sub></mark>"
    )
