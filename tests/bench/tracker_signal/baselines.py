"""The rules of one signal that teams begin with, for comparison. Each says flaky or nothing."""

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from tests.bench.tracker_signal.scoring import FLAKY, NONE

Rows = Sequence[Mapping[str, Any]]


def fail_rate(rows: Rows) -> str:
    """Fails sometimes: at least once, and not always."""
    results = _results(rows)
    return FLAKY if 0 < sum(results) < len(results) else NONE


def same_commit_flip(rows: Rows) -> str:
    """Failed and passed on one commit, whatever the check."""
    seen: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row["test_status"] != "SKIPPED":
            seen[row["commit_sha"]].add(row["test_status"])
    return FLAKY if any(len(outcomes) > 1 for outcomes in seen.values()) else NONE


def flip_count(rows: Rows) -> str:
    """Changes its result at least twice from run to run."""
    results = _results(rows)
    return FLAKY if sum(a != b for a, b in itertools.pairwise(results)) >= 2 else NONE


def _results(rows: Rows) -> list[bool]:
    ordered = sorted(rows, key=lambda row: row["check_start_time"])
    return [row["test_status"] == "FAIL" for row in ordered if row["test_status"] != "SKIPPED"]


BASELINES = {"fail rate": fail_rate, "flip on one commit": same_commit_flip, "flip count": flip_count}
