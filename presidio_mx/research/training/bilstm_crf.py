"""Train a BiLSTM-CRF as VSP did at MEDDOCAN (2019).

Adam at 0.001, gradients clipped at 5, BIOES labels, the best of 25 epochs on the dev
notes. Our own recipe reads some lines at once and small letters, and drops outputs of
the LSTM as well as inputs; ``VSP`` is his.

All chance of an epoch comes from the seed and its number, and the weights and the
optimizer's state are kept after each: a run that was interrupted comes to the same
model as one that was not. This module imports torch: import it inside functions.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from time import monotonic

import torch
from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from presidio_mx.errors import InputError
from presidio_mx.find.ner.model_folder import Manifest, write_manifest
from presidio_mx.replace.embeddings import Vectors
from presidio_mx.research.evaluation.counts import Counts, count_sets
from presidio_mx.research.systems.bilstm_crf.net import BiLstmCrf, Sizes
from presidio_mx.research.systems.bilstm_crf.recognizer import (
    KIND,
    MODEL_FILE,
    VOCABULARY_FILE,
)
from presidio_mx.research.systems.bilstm_crf.words import (
    Cut,
    Vocabulary,
    cutter,
    make_batch,
    make_vocabulary,
    mark,
    read_vocabulary,
    write_vocabulary,
)
from presidio_mx.research.systems.bio import Labelled, flat, label_set, labelled_runs
from presidio_mx.research.training.bilstm_recipe import BiLstmRecipe
from presidio_mx.research.training.history import (
    EarlyStopping,
    Epoch,
    add_epoch,
    read_history,
    write_history,
)
from presidio_mx.schemes import Scheme
from presidio_mx.text.spans import Note

LAST_FILE = "last.safetensors"
_CLIP = 5.0
_STATE = ("step", "exp_avg", "exp_avg_sq")
OnEpoch = Callable[[Epoch], None]
Run = tuple[list[str], list[int]]


def train_bilstm_crf(
    train: Sequence[Note],
    dev: Sequence[Note],
    folder: Path,
    scheme: Scheme,
    recipe: BiLstmRecipe,
    vectors: Vectors | None = None,
    on_epoch: OnEpoch = lambda row: None,
) -> list[Epoch]:
    """Train a BiLSTM-CRF and write its folder; go on where a run in it stopped.

    The scores of the history are those of whole entities: type, start and end agree.

    :param train: Notes to learn from.
    :param dev: Notes that choose the epoch.
    :param folder: An existing folder.
    :param scheme: How the types of the notes are named.
    :param recipe: Parameters.
    :param vectors: Word vectors to begin with.
    :param on_epoch: Called after each epoch.
    :return: The history.
    :raises InputError: If the training notes have no spans, or the folder holds a run
        with other notes or sizes.
    """
    work = _Work.make(train, recipe, vectors)
    _keep_vocabulary(folder / VOCABULARY_FILE, work.vocabulary)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(recipe.seed)
    network = BiLstmCrf(work.sizes, work.labels).to(device)
    if vectors is not None:
        _begin_with(network, work.vocabulary, vectors)
    optimizer = torch.optim.Adam(network.parameters(), lr=recipe.rate, fused=True)
    history = _resume(folder, network, optimizer)
    stopping = EarlyStopping(recipe.patience)
    for number in range(len(history) + 1, recipe.epochs + 1):
        if stopping.stop(history):
            break
        begun = monotonic()
        loss, steps = _learn(network, optimizer, work, recipe, number)
        counts = _dev_counts(network, work, dev)
        best = stopping.best(history)
        if best is None or counts.f1 > best.f1:
            _save(folder / MODEL_FILE, network.state_dict(), number)
        scores = counts.precision, counts.recall, counts.f1
        seconds = round(monotonic() - begun, 3)
        row = Epoch(number, steps * number, seconds, loss, *scores)
        history = add_epoch(folder, row)
        # Written last: an epoch that it does not hold is trained again.
        _save(folder / LAST_FILE, _state(network, optimizer), number)
        on_epoch(row)
    best = stopping.best(history)
    extra = {
        "best_epoch": best.epoch if best else 0,
        "sizes": asdict(work.sizes),
        "notes": len(train),
    }
    write_manifest(folder, Manifest(KIND, scheme, work.labels, asdict(recipe) | extra))
    return history


@dataclass(frozen=True, slots=True)
class _Work:
    """What is learnt, in the form the network takes."""

    cut: Cut
    runs: list[Run]
    labels: tuple[str, ...]
    vocabulary: Vocabulary
    sizes: Sizes

    @classmethod
    def make(
        cls, train: Sequence[Note], recipe: BiLstmRecipe, vectors: Vectors | None
    ) -> "_Work":
        types = sorted({span.entity_type for note in train for span in note.spans})
        if not types:
            raise InputError("the training notes have no spans to learn from")
        labels = label_set(types, bioes=True)
        numbers = {label: number for number, label in enumerate(labels)}

        def run_of(note: Note, run: Labelled) -> Run:
            words = [note.text[start:end] for start, end in run.pieces]
            return words, [numbers[label] for label in run.labels]

        cut = cutter(recipe.cut)
        runs = [
            run_of(note, run)
            for note in train
            for run in labelled_runs(note, cut(note.text), True)
        ]
        words = (word for run, _ in runs for word in run)
        further = vectors.words if vectors else ()
        vocabulary = make_vocabulary(words, further, recipe.as_written)
        sizes = Sizes(
            words=len(vocabulary.words) + 2,
            characters=len(vocabulary.characters) + 2,
            word_size=vectors.matrix.shape[1] if vectors else recipe.word_size,
            word_hidden=recipe.word_hidden,
            output_dropout=recipe.output_dropout,
        )
        return cls(cut, runs, labels, vocabulary, sizes)


def _keep_vocabulary(path: Path, vocabulary: Vocabulary) -> None:
    if path.exists() and read_vocabulary(path) != vocabulary:
        raise InputError(
            f"{path.parent}: the run was begun with other notes or vectors; "
            "give the same ones or a new folder"
        )
    write_vocabulary(path, vocabulary)


def _begin_with(network: BiLstmCrf, vocabulary: Vocabulary, vectors: Vectors) -> None:
    with torch.no_grad():
        for word, row in vectors.index.items():
            number = vocabulary.word_index.get(vocabulary.key(word))
            if number is not None:
                network.words.weight[number] = torch.from_numpy(vectors.matrix[row])


def _learn(
    network: BiLstmCrf,
    optimizer: torch.optim.Adam,
    work: _Work,
    recipe: BiLstmRecipe,
    number: int,
) -> tuple[float, int]:
    """Go once over the notes; return mean loss and steps."""
    torch.manual_seed(recipe.seed * 100_003 + number)
    network.train()
    device = network.scores.weight.device
    total, steps = 0.0, 0
    for group in _batches(work.runs, recipe.batch, Random(f"{recipe.seed} {number}")):
        batch = make_batch([words for words, _ in group], work.vocabulary, device)
        labels = [torch.tensor(labels) for _, labels in group]
        right = pad_sequence(labels, batch_first=True).to(device)
        optimizer.zero_grad()
        emissions = network(batch.words, batch.forms, batch.characters, batch.mask)
        loss = network.crf.loss(emissions, right, batch.mask)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), _CLIP)
        optimizer.step()
        total, steps = total + float(loss.detach()), steps + 1
    return total / steps, steps


def _batches(runs: Sequence[Run], size: int, random: Random) -> Iterator[list[Run]]:
    """Yield runs of like length together, in random order."""
    keyed = sorted(runs, key=lambda run: (len(run[0]) // 8, random.random()))
    groups = [keyed[at : at + size] for at in range(0, len(keyed), size)]
    random.shuffle(groups)
    yield from groups


def _dev_counts(network: BiLstmCrf, work: _Work, dev: Sequence[Note]) -> Counts:
    network.eval()
    counts = Counts()
    for note in dev:
        pieces = work.cut(note.text)
        found = mark(network, work.vocabulary, work.labels, note.text, pieces)
        counts += count_sets(
            {(s.start, s.end, s.entity_type) for s in flat(note.spans)},
            {(s.start, s.end, s.entity_type) for s in found},
        )
    return counts


def _state(network: BiLstmCrf, optimizer: torch.optim.Adam) -> dict[str, Tensor]:
    """Return the weights and what Adam remembers of each, under one name each."""
    found = {f"model.{name}": t for name, t in network.state_dict().items()}
    for number, kept in optimizer.state_dict()["state"].items():
        found |= {f"adam.{number}.{name}": kept[name] for name in _STATE}
    return found


def _save(path: Path, tensors: dict[str, Tensor], epoch: int) -> None:
    part = path.with_name(path.name + ".part")
    ready = {
        name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()
    }
    # Its own writer would make a file that other users, such as a server, cannot read.
    part.write_bytes(save(ready, metadata={"epoch": str(epoch)}))
    part.replace(path)


def _resume(
    folder: Path, network: BiLstmCrf, optimizer: torch.optim.Adam
) -> list[Epoch]:
    """Take up weights and optimizer of a run; return the epochs it has behind it."""
    path = folder / LAST_FILE
    if not path.is_file():
        write_history(folder, [])
        return []
    with safe_open(path, framework="pt") as file:
        epoch = int(file.metadata()["epoch"])
        kept = {name: file.get_tensor(name) for name in file.keys()}
    weights = {
        name.removeprefix("model."): tensor
        for name, tensor in kept.items()
        if name.startswith("model.")
    }
    try:
        network.load_state_dict(weights)
    except RuntimeError:
        raise InputError(
            f"{folder}: the run was begun with other sizes of layers; "
            "give the same ones or a new folder"
        ) from None
    state = optimizer.state_dict()
    count = sum(name.endswith(".exp_avg") for name in kept)
    state["state"] = {
        number: {name: kept[f"adam.{number}.{name}"] for name in _STATE}
        for number in range(count)
    }
    optimizer.load_state_dict(state)
    history = read_history(folder)[:epoch]
    write_history(folder, history)
    return history
