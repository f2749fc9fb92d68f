"""Hide what identifies somebody from a language model, and put it back in the answer.

Each person, place or number of a conversation has one token, ``{NOMBRE_1}``, or one
surrogate; the same person has the same one in every turn. The way back is kept in
memory alone, and is gone when the block ends.
"""

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Literal, get_args

from presidio_anonymizer.entities import OperatorConfig

from presidio_mx.declarations import declared_entities
from presidio_mx.entities import tag_word
from presidio_mx.errors import ConfigurationError
from presidio_mx.find.engine import Sensitivity
from presidio_mx.find.ner.choose import Ner
from presidio_mx.find.people import PERSON, name_words
from presidio_mx.find.sensitivity import BALANCED
from presidio_mx.pipeline import People, examine
from presidio_mx.replace.keys import Key, Scope
from presidio_mx.replace.restore import Pair, Restored, StandIns, put_back
from presidio_mx.replace.restore_names import Back
from presidio_mx.replacing import replace_found
from presidio_mx.text.folding import fold_key

StandIn = Literal["token", "surrogate"]
_TAGS = {"DEFAULT": OperatorConfig("tag")}
# What may still become a token when a stream goes on, at the end of what came so far.
_BEGUN = re.compile(r"(?:[{\[<]{1,2}[^{}\[\]<>\n]{0,40}[}\]>]?|[\w\\]{1,40})\Z")
# How models translate the words of tokens.
_TRANSLATED = {
    "NAME": "NOMBRE",
    "AGE": "EDAD",
    "DATE": "FECHA",
    "CITY": "CIUDAD",
    "PLACE": "CIUDAD",
    "PHONE": "TEL",
    "ADDRESS": "DOM",
    "RECORD": "EXPEDIENTE",
    "INSTITUTION": "INSTITUCION",
    "EMAIL": "CORREO",
    "PLATE": "PLACA",
    "LICENSE": "CEDULA",
}


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
    :param stand_ins: ``token``, or ``surrogate`` for values that read like real ones.
        Models rewrite surrogates; :meth:`restore` knows them in other forms.
    :param key: Secret of surrogates; by default one that is gone with the block.
    :param scope: Where a value keeps its surrogate; by default this conversation.
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
        stand_ins: StandIn = "token",
        key: Key | str | bytes | None = None,
        scope: Scope | str = "",
    ) -> None:
        """Hide the first text."""
        if stand_ins not in get_args(StandIn):
            raise ConfigurationError("stand_ins takes token or surrogate")
        self._surrogates = stand_ins == "surrogate"
        self._key = Key(secrets.token_bytes(32)) if key is None else Key.from_value(key)
        self._scope = scope or Scope("document", secrets.token_hex(8))
        self._how: dict[str, Any] = {"people": people, "preset": preset, "site": site}
        self._finds: dict[str, Any] = {"ner": ner, "sensitivity": sensitivity}
        self._known = {kind: _listed(values) for kind, values in (known or {}).items()}
        self._originals: dict[str, str] = {}
        self._tokens: dict[tuple[str, str], str] = {}
        self._people: list[tuple[frozenset[str], str]] = []
        self._taken: set[str] = set()
        self._pairs: dict[Pair, None] = {}
        self._index()
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
        self._pairs.clear()
        self._index()

    def hide(self, text: str) -> str:
        """Return a further text of the conversation, with what stands for originals.

        Who was named before is known: a surname alone has the token of the person.

        :param text: The text.
        """
        names = [self._originals[token] for _, token in self._people]
        names += [pair.original for pair in self._pairs if pair.entity == PERSON]
        known = {**self._known, "others": [*self._known.get("others", ()), *names]}
        found = examine(text, known=known, **self._how, **self._finds).results
        replaced: dict[str, Any] = {"operators": _TAGS}
        if self._surrogates:
            replaced = {
                "operators": "surrogate",
                "key": self._key,
                "scope": self._scope,
            }
        done = replace_found(text, found, known=self._known, **replaced, **self._how)
        self._taken |= {_name(match) for match in _token().finditer(text)}
        parts, at = [], 0
        for item in done.items:
            pair = Pair(
                item.entity_type,
                text[item.start : item.end],
                done.text[item.new_start : item.new_end],
            )
            parts += [text[at : item.start], self._stand_in(pair, item.operator)]
            at = item.end
        self._index()
        return "".join([*parts, text[at:]])

    def restore(self, answer: str) -> Restored:
        """Put the originals back into an answer.

        Tokens are known again in other brackets, in small letters, with a blank or a
        hyphen, without brackets; ordinary words never are. Surrogates are known again
        shortened, reordered, in initials, capitals or without accents, dates in other
        formats, in Spanish or English.

        :param answer: What the language model answered.
        """
        return put_back(answer, self._places)

    def stream(self, pieces: Iterable[str]) -> Iterator[str]:
        """Yield an answer that comes in pieces, with the originals put back.

        :param pieces: The pieces, cut anywhere.
        """
        answer = Incoming(self)
        for piece in pieces:
            if ready := answer.add(piece):
                yield ready
        if rest := answer.end():
            yield rest

    def ready(self, waiting: str) -> int:
        """Return how much of a stream nothing that follows can change.

        :param waiting: What came and was not put out.
        """
        if self._pairs:
            return waiting.rfind("\n") + 1
        begun = _BEGUN.search(waiting)
        return begun.start() if begun else len(waiting)

    def _index(self) -> None:
        """Look for stand-ins in answers and, in further texts, for their originals."""
        turned = (Pair(p.entity, p.shown, p.original) for p in self._pairs)
        self._shown = StandIns(tuple(self._pairs))
        self._named = StandIns(tuple(turned))

    def _places(self, line: str) -> list[Back]:
        tokens = [
            Back(match.start(), match.end(), self._originals.get(_name(match)))
            for match in _token().finditer(line)
        ]
        if not self._pairs:
            return tokens
        others = [
            back
            for back in self._shown.places(line)
            if all(back.end <= t.start or t.end <= back.start for t in tokens)
        ]
        return sorted([*tokens, *others], key=lambda back: back.start)

    def _stand_in(self, pair: Pair, operator: str) -> str:
        """Return what stands for an original: its surrogate, or else its token."""
        if operator != "surrogate" or pair.shown.startswith("{"):
            return self._token_of(pair.entity, pair.original)
        before = put_back(pair.original, self._named.places)
        if before.restored and self.restore(before.text).text == pair.original:
            return before.text
        key, original = fold_key(pair.shown), fold_key(pair.original)
        for other in self._pairs:
            shared = (
                fold_key(other.shown) == key and fold_key(other.original) != original
            )
            if shared or fold_key(other.original) == key:
                return self._token_of(pair.entity, pair.original)
        if key != original:
            self._pairs[pair] = None
        return pair.shown

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


class Incoming:
    """An answer that comes in pieces, cut anywhere.

    :param chat: The conversation.
    """

    def __init__(self, chat: Hidden) -> None:
        """Begin."""
        self._chat = chat
        self._waiting = ""

    def add(self, piece: str) -> str:
        """Return what can be put out after one more piece.

        :param piece: The piece.
        """
        self._waiting += piece
        ready = self._chat.ready(self._waiting)
        done, self._waiting = self._waiting[:ready], self._waiting[ready:]
        return self._chat.restore(done).text

    def end(self) -> str:
        """Return the rest, when nothing follows."""
        done, self._waiting = self._waiting, ""
        return self._chat.restore(done).text


hidden = Hidden
"""Hides a text, for a ``with`` block: ``with presidio_mx.hidden(note) as chat``."""


def _listed(values: Any) -> list[str]:
    return [values] if isinstance(values, str) else list(values)


@cache
def _token() -> re.Pattern[str]:
    """Return the pattern of tokens, as models write them."""
    word = "|".join(sorted(map(re.escape, _words()), key=len, reverse=True))
    return re.compile(
        rf"[{{\[<]{{1,2}}\s?(?P<word>{word})\s?\\?[_ -]?\s?(?P<number>\d{{1,4}})"
        rf"\s?[}}\]>]{{1,2}}|(?<!\w)(?P<bare>{word})\\?_(?P<count>\d{{1,4}})(?!\w)",
        re.IGNORECASE,
    )


@cache
def _words() -> Mapping[str, str]:
    """Return the words that a token may have, and the one that ours has."""
    entities = declared_entities()
    ours = {tag_word(entity): tag_word(entity) for entity in entities}
    return {**_TRANSLATED, **{name: tag_word(name) for name in entities}, **ours}


def _name(match: re.Match[str]) -> str:
    word, number = match["word"] or match["bare"], match["number"] or match["count"]
    return f"{_words()[word.upper()]}_{int(number)}"
