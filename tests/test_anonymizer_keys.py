"""Keys: weak ones are refused, passphrases stretched, files kept private."""

import os
import secrets
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner
from vault_writer import record

from presidio_mx.errors import ConfigurationError
from presidio_mx.replace import keys
from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.keys import Key, Scope, find_key, weakness
from presidio_mx.replace.vault import add_to_vault, read_vault
from presidio_mx.text.spans import Span
from presidio_mx.work.cli.program import app

HEX = "7d3a9c51e8f04b62a1c5d97e3f286b04"
PHRASE = "caballo bateria grapa correcta"


def run(*arguments, **options):
    environment = {"PRESIDIO_MX_KEY": "", "PRESIDIO_MX_LANG": "en"}
    return CliRunner().invoke(app, list(map(str, arguments)), env=environment)


@pytest.mark.parametrize(
    ("weak", "reason"),
    [
        ("a" * 16, "few different characters"),
        ("0" * 64, "few different characters"),
        ("abababababababab", "few different characters"),
        ("12345678" * 4, "repeats a short pattern"),
        ("password password", "repeats a short pattern"),
        ("0123456789abcdef", "neighbouring characters"),
        ("abcdefghijklmnopqrstuvwxyz", "neighbouring characters"),
        ("zyxwvutsrqponmlkj", "neighbouring characters"),
        ("short", "5 bytes and needs at least 16"),
    ],
)
def test_a_weak_key_is_refused_wherever_it_comes_from(
    weak, reason, tmp_path, monkeypatch
):
    path = tmp_path / "key"
    path.write_text(weak + "\n")
    path.chmod(0o600)
    monkeypatch.setenv("PRESIDIO_MX_KEY", weak)
    for make in (
        lambda: Key(weak.encode()),
        lambda: Key.from_value(weak),
        lambda: Key.from_value(weak.encode()),
        lambda: Key.from_file(path),
        find_key,
    ):
        with pytest.raises(ConfigurationError, match=reason) as caught:
            make()
        assert weak not in str(caught.value)


@given(st.binary(min_size=32, max_size=32))
def test_a_random_key_is_never_taken_for_weak(seed):
    # Keys as they are made, from whatever a generator gives, even from poor seeds.
    made = keys.hashlib.sha256(seed).digest()
    for secret in (made, made[:16], made.hex().encode(), made[:16].hex().encode()):
        assert weakness(secret) == ""


def test_a_passphrase_is_stretched_and_a_random_text_taken_as_it_is():
    assert Key.from_value(HEX) == Key(HEX.encode()) == Key.from_value(HEX.encode())
    stretched = Key.from_value(PHRASE)
    assert len(stretched.secret) == 32 and stretched != Key(PHRASE.encode())
    assert stretched == Key.from_value(f" {PHRASE}\n") and stretched.given
    assert stretched.as_given() == Key(PHRASE.encode())
    assert "caballo" not in repr(stretched)


def test_scrypt_is_paid_once_a_passphrase(monkeypatch):
    calls = []
    scrypt = keys.hashlib.scrypt
    keys._stretched.cache_clear()
    monkeypatch.setattr(
        keys.hashlib, "scrypt", lambda *a, **k: calls.append(k) or scrypt(*a, **k)
    )
    for _ in range(5):
        Key.from_value(PHRASE)
    assert len(calls) == 1
    assert calls[0]["n"] * calls[0]["r"] * 128 >= 32 * 2**20 and calls[0]["p"] >= 3


def test_a_binary_key_file_is_taken_as_it_is(tmp_path):
    path = tmp_path / "key"
    secret = b"\xff\xfe" + secrets.token_bytes(30) + b"\xff"
    path.write_bytes(secret)
    path.chmod(0o600)
    assert Key.from_file(path) == Key(secret)


@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
def test_a_key_file_that_everybody_may_read_is_warned_of(tmp_path):
    path = tmp_path / "key"
    path.write_text(HEX)
    path.chmod(0o644)
    with pytest.warns(UserWarning, match="every user of this machine.*chmod 600"):
        Key.from_file(path)
    path.chmod(0o640)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Key.from_file(path) == Key(HEX.encode())


def test_a_key_has_an_id_that_items_tell():
    key = Key(HEX.encode())
    assert len(key.id) == 8 and key.id != Key(HEX[::-1].encode()).id
    text, spans = "Ana Ruiz, 61 años", [Span(0, 8, "PERSON"), Span(10, 17, "AGE")]
    for operators, keyed in (
        ("surrogate", True),
        ("pseudonym", True),
        ("encrypt", True),
        ("tag", False),
        ("redact", False),
    ):
        items = anonymize(text, spans, operators, key=key).items
        assert {item.key_id for item in items} == {key.id if keyed else ""}


def test_a_scope_shows_nothing():
    scope = Scope.parse("patient:MEMJ850312HMNNRS09")
    assert "MEMJ" not in repr(scope) + str(scope)
    with pytest.raises(ConfigurationError) as caught:
        Scope.parse("Jesús Mendoza")
    assert "Mendoza" not in str(caught.value)


def test_key_new_makes_a_private_random_key_and_never_overwrites(tmp_path):
    first, second = tmp_path / "a.key", tmp_path / "b.key"
    made = run("key", "new", first)
    assert made.exit_code == 0 and Key.from_file(first).id in made.output
    assert first.read_text().strip() not in made.output
    if os.name == "posix":
        assert first.stat().st_mode & 0o777 == 0o600
    run("key", "new", second)
    assert Key.from_file(first) != Key.from_file(second)
    before = first.read_bytes()
    refused = run("key", "new", first)
    assert isinstance(refused.exception, ConfigurationError)
    assert first.read_bytes() == before


def test_key_check_names_the_key_and_walks_the_vault(tmp_path):
    path, vault = tmp_path / "a.key", tmp_path / "v"
    run("key", "new", path)
    key = Key.from_file(path)
    add_to_vault(vault, [record(1), record(2)], key)
    checked = run("key", "check", path, "--vault", vault)
    assert checked.exit_code == 0
    assert key.id in checked.output and "2 records" in checked.output
    weak = tmp_path / "weak.key"
    weak.write_text("a" * 16)
    assert isinstance(run("key", "check", weak).exception, ConfigurationError)
    assert isinstance(run("key", "check").exception, ConfigurationError)


def test_key_rotate_changes_vaults_and_can_be_repeated(tmp_path):
    old, new = tmp_path / "old.key", tmp_path / "new.key"
    run("key", "new", old)
    vaults = [tmp_path / "v", tmp_path / "w"]
    for vault in vaults:
        add_to_vault(vault, [record(1), record(2)], Key.from_file(old))
    arguments = ["key", "rotate", new, "--key-file", old, "--vault", vaults[0]]
    assert run(*arguments).exit_code == 0
    assert len(list(read_vault(vaults[0], Key.from_file(new)))) == 2
    again = run(*arguments, "--vault", vaults[1])
    assert again.exit_code == 0 and "has this key" in again.output
    for vault in vaults:
        assert len(list(read_vault(vault, Key.from_file(new)))) == 2
        with pytest.raises(ConfigurationError, match="wrong key"):
            list(read_vault(vault, Key.from_file(old)))
