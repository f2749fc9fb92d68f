"""The own server's application: ``/anonymize`` in one call."""

import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

from presidio_mx import __version__
from presidio_mx.errors import MissingExtraError
from presidio_mx.service.guard import App, Guard, Limits
from presidio_mx.service.pool import Workers
from presidio_mx.service.work import Outcome, Setup, do_analyze, do_anonymize

try:
    from fastapi import FastAPI
    from fastapi.exceptions import RequestValidationError
    from pydantic import BaseModel, ConfigDict, Field
    from starlette.exceptions import HTTPException
    from starlette.requests import Request
    from starlette.responses import JSONResponse
except ImportError:
    raise MissingExtraError("the server", "server") from None

_LOG = logging.getLogger("presidio_mx.service")
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
        description="Where a value keeps its surrogate: document, patient:ID, corpus.",
    )
    document: str = Field(
        "", description="What the server's vault calls the note; else its text decides."
    )


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
    async def health() -> dict[str, str]:
        """Tell that the server is up."""
        return {"status": "up", "version": __version__}

    @app.get("/profiles")
    async def profiles() -> list[str]:
        """List the profiles that /anonymize takes."""
        return setup.profiles()

    @app.post("/anonymize", response_model=Anonymized, responses=failures)
    async def anonymize(request: AnonymizeRequest) -> JSONResponse:
        """De-identify a note."""
        return _answer(await pools[0].run(do_anonymize, request.model_dump()))

    @app.post("/analyze", response_model=list[Entity], responses=failures)
    async def analyze(request: AnalyzeRequest) -> JSONResponse:
        """Find what identifies somebody in a note."""
        return _answer(await pools[0].run(do_analyze, request.model_dump()))

    return Guard(app, limits, _OPEN)


def _answer(outcome: Outcome) -> JSONResponse:
    if outcome.trouble:
        _LOG.error("a request failed: %s", outcome.trouble)
    return AsciiJson(outcome.body, outcome.status)


def _handle_errors(app: FastAPI) -> None:
    """Answer every error with one sentence that quotes nothing of the request."""

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            return AsciiJson({"error": "the body is not valid JSON"}, 400)
        place = [str(part) for part in first["loc"] if part != "body"]
        where = ".".join(place[:2]) or "the body"
        return AsciiJson({"error": f"{where}: {first['msg']}"}, 422)

    @app.exception_handler(HTTPException)
    async def refused(_: Request, error: HTTPException) -> JSONResponse:
        return AsciiJson({"error": str(error.detail)}, error.status_code)

    @app.exception_handler(Exception)
    async def failed(_: Request, error: Exception) -> JSONResponse:
        _LOG.error("a request failed: %s", type(error).__name__)
        return AsciiJson({"error": "internal error"}, 500)
