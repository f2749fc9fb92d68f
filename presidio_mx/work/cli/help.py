"""The program's help and refusals in the user's language.

Typer has no catalogue of Spanish: its headings are fixed strings of a module, the rest
is said by its commands and its errors.
"""

import os
from pathlib import Path
from typing import Any

import typer
from typer import rich_utils
from typer.core import TyperCommand, TyperGroup

from presidio_mx.errors import ConfigurationError
from presidio_mx.work.cli.text import say, speaks_spanish

_HEADINGS = {
    "DEFAULT_STRING": "[por omisión: {}]",
    "REQUIRED_LONG_STRING": "[obligatorio]",
    "ARGUMENTS_PANEL_TITLE": "Argumentos",
    "OPTIONS_PANEL_TITLE": "Opciones",
    "COMMANDS_PANEL_TITLE": "Órdenes",
}

_ADDED = {
    "help": ("Show this help.", "Muestra esta ayuda."),
    "install_completion": (
        "Install completion for this shell.",
        "Instala el autocompletado en este intérprete de órdenes.",
    ),
    "show_completion": (
        "Print the completion for this shell.",
        "Imprime el autocompletado de este intérprete de órdenes.",
    ),
}

MODEL_OPTION = "--ner"
_FROM_THE_SHELL = ("/dev/fd/", "/dev/std", "/dev/null", "/proc/self/fd/")
# Any wrong use of a command: what Typer's public error of this kind is derived from.
Refusal: Any = typer.BadParameter.__mro__[2]


class _Worded:
    """What every command says of itself, in the user's language."""

    def get_usage(self, ctx: Any) -> str:
        """Return how the command is called."""
        usage: str = super().get_usage(ctx)  # type: ignore[misc]
        if not speaks_spanish():
            return usage
        words = {"Usage:": "Uso:", "[OPTIONS]": "[OPCIONES]"}
        words |= {"COMMAND [ARGS]": "ORDEN [ARGUMENTOS]"}
        for english, spanish in words.items():
            usage = usage.replace(english, spanish)
        return usage

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options; those that Typer adds get words of ours."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            if parameter.name in _ADDED:
                parameter.help = say(*_ADDED[parameter.name])
        return parameters


class Command(_Worded, TyperCommand):
    """A command with its help in the user's language."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read a command line; refuse an empty path, which is the current folder.

        A pipe or device that somebody named by mistake would be read for ever.

        :raises ConfigurationError: Naming the argument.
        """
        empty = any(not each or each.endswith("=") for each in args)
        empty = empty and "." not in args
        rest: list[str] = super().parse_args(ctx, _several_models(args))
        places = {p.name for p in self.params if p.param_type_name == "argument"}
        for name, given in ctx.params.items():
            for value in given if isinstance(given, list) else [given]:
                if isinstance(value, Path) and value == Path() and empty:
                    raise ConfigurationError(f"{name.upper()}: an empty path")
                if isinstance(value, Path) or (name in places and value):
                    _refuse_endless(str(value))
        return rest


def _several_models(args: list[str]) -> list[str]:
    """Return a command line in which ``--ner a --ner b`` is ``--ner a,b``."""
    models: list[str] = []
    rest: list[str] = []
    words = iter(args)
    for word in words:
        name, equals, value = word.partition("=")
        if word == "--":
            rest += [word, *words]
        elif name != MODEL_OPTION:
            rest.append(word)
        else:
            models += [value] if equals else [next(words, "")]
    if len(models) < 2:
        return args
    return [f"{MODEL_OPTION}={','.join(models)}", *rest]


def _refuse_endless(value: str) -> None:
    """Refuse what is no file and no folder, but for what a shell makes: ``<(…)``."""
    plain = os.path.isfile(value) or os.path.isdir(value) or not os.path.exists(value)
    if not plain and not value.startswith(_FROM_THE_SHELL):
        raise ConfigurationError(f"{value}: must be a file")


class Group(_Worded, TyperGroup):
    """A group of commands with its help in the user's language."""


def speak(app: typer.Typer) -> None:
    """Give all commands of a program their words.

    :param app: The program; its groups and commands are there already.
    """
    if speaks_spanish():
        for name, words in _HEADINGS.items():
            setattr(rich_utils, name, words)
    for command in app.registered_commands:
        command.cls = Command
    for group in app.registered_groups:
        if group.typer_instance is not None:
            speak(group.typer_instance)
