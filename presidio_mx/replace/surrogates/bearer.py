"""Who bears a name, as far as a document says."""

from collections.abc import Sequence
from dataclasses import dataclass

from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.spanish.words import words

_BOTH = words("name_of_both")


@dataclass(frozen=True)
class Bearer:
    """What a document says of the person whose name it is.

    :param words: Folded words of the fullest mention.
    :param sex: F, M or empty.
    :param called: A word alone is a first name: no title says that it is a surname.
    :param epithet: F or M, of what somebody is called by that is no name: "el Tuercas".
    """

    words: tuple[str, ...] = ()
    sex: str = ""
    called: bool = False
    epithet: str = ""


NOBODY = Bearer()


def sex_in(words: Sequence[str]) -> str:
    """Return the sex that the words of a name say.

    :param words: Folded words in the order of the name.
    :return: F, M, or empty if no word is of one sex alone.
    """
    names = lexicon()
    for word in words:
        sex = names.sexes.get(word, "")
        if names.is_given(word) and sex in ("F", "M") and word not in _BOTH:
            return sex
    return ""
