"""Pull requests that fix issues, and their backports, by number within a repository: a release asks it very often."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from services.tracker.graph import MOST, Node, node_of
from services.tracker.shipping import Fix, fix_status

Row = Mapping[str, Any]


class Fixes:
    """Over rows of pull requests; of one number the first row stands."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows: dict[Node, Row] = {}
        self._closing: dict[Node, list[Node]] = defaultdict(list)
        self._backports: dict[Node, list[Row]] = defaultdict(list)
        for row in rows:
            self._add(row)

    def of(self, issue: Row) -> list[Row]:
        """Those that fix the issue by what either side says, in the order of their numbers."""
        repo, number = node_of(issue)
        said = {(repo, int(each)) for each in (issue.get("fixed_by") or ())[:MOST]}
        return [self._rows[node] for node in sorted(said.union(self._closing[repo, number])) if node in self._rows]

    def backport_of(self, row: Row) -> Row | None:
        """A backport of the pull request, if there is one."""
        return next(iter(self._backports[node_of(row)]), None)

    def status(self, fixes: Iterable[Row], branch: str) -> str:
        """Where these fixes of one issue are, as seen from a release's branch."""
        own = list(fixes)
        backports = [Fix.of(each) for row in own for each in self._backports[node_of(row)]]
        return fix_status([Fix.of(row) for row in own], backports, branch)

    def _add(self, row: Row) -> None:
        node = node_of(row)
        if node in self._rows:
            return
        self._rows[node] = row
        for closed in (row.get("closes") or ())[:MOST]:
            self._closing[node[0], int(closed)].append(node)
        if row.get("backport_of"):
            self._backports[node[0], int(row["backport_of"])].append(row)
