"""The four phases over a table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from presidio_mx.entities import MASKED_ENTITIES, kind_of
from presidio_mx.errors import ConfigurationError, InputError, reason
from presidio_mx.find.sensitivity import BALANCED
from presidio_mx.pipeline import analyze
from presidio_mx.replacing import replace_found
from presidio_mx.research.cohort.cleaning import Cleaning, Columns, Row, clean
from presidio_mx.research.cohort.facts import (
    Facts,
    asked_codes,
    bands,
    charlson,
    frequencies,
    icd_codes,
    main_code,
    names_of,
    stay,
    suffix,
    values,
)
from presidio_mx.research.cohort.masks import MASKS, masked
from presidio_mx.text.spans import Span
from presidio_mx.time_limit import OutOfTime, check_limit, within

PRESET = "hc-ribeirao"
BLANK = "{NO PROCESADA}"
SECONDS = 60.0


@dataclass(frozen=True)
class Settings:
    """How notes are de-identified and what is put back.

    :param preset: A preset of rules, or ``hc-ribeirao``: a GLiNER model alone.
    :param ner: The model, as :func:`presidio_mx.build_analyzer` takes it.
    :param sensitivity: As there; with ``hc-ribeirao`` a threshold: 0.30 in the study,
        which tried 0.50 and 0.70.
    :param operators: Name or path of a profile.
    :param masks: Of ``gender``, ``religion`` and ``duration``.
    :param names: Name of each fact in the output.
    :param seconds: Time limit of a note, in seconds.
    :param icd_model: Folder of a GLiNER model that is asked for codes; else by rules.
    :param only_coded: Leave out notes without a code, as the study did.
    """

    preset: str = "mx"
    ner: str = "auto"
    sensitivity: str | float = BALANCED
    operators: str = PRESET
    masks: tuple[str, ...] = tuple(MASKS)
    names: Mapping[str, str] = field(default_factory=dict)
    seconds: float = SECONDS
    icd_model: str = ""
    only_coded: bool = False


@dataclass(frozen=True)
class Note:
    """A note of the output.

    :param text: The de-identified note with its facts behind it.
    :param facts: The facts.
    :param problem: What went wrong, without the note's text; empty if nothing did.
    """

    text: str
    facts: Facts = Facts()
    problem: str = ""


@dataclass(frozen=True)
class _Read:
    """What was read of a note before the facts of all notes are known."""

    text: str
    age: str = ""
    codes: tuple[str, ...] = ()
    days: int | None = None
    problem: str = ""


@dataclass(frozen=True)
class Cohort:
    """What came of a table.

    :param notes: The notes that were kept, in order.
    :param cleaning: What was left out.
    :param names: Name of each fact in the output.
    """

    notes: list[Note]
    cleaning: Cleaning
    names: Mapping[str, str]

    def table(self, text: str) -> Iterator[list[str]]:
        """Yield header and rows: the note and each fact in a column of its own.

        :param text: Name of the column with the notes.
        """
        yield [text, *values(Facts(), self.names)]
        for note in self.notes:
            yield [note.text, *values(note.facts, self.names).values()]


def make_cohort(
    rows: Sequence[Row], columns: Columns, settings: Settings | None = None
) -> Cohort:
    """Clean, de-identify and enrich the notes of a table.

    :param rows: The table.
    :param columns: What its columns are for.
    :param settings: How.
    :return: The cohort; a note that failed is blank in it.
    :raises ConfigurationError: If a column, mask, fact, preset or profile is unknown,
        or the time limit is none.
    """
    chosen = settings or Settings()
    names = names_of(chosen.names)
    columns.check(rows)
    masked("", chosen.masks, ())
    check_limit(chosen.seconds)
    replace_found("", [], chosen.operators, preset=chosen.preset)
    kept, cleaning = clean(rows, columns)
    coder = asked_codes(chosen.icd_model) if chosen.icd_model else icd_codes
    if kept:
        _found("Tel.", chosen)  # no note's time goes by while rules and model load
    read = [_read(row, columns, chosen, coder) for row in kept]
    patients = [row[columns.patient] if columns.patient else "" for row in kept]
    table = frequencies(note.codes for note in read)
    notes = []
    for note, band in zip(read, bands(patients, [n.age for n in read]), strict=True):
        if note.text == BLANK:
            notes.append(Note(BLANK, problem=note.problem))
        elif chosen.only_coded and not note.codes:
            cleaning.uncoded += 1
        else:
            main = main_code(note.codes, table)
            facts = Facts(main, note.days, charlson(note.codes), band)
            notes.append(Note(note.text + suffix(facts, names), facts, note.problem))
    return Cohort(notes, replace(cleaning, kept=len(notes)), names)


def _read(
    row: Row, columns: Columns, settings: Settings, coder: Callable[[str], list[str]]
) -> _Read:
    """Return a de-identified note and what it says; one that fails costs itself alone.

    The reason of a failure quotes nothing of the note.
    """
    try:
        return within(
            settings.seconds, lambda: _enriched(row, columns, settings, coder)
        )
    except ConfigurationError:
        raise
    except OutOfTime:
        problem = f"the note took longer than {settings.seconds:g} seconds"
    except Exception as error:
        problem = reason(error)
    return _Read(BLANK, problem=problem)


def _enriched(
    row: Row, columns: Columns, settings: Settings, coder: Callable[[str], list[str]]
) -> _Read:
    text = row[columns.text]
    spans = _found(text, settings)
    done = replace_found(text, spans, settings.operators, preset=settings.preset)
    if columns.codes:
        codes = row[columns.codes].replace(",", " ").replace(";", " ")
        found = [code.replace(".", "").upper() for code in codes.split()]
    else:
        found = coder(text)
    ages = (text[s.start : s.end] for s in spans if s.entity_type == "AGE")
    days, problem = None, ""
    if columns.admission and columns.discharge:
        try:
            days = stay(row[columns.admission], row[columns.discharge])
        except InputError as error:
            problem = str(error)
    return _Read(done.text, next(ages, ""), tuple(found), days, problem)


def _found(text: str, settings: Settings) -> list[Span]:
    """Return what is to be replaced, in reading order."""
    results = analyze(
        text,
        preset=settings.preset,
        ner=settings.ner,
        sensitivity=settings.sensitivity,
    )
    spans = list(map(_span, results))
    if settings.preset == PRESET:  # its model finds what a study masks by itself
        unasked = MASKED_ENTITIES - {MASKS[name] for name in settings.masks}
        spans = [span for span in spans if kind_of(span.entity_type) not in unasked]
    else:
        spans += masked(text, settings.masks, spans)
    return sorted(spans, key=lambda s: (s.start, s.end))


def _span(result: Any) -> Span:
    role = (result.recognition_metadata or {}).get("role") or None
    return Span(result.start, result.end, result.entity_type, role, float(result.score))
