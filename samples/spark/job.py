"""De-identify the notes of a Parquet lake with Spark.

usage: spark-submit [--master ...] job.py INPUT OUTPUT --text nota --id nss
           --known paciente=nombre --shift fecha --drop folio

README.md beside this file says how the package reaches the executors.
"""

import argparse

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from presidio_mx.replace.keys import find_key
from presidio_mx.work.batch.spark import deidentify


def arguments() -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("input")
    parser.add_argument("output")
    parser.add_argument("--text", action="append", required=True)
    parser.add_argument("--known", action="append", default=[], metavar="KIND=COLUMN")
    parser.add_argument("--id")
    parser.add_argument("--keep", action="append", default=[])
    parser.add_argument("--shift", action="append", default=[])
    parser.add_argument("--drop", action="append", default=[])
    parser.add_argument("--operators", default="surrogate")
    parser.add_argument("--key-file", help="else PRESIDIO_MX_KEY of the driver")
    parser.add_argument("--site", help="folder at this path on every executor")
    return parser.parse_args()


def main() -> None:
    """Read, de-identify, write; then tell how many rows failed."""
    given = arguments()
    spark = SparkSession.builder.appName("presidio-mx").getOrCreate()
    known: dict[str, list[str]] = {}
    for option in given.known:
        kind, _, column = option.partition("=")
        known.setdefault(kind, []).append(column)
    made = deidentify(
        spark.read.parquet(given.input),
        text=given.text,
        known=known,
        id=given.id,
        keep=given.keep,
        shift=given.shift,
        drop=given.drop,
        id_as="drop" if given.id is None else "replace",
        operators=given.operators,
        key=find_key(key_file=given.key_file, required=True),
        site=given.site,
        counts="entities",
    )
    made.write.mode("errorifexists").parquet(given.output)
    written = spark.read.parquet(given.output)
    failed = written.filter(f.col("error").isNotNull()).count()
    print(f"{written.count():,} rows, {failed:,} failed")
    counted = written.select(f.explode("entities").alias("entity", "count"))
    counted.groupBy("entity").sum("count").orderBy("entity").show(50, truncate=False)
    spark.stop()


if __name__ == "__main__":
    main()
