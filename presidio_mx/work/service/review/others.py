"""The reviewers of a review: their names, and the others, who may be at work."""

import re
from collections.abc import Mapping

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.work.service.review.journal import read_journal
from presidio_mx.work.service.review.marks import NoteState, replay
from presidio_mx.work.service.review.project import Project

DECISIONS = "decisions"
TIMES = "times"
_REVIEWER = re.compile(r"[\w.-]{1,40}")


def check_reviewer(name: str) -> None:
    """Refuse a name that cannot name a file.

    :param name: Name of a reviewer.
    :raises ConfigurationError: If it cannot.
    """
    if not _REVIEWER.fullmatch(name) or name.startswith("."):
        raise ConfigurationError(
            "a reviewer's name has up to 40 letters, digits, dots and hyphens"
        )


class Others:
    """Reads the journals of a review.

    :param project: The notes.
    """

    def __init__(self, project: Project) -> None:
        """Read nothing yet."""
        self._project = project
        self._read: dict[str, tuple[int, Mapping[str, NoteState]]] = {}

    def names(self) -> list[str]:
        """Return the names of everybody who has a journal in this review."""
        folder = self._project.out / DECISIONS
        return sorted(path.stem for path in folder.glob("*.jsonl"))

    def states_of(self, other: str) -> Mapping[str, NoteState]:
        """Return the notes after a reviewer's decisions.

        :param other: Name of the reviewer.
        :raises InputError: If there is no such reviewer, or the journal is damaged.
        """
        if other not in self.names():
            raise InputError(f"there is no such reviewer in this review: {other}")
        path = self._project.out / DECISIONS / f"{other}.jsonl"
        size = path.stat().st_size  # lines are only added
        if other not in self._read or self._read[other][0] != size:
            states = replay(self._project.base, read_journal(path))
            self._read[other] = size, states
        return self._read[other][1]
