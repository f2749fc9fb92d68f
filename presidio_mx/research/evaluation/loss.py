"""What is lost: how far the anonymised text is from the original.

ROUGE-1, -2 and -L (Lin 2004), BLEU-4 (Papineni et al. 2002), BERTScore (Zhang et al.
2020) and clinical information loss (Ribeiro 2023): of the N most likely ICD-10
categories of the original, the share that the anonymised text no longer gives. A coder
that finds fewer than N makes that figure high even for an unchanged text, so the share
of the categories that were found stands beside it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.extras import need
from presidio_mx.research.corpora.pairs import Pair
from presidio_mx.research.evaluation.coding import Coder, longest_input, tokenizer_of

TOP = 10
CIL = "clinical information loss"
CIL_OF_FOUND = "clinical information loss, of the categories found"
_ROUGE = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Summary:
    """The spread of a figure over notes, as the papers give it.

    :param median: Median.
    :param lower: First quartile.
    :param upper: Third quartile.
    :param least: Minimum.
    :param most: Maximum.
    :param mean: Mean.
    :param n: Number of notes.
    """

    median: float
    lower: float
    upper: float
    least: float
    most: float
    mean: float
    n: int


@dataclass(frozen=True)
class LossScores:
    """What a corpus lost.

    :param summaries: By figure: ROUGE-1, ROUGE-2, ROUGE-L (F1), BLEU-4, BERTScore (F1),
        and clinical information loss.
    :param coder: Which coder gave the categories.
    :param comparable: Whether its figures may stand beside those of papers.
    :param top: How many categories of each original were asked for.
    :param uncoded: Notes in which the coder found no category; they are in no figure of
        clinical information loss.
    """

    summaries: dict[str, Summary]
    coder: str = ""
    comparable: bool = False
    top: int = TOP
    uncoded: int = 0


class _Words:
    """Words in lower case with accents; the library's own splitter drops them."""

    def tokenize(self, text: str) -> list[str]:
        return _WORD.findall(text.lower())


def summarise(values: Sequence[float]) -> Summary:
    """Return the spread of values.

    :param values: One figure a note.
    :return: Median, quartiles (linear interpolation), minimum, maximum and mean.
    :raises InputError: If there are none.
    """
    if not values:
        raise InputError("there are no notes to summarise")
    least, lower, median, upper, most = np.percentile(values, [0, 25, 50, 75, 100])
    return Summary(
        float(median),
        float(lower),
        float(upper),
        float(least),
        float(most),
        float(np.mean(values)),
        len(values),
    )


def rouge(original: str, output: str) -> dict[str, float]:
    """Return ROUGE F1 of an output against its original.

    :param original: The note.
    :param output: Its anonymised form.
    :return: ROUGE-1, ROUGE-2 and ROUGE-L.
    :raises MissingExtraError: If rouge-score is not installed.
    """
    library = need("rouge_score.rouge_scorer", "ROUGE", "evaluation")
    scorer = library.rouge_scorer.RougeScorer(list(_ROUGE), tokenizer=_Words())
    found = scorer.score(original, output)
    return {name: float(found[key].fmeasure) for key, name in _ROUGE.items()}


def bleu(original: str, output: str) -> float:
    """Return sentence BLEU-4 from 0 to 1, with sacrebleu's tokens and smoothing.

    :param original: The note.
    :param output: Its anonymised form.
    :return: BLEU-4.
    :raises MissingExtraError: If sacrebleu is not installed.
    """
    library = need("sacrebleu", "BLEU", "evaluation")
    return float(library.sentence_bleu(output, [original]).score) / 100


@dataclass(frozen=True, slots=True)
class InformationLoss:
    """The clinical information loss of a note.

    :param of_top: 1 - (common categories) / N, as published.
    :param of_found: 1 - (common categories) / (categories of the original).
    """

    of_top: float
    of_found: float


def information_loss(
    original: str, output: str, coder: Coder, top: int
) -> InformationLoss | None:
    """Return the clinical information loss of a note.

    :param original: The note.
    :param output: Its anonymised form.
    :param coder: Ranks categories.
    :param top: N, how many categories to ask for.
    :return: The loss; nothing if the coder finds no category in the original.
    """
    before = set(coder.rank(original, top))
    if not before:
        return None
    common = len(before & set(coder.rank(output, top)))
    return InformationLoss(1 - common / top, 1 - common / len(before))


def loss_scores(
    pairs: Sequence[Pair],
    coder: Coder,
    top: int = TOP,
    bert_model: Path | str | None = None,
) -> LossScores:
    """Measure what notes lost.

    :param pairs: Originals and their anonymised forms.
    :param coder: For clinical information loss.
    :param top: How many categories of each original to ask for.
    :param bert_model: Folder of a model for BERTScore; without, there is none.
    :return: The scores.
    :raises InputError: If there are no notes.
    """
    by_note: dict[str, dict[str, float]] = {}
    for pair in pairs:
        figures = rouge(pair.original, pair.copy)
        figures["BLEU-4"] = bleu(pair.original, pair.copy)
        lost = information_loss(pair.original, pair.copy, coder, top)
        if lost is not None:
            figures[CIL] = lost.of_top
            figures[CIL_OF_FOUND] = lost.of_found
        by_note[pair.id] = figures
    if bert_model is not None:
        for pair, value in zip(pairs, bert_scores(pairs, bert_model), strict=True):
            by_note[pair.id]["BERTScore"] = value
    uncoded = sum(CIL not in figures for figures in by_note.values())
    summaries = _summaries(by_note)
    return LossScores(summaries, coder.name, coder.comparable, top, uncoded)


def _summaries(by_note: Mapping[str, Mapping[str, float]]) -> dict[str, Summary]:
    names: dict[str, list[float]] = {}
    for figures in by_note.values():
        for name, value in figures.items():
            names.setdefault(name, []).append(value)
    if not names:
        raise InputError("there are no notes to summarise")
    return {name: summarise(values) for name, values in names.items()}


def bert_scores(pairs: Sequence[Pair], model: Path | str) -> list[float]:
    """Return the F1 of BERTScore for each note, with a model from a folder.

    Each token of one text is matched with the likest of the other by the cosine of
    their last hidden states (Zhang et al. 2020), without weights or rescaling. Notes
    longer than the model takes are compared piece by piece of their words.

    :param pairs: Originals and their anonymised forms.
    :param model: Folder with an encoder and its tokenizer.
    :return: F1 from -1 to 1, mostly near 1.
    :raises ConfigurationError: If there is no model in the folder.
    :raises MissingExtraError: If transformers is not installed.
    """
    folder = Path(model)
    if not (folder / "config.json").is_file():
        raise ConfigurationError(f"{folder}: no model here (config.json is missing)")
    library = need("transformers", "BERTScore", "hf")
    tokenizer = tokenizer_of(library, folder)
    encoder = library.AutoModel.from_pretrained(folder, local_files_only=True).eval()
    return [
        greedy_f1(
            _embed(pair.original, tokenizer, encoder),
            _embed(pair.copy, tokenizer, encoder),
        )
        for pair in pairs
    ]


def _embed(text: str, tokenizer: Any, encoder: Any) -> Any:
    """Return one unit vector a token, special tokens left out."""
    torch = need("torch", "BERTScore", "hf")
    longest = longest_input(encoder.config)
    pieces = tokenizer(
        text,
        truncation=True,
        max_length=longest,
        return_overflowing_tokens=True,
        return_special_tokens_mask=True,
    )
    vectors = []
    for ids, mask in zip(
        pieces["input_ids"], pieces["special_tokens_mask"], strict=True
    ):
        with torch.inference_mode():
            states = encoder(torch.tensor([ids])).last_hidden_state[0]
        vectors.append(states[~torch.tensor(mask, dtype=torch.bool)])
    every = torch.cat(vectors)
    return torch.nn.functional.normalize(every, dim=-1).numpy()


def greedy_f1(reference: Any, candidate: Any) -> float:
    """Return BERTScore's F1 of two texts as unit vectors.

    :param reference: Array of tokens x dimensions.
    :param candidate: Array of tokens x dimensions.
    :return: F1 of greedy matching; 0 if either is empty.
    """
    if not len(reference) or not len(candidate):
        return 0.0
    alike = reference @ candidate.T
    recall = float(alike.max(axis=1).mean())
    precision = float(alike.max(axis=0).mean())
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0
