"""What may follow an institution's name and belongs to it: town, branch, legal form."""

import re

from presidio_mx.find.phrases.institution.capitals import capital_name
from presidio_mx.find.phrases.institution.table import Lists
from presidio_mx.spanish.words import either
from presidio_mx.text.document import Document

QUOTED = re.compile(r'[ \t]{0,2},?[ \t]{0,2}["\'][^"\'\n]{2,60}["\']')
TRAILING_NUMBER = re.compile(
    r"[ ](?:no\.?[ ]?|num\.?[ ]?|#[ ]?)?[a-z]?\d{1,3}"
    r"(?=[ ]?(?:[,.;)\n]|$|[ ](?:en|de|y|por|con)[ ])(?!\.\d|,\d))"
)
# Legal forms of firms and associations: "S.A. de C.V.", "S. de R.L.", "A.C.", "I.A.P."
# (Ley General de Sociedades Mercantiles, art. 1; civil codes of the states).
LEGAL_FORM = re.compile(
    r"[ \t]{0,2},?[ \t]{0,2}(?<![^\W_])"
    r"(?:s\.?[ ]?a\.?(?:[ ]?b\.?)?(?:[ ]?de[ ]?c\.?[ ]?v\.?)?|"
    r"s\.?[ ]?de[ ]?r\.?[ ]?l\.?(?:[ ]?de[ ]?c\.?[ ]?v\.?)?|s\.?[ ]?c\.?|a\.?[ ]?c\.?|"
    r"i\.?[ ]?a\.?[ ]?p\.?|s\.?p\.?r\.?(?:[ ]?de[ ]?r\.?[ ]?l\.?)?)(?![^\W_])\.?"
)
_PLANT = re.compile(
    rf"[ ]{either('institution_plant')}[ ](?:(?P<number>\d{{1,3}})(?!\d)|(?=[a-z]))"
)
# "Universidad Veracruzana, sede Selvas", "Lear Corporation planta San Lorenzo"
_BRANCH = re.compile(rf"(?:[ ]|,[ ]){either('institution_branch')}[ ]{{1,2}}(?=[a-z])")
# How sure a place must be to belong to the name before it: log-odds, see gazetteer.py.
_TOWN_OF_FIRM = -1.0
_TOWN_BEHIND_NAME = -1.6
# Words between a firm's first word and its legal form, at most.
_MOST_BEFORE_FORM = 8


def tail(lists: Lists, document: Document, end: int) -> int:
    """Return the end of a name with a number, a town or a name in quotes behind.

    :param lists: What words and places are known.
    :param document: The note.
    :param end: Offset after the name.
    :return: Offset after what belongs to it.
    """
    folded = document.folded
    quoted = QUOTED.match(folded, end)
    if quoted and folded[end] != ",":
        return quoted.end()
    if folded[end : end + 1] == "." and folded[end - 2 : end - 1] in (".", " "):
        # "T.V.", "S. A."
        end += 1
    number = TRAILING_NUMBER.match(folded, end)
    if number:
        return number.end()
    index = document.word_at(end)
    if index >= len(document) or not document.capital(index):
        return end
    if folded[end : document.starts[index]] not in (" ", "  "):
        return end
    if document.words[index] in lists.words.field:
        return end
    place = lists.place_from(document, index)
    if place and place[1].strength > _TOWN_BEHIND_NAME:
        return document.ends[place[0]]
    return end


def with_legal_form(document: Document, end: int) -> int:
    """Return the end of a name with "S.A. de C.V." and the like behind."""
    form = LEGAL_FORM.match(document.folded, end)
    return form.end() if form else end


def legal_form_behind(document: Document, index: int) -> int | None:
    """Return where a legal form ends that follows within a firm's few words."""
    for last in range(index, min(index + _MOST_BEFORE_FORM, len(document) - 1)):
        form = LEGAL_FORM.match(document.folded, document.ends[last])
        if form:
            return form.end()
        if document.gap(last) not in (" ", "-", ". ", " & "):
            return None
    return None


def with_branch(lists: Lists, document: Document, end: int) -> int:
    """Return the end of a name with a plant, seat or campus behind."""
    branch = _BRANCH.match(document.folded, end)
    if branch is None:
        return end
    index = document.word_at(branch.end())
    if index >= len(document) or not document.capital(index):
        return end
    last = capital_name(lists, document, index)
    return document.ends[last] if last >= index else end


def with_plant(lists: Lists, document: Document, last: int, end: int) -> int:
    """Return the end of a firm's name with its plant or town: "nissan planta 2".

    :param lists: What words and places are known.
    :param document: The note.
    :param last: Index of the last word of the firm's name.
    :param end: Offset after the name, a legal form included.
    """
    plant = _PLANT.match(document.folded, end)
    if plant and plant["number"]:
        return plant.end()
    index = document.word_at(plant.end()) if plant else last + 1
    if index >= len(document) or (not plant and document.gap(last) != " "):
        return end
    place = lists.place_from(document, index)
    if place and (plant or place[1].strength > _TOWN_OF_FIRM):
        return document.ends[place[0]]
    return document.ends[index] if plant else end
