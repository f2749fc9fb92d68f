"""Lists alone, and what the gold of other notes adds, after Sánchez-León (2019).

``resources_only`` marks what the gazetteers hold and nothing else: two listed names or
more in a row, places after his five GeoNames filters, hospitals, institutions, and
known streets in the ways they are written: "DR. ESQUERDO, 46" is "c/ Doctor Esquerdo
46", too. His lists were larger: about 80,000 names, 2,000 hospitals, 200,000 entries
with 430,000 of GeoNames; ``sizes`` counts ours. ``propagated`` adds the gold of train
(run B) or of train and dev (run C) to the lists, as a site's ``deny.tsv``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from presidio_analyzer import RecognizerResult

from presidio_mx.schemes import SPAIN_PREFIX, to_meddocan
from presidio_mx.spanish.gazetteer import rows
from presidio_mx.spanish.words import either, words
from presidio_mx.text.folding import fold, fold_key
from presidio_mx.text.spans import Note

_WORD = re.compile(r"[^\W\d_]+")
_SCORE = 0.85
# Kinds whose texts mean one thing wherever they stand.
_PROPAGATED = frozenset(
    "NOMBRE_SUJETO_ASISTENCIA NOMBRE_PERSONAL_SANITARIO TERRITORIO PAIS CALLE HOSPITAL "
    "INSTITUCION CENTRO_SALUD".split()
)
_SHORTEST = 4
_STREET = re.compile(
    r"(?<![a-z])(?:(?:c/|calle|avda\.?|avenida|paseo|plaza|ctra\.?)[ ]?"
    r"(?:(?:de la|de los|del|de)[ ])?)?"
    + either("spain_known_street")
    + r"[ ,.]{1,3}(?:\d{1,3}(?:-\d{1,3})?(?!\d)|s/n)"
)


@cache
def names() -> frozenset[str]:
    """Return the given names and surnames, folded."""
    lists = ("given_names", "surnames")
    return frozenset(fold_key(row["name"]) for name in lists for row in rows(name))


@cache
def places() -> frozenset[str]:
    """Return the places that pass his five filters.

    Left out are names under four letters, given names, surnames, names whose every part
    is an ordinary word, and names that another list holds.
    """
    ordinary = {fold_key(r["word"]) for r in rows("lexicon") if r.get("kind") == "w"}
    elsewhere = hospitals() | institutions()
    found = set()
    for name in ("spain_places", "foreign_places"):
        for row in rows(name):
            key = fold_key(row["name"])
            common = all(part in ordinary for part in key.split())
            if not (
                len(key) < _SHORTEST or key in names() or common or key in elsewhere
            ):
                found.add(key)
    return frozenset(found)


@cache
def hospitals() -> frozenset[str]:
    """Return the hospitals of Spain."""
    return frozenset(fold_key(row["name"]) for row in rows("spain_hospitals"))


@cache
def institutions() -> frozenset[str]:
    """Return the institutions of Spain."""
    return frozenset(fold_key(row["name"]) for row in rows("spain_institutions"))


def sizes() -> dict[str, int]:
    """Return how long our lists are."""
    return {
        "names": len(names()),
        "places after the filters": len(places()),
        "hospitals": len(hospitals()),
        "institutions": len(institutions()),
        "known streets": len(words("spain_known_street")),
    }


def resources_only(text: str, spain: bool) -> list[RecognizerResult]:
    """Return what the lists hold, without any context.

    :param text: A note.
    :param spain: Whether entities are those of the preset ``es-ES``.
    """
    kinds = {
        "names": "ES_NOMBRE_SUJETO_ASISTENCIA" if spain else "PERSON",
        "places": "ES_TERRITORIO" if spain else "LOCATION",
        "hospitals": "ES_HOSPITAL" if spain else "ORGANIZATION",
        "institutions": "ES_INSTITUCION" if spain else "ORGANIZATION",
        "streets": "ES_CALLE" if spain else "ADDRESS",
    }
    found: list[RecognizerResult] = []
    for name, start, end in _matches(text):
        if not any(start < other.end and other.start < end for other in found):
            found.append(RecognizerResult(kinds[name], start, end, _SCORE))
    return found


def _matches(text: str) -> Iterator[tuple[str, int, int]]:
    folded = fold(text)
    for match in _STREET.finditer(folded):
        yield "streets", *match.span()
    spans = [match.span() for match in _WORD.finditer(folded)]
    run: list[tuple[int, int]] = []
    for start, end in [*spans, (len(text), len(text))]:
        upper = text[start : start + 1].isupper()
        joined = not run or not folded[run[-1][1] : start].strip()
        if upper and joined and folded[start:end] in names():
            run.append((start, end))
            continue
        if len(run) > 1:
            yield "names", run[0][0], run[-1][1]
        run = [(start, end)] if upper and folded[start:end] in names() else []
    lists = {
        "hospitals": hospitals(),
        "institutions": institutions(),
        "places": places(),
    }
    for name, entries in lists.items():
        for at, (start, _) in enumerate(spans):
            for last in range(min(at + 6, len(spans)), at, -1):
                end = spans[last - 1][1]
                key = " ".join(folded[start:end].split())
                if text[start].isupper() and key in entries:
                    yield name, start, end
                    break


def propagated(notes: Iterable[Note], folder: Path) -> Path:
    """Write the gold of some notes as a site's list of what is always marked.

    :param notes: Notes in MEDDOCAN's scheme.
    :param folder: An empty folder.
    :return: The folder.
    """
    rows_: dict[str, str] = {}
    for note in notes:
        for span in note.spans:
            label = to_meddocan(span)
            text = " ".join(note.covered(span).split())
            if label in _PROPAGATED and len(text) >= _SHORTEST and not text.isdigit():
                rows_.setdefault(text, SPAIN_PREFIX + label)
    lines: Sequence[str] = [f"{text}\t{entity}\n" for text, entity in rows_.items()]
    (folder / "deny.tsv").write_text("text\tentity\n" + "".join(lines), "utf-8")
    return folder
