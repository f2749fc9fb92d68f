"""Spark on a real local session: the same as a local batch, whatever the partitions."""

import os

import pytest
from batch_helpers import KEY

from presidio_mx.batch import deidentify as local
from presidio_mx.errors import ConfigurationError

pytestmark = pytest.mark.heavy

HOW = {
    "text": ["nota", "evolucion"],
    "known": {"paciente": "nombre"},
    "id": "nss",
    "keep": ["folio", "alta", "claves"],
    "known_as": "replace",
    "id_as": "replace",
    "operators": "surrogate",
    "key": KEY,
    "ner": "none",
}


@pytest.fixture(scope="module")
def session():
    pyspark = pytest.importorskip("pyspark")
    import shutil
    import sys

    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("Spark needs Java")
    import presidio_mx

    folder = os.path.dirname(os.path.dirname(presidio_mx.__file__))
    path = folder + os.pathsep + os.environ.get("PYTHONPATH", "")
    with pytest.MonkeyPatch.context() as patch:
        # Spark reads these when it starts; later tests must not inherit them.
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("PYTHONPATH", path)
        session = _session(pyspark)
        yield session
        session.stop()


def _session(pyspark):
    session = (
        pyspark.sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "1g")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    return session


def rows():
    import datetime

    people = ["Rosa Paz Luna", "Wenceslao Tzintzún Cruz", "Yadhira Cuiriz Baltazar"]
    for number in range(24):
        name = people[number % 3]
        yield {
            "folio": number,
            "nss": f"{number % 3:011d}",
            "nombre": name,
            "alta": datetime.datetime(2020, 1, 1 + number),
            "claves": ["I10", "E11"][: number % 3],
            "nota": f"Acude {name}, tel. 443 312 {number:04d}" if number else None,
            "evolucion": f"La Sra. {name.split()[0]} egresa a Morelia, Mich.",
        }


def frame(session):
    schema = (
        "folio int, nss string, nombre string, alta timestamp, claves array<string>, "
        "nota string, evolucion string"
    )
    return session.createDataFrame([tuple(row.values()) for row in rows()], schema)


@pytest.mark.parametrize("partitions", [2, 4])
def test_equal_on_every_executor_and_to_a_local_batch(session, partitions):
    polars = pytest.importorskip("polars")
    from presidio_mx.work.batch.spark import deidentify

    df = frame(session).repartition(partitions)
    made = deidentify(df, **HOW, counts="entities")
    assert made.columns == [*df.columns, "error", "entities"]
    assert made.schema["alta"] == df.schema["alta"]
    collected = sorted(made.collect(), key=lambda row: row["folio"])
    expected = local(polars.DataFrame(list(rows())), **HOW).data
    names = ["folio", "nss", "nombre", "alta", "claves", "nota", "evolucion"]
    for row, same in zip(collected, expected.iter_rows(named=True), strict=True):
        assert {name: row[name] for name in names} == same
        assert row["error"] is None
    assert collected[1]["entities"]["PHONE_NUMBER"] == 1
    assert "Rosa" not in str(collected)


def test_engines_are_built_once_in_a_process(session):
    from presidio_mx.pipeline import shared_analyzer
    from presidio_mx.work.batch.spark import deidentify

    deidentify(frame(session).repartition(4), **HOW).collect()

    def builds(_):
        yield os.getpid(), shared_analyzer.cache_info().misses

    found = session.sparkContext.parallelize(range(8), 4).mapPartitions(builds)
    assert all(misses <= 1 for _, misses in found.collect())


def test_dropped_columns_and_wrong_declarations(session):
    from presidio_mx.work.batch.spark import deidentify

    df = frame(session)
    how = {"text": "nota", "operators": "tag", "ner": "none"}
    with pytest.raises(ConfigurationError, match="'claves'"):
        deidentify(df, **how, drop=["folio"])
    others = ["nss", "nombre", "alta", "claves", "evolucion"]
    with pytest.raises(ConfigurationError, match="not text"):
        deidentify(df, **(how | {"text": "folio"}), drop=["nota", *others])
    made = deidentify(df, **how, keep="folio", drop=others)
    assert made.columns == ["folio", "nota", "error"]
    assert made.count() == 24


def test_surrogates_without_a_key_do_not_start(session, monkeypatch):
    from presidio_mx.work.batch.spark import deidentify

    monkeypatch.delenv("PRESIDIO_MX_KEY", raising=False)
    with pytest.raises(ConfigurationError, match="key"):
        deidentify(frame(session), **(HOW | {"key": None}))


def test_the_sample_job(session, tmp_path):
    import subprocess
    import sys
    from pathlib import Path

    job = Path(__file__).parent.parent / "samples" / "spark" / "job.py"
    frame(session).repartition(2).write.parquet(str(tmp_path / "in"))
    command = [sys.executable, job, tmp_path / "in", tmp_path / "out"]
    command += ["--text", "nota", "--text", "evolucion", "--known", "paciente=nombre"]
    command += ["--id", "nss", "--keep", "folio", "--drop", "alta", "--drop", "claves"]
    environment = os.environ | {"PRESIDIO_MX_KEY": KEY.decode()}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False
    )
    assert "24 rows, 0 failed" in done.stdout, done.stderr[-2_000:]
    assert "PHONE_NUMBER" in done.stdout
    made = session.read.parquet(str(tmp_path / "out"))
    assert made.columns == ["folio", "nss", "nota", "evolucion", "error", "entities"]
    assert made.count() == 24
