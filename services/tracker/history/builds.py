"""What version_history says, laid out once: a board asks the same of it for every fix and every branch."""

from collections.abc import Iterable
from typing import Any

from services.tracker.history.rows import SHORTEST_SHA, Row, instant, number, same_sha, text
from services.tracker.history.versions import Version, release_line, same_branch, version


class Builds:
    """Rows of version_history by version, by branch, and by the changes that they name."""

    def __init__(self, history: Iterable[Row]) -> None:
        self.rows: list[Row] = sorted(history, key=build_order)
        self._by_name: dict[str, list[Row]] = {}
        self._openings: dict[str, Row] = {}
        self._by_number: dict[int, list[int]] = {}
        self._by_sha: dict[str, list[int]] = {}
        for place, row in enumerate(self.rows):
            self._by_name.setdefault(text(row, "branch"), []).append(row)
            self._openings.setdefault(branch_key(text(row, "branch")), row)
            if number(row, "pr_number"):
                self._by_number.setdefault(number(row, "pr_number"), []).append(place)
            self._by_sha.setdefault(_beginning(text(row, "sha")), []).append(place)

    @property
    def openings(self) -> dict[str, Row]:
        """The first build of each branch, by `branch_key`."""
        return dict(self._openings)

    def of_branch(self, branch: str) -> list[Row]:
        """Builds of the branch, whatever name of it they use; in build order."""
        found = [rows for name, rows in self._by_name.items() if same_branch(name, branch)]
        return found[0] if len(found) == 1 else sorted((row for rows in found for row in rows), key=build_order)

    def naming(self, numbers: Iterable[int], shas: Iterable[str]) -> list[Row]:
        """Builds that name one of the pull requests or commits, in build order."""
        places = {place for one in numbers for place in self._by_number.get(one, ())}
        for sha in shas:
            at = self._by_sha.get(_beginning(sha), ())
            places.update(place for place in at if same_sha(text(self.rows[place], "sha"), sha))
        return [self.rows[place] for place in sorted(places)]


def branch_key(name: str) -> str:
    """Alike for all names of one branch."""
    line = release_line(name)
    return name if line is None else ".".join(map(str, line))


def build_order(row: Row) -> tuple[Any, ...]:
    """Version order; rows of one version in the order they were built."""
    at = instant(row, "built_at")
    return (
        version_key(text(row, "version")),
        at.timestamp() if at else float("inf"),
        text(row, "sha"),
        number(row, "pr_number"),
    )


def version_key(text_of_version: str) -> Version:
    return version(text_of_version) or Version((), 0, 0)


def _beginning(sha: str) -> str:
    """Alike for all commits that `same_sha` may take for one."""
    return sha.casefold()[:SHORTEST_SHA]
