"""What stands behind a name in one finding: what somebody is called, where from."""

import re

from presidio_mx.replace.surrogates.atlas import atlas, place_key
from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.replace.surrogates.name_words import name_words
from presidio_mx.text.folding import fold_key

_FEWEST, _MOST = 2, 2
_ARTICLES = frozenset(("la", "las", "los", "el"))
_FROM = re.compile(r"(?<=[^\W\d_])\s+de\s+", re.IGNORECASE)
# "Natividad la Huesera", "Candelario chico": beside a name, no part of it.
_CALLED = re.compile(
    r"(?<=[^\W\d_])(?<!\bde)(?<!\bDe)(?<!\bDE)\s+(?:el|la)\s+(?P<epithet>[^\W\d_]+)\Z",
    re.IGNORECASE,
)
_YOUNGER = re.compile(r"(?<=[^\W\d_])\s+(?P<epithet>chic[oa]|grande)\Z", re.IGNORECASE)


def called_behind(text: str) -> re.Match[str] | None:
    """Return what somebody is called behind the name, as group ``epithet``.

    :param text: A name.
    :return: The "la Huesera" of "Nati la Huesera"; the "chico" of a given name alone.
    """
    match = _CALLED.search(text)
    if match is not None or (match := _YOUNGER.search(text)) is None:
        return match
    before = text[: match.start()].split()
    given = all(fold_key(word) in lexicon().usual for word in before)
    return match if given and len(before) <= _MOST else None


def home_behind(text: str) -> int:
    """Return where the place begins that somebody is of: "Ojeda Tafoya de Guanajuato".

    :param text: A name.
    :return: 0 where no state or town of several words stands behind a whole name.
    """
    world, names = atlas(), lexicon()
    for match in _FROM.finditer(text):
        key = place_key(text[match.end() :])
        town = " " in key and world.has_town(key)
        state = key in world.state_forms and len(key) > len("leon")
        known = (town or state) and key not in names.words
        # "de la Fuente" is a surname, though a place is called so.
        article, _, last = key.rpartition(" ")
        known = known and not (article in _ARTICLES and last in names.words)
        whole = f"de {key}"
        if known and whole not in names.phrases and whole not in names.words:
            return (
                match.end() if len(name_words(text[: match.start()])) >= _FEWEST else 0
            )
    return 0
