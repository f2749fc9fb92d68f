"""The own server's application: ``/anonymize`` in one call."""

import asyncio
import json
import logging
from collections import deque
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal

from presidio_mx import __version__
from presidio_mx.errors import MissingExtraError
from presidio_mx.work.service.guard import RETRY_SECONDS, App, Guard, Limits
from presidio_mx.work.service.page import OPEN_PATHS, page_routes
from presidio_mx.work.service.pool import Task, Workers
from presidio_mx.work.service.presidio_routes import (
    BAD_JSON,
    NO_JSON,
    Known,
    PresidioAnalyze,
    PresidioAnonymize,
    PresidioDeanonymize,
    analyzed,
    router,
)
from presidio_mx.work.service.presidio_tasks import do_anonymize as do_replace
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
    known: Known | None = Field(
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


def _kind(body: Any) -> str:
    if isinstance(body, list):
        return "list"
    theirs = isinstance(body, dict) and {"analyzer_results", "anonymizers"} & set(body)
    return "presidio" if theirs else "note"


# A note of ours, a list of them, or a text with results as Presidio takes it; the tag
# keeps errors to the one that was meant.
AnyAnonymize = Annotated[
    Annotated[AnonymizeRequest, Tag("note")]
    | Annotated[list[AnonymizeRequest], Tag("list")]
    | Annotated[PresidioAnonymize, Tag("presidio")],
    Discriminator(_kind),
]
_REQUESTS = (AnonymizeRequest, PresidioAnalyze, PresidioAnonymize, PresidioDeanonymize)
_FIELDS = frozenset(name for each in _REQUESTS for name in each.model_fields)


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
    page: bool = False,
) -> App:
    """Return the guarded application.

    :param setup: How notes are analyzed and anonymized.
    :param limits: What a request may be.
    :param workers: Number of worker processes.
    :param seconds: Time limit of one note, in seconds.
    :param page: Whether ``/`` is the page to try.
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

    async def one(task: Task, request: dict[str, Any]) -> Outcome:
        return too_large(setup, request) or await pools[0].run(task, request)

    def each(task: Task, requests: Iterable[dict[str, Any]]) -> AsyncIterator[Outcome]:
        return _in_order(pools[0], setup, task, requests, workers)

    @app.post("/anonymize", response_model=Anonymized, responses=failures)
    async def anonymize(asked: AnyAnonymize) -> Response:
        """De-identify a note, a list of notes, or a text with results of an analyzer.

        A list is answered as application/x-ndjson while it is worked on: one line a
        note, in their order, each with ``index`` and what a single note is answered
        with, or ``error`` and ``status``. A text with ``analyzer_results`` is answered
        as Presidio's anonymizer answers it.
        """
        if isinstance(asked, list):
            outcomes = each(do_anonymize, [note.model_dump() for note in asked])
            return StreamingResponse(
                _lines(outcomes), media_type="application/x-ndjson"
            )
        ours = isinstance(asked, AnonymizeRequest)
        return _answer(
            await one(do_anonymize if ours else do_replace, asked.model_dump())
        )

    def whose(body: Any) -> str:
        """Tell a request of Presidio's analyzer from one of ours."""
        if not isinstance(body, dict):
            return "ours"
        theirs = "language" in body or not isinstance(body.get("text"), str)
        # A server of several languages must be told which, as Presidio's.
        unsaid = bool(setup.also) and not {"people", "known"} & set(body)
        return "presidio" if theirs or unsaid else "ours"

    any_analyze = Annotated[
        Annotated[AnalyzeRequest, Tag("ours")]
        | Annotated[PresidioAnalyze, Tag("presidio")],
        Discriminator(whose),
    ]

    @app.post("/analyze", response_model=list[Entity], responses=failures)
    async def analyze(asked: any_analyze) -> Response:
        """Find what identifies somebody; with ``language``, as Presidio's analyzer."""
        if isinstance(asked, PresidioAnalyze):
            return _answer(await analyzed(asked, each))
        assert isinstance(asked, AnalyzeRequest)
        return _answer(await one(do_analyze, asked.model_dump()))

    app.include_router(router(one, _answer))
    if not page:
        return Guard(app, limits, _OPEN)
    app.include_router(page_routes(one, _answer))
    return Guard(app, limits, _OPEN | set(OPEN_PATHS))


def _answer(outcome: Outcome) -> JSONResponse:
    _log(outcome)
    headers = {"retry-after": RETRY_SECONDS} if outcome.status == 503 else {}
    if outcome.made_by:
        headers["presidio-mx-made-by"] = outcome.made_by
    return AsciiJson(outcome.body, outcome.status, headers)


def _log(outcome: Outcome) -> None:
    if outcome.trouble:
        _LOG.error("a request failed: %s", outcome.trouble)


async def _in_order(
    pool: Workers,
    setup: Setup,
    task: Task,
    requests: Iterable[dict[str, Any]],
    at_once: int,
) -> AsyncIterator[Outcome]:
    """Yield what became of each request, in their order.

    No more are under way than there are workers, so that single notes that come
    meanwhile wait for one note and not for the list.
    """

    async def one(request: dict[str, Any]) -> Outcome:
        return too_large(setup, request) or await pool.run(task, request, patient=True)

    under_way: deque[asyncio.Task[Outcome]] = deque()
    try:
        for request in requests:
            under_way.append(asyncio.create_task(one(request)))
            if len(under_way) >= at_once:
                yield await under_way.popleft()
        while under_way:
            yield await under_way.popleft()
    finally:  # a caller who left needs no more notes
        for waiting in under_way:
            waiting.cancel()


async def _lines(outcomes: AsyncIterator[Outcome]) -> AsyncIterator[bytes]:
    """Yield a line of JSON for each note."""
    index = 0
    async for outcome in outcomes:
        _log(outcome)
        extra = {} if outcome.status == 200 else {"status": outcome.status}
        line = {"index": index} | outcome.body | extra
        yield json.dumps(line, separators=(",", ":")).encode() + b"\n"
        index += 1


def _handle_errors(app: FastAPI) -> None:
    """Answer every error with one sentence that quotes nothing of the request."""

    def bad_json(request: Request) -> JSONResponse:
        plain = "the body is not valid JSON in UTF-8"
        theirs = request.url.path in ("/anonymize", "/deanonymize")
        return AsciiJson({"error": BAD_JSON if theirs else plain}, 400)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json" and not kind.endswith("+json"):
            said = "send the body as JSON, with Content-Type: application/json"
            return AsciiJson({"error": said}, 415)
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            return bad_json(request)
        if not error.body and error.body != []:
            return AsciiJson({"error": NO_JSON}, 400)
        place = [str(p) for p in first["loc"] if isinstance(p, int) or p in _FIELDS]
        where = ".".join(place[:2]) or "the body"
        said = str(first["msg"])
        if first["type"] == "model_attributes_type":
            said = 'a note is an object with its text, {"text": "..."}'
        if first["type"] == "extra_forbidden":
            names = ", ".join(AnonymizeRequest.model_fields)
            said = f"a field is unknown; there are {names}"
        return AsciiJson({"error": f"{where}: {said}"}, 422)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> JSONResponse:
        if error.status_code == 400:  # bytes, brackets or digits no parser takes
            return bad_json(request)
        return AsciiJson({"error": str(error.detail)}, error.status_code)

    @app.exception_handler(Exception)
    async def failed(_: Request, error: Exception) -> JSONResponse:
        _LOG.error("a request failed: %s", type(error).__name__)
        return AsciiJson({"error": "internal error"}, 500)
