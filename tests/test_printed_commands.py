"""Every command that the pages print runs on sample notes, with rules alone.

A page's commands run in their order in a folder that has the files they speak of.
"""

import csv
import re
import shlex
import shutil
from pathlib import Path

import pytest
from child import call
from test_docs import FENCE, PAGES, SPANISH, page_id, twin

from presidio_mx.research.corpora import read_corpus, write_corpus

ROOT = Path(__file__).parents[1]
NOTES = ROOT / "samples" / "notes"
SHOWN = NOTES / "01_trabajo_social.txt"
CORPUS = "samples/corpus/dev/a_hospital.jsonl"
FOLDERS = "INPUT ENTRADA notes notas originals deidentified my_tagged_notes".split()
MARKED = "GOLD CORPUS my_marked_notes".split()
SITES = "SITE our-hospital".split()
KEYS = "hospital.key clave.txt K".split()
VALUES = {
    "nota": "Acude Ana Ruiz el 3 de mayo de 2024, tel. 443 312 4567.",
    "evolucion": "Ana Ruiz refiere mejoría.",
    "nombre": "Ana Ruiz",
    "paciente": "Ana Ruiz",
    "curp": "RUIA800101MMNZXN05",
    "telefono": "443 312 4567",
    "edad": "44",
    "sexo": "F",
    "municipio": "Zacapu",
    "estado": "Michoacán",
    "fecha": "03/05/2024",
    "ingreso": "03/05/2024",
    "egreso": "08/05/2024",
    "cie": "E11",
    "tipo": "egreso",
    "folio": "F-1",
}
# The tables that a page speaks of, and their columns.
TABLES = {
    "README.md": {"notes.csv": "nota nombre curp fecha"},
    "README.es.md": {"notas.csv": "nota nombre curp fecha"},
    "docs/batch.md": {
        "notas.csv": "nota fecha folio",
        "urgencias.parquet": "nota evolucion nombre telefono nss fecha edad sexo",
    },
    "docs/evaluation.md": {"egresos.csv": "nota paciente tipo ingreso egreso"},
    "docs/operators.md": {"notas.csv": "nota", "mixed.csv": "nota"},
    "docs/risk.md": {"egresos.csv": "nota nss edad sexo municipio estado ingreso cie"},
}
# Needs what no sample has: a model, vectors, a corpus of others, a finished review.
NOT_HERE = re.compile(
    r"^(train|obfuscate|reidentify|release)\b|MEDDOCAN|ADBDC|--(bert-model|vectors)"
    r"|--rewritten|--preset stock|--predictions DIR|--ner (my-|runs/|[A-Z]{3})"
    r"|/etc/|escaneo|…|\.{3}"
)
# Stay until somebody ends them.
STAY = re.compile(r"^(serve|review)\b")
LINE = re.compile(r"^(?:\$ )?(?:.* && )?presidio-mx (.+)$", re.MULTILINE)
EXTRAS = {
    r"\.docx": "docx",
    r"\.pdf": "reportlab",
    r"\.parquet": "pyarrow",
    "batch|cohort|risk": "pebble",
}
TARGET = re.compile(r"(?:--(?:output|out|html|json|apply)|>|^batch \S+) (\S+)")


def printed(page):
    """Return the commands of a page: those in blocks, not those in sentences."""
    text = re.sub(r"\\\n\s*", " ", page.read_text("utf-8"))
    blocks = [body for _, body in FENCE.findall(text)]
    blocks += re.findall(r"^    (.+)$", FENCE.sub("", text), re.MULTILINE)
    for line in LINE.findall("\n".join(blocks)):
        line = re.split(r"\s{2,}#|\s#\s|\s+&&\s", line)[0]
        yield re.sub(r"\[--[^\]]*\]", "", line).strip()


def commands_of(page):
    """Return the commands of a page that can run here and end."""
    return [
        line
        for line in printed(page)
        if not (NOT_HERE.search(line) or STAY.match(line) or "|" in line)
    ]


# Pages in Spanish print the commands of the English ones; the README names other files.
SAME = [page for page in SPANISH if page.parent.name == "docs"]
RUNNING = [page for page in PAGES if commands_of(page) and page not in SAME]


@pytest.mark.parametrize("spanish", SAME, ids=page_id)
def test_a_spanish_page_prints_the_commands_of_the_english_one(spanish):
    assert list(printed(spanish)) == list(printed(twin(spanish)))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Enter a folder with the notes, keys and sites that the pages speak of."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PRESIDIO_MX_LANG", "en")
    for place in (*FOLDERS, "samples/notes"):
        Path(place).mkdir(parents=True)
        for file in sorted(NOTES.glob("*.txt"))[:3]:
            (Path(place) / file.name).write_bytes(file.read_bytes())
    corpus = Path(CORPUS)
    corpus.parent.mkdir(parents=True)
    lines = (ROOT / CORPUS).read_text("utf-8").splitlines(keepends=True)
    corpus.write_text("".join(lines[:8]), "utf-8")
    for place in ("train", "heldout/s_mixed.jsonl"):
        file = corpus.parents[1] / place / ("" if "." in place else corpus.name)
        file.parent.mkdir()
        file.write_text("".join(lines[8:12]), "utf-8")
    for place in MARKED:
        write_corpus(read_corpus(corpus).notes[:4], place, "inline")
    for name in ("NOTE", "NOTA", "note.txt"):
        Path(name).write_bytes(SHOWN.read_bytes())
    for place in SITES:
        Path(place).mkdir()
        (Path(place) / "staff.txt").write_text("Dra. Anselma Xool\n", "utf-8")
    for file in (ROOT / "recognizers" / "server").glob("*.yaml"):
        Path(file.name).write_bytes(file.read_bytes())


def write_table(name, columns):
    """Write a table of a dozen patients much alike, in the format of its name."""
    rows = [
        [f"123456789{row}" if c == "nss" else VALUES[c] for c in columns]
        for row in range(10, 22)
    ]
    if name.endswith(".parquet"):
        polars = pytest.importorskip("polars")
        polars.DataFrame(rows, columns, orient="row").write_parquet(name)
        return
    with Path(name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([columns, *rows])


def write_document(name):
    """Write a Word or PDF file of one line, if a command reads one."""
    if name.endswith(".docx"):
        from docx import Document

        document = Document()
        document.add_paragraph(VALUES["nota"])
        document.save(name)
    else:
        from reportlab.pdfgen.canvas import Canvas

        page = Canvas(name)
        page.drawString(72, 720, VALUES["nota"])
        page.save()


def prepare(line):
    """Skip without an extra; make what no command of the page makes; clear targets."""
    for pattern, module in EXTRAS.items():
        if re.search(pattern, line):
            pytest.importorskip(module)
    for target in TARGET.findall(line):
        if Path(target).is_dir():
            shutil.rmtree(target)
        Path(target).unlink(missing_ok=True)
    for key in KEYS:
        used = re.search(rf"(--key-file|key check) {re.escape(key)}\b", line)
        if used and not Path(key).exists():
            call("key", "new", key)
    if line.startswith("evaluate review"):  # a person has filled the sheet in
        sheet = Path(line.split()[2])
        with sheet.open(encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream))
        with sheet.open("w", encoding="utf-8", newline="") as stream:
            made = csv.DictWriter(stream, list(rows[0]))
            made.writeheader()
            made.writerows({**row, "reviewed": "yes"} for row in rows)
    document = re.match(r"anonymize (\S+\.(?:docx|pdf))", line)
    if document:
        write_document(document[1])
    vault, key = Path("notes.vault"), re.search(r"\w+\.key", line)
    if str(vault) in line and line.startswith("anonymize"):
        vault.unlink(missing_ok=True)
    elif str(vault) in line and not vault.exists() and key:
        options = "--operators surrogate --vault notes.vault --key-file"
        call("anonymize", "note.txt", *options.split(), Path(key[0]).name)


def run(line):
    """Run one command with rules alone; what it prints goes where its ``>`` says."""
    line = re.sub(r"--ner \S+", "", line).replace(":transformer", ":none")
    line = re.sub(r"--count \d+", "--count 20", line)
    line, _, target = line.partition(" > ")
    done = call(*shlex.split(line))
    if target:
        Path(target.strip()).write_bytes(done.stdout)
    return done


@pytest.mark.heavy
@pytest.mark.parametrize("page", RUNNING, ids=page_id)
def test_commands_of_a_page_run(page, folder):
    for name, columns in TABLES.get(page_id(page), {}).items():
        write_table(name, columns.split())
    for line in commands_of(page):
        prepare(line)
        done = run(line)
        assert done.returncode == 0, f"{line}: {done.stderr.decode()}"


def test_the_tutorial_runs_from_the_first_command_to_the_last():
    """What the pages print is seen, and what it takes is known."""
    tutorial = commands_of(ROOT / "docs" / "tutorial.md")
    assert [line.split()[0] for line in tutorial] == [
        "doctor",
        "show",
        "key",
        "batch",
        "evaluate",
        "triage",
    ]
