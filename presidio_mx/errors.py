"""Errors that a user can act on: one sentence that names the thing and the way out."""

import os
import traceback
from collections.abc import Iterable
from difflib import get_close_matches


class PresidioMxError(ValueError):
    """Base class of every error this package raises on purpose."""


class ConfigurationError(PresidioMxError):
    """A rule, profile, list or parameter is wrong; names file, entry and reason.

    :param problems: One sentence for each thing that is wrong.
    """

    def __init__(self, *problems: str) -> None:
        """Keep the sentences one by one, too."""
        super().__init__("\n".join(problems))
        self.problems = problems


def unknown(value: object, known: Iterable[str]) -> str:
    """Return the end of a sentence about a name that is none of those known.

    :param value: The name.
    :param known: The names there are.
    :return: For instance ``'rol'; did you mean 'role'? There are mark, name, role``.
    """
    names = sorted(known)
    near = get_close_matches(str(value), names, n=1)
    guess = f"; did you mean {near[0]!r}?" if near else "."
    return f"{value!r}{guess} There are {', '.join(names)}"


def install_line(extra: str) -> str:
    """Return how to install an extra; it takes no index that has this package.

    :param extra: Name of the extra.
    """
    return f"install it with: pip install 'presidio-mx[{extra}]'"


class InputError(PresidioMxError):
    """The text, file or row given cannot be processed; never quotes the text."""


class MissingExtraError(PresidioMxError, ImportError):
    """An optional dependency is not installed; names the extra to install.

    :param feature: What the user wanted to do.
    :param extra: The extra of presidio-mx that brings it.
    """

    def __init__(self, feature: str, extra: str) -> None:
        """Write the message."""
        super().__init__(
            f"{feature} needs an optional dependency; {install_line(extra)}"
        )


def reason(error: BaseException) -> str:
    """Return why something failed, in words that hold nothing of a note.

    Messages of this package quote no text; of any other error only the type and the
    place in the code are told.

    :param error: The error.
    :return: One sentence.
    """
    if isinstance(error, PresidioMxError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = ""
    if frames:
        place = f" at {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}"
    return f"{type(error).__name__}{place}"
