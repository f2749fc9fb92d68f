"""What a worker process of the own server does with a request; nothing is kept."""

import traceback
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from presidio_mx.analyzer.engine import Ner, Sensitivity
from presidio_mx.analyzer.site import operator_folders
from presidio_mx.analyzer.vote.weigh import BALANCED
from presidio_mx.anonymizer.keys import Key
from presidio_mx.anonymizer.profiles import profile_names
from presidio_mx.anonymizer.vault import add_to_vault, make_record
from presidio_mx.errors import PresidioMxError
from presidio_mx.pipeline import analyze, analyze_and_anonymize

Request = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Setup:
    """How the workers analyze and anonymize.

    :param preset: Name of the rule set.
    :param ner: ``auto``, ``none``, ``transformer`` or the path of a model.
    :param site: Folder with a site's own lists, rules and profiles.
    :param operators: Profile of requests that name none.
    :param key: Secret of surrogates and pseudonyms, the same in all workers.
    :param vault: Where the originals are kept; None keeps them nowhere.
    :param sensitivity: From which probability on spans are marked.
    """

    preset: str = "mx"
    ner: Ner = "auto"
    site: Path | None = None
    operators: str = "tag"
    key: Key | None = None
    vault: Path | None = None
    sensitivity: Sensitivity = BALANCED

    def profiles(self) -> list[str]:
        """Return the names of the profiles that a request may ask for."""
        folders = operator_folders(self.site)
        return profile_names(folders)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a request.

    :param status: Status code of HTTP.
    :param body: What to answer; a sentence under ``error`` if it failed.
    :param trouble: For the log, where an unforeseen error arose; no text of a note.
    """

    status: int
    body: Any
    trouble: str = ""


def warm(setup: Setup) -> None:
    """Load rules and lists before the first request.

    :param setup: How the worker works.
    """
    analyze("Tel.", preset=setup.preset, ner=setup.ner, site=setup.site)


def do_anonymize(setup: Setup, request: Request) -> Outcome:
    """De-identify the note of a request.

    :param setup: How the worker works.
    :param request: Its fields: text, operators, people, scope, known, document.
    :return: The new text and what was done; an error if the vault did not take it.
    """
    profile = request.get("operators") or setup.operators
    if profile not in setup.profiles():
        # A path would let a caller read files of this machine.
        names = ", ".join(setup.profiles())
        return Outcome(422, {"error": f"operators: unknown profile; there are {names}"})
    try:
        done = analyze_and_anonymize(
            request["text"],
            profile,
            people=request.get("people", "everyone"),
            preset=setup.preset,
            ner=setup.ner,
            site=setup.site,
            known=request.get("known"),
            key=setup.key,
            scope=request.get("scope", ""),
            sensitivity=setup.sensitivity,
        )
        if setup.vault is not None and setup.key is not None:
            record = make_record(request.get("document", ""), request["text"], done)
            add_to_vault(setup.vault, [record], setup.key)
    except Exception as error:  # one request must not end the worker
        return _failed(error)
    items = [asdict(item) for item in done.items]
    return Outcome(200, {"text": done.text, "items": items, "risk": done.risk})


def do_analyze(setup: Setup, request: Request) -> Outcome:
    """Find what identifies somebody in the note of a request.

    :param setup: How the worker works.
    :param request: Its fields: text, people, known.
    :return: The entities, in the fields of Presidio's analyzer with role and rule.
    """
    try:
        results = analyze(
            request["text"],
            preset=setup.preset,
            ner=setup.ner,
            people=request.get("people", "everyone"),
            site=setup.site,
            known=request.get("known"),
            sensitivity=setup.sensitivity,
        )
    except Exception as error:  # one request must not end the worker
        return _failed(error)
    rows = [
        {
            "entity_type": result.entity_type,
            "start": result.start,
            "end": result.end,
            "score": result.score,
            "role": (result.recognition_metadata or {}).get("role", ""),
            "rule": (result.recognition_metadata or {}).get("rule", ""),
        }
        for result in results
    ]
    return Outcome(200, rows)


def _failed(error: Exception) -> Outcome:
    if isinstance(error, PresidioMxError):
        return Outcome(422, {"error": str(error)})
    # The message of a foreign error may quote the note; its place cannot.
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
    return Outcome(500, {"error": "internal error; the server's log has more"}, where)
