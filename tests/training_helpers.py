"""Small invented corpora for tests of trained models."""

from pathlib import Path

from presidio_mx.research.corpora.inline import FORMAT
from presidio_mx.text.spans import Note

_PEOPLE = (
    "Rosalva Cota Murillo",
    "Abelardo Ríos",
    "Erandi Cuiriz",
    "Micaela Verdugo Ochoa",
    "Jacinto Pech Uc",
    "Luz Elena Barajas",
)
_TOWNS = ("Zacapu", "Morelia", "Tlaxiaco", "San Felipe", "Uruapan", "Celaya")
_LINES = (
    "Paciente {{{{PERSON:patient|{person}}}}}, {{{{AGE|{age} años}}}}, "
    "vive en {{{{LOCATION|{town}}}}}.\nRefiere dolor de {age} días.\n",
    "Se cita a {{{{PERSON:patient|{person}}}}} de {{{{LOCATION|{town}}}}}. "
    "Edad: {{{{AGE|{age} años}}}}\nSin fiebre.\n",
)


def marked_text(number: int) -> str:
    """Return an invented note with inline marks; numbers give different ones."""
    return _LINES[number % 2].format(
        person=_PEOPLE[number % len(_PEOPLE)],
        town=_TOWNS[number // 2 % len(_TOWNS)],
        age=20 + number,
    )


def write_marked(folder: Path, numbers: range) -> Path:
    """Write invented notes with inline marks."""
    folder.mkdir()
    for number in numbers:
        (folder / f"{number:03}.txt").write_text(marked_text(number), "utf-8")
    return folder


def marked_notes(folder: Path, numbers: range) -> list[Note]:
    """Return invented notes."""
    write_marked(folder, numbers)
    return [
        note
        for path in sorted(folder.iterdir())
        for note in FORMAT.read(path, path.stem, {})
        if isinstance(note, Note)
    ]
