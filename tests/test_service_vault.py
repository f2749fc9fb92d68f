"""The own server keeps originals in a vault, or answers with an error."""

from presidio_mx.replace.keys import Key
from presidio_mx.replace.vault import find_record, reidentify
from presidio_mx.work.service.work import Setup, do_anonymize

KEY = Key(b"7d3a9c51e8f04b62a1c5d97e3f286b04")
TEXT = "Paciente Jesús Mendoza Mares. Tel. 443 312 4567"


def test_what_is_answered_can_be_restored(tmp_path):
    vault = tmp_path / "v"
    setup = Setup(ner="none", operators="surrogate", key=KEY, vault=vault)
    named = do_anonymize(setup, {"text": TEXT, "document": "urgencias/7"})
    plain = do_anonymize(setup, {"text": TEXT.replace("Jesús", "Saúl")})
    assert named.status == plain.status == 200
    for text, document in (
        (named.body["text"], "urgencias/7"),
        (plain.body["text"], ""),
    ):
        record = find_record(vault, KEY, text, document)
        assert "Mendoza Mares" in reidentify(text, record)
    assert named.body["items"][0]["key_id"] == KEY.id


def test_without_the_vault_nothing_is_answered(tmp_path):
    vault = tmp_path / "v"
    vault.write_text("not a vault")
    setup = Setup(ner="none", key=KEY, vault=vault)
    done = do_anonymize(setup, {"text": TEXT})
    assert done.status == 422 and "not a vault" in done.body["error"]
    assert "{NOMBRE}" not in str(done.body)


def test_one_identifier_is_one_text(tmp_path):
    setup = Setup(ner="none", key=KEY, vault=tmp_path / "v")
    first = do_anonymize(setup, {"text": TEXT, "document": "7"})
    again = do_anonymize(setup, {"text": TEXT, "document": "7"})
    other = do_anonymize(setup, {"text": "Tel. 443 312 4567", "document": "7"})
    assert (first.status, again.status, other.status) == (200, 200, 422)
    assert "already holds" in other.body["error"]


def test_no_answer_tells_where_the_vault_or_the_site_lies(tmp_path):
    vault = tmp_path / "v"
    setup = Setup(ner="none", key=KEY, vault=vault)
    assert do_anonymize(setup, {"text": TEXT, "document": "7"}).status == 200
    clash = do_anonymize(setup, {"text": "Tel. 443 312 4567", "document": "7"})
    vault.write_text("not a vault")
    damaged = do_anonymize(setup, {"text": TEXT})
    site = tmp_path / "site"
    site.mkdir()
    (site / "odd.txt").write_text("x")
    broken = do_anonymize(Setup(ner="none", site=site), {"text": TEXT})
    for done in (clash, damaged, broken):
        assert done.status == 422
        assert str(tmp_path) not in done.body["error"]
    assert clash.body["error"].startswith("the vault already holds")
    assert "the site's folder" in broken.body["error"]
