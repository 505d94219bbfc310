"""The sections of a context pack as Markdown lines."""

from collections.abc import Sequence
from datetime import datetime

from services.tracker.ops.code.backports import BackportGap
from services.tracker.ops.code.bisect import Bisect
from services.tracker.ops.item import Record
from services.tracker.ops.links import Links
from services.tracker.ops.similar import Similar
from services.tracker.ops.test_signal import TestSignal

MOST_LINKS, MOST_GRAPH, MOST_WHY = 10, 30, 3


def item_text(issue: Record) -> str:
    """State and fields, one line each; empty ones are left out."""
    fields = {
        "state": " ".join(
            part for part in (issue.state, f"({issue.state_reason})" if issue.state_reason else "") if part
        ),
        "component": issue.component,
        "severity": issue.severity,
        "version": issue.version,
        "created": _day(issue.created_at),
        "closed": _day(issue.closed_at),
        "labels": ", ".join(issue.labels),
        "error codes": ", ".join(issue.error_codes),
        "affected branches": ", ".join(issue.affected_branches),
        "reproduces on": ", ".join(issue.triage_reproduces_on),
        "clean on": ", ".join(issue.triage_clean_on),
        "bisect verdict": issue.bisect_verdict,
        "url": issue.url,
    }
    return "\n".join(f"- {name}: {value}" for name, value in fields.items() if value)


def body_text(issue: Record) -> str:
    return issue.body


def links_text(links: object) -> str:
    if not isinstance(links, Links):
        return ""
    listed = [
        f"- {link.relation} {link.source_id} ({link.kind}, {link.state}): {link.title}"
        for link in links.items[:MOST_LINKS]
    ]
    more = len(links.items) - MOST_LINKS
    return "\n".join(listed + ([f"- and {more} more"] if more > 0 else []))


def similar_text(found: Similar | None) -> str:
    if found is None:
        return ""
    return "\n".join(
        f"- {each.source_id} ({each.kind}, {each.state}): {each.title}{_because(each.why)}" for each in found.items
    )


def _because(why: Sequence[str]) -> str:
    return f" [{'; '.join(why[:MOST_WHY])}]" if why else ""


def graph_text(issue: Record) -> str:
    """Steps further away than the links, which stand above."""
    return "\n".join(
        f"- {step.source} {step.relation} {step.target} ({step.kind}, {step.state}): {step.title}"
        for step in issue.graph[:MOST_GRAPH]
    )


def tests_text(tests: Sequence[tuple[str, TestSignal]]) -> str:
    lines: list[str] = []
    for name, signal in tests:
        lines.append(f"- {name}: {signal.verdict}{f', since {signal.since}' if signal.since else ''}")
        lines += [f"  - {why}" for why in signal.why[:MOST_WHY]]
        if signal.candidates:
            lines.append(f"  - candidates: {', '.join(signal.candidates[:5])}")
    return "\n".join(lines)


def bisect_text(found: Bisect | None) -> str:
    if found is None or not found.candidates:
        return ""
    window = found.window
    lines = [
        f"Merged after {window.good or 'an unknown good state'}, up to {window.bad or 'now'}; nothing was reproduced."
    ]
    if found.partial:
        lines.append(f"Partial: {found.partial_reason}.")
    for each in found.candidates:
        lines.append(f"- {each.source_id} ({_day(each.merged_at)}): {each.title}")
        lines += [f"  - {why}" for why in each.why[:MOST_WHY]]
    return "\n".join(lines)


def backports_text(found: BackportGap | None) -> str:
    if found is None or not found.branches:
        return ""
    fixes = ", ".join(f"#{number}" for number in found.fixes)
    return "\n".join(
        [f"Fixed by {fixes}.", *(f"- {gap.branch}: {gap.status} ({'; '.join(gap.evidence)})" for gap in found.branches)]
    )


def _day(at: datetime | None) -> str:
    return at.strftime("%Y-%m-%d") if at else ""
