"""Puts the background passes together."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from runtime.plane import Parts
from runtime.process import ProcessSettings
from services.tracker.rows import SourceRow
from services.tracker.workers.lease import Leases
from services.tracker.workers.passes import passes
from services.tracker.workers.progress import Progress
from services.tracker.workers.runner import Runner
from services.tracker.workers.settings import WorkerSettings

if TYPE_CHECKING:
    from services.tracker.build import Core


def runner_of(parts: Parts, core: "Core") -> Runner:
    """The runner of every pass, not started."""
    org = parts.loaded[ProcessSettings].tracker_org

    async def sources() -> Sequence[SourceRow]:
        return await core.registry.sources(org) if org else ()

    made = passes(parts, core, parts.loaded[WorkerSettings])
    return Runner(made, sources, Leases(parts.store), Progress(parts.store, parts.clock), parts.clock)
