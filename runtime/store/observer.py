"""Who is told how the store fares; metrics, in a process."""

from collections.abc import Callable
from typing import Protocol


class Observer(Protocol):
    """Hears of every statement and group. Nothing here may raise."""

    def statement(self, name: str, seconds: float) -> None:
        """A statement ended, well or badly."""
        ...

    def group_commit(self, table: str, rows: int) -> None:
        """A group of rows is about to go in."""
        ...

    def queue_rows(self, table: str, count: Callable[[], float]) -> None:
        """From now on, `count()` is how many rows wait for an insert into the table."""
        ...


class Nobody:
    """Hears nothing."""

    def statement(self, name: str, seconds: float) -> None: ...

    def group_commit(self, table: str, rows: int) -> None: ...

    def queue_rows(self, table: str, count: Callable[[], float]) -> None: ...
