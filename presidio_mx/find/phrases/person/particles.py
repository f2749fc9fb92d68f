"""Particles of names: "de la", "del", "viuda de", and what stands behind them."""

from presidio_mx.find.phrases.person.score import ScoredNote
from presidio_mx.find.phrases.person.weights import NEVER
from presidio_mx.find.phrases.person.words import (
    ARTICLES,
    OPENING_PARTICLES,
    PARTICLES,
)
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.text.casing import casing
from presidio_mx.text.document import Document

# A surname this common stands behind "de" even where it is a town or a word too.
FREQUENT = 0.6
_MOST_PARTICLES = 3
# The score of the "O" in "de la O".
_SURNAME_O = 1.0


def is_particle(note: ScoredNote, index: int, inside: bool, titled: bool) -> bool:
    """Tell whether a word is a particle that goes on or begins a name.

    :param note: The note.
    :param index: Index of the word.
    :param inside: Whether words of the name stand before.
    :param titled: Whether the title of a person does ("Dra. de la O").
    """
    document, word = note.document, note.document.words[index]
    if word not in PARTICLES:
        return False
    if len(word) == 1 and document.capital(index):
        return False  # "Chávez D." has an initial
    if inside:
        return word not in ARTICLES
    if word not in OPENING_PARTICLES or index + 1 >= len(document):
        return False
    # "De León" opens a name; "médico de guardia" does not.
    if casing(document, index) == "mixed" and document.capital(index):
        return True
    if titled and _named_behind(note, index):
        return True
    several = document.words[index + 1] in PARTICLES
    return several and casing(document, index) != "mixed"


def behind_particles(document: Document, index: int) -> int | None:
    """Return the word behind a run of particles that begins at a word, or ``None``."""
    for here in range(index, min(index + _MOST_PARTICLES + 1, len(document))):
        if here > index and document.gap(here - 1).strip(" ."):
            return None
        if document.words[here] not in PARTICLES:
            return here
        if "\n" in document.gap(here):
            return None
    return None


def score_behind(note: ScoredNote, particle: int, behind: int) -> float:
    """Return the score of a word behind particles.

    "de" alone before a word that no list of names has tells of a place ("don
    Agapito de Xpujil"); "de la", "del", "viuda de" do belong to names.

    :param note: The note.
    :param particle: Index of the first particle.
    :param behind: Index of the word.
    """
    document = note.document
    alone = behind == particle + 1
    if document.words[behind] == "o" and not alone:
        return _SURNAME_O if document.capital(behind) else NEVER  # "De la O"
    named = document.flags[behind] & NAME
    if alone and document.words[particle] in ("de", "d") and not named:
        return NEVER
    return note.score(behind) + (note.weights.particle if named else 0.0)


def _named_behind(note: ScoredNote, index: int) -> bool:
    """Tell whether particles lead to a name, and not to a service or a town."""
    document = note.document
    behind = behind_particles(document, index)
    if behind is None:
        return False
    word, flag = document.words[behind], document.flags[behind]
    if casing(document, behind) == "mixed" and not document.capital(behind):
        return False
    if word == "o":
        return behind > index + 1
    if behind == index + 1 and document.words[index] == "de":
        frequent = note.lexicon.surname.get(word, 0.0) >= FREQUENT
        return frequent or bool(flag & NAME and not flag & (KNOWN | Flag.PLACE))
    return bool(flag & NAME)
