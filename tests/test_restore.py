"""Surrogates that a language model rewrote, and the originals put back."""

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import presidio_mx
from presidio_mx.errors import ConfigurationError
from presidio_mx.replace.restore import Pair, StandIns, put_back
from presidio_mx.research.corpora.store import read_corpus

CASES = yaml.safe_load(
    (Path(__file__).parent / "cases" / "answers.yaml").read_text(encoding="utf-8")
)
MARK = re.compile(r"⟦(.*?)\|(.*?)⟧")
ANSWERS = [
    pytest.param(note, answer, id=f"{note}: {answer['kind']}")
    for note, case in CASES.items()
    for answer in case["answers"]
]
NOTE = (
    "Paciente Jesús Mendoza Mares, 54 años, tel. 443 312 4567, vive en Zacapu, Mich. "
    "Su esposa Ana Ruiz Soto lo acompaña. Atiende la Dra. Luz Ek el 3 de mayo de 2023."
)
CORPUS = Path(__file__).parent.parent / "samples/corpus/dev/a_hospital.jsonl"
KEY = "a passphrase that nobody guesses, 2026"


def hidden(text=NOTE, **how):
    return presidio_mx.hidden(
        text, ner="none", stand_ins="surrogate", key=KEY, scope="document:1", **how
    )


def stand_ins(note):
    """The way back of a case: surrogates, or the tokens of a conversation."""
    pairs = [Pair(*map(str, pair)) for pair in CASES[note]["pairs"]]
    if not pairs[0].shown.startswith("{"):
        return lambda text: put_back(text, StandIns(pairs).places)
    chat = presidio_mx.hidden("", ner="none")
    chat._originals = {pair.shown.strip("{}"): pair.original for pair in pairs}
    return chat.restore


@pytest.mark.parametrize(("note", "answer"), ANSWERS)
def test_answers_as_models_write_them(note, answer):
    back = stand_ins(note)(MARK.sub(r"\1", answer["text"]))
    left = set(answer.get("left", ()))
    kept = MARK.sub(lambda m: m[1] if m[1] in left else m[2], answer["text"])
    assert back.text == kept
    assert left <= set(back.unknown)


def test_all_comes_back_from_an_unchanged_text():
    chat = hidden()
    assert not re.search("Mendoza|Zacapu|Ruiz|Ek|443|mayo", chat.text)
    back = chat.restore(chat.text)
    assert (back.text, back.unknown) == (NOTE, ())


def test_a_person_has_one_surrogate_in_every_turn():
    chat = hidden()
    later = chat.hide("¿Y su esposa, Ana Ruiz? El Sr. MENDOZA no, la Dra. Sara Uc sí")
    wife = re.search(r"esposa ([A-ZÁÉÍÓÚÑ]\w+ [A-ZÁÉÍÓÚÑ]\w+)", chat.text)[1]
    assert f"esposa, {wife}?" in later and "Uc" not in later
    back = chat.restore(later)
    assert back.text == "¿Y su esposa, Ana Ruiz? El Sr. MENDOZA no, la Dra. Sara Uc sí"
    assert "Ana Ruiz Soto" in chat.restore(chat.text).text


def test_repeated_and_doubtful_places_are_told():
    pairs = [Pair("PERSON", "Rosa Luna Ek", "Olga Salas Uc")]
    back = put_back(
        "Olga Salas Uc, Olga Salas Uc. Salas de espera.", StandIns(pairs).places
    )
    assert back.text == "Rosa Luna Ek, Rosa Luna Ek. Salas de espera."
    assert (back.restored, back.repeated) == (2, ("Olga Salas Uc",))
    assert back.unknown == ("Salas",)


def test_what_stands_for_two_originals_stays():
    pairs = [
        Pair("PERSON", "Juan Pech Uc", "Luis Mota Cano"),
        Pair("PERSON", "Hugo Rey Sol", "Raúl Mota Vidal"),
    ]
    back = put_back("El Dr. Mota y Luis Mota.", StandIns(pairs).places)
    assert back.text == "El Dr. Mota y Juan Pech."
    assert back.unknown == ("Mota",)


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_a_stream_cut_anywhere_is_the_whole_answer(data):
    chat = hidden()
    text = f"Resumen:\n{chat.text}\n\n" + chat.text.upper()
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    ends = zip([0, *cuts], [*cuts, len(text)], strict=True)
    pieces = [text[a:b] for a, b in ends]
    assert "".join(chat.stream(pieces)) == chat.restore(text).text


def test_most_notes_come_back_whole():
    """Unchanged notes: what is in doubt stays, nothing false is put in its place."""
    whole = 0
    notes = read_corpus(CORPUS).notes[:40]
    for note in notes:
        chat = hidden(note.text)
        whole += chat.restore(chat.text).text == note.text
    assert whole >= 38


def test_other_stand_ins_are_refused():
    with pytest.raises(ConfigurationError, match="token or surrogate"):
        presidio_mx.hidden(NOTE, stand_ins="mask")


def test_nothing_is_kept_after_the_block():
    with hidden() as chat:
        shown = chat.text
    assert chat.restore(shown).text == shown
