"""Identifiers that a scanner broke: ``7l2O98 8``, ``SAND0VAL   CUER0``, ``1 7 ENE``.

Found in parts, or in their first part alone, they are made whole. Only in notes that
came from a scanner: elsewhere a blank parts one thing from the next.
"""

import re
from collections.abc import Iterator, Sequence

from presidio_mx.find.note.broken_codes import ENDS
from presidio_mx.find.note.finding import SHAPED, Finding

_PERSON, _DATE, _AGE = "PERSON", "DATE_TIME", "AGE"
_CODES = SHAPED - {"EMAIL_ADDRESS", "URL"}
# As many letters and digits as a code of the kind has at most.
_LONGEST = {
    "MX_PROFESSIONAL_LICENSE": 8,
    "MX_LICENSE_PLATE": 7,
    "MX_CURP": 18,
    "MX_RFC": 13,
    "MX_NSS": 11,
    "MX_INE": 18,
    "CREDIT_CARD": 18,
    "PHONE_NUMBER": 12,
}
_LONGEST_CODE = 20
# The rest of a number: digits, or a letter read for one.
_NUMBER = re.compile(
    rf"[ ]{{1,2}}(?:(?=[lIOSB/-]{{0,3}}\d)[\dlIOSB/-]{{1,6}}|[A-Z])(?!\w|[.,]\d){ENDS}"
)
# The rest of a code that has letters, too.
_LETTERED = re.compile(rf"[ ]{{1,2}}(?=[A-Z]{{0,6}}\d)[A-Z\dlIO]{{1,7}}(?!\w){ENDS}")
_WITH_LETTERS = frozenset(("MX_CURP", "MX_RFC"))
# "1 7 ENE": the first digit of a day; "2 4 a": the second of an age.
_TENS = re.compile(r"(?:(?<=[ ]{2})|(?<=:[ ])|(?<=\n))[0-3lO][ ]$")
_ONES = re.compile(rf"[ ][\dlO](?!\w)(?:[ ]{{1,2}}a(?:ños)?(?!\w))?{ENDS}")
_DIGIT = re.compile(r"[1-9lO]")
_DAY = re.compile(r"[\dlO][ ]{1,2}[^\W\d_]")
# "29 a.", where no sentence ends.
_ABBREVIATED = re.compile(r"(?<=\da|[ ]a)\.(?=[,;)]|[ ]{1,3}(?:[ ]|[^\W\dA-ZÁÉÍÓÚÑ]))")
# The initial of a second surname; M, F and H alone tell the sex.
_INITIAL = re.compile(rf"[ ]{{1,3}}(?:[A-Z]\.|[A-EGI-LN-Z])(?!\.?\w){ENDS}")
# Between parts of a name: blanks, or the filling of a machine-read line.
_GAP = re.compile(r"[ ]{2,16}|<{1,2}")
# Columns this far apart hold two names, where both have several words.
_WIDE = 4
_TRUSTED = 0.5


def whole_again(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """Make identifiers whole that a scanner broke.

    :param text: A note that came from a scanner.
    :param findings: Findings with probabilities, in reading order, without overlaps.
    :return: The same; those that are one are one, and wider.
    """
    made: list[Finding] = []
    for place, finding in enumerate(findings):
        before = made[-1] if made else None
        if before is not None and finding.end <= before.end:
            continue
        if before is not None and _one_name(text, before, finding):
            whole = max(before, finding, key=lambda f: f.score)
            made[-1] = whole._replace(start=before.start, end=finding.end)
            continue
        free = before.end if before else 0
        made.append(_widened(text, finding, free, findings[place + 1 :]))
    return made


def _one_name(text: str, left: Finding, right: Finding) -> bool:
    """Tell whether two neighbours are the parts of one person's name."""
    if left.entity != _PERSON or right.entity != _PERSON:
        return False
    if min(left.score, right.score) < _TRUSTED:
        return False
    gap = text[left.end : right.start]
    if not _GAP.fullmatch(gap):
        return False
    words = (len(text[f.start : f.end].split()) for f in (left, right))
    return len(gap) < _WIDE or min(words) == 1


def _widened(
    text: str, finding: Finding, free: int, behind: Sequence[Finding]
) -> Finding:
    """Return a finding with what a blank cut off from it, if it is no faint one."""
    if finding.score < _TRUSTED:
        return finding
    if finding.entity in _CODES:
        for end in _ends(text, finding):
            if _taken(finding, end, behind):
                break
            finding = finding._replace(end=end)
    elif finding.entity == _AGE:
        one = finding.end == finding.start + 1 and _DIGIT.match(text, finding.start)
        rest = (_ONES if one else _ABBREVIATED).match(text, finding.end)
        if rest:
            finding = finding._replace(end=rest.end())
    elif finding.entity == _PERSON and " " in text[finding.start : finding.end]:
        initial = _INITIAL.match(text, finding.end)
        if initial and not _taken(finding, initial.end(), behind):
            finding = finding._replace(end=initial.end())
    elif finding.entity == _DATE and _DAY.match(text, finding.start):
        tens = _TENS.search(text, max(free, finding.start - 4), finding.start)
        if tens:
            finding = finding._replace(start=tens.start())
    return finding


def _ends(text: str, finding: Finding) -> Iterator[int]:
    """Yield where a code may end, further and further."""
    end = finding.end
    rest = _LETTERED if finding.entity in _WITH_LETTERS else _NUMBER
    most = _LONGEST.get(finding.entity, _LONGEST_CODE)
    while piece := rest.match(text, end):
        end = piece.end()
        if sum(map(str.isalnum, text[finding.start : end])) > most:
            break
        yield end


def _taken(finding: Finding, end: int, behind: Sequence[Finding]) -> bool:
    """Tell whether something else was surely found before a place."""
    return any(
        f.start < end and f.score >= _TRUSTED and f.entity != finding.entity
        for f in behind[:2]
    )
