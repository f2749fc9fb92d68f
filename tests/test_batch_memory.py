"""Memory does not grow with the input."""

import json
import tracemalloc

import pytest
from batch_helpers import job, use_shout, write_csv

from presidio_mx.work.batch.run import run


def make_csv(folder, rows):
    lines = ([str(number), "x" * 800 + str(number)] for number in range(rows))
    return write_csv(folder / f"{rows}.csv", [["folio", "nota"], *lines])


def make_jsonl(folder, rows):
    path = folder / f"{rows}.jsonl"
    lines = ({"folio": n, "nota": "x" * 800 + str(n)} for n in range(rows))
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def make_parquet(folder, rows):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    notes = ["x" * 800 + str(number) for number in range(rows)]
    table = pa.table({"folio": range(rows), "nota": notes})
    pq.write_table(table, folder / f"{rows}.parquet", row_group_size=1_000)
    return folder / f"{rows}.parquet"


@pytest.mark.parametrize("make", [make_csv, make_jsonl, make_parquet])
def test_memory_is_flat(make, tmp_path, monkeypatch):
    use_shout(monkeypatch)
    monkeypatch.setattr("presidio_mx.work.batch.inputs.HEAD", 100_000)
    monkeypatch.setattr("presidio_mx.work.batch.parquet_files._GROUP_ROWS", 1_000)
    peaks = []
    for rows in (1_000, 4_000, 16_000):  # the first run fills Python's own caches
        source = make(tmp_path, rows)
        tracemalloc.start()
        run(job(source, tmp_path / f"out{len(peaks)}{source.suffix}"))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < peaks[1] * 1.5
