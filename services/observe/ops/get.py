"""observe.get: observations by key."""

from collections.abc import Sequence
from typing import Any

from runtime.errors import missing_field
from services.observe.store import ObserveStore, Scope


class Get:
    """One by `memory_key`, many by `memory_keys`, or both."""

    def __init__(self, store: ObserveStore) -> None:
        self._store = store

    async def execute(
        self, scope: Scope, keys: Sequence[str], timeout_s: float | None
    ) -> tuple[list[dict[str, Any]], list[str]]:
        """The rows found, in the order asked and each once, and the keys that were not."""
        wanted = list(dict.fromkeys(keys))
        if not wanted:
            raise missing_field("memory_key")
        rows = await self._store.by_keys(scope, wanted, timeout_s)
        return [rows[key] for key in wanted if key in rows], [key for key in wanted if key not in rows]
