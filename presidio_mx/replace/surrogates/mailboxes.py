"""Mailboxes of offices: an authority's mail becomes nobody's own."""

import re
from collections.abc import Mapping

from presidio_mx.replace.surrogates.case import match_case
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.replace.surrogates.shape import permute_code, plain_digits
from presidio_mx.spanish.words import listed, words
from presidio_mx.text.folding import fold_key

# Whose addresses are people's; of other domains an address may be an office's.
_PROVIDERS = words("mail_provider")
_OFFICES, _OFFICE_WORDS = listed("mailbox_neutral"), words("mailbox_word")
# By what the domain says: an authority's, one of health, a firm's.
_HEALTH = re.compile(r"salud|hosp|clini|med|lab|imss|isss?te|insti")
_INSTITUTIONAL = re.compile(r"\b(?:gob|edu|org|salud|imss|issste)|gob\.mx$")
_DOMAINS = ("example.com", "example.org", "example.net")
_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_INITIALS = 2
_LEAST_BEGINNING = 3


def example_domain(domain: str, context: Context) -> str:
    """Return the reserved domain that a domain becomes.

    :param domain: As it stands in the document.
    :param context: The key.
    """
    return _DOMAINS[context.draw.number(len(_DOMAINS), "domain", fold_key(domain))]


def is_office(local: str, domain: str, context: Context) -> bool:
    """Tell whether an address is of an office: no name in it, and words that say so.

    Of the domain of an authority a word that is nobody's name is enough.

    :param local: What stands before the @.
    :param domain: What stands behind it.
    :param context: Key and facts.
    """
    tokens = [fold_key(token) for token in _TOKEN.findall(local) if token.isalpha()]
    host = fold_key(domain)
    if not tokens or host.partition(".")[0] in _PROVIDERS:
        return False
    known = context.facts.name_words
    if any(len(n) > _INITIALS and n in token for n in known for token in tokens):
        return False
    said = any(token in _OFFICE_WORDS for token in tokens)
    names = lexicon().words
    if not said and any(token in names for token in tokens):
        return False
    institutional = _INSTITUTIONAL.search(host) is not None
    return said or (institutional and not any(_named(t, known) for t in tokens))


def _named(token: str, known: Mapping[str, str]) -> bool:
    """Tell whether a token holds a name or its beginning: "jmendoza", "jmendo"."""
    names = lexicon().words
    parts = (token[1:], token[2:], token[:-1], token[:-2])
    if any(len(part) > _LEAST_BEGINNING + 1 and part in names for part in parts):
        return True
    return any(n[:_LEAST_BEGINNING] in token for n in known if len(n) > _INITIALS)


def _office_domain(domain: str, context: Context) -> str:
    host = fold_key(domain)
    kind = "salud" if _HEALTH.search(host) else "empresa"
    kind = "oficina" if kind == "empresa" and "gob" in host else kind
    return f"{kind}.{example_domain(domain, context)}"


def _mailbox(local: str, context: Context) -> str:
    """Return another mailbox of an office: what it is for stays, whose it is goes."""
    drawn: list[str] = []

    def write(match: re.Match[str]) -> str:
        token, key = match.group(), fold_key(match.group())
        if token.isdigit():
            return permute_code(plain_digits(token), "handle", context)
        if key in _OFFICE_WORDS:
            return token
        if drawn:  # "cijzac" beside another: one word is enough
            return permute_code("00", key, context)
        number = context.draw.number(len(_OFFICES), "mailbox", key)
        drawn.append(_OFFICES[number])
        return match_case(token, drawn[0])

    return _TOKEN.sub(write, local)


def office_mail(local: str, domain: str, context: Context) -> str:
    """Return the surrogate of the address of an office.

    :param local: What stands before the @.
    :param domain: What stands behind it.
    :param context: Key and facts.
    """
    return f"{_mailbox(local, context)}@{_office_domain(domain, context)}"
