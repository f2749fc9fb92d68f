"""Values with character references of HTML: "Psiqui&#225;trico" is read as written."""

import html
import re

from presidio_mx.replace.surrogates.shape import strip_accents

_REFERENCE = re.compile(r"&(?:#\d{2,4}|#x[0-9a-fA-F]{2,3}|[A-Za-z]{2,8});")


def unescaped(text: str) -> str:
    """Return a value whose character references are read.

    :param text: As it stands in the document.
    :return: ``Álvarez`` for ``&#193;lvarez``; any other text as it is.
    """
    return html.unescape(text) if _REFERENCE.search(text) else text


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
