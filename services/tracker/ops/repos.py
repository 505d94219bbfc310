"""code.repo.*: repositories as namespaces, and the trackers that are linked to them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from runtime.clock import Clock
from runtime.errors import LoomError, forbidden, invalid_field
from runtime.identity import Caller
from services.tracker.directory import ADMIN, Directory, Standing
from services.tracker.names import BRANCH, REPO, covers, is_branch, is_repo
from services.tracker.ops.source_rules import refuse_elsewhere
from services.tracker.registry import Registry
from services.tracker.resolve import CODE, TRACKER, Resolver, not_a_tracker
from services.tracker.rows import RepoRow
from services.tracker.store import TrackerStore


@dataclass(frozen=True, slots=True)
class Shown:
    """A repository as a caller sees it: only the trackers that it may read."""

    row: RepoRow
    trackers: Sequence[str]
    linked_by: str


class Repos:
    """What the ops share."""

    def __init__(
        self, directory: Directory, registry: Registry, store: TrackerStore, resolver: Resolver, clock: Clock, org: str
    ) -> None:
        self.directory, self.registry, self._store, self._resolver = directory, registry, store, resolver
        self._clock, self._org = clock, org

    def refuse_elsewhere(self, org: str) -> None:
        """Raises FEATURE_DISABLED for an organisation whose namespaces read no tracker."""
        refuse_elsewhere(self._org, org)

    async def make(
        self, org: str, name: str, caller: Caller, policy: str, restricted: bool, repo: str, branch: str, root: str
    ) -> RepoRow:
        """A new row, not stored yet. Raises ALREADY_EXISTS for a name that is taken."""
        storage = await self.directory.establish(
            org, name, caller, kind=CODE, join_policy=policy, restricted=restricted
        )
        before = await self._store.repo(org, storage)
        if before is not None:
            raise LoomError("ALREADY_EXISTS", "the name is taken")
        now = self._clock.now()
        version = self._store.version()
        return RepoRow(org, storage, name, repo, branch, root, False, (), (), caller.subject, now, version)

    async def change(self, row: RepoRow, trackers: Sequence[Standing]) -> RepoRow:
        """Stores the row with other links."""
        changed = replace(
            row,
            linked=True,
            trackers=tuple(each.namespace for each in trackers),
            tracker_ids=tuple(each.storage for each in trackers),
            version=self._store.version(row.version),
        )
        await self.registry.put_repo(changed)
        return changed

    async def show(self, org: str, row: RepoRow, caller: Caller) -> Shown:
        linked_by, links = await self._resolver.links(org, row)
        found = [await self.directory.standing(org, name, caller) for name, _ in links]
        names = [each.namespace for each in found if each is not None and each.kind == TRACKER]
        return Shown(row, names, linked_by if names else "none")


class AddRepo:
    def __init__(self, repos: Repos) -> None:
        self._repos = repos

    async def execute(
        self, org: str, name: str, repo: str, branch: str, policy: str, restricted: bool, caller: Caller
    ) -> Shown:
        """The repository. Raises ALREADY_EXISTS, INVALID_FIELD."""
        self._repos.refuse_elsewhere(org)
        if not is_repo(repo):
            raise invalid_field("repo", REPO)
        if branch and not is_branch(branch):
            raise invalid_field("branch", BRANCH)
        row = await self._repos.make(org, name, caller, policy, restricted, repo, branch, "")
        await self._repos.registry.put_repo(row)
        return await self._repos.show(org, row, caller)


class AddBranch:
    """For admins of the root. Links that a member set are copied once; the operator's are read live through the root."""

    def __init__(self, repos: Repos) -> None:
        self._repos = repos

    async def execute(self, org: str, name: str, root: str, branch: str, caller: Caller) -> Shown:
        """The branch. Raises NAMESPACE_FORBIDDEN for a root that the caller may not read, ROLE_REQUIRED, …"""
        self._repos.refuse_elsewhere(org)
        if not is_branch(branch):
            raise invalid_field("branch", BRANCH)
        standing = await self._repos.directory.standing(org, root, caller, fresh=True)
        found = await self._repos.registry.repo(org, standing.storage) if standing else None
        if standing is None or standing.kind != CODE or found is None:
            raise forbidden()
        if standing.role != ADMIN:
            raise LoomError("ROLE_REQUIRED", "the op needs the role admin on the root", required=ADMIN)
        if found.root:
            raise invalid_field("root", "a repository, not a branch of one")
        row = await self._repos.make(
            org,
            name,
            caller,
            "approval" if standing.restricted else "open",
            standing.restricted,
            found.repo,
            branch,
            root,
        )
        row = replace(row, linked=found.linked, trackers=found.trackers, tracker_ids=found.tracker_ids)
        await self._repos.registry.put_repo(row)
        return await self._repos.show(org, row, caller)


class SetAccess:
    """The auth link has checked that the caller administers the namespace."""

    def __init__(self, repos: Repos) -> None:
        self._repos = repos

    async def execute(self, org: str, name: str, policy: str, caller: Caller) -> str:
        self._repos.refuse_elsewhere(org)
        await own(self._repos, org, name, caller)
        return await self._repos.directory.change_policy(org, name, caller, policy)


class ListRepos:
    def __init__(self, repos: Repos) -> None:
        self._repos = repos

    async def execute(self, org: str, caller: Caller) -> list[Shown]:
        """Those that the caller may read."""
        shown = []
        for row in await self._repos.registry.repos(org):
            standing = await self._repos.directory.standing(org, row.name, caller)
            if standing is not None and standing.storage == row.namespace:
                shown.append(await self._repos.show(org, row, caller))
        return shown


class SetSource:
    """For admins of the repository who are admins of every tracker that they link anew."""

    def __init__(self, repos: Repos) -> None:
        self._repos = repos

    async def execute(
        self, org: str, name: str, trackers: Sequence[str], caller: Caller
    ) -> tuple[Sequence[str], Sequence[str]]:
        """The trackers, and those of them that do not cover the repository.

        Raises ROLE_REQUIRED for a tracker that the caller may read but does not administer, NOT_A_TRACKER_NAMESPACE for
        every other name that is not a tracker of the organisation, seen or unseen.
        """
        self._repos.refuse_elsewhere(org)
        row = await own(self._repos, org, name, caller)
        kept = set(zip(row.trackers, row.tracker_ids, strict=True))
        standings = [await self._admitted(org, each, kept, caller) for each in dict.fromkeys(trackers)]
        await self._repos.change(row, standings)
        uncovered = [each.namespace for each in standings if not await self._covers(org, each, row.repo)]
        return [each.namespace for each in standings], uncovered

    async def _admitted(self, org: str, name: str, kept: set[tuple[str, str]], caller: Caller) -> Standing:
        standing = await self._repos.directory.standing(org, name, caller, fresh=True)
        if standing is None or standing.kind != TRACKER:
            raise not_a_tracker()
        if standing.role != ADMIN and (name, standing.storage) not in kept:
            raise LoomError("ROLE_REQUIRED", "linking a tracker needs the role admin on it", required=ADMIN)
        return standing

    async def _covers(self, org: str, tracker: Standing, repo: str) -> bool:
        sources = await self._repos.registry.sources(org)
        repos = [each.repos for row in sources for each in row.namespaces if each.storage == tracker.storage]
        return any(covers(each, repo) for each in repos)


async def own(repos: Repos, org: str, name: str, caller: Caller) -> RepoRow:
    """The caller's repository. Raises NOT_A_TRACKER_NAMESPACE for a namespace that is none."""
    standing = await repos.directory.standing(org, name, caller, fresh=True)
    row = await repos.registry.repo(org, standing.storage) if standing else None
    if row is None:
        raise not_a_tracker()
    return row
