"""code.first_build: the first build and release, of each branch, that contains a pull request or a commit."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from services.tracker.history.rows import SHORTEST_SHA, Row, instant, number, same_sha, text
from services.tracker.history.versions import Version, release_line, same_branch, version

RECORDED, CUT_AFTER, BY_DATE = "recorded", "cut_after", "by_date"


@dataclass(frozen=True, slots=True)
class Build:
    """`evidence`: `recorded` (version_history names it), `cut_after` (the branch was cut from a build that has it),
    `by_date` (nothing names it; the first build of its branch after it was merged). `release` is the first release
    from then on."""

    branch: str
    version: str
    sha: str
    built_at: str | None
    evidence: str
    release: str | None
    released_at: str | None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def first_builds(
    history: Iterable[Row],
    releases: Iterable[Row] = (),
    *,
    pulls: Sequence[Row] = (),
    numbers: Iterable[int] = (),
    shas: Iterable[str] = (),
) -> list[Build]:
    """Lowest version first. `numbers` and `shas` name the change and its backports; `pulls` are their rows, where
    known, whose merge_sha counts too and whose merged_at is used only where no build names them."""
    built = sorted(history, key=_order)
    wanted = {*numbers, *(number(row) for row in pulls)}
    commits = [*shas, *(text(row, "merge_sha") for row in pulls)]
    named = [row for row in built if number(row, "pr_number") in wanted or _any_sha(row, commits)]
    first: dict[str, tuple[Row, str]] = {}
    for row in named:
        first.setdefault(text(row, "branch"), (row, RECORDED))
    if not first:
        _by_date(built, pulls, first)
    _cut_later(built, first)
    kept = list(releases)
    found = [_build(row, how, kept) for row, how in first.values()]
    return sorted(found, key=lambda build: (_key(build.version), build.branch))


def commit_order(history: Iterable[Row], branch: str, shas: Iterable[str]) -> dict[str, int]:
    """sha -> its place along the branch by version_history, for those of `shas` that it knows (by a common beginning).

    What `signal.verdict.judge` takes as `order`. Places are those of versions, so commits of one build share the
    order of their building.
    """
    built = sorted((row for row in history if same_branch(text(row, "branch"), branch)), key=_order)
    places: dict[str, int] = {}
    for place, row in enumerate(built):
        places.setdefault(text(row, "sha").casefold()[:SHORTEST_SHA], place)
    exact = {text(row, "sha").casefold(): place for place, row in enumerate(built)}
    found: dict[str, int] = {}
    for sha in shas:
        known = exact.get(sha.casefold(), places.get(sha.casefold()[:SHORTEST_SHA]))
        if known is not None and same_sha(text(built[known], "sha"), sha):
            found[sha] = known
    return found


def _any_sha(row: Row, commits: Sequence[str]) -> bool:
    return any(same_sha(text(row, "sha"), commit) for commit in commits)


def _by_date(built: Sequence[Row], pulls: Sequence[Row], first: dict[str, tuple[Row, str]]) -> None:
    for pull in pulls:
        merged_at = instant(pull, "merged_at")
        for row in built if merged_at is not None else ():
            at = instant(row, "built_at")
            if at is not None and at >= merged_at and same_branch(text(row, "branch"), text(pull, "base_ref")):
                first.setdefault(text(row, "branch"), (row, BY_DATE))
                break


def _cut_later(built: Sequence[Row], first: dict[str, tuple[Row, str]]) -> None:
    """Branches whose first build is a later version, built later, than the trunk's first build that has it."""
    origins = [row for row, _ in first.values() if release_line(text(row, "branch")) is None]
    if not origins:
        return
    origin = min(origins, key=_order)
    opening: dict[str, Row] = {}
    for row in built:
        opening.setdefault(text(row, "branch"), row)
    for branch, row in opening.items():
        if branch not in first and release_line(branch) is not None and _later(row, origin):
            first[branch] = (row, CUT_AFTER)


def _later(row: Row, origin: Row) -> bool:
    at, then = instant(row, "built_at"), instant(origin, "built_at")
    return _key(text(row, "version")) > _key(text(origin, "version")) and (at is None or then is None or at >= then)


def cut_after(branch: str, fix: Row, history: Sequence[Row]) -> bool:
    """Whether a release branch began with a build that has the change, by version_history."""
    builds = first_builds(history, pulls=[fix])
    return any(build.evidence == CUT_AFTER and same_branch(build.branch, branch) for build in builds)


def _build(row: Row, how: str, releases: Sequence[Row]) -> Build:
    shipped = [
        one
        for one in releases
        if same_branch(text(one, "branch") or text(one, "version"), text(row, "branch"))
        and instant(one, "released_at") is not None
        and _key(text(one, "version")) >= _key(text(row, "version"))
    ]
    release = min(shipped, key=lambda one: (_key(text(one, "version")), text(one, "version")), default=None)
    return Build(
        text(row, "branch"),
        text(row, "version"),
        text(row, "sha"),
        _iso(instant(row, "built_at")),
        how,
        None if release is None else text(release, "version"),
        None if release is None else _iso(instant(release, "released_at")),
    )


def _order(row: Row) -> tuple[Any, ...]:
    """Version order; rows of one version in the order they were built."""
    at = instant(row, "built_at")
    return (
        _key(text(row, "version")),
        at.timestamp() if at else float("inf"),
        text(row, "sha"),
        number(row, "pr_number"),
    )


def _key(text_of_version: str) -> Version:
    return version(text_of_version) or Version((), 0, 0)


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat().replace("+00:00", "Z")
