"""A walk through presidio-mx: find, tag, redact, replace, plug into Presidio.

Run it with ``python samples/walkthrough.py``; everybody in the notes is invented.
"""

from pathlib import Path

from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
from presidio_anonymizer.entities import OperatorConfig

from presidio_mx import analyze, analyze_and_anonymize, register_recognizers
from presidio_mx.find.nlp import MxNlpEngine

NOTES = Path(__file__).parent / "notes"


def show(title: str, text: str) -> None:
    """Print one step."""
    print(f"\n--- {title}\n{text.strip()}")


def main() -> None:
    """Run the steps."""
    note = (NOTES / "01_trabajo_social.txt").read_text(encoding="utf-8")
    show("the note", note)

    found = analyze(note)
    show(
        "what identifies somebody",
        "\n".join(
            f"{r.entity_type:14} {note[r.start : r.end]!r} {r.score:.2f}" for r in found
        ),
    )
    show("tagged", analyze_and_anonymize(note).text)
    show("redacted", analyze_and_anonymize(note, operators="redact").text)
    show(
        "with surrogates under a key",
        analyze_and_anonymize(
            note, operators="surrogate", key="a demo key, 16+ bytes"
        ).text,
    )
    show(
        "staff names stay",
        analyze_and_anonymize(note, people="patient_and_relatives").text,
    )
    show(
        "one operator of your own",
        analyze_and_anonymize(
            note, operators={"PERSON": OperatorConfig("replace", {"new_value": "***"})}
        ).text,
    )
    show(
        "a patient whose data the record knows",
        analyze_and_anonymize(
            "la mamá de erandy sintsun marca del 45 2118 7704",
            known={"patient": "Erandi Tzintzun Huerta", "phone": "452 118 77 04"},
        ).text,
    )

    nlp_engine = MxNlpEngine()
    nlp_engine.load()
    registry = RecognizerRegistry(supported_languages=["es"])
    register_recognizers(registry)
    engine = AnalyzerEngine(
        registry=registry, nlp_engine=nlp_engine, supported_languages=["es"]
    )
    results = engine.analyze(note, language="es")
    show("a Presidio engine of your own", f"{len(results)} results")


if __name__ == "__main__":
    main()
