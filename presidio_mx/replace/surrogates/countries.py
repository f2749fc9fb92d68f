"""Countries whose towns surrogates know, and what each of them becomes."""

from presidio_mx.replace.surrogates.atlas import place_key
from presidio_mx.replace.surrogates.context import Context

# Countries with towns of their own in the list; each becomes another of them.
COUNTRIES = (
    ("Guatemala", "GT"),
    ("Cuba", "CU"),
    ("Colombia", "CO"),
    ("Perú", "PE"),
    ("Honduras", "HN"),
    ("Argentina", "AR"),
    ("Venezuela", "VE"),
    ("El Salvador", "SV"),
    ("Nicaragua", "NI"),
    ("Ecuador", "EC"),
    ("Chile", "CL"),
    ("Bolivia", "BO"),
    ("Costa Rica", "CR"),
)
# Countries farther away of which the list of the world has at least twenty towns.
FAR = (
    ("Brasil", "BR"),
    ("Canadá", "CA"),
    ("Japón", "JP"),
    ("Turquía", "TR"),
    ("India", "IN"),
    ("China", "CN"),
    ("Rusia", "RU"),
    ("Pakistán", "PK"),
    ("Indonesia", "ID"),
    ("Malasia", "MY"),
    ("Nigeria", "NG"),
)
CODE_OF = {place_key(name): code for name, code in (*COUNTRIES, *FAR)}
NAME_OF = {code: name for name, code in (*COUNTRIES, *FAR)}
# Codes of countries in messages, without those that are states' codes, too.
_CODES = tuple("MX GT BZ HN SV NI CR CU DO EC PE BO CL UY PY VE BR ES".split())
_LONG_CODES = tuple("MEX GTM BLZ HND SLV NIC CRI CUB DOM ECU PER BOL CHL URY".split())


def country_code(text: str, context: Context) -> str | None:
    """Return the code that a country's code becomes.

    :param text: E.g. ``MX`` or ``MEX``.
    :param context: The key.
    :return: A code of the same length; None if it is no such code.
    """
    for codes in (_CODES, _LONG_CODES):
        if text.strip() in codes:
            index = codes.index(text.strip())
            return codes[context.draw.permute(len(codes), index, "country code")]
    return None


def country_image(code: str, context: Context) -> str:
    """Return the country that one with towns of its own becomes.

    :param code: ISO 3166 code.
    :param context: The key.
    :return: Another code; the same for a country without such towns.
    """
    for countries, label in ((COUNTRIES, "country of towns"), (FAR, "far country")):
        codes = [code for _, code in countries]
        if code in codes:
            return codes[context.draw.permute(len(codes), codes.index(code), label)]
    return code
