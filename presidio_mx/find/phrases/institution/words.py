"""The words of institutions, by the part they play in a name."""

import re
from dataclasses import dataclass

from presidio_mx.find.grammar.patterns import Symbols, compile_pattern, words_of
from presidio_mx.spanish.word_runs import entry_words
from presidio_mx.spanish.words import words

PARTICLES = words("particle_institution")
ARTICLES = words("article")
SAINTS = words("particle_saint") | {"santo"}
# They join two institutions or two towns, and go on no name.
LINKS = words("particle_and")


@dataclass(frozen=True, slots=True)
class InstitutionWords:
    """The lists of ``words/institution.yaml``, ready to be asked.

    :param code: Abbreviated kinds that a number or town completes: "UMF", "HGZ".
    :param head: Kinds spelt out: "hospital general", "secundaria".
    :param sure: Kinds that generic words complete: "instituto nacional de".
    :param trade: Kinds of firms that open a name where somebody works.
    :param heads: First words of all kinds.
    :param generic: Words that may stand in a name and do not make one.
    :param field: Words that end a name: the next field of a form, a title.
    :param weak: Kinds that are everyday words too.
    :param outside_quotes: Kinds that are no part of a name in quotation marks.
    :param outside_small: Kinds that in small letters are no part of a name.
    :param unnumbered: Kinds that a number does not complete.
    :param schools: Kinds that may have a name behind their number.
    :param not_alone: Listed names that need a kind.
    :param not_of_town: Kinds that a town's name does not complete.
    :param virtues: Ordinary words that shelters bear as names: "NUEVO AMANECER".
    """

    code: re.Pattern[str]
    head: re.Pattern[str]
    sure: re.Pattern[str]
    trade: re.Pattern[str]
    heads: frozenset[str]
    generic: frozenset[str]
    field: frozenset[str]
    weak: frozenset[str]
    outside_quotes: frozenset[str]
    outside_small: frozenset[str]
    unnumbered: frozenset[str]
    schools: frozenset[str]
    not_alone: frozenset[str]
    not_of_town: frozenset[str]
    virtues: frozenset[str]

    @classmethod
    def of(cls, symbols: Symbols) -> "InstitutionWords":
        """Return the lists as a rule file sees them, a site's own words included.

        :param symbols: Symbols of the rule file.
        :raises ConfigurationError: If one of the lists is missing.
        """

        def listed(name: str) -> frozenset[str]:
            return frozenset(words_of(name, symbols) or ())

        kinds = listed("institution_code") | listed("institution_kind")
        return cls(
            code=compile_pattern(r"{institution_code}\.?", symbols),
            head=compile_pattern(r"{institution_kind}\.?", symbols),
            sure=compile_pattern("{institution_sure}", symbols),
            trade=compile_pattern(r"{institution_trade}\.?[ ]", symbols),
            heads=frozenset(entry_words(kind)[0] for kind in kinds),
            generic=listed("institution_generic"),
            field=listed("institution_end"),
            weak=listed("institution_weak"),
            outside_quotes=listed("institution_outside_quotes"),
            outside_small=listed("institution_outside_small"),
            unnumbered=listed("institution_unnumbered"),
            schools=listed("institution_school"),
            not_alone=listed("institution_not_alone"),
            not_of_town=listed("institution_not_of_town"),
            virtues=listed("institution_virtue"),
        )
