"""The own server's application: ``/anonymize`` in one call."""

import asyncio
import json
import logging
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal

from presidio_mx import __version__
from presidio_mx.errors import MissingExtraError
from presidio_mx.work.service.guard import RETRY_SECONDS, App, Guard, Limits
from presidio_mx.work.service.pool import Workers
from presidio_mx.work.service.work import (
    Outcome,
    Setup,
    do_analyze,
    do_anonymize,
    too_large,
)

try:
    from fastapi import FastAPI
    from fastapi.exceptions import RequestValidationError
    from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag
    from starlette.exceptions import HTTPException
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response, StreamingResponse
except ImportError:
    raise MissingExtraError("the server", "server") from None

_LOG = logging.getLogger("presidio_mx.work.service")
_EXAMPLE = "Paciente Jesús Mendoza Mares, 54 años. Tel. 443 312 4567"
_OPEN = frozenset({"/health"})


class AnalyzeRequest(BaseModel):
    """A note to analyze."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(description="The note.", examples=[_EXAMPLE])
    people: Literal["everyone", "patient_and_relatives"] = Field(
        "everyone", description="Whose names count; with the second, staff stay."
    )
    known: dict[str, str | list[str]] | None = Field(
        None,
        description="The patient's own data: patient, relatives, phone, address ...",
        examples=[{"patient": "Jesús Mendoza Mares"}],
    )


class AnonymizeRequest(AnalyzeRequest):
    """A note to de-identify."""

    operators: str = Field(
        "", description="Name of a profile; the server's own by default."
    )
    scope: str = Field(
        "",
        description="Scope of a surrogate: document, patient:ID, corpus.",
    )
    document: str = Field(
        "", description="What the server's vault calls the note; else its text decides."
    )


# One note, or a list of them; the tag keeps errors to the one that was meant.
NoteOrList = Annotated[
    Annotated[AnonymizeRequest, Tag("note")]
    | Annotated[list[AnonymizeRequest], Tag("list")],
    Discriminator(lambda body: "list" if isinstance(body, list) else "note"),
]


class Entity(BaseModel):
    """Something that identifies somebody."""

    entity_type: str
    start: int
    end: int
    score: float
    role: str
    rule: str


class Item(BaseModel):
    """What was done to one entity."""

    entity_type: str
    start: int
    end: int
    new_start: int
    new_end: int
    operator: str
    role: str
    score: float
    key_id: str = Field(
        "", description="Which key the replacement depends on; empty if on none."
    )


class Anonymized(BaseModel):
    """A de-identified note."""

    text: str
    items: list[Item]
    risk: float | None = Field(
        description="Probability that something which identifies somebody is left."
    )
    made_by: str = Field(description="Versions, rules, model, date.")


class Failure(BaseModel):
    """What is wrong, in one sentence."""

    error: str


class AsciiJson(JSONResponse):
    """JSON in ASCII: lone surrogates, which notes may hold, pass as escapes."""

    def render(self, content: Any) -> bytes:
        """Return the bytes of a response."""
        return json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode()


_USUAL_LIMITS = Limits()


def create_app(
    setup: Setup,
    limits: Limits = _USUAL_LIMITS,
    *,
    workers: int = 2,
    seconds: float = 30.0,
) -> App:
    """Return the guarded application.

    :param setup: How notes are analyzed and anonymized.
    :param limits: What a request may be.
    :param workers: Number of worker processes.
    :param seconds: Time limit of one note, in seconds.
    :return: An ASGI application.
    """
    pools: list[Workers] = []

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        pools.append(Workers(setup, workers, seconds))
        await pools[0].run(do_analyze, {"text": "Tel."})
        yield
        pools[0].close()

    app = FastAPI(
        title="presidio-mx",
        version=__version__,
        description="De-identify clinical notes in Mexican Spanish.",
        lifespan=life,
        # Their pages load scripts from elsewhere; /openapi.json stays.
        docs_url=None,
        redoc_url=None,
    )
    _handle_errors(app)
    failures: dict[int | str, dict[str, Any]] = {
        status: {"model": Failure} for status in (400, 413, 422, 503, 504)
    }

    @app.get("/health")
    async def health() -> JSONResponse:
        """Tell whether some worker takes requests."""
        ready = pools[0].ready if pools else 0
        body = {"version": __version__, "workers": ready, "of": workers}
        if not ready:
            return _answer(Outcome(503, {"status": "starting"} | body))
        return AsciiJson({"status": "up"} | body)

    @app.get("/profiles")
    async def profiles() -> list[str]:
        """List the profiles that /anonymize takes."""
        return setup.profiles()

    @app.post("/anonymize", response_model=Anonymized, responses=failures)
    async def anonymize(request: NoteOrList) -> Response:
        """De-identify a note, or a list of notes.

        A list is answered as application/x-ndjson while it is worked on: one line a
        note, in their order, each with ``index`` and what a single note is answered
        with, or ``error`` and ``status``.
        """
        if isinstance(request, list):
            notes = [each.model_dump() for each in request]
            lines = _lines(pools[0], setup, notes, workers)
            return StreamingResponse(lines, media_type="application/x-ndjson")
        note = request.model_dump()
        return _answer(too_large(setup, note) or await pools[0].run(do_anonymize, note))

    @app.post("/analyze", response_model=list[Entity], responses=failures)
    async def analyze(request: AnalyzeRequest) -> JSONResponse:
        """Find what identifies somebody in a note."""
        note = request.model_dump()
        return _answer(too_large(setup, note) or await pools[0].run(do_analyze, note))

    return Guard(app, limits, _OPEN)


def _answer(outcome: Outcome) -> JSONResponse:
    _log(outcome)
    headers = {"retry-after": RETRY_SECONDS} if outcome.status == 503 else {}
    if outcome.made_by:
        headers["presidio-mx-made-by"] = outcome.made_by
    return AsciiJson(outcome.body, outcome.status, headers)


def _log(outcome: Outcome) -> None:
    if outcome.trouble:
        _LOG.error("a request failed: %s", outcome.trouble)


async def _lines(
    pool: Workers, setup: Setup, notes: list[dict[str, Any]], at_once: int
) -> AsyncIterator[bytes]:
    """Yield a line of JSON for each note, in their order.

    No more notes than there are workers are under way, so that single notes that come
    meanwhile wait for one note and not for the list.
    """

    async def one(note: dict[str, Any]) -> Outcome:
        refused = too_large(setup, note)
        return refused or await pool.run(do_anonymize, note, patient=True)

    under_way: deque[asyncio.Task[Outcome]] = deque()
    written = 0
    try:
        for note in [*notes, *[None] * at_once]:
            if note is not None:
                under_way.append(asyncio.create_task(one(note)))
            if note is None or len(under_way) >= at_once:
                if not under_way:
                    return
                outcome = await under_way.popleft()
                _log(outcome)
                extra = {} if outcome.status == 200 else {"status": outcome.status}
                line = {"index": written} | outcome.body | extra
                yield json.dumps(line, separators=(",", ":")).encode() + b"\n"
                written += 1
    finally:  # a caller who left needs no more notes
        for task in under_way:
            task.cancel()


def _handle_errors(app: FastAPI) -> None:
    """Answer every error with one sentence that quotes nothing of the request."""

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json" and not kind.endswith("+json"):
            said = "send the body as JSON, with Content-Type: application/json"
            return AsciiJson({"error": said}, 422)
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            return AsciiJson({"error": "the body is not valid JSON"}, 400)
        place = [
            str(part) for part in first["loc"] if part not in ("body", "note", "list")
        ]
        where = ".".join(place[:2]) or "the body"
        if first["type"] == "model_attributes_type":
            said = 'a note is an object with its text, {"text": "..."}'
            return AsciiJson({"error": f"{where}: {said}"}, 422)
        return AsciiJson({"error": f"{where}: {first['msg']}"}, 422)

    @app.exception_handler(HTTPException)
    async def refused(_: Request, error: HTTPException) -> JSONResponse:
        said = str(error.detail)
        if error.status_code == 400:  # bytes, brackets or digits no parser takes
            said = "the body is not valid JSON in UTF-8"
        return AsciiJson({"error": said}, error.status_code)

    @app.exception_handler(Exception)
    async def failed(_: Request, error: Exception) -> JSONResponse:
        _LOG.error("a request failed: %s", type(error).__name__)
        return AsciiJson({"error": "internal error"}, 500)
