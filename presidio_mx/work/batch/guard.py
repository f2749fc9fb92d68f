"""What the columns of a CSV file hold, and which value is unlike all others.

A row with a delimiter too many in one place and one too few in another has the right
number of fields, and words of its note under the heading of a number. What passes
through unchanged must not let them out: the columns are learnt from all records first,
and a value unlike those of its column fails its row.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache

from presidio_mx.spanish.gazetteer import rows
from presidio_mx.text.folding import fold_key

_LEARN_FROM = 200_000
_MOST_VALUES = 20_000
_LONG = 60
_SEEN = 3  # a value that stands so often belongs to its column
_LEAST_CLOSED = 20
_REGULAR, _CLOSED, _CODED = 0.6, 0.98, 0.2
_MORE_DIGITS, _MANY_DIGITS = 3, 7
_RUN, _DIGIT = re.compile(r"[^\W\d_]+"), re.compile(r"\d")
_TOKEN = re.compile(r"\S+")
# What stands for a number or a date, or says that there is none.
_WORDS = frozenset(
    "nan none null nil na nd ne ns nc sd sr si no rn hrs hr min seg am pm aprox mas"
    " menos ignora desconoce desconocido desconocida aplica especificado"
    " especificada dato datos registro registrado registrada disponible pendiente"
    " recien nacido nacida se sin ano anos mes meses dia dias semana semanas hora"
    " horas minutos de del al y ene enero feb febrero mar marzo abr abril may mayo"
    " jun junio jul julio ago agosto sep sept septiembre oct octubre nov noviembre"
    " dic diciembre jan apr aug dec ii iii iv vi vii viii ix xi xii kg gr mg ml cm"
    " mm lt mmhg lpm rpm".split()
)


def _words_of(value: str, coded: bool) -> set[str]:
    """Return the words of a value that are no part of a code, folded.

    :param value: A cell.
    :param coded: Whether letters beside digits are a code.
    """
    if coded:
        value = " ".join(t for t in _TOKEN.findall(value) if not _DIGIT.search(t))
    runs = (run for run in _RUN.findall(fold_key(value)) if len(run) > 1)
    return {run for run in runs if run not in _WORDS}


@cache
def _names() -> frozenset[str]:
    """Return the names of persons, folded."""
    lists = ("given_names", "surnames")
    return frozenset(fold_key(r["name"]) for n in lists for r in rows(n))


@cache
def _harmless() -> frozenset[str]:
    """Return the words of Spanish that are no name of a person."""
    return frozenset(fold_key(row["word"]) for row in rows("lexicon")) - _names()


class _Column:
    """What one column holds."""

    def __init__(self) -> None:
        self.filled = self.plain = self.coded = self.long = 0
        self.values: Counter[str] = Counter()
        self.digits: Counter[int] = Counter()
        self._kind = ""

    def learn(self, value: str) -> None:
        if not value.strip():
            return
        self.filled += 1
        if len(value) > _LONG:
            self.long += 1
            return
        key = fold_key(value.strip())
        if key in self.values or len(self.values) < _MOST_VALUES:
            self.values[key] += 1
        digits = len(_DIGIT.findall(value))
        self.digits[digits] += 1
        if not _words_of(value, coded=False):
            self.plain += 1
        elif digits and not _words_of(value, coded=True):
            self.coded += 1

    @property
    def kind(self) -> str:
        """``regular``: numbers, dates, codes; ``closed``: a few values; or empty."""
        if not self._kind:
            self._kind = self._found() or "open"
        return self._kind.replace("open", "")

    def _found(self) -> str:
        often = sum(n for n in self.values.values() if n >= _SEEN)
        if not self.filled or self.long > (1 - _REGULAR) * self.filled:
            return ""
        if self.plain + self.coded >= _REGULAR * self.filled:
            common = max(_SEEN, self.filled // 100)
            found = [digits for digits, n in self.digits.items() if n >= common]
            self.most_digits = max(found, default=max(self.digits, default=0))
            return "regular"
        if self.filled >= _LEAST_CLOSED and often >= _CLOSED * self.filled:
            self.runs = {
                run
                for value, n in self.values.items()
                if n >= _SEEN
                for run in _RUN.findall(value)
            }
            return "closed"
        return ""

    def takes(self, value: str) -> bool:
        """Tell whether a value is like those of the column."""
        key = fold_key(value.strip())
        if not key or not self.kind:
            return True
        if self.values[key] >= _SEEN and (
            # The same person may come into a column of numbers with several rows.
            self.kind == "closed" or not _words_of(value, coded=False) & _names()
        ):
            return True
        if len(value) > _LONG:
            return False
        if self.kind == "regular":
            digits = len(_DIGIT.findall(value))
            if digits >= max(_MANY_DIGITS, self.most_digits + _MORE_DIGITS):
                return False
            return not _words_of(value, coded=self.coded >= _CODED * self.filled)
        new = _words_of(value, coded=False) - self.runs
        return new <= _harmless()


class Guard:
    """Knows what each column of a table holds.

    :param width: Number of columns.
    """

    def __init__(self, width: int) -> None:
        """Nothing is learnt yet."""
        self._columns = [_Column() for _ in range(width)]
        self._learnt = 0

    def learn(self, record: Sequence[str]) -> bool:
        """Learn from a record; tell whether more are needed."""
        for column, value in zip(self._columns, record, strict=True):
            column.learn(value)
        self._learnt += 1
        return self._learnt < _LEARN_FROM

    def unlike(self, record: Sequence[str], places: Collection[int]) -> int | None:
        """Return the place of a value that is unlike those of its column.

        :param record: A record.
        :param places: Which columns to look at.
        """
        for place in places:
            if not self._columns[place].takes(record[place]):
                return place
        return None

    def is_row(self, fields: Sequence[str]) -> bool:
        """Tell whether fields surely begin a record of this table.

        :param fields: All fields of a record, or the first of them.
        :return: False, too, if no column is regular.
        """
        known = [
            (column, field)
            for column, field in zip(self._columns, fields, strict=False)
            if column.kind
        ]
        sure = any(c.kind == "regular" and f.strip() for c, f in known)
        return sure and all(c.takes(f) for c, f in known)

    @property
    def regular(self) -> bool:
        """Whether there is a column to go by."""
        return any(column.kind == "regular" for column in self._columns)
