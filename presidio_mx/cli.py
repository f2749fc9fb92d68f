"""The command line: one program, its sub-commands beside the code they belong to."""

import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from presidio_mx.cli_options import (
    KeyOption,
    NerOption,
    OperatorsOption,
    PeopleOption,
    PresetOption,
    SensitivityOption,
    SiteOption,
)
from presidio_mx.cli_text import read_note, say
from presidio_mx.errors import InputError, PresidioMxError
from presidio_mx.service.cli import app as service

EXIT_USAGE = 2
EXIT_INPUT = 3
EXIT_INTERRUPTED = 130

app = typer.Typer(
    name="presidio-mx",
    help=say(
        "De-identify clinical notes in Mexican Spanish.",
        "Desidentifica notas clínicas en español de México.",
    ),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.add_typer(service)

FileArgument = Annotated[
    str,
    typer.Argument(
        help=say(
            "Note to read, plain text; - for standard input.",
            "Nota por leer, texto simple; - para la entrada estándar.",
        )
    ),
]
EncodingOption = Annotated[
    str | None,
    typer.Option(
        help=say("Encoding, if it is not found out.", "Codificación, si no se acierta.")
    ),
]


@app.command(
    help=say(
        "De-identify one note and print it.", "Desidentifica una nota y la imprime."
    )
)
def anonymize(
    file: FileArgument = "-",
    encoding: EncodingOption = None,
    operators: OperatorsOption = "tag",
    people: PeopleOption = "everyone",
    preset: PresetOption = "mx",
    ner: NerOption = "auto",
    site: SiteOption = None,
    sensitivity: SensitivityOption = "balanced",
    key_file: KeyOption = None,
    scope: Annotated[
        str,
        typer.Option(
            help=say(
                "Where a value keeps its surrogate: document, patient:ID, corpus.",
                "Dónde un valor conserva su sustituto: document, patient:ID, corpus.",
            )
        ),
    ] = "document",
    vault: Annotated[
        Path | None,
        typer.Option(
            help=say(
                "Encrypted file to which the originals are added (needs a key).",
                "Archivo cifrado al que se añaden los originales (requiere clave).",
            )
        ),
    ] = None,
) -> None:
    """De-identify one note and print it."""
    from presidio_mx.anonymizer.keys import Key, find_key
    from presidio_mx.pipeline import analyze_and_anonymize

    text = read_note(file, encoding)
    key = None if key_file is None else Key.from_file(key_file)
    if vault is not None:
        key = find_key(key, required=True)
    done = analyze_and_anonymize(
        text,
        operators,
        people=people,  # type: ignore[arg-type]
        preset=preset,
        ner=ner,
        site=site,
        key=key,
        scope=scope,
        sensitivity=sensitivity,
    )
    if vault is not None and key is not None:
        from presidio_mx.anonymizer.vault import (
            add_to_vault,
            document_id,
            make_record,
        )

        name = "" if file == "-" else document_id(vault, file)  # else its text decides
        add_to_vault(vault, [make_record(name, text, done)], key)
    _write(done.text)


@app.command(
    help=say(
        "Show what would be found in a note.", "Muestra lo que se halla en una nota."
    )
)
def analyze(
    file: FileArgument = "-",
    encoding: EncodingOption = None,
    people: PeopleOption = "everyone",
    preset: PresetOption = "mx",
    ner: NerOption = "auto",
    site: SiteOption = None,
    sensitivity: SensitivityOption = "balanced",
    as_json: Annotated[
        bool, typer.Option("--json", help=say("Print JSON.", "Imprime JSON."))
    ] = False,
) -> None:
    """Show what would be found in a note."""
    from presidio_mx.pipeline import analyze as find

    text = read_note(file, encoding)
    results = find(
        text,
        people=people,  # type: ignore[arg-type]
        preset=preset,
        ner=ner,
        site=site,
        sensitivity=sensitivity,
    )
    rows = [
        {
            "entity_type": result.entity_type,
            "start": result.start,
            "end": result.end,
            "score": round(result.score, 4),
            "text": text[result.start : result.end],
            "role": (result.recognition_metadata or {}).get("role", ""),
            "rule": (result.recognition_metadata or {}).get("rule", ""),
        }
        for result in results
    ]
    if as_json:
        _write(json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
    else:
        _print_table(list(rows[0]) if rows else ["entity_type"], rows)


@app.command(
    help=say("List the entities that are found.", "Lista las entidades que se hallan.")
)
def entities(preset: PresetOption = "mx", site: SiteOption = None) -> None:
    """List the entities that are found."""
    from presidio_mx.analyzer.engine import mx_recognizers

    rows = [
        {"entity": entity, "recognizer": type(recognizer).__name__}
        for recognizer in mx_recognizers(preset, site)
        for entity in recognizer.supported_entities
    ]
    _print_table(["entity", "recognizer"], sorted(rows, key=lambda row: row["entity"]))


@app.command(help=say("List the recognizers.", "Lista los reconocedores y sus reglas."))
def recognizers(preset: PresetOption = "mx", site: SiteOption = None) -> None:
    """List the recognizers."""
    from presidio_mx.analyzer.preset import load_preset

    rows = [
        {
            "recognizer": file.recognizer,
            "entity": file.entity,
            "file": file.path.name,
            "rules": str(len(file.rules)),
        }
        for file in load_preset(preset, None if site is None else str(site)).files
    ]
    _print_table(["recognizer", "entity", "file", "rules"], rows)


@app.command(
    help=say(
        "Check a site's own lists and rules.",
        "Revisa las listas y reglas del hospital.",
    )
)
def check(
    site: Annotated[
        Path,
        typer.Option(help=say("The site's folder.", "Carpeta del hospital.")),
    ],
    preset: PresetOption = "mx",
) -> None:
    """Check a site's own lists and rules."""
    from presidio_mx.analyzer.check import check_site

    problems = check_site(site, preset)
    for problem in problems:
        typer.echo(problem, err=True)
    if problems:
        raise typer.Exit(EXIT_USAGE)
    typer.echo(say(f"{site}: no errors", f"{site}: sin errores"))


def _print_table(columns: list[str], rows: list[dict[str, Any]]) -> None:
    table = Table(*columns)
    for row in rows:
        table.add_row(*(str(row.get(column, "")) for column in columns))
    Console().print(table)


def _write(text: str) -> None:
    """Write a note to standard output as UTF-8, lone surrogates included."""
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))
    sys.stdout.buffer.flush()


def main(arguments: list[str] | None = None) -> None:
    """Run the program; turn errors of ours into one sentence and an exit code.

    :param arguments: The command line without the program's name.
    """
    try:
        app(arguments, standalone_mode=True)
    except InputError as error:
        typer.echo(f"presidio-mx: {error}", err=True)
        sys.exit(EXIT_INPUT)
    except PresidioMxError as error:
        typer.echo(f"presidio-mx: {error}", err=True)
        sys.exit(EXIT_USAGE)
    except KeyboardInterrupt:
        typer.echo(
            say("presidio-mx: interrupted", "presidio-mx: interrumpido"), err=True
        )
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


# Sub-commands stand beside the code they belong to; their modules import nothing heavy.
_COMMANDS = (
    ("presidio_mx.batch.cli", "batch", None),
    ("presidio_mx.batch.triage", "triage", None),
    ("presidio_mx.anonymizer.cli", "reidentify", None),
    ("presidio_mx.anonymizer.cli", "decrypt", None),
    ("presidio_mx.anonymizer.cli", "obfuscate", None),
    ("presidio_mx.corpora.synthesis_cli", "synthesize", None),
    ("presidio_mx.evaluation.hits_cli", "rules", None),
    ("presidio_mx.anonymizer.cli", "train_embeddings", "train"),
    ("presidio_mx.training.cli", "train_crf", "train"),
    ("presidio_mx.training.cli", "train_bilstm_crf", "train"),
    ("presidio_mx.training.transformer_cli", "train_transformer", "train"),
    ("presidio_mx.training.transformer_cli", "train_fusion", "train"),
    ("presidio_mx.training.transformer_cli", "train_calibration", "train"),
)


def _mount() -> None:
    """Add the commands of the other packages."""
    groups: dict[str, typer.Typer] = {}
    for module, function, group in _COMMANDS:
        command: Callable[..., Any] = getattr(import_module(module), function)
        target, name = app, function.replace("_", "-")
        if group:
            if group not in groups:
                groups[group] = typer.Typer(
                    help=say("Train models and vectors.", "Entrena modelos y vectores.")
                )
                app.add_typer(groups[group], name=group)
            target, name = groups[group], name.removeprefix(f"{group}-")
        target.command(name)(command)
    app.add_typer(import_module("presidio_mx.service.cli").app)
    app.add_typer(import_module("presidio_mx.anonymizer.key_cli").app, name="key")
    app.add_typer(import_module("presidio_mx.corpora.cli").app, name="corpus")
    app.add_typer(import_module("presidio_mx.evaluation.cli").app, name="evaluate")


_mount()

if __name__ == "__main__":
    main()
