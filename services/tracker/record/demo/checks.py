"""Rows of the demo's CI, made in columns: two million of them must not take minutes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from services.tracker.record.batch import Batch
from services.tracker.record.demo.dice import Dice, generator
from services.tracker.record.demo.ills import Ills, plan_ills
from services.tracker.record.demo.runs import ROWS_PER_TEST, Job, jobs_of, plan_runs
from services.tracker.record.demo.suite import TestCase
from services.tracker.record.demo.vocabulary import HOST
from services.tracker.record.demo.world import World

_ROWS_PER_BATCH = 50_000
_FIRST_ATTEMPTS = 0.86  # share of the rows; reruns are the rest, and somewhat more
_RERUN_CHANGE, _RERUN_TRUNK, _RERUN_AFTER = 0.65, 0.4, 0.02
_SKIPPED_ON = "windows-amd64"
_OK, _FAIL, _ERROR, _SKIPPED = "OK", "FAIL", "ERROR", "SKIPPED"
_WORDS = np.array([_OK, _FAIL, _ERROR, _SKIPPED], dtype=object)


def check_batches(world: World, now: datetime) -> Iterator[Batch]:
    """The table `checks`, a repository at a time, oldest run first."""
    for ci in cis(world):
        yield from ci.batches(now)


def cis(world: World) -> list["RepoCi"]:
    """CI of each repository, that of the most tests first."""
    found = []
    for repo, count in Counter(test.component.repo for test in world.tests).most_common():
        tests = [test for test in world.tests if test.component.repo == repo]
        rows = _FIRST_ATTEMPTS * count / len(world.tests) * world.size.check_rows
        found.append(RepoCi(world, repo, tests, round(rows / (count * ROWS_PER_TEST))))
    return found


class RepoCi:
    """CI of one repository."""

    def __init__(self, world: World, repo: str, tests: Sequence[TestCase], runs: int) -> None:
        self.tests, self._world, self._repo = tests, world, repo
        dice = Dice(world.seed, f"ci {repo}")
        self.runs = plan_runs(world, repo, runs, dice)
        self.ills: Ills = plan_ills(world, self.runs, tests, dice)
        self._jobs = jobs_of(self.runs, dice)
        self._dice, self._draws = dice, generator(world.seed, f"ci rows {repo}")
        self._names = np.array([test.name for test in tests], dtype=object)
        self._pace = self._draws.lognormal(5.2, 1.3, len(tests))
        self._base = {job.platform: self._rates(job.platform) for job in self._jobs}
        self._skips = self._draws.random(len(tests)) < 0.06

    def batches(self, now: datetime) -> Iterator[Batch]:
        step = max(1, _ROWS_PER_BATCH // len(self.tests))
        for start in range(0, len(self._jobs), step):
            jobs = self._jobs[start : start + step]
            words = self._outcomes(jobs)
            yield self._batch(jobs, words, 1, now)
            again = [place for place, failed in enumerate(_failed(words)) if failed and self._reruns(jobs[place])]
            if again:
                repeated = [_later(jobs[place]) for place in again]
                yield self._batch(repeated, self._outcomes(repeated), 2, now)

    def _rates(self, platform: str) -> np.ndarray:
        return np.array([test.rate if test.platform in ("", platform) else 0.0 for test in self.tests])

    def _reruns(self, job: Job) -> bool:
        return self._dice.chance(_RERUN_CHANGE if job.run.change else _RERUN_TRUNK)

    def _outcomes(self, jobs: Sequence[Job]) -> np.ndarray:
        """Indices into _WORDS: jobs × tests."""
        base = np.array([self._base[job.platform] for job in jobs])
        failed = self._draws.random(base.shape) < self.ills.chances(jobs, base)
        words = failed * (1 + (self._draws.random(base.shape) < 0.12))
        skipping = np.array([job.platform == _SKIPPED_ON for job in jobs])
        return np.where(skipping[:, None] & self._skips[None, :] & ~failed, 3, words)

    def _batch(self, jobs: Sequence[Job], words: np.ndarray, attempt: int, now: datetime) -> Batch:
        tests, rows = len(self.tests), words.size
        took = self._pace[None, :] * self._draws.lognormal(0, 0.25, words.shape)
        status = ["failure" if failed else "success" for failed in _failed(words)]
        per_job: dict[str, list[Any]] = {
            "check_start_time": [now + timedelta(seconds=round(job.day * 86_400)) for job in jobs],
            "pull_request_number": [job.run.change.number if job.run.change else 0 for job in jobs],
            "commit_sha": [job.run.sha for job in jobs],
            "check_name": [job.check_name for job in jobs],
            "check_status": status,
            "base_ref": [job.run.base for job in jobs],
            "head_ref": [job.run.head for job in jobs],
            "report_url": [f"{HOST}/{self._repo}/ci/{job.run.sha[:12]}/{job.platform}/{attempt}" for job in jobs],
            "runner": [job.runner for job in jobs],
        }
        columns: dict[str, list[Any]] = {
            name: [value for value in values for _ in range(tests)] for name, values in per_job.items()
        }
        columns["test_name"] = np.tile(self._names, len(jobs)).tolist()
        columns["test_status"] = _WORDS[words.ravel()].tolist()
        columns["test_duration_ms"] = np.where(words == 3, 0, took.round()).ravel().tolist()
        columns["attempt"], columns["repo"] = [attempt] * rows, [self._repo] * rows
        return Batch("checks", columns)


def _failed(words: np.ndarray) -> np.ndarray:
    """Whether each job has a failure."""
    return ((words == 1) | (words == 2)).any(axis=1)


def _later(job: Job) -> Job:
    number = int(job.runner.rpartition("-")[2])
    runner = f"{job.platform}-{number % 4 + 1:02d}"
    return Job(job.run, job.platform, runner, min(job.day + _RERUN_AFTER, -0.001))
