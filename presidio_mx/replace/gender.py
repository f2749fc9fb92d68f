"""The operator that writes a person's gender for both."""

from presidio_mx.entities import tag_word
from presidio_mx.replace.operator_base import Params, PlannedOperator
from presidio_mx.spanish.gender import neutral

GENDER = "GENDER"
"""Entity of the words that agree with a person's gender."""
NEUTRAL_GENDER = "neutral_gender"


class NeutralGender(PlannedOperator):
    """Write a word for both genders: ``la`` as ``el/la``, ``hija`` as ``hijo/a``.

    What it cannot write so becomes a tag. A profile that names it for ``GENDER`` has
    the words found; see :mod:`presidio_mx.spanish.gender`.
    """

    name = NEUTRAL_GENDER
    parameters = frozenset()

    def alone(self, text: str, params: Params) -> str:
        """Return the word for both genders.

        :param text: An article, noun, adjective or word for the sex.
        :param params: Only ``entity_type``, for the tag.
        """
        made = neutral(text)
        return f"{{{tag_word(str(params['entity_type']))}}}" if made == text else made
