"""The demo's issues and pull requests as rows."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from services.tracker.record.batch import Batch, batch_of, names
from services.tracker.record.demo.backports import affected_branches
from services.tracker.record.demo.change_text import ChangeText
from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.frames import one_line, stack
from services.tracker.record.demo.issue_text import IssueText, branches_of, crashes
from services.tracker.record.demo.lines import CANDIDATE, before, minor, releases, shipped_in
from services.tracker.record.demo.model import Change, Issue, Item, Kind
from services.tracker.record.demo.names import head_ref, label_of
from services.tracker.record.demo.vocabulary import SERVER
from services.tracker.record.demo.world import World

_PER_BATCH = 2000
_KIND_LABELS = {
    Kind.FEATURE: "feature request",
    Kind.QUESTION: "question",
    Kind.PROCESS: "task",
    Kind.FLAKY: "flaky-test",
}
_ISSUE = names(
    "source_id number title body state created_at updated_at is_private closed_at author labels component severity version "
    "error_codes frames duplicate_of fixed_by caused_by mentions milestone url comments state_reason tests "
    "affected_branches triage_reproduces_on triage_clean_on bisect_verdict"
)
_CHANGE = names(
    "source_id number title body state created_at updated_at is_private merged_at base_ref head_ref head_sha merge_sha "
    "author labels component closes affected_file_paths diff backport_of backport_state release url"
)
_SHIPPED = frozenset(release.version for release in releases() if release.state == "released")


def instant(now: datetime, day: float) -> datetime:
    """The instant so many days from now, to the second."""
    return now + timedelta(seconds=round(day * 86_400))


def issue_batches(world: World, now: datetime) -> Iterator[Batch]:
    text, dice = IssueText(world.words, Dice(world.seed, "issue texts")), Dice(world.seed, "issue rows")
    rows = (_issue(issue, text, now, dice) for issue in world.issues)
    yield from _batched("github_issues", _ISSUE, rows)


def change_batches(world: World, now: datetime) -> Iterator[Batch]:
    text = ChangeText(world.words, Dice(world.seed, "change texts"))
    rows = (_change(change, text, now) for change in world.changes)
    yield from _batched("github_prs", _CHANGE, rows)


def _batched(table: str, columns: Sequence[str], rows: Iterator[tuple[Any, ...]]) -> Iterator[Batch]:
    while chunk := list(islice(rows, _PER_BATCH)):
        yield batch_of(table, columns, chunk)


def _common(item: Item, title: str, body: str, state: str, now: datetime) -> tuple[Any, ...]:
    created, updated = instant(now, item.created), instant(now, item.updated)
    return item.source_id, item.number, title, body, state, created, max(created, updated), int(item.private)


def _issue(issue: Issue, text: IssueText, now: datetime, dice: Dice) -> tuple[Any, ...]:
    title, body = text.write(issue)
    code = f"BRN-{issue.defect.symptom.code}" if issue.defect and issue.defect.symptom.code else ""
    closed, duplicate = issue.closed, issue.root is not None and issue.closed is not None
    return (
        *_common(issue, title, body, "open" if closed is None else "closed", now),
        None if closed is None else instant(now, closed),
        issue.author,
        _issue_labels(issue),
        issue.component.name,
        issue.severity,
        issue.version,
        [code] if code and (code in body or code in title) else [],
        _frames(issue),
        issue.root.number if issue.root and duplicate else None,
        sorted(change.number for change in issue.fixes if change.merged) if issue.linked else [],
        sorted(change.number for change in issue.causes) if issue.bisected or dice.chance(0.5) else [],
        _mentions(issue, body),
        issue.milestone or _milestone(issue),
        issue.url,
        int(dice.spread(3, 2.5)),
        issue.reason,
        [issue.test] if issue.test else [],
        branches_of(issue, affected_branches(issue, issue.created) if issue.repo == SERVER else []),
        [issue.version] if issue.bisected or (issue.causes and dice.chance(0.5)) else [],
        [f"{before(minor(issue.version))}.0"] if issue.bisected else [],
        f"first bad commit {issue.causes[0].merge_sha[:12]} (#{issue.causes[0].number})" if issue.bisected else "",
    )


def _issue_labels(issue: Issue) -> list[str]:
    labels = [_KIND_LABELS.get(issue.kind, "bug"), issue.component.name]
    if issue.kind is Kind.REGRESSION:
        labels.append("regression")
    if issue.milestone == CANDIDATE:
        labels.append("release-blocker")
    if issue.private:
        labels.append("security" if issue.component.name == "auth" else "customer")
    if issue.reason == "duplicate":
        labels.append("duplicate")
    return labels


def _milestone(issue: Issue) -> str:
    """What was fixed counts to the release that it went into."""
    merged = [change for change in issue.fixes if change.merged]
    return shipped_in(merged[-1].base, merged[-1].closed or 0.0) if merged and issue.repo == SERVER else ""


def _frames(issue: Issue) -> list[str]:
    if issue.defect is None or not crashes(issue.defect):
        return []
    language = issue.component.language
    return [one_line(language, frame) for frame in stack(issue.defect, issue.component, issue.version)]


def _mentions(issue: Issue, body: str) -> list[str]:
    named = [
        each for each in (issue.earlier, issue.twin, *issue.causes) if each is not None and each.repo == issue.repo
    ]
    return [each.source_id for each in named if f"#{each.number}" in body]


def _change(change: Change, text: ChangeText, now: datetime) -> tuple[Any, ...]:
    title, body, diff = text.write(change)
    shipped = shipped_in(change.base, change.closed or 0.0) if change.merged and change.repo == SERVER else ""
    return (
        *_common(change, title, body, change.state, now),
        instant(now, change.closed or 0.0) if change.merged else None,
        change.base,
        head_ref(change),
        change.head_sha,
        change.merge_sha,
        change.author,
        _change_labels(change),
        change.component.name,
        sorted(issue.number for issue in change.fixes) if change.linked else [],
        list(change.files),
        diff,
        change.backport_of.number if change.backport_of else None,
        _backport_state(change),
        shipped if shipped in _SHIPPED else "",
        change.url,
    )


def _change_labels(change: Change) -> list[str]:
    kind = {Kind.FIX: "bug fix", Kind.BACKPORT: "backport", Kind.FEATURE: "feature"}.get(change.kind, "cleanup")
    return [kind, change.component.name, *(label_of(branch) for branch in change.backports)]


def _backport_state(change: Change) -> str:
    """Of a fix: how far all of its backports are. Of a backport: empty, its own state says it."""
    states = set(change.backports.values())
    if not states:
        return ""
    if states == {"done"}:
        return "done"
    return "in_flight" if "in_flight" in states else "missing" if states == {"missing"} else "partial"
