"""Both planes of extraction in a test's process, and workers of it that the test steps by hand.

async with planes(store) as both:
    await both.record("s", calls)
    worker = both.worker()
    await worker.round()
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from gateway.codec import codec_for
from runtime.clock import ManualClock
from runtime.embedding.settings import EmbedderSettings
from runtime.identity import SingleUser
from runtime.links import server_chain
from runtime.llm import Llm
from runtime.metrics import Metrics
from runtime.optable import load_ops
from runtime.peers import Peers
from runtime.plane import Builder, Parts, Plane
from runtime.settings import load_all
from runtime.store import Store
from runtime.telemetry import Telemetry
from runtime.transport import InProcess
from services.memory.build import build as build_memory
from services.memory.finding import finding
from services.memory.ops.save import Save
from services.memory.ops.sessions import Sessions
from services.memory.session_store import SessionStore
from services.memory.settings import MemorySettings
from services.memory.store import RevisionStore
from services.memory.types import Types
from services.memory.workers.drafting import Drafting
from services.memory.workers.extracted_store import ExtractedStore
from services.memory.workers.extraction import Extraction
from services.memory.workers.handover import Handover
from services.memory.workers.keeping import Keeping
from services.observe.build import build as build_observe
from services.observe.settings import ObserveSettings

TIMEOUT_S = 30.0
LEASE_S = 60


class Planes:
    """The observe and the memory plane over one store; ops are called by name, with JSON arguments."""

    def __init__(self, parts: Mapping[str, Parts], built: Mapping[str, Plane], clock: ManualClock) -> None:
        self._parts, self._built, self.clock = parts, built, clock
        self.peers = parts["memory"].peers
        self.counts: dict[str, int] = {}
        self._closing: list[Callable[[], Awaitable[None]]] = []

    async def __call__(self, op: str, **args: Any) -> dict[str, Any]:
        row = load_ops().by_name[op]
        request = codec_for(row.request).decode({"user_id": "ada", **args}).message
        return codec_for(row.response).encode(
            await InProcess(self._built[row.plane].bound).call(row, request, {}, TIMEOUT_S)
        )

    async def record(self, session_id: str, calls: Sequence[Mapping[str, Any]], **scope: Any) -> list[str]:
        """Records and queues calls, a second apart; their keys."""
        records = [{"observed_at": f"2026-03-02T09:00:{place:02}Z", **call} for place, call in enumerate(calls)]
        stored = await self(
            "observe.record_batch", session_id=session_id, agent="claude-code", records=records, **scope
        )
        await self("observe.crystallize", session_id=session_id, **scope)
        return [result["memory_key"] for result in stored["results"]]

    async def memories(self, **scope: Any) -> list[dict[str, Any]]:
        """All memories of the user, whole, by title."""
        listed = await self("memory.list", page_size=500, **scope)
        found = [
            (await self("memory.get_observation", observation_id=row["id"], **scope))["observation"]
            for row in listed["observations"]
        ]
        return sorted(found, key=lambda memory: memory["title"])

    async def states(self) -> dict[str, int]:
        return (await self("observe.stats", user_id="*"))["by_state"]

    def worker(
        self, *, llm: Llm | None = None, batch: int = 100, peers: Peers | None = None, **more: Any
    ) -> Extraction:
        """A worker that has not been started. Its stores and lanes are its own, as in another process."""
        parts, types = self._parts["memory"], Types()
        store = ExtractedStore(parts.store)
        return Extraction(
            Handover(peers or self.peers),
            Drafting(types, self.count, llm, 10_000),
            Keeping(self._own_save(parts, types), store, types, self.count),
            store,
            self.clock,
            self.peers.bell("observe"),
            self.count,
            **{"batch": batch, "lease_s": LEASE_S, "poll_s": 3600.0, **more},
        )

    def count(self, event: str, number: int) -> None:
        self.counts[event] = self.counts.get(event, 0) + number

    def _own_save(self, parts: Parts, types: Types) -> Save:
        revisions, sessions = RevisionStore(parts.store, self.clock), SessionStore(parts.store, self.clock)
        timeout = MemorySettings().session_timeout
        search = finding(parts, revisions, types)
        save = Save(revisions, Sessions(sessions, revisions, timeout), search.index, search.similar, types, self.clock)
        self._closing += [save.lanes.close, search.close, sessions.close, revisions.close]
        return save

    async def close(self) -> None:
        for close in self._closing:
            await close()


@asynccontextmanager
async def planes(store: Store) -> AsyncIterator[Planes]:
    """Both planes, closed at the end; the store stays open. No worker of their own runs."""
    clock, peers = ManualClock(), Peers()
    # No journal: a worker of a test is as in another process, which does not see what waits in this one.
    environ = {"LOOM_EMBEDDER_KIND": "none", "LOOM_MEMORY_JOURNAL": "off"}
    loaded = load_all([MemorySettings, EmbedderSettings, ObserveSettings], environ)
    parts = {name: Parts(loaded, store, _chain(name), clock, peers) for name in ("observe", "memory")}
    builders: Mapping[str, Builder] = {"observe": build_observe, "memory": build_memory}
    built: dict[str, Plane] = {}
    try:
        for name, build in builders.items():
            built[name] = await build(parts[name])
            peers.bind(name, InProcess(built[name].bound))
        both = Planes(parts, built, clock)
        try:
            yield both
        finally:
            await both.close()
    finally:
        for plane in reversed(built.values()):
            await plane.close()


def _chain(name: str) -> Any:
    return server_chain(
        name,
        telemetry=Telemetry(),
        metrics=Metrics(),
        authenticator=SingleUser("dev", "local"),
        clock=ManualClock(),
    )
