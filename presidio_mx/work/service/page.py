"""A page to try: a note is pasted, and shown with what is found; nothing is stored."""

import secrets
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from presidio_mx.entities import tag_word
from presidio_mx.errors import MissingExtraError
from presidio_mx.pipeline import examine
from presidio_mx.replace.keys import Key
from presidio_mx.replacing import replace_found
from presidio_mx.work.service.presidio_routes import One
from presidio_mx.work.service.work import Outcome, Setup, failed

try:
    from fastapi import APIRouter
    from pydantic import BaseModel, ConfigDict
    from starlette.exceptions import HTTPException
    from starlette.responses import Response
except ImportError:
    raise MissingExtraError("the server", "server") from None

_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
_TYPES |= {".svg": "image/svg+xml", ".txt": "text/plain"}
OPEN_PATHS = ("/", "/try.js", "/try.css")


class TryRequest(BaseModel):
    """A note as the page sends it."""

    model_config = ConfigDict(extra="forbid")

    text: str
    operators: Literal["tag", "surrogate"] = "tag"


def do_try(setup: Setup, request: dict[str, Any]) -> Outcome:
    """Find and replace once, for the page; no vault is written.

    :param setup: How the worker works.
    :param request: ``text`` and ``operators``.
    :return: Marks in the note, the new text and what was replaced in it.
    """
    text = request["text"]
    try:
        found = examine(
            text,
            preset=setup.preset,
            ner=setup.ner,
            site=setup.site,
            sensitivity=setup.sensitivity,
        )
        key = setup.key or _passing_key()
        operators = request["operators"]
        done = replace_found(text, found.results, operators, site=setup.site, key=key)
    except Exception as error:  # one request must not end the worker
        return failed(setup, error)
    marks = []
    for result in found.results:
        metadata = result.recognition_metadata or {}
        marks.append(
            {
                "start": result.start,
                "end": result.end,
                "entity": result.entity_type,
                "tag": tag_word(result.entity_type),
                "score": result.score,
                "role": metadata.get("role", ""),
                "why": metadata.get("rule") or metadata.get("recognizer_name", ""),
            }
        )
    items = [
        {"start": item.new_start, "end": item.new_end, "entity": item.entity_type}
        for item in done.items
    ]
    body = {"marks": marks, "text": done.text, "items": items, "risk": found.risk}
    return Outcome(200, body)


@cache
def _passing_key() -> Key:
    """Return a key that ends with the process: what the page shows is not kept."""
    return Key(secrets.token_bytes(32))


def serve_files(router: APIRouter, folder: str, index: str) -> None:
    """Serve the files of a page, which are read once.

    :param router: Where to.
    :param folder: Folder beside this module.
    :param index: The file that the folder itself stands for.
    """
    contents = {
        entry.name: entry.read_bytes()
        for entry in (files("presidio_mx.work.service") / folder).iterdir()
        if Path(entry.name).suffix in _TYPES
    }

    @router.get("/{name}", include_in_schema=False)
    def static(name: str) -> Response:
        if name not in contents:
            raise HTTPException(404)
        kind = f"{_TYPES[Path(name).suffix]}; charset=utf-8"
        return Response(contents[name], headers={"content-type": kind})

    @router.get("/", include_in_schema=False)
    def start() -> Response:
        return static(index)


def page_routes(one: One, answer: Any) -> APIRouter:
    """Return the routes of the page.

    :param one: What runs a task on a request.
    :param answer: What makes a response of an outcome.
    """
    routes = APIRouter()

    @routes.post("/try", include_in_schema=False)
    async def tried(asked: TryRequest) -> Response:
        return answer(await one(do_try, asked.model_dump()))  # type: ignore[no-any-return]

    serve_files(routes, "try_page", "try.html")
    return routes
