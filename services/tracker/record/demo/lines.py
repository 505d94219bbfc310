"""Release lines of the invented product. Times are days relative to now, so that every record looks alike.

Work happens on `main`. A line is cut from it, ships its `.0` two weeks later and gets patches while it is supported.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

MAIN = "main"
_CUTS = (("2.3", -640.0), ("2.4", -480.0), ("2.5", -345.0), ("3.0", -215.0), ("3.1", -88.0), ("3.2", -9.0))
_STABILISE, _BETWEEN_PATCHES, _SUPPORTED = 14.0, 27.0, 290.0
CANDIDATE, NEXT_PATCH, WITHDRAWN = "3.2.0", "3.1.3", "3.0.3"


@dataclass(frozen=True, slots=True)
class Release:
    """`day` is when it ships: in the future for those that have not."""

    version: str
    line: str
    branch: str
    day: float
    state: str


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    branch: str
    cut: float
    end: float


@cache
def lines() -> tuple[Line, ...]:
    """The lines, oldest first."""
    return tuple(Line(name, f"release/{name}", cut, cut + _STABILISE + _SUPPORTED) for name, cut in _CUTS)


@cache
def releases() -> tuple[Release, ...]:
    """All releases by day, the planned ones last."""
    return tuple(sorted((release for line in lines() for release in _of(line)), key=lambda release: release.day))


def seen_at(day: float) -> list[str]:
    """Versions that had shipped and were supported on that day, newest line first, newest patch of each."""
    newest: dict[str, str] = {}
    for release in releases():
        if release.day <= day and release.state != "withdrawn":
            newest[release.line] = release.version
    alive = {line.name for line in lines() if line.end > day}
    return [version for line, version in reversed(newest.items()) if line in alive] or [releases()[0].version]


def branches_at(day: float) -> list[str]:
    """Release branches that took fixes on that day, newest first."""
    return [line.branch for line in reversed(lines()) if line.cut <= day < line.end]


def shipped_in(branch: str, day: float) -> str:
    """The release that contains what was merged into the branch on that day; empty where none is planned."""
    if branch == MAIN:
        coming = [line for line in lines() if line.cut > day]
        return f"{coming[0].name}.0" if coming else ""
    own = [release for release in releases() if release.branch == branch and release.state != "withdrawn"]
    place = bisect_right([release.day for release in own], day)
    return own[place].version if place < len(own) else ""


def minor(version: str) -> str:
    """`3.1` of `3.1.2` and of `3.1.0-rc.1`."""
    return ".".join(version.split(".")[:2])


def before(line: str) -> str:
    """The line before that one; the first one's is itself."""
    names = [each.name for each in lines()]
    return names[max(names.index(line) - 1, 0)]


def _of(line: Line) -> Iterator[Release]:
    day, patch = line.cut + _STABILISE, 0
    while day < min(line.end, 0.0):
        version = f"{line.name}.{patch}"
        yield Release(version, line.name, line.branch, day, "withdrawn" if version == WITHDRAWN else "released")
        day, patch = day + _BETWEEN_PATCHES, patch + 1
    if line.end > 0:
        state = "candidate" if patch == 0 else "planned"
        yield Release(f"{line.name}.{patch}", line.name, line.branch, max(day, 3.0), state)
