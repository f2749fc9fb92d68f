"""The vault gives originals back, to the key alone, and notices what was done to it."""

import base64
import json
import multiprocessing
import os
import sqlite3
import threading
import time

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from typer import Typer
from typer.testing import CliRunner
from vault_writer import KEY, record, write_many

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.keys import Key
from presidio_mx.replace.vault import (
    Record,
    add_to_vault,
    change_key,
    document_id,
    find_record,
    make_record,
    read_vault,
    reidentify,
)
from presidio_mx.replace.vault_cipher import VaultCipher
from presidio_mx.text.spans import Span
from presidio_mx.work.cli import restore as cli

OTHER = Key(b"40b682f3e79d5c1a26b40f8e15c9a3d7")
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
    with pytest.raises(ConfigurationError, match=f"key {KEY.id} made it"):
        list(read_vault(path, OTHER))


def test_guesses_cannot_be_tested_without_the_key():
    done = anonymize(TEXT, SPANS, "surrogate", key=KEY, scope="corpus")
    for guess in (b"contrasena 2024!", b"qwertyuiop asdfg", b"password Password!"):
        other = anonymize(TEXT, SPANS, "surrogate", key=guess, scope="corpus")
        assert other.text != done.text


def test_a_vault_grows_and_is_never_overwritten(vault):
    path, done = vault
    add_to_vault(path, [make_record("note-2", TEXT, done)], KEY)
    assert [record.document for record in read_vault(path, KEY)] == ["note-1", "note-2"]
    other = anonymize(TEXT, SPANS, "tag")
    with pytest.raises(ConfigurationError, match="already holds"):
        new = [make_record(name, TEXT, other) for name in ("note-3", "note-2")]
        add_to_vault(path, new, KEY)
    assert len(list(read_vault(path, KEY))) == 2, "all or nothing"
    add_to_vault(path, [make_record("note-2", TEXT, done)], KEY)
    assert len(list(read_vault(path, KEY))) == 2, "the same again is no other record"
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
    again = run(*arguments, "--key-file", good, "--output", out)
    assert "not overwritten" in str(again.exception)
    refused = run(*arguments, "--key-file", bad)
    assert "wrong key" in str(refused.exception)
    assert "Mendoza" not in refused.output + str(refused.exception)
    no_key = run(*arguments, env={"PRESIDIO_MX_KEY": ""})
    assert "PRESIDIO_MX_KEY" in str(no_key.exception)


def filled(path, count=6):
    add_to_vault(path, map(record, range(count)), KEY)
    return path


def tamper(path, *statements):
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


EXCHANGE = (
    "UPDATE record SET number = 99 WHERE number = 2",
    "UPDATE record SET number = 2 WHERE number = 3",
    "UPDATE record SET number = 3 WHERE number = 99",
)
SWAP_CONTENT = "UPDATE record SET sealed = (SELECT sealed FROM record WHERE number=4)"
TAMPERINGS = {
    "removed": ["DELETE FROM record WHERE number = 3"],
    "removed at the end": ["DELETE FROM record WHERE number = 6"],
    "all removed": ["DELETE FROM record"],
    "removed and counted": [
        "DELETE FROM record WHERE number = 6",
        "UPDATE vault SET records = 5",
    ],
    "reordered": EXCHANGE,
    "renumbered": [
        "DELETE FROM record WHERE number = 3",
        "UPDATE record SET number = 3 WHERE number = 6",
    ],
    "copied": [SWAP_CONTENT + " WHERE number = 5"],
    "index changed": ["UPDATE record SET document = x'00' WHERE number = 2"],
    "cut": ["UPDATE record SET sealed = x'00' WHERE number = 2"],
    "seal": ["UPDATE vault SET seal = x'00'"],
    "salt": ["UPDATE vault SET salt = x'00'"],
}


@pytest.mark.parametrize("statements", TAMPERINGS.values(), ids=TAMPERINGS.keys())
def test_what_was_removed_moved_or_changed_is_noticed(statements, tmp_path):
    path = filled(tmp_path / "v")
    tamper(path, *statements)
    with pytest.raises(ConfigurationError, match="damaged vault"):
        list(read_vault(path, KEY))


def test_a_removed_record_is_missed_by_whoever_adds_or_searches(tmp_path):
    path = filled(tmp_path / "v")
    tamper(path, "DELETE FROM record WHERE number = 3")
    with pytest.raises(ConfigurationError, match="damaged vault"):
        add_to_vault(path, [record(50)], KEY)
    path = filled(tmp_path / "w")
    tamper(path, "UPDATE record SET document = x'00', text = x'00' WHERE number = 2")
    with pytest.raises(ConfigurationError, match="damaged vault"):
        find_record(path, KEY, "", "d1")


def test_any_flipped_byte_is_refused_or_changes_nothing(tmp_path):
    path = filled(tmp_path / "v", 3)
    whole, good = path.read_bytes(), list(read_vault(path, KEY))
    for place in range(0, len(whole), 97):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        try:
            assert list(read_vault(path, KEY)) == good
        except ConfigurationError as error:
            assert "Ana" not in str(error)


def test_adding_to_a_large_vault_opens_none_of_its_records(tmp_path, monkeypatch):
    path = filled(tmp_path / "v", 3000)
    opened = []
    decrypt = VaultCipher.decrypt
    monkeypatch.setattr(
        VaultCipher, "decrypt", lambda *a: opened.append(a[1]) or decrypt(*a)
    )
    add_to_vault(path, [record(5000)], KEY)
    assert opened == []
    assert find_record(path, KEY, "", "d1234").originals[0].text == "Ana 1234"
    assert opened == [1235]


def test_eight_processes_at_once_lose_nothing(tmp_path):
    path = tmp_path / "v"
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=write_many, args=(path, writer, 10))
        for writer in range(8)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(300)
    assert [writer.exitcode for writer in writers] == [0] * 8
    names = [found.document for found in read_vault(path, KEY)]
    assert sorted(names) == sorted(
        f"d{1000 * w + n}" for w in range(8) for n in range(10)
    )
    assert path.stat().st_mode & 0o077 == 0
    assert [entry.name for entry in tmp_path.iterdir()] == ["v"]


def test_eight_threads_at_once_lose_nothing(tmp_path):
    path = tmp_path / "v"
    threads = [
        threading.Thread(target=write_many, args=(path, writer, 5))
        for writer in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(read_vault(path, KEY))) == 40


def test_a_writer_that_is_killed_leaves_whole_records(tmp_path):
    path = filled(tmp_path / "v", 2)
    context = multiprocessing.get_context("spawn")
    for turn in range(3):
        before = len(list(read_vault(path, KEY)))
        writer = context.Process(target=write_many, args=(path, turn + 1, 100_000))
        writer.start()
        while len(list(read_vault(path, KEY))) < before + 5:
            time.sleep(0.05)
        writer.kill()
        writer.join()
    add_to_vault(path, [record(0)], KEY)
    assert len(list(read_vault(path, KEY))) >= 17


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_a_planted_link_is_refused(tmp_path):
    victim = tmp_path / "victim"
    victim.write_bytes(b"")
    path = tmp_path / "v"
    for target in (victim, tmp_path / "nothing"):
        path.symlink_to(target)
        with pytest.raises(ConfigurationError, match="not written through links"):
            add_to_vault(path, [record(1)], KEY)
        with pytest.raises(ConfigurationError):
            list(read_vault(path, KEY))
        path.unlink()
    assert victim.read_bytes() == b"" and not (tmp_path / "nothing").exists()


def test_documents_with_one_text_are_told_apart_or_refused(tmp_path):
    path = tmp_path / "v"
    names = ("Pte Ana Ruiz", "Pte Eva Paz")
    for number, text in enumerate(names):
        done = anonymize(text, [Span(4, len(text), "PERSON")], "tag")
        add_to_vault(path, [make_record(f"n{number}", text, done)], KEY)
    with pytest.raises(InputError, match="2 documents.*--document"):
        find_record(path, KEY, "Pte {NOMBRE}")
    found = find_record(path, KEY, "Pte {NOMBRE}", "n1")
    assert reidentify("Pte {NOMBRE}", found) == names[1]


def test_documents_without_an_identifier_are_all_kept(tmp_path):
    path = tmp_path / "v"
    add_to_vault(path, [record(1, ""), record(2, ""), record(1, "")], KEY)
    assert len(list(read_vault(path, KEY))) == 2


def test_files_of_one_name_in_two_folders_are_two_documents(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    vault = tmp_path / "v"
    assert document_id(vault, "a/nota.txt") == "a/nota.txt"
    assert document_id(vault, tmp_path / "b" / "nota.txt") == "b/nota.txt"
    monkeypatch.chdir("/")
    assert document_id(vault, tmp_path / "a" / "nota.txt") == "a/nota.txt"


def old_vault(path, key, records):
    """Write a vault as version 0.1 did."""
    head = "presidio-mx-vault-1 5a17"
    cipher = AESGCM(key.derive("vault", "5a17"))
    lines = [head]
    for number, one in enumerate(records):
        originals = [[o.new_start, o.new_end, o.text] for o in one.originals]
        content = {
            "document": one.document,
            "digest": one.digest,
            "originals": originals,
        }
        nonce = b"%012d" % number
        sealed = cipher.encrypt(nonce, json.dumps(content).encode(), head.encode())
        lines.append(base64.b64encode(nonce + sealed).decode())
    path.write_text("\n".join(lines) + "\n")


def test_a_vault_of_the_first_format_is_read_and_made_new(tmp_path):
    path = tmp_path / "v"
    phrase = "caballo bateria grapa correcta"
    old_vault(path, Key(phrase.encode()), [record(1), record(2)])
    key = Key.from_value(phrase)
    assert list(read_vault(path, key)) == [record(1), record(2)]
    assert find_record(path, key, "", "d2") == record(2)
    with pytest.raises(ConfigurationError, match="key rotate"):
        add_to_vault(path, [record(3)], key)
    with pytest.raises(ConfigurationError, match="wrong key"):
        change_key(path, OTHER, KEY)
    assert list(read_vault(path, key)) == [record(1), record(2)]
    assert change_key(path, key, KEY) == 2
    add_to_vault(path, [record(3)], KEY)
    assert [r.document for r in read_vault(path, KEY)] == ["d1", "d2", "d3"]


def test_a_changed_key_opens_what_the_old_one_opened(tmp_path):
    path = filled(tmp_path / "v", 20)
    before = list(read_vault(path, KEY))
    with pytest.raises(ConfigurationError, match="wrong key"):
        change_key(path, OTHER, KEY)
    assert change_key(path, KEY, OTHER) == 20
    assert list(read_vault(path, OTHER)) == before
    with pytest.raises(ConfigurationError, match=f"key {OTHER.id} made it"):
        list(read_vault(path, KEY))
    with pytest.raises(ConfigurationError, match="No such file"):
        list(read_vault(tmp_path / "none", KEY))
    with pytest.raises(ConfigurationError, match="no such file"):
        change_key(tmp_path / "none", KEY, OTHER)
    assert not (tmp_path / "none").exists()


@pytest.fixture
def key_of_a_file(tmp_path):
    folder = tmp_path / "keys"
    folder.mkdir()
    (folder / "k").write_bytes(KEY.secret)
    (folder / "k").chmod(0o600)
    return Key.from_file(folder / "k")


def uses(path, key):
    return (
        lambda: list(read_vault(path, key)),
        lambda: add_to_vault(path, [record(99)], key),
        lambda: find_record(path, key, "", "d1"),
        lambda: change_key(path, key, OTHER),
    )


def test_an_older_copy_put_back_is_noticed(tmp_path, key_of_a_file):
    path, key = tmp_path / "v", key_of_a_file
    add_to_vault(path, map(record, range(3)), key)
    older = path.read_bytes()
    add_to_vault(path, [record(3)], key)
    newest = path.read_bytes()
    path.write_bytes(older)
    for use in uses(path, key):
        with pytest.raises(ConfigurationError, match="has 3 records and is an older"):
            use()
    assert path.read_bytes() == older
    path.write_bytes(newest)
    assert len(list(read_vault(path, key))) == 4
    witness = key.file.with_name("k.vaults")
    assert witness.stat().st_mode & 0o077 == 0
    witness.unlink()
    path.write_bytes(older)
    assert len(list(read_vault(path, key))) == 3, "as meant: the witness was deleted"


def test_what_went_on_from_an_older_copy_is_noticed(tmp_path, key_of_a_file):
    path, key = tmp_path / "v", key_of_a_file
    add_to_vault(path, map(record, range(3)), key)
    older = path.read_bytes()
    add_to_vault(path, [record(3)], key)
    path.write_bytes(older)
    # With a copy of the key somewhere else, where nothing was seen before.
    add_to_vault(path, [record(4), record(5)], KEY)
    for use in uses(path, key):
        with pytest.raises(ConfigurationError, match="went on from such a copy"):
            use()


def test_what_others_added_is_seen_and_what_was_taken_back_is_not(
    tmp_path, key_of_a_file
):
    path, key = tmp_path / "v", key_of_a_file
    add_to_vault(path, [record(1)], key)
    before = path.read_bytes()
    add_to_vault(path, [record(2)], KEY)
    assert len(list(read_vault(path, key))) == 2
    after = path.read_bytes()
    path.write_bytes(before)
    with pytest.raises(ConfigurationError, match="older copy"):
        list(read_vault(path, key))
    path.write_bytes(after)
    other = Record("d2", "0" * 64, ())
    with pytest.raises(ConfigurationError, match="already holds"):
        add_to_vault(path, [record(3), other], key)
    assert len(list(read_vault(path, key))) == 2


def test_a_changed_key_takes_its_own_witness(tmp_path, key_of_a_file):
    path, old = tmp_path / "v", key_of_a_file
    filled(path, 3)
    (tmp_path / "new").write_bytes(OTHER.secret)
    new = Key.from_file(tmp_path / "new")
    assert change_key(path, old, new) == 3
    older = path.read_bytes()
    add_to_vault(path, [record(9)], new)
    path.write_bytes(older)
    with pytest.raises(ConfigurationError, match="older copy"):
        list(read_vault(path, new))


def test_a_damaged_witness_is_no_leave(tmp_path, key_of_a_file):
    path, key = tmp_path / "v", key_of_a_file
    add_to_vault(path, [record(1)], key)
    key.file.with_name("k.vaults").write_bytes(b"nothing of SQLite" * 100)
    with pytest.raises(ConfigurationError, match="k.vaults: damaged"):
        list(read_vault(path, key))


def test_eight_threads_with_one_key_file_raise_no_false_alarm(tmp_path, key_of_a_file):
    path, failed = tmp_path / "v", []

    def write(writer):
        try:
            for number in range(5):
                add_to_vault(path, [record(100 * writer + number)], key_of_a_file)
                list(read_vault(path, key_of_a_file))
        except ConfigurationError as error:
            failed.append(error)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(list(read_vault(path, key_of_a_file))) == 40


def test_a_database_of_another_program_is_left_alone(tmp_path):
    path = tmp_path / "other"
    tamper(path, "CREATE TABLE patient (name TEXT)")
    before = path.read_bytes()
    for act in (
        lambda: add_to_vault(path, [record(1)], KEY),
        lambda: list(read_vault(path, KEY)),
        lambda: change_key(path, KEY, OTHER),
    ):
        with pytest.raises(ConfigurationError, match="not a vault"):
            act()
    assert path.read_bytes() == before


def test_a_vault_of_the_first_format_is_told_by_what_it_holds(tmp_path):
    path = tmp_path / "not a vault"  # a name may say anything
    old_vault(path, KEY, [record(1)])
    with pytest.raises(ConfigurationError, match="wrong key or damaged vault"):
        add_to_vault(path, [record(2)], Key(b"0b49e3d87a1f5c26d5b41f08e97a3c62"))


@pytest.mark.parametrize("key", [KEY.secret, "7c1f" * 4 + "0d3e5b9a82641fc7"])
def test_a_key_as_bytes_or_text_opens_it(tmp_path, key):
    done = anonymize(TEXT, SPANS, "surrogate", key=key)
    path = str(tmp_path / "notes.vault")
    add_to_vault(path, [make_record("note-1", TEXT, done)], key)
    assert reidentify(done.text, find_record(path, key, done.text)) == TEXT
    assert [found.document for found in read_vault(path, key)] == ["note-1"]
    with pytest.raises(ConfigurationError, match="a key must be text or bytes"):
        add_to_vault(path, [], 5)
