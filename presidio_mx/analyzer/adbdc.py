"""The ADBDC baseline: de-identification by contextual dictionaries, as published.

The algorithm of a master's thesis (Universidad Michoacana, 2022; 450 IMSS notes): words
without stop words in a positional index, trigger words of each kind of datum, lists of
given names, surnames and municipalities of Michoacán, one kind of datum after another:
names, municipalities, telephones, addresses. It finds the patient and relatives alone.

Where the description is silent: names are looked for in the six words behind a trigger
(its own example skips "hipertenso" after "paciente"), and an address that has no second
trigger ends after eight words.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from presidio_mx.analyzer.note.finding import Finding
from presidio_mx.folding import fold, fold_key
from presidio_mx.gazetteer import rows

GIVEN_NAMES = 4_400
SURNAMES = 7_456
STATE = "MN"
_NAME_WINDOW = 6
_ADDRESS_WINDOW = 8
_AFTER_COLONIA = 2
_SCORE = 0.85

_WORD = re.compile(r"[^\W\d_]+|\d+")
_STOP_WORDS = frozenset(
    "a al con de del el en es la las lo los o para por que se su sus un una y".split()
)
NAME_TRIGGERS = (
    "paciente",
    "hijo",
    "hija",
    "padre",
    "madre",
    "esposo",
    "esposa",
    "cuñado",
    "sra",
    "sr",
    "red de apoyo",
    "entrevista directa",
)
CITY_TRIGGERS = ("ciudad", "residente", "originario", "originaria")
PHONE_TRIGGERS = ("tel", "teléfono", "cel", "celular", "número", "en caso necesario")
ADDRESS_TRIGGERS = ("domicilio particular", "domicilio", "calle", "dom")
COLONIA = frozenset(("colonia", "col"))
_PHONE = re.compile(r"\W{0,4}(\d(?:[ \-.,()y]{0,4}\d){6,})")


class _Words:
    """The words of a note, without stop words, with their places."""

    def __init__(self, text: str) -> None:
        self.folded = fold(text)
        found = [m for m in _WORD.finditer(self.folded) if m[0] not in _STOP_WORDS]
        self.words = [match[0] for match in found]
        self.starts = [match.start() for match in found]
        self.ends = [match.end() for match in found]

    def behind(self, trigger: str) -> Iterator[int]:
        """Yield the index of the word behind each place of a trigger."""
        wanted = [word for word in fold_key(trigger).split() if word not in _STOP_WORDS]
        size = len(wanted)
        for index in range(len(self.words) - size + 1):
            if self.words[index : index + size] == wanted:
                yield index + size


@lru_cache(maxsize=1)
def _names() -> frozenset[str]:
    """Return as many given names and surnames as the thesis had, commonest first."""

    def commonest(name: str, size: int) -> set[str]:
        ranked = sorted(rows(name), key=lambda row: -int(row["count"] or 0))
        words = (fold_key(row["name"]) for row in ranked)
        return set(list(dict.fromkeys(words))[:size])

    return frozenset(
        commonest("given_names", GIVEN_NAMES) | commonest("surnames", SURNAMES)
    )


@lru_cache(maxsize=1)
def _municipalities() -> frozenset[tuple[str, ...]]:
    return frozenset(
        tuple(w for w in fold_key(row["name"]).split() if w not in _STOP_WORDS)
        for row in rows("municipalities")
        if row["state"] == STATE
    )


def find_names(words: _Words) -> Iterator[Finding]:
    """Yield the listed names in the words behind a trigger."""
    listed = _names()
    for trigger in NAME_TRIGGERS:
        for first in words.behind(trigger):
            index = first
            end = min(first + _NAME_WINDOW, len(words.words))
            while index < end:
                last = index
                while last < len(words.words) and words.words[last] in listed:
                    last += 1
                if last > index:
                    yield _finding(words, index, last - 1, "PERSON", trigger)
                index = max(last, index + 1)


def find_cities(words: _Words) -> Iterator[Finding]:
    """Yield the municipalities of Michoacán behind a trigger."""
    listed = _municipalities()
    for trigger in CITY_TRIGGERS:
        for first in words.behind(trigger):
            for size in (4, 3, 2, 1):
                candidate = tuple(words.words[first : first + size])
                if candidate in listed:
                    last = first + len(candidate) - 1
                    yield _finding(words, first, last, "LOCATION", trigger)
                    break


def find_phones(words: _Words) -> Iterator[Finding]:
    """Yield seven digits or more behind a trigger."""
    for trigger in PHONE_TRIGGERS:
        for first in words.behind(trigger):
            match = _PHONE.match(words.folded, words.ends[first - 1])
            if match:
                yield Finding(
                    match.start(1), match.end(1), "PHONE_NUMBER", _SCORE, trigger
                )


def find_addresses(words: _Words) -> Iterator[Finding]:
    """Yield from a trigger to the colonia and the two words behind it."""
    for trigger in ADDRESS_TRIGGERS:
        for first in words.behind(trigger):
            window = words.words[first : first + _ADDRESS_WINDOW]
            colonia = next((i for i, w in enumerate(window) if w in COLONIA), None)
            if colonia is not None:
                last = first + colonia + _AFTER_COLONIA
            elif trigger in ("calle", "dom"):
                last = first + _AFTER_COLONIA - 1
            else:
                continue
            last = min(last, len(words.words) - 1)
            if last >= first:
                yield _finding(words, first, last, "ADDRESS", trigger)


def _finding(words: _Words, first: int, last: int, entity: str, rule: str) -> Finding:
    return Finding(words.starts[first], words.ends[last], entity, _SCORE, rule)


class MxAdbdcRecognizer(EntityRecognizer):
    """Report what the published baseline finds; see the module's description.

    :param supported_language: Language of the notes.
    :param name: Name shown in explanations.
    """

    ENTITIES = ("PERSON", "LOCATION", "PHONE_NUMBER", "ADDRESS")
    name: str

    def __init__(self, supported_language: str = "es", name: str | None = None) -> None:
        """Set the entities."""
        super().__init__(
            supported_entities=list(self.ENTITIES),
            name=name or type(self).__name__,
            supported_language=supported_language,
        )

    def load(self) -> None:
        """Do nothing: lists are read at the first note."""

    def analyze(
        self,
        text: str,
        entities: list[str],
        nlp_artifacts: NlpArtifacts | None = None,
    ) -> list[RecognizerResult]:
        """Find names, municipalities, telephones and addresses, in this order.

        :param text: The note.
        :param entities: Entities asked for; empty means all.
        :param nlp_artifacts: Not used.
        :return: Results; an earlier kind of datum keeps what it took.
        """
        words = _Words(text)
        kept: list[Finding] = []
        for find in (find_names, find_cities, find_phones, find_addresses):
            for finding in sorted(find(words), key=lambda f: (f.start, -f.end)):
                if not any(finding.overlaps(other) for other in kept):
                    kept.append(finding)
        return [
            RecognizerResult(
                f.entity,
                f.start,
                f.end,
                f.score,
                AnalysisExplanation(self.name, f.score, pattern_name=f.rule),
                {
                    RecognizerResult.RECOGNIZER_NAME_KEY: self.name,
                    RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id,
                    RecognizerResult.IS_SCORE_ENHANCED_BY_CONTEXT_KEY: True,
                },
            )
            for f in kept
            if not entities or f.entity in entities
        ]
