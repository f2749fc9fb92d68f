"""Places of files, each with a name, a telephone and a clinical word of its own.

A template holds marks such as ``¤footnote¤``, one for each place. A mark becomes a
sentence about somebody; ``¤place:name¤``, ``:phone``, ``:word`` or ``:who`` (name and
telephone) become a part of it.
"""

import html
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
MARK = re.compile(r"¤(?P<place>[^¤:]+)(?::(?P<part>\w+))?¤")
_GIVEN = "Rosalba Eustolia Filemón Macedonio Yolanda Herminia Tiburcio Odilia".split()
_DRUGS = "metformina losartán enalapril amlodipino omeprazol levotiroxina".split()
_FIRST_SURNAME = 160


def _surnames():
    rows = (ROOT / "gazetteers" / "surnames.tsv").read_text(encoding="utf-8")
    names = [row.split("\t")[0] for row in rows.splitlines() if row[:1].isalpha()]
    longer = [n for n in names[_FIRST_SURNAME:] if len(n) > 6 and n.isalpha()]
    unlike = []
    for name in longer:
        if not any(name[:6].lower() == other[:6].lower() for other in unlike):
            unlike.append(name)
    return unlike[:400]


SURNAMES = _surnames()


@dataclass(frozen=True)
class Place:
    """A place: what stands there."""

    name: str
    part: str
    surname: str
    given: str
    phone: str
    word: str

    @property
    def text(self):
        whose = f"{self.given} {self.surname}"
        return {
            "name": whose,
            "surname": self.surname,
            "phone": self.phone,
            "digits": re.sub(r"\D", "", self.phone),
            "word": self.word,
            "who": f"Paciente {whose}, tel. {self.phone}",
            "upper": f"{self.surname}^{self.given}".upper(),
        }.get(self.part, f"Paciente {whose}, tel. {self.phone}, toma {self.word} mg")

    @property
    def identifiers(self):
        """What the new file must not hold."""
        digits = re.sub(r"\D", "", self.phone)
        if self.part == "word":
            return []
        if self.part in ("phone", "digits"):
            return [self.phone, digits]
        names = [self.surname]
        return (
            names if self.part in ("name", "surname", "upper") else [*names, self.phone]
        )

    @property
    def clinical(self):
        return self.word if self.part in ("", "word") else ""


def filled(template, places, quote=str):
    """Return a template with its marks filled; add the places to a list."""

    def fill(mark):
        number = len(places)
        place = Place(
            mark["place"],
            mark["part"] or "",
            SURNAMES[number],
            _GIVEN[number % len(_GIVEN)],
            f"443 {200 + number} {4100 + 7 * number}",
            f"{_DRUGS[number % len(_DRUGS)]} {300 + number}",
        )
        places.append(place)
        return quote(place.text)

    return MARK.sub(fill, template)


def survived(text, places):
    """Return identifiers that stand in a text, and clinical words that do not."""
    text = html.unescape(text)
    bare = re.sub(r"[\s_-]", "", text.lower())
    left = [
        f"{place.name}: {word}"
        for place in places
        for word in place.identifiers
        if re.sub(r"[\s_-]", "", word.lower()) in bare
    ]
    lost = [place for place in places if place.clinical and place.clinical not in text]
    return left, lost


def letters_left_out(left_out):
    """Return how many letters and digits a reader named as left out."""
    return sum(lost.letters for lost in left_out.values())
