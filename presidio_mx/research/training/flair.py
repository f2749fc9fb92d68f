"""Train a Flair sequence tagger as the Michoacán thesis (2022) trained ADAP.

The thesis began with the NER model of the library, mixed notes of its own with a
general corpus (3,650 + 4,462 to train, 399 + 1,516 for dev, 402 + 1,914 to test) and
trained 43 epochs, of which the 38th was best on dev. Where no model of the library lies
on this machine, words and characters are embedded anew: nothing is downloaded.
Everything else is Flair's own default. Flair is imported when it is used.
"""

import csv
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.find.ner.model_folder import Manifest, write_manifest
from presidio_mx.research.systems.bio import flat
from presidio_mx.research.systems.flair import MxFlairRecognizer, pieces, quiet
from presidio_mx.research.training.flair_parts import Parts
from presidio_mx.research.training.history import Epoch, write_history
from presidio_mx.schemes import Scheme
from presidio_mx.text.spans import Note

_TYPE = "ner"
_LOG = "loss.tsv"
# What Flair's trainer leaves of the notes: every word of dev and test.
_WORDS = ("dev.tsv", "test.tsv")


@dataclass(frozen=True, slots=True)
class FlairRecipe:
    """How a tagger is trained.

    :param epochs: Most epochs; the thesis stopped after 43.
    :param rate: Step size at the beginning; halved where dev does not get better.
    :param batch: Runs of words in a step.
    :param hidden: State of the LSTM, in each direction; a checkpoint keeps its own.
    :param patience: Epochs without a better dev score after which the step is halved.
    :param seed: Seed of all chance.
    """

    epochs: int = 43
    rate: float = 0.1
    batch: int = 32
    hidden: int = 256
    patience: int = 3
    seed: int = 1


def train_flair(
    parts: Parts,
    folder: Path,
    scheme: Scheme,
    recipe: FlairRecipe,
    start: Path | None = None,
    on_epoch: Callable[[Epoch], None] = lambda row: None,
) -> list[Epoch]:
    """Train a tagger and write its folder; the best epoch on dev is kept.

    :param parts: Notes to learn from, that choose the epoch, and to test on.
    :param folder: An existing folder.
    :param scheme: How the types of the notes are named.
    :param recipe: Parameters.
    :param start: A checkpoint of Flair to begin with; a pickle: one that you trust.
    :param on_epoch: Called with each epoch.
    :return: The history: loss of training, precision, recall and F1 on dev.
    :raises InputError: If the notes to learn from have no spans.
    :raises ConfigurationError: If the checkpoint cannot be read.
    """
    import_module("flair").set_seed(recipe.seed)
    with quiet():
        _train(parts, folder, recipe, start, on_epoch)
    types = {span.entity_type for note in parts.train for span in note.spans}
    more = {"notes": len(parts.train), "start": "" if start is None else start.name}
    found = tuple(sorted(types))
    manifest = Manifest(MxFlairRecognizer.KIND, scheme, found, asdict(recipe) | more)
    write_manifest(folder, manifest)
    return read_log(folder / _LOG)


def _train(
    parts: Parts,
    folder: Path,
    recipe: FlairRecipe,
    start: Path | None,
    on_epoch: Callable[[Epoch], None],
) -> None:
    """Run Flair's own trainer over the notes; what it copies of them is removed."""
    dataset = import_module("flair.datasets").FlairDatapointDataset
    data = [
        dataset([s for note in part for s in sentences_of(note)])
        for part in (parts.train, parts.dev, parts.test or parts.dev)
    ]
    corpus: Any = import_module("flair.data").Corpus(*data, sample_missing_splits=False)
    if not any(note.spans for note in parts.train):
        raise InputError("the training notes have no spans to learn from")
    labels = corpus.make_label_dictionary(_TYPE, add_unk=False)
    tagger = _tagger(corpus, labels, recipe, start)
    trainer = import_module("flair.trainers").ModelTrainer(tagger, corpus)
    told = _Told(folder, on_epoch)
    try:
        trainer.train(
            folder,
            learning_rate=recipe.rate,
            mini_batch_size=recipe.batch,
            max_epochs=recipe.epochs,
            patience=recipe.patience,
            embeddings_storage_mode="none" if start else "cpu",
            create_file_logs=False,
            plugins=[_plugin(told)],
        )
    finally:
        for name in _WORDS:
            (folder / name).unlink(missing_ok=True)
    told()


@dataclass
class _Told:
    """Tells of the epochs that Flair's trainer has written down, each once.

    :param folder: The folder of the model.
    :param on_epoch: Called with each epoch.
    :param told: How many it was called with.
    """

    folder: Path
    on_epoch: Callable[[Epoch], None]
    told: int = 0

    def __call__(self) -> None:
        """Write the history and tell what is new in it."""
        path = self.folder / _LOG
        history = read_log(path) if path.is_file() else []
        write_history(self.folder, history)
        for row in history[self.told :]:
            self.on_epoch(row)
        self.told = len(history)


def _plugin(told: Callable[[], None]) -> Any:
    """Return a plugin of Flair's trainer that calls a function before each epoch."""
    base: Any = import_module("flair.trainers.plugins").TrainerPlugin

    def before_training_epoch(self: Any, **_: Any) -> None:
        told()

    body = {"before_training_epoch": base.hook(before_training_epoch)}
    return type("Told", (base,), body)()


def sentences_of(note: Note) -> list[Any]:
    """Return a note as Flair's sentences, which are cut as at work.

    :param note: The note; of spans that overlap the first counts.
    :return: Sentences with their labels.
    """
    sentence_class = import_module("flair.data").Sentence
    spans = flat(note.spans)
    found = []
    for start, end in pieces(note.text):
        sentence = sentence_class(note.text[start:end])
        for span in spans:
            touched = [
                token.idx
                for token in sentence
                if start + token.start_position < span.end
                and span.start < start + token.end_position
            ]
            if touched:
                piece = sentence[touched[0] - 1 : touched[-1]]
                piece.add_label(_TYPE, span.entity_type)
        found.append(sentence)
    return found


def _tagger(corpus: Any, labels: Any, recipe: FlairRecipe, start: Path | None) -> Any:
    """Return a tagger for the labels, begun with a checkpoint where there is one."""
    tagger = import_module("flair.models").SequenceTagger
    if start is None:
        kinds = import_module("flair.embeddings")
        words = kinds.OneHotEmbeddings.from_corpus(corpus, field="text", min_freq=2)
        # Flair's own list of characters would be downloaded.
        letters = import_module("flair.data").Dictionary()
        for letter in sorted({c for s in corpus.train for t in s for c in t.text}):
            letters.add_item(letter)
        # Flair joins embeddings in the order of their names, and one of words comes
        # back from a file without its number: characters must come first.
        stacked = kinds.StackedEmbeddings([kinds.CharacterEmbeddings(letters), words])
        return tagger(stacked, labels, _TYPE, hidden_size=recipe.hidden)
    try:
        old: Any = tagger.load(str(start))
    except Exception as error:
        # Whatever the pickle's reader stumbles over: it has no error of its own.
        raise ConfigurationError(
            f"{start}: Flair cannot load it ({type(error).__name__})"
        ) from None
    new: Any = tagger(
        old.embeddings,
        labels,
        _TYPE,
        hidden_size=old.hidden_size,
        rnn_layers=old.rnn_layers,
        reproject_embeddings=old.reproject_embeddings,
    )
    # All layers but the last, whose labels are others.
    kept = new.state_dict()
    weights = {
        name: value
        for name, value in old.state_dict().items()
        if name in kept and kept[name].shape == value.shape
    }
    new.load_state_dict(kept | weights)
    return new


def read_log(path: Path) -> list[Epoch]:
    """Read what Flair's trainer wrote of each epoch.

    :param path: ``loss.tsv`` of a training.
    :return: The epochs; those without a dev score are left out.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows: Sequence[dict[str, str]] = list(csv.DictReader(file, delimiter="\t"))
    return [
        Epoch(
            epoch=int(row["EPOCH"]),
            steps=0,
            seconds=0.0,
            loss=float(row["TRAIN_LOSS"]),
            precision=float(row["DEV_PRECISION"]),
            recall=float(row["DEV_RECALL"]),
            f1=float(row["DEV_F1"]),
        )
        for row in rows
        if row.get("DEV_F1", "").strip(" _")
    ]
