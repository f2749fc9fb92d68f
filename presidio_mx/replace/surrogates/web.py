"""Surrogates of e-mails, web pages, handles and IP addresses.

Domains are those reserved for examples (RFC 2606), IP addresses those reserved for
documentation (RFC 5737 and RFC 3849).
"""

import ipaddress
import re
from collections.abc import Mapping

from presidio_mx.replace.surrogates.case import match_case
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.mailboxes import (
    example_domain,
    is_office,
    office_mail,
)
from presidio_mx.replace.surrogates.name_images import word_surrogate
from presidio_mx.replace.surrogates.nicknames import (
    is_nickname,
    is_short_for,
    nickname_of,
)
from presidio_mx.replace.surrogates.records import surrogate_record
from presidio_mx.replace.surrogates.scanned import handle_read
from presidio_mx.replace.surrogates.shape import (
    permute_code,
    plain_digits,
    strip_accents,
)
from presidio_mx.text.folding import fold_key

_NETWORKS = ("192.0.2.", "198.51.100.", "203.0.113.")
_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_PATH_TOKEN = re.compile(r"[A-Za-z]{1,6}(?:-\d+)+|[^\W\d_]+|\d+")
_SHORTEST_FOLIO = 4
_INITIALS = 2
_MOST_INITIALS = 4
_LEAST_BEGINNING = 3
_LOGIN = re.compile(r"[a-z]{4,}[0-9._-]*[a-z]*[0-9]*")
_SAID_FIRST = re.compile(
    r"(?i)(?:is|es|seria|sería|mi|my|correo|e?mail)\s+(?=\S+\s+\S)"
)
_SPELT = re.compile(r"(?i)\s{1,5}(?:arroba|\(?at\)?)\s{1,5}")
_URL = re.compile(r"(?i)^(?P<scheme>[a-z]+://)?(?P<host>[^/?#\s]+)(?P<rest>.*)$", re.S)
# What an address is for, not whose it is.
_KEPT = frozenset(
    "consultorio clinica hospital contacto citas info laboratorio dr dra".split()
)
_GENERIC = frozenset(
    "www http https html htm php com mx org net id user perfil donacion donaciones "
    "citas contacto inicio noticias quejas tramites transparencia resultados".split()
)


def _initial(letter: str, whole: str, context: Context) -> str:
    """Return the initial of the new name of whom a handle is of: "jmendoza".

    Of the names with that initial the nearest counts before the one that the handle
    holds, as the names of a person stand together.
    """
    known = context.facts.name_words
    names, key = list(known), fold_key(whole)
    held = [n for n, name in enumerate(names) if len(name) > 2 and name in key]
    same = [n for n, name in enumerate(names) if name.startswith(letter)]
    if not held or not same:
        return permute_code(letter.upper(), "letter", context).lower()
    at = max(held, key=lambda n: len(names[n]))
    same = [n for n in same if n not in held] or same
    return known[names[min(same, key=lambda n: (n > at, abs(n - at)))]][:1]


def is_login(text: str) -> bool:
    """Tell whether what was found as a name may be a user name: "mestevez", "jlopez2".

    :param text: As it stands in the document.
    """
    return _LOGIN.fullmatch(text) is not None


def _beginnings(key: str, known: Mapping[str, str]) -> str:
    """Return the beginnings of new names for those of names, or their initials.

    "maest" and "mer" of María Estévez Ruiz, "zat" of Zataráin.
    """
    names = list(known)
    for name in names:
        if len(key) >= _LEAST_BEGINNING and name.startswith(key):
            return known[name][: len(key)]
    for at, name in enumerate(names):
        behind = names[at + 1 : at + 1 + _LEAST_BEGINNING]
        for size in range(2, len(key) - 1):
            rest = key[size:]
            same = [n for n in behind if n.startswith(rest)]
            if name.startswith(key[:size]) and same:
                whole = len(known[name]) if name == key[:size] else size
                return known[name][:whole] + known[same[0]][: len(rest)]
    if _INITIALS < len(key) <= _MOST_INITIALS:
        initials = "".join(name[0] for name in names)
        at = initials.find(key)
        if at >= 0:
            return "".join(known[name][0] for name in names[at : at + len(key)])
    return ""


def _letters(word: str, whole: str, context: Context) -> str:
    """Replace a run of letters; names of the document inside it become theirs."""
    key = fold_key(word)
    known = context.facts.name_words
    if key in known:
        return match_case(word, known[key])
    called = next((n for n in known if is_nickname(key) and is_short_for(key, n)), "")
    if called:
        new = nickname_of(known[called].capitalize(), key, "", context.draw)
        return match_case(word, fold_key(new))
    begun = _beginnings(key, known)
    if begun:
        return match_case(word, begun)
    for name in sorted(known, key=len, reverse=True):
        held = len(name) > 3 or name in (key[1:], key[:-1])  # "cpuc"
        at = key.find(name) if held and (len(name) > 2 or name == key[1:]) else -1
        if at >= 0:
            head, tail = word[:at], word[at + len(name) :]
            middle = match_case(word[at : at + len(name)], known[name])
            return (
                (_letters(head, whole, context) if head else "")
                + middle
                + (_letters(tail, whole, context) if tail else "")
            )
    if len(key) <= _INITIALS and known:
        return "".join(
            match_case(c, _initial(fold_key(c), whole, context)) for c in word
        )
    return match_case(word, fold_key(word_surrogate(key, context)))


def surrogate_handle(text: str, context: Context) -> str:
    """Replace the words and numbers of a user name; its signs stay.

    :param text: E.g. ``jesus.mendoza80``.
    :param context: Key and facts.
    :return: E.g. ``ramon.quiroz31``.
    """
    text = handle_read(text, context.facts.name_words)

    def write(match: re.Match[str]) -> str:
        token = match.group()
        if fold_key(token) in _KEPT:
            return token
        if token.isdigit():
            return permute_code(plain_digits(token), "handle", context)
        return strip_accents(_letters(token, text, context)).replace(" ", "")

    return _TOKEN.sub(write, text)


def surrogate_email(text: str, context: Context) -> str:
    """Return the surrogate of an e-mail address, under a reserved domain.

    :param text: The address, also spelt out ("juan arroba gmail punto com").
    :param context: Key and facts.
    :return: Another address in the same form.
    """
    local, at, domain = text.rpartition("@")
    if at and is_office(local, domain, context):
        return office_mail(local, domain, context)
    if at:
        return f"{surrogate_handle(local, context)}@{example_domain(domain, context)}"
    match = _SPELT.search(text)
    said = _SAID_FIRST.match(text) if match else None
    if said:  # "is ana arroba gmail punto com"
        return said.group() + surrogate_email(text[said.end() :], context)
    if match:
        local = text[: match.start()]
        spelt = example_domain(text[match.end() :], context).replace(".", " punto ")
        if "punto" not in text:
            spelt = spelt.replace(" punto ", ".")
        words = re.sub(r"(?i)\bpunto\b|\bguion( bajo)?\b", lambda m: "\0", local)
        marks = re.findall(r"(?i)\bpunto\b|\bguion(?: bajo)?\b", local)
        new = surrogate_handle(words, context)
        for mark in marks:
            new = new.replace("\0", mark, 1)
        return new + match.group() + spelt
    return surrogate_handle(text, context)


def surrogate_url(text: str, context: Context) -> str:
    """Return the surrogate of a web page or a social-media handle.

    :param text: E.g. ``https://facebook.com/jesus.mendoza`` or ``@jmendoza``.
    :param context: Key and facts.
    :return: A page under a reserved domain, or another handle.
    """
    stripped = text.strip()
    if (
        stripped.startswith(("@", "/"))
        or "." not in stripped.split("/")[0]
        and ("://" not in stripped)
    ):
        return surrogate_handle(text, context)
    match = _URL.match(text)
    if not match:
        return surrogate_handle(text, context)
    host = match["host"]
    user = ""
    if "@" in host:
        user, _, host = host.rpartition("@")
        user = surrogate_handle(user, context) + "@"
    prefix = "www." if host.lower().startswith("www.") else ""
    rest = _PATH_TOKEN.sub(lambda m: _path_token(m, context), match["rest"])
    return f"{match['scheme'] or ''}{user}{prefix}{example_domain(host, context)}{rest}"


def _path_token(match: re.Match[str], context: Context) -> str:
    """Return another part of an address: codes as they are replaced elsewhere."""
    token = match.group()
    asks = match.string[match.end() : match.end() + 1] in ("=", "?")
    if token.lower() in _GENERIC or asks or (len(token) == 1 and token.isalpha()):
        return token
    if "-" in token or (token.isdigit() and len(token) > _SHORTEST_FOLIO):
        return surrogate_record(token, context)
    return surrogate_handle(token, context)


def surrogate_ip(text: str, context: Context) -> str:
    """Return an IP address of the ranges for documentation.

    :param text: An address of version 4 or 6.
    :param context: The key.
    :return: Another address of the same version.
    """
    address = text.strip()
    six = ":" in address
    try:
        address = str(ipaddress.ip_address(address))
    except ValueError:
        address = fold_key(address)
    number = context.draw.number(2**64, "ip", address)
    if six:
        groups = [f"{number >> shift & 0xFFFF:x}" for shift in (48, 32, 16, 0)]
        new = "2001:db8:" + ":".join(groups[:2]) + "::" + ":".join(groups[2:])
    else:
        new = f"{_NETWORKS[number % 3]}{1 + number // 3 % 254}"
    if new == address:
        new = new[:-1] + ("1" if new[-1] != "1" else "2")
    return text.replace(text.strip(), new) if text.strip() else text
