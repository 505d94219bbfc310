"""How far each pass has come with each source, in the store: it outlives the process, and every process sees it."""

import dataclasses
from dataclasses import dataclass
from datetime import UTC, datetime

from runtime.clock import Clock
from runtime.store import Store

TABLE = "tracker_passes"
DONE, PARTIAL, SILENT, FAILED, RUNNING = "done", "partial", "silent", "failed", "running"
NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class State:
    """`outcome` is how the last run ended, `running` while it runs; instants are in UTC."""

    org: str
    source_id: str
    pass_name: str
    checkpoint: str = ""
    outcome: str = ""
    begun_at: datetime = NEVER
    ended_at: datetime = NEVER
    version: int = 0


_COLUMNS = ["org", "source_id", "pass", "checkpoint", "outcome", "begun_at", "ended_at", "version"]


class Progress:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    async def of(self, org: str, source_id: str, name: str) -> State:
        """The latest state; an empty one where the pass never ran on the source."""
        rows = await self._store.query(
            f"SELECT * FROM {TABLE} FINAL WHERE org = {{org:String}} AND source_id = {{source:String}} "
            "AND pass = {name:String}",
            {"org": org, "source": source_id, "name": name},
            name="tracker.pass_state",
        )
        return State(*(rows[0][column] for column in _COLUMNS)) if rows else State(org, source_id, name)

    async def put(self, state: State) -> State:
        """Stores it with a version above its own."""
        version = max(state.version + 1, int(self._clock.now().timestamp() * 1e6))
        kept = dataclasses.replace(state, version=version)
        await self._store.insert(TABLE, _COLUMNS, [list(dataclasses.astuple(kept))])
        return kept
