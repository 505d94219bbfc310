"""The memory plane in a test's process, on any store and with a clock that the test moves.

async with memory_plane(store) as memory:
    saved = await memory("save", content="…", type="decision", title="…")
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from gateway.codec import codec_for
from runtime.clock import Clock, ManualClock, SystemClock
from runtime.embedding.settings import EmbedderSettings
from runtime.identity import SingleUser
from runtime.links import server_chain
from runtime.metrics import Metrics
from runtime.optable import load_ops
from runtime.plane import Parts, Plane
from runtime.settings import load_all
from runtime.store import Store
from runtime.telemetry import Telemetry
from runtime.transport import InProcess
from services.memory.build import build
from services.memory.settings import MemorySettings

TIMEOUT_S = 30.0


class MemoryPlane:
    """Calls ops by name with JSON arguments, as a door does; failures are LoomErrors."""

    def __init__(self, plane: Plane, clock: ManualClock) -> None:
        self._transport, self.clock = InProcess(plane.bound), clock

    async def __call__(self, op: str, **args: Any) -> dict[str, Any]:
        row = load_ops().by_name[f"memory.{op}"]
        request = codec_for(row.request).decode({"user_id": "ada", **args}).message
        return codec_for(row.response).encode(await self._transport.call(row, request, {}, TIMEOUT_S))

    async def save(self, content: str, **args: Any) -> dict[str, Any]:
        """A save of a decision, where `args` say nothing else."""
        return await self("save", content=content, **{"type": "decision", "title": "A title", **args})


@asynccontextmanager
async def memory_plane(
    store: Store, *, clock: Clock | None = None, environ: Mapping[str, str] | None = None
) -> AsyncIterator[MemoryPlane]:
    """The plane, closed at the end; the store stays open. `environ` holds settings by their variables."""
    moved = clock or ManualClock()
    chain = server_chain(
        "memory",
        telemetry=Telemetry(),
        metrics=Metrics(),
        authenticator=SingleUser("dev", "local"),
        clock=SystemClock(),
    )
    # Words alone, where a test asks for no model: loading one takes longer than most tests.
    loaded = load_all([MemorySettings, EmbedderSettings], {"LOOM_EMBEDDER_KIND": "none", **(environ or {})})
    plane = await build(Parts(loaded, store, chain, moved))
    try:
        yield MemoryPlane(plane, moved)
    finally:
        await plane.close()
