"""A known patient's own data are found however they are written."""

import pytest

from presidio_mx import ConfigurationError, analyze, analyze_and_anonymize
from presidio_mx.find.known import Known, find_address, find_name
from presidio_mx.find.preset import load_preset

PATIENT = "María Guadalupe Hernández Zavala"


def names(text, name=PATIENT):
    document = load_preset("mx").read(text)
    return [text[s:e] for s, e in find_name(document, name)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("vino maria guadalupe hernandez zavala", ["maria guadalupe hernandez zavala"]),
        ("HERNÁNDEZ ZAVALA MARÍA G.", ["HERNÁNDEZ ZAVALA MARÍA G."]),
        ("Ma. Gpe. Hernandes Z.", ["Ma. Gpe. Hernandes Z."]),
        ("la pac. hernadez comenta", ["hernadez"]),
        ("M.G.H.Z. acude", ["M.G.H.Z."]),
        ("MGHZ acude", ["MGHZ"]),
        ("G. Zavala firma", ["G. Zavala"]),
        ("zavala, hernandez", ["zavala, hernandez"]),
        ("sin datos de alarma, luz encendida", []),
        ("mg de paracetamol", []),
    ],
)
def test_name(text, wanted):
    assert names(text) == wanted


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("Eva Sol Ruiz", "Dolor EVA 7/10, refiere Eva", ["Eva"]),
        ("Eva Sol Ruiz", "Dolor EVA de 7, cede", []),
        ("Eva Sol Ruiz", "Cama 4: Eva 12 dice", ["Eva"]),
        ("Eva Sol Ruiz", "acude EVA de 34 años", ["EVA"]),
        ("Eva Sol Ruiz", "llama EVA 4433124567", ["EVA"]),
        ("Elena Vargas Avila", "EVA 6/10. Firma EVA", ["EVA"]),
        ("Tomasa Flores Gil", "Creatinina 1.8, TFG: 42 ml/min", []),
        ("Pedro Cruz Ramos", "Lab PCR 12.4, VSG 20. PCR acude", ["PCR"]),
        ("Pedro Cruz Ramos", "P.C.R. 12", ["P.C.R."]),
    ],
)
def test_a_scale_or_test_with_its_value_is_no_name(name, text, wanted):
    assert names(text, name) == wanted


def test_an_ordinary_word_needs_company_or_a_capital():
    assert names("no soporta la luz ni los dolores", "Luz Dolores Paz") == []
    assert names("hoy vino Luz", "Luz Dolores Paz") == ["Luz"]
    assert names("luz paz vino", "Luz Dolores Paz") == ["luz paz"]


@pytest.mark.parametrize(
    ("field", "value", "text", "wanted"),
    [
        ("phone", "443 312 4567", "marcar al 44.33.12.45.67", "44.33.12.45.67"),
        ("phone", "+52 443 312 4567", "otro 3124567 y 4433124567", "4433124567"),
        (
            "curp",
            "MEMJ850312HMNNRS09",
            "MEMJ 850312 HMNNRS O9",
            "MEMJ 850312 HMNNRS O9",
        ),
        ("nss", "12345678903", "afil 1234-56-7890-3", "1234-56-7890-3"),
        ("record", "TS-0417/24", "folio ts 0417 24", "ts 0417 24"),
        ("email", "ana@x.mx", "escribe a ANA@X.MX", "ANA@X.MX"),
    ],
)
def test_codes(field, value, text, wanted):
    found = [
        text[r.start : r.end]
        for recognizer in Known.of({field: value}).recognizers()
        for r in recognizer.analyze(text, [])
    ]
    assert found == [wanted]


def test_address():
    text = "dice que vive en alldama 45 por el centro, con su tía"
    document = load_preset("mx").read(text)
    spans = [text[s:e] for s, e in find_address(document, "Calle Aldama 45, Centro")]
    assert spans == ["alldama 45 por el centro"]


def test_known_data_win_and_nothing_overlaps():
    text = "zavala hernandes guadalupe, hijo de Ramiro, exp 99-A-17"
    known = {"patient": PATIENT, "relatives": ["Ramiro Zavala"], "record": "99A17"}
    results = analyze(text, known=known)
    assert [text[r.start : r.end] for r in results] == [
        "zavala hernandes guadalupe",
        "Ramiro",
        "99-A-17",
    ]
    assert analyze_and_anonymize(text, known=known).text == (
        "{NOMBRE}, hijo de {NOMBRE}, exp {EXPEDIENTE}"
    )


def test_an_unknown_field_is_pointed_at_and_not_quoted():
    with pytest.raises(ConfigurationError, match="field number 2.*there are patient"):
        Known.of({"phone": "443 312 4567", PATIENT: "patient"})
    try:
        Known.of({PATIENT: "patient"})
    except ConfigurationError as error:
        assert "Zavala" not in str(error)


@pytest.mark.parametrize("missing", [float("nan"), 4433124567, b"x", [None], {"a": 1}])
def test_what_is_no_text_gets_one_sentence(missing):
    with pytest.raises(ConfigurationError, match="patient must be text or a list"):
        analyze("sin datos", known={"patient": missing})


@pytest.mark.parametrize("empty", [None, "", [], ["", " "]])
def test_empty_fields_are_passed_over(empty):
    assert Known.of({"patient": empty}) == Known()


def test_repr_shows_no_data():
    known = Known.of({"patient": PATIENT})
    assert "Zavala" not in repr(known) + repr([known]) + repr(known.recognizers()[0])
