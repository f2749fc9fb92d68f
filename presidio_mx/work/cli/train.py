"""Commands of ``presidio-mx train`` for models that learn from words."""

from pathlib import Path
from typing import Annotated

from presidio_mx.extras import need
from presidio_mx.work.cli.options import SchemeOption, SeedOption, option
from presidio_mx.work.cli.text import tell_problems

TrainOption = Annotated[
    list[Path],
    option(
        "Corpus to learn from; may be repeated.",
        "Corpus de entrenamiento; se puede repetir.",
        "--train",
    ),
]
DevOption = Annotated[
    Path,
    option(
        "Corpus that chooses the epoch; none of its notes are learnt from.",
        "Corpus que decide la época; de sus notas no se aprende.",
    ),
]
OutOption = Annotated[
    Path, option("New folder of the model.", "Carpeta nueva del modelo.")
]
FormatOption = Annotated[
    str,
    option(
        "Format of the corpora: auto, inline, brat, jsonl, bio, bioes, i2b2 ...",
        "Formato de los corpus: auto, inline, brat, jsonl, bio, bioes, i2b2 ...",
        "--format",
    ),
]
EpochsOption = Annotated[
    int, option("Maximum number of epochs.", "Máximo de épocas.", min=1)
]
PatienceOption = Annotated[
    int,
    option(
        "Stop after this many epochs without improvement; 0: never.",
        "Detener tras tantas épocas sin mejora; 0: nunca.",
        min=0,
    ),
]
ResumeOption = Annotated[
    bool, option("Resume a run that stopped.", "Reanuda una corrida interrumpida.")
]


def train_crf(
    train: TrainOption,
    dev: DevOption,
    out: OutOption,
    form: FormatOption = "auto",
    scheme: SchemeOption = "native",
    epochs: EpochsOption = 150,
    patience: PatienceOption = 30,
    resume: ResumeOption = False,
) -> None:
    """Train a conditional random field (extra crf)."""
    from presidio_mx.research.systems.crf import KIND, MxCrfRecognizer
    from presidio_mx.research.training import crf
    from presidio_mx.work.cli.train_steps import finish, read_corpora, train_shown

    need("pycrfsuite", "a CRF", KIND)
    notes = read_corpora(train, dev, form, scheme)
    recipe = crf.CrfRecipe(epochs=epochs, patience=patience)
    train_shown(
        lambda show: crf.train_crf(
            notes.train, notes.dev, out, notes.scheme, recipe, show
        ),
        out,
        epochs,
        resume,
    )
    finish(MxCrfRecognizer(out), notes)


def train_bilstm_crf(
    train: TrainOption,
    dev: DevOption,
    out: OutOption,
    form: FormatOption = "auto",
    scheme: SchemeOption = "native",
    embeddings: Annotated[
        Path | None,
        option(
            "Word vectors to begin with, as 'train embeddings' writes them.",
            "Vectores de palabras iniciales, como los de 'train embeddings'.",
        ),
    ] = None,
    recipe: Annotated[
        str,
        option(
            "mx: our own; vsp: as VSP did at MEDDOCAN 2019 (patience 0).",
            "mx: la propia; vsp: la de VSP en MEDDOCAN 2019 (sin paciencia).",
        ),
    ] = "mx",
    epochs: EpochsOption = 25,
    patience: Annotated[
        int | None,
        option(
            "Stop after this many epochs without improvement; 0: never. Else the "
            "recipe's.",
            "Detener tras tantas épocas sin mejora; 0: nunca. Si no, la de la receta.",
            min=0,
        ),
    ] = None,
    seed: SeedOption = 1,
    resume: ResumeOption = False,
) -> None:
    """Train a BiLSTM-CRF (extra bilstm-crf; on a GPU where there is one)."""
    from dataclasses import replace

    from presidio_mx.replace.embeddings import load_vectors
    from presidio_mx.research.systems.bilstm_crf.recognizer import (
        MxBiLstmCrfRecognizer,
        require_torch,
    )
    from presidio_mx.work.cli.train_steps import finish, read_corpora, train_shown

    require_torch()
    from presidio_mx.research.training import bilstm_crf
    from presidio_mx.research.training.bilstm_recipe import recipe_named

    notes = read_corpora(train, dev, form, scheme)
    vectors = None if embeddings is None else load_vectors(embeddings)
    chosen = replace(recipe_named(recipe), epochs=epochs, seed=seed)
    if patience is not None:
        chosen = replace(chosen, patience=patience)
    train_shown(
        lambda show: bilstm_crf.train_bilstm_crf(
            notes.train, notes.dev, out, notes.scheme, chosen, vectors, show
        ),
        out,
        epochs,
        resume,
    )
    finish(MxBiLstmCrfRecognizer(out), notes)


def train_flair(
    train: TrainOption,
    out: OutOption,
    general: Annotated[
        list[Path] | None,
        option(
            "General corpus to mix in; may be repeated.",
            "Corpus general que se mezcla; se puede repetir.",
        ),
    ] = None,
    dev: Annotated[
        Path | None,
        option(
            "Corpus that chooses the epoch; else own notes are parted 82:9:9 and "
            "general ones 57:19:24.",
            "Corpus que decide la época; si no, las notas propias se parten 82:9:9 "
            "y las generales 57:19:24.",
        ),
    ] = None,
    form: FormatOption = "auto",
    scheme: SchemeOption = "adap",
    start: Annotated[
        Path | None,
        option(
            "Checkpoint of Flair to begin with (.pt, one that you trust).",
            "Punto de partida de Flair (.pt, de confianza).",
        ),
    ] = None,
    epochs: EpochsOption = 43,
    batch: Annotated[
        int, option("Runs of words in a step.", "Tramos de palabras por paso.", min=1)
    ] = 32,
    seed: SeedOption = 1,
) -> None:
    """Train a Flair tagger as ADAP was (extra flair; needs its own environment)."""
    from typing import cast

    from presidio_mx.research.systems.flair import MxFlairRecognizer
    from presidio_mx.research.training.data import read_notes, require_apart
    from presidio_mx.research.training.flair_parts import (
        GENERAL,
        OWN,
        Parts,
        learnt,
        split,
    )
    from presidio_mx.schemes import Scheme
    from presidio_mx.work.cli.train_steps import Corpora, finish, train_shown

    need("flair.models", "a Flair model", "flair")
    from presidio_mx.research.training import flair

    named = cast(Scheme, scheme)
    parts = Parts([], [], [])
    problems: list[str] = []
    for paths, shares in ((train, OWN), (general or [], GENERAL)):
        if paths:
            notes, skipped = read_notes(paths, form, named)
            problems += skipped
            known = learnt(notes, named)
            parts += Parts(known, [], []) if dev else split(known, seed, shares)
    if dev is not None:
        apart, skipped = read_notes([dev], form, named)
        problems += skipped
        parts += Parts([], learnt(apart, named), [])
    tell_problems(problems)
    require_apart(parts.train, [*parts.dev, *parts.test])
    recipe = flair.FlairRecipe(epochs=epochs, batch=batch, seed=seed)
    train_shown(
        lambda show: flair.train_flair(parts, out, named, recipe, start, show),
        out,
        epochs,
        resume=False,
    )
    kept = Corpora(parts.train, parts.test or parts.dev, named, problems)
    finish(MxFlairRecognizer(out), kept)
