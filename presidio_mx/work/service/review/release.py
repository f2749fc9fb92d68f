"""From a batch and its review to a release: decisions merged, and a report of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from html import escape
from itertools import combinations
from pathlib import Path
from typing import Any

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.messages import say
from presidio_mx.replace.keys import Key
from presidio_mx.text.spans import Span
from presidio_mx.work.batch.audit import header
from presidio_mx.work.batch.finished import Finished, Note, expected_leaks
from presidio_mx.work.batch.formats import longest_text
from presidio_mx.work.batch.job import Job, Summary, complete_settings
from presidio_mx.work.batch.settings import Settings
from presidio_mx.work.service.review.adjudication import begun_adjudication
from presidio_mx.work.service.review.figures import (
    agreement,
    counts,
    failures,
    tally,
)
from presidio_mx.work.service.review.journal import read_journal
from presidio_mx.work.service.review.marks import NoteState, replay
from presidio_mx.work.service.review.others import DECISIONS, Others, check_reviewer
from presidio_mx.work.service.review.project import Project, begun_project
from presidio_mx.work.service.review.session import as_span

_UNCHANGED = (
    *("versions", "hashes", "profile", "people", "preset", "sensitivity"),
    *("ner", "scope", "columns", "format"),
)


@dataclass(frozen=True, repr=False)
class Decided:
    """What a review of a batch came to.

    :param project: The review.
    :param reviewer: Whose decisions hold.
    :param notes: The notes of the batch that were reviewed, by identifier.
    :param states: Each note after the decisions.
    """

    project: Project
    reviewer: str
    notes: Mapping[str, Note]
    states: Mapping[str, NoteState]

    @property
    def done(self) -> list[str]:
        """The notes that the reviewer finished."""
        return [note for note, state in self.states.items() if state.done]

    @property
    def spans(self) -> dict[str, tuple[Span, ...]]:
        """What identifies somebody in the finished notes, by their place."""
        return {
            self.notes[note].place: tuple(map(as_span, self.states[note].live))
            for note in self.done
        }


def read_decisions(batch: Finished, review: Path, reviewer: str | None) -> Decided:
    """Read the decisions of a review of a batch.

    :param batch: The batch.
    :param review: Folder of the review.
    :param reviewer: Whose decisions hold; None where there is one reviewer alone.
    :raises InputError: If the folder holds no review of this batch, or the reviewer has
        finished no note of it.
    :raises ConfigurationError: If there are several reviewers and none is chosen.
    """
    wanted = begun_project(review, {}).base
    notes = {note.id: note for note in batch.notes() if note.id in wanted}
    if notes.keys() != wanted.keys():
        raise InputError(f"{review}: is no review of the batch {batch.output}")
    project = begun_project(review, {id_: note.text for id_, note in notes.items()})
    names = Others(project).names()
    if reviewer is None and len(names) != 1:
        raise ConfigurationError(
            f"{review}: {len(names)} reviewers; say with --reviewer whose decisions "
            "hold: of one of them, or of who adjudicated"
        )
    chosen = reviewer or names[0]
    check_reviewer(chosen)
    decided = Decided(project, chosen, notes, _states(project, chosen))
    if not decided.done:
        raise InputError(f"{review}: {chosen} has finished no note yet")
    return decided


def _states(project: Project, reviewer: str) -> Mapping[str, NoteState]:
    """Return the notes after somebody's decisions, who may have adjudicated."""
    plain = Others(project).states_of(reviewer)
    begun = begun_adjudication(project.out, reviewer)
    if begun is None:
        return plain
    journal = project.out / DECISIONS / f"{reviewer}.jsonl"
    return replay(begun.start, read_journal(journal))


def _agreements(project: Project) -> list[dict[str, Any]]:
    """Return how far each two reviewers agree on what both finished."""
    names = [
        name
        for name in Others(project).names()
        if begun_adjudication(project.out, name) is None
    ]
    found = []
    for pair in combinations(names, 2):
        first, second = (_states(project, name) for name in pair)
        result = agreement(project.texts, first, second)
        figures = {"notes": result.notes, "kappa": result.kappa, "f1": result.f1}
        found.append({"reviewers": " / ".join(pair), **figures})
    return found


def job_of(
    batch: Finished,
    decided: Decided,
    output: Path,
    *,
    key: Key | None,
    site: Path | None,
    workers: int,
) -> Job:
    """Return the job that makes the batch anew, reviewed notes as they were decided.

    :param batch: The batch.
    :param decided: What its review came to.
    :param output: Where to write.
    :param key: Secret of surrogates.
    :param site: Folder of a site's own lists and rules.
    :param workers: Number of processes.
    :raises ConfigurationError: If the batch cannot be made as it was: other versions,
        rules, profile, site, key or model.
    """
    made, columns = batch.header, batch.columns
    settings = Settings(
        operators=made["profile"],
        key=key,
        people=made["people"],
        preset=made["preset"],
        ner=made["ner"],
        site=None if site is None else str(site),
        corpus=made["scope"] == "corpus",
        seconds=made["timeout"],
        sensitivity=made["sensitivity"],
    )
    whole = complete_settings(settings, columns, longest_text(made["format"]))
    now = header(whole, columns, made["format"])
    other = [name for name in _UNCHANGED if _plain(now[name]) != made.get(name)]
    if other:
        raise ConfigurationError(
            f"{batch.output}: was made with other {', '.join(other)} than this release "
            "would be; give the same key and site, or repeat the batch"
        )
    return Job(
        source=batch.source,
        output=output,
        columns=lambda _: columns,
        settings=replace(settings, reviewed=decided.spans),
        reading=batch.reading,
        workers=workers,
        on_error=made["on_error"],
        hide_names=made["numbered"],
    )


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def report_of(batch: Finished, decided: Decided, summary: Summary) -> dict[str, Any]:
    """Return what a committee asks of a release: counts, risk, who reviewed what.

    :param batch: The batch.
    :param decided: What its review came to.
    :param summary: What was written.
    """
    project, states = decided.project, decided.states
    done = decided.done
    read = {decided.notes[note].row.number for note in done}
    unread = [row for row in batch.rows if row.number not in read]
    tallies = [tally(project.texts[n], project.base[n], states[n]) for n in done]
    flagged = [state for state in states.values() if state.flag]
    return {
        "date": date.today().isoformat(),
        "output": summary.output.name,
        "rows": summary.totals.rows,
        "failed": summary.totals.failed,
        "notes": summary.totals.notes,
        "entities": summary.totals.entities,
        "operators": summary.totals.operators,
        "reviewer": decided.reviewer,
        "reviewed": len(done),
        "set_aside": len(flagged),
        "decisions": {name: asdict(row) for name, row in counts(tallies).items()},
        "missed_before_review": asdict(failures(tallies)),
        "agreement": _agreements(project),
        "not_reviewed": len(unread),
        "expected_leaks_not_reviewed": round(expected_leaks(unread), 2),
        "highest_risk_not_reviewed": max(
            (row.risk or 0.0 for row in unread), default=0
        ),
        "risk_unknown": sum(row.risk is None for row in unread),
        **{name: batch.header.get(name) for name in _UNCHANGED},
    }


def page_of(report: Mapping[str, Any]) -> str:
    """Return a report as a page of HTML that needs nothing else.

    :param report: What :func:`report_of` returned.
    """
    title = say("Release report", "Informe de liberación")
    rows = "".join(
        f"<tr><th>{escape(_label(name))}</th><td>{_cell(value)}</td></tr>"
        for name, value in report.items()
    )
    language = say("en", "es")
    style = (
        "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;"
        "padding:0 1rem}table{border-collapse:collapse;width:100%}"
        "th,td{text-align:left;vertical-align:top;border-bottom:1px solid #ccc;"
        "padding:.3rem .6rem;overflow-wrap:anywhere}th{font-weight:600}"
    )
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{style}</style></head><body>"
        f"<h1>{title}</h1><table>{rows}</table></body></html>\n"
    )


def _cell(value: Any) -> str:
    if isinstance(value, Mapping):
        rows = "".join(
            f"<tr><th>{escape(_label(str(name)))}</th><td>{_cell(each)}</td></tr>"
            for name, each in value.items()
        )
        return f"<table>{rows}</table>" if rows else "–"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "<br>".join(map(_cell, value)) or "–"
    if isinstance(value, float):
        return f"{value:.4g}"
    return "–" if value is None or value == "" else escape(str(value))


_SPANISH = {
    "date": "Fecha",
    "output": "Salida",
    "rows": "Filas",
    "failed": "Filas con error",
    "notes": "Notas",
    "entities": "Entidades sustituidas",
    "operators": "Operadores",
    "reviewer": "Revisor",
    "reviewers": "Revisores",
    "reviewed": "Notas revisadas",
    "set_aside": "Notas apartadas",
    "decisions": "Decisiones por entidad",
    "missed_before_review": "Notas en las que faltaba algo antes de la revisión",
    "agreement": "Acuerdo entre revisores",
    "kappa": "Kappa de Cohen (por palabra)",
    "f1": "F1 de marcas exactas",
    "not_reviewed": "Filas sin revisar",
    "expected_leaks_not_reviewed": "Fugas esperadas en las filas sin revisar",
    "highest_risk_not_reviewed": "Mayor riesgo de una fila sin revisar",
    "risk_unknown": "Filas sin revisar de riesgo desconocido",
    "kept": "sin cambio",
    "changed": "corregidas",
    "rejected": "rechazadas",
    "added": "añadidas",
    "low": "límite inferior (95 %)",
    "high": "límite superior (95 %)",
    "versions": "Versiones",
    "hashes": "Huellas (perfil, reglas, sitio, clave)",
    "profile": "Perfil",
    "people": "Personas",
    "preset": "Reglas",
    "sensitivity": "Sensibilidad",
    "ner": "Modelo",
    "scope": "Ámbito de los sustitutos",
    "columns": "Columnas",
    "format": "Formato",
}


def _label(name: str) -> str:
    if name not in _SPANISH:
        return name
    return say(name.replace("_", " ").capitalize(), _SPANISH[name])
