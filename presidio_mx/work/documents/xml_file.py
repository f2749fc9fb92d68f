"""XML, CDA and FHIR among it: text and attributes change, elements stay."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from xml.parsers import expat

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding, find_encoding
from presidio_mx.work.documents.cda import cda_text, cda_value, is_coded
from presidio_mx.work.documents.markup import (
    ATTRIBUTE,
    TOKEN,
    decoded,
    in_cdata,
    in_quotes,
    in_text,
    local,
    parting,
)
from presidio_mx.work.documents.meanings import KEPT, Around, Told, question_of, told
from presidio_mx.work.documents.opened import Dropped
from presidio_mx.work.documents.public import (
    base64_of_any_length,
    in_words,
    is_of_format,
    is_public,
)
from presidio_mx.work.documents.structured import (
    Read,
    Record,
    Structured,
    Value,
    checked,
)

_DECLARED = re.compile(
    r"(?<=encoding=)\s*(?:\"(?P<double>[^\"]+)\"|'(?P<single>[^']+)')"
)
_NAMESPACE = "xmlns"
_FHIR = "http://hl7.org/fhir"
_CDA = "urn:hl7-org:v3"
# Prefixes that everybody uses; others could be a name and are numbered.
_PREFIXES = re.compile(
    r"xml|xmlns|xsi|xsd?|xsl|sdtc|voc|hl7|cda|fhir|xhtml|h|html|xlink|soap(?:env)?|ext"
    r"|lab|epsos|pharm|mif|ns\d{0,3}|n\d|p\d|a|b|w|wsse|wsu|ds"
)
# Inside the fields, a value must not look like a tag.
_SHOWN = str.maketrans({"<": " ", ">": " ", "&": " "})
_LONGEST_FIELD = 120
_DIGITS_OF_KEY = 7
_NO_NAME = re.compile(r"[^\w.-]+")


@dataclass(repr=False)
class _Element:
    """An element of a file.

    :param name: Its tag without prefix.
    :param around: The element that it stands in.
    :param attributes: Its attributes by their names without prefix.
    :param number: Which of its kind it is among its siblings.
    :param texts: Texts of its children that hold nothing else, by their names.
    """

    name: str
    around: "_Element | None"
    attributes: dict[str, str]
    number: int = 1
    children: int = 0
    has_text: bool = False
    text: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)

    @property
    def path(self) -> str:
        known = self.name if is_of_format(self.name) else "*"
        above = "" if self.around is None else self.around.path
        return f"{above}/{known}[{self.number}]"

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the elements around, from the outermost."""
        return () if self.around is None else (*self.around.names, self.around.name)

    @property
    def in_prose(self) -> bool:
        """Tell whether it stands in a text with marks inside."""
        mixed = bool(self.children and self.has_text)
        return mixed or (self.around is not None and self.around.in_prose)


def open_xml(data: bytes, name: str, encoding: Encoding | None = None) -> Structured:
    """Read an XML file.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Its encoding, if the user said it.
    :raises InputError: If it is not well-formed, or has a document type.
    """
    found = encoding or find_encoding([data], name)
    raw = found.decode(data).removeprefix("\ufeff")
    _check(raw, name)
    values = [checked(value, name) for value in _Walk(raw).values()]
    values.sort(key=lambda value: value.start)
    record = Record(0, len(raw), values)
    return Structured(raw, [record], ".xml", lambda text: text.translate(_SHOWN))


def _check(raw: str, name: str) -> None:
    try:
        # As text: the encoding that the file declares may not be its own.
        fromstring(_DECLARED.sub('"UTF-8"', raw, count=1).encode(), forbid_dtd=True)
    except DefusedXmlException:
        raise InputError(
            f"{name}: declares a document type or entities, which are not read; "
            "remove <!DOCTYPE …>"
        ) from None
    except ParseError as error:
        line, column = error.position
        reason = expat.ErrorString(error.code)
        raise InputError(
            f"{name}: is not well-formed XML ({reason}, line {line}, column {column}); "
            "mend it, or name it .txt"
        ) from None
    except (ValueError, RecursionError):
        raise InputError(f"{name}: cannot be read as XML") from None


class _Walk:
    """A walk over a file: once to see what holds what, once for its values."""

    def __init__(self, raw: str) -> None:
        self._raw = raw
        self._tokens = list(TOKEN.finditer(raw))
        self._elements: list[_Element | None] = []
        self._prefixes: dict[str, str] = {}
        self._kind = ""
        self._look()

    def _look(self) -> None:
        """Make the element of each tag, and of each text that it stands in."""
        stack: list[_Element] = []
        for match in self._tokens:
            kind = _kind(match)
            element = stack[-1] if stack else None
            if kind == "tag":
                element = self._start(match, element)
                if not match["attributes"].endswith("/"):
                    stack.append(element)
            elif kind == "end":
                stack.pop()
                if element is not None and element.around is not None:
                    element.around.texts.setdefault(element.name, element.text)
            elif kind in ("text", "cdata") and match[kind].strip() and element:
                element.has_text = True
                element.text += decoded(self._raw, *match.span(kind))[0]
            self._elements.append(element)

    def _start(self, match: re.Match[str], around: _Element | None) -> _Element:
        attributes = {}
        for found in ATTRIBUTE.finditer(self._raw, *match.span("attributes")):
            value = found["double"] if found["double"] is not None else found["single"]
            attributes[local(found["name"])] = value
            prefix, _, declared = found["name"].partition(":")
            if prefix == _NAMESPACE and declared and not _PREFIXES.fullmatch(declared):
                self._prefixes.setdefault(declared, f"p{len(self._prefixes) + 1}")
        element = _Element(local(match["tag"]), around, attributes)
        if around is None:
            space = attributes.get(_NAMESPACE) or next(
                (v for v in attributes.values() if v in (_FHIR, _CDA)), ""
            )
            self._kind = space if space in (_FHIR, _CDA) else ""
            if element.name == "ClinicalDocument":
                self._kind = _CDA
        else:
            around.children += 1
            element.number = around.kinds.get(element.name, 0) + 1
            around.kinds[element.name] = element.number
            if "value" in attributes:
                around.texts.setdefault(element.name, attributes["value"])
        return element

    def values(self) -> Iterator[Value]:
        """Yield texts, attributes, names, and what is dropped."""
        tags: list[str] = []
        for match, element in zip(self._tokens, self._elements, strict=True):
            kind = _kind(match)
            if kind in ("tag", "end"):
                tags.append(match[kind])
                yield from self._name(match, kind, element)
                if kind == "tag" and element is not None:
                    yield from self._attributes(match, element)
            elif kind in ("text", "cdata") and element is not None:
                if (
                    match[kind].strip()
                    or element.in_prose
                    and not parting(tags or ["b"])
                ):
                    yield self._text(match, kind, element, tags)
                    tags = []
            elif kind == "instruction" and match["target"] == "xml":
                yield from _declaration(match)
            elif kind in ("comment", "instruction"):
                what = Dropped.COMMENTS if kind == "comment" else Dropped.CODES
                yield Value(*match.span(), "", None, str, instead="", dropped=what)

    def _name(
        self, match: re.Match[str], kind: str, element: _Element | None
    ) -> Iterator[Value]:
        start = match.start(kind)
        prefix, colon, name = match[kind].rpartition(":")
        if new := self._prefixes.get(prefix):
            span = start, start + len(prefix)
            yield Value(*span, "", None, str, "", Read.KEPT, instead=new)
        if element is not None and not is_of_format(name):
            start += len(prefix + colon)
            yield _key(name, start, element.path)

    def _attributes(self, match: re.Match[str], element: _Element) -> Iterator[Value]:
        for found in ATTRIBUTE.finditer(self._raw, *match.span("attributes")):
            prefix, colon, name = found["name"].rpartition(":")
            kind = "double" if found["double"] is not None else "single"
            span = found.span(kind)
            if prefix == _NAMESPACE or found["name"] == _NAMESPACE:
                yield from self._space(found, name, span)
                continue
            if new := self._prefixes.get(prefix):
                at = found.start("name")
                yield Value(
                    at, at + len(prefix), "", None, str, "", Read.KEPT, instead=new
                )
            path = f"{element.path}/@{name if is_of_format(name) else '*'}"
            if not is_of_format(name):
                yield _key(name, found.start("name") + len(prefix + colon), path)
            if found[kind]:
                text, origins = decoded(self._raw, *span)
                value = Value(*span, text, origins, in_quotes, path)
                yield self._of_attribute(value, name, element, found)

    def _space(
        self, found: re.Match[str], name: str, span: tuple[int, int]
    ) -> Iterator[Value]:
        """Yield a namespace: one that is not public is numbered, and so is a prefix."""
        if new := self._prefixes.get(name):
            at = found.end("name") - len(name)
            yield Value(at, at + len(name), "", None, str, "", Read.KEPT, instead=new)
        if not is_public(self._raw[slice(*span)]):
            uri = f"urn:x-ns:{len(found.string[: span[0]].split(_NAMESPACE)) - 1}"
            yield Value(*span, "", None, str, "", Read.KEPT, instead=uri)

    def _of_attribute(
        self, value: Value, name: str, element: _Element, found: re.Match[str]
    ) -> Value:
        siblings = element.attributes
        if self._kind == _FHIR and name in ("value", "url", "id"):
            key = element.name if name == "value" else name
            around = element.around
            keys = (*around.names, around.name) if around else ()
            resource = next((k for k in keys if k[:1].isupper()), "")
            inner = Around(keys[1:], around.texts if around else {}, resource or "X")
            return _as(value, told(key, value.text, inner))
        if self._kind == _CDA:
            if is_coded(name, value.text, element.name, siblings):
                return replace(value, read=Read.KEPT)
            known = cda_value(name, value, element.name)
            if known.form is None:
                return known
            masked = "" if "nullFlavor" in siblings else 'nullFlavor="MSK"'
            return replace(known, outer=found.span(), masked=masked)
        names = (*element.names, element.name)
        near = Around(names, siblings, question=question_of(siblings))
        return _as(value, told(name, value.text, near))

    def _text(
        self, match: re.Match[str], kind: str, element: _Element, tags: list[str]
    ) -> Value:
        span = match.span(kind)
        if kind == "cdata":
            text, origins = match[kind], range(span[0], span[1] + 1)
            value = Value(*span, text, origins, in_cdata, element.path)
        else:
            value = Value(*span, *decoded(self._raw, *span), in_text, element.path)
        coded = element.attributes.get("representation") == "B64"
        if base64_of_any_length(value.text) and (
            coded
            or told(
                element.name, value.text, Around(element.names, element.attributes)
            ).file
        ):
            return replace(value, instead="", dropped=Dropped.ENCODED)
        if element.in_prose:
            between = parting(tags) if tags else ""
            return replace(value, read=Read.PROSE, before=between)
        if self._kind == _CDA:
            sure = cda_text(element.name, element.names)
            known = Told(sure=sure)
        else:
            beside = element.around.texts if element.around else {}
            around = Around(element.names, beside, question=question_of(beside))
            if element.name in beside and around.question == value.text:
                around = around._replace(question="")
            known = told(element.name, value.text.strip(), around)
        return _as(value, known)


def _as(value: Value, known: Told) -> Value:
    if known is KEPT:
        return replace(value, read=Read.KEPT)
    long = len(value.text.strip()) > _LONGEST_FIELD or "\n" in value.text.strip()
    read = Read.PROSE if long else known.read
    return replace(value, read=read, sure=known.sure)


def _kind(match: re.Match[str]) -> str:
    kind = str(match.lastgroup)
    return "tag" if kind == "attributes" else kind


def _declaration(match: re.Match[str]) -> Iterator[Value]:
    """Yield the name of the encoding: the new file is UTF-8."""
    declared = _DECLARED.search(match.string, *match.span())
    if declared is not None:
        kind = "double" if declared["double"] else "single"
        span = declared.span(kind)
        yield Value(*span, "", None, str, "", Read.KEPT, instead="UTF-8")


def _key(name: str, start: int, path: str) -> Value:
    """Return the name of an element or attribute that may be somebody's."""
    text, _ = in_words(name)
    digits = re.sub(r"\s", "", text.lstrip("_ "))
    sure = None
    if sum(map(str.isdigit, digits)) >= _DIGITS_OF_KEY:
        sure = ("MEDICAL_RECORD", None)
    span = start, start + len(name)
    return Value(*span, text, None, _as_name, path, Read.KEY, sure=sure)


def _as_name(text: str) -> str:
    name = _NO_NAME.sub("_", text).strip("_") or "x"
    return name if name[0].isalpha() else f"_{name}"
