"""Print figures as tables."""

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

from presidio_mx.messages import say
from presidio_mx.research.evaluation.bootstrap import Interval
from presidio_mx.research.evaluation.compare import Comparison
from presidio_mx.research.evaluation.compare_report import verdict
from presidio_mx.research.evaluation.counts import Counts
from presidio_mx.research.evaluation.estimate import Estimate
from presidio_mx.research.evaluation.estimate import Review as Recapture
from presidio_mx.research.evaluation.loss import LossScores, Summary
from presidio_mx.research.evaluation.names import spoken
from presidio_mx.research.evaluation.rewriting import RewritingScores
from presidio_mx.research.evaluation.run import Evaluation
from presidio_mx.research.evaluation.sample import Review
from presidio_mx.research.evaluation.scores import Scores


def show(found: Evaluation) -> None:
    """Print an evaluation.

    :param found: The evaluation.
    """
    console = Console()
    console.print(_corpus_table(found.scores))
    console.print(_type_table(found.scores))
    if found.scores.tags:
        console.print(_tag_table(found.scores))
    if found.scores.meddocan is not None:
        console.print(_meddocan_table(found.scores))
    if found.rewriting is not None:
        console.print(_rewriting_table(found.rewriting))
        console.print(_grounded_table(found.rewriting))
    if found.loss is not None:
        console.print(_loss_table(found.loss))
        if found.loss.uncoded:
            console.print(
                say(
                    f"{found.loss.uncoded} notes without a category are in no figure "
                    "of clinical information loss.",
                    f"{found.loss.uncoded} notas sin categoría no cuentan en la "
                    "pérdida de información clínica.",
                )
            )
        if not found.loss.comparable:
            console.print(
                say(
                    f"Clinical information loss by the {found.loss.coder}: not "
                    "comparable with figures of papers.",
                    f"Pérdida de información clínica según {found.loss.coder}: no "
                    "comparable con cifras de artículos.",
                )
            )


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if i else "left")
    return table


def _interval(found: Interval) -> tuple[str, str]:
    return _share(found.value), f"{_share(found.low)} – {_share(found.high)}"


def _share(value: float) -> str:
    return f"{100 * value:.2f}"


def _between() -> str:
    return say("95 % interval", "intervalo de 95 %")


def _corpus_table(scores: Scores) -> Table:
    title = say(f"{len(scores.notes)} notes, per cent", f"{len(scores.notes)} notas, %")
    table = _table(title, say("measure", "medida"), "%", _between())
    for name, found in scores.intervals.items():
        table.add_row(spoken(name), *_interval(found))
    return table


def _type_table(scores: Scores) -> Table:
    table = _table(
        say("By type and role", "Por tipo y papel"),
        say("type", "tipo"),
        "n",
        say("covered", "cubiertos"),
        "P",
        "R",
        "F1",
    )
    for name, counts in scores.exact_by_type.items():
        covered = scores.covered_by_type.get(name)
        whole = "0" if covered is None else f"{covered.whole:.0f}"
        hidden = "" if covered is None else _share(covered.value)
        table.add_row(name, whole, hidden, *_prf(counts))
    for role, share in scores.covered_by_role.items():
        table.add_row(
            f"PERSON: {spoken(role)}", f"{share.whole:.0f}", _share(share.value)
        )
    return table


def _tag_table(scores: Scores) -> Table:
    title = say(
        "Tags counted, as in the thesis's Table 5.1 (names of staff left out)",
        "Etiquetas contadas, como en la tabla 5.1 de la tesis (sin el personal)",
    )
    if scores.scheme == "adap":
        title = say("Tags counted, as for ADAP", "Etiquetas contadas, como para ADAP")
    table = _table(
        title, say("tag", "etiqueta"), "n", say("found", "halladas"), "P", "R", "F1"
    )
    for name, counts in scores.tags.items():
        whole = f"{counts.tp + counts.fn:.0f}"
        table.add_row(name, whole, f"{counts.tp:.0f}", *_prf(counts))
    return table


def _prf(counts: Counts) -> tuple[str, str, str]:
    return _share(counts.precision), _share(counts.recall), _share(counts.f1)


def _meddocan_table(scores: Scores) -> Table:
    table = _table("MEDDOCAN", say("task", "tarea"), "P", "R", "F1")
    found = scores.meddocan
    if found is not None:
        table.add_row(say("1, entities", "1, entidades"), *_prf(found.entities))
        table.add_row(say("2, strict", "2, estricta"), *_prf(found.strict))
        table.add_row(say("2, merged", "2, unida"), *_prf(found.merged))
        table.add_row(say("body alone, 1", "solo cuerpo, 1"), *_prf(found.body))
        table.add_row(say("body alone, 2", "solo cuerpo, 2"), *_prf(found.body_strict))
        leak = say("leak a sentence", "fugas por oración")
        table.add_row(leak, "", "", f"{found.leak:.4f}")
    return table


def _rewriting_table(found: RewritingScores) -> Table:
    title = say("Recall in rewritten text", "Exhaustividad en el texto reescrito")
    left = say("by chance left", "quedan por azar")
    table = _table(title, say("measure", "medida"), "%", _between(), left)
    table.add_row(say("matching", "coincidencia"), *_interval(found.matching), "")
    name = f"Levenshtein < {found.threshold:g} ({found.likeness})"
    table.add_row(name, *_interval(found.levenshtein), "")
    for threshold, value in found.curve.items():
        chance = found.chance.get(threshold)
        reached = "" if chance is None else _share(chance)
        table.add_row(f"  < {threshold:.2f}", _share(value), "", reached)
    return table


def _grounded_table(found: RewritingScores) -> Table:
    title = say(
        "Thresholds that chance reaches for 1 % at most",
        "Umbrales que el azar alcanza en 1 % como máximo",
    )
    recall = say("recall there", "exhaustividad ahí")
    table = _table(title, say("type", "tipo"), say("threshold", "umbral"), recall)
    for name, grounded in found.grounded.items():
        table.add_row(name, f"{grounded.threshold:.2f}", _share(grounded.recall))
    return table


def _loss_table(found: LossScores) -> Table:
    table = _table(
        say("What is lost", "Qué se pierde"),
        say("measure", "medida"),
        say("median", "mediana"),
        say("quartiles", "cuartiles"),
        "min",
        "max",
        "n",
    )
    for name, s in found.summaries.items():
        quartiles = f"{s.lower:.3f} – {s.upper:.3f}"
        row = (f"{s.median:.3f}", quartiles, f"{s.least:.3f}", f"{s.most:.3f}")
        table.add_row(name, *row, str(s.n))
    return table


def show_comparison(found: Comparison, first: str, second: str) -> None:
    """Print a comparison.

    :param found: The comparison.
    :param first: Name of the first system.
    :param second: Name of the second.
    """
    table = _table(
        say(
            f"A: {first}; B: {second}; {len(found.first.notes)} notes",
            f"A: {first}; B: {second}; {len(found.first.notes)} notas",
        ),
        say("measure", "medida"),
        "A",
        "B",
        "A - B",
        _between(),
        "p",
        say("verdict", "veredicto"),
    )
    for name, d in found.differences.items():
        table.add_row(
            spoken(name),
            _share(found.first.intervals[name].value),
            _share(found.second.intervals[name].value),
            f"{100 * d.value:+.2f}",
            f"{100 * d.low:+.2f} – {100 * d.high:+.2f}",
            f"{d.p:.3f}",
            verdict(found.better(name)),
        )
    Console().print(table)


def show_review(found: Review) -> None:
    """Print what reviewers found.

    :param found: The review.
    """
    title = say(
        f"{found.notes} notes reviewed, {found.unread} not",
        f"{found.notes} notas revisadas, {found.unread} no",
    )
    table = _table(
        title, say("failure", "falla"), say("left", "restan"), "%", _between()
    )
    some = say("some miss", "alguna falla")
    table.add_row(some, str(sum(found.missed.values())), *_interval(found.failing))
    who = say("a person can be identified", "persona identificable")
    table.add_row(who, "", *_interval(found.identifiable))
    for kind, share in found.by_kind.items():
        table.add_row(kind, str(found.missed[kind]), *_interval(share))
    Console().print(table)
    if found.lengths:
        Console().print(_length_table(found.lengths))


def show_estimate(found: Estimate | None, review: Recapture | None) -> None:
    """Print how many identifiers are found, as far as it can be told without gold.

    :param found: What rules and model say of one another.
    :param review: What a reviewed sample says of both together.
    """
    title = say("Recall without gold", "Exhaustividad sin corpus de referencia")
    table = _table(title, say("who, by whose marks", "quién, según quién"), "%")
    table.add_column(_between(), justify="right")
    if found is not None:
        rules = say("rules, by the model's marks", "reglas, según el modelo")
        either = say("both, at most", "ambos, cuando mucho")
        table.add_row(rules, *_interval(found.recall))
        table.add_row(either, *_interval(found.either))
    if review is not None:
        some = say("system, by the reviewer: found", "sistema, según quien leyó: halla")
        whole = say("    covered whole", "    cubre por completo")
        table.add_row(some, *_interval(review.found))
        table.add_row(whole, *_interval(review.covered))
    Console().print(table)


def _length_table(lengths: Mapping[str, Summary]) -> Table:
    table = _table(
        say("Words in a note", "Palabras por nota"),
        say("notes", "notas"),
        "n",
        say("median", "mediana"),
        say("quartiles", "cuartiles"),
    )
    names = {
        "with a miss": say("with a miss", "con falla"),
        "without": say("without", "sin"),
    }
    for name, s in lengths.items():
        quartiles = f"{s.lower:.0f} – {s.upper:.0f}"
        table.add_row(names[name], str(s.n), f"{s.median:.0f}", quartiles)
    return table
