"""The worker's questions to the stored memories. Every statement is held to one user's scope."""

from collections.abc import Collection, Sequence

from runtime.store import Store
from services.memory.extract.answers import BY_LLM
from services.memory.identity import Key, Scope, lookup
from services.memory.model import EXTRACTED
from services.memory.store import PLACE, REVISIONS, SCOPE


class ExtractedStore:
    """What became of memories that were extracted before."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def taken_over(self, scope: Scope, topic_keys: Collection[str], timeout_s: float | None) -> set[str]:
        """Those of the topic keys whose memory its user has changed or deleted since: theirs is the last word."""
        rows = await self._store.query(
            # A tombstone names no topic key: it is found by its memory's id.
            f"SELECT max(deleted) = 0 AS lives, argMaxIf(topic_key, {PLACE}, deleted = 0) AS topic, "
            f"argMaxIf(source, {PLACE}, deleted = 0) AS last FROM {REVISIONS} WHERE {SCOPE} AND id IN (SELECT id "
            f"FROM {REVISIONS} WHERE {SCOPE} AND lookup IN {{lookups:Array(UInt64)}} "
            "AND topic_key IN {keys:Array(String)}) GROUP BY id",
            {
                **scope._asdict(),
                "lookups": [lookup(Key(topic_key)) for topic_key in topic_keys],
                "keys": list(topic_keys),
            },
            timeout_s=timeout_s,
            name="memory.taken_over",
        )
        return {row["topic"] for row in rows if not (row["lives"] and row["last"] == EXTRACTED)}

    async def by_llm(self, scope: Scope, evidence: Sequence[str], timeout_s: float | None) -> dict[str, list[int]]:
        """Ids of the memories that a language model drafted of these observations, by observation."""
        rows = await self._store.query(
            f"SELECT id, groupUniqArrayArray(evidence) AS known FROM {REVISIONS} WHERE {SCOPE} "
            f"AND source = '{EXTRACTED}' AND startsWith(topic_key, '{BY_LLM}') "
            "AND hasAny(evidence, {keys:Array(String)}) GROUP BY id ORDER BY id",
            {**scope._asdict(), "keys": list(evidence)},
            timeout_s=timeout_s,
            name="memory.by_llm",
        )
        wanted = set(evidence)
        found: dict[str, list[int]] = {}
        for row in rows:
            for key in wanted.intersection(row["known"]):
                found.setdefault(key, []).append(row["id"])
        return found
