"""Patterns of the parts of an address, over folded text (lower case, no accents)."""

import re

_DIRECTION = (
    r"(?:norte|sur|oriente|poniente|este|oeste|nte|nor|ote|pte|ori|pon|[nso])\.?"
    r"(?![^\W\d_])"
)
_MONTH = (
    "(?:enero|ene|febrero|feb|marzo|mar|abril|abr|mayo|may|junio|jun|julio|jul|"
    "agosto|ago|septiembre|setiembre|sept|sep|octubre|oct|noviembre|nov|diciembre|dic)"
)
# "5 de Mayo", "20 de Nov.", "1o de Mayo"
DATE_NAME = re.compile(
    rf"\d{{1,2}}(?:[ ]?(?:o|ro|ero)\.?)?\s{{1,2}}de\s{{1,2}}{_MONTH}\.?(?![^\W\d_])"
    r"(?:\s(?:de|del)\s1[789]\d\d(?!\d))?"
)
# "calle 21", "55-A", "3a. Oriente Sur", "3.ª Poniente", "16 Norte"
NUMBER_NAME = re.compile(
    r"\d{1,3}(?:[ ]?-[ ]?[a-z](?![a-z\d])|[a-z](?![a-z\d])|[ ]?\.?(?:ra|da|ta|er|na|va)"
    rf"(?![a-z\d])\.?|\.[ao](?![a-z\d]))?\.?(?:[ ]{{1,2}}(?:bis|{_DIRECTION})){{0,2}}"
    r"(?![\d/:%])"
)
# "Revolución 1910 núm. 12", "Constitución de 1814 no. 60": the year is the street's.
YEAR_NAME = re.compile(
    r"[ ](?:del?[ ])?(?:1[5-9]|20)\d\d(?=[ ]{0,2},?[ ](?:no\b|num\b|numero|nro\b|#|\d))"
)
_END = r"(?![^\W_])"
_DIGITS = (
    r"\d{1,5}(?:[ ]?[-/][ ]?(?:\d{1,4}[a-z]?|[a-z]{1,2}\d{0,3})|[a-z]{1,3}|"
    r"[ ][a-dfgh](?=[,.;\n]))?" + _END
)
_SIDE = (
    r"(?:[ ]{1,2}(?:bis|altos?|bajos|interior(?![ ][a-z\d]\b)|norte|sur|"
    r"oriente|poniente|(?:nte|ote|pte)\.?)(?![^\W_]))?"
)
# Zero and the letter o, one and the letter l are mixed up by scanners.
SIGNED = re.compile(
    r"(?:(?:n0\.?(?=[ ])|(?:no|num|nro|n)(?![a-z])\.?)|numero|#)[ ]{0,2}"
    r"(?:ext(?:erior)?\b\.?)?[ ]?:?[ ]{0,2}#?[ ]?"
    rf"(?:[ol]?{_DIGITS}|(?=[ol]{{0,3}}\d)[\dol]{{2,5}}{_END}){_SIDE}"
)
BARE = re.compile(
    rf"{_DIGITS}{_SIDE}(?!\d|[.,/:]\d|[ ]\d{{2,3}}[ -]\d|"
    r"[ ]?(?:%|anos?\b|mg\b|ml\b|kg\b|cm\b|mm\b|hrs?\b|"
    r"h\b|dias?\b|mcg\b|ui\b|meses\b|semanas\b|veces\b|x[ ]?'|lpm\b|pesos\b|minutos\b|"
    r"min\b|metros\b|km\b|kms\b|cuadras\b|hijos\b|personas\b|de[ ](?:[a-z]{3,10})[ ]))"
)
NO_NUMBER = re.compile(
    r"(?:s[ ]?[/.\\-][ ]?n(?:[o°]\b|um(?:ero)?\b)?\.?|sn|"
    r"sin[ ]{1,2}(?:numero|num\.?|no\.)|domicilio[ ]conocido|conocido)" + _END
)
CODE = re.compile(
    r"(?:c[ ]?\.?[ ]?p[ ]?\.?|cod(?:igo)?\.?[ ]{1,2}postal)[ ]{0,2}[:.#]?[ ]{0,2}"
    r"[o\d][\dol]{4}" + _END
)
BARE_CODE = re.compile(r"\d{5}(?=[ ]{0,3}(?:[,.;\n(-]|$|[a-z]))")
# Behind a colonia and a comma: "col. Hidalgo, 70610, Salina Cruz".
CODE_BEHIND = re.compile(
    r"\d{5}(?=[ ]{0,2}(?:[,.;\n(|▸](?!\d)|$)|[ ]{1,4}(?:[a-z]{4,}|cd\b)(?!\w*[ ]\d))"
)
AND = re.compile(r"[ ]{1,2}(?:y|e|con)[ ]{1,2}")
BETWEEN = re.compile(
    r"(?:(?:en)?tre|e/|entre[ ]las?|entre[ ]calles?)[ ]{1,2}(?:(?:las?[ ])?calles?[ ])?"
    r"(?:de[ ])?(?:la[ ])?"
)
CROSSING = re.compile(
    r"(?:x|por|entre|e/)[ ]{0,2}\d{1,3}(?:[ ]?-?[ ]?[a-z](?![a-z\d]))?"
    r"(?:[ ]{0,2}(?:y|e|con)[ ]{0,2}\d{1,3}(?:[ ]?-?[ ]?[a-z](?![a-z\d]))?)?"
    r"(?![^\W_]|[ ]?(?:mg|ml|cm|dias|meses|min|hrs?|veces|ocasion))"
)
# "esq. con", "casi esquina con la", "a la altura de"
CORNER = re.compile(
    r"(?:(?:casi[ ])?(?:en[ ])?(?:la[ ])?esq(?:uina)?\.?[ ]{1,2}(?:con[ ]|del?[ ])?|"
    r"casi[ ](?:con|y)[ ])(?:(?:la|el)[ ](?!dia|ano))?"
)
HEIGHT = re.compile(r"a[ ]la[ ]altura[ ]del?[ ](?:(?:la|el)[ ])?")
CORNER_FIRST = re.compile(r"esq(?:uina)?\.?[ ]{1,2}(?:con|del?|que[ ]forman)[ ]")
STRETCH = re.compile(r"[ ]{0,2},[ ](?:en[ ]el[ ])?tramo[ ](?:carretero[ ])?")
KILOMETRE = re.compile(
    r"(?:a[ ]la[ ]altura[ ]del?[ ]|en[ ]el[ ])?(?:km|kilometro)s?\.?[ ]{0,2}"
    r"\d{1,4}(?:[ ]?\+[ ]?\d{1,3}|\.\d{1,3})?(?!\d|[.,]\d|[:%/])"
)
KM_OF = re.compile(r"[ ,]{1,2}(?:de[ ]|por[ ])?(?:(?:la|el)[ ])?")
CENTRE = re.compile(
    r"(?:zona[ ]{1,2})?centro(?:[ ]historico|[ ]de[ ]la[ ]ciudad)?(?![^\W\d_])"
)
SECTION = re.compile(
    r"[ ,]{0,3}(?:(?:[1-9](?:\.?a|ra|da|ta|na|va|o|er)?\.?|i{1,3}|iv|v|vi|primera|"
    r"segunda|tercera|cuarta|quinta|sexta|septima|octava|novena)[ ]"
    r"(?:seccion|secc?\.?|etapa|sector|ampliacion)|"
    r"(?:secc?(?:ion)?\.?|etapa|sector)[ ](?:[1-9]\d?|i{1,3}|iv|v|vi|primera|segunda|"
    r"tercera|cuarta|quinta|[a-f]))" + _END
)
SECTION_NAME = re.compile(r"[ ](?:de[ ])?(?=[a-z])")
# "Ranchería Río Seco 2da sección", "R/a. Guineo": Tabasco.
RANCHERIA = re.compile(r"(?:rancheria|ria\.?|rria\.?|r/a\.?)[ ]{1,2}")
INSIDE = re.compile(r"(?:agencia|ag\.|paraje)[ ]{1,2}(?!de[ ])")
# Words that are no abbreviations: a stop behind them ends a sentence.
WHOLE = frozenset(
    """calle calles avenida camino colonia barrio seccion unidad zona sector plaza paseo
    esquina privada cerrada rumbo via paso""".split()
)
SEPARATOR = re.compile(r"[ \t]{0,3}[,.;:/-]?[ \t]{0,3}(?:\r?\n[ \t]{0,4})?")
ORDINAL_BEFORE = re.compile(
    r"(?<![^\W_])(?:\d{1,2}[ ]?(?:a|ra|da|ta|na|o|er|do|to)?\.?|primera?|segund[ao]|"
    r"tercera?|cuart[ao]|quint[ao])[ ]{1,2}$"
)
PROLONGED = re.compile(r"(?<![^\W_])prol(?:ongacion)?\.?[ ]{1,2}(?:de[ ](?:la[ ])?)?$")


# "casa amarilla sin número"
HOUSE = re.compile(
    r"casa[ ](?:de[ ])?(?:color[ ])?[a-z]{3,12}[ ](?:sin[ ]num(?:ero\b|\.)|s/n)" + _END
)
# "de la Obrera": a colonia's name alone.
LINK_NAME = re.compile(r"(?:de|en)[ ](?:la|el|los|las)[ ](?![a-z]{2,10}\.?[ ]de[ ])")
# "calle 12 sur y 26"
AND_NUMBER = re.compile(
    r"(?:y|con)[ ]\d{1,3}(?:[ ]?-?[ ]?[a-z])?(?:\.?[ao]|[ ]?(?:ra|da|ta|er|na|va))?\.?"
    r"(?:[ ](?P<side>norte|sur|oriente|poniente|(?:nte|ote|pte)\b\.?))?"
    r"(?=[ ]?[,.;)\n]|$|[ ](?:col|n[uo]|#|int|s/n))"
)
LINK = re.compile(
    r"(?:de|en)[ ](?:la|el)[ ](?=col|fracc|barrio|unidad|ejido)|"
    r"del[ ](?=sector|fracc|barrio|ejido|conjunto)"
)
# "entre Pte. 9 y Pte. 10"
SIDED_NUMBER = re.compile(
    r"(?:norte|sur|oriente|poniente|nte|ote|pte)\b\.?[ ]\d{1,3}[a-z]?(?![^\W_])"
)
STREET_BEFORE = re.compile(
    r"(?:^|[\n,;:(.·•|▸—]|(?<![^\W_])(?:en|de|a|con|por|domicilio))[ \t]{0,3}"
    rf"(?P<street>(?:{DATE_NAME.pattern}[ ]|(?:[a-z]{{2,14}}\.?[ ]){{1,5}})"
    r"(?:(?:no|num|numero)\b\.?[ ]?|#[ ]?)?"
    r"(?:\d{1,5}(?:[ ]?-[ ]?[a-z0-9]{1,3}|[a-z])?|s/n)"
    r"(?:[ ](?:bis|altos|bajos|ote|pte|nte|norte|sur|oriente|poniente)\.?)?)"
    r"[ ]{0,2},?[ ]{0,2}$"
)
# "Lomas de Santiaguito" is one name, "La Ciénega de Tlalnepantla" a name and its town.
SETTLEMENT_NOUNS = frozenset(
    """lomas villas villa jardines jardin bosques bosque hacienda haciendas rincon
    rinconada colinas valle valles puerta puertas prados paseos arcos fuentes ampliacion
    real praderas misiones parques portal portales riberas cumbres balcones loma colina
    jardin prado heroes arboledas terrazas parajes pedregal granjas arbolada brisas
    vistas geovillas canadas mirador cerradas quintas""".split()
)
FIVE_DIGITS = re.compile(r"\d{5}")
ROAD_PARTICLES = frozenset("a al hacia".split())
LEADING = frozenset("la en x por de del el al".split())
NAME_SIDE = re.compile(r"[ ](?:norte|sur|oriente|poniente|nte|ote|pte)\b\.?(?![^\W_])")
BARE_NUMBERED = re.compile(
    r"\d{1,3}[ ]?[a-z]?(?=(?:[ ](?:s/n|no\.?[ ]?\d{1,4}[a-z]?|\d{1,4}[a-z]?))?[ ]"
    r"x[ ]\d{1,3}[ ]?[a-z]?[ ]y[ ]\d)|"
    r"\d{1,3}[ ]?(?:a|ra|da|ta|na|va)?\.?[ ](?:norte|sur|oriente|poniente|nte|ote|pte|"
    r"calle|avenida|av\b|privada|priv\b)"
)
# "nte." at the end of a name keeps its stop.
SIDES = frozenset("norte sur oriente poniente nte ote pte nor ori pon".split())
SHORT_SIDES = frozenset("nte ote pte nor ori pon".split())
ORDINAL_NAME = re.compile(r"\d{1,2}[ ]?(?:do|er|ro|to|ra|da|ta)\.?(?![^\W_])")
NAMELESS = re.compile(r"sin[ ]nombre(?![^\W_])")
# Words that name a building: "torre Ceiba", "Edificio Tamaulipas".
BUILDING = re.compile(
    r"(?:torre|edificio|edif\.?|ed\.|condominio|cond\.|cuarteria|multifamiliar|plaza|"
    r"centro[ ]comercial)[ ]{1,2}"
)
# What may stand between a street without its type and a corner or component.
PLACED = re.compile(
    r"(?<![^\W_])(?:en|por|de|sobre|y|vive|viven)[ ](?:(?:la|el|las|los)[ ])?$"
)
SEPARATED_END = re.compile(r"[ \t]{0,3}(?:$|[\n,.;:(|]|[ ]{2}|tel|cel|c\.?p)")
# What stands behind "int.", "depto.", "mza.": "3", "B-2", "IV".
UNIT_VALUE = (
    r"[ ]{0,2}(?:no\b\.?|num\b\.?|#|numero)?[ ]{0,2}"
    r"(?:\d{1,5}(?:[ ]?-?[ ]?[a-z](?![a-z\d]|\.[ ]?[a-z]\b))?(?:-\d{1,4})?|"
    r"(?:i{1,3}|iv|vi{0,3}|ix|x)\b|[a-z](?:[ ]?-?[ ]?\d{1,4})?"
    r"(?:-\d{1,3})?)" + _END
)
