"""The tracker plane's ops over a local record in memory: a demo's, or rows that a test writes by hand.

async with recorded(demo(NOW)) as record:
    found = await TestSignalOp(record.asking, record.rollups, record.clock).execute(ORG, TRACKER, name, CALLER)
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from runtime.clock import ManualClock
from runtime.identity import EVERYTHING, Caller
from runtime.store import Store, StoreConfig, migrate
from runtime.store.macros import expand
from services.tracker.contract.families import Family
from services.tracker.contract.tables import TABLES
from services.tracker.ops.asking import Asking
from services.tracker.reads import Live, NamespaceBinding, shape_of
from services.tracker.record.batch import Batch
from services.tracker.record.write import Record
from services.tracker.rollups.store import RollupStore
from services.tracker.rows import LOCAL, Bound, SourceNamespace, SourceRow
from services.tracker.serving import Serving
from services.tracker.sources.local import LocalClient
from services.tracker.sources.model import Limits
from services.tracker.sources.silence import Reason
from tests.support.stores import opened
from tests.support.tracker_sources import source_row

ORG, TRACKER, REPO = "dev", "tracker-demo", "Org/repo"
NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
CALLER = Caller(ORG, "local", "user", EVERYTHING, "single_user", org_admin=True)
DATABASE = "loom_record_test"
# Long enough for a machine that is busy: nothing here tests a budget.
PATIENT = Limits(budget_s=30.0, remote_s=30.0)


class OneTracker:
    """Stands for the resolver: every namespace reads these trackers, the primary first."""

    def __init__(self, *bounds: Bound) -> None:
        self._bounds = bounds

    async def primary(self, org: str, namespace: str, caller: Caller) -> Bound:
        return self._bounds[0]

    async def readable(self, org: str, namespace: str, caller: Caller) -> Sequence[Bound]:
        return self._bounds


class Silencing:
    """A serving that can fall silent for a reason."""

    def __init__(self, serving: Serving) -> None:
        self._serving, self.reason = serving, None

    async def binding(self, bound: Bound, *, ask: bool = True) -> NamespaceBinding:
        binding = await self._serving.binding(bound, ask=ask)
        if self.reason is None:
            return binding
        return NamespaceBinding(
            binding.tracker_namespace, binding.client, binding.scope, binding.relations, self.reason
        )

    def silence(self, reason: Reason | None) -> None:
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Recorded:
    """A record and what ops over it are made of."""

    store: Store
    clock: ManualClock
    source: SourceRow
    serving: Silencing
    live: Live
    asking: Asking
    record: Record

    @property
    def rollups(self) -> RollupStore:
        return RollupStore(self.store)


@asynccontextmanager
async def recorded(
    batches: Iterable[Batch], *, repos: Sequence[str] = (REPO,), now: datetime = NOW, restricted: bool = False
) -> AsyncIterator[Recorded]:
    """The plane's tables and one local record with a tracker namespace over `repos`."""
    async with opened(StoreConfig(dsn="chdb://:memory:", fsync=False, readers=2)) as store:
        await migrate(store, "services.tracker.migrations", plane="tracker")
        record = Record(store, DATABASE, partial(expand, config=store.config))
        await record.load(batches)
        clock = ManualClock(now)
        space = SourceNamespace(TRACKER, TRACKER, tuple(repos), restricted)
        source = source_row("demo", org=ORG, kind=LOCAL, database=DATABASE, namespaces=(space,))
        bound = Bound(TRACKER, TRACKER, source, space.repos, restricted)
        serving = Silencing(Serving(None, LocalClient(store, PATIENT), None, clock))  # type: ignore[arg-type]
        live = Live(shape_of(TABLES), clock)
        asking = Asking(OneTracker(bound), serving, live, clock)  # type: ignore[arg-type]
        yield Recorded(store, clock, source, serving, live, asking, record)


_NOTHING = {Family.STRING: "", Family.LABEL: "", Family.FLAG: 0}
_LISTS = (Family.STRINGS, Family.INTEGERS, Family.REFERENCES, Family.VERSIONS)


def batch(table: str, rows: Iterable[Mapping[str, Any]]) -> Batch:
    """Rows by hand as the loader takes them; what a row leaves out is what its column has for nothing."""
    listed, known = list(rows), TABLES[table].columns
    names = list(dict.fromkeys(name for row in listed for name in row))
    return Batch(table, {name: [_value(row.get(name), known[name].family) for row in listed] for name in names})


def _value(value: Any, family: Family) -> Any:
    if value is not None:
        return value
    return [] if family in _LISTS else _NOTHING.get(family)
