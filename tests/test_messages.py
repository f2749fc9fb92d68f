"""What the command line says in Spanish."""

import ast
import re
import string
from pathlib import Path

import pytest

from presidio_mx.messages import GAP, catalogue, in_spanish
from presidio_mx.text.reading import kinds

PACKAGE = Path(__file__).parents[1] / "presidio_mx"
# Whose errors a user of the command line meets; the rest may stay in English.
SPOKEN = [
    *PACKAGE.glob("*.py"),
    *PACKAGE.glob("work/**/*.py"),
    *PACKAGE.glob("replace/**/*.py"),
    *PACKAGE.glob("research/corpora/*.py"),
    *PACKAGE.glob("research/evaluation/*.py"),
    *PACKAGE.glob("work/risk/*.py"),
    *PACKAGE.glob("research/cohort/*.py"),
    *(PACKAGE / "text" / "reading" / name for name in ("encoding.py", "kinds.py")),
    *(PACKAGE / "find" / name for name in ("known.py", "site.py", "preset.py")),
    *(
        PACKAGE / "find" / "ner" / f"{n}.py"
        for n in (
            "choose",
            "classifier",
            "huggingface",
            "model_folder",
            "onnx_model",
            "reader_file",
            "tags",
            "transformer",
        )
    ),
]
SAYERS = ("ConfigurationError", "InputError", "_warn", "warn", "warn_explicit")
# Files of the package itself, and training, whose users read English papers.
LEFT_OUT = {"declarations.py", "words.py", "meanings.py", "train_transformer.py"}


def template(node):
    """Return the sentence that an expression makes, with gaps; None for none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = node.values
        return "".join(p.value if isinstance(p, ast.Constant) else GAP for p in parts)
    if isinstance(node, ast.BinOp):
        return (template(node.left) or GAP) + (template(node.right) or GAP)
    return None


def name_of(call):
    """Return the last name of what an expression calls; nothing for no call."""
    function = getattr(call, "func", None)
    return getattr(function, "id", "") or getattr(function, "attr", "")


def sentences(path):
    tree = ast.parse(path.read_text("utf-8"))
    makers = {n.name: n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    for node in ast.walk(tree):
        if name_of(node) not in SAYERS:
            continue
        warns = "warn" in name_of(node)  # what follows its sentence is no sentence
        for argument in node.args[:1] if warns else node.args:
            made = [argument]
            if name_of(argument) in makers:  # a sentence that a helper makes
                within = ast.walk(makers[name_of(argument)])
                made = [n.value for n in within if isinstance(n, ast.Return)]
            for text in map(template, made):
                if text and re.search("[a-z]", text.replace(GAP, "")):
                    yield text


@pytest.mark.parametrize("path", SPOKEN, ids=lambda path: path.name)
def test_every_error_can_be_said_in_spanish(path):
    if path.name not in LEFT_OUT:
        assert [text for text in sentences(path) if text not in catalogue()] == []


def test_spanish_fills_in_what_english_does():
    for english, spanish in catalogue().items():
        gaps = [name for _, name, _, _ in string.Formatter().parse(spanish)]
        assert english.count(GAP) == sum(name is not None for name in gaps), english


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("a.txt: no such file", "a.txt: no existe el archivo"),
        (
            "a.txt: No such file or directory",
            "a.txt: no existe el archivo o la carpeta",
        ),
        (
            "out.csv: No space left on device; what was done is kept: mend it and run "
            "the same again with --resume",
            "out.csv: no queda espacio en el disco; lo hecho se conserva: corríjalo y "
            "repita la orden con --resume",
        ),
        (
            "the server needs an optional dependency; install it with: pip install "
            "'presidio-mx[server]'",
            "el servidor necesita una dependencia opcional; se instala con: pip "
            "install 'presidio-mx[server]'",
        ),
        (
            "a.zip: is a zip archive (.docx, .xlsx, .odt ...), not plain text; give a "
            "Word file the ending .docx; unpack an archive of notes first",
            "a.zip: es un archivo zip (.docx, .xlsx, .odt ...), no texto simple; "
            "póngale la terminación .docx si es de Word; si es un archivo de notas, "
            "descomprímalo antes",
        ),
        (
            "people (--people) is everyone or patient_and_relatives and nothing else",
            "--people acepta everyone o patient_and_relatives y nada más",
        ),
        ("something nobody foresaw", "something nobody foresaw"),
    ],
)
def test_sentences(english, spanish):
    assert in_spanish(english) == spanish


def test_every_kind_of_file_that_is_no_text_has_its_spanish():
    for _, kind, way_out in kinds._SIGNATURES:
        sentence = f"a: is {kind}, not plain text; {way_out}"
        assert not re.search(r"\b(an?|is|it|by|the)\b", in_spanish(sentence)[3:])


def test_what_rules_alone_cost_is_said_in_spanish_too():
    from presidio_mx.find.ner.choose import rules_alone

    said = in_spanish(rules_alone())
    assert said.startswith("solo trabajan las reglas")
    assert re.search(r" to |instálela|install it", said) is None
