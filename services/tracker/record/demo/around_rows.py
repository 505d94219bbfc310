"""Releases, their health, builds, and the risk of components, counted from the demo's own issues."""

import math
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from services.tracker.record.batch import Batch, batch_of
from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.item_rows import instant
from services.tracker.record.demo.lines import CANDIDATE, MAIN, lines, releases, seen_at
from services.tracker.record.demo.model import Issue
from services.tracker.record.demo.vocabulary import SERVER
from services.tracker.record.demo.world import World

_WEEKS = 26
_NIGHTLY = 0.12  # when of the day
_SEVERE = ("critical", "high")


def release_batches(world: World, now: datetime) -> Iterator[Batch]:
    rows = [
        (each.version, each.branch, each.state, None if each.day > 0 else instant(now, each.day), 0, SERVER)
        for each in releases()
    ]
    yield batch_of("releases", ("version", "branch", "state", "released_at", "is_private", "repo"), rows)
    yield batch_of("release_health", *_health(world, now, Dice(world.seed, "health")))
    yield batch_of("version_history", *_history(world, now))
    yield batch_of("component_risk", *_risk(world, now, Dice(world.seed, "risk")))


def open_at(issue: Issue, day: float) -> bool:
    return issue.created <= day and (issue.closed is None or issue.closed > day)


def _health(world: World, now: datetime, dice: Dice) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    blockers = [issue for issue in world.issues if issue.milestone == CANDIDATE]
    rows = []
    for week in range(_WEEKS):
        day = -7.0 * week - 0.3
        cut = next(line.cut for line in lines() if CANDIDATE.startswith(line.name))
        versions = [*seen_at(day), *([CANDIDATE] if day > cut else [])]
        for version in versions:
            opened = sum(open_at(issue, day) for issue in blockers) if version == CANDIDATE else 0
            rate = round(min(0.998, dice.between(0.93, 0.99) - 0.03 * opened), 3)
            status = "blocked" if opened >= 3 else "at_risk" if opened or rate < 0.94 else "healthy"
            notes = (
                f"{opened} blockers open"
                if opened
                else dice.pick(("", "", "watching the long tests", "soak test passed"))
            )
            rows.append((version, instant(now, day), status, opened, rate, notes, SERVER))
    return ("version", "snapshot_at", "status", "blockers_open", "ci_pass_rate", "notes", "repo"), rows


def _history(world: World, now: datetime) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """The nightly build of the trunk and every release of the branch that contain a change first."""
    cuts = {f"{line.name}.0": line for line in lines()}
    rows = []
    for change in world.changes:
        if not (change.merged and change.repo == SERVER):
            continue
        merged = change.closed or 0.0
        about = (change.merge_sha, change.number)
        if change.base == MAIN:
            night = math.ceil(merged - _NIGHTLY) + _NIGHTLY
            coming = [line for line in lines() if line.cut > merged]
            ahead = coming[0].name if coming else "3.3"
            if night < 0:
                rows.append((f"{ahead}.0-nightly.{10_000 + int(night)}", MAIN, *about, instant(now, night), SERVER))
        for release in releases():
            first = cuts.get(release.version) if change.base == MAIN else None
            contains = first is coming[0] if change.base == MAIN and coming and first else False
            if change.base == release.branch and release.day > merged:
                contains = release.version == _first_after(release.branch, merged)
            if contains and release.day < 0:
                rows.append((release.version, release.branch, *about, instant(now, release.day), SERVER))
    return ("version", "branch", "sha", "pr_number", "built_at", "repo"), rows


def _first_after(branch: str, day: float) -> str:
    return next(each.version for each in releases() if each.branch == branch and each.day > day)


def _risk(world: World, now: datetime, dice: Dice) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    rows = []
    for component in world.words.components:
        own = [issue for issue in world.issues if issue.component is component and not issue.private]
        owners = [f"team-{component.name.partition('-')[0]}", f"dev-{dice.number(1, 20)}"]
        before: float | None = None
        for week in reversed(range(_WEEKS)):
            day = -7.0 * week - 0.4
            opened = [issue for issue in own if open_at(issue, day)]
            severe = sum(issue.severity in _SEVERE for issue in opened)
            score = round(min(100.0, 1.4 * severe + 0.4 * len(opened) + dice.between(0, 4)), 1)
            trend = "flat" if before is None or abs(score - before) < 2 else "up" if score > before else "down"
            note = "needs a second maintainer" if severe > 9 else ""
            rows.append(
                (component.name, instant(now, day), score, len(opened), severe, trend, owners, note, component.repo)
            )
            before = score
    names = ("component", "snapshot_at", "score", "open_issues", "open_severe", "trend", "owners", "notes", "repo")
    return names, rows
