"""The blocking twin of `loom.agent`: the same surface, the same rules, no event loop."""

import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from loom._config import configure
from loom._generated.calls.root import Root
from loom._http import Call, Reply, phases, raw_op
from loom._op import Op
from loom._retry import RetryPolicy

T = TypeVar("T")


class SyncAgent(Root):
    """`loom.Agent` for programs without asyncio; `with SyncAgent(…) as a: a.ops.health()`. Threads may share one.

    The arguments are those of `Agent`, where `close` stands for `aclose`. `timeout` is checked before each sending and
    between the pieces of an answer; connecting, sending and waiting may each take what is left at the sending's begin.
    """

    def __init__(
        self,
        *,
        org: str | None = None,
        namespace: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 30.0,
        retry: RetryPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        identity = {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "session_id": session_id}
        self._config = configure(identity, base_url, api_key, timeout, retry)
        self._client = httpx.Client(transport=transport, **self._config.client_options())
        self._sleep = sleep
        self._clock = clock
        super().__init__(self._run)

    def call(self, op: str, args: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Calls any op by name and returns the body of the answer, for ops that this version has no typed call of.

        An op that is not known here gets the agent's org and namespace, and is sent again only when it has not run.
        """
        return self._run(raw_op(op), dict(args or {}))

    def close(self) -> None:
        """Closes the connections. Closing twice is harmless."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"SyncAgent({self._config})"

    def _run(self, op: Op[T], args: dict[str, Any], /) -> T:
        call = Call(self._config, op, args, self._clock)
        while True:
            reply = self._sending(call)
            wait = call.wait_s(reply)
            if wait is None:
                return call.result(reply)
            self._sleep(wait)

    def _sending(self, call: Call[Any]) -> Reply:
        limit = call.sending_s()
        until = self._clock() + limit
        try:
            with self._client.stream(
                "POST", call.url, content=call.content, headers=call.headers, timeout=phases(limit)
            ) as answer:
                body = bytearray()
                for piece in answer.iter_bytes():
                    body += piece
                    if self._clock() > until:
                        raise httpx.ReadTimeout("the answer came too slowly")
        except httpx.RequestError as error:
            return Reply(error=error)
        return Reply(answer.status_code, answer.headers, bytes(body))
