"""Coders that give the most likely ICD-10 categories of a note.

The lexical coder is light and needs nothing; its figures are its own and must not be
compared with those of papers, which used trained classifiers.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from presidio_mx.errors import ConfigurationError
from presidio_mx.extras import need
from presidio_mx.spanish.gazetteer import rows
from presidio_mx.text.folding import fold, fold_key

_LONGEST = 512
_DENIED = re.compile(
    r"(?:\bniega|\bsin|\bno (?:presenta|refiere|hay)|\bnegad[oa]s?)\s+(?:\w+\s+){0,2}$"
)


class Coder(Protocol):
    """Anything that ranks ICD-10 categories for a text."""

    @property
    def name(self) -> str:
        """What to call it in a report."""

    @property
    def comparable(self) -> bool:
        """Whether its figures may stand beside those of papers."""

    def rank(self, text: str, n: int) -> list[str]:
        """Return the n most likely categories, best first; fewer if there are none.

        :param text: A note.
        :param n: How many at most.
        :return: Category codes.
        """


@dataclass(frozen=True)
class LexicalCoder:
    """Counts the words that stand for each category.

    :param pattern: All terms, the longest first.
    :param categories: Term to category.
    """

    pattern: re.Pattern[str]
    categories: dict[str, str]
    name: str = "lexical coder of presidio-mx"
    comparable: bool = False

    def rank(self, text: str, n: int) -> list[str]:
        """Return the categories whose words the text holds.

        A mention counts once, a longer term more; a mention after "niega" or "sin"
        does not count.

        :param text: A note.
        :param n: How many at most.
        :return: Category codes, those with most words first, then by code.
        """
        weights: Counter[str] = Counter()
        for term in self.terms(text):
            weights[self.categories[term]] += len(term.split())
        ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
        return [code for code, _ in ranked[:n]]

    def mentions(self, text: str) -> Iterator[str]:
        """Yield the category of each mention that is not denied, in reading order.

        :param text: A note.
        """
        return (self.categories[term] for term in self.terms(text))

    def terms(self, text: str) -> Iterator[str]:
        """Yield each term that is not denied, in reading order.

        :param text: A note.
        """
        folded = fold(text)
        for match in self.pattern.finditer(folded):
            if not _DENIED.search(folded, max(0, match.start() - 60), match.start()):
                yield match[1]


@cache
def lexical_coder() -> LexicalCoder:
    """Return the coder over the shipped list ``gazetteers/icd10_es.tsv``.

    :return: The coder.
    """
    categories: dict[str, str] = {}
    for row in rows("icd10_es"):
        for term in row["terms"].split(";"):
            categories[fold_key(term)] = row["code"]
    longest = sorted(categories, key=len, reverse=True)
    terms = "|".join(re.escape(term) for term in longest)
    return LexicalCoder(re.compile(rf"\b({terms})(?:s|es)?\b"), categories)


@dataclass(frozen=True)
class ClassifierCoder:
    """A text classifier of ``transformers`` whose labels are categories.

    :param pipeline: A text-classification pipeline.
    :param name: What to call it in a report.
    """

    pipeline: Any
    name: str
    comparable: bool = True

    def rank(self, text: str, n: int) -> list[str]:
        """Return the labels with the highest scores.

        :param text: A note; what the model cannot take is cut off.
        :param n: How many.
        :return: Labels, best first.
        """
        found = self.pipeline(text, top_k=n, truncation=True)
        return [str(entry["label"]) for entry in found]


def classifier_coder(path: Path | str) -> ClassifierCoder:
    """Load a classifier from a folder; nothing is ever downloaded.

    :param path: Folder with a sequence-classification model and its tokenizer.
    :return: The coder.
    :raises ConfigurationError: If there is no such folder.
    :raises MissingExtraError: If transformers is not installed.
    """
    folder = Path(path)
    if not (folder / "config.json").is_file():
        raise ConfigurationError(f"{folder}: no model here (config.json is missing)")
    library = need("transformers", "a transformers coder", "hf")
    kind = library.AutoModelForSequenceClassification
    model = kind.from_pretrained(folder, local_files_only=True)
    tokenizer = tokenizer_of(library, folder)
    # A tokenizer that names no length of its own would cut nothing off.
    tokenizer.model_max_length = min(
        tokenizer.model_max_length, longest_input(model.config)
    )
    loaded = library.pipeline("text-classification", model=model, tokenizer=tokenizer)
    return ClassifierCoder(loaded, folder.name)


def tokenizer_of(library: Any, folder: Path) -> Any:
    """Load the tokenizer of a model's folder, which may be a single file.

    :param library: The module ``transformers``.
    :param folder: The folder.
    :return: The tokenizer.
    """
    single = folder / "tokenizer.json"
    if single.is_file() and not (folder / "tokenizer_config.json").is_file():
        return library.PreTrainedTokenizerFast(tokenizer_file=str(single))
    return library.AutoTokenizer.from_pretrained(folder, local_files_only=True)


def longest_input(config: Any) -> int:
    """Return how many tokens a model takes at once.

    :param config: The model's configuration; two of its positions may be reserved.
    """
    positions = getattr(config, "max_position_embeddings", None) or _LONGEST
    return min(int(positions) - 2, _LONGEST)
