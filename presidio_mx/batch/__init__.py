"""Archives in batch: files, folders, tables, frames and Spark, never losing a row.

``deidentify(frame_or_path, …)`` is the call; :mod:`presidio_mx.batch.spark` has the
same for a Spark frame, :mod:`presidio_mx.batch.structured` operators for
presidio-structured. The name is imported at first use, so that the command line starts
fast.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from presidio_mx.batch.frame import deidentify

__all__ = ["deidentify"]


def __getattr__(name: str) -> Any:
    """Import the public name at its first use."""
    if name == "deidentify":
        from presidio_mx.batch.frame import deidentify

        return deidentify
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
