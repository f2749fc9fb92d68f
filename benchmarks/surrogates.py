"""Measure the promises of the surrogates.

Run ``python benchmarks/surrogates.py``; it prints a table: collisions, agreement of
processes, intervals of dates, validity of codes, values that stayed, and speed.
"""

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import date, timedelta
from multiprocessing import get_context
from random import Random

from stdnum import luhn
from stdnum.mx import curp, rfc

from presidio_mx.replace.codes import clabe_check_digit
from presidio_mx.replace.context import Context
from presidio_mx.replace.draw import Draw
from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.values import surrogate_value
from presidio_mx.research.corpora import synthesis_codes as codes
from presidio_mx.research.corpora import synthesis_world as world
from presidio_mx.research.corpora.synthesis import synthesize
from presidio_mx.spanish.dates import MONTHS, read_date
from presidio_mx.spanish.name_lists import PARTICLES
from presidio_mx.text.folding import fold_key
from presidio_mx.text.spans import Note

KEY = "key of the benchmark"
PEOPLE = 10_000
CONTEXT = Context(Draw(b"k" * 32))


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    what: str
    value: str
    wanted: str
    right: bool


def value(entity: str, text: str) -> str:
    """Return the surrogate of a value."""
    return surrogate_value(entity, text, CONTEXT)


def distinct_people(random: Random) -> list[str]:
    """Return the names of different people, a fifth with names of no list."""
    people: dict[str, None] = {}
    while len(people) < PEOPLE:
        name = world.draw_name(random)
        first = name.first
        if random.random() < 0.2:
            syllables = ("xo", "tla", "qui", "mez", "pan", "ku", "cha", "itz", "tzin")
            first = "".join(random.choices(syllables, k=random.randint(3, 5))).title()
        people[f"{name.given} {first} {name.second}"] = None
    return list(people)


def names_row(random: Random) -> list[Row]:
    """Count people who share a surrogate, and who keep a name."""
    people = distinct_people(random)
    new = [value("PERSON", person) for person in people]
    collisions = len(people) - len(set(new))
    kept = sum(
        old == image
        for person, surrogate in zip(people, new, strict=True)
        for old, image in zip(_told(person), _told(surrogate), strict=True)
    )
    few = PEOPLE // 1_000  # names of no list are drawn, and may meet
    return [
        Row(
            f"people of {PEOPLE:,} who collide",
            str(collisions),
            "few",
            collisions < few,
        ),
        Row("words of names that stayed", str(kept), "0", kept == 0),
    ]


def _told(name: str) -> list[str]:
    """Return the words of a name, those that surrogates keep ("de", "Fray") aside."""
    return [word for word in fold_key(name).split() if word not in PARTICLES]


def _write_forms(day: date) -> list[str]:
    short = MONTHS[day.month - 1][:3]
    return [
        f"{day:%d/%m/%Y}",
        f"{day:%d-%m-%y}",
        f"{day.day} de {MONTHS[day.month - 1]} de {day.year}",
        f"{day.day:02d}-{short.upper()}-{day:%y}",
        f"{day:%Y-%m-%d}",
        f"{day.day}/{day.month}/{day.year}",
    ]


def dates_row(random: Random) -> Row:
    """Sum the errors of intervals between pairs of dates, in days."""
    error = unread = 0
    for _ in range(PEOPLE):
        first = date(1950, 1, 1) + timedelta(days=random.randint(0, 27000))
        second = first + timedelta(days=random.randint(0, 4000))
        new = [
            read_date(value("DATE_TIME", random.choice(_write_forms(day))), 2000)
            for day in (first, second)
        ]
        if new[0] is None or new[1] is None:
            unread += 1
            continue
        error += abs((new[1].value - new[0].value).days - (second - first).days)
    return Row(
        f"error of {PEOPLE:,} intervals, days (unread pairs)",
        f"{error} ({unread})",
        "0 (0)",
        error == unread == 0,
    )


def codes_row(random: Random) -> list[Row]:
    """Count surrogate codes that are not valid, collide or stayed."""
    wrong = kept = total = 0
    seen: dict[str, set[str]] = {}
    given: dict[str, set[str]] = {}
    for _ in range(PEOPLE // 4):
        name = world.draw_name(random)
        place = world.draw_place(random)
        birth = date(1930, 1, 1) + timedelta(days=random.randint(0, 33000))
        old_curp = codes.draw_curp(random, name, birth, place.state)
        values = {
            "MX_CURP": old_curp,
            "MX_RFC": codes.draw_rfc(random, old_curp),
            "MX_NSS": codes.draw_nss(random, birth),
            "MX_INE": codes.draw_ine(random, name, birth, place.state),
            "MX_CLABE": codes.draw_clabe(random),
            "CREDIT_CARD": codes.draw_card(random),
        }
        for entity, old in values.items():
            new = value(entity, old)
            total += 1
            wrong += not VALID[entity](new)
            kept += new == old
            seen.setdefault(entity, set()).add(new)
            given.setdefault(entity, set()).add(old)
    shared = sum(len(given[e]) - len(seen[e]) for e in seen)
    share = 100 * (total - wrong) / total
    return [
        Row(f"valid codes of {total:,}, %", f"{share:.2f}", "100", wrong == 0),
        Row("codes that stayed", str(kept), "0", kept == 0),
        Row("codes that share a surrogate", str(shared), "few", shared < total / 100),
    ]


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())


VALID = {
    "MX_CURP": curp.is_valid,
    "MX_RFC": lambda text: rfc.is_valid(text, validate_check_digits=len(text) > 10),
    "MX_NSS": lambda text: luhn.is_valid(_digits(text)),
    "MX_INE": lambda text: len(text) == 18 and 1 <= int(text[12:14]) <= 32,
    "MX_CLABE": lambda text: clabe_check_digit(text[:-1]) == text[-1],
    "CREDIT_CARD": lambda text: luhn.is_valid(_digits(text)),
}


def _surrogates(notes: list[Note]) -> list[str]:
    return [
        anonymize(note.text, note.spans, "surrogate", key=KEY, scope="corpus").text
        for note in notes
    ]


def processes_row(notes: list[Note]) -> Row:
    """Compare the texts that four processes make, each in another order."""
    orders = [notes, notes[::-1], notes[50:] + notes[:50], sorted(notes, key=str)]
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        results = list(pool.map(_surrogates, orders))
    by_id = [
        {note.id: text for note, text in zip(order, texts, strict=True)}
        for order, texts in zip(orders, results, strict=True)
    ]
    agree = all(texts == by_id[0] for texts in by_id)
    return Row("four processes agree", str(agree), "True", agree)


def kept_row(notes: list[Note]) -> Row:
    """Count values of notes that stand unchanged in their place; ages are kept."""
    kept = total = 0
    for note in notes:
        done = anonymize(note.text, note.spans, "surrogate", key=KEY)
        for item in done.items:
            if item.entity_type == "AGE":
                continue
            total += 1
            old = note.text[item.start : item.end]
            kept += old == done.text[item.new_start : item.new_end]
    return Row(f"values of {total:,} in notes that stayed", str(kept), "0", kept == 0)


def speed_rows(notes: list[Note]) -> Iterator[Row]:
    """Time operators alone, and beside the analyzer if it can be built."""
    times = {}
    for profile in ("tag", "surrogate"):
        anonymize(notes[0].text, notes[0].spans, profile, key=KEY)
        start = time.perf_counter()
        for note in notes:
            anonymize(note.text, note.spans, profile, key=KEY)
        times[profile] = time.perf_counter() - start
    size = sum(len(note.text) for note in notes)
    yield from (
        Row(f"{name}, operators alone, characters/s", f"{size / t:,.0f}", "-", True)
        for name, t in times.items()
    )
    whole = _with_analysis(notes)
    if whole:
        share = whole["tag"] / whole["surrogate"]
        what = "speed of surrogate to tag, analysis included"
        yield Row(what, f"{share:.2f}", ">= 0.50", share >= 0.5)


def _with_analysis(notes: list[Note]) -> dict[str, float]:
    try:
        from presidio_mx import analyze_and_anonymize
    except ImportError:
        return {}
    times = {}
    for profile in ("tag", "surrogate"):
        analyze_and_anonymize(notes[0].text, operators=profile, key=KEY)
        start = time.perf_counter()
        for note in notes[:200]:
            analyze_and_anonymize(note.text, operators=profile, key=KEY)
        times[profile] = time.perf_counter() - start
    return times


def main() -> int:
    """Print the table; return 1 if a promise is broken."""
    random = Random(8)
    notes = list(synthesize(400, seed=8))
    right = True
    for rows in (
        lambda: names_row(random),
        lambda: [dates_row(random)],
        lambda: codes_row(random),
        lambda: [processes_row(notes[:100])],
        lambda: [kept_row(notes)],
        lambda: speed_rows(notes),
    ):
        for row in rows():
            right = right and row.right
            mark = "ok" if row.right else "BROKEN"
            print(f"{row.what:55} {row.value:>14}   wanted {row.wanted:8} {mark}")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
