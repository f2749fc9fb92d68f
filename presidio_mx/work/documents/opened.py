"""What every reader of a kind of file gives: texts to look at, and a way to write."""

import io
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Protocol
from zipfile import BadZipFile, ZipFile

from presidio_mx.errors import InputError

_MOST_PLACES = 5
_LARGEST = 300 << 20
ZIP = b"PK\x03\x04"
"""What a package of Office or OpenDocument begins with."""
DAMAGED = (
    *(BadZipFile, zlib.error, KeyError, ValueError, TypeError, OSError, EOFError),
    *(SyntaxError, AttributeError, IndexError, RuntimeError, NotImplementedError),
)
"""What libraries raise on files that are cut off, altered or locked.

XMLSyntaxError of lxml is a SyntaxError; most of them let all of these through.
"""


def unzipped(data: bytes, name: str) -> ZipFile:
    """Open a package.

    :param data: The file, which begins with :data:`ZIP`.
    :param name: What to call it in errors.
    :raises InputError: If it unpacks to more than any document holds.
    """
    archive = ZipFile(io.BytesIO(data))
    if sum(item.file_size for item in archive.infolist()) > _LARGEST:
        raise InputError(f"{name}: unpacks to more than {_LARGEST >> 20} MiB")
    return archive


class Change(NamedTuple):
    """A stretch of a text and what stands there instead.

    :param start: First offset.
    :param end: Offset after it.
    :param new: The new text.
    """

    start: int
    end: int
    new: str


class Sure(NamedTuple):
    """What the format of a file says of a stretch: that it identifies somebody.

    :param start: First offset.
    :param end: Offset after it.
    :param entity: As what.
    :param role: Role of the person, if it is known.
    """

    start: int
    end: int
    entity: str
    role: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Part:
    """A text of a file.

    :param text: The text that rules and models read.
    :param told_by: Number of the part whose fields tell who the patient is; what they
        hold is known data here. None if no part does.
    :param cells: Where its values stand, in order: no finding goes over from one to the
        next, and none touches what stands between them. None for a plain text.
    :param sure: What identifies somebody whatever rules and models say.
    """

    text: str
    told_by: int | None = None
    cells: Sequence[tuple[int, int]] | None = None
    sure: Sequence[Sure] = ()


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
    SCRIPTS = ("scripts and styles", "programas y estilos")
    CHOICES = ("choices not made", "opciones no elegidas")
    CODES = ("instructions and names of fields", "instrucciones y nombres de campos")
    NAMES = ("names of styles and fonts", "nombres de estilos y fuentes")
    UNKNOWN = ("what the format does not know", "lo que el formato no conoce")
    UNREAD = ("what could not be recognised", "lo que no se pudo reconocer")


# What nobody would call a text of the file.
_NO_TEXT = frozenset({Dropped.PROPERTIES, Dropped.NAMES, Dropped.MARKUP})


@dataclass(slots=True)
class Lost:
    """How much of one kind a new file lacks.

    :param count: How many; 0 if it is not counted.
    :param letters: Letters and digits in them, as far as they can be counted.
    :param places: Where they stood, the first few: names of the format, not the file's.
    """

    count: int = 0
    letters: int = 0
    places: list[str] = field(default_factory=list)


class LeftOut(dict[Dropped, Lost]):
    """What a new file lacks of the old one."""

    def add(
        self, what: Dropped, place: str = "", text: str = "", count: int = 1
    ) -> None:
        """Count something that is left out.

        :param what: What it is.
        :param place: Where it stands, in words of the format.
        :param text: Its text, of which only the length is kept.
        :param count: How many it is; 0 if that is not counted.
        """
        lost = self.setdefault(what, Lost())
        lost.count += count
        lost.letters += sum(map(str.isalnum, text))
        if place and place not in lost.places and len(lost.places) < _MOST_PLACES:
            lost.places.append(place)

    def with_all(self, other: "LeftOut") -> None:
        """Add what another file inside this one lacks."""
        for what, lost in other.items():
            own = self.setdefault(what, Lost())
            own.count += lost.count
            own.letters += lost.letters
            room = _MOST_PLACES - len(own.places)
            own.places += [p for p in lost.places if p not in own.places][:room]

    @property
    def texts(self) -> "LeftOut":
        """Return what somebody could miss: no properties, names of styles, markup."""
        return LeftOut(
            (what, lost)
            for what, lost in self.items()
            if what not in _NO_TEXT and lost.count
        )

    def said(self, spanish: bool = False) -> str:
        """Return all in words.

        :param spanish: Whether in Spanish.
        """
        return ", ".join(
            what.value[spanish] + _how_much(lost, spanish)
            for what, lost in self.items()
        )


def _how_much(lost: Lost, spanish: bool) -> str:
    told = [f"{lost.count:,}"] if lost.count else []
    if lost.letters:
        told.append(f"{lost.letters:,} {'letras' if spanish else 'letters'}")
    told += [", ".join(lost.places)] if lost.places else []
    return f" ({'; '.join(told)})" if told else ""


class Opened(Protocol):
    """A file that was read.

    :param suffix: Ending of the file that is written, such as ``.docx``.
    :param parts: The texts that are looked at.
    :param left_out: What the new file lacks.
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
    def left_out(self) -> LeftOut:
        """Return what the new file lacks."""
        ...

    def place(self, part: int, offset: int) -> str:
        """Return where something stands in the new file; nothing of its text.

        :param part: Number of the part.
        :param offset: Where in it.
        """
        ...

    def written(self, changes: Sequence[Sequence[Change]]) -> bytes:
        """Return the new file.

        :param changes: For each part what is replaced in it, in order and apart.
        """
        ...


def line_of(text: str, offset: int) -> str:
    """Return in which line of a text an offset is.

    :param text: The text.
    :param offset: Where in it.
    """
    return f"line {text.count(chr(10), 0, offset) + 1}"


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
