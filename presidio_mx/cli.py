"""The command line: one program, its sub-commands beside the code they belong to."""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Annotated, Any

import typer

import presidio_mx
from presidio_mx.cli_commands import COMMANDS
from presidio_mx.cli_text import say
from presidio_mx.errors import InputError, PresidioMxError

EXIT_USAGE = 2
EXIT_INPUT = 3
EXIT_INTERRUPTED = 130
_PROGRAM = "presidio-mx"


@contextmanager
def _one_sentence() -> Iterator[None]:
    """Turn errors that a user can act on into a sentence and an exit code."""
    try:
        yield
    except PresidioMxError as error:
        for line in str(error).splitlines():
            _tell(line)
        code = EXIT_INPUT if isinstance(error, InputError) else EXIT_USAGE
        sys.exit(code)
    except KeyboardInterrupt:
        _tell(say("interrupted", "interrumpido"))
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    _tell(str(message))


def _tell(sentence: str) -> None:
    typer.echo(f"{_PROGRAM}: {sentence}", err=True)


app = typer.Typer(
    name=_PROGRAM,
    help=say(
        "De-identify clinical notes in Mexican Spanish.",
        "Desidentifica notas clínicas en español de México.",
    ),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"{_PROGRAM} {presidio_mx.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help=say("Print the version.", "Imprime la versión."),
        ),
    ] = False,
) -> None:
    """Options of the program itself."""


def _mount() -> None:
    """Add the commands of the other packages."""
    train = typer.Typer(
        no_args_is_help=True,
        help=say("Train models and vectors.", "Entrena modelos y vectores."),
    )
    for command in COMMANDS:
        function = getattr(import_module(command.module), command.function)
        name = command.function.removeprefix(f"{command.group}_").replace("_", "-")
        target = train if command.group else app
        target.command(name, help=say(command.english, command.spanish))(function)
    app.add_typer(train, name="train")
    app.add_typer(import_module("presidio_mx.service.cli").app)
    app.add_typer(import_module("presidio_mx.anonymizer.key_cli").app, name="key")
    app.add_typer(import_module("presidio_mx.corpora.cli").app, name="corpus")
    app.add_typer(import_module("presidio_mx.evaluation.cli").app, name="evaluate")


_mount()


def main(arguments: list[str] | None = None) -> None:
    """Run the program; errors of ours are one sentence and an exit code.

    :param arguments: The command line without the program's name.
    """
    with _one_sentence(), warnings.catch_warnings():
        warnings.showwarning = _show_warning
        app(arguments, standalone_mode=True)


if __name__ == "__main__":
    main()
