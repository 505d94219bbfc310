"""What goes wrong in the demo's CI besides flaky tests: regressions, broken pull requests, storms, a sick runner.

Each ill says, for a list of jobs and all tests, how likely a failure is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.lines import MAIN
from services.tracker.record.demo.model import Change, Kind
from services.tracker.record.demo.runs import Job, Run
from services.tracker.record.demo.suite import TestCase
from services.tracker.record.demo.world import World

_BROKEN_CHANGES, _STORM_RUNS, _STORM_RATE, _SICK_RATE = 0.3, 9, 0.45, 0.6
_STORM_PACE = 0.008  # days between two runs of the storm
_SICK_RUNNER, _SICK_FROM, _SICK_TO = "linux-amd64-13", -31.0, -26.0
_CULPRITS = ((-12.0, 6.0), (-4.0, 9.0))  # merged about that day; mended so many days later


@dataclass(frozen=True, slots=True)
class Regression:
    """A test that fails without exception between two merges into the trunk."""

    test: int
    culprit: Change
    since: float
    until: float


@dataclass(frozen=True, slots=True)
class Storm:
    """A while in which the CI system itself was ill."""

    since: float
    until: float
    platform: str


@dataclass(frozen=True, slots=True)
class Ills:
    regressions: Sequence[Regression]
    storm: Storm | None
    broken: dict[int, Sequence[int]]
    """Number of a pull request -> tests that it breaks until its last push."""
    sick_runner: str = _SICK_RUNNER

    def chances(self, jobs: Sequence[Job], base: np.ndarray) -> np.ndarray:
        """Chance of a failure: jobs × tests. `base` is tests' own rate on each job's platform, of that shape."""
        chance = base.copy()
        kind = (
            np.arange(base.shape[1]) % 5
        )  # what a test needs of the machine: the network (0, 1, 2), the disk (3), neither
        days = np.array([job.run.day for job in jobs])
        fresh = np.array([job.run.base == MAIN and _has_trunk(job.run) for job in jobs])
        for each in self.regressions:
            chance[fresh & (days >= each.since) & (days < each.until), each.test] = 1.0
        for place, job in enumerate(jobs):
            if job.run.change is not None and job.run.left and job.run.change.number in self.broken:
                chance[place, self.broken[job.run.change.number]] = 1.0
            if job.runner == self.sick_runner and _SICK_FROM <= job.run.day < _SICK_TO:
                chance[place] = np.maximum(chance[place], np.where(kind == 3, _SICK_RATE, 0.0))
            if self.storm and job.platform == self.storm.platform and self.storm.since <= job.day < self.storm.until:
                chance[place] = np.maximum(chance[place], np.where(kind < 3, _STORM_RATE, 0.0))
        return chance


def plan_ills(world: World, runs: Sequence[Run], tests: Sequence[TestCase], dice: Dice) -> Ills:
    """The ills of one repository."""
    return Ills(_regressions(world, runs, tests, dice), _storm(runs), _broken(runs, tests, dice))


def _has_trunk(run: Run) -> bool:
    """Whether the run contains the trunk as it was: two in three branches are rebased before they are pushed."""
    return run.change is None or int(run.sha[:2], 16) % 3 != 0


def _regressions(world: World, runs: Sequence[Run], tests: Sequence[TestCase], dice: Dice) -> list[Regression]:
    repo = runs[0].repo
    merged = [change for change in world.changes if change.merged and change.repo == repo and change.base == MAIN]
    suspects = [change for change in merged if change.kind in (Kind.CHORE, Kind.FEATURE)]
    found: list[Regression] = []
    for day, lasts in _CULPRITS:
        for culprit in sorted(suspects, key=lambda change: abs((change.closed or -1e9) - day)):
            healthy = [
                place
                for place, test in enumerate(tests)
                if test.component is culprit.component and not test.rate and place not in [r.test for r in found]
            ]
            if healthy:
                since = (culprit.closed or 0.0) + 0.001
                until = min(
                    (change.closed or 0.0 for change in merged if (change.closed or 0.0) > since + lasts), default=1.0
                )
                found.append(Regression(dice.pick(healthy), culprit, since, until))
                break
    return found


def _storm(runs: Sequence[Run]) -> Storm | None:
    """Over the densest runs of different pull requests, some two weeks ago; they are moved together, to within two hours."""
    platform = "linux-amd64"
    inside = [place for place, run in enumerate(runs[:-_STORM_RUNS]) if -24 < run.day < -14]
    spread = [
        (
            len({id(run.change) for run in runs[place : place + _STORM_RUNS]}) >= 4,
            runs[place + _STORM_RUNS - 1].day - runs[place].day,
            place,
        )
        for place in inside
    ]
    good = [(span, place) for varied, span, place in spread if varied]
    if not good:
        return None
    _, place = min(good)
    stormy = runs[place : place + _STORM_RUNS]
    end = stormy[-1].day
    for number, run in enumerate(reversed(stormy)):
        run.day = end - number * _STORM_PACE
    return Storm(stormy[0].day - 0.0001, end + 0.003, platform)


def _broken(runs: Sequence[Run], tests: Sequence[TestCase], dice: Dice) -> dict[int, Sequence[int]]:
    broken: dict[int, Sequence[int]] = {}
    seen: set[int] = set()
    for run in runs:
        if run.change is None or run.change.number in seen:
            continue
        seen.add(run.change.number)
        own = [place for place, test in enumerate(tests) if test.component is run.change.component]
        if run.left and own and dice.chance(_BROKEN_CHANGES):
            broken[run.change.number] = dice.some(own, dice.number(1, 6))
    return broken
