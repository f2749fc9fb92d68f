"""Commands of ``presidio-mx evaluate``: score a corpus, compare, sample, review."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import typer

from presidio_mx.work.cli.evaluate_options import (
    BertModelOption,
    CoderOption,
    ComparisonOption,
    CountOption,
    FirstArgument,
    FormatOption,
    GoldArgument,
    GoldOption,
    HtmlOption,
    JsonOption,
    LevenshteinOption,
    LossOption,
    NotesArgument,
    PredictionsFormatOption,
    PredictionsOption,
    PresetOption,
    RewrittenOption,
    RoundsOption,
    SchemeOption,
    SecondArgument,
    SheetArgument,
    SheetOutputOption,
    SpacyOption,
    ThresholdOption,
    TopOption,
    WritePredictionsOption,
)
from presidio_mx.work.cli.help import Group
from presidio_mx.work.cli.options import NerOption, SeedOption, SensitivityOption
from presidio_mx.work.cli.text import say, tell, tell_problems

if TYPE_CHECKING:
    from presidio_mx.research.evaluation.rewriting import Likeness
    from presidio_mx.schemes import Scheme
    from presidio_mx.text.spans import Note

EXIT_PARTLY = 3
_SCORE = "score"


class _ScoreByDefault(Group):
    """Takes ``evaluate GOLD …`` as ``evaluate score GOLD …``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("--help", "-h"):
            args = [_SCORE, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_ScoreByDefault,
    no_args_is_help=True,
    help=say(
        "Score a corpus (evaluate GOLD …), compare systems, sample for review.",
        "Evalúa un corpus (evaluate CORPUS …), compara sistemas, muestrea.",
    ),
)


@app.command(
    _SCORE,
    help=say(
        "Score an analyzer, or predictions of any system, against gold.",
        "Evalúa un analizador, o predicciones de cualquier sistema.",
    ),
)
def score_command(
    gold: GoldArgument,
    form: FormatOption = "auto",
    scheme: SchemeOption = "native",
    preset: PresetOption = "mx",
    ner: NerOption = "auto",
    spacy_model: SpacyOption = "",
    sensitivity: SensitivityOption = "balanced",
    predictions: PredictionsOption = None,
    predictions_format: PredictionsFormatOption = "",
    write_predictions: WritePredictionsOption = None,
    rewritten: RewrittenOption = None,
    threshold: ThresholdOption = 0.7,
    levenshtein: LevenshteinOption = "indel",
    loss: LossOption = False,
    top: TopOption = 10,
    coder: CoderOption = None,
    bert_model: BertModelOption = None,
    html: HtmlOption = None,
    as_json: JsonOption = None,
    rounds: RoundsOption = 2000,
    seed: SeedOption = 1,
) -> None:
    """Score an analyzer, or the predictions of any system, against gold."""
    from presidio_mx.research.evaluation import run, tables
    from presidio_mx.research.evaluation.systems import run_engine

    named = cast("Scheme", scheme)
    notes, problems = run.read_gold(gold, form, named)
    outputs = run.free_outputs(write_predictions, html, as_json)
    made_by = None
    if predictions is not None:
        system = predictions.name
        found, more = run.read_predictions(
            predictions, predictions_format or form, named, notes
        )
        problems += more
    else:
        made_by = run.made_by(preset, ner)
        system = run.system_name(preset, ner)
        found = run_engine(notes, preset, ner, spacy_model, sensitivity)
    result = run.evaluate(notes, found, named, rounds, seed)
    if rewritten is not None:
        likeness = cast("Likeness", levenshtein)
        result = run.with_rewriting(
            result, rewritten, threshold, rounds, seed, likeness
        )
    if loss or bert_model is not None:
        result = run.with_loss(result, rewritten, coder, top, bert_model)
    tables.show(result)
    if made_by is not None:
        tell(str(made_by))
    about = run.about(system, gold, made_by)
    problems += run.write_outputs(result, outputs, about, made_by)
    _finish(problems)


@app.command(
    help=say(
        "Say which of two systems is better on the same notes.",
        "Dice cuál de dos sistemas es mejor en las mismas notas.",
    )
)
def compare(
    first: FirstArgument,
    second: SecondArgument,
    gold: GoldOption,
    form: FormatOption = "auto",
    scheme: SchemeOption = "native",
    predictions_format: PredictionsFormatOption = "",
    spacy_model: SpacyOption = "",
    html: ComparisonOption = None,
    rounds: RoundsOption = 2000,
    seed: SeedOption = 1,
) -> None:
    """Compare two systems with a paired bootstrap over notes."""
    from presidio_mx.research.evaluation import run, tables
    from presidio_mx.research.evaluation.compare import compare as compare_systems
    from presidio_mx.research.evaluation.systems import run_engine

    named = cast("Scheme", scheme)
    notes, problems = run.read_gold(gold, form, named)
    run.free_outputs(None, html, None)
    both: list[Sequence[Note]] = []
    for system in (first, second):
        if Path(system).exists():
            found, more = run.read_predictions(
                Path(system), predictions_format or form, named, notes
            )
            problems += more
        else:
            preset, _, ner = system.partition(":")
            found = run_engine(notes, preset, ner or "auto", spacy_model)
        both.append(found)
    result = compare_systems(notes, both[0], both[1], named, rounds, seed)
    tables.show_comparison(result, first, second)
    if html is not None:
        about = run.about(f"A: {first}; B: {second}", gold)
        run.write_comparison(html, result, notes, both, about)
    _finish(problems)


@app.command(
    help=say(
        "Draw notes for people to review and write the sheet for them.",
        "Elige notas al azar para revisión humana y escribe la hoja.",
    )
)
def sample(
    notes: NotesArgument,
    n: CountOption = 400,
    seed: SeedOption = 1,
    output: SheetOutputOption = Path("review.csv"),
) -> None:
    """Draw notes for people to review."""
    from presidio_mx.entities import thesis_tags
    from presidio_mx.research.corpora.pairs import read_texts
    from presidio_mx.research.evaluation import sample as sheets

    texts, problems = read_texts(notes)
    ids = sheets.draw(texts, n, seed)
    sheets.write_sheet(output, texts, ids, tuple(thesis_tags()))
    tell(
        say(
            f"{output}: {len(ids)} of {len(texts)} notes; contains their text",
            f"{output}: {len(ids)} de {len(texts)} notas; contiene su texto",
        )
    )
    _finish(problems)


@app.command(
    help=say(
        "Read a reviewed sheet back: share of notes with misses, by kind.",
        "Lee la hoja revisada: proporción de notas con fallas, por clase.",
    )
)
def review(
    sheet: SheetArgument,
) -> None:
    """Read a reviewed sheet back."""
    from presidio_mx.research.evaluation import sample as sheets
    from presidio_mx.research.evaluation import tables

    found = sheets.read_sheet(sheet)
    tables.show_review(found)
    _finish(list(found.problems))


def _finish(problems: list[Any]) -> None:
    tell_problems(problems)
    if problems:
        raise typer.Exit(EXIT_PARTLY)
