"""The composition root of the observe plane."""

from concurrent.futures import ThreadPoolExecutor

from loom.observe.v1 import extraction_pb2, observe_pb2
from runtime.plane import Parts, Plane
from runtime.settings import SettingsError
from runtime.store import migrate
from runtime.transport import handlers
from services.observe.ops.crystallize import Crystallize
from services.observe.ops.extraction import ClaimReady, Complete, Earlier
from services.observe.ops.get import Get
from services.observe.ops.pages import ListPage
from services.observe.ops.record import Record
from services.observe.ops.stats import Stats
from services.observe.service import ExtractionService, ObserveService
from services.observe.settings import ObserveSettings
from services.observe.skips import Blacklist
from services.observe.store import ObserveStore

NAME = "observe"
# One thread: composing is bound by the interpreter lock, more would only take turns.
HEAVY_THREADS = 1


async def build(parts: Parts) -> Plane:
    """Migrates the tables and wires the ops. Raises SettingsError for a pattern that is no regular expression."""
    blacklist = blacklist_of(parts.loaded[ObserveSettings])
    await migrate(parts.store, "services.observe.migrations", plane=NAME)
    store = ObserveStore(parts.store, parts.clock)
    heavy = ThreadPoolExecutor(HEAVY_THREADS, thread_name_prefix="observe-compose")
    service = ObserveService(
        record=Record(store, blacklist, parts.clock, heavy),
        crystallize=Crystallize(store, parts.clock, parts.peers.bell(NAME).ring),
        pages=ListPage(store),
        get=Get(store),
        stats=Stats(store),
    )
    extraction = ExtractionService(ClaimReady(store, parts.clock), Complete(store, parts.clock), Earlier(store))

    async def close() -> None:
        await store.close()
        heavy.shutdown(wait=True)

    bound = {
        **handlers(service, observe_pb2.DESCRIPTOR.services_by_name["ObserveService"], parts.chain),
        **handlers(extraction, extraction_pb2.DESCRIPTOR.services_by_name["ExtractionService"], parts.chain),
    }
    return Plane(NAME, bound, close=close)


def blacklist_of(settings: ObserveSettings) -> Blacklist:
    try:
        return Blacklist(settings.patterns)
    except ValueError as error:
        raise SettingsError([f"LOOM_OBSERVE_BLACKLIST: {error}"]) from None
