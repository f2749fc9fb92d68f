"""Names whose parts are findings of their own: fields of a form, cells of a row."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from presidio_mx.entities import kind_of
from presidio_mx.replace.name_letters import agree_but_for_second, curp_starts
from presidio_mx.replace.people import Mention
from presidio_mx.replace.surrogates.boxes import unboxed
from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.replace.surrogates.name_words import name_words, unglued
from presidio_mx.replace.surrogates.shape import alphanumeric, dated
from presidio_mx.text.spans import Span

_MOST_PARTS = 4
_LONGEST_GAP = 40
# Between cells: quotes, a sign that parts them, blanks; at most a label of the next.
_BETWEEN = re.compile(
    r"[\"']?\s*[,;|\t<]{0,2}\s*[\"']?"
    r"(?P<label>\s*(?:(?:1er|2do|primer|segundo|ap|apellidos?|nombres?)\.?\s*"
    r"(?:\(s\))?\s*(?:paterno|materno|de pila)?\s*:\s*)?)",
    re.IGNORECASE,
)
_CODES = ("MX_CURP", "MX_RFC")
_FOUR = 4


def joined_mentions(
    text: str, spans: Sequence[Span], mentions: Sequence[Mention]
) -> list[Mention]:
    """Return the mentions of a note, and the whole names whose parts stand apart.

    Parts make a name where the note says so: a label before the second one ("Apellidos:
    Ruiz Paz   Nombre(s): Ana"), letters with blanks, or a CURP or RFC of their letters.

    :param text: The note.
    :param spans: Its entities, in reading order.
    :param mentions: Of its names, in reading order.
    :return: Those mentions, with one role for the parts of a name, and the names.
    """
    names = [span for span in spans if kind_of(span.entity_type) == "PERSON"]
    codes = {
        dated(alphanumeric(text[span.start : span.end]))[:_FOUR]
        for span in spans
        if kind_of(span.entity_type) in _CODES
    }
    joined: list[Mention] = []
    roles_of: dict[str, str] = {}
    for first, last in _runs(text, names, codes):
        parts = mentions[first:last]
        patient = any(part.role == "patient" for part in parts)
        role = "patient" if patient else parts[0].role
        whole = " ".join(unboxed(part.text) for part in parts)
        joined.append(Mention(whole, role, parts[0].position))
        roles_of |= {part.text: role for part in parts}
    one_role = [replace(m, role=roles_of.get(m.text, m.role)) for m in mentions]
    return [*one_role, *joined]


def _runs(
    text: str, names: Sequence[Span], codes: set[str]
) -> Iterator[tuple[int, int]]:
    """Yield where the parts of a name begin and end among the names of a note."""
    at = 0
    while at < len(names):
        for end in range(min(at + _MOST_PARTS, len(names)), at + 1, -1):
            if _is_one(text, names[at:end], codes):
                yield at, end
                at = end - 1
                break
        at += 1


def _is_one(text: str, names: Sequence[Span], codes: set[str]) -> bool:
    gaps = [
        text[before.end : after.start]
        for before, after in zip(names, names[1:], strict=False)
    ]
    matches = [_BETWEEN.fullmatch(gap) for gap in gaps if len(gap) <= _LONGEST_GAP]
    if len(matches) != len(gaps) or not all(matches):
        return False
    texts = [text[span.start : span.end] for span in names]
    words = [word for part in texts for word in name_words(unglued(part))]
    if len(set(texts)) != len(texts) or len(words) < len(texts):
        return False
    if all(unboxed(part) != part for part in texts) and "\n" not in "".join(gaps):
        return True
    given = {all(map(lexicon().is_given, name_words(part))) for part in texts}
    labels = [match["label"].strip() for match in matches if match]
    if len(given) > 1 and all(labels):
        return True
    return any(_is_coded(words, code) for code in codes)


def _is_coded(words: Sequence[str], code: str) -> bool:
    """Tell whether words are of the name of a code, whose second surname may lack."""
    return any(
        four == code or (lacks and agree_but_for_second(four, code))
        for four, lacks in curp_starts(words)
    )
