"""What reads hand out: compact rows and whole ones, put together from heads and bodies."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services.memory.identity import Scope
from services.memory.retrieval.snippets import snippet
from services.memory.store import RevisionStore

NO_WORDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Compact:
    """A memory in a list; `topic_key` is empty for none."""

    id: int
    type: str
    title: str
    topic_key: str
    snippet: str
    updated_at: datetime
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Whole:
    """A memory with its current text; `topic_key` is empty for none."""

    id: int
    session_id: str
    user_id: str
    type: str
    title: str
    content: str
    topic_key: str
    revision_count: int
    created_at: datetime
    updated_at: datetime
    source: str
    evidence: Sequence[str]


async def compact(
    store: RevisionStore, scope: Scope, heads: Iterable[dict[str, Any]], timeout_s: float | None
) -> list[Compact]:
    """The memories of `heads` (id, head, updated_at), in their order; one that was erased meanwhile is left out."""
    rows = list(heads)
    if not rows:
        return []
    bodies = await store.bodies(scope, {row["id"]: row["head"] for row in rows}, timeout_s, whole=False)
    return [_compact(bodies[row["id"]], row) for row in rows if row["id"] in bodies]


def _compact(body: dict[str, Any], row: dict[str, Any]) -> Compact:
    return Compact(
        id=body["id"],
        type=body["type"],
        title=body["title"],
        topic_key=body["topic_key"],
        snippet=snippet(body["content"], NO_WORDS),
        updated_at=row["updated_at"],
    )


async def whole(store: RevisionStore, scope: Scope, id_: int, timeout_s: float | None) -> Whole | None:
    """The memory; None where the user has none of that id."""
    heads = await store.heads(scope, [id_], timeout_s)
    if id_ not in heads:
        return None
    head = heads[id_]
    bodies = await store.bodies(scope, {id_: head["head"]}, timeout_s, whole=True)
    if id_ not in bodies:
        return None
    body = bodies[id_]
    return Whole(
        id=id_,
        session_id=body["session_id"],
        user_id=scope.user_id,
        type=body["type"],
        title=body["title"],
        content=body["content"],
        topic_key=body["topic_key"],
        revision_count=head["revision_count"],
        created_at=head["created_at"],
        updated_at=head["updated_at"],
        source=body["source"],
        evidence=body["evidence"],
    )
