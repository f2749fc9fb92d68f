"""The page to try, in a real browser."""

import json
import threading
import time

import pytest

pytest.importorskip("selenium.webdriver")
pytest.importorskip("fastapi")
uvicorn = pytest.importorskip("uvicorn")

from service_client import Here  # noqa: E402
from test_review_page import browser  # noqa: E402, F401

from presidio_mx.work.service import api  # noqa: E402
from presidio_mx.work.service.guard import Limits  # noqa: E402
from presidio_mx.work.service.listen import address, open_socket  # noqa: E402
from presidio_mx.work.service.work import Setup  # noqa: E402

pytestmark = pytest.mark.heavy
NOTE = "😀 Pte Jesús Mendoza Mares, tel 443 312 4567. <b>Niega</b> asma."


class Page:
    """A browser that shows the page."""

    def __init__(self, driver, url):
        self.driver, self.url = driver, url
        driver.get_log("performance")
        driver.get(url)
        self.until("document.body.dataset.ready === 'yes'")

    def js(self, code):
        return self.driver.execute_script(f"return {code}")

    def until(self, code):
        end = time.monotonic() + 60
        while not self.js(code):
            assert time.monotonic() < end, code
            time.sleep(0.05)

    def find(self, note):
        self.driver.execute_script(
            "document.getElementById('note').value = arguments[0];"
            "document.getElementById('find').click()",
            note,
        )

    def text(self, name):
        return self.js(f"document.getElementById('{name}').textContent")

    def marked(self, name):
        marks = f"[...document.querySelectorAll('#{name} mark')]"
        return self.js(f"{marks}.map(e => e.textContent)")


@pytest.fixture
def page(browser, monkeypatch):  # noqa: F811
    monkeypatch.setattr(api, "Workers", Here)
    setup = Setup(ner="none", note_bytes=2_000)
    app = api.create_app(setup, Limits(), page=True)
    sock = open_socket("127.0.0.1", 0, remote=False, token="")
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    options = {"kwargs": {"sockets": [sock]}, "daemon": True}
    thread = threading.Thread(target=server.run, **options)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield Page(browser, f"{address(sock)}/")
    server.should_exit = server.force_exit = True
    thread.join()


def test_a_note_is_shown_with_what_is_found(page):
    page.find(NOTE)
    page.until("!document.getElementById('result').hidden")
    assert page.text("marked") == NOTE
    assert page.marked("marked") == ["Jesús Mendoza Mares", "443 312 4567"]
    assert page.text("output") == "😀 Pte {NOMBRE}, tel {TEL}. <b>Niega</b> asma."
    assert page.js("document.querySelectorAll('#rows tr').length") == 2
    page.driver.execute_script(
        "const operators = document.getElementById('operators');"
        "operators.value = 'surrogate'; operators.dispatchEvent(new Event('change'))"
    )
    page.until("!document.getElementById('output').textContent.includes('{')")
    assert "Mendoza" not in page.text("output")


def test_english_and_spanish(page):
    page.find("tos")
    page.until("!document.getElementById('result').hidden")
    said = set()
    for _ in range(2):
        page.driver.execute_script("document.getElementById('language').click()")
        language = page.js("document.documentElement.lang")
        said.add((language, page.text("find"), page.text("said")))
    assert said == {
        ("es", "Buscar", "No se halló nada."),
        ("en", "Find", "Nothing was found."),
    }
    empty = "[...document.querySelectorAll('[data-t]')].filter(e => !e.textContent)"
    assert page.js(f"{empty}.length") == 0


def test_an_error_is_said_in_the_language_of_the_page(page):
    page.driver.execute_script(
        "const button = document.getElementById('language');"
        "if (document.documentElement.lang !== 'es') button.click()"
    )
    page.find("tos " * 1_000)
    page.until("document.getElementById('said').textContent.includes('larga')")


def test_nothing_is_stored_and_nobody_else_is_asked(page):
    page.find(NOTE)
    page.until("!document.getElementById('result').hidden")
    assert page.js("localStorage.length + sessionStorage.length") == 0
    assert page.driver.get_cookies() == []
    messages = [
        json.loads(entry["message"])["message"]
        for entry in page.driver.get_log("performance")
    ]
    asked = [
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    ]
    assert asked and all(url.startswith((page.url, "data:")) for url in asked)


@pytest.mark.parametrize("width", [400, 1366])
def test_it_fits_the_screen(page, width):
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    page.find(NOTE * 3)
    page.until("!document.getElementById('result').hidden")
    assert page.js("document.documentElement.scrollWidth") <= width
    page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
