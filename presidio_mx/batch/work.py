"""What is done to one row; the same in this process, in workers and on Spark."""

import hashlib
import os
import time
import traceback
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from presidio_mx.analyzer.engine import Ner
from presidio_mx.anonymizer.engine import (
    Operators,
    anonymize,
    resolve_operators,
)
from presidio_mx.anonymizer.keys import Key, Scope
from presidio_mx.anonymizer.operators import known_parameters
from presidio_mx.anonymizer.profiles import Profile
from presidio_mx.batch.columns import ENTITY_OF_KIND, ROLE_OF_KIND, Treatment
from presidio_mx.errors import ConfigurationError, InputError, PresidioMxError
from presidio_mx.pipeline import People, analyze_and_anonymize, shared_analyzer
from presidio_mx.spans import Span

BLANK = "{NO PROCESADA}"
_SEPARATORS = str.maketrans({";": "\n", "|": "\n"})
_ID_DIGITS = 16


@dataclass(frozen=True)
class Settings:
    """How notes are de-identified; travels to every worker.

    :param operators: Profile's name or path, or entity to OperatorConfig.
    :param key: Secret of surrogates, or None where the profile needs none.
    :param people: ``everyone`` or ``patient_and_relatives``.
    :param preset: ``mx`` or ``es-ES``.
    :param ner: ``auto`` or ``none``.
    :param site: Folder of a site's own lists and rules.
    :param corpus: Same value, same surrogate in the whole archive.
    :param known: Kinds of the known cells of a row, in order.
    :param known_as: What becomes of the known cells.
    :param id_as: What becomes of the identifier.
    :param longest: Longest text that the output can hold, in characters; 0: any.
    """

    operators: Operators = "tag"
    key: Key | None = field(default=None, repr=False)
    people: People = "everyone"
    preset: str = "mx"
    ner: Ner = "auto"
    site: str | None = None
    corpus: bool = False
    known: tuple[str, ...] = ()
    known_as: Treatment = "drop"
    id_as: Treatment = "drop"
    longest: int = 0


@dataclass(frozen=True, repr=False)
class Cells:
    """The cells of a row that are looked at.

    :param texts: The notes; None stays None.
    :param known: Known data, in the order of the settings' kinds.
    :param id: The patient's identifier.
    :param problem: Why the row could not be read; such a row is not worked on.
    """

    texts: tuple[Any, ...]
    known: tuple[Any, ...] = ()
    id: Any = None
    problem: str = ""


@dataclass(frozen=True, repr=False)
class Done:
    """What became of a row.

    :param texts: New texts.
    :param known: New known cells, if they are replaced.
    :param id: New identifier, if it is replaced.
    :param problem: Why it failed, never its text; empty if it did not.
    :param entities: Count by entity.
    :param operators: Count by operator.
    :param seconds: Time it took.
    """

    texts: tuple[str | None, ...] = ()
    known: tuple[str | None, ...] = ()
    id: str | None = None
    problem: str = ""
    entities: Mapping[str, int] = field(default_factory=dict)
    operators: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0


def failed(problem: str, seconds: float = 0.0) -> Done:
    """Return what became of a row that failed."""
    return Done(problem=problem, seconds=seconds)


def as_text(value: Any) -> str:
    """Return a cell as text: what a person would see in it.

    :param value: A cell of a table: text, number, date, None ...
    :return: Its text; empty for None and NaN.
    """
    if value is None or value != value:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def known_of(kinds: Sequence[str], cells: Sequence[Any]) -> dict[str, list[str]]:
    """Return the known data of a row as the pipeline takes them.

    A cell may hold several values, parted by ``;``, ``|`` or line ends.

    :param kinds: Kind of each cell.
    :param cells: The cells.
    :return: Kind to texts.
    """
    known: dict[str, list[str]] = {}
    for kind, cell in zip(kinds, cells, strict=True):
        values = as_text(cell).translate(_SEPARATORS).splitlines()
        texts = [value.strip() for value in values if value.strip()]
        if texts:
            known.setdefault(kind, []).extend(texts)
    return known


def scope_of(cells: Cells, corpus: bool) -> Scope:
    """Return where the same value keeps its surrogate: patient, corpus or row.

    The scope of a row without identifier is named after its texts, as the pipeline
    does for a document, so that it does not depend on the row's place in a file.

    :param cells: The row.
    :param corpus: Whether the scope is the whole archive.
    :return: The scope.
    """
    if corpus:
        return Scope("corpus")
    patient = as_text(cells.id).strip()
    if patient:
        return Scope("patient", patient)
    texts = [text for text in cells.texts if isinstance(text, str)]
    whole = "\x1e".join(texts).encode("utf-8", "surrogatepass")
    return Scope("document", hashlib.sha256(whole).hexdigest())


def process(settings: Settings, cells: Cells) -> Done:
    """De-identify a row.

    :param settings: How.
    :param cells: The row.
    :return: The new cells; or the reason why it failed, without its text.
    """
    if cells.problem:
        return failed(cells.problem)
    begin = time.perf_counter()
    try:
        return _process(settings, cells, begin)
    except Exception as error:
        return failed(reason(error), time.perf_counter() - begin)


def reason(error: BaseException) -> str:
    """Return why a row failed, in words that hold nothing of it.

    Messages of this package quote no text; of any other error only the type and the
    place in the code are told.

    :param error: The error.
    :return: One sentence.
    """
    if isinstance(error, PresidioMxError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = ""
    if frames:
        place = f" at {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}"
    return f"{type(error).__name__}{place}"


def _process(settings: Settings, cells: Cells, begin: float) -> Done:
    scope = scope_of(cells, settings.corpus)
    known = known_of(settings.known, cells.known)
    entities: Counter[str] = Counter()
    operators: Counter[str] = Counter()
    texts: list[str | None] = []
    for text in cells.texts:
        if text is None:
            texts.append(None)
            continue
        if not isinstance(text, str):
            raise InputError(f"a note must be text, not {type(text).__name__}")
        done = analyze_and_anonymize(
            text,
            settings.operators,
            people=settings.people,
            preset=settings.preset,
            ner=settings.ner,
            site=settings.site,
            known=known or None,
            key=settings.key,
            scope=scope,
        )
        entities.update(item.entity_type for item in done.items)
        operators.update(item.operator for item in done.items)
        if settings.longest and len(done.text) > settings.longest:
            raise InputError(
                f"the new text is longer than the {settings.longest:,} characters "
                "that a cell of the output can hold"
            )
        texts.append(done.text)
    replaced: tuple[str | None, ...] = ()
    if settings.known_as == "replace":
        replaced = tuple(
            replace_cell(settings, kind, cell, scope)
            for kind, cell in zip(settings.known, cells.known, strict=True)
        )
    identifier = None
    if settings.id_as == "replace" and as_text(cells.id).strip():
        identifier = pseudonym_of(settings.key, as_text(cells.id).strip())
    return Done(
        texts=tuple(texts),
        known=replaced,
        id=identifier,
        entities=dict(entities),
        operators=dict(operators),
        seconds=time.perf_counter() - begin,
    )


def replace_cell(settings: Settings, kind: str, cell: Any, scope: Scope) -> str | None:
    """Return what stands for a known cell: its values through the entity's operator.

    :param settings: Operators and key.
    :param kind: Kind of the cell.
    :param cell: The cell.
    :param scope: Scope of the row.
    :return: The new values, joined by ``; ``; None for an empty cell.
    """
    values = known_of([kind], [cell]).get(kind)
    if not values:
        return None
    folders = _operator_folders(settings)
    new = []
    for value in values:
        role = ROLE_OF_KIND.get(kind)
        span = Span(0, len(value), ENTITY_OF_KIND[kind], role, 1.0)
        done = anonymize(
            value,
            [span],
            settings.operators,
            key=settings.key,
            scope=scope,
            extra_folders=folders,
        )
        new.append(done.text)
    return "; ".join(new)


def pseudonym_of(key: Key | None, identifier: str) -> str:
    """Return the keyed token of a patient's identifier, equal in the whole archive.

    :param key: The secret.
    :param identifier: The identifier.
    :return: 16 hexadecimal digits.
    :raises ConfigurationError: If there is no key.
    """
    if key is None:
        raise ConfigurationError("replacing the identifier needs a key")
    return key.derive("batch identifier", identifier).hex()[:_ID_DIGITS]


def _operator_folders(settings: Settings) -> tuple[Path, ...]:
    return () if settings.site is None else (Path(settings.site) / "operators",)


def profile_of(settings: Settings) -> Profile:
    """Return the profile of the settings, checked.

    :param settings: The settings.
    :return: The profile.
    :raises ConfigurationError: If it is unknown or wrong.
    """
    return resolve_operators(settings.operators, _operator_folders(settings))


def needs_key(profile: Profile) -> bool:
    """Tell whether a profile's output depends on a key.

    :param profile: The profile.
    :return: True if an operator of it takes a key that the profile does not give.
    """
    return any(
        "key" in (known_parameters(spec.operator) or ()) and not spec.params.get("key")
        for spec in (*profile.operators.values(), profile.default)
    )


def warm_up(settings: Settings) -> None:
    """Build the engines of this process, and find out whether the settings work.

    :param settings: The settings.
    :raises ConfigurationError: If a profile, list or argument is wrong.
    """
    analyze_and_anonymize(
        "Paciente Tzintia Paz, Tel. 443 100 0000, Morelia, Mich.",
        settings.operators,
        people=settings.people,
        preset=settings.preset,
        ner=settings.ner,
        site=settings.site,
        key=settings.key,
    )


def model_hashes(settings: Settings) -> dict[str, str]:
    """Return the hash of every model that takes part.

    A recognizer with a model says its hash in an attribute ``model_hash``.

    :param settings: How the rows are de-identified.
    :return: Name of the recognizer to hash; empty for rules alone.
    """
    if settings.ner == "none":
        return {}
    engine = shared_analyzer(settings.preset, settings.ner, settings.site)
    recognizers: Any = engine.registry.recognizers
    return {
        str(recognizer.name): str(recognizer.model_hash)
        for recognizer in recognizers
        if getattr(recognizer, "model_hash", None)
    }
