"""The four phases over a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from presidio_analyzer import AnalyzerEngine, RecognizerRegistry

from presidio_mx.entities import MASKED_ENTITIES
from presidio_mx.errors import ConfigurationError, reason
from presidio_mx.find.ner.choose import AUTO, NONE
from presidio_mx.find.ner.gliner import MxGlinerRecognizer
from presidio_mx.find.ner.transformer import SHIPPED_MODELS
from presidio_mx.find.nlp import LANGUAGE, MxNlpEngine
from presidio_mx.pipeline import analyze
from presidio_mx.replace.engine import anonymize
from presidio_mx.replacing import replace_found
from presidio_mx.research.cohort.cleaning import Cleaning, Row, clean
from presidio_mx.research.cohort.facts import (
    Facts,
    bands,
    names_of,
    stay,
    suffix,
    values,
)
from presidio_mx.research.cohort.icd import charlson, icd_codes, main_code
from presidio_mx.research.cohort.masks import MASKS, masked
from presidio_mx.resources import folder
from presidio_mx.text.spans import Span
from presidio_mx.time_limit import OutOfTime, within

PRESET = "hc-ribeirao"
BLANK = "{NO PROCESADA}"
SECONDS = 60.0
_SETTINGS = "models/gliner-hc-ribeirao.yaml"


@dataclass(frozen=True)
class Columns:
    """What the columns of a table are for; empty names for those that it lacks.

    :param text: Notes.
    :param patient: Identifier of the patient.
    :param category: Category of the note.
    :param wanted: Categories to keep; empty for all.
    :param admission: Date of admission.
    :param discharge: Date of discharge.
    :param codes: ICD-10 codes that a person gave, separated by blanks, commas or ``;``.
    """

    text: str
    patient: str = ""
    category: str = ""
    wanted: tuple[str, ...] = ()
    admission: str = ""
    discharge: str = ""
    codes: str = ""


@dataclass(frozen=True)
class Settings:
    """How notes are de-identified and what is put back.

    :param preset: A preset of rules, or ``hc-ribeirao``: a GLiNER model alone.
    :param ner: The model, as :func:`presidio_mx.build_analyzer` takes it.
    :param threshold: For ``hc-ribeirao``: 0.30 in the study, which tried 0.50 and 0.70.
    :param operators: Name or path of a profile.
    :param masks: Of ``gender``, ``religion`` and ``duration``.
    :param names: Name of each fact in the output.
    :param seconds: Time limit of a note, in seconds.
    """

    preset: str = "mx"
    ner: str = "auto"
    threshold: float = 0.30
    operators: str = PRESET
    masks: tuple[str, ...] = tuple(MASKS)
    names: Mapping[str, str] = field(default_factory=dict)
    seconds: float = SECONDS


@dataclass(frozen=True)
class Note:
    """A note of the output.

    :param text: The de-identified note with its facts behind it.
    :param facts: The facts.
    :param problem: Why the note failed, without its text; empty if it did not.
    """

    text: str
    facts: Facts = Facts()
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
    :raises ConfigurationError: If a column, mask, fact, preset or profile is unknown.
    """
    chosen = settings or Settings()
    names = names_of(chosen.names)
    _check(rows, columns)
    masked("", chosen.masks, ())
    kept, cleaning = clean(rows, columns.text, columns.category, columns.wanted)
    if kept:
        _found("Tel.", chosen)  # no note's time goes by while rules and model load
    done = [_note(row, columns, chosen) for row in kept]
    patients = [row[columns.patient] if columns.patient else "" for row in kept]
    found = bands(patients, [age for _, age in done])
    notes = []
    for (note, _), band in zip(done, found, strict=True):
        if not note.problem:
            facts = replace(note.facts, age_band=band)
            note = replace(note, text=note.text + suffix(facts, names), facts=facts)
        notes.append(note)
    return Cohort(notes, cleaning, names)


def _check(rows: Sequence[Row], columns: Columns) -> None:
    there = set(rows[0]) if rows else set()
    named = (columns.text, columns.patient, columns.category, columns.admission)
    for name in (*named, columns.discharge, columns.codes):
        if rows and name and name not in there:
            raise ConfigurationError(
                f"the table has no column {name!r}; it has {', '.join(sorted(there))}"
            )


def _note(row: Row, columns: Columns, settings: Settings) -> tuple[Note, str]:
    """Return a note without its suffix, and the age in it as it is written.

    A note that fails costs itself alone, and its reason quotes nothing of it.
    """
    try:
        return within(settings.seconds, lambda: _enriched(row, columns, settings))
    except ConfigurationError:
        raise
    except OutOfTime:
        problem = f"the note took longer than {settings.seconds:g} seconds"
    except Exception as error:
        problem = reason(error)
    return Note(BLANK, problem=problem), ""


def _enriched(row: Row, columns: Columns, settings: Settings) -> tuple[Note, str]:
    text = row[columns.text]
    spans = _found(text, settings)
    # The study's model stands alone, and its notes are in another language.
    replaced = anonymize if settings.preset == PRESET else replace_found
    done = replaced(text, spans, settings.operators)
    codes = icd_codes(text)
    if columns.codes:
        codes = row[columns.codes].replace(",", " ").replace(";", " ").split()
    days = None
    if columns.admission and columns.discharge:
        days = stay(row[columns.admission], row[columns.discharge])
    facts = Facts(charlson(codes), main_code(codes).replace(".", ""), days)
    ages = [text[s.start : s.end] for s in spans if s.entity_type == "AGE"]
    return Note(done.text, facts), next(iter(ages), "")


def _found(text: str, settings: Settings) -> list[Span]:
    """Return what is to be replaced, in reading order."""
    if settings.preset == PRESET:
        engine = _gliner(settings.ner, settings.threshold)
        spans = [_span(result) for result in engine.analyze(text, LANGUAGE)]
        unasked = MASKED_ENTITIES - {MASKS[name] for name in settings.masks}
        spans = [span for span in spans if span.entity_type not in unasked]
        return sorted(spans, key=lambda s: (s.start, s.end))
    results = analyze(text, preset=settings.preset, ner=settings.ner)
    spans = [_span(result) for result in results]
    spans += masked(text, settings.masks, spans)
    return sorted(spans, key=lambda s: (s.start, s.end))


def _span(result: Any) -> Span:
    return Span(result.start, result.end, result.entity_type, None, float(result.score))


@cache
def _gliner(model: str, threshold: float) -> AnalyzerEngine:
    """Return an engine with a GLiNER model alone, asked as in the study."""
    if model in (AUTO, NONE, *SHIPPED_MODELS):
        raise ConfigurationError(
            f"the preset {PRESET} is a GLiNER model alone: give its folder as --ner, "
            "or take another preset"
        )
    recognizer = MxGlinerRecognizer(
        model, threshold=threshold, settings=folder("recognizers") / _SETTINGS
    )
    nlp = MxNlpEngine()
    nlp.load()
    registry = RecognizerRegistry(
        recognizers=[recognizer], supported_languages=[LANGUAGE]
    )
    return AnalyzerEngine(
        registry=registry, nlp_engine=nlp, supported_languages=[LANGUAGE]
    )
