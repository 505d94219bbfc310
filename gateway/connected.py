"""Ends the work for an HTTP client that has gone away, so that nobody holds a place for an answer that nobody reads."""

import asyncio
from types import TracebackType

from starlette.types import Receive

from gateway.requests import Disconnected

# Most calls end long before this, and so pay for a timer and not for a task.
WATCH_AFTER_S = 0.2


class WhileConnected:
    """`async with WhileConnected(receive):` cancels its body when the client goes away, and raises Disconnected then.

    For one use, after the request's body has been read.
    """

    __slots__ = ("_gone", "_receive", "_task", "_timer", "_watcher")

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._gone = False
        self._watcher: asyncio.Task[None] | None = None

    async def __aenter__(self) -> None:
        self._task = asyncio.current_task()
        self._timer = asyncio.get_running_loop().call_later(WATCH_AFTER_S, self._begin)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        if self._watcher:
            self._watcher.cancel()
        # Somebody else may have cancelled the task too; then it stays cancelled.
        if self._gone and self._task.uncancel() == 0 and kind is asyncio.CancelledError:
            raise Disconnected from None

    def _begin(self) -> None:
        self._watcher = asyncio.get_running_loop().create_task(self._watch())

    async def _watch(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._gone = True
        self._task.cancel()
