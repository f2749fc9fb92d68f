"""What the documentation names exists: files, headings, commands, options."""

import re
from pathlib import Path

import pytest
import typer
import yaml
from line_up import benchmark

from presidio_mx.work.cli.program import app

figures = benchmark("figures")
ROOT = Path(__file__).parents[1]
READMES = [ROOT / "README.md", ROOT / "README.es.md"]
PAGES = [
    *READMES,
    ROOT / "ARCHITECTURE.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "samples").glob("*/README.md")),
]
SPANISH = [page for page in PAGES if page.name.endswith(".es.md")]
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
# A command, perhaps broken by a line end after the program's name.
COMMAND = re.compile(
    r"\bpresidio-mx\s+([a-z][a-z-]*)(?:[ ]+([a-z][a-z-]*)(?![\w/.-]))?"
)
# The words behind it, up to what a shell would not give to it.
WORDS_OF = re.compile(r"\bpresidio-mx\s+([a-z][a-z-]*)([^|;&#`]*)")
OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
# Options of other programs that the pages name alone.
FOREIGN = {"--archives", "--find-links", "--help", "--no-compile"}
# Running text names the program, too: "presidio-mx finds names". So look at code only.
CODE = re.compile(r"^    .+$|(?<!`)`[^`]+`(?!`)", re.MULTILINE)


def page_id(path):
    return str(path.relative_to(ROOT))


def twin(spanish):
    """Return the English page of a Spanish one."""
    return spanish.with_name(spanish.name.replace(".es.md", ".md"))


def anchors(path):
    """Return the anchors of a page's headings as GitHub makes them."""
    text = FENCE.sub("", path.read_text("utf-8"))
    return {
        re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")
        for _, title in HEADING.findall(text)
    }


def code_of(path):
    """Return the pieces of a page that are code: blocks, indented lines, spans."""
    text = re.sub(r"\\\n\s*", " ", path.read_text("utf-8"))
    yield from (body for _, body in FENCE.findall(text))
    yield from CODE.findall(FENCE.sub("", text))


def python_blocks():
    for path in PAGES:
        for language, body in FENCE.findall(path.read_text("utf-8")):
            if language == "python":
                yield pytest.param(body, id=f"{page_id(path)}:{body[:40]!r}")


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_links_lead_to_files_and_headings(page):
    broken = []
    for link in LINK.findall(page.read_text("utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_commands_exist(page):
    program = typer.main.get_command(app)
    unknown = []
    for code in code_of(page):
        for name, more in COMMAND.findall(code):
            command = program.commands.get(name)
            if command is None:
                unknown.append(name)
            elif more not in ("", *getattr(command, "commands", [more])):
                unknown.append(f"{name} {more}")
    assert unknown == []


def options_of(command):
    """Return the options of a command and of all commands in it."""
    found = {name for part in command.params for name in part.opts}
    found |= {name for part in command.params for name in part.secondary_opts}
    return found.union(*map(options_of, getattr(command, "commands", {}).values()))


def used_options(line):
    """Yield command, sub-command or nothing, and options of a line of code."""
    for name, rest in WORDS_OF.findall(line):
        words = rest.split()
        yield name, words[0] if words else "", OPTION.findall(rest)


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_options_of_commands_exist(page):
    program = typer.main.get_command(app)
    unknown = []
    lines = (line for code in code_of(page) for line in code.splitlines())
    for line in lines:
        for name, more, options in used_options(line):
            command = program.commands[name]
            within = getattr(command, "commands", {})
            # "evaluate GOLD" is "evaluate score GOLD".
            command = within.get(more, within.get("score", command))
            known = options_of(command) | {"--help"}
            unknown += [
                f"{name}: {option}" for option in options if option not in known
            ]
    assert unknown == []


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_options_named_alone_exist(page):
    """In the program, or in a script of ``benchmarks/``."""
    scripts = (path.read_text("utf-8") for path in ROOT.glob("benchmarks/*.py"))
    known = options_of(typer.main.get_command(app)) | FOREIGN
    known |= {name for script in scripts for name in OPTION.findall(script)}
    named = [re.match(r"`(--[a-z][\w-]*)", code) for code in code_of(page)]
    assert [m[1] for m in named if m and m[1] not in known] == []


def test_the_pattern_of_options_sees_them():
    assert list(used_options("presidio-mx key new F --hex 3 | head -3")) == [
        ("key", "new", ["--hex"])
    ]
    assert list(used_options("$ presidio-mx show n-a.txt -s a --text='x --y'")) == [
        ("show", "n-a.txt", ["-s", "--text", "--y"])
    ]
    assert "--key-file" in options_of(typer.main.get_command(app))
    codes = code_of(ROOT / "docs" / "batch.md")
    seen = {o for code in codes for *_, options in used_options(code) for o in options}
    assert {"--known", "--operators"} <= seen


def test_the_pattern_of_commands_sees_them():
    assert COMMAND.findall("presidio-mx key new FILE") == [("key", "new")]
    assert COMMAND.findall("presidio-mx anonymize NOTE") == [("anonymize", "")]
    seen = {m[0] for code in code_of(READMES[0]) for m in COMMAND.findall(code)}
    assert {"anonymize", "batch", "serve", "review", "key"} <= seen


@pytest.mark.parametrize("block", list(python_blocks()))
def test_python_blocks_compile(block):
    compile(block, "documentation", "exec")


def linked_files(page):
    """Return the files that a page links to, whatever their language."""
    links = LINK.findall(page.read_text("utf-8"))
    files = {link.partition("#")[0] or page.name for link in links} | {page.name}
    return {re.sub(r"\.(en|es)\.", ".", name) for name in files}


@pytest.mark.parametrize("spanish", SPANISH, ids=page_id)
def test_a_spanish_page_has_the_parts_of_the_english_one(spanish):
    english = twin(spanish)
    for pattern in (HEADING, FENCE):
        found = [len(pattern.findall(p.read_text("utf-8"))) for p in (english, spanish)]
        assert found[0] == found[1]
    assert linked_files(english) == linked_files(spanish)


def test_pages_for_hospital_staff_are_in_spanish():
    pages = "README tutorial batch review command-line operators servers".split()
    assert {page.name for page in SPANISH} == {f"{name}.es.md" for name in pages}


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_figures_of_a_page_are_those_of_the_file(page):
    """After a change of ``docs/figures.yaml``: python benchmarks/figures.py."""
    text = page.read_text("utf-8")
    assert text.count("<!-- figures: ") == len(figures.PLACE.findall(text))
    assert figures.filled(text, figures.read()) == text


def test_a_readme_has_the_figures_of_accuracy():
    """A set without figures yet has no row."""
    found = figures.read()
    missing = {"en": "x", "es": "x", "readme": True}
    missing |= dict.fromkeys(("rules", "transformer", "both"))
    added = {**found, "notes": {**found["notes"], "heldout/new": missing}}
    for table in figures.TABLES.values():
        assert table(added) == table(found)
    for lang in ("en", "es"):
        table = figures.TABLES[f"accuracy short {lang}"](found)
        assert table.count("heldout/") >= 4


@pytest.mark.parametrize("page", READMES, ids=page_id)
def test_readmes_install_and_test_with_one_command(page):
    lines = page.read_text("utf-8").splitlines()
    assert (
        '    pip install ".[transformer]" && '
        "presidio-mx anonymize samples/notes/01_trabajo_social.txt" in lines
    )
    assert '    pip install -e ".[dev,all]" && python -m pytest -m "" -n 2' in lines


def test_the_site_has_every_page_once_and_no_other():
    site = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))

    def files(nav):
        for entry in nav:
            for value in entry.values():
                yield from files(value) if isinstance(value, list) else [value]

    named = sorted(files(site["nav"]))
    cards = ["presidio_mx/models/mx-small/MODEL_CARD.md"]
    outside = ["gazetteers/SOURCES.md", *cards]
    wanted = [page_id(path) for path in PAGES] + ["CHANGELOG.md", *outside]
    assert named == sorted(wanted)
    for name in named:
        assert (ROOT / name).is_file() and f"!/{name}" in (
            site["exclude_docs"].replace("/docs/*.md", f"/{name}")
        )


def test_the_site_keeps_the_files_that_style_it():
    """What is excluded from the site once took the theme's own files with it."""
    pytest.importorskip("material")
    excluded = pytest.importorskip("mkdocs.config").load_config(
        str(ROOT / "mkdocs.yml")
    )["exclude_docs"]
    kept = ("assets/stylesheets/main.css", "assets/javascripts/workers/search.js")
    assert not any(map(excluded.match_file, kept))
    assert excluded.match_file("samples/notes/01_trabajo_social.txt")
    # A chart of mermaid is drawn by a script from elsewhere, which no page may need.
    assert not any("```mermaid" in page.read_text("utf-8") for page in PAGES)


@pytest.mark.parametrize("page", ["SECURITY.md", "docs/reliability.md"])
def test_what_is_promised_names_tests_that_exist(page):
    text = (ROOT / page).read_text("utf-8")
    named = re.findall(r"\b(test_\w+\.py)(?:::(test_\w+))?", text)
    assert len(named) > 5
    for file, function in named:
        source = (ROOT / "tests" / file).read_text("utf-8")
        assert not function or f"def {function}(" in source, function
    rows = [row for row in text.splitlines() if row.startswith("| ")]
    if page == "SECURITY.md":
        assert all("test_" in row for row in rows[1:])
