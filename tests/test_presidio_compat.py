"""What is relied on in Presidio, assumption by assumption, as it is installed."""

import inspect

from presidio_analyzer import AnalyzerEngine, EntityRecognizer, RecognizerResult
from presidio_analyzer.context_aware_enhancers import LemmaContextAwareEnhancer
from presidio_analyzer.nlp_engine import NlpArtifacts
from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import OperatorConfig
from presidio_anonymizer.entities import RecognizerResult as Given

from presidio_mx import presidio_compat as compat
from presidio_mx.find.engine import SelectiveContextEnhancer
from presidio_mx.find.nlp import MxNlpEngine
from presidio_mx.work.service.presidio_config import Wanted, sections


def engine_of(*recognizers):
    from presidio_analyzer import RecognizerRegistry

    nlp = MxNlpEngine()
    nlp.load()
    registry = RecognizerRegistry(
        recognizers=list(recognizers), supported_languages=["es"]
    )
    return AnalyzerEngine(registry=registry, nlp_engine=nlp, supported_languages=["es"])


class Spy(EntityRecognizer):
    """Writes down how Presidio calls it."""

    def __init__(self, entity, log):
        self.log = log
        super().__init__([entity], supported_language="es", name=f"Spy{entity}")
        self.log.append(("constructed", entity))

    def load(self):
        self.log.append(("load", None))

    def analyze(self, text, entities, nlp_artifacts=None):
        self.log.append(("analyze", nlp_artifacts))
        entity = self.supported_entities[0]
        return [RecognizerResult(entity, 0, 3, 0.5)]

    def enhance_using_context(self, text, raw, other, nlp_artifacts, context=None):
        self.log.append(("enhance", [r.entity_type for r in other]))
        return raw


class Named(Spy):
    """The same with the names of the arguments that Presidio passes."""

    def enhance_using_context(
        self,
        text,
        raw_recognizer_results,
        other_raw_recognizer_results,
        nlp_artifacts,
        context=None,
    ):
        return super().enhance_using_context(
            text, raw_recognizer_results, other_raw_recognizer_results, nlp_artifacts
        )


def test_the_constructor_loads():
    log = []
    Named("A", log)
    assert log == [("load", None), ("constructed", "A")]


def test_every_recognizer_is_asked_again_when_all_have_answered():
    log = []
    engine = engine_of(Named("A", log), Named("B", log))
    log.clear()
    engine.analyze("Ana va", "es")
    assert [step for step, _ in log] == ["analyze", "analyze", "enhance", "enhance"]
    assert [seen for step, seen in log if step == "enhance"] == [["B"], ["A"]]


def test_one_call_has_one_set_of_artifacts_and_the_next_has_another():
    log = []
    engine = engine_of(Named("A", log), Named("B", log))
    log.clear()
    engine.analyze("Ana va", "es")
    engine.analyze("Ana va", "es")
    one, two, three, four = (seen for step, seen in log if step == "analyze")
    assert one is two
    assert three is four
    assert one is not three


def test_recognizers_run_in_the_order_of_the_registry():
    log = []
    first, second = Named("A", log), Named("B", log)
    chosen = engine_of(first, second).registry.get_recognizers("es", all_fields=True)
    assert [r for r in chosen if isinstance(r, Spy)] == [first, second]


def test_lazy_artifacts_have_all_that_real_ones_have():
    nlp = MxNlpEngine()
    nlp.load()
    real, lazy = nlp.eager("Ana Paz va", "es"), nlp.process_text("Ana Paz va", "es")
    assert type(real) is NlpArtifacts
    assert vars(real).keys() <= set(dir(lazy))
    assert lazy.lemmas == real.lemmas
    assert lazy.keywords == real.keywords
    assert lazy.tokens_indices == real.tokens_indices
    assert [t.text for t in lazy.tokens] == ["Ana", "Paz", "va"]


def test_artifacts_of_any_spacy_engine_keep_what_is_stored():
    nlp = MxNlpEngine()
    nlp.load()
    for artifacts in (nlp.eager("Ana", "es"), nlp.process_text("Ana", "es")):
        compat.storage_of(artifacts)["x"] = 1
        assert compat.storage_of(artifacts)["x"] == 1


def test_artifacts_without_a_document_keep_nothing():
    artifacts = NlpArtifacts([], ["Ana"], [0], ["ana"], None, "es")
    assert compat.storage_of(artifacts) is None


def test_the_context_enhancer_takes_what_ours_takes():
    ours = inspect.signature(SelectiveContextEnhancer.enhance_using_context)
    stock = inspect.signature(LemmaContextAwareEnhancer.enhance_using_context)
    assert list(ours.parameters) == list(stock.parameters)
    assert RecognizerResult.IS_SCORE_ENHANCED_BY_CONTEXT_KEY


def test_the_flags_are_those_presidio_uses_itself():
    import re

    default = inspect.signature(AnalyzerEngine.analyze).parameters["regex_flags"]
    assert default.default == compat.REGEX_FLAGS
    assert re.RegexFlag(compat.REGEX_FLAGS) == re.DOTALL | re.MULTILINE | re.IGNORECASE
    _, _, registry = sections(Wanted(ner="none"))
    assert registry["global_regex_flags"] == compat.REGEX_FLAGS


def test_the_anonymizer_joins_neighbours_that_blanks_part():
    """Why texts are cut between neighbours of one type before Presidio sees them.

    Its pattern of what parts two that it joins ends in "$", which also stands before a
    final line end.
    """
    text = "Ana \nLuz"
    items = [Given("PERSON", 0, 3, 1.0), Given("PERSON", 5, 8, 1.0)]
    done = AnonymizerEngine().anonymize(
        text, items, {"PERSON": OperatorConfig("replace", {"new_value": "X"})}
    )
    assert len(done.items) == 1


def test_operators_are_added_to_the_list_new_engines_read(monkeypatch):
    from presidio_anonymizer.operators import operators_factory

    from presidio_mx.replace.operators import OPERATORS

    before = list(operators_factory.ANONYMIZERS)
    monkeypatch.setattr(operators_factory, "ANONYMIZERS", before)
    compat.add_operators_globally(OPERATORS)
    compat.add_operators_globally(OPERATORS)
    names = [cls().operator_name() for cls in OPERATORS]
    assert set(names) <= set(AnonymizerEngine().get_anonymizers())


def test_the_schema_passes_our_parameters():
    from presidio_mx.work.service.schema import allow_parameters

    allow_parameters()
    try:
        from presidio_analyzer.input_validation import yaml_recognizer_models as models
    except ImportError:
        return  # before the schema every parameter is passed on
    config = models.CONFIG_MODEL_MAP["MxPersonRecognizer"]
    entry = config(name="MxPersonRecognizer", type="predefined", site="/s")
    assert entry.model_dump()["site"] == "/s"


def test_two_neighbours_over_a_line_end_stay_two():
    """A blank and a line end between two people once broke the call."""
    from presidio_mx.replace.engine import anonymize

    text = "Ana \nLuz"
    items = [RecognizerResult("PERSON", 0, 3, 1.0), RecognizerResult("PERSON", 5, 8, 1)]
    assert anonymize(text, items, "tag").text == "{NOMBRE} \n{NOMBRE}"
