"""The servicer of `search`."""

from collections.abc import Mapping

from loom.search.v1 import search_pb2 as pb
from runtime.call import Call
from services.tracker.memories import Memories
from services.tracker.ops.search import SearchOp
from services.tracker.plain import plain
from services.tracker.searching import Hit
from services.tracker.service import caller

LIMIT = 10


class SearchService:
    """Public rpc; it is an op."""

    def __init__(self, op: SearchOp, memories: Memories) -> None:
        self._op, self._memories = op, memories

    async def Search(self, request: pb.SearchRequest, call: Call) -> pb.SearchResponse:
        async def remembered(
            namespace: str, query: str, limit: int, timeout_s: float
        ) -> tuple[list[Hit], Mapping[str, str]]:
            return await self._memories.search(
                call, request.org, namespace, request.user_id, request.agent, query, limit, timeout_s
            )

        found = await self._op.execute(
            request.org,
            call.namespace,
            request.memory_namespace or call.namespace,
            request.query,
            request.limit,
            caller(call),
            remembered,
        )
        return pb.SearchResponse(**plain(found))
