"""Commands on one note: ``anonymize``, ``analyze`` and ``show``."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from presidio_mx.errors import InputError
from presidio_mx.work.cli.documents import anonymize_document, refuse_for_text
from presidio_mx.work.cli.options import (
    EncodingOption,
    JsonOption,
    KeyOption,
    KnownOption,
    MarksOption,
    NerOption,
    NoteArgument,
    OperatorsOption,
    OursOption,
    OutputOption,
    PeopleOption,
    PresetOption,
    SameStateOption,
    SensitivityOption,
    SiteOption,
    TextOption,
    VaultOption,
    operators_of,
    option,
)
from presidio_mx.work.cli.text import print_rows, read_note, ready, say, write_text
from presidio_mx.work.documents.endings import REFUSED, kind_of_file

if TYPE_CHECKING:
    from presidio_analyzer import RecognizerResult

_LARGE = 100_000


def anonymize(
    file: NoteArgument = "-",
    text: TextOption = None,
    encoding: EncodingOption = None,
    operators: OperatorsOption = "tag",
    same_state: SameStateOption = False,
    keep: Annotated[
        list[str] | None,
        option(
            "Entity that stays as it is, e.g. DATE_TIME; repeatable.",
            "Entidad que queda como está, p. ej. DATE_TIME; se repite.",
            metavar="ENTITY",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        option(
            "Entity to replace, and no other; repeatable.",
            "Entidad que se sustituye, y ninguna otra; se repite.",
            metavar="ENTITY",
        ),
    ] = None,
    known: KnownOption = None,
    output: OutputOption = None,
    people: PeopleOption = "everyone",
    preset: PresetOption = "mx",
    ner: NerOption = "auto",
    site: SiteOption = None,
    sensitivity: SensitivityOption = "balanced",
    key_file: KeyOption = None,
    scope: Annotated[
        str,
        option(
            "Scope of a surrogate: document, patient:ID, corpus.",
            "Dónde un valor conserva su sustituto: document, patient:ID, corpus.",
        ),
    ] = "document",
    vault: VaultOption = None,
    marks: MarksOption = None,
    ours: OursOption = None,
    out_kind: Annotated[
        str,
        option(
            "Of a PDF or a scan: text, pdf (pages painted over), image.",
            "De un PDF o un escaneo: text, pdf (páginas con tachaduras), image.",
        ),
    ] = "",
    strict: Annotated[
        bool,
        option(
            "Refuse a document of which a text or a picture is left out.",
            "Rechaza un documento del que se omita un texto o una imagen.",
        ),
    ] = False,
    changes: Annotated[
        Path | None,
        option(
            "Of a document: write where something was replaced, one JSON a line.",
            "De un documento: escribe dónde se reemplazó algo, un JSON por línea.",
        ),
    ] = None,
    meta_security: Annotated[
        bool,
        option(
            "Of FHIR: say in meta.security what was done.",
            "De FHIR: indica en meta.security qué se hizo.",
        ),
    ] = False,
) -> None:
    """De-identify one note and print it."""
    chosen = operators_of(operators, same_state, site, keep or (), only or ())
    suffix = Path(file).suffix.lower()
    if text is None and (kind_of_file(file) is not None or suffix in REFUSED):
        from presidio_mx.replace.keys import Key

        if marks is not None or ours:
            _refuse_marks(file)
        anonymize_document(
            file,
            output,
            vault,
            out_kind=out_kind,
            strict=strict,
            changes=changes,
            meta_security=meta_security,
            encoding=encoding,
            operators=chosen,
            known=known_values(known or ()),
            people=people,
            preset=preset,
            ner=ner,
            site=site,
            sensitivity=sensitivity,
            key=None if key_file is None else Key.from_file(key_file),
            scope=scope,
        )
        return
    refuse_for_text(
        file, out_kind=out_kind, changes=changes, meta_security=meta_security
    )
    note = _note(file, text, encoding)
    with _busy(note):
        from presidio_mx.pipeline import analyze_and_anonymize
        from presidio_mx.replace.keys import Key, find_key
        from presidio_mx.replace.marks import (
            add_marks,
            check_marks_file,
            marks_of,
            read_marks,
        )
        from presidio_mx.text.reading.chat import senders

        key = None if key_file is None else Key.from_file(key_file)
        if vault is not None or marks is not None or ours:
            key = find_key(key, required=True)
        if marks is not None:
            check_marks_file(marks)
        told = known_values(known or ())
        if writers := senders(note):
            told["others"] = [*told.get("others", ()), *writers]
        done = analyze_and_anonymize(
            note,
            chosen,
            people=people,  # type: ignore[arg-type]
            preset=preset,
            ner=ner,
            site=site,
            known=told,
            key=key,
            scope=scope,
            sensitivity=sensitivity,
            ours=read_marks(ours, key).find(note) if ours and key else None,
        )
    data = _ended(done.text, text).encode("utf-8", "surrogatepass")
    with ready(data, output):
        if vault is not None and key is not None:
            from presidio_mx.replace.vault import (
                add_to_vault,
                document_id,
                make_record,
            )

            named = text is None and file != "-"  # else its text names the document
            name = document_id(vault, file) if named else ""
            add_to_vault(vault, [make_record(name, note, done)], key)
        if marks is not None and key is not None:
            add_marks(marks, marks_of(done.text, done.items, key), key)


def analyze(
    file: NoteArgument = "-",
    text: TextOption = None,
    encoding: EncodingOption = None,
    known: KnownOption = None,
    people: PeopleOption = "everyone",
    preset: PresetOption = "mx",
    ner: NerOption = "auto",
    site: SiteOption = None,
    sensitivity: SensitivityOption = "balanced",
    as_json: JsonOption = False,
) -> None:
    """List what identifies somebody in a note, and which rule found it."""
    note = _note(file, text, encoding)
    results = _found(note, known or (), people, preset, ner, site, sensitivity)
    rows = [
        {
            "entity_type": result.entity_type,
            "start": result.start,
            "end": result.end,
            "score": round(result.score, 4),
            "text": note[result.start : result.end],
            "role": (result.recognition_metadata or {}).get("role", ""),
            "rule": (result.recognition_metadata or {}).get("rule", ""),
        }
        for result in results
    ]
    if as_json:
        write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", None)
    else:
        columns = "entity_type start end score text role rule".split()
        print_rows(columns, rows)


def show(
    file: NoteArgument = "-",
    text: TextOption = None,
    encoding: EncodingOption = None,
    known: KnownOption = None,
    people: PeopleOption = "everyone",
    preset: PresetOption = "mx",
    ner: NerOption = "auto",
    site: SiteOption = None,
    sensitivity: SensitivityOption = "balanced",
    html: Annotated[
        Path | None,
        option(
            "Write a page instead; it holds the note's text.",
            "Escribe una página; contiene el texto de la nota.",
        ),
    ] = None,
) -> None:
    """Show a note with the findings in colour."""
    from presidio_mx.marked import display

    note = _note(file, text, encoding)
    found = _found(note, known or (), people, preset, ner, site, sensitivity)
    shown = display(note, found)
    if html is not None:
        write_text(shown.page(), html)
        return
    from rich.console import Console

    Console(highlight=False, soft_wrap=not sys.stdout.isatty()).print(shown.rich())


def _read(file: str, encoding: str | None) -> str:
    try:
        return read_note(file, encoding)
    except InputError:
        if kind_of_file(file) is None or not Path(file).is_file():
            raise
        raise InputError(
            f"{file}: only anonymize and batch read this kind of file; save it as text"
        ) from None


def known_values(options: Sequence[str]) -> dict[str, list[str]]:
    """Return known data as the pipeline takes them.

    :param options: E.g. ``["paciente=Jesús Mendoza", "tel=4433124567"]``.
    :return: Kind to values.
    :raises ConfigurationError: If an option is not KIND=VALUE; its value is not quoted,
        since it may be a name.
    """
    from presidio_mx.errors import ConfigurationError
    from presidio_mx.find.known_kinds import kind_of, kinds_listed

    known: dict[str, list[str]] = {}
    for number, given in enumerate(options, start=1):
        word, _, value = given.partition("=")
        kind = kind_of(word)
        if kind is None or not value.strip():
            raise ConfigurationError(
                f"--known number {number}: write KIND=VALUE, e.g. --known "
                f"paciente='Jesús Mendoza'; kinds are {kinds_listed()}"
            )
        known.setdefault(kind, []).append(value.strip())
    return known


def _note(file: str, text: str | None, encoding: str | None) -> str:
    if text is None:
        return _read(file, encoding)
    if file != "-":
        from presidio_mx.errors import ConfigurationError

        raise ConfigurationError("give a file or --text, not both")
    return text


def _refuse_marks(file: str) -> None:
    from presidio_mx.errors import ConfigurationError

    raise ConfigurationError(
        f"--marks, --ours: of plain text alone; take the text out of {file} first"
    )


def _ended(done: str, given: str | None) -> str:
    """Return the result; one of ``--text`` ends its line on the terminal."""
    return done if given is None or done.endswith("\n") else done + "\n"


def _found(
    note: str,
    known: Sequence[str],
    people: str,
    preset: str,
    ner: str,
    site: Path | None,
    sensitivity: str,
) -> "list[RecognizerResult]":
    with _busy(note):
        from presidio_mx.pipeline import analyze as find

        options: dict[str, Any] = {"preset": preset, "ner": ner, "site": site}
        options["sensitivity"] = sensitivity
        return find(note, people=people, known=known_values(known), **options)  # type: ignore[arg-type]


@contextmanager
def _busy(note: str) -> Iterator[None]:
    """Say on a terminal that work is going on, and on how much."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    size = f" ({len(note):,} {say('characters', 'caracteres')})"
    words = say("Reading the note", "Leyendo la nota")
    with Console(stderr=True).status(words + (size if len(note) > _LARGE else "")):
        yield
