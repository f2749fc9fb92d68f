"""Ten wrong arguments for each option of each command end in one sentence.

Commands and options are asked of the program itself; every call has one value wrong and
the others right. The last step of a command that would train, or stay, is left out.
"""

import os
import re
import shutil
from contextlib import ExitStack
from pathlib import Path
from time import process_time
from typing import get_type_hints
from unittest.mock import patch

import pytest
import typer
from batch_helpers import KEY, read_csv, write_csv
from child import call
from test_review_batch import review

from presidio_mx.messages import in_spanish
from presidio_mx.time_limit import OutOfTime, within
from presidio_mx.work.cli.program import app

NOTE = "Acude Ana Ruiz el 3 de mayo de 2024, tel. 443 312 4567."
# Seconds of work, and of waiting: a busy machine works little in a second.
LONGEST_WORK, HANGS = 20, 120
# A line of each command that is right; every one of its values becomes wrong in turn.
RIGHT = {
    "anonymize": "note.txt --key-file k.key",
    "analyze": "note.txt",
    "show": "note.txt",
    "batch": "t.csv out.csv --text nota --known paciente=nombre --keep sexo --keep edad"
    " --keep municipio --keep estado --shift egreso --drop cie --id nss"
    " --key-file k.key",
    "triage": "b.csv",
    "release": "b.csv review --out free --key-file k.key",
    "risk": "t.csv --text nota --id nss --age edad --sex sexo --date egreso",
    "mcp": "shelf",
    "entities": "",
    "recognizers": "",
    "rules": "--hits gold",
    "cohort": "t.csv out.csv --text nota",
    "check": "--site site",
    "doctor": "",
    "reidentify": "done.txt --vault v.vault --key-file k.key",
    "decrypt": "secret.txt --key-file k.key",
    "obfuscate": "note.txt --vectors v.txt --key-file k.key",
    "synthesize": "out.jsonl --count 2",
    "presidio-config": "--out config",
    "train embeddings": "notes --output new.txt",
    "train crf": "--train gold --dev dev --out model",
    "train bilstm-crf": "--train gold --dev dev --out model",
    "train flair": "--train gold --out model",
    "train transformer": "--train gold --dev dev --encoder notes --out model",
    "train calibration": "--dev gold --out new.yaml",
    "estimate": "notes --reviewed gold",
    "review": "notes --out new --no-browser",
    "serve": "--port 0 --workers 1",
    "key new": "new.key",
    "key check": "k.key --vault v.vault",
    "key rotate": "new.key --vault v.vault --key-file k.key",
    "surrogates verify": "done.txt --marks m.marks --key-file k.key",
    "corpus show": "gold",
    "corpus convert": "gold new --from inline --to jsonl",
    "corpus align": "notes notes new",
    "corpus index": "notes --find Ana",
    "evaluate score": "gold --rounds 10",
    "evaluate compare": "mx:none mx:none --gold gold --rounds 10",
    "evaluate sample": "notes --n 1",
    "evaluate review": "sheet.csv",
}
LAST_STEPS = (
    "presidio_mx.work.service.listen.run",
    "presidio_mx.work.service.work.warm",
    "presidio_mx.replace.vector_training.train_vectors",
    "presidio_mx.research.training.crf.train_crf",
)
WORDS = [
    *("", " ", "nowhere/such", ".", "pipe", "zero", "x" * 5000, "a\nb", "\udcff"),
    "none=none",
]
NUMBERS = ["", "x", "nan", "-inf", "-1.5", "1e999", "9" * 5000, "1,5", "0x1F", "1 0"]
REFUSED = (2, 3, 4)
ROWS_FAILED = 4
CRASH = re.compile(r"Traceback|\b[A-Z]\w*(?:Error|Exception|Warning)\b")


class Reached(BaseException):
    """All that the command was given is right."""


def commands(command, path=()):
    """Yield the name of each command, and it."""
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, (*path, name))
    if not hasattr(command, "commands"):
        yield " ".join(path), command


COMMANDS = dict(commands(typer.main.get_command(app)))


def wrong_lines(name):
    """Yield the lines of a command with one value wrong, and whether it must be."""
    command, right = COMMANDS[name], RIGHT[name].split()
    hints = get_type_hints(command.callback)
    place = 0  # arguments come first in each right line
    for parameter in command.params:
        kind = str(hints.get(parameter.name, ""))
        number = "int" in kind or "float" in kind
        for value in NUMBERS if number else WORDS:
            line = list(right)
            if parameter.param_type_name == "argument":
                line[place : place + 1] = ["--", value] if value[:1] == "-" else [value]
            elif parameter.opts[0] in right:
                line[line.index(parameter.opts[0]) + 1] = value
            elif not getattr(parameter, "is_flag", False):
                line += [f"{parameter.opts[0]}={value}"]
            else:
                continue
            yield line, number
        place += parameter.param_type_name == "argument"


def run(line):
    """Run a line; what gets to the last step of its command is right."""
    with ExitStack() as stack:
        for step in LAST_STEPS:
            stack.enter_context(patch(step, side_effect=Reached))
        try:
            return within(HANGS, lambda: call(*line))
        except Reached:
            return None


def filled(folder, shelf):
    """Put everything into a folder as it was; return its state."""
    for path in folder.iterdir():
        shutil.rmtree(
            path
        ) if path.is_dir() and not path.is_symlink() else path.unlink()
    shutil.copytree(shelf, folder, symlinks=True, dirs_exist_ok=True)
    os.mkfifo(folder / "pipe")
    return state(folder)


def state(folder):
    files = (path for path in folder.rglob("*") if not path.is_dir())
    return {str(p): (p.lstat().st_size, p.lstat().st_mtime_ns) for p in files}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """Return a folder with all that the right lines name."""
    folder = tmp_path_factory.mktemp("shelf")
    before = Path.cwd()
    os.chdir(folder)
    Path("note.txt").write_text(NOTE, "utf-8")
    for name in ("notes", "gold", "dev", "site"):
        Path(name).mkdir()
    Path("notes/a.txt").write_text(NOTE, "utf-8")
    Path("gold/a.txt").write_text("Acude {{PERSON:patient|Ana Ruiz}}.", "utf-8")
    Path("dev/b.txt").write_text("Vino {{PERSON:patient|Ana Paz}}.", "utf-8")
    Path("site/staff.txt").write_text("Dra. Anselma Xool\n", "utf-8")
    Path("v.txt").write_text("2 2\ntos 1 0\nfiebre 1 1\n")
    head = "nota,nombre,nss,sexo,edad,municipio,estado,egreso,cie"
    rows = [
        f'"{NOTE}",Ana Ruiz,1234567{n},F,44,Zacapu,Michoacán,2024-05-03,E11'
        for n in range(10, 16)
    ]
    Path("t.csv").write_text("\n".join([head, *rows, ""]), "utf-8")
    Path("k.key").write_bytes(KEY)
    Path("k.key").chmod(0o600)
    key = ("--key-file", "k.key")
    vault = (*key, "--vault", "v.vault", "--marks", "m.marks")
    surrogates = ("--operators", "surrogate")
    call("anonymize", "note.txt", *surrogates, *vault, "--output", "done.txt")
    encrypted = ("--operators", "encrypt", "--output", "secret.txt")
    call("anonymize", "note.txt", *key, *encrypted)
    with patch("presidio_mx.processes.cores", lambda: 0):
        columns = ("--drop=nombre", "--drop=nss", "--keep=sexo", "--keep=edad")
        columns += ("--drop=municipio", "--keep=estado", "--drop=egreso", "--keep=cie")
        call("batch", "t.csv", "b.csv", "--text=nota", *columns)
    review(Path("b.csv"), Path("review"))
    call("evaluate", "sample", "notes", "--n", "1", "--output", "sheet.csv")
    head, row = read_csv(Path("sheet.csv"))
    row[head.index("reviewed")] = "yes"
    write_csv(Path("sheet.csv"), [head, row])
    Path("zero").symlink_to("/dev/zero")
    os.chdir(before)
    return folder


@pytest.fixture
def folder(shelf, tmp_path, monkeypatch):
    monkeypatch.setenv("PRESIDIO_MX_LANG", "en")
    monkeypatch.setattr("presidio_mx.processes.cores", lambda: 0)  # in this process
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_has_a_right_line(folder, shelf):
    assert set(RIGHT) == set(COMMANDS)


@pytest.mark.heavy
@pytest.mark.parametrize("name", COMMANDS)
def test_a_wrong_argument_is_refused_in_one_sentence(name, folder, shelf):
    before = filled(folder, shelf)
    for line, surely in wrong_lines(name):
        begin = process_time()
        try:
            done = run([*name.split(), *line])
        except OutOfTime:
            pytest.fail(f"{name} {line}: hangs")
        assert process_time() - begin < LONGEST_WORK, line
        after = state(folder)
        if done is not None and done.returncode:
            said = done.stderr.decode().splitlines()
            assert done.returncode in REFUSED, (line, said)
            assert said and not CRASH.search(" ".join(said)), (line, said)
            last = [each for each in said if not each.endswith("--help")][-1]
            sentence = last.removeprefix("presidio-mx: ")
            assert name[:5] == "train" or in_spanish(sentence) != sentence, line
            assert after == before or done.returncode == ROWS_FAILED, line
        else:
            assert not surely, line
        if after != before:
            before = filled(folder, shelf)
