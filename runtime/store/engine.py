"""What a store needs of an engine."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

Row = dict[str, Any]


class Engine(Protocol):
    """One way to reach ClickHouse. `deadline` is an instant of the monotonic clock; errors are foreign ones."""

    process_lock: asyncio.Lock | None
    """Where no other process can reach the same tables: the lock of those in this process who can."""
    folder: Path | None
    """The data folder, where this process alone has one."""

    async def query(self, sql: str, params: Mapping[str, Any], deadline: float) -> list[Row]: ...

    async def command(self, sql: str, params: Mapping[str, Any], deadline: float) -> None: ...

    async def insert(self, table: str, columns: Sequence[str], body: bytes, deadline: float) -> None: ...

    async def commands(self, statements: Sequence[str], deadline: float) -> None:
        """One after another; where this process alone writes, with no other write in between."""
        ...

    async def unload(self, sql: str, path: Path, deadline: float) -> None:
        """The rows of a SELECT into the file `path`: Native, compressed by zstd."""
        ...

    async def load(self, table: str, columns: Sequence[str], path: Path, deadline: float) -> None:
        """The rows of such a file into `table`."""
        ...

    async def close(self) -> None: ...


def time_limit(deadline: float, now: float) -> float:
    """Seconds left, for `max_execution_time` (where 0 would mean for ever). TimeoutError where none are."""
    if (left := deadline - now) <= 0:
        raise TimeoutError
    return max(round(left, 3), 0.001)
