"""Memories in a store, findable, without the ops around them.

async with chdb_store(tmp_path) as store, memories(store) as kept:
    await kept.save("title", "content")
    hits = await kept.search("words")
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

from runtime.clock import Clock, ManualClock
from runtime.embedding.service import Embedding
from runtime.store import Store, migrate
from services.memory.identity import Scope, content_hash
from services.memory.model import Draft, Revision
from services.memory.ops.search import Hits, Search, SearchInput
from services.memory.outcomes import Memories, Saved
from services.memory.search_index import SearchIndex
from services.memory.search_legs import Semantic
from services.memory.search_store import SearchStore
from services.memory.store import RevisionStore
from services.memory.types import Types
from services.memory.vector_store import VectorStore
from services.memory.vector_worker import VectorWorker

SCOPE = Scope("acme", "main", "ada")


def draft(title: str, content: str, **fields: Any) -> Draft:
    return Draft(
        **{"type": "discovery", "title": title, "content": content, **fields}, content_hash=content_hash(content)
    )


class Kept:
    """One store's memories. `worker` is there where an embedding was given."""

    def __init__(self, store: Store, clock: Clock, embeddings: Sequence[Embedding]) -> None:
        self.clock, self.vectors, self.revisions = clock, VectorStore(store), RevisionStore(store, clock)
        self.worker = VectorWorker(self.vectors, embeddings[0], gather_s=0) if embeddings else None
        self.index = SearchIndex(store, clock, self.worker.offer if self.worker else lambda rows: None)
        self.reads = SearchStore(store)
        self.op = Search(self.reads, self.revisions, Semantic(self.vectors, embeddings), Types(), clock)

    async def save_all(self, drafts: Sequence[Draft], scope: Scope = SCOPE, session: str = "s1") -> list[Saved]:
        known = await self.revisions.known(scope, [], [], 30)
        return await self._write([Memories(scope, known)] * len(drafts), drafts, session)

    async def save_new(self, sessions: Mapping[str, Sequence[Draft]], scope: Scope = SCOPE) -> list[Revision]:
        """Texts that are all new, of several sessions, in one write; their rows."""
        known, now = Memories(scope, []), self.clock.now()
        saved = [known.save(one, session, now) for session, drafts in sessions.items() for one in drafts]
        rows = [one.row for one in saved if one.row]
        await self._store(rows)
        return rows

    async def save(self, title: str, content: str, scope: Scope = SCOPE, session: str = "s1", **fields: Any) -> Saved:
        [saved] = await self.save_all([draft(title, content, **fields)], scope, session)
        return saved

    async def replace(self, id_: int, title: str, content: str, scope: Scope = SCOPE, **fields: Any) -> Saved:
        """Gives a memory its next text."""
        known = await self.revisions.known(scope, [], [id_], 30)
        new = replace(draft(title, content, **fields), topic_key=known[0].topic_key)
        saved = Memories(scope, known).change(known[0], new, "s1", self.clock.now())
        await self._store([saved.row] if saved.row else [])
        return saved

    async def delete(self, id_: int, scope: Scope = SCOPE) -> None:
        now = self.clock.now()
        blank = dict.fromkeys(("type", "title", "content", "topic_key", "content_hash", "session_id", "source"), "")
        row = Revision(
            *scope,
            id=id_,
            revision_id=1,
            lookup=0,
            evidence=[],
            said_at=now,
            written_at=now,
            deleted=1,
            precedence=0,
            **blank,
        )
        await self.revisions.add([row], 30)

    async def search(self, query: str, scope: Scope = SCOPE, **fields: Any) -> Hits:
        return await self.op.execute(scope, SearchInput(query, **fields), 30)

    async def titles(self, query: str, scope: Scope = SCOPE, **fields: Any) -> list[str]:
        return [hit.title for hit in (await self.search(query, scope, **fields)).hits]

    async def _write(self, memories: Sequence[Memories], drafts: Sequence[Draft], session: str) -> list[Saved]:
        now: datetime = self.clock.now()
        saved = [known.save(one, session, now) for known, one in zip(memories, drafts, strict=True)]
        await self._store([one.row for one in saved if one.row])
        return saved

    async def _store(self, rows: Sequence[Revision]) -> None:
        await self.index.add(rows, 30)
        await self.revisions.add(rows, 30)


@asynccontextmanager
async def memories(
    store: Store, clock: Clock | None = None, embeddings: Sequence[Embedding] = ()
) -> AsyncIterator[Kept]:
    """The plane's tables in `store`, and memories in them; the worker runs where there is an embedding."""
    await migrate(store, "services.memory.migrations", plane="memory")
    kept = Kept(store, clock or ManualClock(), embeddings)
    if kept.worker:
        kept.worker.start()
    try:
        yield kept
    finally:
        if kept.worker:
            await kept.worker.close()
        for embedding in embeddings:
            await embedding.close()
        await kept.index.close()
        await kept.revisions.close()
