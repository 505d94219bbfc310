"""`Memory` as its tests use it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from loom.memory import Memory

PREFERENCE = {
    "type": "preference",
    "title": "Greeting",
    "content": "Alice likes to be greeted in French.",
    "topic_key": "user/alice/greeting",
}


class Bound:
    """A memory whose calls all go to one namespace."""

    def __init__(self, mem: Memory, namespace: str) -> None:
        self._mem, self._namespace = mem, namespace

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(**args: Any) -> Any:
            return getattr(self._mem, name)(**{"namespace": self._namespace, "user_id": "alice", **args})

        return call


class Moved:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        self.now += timedelta(**by)
