"""What a namespace resolves to for a caller: its own source, or the trackers that are linked to it.

Refused, unbound and missing are the same here, so that nothing above can tell them apart.
"""

from collections.abc import Sequence

from runtime.errors import LoomError
from runtime.identity import Caller
from services.tracker.directory import Directory, Standing
from services.tracker.names import Bindings, bound_by_operator
from services.tracker.registry import Registry
from services.tracker.rows import Bound, RepoRow, Resolution

NONE = Resolution("none", ())
TRACKER, CODE = "tracker", "code"
# Trackers that a search reads at once.
FAN_OUT = 4


def not_a_tracker() -> LoomError:
    return LoomError("NOT_A_TRACKER_NAMESPACE", "the namespace reads no tracker that the caller may read")


class Resolver:
    """`org` is the organisation that tracker namespaces serve; empty: none does."""

    def __init__(self, directory: Directory, registry: Registry, operator: Bindings, org: str) -> None:
        self._directory, self._registry, self._operator, self._org = directory, registry, operator, org

    async def resolve(self, org: str, namespace: str, caller: Caller) -> Resolution:
        """Trackers that the caller may read, primary first. Raises UPSTREAM_UNAVAILABLE without the directory."""
        if not self._org or org != self._org:
            return NONE
        standing = await self._directory.standing(org, namespace, caller)
        if standing is None:
            return NONE
        if standing.kind == TRACKER:
            bound = await self._bound(org, standing)
            return Resolution(TRACKER, (bound,)) if bound else NONE
        return await self._code(org, standing, caller) if standing.kind == CODE else NONE

    async def readable(self, org: str, namespace: str, caller: Caller) -> Sequence[Bound]:
        """Trackers that a search reads. Raises NOT_A_TRACKER_NAMESPACE where there is none."""
        found = (await self.resolve(org, namespace, caller)).trackers
        if not found:
            raise not_a_tracker()
        return found[:FAN_OUT]

    async def primary(self, org: str, namespace: str, caller: Caller) -> Bound:
        """The tracker that ops by number read. Raises NOT_A_TRACKER_NAMESPACE, also where it is another's secret."""
        return (await self.readable(org, namespace, caller))[0]

    async def links(self, org: str, row: RepoRow) -> tuple[str, Sequence[tuple[str, str]]]:
        """Where a repository's links come from (`own`, `root`, `operator`, `none`), and (name, storage name) of each.

        A branch without links of its own reads its root's: live, since only a root that the operator linked has none.
        The operator's links name namespaces as they are now: their storage name is empty.
        """
        if row.linked:
            return "own", list(zip(row.trackers, row.tracker_ids, strict=True))
        if row.root:
            root = await self._registry.repo_named(org, row.root)
            # A repository that took the root's name later is another one.
            if root is not None and root.linked and root.created_at <= row.created_at:
                return "root", list(zip(root.trackers, root.tracker_ids, strict=True))
        names = bound_by_operator(self._operator, row.name) or bound_by_operator(self._operator, row.root)
        return ("operator", [(name, "") for name in names]) if names else ("none", [])

    async def _code(self, org: str, standing: Standing, caller: Caller) -> Resolution:
        row = await self._registry.repo(org, standing.storage)
        if row is None:
            # Made by namespace.create alone: the operator may have linked it by its name.
            links: Sequence[tuple[str, str]] = [(n, "") for n in bound_by_operator(self._operator, standing.namespace)]
        else:
            _, links = await self.links(org, row)
        bound = [await self._linked(org, name, stored, caller) for name, stored in links]
        # Ops by number read the primary alone: without it there is none, rather than another one's numbers.
        if not bound or bound[0] is None:
            return NONE
        found = tuple(each for each in bound if each is not None)
        return Resolution(CODE, found, row.repo if row else "", row.branch if row else "")

    async def _linked(self, org: str, name: str, stored: str, caller: Caller) -> Bound | None:
        standing = await self._directory.standing(org, name, caller)
        if standing is None or standing.kind != TRACKER or (stored and stored != standing.storage):
            return None
        return await self._bound(org, standing)

    async def _bound(self, org: str, standing: Standing) -> Bound | None:
        for source in await self._registry.sources(org):
            for each in source.namespaces:
                if each.storage == standing.storage:
                    return Bound(standing.namespace, standing.storage, source, each.repos, standing.restricted)
        return None
