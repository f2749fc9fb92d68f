"""Keep the outward shape of a value: letters stay letters, digits stay digits."""

import re
import string
import unicodedata

from presidio_mx.replace.surrogates.context import Context

_UPPER = string.ascii_uppercase
_DIGITS = string.digits
_LONGEST = 40
# Digits with the letters that scanners take for 0 and 1.
_MISREAD = re.compile(
    r"(?<![^\W_])(?!\d{1,2}o(?![^\W_]))(?=[OoIl]*\d)[OoIl\d]+(?![^\W_])"
)
_READ = str.maketrans("OoIl", "0011")
# "C2744O9l8": a small l between digits, or an O between four of them.
_INSIDE = re.compile(r"(?<=\d)l(?=\d)|(?<=\d{2})[Oo](?=\d{1,2}(?:\d|l))")
# Alone between digits a small l is one, too: "4O l 8"; a capital may be a Roman month.
_ALONE = re.compile(r"(?<![^\W_])(?:[Oo]?l[Oo]?|ll|OO?)(?![^\W_])")
# In numbers that never hold a letter: "S79", "B1".
_NUMBERS = re.compile(r"(?<![^\W_])(?=[OoIlSBZ]*\d)[OoIlSBZ\d]+(?![^\W_])")
# Four letters and a date in which a scanner left letters.
_DATE_PLACES = re.compile(r"([A-Z][A-Z01]{2}[A-Z])(?=.{0,5}\d)([\dOILSBZ]{6})")
AS_DIGITS = str.maketrans("OILSBZ", "011582")
_AS_LETTERS = str.maketrans("01", "OI")
# Letters, birth date and state, sex, serial; a letter may be missing or misread.
_VOTER_KEY = re.compile(r"([A-Z][A-Z01]{3,4}[A-Z])([\dOILSBZ]{8})([HM])([\dOILSBZ]{3})")
_READ_NUMBERS = str.maketrans("OoIlSBZ", "0011582")


_MIS_DECODED = re.compile(r"[ÂÃ][\x80-\xff\u0152-\u2122]")


def well_decoded(text: str) -> str:
    r"""Return a text that was read in a wrong encoding as it was written.

    :param text: E.g. ``MarÃ\xada NuÃ±ez``.
    :return: ``María Nuñez``; any other text as it is.
    """
    if not _MIS_DECODED.search(text):
        return text
    # Few values need it, and it takes longer to import than to read them all.
    from ftfy import fix_encoding

    return fix_encoding(text)


def strip_accents(text: str) -> str:
    """Return the text without accents, ñ and ü included.

    :param text: Any text.
    :return: The text with its base letters.
    """
    plain = unicodedata.normalize("NFD", text)
    return "".join(c for c in plain if not unicodedata.combining(c))


def has_accents(text: str) -> bool:
    """Tell whether a text has a letter with a mark.

    :param text: Any text.
    :return: True for ``Martínez`` and ``Muñoz``.
    """
    return strip_accents(text) != unicodedata.normalize("NFC", text)


# A word with the digits that scanners take for its letters, or small l for capital I.
_SCANNED = re.compile(r"[^\W_]+")
_LEAST_LETTERS = 4
_FOR_LETTER = re.compile(r"(?<=[^\W\d_])(?:0|1(?=[^\W\d_]))|\b0(?=[^\W\d_]{4})")
# No Spanish word begins with l and a consonant: "lrma", "lndependencia".
_FOR_FIRST = re.compile(r"^l(?=[bcdfghjkmnpqrstvxz][^\W\d_]{2})")
_FOR_CAPITAL = re.compile(r"l(?=[A-ZÑ])|(?<=[A-ZÑ])l")
_VOWELS = frozenset("aeiouAEIOU")


def letters_read(text: str) -> str:
    """Return the text with what a scanner took digits for in words read as letters.

    :param text: A name, a place, an address.
    :return: E.g. ``Velino Orozco`` for ``Ve1ino Orozc0``; of the same length. A 1
        behind a vowel was an l, else an i; one that ends a word may count something.
    """
    return _SCANNED.sub(_read_letters, text)


def _read_letters(match: re.Match[str]) -> str:
    word = match.group()
    letters = sum(c.isalpha() for c in word)
    digits = len(word) - letters
    if letters >= _LEAST_LETTERS and 0 < digits < letters / 2:
        word = _FOR_LETTER.sub(_letter_for, word)
    word = _FOR_FIRST.sub("I", word)
    capitals = sum(c.isupper() for c in word)
    letters = sum(c.isalpha() for c in word)  # those read from digits, too
    if capitals > 1 and capitals + word.count("l") == letters:
        word = _FOR_CAPITAL.sub("I", word)
    return word


def _letter_for(match: re.Match[str]) -> str:
    word, at = match.string, match.start()
    if at == 0:
        return "O"
    before, after = word[at - 1], word[at + 1 : at + 2]
    ell = before in _VOWELS or after in ("i", "I")
    letter = "o" if match.group() == "0" else "l" if ell else "i"
    capital = before.isupper() or (before == "l" and after.isupper())  # "REGl0NAL"
    return letter.upper() if capital and not after.islower() else letter


def plain_digits(text: str) -> str:
    """Return the text with digits of other scripts and raised ones as 0 to 9.

    :param text: Any text.
    :return: A text of the same length.
    """
    if text.isascii():
        return text
    return "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in text)


def digits_read(text: str, numbers: bool = False) -> str:
    """Return the text with what a scanner took digits for read as digits.

    :param text: A code, a date or a number.
    :param numbers: Such values hold no letters: S, B and Z are digits, too.
    :return: E.g. ``05/03/2022`` for ``O5/O3/2O22``; of the same length.
    """
    if numbers:
        text = _NUMBERS.sub(lambda match: match[0].translate(_READ_NUMBERS), text)
    text = _MISREAD.sub(lambda match: match[0].translate(_READ), text)
    if not any(map(str.isdigit, text)):
        return text
    text = _INSIDE.sub(lambda match: match[0].translate(_READ), text)
    return _ALONE.sub(lambda match: match[0].translate(_READ), text)


def alphanumeric(text: str) -> str:
    """Return the letters and digits of a code, in capitals without accents.

    :param text: A code as somebody wrote it.
    :return: E.g. ``ABC123`` for ``abc-12 3``.
    """
    return plain_digits("".join(c for c in strip_accents(text).upper() if c.isalnum()))


def dated(code: str) -> str:
    """Return a CURP or RFC with the letters that stand in its date read as digits.

    :param code: Letters and digits, in capitals.
    """
    match = _DATE_PLACES.match(code)
    if match is None:
        return code
    letters = match[1].translate(_AS_LETTERS)
    return letters + match[2].translate(AS_DIGITS) + code[match.end() :]


def voter_key(code: str) -> str:
    """Return a voter key with the letters that stand for digits read as digits.

    :param code: Letters and digits, in capitals; of another shape it stays.
    """
    match = _VOTER_KEY.fullmatch(code)
    if match is None:
        return code
    letters, middle, sex, end = match.groups()
    digits = middle.translate(AS_DIGITS), end.translate(AS_DIGITS)
    return letters.translate(_AS_LETTERS) + digits[0] + sex + digits[1]


def write_like(original: str, code: str) -> str:
    """Write a code with the separators and case of the original.

    :param original: The code as somebody wrote it.
    :param code: Its replacement: as many letters and digits as the original has.
    :return: The replacement in the original's shape.
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


def _alphabet(character: str) -> str:
    if character.isdigit():
        return _DIGITS
    return _UPPER


def permute_code(code: str, label: str, context: Context) -> str:
    """Replace every letter and digit, so that two codes never share a surrogate.

    The code is read as a number in mixed radix (10 for a digit, 26 for a letter) and
    goes through a keyed permutation of all codes of its shape; none stays itself.

    :param code: Letters A to Z and digits.
    :param label: Which permutation.
    :param context: The key.
    :return: Another code of the same shape.
    """
    if len(code) > _LONGEST:  # no code is so long; pieces keep the time linear
        head, tail = code[:_LONGEST], code[_LONGEST:]
        pieces = [tail[i : i + _LONGEST] for i in range(0, len(tail), _LONGEST)]
        return permute_code(head, label, context) + "".join(
            permute_code(piece, f"{label} {i}", context)
            for i, piece in enumerate(pieces)
        )
    alphabets = [_alphabet(c) for c in code]
    size, index = 1, 0
    for character, alphabet in zip(code, alphabets, strict=True):
        place = alphabet.find(character)
        index = index * len(alphabet) + (place if place >= 0 else ord(character) % 10)
        size *= len(alphabet)
    shape = "".join("9" if a is _DIGITS else "A" for a in alphabets)
    image = context.draw.permute(size, index, label, shape)
    signs = []
    for alphabet in reversed(alphabets):
        image, place = divmod(image, len(alphabet))
        signs.append(alphabet[place])
    return "".join(reversed(signs))


def number_image(digits: str, label: str, context: Context) -> str:
    """Return another number of as many digits, without a leading zero of its own.

    :param digits: A house number, lot or kilometre.
    :param label: What it numbers.
    :param context: The key.
    :return: The number.
    """
    digits = plain_digits(digits)
    first = digits[0]
    if first == "0" or len(digits) > 6:
        return permute_code(digits, label, context)
    low = 10 ** (len(digits) - 1)
    size = 9 * low
    return str(low + context.draw.permute(size, int(digits) - low, label, size))


def scramble(text: str, label: str, context: Context) -> str:
    """Replace letters by letters and digits by digits; everything else stays.

    :param text: Any text.
    :param label: Which permutation.
    :param context: The key.
    :return: A text of the same shape, never the text itself if it has letters or
        digits.
    """
    plain = "".join(base if len(base := strip_accents(c)) == 1 else "x" for c in text)
    code = alphanumeric(plain)
    if not code:
        return text
    if len(code) != sum(c.isalnum() for c in plain):
        code = "".join("X" if c.isalpha() else "0" for c in plain if c.isalnum())
    return write_like(plain, permute_code(code, label, context))
