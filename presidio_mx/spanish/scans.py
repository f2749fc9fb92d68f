"""Read what scanners, forms and exports did to a value: digits for letters, boxes.

Nothing here is needed for a clean text, and a look at its signs tells one.
"""

import html
import re
from collections.abc import Callable, Iterator
from itertools import product

from presidio_mx.spanish.writing import strip_accents
from presidio_mx.text.folding import fold_key

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
_READ_NUMBERS = str.maketrans("OoIlSBZ", "0011582")
AS_DIGITS = str.maketrans("OILSBZ", "011582")
AS_LETTERS = str.maketrans("01", "OI")

_SCANNED = re.compile(r"[^\W_]+")
_LEAST_LETTERS, _FEWEST = 4, 2
_FOR_LETTER = re.compile(r"(?<=[^\W\d_])(?:0|1(?=[^\W\d_]))|\b0(?=[^\W\d_]{4})")
# No Spanish word begins with l and a consonant: "lrma", "lndependencia".
_FOR_FIRST = re.compile(r"^l(?=[bcdfghjkmnpqrstvxz][^\W\d_]{2})")
_FOR_CAPITAL = re.compile(r"l(?=[A-ZÑ])|(?<=[A-ZÑ])l")
_VOWELS = frozenset("aeiouAEIOU")
_READINGS = {"0": "o", "1": "li", "6": "o", "5": "s", "8": "b"}
_MOST_DIGITS = 3
_DOUBTFUL = re.compile(r"\d|l[A-ZÑ]|[A-ZÑ]l|(?<![^\W_])l[bcdfghjkmnpqrstvxz]")
_JOINT = re.compile(r"(?<=[^\W\d_]{3})0(?=[^\W\d_]{3})")
_CUT = re.compile(r"([^\W\d_]+)[-\u00ad]\n\s*([^\W\d_]+)")
_GAP = re.compile(r"( {2,})")
_PARTED = re.compile(
    r"(?<![^\W_])([A-ZÁÉÍÓÚÑ]\w*)[ ]([a-zñáéíóú]+)(?:[ ]([a-zñáéíóú]+))?"
)

_SIGN = "|"
_BOXES = re.compile(r"\s?[^\W_]\s?(?:\|\s{0,2}[^\W_]?\s{0,2}){4,}")
# "M A R T H A   R U I Z": letters one blank apart, words two or more.
_SPACED_WORD = r"[^\W\d_](?: [^\W\d_])+"
_SPACED = re.compile(rf"{_SPACED_WORD}(?: {{2,5}}{_SPACED_WORD})*")
_CAPITAL_VOWELS = frozenset("AEIOUÁÉÍÓÚ")
_REFERENCE = re.compile(r"&(?:#\d{2,4}|#x[0-9a-fA-F]{2,3}|[A-Za-z]{2,8});")

Known = Callable[[str], bool]


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


def letters_read(text: str, known: Known | None = None) -> str:
    """Return the text with what a scanner took for digits in words read as letters.

    :param text: A name, a place, an address.
    :param known: Tells whether a list has a folded word: such readings count first.
    :return: E.g. ``Velino Orozco`` for ``Ve1ino Orozc0``; of the same length. A 1
        behind a vowel was an l, else an i; one that ends a word may count something.
    """
    if not _DOUBTFUL.search(text):
        return text

    def write(match: re.Match[str]) -> str:
        word = match.group()
        if known:
            found = (r for r in _readings(word) if known(fold_key(r)))
            word = next(found, word)
        return _by_rule(word)

    return _SCANNED.sub(write, text)


def _readings(word: str) -> Iterator[str]:
    """Yield a word with its digits as letters, in every way; nothing for a code."""
    capitals = word.replace("l", "I")
    word = capitals if capitals.isupper() and sum(map(str.isupper, word)) > 1 else word
    digits = [at for at, c in enumerate(word) if c.isdigit()]
    letters = len(word) - len(digits)
    if not digits or letters < max(_FEWEST, len(digits)):
        return
    if len(digits) > _MOST_DIGITS or any(word[at] not in _READINGS for at in digits):
        return
    for choice in product(*(_READINGS[word[at]] for at in digits)):
        read = list(word)
        for at, letter in zip(digits, choice, strict=True):
            near = [c for c in word[max(0, at - 1) : at + 2] if c.isalpha()]
            upper = all(c.isupper() for c in near) or (at == 0 and word[1:].islower())
            read[at] = letter.upper() if upper else letter
        yield "".join(read)


def _by_rule(word: str) -> str:
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


def name_read(text: str, known: Known) -> str:
    """Return a name whose words are read and put together: no name holds a digit.

    :param text: As it stands in the document.
    :param known: Tells whether a list has a folded word as a name.
    :return: E.g. ``Marta Elba`` for ``Marta E1ba``, ``Abraham Omeana`` for
        ``Abraham0meana``, ``Horacio`` for ``H orac io``.
    """
    text = _CUT.sub(
        lambda m: m[1] + m[2] if known(fold_key(m[1] + m[2])) else m[0], text
    )
    if _DOUBTFUL.search(text):
        text = _JOINT.sub(lambda m: _joint(m, known), text)
        text = letters_read(text, known)
        text = _SCANNED.sub(lambda m: next(_readings(m.group()), m.group()), text)
    if _GAP.search(text):
        return "".join(_unspaced(chunk, known) for chunk in _GAP.split(text))
    text = _PARTED.sub(lambda m: _joined(m, known), text)
    return _rejoined(text, known) if text.replace("l", "I").isupper() else text


def _joint(match: re.Match[str], known: Known) -> str:
    """Part two words that grew together over a capital O: "Abraham0meana"."""
    before = re.search(r"[^\W\d_]+\Z", match.string[: match.start()])
    return " O" if before and known(fold_key(before.group())) else match.group()


def _unspaced(chunk: str, known: Known) -> str:
    """Put a chunk between wide gaps together: "CAS T lLLO"."""
    if " " not in chunk.strip() or all(known(fold_key(w)) for w in chunk.split()):
        return chunk
    whole = chunk.replace(" ", "")
    readings = (whole, whole.replace("l", "I"), *_readings(whole))
    return next((r for r in readings if known(fold_key(r))), chunk)


def _joined(match: re.Match[str], known: Known) -> str:
    """Put the pieces of a capitalised word together: "H orac io"."""
    for pieces in (match.groups(""), match.groups("")[:2]):
        real = [piece for piece in pieces if piece]
        whole = all(known(fold_key(piece)) for piece in real)
        if known(fold_key("".join(real))) and not whole:
            return "".join(real) + match.group()[len(" ".join(real)) :]
    return match.group()


def _rejoined(text: str, known: Known) -> str:
    """Put pieces of capitals together that lists have only as one: "HIL ARIO"."""
    pieces = text.split(" ")
    at = 0
    while at + 1 < len(pieces):
        pair = pieces[at : at + 2]
        whole = "".join(pair).replace("l", "I")
        parted = all(len(w) > 1 and w.isalnum() and w[0].isalpha() for w in pair)
        if parted and not all(known(fold_key(w.replace("l", "I"))) for w in pair):
            if known(fold_key(whole)):
                pieces[at : at + 2] = [whole]
        at += 1
    return " ".join(pieces)


def unboxed(text: str) -> str:
    """Return a value whose letters stand apart, or the text itself.

    :param text: As it stands in the document.
    :return: ``RUIZ ANA`` for ``|R|U|I|Z| |A|N|A|`` and ``R U I Z   A N A``; an empty
        box is a blank.
    """
    if _is_spaced(text):
        return " ".join(
            word.replace(" ", "") for word in _GAP.split(text) if word.strip()
        )
    if _SIGN not in text or not _BOXES.fullmatch(text):
        return text
    cells = [cell.strip() for cell in text.strip(_SIGN).split(_SIGN)]
    if sum(map(bool, cells)) < _LEAST_LETTERS:
        return text
    return re.sub(r" +", " ", "".join(cell or " " for cell in cells)).strip()


def boxed_like(original: str, value: str) -> str:
    """Put the letters of a value apart where those of the original stand so.

    :param original: As it stands in the document.
    :param value: The surrogate of the unboxed value; a tag stays whole.
    """
    if value.startswith("{") or unboxed(original) == original:
        return value
    if _is_spaced(original):
        return "   ".join(" ".join(word) for word in value.split())
    end = _SIGN if original.rstrip().endswith(_SIGN) else ""
    return _SIGN.join(value) + end


def _is_spaced(text: str) -> bool:
    """Tell whether a text is capitals with a blank behind each: "M A R T H A".

    Of three letters or of consonants alone it may be initials: "J M R".
    """
    if text[1:2] != " " or not text.replace("l", "I").isupper():
        return False
    letters = [c for c in text if c != " "]
    if len(letters) < _LEAST_LETTERS or _CAPITAL_VOWELS.isdisjoint(letters):
        return False
    return _SPACED.fullmatch(text) is not None


def unescaped(text: str) -> str:
    """Return a value whose character references of HTML are read.

    :param text: As it stands in the document.
    :return: ``Álvarez`` for ``&#193;lvarez``; any other text as it is.
    """
    return html.unescape(text) if "&" in text and _REFERENCE.search(text) else text


def escaped_like(original: str, value: str) -> str:
    """Write a value's letters with accents as the original writes its own.

    :param original: As it stands in the document.
    :param value: The surrogate of the unescaped value.
    :return: With decimal references, or without accents where the original has named
        ones, whose names not every reader knows.
    """
    if "&#" in original:
        return "".join(c if c.isascii() else f"&#{ord(c)};" for c in value)
    return strip_accents(value)
