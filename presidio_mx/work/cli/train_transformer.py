"""Commands of ``presidio-mx train`` for the transformer and for probabilities."""

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from presidio_mx.errors import ConfigurationError, InputError, MissingExtraError
from presidio_mx.research.training.recipe import HEADS, Head, Source
from presidio_mx.text.reading.folders import notes_in
from presidio_mx.work.cli.options import option
from presidio_mx.work.cli.train import FormatOption, OutOption, ResumeOption

NEEDED = ("torch", "safetensors", "onnx", "onnxruntime", "tokenizers")


def train_transformer(
    out: OutOption,
    train: Annotated[
        list[Path] | None, option("Corpus to learn from.", "Corpus de entrenamiento.")
    ] = None,
    dev: Annotated[
        list[Path] | None,
        option(
            "Corpus that chooses the epoch; not learnt from.",
            "Corpus que decide la época; de él no se aprende.",
        ),
    ] = None,
    encoder: Annotated[
        Path | None,
        option(
            "Folder of a BERT-like encoder with its tokenizer.json.",
            "Carpeta de un codificador tipo BERT con su tokenizer.json.",
        ),
    ] = None,
    form: FormatOption = "auto",
    head: Annotated[
        str,
        option(
            "mx: native types; es-ES: MEDDOCAN's.",
            "mx: tipos propios; es-ES: los de MEDDOCAN.",
        ),
    ] = "mx",
    recipe: Annotated[
        Path | None,
        option(
            "Recipe file with all settings and several corpora.",
            "Archivo de receta con todos los ajustes y varios corpus.",
        ),
    ] = None,
    epochs: Annotated[
        int | None, option("Maximum number of epochs.", "Máximo de épocas.", min=1)
    ] = None,
    patience: Annotated[
        int | None,
        option(
            "Stop after this many epochs without improvement; 0: never.",
            "Detener tras tantas épocas sin mejora; 0: nunca.",
            min=0,
        ),
    ] = None,
    minutes: Annotated[
        float,
        option(
            "Time to train for; the best epoch so far is kept. 0: no limit.",
            "Tiempo de entrenamiento; queda la mejor época. 0: sin límite.",
            min=0,
        ),
    ] = 0.0,
    seed: Annotated[int | None, option("Random seed.", "Semilla del azar.")] = None,
    resume: ResumeOption = False,
    quantize: Annotated[
        bool, option("Make weights 8-bit integers.", "Pesos de 8 bits.")
    ] = True,
) -> None:
    """Train a transformer (extra train; on a GPU where there is one)."""
    _require()
    from presidio_mx.research.training.recipe import read_recipe, recipe_of

    if recipe is None and not (train and dev and encoder):
        raise ConfigurationError("give --train, --dev and --encoder, or a --recipe")
    raw: dict[str, Any] = {} if recipe is None else read_recipe(recipe)
    sources = {"train": train, "dev": dev}
    for part, paths in sources.items():
        if paths:
            raw[part] = [{"path": str(p), "form": form, "head": head} for p in paths]
    given = {"epochs": epochs, "seed": seed, "patience": patience}
    raw |= {name: value for name, value in given.items() if value is not None}
    if encoder is not None:
        raw["encoder"] = str(encoder)
    made = recipe_of(raw, "command line" if recipe is None else str(recipe))
    if out.exists() and any(out.iterdir()) and not resume:
        raise InputError(f"{out} exists; give another folder, or --resume")
    out.mkdir(parents=True, exist_ok=True)

    from presidio_mx.find.ner.onnx_model import TOKENIZER
    from presidio_mx.research.training.export import export
    from presidio_mx.research.training.trainer import Trainer

    network = Trainer(made, out, typer.echo).run(resume, minutes)
    size = export(network, made, made.base / TOKENIZER, out, quantize)
    typer.echo(f"{out}: {size / 1e6:.1f} MB")


def train_calibration(
    dev: Annotated[
        list[str],
        option(
            "Corpus that neither rules nor model were made from; PATH@k/n takes "
            "the notes whose place is k modulo n.",
            "Corpus del que no salieron ni las reglas ni el modelo; RUTA@k/n toma "
            "las notas cuyo lugar es k módulo n.",
        ),
    ],
    out: Annotated[
        Path,
        option(
            "The file to write: calibration.yaml of the model or of recognizers/.",
            "El archivo que se escribe: calibration.yaml del modelo o de recognizers/.",
        ),
    ],
    model: Annotated[
        Path | None,
        option(
            "Folder of a transformer; without it rules alone are calibrated.",
            "Carpeta de un transformer; sin ella se calibran las reglas solas.",
        ),
    ] = None,
    prose: Annotated[
        list[Path] | None,
        option(
            "Folder of texts (.txt) that name nobody.",
            "Carpeta de textos (.txt) que no nombran a nadie.",
        ),
    ] = None,
    preset: Annotated[str, option("mx or es-ES.", "mx o es-ES.")] = "mx",
    form: FormatOption = "auto",
) -> None:
    """Fit the probability that a finding is right from its evidence."""
    from presidio_mx.find.ner.transformer import MxTransformerRecognizer
    from presidio_mx.find.preset import load_preset
    from presidio_mx.research.training.calibration import calibrate, write_calibration
    from presidio_mx.research.training.sources import gold_note, read_source

    if preset not in HEADS:
        raise ConfigurationError(
            f"preset (--preset) {preset!r}: calibrated are {' and '.join(HEADS)}"
        )
    head = cast(Head, preset)
    recognizer = None
    if model is not None:
        recognizer = MxTransformerRecognizer(model, preset=preset)
    notes = [
        gold_note(note, preset)
        for path in dev
        for note in read_source(_source(path, head, form))
    ]
    texts = [
        path.read_text(encoding="utf-8")
        for folder in prose or []
        for path in notes_in(folder)
    ]
    rules = load_preset(preset)
    made = calibrate(rules, notes, texts, recognizer, typer.echo)
    fitted_on = f"{len(notes)} notes and {len(texts)} texts that name nobody"
    write_calibration(out, preset, made, fitted_on)
    typer.echo(f"{out}")


def _source(path: str, head: Head, form: str) -> Source:
    """Return the corpus that ``PATH`` or ``PATH@k/n`` names."""
    folder, at, part = path.rpartition("@")
    return Source(folder if at else path, head, form, part=part if at else "")


def _require() -> None:
    from importlib.util import find_spec

    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise MissingExtraError("training a transformer", "train")
