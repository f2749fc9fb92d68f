"""How the name of an institution opens: a kind, generic words, a number."""

import re
from typing import NamedTuple

from presidio_mx.find.grammar.patterns import Symbols, compile_pattern, words_of
from presidio_mx.spanish.lexicon import KNOWN, NAME, Flag
from presidio_mx.spanish.word_runs import entry_words, field_number
from presidio_mx.spanish.words import words
from presidio_mx.text.document import Document

PARTICLES = words("particle_institution")
# "normal" is of findings, "estancia" of beds, "esc." of scales, "clínica" of signs.
_ADJECTIVES, _BEFORE_SCHOOL = (
    words("institution_adjective"),
    words("institution_before_school"),
)
_STAYS, _BEHIND_STAY = words("institution_stay"), words("institution_behind_stay")
_MOST_GENERIC = 8
# Words longer than this end a sentence with their stop, and are not shortened by it.
_LONGEST_SHORT = 5
_GENERIC_GAP = re.compile(r"[ \t]{1,2}|[ ]?\n[ ]?|-|/[ ]?|\.[ ]?")


class Opening(NamedTuple):
    """A kind with the generic words and the number behind it.

    :param first: Index of the kind's first word.
    :param last: Index of the last word.
    :param end: Offset after it.
    :param code: Whether the kind is an abbreviation: "UMF" and not "clínica".
    :param numbered: Whether a number follows.
    :param complete: Whether this much is a name: "UMF 80", "Instituto Nacional de
        Cardiología".
    :param weak: Whether the kind is an everyday word too, and the name not complete.
    """

    first: int
    last: int
    end: int
    code: bool
    numbered: bool
    complete: bool
    weak: bool


class Kinds:
    """Read the kinds of ``words/institution.yaml``, and what may go with them.

    :param symbols: Symbols of the rule file, a site's own words included.
    """

    def __init__(self, symbols: Symbols) -> None:
        """Compile the lists.

        :raises ConfigurationError: If one of them is missing.
        """

        def listed(name: str) -> frozenset[str]:
            return frozenset(words_of(f"institution_{name}", symbols) or ())

        self.code = compile_pattern(r"{institution_code}\.?", symbols)
        self.head = compile_pattern(r"{institution_kind}\.?", symbols)
        self._sure = compile_pattern("{institution_sure}", symbols)
        self._number = compile_pattern("{i_number}", symbols)
        self._short = compile_pattern("{i_short}", symbols)
        self.heads = frozenset(
            entry_words(k)[0] for k in listed("code") | listed("kind")
        )
        self.generic, self.field = listed("generic"), listed("end")
        self.weak, self.schools = listed("weak"), listed("school")
        self._unnumbered = listed("unnumbered")

    def read(self, document: Document, index: int) -> Opening | None:
        """Read the kind that begins at a word, generic words and a number.

        :param document: The note.
        :param index: Index of the word.
        """
        folded, start = document.folded, document.starts[index]
        code = self.code.match(folded, start)
        match = code or self.head.match(folded, start)
        if match is None:
            return None
        last, end = document.word_at(match.end()) - 1, match.end()
        if self._is_none(document, index, last, code is not None):
            return None
        if code is None:
            last = self._generic_run(document, last)
            end = max(end, document.ends[last])
        complete = self._completed(document, index, end)
        short = self._short.match(folded, end)
        end = short.end() if short else end
        last = document.word_at(end) - 1
        number = self._number.match(folded, end)
        if number and not self._is_number(document, last, end, number):
            number = None
        if number and document.words[index] not in self._unnumbered:
            end, complete = number.end(), True
            last = document.word_at(end) - 1
        weak = document.words[index] in self.weak and not complete
        numbered = number is not None
        return Opening(index, last, end, code is not None, numbered, complete, weak)

    def flows(self, document: Document, index: int) -> bool:
        """Tell whether a word and the next can be in one name: "SEC. GRAL. NO. 3"."""
        gap = document.gap(index)
        if _GENERIC_GAP.fullmatch(gap) is None:
            return False
        word = document.words[index]
        return "." not in gap or (len(word) < _LONGEST_SHORT and not word.isdigit())

    def _generic_run(self, document: Document, last: int) -> int:
        """Return the last generic word behind a kind ("General de Zona")."""
        first = last + 1
        for here in range(first, min(first + _MOST_GENERIC, len(document))):
            word = document.words[here]
            if not self.flows(document, here - 1):
                break
            if "  " in document.gap(here - 1) and word in self.heads:
                # "INSTITUTO NACIONAL DE REHABILITACION  CLINICA DE": two columns.
                break
            if word in self.generic:
                last = here
            elif word not in PARTICLES and word not in ("con", "c", "a"):
                break
        return last

    def _completed(self, document: Document, index: int, end: int) -> bool:
        """Tell whether generic words complete a name: "Instituto de Cardiología"."""
        sure = self._sure.match(document.folded, document.starts[index])
        if sure is None:
            return False
        following = index if end == sure.end() else document.word_at(sure.end())
        return following < len(document) and document.capital(following)

    def _is_number(
        self, document: Document, last: int, end: int, number: re.Match[str]
    ) -> bool:
        """Tell whether a number is the kind's, not of the next sentence or field."""
        bare = number[0].strip()[:1].isdigit()
        ended = (
            document.folded[end - 1] == "."
            and len(document.words[last]) > _LONGEST_SHORT
        )
        return not (bare and ended) and not field_number(
            document.folded, number.start("digits")
        )

    def _is_none(self, document: Document, first: int, last: int, code: bool) -> bool:
        """Tell whether a kind opens no institution where it stands."""
        word, before = document.words[first], document.words[first - 1] if first else ""
        following = document.words[last + 1] if last + 1 < len(document) else ""
        mixed, capital = document.casing(first) == "mixed", document.capital(first)
        if word in _ADJECTIVES and before not in _BEFORE_SCHOOL:
            return not (mixed and capital and not document.sentence_start(first))
        if word in _STAYS and following in _BEHIND_STAY:
            return True
        # A kind inside a person's name: "Julio César Robles", "Rosa Hogar Díaz".
        flag = document.flags[first]
        if code:
            if first != last or not flag & Flag.GIVEN:
                return False
            if mixed:
                return not document.shouted(first)
        elif word not in self.weak or word in self.schools:
            return False
        behind = document.flags[last + 1] if following else 0
        joint = document.gap(last) == " " and bool(behind & NAME)
        if code and joint and not behind & KNOWN:
            return True
        return (
            joint
            and bool(before)
            and document.gap(first - 1) == " "
            and bool(document.flags[first - 1] & Flag.GIVEN)
            and (not mixed or (capital and document.capital(first - 1)))
        )
