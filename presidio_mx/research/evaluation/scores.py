"""Score predictions against gold: all figures of one corpus in one place."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

from presidio_mx.entities import MASKED_ENTITIES
from presidio_mx.errors import InputError
from presidio_mx.research.evaluation.bootstrap import ROUNDS, SEED, Interval, interval
from presidio_mx.research.evaluation.counts import Counts, Share
from presidio_mx.research.evaluation.identifiers import NoteScores, note_scores
from presidio_mx.research.evaluation.matching import keys, match
from presidio_mx.research.evaluation.meddocan import MeddocanScores, meddocan_scores
from presidio_mx.schemes import ADAP_TAGS, THESIS_MEASURED, Scheme, in_scheme
from presidio_mx.text.spans import Note, Span

Added = TypeVar("Added", Share, Counts)

Pair = tuple[Note, Note]
Ratio = Callable[[NoteScores], tuple[float, float]]


def _f1(counts: Counts) -> tuple[float, float]:
    return 2 * counts.tp, 2 * counts.tp + counts.fp + counts.fn


# Figures with an interval: what counts in a note, and of how much.
MEASURES: Mapping[str, Ratio] = {
    "identifiers fully covered": lambda n: (n.covered.part, n.covered.whole),
    "notes without a leak": lambda n: (n.clean.part, n.clean.whole),
    "character precision": lambda n: (n.characters.part, n.characters.whole),
    "exact recall": lambda n: (n.exact.tp, n.exact.tp + n.exact.fn),
    "exact precision": lambda n: (n.exact.tp, n.exact.tp + n.exact.fp),
    "exact F1": lambda n: _f1(n.exact),
    "partial F1": lambda n: _f1(n.partial),
    "type F1": lambda n: _f1(n.typed_overlap),
    "token recall": lambda n: (n.tokens.tp, n.tokens.tp + n.tokens.fn),
    "token precision": lambda n: (n.tokens.tp, n.tokens.tp + n.tokens.fp),
    "token F1": lambda n: _f1(n.tokens),
    "typed token F1": lambda n: _f1(n.typed_tokens),
}


@dataclass(frozen=True)
class Scores:
    """All figures of one system on one corpus.

    :param scheme: How types were named.
    :param notes: The figures of each note, by id.
    :param intervals: The figures of the corpus, each with its 95 % interval.
    :param covered: Identifiers fully covered, of whatever predicted type.
    :param covered_by_type: The same for each gold type.
    :param covered_by_role: The same for each role of persons.
    :param clean: Notes without a leak.
    :param characters: Predicted letters and digits that are gold.
    :param exact: Type, start and end agree.
    :param exact_by_type: The same for each type.
    :param partial: SemEval-2013 partial matching.
    :param typed_overlap: SemEval-2013 type matching.
    :param tokens: Words inside spans.
    :param typed_tokens: Words inside spans of the right type.
    :param tags: Tags counted by kind, as in the thesis's Table 5.1, for its schemes.
    :param meddocan: The shared task's own scores, for its scheme.
    """

    scheme: Scheme
    notes: dict[str, NoteScores]
    intervals: dict[str, Interval]
    covered: Share
    covered_by_type: dict[str, Share]
    covered_by_role: dict[str, Share]
    clean: Share
    characters: Share
    exact: Counts
    exact_by_type: dict[str, Counts]
    partial: Counts
    typed_overlap: Counts
    tokens: Counts
    typed_tokens: Counts
    tags: dict[str, Counts] = field(default_factory=dict)
    meddocan: MeddocanScores | None = None

    def to_table(self) -> list[dict[str, Any]]:
        """Return the figures as rows.

        :return: Rows with group, measure, value (from 0 to 1, but for the leak), low,
            high (nothing where there is no interval) and n, what the value is of.
        """
        rows = [
            _row("corpus", name, found.value, found.low, found.high, len(self.notes))
            for name, found in self.intervals.items()
        ]
        for name, share in self.covered_by_type.items():
            rows.append(_row("covered by type", name, share.value, n=share.whole))
        for name, share in self.covered_by_role.items():
            rows.append(_row("covered by role", name, share.value, n=share.whole))
        for name, counts in self.exact_by_type.items():
            rows.append(
                _row("exact F1 by type", name, counts.f1, n=counts.tp + counts.fn)
            )
        return rows + _tag_rows(self.tags) + _meddocan_rows(self.meddocan)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures of the corpus as plain data; no text, no single notes.

        :return: What ``json.dumps`` takes.
        """
        return asdict(replace(self, notes={})) | {"notes": len(self.notes)}


def _row(
    group: str,
    measure: str,
    value: float,
    low: float | None = None,
    high: float | None = None,
    n: float = 0,
) -> dict[str, Any]:
    return {
        "group": group,
        "measure": measure,
        "value": value,
        "low": low,
        "high": high,
        "n": int(n),
    }


def _tag_rows(tags: Mapping[str, Counts]) -> list[dict[str, Any]]:
    rows = []
    for name, counts in tags.items():
        of = counts.tp + counts.fn
        rows.append(_row("tags", f"{name}: recall", counts.recall, n=of))
        rows.append(_row("tags", f"{name}: precision", counts.precision, n=of))
    return rows


def _meddocan_rows(found: MeddocanScores | None) -> list[dict[str, Any]]:
    if found is None:
        return []
    parts = {
        "sub-task 1, entities": found.entities,
        "sub-task 2, strict": found.strict,
        "sub-task 2, merged": found.merged,
        "body alone, entities": found.body,
        "body alone, strict": found.body_strict,
    }
    rows = []
    for name, counts in parts.items():
        of = counts.tp + counts.fn
        rows.append(_row("MEDDOCAN", f"{name}: precision", counts.precision, n=of))
        rows.append(_row("MEDDOCAN", f"{name}: recall", counts.recall, n=of))
        rows.append(_row("MEDDOCAN", f"{name}: F1", counts.f1, n=of))
    rows.append(_row("MEDDOCAN", "leak (misses a sentence)", found.leak))
    return rows


def score(
    gold: Iterable[Note],
    predicted: Iterable[Note],
    scheme: Scheme = "native",
    rounds: int = ROUNDS,
    seed: int = SEED,
) -> Scores:
    """Score predictions.

    A gold note without a prediction counts as one in which nothing was found.

    :param gold: Notes with gold spans.
    :param predicted: The same notes, by id, with predicted spans.
    :param scheme: ``native``; ``meddocan``; ``thesis``, in which only the four kinds
        count that the thesis measured, and names of staff do not; ``adap``, in which
        everybody's names count and addresses and cities are one kind.
    :param rounds: Samples for the intervals.
    :param seed: Seed of the samples.
    :return: The scores.
    :raises InputError: If there are no notes, or a text is not that of its gold note.
    """
    pairs = paired(gold, predicted, scheme)
    notes = {one.id: note_scores(one, other) for one, other in pairs}
    every = list(notes.values())
    return Scores(
        scheme=scheme,
        notes=notes,
        intervals=intervals(every, rounds, seed),
        covered=sum((n.covered for n in every), Share()),
        covered_by_type=_added([n.by_type for n in every], Share()),
        covered_by_role=_added([n.by_role for n in every], Share()),
        clean=sum((n.clean for n in every), Share()),
        characters=sum((n.characters for n in every), Share()),
        exact=sum((n.exact for n in every), Counts()),
        exact_by_type=_added([n.exact_by_type for n in every], Counts()),
        partial=sum((n.partial for n in every), Counts()),
        typed_overlap=sum((n.typed_overlap for n in every), Counts()),
        tokens=sum((n.tokens for n in every), Counts()),
        typed_tokens=sum((n.typed_tokens for n in every), Counts()),
        tags=_tags(pairs) if scheme in ("thesis", "adap") else {},
        meddocan=meddocan_scores(pairs) if scheme == "meddocan" else None,
    )


def paired(
    gold: Iterable[Note], predicted: Iterable[Note], scheme: Scheme
) -> list[Pair]:
    """Pair notes by id and name their spans by a scheme.

    :param gold: Notes with gold spans.
    :param predicted: Notes with predicted spans.
    :param scheme: The scheme.
    :return: Pairs in the order of the gold notes.
    :raises InputError: If there are no gold notes, or texts differ.
    """
    given = {note.id: note for note in predicted}
    pairs = []
    for note in gold:
        other = given.get(note.id, note.with_spans(()))
        if other.text != note.text:
            raise InputError(
                f"note {note.id}: the predictions are for another text than the gold"
            )
        pair = scored(note, scheme), scored(other, scheme)
        pairs.append(_without_staff(*pair) if scheme == "thesis" else pair)
    if not pairs:
        raise InputError("there are no gold notes to score")
    return pairs


def scored(note: Note, scheme: Scheme) -> Note:
    """Return a note with the spans that are scored.

    :param note: A note in whatever types.
    :param scheme: The scheme to score in.
    :return: The note in its types.
    """
    named = in_scheme(note, scheme)
    spans = named.spans
    if scheme == "thesis":
        spans = tuple(s for s in spans if s.entity_type in THESIS_MEASURED)
    if scheme == "adap":
        spans = tuple(s for s in spans if s.entity_type in ADAP_TAGS)
    if scheme == "native":
        # The guidelines mark cards and bank accounts alike, and nothing that a study
        # masks beside what identifies.
        spans = tuple(
            replace(s, entity_type="CREDIT_CARD") if s.entity_type == "MX_CLABE" else s
            for s in spans
            if s.entity_type not in MASKED_ENTITIES
        )
    return named.with_spans(spans)


def intervals(
    notes: Sequence[NoteScores], rounds: int, seed: int
) -> dict[str, Interval]:
    """Return every measure with its interval.

    :param notes: The figures of each note.
    :param rounds: How many samples.
    :param seed: Seed of the samples.
    :return: Intervals by measure.
    """
    found = {}
    for name, measure in MEASURES.items():
        tops, bottoms = zip(*(measure(note) for note in notes), strict=True)
        found[name] = interval(tops, bottoms, rounds, seed)
    return found


def _tags(pairs: Sequence[Pair]) -> dict[str, Counts]:
    found = _added([_tag_counts(one, other) for one, other in pairs], Counts())
    return found | {"all": sum(found.values(), Counts())}


def _added(parts: list[dict[str, Added]], nothing: Added) -> dict[str, Added]:
    """Add up shares or counts by their names."""
    names = sorted({name for part in parts for name in part})
    return {
        name: sum((part[name] for part in parts if name in part), nothing)
        for name in names
    }


def _without_staff(gold: Note, predicted: Note) -> tuple[Note, Note]:
    """Leave names of staff out, and what was predicted upon them alone.

    :param gold: The note with gold spans, named by the thesis's tags.
    :param predicted: The same note with predicted spans.
    :return: Both, without those spans.
    """
    staff = [s for s in gold.spans if s.entity_type == "NOMBRE" and s.role == "staff"]
    kept = tuple(span for span in gold.spans if span not in staff)

    def counts(span: Span) -> bool:
        staffs = any(map(span.overlaps, staff))
        return not staffs or any(map(span.overlaps, kept))

    return gold.with_spans(kept), predicted.with_spans(
        tuple(filter(counts, predicted.spans))
    )


def _tag_counts(gold: Note, predicted: Note) -> dict[str, Counts]:
    """Count the tags of a note; one is right if it touches a gold one of its kind.

    :param gold: The note with gold spans.
    :param predicted: The same note with predicted spans.
    :return: Counts by kind.
    """
    ours, theirs = keys(gold), keys(predicted)
    hits = [ours[i][2] for i, j in match(ours, theirs) if ours[i][2] == theirs[j][2]]
    kinds = {kind for *_, kind in (*ours, *theirs)}
    found = {}
    for kind in kinds:
        right = hits.count(kind)
        found[kind] = Counts(
            right,
            sum(key[2] == kind for key in theirs) - right,
            sum(key[2] == kind for key in ours) - right,
        )
    return found
