"""The usual spellings of a list entry that was written once.

The idea is Sánchez-León's (MEDDOCAN 2019): "Dr. Esquerdo 46" in a list also finds
"Calle del Doctor Esquerdo, 46" and "c/ Dr. Esquerdo nº 46". Case, accents and full
stops are the business of folding; here are abbreviations, optional words and number
signs.
"""

import re
from itertools import islice, product

from presidio_mx.folding import fold_key

# Words that are written in several ways; each group is one word.
_GROUPS: tuple[tuple[str, ...], ...] = (
    ("doctor", "dr"),
    ("doctora", "dra"),
    ("licenciado", "lic"),
    ("general", "gral"),
    ("coronel", "cnel"),
    ("capitan", "cap"),
    ("ingeniero", "ing"),
    ("profesor", "prof", "profr"),
    ("presidente", "pdte", "pte"),
    ("santa", "sta"),
    ("santo", "sto"),
    ("nuestra", "ntra"),
    ("senora", "sra"),
    ("maria", "ma"),
    ("guadalupe", "gpe"),
    ("francisco", "fco"),
    ("hernandez", "hdz"),
    ("martinez", "mtz"),
    ("rodriguez", "rdz", "rguez"),
    ("gonzalez", "glz", "glez", "gzz"),
    ("fernandez", "fdz", "fdez"),
    ("lopez", "lpz"),
    ("avenida", "av", "avda", "ave"),
    ("boulevard", "blvd", "bulevar", "boulevar"),
    ("calzada", "calz", "czda"),
    ("calle", "c"),
    ("callejon", "cjon"),
    ("privada", "priv", "pda"),
    ("prolongacion", "prol"),
    ("carretera", "carr"),
    ("colonia", "col"),
    ("fraccionamiento", "fracc", "frac"),
    ("unidad", "u"),
    ("habitacional", "hab"),
    ("ciudad", "cd"),
    ("hospital", "hosp", "h"),
    ("regional", "reg", "r"),
    ("clinica", "clin"),
    ("centro", "ctro", "c"),
    ("secundaria", "sec"),
    ("primaria", "prim"),
    ("escuela", "esc"),
    ("numero", "num", "no", "n", "#", ""),
)
_SPELLINGS = {word: group for group in _GROUPS for word in group if len(word) > 1}
# Words that people leave out inside a name of a street, colonia or institution.
_OPTIONAL = frozenset(("de", "del", "la", "las", "los", "el", "y"))
_STREET_TYPES = frozenset(
    "calle avenida av boulevard blvd calzada callejon privada colonia col "
    "fraccionamiento fracc".split()
)
_UNIT = re.compile(r"[^\W\d_]+|\d+|#")
_MOST = 96


def variants(entry: str) -> tuple[str, ...]:
    """Return the spellings under which a list entry is looked for.

    :param entry: An entry written once, e.g. ``Dr. Esquerdo 46``, ``HGZ/MF No. 1``.
    :return: Folded spellings, the entry's own first, at most 96. A blank in them stands
        for any of blank, hyphen, slash, comma and full stop.
    """
    units = _UNIT.findall(fold_key(entry))
    if not units:
        return ()
    choices: list[tuple[str, ...]] = []
    for place, unit in enumerate(units):
        options: tuple[str, ...] = _SPELLINGS.get(unit, (unit,))
        if unit == "#":
            options = _SPELLINGS["numero"]
        if unit.isdigit() and place and units[place - 1] not in ("#", *_number_words()):
            # "Esquerdo 46" is also "Esquerdo No. 46".
            options = (unit, f"no {unit}", f"num {unit}", f"numero {unit}", f"# {unit}")
        if unit in _OPTIONAL and place:
            options = (unit, "")
        if unit in _STREET_TYPES and place == 0 and len(units) > 1:
            options = (*options, "")
        choices.append((unit, *(o for o in options if o != unit)))
    spelt = (" ".join(" ".join(words).split()) for words in product(*choices))
    found = dict.fromkeys(s for s in islice(spelt, 8 * _MOST) if s and s[0].isalnum())
    return tuple(islice(found, _MOST))


def _number_words() -> tuple[str, ...]:
    return tuple(word for word in _SPELLINGS["numero"] if word)
