"""Score embedding obfuscation beside tag, redact and surrogate.

Run ``python benchmarks/obfuscation.py``: it trains Word2Vec on notes of
``samples/corpus`` and synthetic ones (a toy: papers train on millions of notes),
rewrites ``dev_b`` and ``dev_c`` from their gold spans, and prints recall by pattern
matching and by Levenshtein, ROUGE-L, BLEU-4 and clinical information loss.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from presidio_mx.anonymizer import embeddings
from presidio_mx.anonymizer.engine import anonymize
from presidio_mx.corpora.pairs import Pair
from presidio_mx.corpora.store import read_corpus
from presidio_mx.corpora.synthesis import synthesize
from presidio_mx.evaluation.coding import lexical_coder
from presidio_mx.evaluation.loss import loss_scores
from presidio_mx.evaluation.rewriting import rewriting_scores
from presidio_mx.spans import Note

KEY = "key of the benchmark"
CORPUS = Path(__file__).parents[1] / "samples" / "corpus"
Rewrite = Callable[[Note], str]


def read(*folders: str) -> list[Note]:
    """Return the notes of folders of the corpus, with ids that differ."""
    return [
        Note(f"{folder}/{note.id}", note.text, note.spans)
        for folder in folders
        for note in read_corpus(CORPUS / folder, "inline").notes
    ]


def operator(profile: str) -> Rewrite:
    """Return a function that anonymizes the gold spans of a note."""
    return lambda note: anonymize(note.text, note.spans, profile, key=KEY).text


def train(invented: int) -> tuple[embeddings.Vectors, int, int]:
    """Train on de-identified notes as ``presidio-mx train embeddings`` does.

    :param invented: How many synthetic notes to add.
    :return: The vectors, the number of notes and of running words.
    """
    notes = [*read("train_b", "dev_a"), *synthesize(invented, seed=80)]
    texts = [operator("surrogate")(note) for note in notes]
    words = sum(len(line) for line in embeddings.sentences(texts))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.txt"
        embeddings.train_vectors(texts, path, dimensions=100, epochs=10)
        return embeddings.load_vectors(path), len(notes), words


def obfuscations(vectors: embeddings.Vectors) -> dict[str, Rewrite]:
    """Return the ways to obfuscate."""
    clinical = embeddings.clinical_words()
    hide = embeddings.obfuscate

    def around(note: Note) -> str:
        return hide(note.text, vectors, key=KEY, around=note.spans, keep=clinical)

    return {
        "obfuscation, N = 5": lambda n: hide(n.text, vectors, key=KEY),
        "obfuscation, N = 1": lambda n: hide(n.text, vectors, key=KEY, neighbours=1),
        "obfuscation, N = 3 to 9": lambda n: hide(
            n.text, vectors, key=KEY, neighbours=(3, 9)
        ),
        "obfuscation, clinical terms kept": lambda n: hide(
            n.text, vectors, key=KEY, keep=clinical
        ),
        "obfuscation around identifiers": around,
    }


def row(name: str, notes: list[Note], rewrite: Rewrite) -> str:
    """Return a line of the table for one way to rewrite."""
    outputs = {note.id: rewrite(note) for note in notes}
    recall = rewriting_scores(notes, outputs)
    pairs = [Pair(note.id, note.text, outputs[note.id]) for note in notes]
    loss = loss_scores(pairs, lexical_coder()).summaries
    figures = (
        recall.matching.value,
        recall.levenshtein.value,
        loss["ROUGE-L"].mean,
        loss["BLEU-4"].mean,
        loss["clinical information loss"].mean,
    )
    return f"{name:34}" + "".join(f"{figure:10.3f}" for figure in figures)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Score embedding obfuscation.")
    parser.add_argument("--invented", type=int, default=3000, help="synthetic notes")
    parser.add_argument("--notes", type=int, default=10_000, help="notes to score")
    chosen = parser.parse_args()
    vectors, trained, words = train(chosen.invented)
    notes = read("dev_b", "dev_c")[: chosen.notes]
    spans = sum(len(note.spans) for note in notes)
    print(
        f"{len(vectors.words):,} vectors from {trained:,} notes ({words:,} words); "
        f"scored on {len(notes)} notes, {spans:,} identifiers; coder: "
        f"{lexical_coder().name}"
    )
    print(f"{'':34}{'matching':>10}{'Levensht.':>10}", end="")
    print(f"{'ROUGE-L':>10}{'BLEU-4':>10}{'CIL':>10}")
    ways = {name: operator(name) for name in ("tag", "redact", "surrogate")}
    for name, way in (
        {"nothing done": lambda n: n.text} | ways | obfuscations(vectors)
    ).items():
        print(row(name, notes, way), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
