"""The SQL of vectors: what is near a question, and which texts have none yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runtime.embedding.interface import Vectors
from runtime.store import Store
from services.memory.identity import Scope
from services.memory.index_store import living
from services.memory.search_store import Restriction
from services.memory.store import REVISIONS, SCOPE
from services.memory.wanted import remove, wanted_params

VECTORS = "memory_vectors"


class VectorRow(NamedTuple):
    """One row of memory_vectors."""

    org: str
    namespace: str
    user_id: str
    model: str
    id: int
    revision_id: int
    chunk: int
    scale: float
    vector: list[int]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A text that has no vector."""

    scope: Scope
    id: int
    revision_id: int
    title: str
    content: str


class VectorStore:
    """Reads and writes vectors."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, rows: Sequence[VectorRow], timeout_s: float | None) -> None:
        await self._store.insert(VECTORS, VectorRow._fields, [tuple(row) for row in rows], timeout_s=timeout_s)

    async def forget(self, texts: Sequence[Waiting]) -> None:
        """Has the vectors of these texts' memories removed."""
        await remove(self._store, VECTORS, wanted_params([(text.scope, text.id) for text in texts]))

    async def living(self, texts: Sequence[Waiting], timeout_s: float | None) -> set[int]:
        """The ids of the memories that live still."""
        return await living(self._store, [(tuple(text.scope), text.id) for text in texts], timeout_s)

    async def nearest(
        self,
        scope: Scope,
        model: str,
        query: NDArray[np.float32],
        restriction: Restriction,
        limit: int,
        timeout_s: float | None,
    ) -> dict[tuple[int, int], float]:
        """Cosine of the nearest chunk by (id, revision), nearest first. Exact: every vector of the user is looked at."""
        allowed, params = restriction.filter()
        sql = (
            "SELECT id, revision_id, max(dotProduct(vector, {query:Array(Float32)}) * scale) AS cosine "
            f"FROM {VECTORS} WHERE {SCOPE} AND model = {{model:String}} AND length(vector) = {{dim:UInt32}} "
            f"AND {allowed} GROUP BY id, revision_id ORDER BY cosine DESC, revision_id LIMIT {{limit:UInt32}}"
        )
        bound = {
            **scope._asdict(),
            **params,
            "model": model,
            "query": [round(float(value), 6) for value in query],
            "dim": len(query),
            "limit": limit,
        }
        rows = await self._store.query(sql, bound, timeout_s=timeout_s, name="memory.vectors.nearest")
        return {(row["id"], row["revision_id"]): row["cosine"] for row in rows}

    async def coverage(self, scope: Scope, timeout_s: float | None) -> dict[str, int]:
        """Texts that have a vector, by model."""
        sql = f"SELECT model, uniq(revision_id) AS n FROM {VECTORS} WHERE {SCOPE} GROUP BY model"
        rows = await self._store.query(sql, scope._asdict(), timeout_s=timeout_s, name="memory.vectors.coverage")
        return {row["model"]: row["n"] for row in rows}

    async def waiting(self, model: str, limit: int, timeout_s: float | None) -> list[Waiting]:
        """Texts of any user without a vector of the model, last written first."""
        sql = (
            f"SELECT org, namespace, user_id, id, revision_id, title, content FROM {REVISIONS} WHERE deleted = 0 "
            f"AND revision_id NOT IN (SELECT revision_id FROM {VECTORS} WHERE model = {{model:String}}) "
            f"AND id NOT IN (SELECT id FROM {REVISIONS} WHERE deleted > 0) "
            "ORDER BY written_at DESC LIMIT 1 BY revision_id LIMIT {limit:UInt32}"
        )
        params = {"model": model, "limit": limit}
        rows = await self._store.query(sql, params, timeout_s=timeout_s, name="memory.vectors.waiting")
        return [
            Waiting(Scope(r["org"], r["namespace"], r["user_id"]), r["id"], r["revision_id"], r["title"], r["content"])
            for r in rows
        ]


def rows_of(text: Waiting, model: str, vectors: Vectors) -> list[VectorRow]:
    """The rows of a text's chunks; of no vectors, the row that says that the model refused the text."""
    place = (*text.scope, model, text.id, text.revision_id)
    if not len(vectors):
        return [VectorRow(*place, 0, 0.0, [])]
    scales = np.maximum(np.abs(vectors).max(axis=1), 1e-9) / 127
    numbers = np.round(vectors / scales[:, None]).astype(int)
    return [
        VectorRow(*place, chunk, float(scale), row.tolist())
        for chunk, (scale, row) in enumerate(zip(scales, numbers, strict=True))
    ]
