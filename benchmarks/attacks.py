"""Attack surrogates as somebody would who has the notes and knows some people.

Run ``python benchmarks/attacks.py``; it prints what each attack learns in the scope
``corpus`` and in scopes of one patient each. Nothing of it needs the key.
"""

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random

from presidio_anonymizer.entities import OperatorConfig

from presidio_mx.replace.context import Context, Settings
from presidio_mx.replace.dates import days_shifted, surrogate_date
from presidio_mx.replace.draw import Draw
from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.keys import Key
from presidio_mx.replace.name_classes import name_classes
from presidio_mx.replace.names import Bearer, Names
from presidio_mx.research.corpora import synthesis_world as world
from presidio_mx.research.corpora.store import read_corpus
from presidio_mx.spanish.dates import read_date
from presidio_mx.spanish.name_lists import name_lists
from presidio_mx.text.folding import fold_key
from presidio_mx.text.spans import Note, Span

CORPUS = Path(__file__).parent.parent / "samples" / "corpus"
KEY = Key(b"key of the attacks on surrogates")
# What an attacker reads of the calendar in a note: weeks of epidemiologists, a weekday
# with its day, feasts, years.
_CALENDAR = re.compile(
    r"\bSE ?\d{1,2}\b|semana epidem\w+ \d{1,2}"
    r"|\b(?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo) \d{1,2}\b"
    r"(?! ?(?:[ap]\.?m|hrs?)\b)"
    r"|navidad|noche ?buena|a[ñn]o nuevo|d[ií]a de (?:muertos|reyes|las madres)"
    r"|semana santa|\bposadas?\b|\b(?:desde|en|de|del) (?:19[5-9]|20[0-2])\d\b",
    re.IGNORECASE,
)
_SOUNDS = re.compile(r"[aeiou]+|[^aeiou]+")


@dataclass(frozen=True)
class Row:
    """A line of the table: what an attack learns, in per cent.

    :param attack: What the attacker does.
    :param corpus: Share in scope ``corpus``.
    :param patient: Share in a scope of each patient.
    """

    attack: str
    corpus: float
    patient: float


def context(patient: int | None = None) -> Context:
    """Return the context of a patient, or of the whole corpus."""
    scope = "" if patient is None else f"patient:{patient}"
    return Context(Draw(KEY.derive("surrogate", scope)))


def word_surrogate(key: str, here: Context) -> str:
    """Return what a folded word of a name becomes."""
    role = "given" if name_lists().lean(key) > 0 else "surname"
    return Names(here).word(key, role, Bearer()).text


def people(number: int, random: Random) -> list[tuple[str, ...]]:
    """Return the folded words of people's names, as frequent as in Mexico."""
    found = []
    for _ in range(number):
        name = world.draw_name(random)
        text = f"{name.given} {name.first} {name.second}"
        found.append(tuple(fold_key(word) for word in text.split()))
    return found


def images(names: Sequence[tuple[str, ...]], patients: bool) -> list[tuple[str, ...]]:
    """Return the surrogates of the words of each person."""
    whole = context()
    return [
        tuple(word_surrogate(w, context(i) if patients else whole) for w in name)
        for i, name in enumerate(names)
    ]


def known_people(names: Sequence[tuple[str, ...]], known: int) -> Row:
    """Read other people's names by what is known of some: staff, for example."""

    def learnt(old: Sequence[tuple[str, ...]], patients: bool) -> float:
        new = images(old, patients)
        table: dict[str, str] = {}
        for name, surrogate in zip(old[:known], new[:known], strict=True):
            table.update(zip(surrogate, name, strict=True))
        right = total = 0
        for name, surrogate in zip(old[known:], new[known:], strict=True):
            for word, image in zip(name, surrogate, strict=True):
                total += 1
                right += table.get(image) == word
        return 100 * right / total

    some = names[: known + 2_000]
    return Row(
        f"words of names, by knowing {known} people",
        learnt(names, False),
        learnt(some, True),
    )


def frequency_ranks(
    names: Sequence[tuple[str, ...]], public: Sequence[tuple[str, ...]]
) -> Row:
    """Guess names by their rank: the commonest surrogate is the commonest name.

    :param names: The people of the corpus.
    :param public: Other people of the same country, whose names are counted.
    :return: What is learnt.
    """

    def learnt(new: Sequence[tuple[str, ...]], old: Sequence[tuple[str, ...]]) -> float:
        real: dict[str, Counter[str]] = defaultdict(Counter)
        seen: dict[str, Counter[str]] = defaultdict(Counter)
        groups = name_classes().words
        for counted, listed in ((real, public), (seen, new)):
            for name in listed:
                for word in map(fold_key, name):
                    if word in groups:
                        counted[groups[word].group][word] += 1
        guess = {
            image: word
            for group, counts in seen.items()
            for (image, _), (word, _) in zip(
                counts.most_common(), real[group].most_common(), strict=False
            )
        }
        pairs = [
            (word, fold_key(image))
            for name, surrogate in zip(old, new, strict=True)
            for word, image in zip(name, surrogate, strict=True)
        ]
        right = sum(guess.get(image) == word for word, image in pairs)
        return 100 * right / len(pairs)

    some = names[:5_000]
    return Row(
        "words of names, by frequency ranks",
        learnt(images(names, False), names),
        learnt(images(some, True), some),
    )


def _pattern(word: str) -> str:
    return "".join("v" if run[0] in "aeiou" else "c" for run in _SOUNDS.findall(word))


def sound_pattern(random: Random) -> Row:
    """Find out which of 500 rare surnames a surrogate was, by its sound and length."""
    syllables = ("xo", "tla", "qui", "mez", "pan", "ku", "cha", "itz", "tzin", "huit")
    listed = name_classes().words
    rare = {
        "".join(random.choices(syllables, k=random.randint(3, 5))) for _ in range(700)
    }
    words = sorted(word for word in rare if word not in listed)[:500]

    def learnt(new: Sequence[str]) -> float:
        alike: dict[tuple[str, int], list[str]] = defaultdict(list)
        for word in words:
            alike[_pattern(word), len(word)].append(word)
        right = 0.0
        for word, image in zip(words, new, strict=True):
            key = fold_key(image)
            choice = alike.get((_pattern(key), len(key)), [])
            right += (word in choice) / len(choice) if choice else 0.0
        return 100 * right / len(words)

    whole = context()
    return Row(
        "words of no list, by their sound pattern",
        learnt([word_surrogate(w, whole) for w in words]),
        learnt([word_surrogate(w, context(i)) for i, w in enumerate(words)]),
    )


def small_classes() -> Row:
    """Guess a name out of the smallest class that names stand for one another in."""
    smallest = min(map(len, name_classes().groups.values()))
    return Row("a name, by the smallest class", 100 / smallest, 100 / smallest)


def known_date(patients: int) -> Row:
    """Undo all shifts by one date that is known."""
    day = date(2023, 5, 4)
    first = read_date(surrogate_date(day.isoformat(), context(0)), 2000)
    assert first is not None
    days = (first.value - day).days
    same = sum(days_shifted(context(i)) == days for i in range(1, patients))
    return Row("dates of others, by one known date", 100.0, 100 * same / patients)


def weekdays(patients: int, random: Random) -> tuple[float, float]:
    """Return how many shifts fit visits that never fall on a Sunday.

    :param patients: Patients with forty visits each, on Mondays to Saturdays.
    :param random: Draws the visits.
    :return: Mean share of all possible shifts that are left, per cent: where any number
        of days is possible, and where whole weeks are.
    """
    left = {}
    for keep in (False, True):
        settings = Settings(keep_weekday=keep)
        step = 7 if keep else 1
        choices = [d for d in range(-364, 365) if abs(d) >= 30 and d % step == 0]
        total = 0
        for patient in range(patients):
            start = date(2022, 1, 3) + timedelta(weeks=random.randint(0, 50))
            visits = [
                start + timedelta(weeks=week, days=random.randint(0, 5))
                for week in range(40)
            ]
            days = days_shifted(Context(context(patient).draw, settings))
            seen = {(visit + timedelta(days=days)).weekday() for visit in visits}
            total += sum(all((d - c) % 7 != 6 for d in seen) for c in choices)
        left[keep] = 100 * total / (patients * len(choices))
    return left[False], left[True]


def calendar(notes: Sequence[Note]) -> tuple[float, float]:
    """Return how many notes with dates hold what tells by how much these moved.

    :param notes: Marked notes.
    :return: Per cent, without and with the second pass.
    """
    dated = [n for n in notes if any(s.entity_type == "DATE_TIME" for s in n.spans)]
    told = {False: 0, True: 0}
    for note in dated:
        for second in told:
            done = anonymize(
                note.text,
                note.spans,
                "surrogate",
                key=KEY,
                scope="document:1",
                second_pass=second,
            )
            told[second] += any(
                not any(i.start < m.end() and m.start() < i.end for i in done.items)
                for m in _CALENDAR.finditer(note.text)
            )
    size = max(1, len(dated))
    return 100 * told[False] / size, 100 * told[True] / size


def _without(note: Note, share: float, random: Random) -> tuple[list[Span], list[Span]]:
    """Return the spans that a tool found, and the names it missed."""
    missed = [
        s for s in note.spans if s.entity_type == "PERSON" and random.random() < share
    ]
    return [span for span in note.spans if span not in missed], missed


def parrot(
    notes: Sequence[Note], share: float, random: Random, mentions: str = "same"
) -> Mapping[str, float]:
    """Attack leaked names as Carrell et al. (2020) do: find what was not replaced.

    The tool misses a share of the names. The attacker takes every name of a note for
    a leak that is mentioned nowhere else in it, since surrogates of one person repeat.

    :param notes: Marked notes.
    :param share: Share of the names that are missed.
    :param random: Which ones.
    :param mentions: Whether the mentions of a person have one name or vary.
    :return: Per cent of the missed names that stay, without and with the second pass,
        and the share of leaks among the names that the attacker points at.
    """
    missed_all = pointed = right = 0
    stay = {False: 0, True: 0}
    for note in notes:
        found, missed = _without(note, share, random)
        missed_all += len(missed)
        for second in (False, True):
            done = anonymize(
                note.text,
                found,
                {"DEFAULT": OperatorConfig("surrogate", {"mentions": mentions})},
                key=KEY,
                scope="document:1",
                second_pass=second,
            )
            left = _left(note, missed, [(i.start, i.end) for i in done.items])
            stay[second] += len(left)
            if second:
                new = [
                    done.text[i.new_start : i.new_end]
                    for i in done.items
                    if i.entity_type == "PERSON"
                ]
                shown = [*new, *left]
                words = Counter(
                    w for name in shown for w in set(fold_key(name).split())
                )
                once = [
                    n for n in shown if all(words[w] == 1 for w in fold_key(n).split())
                ]
                pointed += len(once)
                right += sum(name in left for name in once)
    return {
        "missed names that stay": 100 * stay[False] / max(1, missed_all),
        "with the second pass": 100 * stay[True] / max(1, missed_all),
        "leaks among names pointed at": 100 * right / max(1, pointed),
    }


def names_often(note: Note) -> bool:
    """Tell whether a note names somebody three times or more.

    :param note: A marked note.
    """
    words: Counter[str] = Counter()
    for span in note.spans:
        if span.entity_type == "PERSON":
            words.update(set(fold_key(note.covered(span)).split()))
    return any(count > 2 for count in words.values())


def _left(
    note: Note, missed: Sequence[Span], covered: Sequence[tuple[int, int]]
) -> list[str]:
    return [
        note.covered(span)
        for span in missed
        if not any(a < span.end and span.start < b for a, b in covered)
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=30_000)
    arguments = parser.parse_args()
    random = Random(18)
    names = people(arguments.people, random)
    print(f"{'what is learnt, %':48} {'corpus':>8} {'patient':>8}")
    for row in (
        known_people(names, 50),
        frequency_ranks(names, people(arguments.people, random)),
        sound_pattern(random),
        small_classes(),
        known_date(2_000),
    ):
        print(f"{row.attack:48} {row.corpus:8.1f} {row.patient:8.1f}")
    any_day, weeks = weekdays(500, random)
    for what, value in (("any days", any_day), ("whole weeks", weeks)):
        print(f"{'shifts left by weekdays, ' + what:48} {'':8} {value:8.1f}")
    notes = [
        note
        for file in sorted((CORPUS / "dev").glob("[abc]_*.jsonl"))
        for note in read_corpus(file).notes
    ]
    for what, value in zip(("", " with the second pass"), calendar(notes), strict=True):
        print(f"{'notes whose calendar tells the shift' + what:48} {'':8} {value:8.1f}")
    for what, value in parrot(notes, 0.1, random).items():
        print(f"{what:48} {'':8} {value:8.1f}")
    often = [note for note in notes if names_often(note)]
    for mentions in ("same", "vary"):
        shares = [
            parrot(often, 0.1, Random(seed), mentions)["leaks among names pointed at"]
            for seed in range(8)
        ]
        what = f"the same in {len(often)} notes, mentions {mentions}"
        print(f"{what:48} {'':8} {sum(shares) / len(shares):8.1f}")


if __name__ == "__main__":
    main()
