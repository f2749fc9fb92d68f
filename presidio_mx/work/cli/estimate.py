"""The command ``presidio-mx estimate``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from presidio_mx.work.cli.evaluate_options import FormatOption, SchemeOption
from presidio_mx.work.cli.options import (
    NerOption,
    PresetOption,
    SeedOption,
    argument,
    option,
)
from presidio_mx.work.cli.text import say, tell_problems

if TYPE_CHECKING:
    from presidio_mx.research.evaluation.estimate import Review
    from presidio_mx.research.evaluation.systems import Engine
    from presidio_mx.schemes import Scheme
    from presidio_mx.text.spans import Note

EXIT_PARTLY = 3
_DEPENDENT = 2.0
# What recall may be where nobody has looked: the plan is made for it.
_WORST = 0.95


def estimate(
    notes: Annotated[
        Path,
        argument(
            "Folder of .txt notes without marks.", "Carpeta de notas .txt sin marcas."
        ),
    ],
    reviewed: Annotated[
        Path | None,
        option(
            "Notes drawn from them that a person has marked without seeing ours.",
            "Notas de ellas que alguien marcó sin ver nuestras marcas.",
        ),
    ] = None,
    form: FormatOption = "auto",
    scheme: SchemeOption = "native",
    preset: PresetOption = "mx",
    ner: NerOption = "auto",
    n: Annotated[
        int,
        option(
            "Notes to read, drawn at random.", "Notas que se leen, al azar.", min=10
        ),
    ] = 400,
    seed: SeedOption = 1,
) -> None:
    """Estimate recall on notes that nobody has marked, by capture-recapture."""
    from presidio_mx.errors import ConfigurationError
    from presidio_mx.find.ner.choose import NONE, PUBLISHED, resolved
    from presidio_mx.research.corpora.pairs import read_texts
    from presidio_mx.research.evaluation import estimate as recapture
    from presidio_mx.research.evaluation import run, sample, tables
    from presidio_mx.research.evaluation.systems import (
        build_engine,
        model_engine,
        predict,
    )
    from presidio_mx.schemes import in_scheme
    from presidio_mx.text.spans import Note

    named = cast("Scheme", scheme)
    model = resolved(ner, preset)
    if preset in PUBLISHED or (model == NONE and reviewed is None):
        raise ConfigurationError(
            "estimate compares rules with a model, or both with a person: use the "
            "preset mx or es-ES with a model (--ner), or give --reviewed"
        )
    texts, problems = read_texts(notes)
    drawn = [Note(name, texts[name]) for name in sample.draw(texts, n, seed)]

    def read(those: "list[Note]", engine: "Engine") -> "list[Note]":
        return [in_scheme(note, named) for note in predict(engine, those)]

    found = parts = None
    if model != NONE:
        rules, alone = build_engine(preset, NONE), model_engine(preset, model)
        ours = read(drawn, rules)
        found = recapture.two_readers(ours, read(drawn, alone), seed=seed)
    if reviewed is None:
        tables.show_estimate(found, None)
        typer.echo(_plan(*recapture.notes_to_review(ours, _WORST)))
    else:
        marked, more = run.read_gold(reviewed, form, named)
        problems += more
        if model != NONE:
            parts = read(marked, rules), read(marked, alone)
        system = read(marked, build_engine(preset, model))
        review = recapture.review(marked, system, parts, seed)
        tables.show_estimate(found, review)
        _tell(review)
    tell_problems(problems)
    if problems:
        raise typer.Exit(EXIT_PARTLY)


def _plan(number: int, minutes: float) -> str:
    return say(
        f"Rules and model miss the same things, so the true recall is lower. To know "
        f"it to a point, have {number:,} notes marked (some {minutes:,.0f} minutes) "
        "and give them with --reviewed.",
        "Reglas y modelo omiten lo mismo, así que la exhaustividad real es menor. Para "
        f"saberla con un punto de margen, haga marcar {number:,} notas (unos "
        f"{minutes:,.0f} minutos) y delas con --reviewed.",
    )


def _tell(found: "Review") -> None:
    """Print what the review took, and whether rules and model err together."""
    typer.echo(
        say(
            f"{found.notes:,} notes with {found.marks:,} marks were reviewed, some "
            f"{found.minutes:,.0f} minutes; they hold about {found.total.value:,.0f} "
            f"identifiers. For a point up and down: {found.more_notes:,} notes, some "
            f"{found.more_minutes:,.0f} minutes.",
            f"Se revisaron {found.notes:,} notas con {found.marks:,} marcas, unos "
            f"{found.minutes:,.0f} minutos; tienen unos {found.total.value:,.0f} "
            f"identificadores. Para un punto de margen: {found.more_notes:,} notas, "
            f"unos {found.more_minutes:,.0f} minutos.",
        )
    )
    if found.odds is not None:
        verdict = say(
            "they miss the same things, and without a reviewer recall looks too high"
            if found.odds > _DEPENDENT
            else "they err almost independently",
            "omiten lo mismo, y sin quien revise la exhaustividad parece mayor"
            if found.odds > _DEPENDENT
            else "yerran casi con independencia",
        )
        typer.echo(
            say(
                f"Odds ratio of rules and model: {found.odds:.1f} ({verdict}).",
                f"Razón de momios de reglas y modelo: {found.odds:.1f} ({verdict}).",
            )
        )
