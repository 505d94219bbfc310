"""tracker.load: rows of a local record, in a database beside Loom's own tables."""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from weakref import WeakValueDictionary

import orjson

from runtime.errors import LoomError, invalid_field, missing_field
from runtime.identity import Caller
from runtime.ids import new_id
from runtime.lru import Lru
from services.tracker.contract.tables import TABLES
from services.tracker.names import REPO, is_repo
from services.tracker.ops.source_rules import APPROVAL, Wanted
from services.tracker.ops.sources import Sources, establish
from services.tracker.record.incoming import Incoming, Refused, incoming
from services.tracker.record.write import Record
from services.tracker.record_tables import database_of
from services.tracker.records import Records, load_name
from services.tracker.rows import ACTIVE, LOCAL, SourceNamespace, SourceRow

MOST_ROWS = 20_000
MOST_REFUSED = 100
# A load that nothing was added to for so long is given up.
GIVEN_UP = timedelta(hours=1)
# Loads of which it is known whether they are shown, so that their last call can be sent again.
KNOWN = 1000
BEGUN, SHOWN = "begun", "shown"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a call asks for, checked as far as it can be without the record."""

    table: str
    rows: Sequence[object]
    repos: Sequence[str]
    load_id: str
    finish: bool
    replace: bool

    @property
    def shows(self) -> bool:
        return self.finish or not self.load_id


@dataclass(frozen=True, slots=True)
class Loaded:
    stored: int = 0
    refused: list[Refused] = field(default_factory=list)
    refused_count: int = 0
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Home:
    """Where a namespace's record is, and its source where it has one already."""

    space: SourceNamespace
    database: str
    row: SourceRow | None


class LoadRecord:
    """For whoever runs the installation: in single-user mode, or an admin of the organisation."""

    def __init__(self, sources: Sources, records: Records) -> None:
        self._sources, self._records = sources, records
        self._known: Lru[tuple[str, str], str] = Lru(KNOWN)
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    async def execute(self, org: str, namespace: str, wish: Wish, caller: Caller) -> Loaded:
        """Raises INVALID_FIELD, MISSING_FIELD, ALREADY_EXISTS for a name that is something else's, FEATURE_DISABLED."""
        self._refuse(org, caller)
        _check(wish)
        taken = await asyncio.to_thread(incoming, wish.table, wish.rows) if wish.rows else Incoming()
        home = await self._home(org, namespace, caller)
        name = load_name(wish.load_id or new_id())
        async with self._alone(home.database, name):
            shown = await self._take(org, namespace, home, name, wish, taken, caller)
        return Loaded(taken.count, taken.refused[:MOST_REFUSED], len(taken.refused), shown)

    async def _take(
        self, org: str, namespace: str, home: Home, name: str, wish: Wish, taken: Incoming, caller: Caller
    ) -> bool:
        record, key = self._records.record(home.database), (home.database, name)
        if self._known.get(key) is None:
            await record.discard_idle(self._sources.clock.now() - GIVEN_UP)
        if self._known.get(key) == SHOWN and wish.finish and not taken.count:
            return True
        self._known.put(key, BEGUN)
        try:
            for batch in taken.batches:
                await record.gather(name, batch)
            if wish.shows:
                await self._show(org, namespace, record, name, wish, caller)
                self._known.put(key, SHOWN)
        finally:
            if not wish.load_id:
                await record.discard(name)
                self._known.drop(key)
        return wish.shows

    async def _show(self, org: str, namespace: str, record: Record, name: str, wish: Wish, caller: Caller) -> None:
        async with self._records.turn() as renew, self._sources.turn:
            home = await self._home(org, namespace, caller)
            if home.row is None and not wish.repos:
                raise invalid_field("repos", "the repositories that the record covers, when it is first shown")
            shown = await record.publish(name, replace=wish.replace, between=renew)
            if wish.load_id and not shown:
                raise invalid_field(
                    "load_id", "the name of a load with rows; of this one there are none, or none any more"
                )
            await self._register(org, namespace, home, wish, caller)

    def _refuse(self, org: str, caller: Caller) -> None:
        sources = self._sources
        sources.refuse_elsewhere(org)
        allowed = sources.settings.local_records and (caller.mode == "single_user" or caller.org_admin)
        if not allowed:
            message = (
                "local records are for single-user mode and admins of the organisation (LOOM_TRACKER_LOCAL_RECORDS)"
            )
            raise LoomError("FEATURE_DISABLED", message)

    async def _home(self, org: str, namespace: str, caller: Caller) -> Home:
        known = await self._sources.registry.sources(org)
        row = next((each for each in known if any(n.namespace == namespace for n in each.namespaces)), None)
        if row is not None and row.kind != LOCAL:
            raise LoomError("ALREADY_EXISTS", "the namespace reads another source")
        if row is not None:
            return Home(row.namespaces[0], row.database, row)
        space = await establish(self._sources.directory, org, Wanted(namespace, (), False, APPROVAL), caller)
        return Home(space, database_of(org, space.storage), None)

    async def _register(self, org: str, namespace: str, home: Home, wish: Wish, caller: Caller) -> None:
        """The namespace's source, with these repositories too. A new version has every process judge the record anew."""
        sources = self._sources
        before = home.row or await sources.store.source(org, namespace)
        kept = () if wish.replace and wish.repos else home.space.repos
        space = replace(home.space, repos=tuple(dict.fromkeys([*kept, *wish.repos])))
        version = sources.store.version(before.version if before else 0)
        if home.row is not None:
            await sources.replace(home.row, replace(home.row, namespaces=(space,), version=version))
            return
        row = SourceRow(
            org=org,
            name=namespace,
            id=new_id(),
            kind=LOCAL,
            host="",
            port=0,
            secure=False,
            database=home.database,
            login="",
            key_id="",
            mapping="",
            namespaces=(space,),
            state=ACTIVE,
            added_by=caller.subject,
            added_at=sources.clock.now(),
            version=version,
        )
        await sources.registry.put_source(row)

    def _alone(self, database: str, name: str) -> AbstractAsyncContextManager[None]:
        """Calls of one load, one after another."""
        return self._locks.setdefault((database, name), asyncio.Lock())


def _check(wish: Wish) -> None:
    if wish.table and wish.table not in TABLES:
        raise invalid_field("table", "a table of the contract (tracker.contract lists them), or empty")
    if wish.rows and not wish.table:
        raise missing_field("table")
    if wish.finish and not wish.load_id:
        raise missing_field("load_id")
    if wish.replace and not wish.shows:
        raise invalid_field("replace", "false in a call that does not show the load")
    if not all(is_repo(repo) for repo in wish.repos):
        raise invalid_field("repos", f"a list of {REPO}")


def rows_of(text: str | None) -> list[object]:
    """The rows of a request. Raises INVALID_FIELD."""
    if text is None:
        return []
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        found = None
    if not isinstance(found, list):
        raise invalid_field("rows", "a JSON array of objects")
    if len(found) > MOST_ROWS:
        raise invalid_field("rows", f"at most {MOST_ROWS:,} rows; send the others with the same load_id")
    return found
