"""What every reader of a kind of file gives: texts to look at, and a way to write."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple, Protocol


class Change(NamedTuple):
    """A stretch of a text and what stands there instead.

    :param start: First offset.
    :param end: Offset after it.
    :param new: The new text.
    """

    start: int
    end: int
    new: str


class Part(NamedTuple):
    """A text of a file.

    :param text: The text that rules and models read.
    :param told_by: Number of the part whose fields tell who the patient is; what they
        hold is known data here. None if no part does.
    """

    text: str
    told_by: int | None = None


class Dropped(Enum):
    """What does not go into the new file: its name in English and in Spanish."""

    PROPERTIES = ("file properties", "propiedades del archivo")
    COMMENTS = ("comments", "comentarios")
    CHANGES = ("tracked changes (accepted)", "cambios registrados (aceptados)")
    PICTURES = ("pictures and drawings", "imágenes y dibujos")
    OBJECTS = ("embedded objects", "objetos incrustados")
    LINKS = ("targets of links", "destinos de vínculos")
    ATTACHMENTS = ("attachments", "adjuntos")
    ENCODED = ("encoded files inside values", "archivos codificados dentro de valores")
    HEADERS = ("other mail headers", "otros encabezados del correo")
    MARKUP = ("markup", "marcado")
    HEADS = (
        "headers, footers, notes and text boxes",
        "encabezados, pies, notas y cuadros de texto",
    )
    FORMS = ("form fields and annotations", "campos de formulario y anotaciones")


class Opened(Protocol):
    """A file that was read.

    :param suffix: Ending of the file that is written, such as ``.docx``.
    :param parts: The texts that are looked at.
    :param dropped: What the new file lacks, and how many of it; 0 if it is not counted.
    """

    @property
    def suffix(self) -> str:
        """Return the ending of the new file."""
        ...

    @property
    def parts(self) -> Sequence[Part]:
        """Return the texts that are looked at."""
        ...

    @property
    def dropped(self) -> "Counter[Dropped]":
        """Return what the new file lacks."""
        ...

    def written(self, changes: Sequence[Sequence[Change]]) -> bytes:
        """Return the new file.

        :param changes: For each part what is replaced in it, in order and apart.
        """
        ...


def changed(text: str, changes: Iterable[Change]) -> str:
    """Return a text after changes.

    :param text: The text.
    :param changes: In order and apart from one another.
    """
    pieces: list[str] = []
    at = 0
    for start, end, new in changes:
        pieces += (text[at:start], new)
        at = end
    return "".join([*pieces, text[at:]])


def inside(changes: Sequence[Change], start: int, end: int) -> Iterator[Change]:
    """Yield the changes of a stretch, in offsets from its beginning.

    What a change replaces may go on over several stretches: its new text stands in the
    first, and the others lose what was theirs.

    :param changes: Changes of the whole text; those of this stretch alone are fast.
    :param start: First offset of the stretch.
    :param end: Offset after it.
    """
    for change in changes:
        first, last = max(change.start, start), min(change.end, end)
        if first < last:
            new = change.new if first == change.start else ""
            yield Change(first - start, last - start, new)
