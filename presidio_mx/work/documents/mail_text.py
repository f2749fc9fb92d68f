"""The text of a mail message: of its body and of everything that hangs on it."""

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import Message
from mimetypes import guess_extension
from pathlib import PurePath
from typing import Any

from presidio_mx.errors import InputError, MissingExtraError
from presidio_mx.text.reading.encoding import Encoding
from presidio_mx.text.reading.mend import mend
from presidio_mx.text.reading.note import decode_note
from presidio_mx.work.documents.endings import KINDS, REFUSED
from presidio_mx.work.documents.html_text import html_text
from presidio_mx.work.documents.opened import Dropped, LeftOut
from presidio_mx.work.documents.prose import Prose

# Headers in their Spanish names, as mail programs print them and rules know them.
_HEADERS = {
    "From": "De",
    "Sender": "Remitente",
    "Reply-To": "Responder a",
    "To": "Para",
    "Cc": "CC",
    "Bcc": "CCO",
    "Date": "Fecha",
    "Subject": "Asunto",
    "Comments": "Comentarios",
    "Keywords": "Palabras clave",
}
# Headers that say nothing but how the message is made.
_FORM = re.compile(r"(?i)mime-version|content-(?:type|transfer-encoding|language)")
_WORD = re.compile(r"\w{3,}")
_DEEPEST = 8
# Times of calendars and cards: "DTSTART:20240305T100000Z", "BDAY:19800203".
_STAMP = re.compile(
    r"(?m)^([A-Z][A-Z-]*[^:\n]*:)(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d)?(?=Z?\s*$)"
)
_STAMPED = frozenset({"text/calendar", "text/vcard", "text/x-vcard"})
_ATTACHED = "Adjunto:"


def open_mail(data: bytes, name: str, encoding: Encoding | None = None) -> Prose:
    """Read a mail message: who, when, what about, and all its texts.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Encoding of a text that does not say it.
    :raises InputError: If there is no text in it.
    """
    message = message_from_bytes(data, policy=policy.default)
    if not any(header in message for header in _HEADERS):
        raise InputError(f"{name}: is no mail message; name it .txt if it is a text")
    reader = _Reader(name, encoding)
    texts = list(reader.message(message, 0))
    whole = "\n\n".join(text.strip("\n") for text in texts if text.strip()) + "\n"
    return Prose(mend(whole, name).text, reader.left_out)


class _Reader:
    """Read the parts of a message; what cannot be read is counted.

    :param name: What to call the file in errors.
    :param encoding: Encoding of a text that does not say it.
    """

    def __init__(self, name: str, encoding: Encoding | None) -> None:
        self.left_out = LeftOut()
        self._name = name
        self._encoding = encoding

    def message(self, message: "Message[Any, Any]", depth: int) -> Iterator[str]:
        """Yield the headers of a message and the texts of its parts."""
        lines = []
        for header, value in _headers_of(message):
            spanish = _HEADERS.get(header.title())
            if spanish is not None:
                lines.append(f"{spanish}: {' '.join(value.split())}")
            elif not _FORM.fullmatch(header):
                self.left_out.add(Dropped.HEADERS, "", value)
        yield "\n".join(lines)
        yield from self.part(message, depth)

    def part(self, part: "Message[Any, Any]", depth: int) -> Iterator[str]:
        """Yield the texts of a part."""
        kind = part.get_content_type()
        if depth > _DEEPEST:
            self.left_out.add(Dropped.UNREAD, kind)
        elif kind == "multipart/alternative" and part.is_multipart():
            yield from self._alternatives(part, depth)
        elif kind.startswith("message/") and part.is_multipart():
            for inner in part.get_payload():
                if isinstance(inner, Message):
                    yield from self.message(inner, depth + 1)
        elif part.is_multipart():
            for inner in part.get_payload():
                if isinstance(inner, Message):
                    yield from self.part(inner, depth + 1)
        else:
            yield from self._leaf(part, kind)
        for text, place in ((part.preamble, "preamble"), (part.epilogue, "epilogue")):
            if text and any(map(str.isalnum, text)):
                self.left_out.add(Dropped.UNKNOWN, place, text)

    def _alternatives(self, part: "Message[Any, Any]", depth: int) -> Iterator[str]:
        """Yield the plain form, and of the others those that say more."""
        forms = [form for form in part.get_payload() if isinstance(form, Message)]
        forms.sort(key=lambda form: form.get_content_type() != "text/plain")
        seen: set[str] = set()
        for form in forms:
            text = "\n\n".join(self.part(form, depth + 1))
            words = set(_WORD.findall(text.lower()))
            if not words <= seen:
                yield text
            seen |= words

    def _leaf(self, part: "Message[Any, Any]", kind: str) -> Iterator[str]:
        data = part.get_payload(decode=True)
        if not isinstance(data, bytes) or not data.strip():
            return
        suffix = _suffix_of(part, kind)
        if kind == "text/html" or suffix in (".html", ".htm"):
            text, left_out = html_text(self._decoded(part, data))
            self.left_out.with_all(left_out)
            yield text
        elif suffix in KINDS or suffix in REFUSED:
            yield from self._attachment(data, suffix, kind)
        else:
            try:
                text = self._decoded(part, data)
            except InputError:
                self.left_out.add(Dropped.ATTACHMENTS, kind)
            else:
                if kind in _STAMPED:
                    text = _STAMP.sub(_spelt, text)
                yield f"{_ATTACHED}\n{text}" if part.is_attachment() else text  # type: ignore[attr-defined]

    def _attachment(self, data: bytes, suffix: str, kind: str) -> Iterator[str]:
        """Yield the text of a file of another kind."""
        from presidio_mx.work.documents.read import open_data

        try:
            opened = open_data(data, suffix, self._name)
        except (InputError, MissingExtraError):
            self.left_out.add(Dropped.ATTACHMENTS, kind)
            return
        self.left_out.with_all(opened.left_out)
        yield "\n\n".join([_ATTACHED, *(part.text for part in opened.parts)])

    def _decoded(self, part: "Message[Any, Any]", data: bytes) -> str:
        charset = part.get_content_charset()
        try:
            text = data.decode(charset or "utf-8")
            if "\x00" in text:
                raise UnicodeError
        except (UnicodeError, LookupError):
            text = decode_note(data, self._name, self._encoding).text
        return text.replace("\r\n", "\n")


def _spelt(stamp: re.Match[str]) -> str:
    """Return a time as people write it, which rules and models know."""
    key, *day, hour, minute = stamp.groups()
    return f"{key} {'-'.join(day)}" + (f" {hour}:{minute}" if hour else "")


def _headers_of(message: "Message[Any, Any]") -> Iterator[tuple[str, str]]:
    """Yield names and values; one that is broken is read as it stands."""
    for header, raw in message.raw_items():
        try:
            value = str(message.policy.header_fetch_parse(header, raw))
        except (ValueError, AttributeError, IndexError, TypeError):
            value = str(raw)
        yield header, value


def _suffix_of(part: "Message[Any, Any]", kind: str) -> str:
    """Return the ending that a part would have as a file."""
    named = PurePath(str(part.get_filename() or "")).suffix.lower()
    if named in KINDS or named in REFUSED:
        return named
    if kind in ("text/rtf", "application/rtf", "application/x-rtf"):
        return ".rtf"
    if kind.startswith("text/") or kind == "application/octet-stream":
        return ""
    return guess_extension(kind) or ""
