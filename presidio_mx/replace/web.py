"""Surrogates of e-mails, web pages, handles and IP addresses.

Domains are those reserved for examples (RFC 2606), IP addresses those reserved for
documentation (RFC 5737 and RFC 3849). An office's mail becomes another office's.
"""

import ipaddress
import re
from collections.abc import Mapping

from presidio_mx.replace.context import Context
from presidio_mx.replace.names import Bearer, Names, nickname_of
from presidio_mx.replace.records import surrogate_record
from presidio_mx.replace.shapes import permute_code
from presidio_mx.spanish.name_likeness import is_short_for
from presidio_mx.spanish.name_lists import name_lists
from presidio_mx.spanish.scans import letters_read
from presidio_mx.spanish.words import listed, words
from presidio_mx.spanish.writing import match_case, plain_digits, strip_accents
from presidio_mx.text.folding import fold_key

_NETWORKS = ("192.0.2.", "198.51.100.", "203.0.113.")
_DOMAINS = ("example.com", "example.org", "example.net")
_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_PATH_TOKEN = re.compile(r"[A-Za-z]{1,6}(?:-\d+)+|[^\W\d_]+|\d+")
_SHORTEST_FOLIO, _INITIALS, _MOST_INITIALS, _LEAST_BEGINNING = 4, 2, 4, 3
_SAID_FIRST = re.compile(
    r"(?i)(?:is|es|seria|sería|mi|my|correo|e?mail)\s+(?=\S+\s+\S)"
)
_SPELT = re.compile(r"(?i)\s{1,5}(?:arroba|\(?at\)?)\s{1,5}")
_SPOKEN_MARK = re.compile(r"(?i)\bpunto\b|\bguion(?: bajo)?\b")
_URL = re.compile(r"(?i)^(?P<scheme>[a-z]+://)?(?P<host>[^/?#\s]+)(?P<rest>.*)$", re.S)
# What an address is for, not whose it is.
_KEPT = frozenset(
    "consultorio clinica hospital contacto citas info laboratorio dr dra".split()
)
_GENERIC = frozenset(
    "www http https html htm php com mx org net id user perfil donacion donaciones "
    "citas contacto inicio noticias quejas tramites transparencia resultados".split()
)
# Whose addresses are people's; of other domains an address may be an office's.
_PROVIDERS = words("mail_provider")
_OFFICES, _OFFICE_WORDS = listed("mailbox_neutral"), words("mailbox_word")
_HEALTH = re.compile(r"salud|hosp|clini|med|lab|imss|isss?te|insti")
_INSTITUTIONAL = re.compile(r"\b(?:gob|edu|org|salud|imss|issste)|gob\.mx$")


def surrogate_email(text: str, context: Context) -> str:
    """Return the surrogate of an e-mail address, under a reserved domain.

    :param text: The address, also spelt out ("juan arroba gmail punto com").
    :param context: Key, what the note says.
    :return: Another address in the same form.
    """
    local, at, domain = text.rpartition("@")
    if at and _is_office(local, domain, context):
        return f"{_mailbox(local, context)}@{_office_domain(domain, context)}"
    if at:
        return f"{surrogate_handle(local, context)}@{_domain(domain, context)}"
    match = _SPELT.search(text)
    if match is None:
        return surrogate_handle(text, context)
    said = _SAID_FIRST.match(text)
    if said:  # "is ana arroba gmail punto com"
        return said.group() + surrogate_email(text[said.end() :], context)
    local = text[: match.start()]
    spelt = _domain(text[match.end() :], context)
    if "punto" in text:
        spelt = spelt.replace(".", " punto ")
    marks = _SPOKEN_MARK.findall(local)
    new = surrogate_handle(_SPOKEN_MARK.sub("\0", local), context)
    for mark in marks:
        new = new.replace("\0", mark, 1)
    return new + match.group() + spelt


def surrogate_url(text: str, context: Context) -> str:
    """Return the surrogate of a web page or a social-media handle.

    :param text: E.g. ``https://facebook.com/jesus.mendoza`` or ``@jmendoza``.
    :param context: Key, what the note says.
    :return: A page under a reserved domain, or another handle.
    """
    stripped = text.strip()
    bare = "." not in stripped.split("/")[0] and "://" not in stripped
    match = None if stripped.startswith(("@", "/")) or bare else _URL.match(text)
    if not match:
        return surrogate_handle(text, context)
    user, at, host = match["host"].rpartition("@")
    user = surrogate_handle(user, context) + at if at else ""
    prefix = "www." if host.lower().startswith("www.") else ""
    rest = _PATH_TOKEN.sub(lambda m: _path_token(m, context), match["rest"])
    return f"{match['scheme'] or ''}{user}{prefix}{_domain(host, context)}{rest}"


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
    if not address:
        return text
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
    return text.replace(text.strip(), new)


def surrogate_handle(text: str, context: Context) -> str:
    """Replace the words and numbers of a user name; its signs stay.

    :param text: E.g. ``jesus.mendoza80``.
    :param context: Key, what the note says.
    :return: E.g. ``ramon.quiroz31``.
    """
    text = letters_read(text, context.note.words.__contains__)

    def write(match: re.Match[str]) -> str:
        token = match.group()
        if fold_key(token) in _KEPT:
            return token
        if token.isdigit():
            return permute_code(plain_digits(token), "handle", context.draw)
        return strip_accents(_letters(token, text, context)).replace(" ", "")

    return _TOKEN.sub(write, text)


def _letters(word: str, whole: str, context: Context) -> str:
    """Replace a run of letters; names of the note inside it become theirs."""
    key, known = fold_key(word), context.note.words
    if key in known:
        return match_case(word, known[key])
    nickname = name_lists().is_nickname(key)
    called = next((n for n in known if nickname and is_short_for(key, n)), "")
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
            ends = (
                _letters(end, whole, context) if end else "" for end in (head, tail)
            )
            return middle.join(ends)
    begun = _of_two(key, known)
    if begun:
        return match_case(word, begun)
    if len(key) <= _INITIALS and known:
        return "".join(
            match_case(c, _initial(fold_key(c), whole, context)) for c in word
        )
    role = "given" if name_lists().lean(key) > 0 else "surname"
    return match_case(word, fold_key(Names(context).word(key, role, Bearer()).text))


def _initial(letter: str, whole: str, context: Context) -> str:
    """Return the initial of the new name of whom a handle is of: "jmendoza".

    Of the names with that initial the nearest counts before the one that the handle
    holds, as the names of a person stand together.
    """
    known = context.note.words
    names, key = list(known), fold_key(whole)
    held = [n for n, name in enumerate(names) if len(name) > 2 and name in key]
    same = [n for n, name in enumerate(names) if name.startswith(letter)]
    if not held or not same:
        return permute_code(letter.upper(), "letter", context.draw).lower()
    at = max(held, key=lambda n: len(names[n]))
    same = [n for n in same if n not in held] or same
    return known[names[min(same, key=lambda n: (n > at, abs(n - at)))]][:1]


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
        at = "".join(name[0] for name in names).find(key)
        if at >= 0:
            return "".join(known[name][0] for name in names[at : at + len(key)])
    return ""


def _of_two(key: str, known: Mapping[str, str]) -> str:
    """Return the two letters that a new name begins with: "ix" of Ixtlapale.

    Two letters that are the initials of neighbours are of both.
    """
    names = list(known)
    if len(key) != _INITIALS or key in "".join(name[0] for name in names):
        return ""
    return next((known[n][:_INITIALS] for n in names if n.startswith(key)), "")


def _domain(domain: str, context: Context) -> str:
    """Return the reserved domain that a domain becomes."""
    return _DOMAINS[context.draw.number(len(_DOMAINS), "domain", fold_key(domain))]


def _is_office(local: str, domain: str, context: Context) -> bool:
    """Tell whether an address is of an office: no name in it, and words that say so.

    Of the domain of an authority a word that is nobody's name is enough.
    """
    tokens = [fold_key(token) for token in _TOKEN.findall(local) if token.isalpha()]
    host = fold_key(domain)
    if not tokens or host.partition(".")[0] in _PROVIDERS:
        return False
    known = context.note.words
    if any(len(n) > _INITIALS and n in token for n in known for token in tokens):
        return False
    office = any(token in _OFFICE_WORDS for token in tokens)
    if not office and any(map(name_lists().knows, tokens)):
        return False
    institutional = _INSTITUTIONAL.search(host) is not None
    return office or (institutional and not any(_holds_name(t, known) for t in tokens))


def _holds_name(token: str, known: Mapping[str, str]) -> bool:
    """Tell whether a token holds a name or its beginning: "jmendoza", "jmendo"."""
    parts = (token[1:], token[2:], token[:-1], token[:-2])
    if any(len(p) > _LEAST_BEGINNING + 1 and name_lists().knows(p) for p in parts):
        return True
    return any(n[:_LEAST_BEGINNING] in token for n in known if len(n) > _INITIALS)


def _office_domain(domain: str, context: Context) -> str:
    host = fold_key(domain)
    kind = (
        "salud" if _HEALTH.search(host) else "oficina" if "gob" in host else "empresa"
    )
    return f"{kind}.{_domain(domain, context)}"


def _mailbox(local: str, context: Context) -> str:
    """Return another mailbox of an office: what it is for stays, whose it is goes."""
    drawn: list[str] = []

    def write(match: re.Match[str]) -> str:
        token, key = match.group(), fold_key(match.group())
        if token.isdigit():
            return permute_code(plain_digits(token), "handle", context.draw)
        if key in _OFFICE_WORDS:
            return token
        if drawn:  # "cijzac" beside another: one word is enough
            return permute_code("00", key, context.draw)
        drawn.append(_OFFICES[context.draw.number(len(_OFFICES), "mailbox", key)])
        return match_case(token, drawn[0])

    return _TOKEN.sub(write, local)
