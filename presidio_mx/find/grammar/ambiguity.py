"""Find repeats that read one text in several ways, whose time doubles with each letter.

``(a|a)*`` may read every letter by either branch, so a search that fails at the end
tries all ways there are. A repeat is turned into its position automaton (Glushkov);
it is ambiguous where two ways part from one state over the same text and meet again.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

_REPEATS = (
    _constants.MAX_REPEAT,
    _constants.MIN_REPEAT,
    _constants.POSSESSIVE_REPEAT,
)
# Two ways at each of ten turns are a thousand: no harm.
_FEW = 10
# A bounded repeat counts as so many copies: more show no other ambiguity.
_COPIES = 3
# Pairs of states looked at; word lists, which are tries, need few.
_MOST_PAIRS = 50_000
_PLAIN = frozenset("\t\n" + "".join(map(chr, range(32, 127))) + "¿ñº–")
_GROUPS = (
    *_REPEATS,
    _constants.BRANCH,
    _constants.SUBPATTERN,
    _constants.ATOMIC_GROUP,
    _constants.ASSERT,
    _constants.ASSERT_NOT,
    _constants.GROUPREF_EXISTS,
)
# A bounded repeat is counted so often; more change nothing.
_MOST_TURNS = 4
_CATEGORIES = {
    _constants.CATEGORY_DIGIT: str.isdecimal,
    _constants.CATEGORY_SPACE: str.isspace,
    _constants.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
}
_NEGATED = {
    _constants.CATEGORY_NOT_DIGIT: _constants.CATEGORY_DIGIT,
    _constants.CATEGORY_NOT_SPACE: _constants.CATEGORY_SPACE,
    _constants.CATEGORY_NOT_WORD: _constants.CATEGORY_WORD,
}

Ways = Counter[int]


class _Piece(NamedTuple):
    """Part of an expression: in how many ways it is empty, begins and ends."""

    empty: int
    first: Ways
    last: Ways


_NOTHING = _Piece(1, Counter(), Counter())


def ambiguous(expression: str) -> bool:
    """Tell whether a repeat of an expression reads some text in several ways.

    :param expression: A regular expression that Python's parser takes.
    """
    parsed = _parser.parse(expression)
    alphabet = _PLAIN | frozenset(_literals(parsed))
    return any(_Automaton(alphabet, body).ambiguous() for body in _loops(parsed, 1))


def endless_in_a_row(expression: str) -> int:
    """Return how many repeats without bound may read the same text one after another.

    Each multiplies the time by the length of the note: ``.*a.*a.*b``. One that begins
    the expression counts twice, since it is tried from everywhere.

    :param expression: A regular expression that Python's parser takes.
    """
    parsed = _parser.parse(expression)
    alphabet = _PLAIN | frozenset(_literals(parsed))
    return _row(parsed, _Row(), alphabet).most


class _Row(NamedTuple):
    """Repeats without bound on the way through an expression.

    :param chars: What those of the row may all read.
    :param between: What stands after the last of them.
    :param length: How many they are.
    :param most: The most of any row so far.
    :param begun: Whether anything was read.
    """

    chars: frozenset[str] = frozenset()
    between: tuple[frozenset[str], ...] = ()
    length: int = 0
    most: int = 0
    begun: bool = False

    def then(self, chars: frozenset[str]) -> "_Row":
        """Return the row after a repeat without bound."""
        common = self.chars & chars
        joined = bool(common) and all(common & each for each in self.between)
        length = self.length + 1 if joined else 1 if self.begun else 2
        chars = common if joined else chars
        return _Row(chars, (), length, max(self.most, length), True)


def _row(parsed: Any, row: _Row, alphabet: frozenset[str]) -> _Row:
    for operator, value in parsed:
        if operator in _REPEATS:
            least, most, body = value
            endless = most == _constants.MAXREPEAT
            after = row
            if endless and len(body) == 1 and body[0][0] not in _GROUPS:
                kind, what = body[0]
                after = row.then(_chars(kind, what, alphabet))
            else:
                for _ in range(1 if endless else min(most, _MOST_TURNS)):
                    after = _row(body, after, alphabet)
            # What may be left out parts nothing.
            skipped = not least and after.length <= row.length
            row = row._replace(most=after.most) if skipped else after
        elif operator in _GROUPS:
            ways = [_row(part, row, alphabet) for part in parts(operator, value)]
            row = max(ways, key=lambda way: (way.most, way.length), default=row)
        elif operator is not _constants.AT:
            chars = _chars(operator, value, alphabet)
            row = row._replace(between=(*row.between, chars), begun=True)
    return row


def _loops(parsed: Any, times: int) -> Iterator[Any]:
    """Yield the bodies that are taken more than a few times."""
    for operator, value in parsed:
        if operator in _REPEATS:
            _, most, body = value
            often = min(times * max(int(most), 1), _FEW + 1)
            if often > _FEW and most > 1:
                yield body
            yield from _loops(body, often)
        else:
            # What went through an atomic group is not tried again.
            inside = 1 if operator is _constants.ATOMIC_GROUP else times
            for part in parts(operator, value):
                yield from _loops(part, inside)


def parts(operator: Any, value: Any) -> tuple[Any, ...]:
    """Return the expressions inside one that is no repeat.

    :param operator: What Python's parser names the expression.
    :param value: Its content.
    """
    if operator is _constants.BRANCH:
        return tuple(value[1])
    if operator is _constants.SUBPATTERN:
        return (value[-1],)
    if operator is _constants.ATOMIC_GROUP:
        return (value,)
    if operator in (_constants.ASSERT, _constants.ASSERT_NOT):
        return (value[1],)
    if operator is _constants.GROUPREF_EXISTS:
        return tuple(part for part in value[1:] if part)
    return ()


def _literals(parsed: Any) -> Iterator[str]:
    """Yield the characters that an expression names."""
    for operator, value in parsed:
        if operator in (_constants.LITERAL, _constants.NOT_LITERAL):
            yield chr(value)
        elif operator is _constants.RANGE:
            yield from map(chr, value)
        elif operator is _constants.IN:
            yield from _literals(value)
        elif operator in _REPEATS:
            yield from _literals(value[2])
        else:
            for part in parts(operator, value):
                yield from _literals(part)


class _Automaton:
    """The position automaton of an expression that is repeated without end."""

    def __init__(self, alphabet: frozenset[str], body: Any) -> None:
        """Build it.

        :param alphabet: The characters that count.
        :param body: What is repeated, as Python's parser gives it.
        """
        self._alphabet = alphabet
        self._chars: list[frozenset[str]] = []
        self._after: list[Ways] = []
        self._atoms: list[int] = []  # of which atomic group each state is; 0 for none
        self._loop(self._sequence(body))

    def ambiguous(self) -> bool:
        """Tell whether two ways part and meet again over the same text.

        Every state is reached from every other, for the expression is repeated.
        """
        if any(ways > 1 for after in self._after for ways in after.values()):
            return True
        sources: dict[tuple[int, int], list[tuple[int, int]]] = {}
        waiting = deque((state, state) for state in range(len(self._chars)))
        seen = set(waiting)
        while waiting:
            pair = waiting.popleft()
            for other in self._next(pair):
                sources.setdefault(other, []).append(pair)
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
            if len(seen) > len(self._chars) + _MOST_PAIRS:
                return True
        return _leads_back(seen, sources)

    def _next(self, pair: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Yield the pairs of states that one character leads to."""
        one, two = (self._after[state] for state in pair)
        for a in one:
            for b in two:
                if self._chars[a].isdisjoint(self._chars[b]):
                    continue
                if a == b or not self._one_way(pair, (a, b)):
                    yield a, b

    def _one_way(self, before: tuple[int, int], pair: tuple[int, int]) -> bool:
        """Tell whether two states cannot be of one search: an atomic group has one way.

        :param before: The states before them.
        :param pair: States that differ.
        """
        was, atoms = ({self._atoms[state] for state in each} for each in (before, pair))
        together = len(atoms) == 1 and atoms != {0}
        if before[0] == before[1] and was != {0}:
            return atoms != {0} and bool(atoms & was)
        return together and was != atoms

    def _sequence(self, parsed: Any) -> _Piece:
        piece = _NOTHING
        for operator, value in parsed:
            piece = self._then(piece, self._piece(operator, value))
        return piece

    def _piece(self, operator: Any, value: Any) -> _Piece:
        if operator is _constants.POSSESSIVE_REPEAT:
            return self._atomic(lambda: self._repeat(*value))
        if operator in _REPEATS:
            return self._repeat(*value)
        if operator is _constants.ATOMIC_GROUP:
            return self._atomic(lambda: self._sequence(value))
        if operator in (_constants.BRANCH, _constants.GROUPREF_EXISTS):
            return _either(self._sequence(part) for part in parts(operator, value))
        if operator is _constants.SUBPATTERN:
            return self._sequence(value[-1])
        if operator in (_constants.ASSERT, _constants.ASSERT_NOT, _constants.AT):
            return _NOTHING
        chars = _chars(operator, value, self._alphabet)
        self._chars.append(chars)
        self._after.append(Counter())
        self._atoms.append(0)
        place = len(self._chars) - 1
        return _Piece(0, Counter([place]), Counter([place]))

    def _atomic(self, make: Callable[[], _Piece]) -> _Piece:
        """Return a piece that is read in one way only, the first that there is."""
        begin = len(self._chars)
        piece = make()
        for state in range(begin, len(self._chars)):
            self._atoms[state] = begin + 1
            self._after[state] = Counter(dict.fromkeys(self._after[state], 1))
        first, last = (Counter(dict.fromkeys(ways, 1)) for ways in piece[1:])
        return _Piece(min(piece.empty, 1), first, last)

    def _repeat(self, least: int, most: int, body: Any) -> _Piece:
        if most == _constants.MAXREPEAT:
            piece = self._sequence(body)
            self._loop(piece)
            return piece if least else piece._replace(empty=1)
        copies = [self._sequence(body) for _ in range(min(most, _COPIES))]
        piece = _NOTHING
        for number, copy in reversed(list(enumerate(copies))):
            piece = self._then(copy, piece)
            if number >= least:
                piece = piece._replace(empty=piece.empty + 1)
        return piece

    def _then(self, one: _Piece, two: _Piece) -> _Piece:
        for state, ways in one.last.items():
            for after, more in two.first.items():
                self._after[state][after] += ways * more
        return _Piece(
            min(one.empty * two.empty, 2),
            one.first + _times(two.first, one.empty),
            two.last + _times(one.last, two.empty),
        )

    def _loop(self, piece: _Piece) -> None:
        self._then(piece, piece)


def _times(ways: Ways, factor: int) -> Ways:
    return Counter({state: min(count * factor, 2) for state, count in ways.items()})


def _either(pieces: Iterable[_Piece]) -> _Piece:
    empty, first, last = 0, Ways(), Ways()
    for piece in pieces:
        empty, first, last = empty + piece.empty, first + piece.first, last + piece.last
    return _Piece(min(empty, 2), first, last)


def _leads_back(
    seen: set[tuple[int, int]],
    sources: dict[tuple[int, int], list[tuple[int, int]]],
) -> bool:
    """Tell whether two states that differ lead to one and the same."""
    waiting = [pair for pair in seen if pair[0] == pair[1]]
    back = set(waiting)
    while waiting:
        for pair in sources.get(waiting.pop(), ()):
            if pair[0] != pair[1]:
                return True
            if pair not in back:
                back.add(pair)
                waiting.append(pair)
    return False


def _chars(operator: Any, value: Any, alphabet: frozenset[str]) -> frozenset[str]:
    """Return the characters of the alphabet that a single expression takes."""
    if operator is _constants.LITERAL:
        return frozenset(chr(value))
    if operator is _constants.NOT_LITERAL:
        return alphabet - {chr(value)}
    if operator is _constants.RANGE:
        return frozenset(c for c in alphabet if value[0] <= ord(c) <= value[1])
    if operator is _constants.CATEGORY:
        if value in _NEGATED:
            return alphabet - _chars(operator, _NEGATED[value], alphabet)
        return frozenset(filter(_CATEGORIES[value], alphabet))
    if operator is _constants.IN:
        negated = value[0][0] is _constants.NEGATE
        taken = frozenset[str]().union(
            *(_chars(kind, what, alphabet) for kind, what in value[int(negated) :])
        )
        return alphabet - taken if negated else taken
    return alphabet  # any character; what an earlier group took may be any, too
