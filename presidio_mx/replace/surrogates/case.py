"""Write a replacement with the capitals and accents of what it replaces."""

import unicodedata

from presidio_mx.replace.surrogates.shape import has_accents, strip_accents


def match_case(original: str, replacement: str) -> str:
    """Return the replacement in the case of the original.

    :param original: A word or phrase as it stands in the document.
    :param replacement: Its replacement in its usual case.
    :return: Capitals for ``MENDOZA``, lower case for ``mendoza``, else as given with
        the first letter in the case of the original.
    """
    letters = [c for c in original if c.isalpha()]
    if not letters or not replacement:
        return replacement
    if len(letters) > 1 and all(c.isupper() for c in letters):
        return replacement.upper()
    if all(c.islower() for c in letters):
        return replacement.lower()
    if letters[0].isupper():
        return replacement[0].upper() + replacement[1:]
    return replacement


def lacks_accents(original: str, known: str) -> bool:
    """Tell whether a text leaves out accents that its usual spelling has.

    :param original: As it stands in the document.
    :param known: Its usual spelling.
    :return: True for ``Martinez``, False for ``Martínez`` and ``Mendoza``.
    """
    return has_accents(known) and not has_accents(original)


def writes_no_accents(original: str) -> bool:
    """Tell whether somebody who writes like this would leave out accents.

    :param original: A text without other evidence.
    :return: True if it is all capitals or all lower case and has no accent.
    """
    letters = [c for c in original if c.isalpha()]
    one_case = all(c.isupper() for c in letters) or all(c.islower() for c in letters)
    return bool(letters) and one_case and not has_accents(original)


def match_marks(original: str, replacement: str, plain: bool) -> str:
    """Return the replacement with accents, or without, and in the original's form.

    :param original: As it stands in the document.
    :param replacement: Its replacement with accents.
    :param plain: Leave the accents out.
    :return: The replacement, where ñ stays a letter of its own; decomposed (NFD) if the
        original is.
    """
    if plain:
        letters = unicodedata.normalize("NFC", replacement)
        return "".join(c if c in "ñÑ" else strip_accents(c) for c in letters)
    if not unicodedata.is_normalized("NFC", original):
        return unicodedata.normalize("NFD", replacement)
    return replacement
