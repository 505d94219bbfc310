"""What is worth asking about a record, gathered while its rows go by."""

from collections import Counter
from typing import Any

from services.tracker.record.batch import Batch
from services.tracker.record.load.shapes import ISSUES, ITEMS

# Statuses of runs that did not pass, in the words of the usual reporters.
_FAILED = ("fail", "error")
_LONGEST = 200


class Worth:
    """Repositories, the most linked issue, the commonest component and the test that failed most."""

    def __init__(self) -> None:
        self._repos: Counter[str] = Counter()
        self._components: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._issue, self._links = 0, -1
        self.version = ""

    @property
    def repos(self) -> list[str]:
        """The commonest first."""
        return [name for name, _ in self._repos.most_common()]

    @property
    def issue(self) -> int:
        """The issue that names most others; 0 where there is none."""
        return self._issue

    @property
    def component(self) -> str:
        return _commonest(self._components)

    @property
    def test(self) -> str:
        """The test that failed most."""
        return _commonest(self._failures)

    def see(self, batch: Batch) -> None:
        columns = batch.columns
        if batch.table in ITEMS:
            self._repos.update(source_id.rpartition("#")[0] for source_id in columns["source_id"])
        else:
            self._repos.update(repo for repo in columns.get("repo", ()) if repo)
        self._components.update(name for name in columns.get("component", ()) if name and batch.table == ISSUES)
        if batch.table == ISSUES:
            self._see_issues(batch)
        elif batch.table == "checks":
            statuses = columns.get("test_status", ())
            pairs = zip(columns["test_name"], statuses, strict=True) if statuses else ()
            self._failures.update(name for name, status in pairs if name and str(status).lower().startswith(_FAILED))
        elif batch.table == "releases":
            self.version = next((version for version in reversed(columns["version"]) if version), self.version)

    def _see_issues(self, batch: Batch) -> None:
        linked = [batch.columns[name] for name in ("fixed_by", "caused_by", "duplicate_of") if name in batch.columns]
        private = batch.columns.get("is_private", [0] * len(batch))
        for at, number in enumerate(batch.columns["number"]):
            links = sum(_count(column[at]) for column in linked)
            if not private[at] and (links, number) > (self._links, self._issue):
                self._issue, self._links = number, links


def _count(cell: Any) -> int:
    return len(cell) if isinstance(cell, list) else int(bool(cell))


def _commonest(counted: Counter[str]) -> str:
    return next((name for name, _ in counted.most_common(1) if len(name) <= _LONGEST), "")
