"""Small invented corpora, and a small encoder, for tests of trained models."""

import json
import re
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


def write_encoder(folder: Path, layers: int = 2) -> Path:
    """Write a BERT of random weights whose pieces are the words of the notes."""
    import torch
    from safetensors.torch import save_file
    from toy_model import word_tokenizer

    width, wide, places = 32, 64, 64
    text = " ".join(marked_text(number) for number in range(12))
    tokenizer = word_tokenizer(re.findall(r"[^\W\d_]+|\d|[^\w\s]", text))
    pieces = tokenizer.get_vocab_size()
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (pieces, width),
        "embeddings.position_embeddings.weight": (places, width),
        "embeddings.token_type_embeddings.weight": (2, width),
        "embeddings.LayerNorm.weight": (width,),
        "embeddings.LayerNorm.bias": (width,),
    }
    for number in range(layers):
        base = f"encoder.layer.{number}"
        for name, out, given in (
            ("attention.self.query", width, width),
            ("attention.self.key", width, width),
            ("attention.self.value", width, width),
            ("attention.output.dense", width, width),
            ("intermediate.dense", wide, width),
            ("output.dense", width, wide),
        ):
            shapes |= {f"{base}.{name}.weight": (out, given)}
            shapes |= {f"{base}.{name}.bias": (out,)}
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{base}.{name}.{e}": (width,) for e in ("weight", "bias")}
    made = torch.Generator().manual_seed(7)
    state = {
        name: torch.randn(shape, generator=made) * 0.1
        + float(name.endswith("LayerNorm.weight"))
        for name, shape in shapes.items()
    }
    folder.mkdir()
    save_file(state, folder / "model.safetensors")
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {
        "model_type": "bert",
        "vocab_size": pieces,
        "hidden_size": width,
        "num_hidden_layers": layers,
        "num_attention_heads": 4,
        "intermediate_size": wide,
        "max_position_embeddings": places,
        "pad_token_id": 1,
    }
    (folder / "config.json").write_text(json.dumps(config))
    return folder
