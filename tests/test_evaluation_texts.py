"""Scores of rewritten texts, of what is lost, and of people's reviews."""

import csv
import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_mx.errors import ConfigurationError, InputError, MissingExtraError
from presidio_mx.extras import need
from presidio_mx.research.corpora import Note, Span
from presidio_mx.research.corpora.pairs import Pair
from presidio_mx.research.evaluation import sample
from presidio_mx.research.evaluation.coding import classifier_coder, lexical_coder
from presidio_mx.research.evaluation.loss import (
    CIL,
    CIL_OF_FOUND,
    bert_scores,
    bleu,
    greedy_f1,
    information_loss,
    loss_scores,
    rouge,
    summarise,
)
from presidio_mx.research.evaluation.rewriting import (
    Grounded,
    best_ratio,
    rewriting_scores,
)
from presidio_mx.spanish.gazetteer import rows

HAS_TRANSFORMERS = importlib.util.find_spec("transformers") is not None


def test_levenshtein_ratio_worked_by_hand() -> None:
    # "Garcia" against the window "Garzia": one substitution in six, or one letter less
    # and one more in twelve.
    text = "el Sr Garzia vino"
    assert best_ratio("Garcia", text, "equation") == pytest.approx(5 / 6)
    assert best_ratio("Garcia", text) == pytest.approx(10 / 12)
    assert best_ratio("Ana", "su hermAna") == 1.0
    # The output is shorter: four letters to add, of the longer length 7, or of 10.
    assert best_ratio("Morelia", "Mor", "equation") == pytest.approx(3 / 7)
    assert best_ratio("Morelia", "Mor") == pytest.approx(6 / 10)
    assert best_ratio("Ana", "") == 0.0
    with pytest.raises(ConfigurationError, match="indel or equation"):
        best_ratio("Ana", "", "jaro")


@pytest.mark.parametrize(
    ("one", "other", "indel", "equation"),
    [("Ana P. Silva", "Ana Silva", 0.86, 0.75), ("asthma", "bronchitis", 0.13, 0.10)],
)
def test_the_printed_examples_are_the_indel_ratio(
    one: str, other: str, indel: float, equation: float
) -> None:
    longer, shorter = sorted((one, other), key=len, reverse=True)
    assert best_ratio(longer, shorter) == pytest.approx(indel, abs=0.006)
    assert best_ratio(longer, shorter, "equation") == pytest.approx(equation, abs=0.006)


def test_the_default_catches_the_leak_that_the_equation_lets_pass() -> None:
    gold = Note("a", "Ana P. Silva", (Span(0, 12, "PERSON"),))
    outputs = {"a": "La paciente Ana Silva acude a consulta"}
    assert rewriting_scores([gold], outputs).levenshtein.value == 0.0
    passed = rewriting_scores([gold], outputs, likeness="equation")
    assert passed.levenshtein.value == 1.0
    assert passed.likeness == "equation"


@given(st.text("abc ", min_size=1, max_size=6), st.text("abc ", max_size=15))
def test_levenshtein_ratio_is_the_definition(identifier: str, output: str) -> None:
    size = len(identifier)
    windows = [output[i : i + size] for i in range(max(1, len(output) - size + 1))]
    expected = max(
        1 - _distance(identifier, window) / max(size, len(window)) for window in windows
    )
    assert best_ratio(identifier, output, "equation") == pytest.approx(expected)


def _distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        row, last = [i], row
        for j, y in enumerate(b, start=1):
            row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (x != y)))
    return row[-1]


def test_recall_of_rewritten_notes() -> None:
    text = "Itzel Cuiriz vive en Morelia"
    gold = Note("a", text, (Span(0, 12, "PERSON"), Span(21, 28, "LOCATION")))
    kept = {"a": "Itzei Cuiris vive en Morelia"}
    found = rewriting_scores([gold], kept)
    # Morelia stands; the name does not, but ten of its twelve characters do.
    assert found.matching.value == 0.5
    assert found.levenshtein.value == 0.0
    assert found.curve[0.85] == 0.5
    assert found.curve[0.8] == 0.0
    assert found.by_type["PERSON"].whole == 1
    gone = rewriting_scores([gold], {"a": "Marta Ruiz vive en Jaca"}, threshold=0.7)
    assert gone.levenshtein.value == gone.matching.value == 1.0
    with pytest.raises(InputError, match="note a has no rewritten"):
        rewriting_scores([gold], {})


def test_what_chance_passes_for_a_leak_is_looked_for_in_the_next_note() -> None:
    """Short identifiers are like some window of any text, long ones are not."""
    texts = {
        "a": "Itzel Cuiriz Bautista, 45 a, vive en Morelia",
        "b": "Jacinto Pech Uc toma 45 mg y acude a control",
    }
    gold = [
        Note("a", texts["a"], (Span(0, 21, "PERSON"), Span(23, 27, "AGE"))),
        Note("b", texts["b"], ()),
    ]
    found = rewriting_scores(gold, {"a": "una de 50 a", "b": texts["b"]})
    # "45 a" is as like "45 m" as three signs of four.
    assert found.chance[0.75] == 0.5
    assert found.chance[0.8] == 0.0
    assert found.grounded["PERSON"] == Grounded(0.5, 1.0)
    assert found.grounded["AGE"].threshold == 0.8
    alone = rewriting_scores(gold[:1], {"a": "una de 50 a"})
    assert (alone.chance, alone.grounded) == ({}, {})


def test_rouge_worked_by_hand() -> None:
    # 4 words, 3 in common: P = R = 3/4; bigrams 1 of 3; longest common run of words 3.
    found = rouge("niño con tos seca", "niño sin tos seca")
    assert found["ROUGE-1"] == pytest.approx(3 / 4)
    assert found["ROUGE-2"] == pytest.approx(1 / 3)
    assert found["ROUGE-L"] == pytest.approx(3 / 4)
    # An accent makes another word; the library's own splitter would cut it apart.
    assert rouge("está", "esta")["ROUGE-1"] == 0.0


def test_bleu_worked_by_hand() -> None:
    same = "uno dos tres cuatro cinco"
    assert bleu(same, same) == pytest.approx(1.0)
    # Precisions 4/4, 3/3, 2/2, 1/1 and brevity penalty exp(1 - 5/4).
    expected = np.exp(1 - 5 / 4)
    assert bleu("uno dos tres cuatro cinco", "uno dos tres cuatro") == pytest.approx(
        expected
    )


def test_bert_score_is_greedy_matching() -> None:
    reference = np.array([[1.0, 0.0], [0.0, 1.0]])
    candidate = np.array([[1.0, 0.0]])
    # Recall (1 + 0) / 2, precision 1: F1 = 2 * .5 / 1.5.
    assert greedy_f1(reference, candidate) == pytest.approx(2 / 3)
    assert greedy_f1(reference, np.zeros((0, 2))) == 0.0


def test_summary_gives_the_papers_figures() -> None:
    found = summarise([0.1, 0.2, 0.3, 0.4, 0.5])
    assert (found.median, found.lower, found.upper) == pytest.approx((0.3, 0.2, 0.4))
    assert (found.least, found.most, found.n) == (0.1, 0.5, 5)


NOTE = "Paciente con DM2 y HAS, niega asma. Neumonía, insuficiencia renal aguda."


def test_lexical_coder_finds_categories_and_passes_over_denials() -> None:
    assert lexical_coder().rank(NOTE, 10) == ["N17", "E11", "I10", "J18"]
    assert lexical_coder().rank(NOTE, 2) == ["N17", "E11"]
    assert lexical_coder().rank("diabetes mellitus tipo 1", 5) == ["E10"]


def test_information_loss_is_the_share_that_went() -> None:
    coder = lexical_coder()
    after = NOTE.replace("DM2", "X").replace("Neumonía", "Y") + " Con lupus."
    # Two of four categories are left; a new one changes nothing.
    found = information_loss(NOTE, after, coder, 10)
    assert found is not None
    assert (found.of_top, found.of_found) == (pytest.approx(0.8), 0.5)
    assert information_loss("Sin datos", "Sin datos", coder, 10) is None


def test_losses_of_a_corpus_name_their_coder() -> None:
    pairs = [Pair("a", NOTE, NOTE.replace("DM2", "<X>")), Pair("b", "hola", "hola")]
    found = loss_scores(pairs, lexical_coder())
    assert found.summaries[CIL].n == 1
    assert found.summaries[CIL].median == pytest.approx(0.7)
    assert found.summaries[CIL_OF_FOUND].median == 0.25
    assert found.uncoded == 1
    assert found.summaries["ROUGE-1"].most == 1.0
    assert not found.comparable
    assert "lexical" in found.coder


def test_the_list_of_categories_is_sound() -> None:
    listed = list(rows("icd10_es"))
    codes = [row["code"] for row in listed]
    assert len(codes) == len(set(codes)) >= 157
    for row in listed:
        found = lexical_coder().rank(row["terms"].split(";")[0], 1)
        assert found == [row["code"]]


def test_models_are_folders_and_their_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigurationError, match="no model here"):
        classifier_coder("bert-base-multilingual-cased")
    with pytest.raises(ConfigurationError, match="no model here"):
        bert_scores([], tmp_path)
    with pytest.raises(MissingExtraError, match=r"presidio-mx\[evaluation\]"):
        need("no_such_module", "ROUGE", "evaluation")


@pytest.mark.heavy
@pytest.mark.skipif(not HAS_TRANSFORMERS, reason="transformers is not installed")
def test_models_from_folders(tmp_path: Path) -> None:
    import transformers

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "tos", "asma", "niño"]
    (tmp_path / "vocab.txt").write_text("\n".join(words), "utf-8")
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=12,
        num_labels=3,
        id2label={0: "J45", 1: "R05", 2: "A09"},
        label2id={"J45": 0, "R05": 1, "A09": 2},
    )
    transformers.BertForSequenceClassification(config).save_pretrained(tmp_path)
    transformers.BertTokenizerFast(str(tmp_path / "vocab.txt")).save_pretrained(
        tmp_path
    )
    # The tokenizer names no length of its own; twelve places are all the model has.
    assert len(classifier_coder(tmp_path).rank("tos asma niño " * 10, 2)) == 2
    ranked = classifier_coder(tmp_path).rank("niño tos asma", 2)
    assert len(ranked) == 2
    assert set(ranked) <= {"J45", "R05", "A09"}
    long = "tos asma niño " * 10
    same, other = bert_scores(
        [Pair("a", long, long), Pair("b", "tos", "asma")], tmp_path
    )
    assert same == pytest.approx(1.0, abs=1e-5)
    assert other < 1.0


def test_sample_repeats_with_its_seed(tmp_path: Path) -> None:
    texts = {f"n{i}": f"nota {i}" for i in range(50)}
    assert sample.draw(texts, 10, 1) == sample.draw(
        dict(reversed(texts.items())), 10, 1
    )
    assert sample.draw(texts, 10, 1) != sample.draw(texts, 10, 2)
    assert len(set(sample.draw(texts, 400, 1))) == 50
    with pytest.raises(InputError):
        sample.draw({}, 5, 1)


def _filled(path: Path, cells: list[dict[str, str]]) -> Path:
    texts = {f"n{i}": '=1+1 con "comillas",\ny líneas' for i in range(len(cells))}
    sample.write_sheet(path, texts, sorted(texts), ["PERSON", "DATE_TIME"])
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert all(row["text"].startswith("'=1+1") for row in rows)
    filled = path.with_name("filled.csv")
    with filled.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=";")
        writer.writeheader()
        writer.writerows(row | cell for row, cell in zip(rows, cells, strict=True))
    return filled


def test_a_filled_sheet_is_read_back(tmp_path: Path) -> None:
    cells = [
        {"reviewed": "sí", "PERSON": "2", "DATE_TIME": "1", "identifiable": "x"},
        {"reviewed": "yes"},
        {"reviewed": "1", "DATE_TIME": "0"},
        {"reviewed": "x", "DATE_TIME": "3"},
        {"reviewed": ""},
        {"reviewed": "yes", "PERSON": "muchos"},
    ]
    found = sample.read_sheet(_filled(tmp_path / "sheet.csv", cells))
    assert (found.notes, found.unread) == (4, 2)
    assert found.failing.value == 0.5
    assert found.identifiable.value == 0.25
    assert found.by_kind["DATE_TIME"].value == 0.5
    assert found.missed == {"PERSON": 2, "DATE_TIME": 4}
    assert found.problems == (
        "filled.csv, row 7: column 'PERSON' takes the number of misses",
    )


def test_a_sheet_nobody_filled_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="write yes into its column"):
        sample.read_sheet(_filled(tmp_path / "sheet.csv", [{}, {}]))
    other = tmp_path / "other.csv"
    other.write_text(json.dumps({"a": 1}), "utf-8")
    with pytest.raises(InputError, match="not a review sheet"):
        sample.read_sheet(other)
