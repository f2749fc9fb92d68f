"""What phrases compute from earlier findings follows the findings, not their list."""

from presidio_mx.find.finding import Finding
from presidio_mx.find.phrases.found import Cover, FoundBefore
from presidio_mx.find.preset import load_preset

STREET = Finding(10, 30, "ADDRESS", 0.9, "address.yaml#x")
TOWN = Finding(40, 50, "LOCATION", 0.9, "location.yaml#x")


def test_a_value_is_computed_once_for_the_same_findings():
    calls = []

    def count(found):
        calls.append(len(found))
        return len(found)

    before = FoundBefore(load_preset("mx").read("nota"))
    found = [STREET]
    assert before.once(count, found) == 1
    assert before.once(count, found) == 1
    assert calls == [1]


def test_a_value_follows_findings_that_are_added_to_the_same_list():
    before = FoundBefore(load_preset("mx").read("nota"))
    found = [STREET]
    assert before.once(len, found) == 1
    found.append(TOWN)
    assert before.once(len, found) == 2
    assert before.once(tuple, [TOWN, TOWN]) == (TOWN, TOWN)


def test_only_the_entities_asked_for_cover_a_note():
    inner = Finding(12, 15, "ADDRESS", 0.5, "address.yaml#y")
    block = Finding(60, 70, "ADDRESS", 0.5, "address.yaml#z", block=True)
    cover = Cover.of([TOWN, inner, STREET, block], ("ADDRESS",))
    covered = [offset for offset in range(80) if cover.holds(offset)]
    assert covered == [*range(10, 30)]


def test_a_place_in_an_address_found_meanwhile_is_none():
    # The list of findings is the same object before and after.
    preset = load_preset("mx")
    phrase = next(
        compiled.phrase
        for compiled in preset.grammar.rules()
        if compiled.phrase and compiled.rule.mark == "<place>"
    )
    document = preset.read("vive en Zitácuaro")
    found = []
    assert phrase.at(document, 8, {"prior": 4.0}, found)
    found.append(Finding(0, 17, "ADDRESS", 0.9, "address.yaml#x"))
    assert phrase.at(document, 8, {"prior": 4.0}, found) is None
