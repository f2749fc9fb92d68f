"""Files of which the text alone is written: their form could hide identifiers."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from presidio_mx.work.documents.opened import (
    Change,
    LeftOut,
    Part,
    Sure,
    changed,
    line_of,
)


@dataclass(frozen=True, repr=False)
class Prose:
    """A text that was taken out of a file.

    :param text: The text.
    :param left_out: What of the file is not in it.
    :param suffix: Ending of the new file.
    :param sure: What the format says identifies somebody.
    """

    text: str
    left_out: LeftOut = field(default_factory=LeftOut)
    suffix: str = ".txt"
    sure: Sequence[Sure] = ()

    @property
    def parts(self) -> Sequence[Part]:
        """Return the text."""
        return (Part(self.text, sure=self.sure),)

    def place(self, part: int, offset: int) -> str:
        """Return the line.

        :param part: The one there is.
        :param offset: Where in it.
        """
        return line_of(self.text, offset)

    def written(self, changes: Sequence[Sequence[Change]]) -> bytes:
        """Return the new text as UTF-8.

        :param changes: For the one part what is replaced in it.
        """
        return changed(self.text, changes[0]).encode("utf-8", "surrogatepass")
