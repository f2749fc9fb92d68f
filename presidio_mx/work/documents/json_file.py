"""JSON and its lines, FHIR among them: values change, structure and types stay."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding, find_encoding
from presidio_mx.work.documents.fhir_ids import Ids
from presidio_mx.work.documents.json_tree import Node, escaped, letters_of, tree_of
from presidio_mx.work.documents.markup import has_tags, markup_values
from presidio_mx.work.documents.meanings import (
    DATE,
    Around,
    Told,
    answer_to,
    is_answer,
    question_of,
    told,
)
from presidio_mx.work.documents.opened import Dropped
from presidio_mx.work.documents.public import (
    base64_of_any_length,
    in_words,
    is_fhir,
    is_of_format,
)
from presidio_mx.work.documents.structured import (
    Read,
    Record,
    Structured,
    Value,
    checked,
)

# What is longer, or has lines, is a text and no field.
_LONGEST_FIELD = 120
# Inside the fields, a value must not end or begin strings.
_SHOWN = str.maketrans({'"': "'", "\\": "/", "\n": " ", "\r": " ", "\t": " "})
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_MASKED = (
    '"_{}": {{"extension": [{{"url": "http://hl7.org/fhir/StructureDefinition/'
    'data-absent-reason", "valueCode": "masked"}}]}}'
)
_DIGITS_OF_KEY = 7
_MOST_DEEP = 200


def open_json(data: bytes, name: str, encoding: Encoding | None = None) -> Structured:
    """Read a file of one JSON value.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Its encoding, if the user said it.
    :raises InputError: If it is not valid.
    """
    raw = _text(data, name, encoding)
    _check(raw, name, "")
    return _opened(raw, [(0, len(raw))], ".json", name)


def open_lines(data: bytes, name: str, encoding: Encoding | None = None) -> Structured:
    """Read a file with one JSON value a line; each is a record of its own.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Its encoding, if the user said it.
    :raises InputError: If a line is not valid.
    """
    raw = _text(data, name, encoding)
    lines, at = [], 0
    for number, line in enumerate(raw.split("\n"), start=1):
        if line.strip():
            _check(line, name, f"line {number} ")
            lines.append((at, at + len(line)))
        at += len(line) + 1
    return _opened(raw, lines, ".ndjson", name)


def _text(data: bytes, name: str, encoding: Encoding | None) -> str:
    found = encoding or find_encoding([data], name)
    return found.decode(data).removeprefix("\ufeff")


def _check(raw: str, name: str, where: str) -> None:
    try:
        json.loads(raw)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{name}: {where}is not valid JSON ({error.msg}, line {error.lineno}, "
            f"column {error.colno}); mend it, or name it .txt"
        ) from None
    except RecursionError:
        raise InputError(f"{name}: {where}is nested too deep") from None


def _opened(
    raw: str, spans: list[tuple[int, int]], suffix: str, name: str
) -> Structured:
    trees = [tree_of(raw, *span) for span in spans]
    ids = Ids()
    for tree in trees:
        ids.gather(tree)
    records = []
    for number, (span, tree) in enumerate(zip(spans, trees, strict=True), start=1):
        walk = _Walk(name, ids)
        path = f"/{number}" if suffix == ".ndjson" else ""
        values = list(walk.of(tree, Around((), {}), "", path))
        records.append(Record(*span, [checked(value, name) for value in values]))
    return Structured(raw, records, suffix, lambda text: text.translate(_SHOWN))


class _Walk:
    """A walk over one record; yields its values in order."""

    def __init__(self, name: str, ids: Ids) -> None:
        self._name = name
        self._ids = ids
        self._objects = 0

    def of(self, node: Node, around: Around, key: str, path: str) -> Iterator[Value]:
        """Yield the values of a node.

        :param node: The node.
        :param around: What stands around it.
        :param key: Its key, or that of its list.
        :param path: Where it stands.
        """
        if len(around.keys) > _MOST_DEEP:
            raise InputError(f"{self._name}: is nested too deep")
        if node.kind == "object":
            yield from self._object(node, around, key, path)
        elif node.kind == "list":
            for number, item in enumerate(node.values):
                yield from self.of(item, around, key, f"{path}/{number}")
        elif node.kind == "string" and node.raw:
            yield from self._string(node, around, key, path)
        elif node.kind == "number":
            sure = answer_to(around.question, node.raw) if around.question else None
            read = Read.PROSE if around.question else Read.FIELD
            before = f"\n\n{around.question}: " if around.question else ""
            value = Value(node.start, node.end, node.raw, None, str, path, read, before)
            yield replace(value, sure=sure, form=_NUMBER, masked="null")

    def _object(
        self, node: Node, around: Around, key: str, path: str
    ) -> Iterator[Value]:
        self._objects += 1
        group = self._objects
        siblings = {
            own.text: value.text if value.kind in ("string", "number") else ""
            for own, value in zip(node.keys, node.values, strict=True)
        }
        resource = siblings.get("resourceType") or around.resource
        question = question_of(siblings)
        keys = (*around.keys, key) if key else around.keys
        if "resourceType" in siblings:
            keys = ()
        for number, (own, value) in enumerate(zip(node.keys, node.values, strict=True)):
            name = own.text
            known = is_of_format(name)
            step = f"{path}/{name if known else f'{{{number}}}'}"
            if not known:
                yield _key(own, step, group)
            asked = question if is_answer(name) else ""
            asked = asked or (around.question if name.startswith("value") else "")
            inner = Around(keys, siblings, resource, asked)
            for found in self.of(value, inner, name, step):
                yield _typed(found, own, value, inner)

    def _string(
        self, node: Node, around: Around, key: str, path: str
    ) -> Iterator[Value]:
        text, origins = letters_of(node)
        value = Value(node.start, node.end, text, origins, escaped, path)
        if key == "resourceType":
            yield replace(value, instead=node.raw)
            return
        if around.resource:
            new = self._ids.of(key, text, "resourceType" in around.siblings)
            if new is not None:
                kept = new.text == text
                gone = Dropped.LINKS if new.query else None
                shown = None if kept else escaped(new.text)
                yield replace(value, read=Read.KEPT, instead=shown, dropped=gone)
                return
        known = told(key, text, around)
        if known.file and base64_of_any_length(text):
            yield replace(value, instead="", dropped=Dropped.ENCODED)
        elif known.read is not Read.KEPT and has_tags(text):
            yield from markup_values(value)
        else:
            yield _as_told(value, known, around)


def _as_told(value: Value, known: Told, around: Around) -> Value:
    read, before = known.read, "\n\n"
    text = value.text
    if read is Read.PROSE:
        before = f"\n\n{around.question}: "
    elif len(text) > _LONGEST_FIELD or "\n" in text.strip():
        read = Read.PROSE if read is Read.FIELD else read
    return replace(value, read=read, sure=known.sure, before=before)


def _typed(found: Value, key: Node, node: Node, around: Around) -> Value:
    """Return a value that keeps its type in FHIR: what is masked there goes."""
    if not around.resource or node.kind in ("object", "list") or not is_fhir(key.raw):
        return found
    form = DATE if DATE.fullmatch(found.text) else found.form
    if form is None or f"_{key.raw}" in around.siblings:
        return found
    behind = node.end + (node.kind == "string")
    return replace(
        found, form=form, outer=(key.start - 1, behind), masked=_MASKED.format(key.raw)
    )


def _key(node: Node, path: str, group: int) -> Value:
    """Return a key that may be somebody's."""
    text, _ = in_words(node.text)
    digits = re.sub(r"[\s()+]", "", text)
    sure = None
    if digits.isdecimal() and len(digits) >= _DIGITS_OF_KEY:
        sure = ("PHONE_NUMBER" if len(digits) >= 10 else "MEDICAL_RECORD", None)
    return Value(
        node.start,
        node.end,
        text,
        None,
        escaped,
        path,
        Read.KEY,
        sure=sure,
        group=group,
    )
