"""The surrogate of an initial whose name is not known."""

from presidio_mx.replace.surrogates.context import Context
from presidio_mx.text.folding import fold_key

_COMMON_INITIALS = "ABCDEFGHIJLMNOPRSTV"
_RARE_INITIALS = "KQUWXYZ"


def initial_surrogate(letter: str, context: Context) -> str:
    """Return the surrogate of an initial whose name is not known.

    :param letter: A letter.
    :param context: The key.
    :return: Another capital letter.
    """
    plain = fold_key(letter).upper()
    for letters in (_COMMON_INITIALS, _RARE_INITIALS):
        if plain in letters:
            index = letters.index(plain)
            return letters[context.draw.permute(len(letters), index, "initial")]
    return _COMMON_INITIALS[context.draw.number(len(_COMMON_INITIALS), "initial")]
