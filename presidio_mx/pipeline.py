"""From a note to a de-identified note in one call."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from presidio_analyzer import AnalyzerEngine, EntityRecognizer, RecognizerResult

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.find.engine import Sensitivity, build_analyzer
from presidio_mx.find.known import Known
from presidio_mx.find.ner.choose import Ner
from presidio_mx.find.nlp import LANGUAGE
from presidio_mx.find.sensitivity import BALANCED, Thresholds, thresholds_of
from presidio_mx.find.session import session_of
from presidio_mx.find.site import Stamp, site_folder, site_stamp
from presidio_mx.replace.engine import AnonymizedText, Operators
from presidio_mx.replace.keys import Key, Scope
from presidio_mx.replace.marks import Ours
from presidio_mx.replacing import replace_found
from presidio_mx.time_limit import OutOfTime, check_limit, within

People = Literal["everyone", "patient_and_relatives"]
PEOPLE: tuple[People, ...] = ("everyone", "patient_and_relatives")
T = TypeVar("T")


@lru_cache(maxsize=8)
def shared_analyzer(
    preset: str,
    ner: Ner,
    site: str | None,
    stamp: Stamp = (),
    sensitivity: Sensitivity = BALANCED,
) -> AnalyzerEngine:
    """Return the analyzer of these settings, built at the first call of a process.

    :param preset: ``mx`` for Mexican notes, ``es-ES`` for notes of Spain.
    :param ner: As :func:`analyze` takes it.
    :param site: Folder with a site's own lists and rules.
    :param stamp: State of that folder: one that was edited since is read anew.
    :param sensitivity: As :func:`analyze` takes it.
    :return: A Presidio engine.
    """
    return build_analyzer(preset, ner, site=site, sensitivity=sensitivity)


def checked_text(text: object) -> str:
    """Return the text, or say in one sentence what is wrong with it.

    :param text: What a user passed as a note.
    :return: The text itself.
    :raises InputError: If it is not a string.
    """
    if isinstance(text, str):
        return text
    kind = "None" if text is None else type(text).__name__
    hint = "; decode it first, e.g. text.decode('utf-8')"
    raise InputError(
        f"a note must be a string, not {kind}"
        + (hint if isinstance(text, bytes | bytearray) else "")
    )


def check_people(people: str) -> None:
    """Refuse what says not whose names are found.

    :param people: As :func:`examine` takes it.
    :raises ConfigurationError: If it is none of :data:`PEOPLE`.
    """
    if people not in PEOPLE:
        raise ConfigurationError(
            f"people (--people) is {' or '.join(PEOPLE)} and nothing else"
        )


def in_time(seconds: float, work: Callable[[], T]) -> T:
    """Do work within a time limit, or say that it took too long.

    :param seconds: The limit; 0 for none.
    :param work: What to do.
    :return: What it returns.
    :raises ConfigurationError: If the limit is no number of seconds.
    :raises InputError: If its time was over; there is no result then.
    """
    check_limit(seconds, none=True)
    try:
        return within(seconds, work)
    except OutOfTime:
        raise InputError(
            f"the note took longer than {seconds:g} seconds; split it, or allow more "
            "by timeout="
        ) from None


@dataclass(frozen=True, slots=True)
class Examined:
    """What an analysis says of a note.

    :param results: Settled results in reading order.
    :param risk: Probability that something which identifies somebody stays unmarked;
        None where that was not fitted, as for models of others.
    """

    results: list[RecognizerResult]
    risk: float | None


def examine(
    text: str,
    *,
    preset: str = "mx",
    ner: Ner = "auto",
    people: People = "everyone",
    site: Path | str | None = None,
    known: Mapping[str, Any] | None = None,
    sensitivity: Sensitivity = BALANCED,
    timeout: float = 0,
) -> Examined:
    """Find what identifies somebody in a note, and how likely something is left.

    :param text: The note.
    :param preset: ``mx`` for Mexican notes, ``es-ES`` for notes of Spain.
    :param ner: ``auto``, ``none``, ``transformer``, the path of a model, or a list of
        several: what any of them marks is marked.
    :param people: ``everyone``, or ``patient_and_relatives``: names of staff stay.
    :param site: Folder with a site's own lists and rules.
    :param known: The patient's own data, see :class:`presidio_mx.find.known.Known`.
    :param sensitivity: From which probability on spans are marked: ``high`` for the
        fewest misses, ``balanced``, ``exact``, or the probability itself, below 1;
        ``balanced,PERSON=high`` where some entities have their own.
    :param timeout: Seconds that it may take once rules and model are loaded; 0 for no
        limit.
    :return: Results and risk.
    :raises InputError: If the text is not a string, or its time was over.
    :raises ConfigurationError: If an argument is unknown.
    """
    text = checked_text(text)
    check_people(people)
    least = thresholds_of(sensitivity)
    folder = site_folder(site)
    models = tuple(ner) if isinstance(ner, list) else ner
    engine = shared_analyzer(preset, models, folder, site_stamp(folder), sensitivity)
    if not text.strip():
        return Examined([], 0.0)
    extra = Known.of(known).recognizers(LANGUAGE, preset, folder) if known else []
    return in_time(timeout, lambda: _found(text, engine, extra, people, least))


def _found(
    text: str,
    engine: AnalyzerEngine,
    extra: list[EntityRecognizer],
    people: People,
    least: Thresholds,
) -> Examined:
    artifacts = engine.nlp_engine.process_text(text, LANGUAGE)
    for recognizer in extra:
        # Known data propose before the rules run, which then run once.
        recognizer.analyze(text, [], artifacts)
    results = engine.analyze(
        text, LANGUAGE, ad_hoc_recognizers=extra, nlp_artifacts=artifacts
    )
    if people == "patient_and_relatives":
        results = [result for result in results if not is_staff(result)]
    risk = session_of(text, artifacts).risk(least)
    return Examined(sorted(results, key=lambda r: (r.start, r.end)), risk)


def analyze(
    text: str,
    *,
    preset: str = "mx",
    ner: Ner = "auto",
    people: People = "everyone",
    site: Path | str | None = None,
    known: Mapping[str, Any] | None = None,
    sensitivity: Sensitivity = BALANCED,
    timeout: float = 0,
) -> list[RecognizerResult]:
    """Find what identifies somebody in a note.

    :param text: The note.
    :param preset: As :func:`examine` takes it, and so all that follows.
    :param ner: The model.
    :param people: Whose names are found.
    :param site: Folder with a site's own lists and rules.
    :param known: The patient's own data.
    :param sensitivity: From which probability on spans are marked.
    :param timeout: Seconds that it may take; 0 for no limit.
    :return: Settled results in reading order.
    :raises InputError: If the text is not a string, or its time was over.
    :raises ConfigurationError: If an argument is unknown.
    """
    return examine(
        text,
        preset=preset,
        ner=ner,
        people=people,
        site=site,
        known=known,
        sensitivity=sensitivity,
        timeout=timeout,
    ).results


def is_staff(result: RecognizerResult) -> bool:
    """Tell whether a result is the name of somebody who works for the service."""
    metadata = result.recognition_metadata or {}
    return result.entity_type == "PERSON" and metadata.get("role") == "staff"


def analyze_and_anonymize(
    text: str,
    operators: Operators = "tag",
    *,
    people: People = "everyone",
    preset: str = "mx",
    ner: Ner = "auto",
    site: Path | str | None = None,
    known: Mapping[str, Any] | None = None,
    key: Key | str | bytes | None = None,
    scope: Scope | str = "",
    sensitivity: Sensitivity = BALANCED,
    ours: Ours | None = None,
    timeout: float = 0,
) -> AnonymizedText:
    """De-identify a note.

    :param text: The note.
    :param operators: Name or path of a profile (``tag``, ``redact``, ``surrogate`` ...)
        or Presidio's dictionary of entity to ``OperatorConfig``.
    :param people: ``everyone``, or ``patient_and_relatives``: names of staff stay.
    :param preset: ``mx`` for Mexican notes, ``es-ES`` for notes of Spain.
    :param ner: ``auto``, ``none``, ``transformer`` or the path of a model.
    :param site: Folder with a site's own lists, rules and profiles.
    :param known: The patient's own data: ``patient``, ``relatives``, ``phone``,
        ``address``, ``curp`` and so on; found however misspelt or shortened.
    :param key: Secret of surrogates, at least 16 bytes; else ``PRESIDIO_MX_KEY``, else
        a random one of this process.
    :param scope: Where the same value keeps its surrogate: the document by default,
        ``patient:ID`` or ``corpus``.
    :param sensitivity: From which probability on spans are marked, see :func:`examine`.
    :param ours: What of the note an earlier run put out, and stays as it is; see
        :class:`presidio_mx.replace.marks.Marks`.
    :param timeout: Seconds that finding, and then replacing, may take; 0 for no limit.
    :return: The new text, what was done, and the risk that something is left.
    :raises InputError: If the text is not a string, or its time was over.
    :raises ConfigurationError: If an argument, profile or list is wrong.
    """
    found = examine(
        text,
        preset=preset,
        ner=ner,
        people=people,
        site=site,
        known=known,
        sensitivity=sensitivity,
        timeout=timeout,
    )
    replaced = partial(
        replace_found,
        text,
        found.results,
        operators,
        preset=preset,
        people=people,
        site=site,
        known=known,
        key=key,
        scope=scope,
        ours=ours,
    )
    done = in_time(timeout, replaced)
    return replace(done, risk=found.risk)
