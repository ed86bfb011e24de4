"""The one source of chance: seeded, and split by name.

Each consumer takes its own named dice. A new consumer therefore does not shift what the others draw, and the same
seed gives the same ids, delays and choices on every machine.
"""

from __future__ import annotations

import hashlib
import random  # noqa: TID251 - these are the dice
from collections.abc import Sequence
from typing import TypeVar
from uuid import UUID

T = TypeVar("T")


class Dice:
    """A seeded source of chance.

    ``Dice(7).named("grace").named("ids")`` always draws the same; so does ``Dice(7).named("hst")``, whatever the
    first one did.
    """

    def __init__(self, seed: int | str) -> None:
        self.seed = seed
        digest = hashlib.sha256(str(seed).encode()).digest()
        self._random = random.Random(int.from_bytes(digest))  # noqa: S311 - reproducible on purpose

    @classmethod
    def from_entropy(cls) -> Dice:
        """Dice that nobody can foresee, for a server in production."""
        return cls(random.SystemRandom().getrandbits(128))

    def named(self, name: str) -> Dice:
        """Independent dice for the consumer ``name``; the same ones each time it is asked for."""
        return Dice(f"{self.seed}/{name}")

    def random(self) -> float:
        """A number in [0, 1)."""
        return self._random.random()

    def uniform(self, low: float, high: float) -> float:
        """A number in [low, high]."""
        return self._random.uniform(low, high)

    def integer(self, low: int, high: int) -> int:
        """A whole number in [low, high]."""
        return self._random.randint(low, high)

    def choice(self, options: Sequence[T]) -> T:
        """One of the options, which must not be empty."""
        return self._random.choice(options)

    def uuid4(self) -> UUID:
        """A version 4 UUID."""
        return UUID(int=self._random.getrandbits(128), version=4)

    def hex(self, digits: int) -> str:
        """Lower-case hexadecimal digits."""
        return f"{self._random.getrandbits(4 * digits):0{digits}x}"
