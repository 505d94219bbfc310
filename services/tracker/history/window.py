"""The bisect window: between the newest state that is known to be good and the oldest that is known to be bad."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time

from services.tracker.history.rows import Row, instant, same_sha, text, texts
from services.tracker.history.versions import release_line, version

_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_SHA = re.compile(r"[0-9a-fA-F]{7,40}")


@dataclass(frozen=True, slots=True)
class Point:
    """A version, date or sha as given, with when it was built or merged; `at` None: the record does not know it."""

    given: str
    at: datetime | None
    how: str


@dataclass(frozen=True, slots=True)
class Window:
    """After `good` up to and including `bad`. An end without a point is open; `open_reason` says which and why."""

    good: Point | None
    bad: Point | None
    unknown: tuple[str, ...] = ()  # given, but not in the record
    contradictory: bool = False

    def holds(self, at: datetime) -> bool:
        after = self.good is None or self.good.at is None or at > self.good.at
        return after and (self.bad is None or self.bad.at is None or at <= self.bad.at)

    @property
    def open_reason(self) -> str | None:
        if self.contradictory:
            return "what is said to be good is not older than what is said to be bad; only the bad end is used"
        if self.good is None:
            return "no known good version: the window is open at its beginning"
        return (
            "no known bad version and no time of the report: the window is open at its end"
            if self.bad is None
            else None
        )


def window(
    good: Iterable[str],
    bad: Iterable[str],
    *,
    history: Sequence[Row] = (),
    releases: Sequence[Row] = (),
    pulls: Sequence[Row] = (),
    reported_at: datetime | None = None,
) -> Window:
    """From versions, dates (YYYY-MM-DD or RFC 3339) and shas. The oldest bad point ends it, and the newest good point
    before that begins it; without a bad point the report's time ends it."""
    goods = [locate(name, history, releases, pulls, end_of_day=False) for name in _named(good)]
    bads = [locate(name, history, releases, pulls, end_of_day=True) for name in _named(bad)]
    unknown = tuple(point.given for point in (*goods, *bads) if point.at is None)
    ends = sorted((point.at, point.given, point) for point in bads if point.at is not None)
    last = ends[0][2] if ends else (Point("the report", reported_at, "time of the report") if reported_at else None)
    known = sorted((point.at, point.given, point) for point in goods if point.at is not None)
    before = [entry for entry in known if last is None or last.at is None or entry[0] < last.at]
    return Window(before[-1][2] if before else None, last, unknown, bool(known) and not before)


def of_issue(issue: Row) -> tuple[list[str], list[str]]:
    """Good and bad names from the triage columns; the version that the report names is bad."""
    bad = texts(issue, "triage_reproduces_on") or [name for name in (text(issue, "version"),) if name]
    return texts(issue, "triage_clean_on"), bad


def _named(names: Iterable[str]) -> list[str]:
    return sorted({name.strip() for name in names if name.strip()})


def locate(
    name: str, history: Sequence[Row], releases: Sequence[Row], pulls: Sequence[Row], *, end_of_day: bool
) -> Point:
    """When a version was built or released, a sha built or merged, or a date was."""
    day = _date(name, end_of_day)
    if day is not None:
        return Point(name, day, "date")
    for rows, column, when, how in (
        (history, "sha", "built_at", "build of the sha"),
        (pulls, "merge_sha", "merged_at", "merge of the sha"),
        (pulls, "head_sha", "merged_at", "merge of the head"),
    ):
        times = [
            at
            for row in rows
            if _SHA.fullmatch(name) and same_sha(text(row, column), name) and (at := instant(row, when))
        ]
        if times:
            return Point(name, min(times), how)
    wanted = version(name)
    for rows, when, how in ((history, "built_at", "build of the version"), (releases, "released_at", "release")):
        times = [
            at for row in rows if wanted and version(text(row, "version")) == wanted and (at := instant(row, when))
        ]
        if times:
            return Point(name, min(times), how)
    return _line(name, [*history, *releases], last=end_of_day) or Point(name, None, "not in the record")


def _line(name: str, rows: Sequence[Row], *, last: bool) -> Point | None:
    """A name of major and minor alone, which no build bears: good from its first build on, bad by its last one."""
    line = release_line(name)
    times = [
        at
        for row in rows
        if line and (built := version(text(row, "version"))) is not None and built.line == line
        if (at := instant(row, "built_at") or instant(row, "released_at")) is not None
    ]
    if not times:
        return None
    return (
        Point(name, max(times), "last build of the line")
        if last
        else Point(name, min(times), "first build of the line")
    )


def _date(name: str, end_of_day: bool) -> datetime | None:
    try:
        if _DAY.fullmatch(name):
            day = datetime.fromisoformat(name)
            return datetime.combine(day, time.max if end_of_day else time.min, UTC)
        if _DAY.match(name):
            at = datetime.fromisoformat(name)
            return at if at.tzinfo else at.replace(tzinfo=UTC)
    except ValueError:
        return None
    return None
