"""Files of which the text alone is written: their form could hide identifiers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from presidio_mx.work.documents.opened import Change, Dropped, Part, changed


@dataclass(frozen=True, repr=False)
class Prose:
    """A text that was taken out of a file.

    :param text: The text.
    :param dropped: What of the file is not in it.
    """

    text: str
    dropped: Counter[Dropped] = field(default_factory=Counter)
    suffix: str = ".txt"

    @property
    def parts(self) -> Sequence[Part]:
        """Return the text."""
        return (Part(self.text),)

    def written(self, changes: Sequence[Sequence[Change]]) -> bytes:
        """Return the new text as UTF-8.

        :param changes: For the one part what is replaced in it.
        """
        return changed(self.text, changes[0]).encode("utf-8", "surrogatepass")
