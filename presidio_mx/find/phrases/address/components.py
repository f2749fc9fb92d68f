"""The components of an address: what each looks like and what may follow what."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from presidio_mx.find.grammar.patterns import Symbols, compile_pattern, words_of
from presidio_mx.spanish.word_runs import entry_words

# Kind; evidence; patterns and, in angle brackets, names, one after the other; first
# words (lists of words by their names, or words; "0" is any number); where it may stand
# ("first" in an address, behind a "hard" stop or line end) and what kinds it may follow
# if not any.
_TABLE = """
street      0.4  {a_street}<street>  street  first
street     -0.2  (?<![a-z][-.]){street_weak}{a_opened}<street>  street_weak  first
settlement  0.4  {a_settlement}<settlement>  settlement,de,del,en  first,hard
settlement -0.2  {a_settlement_weak}<settlement>  settlement_weak,de,del,en  first,hard
settlement  0.9  {settlement}{a_opened}{a_section}  settlement  first,hard
settlement  1.0  {a_rancheria}<crossing>{a_section}  rancheria  first
quarter     0.4  (?={settlement_noun})<settlement>{a_before_lot}  settlement_noun  first
quarter     0.3  {a_rancheria}<settlement>  rancheria,de,del,en  hard
quarter     0.3  {a_inner}<street>  inner_settlement
section     0.3  {a_section}  section_word,ordinal_feminine,i,ii,iii,iv,v,vi,0  hard
quarter     0.3  {a_centre}  zona,centro
road        0.2  {a_road}<road>  road  first
road        0.8  (?<=(?:en|or|re)[ ]la[ ])salida[ ](?:a|hacia)[ ]<road>  salida  first
road        0.8  {a_road_of_kilometre}<road>  kilometre,a,en  first
kilometre   0.8  {a_kilometre}  kilometre,a,en
kilometre   0.8  {a_stretch}<road>  kilometre,a,en
number      0.6  {a_signed}  number_label,n,n0,#,s,sn,s7n,sin,known_address  hard
number      0.4  {a_bare}  0,spoken_number,mil  -  street,road,unit,corner
number      0.4  (?<!,[ ]){a_bare}  0,spoken_number,mil  -  settlement,quarter
number      0.6  {a_digits}{a_suffix}  0  -  street,road,unit,corner
number      0.4  {a_bare}(?=[,\\n]|$)  0  hard  street
unit        0.9  (?={sure_unit}){a_unit}  sure_unit  first,hard
unit        0.4  (?=(?:del?[ ](?:la[ ])?)?(?:m|lo|lt|sm|edif)){a_unit}  unit,m,l,de,del  first,hard
unit        0.2  {a_unit}  unit,m,l,de,del  first,hard
number      0.2  {a_building}<street>  building,building_short  first,hard
code        0.9  {a_code}  c,cp,cod,codigo,ce  first,hard
code        0.3  {a_code_bare}  0  hard  settlement,quarter,section,number,unit,corner
corner      0.6  {a_between}<crossing>{a_and}<crossing>  entre,e,tre  hard
corner      0.5  {a_corner}<crossing>  esq,esquina,casi,en  hard
corner      0.9  {a_corner}<crossing>{a_and}<crossing>  esq,esquina,casi  first,hard
corner      0.9  {a_corner}{a_street}<crossing>  esq,esquina,casi  first,hard
corner      0.5  {a_crossing}  x,por,entre  hard
corner      0.5  (?:x|por)[ ]{1,2}(?=c[.a]|av)<crossing>  x,por  hard
corner      0.4  {a_and_number}  y,con  -  street
corner      0.4  {a_and}{a_street}<crossing>  y,e,con
corner      0.4  {a_and}{a_date}  y,e,con
corner      0.3  {a_and}<crossing>{a_before_part}  y,e,con
corner      0.3  {a_height}<crossing>  a  -  street
unit        0.0  {a_also}  (  -  street
unit        0.0  {a_plain}  planta,casa,sin,s,n,y,0,ordinal_floor
"""  # noqa: E501
_STEP = re.compile(r"<([a-z]+)>")
_COLUMN = re.compile(r"[ ]{2,}")


@dataclass(frozen=True, slots=True)
class Component:
    """One kind of part of an address.

    :param kind: What it is; what follows depends on it.
    :param evidence: What it says for an address.
    :param steps: Patterns and kinds of names (see ``names.py``), one after the other.
    :param first: Whether an address may begin with it.
    :param hard: Whether it may follow a stop or the end of a line.
    :param after: Kinds that it may follow; empty for any.
    """

    kind: str
    evidence: float
    steps: tuple[re.Pattern[str] | str, ...]
    first: bool
    hard: bool
    after: frozenset[str]


def components(symbols: Symbols) -> Mapping[str, tuple[Component, ...]]:
    """Return the components of an address by their first words.

    :param symbols: Symbols of a rule file, which must define ``street``,
        ``settlement``, ``road`` and ``unit``; ``street_weak`` and ``settlement_weak``
        open one only with more evidence.
    :raises ConfigurationError: If a symbol is missing.
    """
    table: dict[str, list[Component]] = {}
    for line in _TABLE.strip().splitlines():
        kind, evidence, rest = line.split(maxsplit=2)
        steps, heads, *more = _COLUMN.split(rest)
        where, after = (*more, "", "")[:2]
        row = Component(
            kind,
            float(evidence),
            tuple(
                step if number % 2 else compile_pattern(step, symbols)
                for number, step in enumerate(_STEP.split(steps))
                if step
            ),
            "first" in where,
            "hard" in where,
            frozenset(after.split(",")) - {""},
        )
        for head in heads.split(","):
            entries = words_of(head, symbols) if head in symbols else (head,)
            for word in {
                (entry_words(entry) or (entry,))[0] for entry in entries or ()
            }:
                table.setdefault(word, []).append(row)
    return {head: tuple(rows) for head, rows in table.items()}
