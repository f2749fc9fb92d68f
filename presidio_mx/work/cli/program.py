"""The command line: one program, its sub-commands beside the code they belong to."""

import os
import sys
import warnings
from collections.abc import Iterable
from importlib import import_module
from typing import Annotated, Any

import typer

import presidio_mx
from presidio_mx.errors import InputError, PresidioMxError, reason
from presidio_mx.messages import localized
from presidio_mx.work.cli.commands import COMMANDS
from presidio_mx.work.cli.help import Group, Refusal, speak
from presidio_mx.work.cli.options import option
from presidio_mx.work.cli.text import say

EXIT_FAULT = 1
EXIT_USAGE = 2
EXIT_INPUT = 3
EXIT_INTERRUPTED = 130
_PROGRAM = "presidio-mx"


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    _tell(str(message))


def _tell(sentence: str) -> None:
    # A name may have a line end in it, or what is no letter in any encoding.
    sentence = localized(sentence).encode("utf-8", "backslashreplace").decode()
    sentence = sentence.replace("\n", "\\n").replace("\r", "\\r")
    typer.echo(f"{_PROGRAM}: {sentence}", err=True)


app = typer.Typer(
    name=_PROGRAM,
    help=say(
        "De-identify clinical notes in Mexican Spanish.",
        "Desidentifica notas clínicas en español de México.",
    ),
    cls=Group,
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
        option(
            "Print the version.",
            "Imprime la versión.",
            "--version",
            callback=_print_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Options of the program itself."""


def _mount() -> None:
    """Add the commands of the other packages."""
    train = typer.Typer(
        cls=Group,
        no_args_is_help=True,
        help=say("Train models and vectors.", "Entrena modelos y vectores."),
    )
    for command in COMMANDS:
        name = command.function.removeprefix(f"{command.group}_").replace("_", "-")
        target = train if command.group else app
        words = say(command.english, command.spanish)
        target.command(name, help=words)(command.load())
    app.add_typer(train, name="train")
    app.add_typer(import_module("presidio_mx.work.cli.service").app)
    app.add_typer(import_module("presidio_mx.work.cli.keys").app, name="key")
    surrogates = import_module("presidio_mx.work.cli.surrogates").app
    app.add_typer(surrogates, name="surrogates")
    app.add_typer(import_module("presidio_mx.work.cli.corpus").app, name="corpus")
    app.add_typer(import_module("presidio_mx.work.cli.evaluate").app, name="evaluate")
    speak(app)


_mount()


def main(arguments: list[str] | None = None) -> None:
    """Run the program; what a user can act on is one sentence and an exit code.

    :param arguments: The command line without the program's name.
    """
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        sys.exit(_run(arguments))


def _run(arguments: list[str] | None) -> int:
    """Run the program and return its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    for number, argument in enumerate(given, start=1):
        if any("\ud800" <= letter <= "\udfff" for letter in argument):
            return _refuse(
                [f"argument {number} is not UTF-8; rename the file"], EXIT_USAGE
            )
    try:
        code = int(app(arguments, standalone_mode=False) or 0)
        if code == EXIT_INTERRUPTED:  # newer typer says nothing of it
            raise KeyboardInterrupt
        return code
    except InputError as error:
        return _refuse([str(error)], EXIT_INPUT)
    except PresidioMxError as error:
        return _refuse(getattr(error, "problems", [str(error)]), EXIT_USAGE)
    except Refusal as error:
        return _misused(error)
    except (KeyboardInterrupt, typer.Abort):
        return _refuse([say("interrupted", "interrumpido")], EXIT_INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAULT
    except OSError as error:
        said = error.strerror or type(error).__name__
        name = "" if error.filename is None else f"{error.filename}: "
        return _refuse([f"{name}{said}"], EXIT_USAGE)
    except Exception as error:
        # A traceback ends with a message, which may quote the note.
        said = reason(error)
        fault = f"a fault of this program: {said}; please report it"
        return _refuse([fault], EXIT_FAULT)


def _refuse(sentences: Iterable[str], code: int) -> int:
    for sentence in sentences:
        _tell(sentence)
    return code


def _misused(error: Any) -> int:
    """Say what is wrong with a command line, or show the help where it is empty."""
    said, context = error.format_message(), error.ctx
    if type(error).__name__ == "NoArgsIsHelpError":
        if said.strip():
            typer.echo(said)
        return EXIT_USAGE
    path = _PROGRAM if context is None else context.command_path
    _tell(said.rstrip("."))
    return _refuse([say(f"see {path} --help", f"vea {path} --help")], EXIT_USAGE)


if __name__ == "__main__":
    main()
