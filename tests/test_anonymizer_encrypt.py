"""Encrypted values: authenticated, never under a key that nobody has, and read back."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import OperatorConfig, RecognizerResult
from typer.testing import CliRunner

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.replace.encryption import (
    decrypt_cbc,
    decrypt_text,
    decrypt_value,
    encrypt_value,
)
from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.keys import Key
from presidio_mx.replace.operators import register_operators
from presidio_mx.text.spans import Span
from presidio_mx.work.cli.program import app

KEY = Key(b"7d3a9c51e8f04b62a1c5d97e3f286b04")
OTHER = Key(b"40b682f3e79d5c1a26b40f8e15c9a3d7")
TEXT = "Pte Jesús Mendoza, tel 443 312 4567, hoy estable ------------ {FECHA}"
SPANS = [Span(4, 17, "PERSON"), Span(23, 35, "PHONE_NUMBER")]


@pytest.fixture
def encrypted():
    return anonymize(TEXT, SPANS, "encrypt", key=KEY).text


def test_the_original_comes_back_and_the_type_stays(encrypted):
    assert re.fullmatch(
        r"Pte \{NOMBRE:%s:[\w-]+\}, tel \{TEL:%s:[\w-]+\}, hoy estable .*"
        % (KEY.id, KEY.id),
        encrypted,
    )
    assert decrypt_text(encrypted, KEY) == TEXT
    with pytest.raises(
        InputError,
        match=f"needs key {KEY.id} and this is key {OTHER.id}",
    ):
        decrypt_text(encrypted, OTHER)
    with pytest.raises(InputError, match="no encrypted value"):
        decrypt_text(TEXT, KEY)


@given(st.text(st.characters(), max_size=80), st.text(min_size=1, max_size=12))
def test_every_value_of_every_entity_comes_back(value, entity):
    token = encrypt_value(value, entity, KEY)
    assert decrypt_value(token, KEY) == value
    assert decrypt_text(f"a{token}b{token}", KEY) == f"a{value}b{value}"
    assert token != encrypt_value(value, entity, KEY)


def test_48_flipped_bytes_are_48_refusals():
    token = encrypt_value("Jesús Mendoza", "PERSON", KEY)
    data = token.encode()
    chance = random.Random(1)
    for _ in range(48):
        place, bit = chance.randrange(len(data)), chance.randrange(7)
        bad = bytearray(data)
        bad[place] ^= 1 << bit
        with pytest.raises(InputError):
            decrypt_value(bytes(bad).decode(), KEY)


def test_every_flipped_byte_of_a_value_inside_a_note_is_refused(encrypted):
    begin, end = encrypted.index("{NOMBRE"), encrypted.index("}") + 1
    data = encrypted.encode()
    for place in range(begin, end):
        for bit in range(7):
            bad = bytearray(data)
            bad[place] ^= 1 << bit
            with pytest.raises(InputError) as caught:
                decrypt_text(bytes(bad).decode(), KEY)
            assert "Mendoza" not in str(caught.value)


def test_a_cut_or_relabelled_value_is_refused(encrypted):
    begin, end = encrypted.index("{NOMBRE"), encrypted.index("}") + 1
    token = encrypted[begin:end]
    for bad in (
        token[:-1],
        token[1:],
        token[:-8] + "}",
        token.replace("NOMBRE", "TEL"),
    ):
        with pytest.raises(InputError):
            decrypt_text(encrypted.replace(token, bad), KEY)


def test_ordinary_text_around_is_not_taken_for_a_damaged_value():
    around = (
        "_" * 80 + " a las 10:20:30 folio 0123456789012345678901234567890123456789012"
    )
    token = encrypt_value("Ana", "PERSON", KEY)
    assert decrypt_text(around + token, KEY) == around + "Ana"


def test_without_a_key_it_refuses(monkeypatch, tmp_path):
    monkeypatch.delenv("PRESIDIO_MX_KEY", raising=False)
    with pytest.raises(ConfigurationError, match="needs a key"):
        anonymize(TEXT, SPANS, "encrypt")
    note = tmp_path / "n.txt"
    note.write_text("Paciente Jesús Mendoza Mares. Tel. 443 312 4567")
    done = CliRunner().invoke(app, ["anonymize", str(note), "--operators", "encrypt"])
    assert done.exit_code != 0 and done.output == ""
    assert isinstance(done.exception, ConfigurationError)


def test_the_command_restores_a_note_of_the_profile(tmp_path):
    text = "Paciente Jesús Mendoza Mares.\r\nTel. 443 312 4567"
    note, key, out = tmp_path / "n.txt", tmp_path / "key", tmp_path / "out.txt"
    note.write_bytes(text.encode())
    key.write_bytes(KEY.secret)
    key.chmod(0o600)
    made = CliRunner().invoke(
        app, ["anonymize", str(note), "--operators", "encrypt", "--key-file", str(key)]
    )
    assert made.exit_code == 0 and "Mendoza" not in made.output
    note.write_bytes(made.stdout_bytes)
    arguments = ["decrypt", str(note), "--key-file", str(key), "--output", str(out)]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert out.read_bytes() == text.encode()
    assert out.stat().st_mode & 0o077 == 0
    again = CliRunner().invoke(app, arguments)
    assert again.exit_code and "not overwritten" in str(again.exception)
    key.write_bytes(OTHER.secret)
    refused = CliRunner().invoke(app, ["decrypt", str(note), "--key-file", str(key)])
    assert refused.exit_code and "Mendoza" not in str(refused.exception)


@pytest.mark.parametrize("secret", [KEY.derive("encrypt"), b"WmZq4t7w!z%C&F)J"])
def test_what_presidio_encrypted_still_decrypts(secret):
    """With a key derived by an earlier version, or with the user's own AES key."""
    engine = register_operators(AnonymizerEngine())
    results = [RecognizerResult(s.entity_type, s.start, s.end, 1.0) for s in SPANS]
    config = {"DEFAULT": OperatorConfig("encrypt", {"key": secret})}
    old = engine.anonymize(TEXT, results, config).text
    key = KEY if len(secret) == 32 else Key.from_value(secret.decode())
    assert decrypt_cbc(old, key) == TEXT
    with pytest.raises(InputError):
        decrypt_cbc(old, OTHER)
    with pytest.raises(InputError, match="no value"):
        decrypt_cbc(TEXT, key)
