"""Names in capitals: where a capitalised name of an institution ends."""

from presidio_mx.find.phrases.institution.table import Lists
from presidio_mx.find.phrases.institution.words import ARTICLES, PARTICLES
from presidio_mx.spanish.lexicon import KNOWN
from presidio_mx.spanish.word_runs import FUNCTION_WORDS, capital_run
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

# Most capitalised words of a name, particles left out; behind a preposition fewer.
MOST_CAPITALS = 6
_MOST_BEHIND_JOINT = 3
# "e" joins two words of a name: "Ginecología e Infertilidad".
_ENDING_WORDS = FUNCTION_WORDS - {"e"}
_JOINTS = ("en", "a")
_PERSON_BEHIND = words("institution_person_behind")
_DOCTOR = ("dr", "dra")
_NUMBER_LABELS = words("number_label") - {"numero"}
# Shorter words are often typed in small letters between shouted ones.
_SHORTEST_QUIET = 4


def capital_name(lists: Lists, document: Document, first: int) -> int:
    """Return the last word of the capitalised name that begins at a word.

    :param lists: What words and places are known.
    :param document: The note.
    :param first: Index of a word, or the number of words.
    :return: Index of the last word; ``first - 1`` where no name of its own begins:
        generic words alone ("General") are none, nor is the next field of a form.
    """
    if first >= len(document):
        return first - 1
    run = capital_run(document, first, MOST_CAPITALS)
    last = _beyond_joint(document, first, run)
    loud = document.shouted(first) and document.casing(first) == "mixed"
    for here in range(first, last + 1):
        if _ends_before(lists, document, first, here, loud):
            last = here - 1
            break
    while last >= first and document.words[last] in PARTICLES:
        last -= 1
    named = any(
        word not in lists.words.generic and word not in PARTICLES
        for word in document.words[first : last + 1]
    )
    if not named or document.words[first] in lists.words.field:
        return first - 1
    return last


def _ends_before(
    lists: Lists, document: Document, first: int, here: int, loud: bool
) -> bool:
    """Tell whether a name ends before one of its words."""
    word = document.words[here]
    if document.flags[here] == 0 and word in _ENDING_WORDS:
        return True
    if here == first:
        return False
    if word in lists.words.field or (loud and _quiet(document, here)):
        return True
    if _title_behind(document, here) or _number_behind(document, here):
        return True
    if lists.words.code.match(document.folded, document.starts[here]):
        return True
    place = lists.place_from(document, here)
    return place is not None and place[1].is_state and place[1].short


def _title_behind(document: Document, here: int) -> bool:
    """Tell whether an article leads on to a person: "Valles el C. Hilario"."""
    return (
        document.words[here] in ("el", "la", "al")
        and not document.capital(here)
        and here + 1 < len(document)
        and document.words[here + 1] in _PERSON_BEHIND
    )


def _number_behind(document: Document, here: int) -> bool:
    """Tell whether "No." and a number follow a name: "Club de Leones No. 1"."""
    return (
        document.words[here] in _NUMBER_LABELS
        and here + 1 < len(document)
        and document.words[here + 1].isdigit()
    )


def _quiet(document: Document, here: int) -> bool:
    """Tell whether a word behind shouted ones is typed in the usual way."""
    return (
        len(document.words[here]) >= _SHORTEST_QUIET
        and document.capital(here)
        and not document.shouted(here)
    )


def _beyond_joint(document: Document, first: int, last: int) -> int:
    """Return the end of a run that a preposition joins: "Hermanos en el Camino"."""
    joint, article, behind = last + 1, last + 2, last + 3
    if (
        last >= first
        and behind < len(document)
        and document.words[joint] in _JOINTS
        and document.words[article] in ARTICLES
        and all(document.gap(here) == " " for here in (last, joint, article))
        and document.capital(behind)
        and not document.shouted(behind)
        and document.words[last] not in _DOCTOR
        and document.flags[behind] & KNOWN
    ):
        return capital_run(document, behind, _MOST_BEHIND_JOINT)
    return last
