"""From findings to the new text: the one way for notes, files, rows and cohorts."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from presidio_mx.find.known import Known
from presidio_mx.find.ner.choose import PUBLISHED
from presidio_mx.find.site import operator_folders
from presidio_mx.find.structure.parts import Structure, united
from presidio_mx.find.structure.read import structure_of
from presidio_mx.replace.engine import (
    AnonymizedText,
    Operators,
    anonymize,
    resolve_operators,
)
from presidio_mx.replace.gender import GENDER, NEUTRAL_GENDER
from presidio_mx.replace.keys import Key, Scope
from presidio_mx.replace.marks import Ours
from presidio_mx.replace.patient import Patient, known_patient
from presidio_mx.spanish.gender import gendered
from presidio_mx.text.spans import Span


def replace_found(
    text: str,
    found: Sequence[Any],
    operators: Operators = "tag",
    *,
    preset: str = "mx",
    people: str = "everyone",
    site: Path | str | None = None,
    known: Mapping[str, Any] | None = None,
    key: Key | str | bytes | None = None,
    scope: Scope | str = "",
    ours: Ours | None = None,
    patient: Patient | None = None,
) -> AnonymizedText:
    """Replace what an analysis found.

    Where everybody's names go, further mentions of the people found go, too, and what
    would tell the dates and places found; but of a published system only what it found,
    by the tags of its authors where the profile is ``tag``.

    :param text: The text.
    :param found: Results of an analysis, or spans made of them.
    :param operators: As :func:`presidio_mx.analyze_and_anonymize` takes them, and so
        all that follow.
    :param preset: What found them.
    :param people: Whose names were found.
    :param site: Folder with a site's own profiles.
    :param known: The patient's own data.
    :param key: Secret of surrogates.
    :param scope: Where the same value keeps its surrogate.
    :param ours: What of the text an earlier run put out.
    :param patient: Who is named in all notes of the patient; else the patient of the
        known data.
    :return: The new text and what was done.
    :raises ConfigurationError: If an argument or profile is wrong.
    """
    published = PUBLISHED.get(preset)
    if published and operators == "tag":
        operators = published.tags
    profile = resolve_operators(operators, operator_folders(site))
    if profile.spec(GENDER).operator == NEUTRAL_GENDER:
        found = [*found, *_gendered(text, found)]
    second_pass = people == "everyone" and published is None
    if patient is None and known:
        patient = known_patient(asdict(Known.of(known)))
    structure = structure_of(text) if second_pass else Structure()
    return anonymize(
        text,
        found,
        profile,
        key=key,
        scope=scope,
        second_pass=second_pass,
        spared=united([*structure.coded(), *structure.labels]),
        bare=structure.bare,
        ours=ours,
        patient=patient,
    )


def _gendered(text: str, found: Sequence[Any]) -> list[Span]:
    """Return what tells the gender of a person, apart from what was found already."""
    return [
        Span(start, end, GENDER)
        for start, end in gendered(text)
        if not any(start < f.end and f.start < end for f in found)
    ]
