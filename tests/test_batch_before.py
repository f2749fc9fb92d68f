"""What is refused before anything is written: files that would be lost."""

import os

import pytest
from batch_helpers import KEY, job, use_shout, write_csv

from presidio_mx.batch import deidentify
from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.replace.keys import Key
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.formats import Reading
from presidio_mx.work.batch.run import run
from presidio_mx.work.batch.settings import Settings
from presidio_mx.work.batch.workspace import State, Workspace

NOTES = Columns(text=("nota",), id="folio")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    use_shout(monkeypatch)


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_csv(tmp_path / "in.csv", [["folio", "nota"], ["1", "tos"]])
    (tmp_path / "my.key").write_text("secret")
    (tmp_path / "old.marks").write_text('{"key": "0", "marks": ""}\n')
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "site").mkdir()
    return tmp_path


def contents(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


def settled(place, **more):
    settings = Settings(ner="none", key=Key.from_value(KEY), **more.pop("how", {}))
    paths = {k: place / v for k, v in more.items() if isinstance(v, str)}
    more = {"force": True, "key_file": place / "my.key", **more, **paths}
    return job(place / "in.csv", place / "out.csv", NOTES, settings=settings, **more)


@pytest.mark.parametrize(
    "same",
    [
        {"marks": "my.key"},
        {"vault": "my.key"},
        {"numbers": "in.csv"},
        {"numbers": "out.csv"},
        {"numbers": "out.csv.audit.jsonl"},
        {"marks": "out.csv.errors.jsonl"},
        {"numbers": "out.csv.presidio-mx"},
        {"numbers": "out.csv.presidio-mx/state.json"},
        {"numbers": "q", "marks": "q"},
        {"vault": "q", "marks": "site/../q"},
        {"marks": "old.marks", "how": {"ours": ("old.marks",)}},
        {"numbers": "site/numbers.csv", "how": {"site": "site"}},
    ],
)
def test_no_file_is_two_things_at_once(place, same):
    before = contents(place)
    with pytest.raises(ConfigurationError, match="must be apart") as error:
        run(settled(place, **same))
    assert "\n" not in str(error.value)
    assert contents(place) == before


def test_links_to_one_file_are_one_file(place):
    os.link(place / "my.key", place / "other.key")
    with pytest.raises(ConfigurationError, match="--key-file and --marks"):
        run(settled(place, marks="other.key"))


@pytest.mark.parametrize(
    "name", ["numbers", "marks", "out.csv.audit.jsonl", "out.csv.errors.jsonl"]
)
def test_force_replaces_only_what_a_run_wrote(place, name):
    named = {name: "mine.txt"} if "." not in name else {}
    (place / (named.get(name, name))).write_text("mine")
    before = contents(place)
    with pytest.raises(ConfigurationError, match="not written by a run"):
        run(settled(place, **named))
    assert contents(place) == before


def test_force_replaces_what_a_run_wrote(place):
    for _ in range(2):
        run(settled(place, numbers="n.csv", marks="m.marks"))
    assert (place / "n.csv").read_bytes() == b"number,name\r\n1,1\r\n"


@pytest.mark.parametrize("how", ["force", "resume"])
def test_an_interrupted_run_does_not_take_a_folder_of_others(place, how):
    (place / "notes").mkdir()
    (place / "notes" / "a.txt").write_text("tos")
    (place / "out").mkdir()
    (place / "out" / "thesis.docx").write_text("mine")
    with Workspace(place / "out") as workspace:
        workspace.save(State("an interrupted run"))
    task = job(place / "notes", place / "out", Columns(text=("text",)), **{how: True})
    with pytest.raises(ConfigurationError, match="more than the notes|other options"):
        run(task)
    assert (place / "out" / "thesis.docx").exists()


@pytest.mark.parametrize(
    "wrong", [{"workers": -1}, {"workers": 1.5}, {"on_error": "foo"}]
)
def test_what_no_run_can_work_with(place, wrong):
    frame = pytest.importorskip("pandas").DataFrame({"nota": ["tos"]})
    with pytest.raises(ConfigurationError, match=next(iter(wrong))):
        deidentify(frame, text="nota", ner="none", **wrong)
    more = {"text": "nota", "drop": "folio", "ner": "none", **wrong}
    with pytest.raises(ConfigurationError, match=next(iter(wrong))):
        deidentify(place / "in.csv", place / "out.csv", **more)


@pytest.mark.parametrize(
    ("reading", "option"),
    [(Reading(sheet="foo"), "--sheet"), (Reading(delimiter=";"), "--delimiter")],
)
def test_options_without_meaning_for_the_format(place, reading, option):
    (place / "in.jsonl").write_text('{"nota": "tos"}\n')
    source = place / "in.jsonl"
    with pytest.raises(ConfigurationError, match=f"{option}: without meaning"):
        run(job(source, place / "out.jsonl", Columns(text=("nota",)), reading=reading))


def test_going_on_and_beginning_anew_are_two_things(place):
    with pytest.raises(ConfigurationError, match="resume and force"):
        run(settled(place, resume=True))


def test_a_folder_that_cannot_be_written_is_named(place, monkeypatch):
    def refuse(*, dir, **_):
        raise PermissionError(13, "Permission denied", str(dir))

    monkeypatch.setattr("presidio_mx.work.batch.workspace.mkdtemp", refuse)
    with pytest.raises(InputError, match="cannot be written") as error:
        run(settled(place))
    said = str(error.value)
    assert said.startswith(f"{place}: ")
    assert "presidio-mx" not in said.replace(str(place), "") and "--resume" not in said
