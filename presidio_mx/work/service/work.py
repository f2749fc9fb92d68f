"""What a worker process of the own server does with a request; nothing is kept."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from presidio_mx.errors import PresidioMxError, reason
from presidio_mx.find.engine import Sensitivity
from presidio_mx.find.ner.choose import Ner
from presidio_mx.find.sensitivity import BALANCED
from presidio_mx.find.site import operator_folders
from presidio_mx.made_by import provenance
from presidio_mx.pipeline import analyze, analyze_and_anonymize
from presidio_mx.replace.keys import Key
from presidio_mx.replace.profiles import load_profile, profile_names
from presidio_mx.replace.vault import add_to_vault, make_record

Request = Mapping[str, Any]
NEEDS_KEY = (
    "the profile {} needs a key, and the server has none; start it with --key-file "
    "FILE or PRESIDIO_MX_KEY, or with --ephemeral-key if nothing has to be repeated or "
    "decrypted after it ends"
)


@dataclass(frozen=True, slots=True)
class Setup:
    """How the workers analyze and anonymize.

    :param preset: Name of the rule set.
    :param ner: ``auto``, ``none``, ``transformer`` or the path of a model.
    :param site: Folder with a site's own lists, rules and profiles.
    :param operators: Profile of requests that name none.
    :param key: Secret of surrogates and pseudonyms, the same in all workers; None
        refuses the profiles that need one.
    :param vault: Where the originals are kept; None keeps them nowhere.
    :param sensitivity: From which probability on spans are marked.
    :param note_bytes: Largest note, in bytes of UTF-8.
    :param also: Further languages, each with the spaCy model of Presidio's own
        recognizers.
    """

    preset: str = "mx"
    ner: Ner = "auto"
    site: Path | None = None
    operators: str = "tag"
    key: Key | None = None
    vault: Path | None = None
    sensitivity: Sensitivity = BALANCED
    note_bytes: int = 600_000
    also: tuple[tuple[str, str], ...] = ()

    def profiles(self) -> list[str]:
        """Return the names of the profiles that a request may ask for."""
        return profile_names(operator_folders(self.site))

    def lacks_key(self, profile: str) -> bool:
        """Tell whether a profile needs a key that this server does not have.

        :param profile: Name of an existing profile.
        """
        if self.key is not None:
            return False
        return load_profile(profile, operator_folders(self.site)).needs_key()

    def public(self, sentence: str) -> str:
        """Return a sentence without the paths of this machine.

        :param sentence: What went wrong.
        """
        for path, name in ((self.vault, "the vault"), (self.site, "the site's folder")):
            if path is not None:
                for written in (path.absolute(), path):
                    sentence = sentence.replace(str(written), name)
        return sentence


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a request.

    :param status: Status code of HTTP.
    :param body: What to answer; a sentence under ``error`` if it failed.
    :param trouble: For the log, where an unforeseen error arose; no text of a note.
    :param made_by: Versions, rules, model and date, for a header.
    """

    status: int
    body: Any
    trouble: str = ""
    made_by: str = ""


MOST_KNOWN = 200
"""Known values of a note, and characters of a value."""

# Bytes of a note that the fastest machine seen gets through in a second: what is longer
# than this in the time limit of a note would end in 504 after using up that time.
_BYTES_A_SECOND = {"none": 100_000, "model": 20_000}


def note_limit(ner: Ner, seconds: float) -> int:
    """Return how large a note may be that has a chance to be done in time.

    :param ner: The model, ``none`` for rules alone.
    :param seconds: Time limit of a note, in seconds.
    :return: Bytes of UTF-8.
    """
    rate = _BYTES_A_SECOND["none" if ner == "none" else "model"]
    return max(1, int(seconds * rate))


def too_large(setup: Setup, request: Request) -> Outcome | None:
    """Return the refusal of a request that could not be done in time, or None.

    :param setup: How the workers work.
    :param request: Its fields.
    """
    known = (request.get("known") or {}).values()
    values = [v for each in known for v in ([each] if isinstance(each, str) else each)]
    if len(values) > MOST_KNOWN or any(len(value) > MOST_KNOWN for value in values):
        sentence = f"known: at most {MOST_KNOWN} values of {MOST_KNOWN} characters"
        return Outcome(422, {"error": f"{sentence}, those of the note's patient"})
    # Each value is searched for in the whole note.
    most = setup.note_bytes // (1 + len(values))
    if len(request.get("text", "").encode("utf-8", "surrogatepass")) <= most:
        return None
    sentence = (
        f"a note may have at most {most} bytes{' with so much known' if values else ''}"
        ": a longer one would not be done within the server's --timeout; send it in "
        "parts"
    )
    return Outcome(413, {"error": sentence})


def warm(setup: Setup) -> None:
    """Load rules and lists before the first request.

    :param setup: How the worker works.
    """
    analyze(
        "Tel.",
        preset=setup.preset,
        ner=setup.ner,
        site=setup.site,
        sensitivity=setup.sensitivity,
    )
    if setup.also:
        from presidio_mx.work.service.presidio_tasks import others

        others(setup.also)


@cache
def made_by(preset: str, ner: Ner, site: Path | None, day: date) -> str:
    """Return the line that says what made an answer, once a day and process.

    :param preset: Name of the rule set.
    :param ner: The model.
    :param site: Folder with a site's own lists, rules and profiles.
    :param day: Today; stands in the line.
    """
    return str(provenance(preset, ner, site))


def _made_by(setup: Setup) -> str:
    return made_by(setup.preset, setup.ner, setup.site, date.today())


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
    if setup.lacks_key(profile):
        return Outcome(422, {"error": f"operators: {NEEDS_KEY.format(profile)}"})
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
        return failed(setup, error)
    items = [asdict(item) for item in done.items]
    body = {"text": done.text, "items": items, "risk": done.risk}
    return Outcome(200, body | {"made_by": _made_by(setup)})


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
        return failed(setup, error)
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
    return Outcome(200, rows, made_by=_made_by(setup))


def failed(setup: Setup, error: Exception) -> Outcome:
    """Return what an error means for the caller, and for the log.

    :param setup: How the worker works.
    :param error: What was raised.
    """
    if isinstance(error, PresidioMxError):
        return Outcome(422, {"error": setup.public(str(error))})
    said = {"error": "internal error; the server's log has more"}
    return Outcome(500, said, reason(error))
