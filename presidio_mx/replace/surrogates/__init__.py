"""Surrogates: values one could mistake for real, each a function of key and text."""

from presidio_mx.replace.surrogates.replace import surrogate_value

__all__ = ["surrogate_value"]
