"""tracker.release: whether a release can ship."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from runtime.clock import Clock
from runtime.errors import missing_field
from runtime.identity import Caller
from services.tracker import shipping
from services.tracker.fixes import Fixes
from services.tracker.ops.asking import Asking
from services.tracker.ops.near import MILESTONES, VERSIONS, nearest
from services.tracker.ops.records import item_of, once
from services.tracker.ops.trust import UNCALIBRATED, trust
from services.tracker.outcome import Common, Item, cut, word
from services.tracker.reads import Reading, Statement, together
from services.tracker.severity import RANK_SQL, SEVERE, rank

NOTES_CHARS = 2000

_BARE = "replaceRegexpOne(lower({0}), '^v([0-9])', '\\\\1') = {{version:String}}".format
RELEASE = Statement(
    "release.row",
    "SELECT version, branch, state, released_at FROM {releases(version, branch, state, released_at)} "
    f"WHERE {_BARE('version')} ORDER BY released_at DESC, version LIMIT 1",
)
HEALTH = Statement(
    "release.health",
    "SELECT snapshot_at, status, blockers_open, ci_pass_rate, notes "
    "FROM {release_health(version, snapshot_at, status, blockers_open, ci_pass_rate, notes)} "
    f"WHERE {_BARE('version')} ORDER BY snapshot_at DESC LIMIT 1",
)
_LABELLED = "arrayExists(l -> positionCaseInsensitive(l, 'block') > 0, labels)"
# What is open for the version: by milestone, or on its branch and called a blocker.
BLOCKERS = Statement(
    "release.blockers",
    "SELECT 'issue' AS kind, source_id, number, title, state, created_at, component, severity, url, fixed_by, milestone, "
    f"{_BARE('milestone')} AS planned, {_LABELLED} AS labelled "
    "FROM {github_issues(source_id, number, title, state, created_at, component, severity, url, fixed_by, milestone, "
    "labels, affected_branches)} "
    f"WHERE state = 'open' AND ({_BARE('milestone')} OR ({_LABELLED} AND {{branch:String}} != '' "
    f"AND has(affected_branches, {{branch:String}}))) ORDER BY labelled DESC, {RANK_SQL}, created_at, source_id LIMIT 200",
)
# Fixes of what the branch has: issues that affect it, open or closed.
AFFECTING = Statement(
    "release.affecting",
    "SELECT source_id, number, fixed_by FROM {github_issues(source_id, number, fixed_by, affected_branches)} "
    "WHERE {branch:String} != '' AND has(affected_branches, {branch:String}) ORDER BY number DESC, source_id LIMIT 1000",
)
_FIX = (
    "source_id, number, title, state, created_at, component, url, base_ref, merged_at, updated_at, closes, "
    "backport_of, backport_state"
)
FIXES = Statement(
    "release.fixes",
    f"SELECT 'pr' AS kind, {_FIX} FROM {{github_prs({_FIX})}} "
    "WHERE number IN {fixes:Array(Int64)} OR hasAny(closes, {issues:Array(Int64)}) OR backport_of IN {fixes:Array(Int64)} "
    "OR ({branch:String} != '' AND base_ref = {branch:String} AND backport_of > 0) "
    "ORDER BY updated_at DESC, source_id LIMIT 3000",
)


@dataclass(slots=True)
class Blocker(Item):
    status: str = ""
    fixed_by: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Waiting(Item):
    """A merged fix that is not on the branch."""

    base_ref: str = ""
    merged_at: datetime | None = None
    backport_state: str = ""
    issue_number: int | None = None


@dataclass(slots=True)
class Health:
    snapshot_at: datetime | None
    status: str
    blockers_open: int | None
    ci_pass_rate: float | None
    notes: str


@dataclass(slots=True)
class Release:
    verdict: str
    answer: str
    version: str
    branch: str
    state: str
    released_at: datetime | None
    blockers: list[Blocker]
    health: Health | None
    missing: list[str]
    waiting_backports: list[Waiting]
    near: list[str]
    epistemic: str
    common: Common


class ReleaseOp:
    def __init__(self, asking: Asking, clock: Clock) -> None:
        self._asking, self._clock = asking, clock

    async def execute(self, org: str, namespace: str, version: str, caller: Caller) -> Release:
        """Near versions where the record has none such. Raises MISSING_FIELD for a blank one."""
        if not version.strip():  # it would be the version of every issue that has no milestone
            raise missing_field("version")
        asked = await self._asking.primary(org, namespace, caller)
        reading, params = asked.primary, {"version": shipping.bare(version)}
        found, health = await together(reading.rows("release", RELEASE, params), reading.rows("health", HEALTH, params))
        row = found[0] if found else {"version": "", "branch": "", "state": "", "released_at": None}
        branch = row["branch"] or ""
        blockers, affecting = await together(
            reading.rows("blockers", BLOCKERS, {**params, "branch": branch}),
            reading.rows("backports", AFFECTING, {"branch": branch}),
        )
        blockers = once(blockers)
        fixes = Fixes(await _fixes(reading, blockers, affecting, branch))
        # A milestone that issues have is a version, though nobody wrote it down as a release.
        name = row["version"] or next((b["milestone"] for b in blockers if b["planned"]), "")
        rated = [_blocker(asked.namespace, each, fixes, branch) for each in blockers]
        waiting = _waiting(asked.namespace, affecting, fixes, branch)
        snapshot = health[0] if health else None
        # A table that was silent may have named it.
        named = bool(name or snapshot) or trust(reading) != UNCALIBRATED
        near = [] if name or snapshot else await near_versions(reading, version)
        missing = shipping.missing_to_ship([b.status for b in rated], len(waiting), snapshot)
        verdict = self._verdict(row, name or bool(snapshot), missing, trust(reading))
        # What a branch waits for is its next version's business.
        missing = [] if verdict == shipping.RELEASED else missing
        return Release(
            verdict=verdict,
            answer=shipping.answer(word(name or version.strip()), verdict, missing, is_named=named),
            version=word(name),
            branch=word(branch),
            state=word(row["state"]),
            released_at=row["released_at"],
            blockers=rated,
            health=_health(snapshot) if snapshot else None,
            missing=missing,
            waiting_backports=waiting,
            near=near,
            epistemic=trust(reading),
            common=asked.common(),
        )

    def _verdict(self, row: dict[str, Any], known: object, missing: Sequence[str], trusted: str) -> str:
        if shipping.is_shipped(row["state"] or "", row["released_at"], self._clock.now()):
            return shipping.RELEASED
        if missing and known:
            return shipping.BLOCKED
        # Silence clears nothing: only a record that was read in full is ready.
        return shipping.READY if known and trusted == UNCALIBRATED else shipping.UNKNOWN


async def near_versions(reading: Reading, version: str) -> list[str]:
    """Versions out of the list of releases and out of milestones: few exports have the former."""
    known = []
    for statement, table, column in ((VERSIONS, "releases", "version"), (MILESTONES, "github_issues", "milestone")):
        if reading.provides(table, column):
            known += [row[column] for row in await reading.rows("names", statement)]
    return nearest(shipping.bare(version), known)


async def _fixes(reading: Reading, blockers: list[Any], affecting: list[Any], branch: str) -> list[dict[str, Any]]:
    issues = [*blockers, *affecting]
    if not issues and not branch:
        return []
    numbers = sorted({number for issue in issues for number in issue["fixed_by"] or ()})
    params = {"fixes": numbers, "issues": sorted({issue["number"] for issue in issues}), "branch": branch}
    return await reading.rows("fixes", FIXES, params)


def _blocker(namespace: str, row: dict[str, Any], fixes: Fixes, branch: str) -> Blocker:
    own = fixes.of(row)
    why = [
        *(["planned for the version"] if row["planned"] else []),
        *(["labelled as a blocker"] if row["labelled"] else []),
        *(["severe"] if rank(row["severity"] or "") <= SEVERE else []),
    ]
    status, numbers = fixes.status(own, branch), [each["number"] for each in own]
    return Blocker(**item_of(namespace, row), why=why, status=status, fixed_by=numbers)


def _waiting(namespace: str, affecting: list[dict[str, Any]], fixes: Fixes, branch: str) -> list[Waiting]:
    """Fixes of what the branch has that are merged somewhere and not there, each once."""
    found: dict[str, Waiting] = {}
    for issue in affecting:
        own = fixes.of(issue)
        if fixes.status(own, branch) in (shipping.FIX_MERGED, shipping.BACKPORT_OPEN):
            for row in own:
                if row["state"] == "merged" and row["base_ref"] != branch:
                    found.setdefault(row["source_id"], _waits(namespace, row, issue, fixes))
    return sorted(found.values(), key=lambda each: each.source_id)


def _waits(namespace: str, row: Mapping[str, Any], issue: dict[str, Any], fixes: Fixes) -> Waiting:
    backport = fixes.backport_of(row)
    state = (backport["backport_state"] or backport["state"]) if backport else row["backport_state"]
    return Waiting(
        **item_of(namespace, row),
        base_ref=word(row["base_ref"]),
        merged_at=row["merged_at"],
        backport_state=word(state),
        issue_number=issue["number"],
    )


def _health(row: dict[str, Any]) -> Health:
    return Health(
        snapshot_at=row["snapshot_at"],
        status=word(row["status"]),
        blockers_open=row["blockers_open"],
        ci_pass_rate=row["ci_pass_rate"],
        notes=cut(row["notes"] or "", NOTES_CHARS)[0],
    )
