"""The verdict at a pull request's head: what the head's own runs add to what the test does elsewhere."""

from services.tracker.signal.intervals import expected_rate
from services.tracker.signal.streak import PullStreak
from services.tracker.signal.verdict import FLAKY, INFRA, REGRESSION, SILENT, Findings


def with_head(found: Findings, streak: PullStreak) -> tuple[str, str]:
    """The verdict and the sentence that explains it. Only the head counts: a stale head is no evidence."""
    if streak.sha is None or streak.outcome == "none":
        return found.verdict, f"pull request #{streak.pr}: no run with a result at its head"
    if streak.stale_fails and not streak.fails:
        return found.verdict, (
            f"pull request #{streak.pr}: passes at its head; {streak.stale_fails} failures on earlier heads are no evidence"
        )
    if not streak.fails:
        return found.verdict, f"pull request #{streak.pr}: passes at its head, {_runs(streak.passes)}"
    if not streak.solid:
        return _mixed(found, streak)
    return _solid(found, streak)


def _mixed(found: Findings, streak: PullStreak) -> tuple[str, str]:
    said = f"pull request #{streak.pr}: {streak.fails} of {_runs(streak.fails + streak.passes)} at its head failed"
    if streak.contradicted and found.verdict == SILENT and found.sums.runs >= found.limits.min_runs:
        return FLAKY, f"{said}, and the same check passed on the same commit"
    return found.verdict, said


def _solid(found: Findings, streak: PullStreak) -> tuple[str, str]:
    said = f"pull request #{streak.pr}: all {_runs(streak.fails)} at its head failed"
    if found.regression is not None:
        return REGRESSION, f"{said}; {found.regression.branch or 'the branch'} fails too, so it may be inherited"
    if found.tie is not None and found.tie.kind == "check" and set(streak.failing_checks) <= {found.tie.place}:
        return INFRA, f"{said}, in the place that fails for others too"
    if _in_storm(found, streak):
        return INFRA, f"{said}, during a failure storm"
    if streak.fails < found.limits.regression_runs:
        return found.verdict, f"{said}; one failure does not tell, run it again"
    if found.sums.runs - streak.fails < found.limits.min_runs:
        return found.verdict, f"{said}; too few runs elsewhere to compare with"
    rate = expected_rate(max(0, found.sums.fails - streak.fails), found.sums.runs - streak.fails)
    if rate**streak.fails <= found.limits.regression_chance:
        return REGRESSION, f"{said}, which its failure rate elsewhere does not explain: this pull request may break it"
    return found.verdict, f"{said}, which its failure rate elsewhere explains"


def _in_storm(found: Findings, streak: PullStreak) -> bool:
    return bool(streak.failing_hours) and set(streak.failing_hours) <= set(found.storm_hours)


def _runs(count: int) -> str:
    return f"{count} run" if count == 1 else f"{count} runs"
