"""Surnames that lists of single names do not tell: words, and two joined by "y"."""

from presidio_mx.find.phrases.person.score import ScoredNote, rather_given
from presidio_mx.find.phrases.person.words import WORD_SURNAMES
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.text.casing import casing
from presidio_mx.text.document import Document

# A forename and a surname stand before.
_FULL = 2
# No list has the word, or hardly one.
_LEAST_UNKNOWN = 5
_RARE_WORD = 0.1


def worded(note: ScoredNote, first: int, last: int, index: int, parts: int) -> bool:
    """Tell whether an ordinary word is a surname where it stands.

    "Ana Ruiz Grande" behind forename and surname, "Silvia Calles Treviño"
    between a forename and a surname.

    :param note: The note.
    :param first: Index of the name's first word.
    :param last: Index of its last word so far.
    :param index: Index of the word.
    :param parts: How many words the name has.
    """
    document = note.document
    if document.words[index] not in WORD_SURNAMES or document.gap(last) != " ":
        return False
    if not document.flags[first] & Flag.GIVEN or document.flags[last] & KNOWN:
        return False
    if not _typed_alike(document, last, index):
        return False
    surname = parts >= _FULL and not rather_given(note.lexicon, document.words[last])
    return surname or _surname_behind(note, index)


def _surname_behind(note: ScoredNote, index: int) -> bool:
    """Tell whether a word that is no ordinary one, and typed alike, follows."""
    document, following = note.document, index + 1
    if following >= len(document) or document.gap(index) != " ":
        return False
    flag = document.flags[following]
    if not _typed_alike(document, index, following):
        return False
    if flag & Flag.SURNAME:
        return not flag & KNOWN
    return unlisted(note, following) and document.capital(following)


def unlisted(note: ScoredNote, index: int) -> bool:
    """Tell whether no list has a word, or hardly one, so that it may be any name."""
    document = note.document
    word, flag = document.words[index], document.flags[index]
    rare = flag == Flag.ORDINARY and note.lexicon.ordinary.get(word, 1.0) < _RARE_WORD
    return (rare or not flag) and word.isalpha() and len(word) >= _LEAST_UNKNOWN


def and_surname(note: ScoredNote, first: int, last: int, index: int, parts: int) -> int:
    """Return the surname that "y" joins to one before it, or 0.

    "Ana Gil Treviño y Zertuche", "Luis Gil Treviño y Ondarza"; "Ana Ruiz y Luis Gil"
    are two people.

    :param note: The note.
    :param first: Index of the name's first word.
    :param last: Index of its last word so far.
    :param index: Index of the word that may be "y".
    :param parts: How many words the name has.
    """
    document, following = note.document, index + 1
    if document.words[index] != "y" or parts < _FULL or following >= len(document):
        return 0
    if document.gap(last) != " " or document.gap(index) != " ":
        return 0
    if not rather_given(note.lexicon, document.words[first]):
        return 0
    flag, before = document.flags[following], document.flags[last] & Flag.SURNAME
    if not (before or unlisted(note, last)) or rather_given(
        note.lexicon, document.words[last]
    ):
        return 0
    if not _typed_alike(document, last, following):
        return 0
    if _given_behind(note, following):
        return 0  # "y Treviño Andrés" is somebody else, surname first
    if flag & NAME:
        given = rather_given(note.lexicon, document.words[following])
        return following if not flag & KNOWN and not given else 0
    sure = document.capital(following) or parts > _FULL
    return following if sure and unlisted(note, following) else 0


def _given_behind(note: ScoredNote, index: int) -> bool:
    """Tell whether a given name follows a word."""
    document, following = note.document, index + 1
    return (
        following < len(document)
        and document.gap(index) == " "
        and rather_given(note.lexicon, document.words[following])
        and not document.flags[following] & KNOWN
    )


def _typed_alike(document: Document, index: int, following: int) -> bool:
    """Tell whether two words are typed in the same letters, as those of a name are."""
    if casing(document, following) == "mixed":
        return document.capital(following) and document.shouted(
            following
        ) == document.shouted(index)
    return document.capital(following) == document.capital(index)
