"""Hide what identifies somebody from a language model, and put it back in the answer.

Each person, place or number of a conversation has one token, ``{NOMBRE_1}``; the same
person has the same token in every turn. The way back is kept in memory alone, and is
gone when the block ends.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from presidio_anonymizer.entities import OperatorConfig

from presidio_mx.declarations import declared_entities
from presidio_mx.entities import tag_word
from presidio_mx.find.decide import BALANCED
from presidio_mx.find.engine import Ner, Sensitivity
from presidio_mx.find.people import PERSON, name_words
from presidio_mx.pipeline import People, examine
from presidio_mx.replacing import replace_found
from presidio_mx.text.folding import fold_key

_TAGS = {"DEFAULT": OperatorConfig("tag")}
# What may still become a token when a stream goes on, at the end of what came so far.
_BEGUN = re.compile(r"(?:[{\[<]{1,2}[^{}\[\]<>\n]{0,40}[}\]>]?|[\w\\]{1,40})\Z")


@dataclass(frozen=True, slots=True)
class Restored:
    """An answer with the originals in the place of tokens.

    :param text: The answer.
    :param restored: How many tokens were put back.
    :param unknown: Tokens in it that stand for nothing that was hidden.
    """

    text: str
    restored: int
    unknown: tuple[str, ...] = ()


class Hidden:
    """The texts of a conversation without what identifies somebody, and the way back.

    :param text: The first text; see :func:`presidio_mx.pipeline.examine` for all that
        follows.
    :param people: Whose names are hidden.
    :param preset: Name of the rule set.
    :param ner: Which model runs beside the rules.
    :param site: Folder with a site's own lists and rules.
    :param known: The patient's own data.
    :param sensitivity: From which probability on spans are hidden.
    :raises InputError: If the text is no text.
    :raises ConfigurationError: If an argument is wrong.
    """

    text: str
    """The first text, with tokens."""

    def __init__(
        self,
        text: str,
        *,
        people: People = "everyone",
        preset: str = "mx",
        ner: Ner = "auto",
        site: Path | str | None = None,
        known: Mapping[str, Any] | None = None,
        sensitivity: Sensitivity = BALANCED,
    ) -> None:
        """Hide the first text."""
        self._how: dict[str, Any] = {"people": people, "preset": preset, "site": site}
        self._finds: dict[str, Any] = {"ner": ner, "sensitivity": sensitivity}
        self._known = {kind: _listed(values) for kind, values in (known or {}).items()}
        self._originals: dict[str, str] = {}
        self._tokens: dict[tuple[str, str], str] = {}
        self._people: list[tuple[frozenset[str], str]] = []
        self._taken: set[str] = set()
        self.text = self.hide(text)

    def __enter__(self) -> "Hidden":
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Forget the way back."""
        self._originals.clear()
        self._tokens.clear()
        self._people.clear()
        self._known.clear()

    def hide(self, text: str) -> str:
        """Return a further text of the conversation, with tokens.

        Who was named before is known: a surname alone has the token of the person.

        :param text: The text.
        """
        names = [self._originals[token] for _, token in self._people]
        known = {**self._known, "others": [*self._known.get("others", ()), *names]}
        found = examine(text, known=known, **self._how, **self._finds).results
        done = replace_found(text, found, _TAGS, known=self._known, **self._how)
        self._taken |= {_name(match) for match in _token().finditer(text)}
        parts, at = [], 0
        for item in done.items:
            original = text[item.start : item.end]
            parts += [text[at : item.start], self._token_of(item.entity_type, original)]
            at = item.end
        return "".join([*parts, text[at:]])

    def restore(self, answer: str) -> Restored:
        """Put the originals back into an answer.

        Tokens are known again in other brackets, in small letters, with a blank or a
        hyphen, without brackets; ordinary words never are.

        :param answer: What the language model answered.
        """
        unknown: dict[str, None] = {}
        restored = 0

        def back(match: re.Match[str]) -> str:
            nonlocal restored
            original = self._originals.get(_name(match))
            if original is None:
                unknown[match[0]] = None
                return match[0]
            restored += 1
            return original

        text = _token().sub(back, answer)
        return Restored(text, restored, tuple(unknown))

    def stream(self, pieces: Iterable[str]) -> Iterator[str]:
        """Yield an answer that comes in pieces, with the originals put back.

        :param pieces: The pieces, cut anywhere.
        """
        waiting = ""
        for piece in pieces:
            waiting += piece
            begun = _BEGUN.search(waiting)
            ready = begun.start() if begun else len(waiting)
            if ready:
                yield self.restore(waiting[:ready]).text
                waiting = waiting[ready:]
        if waiting:
            yield self.restore(waiting).text

    def _token_of(self, entity: str, original: str) -> str:
        word, key = tag_word(entity), fold_key(original)
        name = self._tokens.get((word, key))
        if name is None:
            words = name_words(original) if entity == PERSON else frozenset()
            same = (token for known, token in self._people if words and words <= known)
            name = next(same, None) or self._new(word, original)
            self._tokens[word, key] = name
            if entity == PERSON and words and self._originals[name] == original:
                self._people.append((words, name))
        return f"{{{name}}}"

    def _new(self, word: str, original: str) -> str:
        used = self._originals.keys() | self._taken
        names = (f"{word}_{number}" for number in count(1))
        name = next(name for name in names if name not in used)
        self._originals[name] = original
        return name


hidden = Hidden
"""Hides a text, for a ``with`` block: ``with presidio_mx.hidden(note) as chat``."""


def _listed(values: Any) -> list[str]:
    return [values] if isinstance(values, str) else list(values)


@cache
def _token() -> re.Pattern[str]:
    """Return the pattern of tokens, as models write them."""
    entities = declared_entities()
    names = {tag_word(entity) for entity in entities} | entities.keys()
    word = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.compile(
        rf"[{{\[<]{{1,2}}\s?(?P<word>{word})\s?\\?[_ -]?\s?(?P<number>\d{{1,4}})"
        rf"\s?[}}\]>]{{1,2}}|(?<!\w)(?P<bare>{word})\\?_(?P<count>\d{{1,4}})(?!\w)",
        re.IGNORECASE,
    )


def _name(match: re.Match[str]) -> str:
    word, number = match["word"] or match["bare"], match["number"] or match["count"]
    return f"{word.upper()}_{int(number)}"
