import pytest
from typer import Typer
from typer.testing import CliRunner

from presidio_mx.anonymizer import cli
from presidio_mx.anonymizer.engine import anonymize
from presidio_mx.anonymizer.keys import Key
from presidio_mx.anonymizer.vault import (
    add_to_vault,
    find_record,
    make_record,
    read_vault,
    reidentify,
)
from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.spans import Span

KEY = Key(b"a key for tests only")
OTHER = Key(b"another key of tests")
TEXT = "Pte Jesús Mendoza, tel 443 312 4567, hoy \ud800\x00 estable"
SPANS = [Span(4, 17, "PERSON"), Span(23, 35, "PHONE_NUMBER")]


def run(*arguments, **options):
    app = Typer()
    app.command("reidentify")(cli.reidentify)
    app.command("obfuscate")(cli.obfuscate)
    return CliRunner().invoke(app, [str(a) for a in arguments], **options)


@pytest.fixture
def vault(tmp_path):
    done = anonymize(TEXT, SPANS, "surrogate", key=KEY)
    path = tmp_path / "notes.vault"
    add_to_vault(path, [make_record("note-1", TEXT, done)], KEY)
    return path, done


def test_the_original_comes_back(vault):
    path, done = vault
    assert reidentify(done.text, find_record(path, KEY, done.text)) == TEXT
    assert reidentify(done.text, find_record(path, KEY, "", "note-1")) == TEXT


def test_without_the_key_nothing_can_be_restored(vault):
    path, done = vault
    raw = path.read_bytes()
    for value in (b"Mendoza", b"4567", b"note-1", done.text[4:10].encode()):
        assert value not in raw
    with pytest.raises(ConfigurationError, match="wrong key or damaged vault"):
        list(read_vault(path, OTHER))
    with pytest.raises(ConfigurationError, match="wrong key or damaged vault"):
        lines = path.read_text().splitlines()
        path.write_text(lines[0] + "\n" + lines[1][:-8] + "AAAAAAA=\n")
        list(read_vault(path, KEY))


def test_guesses_cannot_be_tested_without_the_key():
    done = anonymize(TEXT, SPANS, "surrogate", key=KEY, scope="corpus")
    for guess in (b"0" * 16, b"1" * 16, b"password password"):
        other = anonymize(TEXT, SPANS, "surrogate", key=guess, scope="corpus")
        assert other.text != done.text


def test_a_vault_grows_and_is_never_overwritten(vault):
    path, done = vault
    add_to_vault(path, [make_record("note-2", TEXT, done)], KEY)
    assert [record.document for record in read_vault(path, KEY)] == ["note-1", "note-2"]
    with pytest.raises(ConfigurationError, match="already holds"):
        add_to_vault(path, [make_record("note-2", TEXT, done)], KEY)
    with pytest.raises(ConfigurationError, match="wrong key"):
        add_to_vault(path, [make_record("note-3", TEXT, done)], OTHER)
    assert path.stat().st_mode & 0o077 == 0


def test_a_changed_text_or_a_file_that_is_no_vault_is_refused(vault, tmp_path):
    path, done = vault
    record = find_record(path, KEY, done.text)
    with pytest.raises(InputError, match="was changed"):
        reidentify(done.text + ".", record)
    with pytest.raises(InputError, match="does not hold this text"):
        find_record(path, KEY, "something else")
    other = tmp_path / "other"
    other.write_text("hello")
    with pytest.raises(ConfigurationError, match="not a vault"):
        list(read_vault(other, KEY))
    assert "Mendoza" not in repr(record)


def test_the_command_restores_and_explains(tmp_path):
    text = "Pte Jesús Mendoza\r\nestable"
    done = anonymize(text, [Span(4, 17, "PERSON")], "surrogate", key=KEY)
    path, note = tmp_path / "v", tmp_path / "note.txt"
    add_to_vault(path, [make_record("n", text, done)], KEY)
    note.write_bytes(done.text.encode())
    good, bad = tmp_path / "good.key", tmp_path / "bad.key"
    good.write_bytes(KEY.secret)
    bad.write_bytes(OTHER.secret)
    out = tmp_path / "original.txt"
    arguments = ["reidentify", note, "--vault", path]
    done_well = run(*arguments, "--key-file", good, "--output", out)
    assert done_well.exit_code == 0
    assert out.read_bytes() == text.encode()
    assert run(*arguments, "--key-file", good, "--output", out).exit_code == 2
    refused = run(*arguments, "--key-file", bad)
    assert refused.exit_code == 2
    assert "wrong key" in refused.output and "Mendoza" not in refused.output
    no_key = run(*arguments, env={"PRESIDIO_MX_KEY": ""})
    assert no_key.exit_code == 2 and "PRESIDIO_MX_KEY" in no_key.output
