"""Which CI runs the demo record has: of every merge, of pushes to pull requests, and of the trunk each night."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.lines import MAIN
from services.tracker.record.demo.model import Change
from services.tracker.record.demo.names import head_ref
from services.tracker.record.demo.world import World, sha

PLATFORMS = ("linux-amd64", "linux-arm64", "windows-amd64", "macos-arm64")
_SHARE_OF_RUNS = (1.0, 0.45, 0.22, 0.15)
ROWS_PER_TEST = sum(_SHARE_OF_RUNS)
_RUNNERS = (24, 10, 6, 4)


@dataclass(slots=True)
class Run:
    """One run of the suite. `change` is None on the trunk; `left` is how many pushes followed it."""

    day: float
    repo: str
    sha: str
    base: str
    head: str
    change: Change | None = None
    left: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    """A run's tests on one platform."""

    run: Run
    platform: str
    runner: str
    day: float

    @property
    def check_name(self) -> str:
        return f"Tests ({self.platform})"


def plan_runs(world: World, repo: str, count: int, dice: Dice) -> list[Run]:
    """About `count` runs of the repository, oldest first."""
    first = -world.size.ci_days
    changes = [change for change in world.changes if change.repo == repo]
    merged = [change for change in changes if change.merged and (change.closed or -1e9) > first]
    runs = [_merge(change) for change in merged]
    for change in changes:
        if change.created > first:
            runs += _pushes(world, change, dice)
    if len(runs) > count:
        runs = dice.some(runs, count)
    trunk = sorted((run.day, run.sha) for run in runs if run.change is None and run.base == MAIN)
    runs += [_nightly(world, repo, trunk, dice) for _ in range(count - len(runs))]
    return sorted(runs, key=lambda run: run.day)


def jobs_of(runs: Sequence[Run], dice: Dice) -> list[Job]:
    """The jobs of the runs: Linux always, the other platforms of some runs."""
    jobs = []
    for run in runs:
        for platform, share, runners in zip(PLATFORMS, _SHARE_OF_RUNS, _RUNNERS, strict=True):
            if dice.chance(share):
                jobs.append(
                    Job(run, platform, f"{platform}-{dice.number(1, runners):02d}", run.day + dice.roll() / 500)
                )
    return jobs


def _merge(change: Change) -> Run:
    return Run((change.closed or 0.0) + 0.002, change.repo, change.merge_sha, change.base, change.base)


def _pushes(world: World, change: Change, dice: Dice) -> list[Run]:
    count = dice.weighted(((1, 0.4), (2, 0.3), (3, 0.2), (5, 0.1)))
    end = change.closed if change.closed is not None else -0.05
    days = sorted(change.created + 0.004 + (end - change.created) * 0.9 * dice.roll() for _ in range(count - 1))
    runs = []
    for place, day in enumerate([change.created + 0.003, *days]):
        left = count - 1 - place
        commit = change.head_sha if left == 0 else sha(world.seed, change.source_id, place)
        runs.append(Run(min(day, -0.01), change.repo, commit, change.base, head_ref(change), change, left))
    return runs


def _nightly(world: World, repo: str, trunk: Sequence[tuple[float, str]], dice: Dice) -> Run:
    day = -int(world.size.ci_days * dice.roll()) - 0.2 - dice.roll() / 20
    day = max(day, -world.size.ci_days)
    place = bisect_right(trunk, (day, ""))
    commit = trunk[place - 1][1] if place else sha(world.seed, repo, "before the record")
    return Run(day, repo, commit, MAIN, MAIN)
