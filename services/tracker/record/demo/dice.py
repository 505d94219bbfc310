"""Seeded draws. Equal seeds give equal draws, on every machine."""

import math
from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar
from zlib import crc32

import numpy as np

T = TypeVar("T")
_BLOCK = 8192


def generator(seed: int, name: str) -> np.random.Generator:
    """A generator of its own for each purpose, so that a change in one part of the record leaves the others alone."""
    return np.random.Generator(np.random.PCG64([seed, crc32(name.encode())]))


class Dice:
    """Draws for one purpose. Numbers are made in blocks: one by one they would cost twenty times as much."""

    def __init__(self, seed: int, name: str) -> None:
        self._generator: np.random.Generator | None = None
        self._seed, self._name, self._block = seed, name, list[float]()

    @classmethod
    def brief(cls, seed: int, name: str) -> "Dice":
        """The same for a few draws: its first ones cost a tenth of what a generator costs."""
        dice = cls(seed, name)
        digest = blake2b(f"{seed} {name}".encode(), digest_size=64).digest()
        dice._block = [int.from_bytes(digest[at : at + 6]) / 2**48 for at in range(0, 60, 6)]
        return dice

    def roll(self) -> float:
        """From 0 (included) to 1 (excluded)."""
        if not self._block:
            self._generator = self._generator or generator(self._seed, self._name)
            self._block = self._generator.random(_BLOCK).tolist()
        return self._block.pop()

    def chance(self, share: float) -> bool:
        return self.roll() < share

    def number(self, least: int, most: int) -> int:
        """A whole number, both ends included."""
        return least + int(self.roll() * (most - least + 1))

    def between(self, least: float, most: float) -> float:
        return least + self.roll() * (most - least)

    def pick(self, among: Sequence[T]) -> T:
        return among[int(self.roll() * len(among))]

    def some(self, among: Sequence[T], count: int) -> list[T]:
        """`count` different ones, in random order; all where there are fewer."""
        left = list(among)
        return [left.pop(int(self.roll() * len(left))) for _ in range(min(count, len(left)))]

    def shuffled(self, among: Sequence[T]) -> list[T]:
        return self.some(among, len(among))

    def weighted(self, among: Sequence[tuple[T, float]]) -> T:
        """One of the (thing, weight) pairs' things."""
        left = self.roll() * sum(weight for _, weight in among)
        for thing, weight in among:
            left -= weight
            if left < 0:
                return thing
        return among[-1][0]

    def spread(self, median: float, factor: float) -> float:
        """Log-normal: two thirds lie within `factor` of the median, either way."""
        normal = math.sqrt(-2 * math.log(1 - self.roll())) * math.cos(2 * math.pi * self.roll())
        return median * factor**normal
