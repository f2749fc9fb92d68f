"""The command release."""

from pathlib import Path
from typing import Annotated

from presidio_mx.work.cli.options import (
    KeyOption,
    SiteOption,
    WorkersOption,
    argument,
    option,
)
from presidio_mx.work.cli.text import say, tell


def release(
    output: Annotated[
        Path,
        argument(
            "Output of presidio-mx batch.",
            "Salida de presidio-mx batch.",
            metavar="OUTPUT",
        ),
    ],
    review: Annotated[
        Path,
        argument(
            "Folder of its review (--out of presidio-mx review).",
            "Carpeta de su revisión (--out de presidio-mx review).",
            metavar="REVIEW",
        ),
    ],
    out: Annotated[
        Path,
        option(
            "New folder for the release and its report.",
            "Carpeta nueva para lo que se libera y su informe.",
        ),
    ],
    reviewer: Annotated[
        str | None,
        option(
            "Whose decisions hold, where there are several reviewers.",
            "De quién son las decisiones que valen, si hay varios revisores.",
        ),
    ] = None,
    site: SiteOption = None,
    key_file: KeyOption = None,
    workers: WorkersOption = None,
) -> None:
    """Merge the decisions of a review into a batch, and report what is released."""
    import json

    from rich.console import Console

    from presidio_mx.errors import ConfigurationError
    from presidio_mx.processes import cores
    from presidio_mx.replace.keys import Key
    from presidio_mx.work.batch.finished import read_finished
    from presidio_mx.work.batch.report import report_for
    from presidio_mx.work.batch.run import run
    from presidio_mx.work.cli.text import write_text
    from presidio_mx.work.service.review.release import (
        job_of,
        page_of,
        read_decisions,
        report_of,
    )

    batch = read_finished(output)
    batch.check_input()
    decided = read_decisions(batch, review, reviewer)
    key = None if key_file is None else Key.from_file(key_file)
    if not out.name or out.exists():
        raise ConfigurationError(f"{out} exists; it is not overwritten")
    job = job_of(
        batch,
        decided,
        out / batch.output.name,
        key=key,
        site=site,
        workers=workers or cores(),
    )
    out.mkdir()
    with report_for(Console(stderr=True)) as listener:
        summary = run(job, listener)
    report = report_of(batch, decided, summary)
    text = json.dumps(report, ensure_ascii=False, indent=1) + "\n"
    write_text(text, out / "release.json")
    write_text(page_of(report), out / "release.html")
    reviewed, unread = report["reviewed"], report["not_reviewed"]
    leaks = report["expected_leaks_not_reviewed"]
    tell(
        say(
            f"{reviewed:,} notes as reviewed, {unread:,} rows unread, of which about "
            f"{leaks:.1f} may still hold an identifier; see {out / 'release.html'}",
            f"{reviewed:,} notas según la revisión, {unread:,} filas sin leer, de las "
            f"que en unas {leaks:.1f} puede quedar algún identificador; vea "
            f"{out / 'release.html'}",
        )
    )
