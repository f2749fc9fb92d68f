"""Parse the name of an institution: its kind, number, town, saint and own name.

The parts of ``parse_institution(text)``, put together, are the text. Kinds of parts:
``number``, ``words`` (a number in words), ``date`` ("20 de Noviembre"), ``grade``
("2°B"), ``place`` (a town or state), ``demonym`` ("Zacatecano"), ``saint``, ``brand``
(of private hospitals), ``marker`` (a service that one state has), ``name`` (of a
person), ``own`` (any other words), ``month``; what says of which kind it is has none
and stays.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from presidio_mx.resources import folder
from presidio_mx.spanish.addresses import street_names
from presidio_mx.spanish.dates import MONTHS
from presidio_mx.spanish.gazetteer import read_table
from presidio_mx.spanish.name_lists import PARTICLES, name_lists
from presidio_mx.spanish.numbers import is_number_word
from presidio_mx.spanish.parts import Part, Parts
from presidio_mx.spanish.places import atlas, demonym
from presidio_mx.spanish.words import either, listed, words
from presidio_mx.spanish.writing import place_key
from presidio_mx.text.folding import fold, fold_key

TOKEN = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*|\d+|[^\w]+|_+")
LEGAL_FORM = re.compile(
    r"(?:,? (?:S|A|C|e) ?\.? ?(?:[A-Z]\.|(?:en|de) [CR]\.).*| e Hijos|,? A\.?\s?C\.?)$"
)
SAINTS = frozenset(("san", "santa", "sta", "sto"))
_TRADE, _TRADES = words("firm_trade"), words("institution_trade")
_SPECIALTY = re.compile(
    r"(?:logic|iatric|grafic|terapic|medic|nomic|tecnic)[oa]s?$|logia$"
)
HONOURED = words("title_honoured") | {"dra"}
_HOSPITALS = frozenset("h hosp hospital htal".split())
_LINKS = frozenset("de del en a al con para por sin y e".split())
# What opens a firm's name and says its trade: "Despepitadora", "Bordados".
_OPENING = re.compile(r"(?:dora|doras|eria|erias|ados|adas|idos|ciones|eros|eras)$")
_HEADS = words("kind_in_name")
_HEROES = words("state_of_person")
_ORDINALS, _HOPEFUL = words("institution_ordinal"), words("hopeful_word") | {"hermanos"}
_PRIVATE = words("institution_private")
_FIRM_HEADS = words("firm_head", "parish")
_CODES = words("institution_code") | {"hg"}
_DATE = re.compile(rf"\d{{1,2}}\s*[°ºo]?\s+de\s+{either('month')}\b")
_GRADE = re.compile(r"[1-6]\s?[°º]")
_SMALL = frozenset(("un", "uno", "una", "dos", "tres", "cien"))  # "Tres Marías"
_LARGE = 3  # the largest three of a state are cities first
_LONGEST_CODE, _LONGEST_ACRONYM = 4, 5
_ACRONYM = re.compile(r"(\W*)([A-ZÁÉÍÓÚÑ]{2,})(\W*)")
_HEALTH = re.compile(r"salud|medic|clinic|hospit|dialis|univers|\bmed\b|imss|isss?te")
# What kind of institution the first word of a name says.
_FAMILIES = (
    ("charity", words("institution_charity")),
    ("school", words("institution_named_school")),
    ("parish", words("parish")),
    ("health", _HOSPITALS | words("institution_private") | {"clin", "policlinica"}),
    ("firm", _TRADES | _TRADE | words("firm_head", "institution_weak")),
)


@dataclass(frozen=True, slots=True)
class Institution:
    """The name of an institution.

    :param parts: Its parts.
    :param family: ``charity``, ``school``, ``parish``, ``health``, ``firm``, or empty
        where its first word says none of these.
    :param head: Folded first word.
    """

    parts: Parts
    family: str
    head: str


@cache
def kind_words() -> frozenset[str]:
    """Return the folded words that say what kind of institution it is; they stay.

    A kind that is a name of persons, too ("CESAR"), stays only if the list of kept
    words has it.
    """
    kinds = words("institution_code", "institution_kind", "institution_generic")
    spelt = {word for kind in kinds for word in kind.split() if len(word) > 3}
    letters = (kind.replace(".", "") for kind in kinds)
    plain = {kind for kind in letters if kind.isalpha()}
    names = name_lists()
    free = {w for w in plain | spelt if not names.knows(w) and w not in MONTHS}
    return words("institution_kept") | free


@cache
def state_markers() -> dict[str, str]:
    """Return the folded acronyms of services that one state has, with its code."""
    table = read_table(folder("operators") / "state_markers.tsv")
    return {
        fold_key(acronym): row["state"]
        for row in table
        for acronym in row["acronyms"].split(";")
    }


@cache
def brand_keys() -> tuple[str, ...]:
    """Return the brands of private hospitals, folded."""
    return tuple(fold_key(brand) for brand in listed("institution_brand"))


def acronym_in(text: str) -> re.Match[str] | None:
    """Return the match of a bare acronym: before it, its letters, behind it.

    :param text: An institution.
    :return: None for a longer name, and for a long word in capitals.
    """
    match = _ACRONYM.fullmatch(text)
    if match is None:
        return None
    short = len(match[2]) <= _LONGEST_ACRONYM
    return match if short or _HEALTH.search(fold_key(match[2])) else None


def is_kind(key: str, at: int) -> bool:
    """Tell whether a word says what it is: at the beginning also "Refugio" does.

    :param key: Folded word.
    :param at: Its place among the tokens.
    """
    if key in kind_words() or key in _TRADE or _SPECIALTY.search(key):
        return True
    if at:
        return key in _HEADS and key != "refugio"
    opens = _OPENING.search(key) is not None and not name_lists().knows(key)
    return opens or key in _TRADES or key in _HEADS or key in _FIRM_HEADS


def parse_institution(text: str) -> Institution:
    """Parse the name of an institution.

    :param text: E.g. ``HGZ 83`` or ``Hospital General de Apatzingán``.
    """
    legal = LEGAL_FORM.search(text)
    stop = legal.start() if legal else len(text)
    tokens = TOKEN.findall(text[:stop])
    parser = _Parser(tokens)
    parts = parser.parse()
    if text[stop:]:
        parts.append(Part("", text[stop:]))
    head = next((key for key in parser.keys if key.isalpha()), "")
    return Institution(tuple(parts), parser.family, head)


class _Parser:
    """Goes through the tokens of a name; each step takes one part."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tokens
        self.keys = [fold_key(token) for token in tokens]
        head = next((key for key in self.keys if key.isalpha()), "")
        self.family = next((name for name, heads in _FAMILIES if head in heads), "")

    def parse(self) -> list[Part]:
        """Return the parts; words of no kind that follow one another are one."""
        parts: list[Part] = []
        at = 0
        while at < len(self.tokens):
            width, kind = self._step(at)
            text = "".join(self.tokens[at : at + width])
            parts.append(Part(kind, text, fold_key(text)))
            at += width
        if self.family == "firm" and any(part.kind == "own" for part in parts):
            return _of_trade(parts)
        return _joined(parts, self.family == "charity")

    def _step(self, at: int) -> tuple[int, str]:
        token, key = self.tokens[at], self.keys[at]
        if not token[0].isalnum():
            return 1, ""
        if token.isdigit():
            return self._number(at)
        if width := self._spoken(at):
            return width, "words"
        if width := self._brand(at):
            return width, "brand"
        if key in state_markers():
            return 1, "marker"
        led = self._before(at) in ("de", "en", "del")
        if key in SAINTS and (width := self._saint(at, led)):
            town = self._place(at) == width and (led or width > 3)
            return width, "place" if town else "saint"
        if self._opens_with_ordinal(at):
            return 3, "own"
        place = self._place(at)
        if place > 1 and (led or not is_kind(key, at) or key == "ciudad"):
            return place, "place"
        return self._single(at, led, place)

    def _single(self, at: int, led: bool, place: int) -> tuple[int, str]:
        """Return what a word is that opens nothing longer.

        :param at: Its token.
        :param led: Whether "de" stands before it.
        :param place: How many tokens are a place from here, none or one.
        """
        key = self.keys[at]
        if (key.startswith("cmn") and len(key) > 3) or self._is_titled(at):
            return 1, "own"  # "CMNO": the centre of one city
        if at and self.family == "charity" and key in _HOPEFUL:
            return 1, "own"
        if is_kind(key, at) or key in PARTICLES or len(key) == 1 or self._is_code(at):
            return 1, ""
        if key in MONTHS:
            return 1, "month"
        if place:
            return place, "place"
        if (
            at
            and not led
            and demonym(self.tokens[at]).isupper()
            and not key.endswith("s")
        ):
            return 1, "demonym"
        if width := self._street(at):
            return width, "name"
        if name_lists().knows(key) or self._honoured(at):
            return 1, "name"
        return 1, "own"

    def _is_titled(self, at: int) -> bool:
        """Tell whether a word of kind is a name here: "Granja La Salud"."""
        before = self.tokens[at - 2] if at > 1 else ""
        if before not in ("La", "El", "Los", "Las") or not self.tokens[at].istitle():
            return False
        return self.keys[at] in kind_words()

    def _before(self, at: int) -> str:
        """Return the folded word before a token."""
        before = at - 1
        while before >= 0 and not self.tokens[before][0].isalnum():
            before -= 1
        return self.keys[before] if before >= 0 else ""

    def _number(self, at: int) -> tuple[int, str]:
        rest = "".join(self.tokens[at:])
        date = _DATE.match(fold(rest))
        if date is not None:
            width, length = 0, 0
            while length < date.end():
                length += len(self.tokens[at + width])
                width += 1
            return width, "date"
        schools = _FAMILIES[1][1]
        if _GRADE.match(rest) and any(key in schools for key in self.keys[:at]):
            return 1, "grade"
        return 1, "number"

    def _spoken(self, at: int) -> int:
        """Return how many tokens a number in words has behind a kind: "zona uno"."""
        if not at or not is_number_word(self.keys[at]):
            return 0
        if not is_kind(self._before(at), at):
            return 0
        end = at + 1
        for place in range(at + 1, len(self.tokens)):
            key = self.keys[place]
            if is_number_word(key):
                end = place + 1
            elif key and key != "y":
                break
        behind = "".join(self.keys[end : end + 2])
        small = end == at + 1 and self.keys[at] in _SMALL
        return 0 if small and behind.isalpha() and behind not in PARTICLES else end - at

    def _brand(self, at: int) -> int:
        before = self._before(at)
        if before and before not in _PRIVATE:
            return 0
        for width in (5, 3, 1):
            phrase = fold_key("".join(self.tokens[at : at + width]))
            if phrase in brand_keys() and len(self.tokens) >= at + width:
                return width
        return 0

    def _saint(self, at: int, led: bool) -> int:
        """Return how many tokens a saint, or the town of one, has; 0 for none."""
        place = self._place(at)
        if place > 3 or (led and place):
            return place
        if at + 2 >= len(self.tokens) or not self.tokens[at + 2][0].isalpha():
            return 0
        width = 3
        while at + width + 1 < len(self.tokens) and self.tokens[at + width].isspace():
            if not name_lists().is_given(self.keys[at + width + 1]):
                break
            width += 2
        rest = [t for t in self.tokens[at + width :] if not t.isspace()]
        if len(rest) == 1 and rest[0].isalpha() and not is_kind(fold_key(rest[0]), 1):
            return len(self.tokens) - at  # "San Juan Copala", listed or not
        return width

    def _opens_with_ordinal(self, at: int) -> bool:
        """Tell whether an ordinal opens a name: "Tercer Milenio", no "Tercer Nivel"."""
        if self.keys[at] not in _ORDINALS or at + 2 >= len(self.tokens):
            return False
        behind = self.keys[at + 2]
        return behind.isalpha() and not is_kind(behind, at + 2)

    def _is_code(self, at: int) -> bool:
        """Tell whether capitals are of a code with the digit behind them: "FM4"."""
        token = self.tokens[at]
        glued = at + 1 < len(self.tokens) and self.tokens[at + 1].isdigit()
        return glued and token.isupper() and len(token) <= _LONGEST_CODE

    def _street(self, at: int) -> int:
        """Return how many tokens a name has that streets bear, too; 0 if none."""
        if self._honoured(at):
            return 0
        listed_names = street_names("street")[1]
        for width in (7, 5, 3):
            piece = self.tokens[at : at + width]
            whole = len(piece) == width and piece[-1][0].isalnum()
            if whole and fold_key("".join(piece)) in listed_names:
                return width
        return 0

    def _honoured(self, at: int) -> bool:
        """Tell whether a word is of the name behind a title: "Dr. José G. Parres"."""
        for place in range(at - 1, -1, -1):
            key, token = self.keys[place], self.tokens[place]
            if key in HONOURED:  # "H. Gral. Tapachula" honours nobody
                return not (key == "gral" and self._before(place) in _HOSPITALS)
            if (
                (key in _LINKS and token.islower())
                or key.isdigit()
                or set(token) & set(',;()"”»')
            ):
                return False
        return False

    def _place(self, at: int) -> int:
        """Return how many tokens from one on are a municipality, state or town.

        A person's name counts before a place unless the word before is a preposition
        or a number ("HGZ 4 Celaya").
        """
        if not self.tokens[at][0].isalpha() or self._honoured(at):
            return 0
        if self._is_initial(at) and self._is_initial(at - 2):  # "H.B.C. Ometepec"
            return 0
        world, before = atlas(), self._before(at)
        if self.family == "firm" and before in ("la", "el", "los", "las"):
            return 0  # "Ingenio La Concordia"
        led = not at or before in ("de", "en", "del") or before.isdigit()
        article = self.keys[at] in PARTICLES - SAINTS
        for width in (7, 5, 3, 1):
            if len(self.tokens) < at + width or (article and width == 1):
                continue
            phrase = place_key("".join(self.tokens[at : at + width]))
            state = phrase in world.state_forms
            if not state and not world.has_town(phrase):
                continue
            firm = self.family == "firm" and not led  # "Ingenio La Concordia"
            if article and (firm or phrase not in world.municipalities):
                continue
            known = name_lists().knows(phrase)
            if not led and phrase in _HEROES:
                return 0
            if not led and width > 1 and name_lists().is_given(self.keys[at]):
                continue  # "CMN Manuel Ávila Camacho"
            if width > 1 or led or not known or (state and phrase not in _HEROES):
                return width
            if self._is_town(at, phrase):
                return width
        return 0

    def _is_initial(self, at: int) -> bool:
        behind = "".join(self.tokens[at + 1 : at + 2])
        return at >= 0 and len(self.tokens[at]) == 1 and behind.startswith(".")

    def _is_town(self, at: int, phrase: str) -> bool:
        """Tell whether a word that is also a name is a town: "ISSSTE Monterrey"."""
        found = atlas().municipalities.get(phrase, ())
        before = self._before(at)
        if not found or name_lists().is_given(before):
            return False
        last = not any(token[0].isalpha() for token in self.tokens[at + 1 :])
        coded = before in _CODES and last
        family = name_lists().surnames.get(phrase)
        rare = last and family is not None and not family.kind
        return coded or rare or found[0].rank < _LARGE


def _joined(parts: Sequence[Part], whole: bool) -> list[Part]:
    """Join the words of a name, and words of no kind with what links them.

    "Fundación Corazón de Niño" has one name of its own, "de Niño" included.
    """
    done: list[Part] = []
    for number, part in enumerate(parts):
        waiting = [p for p in _trailing(done) if p.kind == ""]
        base = len(done) - len(waiting) - 1
        last = done[base] if base >= 0 else None
        links = all(_links(p.text) for p in waiting)
        joins = part.kind in ("own", "name") or (whole and _ends(parts, number))
        if last and last.kind in ("own", "name") and joins and links:
            both = {"own", "name"} & {last.kind, part.kind or "own"}
            kind = "own" if "own" in both else "name"
            if kind == "own" and last.kind == "name" and not whole:
                kind = "name" if part.kind == "name" else "own"
            text = "".join(p.text for p in (*done[base:], part))
            done[base:] = [Part(kind, text, fold_key(text))]
        else:
            done.append(part)
    return done


def _trailing(done: Sequence[Part]) -> Sequence[Part]:
    """Return the kept parts at the end."""
    end = len(done)
    while end and done[end - 1].kind == "":
        end -= 1
    return done[end:]


def _links(text: str) -> bool:
    if text.strip() in ("", ".", "'", "’") or len(text) == 1:
        return text != "," and text != '"'
    return fold_key(text) in PARTICLES | _LINKS


def _of_trade(parts: Sequence[Part]) -> list[Part]:
    """Join all that stands behind a firm's trade: "Aceros y Laminados Nadadores"."""
    telling = [n for n, part in enumerate(parts) if part.kind]
    counted = [n for n in telling if parts[n].kind == "number"]
    first = next(n for n in telling if n not in counted)
    while first > 1 and fold_key(parts[first - 1].text) in ("", "y", "e"):
        first -= 1
    first += parts[first].text.isspace()
    stop = next((n for n in counted if n > first), len(parts))
    last = max((n for n in telling if n < stop), default=first)
    text = "".join(part.text for part in parts[first : last + 1])
    return [*parts[:first], Part("own", text, fold_key(text)), *parts[last + 1 :]]


def _ends(parts: Sequence[Part], number: int) -> bool:
    """Tell whether a kept word, and nothing but such, ends a name."""
    rest = parts[number:]
    return rest[0].text[0].isalpha() and all(p.kind == "" for p in rest)
