"""The list of errors and the report page, the latter in a real browser too."""

import base64
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from presidio_mx.research.corpora import Note, Span
from presidio_mx.research.evaluation import score
from presidio_mx.research.evaluation.compare import compare
from presidio_mx.research.evaluation.compare_report import render_comparison
from presidio_mx.research.evaluation.mistakes import mistakes
from presidio_mx.research.evaluation.page import About, pieces
from presidio_mx.research.evaluation.report import render
from presidio_mx.research.evaluation.rewriting import rewriting_scores

HOSTILE = '<script>document.title="run"</script><img src=x onerror=alert(1)>'
TEXT = "Pte Itzel Paz Ruiz. Cel 443 555 01 02, vive en Jaca.\nSin fiebre."
GOLD = Note(
    "a",
    TEXT,
    (
        Span(4, 18, "PERSON", "patient"),
        Span(24, 37, "PHONE_NUMBER"),
        Span(47, 51, "LOCATION"),
    ),
)
PREDICTED = Note(
    "a",
    TEXT,
    (
        Span(4, 13, "PERSON", None, 0.9, "MxPersonRecognizer"),
        Span(24, 37, "MX_NSS", None, 0.9, "MxNssRecognizer"),
        Span(53, 56, "PERSON", None, 0.5, "MxPersonRecognizer"),
    ),
)
EVIL_GOLD = Note("b", f"Vive {HOSTILE} Ana", (Span(5, 5 + len(HOSTILE), "ADDRESS"),))
EVIL_PREDICTED = EVIL_GOLD.with_spans((Span(5, 13, "<b>X", None, 0.5, '"><i>'),))


def test_errors_by_kind_in_their_sentence() -> None:
    found = mistakes(GOLD, PREDICTED)
    assert [(e.kind, e.leaks, e.sentence) for e in found] == [
        ("boundary", True, "Pte Itzel Paz Ruiz."),
        ("type", False, "Cel 443 555 01 02, vive en Jaca."),
        ("missed", True, "Cel 443 555 01 02, vive en Jaca."),
        ("extra", False, "Sin fiebre."),
    ]
    assert mistakes(GOLD, GOLD) == []


def test_a_span_cut_in_two_is_two_boundary_errors() -> None:
    gold = Note("a", "Ana Paz", (Span(0, 7, "PERSON"),))
    halves = gold.with_spans((Span(0, 3, "PERSON"), Span(4, 7, "PERSON")))
    found = mistakes(gold, halves)
    assert [e.kind for e in found] == ["boundary", "boundary"]
    assert not any(e.leaks for e in found)


def page() -> str:
    gold, predicted = [GOLD, EVIL_GOLD], [PREDICTED, EVIL_PREDICTED]
    outputs = {"a": "Pte Mara Sol. Cel 1", "b": "Vive Ana"}
    return render(
        score(gold, predicted, rounds=50),
        list(zip(gold, predicted, strict=True)),
        About("<em>sistema</em>", "corpus/<b>a</b>", "2026-11-22", "presidio-mx 9.9"),
        rewriting_scores(gold, outputs, rounds=50),
    )


def comparison() -> str:
    gold, first = [GOLD, EVIL_GOLD], [PREDICTED, EVIL_PREDICTED]
    second = [PREDICTED.with_spans(PREDICTED.spans[:1]), EVIL_GOLD]
    return render_comparison(
        compare(gold, first, second, rounds=50),
        list(zip(gold, first, strict=True)),
        list(zip(gold, second, strict=True)),
        About("A: <em>uno</em>; B: dos", "corpus", "2026-11-22"),
    )


def test_a_text_is_cut_where_marks_begin_and_end() -> None:
    layers = (("gold", [Span(2, 6, "A")]), ("predicted", [Span(4, 99, "B")]))
    cut = [(p.text, p.classes) for p in pieces("0123456789", layers)]
    assert cut == [
        ("01", ""),
        ("23", "gold"),
        ("45", "gold predicted"),
        ("6789", "predicted"),
    ]
    assert "".join(p.text for p in pieces(TEXT, [("gold", GOLD.spans)])) == TEXT


@pytest.mark.parametrize("made", [page, comparison])
def test_the_page_escapes_everything_and_asks_for_nothing(made: Any) -> None:
    html = made()
    assert HOSTILE not in html
    assert "&lt;script&gt;" in html
    assert "<em>sistema" not in html
    assert "<b>X" not in html
    for word in ("http:", "https:", "src=x>", "@import", "url("):
        assert word not in html
    assert html.count("<script>") == 1
    assert "default-src &#39;none&#39;" in html or "default-src 'none'" in html


def test_a_page_that_quotes_notes_says_so_before_anything_else() -> None:
    body = page().partition("<body>")[2].lstrip()
    assert body.startswith('<p class="warning" role="note">')
    assert "identifiers of patients" in body[:200] or "identificadores" in body[:200]


def test_without_errors_the_page_still_renders() -> None:
    html = render(score([GOLD], [GOLD], rounds=50), [(GOLD, GOLD)], About("oro"))
    assert "0 / 0" in html
    assert 'class="bar"' not in html


def test_the_page_tells_system_data_version_and_date() -> None:
    body = page().partition("<main>")[0]
    for said in ("&lt;em&gt;sistema", "corpus/&lt;b&gt;a", "2026-11-22", "9.9"):
        assert said in body


def test_in_spanish_nothing_is_left_in_english(monkeypatch: Any) -> None:
    monkeypatch.setenv("PRESIDIO_MX_LANG", "es")
    for html in (page(), comparison()):
        shown = re.sub(r"<(style|script)>.*?</\1>|<[^>]*>", " ", html, flags=re.S)
        for word in ("covered", "leak", "missed", "boundary", "recall", "better"):
            assert word not in shown
        assert "identificadores cubiertos por completo" in shown


def test_what_two_systems_have_wrong_alike_is_told_apart() -> None:
    html = comparison()
    rows = re.findall(r'<tr class="error"[^>]*>', html)
    differing = [row for row in rows if "data-differing" in row]
    # Alike: the half name, and the town that neither found.
    assert (len(rows), len(differing)) == (8, 4)
    assert '<mark class="gold A B"' in html


@pytest.fixture
def browser() -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    with tempfile.TemporaryDirectory() as profile:
        for flag in (
            "headless no-sandbox disable-gpu disable-quic no-first-run "
            "disable-background-networking disable-component-update disable-sync"
        ).split():
            options.add_argument(f"--{flag}")
        options.add_argument(f"--user-data-dir={profile}")
        options.add_argument("--window-size=1200,1000")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = webdriver.ChromeService(executable_path=driver)
        opened = webdriver.Chrome(options=options, service=service)
        try:
            yield opened
        finally:
            opened.quit()


def shown(browser: Any) -> int:
    rows = browser.find_elements("css selector", "#list .error")
    return sum(row.is_displayed() for row in rows)


@pytest.mark.heavy
def test_the_page_in_a_browser(browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select

    file = tmp_path / "report.html"
    file.write_text(page(), "utf-8")
    browser.get(file.as_uri())
    assert "report" in browser.title.lower() or "informe" in browser.title.lower()
    severe = [e for e in browser.get_log("browser") if e["level"] == "SEVERE"]
    assert severe == []
    assert shown(browser) == 5
    # The hostile note is text, nothing of it became an element.
    assert browser.find_elements("css selector", "#list img, #list script") == []
    assert HOSTILE in browser.find_element("id", "list").text
    kind = browser.find_element("name", "kind")
    Select(kind).select_by_value("missed")
    assert shown(browser) == 1
    assert browser.find_element("id", "count").text == "1 / 5"
    browser.find_element("css selector", "button[type=reset]").send_keys(Keys.ENTER)
    assert shown(browser) == 5
    Select(browser.find_element("name", "recognizer")).select_by_value(
        "MxPersonRecognizer"
    )
    assert shown(browser) == 2
    Select(browser.find_element("name", "recognizer")).select_by_value("")
    search = browser.find_element("name", "search")
    search.send_keys("fiebre")
    assert shown(browser) == 1
    search.clear()
    search.send_keys(Keys.TAB, Keys.SPACE)  # to "leaks only", by keyboard alone
    assert shown(browser) == 3
    # A bar leads to its errors.
    bar = browser.find_element("css selector", "a.bar[data-choice=LOCATION]")
    browser.execute_script("arguments[0].dispatchEvent(new MouseEvent('click'))", bar)
    browser.execute_async_script("setTimeout(arguments[0], 50)")
    assert shown(browser) == 1
    assert Select(browser.find_element("name", "type")).first_selected_option
    # A click on an error shows the whole note, at its place.
    whole = browser.find_element("css selector", ".note .whole")
    assert not whole.is_displayed()
    errors = browser.find_elements("css selector", "#list .error .show")
    next(error for error in errors if error.is_displayed()).click()
    assert whole.is_displayed()
    assert whole.get_property("textContent") == TEXT
    assert browser.find_element("css selector", "mark.here").text == "Jaca"
    # The skip link is the first stop of the keyboard.
    browser.execute_script("document.activeElement.blur(); window.scrollTo(0, 0)")
    browser.get(file.as_uri())
    browser.find_element("tag name", "body").send_keys(Keys.TAB)
    assert browser.switch_to.active_element.get_attribute("class") == "skip"
    file.write_text(comparison(), "utf-8")
    browser.get(file.as_uri())
    assert shown(browser) == 4
    browser.find_element("name", "differing").click()
    assert shown(browser) == 8


def test_the_picture_in_the_readme_is_a_small_png() -> None:
    picture = Path(__file__).parents[1] / "samples/pictures/evaluation-report.png"
    if not picture.parent.is_dir():
        pytest.skip("samples are not part of this installation")
    data = picture.read_bytes()
    assert base64.b16encode(data[:8]) == b"89504E470D0A1A0A"
    assert len(data) < 300_000
