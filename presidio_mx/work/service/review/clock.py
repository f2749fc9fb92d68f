"""How long a reviewer looked at each note, as the page measured it."""

import json
from pathlib import Path
from statistics import median
from typing import Any

from presidio_mx.private_file import open_private, private_folder

# What a page can have measured since it last told: it tells at least so often.
_MOST_SECONDS = 3600.0


class Clock:
    """Seconds by note, kept in a file to which lines are only added.

    :param path: The file; made when there is something to keep.
    """

    def __init__(self, path: Path) -> None:
        """Take up what the file holds; a line that was cut off counts for nothing."""
        self._path = path
        self.seconds: dict[str, float] = {}
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    row = json.loads(line)
                    self._count(str(row["note"]), float(row["seconds"]))
                except (ValueError, KeyError, TypeError):
                    continue

    def _count(self, note: str, seconds: float) -> None:
        self.seconds[note] = round(self.seconds.get(note, 0.0) + seconds, 1)

    def add(self, note: str, seconds: float) -> None:
        """Add time to a note.

        :param note: Identifier of the note.
        :param seconds: How long it was looked at.
        """
        seconds = min(max(seconds, 0.0), _MOST_SECONDS)
        private_folder(self._path.parent)
        with open_private(self._path, append=True) as file:
            row = json.dumps({"note": note, "seconds": round(seconds, 1)})
            file.write(row.encode() + b"\n")
        self._count(note, seconds)

    def figures(self, finished: list[str]) -> dict[str, Any]:
        """Return the time that finished notes took.

        :param finished: Their identifiers.
        :return: Seconds in all, and of the note in the middle; None without any.
        """
        taken = [self.seconds[note] for note in finished if note in self.seconds]
        return {
            "total": round(sum(taken), 1),
            "median": round(median(taken), 1) if taken else None,
        }
