"""What every column of a table is for; one that is not declared stops the run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from presidio_mx.errors import ConfigurationError
from presidio_mx.find.known_kinds import ENTITY_OF_KIND, kind_of, kinds_listed
from presidio_mx.text.folding import fold_key
from presidio_mx.work.batch.generalize import PREFIX, generalized_columns

Treatment = Literal["drop", "keep", "replace"]
TREATMENTS: tuple[Treatment, ...] = ("drop", "keep", "replace")

# Cells of these go through the operator of their entity as the notes do, whatever
# becomes of the known columns; they are not searched for in the notes.
_CELLS = (
    ("date", "DATE_TIME", "fecha fechas"),
    ("age", "AGE", "edad edades"),
    ("code", "MEDICAL_RECORD", "codigo clave matricula"),
)
CELL_KINDS = frozenset(kind for kind, _, _ in _CELLS)
ENTITY_OF_COLUMN: Mapping[str, str] = {
    **ENTITY_OF_KIND,
    **{kind: entity for kind, entity, _ in _CELLS},
}
_CELL_OF_WORD: Mapping[str, str] = {
    word: kind for kind, _, words in _CELLS for word in (kind, *words.split())
}


def is_cell_kind(kind: str) -> bool:
    """Tell whether the cells of a kind get new values and are searched for nowhere."""
    return kind in CELL_KINDS or kind.startswith(PREFIX)


def column_kind(word: str) -> str | None:
    """Return what a column holds by an English or Spanish word for it.

    :param word: E.g. ``paciente``, ``tel``, ``fecha``.
    :return: A kind of known data, ``date``, ``age`` or ``code``; None if it is none.
    """
    return _CELL_OF_WORD.get(fold_key(word)) or kind_of(word)


@dataclass(frozen=True)
class Columns:
    """What the columns of a table are for.

    :param text: Columns with notes, which are de-identified.
    :param known: Column to kind of known data (``patient``, ``phone`` ...), which is
        searched for in the notes of its row; to ``date``, ``age`` or ``code``, whose
        cells are treated like such values in the notes; or to a way to generalise.
    :param id: Column with the patient's identifier: the scope of surrogates.
    :param keep: Columns that pass through unchanged.
    :param drop: Columns that are left out.
    :param known_as: What becomes of the known columns: drop, keep or replace.
    :param id_as: What becomes of the identifier: drop, keep or replace.
    """

    text: tuple[str, ...] = ()
    known: Mapping[str, str] = field(default_factory=dict)
    id: str | None = None
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    known_as: Treatment = "drop"
    id_as: Treatment = "drop"

    def __post_init__(self) -> None:
        """Refuse a declaration that contradicts itself."""
        if not self.declared:
            raise ConfigurationError(
                "no column with notes was named; name one with --text COLUMN (text=), "
                "or what becomes of the columns of a table without notes"
            )
        for name, value in (("known", self.known_as), ("id", self.id_as)):
            if value not in TREATMENTS:
                raise ConfigurationError(
                    f"{name} columns: {value!r} is unknown; use {', '.join(TREATMENTS)}"
                )
        for column, kind in self.known.items():
            if kind not in ENTITY_OF_COLUMN and not kind.startswith(PREFIX):
                raise ConfigurationError(
                    f"known column {column!r}: unknown kind {kind!r}; kinds are "
                    f"{', '.join(ENTITY_OF_COLUMN)}"
                )
        seen: set[str] = set()
        for column in self.declared:
            if column in seen:
                raise _declared_twice(column)
            seen.add(column)

    @property
    def declared(self) -> tuple[str, ...]:
        """Every column that was spoken of."""
        ids = () if self.id is None else (self.id,)
        return (*self.text, *self.known, *ids, *self.keep, *self.drop)

    @property
    def replaced(self) -> tuple[str, ...]:
        """Known columns whose cells get new values."""
        return tuple(
            column
            for column, kind in self.known.items()
            if self.known_as == "replace" or is_cell_kind(kind)
        )

    @property
    def passing(self) -> tuple[str, ...]:
        """Columns whose values go out as they came in."""
        known = [name for name in self.known if name not in self.replaced]
        return (
            *self.keep,
            *(known if self.known_as == "keep" else ()),
            *((self.id,) if self.id is not None and self.id_as == "keep" else ()),
        )

    def output(self, available: Sequence[str]) -> tuple[str, ...]:
        """Return the columns of the output, in the order of the input.

        :param available: Columns of the input.
        :return: Names; what is dropped is not among them.
        """
        gone = set(self.drop)
        if self.known_as == "drop":
            gone |= set(self.known) - set(self.replaced)
        if self.id_as == "drop" and self.id is not None:
            gone.add(self.id)
        return tuple(column for column in available if column not in gone)

    def check(self, available: Sequence[str], where: str) -> None:
        """Stop unless exactly the columns of the input are declared.

        :param available: Columns of the input.
        :param where: Name of the input, for the error.
        :raises ConfigurationError: Naming the columns and the way out.
        """
        missing = [name for name in self.declared if name not in available]
        if len(missing) == len(self.declared):
            # Perhaps no header line, and the first patient's data: show none of it.
            raise ConfigurationError(
                f"{where}: none of its {len(available)} columns has the name "
                f"{_listed(missing)}; the first line must name the columns"
            )
        double = sorted({name for name in available if available.count(name) > 1})
        if double:
            raise ConfigurationError(
                f"{where}: the column {_listed(double)} is there twice; rename one"
            )
        if missing:
            raise ConfigurationError(
                f"{where}: no column {_listed(missing)}; the columns are "
                f"{_listed(available)}"
            )
        undeclared = [name for name in available if name not in self.declared]
        if undeclared:
            raise ConfigurationError(
                f"{where}: nothing was said about the column {_listed(undeclared)}; "
                "declare each as --text, --known, --shift, --generalize, --id, --keep "
                "or --drop (nothing was written)"
            )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))


def _declared_twice(column: str) -> ConfigurationError:
    return ConfigurationError(
        f"column {column!r} was declared twice; a column is one of text, known, shift, "
        "generalize, id, keep and drop"
    )


def known_kinds(
    known: Mapping[str, str],
    shift: Iterable[str] = (),
    generalize: Mapping[str, str | int] | None = None,
) -> dict[str, str]:
    """Return the known columns with those of dates and those to generalise.

    :param known: Column to kind.
    :param shift: Columns with dates, which move as the dates of the notes do.
    :param generalize: Column to how it is generalised.
    :return: Column to kind.
    :raises ConfigurationError: If a column is named twice, or a way is unknown.
    """
    columns = dict(known)
    ways = {name: str(how) for name, how in (generalize or {}).items()}
    more = [(name, "date") for name in shift]
    more += generalized_columns(ways).items()
    for column, kind in more:
        if column in columns:
            raise _declared_twice(column)
        columns[column] = kind
    return columns


def parse_known(options: Iterable[str], available: Sequence[str]) -> dict[str, str]:
    """Return column to kind from what a user wrote as ``KIND=COLUMN``.

    ``paciente=nombre`` is the patient's name in the column ``nombre``. It may be
    written the other way round, where only that makes sense: if the right side is no
    column of the input, but the left side is one.

    :param options: E.g. ``["paciente=nombre", "tel=telefono"]``.
    :param available: Columns of the input.
    :return: E.g. ``{"nombre": "patient", "telefono": "phone"}``.
    :raises ConfigurationError: If a kind or column is unknown.
    """
    known: dict[str, str] = {}
    for option in options:
        left, equals, right = (part.strip() for part in option.partition("="))
        if not equals or not left or not right:
            raise ConfigurationError(
                f"--known {option}: write KIND=COLUMN, e.g. --known paciente=nombre"
            )
        if right not in available and left in available and column_kind(right):
            left, right = right, left
        kind = column_kind(left)
        if kind is None:
            raise ConfigurationError(
                f"--known {option}: unknown kind {left!r}; kinds are {kinds_listed()}"
            )
        if right in known:
            raise ConfigurationError(
                f"--known {option}: column {right!r} was declared twice"
            )
        known[right] = kind
    return known
