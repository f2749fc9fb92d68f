"""Words that no list has and whose ending says that they are clinical language.

No list holds every "-ectomía" and every "-génico"; names and towns do not end so.
"""

from presidio_mx.spanish.words import listed

# Shorter words are as likely a name ("Paloma", "Tica").
_SHORTEST = 9
_ENDINGS = listed("clinical_ending")


def looks_clinical(word: str) -> bool:
    """Tell whether a word's ending is one of clinical Spanish.

    :param word: The folded word.
    """
    return len(word) >= _SHORTEST and word.endswith(_ENDINGS)
