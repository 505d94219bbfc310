"""Which fixes went into which release branches, and which should have."""

from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.lines import MAIN, branches_at, minor
from services.tracker.record.demo.model import Change, Issue, Kind
from services.tracker.record.demo.vocabulary import SERVER

DONE, IN_FLIGHT, MISSING, GIVEN_UP = "done", "in_flight", "missing", "closed"
_WORTH = {"critical": 0.95, "high": 0.6, "medium": 0.12, "low": 0.0}
_MISSED, _GIVEN_UP = 0.15, 0.04
_RECENT, _WAITING = 30.0, 0.6


def plan_backports(fixes: list[Change], most: int, dice: Dice) -> list[Change]:
    """About `most` backports at most: all of the last weeks, of older ones a share. Each fix learns how its branches stand."""
    worthy = [fix for fix in fixes if wanted(fix, dice)]
    share = min(1.0, most / max(1.6 * len(worthy), 1))
    planned: list[Change] = []
    for fix in worthy:
        if (fix.closed or 0.0) > -_RECENT or dice.chance(share):
            for branch in affected_branches(fix.fixes[0], fix.closed or 0.0):
                planned += _backport(fix, branch, dice)
    return planned


def wanted(fix: Change, dice: Dice) -> bool:
    """Whether the fix of a server fault is severe enough to be brought back."""
    if not (fix.merged and fix.base == MAIN and fix.repo == SERVER and fix.fixes):
        return False
    return dice.chance(_WORTH[fix.fixes[0].severity])


def affected_branches(issue: Issue, day: float) -> list[str]:
    """Release branches of that day that are as new as the version that the issue was seen in, oldest first."""
    line = minor(issue.version)
    return sorted(branch for branch in branches_at(day) if branch.rpartition("/")[2] >= line)


def _backport(fix: Change, branch: str, dice: Dice) -> list[Change]:
    created = (fix.closed or 0.0) + dice.spread(1.1, 2.2)
    if created > -0.05 or dice.chance(_MISSED):
        fix.backports[branch] = MISSING
        return []
    change = Change(
        kind=Kind.BACKPORT,
        component=fix.component,
        created=created,
        author=fix.author,
        defect=fix.defect,
        private=fix.private,
        base=branch,
        backport_of=fix,
        files=fix.files,
    )
    closed = created + dice.spread(1.6, 2.0)
    if closed < -0.05 and not (created > -_RECENT / 2 and dice.chance(_WAITING)):
        change.state, change.closed = ("closed" if dice.chance(_GIVEN_UP) else "merged"), closed
    fix.backports[branch] = {"merged": DONE, "closed": GIVEN_UP, "open": IN_FLIGHT}[change.state]
    return [change]
