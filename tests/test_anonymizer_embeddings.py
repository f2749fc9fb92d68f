import pytest
from typer.testing import CliRunner

from presidio_mx.errors import ConfigurationError
from presidio_mx.replace.embeddings import load_vectors, obfuscate
from presidio_mx.replace.lemmas import spacy_lemmas
from presidio_mx.replace.vector_training import train_vectors
from presidio_mx.text.spans import Span
from presidio_mx.work.cli.program import app

KEY = "a key for tests only"
VECTORS = """dolor 1.0 0.0 0.1
fiebre 0.9 0.1 0.0
tos 0.8 0.2 0.1
juan 0.0 1.0 0.1
pedro 0.1 0.9 0.0
luis 0.1 0.8 0.2
acude 0.0 0.1 1.0
refiere 0.1 0.0 0.9
"""


@pytest.fixture
def vectors(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text(VECTORS)
    return load_vectors(path)


def test_every_word_becomes_a_neighbour_and_never_itself(vectors):
    text = "Juan acude, refiere DOLOR 37 y tos."
    for scope in ("document:1", "document:2", "corpus"):
        new = obfuscate(text, vectors, key=KEY, scope=scope, neighbours=2)
        words = new.replace(",", "").replace(".", "").split()
        assert words[0] in ("Pedro", "Luis")
        assert words[3] in ("FIEBRE", "TOS")
        assert words[6] in ("fiebre", "dolor")
        assert all(a != b for a, b in zip(text.split(), new.split(), strict=True))
        assert new[-1] == "."
        assert new == obfuscate(text, vectors, key=KEY, scope=scope, neighbours=2)


def test_only_around_what_was_found_and_keeping_terms(vectors):
    text = "tos tos tos Juan tos tos tos"
    span = Span(12, 16, "PERSON")
    new = obfuscate(text, vectors, key=KEY, around=[span], window=1).split()
    assert [a != b for a, b in zip(text.split(), new, strict=True)] == [
        False,
        False,
        True,
        True,
        True,
        False,
        False,
    ]
    kept = obfuscate(text, vectors, key=KEY, keep={"tos", "juan"}, around=[span])
    assert kept.startswith("tos tos tos ") and "Juan" not in kept
    assert obfuscate("tos Juan", vectors, key=KEY, keep={"tos"}).startswith("tos ")


def test_the_number_of_neighbours_may_vary(vectors):
    text = "dolor " * 200
    chosen = set(obfuscate(text, vectors, key=KEY, neighbours=(1, 4)).split())
    assert len(chosen) == 4 and "dolor" not in chosen
    assert set(obfuscate(text, vectors, key=KEY, neighbours=1).split()) == {"fiebre"}
    with pytest.raises(ConfigurationError, match="neighbours must be"):
        obfuscate(text, vectors, key=KEY, neighbours=0)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a 1 2\nb 1\n", "line 2"),
        ("a 1 x\nb 1 2\n", "line 1: not numbers"),
        ("a 1 2\n", "at least two words"),
    ],
)
def test_broken_vectors_are_named(tmp_path, content, message):
    path = tmp_path / "vectors.txt"
    path.write_text(content)
    with pytest.raises(ConfigurationError, match=message):
        load_vectors(path)


def test_glove_brings_words_of_like_company_together(tmp_path):
    texts = ["juan acude hoy", "pedro acude hoy", "toma losartan diario"] * 30
    texts += ["toma metformina diario", "juan refiere tos", "pedro refiere tos"] * 30
    path = tmp_path / "glove.txt"
    options = {"dimensions": 8, "epochs": 60, "method": "glove"}
    assert train_vectors(texts, path, **options) == 10
    assert path.stat().st_mode & 0o077 == 0
    vectors = load_vectors(path)
    assert set(vectors.neighbours("metformina", 3)) == {"toma", "losartan", "diario"}
    assert "pedro" in vectors.neighbours("juan", 4)
    again = tmp_path / "again.txt"
    train_vectors(texts, again, **options)
    assert again.read_bytes() == path.read_bytes()
    with pytest.raises(ConfigurationError, match="too few words"):
        train_vectors(["hola"], tmp_path / "none.txt", method="glove")
    with pytest.raises(ConfigurationError, match="word2vec or glove"):
        train_vectors(texts, tmp_path / "none.txt", method="fasttext")


def test_lemmas_stand_for_their_forms(vectors, tmp_path):
    new = obfuscate("fiebres", vectors, key=KEY, lemma=lambda word: word.rstrip("s"))
    assert new in vectors.words and new != "fiebre"
    with pytest.raises(ConfigurationError, match="installed spaCy package"):
        spacy_lemmas("no-such-model")


def test_a_folder_without_notes_is_named(tmp_path):
    said = CliRunner().invoke(
        app, ["train", "embeddings", str(tmp_path), "--output", str(tmp_path / "v")]
    )
    assert "no .txt notes in this folder" in str(said.exception)


def test_word2vec_can_be_trained(tmp_path):
    pytest.importorskip("gensim", reason="needs the extra embeddings")
    texts = ["paciente refiere dolor\nacude con fiebre y dolor", "refiere tos"] * 20
    path = tmp_path / "w2v.txt"
    assert train_vectors(texts, path, dimensions=8, epochs=2) == 8
    assert path.stat().st_mode & 0o077 == 0
    vectors = load_vectors(path)
    assert len(vectors.words) == 8
    assert vectors.neighbours("dolor", 3) != []
    with pytest.raises(ConfigurationError, match="exists"):
        train_vectors(texts, path)
    with pytest.raises(ConfigurationError, match="too few words"):
        train_vectors(["hola"], tmp_path / "none.txt")
