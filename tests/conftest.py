"""Tests of rules look at rules alone, whatever extras are installed."""

import os

import pytest
from hypothesis import settings

# ``auto`` takes the shipped model where its extra is installed; the tests of the model
# and of ``auto`` itself ask for it by name.
os.environ["PRESIDIO_MX_NER"] = "none"

# What a busy machine takes for one example says nothing of the code.
settings.register_profile("any machine", deadline=None)
# CI tries the same examples in every run, so that a change is what makes it fail.
settings.register_profile("repeatable", deadline=None, derandomize=True)
repeatable = os.environ.get("PRESIDIO_MX_REPEATABLE_TESTS")
settings.load_profile("repeatable" if repeatable else "any machine")


@pytest.fixture
def automatic(monkeypatch):
    """Let ``auto`` decide as it does for users."""
    monkeypatch.delenv("PRESIDIO_MX_NER")
