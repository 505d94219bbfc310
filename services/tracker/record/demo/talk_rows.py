"""Incidents, support cases, chat threads and running instances: what people say around the demo's issues."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from services.tracker.record.batch import Batch, batch_of
from services.tracker.record.demo.dice import Dice
from services.tracker.record.demo.item_rows import instant
from services.tracker.record.demo.lines import seen_at
from services.tracker.record.demo.model import Issue, Kind
from services.tracker.record.demo.slots import Slots, capital
from services.tracker.record.demo.vocabulary import SERVER
from services.tracker.record.demo.world import World

_INCIDENTS, _CASES, _THREADS, _INSTANCES = 42, 130, 260, 72
_REGIONS = ("eu-north", "eu-west", "us-east", "us-west", "ap-south", "lab")
_LEAST_AGE = 0.6


def talk_batches(world: World, now: datetime) -> Iterator[Batch]:
    dice = Dice(world.seed, "talk")
    faults = [each for each in world.issues if each.defect and each.repo == SERVER and each.created < -_LEAST_AGE]
    severe = [each for each in faults if each.severity == "critical"]
    serious = [each for each in faults if each.severity in ("critical", "high") and each.kind is not Kind.DUPLICATE]
    yield batch_of("core_incidents", *_incidents(world, _by_day(dice.some(severe, _INCIDENTS)), now, dice))
    yield batch_of("support_cases", *_cases(world, _by_day(dice.some(serious, _CASES)), now, dice))
    yield batch_of("slack_threads", *_threads(world, _by_day(dice.some(faults, _THREADS)), now, dice))
    yield batch_of("cloud_instances", *_instances(dice))
    yield batch_of("instance_relations", *_relations(dice))


def _by_day(issues: list[Issue]) -> list[Issue]:
    return sorted(issues, key=lambda issue: issue.created)


def _slots(world: World, issue: Issue, dice: Dice) -> Slots:
    defect, slots = issue.defect, Slots(world.words, issue.component, dice)
    assert defect is not None
    wording = dice.number(0, 2)
    slots |= {"component": issue.component.name, "version": issue.version, "platform": defect.platform}
    slots["s"], slots["t"] = defect.symptom.say[wording], slots.fill(defect.trigger[wording])
    slots["S"], slots["T"] = capital(slots["s"]), capital(slots["t"])
    return slots


def _incidents(
    world: World, issues: list[Issue], now: datetime, dice: Dice
) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    rows = []
    for place, issue in enumerate(issues, 1):
        slots = _slots(world, issue, dice)
        start, took = issue.created - dice.between(0.02, 0.5), dice.spread(0.12, 2.5)
        over = start + took < -0.01
        body = "\n\n".join(
            (
                f"Impact: {slots.one('impact')}",
                slots.fill("Timeline: alert on `{metric}` at +0 min, paged at +{few} min, mitigated at +{n} min."),
                f"What happened: {slots['s']} {slots['t']} on {slots['node']}. {slots.one('observed')}",
                f"Follow-up: #{issue.number}.",
            )
        )
        state = "resolved" if over else "mitigated"
        ended = instant(now, start + took) if over else None
        title = f"{capital(issue.component.name)}: {slots['s']}"
        about = (issue.component.name, [issue.number], 1, issue.repo)
        severity = dice.pick(("sev1", "sev2", "sev2", "sev3"))
        rows.append((f"INC-{100 + place}", title, body, severity, state, instant(now, start), ended, *about))
    names = ("id", "title", "body", "severity", "state", "started_at", "resolved_at", "component", "issue_numbers")
    return (*names, "is_private", "repo"), rows


def _cases(
    world: World, issues: list[Issue], now: datetime, dice: Dice
) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    rows = []
    for place, issue in enumerate(issues, 1):
        slots = _slots(world, issue, dice)
        day = min(issue.created + dice.between(-1.0, 20.0), -0.1)
        said = (f"{slots['greeting']} {slots.one('openings')}", f"{slots.one('impact')} {slots['ask']}")
        body = "\n\n".join((*said, slots.fill("Our setup: {env}, {workload}.")))
        closed = (
            None
            if issue.closed is None or issue.closed + 2 > -0.1
            else instant(now, min(max(issue.closed, day) + 2 * dice.roll(), -0.02))
        )
        state = "open" if closed is None else "solved"
        title = dice.pick(
            (slots["S"], f"{slots['S']} {slots['t']}", f"Question about {slots['component']}: {slots['s']}")
        )
        rows.append(
            (
                f"CASE-{4000 + place}",
                title,
                body,
                state,
                instant(now, day),
                closed,
                issue.component.name,
                [issue.number],
                1,
            )
        )
    return ("id", "title", "body", "state", "opened_at", "closed_at", "component", "issue_numbers", "is_private"), rows


def _threads(
    world: World, issues: list[Issue], now: datetime, dice: Dice
) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    rows = []
    for place, issue in enumerate(issues, 1):
        slots = _slots(world, issue, dice)
        replies = slots.several("chat_replies", dice.number(1, 4))
        said = [f"{slots.one('chat_openers')} {slots['s']} {slots['t']}", *replies]
        if dice.chance(0.6):
            said.append(f"tracked in #{issue.number}")
        lines = [f"dev-{dice.number(1, 60)}: {line}" for line in said]
        channel = f"#{issue.component.name}" if dice.chance(0.6) else dice.pick(("#on-call", "#help", "#releases"))
        day = min(issue.created + dice.between(-0.4, 6.0), -0.05)
        rows.append((f"T-{10_000 + place}", channel, "\n".join(lines), instant(now, day), [issue.number], 1))
    return ("id", "channel", "text", "started_at", "issue_numbers", "is_private"), rows


def _instances(dice: Dice) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    versions = [*seen_at(-0.1), "3.2.0-rc.1", "2.5.10"]
    rows = []
    for place in range(_INSTANCES):
        region = _REGIONS[place % len(_REGIONS)]
        state = dice.weighted((("running", 0.86), ("degraded", 0.06), ("upgrading", 0.05), ("stopped", 0.03)))
        rows.append(
            (f"inst-{place:03d}", f"brindle-{region}-{place // len(_REGIONS) + 1}", dice.pick(versions), region, state)
        )
    return ("instance_id", "name", "version", "region", "state"), rows


def _relations(dice: Dice) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    rows = []
    for place in range(len(_REGIONS), _INSTANCES):
        relation = dice.weighted((("replica_of", 0.7), ("backup_of", 0.2), ("fed_by", 0.1)))
        rows.append((f"inst-{place:03d}", f"inst-{place % len(_REGIONS):03d}", relation))
    return ("from_id", "to_id", "relation"), rows
