"""The phrases that rule files can name."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from presidio_mx.find.grammar.patterns import Symbols
from presidio_mx.find.grammar.phrase import Phrase
from presidio_mx.find.phrases.address.names import load_settlements
from presidio_mx.find.phrases.address.phrase import AddressPhrase
from presidio_mx.find.phrases.institution.phrase import (
    InstitutionPhrase,
    load_institutions,
)
from presidio_mx.find.phrases.person.phrase import NamePhrase
from presidio_mx.find.phrases.place.gazetteer import load_places
from presidio_mx.find.phrases.place.phrase import PlacePhrase
from presidio_mx.find.phrases.spain.wiring import spain_phrases
from presidio_mx.spanish.lexicon import Lexicon


def build_phrases(
    lexicon: Lexicon,
    settings: Mapping[str, Any],
    symbols: Symbols,
    folders: tuple[Path, ...] = (),
) -> Mapping[str, Phrase]:
    """Make the phrase parsers for one rule file.

    :param lexicon: What is known of words.
    :param settings: The file's ``settings``.
    :param symbols: The file's symbols, shared ones included.
    :param folders: Folders of a site's own gazetteers.
    :return: Parsers by the name that rules use.
    """
    covered = frozenset(settings.get("covered_states") or ())
    places = load_places(covered, folders=folders)
    phrases: dict[str, Phrase] = {
        "name": NamePhrase(lexicon),
        "place": PlacePhrase(places),
    }
    if "i_number" in symbols:
        listed = load_institutions(folders)
        phrases["institution"] = InstitutionPhrase(symbols, listed, places)
    if "settlement" in symbols:
        settlements = load_settlements(folders)
        phrases["address"] = AddressPhrase(symbols, settlements, places)
    return phrases | dict(spain_phrases(lexicon, symbols, folders))
