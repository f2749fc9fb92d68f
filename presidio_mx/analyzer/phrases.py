"""The phrases that rule files can name."""

from collections.abc import Mapping
from typing import Any

from presidio_mx.analyzer.lexicon import Lexicon
from presidio_mx.analyzer.names import NamePhrase, NameWeights
from presidio_mx.analyzer.patterns import Symbols
from presidio_mx.analyzer.phrase import Phrase


def build_phrases(
    lexicon: Lexicon, settings: Mapping[str, Any], symbols: Symbols
) -> Mapping[str, Phrase]:
    """Make the phrase parsers for one rule file.

    :param lexicon: What is known of words.
    :param settings: The file's ``settings``.
    :param symbols: The file's symbols, shared ones included.
    :return: Parsers by the name that rules use.
    """
    return {"name": NamePhrase(lexicon, NameWeights.of(settings))}
