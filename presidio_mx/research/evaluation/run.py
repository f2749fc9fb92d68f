"""The steps of an evaluation, as the command line takes them."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path

from presidio_mx import __version__
from presidio_mx.errors import InputError
from presidio_mx.find.ner.choose import NONE, resolved
from presidio_mx.made_by import Provenance, provenance
from presidio_mx.research.corpora.onefile import write_file
from presidio_mx.research.corpora.pairs import Pair, read_texts
from presidio_mx.research.corpora.store import read_corpus, write_corpus
from presidio_mx.research.evaluation import report
from presidio_mx.research.evaluation.coding import classifier_coder, lexical_coder
from presidio_mx.research.evaluation.compare import Comparison
from presidio_mx.research.evaluation.compare_report import render_comparison
from presidio_mx.research.evaluation.loss import LossScores, loss_scores
from presidio_mx.research.evaluation.page import About
from presidio_mx.research.evaluation.rewriting import (
    LIKENESS,
    Likeness,
    RewritingScores,
    rewriting_scores,
)
from presidio_mx.research.evaluation.scores import Scores, paired, score
from presidio_mx.research.evaluation.systems import STOCK, tagged_text
from presidio_mx.schemes import Scheme
from presidio_mx.text.spans import Note


@dataclass(frozen=True)
class Evaluation:
    """A system's predictions and all that was measured of them.

    :param pairs: Notes with gold and with predicted spans, named by the scheme.
    :param scores: Scores of the spans.
    :param rewriting: Scores of rewritten text, if there was any.
    :param loss: What was lost, if asked for.
    """

    pairs: list[tuple[Note, Note]]
    scores: Scores
    rewriting: RewritingScores | None = None
    loss: LossScores | None = None


@dataclass(frozen=True)
class Outputs:
    """Where to write what.

    :param predictions: Folder for brat files.
    :param html: The report.
    :param figures: The figures as JSON.
    """

    predictions: Path | None
    html: Path | None
    figures: Path | None


def read_gold(path: Path, form: str, scheme: Scheme) -> tuple[list[Note], list[str]]:
    """Read a gold corpus.

    :param path: Folder or file.
    :param form: Its format.
    :param scheme: How to name types.
    :return: Notes, and a sentence for each problem.
    :raises InputError: If no note could be read, or none has an annotation.
    """
    corpus = read_corpus(path, form, scheme)
    annotated = any(note.spans for note in corpus.notes)
    if not annotated and (corpus.problems or not corpus.notes):
        first = str(corpus.problems[0]) if corpus.problems else "it is empty"
        raise InputError(f"{path}: no annotation could be read; {first}")
    if not annotated:
        raise InputError(
            f"{path}: none of its {len(corpus.notes)} notes has an annotation in the "
            f"format {form!r}, so that there is nothing to score against; name another "
            "--format or annotate them first"
        )
    return list(corpus.notes), [str(problem) for problem in corpus.problems]


def read_predictions(
    path: Path, form: str, scheme: Scheme, gold: Sequence[Note]
) -> tuple[list[Note], list[str]]:
    """Read the predictions of any system.

    :param path: Folder or file.
    :param form: Its format.
    :param scheme: How to name types.
    :param gold: The gold notes, whose texts serve where predictions have none.
    :return: Notes, and a sentence for each problem; gold notes without predictions are
        named, and count as notes in which nothing was found.
    :raises InputError: If no prediction belongs to a gold note.
    """
    corpus = read_corpus(path, form, scheme, {note.id: note.text for note in gold})
    problems = [str(problem) for problem in corpus.problems]
    known = {note.id for note in corpus.notes}
    missing = [note.id for note in gold if note.id not in known]
    if len(missing) == len(gold):
        raise InputError(
            f"{path}: no prediction has the name of a gold note, such as {gold[0].id!r}"
        )
    problems += [
        f"{path}: no predictions for note {name}; counted as nothing found"
        for name in missing
    ]
    return list(corpus.notes), problems


def system_name(preset: str, ner: str) -> str:
    """Return what to call a system of ours: its preset and its model.

    :param preset: A preset, or ``stock``.
    :param ner: Which model, as the user said.
    """
    chosen = NONE if preset == STOCK else resolved(ner, preset)
    return preset if chosen == NONE else f"{preset}, {chosen}"


def made_by(preset: str, ner: str) -> Provenance | None:
    """Return versions, model and rules' hash of a system of ours; None for stock.

    :param preset: A preset, or ``stock``.
    :param ner: Which model, as the user said.
    """
    return None if preset == STOCK else provenance(preset, ner)


def evaluate(
    gold: Sequence[Note],
    predicted: Sequence[Note],
    scheme: Scheme,
    rounds: int,
    seed: int,
) -> Evaluation:
    """Score predicted spans.

    :param gold: Notes with gold spans.
    :param predicted: The same with predicted spans.
    :param scheme: How to name types.
    :param rounds: Bootstrap samples for the intervals.
    :param seed: Seed of the samples.
    :return: The evaluation.
    """
    scores = score(gold, predicted, scheme, rounds, seed)
    return Evaluation(paired(gold, predicted, scheme), scores)


def with_rewriting(
    found: Evaluation,
    folder: Path,
    threshold: float,
    rounds: int,
    seed: int,
    likeness: Likeness = LIKENESS,
) -> Evaluation:
    """Add the scores of rewritten notes.

    :param found: The evaluation so far.
    :param folder: Rewritten notes, named as the gold notes.
    :param threshold: Levenshtein ratio from which an identifier counts as left.
    :param rounds: Bootstrap samples for the intervals.
    :param seed: Seed of the samples.
    :param likeness: ``indel`` or ``equation``.
    :return: The evaluation with them.
    """
    texts, problems = read_texts(folder)
    if problems:
        raise InputError(problems[0])
    gold = [note for note, _ in found.pairs]
    scores = rewriting_scores(gold, texts, threshold, rounds, seed, likeness)
    return replace(found, rewriting=scores)


def with_loss(
    found: Evaluation,
    folder: Path | None,
    coder: Path | None,
    top: int,
    bert_model: Path | None,
) -> Evaluation:
    """Add what was lost.

    :param found: The evaluation so far.
    :param folder: Rewritten notes; without, spans are replaced by their types.
    :param coder: Folder of a classifier; without, the lexical coder.
    :param top: How many categories of each note.
    :param bert_model: Folder of a model for BERTScore.
    :return: The evaluation with it.
    """
    if folder is None:
        texts = {other.id: tagged_text(other) for _, other in found.pairs}
    else:
        texts, _ = read_texts(folder)
    pairs = [
        Pair(note.id, note.text, texts[note.id])
        for note, _ in found.pairs
        if note.id in texts
    ]
    chosen = lexical_coder() if coder is None else classifier_coder(coder)
    return replace(found, loss=loss_scores(pairs, chosen, top, bert_model))


def free_outputs(
    predictions: Path | None, html: Path | None, figures: Path | None
) -> Outputs:
    """Make sure before a long run that nothing would be overwritten.

    :param predictions: Folder for brat files.
    :param html: The report.
    :param figures: The figures.
    :return: The three.
    :raises InputError: If one exists.
    """
    for path in (predictions, html, figures):
        if path is not None and path.exists():
            raise InputError(f"{path} exists; it is not overwritten")
    return Outputs(predictions, html, figures)


def write_outputs(
    found: Evaluation, outputs: Outputs, about: About, made: Provenance | None = None
) -> list[str]:
    """Write what was asked for.

    :param found: The evaluation.
    :param outputs: Where to.
    :param about: System, data and date.
    :param made: What made the predictions, if it was an analyzer of ours.
    :return: A sentence for each note that could not be written.
    """
    problems: list[str] = []
    if outputs.predictions is not None:
        predicted = [other for _, other in found.pairs]
        problems = write_corpus(predicted, outputs.predictions, "brat")
    if outputs.html is not None:
        page = report.render(found.scores, found.pairs, about, found.rewriting)
        write_file(outputs.html, page.encode("utf-8", "replace"))
    if outputs.figures is not None:
        content = {
            **asdict(about),
            "made_by": None if made is None else made.record(),
            "scores": found.scores.to_dict(),
            "rewriting": None if found.rewriting is None else asdict(found.rewriting),
            "loss": None if found.loss is None else asdict(found.loss),
        }
        write_file(outputs.figures, [json.dumps(content, indent=1) + "\n"])
    return problems


def about(system: str, gold: Path, made: Provenance | None = None) -> About:
    """Return what a report says that it is about.

    :param system: What to call the system.
    :param gold: The annotated notes.
    :param made: What made the predictions, if it was an analyzer of ours.
    """
    made_by = f"presidio-mx {__version__}" if made is None else str(made)
    return About(system, str(gold), date.today().isoformat(), made_by)


def write_comparison(
    path: Path,
    found: Comparison,
    gold: Sequence[Note],
    both: Sequence[Sequence[Note]],
    told: About,
) -> None:
    """Write a page with two systems side by side.

    :param path: The new file.
    :param found: The comparison.
    :param gold: Notes with gold spans.
    :param both: The same notes as each of the systems marks them.
    :param told: Systems, data and date.
    """
    first, second = (paired(gold, side, found.first.scheme) for side in both)
    page = render_comparison(found, first, second, told)
    write_file(path, page.encode("utf-8", "replace"))
