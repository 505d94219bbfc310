"""tracker.test_signal's answer from the cells of a test and what stands around it."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from services.tracker.signal.at_head import with_head
from services.tracker.signal.cells import POOLED, TRUNK, Cells
from services.tracker.signal.evidence import ISOLATED, SAME_CHECK, SAME_COMMIT
from services.tracker.signal.homes import churn
from services.tracker.signal.intervals import wilson
from services.tracker.signal.line import between
from services.tracker.signal.names import similar_names
from services.tracker.signal.smells import smells
from services.tracker.signal.storms import Weather
from services.tracker.signal.streak import PullStreak
from services.tracker.signal.thresholds import DEFAULT, Thresholds
from services.tracker.signal.verdict import FLAKY, INFRA, REGRESSION, UNKNOWN, Findings, judge
from services.tracker.signal.why import iso, reasons

MOST_SUSPECTS = 50
NO_WEATHER = "what the other tests did is not known, so failures in storms are not told from the test's own"
Rows = Iterable[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Signal:
    """`lower_bound`: Wilson 95 % lower bound of the rate that the verdict speaks of (features.rate_of says which).

    `since`: RFC 3339 instant of the first event of the verdict, None where nothing happened or where it began before
    the window. `candidates`: for a regression, the commits between the last pass and the first failure, first failing
    one first; for an unknown test, similar names. `rollup` is the caller's account of where the cells came from.
    """

    verdict: str
    why: tuple[str, ...]
    lower_bound: float
    window_days: int
    since: str | None = None
    features: Mapping[str, Any] = field(default_factory=dict)
    infra: Mapping[str, Any] = field(default_factory=dict)
    churn: Mapping[str, Any] = field(default_factory=dict)
    streak: Mapping[str, Any] | None = None
    smells: tuple[Mapping[str, Any], ...] = ()
    rollup: Mapping[str, Any] = field(default_factory=dict)
    thresholds: Mapping[str, float] = field(default_factory=dict)
    candidates: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def unknown_test(name: str, known: Iterable[str], window_days: int, limits: Thresholds = DEFAULT) -> Signal:
    """The answer for a test that no run and no roll-up names."""
    near = tuple(similar_names(name, known))
    why = "no run of a test of this name is known" + ("; similar names are in candidates" if near else "")
    return Signal(UNKNOWN, (why,), 0.0, window_days, thresholds=limits.to_dict(), candidates=near)


def test_signal(
    name: str,
    cells: Cells,
    window_days: int,
    *,
    weather: Weather | None = None,
    order: Mapping[str, int] | None = None,
    branch: str | None = None,
    streak: PullStreak | None = None,
    pulls: Rows = (),
    rollup: Mapping[str, Any] | None = None,
    limits: Thresholds = DEFAULT,
) -> Signal:
    """`pulls`: rows of github_prs that touch the test's home files (number, merged_at, affected_file_paths, diff).

    `weather` None says that nobody looked, which the answer then tells. See `verdict.judge` for the rest. A name
    without cells gives no_signal: whether it is unknown is for the caller to look up (`unknown_test`).
    """
    found = judge(cells, weather, order, branch, limits)
    verdict, at_head = (found.verdict, None) if streak is None else with_head(found, streak)
    listed = list(pulls)
    touched = churn(name, listed)
    why = [at_head] if at_head else []
    why += reasons(found) if cells else ["no run of this test in the window: silence is not a clean bill"]
    why += _touched(touched) if verdict == REGRESSION else []
    why += [NO_WEATHER] if weather is None and found.sums.fails else []
    rate_of, fails, runs = _rate(found, verdict)
    return Signal(
        verdict,
        tuple(why),
        wilson(fails, runs)[0] if runs else 0.0,
        window_days,
        iso(_since(found, verdict, streak)),
        features(found, cells) | {"rate_of": rate_of, "storms_known": weather is not None},
        _infra(found),
        touched,
        None if streak is None else _streak(streak),
        tuple(smell.to_dict() for smell in smells(name, listed)),
        rollup or {},
        limits.to_dict(),
        _suspects(found, verdict, cells, order),
    )


test_signal.__test__ = False  # type: ignore[attr-defined]  # named after the op; not for a test runner to collect


def features(found: Findings, cells: Cells) -> dict[str, Any]:
    """The numbers behind the verdict. Rates are of counted runs: outside of storms, skips left out."""
    sums, low_high = found.sums, wilson(found.sums.fails, found.sums.runs)
    regression = found.regression
    return {
        "runs": sums.runs,
        "fails": sums.fails,
        "passes": sums.passes,
        "skips": sums.skips,
        "other_statuses": sums.other,
        "fail_rate": sums.fails / sums.runs if sums.runs else None,
        "interval": list(low_high),
        "flaky_fails": _flaky_fails(found),
        "flaky_evidence": round(found.evidence, 3),
        "flips_same_commit": sum(event.kind == SAME_CHECK for event in found.events),
        "flips_between_commits": sum(event.kind == ISOLATED for event in found.events),
        "pull_requests_failed": len({key.pr for key, counts in cells.items() if key.pr > TRUNK and counts.fails}),
        "branch_commits": len({key.sha for key in cells if key.pr == TRUNK}),
        "pull_request_runs": sum(c.runs for key, c in cells.items() if key.pr > TRUNK or key.pr == POOLED),
        "first_failing": regression.first_bad if regression and regression.since is not None else None,
        "last_passing": regression.last_good if regression else None,
        "solid_fails": regression.fails if regression else 0,
        "fixed": regression is None and bool(found.fixed),
    }


def _flaky_fails(found: Findings) -> int:
    """Failing runs that evidence for flakiness counts: the contradicted ones, not the passes beside them."""
    return sum(event.fails for event in found.events if event.kind in (SAME_CHECK, SAME_COMMIT, ISOLATED))


def _rate(found: Findings, verdict: str) -> tuple[str, int, int]:
    if verdict == FLAKY:
        return "contradicted failures of counted runs", _flaky_fails(found), found.sums.runs
    if verdict == REGRESSION and found.regression is not None:
        return "failures since the first failing commit", found.regression.fails, found.regression.fails
    if verdict == INFRA and found.tie is not None:
        return "failures in the place they are tied to", found.tie.fails, found.tie.runs
    if verdict == INFRA:
        storm = found.sums.storm_fails
        return "failures in storms of runs in storms", storm, storm + found.sums.storm_passes
    return "failures of counted runs", found.sums.fails, found.sums.runs


def _since(found: Findings, verdict: str, streak: PullStreak | None) -> int | None:
    if verdict == REGRESSION:
        regression = found.regression
        return regression.since if regression else (streak.since if streak else None)
    if verdict == FLAKY:
        strong = [event.at for event in found.events if event.kind in (SAME_CHECK, SAME_COMMIT, ISOLATED)]
        return min(strong, default=min((event.at for event in found.events), default=None))
    if verdict == INFRA and found.tie is not None:
        return found.tie.since
    return found.storm_hours[0] * 3_600_000_000 if verdict == INFRA and found.storm_hours else None


def _infra(found: Findings) -> dict[str, Any]:
    tie = found.tie
    return {
        "storm_fails": found.sums.storm_fails,
        "storm_passes": found.sums.storm_passes,
        "storm_hours": [iso(hour * 3_600_000_000) for hour in found.storm_hours],
        "tied_to": None
        if tie is None
        else {"kind": tie.kind, "place": tie.place, "changes": tie.changes, "fails": tie.fails},
    }


def _streak(streak: PullStreak) -> dict[str, Any]:
    told = asdict(streak) | {"since": iso(streak.since), "failing_checks": list(streak.failing_checks)}
    del told["failing_hours"]
    return told


def _suspects(found: Findings, verdict: str, cells: Cells, order: Mapping[str, int] | None) -> tuple[str, ...]:
    broken = found.regression
    if verdict != REGRESSION or broken is None or broken.last_good is None:
        return ()
    skipped = between(cells, broken.branch, order, broken.last_good, broken.first_bad)
    return (broken.first_bad, *skipped[:MOST_SUSPECTS])


def _touched(touched: Mapping[str, Any]) -> list[str]:
    if not touched["changes"]:
        return []
    return [f"its own files were changed by {touched['changes']} merged pull requests in the window"]
