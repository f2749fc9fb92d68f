"""What a parser makes of a text, put together again, is the text."""

from pathlib import Path

import pytest

from presidio_mx.research.corpora import read_corpus
from presidio_mx.spanish.addresses import parse_address
from presidio_mx.spanish.dates import parse_dates
from presidio_mx.spanish.institutions import parse_institution
from presidio_mx.spanish.names import parse_name
from presidio_mx.spanish.places import parse_place

CORPUS = Path(__file__).parents[1] / "samples" / "corpus"
PARSERS = {
    "PERSON": lambda text: parse_name(text).parts,
    "DATE_TIME": lambda text: parse_dates(text, 2024).parts,
    "ADDRESS": parse_address,
    "LOCATION": parse_place,
    "ORGANIZATION": lambda text: parse_institution(text).parts,
}


@pytest.fixture(scope="module")
def marked():
    """Return the texts marked as each entity, each once."""
    found = {entity: {""} for entity in PARSERS}
    for file in sorted(CORPUS.glob("*/*.jsonl")):
        for note in read_corpus(file).notes:
            for span in note.spans:
                if span.entity_type in found:
                    found[span.entity_type].add(note.text[span.start : span.end])
    return found


@pytest.mark.parametrize("entity", PARSERS)
def test_parts_put_together_are_the_text(entity, marked):
    parse = PARSERS[entity]
    assert len(marked[entity]) > 1000
    wrong = [
        text
        for text in sorted(marked[entity])
        if "".join(part.text for part in parse(text)) != text
    ]
    assert wrong == []
