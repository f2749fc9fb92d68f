"""How dates are written in notes: d day, n or m or r month, y year."""

import re

_WORD = r"[^\W\d_]+"
_SEP = r"(?P<s>\s*[/\-.·_ ]\s*|\s+)"
_MONTH = rf"(?P<m>{_WORD}\.?)"
_OF = (
    r"(?P<g1>\s*,?\s*(?:d[ií]as?\s+)?"
    r"(?:del?\s+(?:mes\s+de\s+|a[ñn]o\s+)?|d\s+|[/\-.]\s*)?\s*)"
)
_OF2 = (
    r"(?P<g2>\s*,?\s*(?:del?\s+(?:a[ñn]o\s+)?(?:dos mil\s+(?=\d))?|[/\-.']\s*)?"
    r"\s*['’]?)"
)
_TEXT_DAY = rf"(?P<d>\d{{1,2}}|1[º°o]|1ero?|{_WORD}(?:\s+y\s+{_WORD})?)(?P<o>[º°]?)"
_YEAR = r"(?<!\d)(?P<y>\d{4}|\d{2})"
_WORD_YEAR = (
    r"(?P<y>dos\s+mil(?:\s+[a-z]+(?:\s+y\s+[a-z]+)?)?|mil\s+novecientos[a-z ]*"
    r"|(?<=del )[a-z]+(?:\s+y\s+[a-z]+)?)"
)
FULL = (
    re.compile(rf"(?P<y>\d{{4}}){_SEP}(?P<n>\d{{1,2}})(?P<s2>(?P=s))(?P<d>\d{{1,2}})"),
    re.compile(rf"(?P<d>\d{{1,2}}){_SEP}(?P<n>\d{{1,2}})(?P<s2>\s*[/\-. ]\s*){_YEAR}"),
    re.compile(rf"(?P<d>\d{{1,2}}){_SEP}(?P<r>[ivx]+)(?P<s2>\s*[/\-. ]\s*){_YEAR}"),
    re.compile(rf"{_TEXT_DAY}{_OF}{_MONTH}{_OF2}{_YEAR}"),
    re.compile(rf"{_TEXT_DAY}{_OF}{_MONTH}{_OF2}{_WORD_YEAR}"),
    re.compile(rf"{_MONTH}{_OF}{_TEXT_DAY}{_OF2}{_YEAR}"),
)
COMPACT = re.compile(r"(?P<a>\d{2})(?P<b>\d{2})(?P<c>\d{2}|\d{4})")
COMPACT_ISO = re.compile(r"(?P<y>(?:19|20)\d{2})(?P<n>\d{2})(?P<d>\d{2})")
PARTIAL = (
    re.compile(rf"{_TEXT_DAY}{_OF}{_MONTH}"),
    re.compile(rf"{_MONTH}{_OF2}(?P<y>\d{{4}}|(?<=['’\-/ ])\d{{2}})"),
    re.compile(rf"{_MONTH}{_OF2}{_WORD_YEAR}"),
    re.compile(rf"(?P<n>\d{{1,2}}){_SEP}(?P<y>\d{{4}})"),
    re.compile(r"(?P<y>\d{4})(?P<s>[/\-.])(?P<n>\d{1,2})"),
    re.compile(rf"(?P<d>\d{{1,2}}){_SEP}(?P<r>[ivx]+)"),
    re.compile(rf"(?P<d>\d{{1,2}}){_SEP}(?P<n>\d{{1,2}})"),
    re.compile(r"(?P<y>\d{4})"),
    re.compile(_MONTH),
)
