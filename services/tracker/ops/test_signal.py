"""tracker.test_signal: what the CI runs of a test tell."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from runtime.clock import Clock
from runtime.errors import missing_field
from runtime.identity import Caller
from services.tracker.history.first_build import commit_order
from services.tracker.ops.asking import Asked, Asking
from services.tracker.ops.trust import DEGRADED, UNAVAILABLE, trust
from services.tracker.outcome import Common
from services.tracker.reads import OK, Reading
from services.tracker.rollups import statements as ask
from services.tracker.rollups.key import checks_key
from services.tracker.rollups.runs import HOUR_US, ROLLED, Runs, RunsOfTests
from services.tracker.rollups.store import Rolled, RollupStore
from services.tracker.rollups.touching import name_parts
from services.tracker.signal.cells import TRUNK, Cells
from services.tracker.signal.homes import is_home
from services.tracker.signal.line import branches
from services.tracker.signal.signal import Signal, test_signal, unknown_test
from services.tracker.signal.streak import PullStreak, pull_streak
from services.tracker.signal.why import iso

WINDOW_DAYS = 30
# Branches whose commits are put in the order of their builds, the busiest first.
ORDERED_BRANCHES = 5
NEWEST_DIFFS = 5
CLIPPED = "the source had more runs of this test than one answer holds: some of the window's are not counted"
NO_RUNS = "the tracker offers no runs of tests"

test_signal.__test__ = False  # type: ignore[attr-defined]


@dataclass(slots=True)
class TestSignal:
    __test__ = False  # named after the op; not for a test runner to collect

    verdict: str
    why: list[str]
    lower_bound: float
    window_days: int
    since: str | None
    features: dict[str, Any]
    infra: dict[str, Any]
    churn: dict[str, Any]
    streak: dict[str, Any] | None
    smells: list[dict[str, Any]]
    rollup: dict[str, Any]
    thresholds: dict[str, float]
    candidates: list[str]
    epistemic: str
    common: Common = field(default_factory=Common)


class TestSignalOp:
    __test__ = False

    def __init__(self, asking: Asking, store: RollupStore, clock: Clock) -> None:
        self._asking, self._store, self._clock = asking, store, clock
        self._runs = RunsOfTests(store)

    async def execute(
        self,
        org: str,
        namespace: str,
        test_name: str,
        caller: Caller,
        *,
        window_days: int = WINDOW_DAYS,
        pr_number: int | None = None,
        branch: str = "",
    ) -> TestSignal:
        """Raises MISSING_FIELD, NOT_A_TRACKER_NAMESPACE. A silent source is a state: what is rolled is judged alone."""
        if not test_name.strip():
            raise missing_field("test_name")
        asked = await self._asking.primary(org, namespace, caller)
        return await self.of(asked, test_name, window_days=window_days, pr_number=pr_number, branch=branch)

    async def of(
        self,
        asked: Asked,
        test_name: str,
        *,
        window_days: int = WINDOW_DAYS,
        pr_number: int | None = None,
        branch: str = "",
    ) -> TestSignal:
        """The same, of a tracker that is asked already: its legs are among the others of that call."""
        reading, now = asked.primary, self._clock.now()
        source = asked.bounds[0].source
        rolled = Rolled(source.org, source.id, checks_key(source.id, reading.binding))
        since = now - timedelta(days=window_days)
        runs, builds, pulls, streak = await asyncio.gather(
            self._runs.of(reading, rolled, test_name, since, now),
            reading.rows("builds", ask.BUILDS, {"since": _micro(now - timedelta(days=2 * window_days))}),
            _pulls(reading, test_name, since),
            _streak(reading, test_name, pr_number, since, now),
        )
        if not runs.cells and await self._is_unknown(reading, rolled, test_name):
            unknown = unknown_test(test_name, await self._names(reading, rolled, test_name, since, now), window_days)
            return _told(unknown, runs, reading, asked)
        found = await asyncio.to_thread(
            test_signal,
            test_name,
            runs.cells,
            window_days,
            weather=runs.weather,
            order=_order(builds, runs.cells, branch),
            branch=branch or None,
            streak=streak,
            pulls=pulls,
        )
        return _told(found, runs, reading, asked)

    async def _is_unknown(self, reading: Reading, rolled: Rolled, name: str) -> bool:
        """Whether no run ever bore the name; False also where nobody could look."""
        if not rolled.checks_key or reading.leg_status.get("runs") != OK:
            return False
        if await self._store.knows(rolled, name) or await reading.rows("known", ask.EVER, {"name": name}):
            return False
        return reading.leg_status.get("known") == OK

    async def _names(self, reading: Reading, rolled: Rolled, name: str, since: datetime, now: datetime) -> list[str]:
        """Names that are there, nearest first by their letters."""
        span = {"since": _micro(since), "until": _micro(now) + HOUR_US}
        stored = await self._store.names(rolled, name)
        live = [] if stored else await reading.rows("names", ask.NAMES, {"name": name, **span})
        return [*stored, *(row["test_name"] for row in live)]


def _told(found: Signal, runs: Runs, reading: Reading, asked: Asked) -> TestSignal:
    why = list(found.why)
    if not reading.provides("checks", "test_name", "test_status") and not runs.cells and runs.source != ROLLED:
        why = [NO_RUNS]
    epistemic = trust(reading)
    if epistemic == UNAVAILABLE and runs.source == ROLLED:
        epistemic = DEGRADED  # what is rolled was judged
    return TestSignal(
        verdict=found.verdict,
        why=[*why, *([CLIPPED] if runs.clipped else [])],
        lower_bound=found.lower_bound,
        window_days=found.window_days,
        since=found.since,
        features=_features(found.features),
        infra=_without_none(found.infra),
        churn=dict(found.churn),
        streak=None if found.streak is None else _shown_streak(found.streak),
        smells=[dict(smell) for smell in found.smells],
        rollup={"source": runs.source, "fresh_from": iso(runs.fresh_from * HOUR_US) if runs.fresh_from else ""},
        thresholds={name: float(value) for name, value in found.thresholds.items()},
        candidates=list(found.candidates),
        epistemic=epistemic,
        common=asked.common(),
    )


def _features(found: Mapping[str, Any]) -> dict[str, Any]:
    shown = {name: value for name, value in found.items() if name != "interval"}
    low, high = found.get("interval", (0.0, 0.0))
    return _without_none({**shown, **({"interval_low": low, "interval_high": high} if found else {})})


def _shown_streak(found: Mapping[str, Any]) -> dict[str, Any]:
    return _without_none(found)


def _without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _order(builds: Sequence[Mapping[str, Any]], cells: Cells, branch: str) -> dict[str, int]:
    """Commit -> its place on its branch, as far as builds name it."""
    order: dict[str, int] = {}
    for name in [branch] if branch else branches(cells)[:ORDERED_BRANCHES]:
        shas = {key.sha for key in cells if key.pr == TRUNK and key.branch == name}
        order = {**commit_order(builds, name, shas), **order}
    return order


async def _pulls(reading: Reading, name: str, since: datetime) -> list[dict[str, Any]]:
    """Merged pull requests of the window that touch the test's own files, the newest with their diffs."""
    parts = name_parts(name)
    if not parts:
        return []
    rows = await reading.rows("changes", ask.TOUCHING, {"since": _micro(since), "parts": parts})
    homes = [row for row in rows if any(is_home(path, name) for path in row["affected_file_paths"])]
    if not homes:
        return []
    newest = [row["number"] for row in homes[:NEWEST_DIFFS]]
    diffs = {row["number"]: row["diff"] for row in await reading.rows("diffs", ask.DIFFS, {"numbers": newest})}
    return [{**row, "diff": diffs.get(row["number"], "")} for row in homes]


async def _streak(reading: Reading, name: str, pr: int | None, since: datetime, now: datetime) -> PullStreak | None:
    if pr is None:
        return None
    span = {"since": _micro(since), "until": _micro(now) + HOUR_US}
    rows, heads = await asyncio.gather(
        reading.rows("pull", ask.ON_PULL, {"name": name, "pr": pr, **span}),
        reading.rows("head", ask.HEAD, {"pr": pr}),
    )
    if reading.leg_status.get("pull") != OK:
        return None
    return pull_streak(rows, pr, heads[0]["head_sha"] or None if heads else None)


def _micro(at: datetime) -> int:
    return int(at.timestamp() * 1e6)
