"""Presidio's context enhancer, for those results alone that can gain from it.

The arguments of ``enhance_using_context`` and the metadata key are Presidio's
(``presidio_compat`` names what is relied on).
"""

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.context_aware_enhancers import LemmaContextAwareEnhancer
from presidio_analyzer.nlp_engine import NlpArtifacts

from presidio_mx.find.results import foreign_findings, left_of_foreign
from presidio_mx.find.session import session_of

_ENHANCED = RecognizerResult.IS_SCORE_ENHANCED_BY_CONTEXT_KEY


class SelectiveContextEnhancer(LemmaContextAwareEnhancer):
    """The stock lemma enhancer, spared the results that carry their own context.

    It copies every result deeply and needs the lemmas of the note, which is most of
    the time an analysis by rules takes. Results of the suite's recognizers have their
    context in their rules and pass by; all others go through the stock enhancer, unless
    they lost an overlap against the suite's.
    """

    def enhance_using_context(
        self,
        text: str,
        raw_results: list[RecognizerResult],
        nlp_artifacts: NlpArtifacts,
        recognizers: list[EntityRecognizer],
        context: list[str] | None = None,
    ) -> list[RecognizerResult]:
        """Raise the scores of results that stand near words of their context.

        :param text: The note.
        :param raw_results: Results of all recognizers.
        :param nlp_artifacts: Tokens and lemmas.
        :param recognizers: The recognizers that ran.
        :param context: Context words of this call.
        :return: The results, scores raised where context supports them.
        """
        settled: list[RecognizerResult] = []
        others: list[RecognizerResult] = []
        for result in raw_results:
            done = (result.recognition_metadata or {}).get(_ENHANCED)
            (settled if done else others).append(result)
        others = without_losers(text, others, nlp_artifacts)
        if not others:
            return settled
        enhanced = super().enhance_using_context(
            text, others, nlp_artifacts, recognizers, context
        )
        return settled + list(enhanced)


def without_losers(
    text: str, others: list[RecognizerResult], nlp_artifacts: NlpArtifacts
) -> list[RecognizerResult]:
    """Drop what lost an overlap against the suite's recognizers, where these ran.

    :param text: The note.
    :param others: Results of recognizers that are not the suite's.
    :param nlp_artifacts: Artifacts of the call.
    :return: What prevailed, with the offsets that were decided on.
    """
    if not others:
        return others
    session = session_of(text, nlp_artifacts)
    foreign = foreign_findings(others)
    for preset, least in session.questions():
        others = left_of_foreign(others, session.decided(preset, least, foreign))
    return others
