"""A client of our own server whose workers' tasks run in this process."""

import contextlib

from starlette.testclient import TestClient

from presidio_mx.work.service import api
from presidio_mx.work.service.guard import Limits
from presidio_mx.work.service.work import Outcome, Setup


class Here:
    """Stands for the workers."""

    ready = 1
    lost = False

    def __init__(self, setup, count, seconds):
        self.setup = setup

    async def run(self, task, request, *, patient=False):
        if self.lost:
            return Outcome(503, {"error": "the worker ended twice"}, "a worker ended")
        return task(self.setup, request)

    def close(self):
        pass


@contextlib.contextmanager
def clients(monkeypatch):
    """Yield what makes a client of a server with a setup."""
    monkeypatch.setattr(api, "Workers", Here)
    with contextlib.ExitStack() as stack:

        def make(page=False, limits=None, **options):
            app = api.create_app(
                Setup(ner="none", **options), limits or Limits(), workers=2, page=page
            )
            client = TestClient(app, base_url="http://127.0.0.1")
            return stack.enter_context(client)

        yield make
