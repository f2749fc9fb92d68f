"""Keyed numbers and permutations: everything random in a surrogate comes from here."""

import hashlib
from dataclasses import dataclass, field
from math import gcd, isqrt
from typing import Any

_ROUNDS = 4
_BYTES = 16


def _message(labels: tuple[str | int, ...]) -> bytes:
    parts = [str(label) for label in labels]
    joined = "".join([f"{len(part)}:{part}" for part in parts])
    return joined.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, repr=False)
class Draw:
    """Numbers that depend on a secret and on labels, and on nothing else.

    They come from keyed BLAKE2b (RFC 7693).

    :param secret: Key derived for one scope, at most 64 bytes.
    """

    secret: bytes = field(repr=False)
    _state: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Take the key once."""
        state = hashlib.blake2b(key=self.secret, digest_size=_BYTES)
        object.__setattr__(self, "_state", state)

    def __repr__(self) -> str:
        """Return a text without the secret."""
        return "Draw(hidden)"

    def again(self, attempt: int) -> "Draw":
        """Return another source of numbers, for a value that the first one failed.

        :param attempt: Which attempt; the same one gives the same numbers.
        :return: Keyed numbers that have nothing to do with those of this one.
        """
        message = _message(("again", attempt))
        return Draw(hashlib.blake2b(message, key=self.secret, digest_size=32).digest())

    def number(self, size: int, *labels: str | int) -> int:
        """Return a number from 0 to ``size - 1``, the same for the same labels.

        :param size: How many numbers there are, at least 1.
        :param labels: What the number is for.
        """
        return self._value(_message(labels)) % size

    def _value(self, message: bytes) -> int:
        state = self._state.copy()
        state.update(message)
        return int.from_bytes(state.digest())

    def permute(self, size: int, index: int, *labels: str | int) -> int:
        """Return the image of an index under a keyed permutation without fixed points.

        The permutation is a rotation by a keyed step, conjugated with a Feistel
        network over the numbers 0 to ``size - 1`` (Black & Rogaway 2002, with cycle
        walking): two indices never share an image and none is its own, and no table is
        kept.

        :param size: How many indices there are.
        :param index: From 0 to ``size - 1``.
        :param labels: Which permutation.
        :return: Another index; the index itself only if ``size`` is 1.
        :raises ValueError: If the index is none of them.
        """
        if not 0 <= index < max(size, 1):
            raise ValueError(f"index {index} of {size}")
        if size < 2:
            return index
        label = _message(labels)
        step = 1 + self._value(b"step" + label) % (size - 1)
        while gcd(step, size) > 1:  # one single cycle: walking on never comes back
            step -= 1
        hidden = self._feistel(size, index, label, True)
        return self._feistel(size, (hidden + step) % size, label, False)

    def _feistel(self, size: int, index: int, label: bytes, forward: bool) -> int:
        side, value = isqrt(size - 1) + 1, self._value
        while True:
            left, right = divmod(index, side)
            for number in range(_ROUNDS) if forward else range(_ROUNDS - 1, -1, -1):
                message = b"%d:%d:" % (number, right if forward else left) + label
                if forward:
                    left, right = right, (left + value(message)) % side
                else:
                    left, right = (right - value(message)) % side, left
            index = left * side + right
            if index < size:
                return index
