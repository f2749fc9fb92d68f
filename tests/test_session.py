"""One call, one walk: what recognizers share, and what each of them returns."""

import threading

import pytest
from presidio_analyzer import (
    AnalyzerEngine,
    Pattern,
    PatternRecognizer,
    RecognizerRegistry,
)
from presidio_analyzer.nlp_engine import NlpEngineProvider

from presidio_mx import analyze, build_analyzer
from presidio_mx.find.engine import mx_recognizers
from presidio_mx.find.grammar.scan import Grammar
from presidio_mx.find.ner.tagger import MxTaggerRecognizer
from presidio_mx.find.nlp import MxNlpEngine
from presidio_mx.text.spans import Span

NOTE = (
    "Paciente hipertenso Jesús Mendoza Mares, 54 años, de Morelia. Tel. 443 312 4567. "
    "Acude con su hija Erandi, atiende Dra. Paula Tinoco. NHC: 123456."
)


class Tagger(MxTaggerRecognizer):
    """A model that marks given texts."""

    KIND = "toy"

    def __init__(self, marks, path, **kwargs):
        self.marks = marks
        super().__init__(path, **kwargs)

    def load(self):
        self.model_hash = "0" * 12
        self.entities_of_model = sorted({entity for _, entity, _ in self.marks})

    def spans(self, text):
        for mark, entity, score in self.marks:
            start = text.find(mark)
            if start >= 0:
                yield Span(start, start + len(mark), entity, score=score)


def engine_of(recognizers):
    nlp = MxNlpEngine()
    nlp.load()
    registry = RecognizerRegistry(recognizers=recognizers, supported_languages=["es"])
    return AnalyzerEngine(registry=registry, nlp_engine=nlp, supported_languages=["es"])


def spans(results):
    return sorted((r.start, r.end, r.entity_type) for r in results)


def marked(text, results):
    return sorted((text[r.start : r.end], r.entity_type) for r in results)


@pytest.fixture
def scans(monkeypatch):
    """Count how often the rules run."""
    count = []
    scan = Grammar.scan

    def counting(self, *args, **kwargs):
        count.append(1)
        return scan(self, *args, **kwargs)

    monkeypatch.setattr(Grammar, "scan", counting)
    return count


def test_both_parts_of_a_model_s_span_cut_in_two_are_returned(tmp_path):
    text = "Xochipitzin    Zumpahuaque"
    tagger = Tagger([(text, "PERSON", 0.95)], tmp_path)
    found = build_analyzer(ner="none", recognizers=[tagger]).analyze(text, "es")
    covered = {i for r in found for i in range(r.start, r.end)}
    assert {i for i, char in enumerate(text) if char != " "} <= covered


def test_parts_in_two_columns_are_returned(tmp_path):
    text = "Hospital Zyrquis\tQwertz Sanatorio\nNota"
    tagger = Tagger([("Zyrquis\tQwertz", "ORGANIZATION", 0.6)], tmp_path)
    found = engine_of([tagger, *mx_recognizers()]).analyze(text, "es")
    parts = {mark for mark, _ in marked(text, found)}
    assert any("Zyrquis" in part for part in parts)
    assert any("Qwertz" in part for part in parts)


def test_a_stock_span_that_lost_is_not_returned():
    pattern = Pattern("surname", "Mendoza Mares", 0.2)
    stock = PatternRecognizer(
        "NRP", patterns=[pattern], supported_language="es", name="Stock"
    )
    found = build_analyzer(ner="none", recognizers=[stock]).analyze(NOTE, "es")
    assert ("Jesús Mendoza Mares", "PERSON") in marked(NOTE, found)
    assert "NRP" not in {result.entity_type for result in found}


def test_a_stock_span_that_nothing_disputes_is_returned():
    pattern = Pattern("word", "hipertenso", 0.2)
    stock = PatternRecognizer(
        "NRP", patterns=[pattern], supported_language="es", name="Stock"
    )
    found = build_analyzer(ner="none", recognizers=[stock]).analyze(NOTE, "es")
    assert ("hipertenso", "NRP") in marked(NOTE, found)


@pytest.mark.parametrize("model_first", [True, False])
def test_order_of_recognizers_does_not_matter(tmp_path, model_first):
    tagger = Tagger([("Erandi, atiende", "PERSON", 0.9)], tmp_path)
    rules = mx_recognizers()
    both = [tagger, *rules] if model_first else [*rules, tagger]
    found = marked(NOTE, engine_of(both).analyze(NOTE, "es"))
    # A model is trusted before rules.
    assert [mark for mark, _ in found if "Erandi" in mark] == ["Erandi, atiende"]


def test_rules_run_once_beside_a_model_and_known_data(tmp_path, scans):
    tagger = Tagger([("Erandi", "PERSON", 0.9)], tmp_path)
    engine_of([tagger, *mx_recognizers()]).analyze(NOTE, "es")
    assert len(scans) == 1
    analyze(NOTE, ner="none", known={"patient": "Jesus Mendosa Mares"})
    assert len(scans) == 2


def test_rules_run_once_beside_stock_recognizers(scans):
    stock = PatternRecognizer(
        "NRP",
        patterns=[Pattern("word", "hipertenso", 0.2)],
        supported_language="es",
        name="Stock",
    )
    build_analyzer(ner="none", recognizers=[stock]).analyze(NOTE, "es")
    assert len(scans) == 1


def test_two_presets_in_one_engine_give_what_each_alone_gives():
    mexico, spain = mx_recognizers("mx"), mx_recognizers("es-ES")
    alone = spans(engine_of(mexico).analyze(NOTE, "es"))
    alone += spans(engine_of(spain).analyze(NOTE, "es"))
    together = engine_of([*mx_recognizers("mx"), *mx_recognizers("es-ES")])
    assert spans(together.analyze(NOTE, "es")) == sorted(alone)


def test_each_preset_settles_the_spans_of_its_own_model(tmp_path):
    """The last registered preset used to settle every model's spans."""
    mexico = Tagger([("Dra. Paula Tinoco", "PERSON", 0.9)], tmp_path, preset="mx")
    together = engine_of([mexico, *mx_recognizers("mx"), *mx_recognizers("es-ES")])
    people = [
        mark
        for mark, kind in marked(NOTE, together.analyze(NOTE, "es"))
        if kind == "PERSON"
    ]
    assert people.count("Dra. Paula Tinoco") == 1
    assert "Paula Tinoco" not in people


@pytest.mark.parametrize("entity", ["PERSON", "PHONE_NUMBER", "LOCATION", "AGE"])
def test_one_entity_asked_for_is_what_all_give(tmp_path, entity):
    marks = [("Erandi", "PERSON", 0.9), ("de Morelia", "LOCATION", 0.9)]
    engine = engine_of([Tagger(marks, tmp_path), *mx_recognizers()])
    every = [r for r in engine.analyze(NOTE, "es") if r.entity_type == entity]
    assert spans(engine.analyze(NOTE, "es", entities=[entity])) == spans(every)
    assert every


def test_threads_do_not_disturb_one_another(tmp_path):
    tagger = Tagger([("Erandi", "PERSON", 0.9), ("Anahí", "PERSON", 0.9)], tmp_path)
    engine = engine_of([tagger, *mx_recognizers()])
    notes = [NOTE, NOTE.replace("Erandi", "Anahí"), "Sin datos.", NOTE * 2] * 6
    wanted = [spans(engine.analyze(note, "es")) for note in notes]
    found = [None] * len(notes)

    def work(first):
        for place in range(first, len(notes), 4):
            found[place] = spans(engine.analyze(notes[place], "es"))

    threads = [threading.Thread(target=work, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == wanted


def test_an_engine_of_spacy_shares_the_walk_too(scans):
    """Tokens of any spaCy engine carry the session, not only our lazy artifacts."""
    models = [{"lang_code": "es", "model_name": "presidio_mx"}]
    nlp = NlpEngineProvider(
        nlp_configuration={"nlp_engine_name": "spacy", "models": models}
    ).create_engine()
    registry = RecognizerRegistry(
        recognizers=mx_recognizers(), supported_languages=["es"]
    )
    stock = AnalyzerEngine(
        registry=registry, nlp_engine=nlp, supported_languages=["es"]
    )
    assert spans(stock.analyze(NOTE, "es")) == spans(analyze(NOTE, ner="none"))
    assert len(scans) == 2


def test_what_a_rule_saw_beside_known_data_stays_marked():
    found = analyze(NOTE, ner="none", known={"patient": "Mendoza Mares"})
    people = [mark for mark, kind in marked(NOTE, found) if kind == "PERSON"]
    assert "Jesús Mendoza Mares" in people
