"""De-identify a file: its texts, then the file itself."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from presidio_analyzer import RecognizerResult

from presidio_mx.errors import InputError
from presidio_mx.find.engine import Sensitivity
from presidio_mx.find.ner.choose import Ner
from presidio_mx.pipeline import Examined, People, examine
from presidio_mx.replace.engine import Item, Operators
from presidio_mx.replace.keys import Key, Scope
from presidio_mx.replacing import replace_found
from presidio_mx.text.spans import Span
from presidio_mx.work.documents.bounds import cut, moved, settled
from presidio_mx.work.documents.opened import Change, LeftOut, Opened, Part
from presidio_mx.work.documents.read import OutKind, Progress, open_document

_BETWEEN = "\n\n"
# Fields whose values are known data of the patient, by what was found in them.
_KNOWN_ROLES = {
    "patient": "patient",
    "relative": "relatives",
    "staff": "staff",
    "other": "others",
}
_KNOWN_CODES = {
    "PHONE_NUMBER": "phone",
    "EMAIL_ADDRESS": "email",
    "MX_CURP": "curp",
    "MX_RFC": "rfc",
    "MX_NSS": "nss",
    "MEDICAL_RECORD": "record",
}
_FIELD = "fields#"
_NO_LETTERS = re.compile(r"[\W_]+")
_DIGITS = re.compile(r"\d")
# Shorter codes are also doses, results, bed numbers.
_LEAST_DIGITS = 5
# So many known values are searched for; more are those of a whole ward.
_MOST_KNOWN = 100

Known = Mapping[str, Sequence[str]]


class Changed(NamedTuple):
    """A place of a file where something was replaced; nothing of the old text.

    :param path: Where, in words of the format: ``/name/0/family``, ``PID[1]-5``.
    :param entity: What stood there.
    :param operator: What was done.
    """

    path: str
    entity: str
    operator: str


@dataclass(frozen=True, repr=False)
class NewFile:
    """A file after de-identification.

    :param data: Its bytes.
    :param suffix: The ending that its name should have.
    :param left_out: What it lacks of the old file.
    :param items: What was replaced; offsets count in all texts of the file together.
    :param risk: Probability that something which identifies somebody is left.
    :param changes: Where something was replaced.
    """

    data: bytes
    suffix: str
    left_out: LeftOut
    items: tuple[Item, ...]
    risk: float | None = None
    changes: tuple[Changed, ...] = ()


def deidentify_file(
    path: Path | str,
    operators: Operators = "tag",
    *,
    encoding: str | None = None,
    out_kind: OutKind = "",
    strict: bool = False,
    progress: Progress | None = None,
    people: People = "everyone",
    preset: str = "mx",
    ner: Ner = "auto",
    site: Path | str | None = None,
    sensitivity: Sensitivity = "balanced",
    known: Known | None = None,
    key: Key | str | bytes | None = None,
    scope: Scope | str = "",
) -> NewFile:
    """De-identify a file; nothing is written.

    :param path: The file. Its ending says how it is read, see ``docs/formats.md``.
    :param operators: As :func:`presidio_mx.analyze_and_anonymize` takes them, and
        likewise all that follow.
    :param encoding: Name of its encoding, where it does not say it itself.
    :param out_kind: What is written: ``pdf`` of a PDF file or a scan; by default what
        ``docs/formats.md`` says.
    :param strict: Refuse a file of which something is left out that somebody wrote.
    :param progress: Called with each page that is done and the number of all.
    :param people: Whose names are replaced.
    :param preset: Name of the rule set.
    :param ner: Which model runs beside the rules.
    :param site: Folder with a site's own lists, rules and profiles.
    :param sensitivity: From which probability on spans are marked.
    :param known: The patient's own data; what the fields of a message or an export
        hold is known in its texts without being given here.
    :param key: Secret of surrogates.
    :param scope: Where the same value keeps its surrogate; the file by default.
    :return: The new file.
    :raises InputError: If the file cannot be read.
    :raises ConfigurationError: If an argument, profile or list is wrong.
    :raises MissingExtraError: If reading it needs a package that is not installed.
    """
    opened = open_document(Path(path), encoding, out_kind=out_kind, progress=progress)
    if strict:
        refuse_left_out(opened.left_out, str(path))
    return deidentify_opened(
        opened,
        operators,
        people=people,
        preset=preset,
        ner=ner,
        site=site,
        sensitivity=sensitivity,
        known=known,
        key=key,
        scope=scope,
    )


def deidentify_opened(
    opened: Opened,
    operators: Operators = "tag",
    *,
    people: People = "everyone",
    preset: str = "mx",
    ner: Ner = "auto",
    site: Path | str | None = None,
    sensitivity: Sensitivity = "balanced",
    known: Known | None = None,
    key: Key | str | bytes | None = None,
    scope: Scope | str = "",
    reviewed: Sequence[Span] | None = None,
) -> NewFile:
    """De-identify a file that was read.

    :param opened: The file; all that follows is as :func:`deidentify_file` takes it.
    :param reviewed: What a person decided, in offsets of :func:`whole_text`; by default
        it is looked for.
    :return: The new file.
    :raises ConfigurationError: If an argument, profile or list is wrong.
    """
    given = {kind: list(values) for kind, values in (known or {}).items()}
    risk: float | None = None
    if reviewed is None:
        seen = examine_opened(
            opened,
            people=people,
            preset=preset,
            ner=ner,
            site=site,
            sensitivity=sensitivity,
            known=given,
        )
        spans, risk = [_span_of(result) for result in seen.results], seen.risk
    else:
        spans = list(_within_parts(opened.parts, reviewed))
    starts = list(_starts(opened.parts))
    done = replace_found(
        whole_text(opened),
        spans,
        operators,
        preset=preset,
        people=people,
        site=site,
        known=given,
        key=key,
        scope=scope,
    )
    changes = [
        Change(item.start, item.end, done.text[item.new_start : item.new_end])
        for item in done.items
    ]
    return NewFile(
        opened.written(list(_of_each(changes, starts))),
        opened.suffix,
        opened.left_out,
        done.items,
        risk,
        tuple(_places(opened, done.items, starts)),
    )


def whole_text(opened: Opened) -> str:
    """Return all texts of a file, one after the other.

    :param opened: The file.
    """
    return _BETWEEN.join(part.text for part in opened.parts)


def examine_opened(
    opened: Opened,
    *,
    people: People = "everyone",
    preset: str = "mx",
    ner: Ner = "auto",
    site: Path | str | None = None,
    sensitivity: Sensitivity = "balanced",
    known: Known | None = None,
) -> Examined:
    """Find what identifies somebody in a file that was read.

    :param opened: The file; all that follows is as :func:`deidentify_file` takes it.
    :return: Results, whose offsets count in :func:`whole_text`, and the risk.
    :raises ConfigurationError: If an argument or list is wrong.
    """

    def find(text: str, known: Known) -> Examined:
        return examine(
            text,
            preset=preset,
            ner=ner,
            people=people,
            site=site,
            sensitivity=sensitivity,
            known=known or None,
        )

    found, risks = _find_all(opened.parts, known or {}, find)
    results = [
        moved(result, start + result.start, start + result.end)
        for start, part in zip(_starts(opened.parts), found, strict=True)
        for result in part
    ]
    risk = None if None in risks else 1.0 - math.prod(1.0 - (r or 0.0) for r in risks)
    return Examined(results, risk)


def refuse_left_out(left_out: LeftOut, name: str) -> None:
    """Refuse a file of which something is left out that somebody wrote.

    :param left_out: What the new file would lack.
    :param name: What to call it in the error.
    :raises InputError: Naming it.
    """
    if texts := left_out.texts:
        raise InputError(
            f"{name}: would lose {texts.said()}; take it out first, or do without "
            "--strict"
        )


def _places(
    opened: Opened, items: Sequence[Item], starts: Sequence[int]
) -> Iterator[Changed]:
    """Yield where in the file something was replaced."""
    part = 0
    for item in items:
        while part + 1 < len(starts) and starts[part + 1] <= item.start:
            part += 1
        path = opened.place(part, item.start - starts[part])
        yield Changed(path, item.entity_type, item.operator)


def _find_all(
    parts: Sequence[Part],
    given: Known,
    find: Callable[[str, Known], Examined],
) -> tuple[list[list[RecognizerResult]], list[float | None]]:
    """Find what identifies somebody in each part; fields tell their texts.

    :return: Results of each part, and the risk that something is left in it.
    """
    found: list[list[RecognizerResult]] = []
    risks: list[float | None] = []
    told: dict[int, Known] = {}
    for number, part in enumerate(parts):
        seen = Examined([], 0.0)
        if part.told_by in (None, number):
            seen = _seen(part, find(part.text, given))
            told[number] = known_in(part.text, seen.results)
        if part.told_by is not None and (part.told_by < number or told[number]):
            known = _together(given, told[part.told_by])
            seen = _seen(part, find(part.text, known))
        found.append(seen.results)
        risks.append(seen.risk)
    return found, risks


def _seen(part: Part, seen: Examined) -> Examined:
    return Examined(settled(part, seen.results), seen.risk)


def _together(given: Known, told: Known) -> Known:
    return {
        kind: [*given.get(kind, ()), *told.get(kind, ())] for kind in {**given, **told}
    }


def known_in(text: str, results: Sequence[RecognizerResult]) -> Known:
    """Return what the fields of a message or an export tell of its people.

    :param text: The text with the fields.
    :param results: What was found in it.
    :return: Known data as the pipeline takes them.
    """
    known: dict[str, list[str]] = {}
    for result in results:
        metadata = result.recognition_metadata or {}
        if not str(metadata.get("rule", "")).startswith(_FIELD):
            continue
        value = text[result.start : result.end]
        if result.entity_type == "PERSON":
            kind = _KNOWN_ROLES.get(metadata.get("role") or "")
            value = _NO_LETTERS.sub(" ", value).strip()
            # A given name alone, of staff, is also an ordinary word.
            usable = kind in ("patient", "relatives") or " " in value
        else:
            kind = _KNOWN_CODES.get(result.entity_type)
            usable = len(_DIGITS.findall(value)) >= _LEAST_DIGITS or "@" in value
        if kind is not None and usable and value not in known.get(kind, ()):
            known.setdefault(kind, []).append(value)
    return known if sum(map(len, known.values())) <= _MOST_KNOWN else {}


def _starts(parts: Sequence[Part]) -> Iterator[int]:
    """Yield where each part begins among all of them."""
    at = 0
    for part in parts:
        yield at
        at += len(part.text) + len(_BETWEEN)


def _within_parts(parts: Sequence[Part], spans: Sequence[Span]) -> Iterator[Span]:
    """Yield of each span what of it stands in each part, and in each value there."""
    for part, start in zip(parts, _starts(parts), strict=True):
        end = start + len(part.text)
        own = [
            RecognizerResult(
                span.entity_type,
                max(span.start, start) - start,
                min(span.end, end) - start,
                span.score or 0.0,
                recognition_metadata={"role": span.role or ""},
            )
            for span in spans
            if span.start < end and start < span.end
        ]
        held = own if part.cells is None else cut(part.text, own, part.cells)
        for result in held:
            yield _span_of(moved(result, start + result.start, start + result.end))


def _span_of(result: RecognizerResult) -> Span:
    metadata: Mapping[str, Any] = result.recognition_metadata or {}
    return Span(
        result.start,
        result.end,
        result.entity_type,
        metadata.get("role") or None,
        result.score,
    )


def _of_each(
    changes: Sequence[Change], starts: Sequence[int]
) -> Iterator[list[Change]]:
    """Yield the changes of each part, in its own offsets."""
    at = 0
    for number, start in enumerate(starts, start=1):
        after = starts[number] if number < len(starts) else None
        own = []
        while at < len(changes) and (after is None or changes[at].start < after):
            change = changes[at]
            own.append(Change(change.start - start, change.end - start, change.new))
            at += 1
        yield own
