"""Keyed numbers and permutations: everything random in a surrogate comes from here."""

import hashlib
import hmac
from dataclasses import dataclass, field
from math import gcd, isqrt

_ROUNDS = 4


def _message(labels: tuple[str | int, ...]) -> bytes:
    parts = [str(label) for label in labels]
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return joined.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, repr=False)
class Draw:
    """Numbers that depend on a secret and on labels, and on nothing else.

    :param secret: Key derived for one scope.
    """

    secret: bytes = field(repr=False)
    _memory: dict[tuple[str | int, ...], int] = field(
        default_factory=dict, init=False, compare=False
    )  # lives as long as the plan of one document

    def __repr__(self) -> str:
        """Return a text without the secret."""
        return "Draw(hidden)"

    def again(self, attempt: int) -> "Draw":
        """Return another source of numbers, for a value that the first one failed.

        :param attempt: Which attempt; the same one gives the same numbers.
        :return: Keyed numbers that have nothing to do with those of this one.
        """
        message = _message(("again", attempt))
        return Draw(hmac.digest(self.secret, message, hashlib.sha256))

    def number(self, size: int, *labels: str | int) -> int:
        """Return a number from 0 to ``size - 1``, the same for the same labels.

        :param size: How many numbers there are, at least 1.
        :param labels: What the number is for.
        :return: The number (HMAC-SHA-256; bias below 2**-120 for sizes to 2**128).
        """
        digest = hmac.digest(self.secret, _message(labels), hashlib.sha256)
        return int.from_bytes(digest) % size

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
        known = self._memory.get((size, index, *labels))
        if known is not None:
            return known
        step = 1 + self.number(size - 1, "step", *labels)
        while gcd(step, size) > 1:  # one single cycle: walking on never comes back
            step -= 1
        keys = _message(labels)
        hidden = self._feistel(size, index, keys, range(_ROUNDS))
        rotated = (hidden + step) % size
        image = self._feistel(size, rotated, keys, range(_ROUNDS - 1, -1, -1))
        self._memory[(size, index, *labels)] = image
        return image

    def _feistel(self, size: int, index: int, label: bytes, rounds: range) -> int:
        side = isqrt(size - 1) + 1
        forward = rounds.step > 0
        while True:
            left, right = divmod(index, side)
            for number in rounds:
                if forward:
                    left, right = right, (left + self._f(number, right, label)) % side
                else:
                    left, right = (right - self._f(number, left, label)) % side, left
            index = left * side + right
            if index < size:
                return index

    def _f(self, number: int, half: int, label: bytes) -> int:
        message = b"%d:%d:" % (number, half) + label
        return int.from_bytes(hmac.digest(self.secret, message, hashlib.sha256)[:16])
