"""The text of a mail message."""

from collections import Counter
from email import message_from_bytes, policy
from email.message import EmailMessage, MIMEPart

from presidio_mx.errors import InputError
from presidio_mx.text.reading.encoding import Encoding
from presidio_mx.text.reading.mend import mend
from presidio_mx.text.reading.note import decode_note
from presidio_mx.work.documents.html_text import html_text
from presidio_mx.work.documents.opened import Dropped
from presidio_mx.work.documents.prose import Prose

# Headers in their Spanish names, as mail programs print them and rules know them.
_HEADERS = {
    "From": "De",
    "To": "Para",
    "Cc": "CC",
    "Date": "Fecha",
    "Subject": "Asunto",
}


def open_mail(data: bytes, name: str, encoding: Encoding | None = None) -> Prose:
    """Read a mail message: who, when, what about, and its text.

    :param data: The file.
    :param name: What to call it in errors.
    :param encoding: Encoding of a text that does not say it.
    :raises InputError: If there is no text in it.
    """
    message = message_from_bytes(data, policy=policy.default)
    assert isinstance(message, EmailMessage)
    if not any(header in message for header in _HEADERS):
        raise InputError(f"{name}: is no mail message; name it .txt if it is a text")
    lines = [
        f"{spanish}: {' '.join(str(value).split())}"
        for header, spanish in _HEADERS.items()
        for value in message.get_all(header, ())
    ]
    body = message.get_body(("plain", "html"))
    text = "" if body is None else _body_text(body, name, encoding)
    dropped = Counter({Dropped.HEADERS: 0})
    if number := sum(1 for _ in message.iter_attachments()):
        dropped[Dropped.ATTACHMENTS] = number
    whole = "\n".join([*lines, "", text.strip("\n")]) + "\n"
    return Prose(mend(whole, name).text, dropped)


def _body_text(body: MIMEPart, name: str, encoding: Encoding | None) -> str:
    data = body.get_payload(decode=True)
    assert isinstance(data, bytes)
    charset = body.get_content_charset()
    try:
        text = data.decode(charset or "utf-8")
    except (UnicodeError, LookupError):
        text = decode_note(data, name, encoding).text
    text = text.replace("\r\n", "\n")
    return html_text(text)[0] if body.get_content_subtype() == "html" else text
