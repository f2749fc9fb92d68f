"""The public call for tables: ``from presidio_mx.batch import deidentify``."""

from presidio_mx.work.batch.frame import deidentify

__all__ = ["deidentify"]
