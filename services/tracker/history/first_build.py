"""code.first_build: the first build and release, of each branch, that contains a pull request or a commit."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from services.tracker.history.builds import Builds, branch_key, build_order, version_key
from services.tracker.history.rows import SHORTEST_SHA, Row, instant, number, same_sha, text
from services.tracker.history.versions import release_line, same_branch

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
    first = _first(Builds(history), pulls, numbers, shas)
    kept = list(releases)
    found = [_build(row, how, kept) for row, how in first.values()]
    return sorted(found, key=lambda build: (version_key(build.version), build.branch))


def cut_after(fix: Row, builds: Builds) -> list[str]:
    """Release branches that began with a build that has the change, by version_history."""
    return [branch for branch, (_, how) in _first(builds, [fix]).items() if how == CUT_AFTER]


def _first(
    builds: Builds, pulls: Sequence[Row], numbers: Iterable[int] = (), shas: Iterable[str] = ()
) -> dict[str, tuple[Row, str]]:
    """By `branch_key` the first build that has the change, and by what that is known."""
    wanted = {*numbers, *(number(row) for row in pulls)}
    commits = [*shas, *(text(row, "merge_sha") for row in pulls)]
    first: dict[str, tuple[Row, str]] = {}
    for row in builds.naming(wanted, commits):
        first.setdefault(branch_key(text(row, "branch")), (row, RECORDED))
    if not first:
        _by_date(builds, pulls, first)
    _cut_later(builds, first)
    return first


def commit_order(history: Iterable[Row], branch: str, shas: Iterable[str]) -> dict[str, int]:
    """sha -> its place along the branch by version_history, for those of `shas` that it knows (by a common beginning).

    What `signal.verdict.judge` takes as `order`. Places are those of versions, so commits of one build share the
    order of their building.
    """
    built = sorted((row for row in history if same_branch(text(row, "branch"), branch)), key=build_order)
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


def _by_date(builds: Builds, pulls: Sequence[Row], first: dict[str, tuple[Row, str]]) -> None:
    for pull in pulls:
        merged_at = instant(pull, "merged_at")
        for row in builds.of_branch(text(pull, "base_ref")) if merged_at is not None else ():
            at = instant(row, "built_at")
            if at is not None and at >= merged_at:
                first.setdefault(branch_key(text(row, "branch")), (row, BY_DATE))
                break


def _cut_later(builds: Builds, first: dict[str, tuple[Row, str]]) -> None:
    """Branches whose first build is a later version, built later, than the trunk's first build that has it."""
    origins = [row for row, _ in first.values() if release_line(text(row, "branch")) is None]
    if not origins:
        return
    origin = min(origins, key=build_order)
    for branch, row in builds.openings.items():
        if branch not in first and release_line(branch) is not None and _later(row, origin):
            first[branch] = (row, CUT_AFTER)


def _later(row: Row, origin: Row) -> bool:
    at, then = instant(row, "built_at"), instant(origin, "built_at")
    newer = version_key(text(row, "version")) > version_key(text(origin, "version"))
    return newer and (at is None or then is None or at >= then)


def _build(row: Row, how: str, releases: Sequence[Row]) -> Build:
    shipped = [
        one
        for one in releases
        if same_branch(text(one, "branch") or text(one, "version"), text(row, "branch"))
        and instant(one, "released_at") is not None
        and version_key(text(one, "version")) >= version_key(text(row, "version"))
    ]
    release = min(shipped, key=lambda one: (version_key(text(one, "version")), text(one, "version")), default=None)
    return Build(
        text(row, "branch"),
        text(row, "version"),
        text(row, "sha"),
        _iso(instant(row, "built_at")),
        how,
        None if release is None else text(release, "version"),
        None if release is None else _iso(instant(release, "released_at")),
    )


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat().replace("+00:00", "Z")
