"""How a word is written: capitals, accents, separators; and written again like it."""

import re
import unicodedata

from presidio_mx.text.folding import fold, fold_key

_MIS_DECODED = re.compile(r"[ÂÃ][\x80-\xff\u0152-\u2122]")


def strip_accents(text: str) -> str:
    """Return the text without accents, ñ and ü included.

    :param text: Any text.
    """
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFD", text)
    return "".join(c for c in plain if not unicodedata.combining(c))


def has_accents(text: str) -> bool:
    """Tell whether a text has a letter with a mark: ``Martínez``, ``Muñoz``.

    :param text: Any text.
    """
    if text.isascii():
        return False
    return strip_accents(text) != unicodedata.normalize("NFC", text)


def well_decoded(text: str) -> str:
    r"""Return a text that was read in a wrong encoding as it was written.

    :param text: E.g. ``MarÃ\xada NuÃ±ez``.
    :return: ``María Nuñez``; any other text as it is.
    """
    if text.isascii() or not _MIS_DECODED.search(text):
        return text
    # Few values need it, and it takes longer to import than to read them all.
    from ftfy import fix_encoding

    return fix_encoding(text)


def match_case(original: str, replacement: str) -> str:
    """Return the replacement in the case of the original.

    :param original: A word or phrase as it stands in the document.
    :param replacement: Its replacement in its usual case.
    :return: Capitals for ``MENDOZA``, lower case for ``mendoza``, else as given with
        the first letter in the case of the original.
    """
    letters = "".join(c for c in original if c.isalpha())
    if not letters or not replacement:
        return replacement
    if len(letters) > 1 and letters.isupper():
        return replacement.upper()
    if letters.islower():
        return replacement.lower()
    if letters[0].isupper():
        return replacement[0].upper() + replacement[1:]
    return replacement


def writes_no_accents(original: str) -> bool:
    """Tell whether somebody who writes like this would leave out accents.

    :param original: A text without other evidence.
    :return: True if it is all capitals or all lower case and has no accent.
    """
    return (original.isupper() or original.islower()) and not has_accents(original)


def plain_spelling(text: str) -> str:
    """Return the text without accents, in which ñ stays a letter of its own.

    :param text: Any text.
    """
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFC", text)
    return "".join(c if c in "ñÑ" else strip_accents(c) for c in letters)


def written_like(original: str, replacement: str, usual: str = "") -> str:
    """Return a replacement with the capitals and accents of the original.

    :param original: As it stands in the document.
    :param replacement: Its replacement in its usual spelling.
    :param usual: Usual spelling of the original, where a list has it: whoever leaves
        its accents out leaves out others, too.
    :return: Decomposed (NFD) if the original is.
    """
    new = match_case(original, replacement)
    drops = has_accents(usual) and not has_accents(original)
    if drops or writes_no_accents(original):
        return plain_spelling(new)
    if not original.isascii() and not unicodedata.is_normalized("NFC", original):
        return unicodedata.normalize("NFD", new)
    return new


def plain_digits(text: str) -> str:
    """Return the text with digits of other scripts and raised ones as 0 to 9.

    :param text: Any text.
    :return: A text of the same length.
    """
    if text.isascii():
        return text
    return "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in text)


def alphanumeric(text: str) -> str:
    """Return the letters and digits of a code, in capitals without accents.

    :param text: A code as somebody wrote it.
    :return: E.g. ``ABC123`` for ``abc-12 3``.
    """
    if not text.isascii():
        text = plain_digits(strip_accents(text))
    return "".join(filter(str.isalnum, text.upper()))


def write_like(original: str, code: str) -> str:
    """Write a code with the separators and case of the original.

    :param original: The code as somebody wrote it.
    :param code: Its replacement: as many letters and digits as the original has.
    """
    signs = iter(code)
    written = []
    for character in original:
        if not character.isalnum():
            written.append(character)
            continue
        sign = next(signs)
        written.append(sign.lower() if character.islower() else sign)
    return "".join(written)


def spaced_words(text: str) -> str:
    """Return the folded words of a text, one blank between them, signs left out.

    :param text: Any text.
    """
    key = fold_key(text)
    if key.isascii() and key.isalpha():
        return key
    return " ".join("".join(c if c.isalnum() else " " for c in key).split())


def place_key(text: str) -> str:
    """Return the look-up key of a place: folded, without points.

    :param text: A place as it stands in the document.
    :return: E.g. ``edo mex`` for ``Edo. Méx.``.
    """
    key = fold_key(text)
    return " ".join(key.replace(".", " ").split()) if "." in key else key


def first_word(text: str) -> str:
    """Return the folded first word of a text, without the point of an abbreviation.

    :param text: Any text.
    """
    return fold(text).strip().partition(" ")[0].rstrip(".")
