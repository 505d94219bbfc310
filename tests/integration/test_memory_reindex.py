"""The index may lose what the texts do not: it is made whole again, and nothing derived outlives an erasure."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from runtime.embedding.interface import Vectors
from runtime.embedding.service import Embedding
from runtime.store import Store
from services.memory import vector_worker
from services.memory.erase import Eraser
from services.memory.identity import Scope
from services.memory.reindex import Reindexer
from services.memory.search_index import TABLES
from services.memory.vector_store import VECTORS, VectorRow
from tests.support.memory import memory_plane
from tests.support.memory_search import SCOPE, Kept, draft, memories
from tests.support.stores import chdb_store

LIMIT_S = 60.0


async def count(store: Store, table: str, where: str = "1") -> int:
    [row] = await store.query(f"SELECT count() AS n FROM {table} WHERE {where}")
    return int(row["n"])


def damage(folders: Sequence[str]) -> None:
    for folder in folders:
        for file in Path(folder).glob("*"):
            file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


async def test_a_start_makes_texts_findable_again_that_the_index_lost(tmp_path: Path) -> None:
    async with chdb_store(tmp_path) as store, memory_plane(store) as memory:
        await memory.save("The last ferry leaves at nine.", title="Ferry")
        # Whoever reads brings in what waits.
        assert len((await memory("search", query="ferry"))["hits"]) == 1
        await store.command("TRUNCATE TABLE memory_terms")
        assert (await memory("search", query="ferry"))["hits"] == []
    async with chdb_store(tmp_path) as store, memory_plane(store) as memory, asyncio.timeout(LIMIT_S):
        while not (await memory("search", query="ferry"))["hits"]:  # noqa: ASYNC110 - the sweep is in the background
            await asyncio.sleep(0)


async def test_parts_of_the_index_that_a_power_cut_damaged_are_made_anew(tmp_path: Path) -> None:
    async with chdb_store(tmp_path) as store, memories(store) as kept:
        for number in range(3):
            await kept.save(f"Ferry {number}", f"ferry number {number}")
        parts = await store.query("SELECT path FROM system.parts WHERE active AND table = 'memory_terms'")
    damage([part["path"] for part in parts])
    async with chdb_store(tmp_path) as store, memories(store) as kept:
        assert await count(store, "system.detached_parts", "table = 'memory_terms'") > 0
        await Reindexer(store, kept.index).sweep()
        assert len(await kept.titles("ferry")) == 3
        assert await count(store, "system.detached_parts", "table = 'memory_terms'") == 0


async def test_a_sweep_puts_back_what_is_missing_and_nothing_else(tmp_path: Path) -> None:
    async with chdb_store(tmp_path, fsync=False) as store, memories(store) as kept:
        gone = await kept.save("Old", "ferry of old")
        await kept.save("New", "ferry anew")
        await kept.delete(gone.id)
        again = Reindexer(store, kept.index)
        assert await again.sweep() == 0
        await store.command("TRUNCATE TABLE memory_terms")
        assert await again.sweep() == 1
        assert await kept.titles("ferry") == ["New"]
        assert await again.sweep() == 0


class Waits:
    """A model that holds every text until it is told to answer."""

    name, dim, floor, ceiling = "waits", 2, 0.1, 0.9

    def __init__(self) -> None:
        self.asked, self.go = asyncio.Event(), asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def embed(self, texts: Sequence[str]) -> Vectors:
        self._loop.call_soon_threadsafe(self.asked.set)
        asyncio.run_coroutine_threadsafe(self.go.wait(), self._loop).result(LIMIT_S)
        return np.ones((len(texts), 2), dtype=np.float32)

    def close(self) -> None:
        return None


class One:
    """A model for which all texts are alike."""

    name, dim, floor, ceiling = "one", 2, 0.1, 0.9

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.ones((len(texts), 2), dtype=np.float32)

    def close(self) -> None:
        return None


async def until_covered(kept: Kept, texts: int) -> None:
    """Waits for what the worker does by itself: asking it whether it has settled would make it look."""
    async with asyncio.timeout(LIMIT_S):
        while (await kept.vectors.coverage(SCOPE, LIMIT_S)).get("one") != texts:  # noqa: ASYNC110 - it is in the background
            await asyncio.sleep(0)


async def test_what_waited_for_its_vector_when_the_process_ended_gets_it_after_the_next_start(tmp_path: Path) -> None:
    async with chdb_store(tmp_path, fsync=False) as store:
        async with memories(store) as kept:
            await kept.save_all([draft(f"{n}", f"ferry {n}") for n in range(3)])
        async with memories(store, embeddings=[Embedding(One)]) as kept:
            await until_covered(kept, 3)


async def test_what_a_full_queue_could_not_take_gets_its_vector_too(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(vector_worker, "MOST_WAITING", 4)
    async with chdb_store(tmp_path, fsync=False) as store, memories(store, embeddings=[Embedding(One)]) as kept:
        await kept.save_all([draft(f"{n}", f"ferry {n}") for n in range(50)])
        await until_covered(kept, 50)


async def test_no_vector_is_kept_of_a_text_that_went_while_the_model_had_it(tmp_path: Path) -> None:
    model = Waits()
    async with (
        chdb_store(tmp_path, fsync=False) as store,
        memories(store, embeddings=[Embedding(lambda: model)]) as kept,
    ):
        gone = await kept.save("Gone", "ferry")
        await model.asked.wait()
        await kept.delete(gone.id)
        stays = await kept.save("Stays", "tram")
        model.go.set()
        assert kept.worker
        await kept.worker.settled()
        assert [row["id"] for row in await store.query(f"SELECT id FROM {VECTORS}")] == [stays.id]


async def test_what_arrives_during_an_erase_pass_is_erased_too(tmp_path: Path, monkeypatch) -> None:
    async with chdb_store(tmp_path, fsync=False) as store, memories(store) as kept:
        saved = await kept.save("Ferry", "ferry")
        eraser = Eraser(store, kept.revisions, TABLES)
        rewrite = eraser._rewrite

        async def late(table: str, params: object) -> None:
            await rewrite(table, params)  # type: ignore[arg-type]
            if table == "memory_revisions":
                await kept.vectors.add([VectorRow(*SCOPE, "m", saved.id, 1, 0, 1.0, [1, 2])], LIMIT_S)

        monkeypatch.setattr(eraser, "_rewrite", late)
        await eraser.erase(Scope(*SCOPE), saved.id)
        assert [await count(store, table) for table in TABLES] == [0, 0]
        await eraser.close()
