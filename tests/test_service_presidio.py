"""Presidio's HTTP protocol from our own server, and ours beside it."""

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")
from service_client import clients  # noqa: E402

from presidio_mx import analyze  # noqa: E402
from presidio_mx.replace.keys import Key  # noqa: E402
from presidio_mx.work.service.presidio_tasks import without_values  # noqa: E402

NOTE = "Paciente Jesús Mendoza Mares. Tel. 443 312 4567"
KEY = Key(b"7d3a9c51e8f04b62a1c5d97e3f286b04")
ES = {"text": NOTE, "language": "es"}
SPANS = [("PERSON", 9, 28), ("PHONE_NUMBER", 35, 47)]
RESULTS = [
    {"entity_type": kind, "start": start, "end": end, "score": 0.9}
    for kind, start, end in SPANS
]
RESULT = RESULTS[0]


@pytest.fixture
def client(monkeypatch):
    with clients(monkeypatch) as make:
        yield make


def spans(rows):
    return sorted((row["entity_type"], row["start"], row["end"]) for row in rows)


def test_analyze_answers_in_presidio_s_form(client):
    answer = client().post("/analyze", json=ES | {"trace": "1", "correlation_id": 7})
    assert answer.status_code == 200
    rows = answer.json()
    fields = {"analysis_explanation", "end", "entity_type", "score", "start"}
    assert all(set(row) == fields for row in rows)
    assert all(row["analysis_explanation"] is None for row in rows)
    found = analyze(NOTE, ner="none")
    assert spans(rows) == sorted((r.entity_type, r.start, r.end) for r in found)
    assert spans(rows) == SPANS


ZIP = {
    "name": "Zip",
    "supported_language": "es",
    "supported_entity": "ZIP",
    "patterns": [{"name": "zip", "regex": r"\b\d{3} \d{4}\b", "score": 0.99}],
}


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        ({"entities": ["PERSON"]}, {"PERSON"}),
        ({"entities": []}, {"PERSON", "PHONE_NUMBER"}),
        ({"score_threshold": 1}, set()),
        ({"allow_list": ["443 312 4567"]}, {"PERSON"}),
        ({"allow_list": ["4.3"], "allow_list_match": "regex"}, {"PERSON"}),
        (
            {"allow_list": ["4.3"], "allow_list_match": "exact"},
            {"PERSON", "PHONE_NUMBER"},
        ),
        (
            {"allow_list": ["MARES"], "allow_list_match": "regex", "regex_flags": 0},
            {"PERSON", "PHONE_NUMBER"},
        ),
        ({"people": "patient_and_relatives"}, {"PERSON", "PHONE_NUMBER"}),
        (
            dict.fromkeys(["entities", "context", "allow_list", "allow_list_match"]),
            None,
        ),
    ],
)
def test_what_analyze_takes(client, more, wanted):
    answer = client().post("/analyze", json=ES | more)
    assert answer.status_code == 200
    if wanted is not None:
        assert {row["entity_type"] for row in answer.json()} == wanted


def test_ad_hoc_recognizers_are_heard(client):
    body = {"text": "Es gris ABC-77 y sigue.", "language": "es"}
    own = ZIP | {"patterns": [{"name": "c", "regex": r"ABC-\d\d", "score": 0.4}]}
    rows = client().post("/analyze", json=body | {"ad_hoc_recognizers": [own]}).json()
    assert spans(rows) == [("ZIP", 8, 14)]
    listed = {"name": "m", "supported_language": "es", "supported_entity": "M"}
    listed["deny_list"] = ["sigue"]
    rows = client().post("/analyze", json=body | {"ad_hoc_recognizers": [listed]})
    assert spans(rows.json()) == [("M", 17, 22)]


def test_a_decision_is_explained_where_it_is_asked_for(client):
    answer = client().post("/analyze", json=ES | {"return_decision_process": True})
    said = answer.json()[0]["analysis_explanation"]
    assert said["recognizer"].startswith("Mx") and "score" in said


def test_known_data_of_a_patient_go_with_presidio_s_fields(client):
    body = {"text": "Acude XYLO QUÉNTIN.", "language": "es"}
    body["known"] = {"patient": "Xylo Quéntin"}
    assert spans(client().post("/analyze", json=body).json()) == [("PERSON", 6, 18)]


def test_a_list_of_texts_has_a_list_of_lists(client):
    texts = [NOTE, "sin datos", NOTE]
    answer = client().post("/analyze", json={"text": texts, "language": "es"})
    first, none, last = answer.json()
    assert none == [] and spans(first) == spans(last) == SPANS
    long = client(note_bytes=20).post(
        "/analyze", json={"text": texts, "language": "es"}
    )
    assert long.status_code == 413


@pytest.mark.parametrize(
    ("body", "also", "status", "said"),
    [
        ({}, False, 500, "No text provided"),
        ({"language": "es"}, False, 500, "No text provided"),
        ({"text": "", "language": "es"}, False, 500, "No text provided"),
        ({"text": [NOTE]}, False, 500, "No language provided"),
        ({"text": NOTE}, True, 500, "No language provided"),
        (
            {"text": NOTE, "language": "zz"},
            False,
            500,
            "No matching recognizers were found to serve the request.",
        ),
        (
            ES | {"ad_hoc_recognizers": [ZIP | {"patterns": [{"type": "zip"}]}]},
            False,
            400,
            "Failed to parse /analyze request for AnalyzerEngine.analyze(). "
            "Pattern.__init__() got an unexpected keyword argument 'type'",
        ),
        (ES | {"score_threshold": "much"}, False, 422, "score_threshold"),
    ],
)
def test_what_analyze_refuses(client, body, also, status, said):
    one = client(also=(("en", "blank"),)) if also else client()
    answer = one.post("/analyze", json=body)
    assert answer.status_code == status
    assert said in answer.json()["error"]


def test_ours_needs_no_language(client):
    one = client()
    for body in ({"text": NOTE}, {"text": NOTE, "people": "everyone"}):
        assert {"role", "rule"} < set(one.post("/analyze", json=body).json()[0])
    # Of a server of several languages one of our own fields says that it is ours.
    two = client(also=(("en", "blank"),))
    assert two.post("/analyze", json={"text": NOTE, "people": "everyone"}).is_success


def anonymized(client, **body):
    body = {"text": NOTE, "analyzer_results": RESULTS} | body
    return client.post("/anonymize", json=body)


def test_anonymize_answers_in_presidio_s_form(client):
    answer = anonymized(client(), anonymizers={"PERSON": {"type": "redact"}})
    assert answer.status_code == 200
    done = answer.json()
    assert done["text"] == "Paciente . Tel. <PHONE_NUMBER>"
    fields = ("start", "end", "entity_type", "text", "operator")
    assert [tuple(item[name] for name in fields) for item in done["items"]] == [
        (16, 30, "PHONE_NUMBER", "<PHONE_NUMBER>", "replace"),
        (9, 9, "PERSON", "", "redact"),
    ]


def test_results_of_analyze_go_into_anonymize_as_they_are(client):
    one = client()
    rows = one.post("/analyze", json=ES | {"return_decision_process": True}).json()
    answer = one.post("/anonymize", json={"text": NOTE, "analyzer_results": rows})
    assert answer.json()["text"] == "Paciente <PERSON>. Tel. <PHONE_NUMBER>"


def test_our_operators_agree_over_the_whole_text(client):
    text = "Paciente Jesús Mendoza. El Sr. Mendoza niega todo."
    rows = [
        {"entity_type": "PERSON", "start": start, "end": end, "score": 0.9}
        for start, end in ((9, 22), (31, 38))
    ]
    body = {"text": text, "analyzer_results": rows}
    body["anonymizers"] = {"PERSON": {"type": "surrogate"}}
    done = client(key=KEY).post("/anonymize", json=body).json()
    last, first = done["items"]
    assert last["operator"] == "surrogate" and "Mendoza" not in done["text"]
    assert done["text"][last["start"] : last["end"]] == last["text"]
    assert last["text"] in first["text"].split()  # the same invented surname
    rest = {"PHONE_NUMBER": {"type": "tag"}}
    answer = anonymized(client(), anonymizers=rest).json()
    assert answer["text"] == "Paciente <PERSON>. Tel. {TEL}"


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        ({"analyzer_results": None}, 422, "request must contain analyzer results"),
        ({"anonymizers": {"DEFAULT": {"type": "custom"}}}, 400, "Custom type"),
        (
            {"anonymizers": {"DEFAULT": {"type": "encrypt", "key": "k"}}},
            422,
            "128, 192",
        ),
        ({"anonymizers": {"DEFAULT": {"type": "surrogate"}}}, 422, "--ephemeral-key"),
        ({"anonymizers": {"DEFAULT": {"type": "tag", "style": "x"}}}, 422, "style"),
        ({"anonymizers": {"DEFAULT": {}}}, 422, "must contain operator_name"),
        ({"analyzer_results": [{"start": 1}]}, 422, "must contain end"),
        ({"analyzer_results": 7}, 422, "analyzer_results"),
        ({"anonymizers": {"PERSON": {"type": ["x"]}}}, 422, "wrong kind"),
        ({"anonymizers": {"PERSON": {"type": 7}}}, 422, "wrong kind"),
        ({"analyzer_results": [RESULT | {"score": "x"}]}, 422, "wrong kind"),
        ({"analyzer_results": [RESULT | {"entity_type": 7}]}, 422, "wrong kind"),
    ],
)
def test_what_anonymize_refuses(client, more, status, said):
    answer = anonymized(client(), **more)
    assert (answer.status_code, said in answer.json()["error"]) == (status, True)


SOMEBODY = "Wenceslao Zurita"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("analyze", {"language": SOMEBODY}),
        ("analyze", {"language": "es", "entities": [SOMEBODY]}),
        ("analyze", {"language": "es", "allow_list_match": SOMEBODY}),
        ("analyze", {"language": "es", "known": {SOMEBODY: SOMEBODY}}),
        ("analyze", {"language": "es", "ad_hoc_recognizers": [{SOMEBODY: SOMEBODY}]}),
        ("analyze", {SOMEBODY: 1}),
        ("anonymize", {"operators": SOMEBODY}),
        ("anonymize", {SOMEBODY: SOMEBODY}),
        ("anonymize", {"anonymizers": {"PERSON": {"type": SOMEBODY}}}),
        ("anonymize", {"anonymizers": {SOMEBODY: {SOMEBODY: SOMEBODY}}}),
        ("anonymize", {"anonymizers": {"PERSON": {"type": "tag", SOMEBODY: SOMEBODY}}}),
        (
            "anonymize",
            {"anonymizers": {"PERSON": {"type": "hash", "hash_type": SOMEBODY}}},
        ),
        ("anonymize", {"analyzer_results": [{SOMEBODY: SOMEBODY}]}),
        ("deanonymize", {"deanonymizers": {SOMEBODY: {"type": SOMEBODY}}}),
        ("deanonymize", {"deanonymizers": {"DEFAULT": {"type": SOMEBODY}}}),
        ("deanonymize", {"deanonymizers": {"DEFAULT": {"type": "decrypt"}}}),
        (
            "deanonymize",
            {"deanonymizers": {"DEFAULT": {"type": "decrypt", "key": SOMEBODY}}},
        ),
        ("deanonymize", {"anonymizer_results": [{SOMEBODY: SOMEBODY}]}),
    ],
)
def test_no_answer_quotes_a_key_or_a_value_of_the_request(client, path, body):
    rest = {"text": NOTE}
    if "anonymizers" in body:
        rest["analyzer_results"] = [RESULT]
    if path == "deanonymize":
        rest["anonymizer_results"] = [RESULT]
    answer = client().post(f"/{path}", json=rest | body)
    assert answer.status_code in (400, 422, 500)  # 500 is Presidio's
    assert set(answer.json()) == {"error"}
    assert "internal" not in answer.text
    for word in (*SOMEBODY.split(), "Mendoza"):
        assert word not in answer.text


@pytest.mark.parametrize("path", ["/anonymize", "/deanonymize"])
@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"{}", "Invalid request json"),
        (b"null", "Invalid request json"),
        (b"{,}", "The browser (or proxy) sent a request that this server could not"),
    ],
)
def test_bodies_that_are_no_request(client, path, body, said):
    headers = {"content-type": "application/json"}
    answer = client().post(path, content=body, headers=headers)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(said)


def test_what_was_encrypted_is_decrypted(client):
    one, key = client(), "1111111111111111"
    kinds = {"DEFAULT": {"type": "encrypt", "key": key}}
    done = anonymized(one, anonymizers=kinds).json()
    assert "Mendoza" not in done["text"]
    body = {
        "text": done["text"],
        "anonymizer_results": done["items"],
        "deanonymizers": {"DEFAULT": {"type": "decrypt", "key": key}},
    }
    back = one.post("/deanonymize", json=body).json()
    assert back["text"] == NOTE
    assert {item["operator"] for item in back["items"]} == {"decrypt"}
    for body, text in (({"text": "x"}, "x"), ({"key": key}, "")):
        answer = one.post("/deanonymize", json=body)
        assert answer.json() == {"text": text, "items": []}


def test_lists(client):
    one = client()
    assert "MX_CURP" in one.get("/supportedentities?language=es").json()
    assert "MX_CURP" in one.get("/supportedentities?unknown=input").json()
    assert "MxPersonRecognizer" in one.get("/recognizers?language=es").json()
    stock = {"hash", "mask", "redact", "replace", "encrypt", "custom", "keep"}
    assert stock | {"tag", "surrogate"} <= set(one.get("/anonymizers").json())
    assert "decrypt" in one.get("/deanonymizers").json()
    for path in ("/supportedentities", "/recognizers"):
        answer = one.get(f"{path}?language=he")
        assert answer.status_code == 500
        assert answer.json()["error"].startswith("No matching recognizers")
    assert one.get("/analyze").status_code == 405


def test_another_language_has_presidio_s_own_recognizers(client, tmp_path):
    import spacy

    spacy.blank("en").to_disk(tmp_path / "en")
    one = client(also=(("en", str(tmp_path / "en")),))
    text = "Mail admin@example.com, card 4012888888881881"
    rows = one.post("/analyze", json={"text": text, "language": "en"}).json()
    kinds = {row["entity_type"] for row in rows}
    assert {"EMAIL_ADDRESS", "CREDIT_CARD"} <= kinds and "MEDICAL_RECORD" not in kinds
    assert spans(one.post("/analyze", json=ES).json()) == SPANS
    names = one.get("/recognizers").json()
    assert {"MxPersonRecognizer", "UsSsnRecognizer"} <= set(names)
    assert "UsSsnRecognizer" not in one.get("/recognizers?language=es").json()


def test_limits_hold_on_presidio_s_routes(client):
    one = client(note_bytes=10)
    for path, body in (
        ("/analyze", ES),
        ("/anonymize", {"text": NOTE, "analyzer_results": RESULTS}),
        ("/deanonymize", {"text": NOTE}),
    ):
        assert one.post(path, json=body).status_code == 413


@pytest.mark.parametrize(
    ("sentence", "request_", "wanted"),
    [
        ("got 'Ana Soto'", {"x": {"Ana Soto": 1}}, "got '…'"),
        ("key 'type'", {"x": [{"type": "type"}]}, "key 'type'"),
        ("start 4433124567", {"x": [{"start": 4433124567}]}, "start …"),
        ("value 'a\\nb'", {"x": "a\nb"}, "value '…'"),
        ("128 bits", {"x": 12}, "128 bits"),
        ("No text provided", {"text": ""}, "No text provided"),
    ],
)
def test_sentences_lose_what_stood_in_the_request(sentence, request_, wanted):
    assert without_values(sentence, request_) == wanted
