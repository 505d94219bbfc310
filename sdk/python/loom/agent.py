"""The client of a Loom gateway for asyncio."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from loom._config import configure
from loom._generated.calls.root import AsyncRoot
from loom._http import Call, Reply, phases, raw_op
from loom._op import Op
from loom._retry import RetryPolicy

T = TypeVar("T")


class Agent(AsyncRoot):
    """Calls ops as one agent: `async with Agent(org="acme", namespace="web") as a: await a.ops.health()`.

    `org`, `namespace`, `agent`, `user_id` and `session_id` fill the identity arguments that a call leaves out; what is
    set nowhere is the server's to fill. `base_url` defaults to LOOM_BASE_URL, else http://127.0.0.1:7777; `api_key` to
    LOOM_API_KEY, else none. `timeout` bounds a call in seconds, its retries and waits included; `retry` says how
    patient it is. `transport` replaces the network; `sleep` and `clock` replace time, in seconds.

    Use it in `async with`, or `await agent.aclose()` at the end. Raises ValueError for an argument that cannot work.
    Calls raise `loom.errors.LoomError`, and TypeError or ValueError for an argument that JSON cannot hold.
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
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        identity = {"org": org, "namespace": namespace, "agent": agent, "user_id": user_id, "session_id": session_id}
        self._config = configure(identity, base_url, api_key, timeout, retry)
        self._client = httpx.AsyncClient(transport=transport, **self._config.client_options())
        self._sleep = sleep
        self._clock = clock
        super().__init__(self._run)

    async def call(self, op: str, args: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Calls any op by name and returns the body of the answer, for ops that this version has no typed call of.

        An op that is not known here gets the agent's org and namespace, and is sent again only when it has not run.
        """
        return await self._run(raw_op(op), dict(args or {}))

    async def aclose(self) -> None:
        """Closes the connections. Closing twice is harmless."""
        await self._client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"Agent({self._config})"

    async def _run(self, op: Op[T], args: dict[str, Any], /) -> T:
        call = Call(self._config, op, args, self._clock)
        while True:
            reply = await self._sending(call)
            wait = call.wait_s(reply)
            if wait is None:
                return call.result(reply)
            await self._sleep(wait)

    async def _sending(self, call: Call[Any]) -> Reply:
        limit = call.sending_s()
        try:
            async with asyncio.timeout(limit):
                answer = await self._client.post(
                    call.url, content=call.content, headers=call.headers, timeout=phases(limit)
                )
        except (httpx.RequestError, TimeoutError) as error:
            return Reply(error=error)
        return Reply(answer.status_code, answer.headers, answer.content)
