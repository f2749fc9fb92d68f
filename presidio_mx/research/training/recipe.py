"""What a transformer is trained on and how: one readable file, kept with the model."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from presidio_mx.errors import ConfigurationError

HEADS = {"mx": "native", "es-ES": "meddocan"}
"""Heads of the shipped model, and the scheme of the corpora each is trained on."""

Head = Literal["mx", "es-ES"]
Count = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Rate = Annotated[float, Field(gt=0, le=1)]
# Two edges and a piece between them; no encoder of ours has more places.
Window = Annotated[int, Field(ge=3, le=512)]
Part = Annotated[str, Field(pattern=r"^(-?\d+/[1-9]\d*)?$")]


@dataclass(frozen=True)
class Source:
    """A corpus in a recipe.

    :param path: Folder or file, or a pattern of several ("corpus/train_[a-n]"); empty
        for notes that are synthesised.
    :param head: The head it teaches: ``mx`` or ``es-ES``.
    :param form: Its format; ``auto`` tells jsonl from inline marks by the ending.
    :param copies: How many times an epoch sees each note (below 1: the chance of
        each); of synthesised notes, how many are made for an epoch.
    :param swap: Chance that the values of a copy are replaced by surrogates.
    :param noise: Chance that a copy is typed in capitals, without accents, with slips.
    :param style: Chance that a copy looks scanned, dictated, laid out anew or exported.
    :param part: ``k/n`` keeps the notes whose place in their corpus is k modulo n;
        ``-k/n`` keeps the others.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    path: str
    head: Head = "mx"
    form: str = "auto"
    copies: Annotated[float, Field(ge=0)] = 1.0
    swap: Share = 0.0
    noise: Share = 0.0
    style: Share = 0.0
    part: Part = ""


@dataclass(frozen=True)
class Recipe:
    """A training run.

    :param train: Corpora to learn from.
    :param dev: Corpora that decide which epoch is kept.
    :param encoder: Folder of a BERT-like encoder with its ``tokenizer.json``; not
        needed where ``start`` is given.
    :param start: Folder of a finished model to begin with.
    :param keep: Numbers of the encoder layers to keep; all by default.
    :param epochs: At most so many.
    :param patience: Epochs without a better dev score after which training stops.
    :param variants: How many differently varied copies of the notes there are; epochs
        see them in turn.
    :param rate: Learning rate of the encoder.
    :param head_rate: Learning rate of all else.
    :param warmup: Share of the steps in which the rates rise.
    :param words: Words in a step.
    :param windows: Pieces in a window, drawn for each step.
    :param window: Pieces in a window of the finished model.
    :param average: Decay of the running average of the weights that is kept.
    :param rounding: Whether to train under the rounding of a finished 8-bit model.
    :param teacher: Folder of a finished model whose opinion is learnt beside the marks;
        empty for none.
    :param opinion: What the teacher's opinion weighs against the marks, 0 to 1.
    :param roles: What the roles of persons weigh beside the labels.
    :param seed: Seed of everything drawn.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    train: Annotated[tuple[Source, ...], Field(min_length=1)]
    dev: Annotated[tuple[Source, ...], Field(min_length=1)]
    encoder: str = ""
    start: str = ""
    keep: tuple[Annotated[int, Field(ge=0)], ...] = ()
    epochs: Count = 5
    patience: Annotated[int, Field(ge=0)] = 3
    variants: Count = 5
    rate: Rate = 1e-4
    head_rate: Rate = 1e-3
    warmup: Share = 0.06
    words: Count = 4000
    windows: Annotated[tuple[Window, ...], Field(min_length=1)] = (128,)
    window: Window = 128
    average: Share = 0.995
    rounding: bool = False
    teacher: str = ""
    opinion: Share = 0.5
    roles: Annotated[float, Field(ge=0)] = 0.1
    seed: int = 0

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads that are trained, in a fixed order."""
        used = {source.head for source in self.train}
        return tuple(head for head in HEADS if head in used)

    @property
    def base(self) -> Path:
        """The folder that the tokenizer comes from."""
        return Path(self.start or self.encoder)

    def to_dict(self) -> dict[str, Any]:
        """Return what :func:`recipe_of` reads."""
        return asdict(self)


def read_recipe(path: Path) -> dict[str, Any]:
    """Read a recipe file.

    :param path: A YAML file with the fields of :class:`Recipe`.
    :return: Its content.
    :raises ConfigurationError: If it cannot be read.
    """
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigurationError(f"{path}: cannot be read ({error})") from None
    if not isinstance(raw, dict):
        raise ConfigurationError(f"{path}: a recipe is a table of settings")
    return raw


def recipe_of(raw: dict[str, Any], where: str = "recipe") -> Recipe:
    """Make a recipe of what a file or the command line says.

    :param raw: Fields of :class:`Recipe`; ``train`` and ``dev`` are lists of tables.
    :param where: What to name in an error.
    :return: The recipe.
    :raises ConfigurationError: If a field is unknown, missing or has a wrong value.
    """
    try:
        recipe = TypeAdapter(Recipe).validate_python(raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ", ".join(str(part) for part in first["loc"])
        raise ConfigurationError(f"{where}: {place}: {first['msg']}") from None
    if not recipe.encoder and not recipe.start:
        raise ConfigurationError(
            f"{where}: give encoder, or as start the folder of a finished model"
        )
    for source in recipe.dev:
        if source.head not in recipe.heads:
            raise ConfigurationError(
                f"{where}: dev has notes of head {source.head}, train has none"
            )
    return recipe
