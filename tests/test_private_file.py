"""Files that hold originals are their owner's alone, and no link leads them astray."""

import os
import stat

import pytest

from presidio_mx.errors import InputError
from presidio_mx.private_file import (
    create_private,
    open_private,
    private_folder,
    write_private,
)
from presidio_mx.research.corpora.store import write_corpus
from presidio_mx.research.evaluation.sample import write_sheet
from presidio_mx.text.spans import Note, Span
from presidio_mx.work.service.review.journal import Journal
from presidio_mx.work.service.review.project import write_whole

pytestmark = pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
NOTE = Note("a", "Pte Ana Ruiz", (Span(4, 12, "PERSON"),))
SHEET = ({"a": "Pte Ana Ruiz"}, ["a"], ("PERSON",))


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def generous_umask():
    before = os.umask(0)
    yield
    os.umask(before)


WRITERS = {
    "create": lambda path: create_private(path).close(),
    "open": lambda path: open_private(path).close(),
    "write": lambda path: write_private(path, [b"Ana"]),
    "journal of a review": lambda path: Journal(path).close(),
    "export of a review": lambda path: write_whole(path, "Ana"),
    "corpus in one file": lambda path: write_corpus([NOTE], path, "jsonl"),
    "sheet for reviewers": lambda path: write_sheet(path, *SHEET),
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS.keys())
def test_only_the_owner_may_read(write, tmp_path):
    path = tmp_path / "new"
    write(path)
    assert mode(path) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["new"]


def test_the_files_of_a_corpus_folder_are_private(tmp_path):
    for form in ("brat", "inline", "i2b2", "presidio"):
        write_corpus([NOTE], tmp_path / form, form)
        assert {mode(path) for path in (tmp_path / form).iterdir()} == {0o600}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS.keys())
def test_a_planted_link_is_refused(write, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    path = tmp_path / "new"
    path.symlink_to(victim)
    with pytest.raises((InputError, FileExistsError)):
        write(path)
    assert victim.read_text() == "mine"


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS.keys())
def test_a_link_to_nothing_makes_no_file_elsewhere(write, tmp_path):
    path = tmp_path / "new"
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises((InputError, FileExistsError)):
        write(path)
    assert not (tmp_path / "elsewhere").exists()


def test_a_link_planted_for_the_part_is_removed_and_not_followed(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / "new.part").symlink_to(victim)
    write_private(tmp_path / "new", [b"Ana"])
    assert victim.read_text() == "mine" and (tmp_path / "new").read_bytes() == b"Ana"


def test_a_hard_link_and_a_pipe_are_refused(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    os.link(victim, tmp_path / "hard")
    with pytest.raises(InputError, match="a link to another place"):
        open_private(tmp_path / "hard")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="ordinary file"):
        open_private(tmp_path / "pipe")


def test_a_file_of_an_earlier_version_is_closed_to_others(tmp_path):
    path = tmp_path / "old"
    path.write_bytes(b"kept")
    path.chmod(0o644)
    with open_private(path, append=True) as file:
        assert file.read() == b"kept"
        file.seek(0)
        file.write(b", too")
    assert path.read_bytes() == b"kept, too" and mode(path) == 0o600


def test_a_write_that_fails_leaves_the_old_file_and_no_part(tmp_path):
    path = tmp_path / "file"
    write_private(path, [b"old"])

    def pieces():
        yield b"new"
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_private(path, pieces())
    with pytest.raises(FileExistsError):
        write_private(path, [b"new"], replace=False)
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_a_folder_is_private_and_a_link_to_one_refused(tmp_path):
    made = private_folder(tmp_path / "new")
    assert mode(made) == 0o700 and private_folder(made) == made
    (tmp_path / "link").symlink_to(made)
    with pytest.raises(InputError, match="a link"):
        private_folder(tmp_path / "link")
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="not a folder"):
        private_folder(tmp_path / "file")
