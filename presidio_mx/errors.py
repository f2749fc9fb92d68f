"""Errors that a user can act on: one sentence that names the thing and the way out."""


class PresidioMxError(ValueError):
    """Base class of every error this package raises on purpose."""


class ConfigurationError(PresidioMxError):
    """A rule, profile, list or parameter is wrong; names file, entry and reason."""


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
            f"{feature} needs an optional dependency: "
            f"pip install 'presidio-mx[{extra}]'"
        )
