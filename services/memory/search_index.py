"""Makes texts findable by their words: one row per text into the index, in groups.

Where the store inserts behind, entries wait there, unsynced: what a killed process loses, a sweep puts back.
"""

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from runtime.clock import Clock
from runtime.store import Behind, GroupCommit, Store
from services.memory.held import HeldTerms, Terms, Text
from services.memory.identity import Scope
from services.memory.model import EPOCH, LIVE, TICK, Revision
from services.memory.retrieval.documents import document

INPUT = "memory_index_input"
# Everything that holds something of a text, for the erase pass.
TABLES = ("memory_terms", "memory_vectors")
# More texts than these are analysed on a thread.
_FEW = 4

Heard = Callable[[Sequence[Revision]], None]


class Entry(NamedTuple):
    """One row of the index's input."""

    org: str
    namespace: str
    user_id: str
    id: int
    revision_id: int
    kind: str
    said_at: datetime
    position: int
    episode: int
    length: int
    terms: list[str]
    counts: list[int]


class SearchIndex:
    """The write side of search. `heard` is told of texts that are in, so that vectors are made of them."""

    def __init__(self, store: Store, clock: Clock, heard: Heard = lambda rows: None) -> None:
        self._heard = heard
        self._commit = GroupCommit(store, INPUT, Entry._fields, clock=clock)
        self._held = HeldTerms(store) if isinstance(store, Behind) else None

    @property
    def is_behind(self) -> bool:
        """See ports.Index."""
        return self._held is not None

    async def add(self, rows: Sequence[Revision], timeout_s: float | None) -> None:
        """See ports.Index."""
        texts = [row for row in rows if row.deleted == LIVE]
        found = postings(texts) if len(texts) <= _FEW else await asyncio.to_thread(postings, texts)
        if self._held is None:
            await self._commit.write(found, timeout_s=timeout_s)
        else:
            group = self._held.hold([_terms(entry) for entry in found])
            try:
                await self._commit.write(found, timeout_s=timeout_s)
            finally:
                self._held.sent(group)
        self._heard(texts)

    def waiting(self, scope: Scope, terms: Iterable[str]) -> tuple[int, Mapping[str, Sequence[Text]]]:
        """See ports.Index."""
        return self._held.of(scope, terms) if self._held else (0, {})

    async def close(self) -> None:
        await self._commit.close()


def _terms(entry: Entry) -> Terms:
    return Terms(Scope(entry.org, entry.namespace, entry.user_id), (entry.id, entry.revision_id), entry.terms)


def postings(rows: Sequence[Revision]) -> list[Entry]:
    """The index rows of texts. Those written at one instant keep their order."""
    return [_entry(row, place) for place, row in enumerate(rows)]


def _entry(row: Revision, place: int) -> Entry:
    found = document(row.title, row.content, row.type, row.topic_key, row.said_at)
    return Entry(
        row.org,
        row.namespace,
        row.user_id,
        row.id,
        row.revision_id,
        row.type,
        row.said_at,
        (row.written_at - EPOCH) // TICK + place,
        episode(row.session_id, row.said_at),
        found.length,
        list(found.counts),
        list(found.counts.values()),
    )


def episode(session_id: str, said_at: datetime) -> int:
    """Names a session's day: 32 bits."""
    digest = hashlib.sha256(f"{session_id}\n{said_at:%Y-%m-%d}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:4], "big")
