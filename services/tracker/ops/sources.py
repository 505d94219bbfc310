"""tracker.source.*: registering, checking, changing and removing sources."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import orjson

from runtime.clock import Clock
from runtime.errors import LoomError, missing_field
from runtime.identity import Caller
from runtime.ids import new_id
from services.tracker.directory import ADMIN, Directory
from services.tracker.examining import OK, Examined, LocalAsks, examine, failed_tables
from services.tracker.judging import mapping_of
from services.tracker.mapping.model import Mapping
from services.tracker.ops.source_rules import (
    Address,
    Wanted,
    check_host,
    check_name,
    read_mapping,
    refuse_elsewhere,
    wanted,
)
from services.tracker.reads import together
from services.tracker.records import Records
from services.tracker.registry import Registry
from services.tracker.resolve import TRACKER
from services.tracker.rows import ACTIVE, CLICKHOUSE, LOCAL, REMOVED, Bound, SourceNamespace, SourceRow
from services.tracker.serving import Serving, target_of
from services.tracker.settings import TrackerSettings
from services.tracker.sources.clients import SourceClients
from services.tracker.sources.hosts import HostRules
from services.tracker.sources.model import Target
from services.tracker.sources.probe import Asks
from services.tracker.sources.secrets import SealError, Vault, required
from services.tracker.store import TrackerStore


@dataclass(frozen=True, slots=True)
class Seen:
    """A source as a caller sees it: without credentials, with the namespaces that the caller can read."""

    row: SourceRow
    namespaces: Sequence[SourceNamespace]
    state: str


class Sources:
    """What the ops share."""

    def __init__(
        self,
        registry: Registry,
        store: TrackerStore,
        directory: Directory,
        serving: Serving,
        clients: SourceClients,
        local: LocalAsks,
        vault: Vault | None,
        rules: HostRules,
        settings: TrackerSettings,
        clock: Clock,
        org: str,
        records: Records,
        erase: Sequence[Callable[[str, str], Awaitable[None]]] = (),
    ) -> None:
        self.registry, self.store, self.directory, self.serving = registry, store, directory, serving
        self.vault, self.rules, self.settings, self.clock = vault, rules, settings, clock
        self._clients, self._local, self._org, self._records = clients, local, org, records
        # Counts and names are judged and then written: one after another in a process.
        self.turn = asyncio.Lock()
        # What takes off everything that was derived from a source (organisation, source id).
        self.erase = erase

    def refuse_elsewhere(self, org: str) -> None:
        """Raises FEATURE_DISABLED for an organisation whose namespaces read no tracker."""
        refuse_elsewhere(self._org, org)

    def refuse_self_service(self, caller: Caller) -> None:
        """Raises FEATURE_DISABLED where members may not register sources and the caller is one."""
        if not self.settings.self_service_enabled and not caller.org_admin:
            raise LoomError("FEATURE_DISABLED", "only admins of the organisation register sources here")

    @asynccontextmanager
    async def asks(self, row: SourceRow | None, target: Target | None) -> AsyncIterator[Asks]:
        """A client of a check's own: nothing of it is kept, and no breaker refuses it."""
        if row is not None and row.kind == LOCAL:
            yield self._local
            return
        if target is None:
            raise ValueError("a check needs a target")
        client = self._clients.fresh(target)
        try:
            yield client
        finally:
            await client.close()

    async def examine(self, row: SourceRow | None, target: Target | None, mapping: Mapping) -> Examined:
        database = row.database if row is not None else target.database if target is not None else ""
        async with self.asks(row, target) as client:
            local = row is not None and row.kind == LOCAL
            return await examine(client, mapping, database, self.clock, local=local)

    async def own(self, org: str, name: str, caller: Caller) -> SourceRow:
        """A source that the caller administers. Raises SOURCE_NOT_FOUND, alike for another's and for none."""
        self.refuse_elsewhere(org)
        row = next((each for each in await self.registry.sources(org) if each.name == name), None)
        if row is None or not (caller.org_admin or await self._administers(org, row, caller)):
            raise LoomError("SOURCE_NOT_FOUND", "there is no source of that name that the caller administers")
        return row

    async def _administers(self, org: str, row: SourceRow, caller: Caller) -> bool:
        for each in row.namespaces:
            standing = await self.directory.standing(org, each.namespace, caller, fresh=True)
            if standing is None or standing.role != ADMIN or standing.storage != each.storage:
                return False
        return bool(row.namespaces)

    def seal(self, org: str, source_id: str, user: str, password: str) -> tuple[str, str]:
        """The login, encrypted, and the id of the key. Raises FEATURE_DISABLED where there is no key."""
        vault = required(self.vault)
        return vault.seal(orjson.dumps({"user": user, "password": password}).decode(), org, source_id), vault.sealing

    def target(self, row: SourceRow) -> Target | None:
        """None for a local record. Raises SOURCE_UNREACHABLE where the credentials do not open."""
        if row.kind == LOCAL:
            return None
        try:
            return target_of(row, required(self.vault))
        except SealError:
            message = "the credentials cannot be opened: LOOM_SECRET_KEY lacks their key. Rotate them"
            raise LoomError("SOURCE_UNREACHABLE", message, reason="credentials") from None

    def refuse_unfit(self, found: Examined) -> None:
        """Raises for a source that may not be served."""
        if found.reachable != OK:
            raise LoomError("SOURCE_UNREACHABLE", found.summary, reason=found.reachable)
        if not found.ok:
            raise LoomError("SOURCE_CONTRACT_FAILED", found.summary, tables=",".join(failed_tables(found)))
        if found.read_only is False and self.settings.require_read_only:
            raise LoomError("SOURCE_WRITABLE", "the login can write, and LOOM_TRACKER_REQUIRE_READ_ONLY is on")

    async def replace(self, before: SourceRow, after: SourceRow) -> None:
        """Stores a change; what is open of the source is closed, and replaced credentials leave the disk."""
        await self.registry.put_source(after)
        self.serving.forget(before)
        if before.login != after.login:
            await self.store.forget_logins()

    async def clear(self, row: SourceRow) -> None:
        """Removes a local record."""
        await self._records.record(row.database).clear()


class AddSource:
    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    async def execute(
        self,
        org: str,
        name: str,
        address: Address,
        namespaces: Sequence[Wanted],
        mapping: str | None,
        dry_run: bool,
        caller: Caller,
    ) -> tuple[bool, Examined]:
        """Whether it was added, and what the check found.

        Raises ALREADY_EXISTS, QUOTA_EXCEEDED, FEATURE_DISABLED, INVALID_FIELD, SOURCE_UNREACHABLE, SOURCE_CONTRACT_FAILED.
        """
        sources = self._sources
        sources.refuse_elsewhere(org)
        check_name(name)
        check_host(sources.rules, address.host)
        spaces, read = wanted(namespaces), read_mapping(mapping)
        await self._refuse(org, name, spaces, caller)
        source_id = new_id()
        found = await sources.examine(None, _target(source_id, address), read)
        if dry_run:
            return False, found
        sources.refuse_unfit(found)
        async with sources.turn:
            await self._refuse(org, name, spaces, caller)
            await self._store(org, name, source_id, address, spaces, mapping or "", caller)
        return True, found

    async def _refuse(self, org: str, name: str, spaces: Sequence[Wanted], caller: Caller) -> None:
        sources = self._sources
        sources.refuse_self_service(caller)
        required(sources.vault)  # a dry run that is content is a promise
        known = await sources.registry.sources(org)
        if any(each.name == name for each in known):
            raise LoomError("ALREADY_EXISTS", "the name is taken")
        # Records in our own database are loaded by whoever runs the installation, and are nobody's self-service.
        if sum(each.kind == CLICKHOUSE for each in known) >= sources.settings.self_service_max_sources:
            raise LoomError("QUOTA_EXCEEDED", "the organisation has as many sources as it may")
        taken = {each.namespace for row in known for each in row.namespaces}
        if any(each.namespace in taken for each in spaces):
            raise LoomError("ALREADY_EXISTS", "the name is taken")

    async def _store(
        self,
        org: str,
        name: str,
        source_id: str,
        address: Address,
        spaces: Sequence[Wanted],
        mapping: str,
        caller: Caller,
    ) -> None:
        sources = self._sources
        login, key_id = sources.seal(org, source_id, address.user, address.password)
        made = [await establish(sources.directory, org, each, caller) for each in spaces]
        before = await sources.store.source(org, name)
        row = SourceRow(
            org=org,
            name=name,
            id=source_id,
            kind=CLICKHOUSE,
            host=address.host.strip(),
            port=address.port,
            secure=address.secure,
            database=address.database,
            login=login,
            key_id=key_id,
            mapping=mapping,
            namespaces=tuple(made),
            state=ACTIVE,
            added_by=caller.subject,
            added_at=sources.clock.now(),
            version=sources.store.version(before.version if before else 0),
        )
        await sources.registry.put_source(row)


class CheckSource:
    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    async def execute(self, org: str, name: str, caller: Caller) -> Examined:
        """Where the source answers, reads of it are sent again at once."""
        row = await self._sources.own(org, name, caller)
        found = await self._sources.examine(row, self._sources.target(row), mapping_of(row))
        if found.reachable == OK:
            self._sources.serving.answered(row, fits=found.ok)
        return found


class RemapSource:
    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    async def execute(
        self, org: str, name: str, mapping: str | None, dry_run: bool, caller: Caller
    ) -> tuple[bool, Examined]:
        """The old mapping stays unless the record fits the new one."""
        sources = self._sources
        row = await sources.own(org, name, caller)
        if row.kind == LOCAL:
            raise LoomError("FEATURE_DISABLED", "a local record has the contract's own names")
        found = await sources.examine(row, sources.target(row), read_mapping(mapping))
        if dry_run:
            return False, found
        sources.refuse_unfit(found)
        await sources.replace(row, replace(row, mapping=mapping or "", version=sources.store.version(row.version)))
        return True, found


class RotateSource:
    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    async def execute(self, org: str, name: str, user: str, password: str, caller: Caller) -> tuple[bool, Examined]:
        """The old credentials stay unless the new ones serve. An empty user means the one before."""
        sources = self._sources
        row = await sources.own(org, name, caller)
        if row.kind == LOCAL:
            raise LoomError("FEATURE_DISABLED", "a local record has no credentials")
        before = self._before(row, user)
        target = replace(before, user=user or before.user, password=password)
        found = await sources.examine(row, target, mapping_of(row))
        sources.refuse_unfit(found)
        login, key_id = sources.seal(org, row.id, target.user, password)
        version = sources.store.version(row.version)
        await sources.replace(row, replace(row, login=login, key_id=key_id, version=version))
        return True, found

    def _before(self, row: SourceRow, user: str) -> Target:
        """Credentials that do not open any more can be replaced by whole ones."""
        try:
            target = self._sources.target(row)
        except LoomError:
            if not user:
                raise missing_field("user") from None
            target = None
        return target or Target(row.id, row.host, row.port, row.secure, row.database, user, "")


class ListSources:
    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    async def execute(self, org: str, caller: Caller) -> list[Seen]:
        """Those with a namespace that the caller can read; an admin of the organisation sees every one. By name."""
        shown: list[tuple[SourceRow, list[SourceNamespace]]] = []
        for row in sorted(await self._sources.registry.sources(org), key=lambda row: row.name):
            spaces = [each for each in row.namespaces if await self._readable(org, each, caller)]
            if spaces or caller.org_admin:
                shown.append((row, spaces))
        # At once: several that do not answer cost one wait.
        states = await together(*(self._state(row, spaces) for row, spaces in shown))
        return [Seen(row, spaces, state) for (row, spaces), state in zip(shown, states, strict=True)]

    async def _readable(self, org: str, space: SourceNamespace, caller: Caller) -> bool:
        standing = await self._sources.directory.standing(org, space.namespace, caller)
        return standing is not None and standing.kind == TRACKER and standing.storage == space.storage

    async def _state(self, row: SourceRow, spaces: Sequence[SourceNamespace]) -> str:
        if not spaces:
            return ""
        space = spaces[0]
        bound = Bound(space.namespace, space.storage, row, space.repos, space.restricted)
        return (await self._sources.serving.state(bound))[0]


class RemoveSource:
    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    async def execute(self, org: str, name: str, caller: Caller) -> bool:
        """True when there was one that the caller administers. Its credentials leave the disk, and so do a local record's
        rows, which are nowhere else."""
        sources = self._sources
        try:
            row = await sources.own(org, name, caller)
        except LoomError as error:
            if error.code.name == "SOURCE_NOT_FOUND":
                return False
            raise
        gone = replace(row, state=REMOVED, login="", key_id="", mapping="", version=sources.store.version(row.version))
        await sources.replace(row, gone)
        if row.kind == LOCAL:
            await sources.clear(row)
        for erase in sources.erase:
            await erase(org, row.id)
        return True


async def establish(directory: Directory, org: str, space: Wanted, caller: Caller) -> SourceNamespace:
    """Makes the namespace, or takes the caller's own. Raises ALREADY_EXISTS."""
    storage = await directory.establish(
        org,
        space.namespace,
        caller,
        kind=TRACKER,
        join_policy=space.join_policy,
        restricted=space.restricted,
    )
    return SourceNamespace(space.namespace, storage, space.repos, space.restricted)


def _target(source_id: str, address: Address) -> Target:
    return Target(
        source_id=source_id,
        host=address.host.strip(),
        port=address.port,
        secure=address.secure,
        database=address.database,
        user=address.user,
        password=address.password,
    )
