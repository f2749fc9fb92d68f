"""What every list family needs: hand-kept lists, packages' data, writing a table."""

import gzip
import json
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from presidio_mx.text.folding import fold_key

FOLDER = Path(__file__).resolve().parent.parent
HAND = FOLDER / "hand"
DATE = "2026-11-21"
_SPANISH = set("abcdefghijklmnopqrstuvwxyzáéíóúüñ")
# How much rarer (natural logarithm) an accented spelling may be and still win: many
# writers leave accents off, hardly any adds one.
_ACCENT_BONUS = 1.4


@dataclass(frozen=True)
class Table:
    """One gazetteer file to write.

    :param name: File name without ending.
    :param origin: Where the rows come from and under which licence, one line each.
    :param columns: Names of the columns.
    :param rows: Cells of each row, in the order of the columns.
    """

    name: str
    origin: Sequence[str]
    columns: Sequence[str]
    rows: Sequence[Sequence[str | int]]

    def text(self) -> str:
        """Return the content of the file."""
        comments = [*self.origin, f"Date: {DATE}"]
        comments.append(f"Rebuild: python -m gazetteers.build {self.name}")
        lines = [f"# {line}" for line in comments]
        lines.append("\t".join(self.columns))
        lines += ["\t".join(str(cell) for cell in row).rstrip() for row in self.rows]
        return "\n".join(lines) + "\n"


def package_data(package: str, *parts: str) -> Path:
    """Return the path of a file inside an installed package, without importing it.

    :param package: Import name of the package.
    :param parts: Path inside the package.
    :return: The path.
    :raises SystemExit: If the package is not installed.
    """
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(
            f"package {package} is missing; gazetteers/SOURCES.md lists what the "
            "build needs"
        )
    return Path(next(iter(spec.submodule_search_locations))).joinpath(*parts)


def hand_sections(name: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the sections of a list kept by hand.

    A section begins with a line ``@ parameter parameter ...``; entries are separated by
    blanks or, in lines that hold a comma, by commas. ``#`` begins a comment line.

    :param name: File name in ``gazetteers/hand`` without ending.
    :return: Parameters and entries of each section.
    """
    parameters: list[str] = []
    entries: list[str] = []
    for line in (HAND / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("@"):
            if entries:
                yield parameters, entries
            parameters, entries = line[1:].split(), []
        elif "," in line:
            entries += [part.strip() for part in line.split(",") if part.strip()]
        else:
            entries += line.split()
    if entries:
        yield parameters, entries


def hand_words(name: str) -> list[str]:
    """Return all entries of a list kept by hand, whatever their section."""
    return [entry for _, entries in hand_sections(name) for entry in entries]


@cache
def probabilities(language: str) -> dict[str, float]:
    """Return log probabilities of word forms, from spacy-lookups-data (MIT).

    :param language: ``es`` or ``en``.
    :return: Form, as written in running text, to natural logarithm of probability.
    """
    path = package_data("spacy_lookups_data", "data", f"{language}_lexeme_prob.json.gz")
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        table: dict[str, float] = json.load(stream)
    return table


def is_spanish_word(word: str) -> bool:
    """Tell whether a word has only the letters of Spanish."""
    return bool(word) and set(word.lower()) <= _SPANISH


@cache
def _spellings() -> dict[str, dict[str, float]]:
    spellings: dict[str, dict[str, float]] = defaultdict(dict)
    for word, value in probabilities("es").items():
        if word[:1].isupper() and (word[1:].islower() and is_spanish_word(word)):
            spellings[fold_key(word)][word] = value
    return spellings


def marks(word: str) -> int:
    """Return how many letters of a word carry an accent, diaeresis or tilde."""
    decomposed = unicodedata.normalize("NFD", word)
    return sum(1 for character in decomposed if unicodedata.combining(character))


def wrong_accent(word: str) -> bool:
    """Tell whether an accent breaks the rule: none on the last vowel before l, r, z."""
    return len(word) > 2 and word[-1] in "lrzd" and word[-2] in "áéó"


def commonest_spelling(key: str) -> str | None:
    """Return the usual capitalised spelling of a folded word in Spanish text.

    :param key: A folded word, e.g. ``gomez``.
    :return: E.g. ``Gómez``; None if no text of the frequency list has the word.
    """
    found = _spellings().get(key)
    if not found:
        return None

    def weight(item: tuple[str, float]) -> tuple[float, str]:
        word, value = item
        # "Gómez" may gain on "Gomez"; "Goméz" must not.
        bonus = _ACCENT_BONUS if marks(word) and not wrong_accent(word) else 0.0
        # Capitals long went without accents: "Alvarez", "Oscar".
        return (value + bonus + (1.0 if marks(word[0]) else 0.0), word)

    return max(found.items(), key=weight)[0]


def unique_by_key(rows: Iterable[Sequence[str | int]]) -> list[Sequence[str | int]]:
    """Return the rows whose first cell has not been seen before, folded."""
    seen: set[str] = set()
    kept = []
    for row in rows:
        key = fold_key(str(row[0]))
        if key not in seen:
            seen.add(key)
            kept.append(row)
    return kept
