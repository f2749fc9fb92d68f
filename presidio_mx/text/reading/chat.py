"""Exports of WhatsApp: who writes is somebody, whatever he is called there."""

import re

# "12/03/23, 10:15 a. m. - Lupita: ..." (Android), "[12/03/23, 10:15:22] Lupita: ...".
_LINE = re.compile(
    r"^[\u200e\u202a]?\[?\d{1,2}[/.]\d{1,2}[/.]\d{2,4},?\s\d{1,2}:\d{2}(?::\d{2})?"
    r"(?:\s?[aApP]\.?\s?[mM]\.?)?(?:\]|\s-)\s[\u200e~\u202f ]*"
    r"(?P<sender>[^:\n]{1,60}): ",
    re.M,
)
_LEAST_LINES = 3
# Who is called only this is nobody yet.
_KIN = re.compile(
    r"(?i)(?:(?:mi|la|el|tu)\s)?(?:ma(?:m[aá]|dre)|pa(?:p[aá]|dre)|t[ií][ao]|abuel[ao]"
    r"|herman[ao]|hij[ao]|espos[ao]|amor|vecin[ao]|doctora?|enfermer[ao]|jef[ea]|yo"
    r"|casa|trabajo|hospital|cl[ií]nica|farmacia|whatsapp|t[uú])"
)
_NO_LETTERS = re.compile(r"[\W\d_]+")


def senders(text: str) -> list[str]:
    """Return who writes in an exported chat; nothing for another text.

    :param text: A note.
    """
    found = list(_LINE.finditer(text))
    if len(found) < _LEAST_LINES or len(found) * 4 < text.count("\n"):
        return []
    names = (_NO_LETTERS.sub(" ", match["sender"]).strip() for match in found)
    return [name for name in dict.fromkeys(names) if name and not _KIN.fullmatch(name)]
