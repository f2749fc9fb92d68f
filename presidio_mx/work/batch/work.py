"""What is done to one row; the same in this process, in workers and on Spark."""

import hashlib
import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from presidio_mx.errors import ConfigurationError, InputError, reason
from presidio_mx.find.known_kinds import ROLE_OF_KIND
from presidio_mx.find.ner.choose import ADBDC, AUTO, NONE
from presidio_mx.find.site import operator_folders
from presidio_mx.pipeline import examine
from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.keys import Key, Scope
from presidio_mx.replace.marks import Ours, marks_of, read_marks
from presidio_mx.replace.patient import Patient, known_patient
from presidio_mx.replace.vault import Original, originals_of
from presidio_mx.replacing import replace_found
from presidio_mx.research.systems.adbdc import find_in, new_index
from presidio_mx.text.reading.mend import mend
from presidio_mx.text.spans import Span
from presidio_mx.time_limit import OutOfTime, within
from presidio_mx.work.batch.cells import Cells, Done, as_text, failed, known_of
from presidio_mx.work.batch.columns import ENTITY_OF_COLUMN, is_cell_kind
from presidio_mx.work.batch.document_files import FileNote, deidentify_note
from presidio_mx.work.batch.generalize import PREFIX, generalized
from presidio_mx.work.batch.settings import Settings

_ID_DIGITS = 16


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
    texts = [str(t) for t in cells.texts if isinstance(t, str | FileNote)]
    texts = texts or list(map(as_text, cells.known))  # a table without notes
    whole = "\x1e".join(texts).encode("utf-8", "surrogatepass")
    return Scope("document", hashlib.sha256(whole).hexdigest())


def indexed(settings: Settings, cells: Sequence[Cells]) -> Sequence[Cells]:
    """Put the notes of some rows into one inverted index, for the published baseline.

    The baseline then looks its triggers up in the index: a note that holds none is not
    read again, and none needs an engine.

    :param settings: How the rows are de-identified.
    :param cells: Some rows.
    :return: The rows; those of any other preset, or with known data, as they are.
    """
    if settings.preset != ADBDC or settings.ner not in (AUTO, NONE):
        return cells
    index = new_index()

    def placed(row: Cells) -> Cells:
        texts = [text for text in row.texts if text is not None]
        plain = all(isinstance(text, str) for text in texts)
        if row.problem or not plain or known_of(settings.known, row.known):
            return row
        numbers = tuple(
            -1 if text is None else index.add(mend(text).text) for text in row.texts
        )
        return replace(row, index=index, numbers=numbers)

    return [placed(row) for row in cells]


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
        return within(settings.seconds, lambda: _process(settings, cells, begin))
    except OutOfTime:
        return failed(out_of_time(settings.seconds), time.perf_counter() - begin)
    except Exception as error:
        return failed(reason(error), time.perf_counter() - begin)


def out_of_time(seconds: float) -> str:
    """Return why a row failed that took too long.

    :param seconds: Its time limit.
    :return: One sentence.
    """
    return f"the row took longer than {seconds:g} seconds"


@dataclass
class _Counts:
    """What was found in a row, replaced and mended in it."""

    entities: Counter[str] = field(default_factory=Counter)
    operators: Counter[str] = field(default_factory=Counter)
    mended: set[str] = field(default_factory=set)
    originals: list[tuple[Original, ...]] = field(default_factory=list)
    risks: list[float | None] = field(default_factory=list)
    written: dict[tuple[str, str], str] = field(default_factory=dict)
    marks: list[bytes] = field(default_factory=list)
    emptied: int = 0


@dataclass(frozen=True, repr=False)
class _Note:
    """A note of a row, with what is known of it before it is read.

    :param text: Its text, or whatever stands in the cell.
    :param found: What an index or a review tells of it; None where an engine has to
        read it.
    :param place: Its place in the run, for marks.
    :param ours: What of it an earlier run put out; None where nobody asks.
    """

    text: Any
    found: Sequence[Span] | None
    place: str
    ours: Ours | None


def place_of(row: str | int, number: int) -> str:
    """Return the place of a note as marks give it.

    :param row: Running number of the row.
    :param number: Which note of the row.
    """
    return f"{row}/{number}"


def _notes_of(settings: Settings, cells: Cells) -> Iterator[_Note | None]:
    """Yield the notes of a row; None for those that are not there."""
    marks = None
    if settings.ours and settings.key is not None:
        marks = read_marks(settings.ours, settings.key)
    for place, text in enumerate(cells.texts):
        if text is None or text != text:  # NaN of a column of floats
            yield None
            continue
        where = place_of(cells.place, place + 1)
        ours = marks.find(text, where) if marks and isinstance(text, str) else None
        found = settings.reviewed.get(where, _found_by_index(cells, place))
        yield _Note(text, found, where, ours)


def _found_by_index(cells: Cells, place: int) -> Sequence[Span] | None:
    """Return what the index tells of a note; None where an engine has to read it."""
    if cells.index is None:
        return None
    number = cells.numbers[place]
    found = find_in(cells.index, number) if number >= 0 else []
    return [Span(f.start, f.end, f.entity, None, f.score) for f in found]


def _process(settings: Settings, cells: Cells, begin: float) -> Done:
    scope = scope_of(cells, settings.corpus)
    if cells.texts and isinstance(cells.texts[0], FileNote):
        place = place_of(cells.place, 1)
        return deidentify_note(settings, cells.texts[0], scope, place)
    counts = _Counts()
    cells = replace(
        cells,
        texts=tuple(_mended(text, counts) for text in cells.texts),
        known=tuple(_mended(cell, counts) for cell in cells.known),
    )
    searched = [
        (kind, cell)
        for kind, cell in zip(settings.known, cells.known, strict=True)
        if not is_cell_kind(kind)
    ]
    known = known_of([kind for kind, _ in searched], [cell for _, cell in searched])
    notes = list(_notes_of(settings, cells))
    told = [note.ours for note in notes if note is not None]
    if told and all(ours is not None and ours.whole for ours in told):
        return _as_it_is(cells, counts, begin)
    patient = known_patient(known) or cells.people
    texts = tuple(
        None
        if note is None
        else _new_text(settings, note, known, scope, counts, patient)
        for note in notes
    )
    replaced: tuple[str | None, ...] = ()
    if settings.known_as == "replace" or any(map(is_cell_kind, settings.known)):
        replaced = tuple(
            _new_cell(settings, kind, cell, scope, counts, patient)
            for kind, cell in zip(settings.known, cells.known, strict=True)
        )
    identifier = None
    if settings.id_as == "replace" and as_text(cells.id).strip():
        identifier = pseudonym_of(settings.key, as_text(cells.id).strip())
    return Done(
        texts=texts,
        known=replaced,
        id=identifier,
        entities=dict(counts.entities),
        operators=dict(counts.operators),
        mended=tuple(sorted(counts.mended)),
        seconds=time.perf_counter() - begin,
        originals=tuple(counts.originals),
        risk=_risk(counts.risks),
        marks=tuple(counts.marks),
        emptied=counts.emptied,
    )


def _as_it_is(cells: Cells, counts: _Counts, begin: float) -> Done:
    """Return a row that an earlier run put out: its cells are new already, too."""
    return Done(
        texts=cells.texts,
        known=tuple(as_text(cell) or None for cell in cells.known),
        id=as_text(cells.id),
        mended=tuple(sorted(counts.mended)),
        seconds=time.perf_counter() - begin,
    )


def _risk(risks: Sequence[float | None]) -> float | None:
    """Return the probability that something is left in any of a row's notes."""
    told = [risk for risk in risks if risk is not None]
    if not told or len(told) < len(risks):
        return None
    return 1.0 - math.prod(1.0 - risk for risk in told)


def _mended(cell: Any, counts: _Counts) -> Any:
    if not isinstance(cell, str):
        return cell
    done = mend(cell)
    counts.mended.update(done.how)
    return done.text


def _new_text(
    settings: Settings,
    note: _Note,
    known: dict[str, list[str]],
    scope: Scope,
    counts: _Counts,
    patient: Patient | None,
) -> str:
    text = note.text
    if not isinstance(text, str):
        raise InputError(f"a note must be text, not {type(text).__name__}")
    found: Sequence[Any] | None = note.found
    risk: float | None = None
    if found is None:
        read = examine(
            text,
            people=settings.people,
            preset=settings.preset,
            ner=settings.ner,
            site=settings.site,
            known=known or None,
            sensitivity=settings.sensitivity,
        )
        found, risk = read.results, read.risk
    done = replace_found(
        text,
        found,
        settings.operators,
        preset=settings.preset,
        people=settings.people,
        site=settings.site,
        key=settings.key,
        scope=scope,
        ours=note.ours,
        patient=patient,
    )
    counts.risks.append(risk)
    counts.entities.update(item.entity_type for item in done.items)
    counts.operators.update(item.operator for item in done.items)
    for item in done.items:
        value = (item.entity_type, text[item.start : item.end])
        counts.written.setdefault(value, done.text[item.new_start : item.new_end])
    if settings.longest and len(done.text) > settings.longest:
        raise InputError(
            f"the new text is longer than the {settings.longest:,} characters "
            "that a cell of the output can hold"
        )
    if settings.originals:
        counts.originals.append(originals_of(text, done))
    if settings.marks and settings.key is not None:
        counts.marks += marks_of(done.text, done.items, settings.key, note.place)
    return done.text


def _new_cell(
    settings: Settings,
    kind: str,
    cell: Any,
    scope: Scope,
    counts: _Counts,
    patient: Patient | None,
) -> str | None:
    """Return a known cell generalised, or its values through the entity's operator.

    :return: The new values, joined by ``; ``; None for an empty cell.
    """
    if kind.startswith(PREFIX):
        general = generalized(kind, cell)
        counts.emptied += general is None and bool(as_text(cell).strip())
        return general
    values = known_of([kind], [cell]).get(kind)
    if not values:
        return None
    folders = operator_folders(settings.site)
    new = []
    for value in values:
        # What stands for it in the notes of the row the cell says, too.
        if (said := counts.written.get((ENTITY_OF_COLUMN[kind], value))) is not None:
            new.append(said)
            continue
        role = ROLE_OF_KIND.get(kind)
        span = Span(0, len(value), ENTITY_OF_COLUMN[kind], role, 1.0)
        done = anonymize(
            value,
            [span],
            settings.operators,
            key=settings.key,
            scope=scope,
            extra_folders=folders,
            patient=patient,
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
