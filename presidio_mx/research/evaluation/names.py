"""What figures, errors and groups of them are called in the user's language."""

from presidio_mx.messages import say

_SPANISH = {
    "identifiers fully covered": "identificadores cubiertos por completo",
    "notes without a leak": "notas sin fugas",
    "character precision": "precisión por carácter",
    "exact recall": "exhaustividad exacta",
    "exact precision": "precisión exacta",
    "exact F1": "F1 exacta",
    "partial F1": "F1 parcial",
    "type F1": "F1 por tipo",
    "token recall": "exhaustividad por palabra",
    "token precision": "precisión por palabra",
    "token F1": "F1 por palabra",
    "typed token F1": "F1 por palabra y tipo",
    "missed": "omitido",
    "extra": "de más",
    "boundary": "límites",
    "type": "tipo",
    "corpus": "corpus",
    "covered by type": "cubiertos por tipo",
    "covered by role": "cubiertos por papel",
    "exact F1 by type": "F1 exacta por tipo",
    "patient": "paciente",
    "relative": "familiar",
    "staff": "personal",
    "other": "otra persona",
}


def spoken(name: str) -> str:
    """Return the name of a figure, error or group in the user's language.

    :param name: Its English name; others, such as entity types, stay as they are.
    """
    return say(name, _SPANISH.get(name, name))
