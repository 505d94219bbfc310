"""What tracker.similar and tracker.duplicate_check share: the trackers that they read, and the issue that is asked about."""

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.identity import Caller
from services.tracker.checking import statements as sql
from services.tracker.checking.checker import Checker
from services.tracker.checking.legs import ISSUE, Row
from services.tracker.names import covers, repo_of
from services.tracker.ops.asking import Asked, Asking
from services.tracker.reads import Reading
from services.tracker.registry import Registry
from services.tracker.rows import Bound


@dataclass(frozen=True, slots=True)
class Checking:
    """What the ops are made of."""

    asking: Asking
    checker: Checker
    registry: Registry

    async def trackers(self, org: str, namespace: str, only: Sequence[str], caller: Caller) -> Asked:
        """Raises NOT_A_TRACKER_NAMESPACE where none is readable, or none of `only`."""
        return await self.asking.some(org, namespace, caller, only)

    async def issue(self, reading: Reading, number: int, repo: str) -> Row | None:
        """The issue as the record has it; None where it has none such, or is silent (leg `issue` says which)."""
        rows = await reading.rows(ISSUE, sql.NUMBERED, {"numbers": [number]})
        for row in rows:
            row["body"] = row.pop("shown", "") or ""
            if not repo or covers([repo_of(row["source_id"])], repo):
                return row
        return None

    async def lenders(self, bound: Bound) -> list[str]:
        """Standard namespaces whose fit a restricted one may borrow, those of its own source first."""
        if not bound.restricted:
            return []
        sources = await self.registry.sources(bound.source.org)
        ordered = sorted(sources, key=lambda source: source.id != bound.source.id)
        return [each.storage for source in ordered for each in source.namespaces if not each.restricted]

    async def public(self, org: str, storage: str) -> str:
        """The name of a namespace that is stored under another one; empty for one that is gone."""
        spaces = (each for source in await self.registry.sources(org) for each in source.namespaces)
        return next((each.namespace for each in spaces if each.storage == storage), "")


def names_of(trackers: Asked) -> list[str]:
    """The namespaces that a call read."""
    return [bound.namespace for bound in trackers.bounds]
