"""A source beside Loom's own tables: another database of Loom's own engine, behind the same interface."""

from collections.abc import Mapping
from typing import Any

from runtime.errors import LoomError
from runtime.store import Store
from services.tracker.sources.model import Answer, Limits, check_reads
from services.tracker.sources.silence import Reason, Silent

_REASONS = {
    "DEADLINE_EXCEEDED": Reason.TIMEOUT,
    "STORAGE_UNAVAILABLE": Reason.UNREACHABLE,
    "STORAGE_FULL": Reason.UNREACHABLE,
}


class LocalClient:
    """Reads over the store. No breaker and no pool: the engine is ours, and its store has both.

    Tables are named with their database, for the store's own is another.
    """

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store, self.limits = store, limits

    async def rows(
        self, name: str, sql: str, params: Mapping[str, Any] | None = None, *, budget_s: float | None = None
    ) -> Answer:
        """The answer to one statement that reads. Silent, with the reason, where there is none.

        ValueError for a statement that is not SELECT, WITH, DESCRIBE or EXISTS.
        """
        check_reads(name, sql)
        limits = self.limits.within(budget_s)
        try:
            rows = await self._store.query(sql, params, timeout_s=limits.budget_s, name=name)
        except LoomError as error:
            # What is left is a statement that the tables do not fit.
            raise Silent(_REASONS.get(error.code.name, Reason.CONTRACT)) from None
        return Answer(rows[: limits.max_rows], clipped=len(rows) > limits.max_rows)

    async def close(self) -> None:
        """Nothing to let go of: the store is its owner's."""
