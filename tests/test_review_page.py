"""The review page in a real browser, and the guard of its address."""

import contextlib
import http.client
import json
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

import pytest
from child import child_environment

webdriver = pytest.importorskip("selenium.webdriver")
pytest.importorskip("fastapi")
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

uvicorn = pytest.importorskip("uvicorn")

from presidio_mx.find.engine import mx_recognizers  # noqa: E402
from presidio_mx.pipeline import analyze, examine  # noqa: E402
from presidio_mx.replace.engine import anonymize  # noqa: E402
from presidio_mx.work.cli.review import OFTEN  # noqa: E402
from presidio_mx.work.service.listen import address, open_socket  # noqa: E402
from presidio_mx.work.service.review.app import create_app  # noqa: E402
from presidio_mx.work.service.review.export import export  # noqa: E402
from presidio_mx.work.service.review.project import open_project  # noqa: E402
from presidio_mx.work.service.review.session import Session  # noqa: E402

pytestmark = pytest.mark.heavy
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
NOTES = {
    "nota_1": "Paciente Ana Soto Ruiz, 54 años. Tel. 443 312 4567.\n"
    "Vive con Ana Soto Ruiz. El Zopilote 😀 la trae. Beto la cuida. El zapato azul.",
    "nota_2": "<script>document.title='x'</script> <b onclick=x>Paciente Luis Ek</b>\n"
    "Beto llama al 443 312 4568 & espera. Zapato azul.",
    "nota_3": "Sin datos de nadie.",
}
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync "
    "--window-size=1440,900"
).split()


class Page:
    """The program and a browser that shows its page."""

    def __init__(self, folder, browser=None, site=None, reviewer="ana", between=()):
        self.folder = folder
        self.arguments = [
            *(
                sys.executable,
                "-m",
                "presidio_mx.work.cli.program",
                "review",
                folder / "notes",
            ),
            *("--out", folder / "out", "--reviewer", reviewer),
        ]
        self.between, self.reviewer, self.site = between, reviewer, site
        for name in between:
            self.arguments += ["--adjudicate", name]
        if site:
            self.arguments += ["--site", site]
        self.browser = browser
        self.start()

    def start(self):
        env = child_environment()
        key = {"PRESIDIO_MX_KEY": "7d3a9c51e8f04b62a1c5d97e3f286b04"}
        self.process = subprocess.Popen(
            [*map(str, self.arguments), "--no-browser"],
            env=env | key | {"PRESIDIO_MX_LANG": "es"},
            stderr=subprocess.PIPE,
            text=True,
        )
        self.log = []
        for line in self.process.stderr:
            self.log.append(line)
            if found := re.match(r"http://\S+", line):
                self.url = found[0]
                return
        raise RuntimeError("".join(self.log))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def open(self):
        self.browser.get(self.url)
        self.until(lambda: self.js("return document.body?.dataset.ready") == "yes")

    def reload(self):
        self.browser.refresh()
        self.until(lambda: self.js("return document.body?.dataset.ready") == "yes")

    def until(self, condition, seconds=120):
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, self.text("said")
            time.sleep(0.03)

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def text(self, name):
        return self.browser.find_element(By.ID, name).text

    def keys(self, *keys):
        for key in keys:
            ActionChains(self.browser, duration=0).send_keys(key).perform()

    def act(self, key, said):
        """Press a key, and wait for what the page says then."""
        self.js("document.getElementById('said').textContent = ''")
        self.keys(key)
        self.until(lambda: said in self.text("said"))

    def click(self, name, said):
        self.js("document.getElementById('said').textContent = ''")
        button = self.browser.find_element(By.ID, name)
        self.js("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()
        self.until(lambda: said in self.text("said"))

    def choose(self, name, value):
        self.js(
            "const e = document.getElementById(arguments[0]); e.value = arguments[1];"
            "e.dispatchEvent(new Event('change'))",
            name,
            value,
        )

    def value(self, name):
        return self.js("return document.getElementById(arguments[0]).value", name)

    def finish(self):
        """Finish the note; what is undecided is accepted."""
        self.keys("d")
        ask = "return document.getElementById('ask').open"
        if self.js("return !!document.querySelector('#note .proposed')"):
            self.until(lambda: self.js(ask))
            self.browser.find_element(By.ID, "ask-finish").click()
        self.until(lambda: not self.js(ask))

    def go(self, note):
        self.js(
            """
            document.getElementById('said').textContent = '';
            [...document.querySelectorAll('#notes .name')]
              .find(e => e.textContent === arguments[0]).click();
            """,
            note,
        )
        self.until(lambda: self.text("said") == f"Nota {note}")

    def marks(self, status=None):
        chosen = f".mark.{status}" if status else ".mark"
        found = self.browser.find_elements(By.CSS_SELECTOR, f"#note {chosen}")
        return [element.get_property("textContent") for element in found]

    def pick(self, piece):
        self.js(
            "[...document.querySelectorAll('#note .mark')]"
            ".find(e => e.textContent === arguments[0]).click()",
            piece,
        )

    def select(self, piece):
        """Select a piece of the note as a mouse would."""
        self.js(
            """
            const note = document.getElementById('note');
            const walker = document.createTreeWalker(note, NodeFilter.SHOW_TEXT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
              const at = node.data.indexOf(arguments[0]);
              if (at < 0) continue;
              const end = at + arguments[0].length;
              getSelection().setBaseAndExtent(node, at, node, end);
              note.dispatchEvent(new PointerEvent('pointerup', {bubbles: true}));
              return;
            }
            throw new Error('not found');
            """,
            piece,
        )
        self.until(lambda: piece in self.text("picked"))

    def output(self):
        element = self.browser.find_element(By.ID, "output")
        return element.get_property("textContent")

    def close(self):
        self.process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(15)
        self.kill()


class Here(Page):
    """A page that is served by this process, which has everything loaded."""

    def start(self):
        site = self.site
        project = open_project(
            self.folder / "notes",
            self.folder / "out",
            lambda text: examine(text, ner="none", site=site),
        )
        self.session = Session(project, self.reviewer, anonymize, self.between or None)
        found = [e for r in mx_recognizers("mx", site) for e in r.supported_entities]
        app = create_app(
            self.session,
            "secret",
            export,
            entities=sorted(set(found), key=lambda e: (OFTEN.get(e, 99), e)),
            site=site,
        )
        sock = open_socket("127.0.0.1", 0, remote=False, token="")
        self.url = f"{address(sock)}/secret/"
        config = uvicorn.Config(app, log_level="error", lifespan="off")
        self.server = uvicorn.Server(config)
        run = {"kwargs": {"sockets": [sock]}, "daemon": True}
        self.thread = threading.Thread(target=self.server.run, **run)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    def close(self):
        # A browser that still asks keeps no server up.
        self.server.should_exit = self.server.force_exit = True
        self.thread.join()
        self.session.close()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "notes").mkdir()
    for name, text in NOTES.items():
        (tmp_path / "notes" / f"{name}.txt").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if not (CHROMIUM and DRIVER):
        pytest.skip("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    profile = tmp_path_factory.mktemp("browser")
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    logs = {"browser": "ALL", "performance": "ALL"}
    options.set_capability("goog:loggingPrefs", logs)
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def page(folder, browser):
    shown = Here(folder, browser)
    for kind in ("browser", "performance"):
        browser.get_log(kind)
    shown.open()
    yield shown
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    shown.close()


def test_the_riskiest_note_is_first_and_its_risk_is_shown(page):
    first = page.session.notes[0]
    risks = {row.id: row.risk for row in page.session.rows()}
    assert risks[first] == max(risks.values()) > min(risks.values())
    assert page.text("note-title") == first
    listed = "return [...document.querySelectorAll('#notes li')].map(e => e.innerText)"
    rows = page.js(listed)
    assert [row.split()[0] for row in rows] == page.session.notes
    assert f"{round(100 * risks[first])} %" in rows[0]
    assert page.text("note-risk") == f"riesgo {round(100 * risks[first])} %"
    page.go("nota_3")
    assert page.text("note-risk").startswith("riesgo ")
    page.js("document.getElementById('language').click()")
    page.until(lambda: page.text("note-risk").startswith("risk "))


def test_accept_reject_retype_undo_and_reload(page):
    page.go("nota_1")
    assert page.marks("proposed").count("Ana Soto Ruiz") == 2
    assert "{NOMBRE}" in page.output()
    page.pick("443 312 4567")
    assert "MxPhoneRecognizer" in page.text("why")
    page.act("a", "Aceptada")
    assert page.marks("accepted") == ["443 312 4567"]
    page.pick("54 años")
    page.act("r", "Rechazada")
    assert "54 años" in page.output()
    page.pick("443 312 4567")
    page.act("7", "Tipo cambiado")
    assert "{EXPEDIENTE}" in page.output()
    page.reload()
    assert page.text("note-title") == "nota_1"
    assert page.marks("rejected") == ["54 años"]
    assert "{EXPEDIENTE}" in page.output()
    page.act("u", "Deshecho")
    assert "{TEL}" in page.output()
    page.act("u", "Deshecho")
    assert page.marks("rejected") == []
    page.act("y", "Rehecho")
    assert page.marks("rejected") == ["54 años"]
    assert page.text("progress-text").startswith("0 de 3")


def test_add_by_selecting_after_an_emoji_and_everywhere(page):
    page.go("nota_1")
    page.select("zapato")
    page.choose("reach", "all")
    page.until(lambda: page.text("add-text") == "Agregar en 2 notas")
    page.click("add", "Marca agregada · 2 notas")
    assert page.value("reach") == "here"  # a wide reach holds for one decision
    assert page.text("add-text") in ("", "Agregar")
    assert "zapato" in page.marks("accepted")
    assert page.output().endswith("El {NOMBRE} azul.")
    assert "😀" in page.output()
    page.go("nota_2")
    assert page.marks("accepted") == ["Zapato"]
    page.act("u", "Deshecho")
    assert "Zapato" not in page.marks()
    page.go("nota_1")
    assert "zapato" not in page.marks()


def test_everything_by_keyboard(page):
    page.go("nota_1")
    page.keys("j")
    first = page.text("picked")
    page.keys("j")
    assert page.text("picked") != first
    page.keys("k")
    assert page.text("picked") == first
    page.pick("Ana Soto Ruiz")
    page.act("o", "Límites cambiados")
    assert "Ana Soto" in page.marks("accepted")
    page.act("p", "Límites cambiados")
    page.act("e", "en esta nota")
    page.act("r", "Rechazada")
    assert page.marks("rejected") == ["Ana Soto Ruiz"] * 2
    # Select the two words behind the last mark, word by word, and add them.
    page.pick("443 312 4567")
    page.act("m", "Seleccionado: Vive")
    while "Zopilote" not in page.text("said"):
        page.keys(Keys.ARROW_RIGHT)
    ActionChains(page.browser).key_down(Keys.SHIFT).send_keys(Keys.ARROW_LEFT).key_up(
        Keys.SHIFT
    ).perform()
    page.until(lambda: page.text("said") == "Seleccionado: El Zopilote")
    page.keys("1")
    page.act(Keys.ENTER, "Marca agregada")
    assert "El Zopilote" in page.marks("accepted")
    page.finish()
    page.until(lambda: page.text("note-title") != "nota_1")
    assert page.text("progress-text").startswith("1 de 3")
    page.keys("?")
    page.until(lambda: page.js("return document.getElementById('help').open"))
    page.keys(Keys.ESCAPE)
    page.until(lambda: not page.js("return document.getElementById('help').open"))


def test_markup_in_a_note_is_shown_and_not_run(page):
    page.go("nota_2")
    text = page.js("return document.getElementById('note').textContent")
    assert text == NOTES["nota_2"]
    assert (
        page.js("return document.querySelectorAll('#note script, #note b').length") == 0
    )
    assert page.js("return document.title") == "Revisión de notas · presidio-mx"
    assert "<script>" in page.output()
    page.pick("Luis Ek")
    page.act("a", "Aceptada")
    assert page.js("return document.title") == "Revisión de notas · presidio-mx"


def test_nothing_comes_from_elsewhere(page):
    for note in NOTES:
        page.go(note)
    page.click("export", "Exportado")
    asked = [
        json.loads(entry["message"])["message"]
        for entry in page.browser.get_log("performance")
    ]
    urls = {
        message["params"]["request"]["url"]
        for message in asked
        if message["method"] == "Network.requestWillBeSent"
    }
    # The browser's own pages and inline data are not requests to anybody.
    hosts = {urlsplit(url).netloc for url in urls if url.startswith(("http", "ws"))}
    assert hosts == {urlsplit(page.url).netloc}
    problems = [e for e in page.browser.get_log("browser") if e["level"] == "SEVERE"]
    assert problems == []
    blocked = page.browser.execute_async_script(
        """
        const done = arguments[0];
        document.addEventListener('securitypolicyviolation', e => done(e.blockedURI));
        const script = document.createElement('script');
        script.textContent = 'document.title = "run"';
        document.body.append(script);
        """
    )
    assert blocked == "inline"
    assert page.js("return document.title") != "run"


def test_decisions_survive_a_killed_process(folder, browser):
    page = Page(folder, browser)
    page.open()
    page.go("nota_1")
    page.pick("54 años")
    page.act("r", "Rechazada")
    page.kill()
    page.keys("j", "a")
    page.until(lambda: "no responde" in page.text("said"))
    page.start()
    page.open()
    page.go("nota_1")
    assert page.marks("rejected") == ["54 años"]
    page.close()


def test_finish_export_and_failure_rate(page):
    page.go("nota_1")
    page.select("El Zopilote")
    page.click("add", "Marca agregada")
    page.finish()
    page.until(lambda: page.text("progress-text").startswith("1 de 3"))
    page.click("export", "1 de 3")
    out = page.folder / "out" / "export" / "ana"
    given = (out / "anonymized" / "nota_1.txt").read_text(encoding="utf-8")
    assert "Zopilote" not in given
    assert "{TEL}" in given
    assert "Zopilote" in (out / "training" / "notes.bio").read_text(encoding="utf-8")
    assert json.loads((out / "report.json").read_text())["failures"]["failed"] == 1
    page.keys("g")
    page.until(lambda: "1 de 1" in page.text("figures-body"))
    assert "agregadas" in page.text("figures-body")


def test_saving_in_the_sites_lists_teaches_the_next_run(folder, browser):
    (folder / "site").mkdir()
    page = Here(folder, browser, folder / "site")
    try:
        page.open()
        page.go("nota_1")
        page.select("El Zopilote")
        page.js("document.getElementById('more').open = true")
        page.click("site-save", "Guardado")
        deny = (folder / "site" / "deny.tsv").read_text(encoding="utf-8")
        assert "El Zopilote\tPERSON" in deny
        page.click("site-save", "Ya estaba")
    finally:
        page.close()
    found = analyze("Lo trae El Zopilote.", ner="none", site=folder / "site")
    assert [(result.start, result.end) for result in found] == [(8, 19)]


def test_english_and_roles_for_screen_readers(page):
    page.go("nota_1")
    page.browser.find_element(By.ID, "language").click()
    assert page.js("return document.documentElement.lang") == "en"
    assert "notes finished" in page.text("progress-text")
    page.reload()
    assert "notes finished" in page.text("progress-text")
    unnamed = page.js(
        """
        return [...document.querySelectorAll('button, select, input, [role=button]')]
          .filter(e => !e.closest('dialog') && e.checkVisibility())
          .filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.length))
          .map(e => e.outerHTML)
        """
    )
    assert unnamed == []
    label = page.browser.find_element(By.CSS_SELECTOR, "#note .mark").accessible_name
    assert label.startswith("Name · patient: Ana Soto Ruiz")
    assert page.js("return document.getElementById('said').ariaLive || 'polite'")
    pressed = page.browser.find_elements(By.CSS_SELECTOR, "#note [aria-pressed=true]")
    assert len(pressed) == 1
    assert len(page.browser.find_elements(By.CSS_SELECTOR, "#note [tabindex='0']")) == 1


@pytest.mark.parametrize(
    "size", [(1920, 1080), (1366, 768), (683, 384), (640, 400), (400, 800)]
)
def test_all_actions_are_in_view_whatever_the_window(page, size):
    """A window of 1366 by 768 at 200 % has 683 by 384 CSS pixels."""
    metrics = {"width": size[0], "height": size[1], "mobile": False}
    page.browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", metrics | {"deviceScaleFactor": 1}
    )
    page.go("nota_1")
    html = page.js(
        "const html = document.documentElement; return [html.scrollWidth,"
        "html.clientWidth, html.scrollHeight, html.clientHeight]"
    )
    assert html[0] <= html[1] and html[2] <= html[3]  # the panes scroll, not the page
    rows = set()
    for name in ("accept", "reject", "reach", "type", "role", "done"):
        element = page.browser.find_element(By.ID, name)
        assert element.is_displayed()
        box = element.rect
        assert 0 <= box["x"] and box["x"] + box["width"] <= size[0] + 1
        assert 0 <= box["y"] and box["y"] + box["height"] <= size[1] + 1
        rows.add(round(box["y"] + box["height"] / 2) // 4)
    assert len(rows) == 1 or size[0] <= 400
    for pane in ("note", "output"):
        width = f"const e = document.getElementById('{pane}'); return [e.scrollWidth,"
        inside, shown = page.js(width + "e.clientWidth]")
        assert inside <= shown
    for name in ("note", "output"):
        height = page.js(f"return document.getElementById('{name}').clientHeight")
        assert height >= 0.2 * size[1]
    page.pick("54 años")
    page.click("reject", "Rechazada")


def test_the_reach_stands_on_the_button_and_holds_once(page):
    page.go("nota_1")
    page.pick("Ana Soto Ruiz")
    assert page.text("accept-text") == "Aceptar"
    page.keys("e")
    page.until(lambda: page.text("accept-text") == "Aceptar en 2 lugares")
    page.pick("Beto")
    page.keys("e")
    page.until(lambda: page.text("accept-text") == "Aceptar en 2 notas")
    page.act("a", "Aceptada · 2 notas cambiaron")
    assert page.value("reach") == "here"
    assert page.text("accept-text") == "Aceptar"


def test_finishing_with_undecided_marks_asks(page):
    page.go("nota_1")
    page.keys("d")
    page.until(lambda: "sin decidir" in page.text("ask-text"))
    page.keys(Keys.ENTER)  # the first of them
    page.until(lambda: not page.js("return document.getElementById('ask').open"))
    assert page.text("progress-text").startswith("0 de 3")
    page.go("nota_3")
    page.act("d", "Nota")  # nothing undecided: nothing to ask
    page.until(lambda: page.text("progress-text").startswith("1 de 3"))
    # The page goes to the next note by itself, on a busy machine some time later.
    page.until(lambda: page.text("note-title") != "nota_3")
    page.go("nota_1")
    page.finish()
    page.until(lambda: page.text("note-title") != "nota_1")
    page.go("nota_2")
    page.finish()
    # The last one: the rate with its interval is shown.
    page.until(lambda: page.js("return document.getElementById('figures').open"))
    assert "intervalo de 95 %" in page.text("figures-body")
    assert "% con omisiones (95 %:" in page.text("progress-text")


def test_roles_comments_search_and_guidelines(page):
    page.go("nota_1")
    page.pick("Ana Soto Ruiz")
    page.choose("role", "relative")
    page.until(lambda: "Papel cambiado" in page.text("said"))
    label = page.browser.find_element(
        By.CSS_SELECTOR, "#note [aria-pressed=true]"
    ).accessible_name
    assert "familiar" in label
    page.keys("c")
    page.until(lambda: page.js("return document.getElementById('aside').open"))
    page.keys("Falta la página 2")
    page.js("document.getElementById('aside-save').click()")
    page.until(lambda: page.text("note-title") != "nota_1")  # skipped: the next one
    page.choose("filter", "skipped")
    assert page.text("found") == "1 de 3"
    page.choose("filter", "all")
    page.go("nota_1")
    assert page.text("note-state") == "apartada"
    assert page.text("note-comment") == "Falta la página 2"
    page.js("document.getElementById('search').focus()")
    page.keys("ZAPATO")
    page.until(lambda: page.text("found") == "2 de 3")
    page.js("document.getElementById('find').focus()")
    page.keys("zópilote", Keys.ENTER)
    page.until(lambda: page.text("picked") == "Seleccionado: Zopilote")
    page.keys(Keys.ESCAPE)
    page.keys("i")
    page.until(lambda: "QUÉ SE MARCA" in page.text("guidelines-body"))


def test_selecting_inside_a_mark_out_of_the_note_and_right_to_left(page):
    page.go("nota_1")
    drag = """
        const note = document.getElementById('note');
        const text = [...note.querySelectorAll('.mark')]
          .find(e => e.textContent === 'Ana Soto Ruiz').firstChild;
        const range = document.createRange();
        const box = (from, to) => { range.setStart(text, from); range.setEnd(text, to);
          const r = range.getBoundingClientRect();
          return [Math.round(r.left), Math.round(r.top + r.height / 2)]; };
        return [box(4, 5), box(8, 9), note.getBoundingClientRect().left];
    """
    start, end, left = page.js(drag)
    mouse = ActionChains(page.browser, duration=0).w3c_actions.pointer_action

    def select(first, last):
        page.js("getSelection().removeAllRanges()")
        mouse.move_to_location(*first)
        mouse.pointer_down()
        mouse.move_to_location(*last)
        mouse.pointer_up()

    for first, last, said in (
        (start, end, "Seleccionado: Soto"),
        (end, start, "Seleccionado: Soto"),
        (end, (int(left) - 40, end[1]), "Seleccionado: Paciente Ana Soto"),
    ):
        actions = ActionChains(page.browser, duration=0)
        mouse = actions.w3c_actions.pointer_action
        select(first, last)
        actions.perform()
        page.until(lambda: page.text("picked") == said)  # noqa: B023
        page.keys(Keys.ESCAPE)


def test_text_written_from_right_to_left(folder, browser):
    hebrew = "שלום דנה כהן 12 וגם Ana Soto Ruiz."
    (folder / "notes" / "nota_1.txt").write_text(hebrew, encoding="utf-8")
    page = Here(folder, browser)
    try:
        page.open()
        page.go("nota_1")
        page.select("דנה כהן")
        page.click("add", "Marca agregada")
        assert page.marks("accepted") == ["דנה כהן"]
        assert page.output().startswith("שלום {NOMBRE} ")
    finally:
        page.close()


def test_the_panes_scroll_together(folder, browser):
    text = "\n".join(
        f"Tel. 443 312 45{n:02}. Paciente Ana Soto Ruiz." for n in range(99)
    )
    (folder / "notes" / "nota_1.txt").write_text(text, encoding="utf-8")
    page = Here(folder, browser)
    try:
        page.open()
        page.go("nota_1")
        page.js("document.getElementById('note').scrollTop = 900")
        tops = """
            const line = (pane, what) => {
              const box = document.getElementById(pane).getBoundingClientRect();
              return [...document.querySelectorAll(`#${pane} .${what}`)]
                .findIndex(e => e.getBoundingClientRect().bottom > box.top); };
            return [line('note', 'mark'), line('output', 'item')];
        """
        page.until(lambda: abs(page.js(tops)[0] - page.js(tops)[1]) <= 2)
        assert page.js(tops)[0] > 10
    finally:
        page.close()


def test_two_reviewers_see_where_they_differ(page):
    for note in ("nota_1", "nota_2"):
        page.go(note)
        page.finish()
        page.until(lambda: page.text("note-title") != note)  # noqa: B023
    second = Here(page.folder, page.browser, reviewer="beto")
    try:
        second.open()
        second.go("nota_1")
        second.pick("54 años")
        second.act("r", "Rechazada")
        second.finish()
        second.until(lambda: second.text("note-title") != "nota_1")
        second.keys("g")
        second.choose("other", "ana")
        second.until(lambda: "Kappa" in second.text("compare-body"))
        assert "54 años" in second.text("compare-body")
        # Take what she says of it: nothing is left to differ about.
        second.js("document.querySelector('#compare .theirs').click()")
        second.until(lambda: "54 años" not in second.text("compare-body"))
        second.js("document.getElementById('figures').close()")
        assert second.marks("accepted").count("54 años") == 1
        second.act("u", "Deshecho")
        assert second.marks("rejected") == ["54 años"]
    finally:
        second.close()
    third = Here(page.folder, page.browser, reviewer="carla", between=("ana", "beto"))
    try:
        third.open()
        assert third.text("note-title") == "nota_1"  # nota_2 only one has finished
        assert third.marks("proposed") == ["54 años"]
        third.pick("54 años")
        assert third.text("take-0") == "ana: Edad ,"
        assert third.text("take-1") == "beto: sin marca ."
        third.act(".", "Tomado")
        assert third.marks("rejected") == ["54 años"]
        third.finish()
        third.until(lambda: third.js("return document.getElementById('figures').open"))
        third.js("document.getElementById('figures').close()")
        third.click("export", "1 de 1")
        gold = third.folder / "out" / "export" / "carla" / "training" / "notes.bio"
        assert "Ana" in gold.read_text(encoding="utf-8")
    finally:
        third.close()


def test_the_address_is_a_secret_and_other_sites_are_refused(folder):
    shown = Page(folder)
    try:
        parts = urlsplit(shown.url)

        def status(method, path, body=None, **headers):
            connection = http.client.HTTPConnection(parts.hostname, parts.port)
            with contextlib.closing(connection):
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                answer.read()
                return answer.status

        json_type = {"Content-Type": "application/json"}
        undo = b'{"note": "nota_1"}'
        path = parts.path
        assert status("GET", path) == 200
        assert status("GET", "/") == 404
        assert status("GET", "/api/start") == 404
        other = "x" if path[-2] != "x" else "y"
        assert status("GET", path[:-2] + other + "/") == 404
        assert status("GET", path + "..%2f..%2fcli.py") == 404
        assert status("GET", path, Host="evil.example") == 400
        evil = {"Origin": "http://evil.example"} | json_type
        assert status("POST", path + "api/undo", undo, **evil) == 403
        assert status("POST", path + "api/undo", undo, **json_type) == 200
        plain = {"Content-Type": "text/plain"}
        assert status("POST", path + "api/undo", undo, **plain) == 422
        wrong = b'{"kind": "accept", "note": "nope", "mark": "p0"}'
        assert status("POST", path + "api/decide", wrong, **json_type) == 422
    finally:
        shown.close()
    assert "nota" not in "".join(shown.log)
