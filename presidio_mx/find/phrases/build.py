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
from presidio_mx.find.phrases.spain.institution import SpainInstitution
from presidio_mx.find.phrases.spain.names import SpainName, SpainRelative
from presidio_mx.find.phrases.spain.place import (
    SpainCountry,
    SpainListed,
    SpainProper,
    SpainTown,
)
from presidio_mx.find.phrases.spain.street import SpainStreet
from presidio_mx.find.phrases.spain.table import (
    WordTable,
    spain_countries,
    spain_hospitals,
    spain_institutions,
    spain_towns,
)
from presidio_mx.find.phrases.spain.words import word_set
from presidio_mx.spanish.lexicon import Lexicon

STOPS = "next_part"


def spain_phrases(
    lexicon: Lexicon, symbols: Symbols, folders: tuple[Path, ...]
) -> Mapping[str, Phrase]:
    """Make the parsers, for rule files that say what opens the next part.

    :param lexicon: What is known of words.
    :param symbols: The file's symbols; ``next_part`` lists the words that end a
        phrase, ``street_type``, ``hospital_head``, ``institution_head`` and
        ``generic_part`` the words that begin one.
    :param folders: Folders of a site's own gazetteers.
    :return: Parsers by the name that rules use; none for other presets.
    """
    if STOPS not in symbols:
        return {}
    stops = word_set(STOPS, symbols)
    types = word_set("street_type", symbols)
    # "C." is a street only with a slash or a number, else an initial.
    ends = (stops | types) - {"c", "p"}
    generic = word_set("generic_part", symbols)
    specialty = word_set("specialty", symbols)
    towns, countries = spain_towns(folders), spain_countries(folders)

    def institution(
        heads: str, names: WordTable, listed: WordTable, with_town: bool
    ) -> SpainInstitution:
        return SpainInstitution(
            heads=WordTable.of(word_set(heads, symbols)),
            generic=generic,
            names=names,
            listed=listed,
            towns=towns,
            countries=countries,
            # "Facultad de Medicina y Odontología" holds what opens a part elsewhere.
            stops=ends - specialty if with_town else ends,
            with_town=with_town,
        )

    none = WordTable()
    return {
        "es_name": SpainName(lexicon, ends | word_set("name_stop", symbols)),
        "es_relative": SpainRelative(word_set("kin", symbols), ends),
        "es_town": SpainTown(towns, countries, ends),
        "es_country": SpainCountry(countries),
        "es_company": SpainListed(spain_institutions("company", folders)),
        "es_proper": SpainProper(towns, countries),
        "es_street": SpainStreet(types, stops, towns),
        "es_hospital": institution(
            "hospital_head", spain_hospitals(folders), none, False
        ),
        "es_center": institution("center_head", none, none, False),
        "es_institution": institution(
            "institution_head", none, spain_institutions("institution", folders), True
        ),
    }


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
