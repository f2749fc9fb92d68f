"""Phase 3: ICD-10 codes of a note, the main one, and the Charlson score.

Codes that are written out are read from the text; words that stand for a category
(``gazetteers/icd10_es.tsv``) give its three characters. The main code is the most
frequent one. Da Silva and Pazin-Filho (2025) had a language model name the codes; any
function from text to codes can take the place of :func:`icd_codes`.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from presidio_mx.research.evaluation.coding import lexical_coder
from presidio_mx.spanish.gazetteer import rows

# With its point, a code is one wherever it stands; "B12" or "T4" need a word before.
_CODE = re.compile(
    r"(?<![\w.])(?:(?P<whole>[A-TV-Z]\d[0-9A-Z]\.[0-9X]{1,2})"
    r"|(?:(?:CIE|ICD|CID)[ -]?(?:10)?|[Dd]x\.?|DX\.?|[Cc][oó]digo)[ :=(]{0,3}"
    r"(?P<named>[A-TV-Z]\d\d[0-9X]?))(?![\w]|\.\d)"
)


def icd_codes(text: str) -> list[str]:
    """Return the ICD-10 codes of a note, one entry a mention.

    :param text: The note.
    :return: Codes without the point, such as ``E119``, those written out first.
    """
    written = [
        (match["whole"] or match["named"]).replace(".", "").removesuffix("X")
        for match in _CODE.finditer(text)
    ]
    return written + list(lexical_coder().mentions(text))


def main_code(codes: Iterable[str]) -> str:
    """Return the most frequent code by category, the first of equals.

    :param codes: Codes, one entry a mention.
    :return: The commonest code of the commonest category; empty if there is none.
    """
    every = list(codes)
    if not every:
        return ""
    category = Counter(code[:3] for code in every).most_common(1)[0][0]
    of_it = Counter(code for code in every if code.startswith(category))
    # A code with its fourth character says more than the category alone.
    return max(of_it, key=lambda code: (len(code) > len(category), of_it[code]))


@cache
def _conditions() -> dict[str, tuple[str, int]]:
    """Return group and weight of each code of the table."""
    return {
        code: (row["group"], int(row["weight"]))
        for row in rows("charlson")
        for code in row["codes"].split()
    }


def charlson(codes: Iterable[str]) -> int:
    """Return the Charlson comorbidity score of some codes.

    Weights of Charlson et al. (1987), codes of Quan et al. (2005): of conditions of one
    group, such as a tumour and its metastases, the heaviest counts. Age counts nothing.

    :param codes: ICD-10 codes, with or without the point.
    :return: The score, 0 or more.
    """
    table = _conditions()
    heaviest: dict[str, int] = {}
    for code in codes:
        plain = code.replace(".", "").upper()
        for size in range(len(plain), 2, -1):
            if plain[:size] in table:
                group, weight = table[plain[:size]]
                heaviest[group] = max(weight, heaviest.get(group, 0))
                break
    return sum(heaviest.values())
