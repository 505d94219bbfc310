"""memory.delete: a tombstone, and on request the erasure of every text from disk."""

from dataclasses import dataclass

from runtime.clock import Clock
from services.memory.erase import Eraser
from services.memory.identity import Scope
from services.memory.lanes import Lanes
from services.memory.model import ERASED, HIDDEN, Known, Revision, precedence
from services.memory.store import RevisionStore


@dataclass(frozen=True, slots=True)
class Deleted:
    """What was deleted; `evidence` names the tool calls that still say what an erased memory was extracted from."""

    evidence: list[str]


class Delete:
    """Gone from every answer when it returns; with `hard` gone from disk."""

    def __init__(self, store: RevisionStore, eraser: Eraser, lanes: Lanes[Scope, object], clock: Clock) -> None:
        self._store, self._eraser, self._lanes, self._clock = store, eraser, lanes, clock

    async def execute(self, scope: Scope, id_: int, timeout_s: float | None, *, hard: bool) -> Deleted | None:
        """None when there was nothing to delete. A hidden memory can still be erased."""

        async def bury(left: float | None) -> Deleted | None:
            known = await self._store.states(scope, [id_], left)
            if not known or (known[0].is_gone and not hard):
                return None
            deleted = Deleted(await self._store.evidence(scope, id_, left) if hard else [])
            await self._store.add([self._tombstone(scope, known[0], ERASED if hard else HIDDEN)], left)
            return deleted

        deleted: Deleted | None = await self._lanes.alone(scope, bury, timeout_s)
        if deleted and hard:
            await self._eraser.erase(scope, id_)
        return deleted

    def _tombstone(self, scope: Scope, memory: Known, deleted: int) -> Revision:
        now = self._clock.now()
        return Revision(
            *scope,
            id=memory.id,
            revision_id=deleted,
            lookup=0,
            type="",
            title="",
            content="",
            topic_key="",
            content_hash="",
            session_id="",
            source="",
            evidence=[],
            said_at=now,
            written_at=now,
            deleted=deleted,
            precedence=precedence(now),
        )
