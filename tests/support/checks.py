"""Rows of `checks` written by hand: a run is one call, time runs on by an hour from run to run."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

START = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


def run(
    status: str,
    sha: str,
    hour: float,
    *,
    pr: int = 0,
    check: str = "unit",
    runner: str | None = None,
    attempt: int | None = None,
    branch: str = "main",
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "check_start_time": START + timedelta(hours=hour),
        "pull_request_number": pr,
        "commit_sha": sha,
        "check_name": check,
        "test_name": "suite::case",
        "test_status": status,
        "base_ref": branch if pr else None,
        "head_ref": f"topic-{pr}" if pr else branch,
    }
    row |= {} if runner is None else {"runner": runner}
    return row | ({} if attempt is None else {"attempt": attempt})


def trunk(
    outcomes: str, *, start: float = 0, check: str = "unit", prefix: str = "c", step: float = 1
) -> list[dict[str, Any]]:
    """One run per letter (`P`, `F`, `S`), each on the next commit: c000, c001, …"""
    words = {"P": "OK", "F": "FAIL", "S": "SKIPPED"}
    return [
        run(words[letter], f"{prefix}{index:03d}", start + index * step, check=check)
        for index, letter in enumerate(outcomes)
        if letter != "."
    ]


def jobs(
    hour: int, changes: Iterable[tuple[int, str]], failed: int, tests: int = 50, check: str = "unit"
) -> list[dict[str, Any]]:
    """Rows of the storm aggregate: one job per (pr, sha)."""
    first = int(START.timestamp()) // 3600
    return [
        {
            "hour": first + hour,
            "branch": "main",
            "pr": pr,
            "sha": sha,
            "check": "unit",
            "machine": "",
            "tests": tests,
            "failed": failed,
        }
        for pr, sha in changes
    ]
