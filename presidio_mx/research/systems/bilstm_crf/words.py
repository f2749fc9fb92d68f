"""From words to the numbers a BiLSTM-CRF reads, and from its numbers to spans.

This module imports torch: import it inside functions.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import spacy
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from presidio_mx.errors import ConfigurationError
from presidio_mx.research.systems.bilstm_crf.net import PAD, UNKNOWN, BiLstmCrf
from presidio_mx.research.systems.bio import OUTSIDE, runs, spans_of
from presidio_mx.text.spans import Span
from presidio_mx.text.tokens import Piece

_SPECIAL = 2
_LONGEST_WORD = 30
_BATCH = 32
_FILE = ("words", "characters", "as_written")
# Words in one run: a few sentences.
RUN = 100
# How notes are cut: our own words, some lines to a run; or spaCy's tokens, a sentence
# of spaCy's to a run, as VSP did.
LINES, SPACY = "lines", "spacy"
Cut = Callable[[str], list[list[Piece]]]


def cutter(name: str) -> Cut:
    """Return what cuts a note into runs of words.

    :param name: ``lines`` or ``spacy``.
    :raises ConfigurationError: If there is no such way.
    """
    if name == LINES:
        return lambda text: runs(text, RUN)
    if name == SPACY:
        return spacy_sentences
    raise ConfigurationError(f"unknown way {name!r} to cut notes; {LINES} or {SPACY}")


def spacy_sentences(text: str) -> list[list[Piece]]:
    """Cut a note into spaCy's sentences and tokens.

    Which model VSP used is not said; this is spaCy's Spanish tokenizer with its
    rule-based sentences, which abbreviations such as ``Dr.`` break as they broke his.

    :param text: A note.
    :return: Start and end of the tokens of each sentence, white space left out.
    """
    found = [
        [(t.idx, t.idx + len(t)) for t in sentence if not t.is_space]
        for sentence in _spanish()(text).sents
    ]
    return [sentence for sentence in found if sentence]


@cache
def _spanish() -> Any:
    language = spacy.blank("es")
    language.add_pipe("sentencizer")
    # Nothing here takes memory in proportion to a power of the length.
    language.max_length = 10**9
    return language


@dataclass(frozen=True)
class Vocabulary:
    """The words and characters a network knows; 0 is padding, 1 what is unknown.

    :param words: Words as :meth:`key` gives them.
    :param characters: Single characters.
    :param as_written: Whether words keep their capitals and figures.
    """

    words: tuple[str, ...]
    characters: tuple[str, ...]
    as_written: bool = False
    word_index: dict[str, int] = field(init=False, repr=False, compare=False)
    character_index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Give each a number."""
        object.__setattr__(self, "word_index", _numbered(self.words))
        object.__setattr__(self, "character_index", _numbered(self.characters))

    def key(self, word: str) -> str:
        """Return how a word stands in the vocabulary.

        :param word: A word of a note.
        """
        return word if self.as_written else word_key(word)


def _numbered(entries: Sequence[str]) -> dict[str, int]:
    return {entry: number for number, entry in enumerate(entries, start=_SPECIAL)}


def word_key(word: str) -> str:
    """Return how a word stands in the vocabulary: small letters, figures as ``0``.

    :param word: A word of a note.
    """
    return "".join("0" if c.isdigit() else c for c in word.lower())


def make_vocabulary(
    words: Iterable[str], further: Iterable[str], as_written: bool = False
) -> Vocabulary:
    """Return the vocabulary of training notes.

    Words that occur once are left out: they teach the network what to do with unknown
    ones, and the names of single patients stay out of the file.

    :param words: All words of the notes.
    :param further: Words that have vectors already.
    :param as_written: Whether words keep their capitals and figures.
    """
    every = list(words)
    counts = Counter(every if as_written else map(word_key, every))
    known = {word for word, count in counts.items() if count > 1} | set(further)
    letters = Counter(c for word in every for c in word)
    characters = (c for c, count in letters.items() if count > 1)
    return Vocabulary(tuple(sorted(known)), tuple(sorted(characters)), as_written)


def write_vocabulary(path: Path, vocabulary: Vocabulary) -> None:
    """Write a vocabulary as JSON, all or nothing.

    :param path: The file.
    :param vocabulary: The vocabulary.
    """
    content = asdict(vocabulary)
    kept = {name: content[name] for name in _FILE}
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(kept, ensure_ascii=False) + "\n", "utf-8")
    part.replace(path)


def read_vocabulary(path: Path) -> Vocabulary:
    """Read a vocabulary.

    :param path: The file.
    :raises ConfigurationError: If it is none.
    """
    try:
        content = json.loads(path.read_text("utf-8"))
        return Vocabulary(
            tuple(content["words"]),
            tuple(content["characters"]),
            bool(content.get("as_written", False)),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise ConfigurationError(
            f"{path}: no vocabulary; copy it there or train the model again"
        ) from None


@dataclass(frozen=True, slots=True)
class Batch:
    """Runs of words as numbers.

    :param words: Indices of words, batch × words.
    :param forms: Which row of the characters spells each word, batch × words.
    :param characters: Indices of characters, forms × characters: a word that stands
        in many places is spelt once.
    :param mask: Whether there is a word, batch × words.
    """

    words: Tensor
    forms: Tensor
    characters: Tensor
    mask: Tensor


def make_batch(
    texts: Sequence[Sequence[str]], vocabulary: Vocabulary, device: torch.device | str
) -> Batch:
    """Return runs of words as numbers.

    :param texts: The words of each run; no run is empty.
    :param vocabulary: The vocabulary.
    :param device: Where the numbers shall be.
    """
    numbers: dict[str, int] = {}
    rows = [[numbers.setdefault(word, len(numbers)) for word in run] for run in texts]
    known, unknown = vocabulary.word_index.get, UNKNOWN
    indices = torch.tensor([known(vocabulary.key(word), unknown) for word in numbers])
    spelling = vocabulary.character_index.get
    spelt = [
        torch.tensor([spelling(c, unknown) for c in word[:_LONGEST_WORD]])
        for word in numbers
    ]
    # Where no word is stands the first form, which the mask leaves out.
    forms = pad_sequence([torch.tensor(row) for row in rows], batch_first=True)
    lengths = torch.tensor([len(row) for row in rows])
    mask = torch.arange(forms.shape[1]) < lengths[:, None]
    words = torch.where(mask, indices[forms], PAD)
    characters = pad_sequence(spelt, batch_first=True, padding_value=PAD)
    return Batch(*(t.to(device) for t in (words, forms, characters, mask)))


def mark(
    network: BiLstmCrf,
    vocabulary: Vocabulary,
    labels: Sequence[str],
    text: str,
    pieces: Sequence[Sequence[Piece]],
) -> list[Span]:
    """Return the spans that a network marks, with types of its scheme.

    The score of a span is the mean of its words' marginal probabilities of belonging to
    an entity of its type.

    :param network: A network in evaluation mode.
    :param vocabulary: Its vocabulary.
    :param labels: Its labels.
    :param text: A note.
    :param pieces: Its words in runs, none of them empty.
    """
    device = network.scores.weight.device
    found: list[Span] = []
    for first in range(0, len(pieces), _BATCH):
        group = pieces[first : first + _BATCH]
        texts = [[text[start:end] for start, end in run] for run in group]
        batch = make_batch(texts, vocabulary, device)
        with torch.no_grad():
            emissions = network(batch.words, batch.forms, batch.characters, batch.mask)
        chances = network.crf.marginals(emissions, batch.mask)
        for row, run in enumerate(group):
            path = network.crf.best(emissions[row], len(run))
            found += _spans(run, [labels[i] for i in path], chances[row], labels)
    return found


def _spans(
    run: Sequence[Piece], path: Sequence[str], chances: Tensor, labels: Sequence[str]
) -> list[Span]:
    kinds = [label.partition("-")[2] for label in labels]
    columns = {
        kind: torch.tensor([i for i, other in enumerate(kinds) if other == kind])
        for kind in {label.partition("-")[2] for label in path}
    }
    table = chances.cpu()
    scores = [
        0.0
        if label == OUTSIDE
        else min(float(table[at, columns[label.partition("-")[2]]].sum()), 1.0)
        for at, label in enumerate(path)
    ]
    return spans_of(run, path, scores)
