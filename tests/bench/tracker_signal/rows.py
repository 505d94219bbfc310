"""A world as a source shows it: rows of `checks`, and the aggregate over all tests that storms are found in."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import numpy as np

from tests.bench.tracker_signal.world import CLASSES, Job, World

STATUS = ("OK", "FAIL", "SKIPPED")


def bases(world: World) -> list[dict[str, Any]]:
    """What the rows of all tests of a job share."""
    return [_base(job, world.runners) for job in world.jobs]


def _base(job: Job, runners: bool) -> dict[str, Any]:
    base: dict[str, Any] = {
        "check_start_time": datetime.fromtimestamp(job.at, UTC),
        "pull_request_number": job.pr,
        "commit_sha": job.sha,
        "check_name": f"unit ({CLASSES[job.kind]})",
        "base_ref": "main",
        "head_ref": f"topic-{job.pr}" if job.pr else "main",
        "attempt": job.attempt,
    }
    return base | ({"runner": f"{CLASSES[job.kind]}-{job.machine}"} if runners else {})


def runs_of(world: World, base: list[dict[str, Any]], test: int) -> list[dict[str, Any]]:
    outcomes = world.outcomes[test]
    return [base[column] | {"test_status": STATUS[outcomes[column]]} for column in np.flatnonzero(outcomes >= 0)]


def aggregate(world: World) -> list[Mapping[str, Any]]:
    """As the statement of services/tracker/signal/storms.py delivers it: per hour, change, check and runner."""
    groups: dict[tuple[Any, ...], list[int]] = {}
    for column, job in enumerate(world.jobs):
        runner = f"{CLASSES[job.kind]}-{job.machine}" if world.runners else ""
        key = (job.at // 3600, job.pr, job.sha, f"unit ({CLASSES[job.kind]})", runner)
        groups.setdefault(key, []).append(column)
    often = (world.outcomes == 1).sum(axis=1) > 0.2 * np.isin(world.outcomes, (0, 1)).sum(axis=1)
    return [_group(world, key, columns, often) for key, columns in groups.items()]


def _group(world: World, key: tuple[Any, ...], columns: list[int], often: Any) -> Mapping[str, Any]:
    hour, pr, sha, check, runner = key
    outcomes = world.outcomes[:, columns]
    failed = np.flatnonzero((outcomes == 1).any(axis=1) & ~often)
    return {
        "hour": hour,
        "branch": "main",
        "pr": pr,
        "sha": sha,
        "check": check,
        "machine": runner,
        "tests": int((outcomes >= 0).any(axis=1).sum()),
        "failed": len(failed),
    }
