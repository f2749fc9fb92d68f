"""Invented notes with gold spans: whole charts of a grammar, or short templates."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random

from presidio_mx.errors import ConfigurationError
from presidio_mx.research.corpora.synthesis_case import Case, Value
from presidio_mx.research.corpora.synthesis_chart import Chart
from presidio_mx.research.corpora.synthesis_grammar import shipped_grammar
from presidio_mx.research.corpora.synthesis_noise import NOISES, add_noise
from presidio_mx.text.spans import Note, Span

_HEAD = re.compile(r"^---(?P<settings>.*)$", re.MULTILINE)
_CHOICE = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
_SLOT = re.compile(r"\{([^{}]+)\}")
_ADULT = (18, 92)


@dataclass(frozen=True)
class Template:
    """The pattern of a note.

    :param genre: What kind of note it is.
    :param text: Text with slots.
    :param sex: Sex of the patient, or empty for either.
    :param ages: Youngest and oldest age of the patient in years.
    """

    genre: str
    text: str
    sex: str = ""
    ages: tuple[int, int] = _ADULT


def _settings(line: str, where: str) -> tuple[str, tuple[int, int]]:
    sex, ages = "", _ADULT
    for part in line.split():
        name, _, value = part.partition("=")
        if name == "sex" and value in ("F", "M"):
            sex = value
        elif name == "age" and re.fullmatch(r"\d+-\d+", value):
            low, high = value.split("-")
            ages = (int(low), int(high))
        else:
            raise ConfigurationError(
                f"{where}: {part!r} is not understood; write sex=F or age=15-45"
            )
    return sex, ages


def read_templates(genre: str, text: str) -> list[Template]:
    """Return the templates of a file.

    :param genre: Name of the genre.
    :param text: Content of the file.
    :return: The templates.
    :raises ConfigurationError: If the line before a template is not understood.
    """
    pieces = _HEAD.split(text)
    templates = []
    for settings, body in zip(pieces[1::2], pieces[2::2], strict=True):
        sex, ages = _settings(settings, f"template of {genre}")
        if body.strip():
            templates.append(Template(genre, body.strip("\n"), sex, ages))
    return templates


@cache
def shipped_templates() -> tuple[Template, ...]:
    """Return the templates that ship with the package.

    :return: All of them, in the order of genres.
    """
    place = files("presidio_mx.research.corpora") / "templates"
    found = sorted((f for f in place.iterdir() if f.name.endswith(".txt")), key=str)
    return tuple(
        template
        for file in found
        for template in read_templates(
            file.name.removesuffix(".txt"), file.read_text(encoding="utf-8")
        )
    )


def genres() -> list[str]:
    """Return the names of the genres: those of the grammar, then the short ones.

    :return: Names, each part sorted.
    """
    short = sorted({template.genre for template in shipped_templates()})
    return [*sorted(shipped_grammar().genres), *short]


def fill(template: Template, random: Random) -> list[Value]:
    """Fill a template.

    :param template: The template.
    :param random: Source of chance.
    :return: Pieces of the note in order.
    :raises ConfigurationError: If the template has an unknown slot.
    """
    case = Case(random, template.sex, template.ages)
    if "relative" in template.text:
        case.person("relative")  # settles how the relative is related
    text = _CHOICE.sub(lambda m: random.choice(m[1].split("|")), template.text)
    pieces, position = [], 0
    for match in _SLOT.finditer(text):
        pieces += [Value(text[position : match.start()]), case.value(match[1])]
        position = match.end()
    return [*pieces, Value(text[position:])]


def assemble(name: str, pieces: Sequence[Value]) -> Note:
    """Put pieces together.

    :param name: Id of the note.
    :param pieces: Its pieces in order.
    :return: The note with its spans.
    """
    spans, length = [], 0
    for piece in pieces:
        if piece.entity_type and piece.text:
            spans.append(
                Span(
                    length,
                    length + len(piece.text),
                    piece.entity_type,
                    role=piece.role or None,
                )
            )
        length += len(piece.text)
    return Note(name, "".join(piece.text for piece in pieces), tuple(spans))


def synthesize(
    count: int, seed: int = 0, *, chosen: Sequence[str] = (), noise: float = 0.3
) -> Iterator[Note]:
    """Yield invented notes with gold spans.

    Note number i depends on the seed and i alone, so that runs can be split.

    :param count: How many notes.
    :param seed: Another seed, other notes.
    :param chosen: Genres; all of the grammar's if empty.
    :param noise: Share of the notes with capitals, dropped accents, slips or
        abbreviations, 0 to 1.
    :return: The notes, one by one.
    :raises ConfigurationError: If a genre is unknown or noise is out of range.
    """
    unknown = set(chosen) - set(genres())
    if unknown:
        raise ConfigurationError(
            f"unknown genre {', '.join(sorted(unknown))}; genres are "
            f"{', '.join(genres())}"
        )
    if not 0 <= noise <= 1:
        raise ConfigurationError("noise must be from 0 to 1")
    pool: list[str | Template] = [
        genre for genre in shipped_grammar().genres if genre in chosen or not chosen
    ]
    pool += [template for template in shipped_templates() if template.genre in chosen]
    for number in range(count):
        random = Random(f"{seed}:{number}")
        kind = random.choice(pool)
        if isinstance(kind, str):
            pieces = Chart(shipped_grammar(), kind, random).pieces()
        else:
            pieces = fill(kind, random)
        if random.random() < noise:
            pieces = add_noise(pieces, random.choice(NOISES), random)
        yield assemble(f"synthetic-{seed}-{number:06d}", pieces)
