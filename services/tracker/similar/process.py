"""Tickets about the work, not about a defect: checklists, releases, audits, templated sub-tasks. They are no targets."""

import re
from collections.abc import Iterable

from services.tracker.similar.statistics import Statistics

# Reports with one title, but for digits, that make it a template.
SERIES = 5

# A phrase names a ticket about the work only where the title ends with it or goes on with a version or an explanation:
# `Release notes 2.1` is one, `Release notes page is blank` is a defect.
_END = r"(?=\s*(?:$|[:(,]|[-–]\s|v?\d|for\b|of\b|in\b|to\s+v?\d|->))"
_TITLE = re.compile(
    r"^\W*(?:(?:release|tracking|umbrella|epic|checklist|chore)(?:\]|\s*:|\s+[-–]\s)|(?<=\[)(?:meta|audit)\]"
    r"|(?:tracking|umbrella|meta|master) (?:issue|ticket|bug|task)\b"
    r"|(?:release|sprint|iteration|milestone|weekly|nightly|monthly|quarterly) (?:checklist|plan(?:ning)?|notes|tasks?"
    rf"|retro\w*|report|update|v?\d[\w.\-]*+){_END}"
    rf"|(?:prepare|cut|tag|publish|ship)(?: the| a| new| next| v?\d\S*)* release{_END}"
    rf"|(?:bump|update) (?:the )?(?:version(?: number)?|changelog|release notes|copyright(?: year)?|year){_END}"
    rf"|(?:code freeze|sign[- ]?off|test plan|regression (?:test )?pass|bug bash|triage){_END}"
    r"|(?:backport|cherry[- ]pick)\b.*(?:#\d+|\bto (?:v?\d|release|stable|branch))"
    r"|(?:audit|review) (?:all|every|each)\b)"
    rf"|\b(?:check ?list|audit sweep|(?:release|qa) (?:sign[- ]?off|validation)|phase \d+ track(?:er|ing)){_END}",
    re.IGNORECASE,
)
_LABEL_WORDS = "chore checklist tracking epic meta umbrella sub-task subtask housekeeping"
_LABELS = frozenset(_LABEL_WORDS.split())
_TASK = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+\[[ xX]\]", re.MULTILINE)
_LEAST_TASKS = 3


def is_process(title: str, body: str, labels: Iterable[str], statistics: Statistics) -> bool:
    """Whether a report is a process ticket, by its title, its labels, its checklist, or the many of one title."""
    if _TITLE.search(title[:300]) or statistics.series(title) >= SERIES:
        return True
    if any(re.split(r"[:/ ]", label.casefold())[-1] in _LABELS for label in labels):
        return True
    return _is_checklist(body[:16_000])


def _is_checklist(body: str) -> bool:
    """A body whose lines are tasks; a bug's template has a few boxes above its text."""
    tasks = len(_TASK.findall(body))
    lines = sum(bool(line.strip()) for line in body.splitlines())
    return tasks >= _LEAST_TASKS and tasks > lines / 2
