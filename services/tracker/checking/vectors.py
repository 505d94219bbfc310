"""Vectors of a source's items, and the nearest to a question. Recall only: an item is read anew before it is shown."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runtime.store import Store
from services.tracker.similar.boilerplate import vector_text

TABLE = "tracker_embeddings"
NEAREST = 50
# An item has a row for each of its texts until the engine merges them. To group a hundred thousand items takes as long as
# to compare them, so more rows are fetched than asked for, and the best of each item is taken here.
_VERSIONS = 4
# About 80 tokens; more cost time, and say little.
EMBEDDED_CHARS = 320

Vector = NDArray[np.float32]


class Row(NamedTuple):
    """One item's vector (float32, length one). `text_hash` is of the text that was embedded."""

    item: str
    kind: str
    text_hash: int
    changed_at: datetime
    vector: Sequence[float]


class ItemVectors:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def put(self, org: str, source_id: str, model: str, rows: Sequence[Row], version: int) -> None:
        columns = ["org", "source_id", "model", "item", "kind", "text_hash", "changed_at", "vector", "version"]
        values = [
            [org, source_id, model, r.item, r.kind, r.text_hash, r.changed_at, list(map(float, r.vector)), version]
            for r in rows
        ]
        await self._store.insert(TABLE, columns, values)

    async def models(self, org: str, source_id: str) -> dict[str, int]:
        """How many items have a vector of each model."""
        rows = await self._store.query(
            f"SELECT model, uniq(item) AS items FROM {TABLE} WHERE org = {{org:String}} AND source_id = {{source:String}} "
            "GROUP BY model",
            {"org": org, "source": source_id},
            name="tracker.vector_models",
        )
        return {str(row["model"]): int(row["items"]) for row in rows}

    async def hashes(self, org: str, source_id: str, model: str, items: Sequence[str]) -> dict[str, int]:
        """The hashes of the texts that were embedded, of those of the items that have a vector."""
        rows = await self._store.query(
            f"SELECT item, text_hash FROM {TABLE} FINAL WHERE org = {{org:String}} AND source_id = {{source:String}} "
            "AND model = {model:String} AND item IN {items:Array(String)}",
            {"org": org, "source": source_id, "model": model, "items": list(items)},
            name="tracker.vector_hashes",
        )
        return {str(row["item"]): int(row["text_hash"]) for row in rows}

    async def nearest(
        self,
        org: str,
        source_id: str,
        model: str,
        question: Vector,
        kinds: Collection[str],
        timeout_s: float,
        limit: int = NEAREST,
        *,
        scope: Sequence[str] = ("",),
    ) -> dict[str, float]:
        """Cosines of the nearest items, by `Org/repo#number`; of those that start with one of `scope`."""
        rows = await self._store.query(
            f"SELECT item, arrayDotProduct(vector, {{q:Array(Float32)}}) AS cosine FROM {TABLE} "
            "WHERE org = {org:String} AND source_id = {source:String} AND model = {model:String} "
            "AND kind IN {kinds:Array(String)} AND arrayExists(p -> startsWith(item, p), {scope:Array(String)}) "
            "ORDER BY cosine DESC, item LIMIT {limit:UInt32}",
            {
                "q": [float(x) for x in question],
                "org": org,
                "source": source_id,
                "model": model,
                "kinds": list(kinds),
                "scope": list(scope),
                "limit": limit * _VERSIONS,
            },
            name="tracker.nearest",
            timeout_s=timeout_s,
        )
        best: dict[str, float] = {}
        for row in rows:
            best.setdefault(str(row["item"]), float(row["cosine"]))
        return dict(islice(best.items(), limit))

    async def cosines(
        self, org: str, source_id: str, model: str, question: Vector, items: Sequence[str], timeout_s: float
    ) -> dict[str, float]:
        """Cosines of these items, of those that have a vector."""
        rows = await self._store.query(
            f"SELECT item, arrayDotProduct(vector, {{q:Array(Float32)}}) AS cosine FROM {TABLE} FINAL "
            "WHERE org = {org:String} AND source_id = {source:String} AND model = {model:String} "
            "AND item IN {items:Array(String)}",
            {
                "q": [float(x) for x in question],
                "org": org,
                "source": source_id,
                "model": model,
                "items": list(items),
            },
            name="tracker.cosines",
            timeout_s=timeout_s,
        )
        return {str(row["item"]): float(row["cosine"]) for row in rows}

    async def items_after(self, org: str, source_id: str, item: str, limit: int) -> list[str]:
        """Items that have a vector of any model, in order, from the one after `item` on."""
        rows = await self._store.query(
            f"SELECT DISTINCT item FROM {TABLE} WHERE org = {{org:String}} AND source_id = {{source:String}} "
            "AND item > {item:String} ORDER BY item LIMIT {limit:UInt32}",
            {"org": org, "source": source_id, "item": item, "limit": limit},
            name="tracker.vector_items",
        )
        return [str(row["item"]) for row in rows]

    async def of_items(self, org: str, source_id: str, model: str, items: Sequence[str]) -> dict[str, bytes]:
        """Vectors of these items, of those that have one, as little-endian float32."""
        rows = await self._store.query(
            f"SELECT item, vector FROM {TABLE} FINAL WHERE org = {{org:String}} AND source_id = {{source:String}} "
            "AND model = {model:String} AND item IN {items:Array(String)}",
            {"org": org, "source": source_id, "model": model, "items": list(items)},
            name="tracker.vectors",
        )
        return {str(row["item"]): np.asarray(row["vector"], dtype="<f4").tobytes() for row in rows}

    async def remove(self, org: str, source_id: str, items: Sequence[str]) -> None:
        """Removes the items' vectors of every model."""
        await self._store.command(
            f"ALTER TABLE {TABLE} DELETE WHERE org = {{org:String}} AND source_id = {{source:String}} "
            "AND item IN {items:Array(String)}",
            {"org": org, "source": source_id, "items": list(items)},
            name="tracker.remove_vectors",
        )

    async def keep_model(self, org: str, source_id: str, model: str) -> None:
        """Removes the vectors of all other models."""
        await self._store.command(
            f"ALTER TABLE {TABLE} DELETE WHERE org = {{org:String}} AND source_id = {{source:String}} "
            "AND model != {model:String}",
            {"org": org, "source": source_id, "model": model},
            name="tracker.keep_vectors",
        )

    async def erase(self, org: str, source_id: str) -> None:
        await self._store.command(
            f"ALTER TABLE {TABLE} DELETE WHERE org = {{org:String}} AND source_id = {{source:String}}",
            {"org": org, "source": source_id},
            name="tracker.erase_vectors",
        )


NO_LINES: Mapping[str, int] = {}


def embedded_text(title: str, body: str, shared: Mapping[str, int] = NO_LINES) -> str:
    """What of an item is embedded: its title and the beginning of its body, without lines that many reports share.

    About 64 tokens are enough for an issue (docs/adr/0016-similar-reports.md); `shared` is Statistics.lines. The text
    without `shared` is what a vector's `text_hash` is of, so that new statistics alone make no vector stale.
    """
    return vector_text(title, body, shared)[:EMBEDDED_CHARS]
