"""Both twins of the Python client over a scripted gateway, with time that passes only when somebody waits."""

import asyncio
import inspect
import json
from collections.abc import Callable, Iterable
from typing import Any

import httpx

from loom import Agent, RetryPolicy, SyncAgent

Step = httpx.Response | Exception
TWINS = [Agent, SyncAgent]


def answer(status: int = 200, body: Any = None, **headers: str) -> httpx.Response:
    """A JSON answer; header names are written with `_` for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json={} if body is None else body, headers=named)


def failure(status: int, code: str, category: str, **more: Any) -> httpx.Response:
    """An answer in the shape of the error envelope."""
    detail = {
        "code": code,
        "category": category,
        "message": "said by the server",
        "retryable": False,
        "retry_after_s": None,
        "request_id": "of-the-server",
        "metadata": {},
    }
    return answer(status, {"detail": {**detail, **more}})


class Gateway:
    """Answers with the steps in order, the last one for ever; keeps what was asked and how long the client waited."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self.steps = list(steps)
        self.requests: list[httpx.Request] = []
        self.waits: list[float] = []
        self.now = 0.0

    def serve(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        if isinstance(step, Exception):
            raise step
        return httpx.Response(step.status_code, content=step.content, headers=step.headers)

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    async def wait_async(self, seconds: float) -> None:
        self.wait(seconds)

    def clock(self) -> float:
        return self.now

    def bodies(self) -> list[Any]:
        return [json.loads(request.content) for request in self.requests]


def run(twin: type, gateway: Gateway, use: Callable[[Any], Any], **options: Any) -> Any:
    """Makes a client of the twin, gives it to `use`, and returns or raises what the call does."""
    options.setdefault("retry", RetryPolicy(random=lambda: 1.0))
    options |= {"transport": httpx.MockTransport(gateway.serve), "clock": gateway.clock}
    if twin is SyncAgent:
        with SyncAgent(sleep=gateway.wait, **options) as client:
            return use(client)

    async def main() -> Any:
        async with Agent(sleep=gateway.wait_async, **options) as client:
            result = use(client)
            return await result if inspect.isawaitable(result) else result

    return asyncio.run(main())
