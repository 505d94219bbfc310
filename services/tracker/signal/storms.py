"""Failure storms: hours in which many tests failed in several unrelated changes at once. They are the
infrastructure's fault.

Input is one aggregate over ALL tests of a source, made by the database (`expressions.jobs_statement`): one row per
(hour, branch, pr, sha, check, machine) with `tests`, the different tests that ran, and `failed`, those of them that
failed, tests that fail in more than a fifth of their runs left out. It spans three days or more, so that a storm does
not make its own tests ones that fail often. 2,000,000 runs come as some thousand rows, one per CI job and hour.

A storm needs, within one or two hours running, in one check or over all: `storm_changes` unrelated changes that were
hit, these at least `storm_share` of the changes that ran, and `storm_tests` different failing tests. A pull request
is one change however often it was pushed. Where pull requests ran too, all commits of a branch together are one
change, as a broken commit breaks its successors. What lasts longer than `storm_hours` is no storm but a broken trunk
or a lasting outage: its failures stay in the statistics.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from services.tracker.signal.cells import TRUNK, Key
from services.tracker.signal.thresholds import DEFAULT, Thresholds

Levels = dict[tuple[str, int], float]
NEARBY = 12  # hours with jobs, on either side
ANY = ""  # scope of a storm that spans the checks


class Job(NamedTuple):
    """One CI job's hour: how many tests ran and failed for one change in one check."""

    hour: int  # hours since the epoch
    branch: str
    pr: int
    sha: str
    check: str
    runner: str
    tests: int
    failed: int

    @property
    def change(self) -> tuple[str, object]:
        return ("pr", self.pr) if self.pr > TRUNK else (self.branch, self.sha)


class Storm(NamedTuple):
    hour: int
    check: str  # ANY: all checks
    changes: int
    tests: int


class Crowd(NamedTuple):
    """A job in which many more tests failed than usual. A failure in it says little about the single test."""

    hour: int
    sha: str
    check: str
    runner: str


class Weather(NamedTuple):
    """What the other tests did around a test's runs. Storm windows and crowded jobs; kept beside the roll-ups."""

    storms: tuple[Storm, ...] = ()
    crowds: frozenset[Crowd] = frozenset()

    def scopes(self) -> dict[int, frozenset[str]]:
        """hour -> checks (or ANY) that were in a storm."""
        hours: dict[int, set[str]] = defaultdict(set)
        for storm in self.storms:
            hours[storm.hour].add(storm.check)
        return {hour: frozenset(checks) for hour, checks in hours.items()}

    def crowded(self, key: Key) -> bool:
        return Crowd(key.hour, key.sha, key.check, key.runner) in self.crowds


def join(*weathers: Weather) -> Weather:
    """Stored and fresh weather together, in any order."""
    storms = {(storm.hour, storm.check): storm for weather in weathers for storm in sorted(weather.storms)}
    crowds = frozenset(crowd for weather in weathers for crowd in weather.crowds)
    return Weather(tuple(storms[place] for place in sorted(storms)), crowds)


def jobs_of(rows: Iterable[Mapping[str, Any]]) -> list[Job]:
    """Rows of `expressions.jobs_statement`."""
    return [_job(row) for row in rows]


def _job(row: Mapping[str, Any]) -> Job:
    return Job(
        int(row["hour"]),
        str(row["branch"]),
        int(row["pr"]),
        str(row["sha"]),
        str(row["check"]),
        str(row["machine"]),
        int(row["tests"]),
        int(row["failed"]),
    )


def weather(jobs: Iterable[Job], earlier: Levels | None = None, limits: Thresholds = DEFAULT) -> Weather:
    """Storms and crowded jobs among `jobs`. `earlier`: levels of the days before, where `jobs` cover a short span."""
    listed = sorted(jobs, key=lambda job: job[:6])
    usual = usual_failures({**(earlier or {}), **levels(listed)})
    hit = {job for job in listed if is_crowded(job, usual[job.check, job.hour], limits)}
    scopes: dict[str, list[Job]] = defaultdict(list, {ANY: listed})
    for job in listed:
        if job.check != ANY:
            scopes[job.check].append(job)
    storms = [storm for scope, members in scopes.items() for storm in _storms(scope, members, hit, limits)]
    crowds = frozenset(Crowd(job.hour, job.sha, job.check, job.runner) for job in hit)
    return Weather(tuple(sorted(storms)), crowds)


def levels(jobs: Iterable[Job]) -> Levels:
    """(check, hour) -> failing tests of the hour's middle job. Kept with the roll-ups, as what is usual for later
    hours.
    """
    hours: dict[tuple[str, int], list[int]] = defaultdict(list)
    for job in jobs:
        hours[job.check, job.hour].append(job.failed)
    return {place: float(median(counts)) for place, counts in hours.items()}


def usual_failures(known: Levels) -> Levels:
    """(check, hour) -> failing tests of an ordinary job around that hour: the median of the hours nearby, itself left
    out.

    Nearby are up to NEARBY hours with jobs on either side, so a storm does not set it and lasting failures do. 0
    alone.
    """
    checks: dict[str, list[int]] = defaultdict(list)
    for check, hour in sorted(known):
        checks[check].append(hour)
    usual: Levels = {}
    for check, hours in checks.items():
        for index, hour in enumerate(hours):
            around = hours[max(0, index - NEARBY) : index] + hours[index + 1 : index + 1 + NEARBY]
            usual[check, hour] = float(median(known[check, one] for one in around)) if around else 0.0
    return usual


def is_crowded(job: Job, usual: float, limits: Thresholds = DEFAULT) -> bool:
    """More failures than chance and habit explain: an excess over the usual, four standard deviations of a Poisson
    count.
    """
    return job.failed >= limits.crowd_tests and job.failed > usual + limits.crowd_deviations * max(usual, 0.25) ** 0.5


def _storms(scope: str, jobs: list[Job], hit: set[Job], limits: Thresholds) -> list[Storm]:
    hours: dict[int, list[Job]] = defaultdict(list)
    for job in jobs:
        hours[job.hour].append(job)
    found = {hour: storm for hour in hours if (storm := _window(scope, hour, hours[hour], hit, limits)) is not None}
    for hour in sorted(hours):
        # A storm over the full hour: each half alone is too small. A quiet half is no part of it.
        halves = [half for half in (hour, hour + 1) if _share(hours.get(half, []), hit) >= limits.storm_share]
        pair = _window(scope, hour, [job for half in halves for job in hours[half]], hit, limits) if halves else None
        for half in halves if pair is not None else ():
            found.setdefault(half, pair._replace(hour=half))
    return [storm for hour, storm in found.items() if _lasted(hour, found) <= limits.storm_hours]


def _share(jobs: Sequence[Job], hit: set[Job]) -> float:
    """Share of the changes that ran which were hit."""
    ran = {job.change for job in jobs}
    return len({job.change for job in jobs if job in hit}) / len(ran) if ran else 0.0


def _window(scope: str, hour: int, jobs: Sequence[Job], hit: set[Job], limits: Thresholds) -> Storm | None:
    pooled = len({job.pr for job in jobs if job.pr > TRUNK}) >= limits.storm_changes
    worst: dict[tuple[str, object], int] = {}
    for job in jobs:
        change = (job.branch, "") if pooled and job.pr == TRUNK else job.change
        worst[change] = max(worst.get(change, 0), job.failed if job in hit else 0)
    struck = _alike(sorted(worst.values(), reverse=True), limits)
    if not struck or len(struck) < limits.storm_share * len(worst):
        return None
    return Storm(hour, scope, len(struck), struck[0])


def _alike(failed: Sequence[int], limits: Thresholds) -> Sequence[int]:
    """The changes' failing tests, largest first, from where enough of them are of one size on: what strikes all
    strikes alike.

    One change that breaks a lot beside two that break a little is no storm.
    """
    for index in range(len(failed) - limits.storm_changes + 1):
        least = max(limits.storm_tests, limits.storm_alike * failed[index])
        if failed[index + limits.storm_changes - 1] >= least:
            return [count for count in failed[index:] if count >= least]
    return ()


def _lasted(hour: int, found: Mapping[int, Storm]) -> int:
    """Hours of the unbroken storm that the hour belongs to."""
    first = last = hour
    while first - 1 in found:
        first -= 1
    while last + 1 in found:
        last += 1
    return last - first + 1
