"""Forms of Spanish verbs that clinical notes use: a small conjugator."""

from collections.abc import Iterable, Iterator

# Endings by conjugation: present (1s 2s 3s 1p 3p), preterite, imperfect, future,
# conditional, subjunctive present and past.
_ENDINGS = {
    "ar": (
        "o as a amos an é aste ó aron aba abas ábamos aban e es emos en "
        "ara aran ase asen ando"
    ),
    "er": (
        "o es e emos en í iste ió imos ieron ía ías íamos ían a as amos an "
        "iera ieran iese iesen iendo"
    ),
    "ir": (
        "o es e imos en í iste ió ieron ía ías íamos ían a as amos an "
        "iera ieran iese iesen iendo"
    ),
}
_FUTURE = "é á emos án ía ías íamos ían"
_PRONOUNS = "se le lo la les los las"
_ACCENTED = {"a": "á", "e": "é", "i": "í"}


def _stem_before(stem: str, ending: str) -> str:
    """Return the stem as it is spelt before an ending: toqué, llegué, realicé."""
    if ending[0] in "eé":
        for plain, changed in (("c", "qu"), ("g", "gu"), ("z", "c")):
            if stem.endswith(plain):
                return stem[: -len(plain)] + changed
    return stem


def _participles(stem: str, conjugation: str) -> Iterator[str]:
    vowel = "a" if conjugation == "ar" else "i"
    if vowel == "i" and stem[-1] in "aeo":
        vowel = "í"
    for ending in ("do", "da", "dos", "das"):
        yield stem + vowel + ending


def _regular(infinitive: str) -> Iterator[str]:
    stem, conjugation = infinitive[:-2], infinitive[-2:]
    for ending in _ENDINGS[conjugation].split():
        yield (_stem_before(stem, ending) if conjugation == "ar" else stem) + ending
    for ending in _FUTURE.split():
        yield infinitive + ending
    yield from _participles(stem, conjugation)
    accented = stem + _ACCENTED[conjugation[0]] + "ndo"
    if conjugation != "ar":
        accented = stem + "iéndo"
    for pronoun in _PRONOUNS.split():
        yield infinitive + pronoun
        yield accented + pronoun


def forms(infinitives: Iterable[str]) -> list[str]:
    """Return forms of verbs, stem changes included where the entry gives them.

    :param infinitives: Entries such as ``acudir``, or ``referir>refier`` where the
        stressed stem differs.
    :return: The forms, sorted, without repeats.
    """
    found: set[str] = set()
    for entry in infinitives:
        infinitive, _, stressed = entry.partition(">")
        found.add(infinitive)
        found.update(_regular(infinitive))
        if stressed:
            conjugation = infinitive[-2:]
            singular = (
                "o as a an e es en" if conjugation == "ar" else "o es e en a as an"
            )
            for ending in singular.split():
                if conjugation == "ar":
                    found.add(_stem_before(stressed, ending) + ending)
                else:
                    found.add(stressed + ending)
    return sorted(found)
