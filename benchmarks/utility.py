"""What research keeps when notes are de-identified: tagging, coding, wording.

usage: python benchmarks/utility.py [--parts tagger synthetic text detection]
                                    [--notes 100] [--encoder FOLDER] [--epochs 8]

``tagger``: a CRF is trained on the originals of some files of ``samples/corpus``, on
their surrogates, on copies filled by Faker (each mark anew, nobody is the same twice)
and on copies with tags; all are scored on the same unseen notes. ``synthetic``: one
trained on notes of ``presidio-mx synthesize`` alone, against as many hand-written ones.
``text``: ROUGE and the ICD-10 categories (``gazetteers/icd10_es.tsv``) that are found
before and after. ``detection`` (only when asked for): the shipped rules and transformer
on the originals of ``dev/b_hospital`` and on their copies, each held to its own marks.
With ``--encoder`` (extra ``train``) the tagger is a transformer of six layers, not a
CRF. Intervals are of a bootstrap over notes, differences paired.
"""

import argparse
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from time import perf_counter

from faker import Faker

from presidio_mx.replace.keys import Key
from presidio_mx.research.corpora.store import read_corpus, write_corpus
from presidio_mx.research.corpora.synthesis import synthesize
from presidio_mx.research.corpora.synthesis_copies import surrogate_copies
from presidio_mx.research.evaluation.bootstrap import interval
from presidio_mx.research.evaluation.coding import lexical_coder
from presidio_mx.research.evaluation.compare import compare
from presidio_mx.research.evaluation.loss import rouge
from presidio_mx.research.evaluation.scores import score
from presidio_mx.research.evaluation.systems import build_engine, predict
from presidio_mx.research.systems.crf import MxCrfRecognizer
from presidio_mx.research.training.crf import CrfRecipe, train_crf
from presidio_mx.research.training.data import require_apart
from presidio_mx.research.training.recipe import Recipe, Source
from presidio_mx.text.spans import Note, Span

SAMPLES = Path(__file__).parents[1] / "samples" / "corpus"
TRAIN = (
    "train/e_hospital",
    "train/f_hospital",
    "train/g_first_contact",
    "train/h_social_legal",
    "dev/fit_a_ordinary",
)
DEV = ("dev/c_odd_forms",)
SCORED = ("heldout/d_ordinary",)
DETECTED = ("dev/b_hospital",)
KEY = Key.from_value("key of the benchmark of utility")
MEASURES = ("typed token F1", "exact F1", "identifiers fully covered")
TOP = 20
ITERATIONS = 60


def notes_of(names: Sequence[str]) -> list[Note]:
    """Return the notes of files of samples/corpus."""
    return [
        note for name in names for note in read_corpus(SAMPLES / f"{name}.jsonl").notes
    ]


def surrogates(notes: Sequence[Note], copies: int = 1) -> list[Note]:
    """Return surrogate copies of notes."""
    return list(surrogate_copies(notes, copies, KEY))


def faked(notes: Sequence[Note]) -> list[Note]:
    """Return copies as a Faker for Mexico fills them, each mark on its own."""
    fake = Faker("es_MX")
    fake.seed_instance(1)
    makers: dict[str, Callable[[], str]] = {
        "PERSON": fake.name,
        "PHONE_NUMBER": fake.phone_number,
        "ADDRESS": lambda: fake.address().replace("\n", ", "),
        "LOCATION": fake.city,
        "DATE_TIME": fake.date,
        "AGE": lambda: str(fake.random_int(0, 99)),
        "MX_CURP": fake.curp,
        "MX_RFC": fake.rfc,
        "MX_NSS": fake.ssn,
        "EMAIL_ADDRESS": fake.email,
        "URL": fake.url,
        "CREDIT_CARD": fake.credit_card_number,
        "MX_LICENSE_PLATE": fake.license_plate,
        "ORGANIZATION": fake.company,
    }
    return [
        _filled(note, lambda kind: makers.get(kind, lambda: fake.bothify("??######"))())
        for note in notes
    ]


def _filled(note: Note, make: Callable[[str], str]) -> Note:
    text, spans, position = "", [], 0
    for span in note.spans:
        if span.start < position:
            continue
        text += note.text[position : span.start]
        new = make(span.entity_type)
        spans.append(Span(len(text), len(text) + len(new), span.entity_type))
        text += new
        position = span.end
    return Note(note.id, text + note.text[position:], tuple(spans))


def copied(notes: Sequence[Note]) -> dict[str, Sequence[Note]]:
    """Return the notes as surrogates, as Faker and as tags leave them."""
    tags = list(surrogate_copies(notes, 1, KEY, "tag"))
    return {"surrogates": surrogates(notes), "Faker": faked(notes), "tags": tags}


Tagger = Callable[[Sequence[Note], Sequence[Note]], list[Note]]


def crf(train: Sequence[Note], unseen: Sequence[Note]) -> list[Note]:
    """Return what a CRF that was trained on notes marks in others."""
    with tempfile.TemporaryDirectory() as folder:
        recipe = CrfRecipe(epochs=ITERATIONS, patience=15)
        train_crf(train, notes_of(DEV), Path(folder), "native", recipe)
        model = MxCrfRecognizer(model=folder)
        model.load()
        return [n.with_spans(tuple(model.spans(n.text))) for n in unseen]


def transformer(encoder: Path, epochs: int) -> Tagger:
    """Return a tagger of the six lowest layers of an encoder."""
    # Heavy, and needed where this part is asked for only.
    from presidio_mx.find.ner.onnx_model import load_model
    from presidio_mx.research.training.dev_score import predicted
    from presidio_mx.research.training.export import export
    from presidio_mx.research.training.sources import label_set
    from presidio_mx.research.training.trainer import Trainer

    def tag(train: Sequence[Note], unseen: Sequence[Note]) -> list[Note]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            corpora = {"train": train, "dev": notes_of(DEV)}
            for part, notes in corpora.items():
                flat = [replace(n, id=f"{i:05}") for i, n in enumerate(notes)]
                write_corpus(flat, folder / part, "inline")
            recipe = Recipe(
                train=(Source(str(folder / "train")),),
                dev=(Source(str(folder / "dev")),),
                encoder=str(encoder),
                keep=tuple(range(6)),
                epochs=epochs,
                patience=0,
                rate=2e-4,
                head_rate=2e-3,
            )
            trainer = Trainer(recipe, folder, print)
            best = trainer.run(resume=False)
            export(best, recipe, encoder / "tokenizer.json", folder, quantize=True)
            model = load_model(folder, 1)
            labels = label_set("mx")
            return [predicted(model, note, "mx", labels) for note in unseen]

    return tag


def tagger_rows(
    tagger: Tagger,
    versions: dict[str, Sequence[Note]],
    unseen: Sequence[Note],
    rounds: int,
) -> None:
    """Print a row for each training corpus; the first is what others are held to."""
    print("| trained on | notes | words |", " | ".join(MEASURES), "| difference |")
    print("|---" * (len(MEASURES) + 4) + "|")
    base: list[Note] = []
    for name, notes in versions.items():
        start = perf_counter()
        require_apart(notes, unseen)
        found = tagger(notes, unseen)
        base = base or found
        scores = score(unseen, found, "native", rounds).intervals
        cells = [
            f"{s.value:.3f} [{s.low:.3f}, {s.high:.3f}]"
            for s in (scores[m] for m in MEASURES)
        ]
        apart = compare(unseen, found, base, "native", rounds).differences[MEASURES[0]]
        points = f"{100 * apart.value:+.1f} [{100 * apart.low:.1f}, "
        points += f"{100 * apart.high:.1f}]"
        words = sum(len(note.text.split()) for note in notes)
        print(
            f"| {name} | {len(notes)} | {words:,} |",
            " | ".join(cells),
            f"| {points if found is not base else ''} |",
            f"<!-- {perf_counter() - start:.0f} s -->",
            flush=True,
        )


def text_rows(
    notes: Sequence[Note], versions: dict[str, Sequence[Note]], rounds: int
) -> None:
    """Print how much wording and how many ICD-10 categories each version keeps."""
    coder = lexical_coder()
    before = [set(coder.rank(note.text, TOP)) for note in notes]
    print("| version | ROUGE-1 | ROUGE-2 | ROUGE-L | categories kept | new |")
    print("|---|---|---|---|---|---|")
    for name, copies in versions.items():
        pairs = list(zip(notes, copies, strict=True))
        found = [rouge(old.text, new.text) for old, new in pairs]
        after = [set(coder.rank(copy.text, TOP)) for copy in copies]
        kept = interval(
            [len(a & b) for a, b in zip(before, after, strict=True)],
            [len(codes) for codes in before],
            rounds,
        )
        ones = [1.0] * len(found)
        means = [
            interval([row[key] for row in found], ones, rounds)
            for key in ("ROUGE-1", "ROUGE-2", "ROUGE-L")
        ]
        cells = [f"{m.value:.3f} [{m.low:.3f}, {m.high:.3f}]" for m in (*means, kept)]
        new = sum(len(b - a) for a, b in zip(before, after, strict=True))
        of = sum(map(len, before))
        print(f"| {name} |", " | ".join(cells), f"| {new} of {of} |", flush=True)


def detection_rows(notes: Sequence[Note], rounds: int) -> None:
    """Print how well the shipped systems find what stands in each version.

    Originals and copies have different words, so the rows are compared by their
    intervals and not note by note.
    """
    versions: dict[str, Sequence[Note]] = {"originals": notes}
    versions |= {k: v for k, v in copied(notes).items() if k != "tags"}
    print("| system | notes | words |", " | ".join(MEASURES), "|")
    print("|---" * (len(MEASURES) + 3) + "|")
    for ner in ("none", "transformer"):
        engine = build_engine("mx", ner)
        for name, version in versions.items():
            scores = score(version, predict(engine, version), "native", rounds)
            cells = [
                f"{s.value:.3f} [{s.low:.3f}, {s.high:.3f}]"
                for s in (scores.intervals[m] for m in MEASURES)
            ]
            words = sum(len(note.text.split()) for note in version)
            print(f"| {ner}, {name} | {len(version)} | {words:,} |", " | ".join(cells))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts = ("tagger", "synthetic", "text")
    parser.add_argument(
        "--parts", nargs="+", choices=(*parts, "detection"), default=parts
    )
    parser.add_argument("--notes", type=int, default=100, help="of synthetic")
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--encoder", type=Path, help="of a transformer as tagger")
    parser.add_argument("--epochs", type=int, default=8, help="of the transformer")
    chosen = parser.parse_args()
    tagger = transformer(chosen.encoder, chosen.epochs) if chosen.encoder else crf
    if "detection" in chosen.parts:
        detection_rows(notes_of(DETECTED), chosen.rounds)
    if set(chosen.parts) == {"detection"}:
        return  # reads no notes that are kept apart
    written, unseen = notes_of(TRAIN), notes_of(SCORED)
    if "tagger" in chosen.parts:
        versions: dict[str, Sequence[Note]] = {"originals": written}
        versions |= copied(written)
        if chosen.encoder:
            versions.pop("tags")  # it would find nothing, as the CRF
        tagger_rows(tagger, versions, unseen, chosen.rounds)
    if "synthetic" in chosen.parts:
        few = Random(7).sample(written, chosen.notes)
        corpora: dict[str, Sequence[Note]] = {
            "hand-written": few,
            "synthesised, as many": list(synthesize(chosen.notes, seed=3)),
            "synthesised, thrice as many": list(synthesize(3 * chosen.notes, seed=3)),
            "both": [*few, *synthesize(chosen.notes, seed=3)],
            "hand-written and two copies": [*few, *surrogates(few, 2)],
        }
        tagger_rows(tagger, corpora, unseen, chosen.rounds)
    if "text" in chosen.parts:
        text_rows(written, copied(written), chosen.rounds)


if __name__ == "__main__":
    main()
