"""What stands in a column of identifiers is one, too.

A table without headings, or with headings that no list knows, still tells what its
columns hold: where many cells of a column are names, "NGL" among them is somebody's
initials; where most are ages, so is the bare number. What is found so is weighed like
any other finding.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from presidio_mx.find.note.document import Document
from presidio_mx.find.note.finding import Finding
from presidio_mx.find.note.lexicon import KNOWN, NAME, Flag
from presidio_mx.find.structure.cells import BLANKS, SIGNS, cells_of, lines_of
from presidio_mx.find.structure.parts import Span
from presidio_mx.find.structure.shapes import empty
from presidio_mx.find.vote.resolve import Overlaps
from presidio_mx.text.folding import fold

COLUMN_RULE = "column"
_SCORE = 0.6
_LEAST_CELLS = 3
_LEAST_MARKED = 2
# Share of a column's cells that must be marked: bare numbers are of many kinds.
_SHARE, _SHARE_OF_NUMBERS = 0.33, 0.6
_MOST_MISSES = 2
_LONGEST_ROW = 1000
_OLDEST = 110
_NAME = re.compile(r"[^\W\d_]{2,}\.?(?:[ .,'-][^\W\d_]*\.?){0,5}")
# Beds and turns have fewer digits; a column of four may be times of day.
_CODE = re.compile(r"(?:[A-Z]{1,4}-?)?\d{4,8}(?:-\d{3,6})?")
_HOUR = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")
_LEAST_ROWS = 3
# What heads a column of them, if anything does.
_HEADING = re.compile(
    "exp|fol|reg|id|n[uo]m|no|mat|clave|cta|cuenta|afil|cod|nss|emp|nomina"
)
_LONGEST_TITLE = 6
_NUMBER = re.compile(r"\d{1,3}")
_ENTITIES = ("PERSON", "AGE", "MEDICAL_RECORD", "DATE_TIME")
# What parts its cells with their number, and its place; with blanks, where it begins.
_Column = tuple[str, int]


def column_mates(
    document: Document, text: str, findings: Sequence[Finding], blocks: Overlaps
) -> list[Finding]:
    """Return the cells that no finding covers in columns of identifiers.

    :param document: The prepared note.
    :param text: The note.
    :param findings: What stands, in offsets of the note, without overlaps.
    :param blocks: Where an entity is forbidden.
    """
    if len(findings) < _LEAST_MARKED:
        return []
    marked = Overlaps.of(findings)
    found: dict[Span, Finding] = {}
    for table in _tables(text):
        for place, cells in table.items():
            beside = [table.get((place[0], place[1] + step), []) for step in (1, -1)]
            mates = _mates(text, cells, marked)
            for mate in [*mates, *_numbers(text, cells, beside, marked)]:
                forbidden = any(b.entity == mate.entity for b in blocks.with_(mate))
                if not forbidden and not _says_something(document, mate):
                    found.setdefault((mate.start, mate.end), mate)
    return _apart(found.values())


def _tables(text: str) -> Iterator[Mapping[_Column, list[Span]]]:
    """Yield the columns of each run of lines that have cells."""
    for separator in (*SIGNS, BLANKS):
        if text.count(separator) < _LEAST_CELLS:
            continue
        table: dict[_Column, list[Span]] = {}
        misses = 0
        for line in lines_of(text):
            cells = _cells(text, line, separator)
            misses = 0 if cells else misses + 1
            if misses >= _MOST_MISSES and table:
                yield table
                table = {}
            for number, cell in enumerate(cells):
                if cell[0] == cell[1]:
                    continue
                place = cell[0] - line[0] if separator == BLANKS else number
                size = 0 if separator == BLANKS else len(cells)
                table.setdefault((f"{separator}{size}", place), []).append(cell)
        if table:
            yield table


def _cells(text: str, line: Span, separator: str) -> list[Span]:
    """Return the cells of a line; none where it is too long or has too few."""
    if line[1] - line[0] > _LONGEST_ROW:
        return []
    if text.count(separator, *line) < _LEAST_CELLS - 1:
        return []
    return cells_of(text, line, separator)


def _mates(text: str, cells: Sequence[Span], marked: Overlaps) -> Iterator[Finding]:
    """Yield the cells of a column that are like those that are marked."""
    whole: list[tuple[Span, Finding]] = []
    bare: list[Span] = []
    for cell in cells:
        inside = list(marked.with_(_at(cell)))
        if not inside:
            bare.append(cell)
        elif len(inside) == 1 and _covers(text, inside[0], cell):
            whole.append((cell, inside[0]))
    if not bare or len(whole) < _LEAST_MARKED:
        return
    (entity, count), *_ = Counter(f.entity for _, f in whole).most_common(1)
    share = _SHARE if entity == "PERSON" else _SHARE_OF_NUMBERS
    if entity not in _ENTITIES or count < max(_LEAST_MARKED, share * len(cells)):
        return
    of_it = [(text[slice(*cell)], f) for cell, f in whole if f.entity == entity]
    role = Counter(f.role for _, f in of_it).most_common(1)[0][0]
    shapes = {_shape(written) for written, _ in of_it}
    if all(written[0].isupper() for written, _ in of_it):
        bare = [cell for cell in bare if text[cell[0]].isupper()]
    for cell in bare:
        if _fits(text[slice(*cell)], entity, shapes):
            yield _at(cell)._replace(
                entity=entity, rule=f"{COLUMN_RULE}#{entity}", role=role
            )


def _numbers(
    text: str, cells: Sequence[Span], beside: Sequence[list[Span]], marked: Overlaps
) -> Iterator[Finding]:
    """Yield the numbers of one form in a column beside one of names.

    Where blanks part the cells it is not known which columns are neighbours.
    """
    bare: list[Span] = []
    others: list[str] = []
    for cell in cells:
        if _CODE.fullmatch(text[slice(*cell)]):
            bare.append(cell)
        else:
            others.append(fold(text[slice(*cell)]))
    written = [text[slice(*cell)] for cell in bare]
    one_form = len(set(map(_shape, written))) == 1
    if len(bare) < _LEAST_ROWS or not one_form or all(map(_HOUR.fullmatch, written)):
        return
    if all(number.endswith("00") for number in written):
        return  # cells of blood, doses, sums of money
    if not all(map(_HEADING.match, others)):
        return
    for names in beside:
        people = sum(
            any(f.entity == "PERSON" for f in marked.with_(_at(cell))) for cell in names
        )
        if 2 * people >= len(names) > 0 and people >= _LEAST_ROWS:
            for cell in bare:
                if not any(marked.with_(_at(cell))):
                    yield _at(cell)._replace(
                        entity="MEDICAL_RECORD", rule=f"{COLUMN_RULE}#number"
                    )
            return


def _says_something(document: Document, mate: Finding) -> bool:
    """Tell whether a cell in a column of names holds ordinary words, and no name."""
    there = document.source.there
    words = document.words_in(there(mate.start), there(mate.end))
    flags = [document.flags[i] for i in words]
    ordinary = any(f & (KNOWN | Flag.ANCHOR) for f in flags)
    return mate.entity == "PERSON" and ordinary and not any(f & NAME for f in flags)


def _at(cell: Span) -> Finding:
    return Finding(*cell, "", _SCORE, COLUMN_RULE)


def _covers(text: str, finding: Finding, cell: Span) -> bool:
    """Tell whether a finding covers most of a cell, or all behind one short word."""
    before = text[cell[0] : finding.start]
    title = len(before) <= _LONGEST_TITLE and len(before.split()) < 2
    if cell[0] <= finding.start < finding.end == cell[1] and title:
        return True
    written = sum(map(str.isalnum, text[slice(*cell)]))
    start, end = max(finding.start, cell[0]), min(finding.end, cell[1])
    return 4 * sum(map(str.isalnum, text[start:end])) >= 3 * written > 0


def _shape(written: str) -> str:
    """Return digits as 9 and letters as A: "AZ-330" and "AZ-331" are alike."""
    return re.sub(r"[^\W\d_]+", "A", re.sub(r"\d", "9", written))


def _fits(written: str, entity: str, shapes: set[str]) -> bool:
    """Tell whether a cell looks like what its column holds."""
    if empty(fold(written)):
        return False
    if entity == "PERSON":
        return _NAME.fullmatch(written) is not None
    if entity == "AGE":
        bare = _NUMBER.fullmatch(written)
        return bool(bare) and int(written) <= _OLDEST and _any_bare(shapes)
    return _shape(written) in shapes


def _any_bare(shapes: set[str]) -> bool:
    return any(set(shape) == {"9"} for shape in shapes)


def _apart(found: Iterable[Finding]) -> list[Finding]:
    """Return findings in reading order, the first of those that overlap."""
    kept: list[Finding] = []
    for finding in sorted(found, key=lambda f: (f.start, -f.end)):
        if not kept or finding.start >= kept[-1].end:
            kept.append(finding)
    return kept
