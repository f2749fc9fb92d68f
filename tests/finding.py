"""What is marked of a text by rules and fields alone."""

from presidio_mx.find.preset import load_preset
from presidio_mx.find.sensitivity import BALANCED, thresholds_of
from presidio_mx.find.session import Session


def marked(text, others=()):
    """Return findings in reading order; others' stand among them."""
    least = thresholds_of(BALANCED)
    return Session(text).decided(load_preset("mx"), least, others)
