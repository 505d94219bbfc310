"""Marks: what a background pass must know of a source the next time it runs."""

from runtime.clock import Clock
from runtime.store import Store

TABLE = "tracker_marks"


class Marks:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    async def of(self, org: str, source_id: str, name: str) -> str:
        """The mark, empty text where there is none."""
        rows = await self._store.query(
            f"SELECT mark FROM {TABLE} FINAL WHERE org = {{org:String}} AND source_id = {{source:String}} "
            "AND name = {name:String}",
            {"org": org, "source": source_id, "name": name},
            name="tracker.mark",
        )
        return str(rows[0]["mark"]) if rows else ""

    async def put(self, org: str, source_id: str, name: str, mark: str) -> None:
        """Replaces what is there."""
        version = int(self._clock.now().timestamp() * 1e6)
        await self._store.insert(
            TABLE, ["org", "source_id", "name", "mark", "version"], [[org, source_id, name, mark, version]]
        )

    async def erase(self, org: str, source_id: str) -> None:
        await self._store.command(
            f"ALTER TABLE {TABLE} DELETE WHERE org = {{org:String}} AND source_id = {{source:String}}",
            {"org": org, "source": source_id},
            name="tracker.erase_marks",
        )
