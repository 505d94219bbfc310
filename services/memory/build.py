"""The composition root of the memory plane."""

import asyncio
from dataclasses import replace

from loom.memory.v1 import memory_pb2
from runtime.plane import Parts, Plane, nothing
from runtime.settings import SettingsError
from runtime.store import Behind, Store, journal_folder, migrate
from runtime.transport import handlers
from services.memory.erase import Eraser
from services.memory.finding import finding
from services.memory.ops.context import Context, SessionStart
from services.memory.ops.delete import Delete
from services.memory.ops.reads import Reads
from services.memory.ops.save import Save
from services.memory.ops.sessions import SessionEnd, Sessions
from services.memory.ops.transfer import Export, Import
from services.memory.ports import Finding
from services.memory.search_index import INPUT
from services.memory.service import MemoryService, Ops
from services.memory.session_store import SessionStore
from services.memory.settings import MemorySettings
from services.memory.store import REVISIONS, RevisionStore
from services.memory.types import Types
from services.memory.workers.build import extraction

NAME = "memory"


async def build(parts: Parts) -> Plane:
    """Migrates the tables and wires the ops. Raises SettingsError for kinds that cannot be."""
    settings = parts.loaded[MemorySettings]
    types = types_of(settings)
    await migrate(parts.store, "services.memory.migrations", plane=NAME)
    behind = await inserting_behind(parts.store, settings)
    if behind:
        parts = replace(parts, store=behind)
    revisions, session_store = RevisionStore(parts.store, parts.clock), SessionStore(parts.store, parts.clock)
    search = finding(parts, revisions, types)
    eraser = Eraser(parts.store, revisions, search.tables)
    ops = wire(parts, revisions, session_store, eraser, search, types, settings)
    worker = extraction(parts, ops.save, types)
    await eraser.resume()
    if worker:
        worker.start()

    async def close() -> None:
        if worker:
            await worker.close()
        await ops.save.lanes.close()
        await eraser.close()
        await search.close()
        await session_store.close()
        await revisions.close()
        if behind:
            await behind.close()

    bound = handlers(MemoryService(ops), memory_pb2.DESCRIPTOR.services_by_name["MemoryService"], parts.chain)
    return Plane(NAME, bound, close=close, settled=behind.settled if behind else nothing)


async def inserting_behind(store: Store, settings: MemorySettings) -> Behind | None:
    """A store whose saves wait for their inserts in a journal, where the engine and the data folder are this process's.

    Texts are durable there; what is derived of them can be made again. What an earlier process left in the journal is
    brought in even where it is switched off now.
    """
    if store.folder is None or not (settings.journal or journal_folder(store.folder, NAME).exists()):
        return None
    behind = await asyncio.to_thread(Behind, store, NAME, {INPUT: False, REVISIONS: True})
    await behind.recover()
    if settings.journal:
        return behind
    await behind.close()
    return None


def wire(
    parts: Parts,
    revisions: RevisionStore,
    session_store: SessionStore,
    eraser: Eraser,
    search: Finding,
    types: Types,
    settings: MemorySettings,
) -> Ops:
    clock = parts.clock
    sessions = Sessions(session_store, revisions, settings.session_timeout)
    save = Save(revisions, sessions, search.index, search.similar, types, clock)
    context = Context(revisions, session_store, clock)
    return Ops(
        save=save,
        reads=Reads(revisions, session_store),
        start=SessionStart(sessions, context, save.lanes, clock),
        end=SessionEnd(sessions, save.lanes, clock),
        context=context,
        delete=Delete(revisions, eraser, save.lanes, clock),
        export=Export(revisions),
        bring_in=Import(save, clock),
        search=search.search,
        types=types,
    )


def types_of(settings: MemorySettings) -> Types:
    try:
        return Types(settings.types)
    except ValueError as error:
        raise SettingsError([f"LOOM_MEMORY_TYPES {error}"]) from None
