"""Patterns of the parts of an address, over folded text (lower case, no accents).

The grammar stands here, the words in ``recognizers/words/address.yaml``. Patterns of a
street's name come first, then house numbers, units, corners, settlements, joints.
"""

import re

from presidio_mx.spanish.words import either, words

# A word or number ends here.
_END = r"(?![^\W_])"

SIDES = words("side")
# "nte." at the end of a name keeps its stop.
SHORT_SIDES = words("side_short", "side_rare")
SETTLEMENT_NOUNS = words("settlement_noun")

_SIDE = either("side_full", "side_short")
_DIRECTION = rf"(?:{either('side_of_number')}|[nso])\.?(?![^\W\d_])"
_MONTH = either("month", "month_short")
_NUMBER_LABEL = either("number_label")
_ORDINAL = either("ordinal_feminine")
_SECTION = either("section_word")
_CORNER = r"esq(?:uina)?\.?"
# "1ra", "2da", "3ta"
_ORDINAL_END = "(?:ra|da|ta|er|na|va)"

# Numbers as they are dictated: "ciento once", "treinta y siete", "mil ciento veinte".
SAID_WORDS = words("spoken_number") | {"mil"}
_SAID_WORD = rf"(?:{either('spoken_number')}|mil){_END}"
_SAID = rf"{_SAID_WORD}(?:[ ](?:y[ ])?{_SAID_WORD}){{0,6}}"
_SAID_LETTER = rf"(?:{either('spoken_letter_sure')}|be|ce){_END}"

# Names of streets -----------------------------------------------------------------

# "5 de Mayo", "20 de Nov.", "1o de Mayo"
DATE_NAME = re.compile(
    rf"(?:\d{{1,2}}(?:[ ]?(?:o|ro|ero)\.?)?\s{{1,2}}de\s{{1,2}}{_MONTH}\.?(?![^\W\d_])"
    r"(?:\s(?:de|del)\s1[789]\d\d(?!\d))?"
    # "Prol. 16 Sep S/N"
    rf"|\d{{1,2}}[ ]{_MONTH}\.?(?=[ ](?:s/n|#|no\.|num|y[ ][a-z])))"
)
# "calle 21", "55-A", "3a. Oriente Sur", "3.ª Poniente", "16 Norte"
NUMBER_NAME = re.compile(
    rf"\d{{1,3}}(?:[ ]?-[ ]?[a-z](?![a-z\d])|[a-z](?![a-z\d])|[ ]?\.?{_ORDINAL_END}"
    rf"(?![a-z\d])\.?|\.[ao](?![a-z\d]))?\.?(?:[ ]{{1,2}}(?:bis|{_DIRECTION})){{0,2}}"
    r"(?![\d/:%])"
)
# "Revolución 1910 núm. 12", "Constitución de 1814 no. 60": the year is the street's.
YEAR_NAME = re.compile(
    r"[ ](?:del?[ ])?(?:1[5-9]|20)\d\d"
    rf"(?=[ ]{{0,2}},?[ ](?:{_SIDE}\.?[ ])?(?:{_NUMBER_LABEL}\b|#|\d))"
)
NAME_SIDE = re.compile(rf"[ ]{_SIDE}\b\.?{_END}")
ORDINAL_NAME = re.compile(rf"\d{{1,2}}[ ]?(?:do|er|ro|to|ra|da|ta)\.?{_END}")
# "col. 3 Estrellas", "Fracc. 2 Arbolitos"
COUNTED_NAME = re.compile(
    rf"\d{{1,2}}[ ](?!{either('measure', 'spoken_measure')}(?![a-z]))"
    r"[a-z]{4,14}s(?=[ ]?,)"
)
NAMELESS = re.compile(rf"sin[ ]nombre{_END}")
# "entre Pte. 9 y Pte. 10"
SIDED_NUMBER = re.compile(rf"{_SIDE}\b\.?[ ]\d{{1,3}}(?:[ ]?-[ ]?[a-z]|[a-z])?{_END}")
# A numbered street without its type, with what shows that it is one.
BARE_NUMBERED = re.compile(
    r"\d{1,3}[ ]?[a-z]?(?=(?:[ ](?:s/n|no\.?[ ]?\d{1,4}[a-z]?|\d{1,4}[a-z]?))?[ ]"
    r"x[ ]\d{1,3}[ ]?[a-z]?[ ]y[ ]\d)|"
    r"\d{1,3}[ ]?(?:a|ra|da|ta|na|va)?\.?[ ]"
    rf"{either('side_full', 'side_short', 'numbered_street')}\b"
)
ORDINAL_BEFORE = re.compile(
    r"(?<![^\W_])(?:\d{1,2}[ ]?(?:a|ra|da|ta|na|o|er|do|to)?\.?|"
    rf"{either('ordinal_feminine', 'ordinal_masculine')})[ ]{{1,2}}$"
)
PROLONGED = re.compile(
    rf"(?<![^\W_]){either('prolongation')}\.?[ ]{{1,2}}(?:de[ ](?:la[ ])?)?$"
)
# A street without its type and its number, before another component.
STREET_BEFORE = re.compile(
    r"(?:^|[\n,;:(.·•|▸—]|(?<![^\W_])(?:en|de|a|con|por|domicilio))[ \t]{0,3}"
    rf"(?P<street>(?:{DATE_NAME.pattern}[ ]|(?:[a-z]{{2,14}}\.?[ ]){{1,5}})"
    rf"(?:{_NUMBER_LABEL}\b\.?[ ]?|#[ ]?)?"
    r"(?:\d{1,5}(?:[ ]?-[ ]?[a-z0-9]{1,3}|[a-z]|[ ][a-h](?=[ ]?,))?|s/n)"
    rf"(?:[ ]{either('number_suffix_written', 'side_full', 'side_short')}\.?)?)"
    r"[ ]{0,2},?[ ]{0,2}$"
)
# "# 1624 local 3": a sign tells as much as a comma behind the number.
SIGNED_END = re.compile(rf"(?:#|{_NUMBER_LABEL}\.)[ ]?\d{{1,5}}$")
# "en Molino de Rosas mz 7 lt 3"
NAME_BEFORE_LOT = re.compile(
    r"(?:^|[\n:]|(?<![^\W_])(?:en|a|domicilio))[ \t]{1,3}"
    r"(?P<name>(?:[a-z]{2,14}[ ]){1,6})$"
)
# What may stand between a street without its type and a corner or component.
PLACED = re.compile(
    r"(?<![^\W_])(?:en|por|de|sobre|y|vive|viven)[ ](?:(?:la|el|las|los)[ ])?$"
)

# "calle veintiuno por treinta y dos", "calle treinta y siete"
SAID_NAME = re.compile(rf"{_SAID_WORD}[ ]y[ ]{_SAID_WORD}")
SAID_DATE = re.compile(rf"{_SAID_WORD}[ ]de[ ]{_MONTH}{_END}")

# House numbers and postal codes ---------------------------------------------------

FIVE_DIGITS = re.compile(r"\d{5}")
_DIGITS = (
    r"\d{1,5}(?:[ ]?[-/][ ]?(?:\d{1,4}[a-z]?|[a-z]{1,2}\d{0,3})|[a-z]{1,3}|"
    rf"[ ][a-dfgh](?=[,.;\n])|[ ]l-[a-z\d]{{1,2}})?"
    rf"(?:[ ]?-[ ]?{either('number_suffix_written', 'number_suffix_short')}\.?)?{_END}"
)
_SUFFIX = (
    rf"(?:[ ]{{1,2}}(?:{either('number_suffix', 'side_full')}|"
    rf"interior(?![ ](?:\"?[a-z\d]{{1,3}}\b|{_SAID_WORD}|{_SAID_LETTER}))|"
    rf"{either('side_short')}\.?){_END})?"
)
# Zero and the letter o, one and the letter l are mixed up by scanners.
SIGNED = re.compile(
    rf"(?:n0\.?(?=[ ])|(?:{_NUMBER_LABEL}|n)(?![a-z])\.?|#)[ ]{{0,2}}"
    r"(?:ext(?:erior)?\b\.?)?[ ]?:?[ ]{0,2}#?[ ]?"
    rf"(?:[ol]?{_DIGITS}|(?=[ol]{{0,3}}\d)[\dol]{{2,5}}{_END}){_SUFFIX}"
    # "número 610 seiscientos diez"
    rf"(?:[ ](?=[a-z]{{3}}){_SAID})?"
)
BARE = re.compile(
    rf"{_DIGITS}{_SUFFIX}(?!\d|[.,/:]\d|[ ]\d{{2,3}}[ -]\d|"
    rf"[ ]?(?:%|{either('measure')}\b|x[ ]?'|de[ ](?:[a-z]{{3,10}})[ ]))"
)
_SAID_HOUSE = (
    rf"{_SAID}(?:[ ](?:guion|letra)[ ]{_SAID_LETTER})?{_SUFFIX}"
    rf"(?![ ](?:{either('spoken_measure')}|de[ ][a-z]{{3,10}}[ ])(?![a-z]))"
)
SAID_BARE = re.compile(_SAID_HOUSE)
SAID_SIGNED = re.compile(rf"{_NUMBER_LABEL}\b\.?[ ]{_SAID_HOUSE}")
SAID_CODE = re.compile(rf"(?:ce[ ]pe|c\.?p\.?|codigo[ ]postal),?[ ]{_SAID}")
# What stands at once behind a name shows that it is a street's.
NUMBER_BEHIND = re.compile(
    rf"[ ](?:(?:{_SIDE}\.?[ ])?(?:#|{_NUMBER_LABEL}\b\.?[ ]?\d)|s/n|\d{{1,4}}(?=[ ]?,))"
)
NO_NUMBER = re.compile(
    r"(?:s[ ]?[/.\\-][ ]?n(?:[o°]\b|um(?:ero)?\b)?\.?|sn|s7n|"
    r"sin[ ]{1,2}(?:numero|num\.?|no(?:\.|(?=[ ]?,)))|"
    rf"{either('known_address')}){_END}"
)
CODE = re.compile(
    r"(?:c[ ]?\.?[ ]?p[ ]?\.?|cod(?:igo)?\.?[ ]{1,2}postal)[ ]{0,2}[:.#]?[ ]{0,2}"
    rf"[o\d][\dol]{{4}}{_END}"
)
BARE_CODE = re.compile(r"\d{5}(?=[ ]{0,3}(?:[,.;\n(-]|$|[a-z]))")
# Behind a colonia and a comma: "col. Hidalgo, 70610, Salina Cruz".
CODE_BEHIND = re.compile(
    r"\d{5}(?=[ ]{0,2}(?:[,.;\n(|▸](?!\d)|$)|[ ]{1,4}(?:[a-z]{4,}|cd\b)(?!\w*[ ]\d))"
)
# "Sin Colonia", "S/C", "N/A": a field that was left open.
LEFT_OPEN = re.compile(rf"(?:sin[ ]colonia|s/c|n/[ad]){_END}")
# "local D1 y D2", "lote 1 y 2"
SECOND_NUMBER = re.compile(
    r"y[ ](?:\d{1,4}(?:[ ]?-?[ ]?[a-z])?|[a-z]-?\d{1,3})(?:[ ]bis)?"
    r"(?=[ ]{0,2}(?:[,;]|$|col\b))"
)
# "calle 23 (Av. Principal)": how else the street is called.
ALSO_CALLED = re.compile(r"\((?P<name>[a-z][^()\n]{2,40})\)")
# "planta baja", "segundo piso"
FLOOR = re.compile(
    rf"(?:planta[ ](?:alta|baja)|(?:{either('ordinal_floor')}|[1-9](?:er|o|do|to)?\.?)"
    rf"[ ]piso){_END}"
)
# "casa amarilla sin número"
HOUSE = re.compile(
    r"casa[ ](?:de[ ])?(?:color[ ])?[a-z]{3,12}[ ](?:sin[ ]num(?:ero\b|\.)|s/n)" + _END
)
KILOMETRE = re.compile(
    rf"(?:a[ ]la[ ]altura[ ]del?[ ]|en[ ]el[ ])?{either('kilometre')}s?\.?[ ]{{0,2}}"
    r"[ -]{0,2}\d{1,4}(?:[ ]?\+[ ]?\d{1,3}|\.\d{1,3})?(?!\d|[.,]\d|[:%/])"
    r"(?:[ ]?½|[ ]1/2)?(?:[ ]{1,2}m(?:argen|\.)?[ ](?:izq|der)[a-z]{0,6}\.?)?"
)
KM_OF = re.compile(r"[ ,]{1,2}(?:de[ ]|por[ ])?(?:(?:la|el)[ ])?")
STRETCH = re.compile(r"[ ]{0,2},[ ](?:en[ ]el[ ])?tramo[ ](?:carretero[ ])?")

# Units of a building or lot -------------------------------------------------------

# What stands behind "int.", "depto.", "mza.": "3", "B-2", "IV".
UNIT_VALUE = (
    rf"[ ]{{0,2}}(?:{_NUMBER_LABEL}\b\.?|#)?[ ]{{0,2}}"
    r"(?:\d{1,5}(?:[ ]?-?[ ]?[a-z](?![a-z\d/]|\.[ ]?[a-z]\b))?(?:-\d{1,4})?|"
    r"(?:i{1,3}|iv|vi{0,3}|ix|x)\b|\"[a-z]\"(?=[ ,])|[a-z](?:[ ]?-?[ ]?\d{1,4})?"
    rf"(?:-\d{{1,3}})?|{_SAID}(?:[ ]{_SAID_LETTER})?|{_SAID_LETTER}){_END}"
)
# Words that name a building: "torre Ceiba", "Edificio Tamaulipas".
BUILDING = re.compile(
    rf"(?:{either('building')}|{either('building_short')}\.)[ ]{{1,2}}"
)

# Corners and crossing streets -----------------------------------------------------

AND = re.compile(r"[ ]{1,2}(?:y|e|con)[ ]{1,2}")
BETWEEN = re.compile(
    r"(?:(?:en)?tre|e/|entre[ ]las?|entre[ ]calles?)[ ]{1,2}(?:(?:las?[ ])?calles?[ ])?"
    r"(?:de[ ])?(?:la[ ])?"
)
# "x 12 y 14", "por 5-A"
CROSSING = re.compile(
    r"(?:x|por|entre|e/)[ ]{0,2}(?:calle[ ])?\d{1,3}(?:[ ]?-?[ ]?[a-z](?![a-z\d]))?"
    r"(?:[ ]{0,2}(?:y|e|con)[ ]{0,2}\d{1,3}(?:[ ]?-?[ ]?[a-z](?![a-z\d]))?)?"
    rf"(?![^\W_]|[ ]?{either('dose_unit')})"
)
CROSSING_TYPED = re.compile(r"(?:x|por)[ ]{1,2}(?=c[.a]|av)")
SAID_CROSSING = re.compile(
    rf"(?:por|entre)[ ](?:la[ ])?(?:calle[ ])?{_SAID}(?![ ]{either('spoken_measure')})"
)
# "esq. con", "casi esquina con la"
CORNER = re.compile(
    rf"(?:(?:casi[ ])?(?:en[ ])?(?:la[ ])?{_CORNER}[ ]{{1,2}}(?:con[ ]|del?[ ])?|"
    r"casi[ ](?:con|y)[ ])(?:(?:la|el)[ ](?!dia|ano))?"
)
CORNER_FIRST = re.compile(
    rf"{_CORNER}[ ]{{1,2}}(?P<link>(?:con|del?|que[ ]forman)[ ])?(?=[a-z])"
)
HEIGHT = re.compile(r"a[ ]la[ ]altura[ ]del?[ ](?:(?:la|el)[ ])?")
# "calle 12 sur y 26"
AND_NUMBER = re.compile(
    rf"(?:y|con)[ ]\d{{1,3}}(?:[ ]?-?[ ]?[a-z])?(?:\.?[ao]|[ ]?{_ORDINAL_END})?\.?"
    rf"(?:[ ](?P<side>{either('side_full')}|{either('side_short')}\b\.?))?"
    r"(?=[ ]?[,.;)\n]|$|[ ](?:col|n[uo]|#|int|s/n))"
)

# Settlements ----------------------------------------------------------------------

CENTRE = re.compile(
    r"(?:zona[ ]{1,2})?centro(?:[ ]historico|[ ]de[ ]la[ ]ciudad)?(?![^\W\d_])"
)
_ROMAN_SECTION = "i{1,3}|iv|v|vi"
SECTION = re.compile(
    r"[ ,]{0,3}(?:(?:[1-9](?:\.?a|ra|da|ta|na|va|o|er)?\.?|"
    rf"{_ROMAN_SECTION}|{_ORDINAL})[ ]{either('section_behind_number')}|"
    rf"{_SECTION}[ ](?:[1-9]\d?|{_ROMAN_SECTION}|{_ORDINAL}|[a-f])){_END}"
)
SECTION_NAME = re.compile(r"[ ](?:de[ ])?(?=[a-z])")
# "Ranchería Río Seco 2da sección", "R/a. Guineo": Tabasco.
RANCHERIA = re.compile(rf"{either('rancheria')}[ ]{{1,2}}")
INSIDE = re.compile(rf"(?:{either('inner_settlement')}|ag\.)[ ]{{1,2}}(?!de[ ])")

# Joints of components -------------------------------------------------------------

SEPARATOR = re.compile(r"[ \t]{0,3}[,.;:/-]?[ \t]{0,3}(?:\r?\n[ \t]{0,4})?")
# An end of line or sentence, or the label of the next field.
SEPARATED_END = re.compile(
    rf"[ \t]{{0,3}}(?:$|[\n,.;:(|]|[ ]{{2}}|{either('address_end')}|c\.?p)"
)
LINK = re.compile(
    rf"(?:de|en)[ ](?:la|el)[ ](?={either('linked_settlement')})|"
    rf"del[ ](?={either('linked_settlement_masculine')})"
)
# "fracción II del predio No. 78"
LINK_UNIT = re.compile(rf"del?[ ](?:la[ ])?(?={either('linked_unit')}\b)")
# "de la Obrera": a colonia's name alone.
LINK_NAME = re.compile(r"(?:de|en)[ ](?:la|el|los|las)[ ](?![a-z]{2,10}\.?[ ]de[ ])")


def behind_separator(folded: str, end: int) -> int:
    """Return where the next component would begin.

    :param folded: The folded note.
    :param end: Where a component ended.
    :return: Offset behind blanks, one sign and the end of a line.
    """
    gap = SEPARATOR.match(folded, end)
    assert gap is not None
    return gap.end()
