"""The network of a BiLSTM-CRF, in plain PyTorch.

Characters and words are embedded, read in both directions, and a linear-chain CRF
chooses the labels (Lample et al. 2016); sizes are those of VSP at MEDDOCAN (2019). The
CRF is written here because pytorch-crf, last released in 2019, gives no marginals.
This module imports torch: import it inside functions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from presidio_mx.research.systems.bio import may_follow

_FORBIDDEN = -1e4
PAD, UNKNOWN = 0, 1


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of the layers, after VSP.

    :param words: Words in the vocabulary, with padding and the unknown word.
    :param characters: Characters, likewise.
    :param word_size: Length of a word's vector.
    :param character_size: Length of a character's vector.
    :param character_hidden: State of the characters' LSTM, in each direction.
    :param word_hidden: State of the words' LSTM, in each direction.
    :param dropout: Share of inputs of the words' LSTM dropped in training.
    :param output_dropout: Share of its outputs dropped; VSP dropped none.
    """

    words: int
    characters: int
    word_size: int = 300
    character_size: int = 25
    character_hidden: int = 25
    word_hidden: int = 256
    dropout: float = 0.5
    output_dropout: float = 0.5


class LinearChainCrf(nn.Module):
    """A conditional random field over a chain of labels.

    :param labels: The labels; those that may not follow one another never do.
    """

    forbidden: Tensor
    forbidden_first: Tensor
    forbidden_last: Tensor

    def __init__(self, labels: Sequence[str]) -> None:
        """Make the weights, small and at random."""
        super().__init__()
        size = len(labels)
        self.transitions = nn.Parameter(torch.empty(size, size).uniform_(-0.1, 0.1))
        self.first = nn.Parameter(torch.empty(size).uniform_(-0.1, 0.1))
        self.last = nn.Parameter(torch.empty(size).uniform_(-0.1, 0.1))

        def penalty(before: str | None, after: str | None) -> float:
            return 0.0 if may_follow(before, after) else _FORBIDDEN

        pairs = [[penalty(before, after) for after in labels] for before in labels]
        first = [penalty(None, label) for label in labels]
        last = [penalty(label, None) for label in labels]
        # Not saved: they follow from the labels.
        self.register_buffer("forbidden", torch.tensor(pairs), persistent=False)
        self.register_buffer("forbidden_first", torch.tensor(first), persistent=False)
        self.register_buffer("forbidden_last", torch.tensor(last), persistent=False)

    def _weights(self) -> tuple[Tensor, Tensor, Tensor]:
        return (
            self.first + self.forbidden_first,
            self.transitions + self.forbidden,
            self.last + self.forbidden_last,
        )

    def log_norm(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """Return the logarithm of the sum over all paths.

        :param emissions: Scores of labels, batch × words × labels.
        :param mask: Whether there is a word, batch × words.
        :return: One number for each run.
        """
        # Probabilities, scaled at each word, in place of their logarithms: a step is
        # one product of matrices. Double precision holds scores of a word that are up
        # to 700 apart, and those here are sums of some hundred products of weights.
        first, between, last = (weights.double() for weights in self._weights())
        emissions = emissions.double()
        highest = emissions.detach().amax(2, keepdim=True)
        weight = (emissions - highest).exp()
        moves = between.exp()
        share = first.exp() * weight[:, 0]
        norm = (highest.squeeze(2) * mask).sum(1)
        for at in range(1, emissions.shape[1]):
            # The scale is a constant to the derivative: what it divides by here is
            # put back in the sum.
            total = share.detach().sum(1, keepdim=True)
            norm = norm + total.log().squeeze(1)
            share = share / total
            step = (share @ moves) * weight[:, at]
            share = torch.where(mask[:, at, None], step, share)
        return norm + (share * last.exp()).sum(1).log()

    def path_score(self, emissions: Tensor, labels: Tensor, mask: Tensor) -> Tensor:
        """Return the score of one path.

        :param emissions: Scores of labels, batch × words × labels.
        :param labels: Indices of labels, batch × words; any number where no word is.
        :param mask: Whether there is a word, batch × words.
        :return: One number for each run.
        """
        first, between, last = self._weights()
        here = emissions.gather(2, labels.unsqueeze(2)).squeeze(2) * mask
        moves = between[labels[:, :-1], labels[:, 1:]] * mask[:, 1:]
        ends = labels.gather(1, mask.sum(1, keepdim=True) - 1).squeeze(1)
        return first[labels[:, 0]] + here.sum(1) + moves.sum(1) + last[ends]

    def loss(self, emissions: Tensor, labels: Tensor, mask: Tensor) -> Tensor:
        """Return the mean negative log-likelihood of a run.

        :param emissions: Scores of labels, batch × words × labels.
        :param labels: Indices of the right labels, batch × words.
        :param mask: Whether there is a word, batch × words.
        """
        right = self.path_score(emissions, labels, mask)
        return (self.log_norm(emissions, mask) - right).mean()

    def marginals(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """Return the probability of each label of each word.

        They are the derivatives of the logarithm of the sum over all paths.

        :param emissions: Scores of labels, batch × words × labels.
        :param mask: Whether there is a word, batch × words.
        :return: Probabilities, batch × words × labels.
        """
        with torch.enable_grad():
            leaf = emissions.detach().requires_grad_()
            (found,) = torch.autograd.grad(self.log_norm(leaf, mask).sum(), leaf)
        return found

    @torch.no_grad()
    def best(self, emissions: Tensor, length: int) -> list[int]:
        """Return the best path of one run (Viterbi).

        :param emissions: Scores of labels, words × labels.
        :param length: Words of the run.
        :return: Index of the label of each word.
        """
        first, between, last = self._weights()
        score = first + emissions[0]
        back: list[Tensor] = []
        for at in range(1, length):
            score, source = (score.unsqueeze(1) + between).max(dim=0)
            score = score + emissions[at]
            back.append(source)
        path = [int((score + last).argmax())]
        for source in reversed(back):
            path.append(int(source[path[-1]]))
        return path[::-1]


class BiLstmCrf(nn.Module):
    """Characters, words, both directions, a CRF.

    :param sizes: Sizes of the layers.
    :param labels: The labels, BIOES.
    """

    def __init__(self, sizes: Sizes, labels: Sequence[str]) -> None:
        """Make the layers."""
        super().__init__()
        self.words = nn.Embedding(sizes.words, sizes.word_size, padding_idx=PAD)
        self.characters = nn.Embedding(
            sizes.characters, sizes.character_size, padding_idx=PAD
        )
        self.spelling = nn.LSTM(
            sizes.character_size,
            sizes.character_hidden,
            batch_first=True,
            bidirectional=True,
        )
        self.context = nn.LSTM(
            sizes.word_size + 2 * sizes.character_hidden,
            sizes.word_hidden,
            batch_first=True,
            bidirectional=True,
        )
        self.dropout = nn.Dropout(sizes.dropout)
        self.output_dropout = nn.Dropout(sizes.output_dropout)
        self.scores = nn.Linear(2 * sizes.word_hidden, len(labels))
        self.crf = LinearChainCrf(labels)

    def forward(
        self, words: Tensor, forms: Tensor, characters: Tensor, mask: Tensor
    ) -> Tensor:
        """Return the scores of labels.

        :param words: Indices of words, batch × words.
        :param forms: Which row of the characters spells each word, batch × words.
        :param characters: Indices of characters, forms × characters.
        :param mask: Whether there is a word, batch × words.
        :return: Scores, batch × words × labels.
        """
        spelt = nn.functional.embedding(forms, self._spelt(characters))
        seen = torch.cat([self.words(words), spelt], dim=2)
        packed = pack_padded_sequence(
            self.dropout(seen),
            mask.sum(1).cpu(),
            batch_first=True,
            enforce_sorted=False,
        )
        read, _ = self.context(packed)
        unpacked, _ = pad_packed_sequence(
            read, batch_first=True, total_length=words.shape[1]
        )
        scores: Tensor = self.scores(self.output_dropout(unpacked))
        return scores

    def _spelt(self, characters: Tensor) -> Tensor:
        """Return what the LSTM of characters remembers of each form."""
        packed = pack_padded_sequence(
            self.characters(characters),
            (characters != PAD).sum(1).cpu(),
            batch_first=True,
            enforce_sorted=False,
        )
        _, (state, _) = self.spelling(packed)
        return torch.cat([state[0], state[1]], dim=1)
