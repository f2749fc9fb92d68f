"""What models propose, held against what the lists know of its words.

A model reads shapes and neighbours; the lists know words. A name that a model marks
is cut at titles and ordinary words on its edges ("AURORA CEBALLOS CA OVARIO", "Hijo
Abel") and dropped where nothing but ordinary words or an eponym is left ("HERNIA"); a
date, an age or a telephone must look like one; and nothing goes on into the next column
of a table.
"""

from collections.abc import Callable, Iterable, Iterator

from presidio_mx.find.note.document import Document
from presidio_mx.find.note.finding import Finding
from presidio_mx.find.note.lexicon import KNOWN, NAME, Flag, Lexicon
from presidio_mx.find.vote.vetoes import GENERIC, forbidden
from presidio_mx.spanish.words import words as listed_words

_LINKS = listed_words("particle_proposed")
_MONTHS = listed_words("month", "month_short", "month_roman")
_NUMBERS = tuple(listed_words("number_start"))
# A surname this common is a name even where it is an eponym too ("García").
_COMMON_SURNAME = 0.55
# From this commonness on a word in capitals is what it says.
_COMMON_WORD = 0.45
# From this score on a model may name what is an ordinary word elsewhere ("Sol").
_SURE = 0.84
_NEXT_COLUMN = 0.6
_MOST_DIGITS_OF_NO_PHONE = 6
# "Tamps.", "Mich."; the point behind a longer word ends a sentence.
_LONGEST_STATE_SHORT = 5

# "se le cita en Toluca mañana"
_TIMES = listed_words("time_adverb")
_ARTICLES = listed_words("article")
_FUNCTION = listed_words("function_word")
# They stand before names and are no part of them.
_TITLES = listed_words("title_proposed")
# They stand on both sides of names.
_SPECIALTIES = listed_words("specialty_beside_name")
# Blanks as wide as this part columns, for these types.
_COLUMN_GAP = {
    "PERSON": 2,
    "PHONE_NUMBER": 2,
    "LOCATION": 3,
    "ORGANIZATION": 3,
    "ADDRESS": 3,
}

Words = list[int]
Mend = Callable[[Document, Lexicon, Words], Words]


def mended(
    document: Document, lexicon: Lexicon, findings: Iterable[Finding]
) -> list[Finding]:
    """Narrow, part or drop what models propose.

    :param document: The note.
    :param lexicon: What is known of words.
    :param findings: Proposals in offsets of the working text.
    :return: What is left of them.
    """
    kept = []
    for whole in findings:
        for words, finding in _columns(document, whole):
            mend = _MENDS.get(finding.entity)
            left = mend(document, lexicon, words) if mend else words
            doubtful = finding.entity == "PERSON" and finding.score < _SURE
            if doubtful and _no_name_alone(document, lexicon, left):
                continue
            if forbidden(document, finding, left):
                continue
            if left or not mend:
                kept.append(_narrowed(document, finding, words, left))
    return kept


def _columns(document: Document, finding: Finding) -> Iterator[tuple[Words, Finding]]:
    """Yield the parts of a finding that stand in one column each, with their words."""
    words = list(document.words_in(finding.start, finding.end))
    first = 0
    for place, index in enumerate(words[:-1]):
        if _column_ends(document, finding.entity, index):
            last = document.ends[index]
            part = finding._replace(start=document.starts[words[first]], end=last)
            yield words[first : place + 1], part
            first = place + 1
    if first:
        # What stands in the next column may be of another type: rules know better.
        score = min(finding.score, _NEXT_COLUMN)
        finding = finding._replace(start=document.starts[words[first]], score=score)
    yield words[first:], finding


def _column_ends(document: Document, entity: str, index: int) -> bool:
    """Tell whether the next word stands in another column.

    Of a name, only a word that is no name does: names, too, are typed in columns.
    """
    wide = _COLUMN_GAP.get(entity)
    gap = document.gap(index)
    if "\n" in gap and document.gap(index + 1).startswith("|"):
        # The next segment of a message: "SOBERANES^PATRICIO\nAIL|1".
        return True
    if wide is None or ("\t" not in gap and " " * wide not in gap):
        return False
    return entity != "PERSON" or not document.flags[index + 1] & NAME


def _narrowed(
    document: Document, finding: Finding, words: Words, left: Words
) -> Finding:
    """Return a finding without the words that were taken off its edges."""
    if document.folded.endswith("..", finding.start, finding.end):
        finding = finding._replace(end=finding.end - 1)
    if not left:
        return finding
    start, end, last = finding.start, finding.end, left[-1]
    if left[0] != words[0]:
        start = document.starts[left[0]]
    if last != words[-1] or _full_stop(document, finding, last):
        end = document.ends[last]
    return finding._replace(start=start, end=end)


def _full_stop(document: Document, finding: Finding, last: int) -> bool:
    """Tell whether what stands behind the last word of a name ends a sentence.

    The point after an initial or an abbreviation belongs to the name, that after
    "Mich." to the place.
    """
    if document.folded[document.ends[last] : finding.end] != ".":
        return False
    flag, length = document.flags[last], len(document.words[last])
    if finding.entity == "LOCATION":
        return length > _LONGEST_STATE_SHORT
    listed = bool(flag & NAME) and not flag & Flag.ABBREVIATED
    return finding.entity == "PERSON" and listed and length > 1


def _name(document: Document, lexicon: Lexicon, words: Words) -> Words:
    """Return the words of a proposal that can be a name, without its edges."""
    left = list(words)
    while left and _no_name(document, lexicon, left[0], first=True):
        left.pop(0)
    while left and _no_name(document, lexicon, left[-1], first=False):
        left.pop()
    return left


def _no_name_alone(document: Document, lexicon: Lexicon, words: Words) -> bool:
    """Tell whether a proposed name is eponyms or an ordinary word alone."""
    if all(_eponym(document, lexicon, word) for word in words):
        return True
    return len(words) == 1 and _rather_a_word(document, lexicon, words[0])


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
    while left and (_small(document, left[-1]) or document.words[left[-1]] in _TIMES):
        left.pop()
    return left


def _institution(document: Document, lexicon: Lexicon, words: Words) -> Words:
    """Return an institution without links behind it ("Hospital La Villa del")."""
    left = list(words)
    while left and document.words[left[-1]] in _LINKS:
        left.pop()
    shorter = left[:-1]
    while shorter and _goes_on(document, shorter[-1] + 1):
        left = list(shorter)
        shorter = left[:-1]
    return left


def _goes_on(document: Document, index: int) -> bool:
    """Tell whether the sentence goes on behind an institution ("[UPN] carece")."""
    word, flag = document.words[index], document.flags[index]
    if document.casing(index) != "mixed" or document.capital(index):
        return False
    if document.words[index - 1] in _ARTICLES:
        return False
    ordinary = flag & Flag.ORDINARY and not flag & (NAME | Flag.PLACE | Flag.MEDICAL)
    said = word in _FUNCTION or word in _LINKS
    return said or bool(ordinary and word not in GENERIC and not _number(word))


def _small(document: Document, index: int) -> bool:
    """Tell whether a word is an ordinary one in small letters among capitals."""
    flag = document.flags[index]
    ordinary = bool(flag & KNOWN) and not flag & Flag.PLACE
    mixed = document.casing(index) == "mixed" and not document.capital(index)
    return mixed and (ordinary or document.words[index] in ("de", "del", "en", "y"))


def _no_name(document: Document, lexicon: Lexicon, index: int, first: bool) -> bool:
    """Tell whether a word at an edge is a title, an ordinary word or a link.

    A capital inside a sentence speaks for a name ("el Gringo"); where capitals tell
    nothing, the word must be a medical or a common one.
    """
    word, flag = document.words[index], document.flags[index]
    if word in _LINKS:
        return not first or word in ("y", "e", "el")
    if word in _SPECIALTIES or (
        first and (word in _TITLES or _citizen(document, index))
    ):
        return True
    if len(word) < 2 or not flag & KNOWN or flag & NAME:
        return False
    common = lexicon.ordinary.get(word, 0.0) >= _COMMON_WORD
    trigger = first and bool(flag & Flag.ANCHOR)
    medical = bool(flag & (Flag.MEDICAL | Flag.DRUG))
    if not first and flag & Flag.ANCHOR:
        return True
    if document.casing(index) != "mixed":
        return common or medical or trigger
    if document.capital(index):
        return document.sentence_start(index) and common
    return True


def _citizen(document: Document, index: int) -> bool:
    """Tell whether a C. is "ciudadano" before a given name, not an initial."""
    following = index + 1
    return (
        document.words[index] == "c"
        and following < len(document.words)
        and bool(document.flags[following] & Flag.GIVEN)
    )


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
    return word in _MONTHS or _number(word)


def _age(document: Document, lexicon: Lexicon, words: Words) -> Words:
    """Return an age unless it is a word alone that is no number."""
    if len(words) > 1:
        return words
    return [word for word in words if _number(document.words[word])]


def _number(word: str) -> bool:
    return word[0].isdigit() or word.startswith(_NUMBERS)


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
    "ORGANIZATION": _institution,
    "DATE_TIME": _date,
    "AGE": _age,
    "PHONE_NUMBER": _phone,
}
