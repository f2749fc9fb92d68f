"""The words of institutions, by the part they play in a name."""

import re
from dataclasses import dataclass

from presidio_mx.analyzer.grammar.patterns import Symbols, compile_pattern, words_of
from presidio_mx.analyzer.note.wording import entry_words

PARTICLES = frozenset("de del la las los el para y e en".split())
ARTICLES = frozenset("el la los las".split())
SAINTS = frozenset("san santa santo".split())
# They join two institutions or two towns, and go on no name.
LINKS = frozenset("y e".split())


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
        """Return the lists that a rule file sees, a site's own words included.

        :param symbols: Symbols of the rule file.
        :raises ConfigurationError: If one of the lists is missing.
        """

        def listed(name: str) -> frozenset[str]:
            return frozenset(words_of(name, symbols) or ())

        kinds = listed("unit_code") | listed("institution")
        return cls(
            code=compile_pattern(r"{unit_code}\.?", symbols),
            head=compile_pattern(r"{institution}\.?", symbols),
            sure=compile_pattern("{institution_sure}", symbols),
            trade=compile_pattern(r"{trade}\.?[ ]", symbols),
            heads=frozenset(entry_words(kind)[0] for kind in kinds),
            generic=listed("generic"),
            field=listed("field"),
            weak=listed("institution_weak"),
            outside_quotes=listed("outside_quotes"),
            outside_small=listed("outside_small"),
            unnumbered=listed("unnumbered"),
            schools=listed("school"),
            not_alone=listed("not_alone"),
            not_of_town=listed("not_of_town"),
            virtues=listed("virtue"),
        )
