"""The table of background passes: a name, and how its pass is made. A pass more is a line more."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from runtime.plane import Parts
from runtime.settings import SettingsError
from services.tracker.rollups.store import RollupStore
from services.tracker.workers import embed, links, test_daily
from services.tracker.workers.embed import Embed
from services.tracker.workers.frame import BackgroundReads
from services.tracker.workers.links import LinkLimits, Links
from services.tracker.workers.refit import Refit, RefitLimits
from services.tracker.workers.runner import Scheduled
from services.tracker.workers.settings import WorkerSettings
from services.tracker.workers.test_daily import TestDaily

if TYPE_CHECKING:
    from services.tracker.build import Core

Make = Callable[[Parts, "Core", WorkerSettings], Scheduled]


def _test_daily(parts: Parts, core: "Core", settings: WorkerSettings) -> Scheduled:
    reads = BackgroundReads(core.serving, core.live)
    work = TestDaily(reads, RollupStore(parts.store), parts.clock, settings.test_daily_days)
    return Scheduled(work, settings.test_daily_every_s, settings.worker_limit_s)


def _links(parts: Parts, core: "Core", settings: WorkerSettings) -> Scheduled:
    low, high = settings.dupcheck_duplicate_threshold_min, settings.dupcheck_duplicate_threshold_max
    if low > high:
        name = "LOOM_TRACKER_DUPCHECK_DUPLICATE_THRESHOLD"
        raise SettingsError([f"{name}_MIN must not be above {name}_MAX"])
    reads, derived = BackgroundReads(core.serving, core.live), core.derived
    limits = RefitLimits(settings.refit_every_s, low, high)
    refit = Refit(reads, derived.fits, derived.vectors, derived.marks, parts.clock, limits)
    kept = LinkLimits(settings.links_issue_days, settings.links_per_issue)
    work = Links(reads, derived.links, derived.marks, refit, parts.clock, kept)
    return Scheduled(work, settings.links_every_s, settings.links_limit_s)


def _embed(parts: Parts, core: "Core", settings: WorkerSettings) -> Scheduled:
    reads, derived, sweep_s = BackgroundReads(core.serving, core.live), core.derived, settings.embed_sweep_every_s
    work = Embed(reads, derived.vectors, derived.fits, derived.marks, derived.embedding, parts.clock, sweep_s)
    return Scheduled(work, settings.embed_every_s, settings.worker_limit_s)


# Statistics before vectors: lines that many reports share are left out of what is embedded.
PASSES: Mapping[str, Make] = {test_daily.NAME: _test_daily, links.NAME: _links, embed.NAME: _embed}


def passes(parts: Parts, core: "Core", settings: WorkerSettings) -> dict[str, Scheduled]:
    """Every pass, made."""
    return {name: make(parts, core, settings) for name, make in PASSES.items()}
