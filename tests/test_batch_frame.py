"""Frames of pandas and polars in Python, and presidio-structured."""

import pytest
from batch_helpers import KEY, shout, use_shout, write_csv

from presidio_mx import analyze_and_anonymize
from presidio_mx.batch import deidentify
from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.work.batch.structured import structured_operators

DATA = {
    "nss": [7, 7, None],
    "nombre": ["Rosa Paz Luna", "Rosa Paz Luna; Rosita", None],
    "edad": [40, 41, 42],
    "nota": ["Rosa Paz Luna, tel. 443 312 4567", None, "Niega alergias."],
}
HOW = {
    "text": "nota",
    "known": {"paciente": "nombre"},
    "id": "nss",
    "keep": "edad",
    "operators": "surrogate",
    "key": KEY,
    "ner": "none",
}


def pandas_frame():
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(DATA, index=[5, 5, 9])


def polars_frame():
    return pytest.importorskip("polars").DataFrame(DATA)


def test_pandas():
    frame = pandas_frame()
    before = frame.copy()
    seen = []
    done = deidentify(frame, **HOW, progress=lambda rows, total: seen.append(rows))
    assert list(done.data.columns) == ["edad", "nota"]
    assert list(done.data.index) == [5, 5, 9]
    assert done.data["edad"].dtype == frame["edad"].dtype
    assert done.data["nota"].dtype == frame["nota"].dtype
    first, second, third = done.data["nota"]
    expected = analyze_and_anonymize(
        DATA["nota"][0],
        "surrogate",
        known={"patient": DATA["nombre"][0]},
        key=KEY,
        scope="patient:7",
        ner="none",
    )
    assert first == expected.text
    assert second is None or second != second
    assert third == "Niega alergias."
    assert seen[-1] == 3
    assert frame.equals(before)
    assert done.totals.entities["PERSON"] == 1


def test_polars_equals_pandas():
    one = deidentify(pandas_frame(), **HOW, known_as="replace", id_as="replace")
    other = deidentify(polars_frame(), **HOW, known_as="replace", id_as="replace")
    names = ["nss", "nombre", "edad", "nota"]
    assert list(other.data.columns) == list(one.data.columns) == names
    rows = other.data.to_dict(as_series=False)
    assert rows["nombre"][0] == one.data["nombre"].iloc[0]
    assert rows["nota"][0].startswith(rows["nombre"][0])
    assert rows["nombre"][1].startswith(rows["nombre"][0] + "; ")
    assert rows["nss"][0] == rows["nss"][1] != "7"
    assert rows["nss"][2] is rows["nombre"][2] is None


@pytest.mark.parametrize("make", [pandas_frame, polars_frame])
def test_failed_rows(make):
    frame = make()
    frame = frame.rename(columns={"nota": "x"}) if make is pandas_frame else frame
    how = {"text": "edad", "drop": ("nss", "nombre"), "ner": "none"}
    how["keep"] = "x" if make is pandas_frame else "nota"
    kept = deidentify(frame, **how)
    assert len(kept.data) == 3
    assert [error.row for error in kept.errors] == [1, 2, 3]
    assert "int" in kept.errors[0].reason
    assert len(deidentify(frame, **how, on_error="skip").data) == 0


@pytest.mark.parametrize("make", [pandas_frame, polars_frame])
def test_a_frame_without_rows_keeps_its_columns(make):
    frame = make()[:0]
    done = deidentify(frame, **HOW)
    assert list(done.data.columns) == ["edad", "nota"] and len(done.data) == 0
    assert list(done.data.dtypes) == [frame[name].dtype for name in ("edad", "nota")]
    assert done.totals.rows == 0 and done.errors == ()


def test_several_columns_of_a_row_share_their_surrogates():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(
        {"a": ["Sr. Wenceslao Tzintzún"], "b": ["Acude el Sr. Wenceslao Tzintzún"]}
    )
    how = {"operators": "surrogate", "key": KEY, "ner": "none"}
    made = deidentify(frame, text=["a", "b"], **how).data
    assert made["b"][0] == "Acude el " + made["a"][0]


def test_undeclared_column():
    with pytest.raises(ConfigurationError, match="'edad'"):
        deidentify(polars_frame(), text="nota", drop=["nss", "nombre"])


@pytest.mark.parametrize(
    "index",
    [
        {"index": ["Rosa Paz Luna"]},
        {"index": [("Rosa Paz Luna", 1)]},
        {"index": [40123], "named": "expediente"},
    ],
    ids=["names", "levels", "numbers that have a name"],
)
def test_an_index_does_not_pass_through_undeclared(index):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"nota": ["Acude."]}, index=index["index"])
    frame.index.name = index.get("named")
    with pytest.raises(ConfigurationError, match=r"reset_index\(\)"):
        deidentify(frame, text="nota", ner="none")


@pytest.mark.parametrize("how", [{"text": "nota", "keep": "1"}, {"text": 1}])
def test_columns_that_are_named_by_numbers(how):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([["Acude.", 1]], columns=["nota", 1])
    with pytest.raises(ConfigurationError, match="named by text"):
        deidentify(frame, **how, ner="none")


def test_half_a_character_does_not_lose_the_frame():
    pandas = pytest.importorskip("pandas")
    notes = pandas.Series(["Acude \ud800 Rosa Paz Luna"], dtype=object)
    done = deidentify(pandas.DataFrame({"nota": notes}), text="nota", ner="none")
    assert list(done.data["nota"]) == ["Acude \ud800 {NOMBRE}"]


def test_what_is_no_frame():
    with pytest.raises(InputError, match="DataFrame"):
        deidentify(["nota"], text="nota")
    with pytest.raises(ConfigurationError, match="output"):
        deidentify("in.csv", text="nota")
    with pytest.raises(ConfigurationError, match="output"):
        deidentify(polars_frame(), "out.csv", text="nota")


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (pandas_frame, "pandas.DataFrame"),
        (polars_frame, "polars.DataFrame"),
        (lambda: "in.csv", "builtins.str"),
    ],
)
def test_what_is_no_frame_of_spark(monkeypatch, make, kind):
    pytest.importorskip("pyarrow")
    from presidio_mx.work.batch import spark

    monkeypatch.setattr(spark, "need", lambda *_: None)
    with pytest.raises(InputError, match=f"{kind} is no DataFrame of Spark"):
        spark.deidentify(make(), **HOW)


def test_path(tmp_path):
    source = write_csv(
        tmp_path / "in.csv", [["nota"], ["Sra. Xóchitl Paz"], ["a", "b"]]
    )
    seen = []
    done = deidentify(
        source,
        tmp_path / "out.csv",
        text="nota",
        ner="none",
        progress=lambda rows, total: seen.append(rows),
    )
    assert done.data == tmp_path / "out.csv"
    assert done.errors[0].row == 2
    assert seen == [2]


def test_presidio_structured():
    pandas = pytest.importorskip("pandas")
    structured = pytest.importorskip("presidio_structured")
    names = ["Rosa Paz Luna", "Wenceslao Tzintzún Cruz"]
    frame = pandas.DataFrame({"nombre": names, "tel": ["4433124567", "5512345678"]})
    analysis = structured.StructuredAnalysis(
        entity_mapping={"nombre": "PERSON", "tel": "PHONE_NUMBER"}
    )
    operators = structured_operators(["PERSON", "PHONE_NUMBER"], key=KEY)
    made = structured.StructuredEngine().anonymize(frame.copy(), analysis, operators)
    ours = deidentify(
        frame.assign(nota=["Sra. Rosa Paz Luna", "Sr. Wenceslao Tzintzún Cruz"]),
        text="nota",
        known={"patient": "nombre", "phone": "tel"},
        known_as="replace",
        operators="surrogate",
        key=KEY,
        corpus=True,
        ner="none",
    ).data
    assert list(made["nombre"]) == list(ours["nombre"])
    assert list(made["tel"]) == list(ours["tel"])
    assert list(ours["nota"]) == [
        f"Sra. {made['nombre'][0]}",
        f"Sr. {made['nombre'][1]}",
    ]
    assert not set(made["nombre"]) & set(names)


def test_presidio_structured_needs_a_key(monkeypatch):
    monkeypatch.delenv("PRESIDIO_MX_KEY", raising=False)
    with pytest.raises(ConfigurationError, match="key"):
        structured_operators(["PERSON"])
    assert structured_operators(["PERSON"], "tag")["PERSON"].operator_name == "tag"


def test_sensitivity_reaches_the_rows(tmp_path, monkeypatch):
    asked = []

    def told(settings, cells):
        asked.append(settings.sensitivity)
        return shout(settings, cells)

    use_shout(monkeypatch, told)
    frame = pytest.importorskip("pandas").DataFrame({"nota": ["tos"]})
    deidentify(frame, text="nota", ner="none", sensitivity="high")
    source = write_csv(tmp_path / "in.csv", [["nota"], ["tos"]])
    how = {"text": "nota", "ner": "none"}
    deidentify(source, tmp_path / "out.csv", sensitivity=0.3, **how)
    assert asked == ["high", 0.3]


def test_sensitivity_travels_to_the_executors_of_spark(monkeypatch):
    pytest.importorskip("pyarrow")
    from presidio_mx.work.batch import spark

    class Frame:
        columns, schema = ["nota"], None

        def select(self, *names):
            return self

        def mapInArrow(self, work, schema):  # noqa: N802 - Spark's name
            return work.args[0]

    monkeypatch.setattr(spark, "need", lambda *_: None)
    monkeypatch.setattr(spark, "_spark_schema", lambda *_: None)
    plan = spark.deidentify(Frame(), text="nota", ner="none", sensitivity="high")
    assert plan.settings.sensitivity == "high"


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"sensitivity": "hihg"}, "sensitivity is high, balanced, exact or"),
        ({"sensitivity": 1}, "sensitivity is high"),
        ({"people": "all"}, "people .* is everyone or patient_and_relatives"),
        ({"timeout": -1}, "seconds"),
        ({"operators": "nope"}, "unknown operator profile"),
    ],
)
def test_wrong_options_of_spark_are_told_on_the_driver(monkeypatch, how, said):
    pytest.importorskip("pyarrow")
    from presidio_mx.work.batch import spark

    class Frame:
        columns, mapInArrow = ["nota"], None  # noqa: N815 - Spark's name

    monkeypatch.setattr(spark, "need", lambda *_: None)
    with pytest.raises(ConfigurationError, match=said):
        spark.deidentify(Frame(), text="nota", ner="none", **how)


@pytest.mark.parametrize(
    ("column", "how", "said"),
    [
        ("a.b", {}, "withColumnRenamed"),
        ("Error", {}, "already"),
        ("alta", {"counts": "alta"}, "already"),
        ("alta", {"counts": "error"}, "both name a column 'error'"),
        ("alta", {"error": "Why", "counts": "why"}, "both name a column 'why'"),
    ],
)
def test_columns_that_spark_cannot_take_are_told_beforehand(
    monkeypatch, column, how, said
):
    pytest.importorskip("pyarrow")
    from presidio_mx.work.batch import spark

    class Frame:
        columns, mapInArrow = ["nota", column], None  # noqa: N815 - Spark's name

    monkeypatch.setattr(spark, "need", lambda *_: None)
    with pytest.raises(ConfigurationError, match=said):
        spark.deidentify(Frame(), text="nota", keep=column, ner="none", **how)


def test_progress_of_a_path_has_the_rows_there_are_where_they_are_known(
    tmp_path, monkeypatch
):
    use_shout(monkeypatch)
    (tmp_path / "in").mkdir()
    for name in "ab":
        (tmp_path / "in" / f"{name}.txt").write_text("tos")
    table = write_csv(tmp_path / "in.csv", [["text"], ["tos"]])
    seen = []
    for source, out in ((tmp_path / "in", "out"), (table, "out.csv")):
        target = tmp_path / out
        deidentify(source, target, ner="none", progress=lambda *n: seen.append(n))
    assert seen == [(2, 2), (1, None)]
