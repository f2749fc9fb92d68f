"""The requests of Presidio's two servers, answered as they answer them."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any, Literal

from presidio_mx.errors import MissingExtraError
from presidio_mx.work.service import presidio_tasks as tasks
from presidio_mx.work.service.work import Outcome

try:
    from fastapi import APIRouter
    from pydantic import BaseModel
    from starlette.requests import Request
    from starlette.responses import Response
except ImportError:
    raise MissingExtraError("the server", "server") from None

BAD_JSON = (
    "The browser (or proxy) sent a request that this server could not understand."
)
NO_JSON = "Invalid request json"
"""Sentences of Presidio's anonymizer, word for word."""

Rows = list[dict[str, Any]]
Known = dict[str, str | list[str]]
One = Callable[[Any, dict[str, Any]], Awaitable[Outcome]]
Each = Callable[[Any, Iterable[dict[str, Any]]], AsyncIterator[Outcome]]


class PresidioAnalyze(BaseModel):
    """What Presidio's analyzer takes; ``people`` and ``known`` are ours."""

    text: str | list[str] | None = None
    language: str | None = None
    entities: list[str] | None = None
    correlation_id: Any = None
    score_threshold: float | None = None
    return_decision_process: bool | None = None
    ad_hoc_recognizers: Rows | None = None
    context: list[str] | None = None
    allow_list: list[str] | None = None
    allow_list_match: Literal["exact", "regex"] | None = None
    regex_flags: int | None = None
    people: Literal["everyone", "patient_and_relatives"] | None = None
    known: Known | None = None


class PresidioAnonymize(BaseModel):
    """What Presidio's anonymizer takes."""

    text: str = ""
    analyzer_results: Rows | None = None
    anonymizers: dict[str, dict[str, Any]] | None = None


class PresidioDeanonymize(BaseModel):
    """What Presidio's anonymizer takes to put encrypted values back."""

    text: str = ""
    anonymizer_results: Rows | None = None
    deanonymizers: dict[str, dict[str, Any]] | None = None


async def analyzed(asked: PresidioAnalyze, each: Each) -> Outcome:
    """Answer what Presidio's analyzer is asked, a text or a list of texts.

    :param asked: The request.
    :param each: What runs a task on each of some requests, in order.
    """
    for name in ("text", "language"):
        if not getattr(asked, name):
            return Outcome(500, {"error": f"No {name} provided"})
    texts = asked.text if isinstance(asked.text, list) else [str(asked.text)]
    fields = asked.model_dump(exclude_none=True)
    found = []
    async for outcome in each(tasks.do_analyze, [fields | {"text": t} for t in texts]):
        if outcome.status != 200:
            return outcome
        found.append(outcome.body)
    return Outcome(200, found if isinstance(asked.text, list) else found[0])


def router(one: One, answer: Callable[[Outcome], Response]) -> APIRouter:
    """Return the routes that are Presidio's alone.

    :param one: What runs a task on a request.
    :param answer: What makes a response of an outcome.
    """
    routes = APIRouter()

    @routes.post("/deanonymize")
    async def deanonymize(asked: PresidioDeanonymize, request: Request) -> Response:
        """Put encrypted values back, as Presidio's anonymizer does."""
        if not await request.json():
            return answer(Outcome(400, {"error": NO_JSON}))
        return answer(await one(tasks.do_deanonymize, asked.model_dump()))

    @routes.get("/recognizers")
    async def recognizers(language: str | None = None) -> Response:
        """List the recognizers of a language, or of all."""
        asked = {"what": "recognizers", "language": language}
        return answer(await one(tasks.do_list, asked))

    @routes.get("/supportedentities")
    async def supported_entities(language: str | None = None) -> Response:
        """List the entities of a language, or of all."""
        asked = {"what": "entities", "language": language}
        return answer(await one(tasks.do_list, asked))

    @routes.get("/anonymizers")
    async def anonymizers() -> Response:
        """List the operators."""
        return answer(await one(tasks.do_operators, {"what": "anonymizers"}))

    @routes.get("/deanonymizers")
    async def deanonymizers() -> Response:
        """List the operators that put values back."""
        return answer(await one(tasks.do_operators, {"what": "deanonymizers"}))

    return routes
