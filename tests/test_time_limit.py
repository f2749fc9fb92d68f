"""A note that takes too long costs itself, in this process and in every other."""

import re
import signal
import threading
import time

import pytest
from batch_helpers import job, read_jsonl, write_csv

from presidio_mx import InputError, analyze, analyze_and_anonymize
from presidio_mx.batch import deidentify
from presidio_mx.errors import ConfigurationError
from presidio_mx.time_limit import OutOfTime, within
from presidio_mx.work.batch.cells import BLANK, Cells
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.run import run
from presidio_mx.work.batch.settings import Settings
from presidio_mx.work.batch.work import process


def hang():
    while True:
        try:
            time.sleep(0.01)
        except Exception:  # what is meant for slips must not swallow it
            continue


def in_thread(work):
    """Do work in another thread; return what it returns or raises."""
    outcome = []

    def call():
        try:
            outcome.append(work())
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join(60)
    return outcome[0]


def test_work_that_hangs_is_interrupted():
    with pytest.raises(OutOfTime):
        within(0.1, hang)
    assert within(5.0, lambda: 7) == 7
    assert within(0, lambda: 7) == 7


def test_in_another_thread():
    assert isinstance(in_thread(lambda: within(0.1, hang)), OutOfTime)
    assert in_thread(lambda: within(5.0, lambda: 7)) == 7


def test_one_long_search_is_interrupted():
    pattern = re.compile("(a|aa)+$")
    with pytest.raises(OutOfTime):
        within(0.2, lambda: pattern.match("a" * 100 + "b"))


def test_errors_pass_and_timers_of_others_go_on():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(True))
    old = signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(ZeroDivisionError):
            within(5.0, lambda: 1 // 0)
        assert not rung
        end = time.monotonic() + 30
        while not rung and time.monotonic() < end:
            time.sleep(0.01)
        assert rung
    finally:
        signal.setitimer(signal.ITIMER_REAL, *old)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture
def slow(monkeypatch):
    """Hang at a note that says so."""
    from presidio_mx.pipeline import examine as real

    def maybe(text, *args, **more):
        return hang() if "cuelga" in text else real(text, *args, **more)

    monkeypatch.setattr("presidio_mx.work.batch.work.examine", maybe)


NOTES = ["Sra. Xóchitl Paz", "cuelga Juan Pérez", "tos"]
SAID = "the row took longer than 0.5 seconds"


def test_a_run_without_workers(slow, tmp_path):
    rows = [["nota"], *([note] for note in NOTES)]
    source = write_csv(tmp_path / "in.csv", rows)
    settings = Settings(ner="none", seconds=0.5)
    columns = Columns(text=("nota",))
    summary = run(job(source, tmp_path / "out.csv", columns, settings=settings))
    assert read_jsonl(summary.errors) == [{"row": 2, "reason": SAID}]


def test_the_library_call(slow, tmp_path):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"nota": NOTES})
    done = deidentify(frame, text="nota", ner="none", timeout=0.5)
    assert done.data["nota"].to_list() == ["Sra. {NOMBRE}", BLANK, "tos"]
    assert done.errors[0].reason == SAID
    source = write_csv(tmp_path / "in.csv", [["nota"], *([note] for note in NOTES)])
    out = tmp_path / "out.csv"
    done = deidentify(source, out, text="nota", ner="none", timeout=0.5)
    assert [error.row for error in done.errors] == [2]


def test_a_row_in_a_thread_as_servers_and_spark_may_have_it(slow):
    settings = Settings(ner="none", seconds=0.5)
    done = in_thread(lambda: process(settings, Cells(("cuelga Juan",))))
    assert done.problem == SAID
    assert in_thread(lambda: process(settings, Cells(("tos",)))).texts == ("tos",)


def test_spark_hands_the_limit_to_its_executors(slow):
    pa = pytest.importorskip("pyarrow")
    from presidio_mx.work.batch import spark

    columns = Columns(text=("nota",))
    settings = Settings(ner="none", seconds=0.5)
    plan = spark._Plan(columns, ("nota",), settings, "error", None)
    batch = pa.RecordBatch.from_pydict({"nota": NOTES})
    (made,) = spark._map(plan, [batch])
    assert made.to_pydict() == {
        "nota": ["Sra. {NOMBRE}", BLANK, "tos"],
        "error": [None, SAID, None],
    }


@pytest.mark.parametrize("call", [analyze, analyze_and_anonymize])
@pytest.mark.parametrize("where", [lambda work: work(), in_thread])
def test_one_note_in_python_gives_nothing_when_its_time_is_over(call, where):
    def told(text, timeout):
        try:
            return call(text, ner="none", timeout=timeout)
        except InputError as error:
            return str(error)

    assert told("acude Ana Gómez", 60) == call("acude Ana Gómez", ner="none")
    said = where(lambda: told("calle Ana Gómez, " * 20_000, 0.05))
    assert said.startswith("the note took longer than 0.05 seconds")


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), -1, 1e300, "x"])
def test_what_is_no_time_limit_is_refused(tmp_path, seconds):
    source, out = (
        write_csv(tmp_path / "in.csv", [["nota"], ["tos"]]),
        tmp_path / "o.csv",
    )
    with pytest.raises(ConfigurationError, match="seconds above 0.*or 0 for no limit"):
        analyze("tos", ner="none", timeout=seconds)
    for limit in (seconds, 0):
        with pytest.raises(ConfigurationError, match="seconds above 0"):
            deidentify(source, out, text="nota", ner="none", timeout=limit)
    assert not out.exists()
