"""Surrogates of places abroad: every state has one, under every key."""

import hashlib

import pytest

from presidio_mx.anonymizer.surrogates.abroad import us_state
from presidio_mx.anonymizer.surrogates.context import Context
from presidio_mx.anonymizer.surrogates.draw import Draw

STATES = ("Texas", "Georgia", "Ohio", "Nevada", "Utah", "Virginia", "Tennessee", "TX")


@pytest.mark.parametrize("state", STATES)
def test_a_state_becomes_a_state_under_every_key(state):
    # "Georgia" is a country, too, and stood in no list of states: some keys failed.
    secrets = [hashlib.sha256(bytes([number])).digest() for number in range(80)]
    images = {us_state(state, Context(Draw(secret))) for secret in secrets}
    assert None not in images
    assert len(images) > 3
