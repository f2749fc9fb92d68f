"""Train the model: epochs, dev scores, resume, early stop."""

import copy
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from presidio_mx.errors import InputError
from presidio_mx.find.ner.onnx_model import TOKENIZER, read_card
from presidio_mx.find.ner.pieces import BEGIN, END, PAD
from presidio_mx.research.training import sources
from presidio_mx.research.training.dev_score import DevScore, dev_score
from presidio_mx.research.training.examples import (
    IGNORED,
    Example,
    batch_of,
    batches,
    example,
    parts,
)
from presidio_mx.research.training.export import finished_network
from presidio_mx.research.training.history import (
    EarlyStopping,
    Epoch,
    add_epoch,
    read_history,
    write_history,
)
from presidio_mx.research.training.network import Network, network_of_encoder
from presidio_mx.research.training.recipe import Recipe
from presidio_mx.research.training.teacher import (
    TorchReader,
    check_teacher,
    distilled,
    opinions,
)
from presidio_mx.text.spans import Note

CHECKPOINT = "checkpoint.pt"
BEST = "best.pt"
Tell = Callable[[str], None]
# A note, and what the teacher says of its words.
Taught = tuple[Example, NDArray[np.float16] | None]
# A note that is longer is learnt in parts, so that a step has notes of many kinds.
_LONGEST = 400
# Lists do not know every name: what they know is kept from some words while training.
_FLAGS_HIDDEN = 0.1
_SMOOTHING = 0.01


class Trainer:
    """One training run; its state is in the output folder after each epoch.

    :param recipe: What to train on and how.
    :param folder: Output folder; exists.
    :param tell: Takes a line of progress.
    """

    def __init__(self, recipe: Recipe, folder: Path, tell: Tell) -> None:
        """Read the corpora and the encoder."""
        self.recipe = recipe
        self.folder = folder
        self.tell = tell
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.tokenizer = read_tokenizer(recipe.base)
        self.sources = [
            (source, sources.read_source(source) if source.path else [])
            for source in recipe.train
        ]
        self.dev: dict[str, list[Note]] = {}
        for source in recipe.dev:
            self.dev.setdefault(source.head, []).extend(
                sources.gold_note(note, source.head)
                for note in sources.read_source(source)
            )
        self.teacher: TorchReader | None = None
        if recipe.teacher:
            taught = Path(recipe.teacher)
            check_teacher(taught, recipe.heads, recipe.base)
            window = read_card(taught).window
            self.teacher = TorchReader(
                finished_network(taught), self.tokenizer, window, self.device
            )
        torch.manual_seed(recipe.seed)
        self.network = begun_network(recipe).to(self.device)
        check_size(self.network, self.tokenizer, recipe)
        self.network.rounding = recipe.rounding
        self.averaged = copy.deepcopy(self.network)
        self.steps = 0
        self.until = math.inf
        # The first epoch tells how many steps an epoch has.
        self.per_epoch = 0
        slow = self.network.encoder_parameters()
        known = {id(parameter) for parameter in slow}
        fast = [p for p in self.network.parameters() if id(p) not in known]
        self.optimizer = torch.optim.AdamW(
            [
                {"params": slow, "lr": recipe.rate},
                {"params": fast, "lr": recipe.head_rate},
            ],
            weight_decay=0.01,
            fused=True,
        )

    def run(self, resume: bool, minutes: float = 0.0) -> Network:
        """Train until the epochs or the time are over or nothing improves.

        :param resume: Whether to go on where an earlier run stopped.
        :param minutes: Time to train for; the epoch that it ends in is cut short and
            scored like the others. 0: no limit.
        :return: The best network by dev score.
        """
        self.until = time.monotonic() + 60 * minutes if minutes else math.inf
        history = self._resume() if resume else self._fresh()
        stopping = EarlyStopping(self.recipe.patience)
        for epoch in range(len(history) + 1, self.recipe.epochs + 1):
            if history and stopping.stop(history):
                self.tell(f"no better dev score for {stopping.patience} epochs: stop")
                break
            if history and self._late():
                self.tell(f"time is up: stop after epoch {epoch - 1}")
                break
            row = self._epoch(epoch)
            best = EarlyStopping.best(history)
            # Of equal epochs the later: its weights are surer.
            if best is None or row.f1 >= best.f1:
                torch.save(self.averaged.state_dict(), self.folder / BEST)
            self._save(epoch)
            history = add_epoch(self.folder, row)
        state = torch.load(self.folder / BEST, map_location="cpu", weights_only=True)
        self.averaged.load_state_dict(state)
        return self.averaged

    def _late(self) -> bool:
        return time.monotonic() >= self.until

    def _fresh(self) -> list[Epoch]:
        write_history(self.folder, [])
        return []

    def _resume(self) -> list[Epoch]:
        path = self.folder / CHECKPOINT
        if not path.is_file():
            return self._fresh()
        state: dict[str, Any] = torch.load(
            path, map_location=self.device, weights_only=True
        )
        changed = sorted(
            name
            for name, value in self._fixed().items()
            if state["recipe"].get(name) != value
        )
        if changed:
            raise InputError(
                f"{self.folder}: was begun with another {', '.join(changed)}; give "
                "the same recipe or a new folder"
            )
        self.network.load_state_dict(state["network"])
        self.averaged.load_state_dict(state["averaged"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.steps, self.per_epoch = state["steps"], state["per_epoch"]
        history = read_history(self.folder)[: state["epoch"]]
        write_history(self.folder, history)
        self.tell(f"resumed after epoch {state['epoch']}")
        return history

    def _save(self, epoch: int) -> None:
        part = self.folder / f"{CHECKPOINT}.part"
        torch.save(
            {
                "network": self.network.state_dict(),
                "averaged": self.averaged.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "steps": self.steps,
                "per_epoch": self.per_epoch,
                "epoch": epoch,
                "recipe": self._fixed(),
            },
            part,
        )
        part.replace(self.folder / CHECKPOINT)

    def _fixed(self) -> dict[str, Any]:
        """Return the settings that a resumed run cannot change."""
        settings = self.recipe.to_dict()
        for name in ("epochs", "patience"):
            del settings[name]
        return settings

    def _examples(self, epoch: int, random: Random) -> list[Taught]:
        """Return the notes of an epoch, with the teacher's opinion if there is one."""
        recipe = self.recipe
        variant = (epoch - 1) % recipe.variants
        varied = Random(f"{recipe.seed}/{variant}")
        notes = [
            example(self.tokenizer, note, source.head)
            for source, known in self.sources
            for note in sources.epoch_notes(source, known, varied)
        ]
        notes = [note for note in notes if len(note.pieces.ids)]
        if self.teacher is None:
            return [
                (part, None) for note in notes for part in parts(note, _LONGEST, random)
            ]
        kept = self.folder / f"opinions-{variant}.npz"
        said = opinions(self.teacher, notes, kept)
        return [
            (part, opinion[start : start + len(part)])
            for note, opinion in zip(notes, said, strict=True)
            for part, start in _starts(parts(note, _LONGEST, random))
        ]

    def _epoch(self, epoch: int) -> Epoch:
        started = time.monotonic()
        # Each epoch has a seed of its own, so that a resumed run sees the same.
        random = Random(f"{self.recipe.seed}/{epoch}")
        torch.manual_seed(self.recipe.seed * 1000 + epoch)
        made = batches(self._examples(epoch, random), self.recipe.words, random)
        self.per_epoch = self.per_epoch or len(made)
        loss_sum, number = 0.0, 0
        for number, loss in enumerate(self._train(made, random), start=1):
            loss_sum += loss
            if number % 50 == 0:
                seconds = time.monotonic() - started
                self.tell(
                    f"epoch {epoch}: step {number} of {len(made)}, "
                    f"loss {loss_sum / number:.4f}, {seconds:.0f} s"
                )
        scores = self._dev()
        hit, found, gold = (
            sum(getattr(s, name) for s in scores) for name in ("hit", "found", "gold")
        )
        told = ", ".join(f"{s.head} {s.f1:.4f}" for s in scores)
        self.tell(f"epoch {epoch}: dev F1 {told}")
        return Epoch(
            epoch=epoch,
            steps=self.steps,
            seconds=round(time.monotonic() - started, 1),
            loss=round(loss_sum / max(1, number), 6),
            precision=hit / max(1, found),
            recall=hit / max(1, gold),
            # Of all heads together: one with few dev notes must not choose the epoch.
            f1=2 * hit / max(1, found + gold),
        )

    def _train(self, made: list[list[Taught]], random: Random) -> Iterator[float]:
        self.network.train()
        for rows in made:
            if self._late():
                break
            self._set_rate()
            loss = self._loss(rows, random)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self.optimizer.step()
            self.steps += 1
            self._average()
            yield float(loss.detach())

    def _loss(self, rows: list[Taught], random: Random) -> Tensor:
        """Return the loss of a batch: labels, the teacher's opinion, roles."""
        notes = [note for note, _ in rows]
        batch = batch_of(notes, random.choice(self.recipe.windows)).to(self.device)
        hidden = torch.rand(batch.there.shape, device=self.device) < _FLAGS_HIDDEN
        batch.flags.masked_fill_(hidden[..., None], 0.0)
        logits, roles = self.network(notes[0].head, batch)
        counted = batch.labels != IGNORED
        own = logits[counted]
        loss = nn.functional.cross_entropy(
            own, batch.labels[counted], label_smoothing=_SMOOTHING
        )
        if rows[0][1] is not None:
            said = np.concatenate([np.asarray(opinion) for _, opinion in rows])
            share = self.recipe.opinion
            opinion = distilled(own, torch.from_numpy(said).float().to(self.device))
            loss = (1 - share) * loss + share * opinion
        if (batch.roles != IGNORED).any():
            loss = loss + self.recipe.roles * nn.functional.cross_entropy(
                roles.flatten(0, 1), batch.roles.flatten(), ignore_index=IGNORED
            )
        return loss

    def _set_rate(self) -> None:
        """Raise the rates linearly, then lower them linearly to nothing."""
        total = self.per_epoch * self.recipe.epochs
        rising = max(1, round(self.recipe.warmup * total))
        falling = max(1, total - rising)
        share = min(
            (self.steps + 1) / rising,
            max(0.02, (total - self.steps) / falling),
        )
        rates = (self.recipe.rate, self.recipe.head_rate)
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * share

    @torch.no_grad()
    def _average(self) -> None:
        """Keep a running average of the weights (Polyak), younger in the beginning."""
        keep = min(self.recipe.average, (1 + self.steps) / (10 + self.steps))
        pairs = zip(self.averaged.parameters(), self.network.parameters(), strict=True)
        for mean, now in pairs:
            mean.lerp_(now, 1 - keep)

    def _dev(self) -> list[DevScore]:
        """Score the averaged weights as the finished model will run."""
        reader = TorchReader(
            self.averaged, self.tokenizer, self.recipe.window, self.device
        )
        return [
            dev_score(reader, notes, head, sources.label_set(head))
            for head, notes in self.dev.items()
        ]


def _starts(found: Iterator[Example]) -> Iterator[tuple[Example, int]]:
    """Yield parts of a note, which follow one another, with where each begins."""
    start = 0
    for part in found:
        yield part, start
        start += len(part)


def read_tokenizer(folder: Path) -> Any:
    """Read the tokenizer of an encoder or a model.

    :param folder: Folder with ``tokenizer.json``.
    :return: A ``tokenizers.Tokenizer``.
    :raises InputError: If it is missing, or has other ids for the edges of windows.
    """
    from tokenizers import Tokenizer

    path = folder / TOKENIZER
    if not path.is_file():
        raise InputError(f"{folder}: no encoder here ({TOKENIZER} is missing)")
    tokenizer = Tokenizer.from_file(str(path))
    for name, wanted in (("<s>", BEGIN), ("<pad>", PAD), ("</s>", END)):
        if tokenizer.token_to_id(name) != wanted:
            raise InputError(f"{path}: the id of {name} is not {wanted}")
    return tokenizer


def begun_network(recipe: Recipe) -> Network:
    """Make the network that a recipe begins with.

    :param recipe: The recipe.
    :return: The network; of a finished model the layers that the recipe keeps.
    :raises InputError: If what it begins with lacks a layer or a head.
    """
    if not recipe.start:
        encoder = Path(recipe.encoder)
        return network_of_encoder(encoder, recipe.keep, recipe.heads)
    network = finished_network(Path(recipe.start))
    missing = [head for head in recipe.heads if head not in network.names]
    if missing:
        raise InputError(f"{recipe.start}: a model without head {', '.join(missing)}")
    kept_layers(network, recipe)
    return network


def kept_layers(network: Network, recipe: Recipe) -> None:
    """Leave a network the layers that a recipe keeps.

    :param network: A finished network.
    :param recipe: The recipe.
    :raises InputError: If it has no such layer.
    """
    count = len(network.layers)
    if any(number >= count for number in recipe.keep):
        raise InputError(f"{recipe.start}: keep names a layer beyond the {count} there")
    if recipe.keep:
        network.layers = nn.ModuleList(network.layers[n] for n in recipe.keep)


def check_size(network: Network, tokenizer: Any, recipe: Recipe) -> None:
    """Refuse windows or a tokenizer that an encoder is too small for.

    :param network: The network.
    :param tokenizer: The tokenizer.
    :param recipe: The recipe.
    :raises InputError: If so.
    """
    size = network.size
    if max(*recipe.windows, recipe.window) > size.places:
        raise InputError(f"{recipe.base}: windows have at most {size.places} pieces")
    if tokenizer.get_vocab_size() > size.pieces:
        raise InputError(
            f"{recipe.base}: {TOKENIZER} has more pieces than the encoder's "
            f"{size.pieces}"
        )
