"""The observe plane's side of extraction, as the worker calls it: claims by session, what went before, completion."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from loom.observe.v1 import extraction_pb2 as pb
from runtime.optable import methods_of
from runtime.peers import Peers
from services.memory.extract.calls import UNKNOWN_SESSION, Observed
from services.memory.identity import Scope

PLANE = "observe"
METHODS = {method.rpc: method for method in methods_of(pb.DESCRIPTOR.services_by_name["ExtractionService"])}
MOST_EARLIER = 500
TIMEOUT_S = 30.0


class Source(NamedTuple):
    """Whose observations belong together. `agent` and `run` are empty, unless the session is not known."""

    scope: Scope
    session_id: str
    agent: str = ""
    run: str = ""


class Handover:
    """Calls of the extraction service. Each raises LoomError."""

    def __init__(self, peers: Peers) -> None:
        self._peers = peers

    async def claim(self, most: int, lease_s: int) -> dict[Source, list[Observed]]:
        """Ready observations, which are this worker's for `lease_s` seconds."""
        claimed = await self._call("ClaimReady", limit=most, lease_s=lease_s)
        sources: dict[Source, list[Observed]] = defaultdict(list)
        for one in claimed.observations:
            sources[_source(one)].append(_observed(one.observation))
        return sources

    async def earlier(self, source: Source, first: Observed) -> list[Observed]:
        """What went before `first` in its session; nothing where the session is not known."""
        if source.session_id == UNKNOWN_SESSION:
            return []
        answer = await self._call(
            "Earlier",
            **source.scope._asdict(),
            session_id=source.session_id,
            observed_at=first.observed_at,
            memory_key=first.memory_key,
            limit=MOST_EARLIER,
        )
        return [_observed(observation) for observation in answer.observations]

    async def complete(self, scope: Scope, memories: Mapping[str, Sequence[int]]) -> None:
        """Ends the claims: `memories` holds the ids that each observation led to."""
        completions = [
            pb.Completion(org=scope.org, namespace=scope.namespace, memory_key=key, memories=map(str, ids))
            for key, ids in memories.items()
        ]
        await self._call("Complete", completions=completions)

    async def _call(self, rpc: str, **fields: Any) -> Any:
        method = METHODS[rpc]
        return await self._peers.call(PLANE, method, method.request(**fields), TIMEOUT_S)


def _source(claimed: pb.ClaimedObservation) -> Source:
    row = claimed.observation
    scope = Scope(claimed.org, claimed.namespace, row.user_id)
    if row.session_id == UNKNOWN_SESSION:
        return Source(scope, row.session_id, row.agent, row.run_id)
    return Source(scope, row.session_id)


def _observed(row: pb.ExtractionObservation) -> Observed:
    return Observed(
        memory_key=row.memory_key,
        observed_at=row.observed_at,
        kind=row.kind,
        tool_name=row.tool_name,
        narrative=row.narrative,
        error=row.error,
        agent=row.agent,
        tags=tuple(row.tags),
        file_paths=tuple(row.file_paths),
        skipped_reason=row.skipped_reason,
    )
