"""The memory plane as `search` sees it: asked in the caller's own name.

The plane's public op is called with what the caller showed us, never with the key that planes show each other: the
plane checks the token, the rights on the namespace and the user by itself, as behind any door.
"""

from collections.abc import Mapping

from loom.memory.v1 import memory_pb2 as pb
from runtime.call import AUTHORIZATION, REQUEST_ID, TRACEPARENT, TRACESTATE, Call
from runtime.optable import Op, load_ops
from runtime.peers import Peers
from services.tracker.searching import MEMORY, Hit

PLANE, OP = "memory", "memory.search"
# SearchScore below which a memory is there for its age alone (docs/memory.md).
FLOOR = 0.45
_FORWARDED = (AUTHORIZATION, REQUEST_ID, TRACEPARENT, TRACESTATE)


class Memories:
    def __init__(self, peers: Peers) -> None:
        self._peers = peers
        self._op: Op | None = None

    async def search(
        self, call: Call, org: str, namespace: str, user_id: str, agent: str, query: str, limit: int, timeout_s: float
    ) -> tuple[list[Hit], Mapping[str, str]]:
        """Hits, best first, and the legs of that search. Raises LoomError as the op does, FEATURE_DISABLED without it."""
        request = pb.SearchRequest(
            org=org, namespace=namespace, user_id=user_id, agent=agent, query=query, limit=limit, min_score=FLOOR
        )
        shown = {key: call.metadata[key] for key in _FORWARDED if key in call.metadata}
        if call.request_id:
            shown[REQUEST_ID] = call.request_id
        answer: pb.SearchResponse = await self._peers.call_as(PLANE, self._method(), request, shown, timeout_s)
        return [_hit(each, namespace) for each in answer.hits], dict(answer.leg_status)

    def _method(self) -> Op:
        if self._op is None:
            self._op = load_ops().by_name[OP]
        return self._op


def _hit(found: pb.CompactMemory, namespace: str) -> Hit:
    return Hit(
        origin=MEMORY,
        namespace=namespace,
        kind=found.type,
        title=found.title,
        snippet=found.snippet,
        memory_id=found.id,
        at=found.updated_at,
        own_score=found.score,
    )
