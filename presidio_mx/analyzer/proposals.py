"""What models propose, held against what the lists know of its words.

A model reads shapes and neighbours; the lists know words. A name that a model marks
is cut at ordinary words on its edges ("AURORA CEBALLOS CA OVARIO", "Hijo Abel") and
dropped where nothing but ordinary words or an eponym is left ("HERNIA"); a
date, an age or a telephone must look like one.
"""

from collections.abc import Callable, Iterable

from presidio_mx.analyzer.document import Document
from presidio_mx.analyzer.finding import Finding
from presidio_mx.analyzer.lexicon import KNOWN, NAME, Flag, Lexicon

_LINKS = frozenset("de del la las los el y e da di do van von mc san santa".split())
_MONTHS = frozenset(
    "enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre "
    "noviembre diciembre ene feb mar abr may jun jul ago sep sept oct nov dic "
    "i ii iii iv v vi vii viii ix x xi xii".split()
)
_NUMBERS = tuple(
    "uno un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce "
    "quince dieci veint treinta cuarenta cincuenta sesenta setenta ochenta noventa "
    "cien mil primer".split()
)
# A surname this common is a name even where it is an eponym too ("García").
_COMMON_SURNAME = 0.55
# From this commonness on a word in capitals is what it says.
_COMMON_WORD = 0.45
_MOST_DIGITS_OF_NO_PHONE = 6

Words = list[int]
Mend = Callable[[Document, Lexicon, Words], Words]


def mended(
    document: Document, lexicon: Lexicon, findings: Iterable[Finding]
) -> list[Finding]:
    """Narrow or drop what models propose.

    :param document: The note.
    :param lexicon: What is known of words.
    :param findings: Proposals in offsets of the working text.
    :return: What is left of them.
    """
    kept = []
    for finding in findings:
        mend = _MENDS.get(finding.entity)
        if mend is None:
            kept.append(finding)
            continue
        words = list(document.words_in(finding.start, finding.end))
        left = mend(document, lexicon, words)
        if left == words:
            kept.append(finding)
        elif left:
            start = document.starts[left[0]]
            last = left[-1]
            # A point after an initial belongs to the name; where the end stays, so
            # does what stands behind the last word.
            end = finding.end if last == words[-1] else document.ends[last]
            kept.append(finding._replace(start=start, end=end))
    return kept


def _name(document: Document, lexicon: Lexicon, words: Words) -> Words:
    """Return the words of a proposal that can be a name, without its edges."""
    left = list(words)
    while left and _no_name(document, lexicon, left[0], first=True):
        left.pop(0)
    while left and _no_name(document, lexicon, left[-1], first=False):
        left.pop()
    if left and all(_eponym(document, lexicon, word) for word in left):
        return []
    if len(left) == 1 and _rather_a_word(document, lexicon, left[0]):
        return []
    return left


def _rather_a_word(document: Document, lexicon: Lexicon, index: int) -> bool:
    """Tell whether a word alone is a common word that few bear as a surname."""
    word, flag = document.words[index], document.flags[index]
    if flag & (Flag.GIVEN | Flag.NICKNAME) or not flag & KNOWN:
        return False
    common = lexicon.ordinary.get(word, 0.0)
    return common >= _COMMON_WORD and lexicon.surname.get(word, 0.0) < _COMMON_SURNAME


def _place(document: Document, lexicon: Lexicon, words: Words) -> Words:
    """Return a place without the small words around it ("Vengo de Gonaïves")."""
    left = list(words)
    while left and _small(document, left[0]):
        left.pop(0)
    while left and _small(document, left[-1]):
        left.pop()
    return left


def _small(document: Document, index: int) -> bool:
    """Tell whether a word is an ordinary one in small letters among capitals."""
    flag = document.flags[index]
    ordinary = bool(flag & KNOWN) and not flag & Flag.PLACE
    mixed = document.casing(index) == "mixed" and not document.capital(index)
    return mixed and (ordinary or document.words[index] in ("de", "del", "en", "y"))


def _no_name(document: Document, lexicon: Lexicon, index: int, first: bool) -> bool:
    """Tell whether a word at an edge is an ordinary word or a link.

    A capital inside a sentence speaks for a name ("el Gringo"); where capitals tell
    nothing, the word must be a medical or a common one.
    """
    word, flag = document.words[index], document.flags[index]
    if word in _LINKS:
        return not first or word in ("y", "e", "el")
    if len(word) < 2 or not flag & KNOWN or flag & NAME:
        return False
    common = lexicon.ordinary.get(word, 0.0) >= _COMMON_WORD
    medical = bool(flag & (Flag.MEDICAL | Flag.DRUG))
    if document.casing(index) != "mixed":
        return common or medical
    if document.capital(index):
        return document.sentence_start(index) and common
    return True


def _eponym(document: Document, lexicon: Lexicon, index: int) -> bool:
    """Tell whether a word names a sign, scale or operation and hardly anybody else."""
    flag, word = document.flags[index], document.words[index]
    if not flag & Flag.EPONYM or flag & (Flag.GIVEN | Flag.NICKNAME):
        return False
    return lexicon.surname.get(word, 0.0) < _COMMON_SURNAME


def _date(document: Document, lexicon: Lexicon, words: Words) -> Words:
    """Return a date without the words on its edges that are of no date."""
    left = list(words)
    while left and not _of_date(document, left[0]):
        left.pop(0)
    while left and not _of_date(document, left[-1]):
        left.pop()
    return left


def _of_date(document: Document, index: int) -> bool:
    word = document.words[index]
    spelt = word in _MONTHS or word.startswith(_NUMBERS)
    return spelt or word[0].isdigit()


def _age(document: Document, lexicon: Lexicon, words: Words) -> Words:
    """Return an age unless it is a word alone that counts nothing."""
    spelt = [document.words[word] for word in words]
    if any(word[0].isdigit() for word in spelt) or len(words) > 1:
        return words
    return []


def _phone(document: Document, lexicon: Lexicon, words: Words) -> Words:
    """Return a telephone number unless it has a few digits and nothing else."""
    if not words:
        return words
    text = document.folded[document.starts[words[0]] : document.ends[words[-1]]]
    digits = sum(char.isdigit() for char in text)
    letters = any(char.isalpha() for char in text)
    return [] if digits <= _MOST_DIGITS_OF_NO_PHONE and not letters else words


_MENDS: dict[str, Mend] = {
    "PERSON": _name,
    "LOCATION": _place,
    "DATE_TIME": _date,
    "AGE": _age,
    "PHONE_NUMBER": _phone,
}
