"""A made CI: two weeks of trunk commits and pull requests on four runner classes, and what goes wrong in it.

Everything is a matrix of tests x jobs; -1 not run, 0 passed, 1 failed. Causes are kept, so that truth is what was
done, not what was seen.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

DAYS = 14
START = 1_780_272_000  # seconds, a Monday, UTC
CLASSES = ("linux-x64", "linux-arm", "macos", "windows")
MACHINES = 3  # per class
FIRST_HOUR, LAST_HOUR = 8, 19  # when people push


class Job(NamedTuple):
    at: int  # seconds since the epoch
    pr: int  # 0: trunk
    sha: str
    kind: int  # index into CLASSES
    machine: int
    attempt: int
    trunk: int  # trunk commits that the code under test contains


@dataclass
class World:
    seed: int
    jobs: list[Job]
    outcomes: NDArray[np.int8]  # tests x jobs
    kinds: list[str]  # what was done to each test
    storm_fails: NDArray[np.int64]  # failures of each test that a storm made
    own_fails: NDArray[np.int64]  # failures of each test that its own fault made
    runners: bool  # whether the source tells the machine
    broken_by_one: set[int] = field(default_factory=set)  # tests that pull requests broke, and no dying machine failed


class Shape(NamedTuple):
    """How many tests of each kind."""

    healthy: int = 1000
    flaky: int = 60
    drift: int = 15
    regression: int = 25
    reverted: int = 15
    platform: int = 20
    machine: int = 10
    few: int = 30

    def kinds(self) -> list[str]:
        return [kind for kind, count in self._asdict().items() for _ in range(count)]


def plan(rng: np.random.Generator) -> list[Job]:
    """Jobs in order of time: each push and each trunk commit runs on two to four classes."""
    jobs: list[Job] = []
    landed, number = 0, 100
    for day in range(DAYS):
        weekend = day % 7 >= 5
        pushes = rng.poisson(4 if weekend else 24)
        for at in sorted(rng.uniform(FIRST_HOUR, LAST_HOUR, pushes)):
            second = START + day * 86_400 + int(at * 3600)
            if rng.random() < 0.42:
                landed += 1
                jobs += _pipeline(rng, second, 0, f"t{landed:04d}", landed, 4)
            else:
                number += 1
                based = max(0, landed - int(rng.integers(0, 6)))
                heads = 1 + int(rng.integers(0, 3))
                for head in range(heads):
                    later = second + int(head * rng.uniform(1800, 14_400))
                    jobs += _pipeline(rng, later, number, f"p{number}h{head}", based, int(rng.integers(2, 4)))
    return sorted(jobs)


def _pipeline(rng: np.random.Generator, at: int, pr: int, sha: str, trunk: int, classes: int) -> list[Job]:
    kinds = rng.permutation(len(CLASSES))[:classes]
    return [
        Job(at + int(rng.integers(0, 900)), pr, sha, int(kind), int(rng.integers(0, MACHINES)), 0, trunk)
        for kind in kinds
    ]
