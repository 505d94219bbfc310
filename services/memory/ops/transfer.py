"""memory.export and memory.import_batch: a user's memories with all their texts, out and in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from runtime.clock import Clock
from runtime.errors import LoomError
from services.memory.identity import Scope
from services.memory.model import Draft, Revision
from services.memory.ops.save import Save
from services.memory.store import RevisionStore
from services.memory.tokens import decode, encode, list_of

# What a page's contents may have in bytes, so that it fits into one call of memory.import_batch. One memory always goes.
PAGE_BYTES = 512 << 10


@dataclass(frozen=True, slots=True)
class Record:
    """A memory with all of its texts, oldest first; `topic_key` is empty for none."""

    id: int
    topic_key: str
    texts: list[dict[str, Any]]
    evidence: list[str]


class Export:
    """Pages in the order in which memories were first said, which nothing changes."""

    def __init__(self, store: RevisionStore) -> None:
        self._store = store

    async def execute(
        self, scope: Scope, page_token: str, size: int, timeout_s: float | None
    ) -> tuple[list[Record], str]:
        """The records and the next page's token, empty on the last page. Raises INVALID_FIELD for a foreign token."""
        listed = list_of("export", *scope)
        after = decode(page_token, listed)
        rows = await self._store.first_said(scope, after, size + 1, timeout_s)
        if not rows:
            return [], ""
        sizes = await self._store.sizes(scope, [row["id"] for row in rows[:size]], timeout_s)
        kept = rows[: _fitting([sizes.get(row["id"], 0) for row in rows[:size]])]
        texts: dict[int, list[dict[str, Any]]] = {row["id"]: [] for row in kept}
        for text in await self._store.revisions(scope, list(texts), timeout_s):
            texts[text["id"]].append(text)
        token = encode((kept[-1]["created_at"], kept[-1]["id"]), listed) if len(kept) < len(rows) else ""
        return [_record(id_, found) for id_, found in texts.items() if found], token


class Import:
    """Brings records in. A text that is there already, said at the same instant, is not added again."""

    def __init__(self, save: Save, clock: Clock) -> None:
        self._save, self._clock = save, clock

    async def execute(
        self, scope: Scope, records: Sequence[Sequence[Draft] | LoomError], timeout_s: float | None
    ) -> list[tuple[int, int] | LoomError]:
        """(id, texts added) of each record, in order; a refused record keeps its error. Sessions are not touched."""

        async def work(left: float | None) -> list[tuple[int, int] | LoomError]:
            return await self._bring_in(scope, records, left)

        return await self._save.lanes.alone(scope, work, timeout_s)

    async def _bring_in(
        self, scope: Scope, records: Sequence[Sequence[Draft] | LoomError], timeout_s: float | None
    ) -> list[tuple[int, int] | LoomError]:
        drafts = [draft for record in records if not isinstance(record, LoomError) for draft in record]
        memories = await self._save.memories(scope, drafts, timeout_s)
        now = self._clock.now()
        rows: list[Revision] = []
        answers: list[tuple[int, int] | LoomError] = []
        for record in records:
            if isinstance(record, LoomError):
                answers.append(record)
                continue
            id_, added = memories.bring_in(record, now)
            rows += added
            answers.append((id_, len(added)))
        await self._save.write(rows, timeout_s)
        return answers


def _fitting(sizes: Sequence[int]) -> int:
    """How many of the records fit into a page: at least one."""
    total = 0
    for count, size in enumerate(sizes):
        total += size
        if count and total > PAGE_BYTES:
            return count
    return len(sizes)


def _record(id_: int, texts: list[dict[str, Any]]) -> Record:
    return Record(id_, texts[-1]["topic_key"], texts, texts[-1]["evidence"])
