"""The review page's application: static files and a few calls that return JSON."""

import secrets
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from presidio_mx.errors import MissingExtraError, PresidioMxError
from presidio_mx.work.service.guard import App, Guard, Limits
from presidio_mx.work.service.review.reach import Ask
from presidio_mx.work.service.review.session import Session
from presidio_mx.work.service.review.site_lists import save

try:
    from fastapi import APIRouter, Body, FastAPI
    from fastapi.exceptions import RequestValidationError
    from pydantic import BaseModel, ConfigDict, Field
    from starlette.exceptions import HTTPException
    from starlette.requests import Request
    from starlette.responses import Response
except ImportError:
    raise MissingExtraError("the review page", "server") from None

from presidio_mx.work.service.api import AsciiJson
from presidio_mx.work.service.page import serve_files

Export = Callable[[Session], dict[str, Any]]


class Decision(BaseModel):
    """A decision as the page sends it."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal[
        "accept",
        "reject",
        "retype",
        "role",
        "resize",
        "add",
        "take",
        "done",
        "reopen",
        "flag",
    ]
    note: str
    mark: str = ""
    entity: str = ""
    start: int = -1
    end: int = -1
    reach: Literal["here", "note", "all"] = "here"
    role: str = ""
    flag: Literal["", "skipped", "unsure"] = ""
    comment: str = ""
    other: str = ""


class Range(BaseModel):
    """A mark or a piece of a note."""

    model_config = ConfigDict(extra="forbid")

    note: str
    mark: str = ""
    start: int = -1
    end: int = -1


class Time(BaseModel):
    """How long a note was looked at."""

    model_config = ConfigDict(extra="forbid")

    note: str
    seconds: float = Field(ge=0, allow_inf_nan=False)


class SiteEntry(BaseModel):
    """A piece of a note for one of the site's lists."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["allow", "deny", "staff", "places"]
    note: str
    start: int
    end: int
    entity: str = ""


def new_path() -> str:
    """Return the secret part of the page's address."""
    return secrets.token_urlsafe(24)


def create_app(
    session: Session,
    path: str,
    export: Export,
    *,
    entities: list[str],
    site: Path | None = None,
    spanish: bool = True,
    guidelines: str = "",
) -> App:
    """Return the guarded application of one reviewer's page.

    Everything lies under a secret path: other programs and pages of this machine that
    find the port do not know it.

    :param session: The reviewer's session.
    :param path: The secret part of the address.
    :param export: What writes the results.
    :param entities: Entity types to offer.
    :param site: The site's folder, if corrections may be saved there.
    :param spanish: Language of the page to begin with.
    :param guidelines: What to mark, in the hospital's own words; else ours.
    :return: An ASGI application.
    """
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    found = session.adjudication
    between = [] if found is None else [found.first, found.second]
    router = APIRouter(prefix=f"/{path}")
    _handle_errors(app)

    @router.get("/api/start")
    def start() -> Response:
        return AsciiJson(
            {
                "reviewer": session.reviewer,
                "reviewers": session.others.names(),
                "rows": [asdict(row) for row in session.rows()],
                "entities": entities,
                "site": site is not None,
                "language": "es" if spanish else "en",
                "between": between,
                "guidelines": guidelines,
                **session.summary(),
            }
        )

    @router.get("/api/note")
    def note(id: str) -> Response:
        return AsciiJson(session.note(id))

    @router.post("/api/decide")
    def decide(decision: Decision) -> Response:
        return AsciiJson(session.decide(Ask(**decision.model_dump())))

    @router.get("/api/output")
    def output(id: str) -> Response:
        return AsciiJson(session.output(id))

    @router.post("/api/reach")
    def reach(range: Range) -> Response:
        return AsciiJson(session.reached(Ask("", **range.model_dump())))

    @router.get("/api/search")
    def search(text: str) -> Response:
        return AsciiJson({"notes": session.search(text)})

    @router.post("/api/time")
    def time(spent: Time) -> Response:
        if spent.note in session.states:
            session.clock.add(spent.note, spent.seconds)
        return AsciiJson({})

    @router.post("/api/undo")
    def undo(note: Annotated[str, Body(embed=True)]) -> Response:
        return AsciiJson(session.step_back("undo", note))

    @router.post("/api/redo")
    def redo(note: Annotated[str, Body(embed=True)]) -> Response:
        return AsciiJson(session.step_back("redo", note))

    @router.get("/api/compare")
    def compare(other: str) -> Response:
        return AsciiJson(session.compare(other))

    @router.post("/api/export")
    def write() -> Response:
        return AsciiJson(export(session))

    @router.post("/api/site")
    def to_site(entry: SiteEntry) -> Response:
        text = session.note(entry.note)["text"]
        if site is None or not 0 <= entry.start < entry.end <= len(text):
            return AsciiJson({"error": "this cannot be saved"}, 422)
        piece = text[entry.start : entry.end]
        return AsciiJson({"added": save(site, entry.kind, piece, entry.entity)})

    serve_files(router, "static", "index.html")
    app.include_router(router)
    return Guard(app, Limits())


def _handle_errors(app: FastAPI) -> None:
    @app.exception_handler(PresidioMxError)
    async def known(_: Request, error: PresidioMxError) -> Response:
        return AsciiJson({"error": str(error)}, 422)

    @app.exception_handler(OSError)
    async def unwritten(_: Request, error: OSError) -> Response:
        said = f"{error.filename or 'a file'}: {error.strerror or 'unreadable'}"
        return AsciiJson({"error": said}, 500)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        return AsciiJson({"error": "the request is not as expected"}, 422)

    @app.exception_handler(HTTPException)
    async def refused(_: Request, error: HTTPException) -> Response:
        return AsciiJson({"error": "there is nothing here"}, error.status_code)
