"""What a document says about itself, for surrogates that must agree."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from presidio_mx.anonymizer.people import Person
from presidio_mx.anonymizer.surrogates.atlas import atlas, place_key
from presidio_mx.anonymizer.surrogates.calendar import (
    LONGEST_DATE,
    Reading,
    read_date,
)
from presidio_mx.anonymizer.surrogates.context import Context, Facts
from presidio_mx.anonymizer.surrogates.date_parts import split_date
from presidio_mx.anonymizer.surrogates.letters import curp_letters, voter_letters
from presidio_mx.anonymizer.surrogates.lexicon import lexicon
from presidio_mx.anonymizer.surrogates.name_images import (
    Bearer,
    word_surrogate,
    written_image,
)
from presidio_mx.anonymizer.surrogates.name_words import bare
from presidio_mx.anonymizer.surrogates.places import place_state
from presidio_mx.anonymizer.surrogates.shape import alphanumeric
from presidio_mx.entities import kind_of
from presidio_mx.folding import fold, fold_key
from presidio_mx.spans import Span
from presidio_mx.words import words

_Names = tuple[list[str], str, str]
_BIRTH = re.compile(
    r"\bnac(?:\b|id[oa]|io|imiento)|\bf(?:ec(?:ha)?)?\.?\s*(?:de\s+)?n(?:ac)?\b|\bfdn\b"
)
_LOOK_BACK = 30
_DIGITS = re.compile(r"\d")
_WORD = re.compile(r"[a-z]+")
_TITLE = 24
_SAID = {
    "M": words("said_of_men"),
    "F": words("said_of_women"),
    "called": words("said_of_men_called", "said_of_women_called"),
    "titled": words("title_profession", "title_respect", "title_in_cell"),
}
_MOST_ATTEMPTS = 20
_NEXT_WORD = 3


def find_facts(
    text: str,
    spans: Sequence["Span"],
    people: Sequence[Person],
    bearers: Sequence[Bearer],
    context: Context,
) -> Facts:
    """Return what the entities of a document say.

    :param text: The document.
    :param spans: Its entities in reading order.
    :param people: Its people.
    :param bearers: What it says of each of them.
    :param context: Key and settings.
    :return: The facts.
    """
    of_kind: dict[str, list[tuple[str, int]]] = {}
    for span in spans:
        held = of_kind.setdefault(kind_of(span.entity_type), [])
        held.append((text[span.start : span.end], span.start))
    cities = _cities(of_kind.get("LOCATION", []))
    state, city = main_place(
        [value for value, _ in of_kind.get("LOCATION", [])], cities
    )
    year, birth = _when(text, of_kind.get("DATE_TIME", []))
    codes = [alphanumeric(value)[:4] for value, _ in of_kind.get("MX_CURP", [])]
    codes += [alphanumeric(value)[:4] for value, _ in of_kind.get("MX_RFC", [])]
    voters = {alphanumeric(value)[:6] for value, _ in of_kind.get("MX_INE", [])}
    web = "EMAIL_ADDRESS" in of_kind or "URL" in of_kind
    surnames = frozenset(word for person in people for word in person.words[1:])
    context = replace(context, facts=Facts(surnames=surnames))
    attempts = _attempts(bearers, context)
    context = replace(context, facts=Facts(attempts=attempts, surnames=surnames))
    letters, keys = _letters(set(codes), voters, people, context)
    return Facts(
        name_words={
            bare(word): fold_key(written_image(word, bearer, context).text)
            for bearer in bearers
            for word in bearer.words
            if web
        },
        attempts=attempts,
        surnames=surnames,
        letters=letters,
        voter_letters=keys,
        year=year,
        birth=birth,
        state=state,
        city=city,
        cities=cities,
    )


def find_bearers(
    text: str, spans: Sequence["Span"], people: Mapping[str, Person]
) -> dict[int, Bearer]:
    """Return what the words before the mentions of each person say of it.

    :param text: The document.
    :param spans: Its entities in reading order.
    :param people: Text of a name to its person.
    :return: Position of a person to its words, its sex and how it is called.
    """
    said: dict[int, Counter[str]] = {}
    for span in spans:
        if kind_of(span.entity_type) != "PERSON":
            continue
        person = people[text[span.start : span.end]]
        counts = said.setdefault(person.position, Counter())
        before = _WORD.findall(fold(text[max(0, span.start - _TITLE) : span.start]))
        counts.update(
            name for name, choice in _SAID.items() if before and before[-1] in choice
        )
    bearers = {}
    for person in people.values():
        counts = said.get(person.position, Counter())
        sex = "F" if counts["F"] > counts["M"] else "M" if counts["M"] else ""
        if counts["F"] == counts["M"]:
            sex = ""
        called = counts["called"] > 0 or not counts["titled"]
        bearers[person.position] = Bearer(tuple(person.words), sex, called)
    return bearers


def _attempts(bearers: Sequence[Bearer], context: Context) -> dict[str, int]:
    """Give words of no list other surrogates than those of the note's other names."""
    names = lexicon()
    borne = {word: bearer for bearer in reversed(bearers) for word in bearer.words}
    listed = {word for word in borne if word in names.words or word in names.phrases}
    if len(listed) == len(borne):
        return {}
    used = {fold_key(word_surrogate(word, context)) for word in listed} | set(borne)
    attempts: dict[str, int] = {}
    for word in sorted(borne.keys() - listed):
        for attempt in range(_MOST_ATTEMPTS):
            attempts[word] = attempt
            facts = replace(context.facts, attempts=attempts)
            here = replace(context, facts=facts)
            image = fold_key(written_image(word, borne[word], here).text)
            if image not in used:
                break
        used.add(image)
    return attempts


def _cities(places: Sequence[tuple[str, int]]) -> frozenset[str]:
    """Return names of states that are cities here: "Colima" in "Colima, Col."."""
    states = atlas().state_forms
    found = set()
    for (name, start), (other, position) in pairwise(places):
        key = place_key(name)
        if (
            key in states
            and states[key] == states.get(place_key(other))
            and position - start - len(name) <= _NEXT_WORD
        ):
            found.add(key)
    return frozenset(found)


def main_place(
    places: Sequence[str], cities: frozenset[str] = frozenset()
) -> tuple[str, str]:
    """Return the state and municipality that some places speak of most.

    :param places: Places in reading order, as they stand in the document.
    :param cities: Folded names that are cities here, though states are called so too.
    :return: CURP code and folded municipality, each empty if it is not known.
    """
    named: Counter[str] = Counter()
    readings = [place_state(place, cities=cities) for place in places]
    for city, state in readings:
        if state:
            named[state] += 3 if not city else 1
    for (city, _), (other, state) in pairwise(readings):
        if city and not other and state:
            named[state] += 2
    if not named:
        return "", ""
    best = named.most_common(1)[0][0]
    again = [place_state(place, best, cities) for place in places]
    here = [city for city, state in again if city and state == best]
    return best, here[0] if here else ""


def is_birth(text: str, start: int) -> bool:
    """Tell whether what stands before a date says that somebody was born then.

    :param text: The document.
    :param start: Where the date begins.
    :return: True for "F. nac: 12/03/1960".
    """
    before = fold(text[max(0, start - _LOOK_BACK) : start])
    # A date or age between them is what was born: "nac. 3/5/60, ingresa el 4/2/24".
    return _BIRTH.search(_DIGITS.split(before)[-1]) is not None


def _when(
    text: str, dates: Sequence[tuple[str, int]]
) -> tuple[int | None, date | None]:
    """Return the year of a date without one, and the birth date."""
    readings: list[tuple[Reading, int]] = []
    for value, start in dates:
        if len(value) > LONGEST_DATE:
            continue
        reading = read_date(split_date(value)[1].strip(), 2000)
        if reading and reading.has_year:
            readings.append((reading, start))
    if not readings:
        return None, None
    born = (r.value for r, start in readings if r.has_day and is_birth(text, start))
    birth = next(born, None)
    return max(reading.value.year for reading, _ in readings), birth


def _readings(
    people: Sequence[Person], context: Context
) -> Iterator[tuple[_Names, _Names]]:
    """Yield the ways to read each name, and the surrogate read the same way."""
    for person in people:
        for given, surnames in _splits(person.words):
            new_given = [word_surrogate(word, context) for word in given]
            new_surnames = [word_surrogate(word, context) for word in surnames]
            given = [bare(word) for word in given]
            surnames = [bare(word) for word in surnames]
            yield (
                (given, surnames[0], surnames[1] if len(surnames) > 1 else ""),
                (
                    new_given,
                    new_surnames[0],
                    new_surnames[1] if len(new_surnames) > 1 else "",
                ),
            )


def _letters(
    curps: set[str], voters: set[str], people: Sequence[Person], context: Context
) -> tuple[dict[str, tuple[str, str]], dict[str, str]]:
    """Return the letters of the surrogates of people whose code stands in the note."""
    letters: dict[str, tuple[str, str]] = {}
    keys: dict[str, str] = {}
    if curps or voters:
        for old, new in _readings(people, context):
            four, six = curp_letters(*old)[0], voter_letters(*old)
            if four in curps:
                letters.setdefault(four, curp_letters(*new))
            if six in voters:
                keys.setdefault(six, voter_letters(*new))
    return letters, keys


def _splits(words: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    """Return the ways to read words as given names and one or two surnames."""
    ways = []
    for surnames in (2, 1):
        if len(words) > surnames:
            ways.append((list(words[:-surnames]), list(words[-surnames:])))
            ways.append((list(words[surnames:]), list(words[:surnames])))
    sexes = lexicon().sexes
    return sorted(ways, key=lambda way: way[0][0] not in sexes)
