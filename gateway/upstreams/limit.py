"""The concurrency limit: so many calls at a time, and a plain refusal beyond; nothing ever waits for a place."""

from collections.abc import Callable
from types import TracebackType

from runtime.errors import LoomError

RETRY_AFTER_S = 1.0


class ConcurrencyLimit:
    """At most `maximum` calls to the plane `name` at once. `with limit:` takes a place and gives it back.

    Entering raises LoomError OVERLOADED when all places are taken, after `on_refused()`. `in_flight` is how many are.
    """

    __slots__ = ("_maximum", "_name", "_on_refused", "in_flight")

    def __init__(self, name: str, maximum: int, *, on_refused: Callable[[], None] = lambda: None) -> None:
        self._name, self._maximum, self._on_refused = name, maximum, on_refused
        self.in_flight = 0

    def __enter__(self) -> None:
        if self.in_flight >= self._maximum:
            self._on_refused()
            message = f"the plane {self._name} has {self._maximum} calls in flight, which is its limit"
            raise LoomError("OVERLOADED", message, retry_after_s=RETRY_AFTER_S, plane=self._name, origin="limit")
        self.in_flight += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.in_flight -= 1
