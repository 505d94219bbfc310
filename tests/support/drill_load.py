"""The load of a drill: callers that mix ops, remember what was acknowledged, and ask for it afterwards."""

import asyncio
import itertools
import random
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.support.guarded import ORG

TIMEOUT_S = 30.0
LIMIT_S = 120.0
# Between two calls of one caller: the load is constant and leaves the machine room.
PAUSE_S = 0.01
READS = ("observe.list", "memory.search", "observe.get", "namespace.list")
ASKS = "tracker.item"
SILENT = "tracker_unavailable"
WRITES = ("observe.record", "observe.record", "memory.save", "topic")


@dataclass(frozen=True, slots=True)
class Called:
    """One call: when it began and ended (monotonic seconds), and how: `OK`, the code of the envelope, or SILENT."""

    op: str
    began: float
    ended: float
    code: str

    @property
    def seconds(self) -> float:
        return self.ended - self.began


@dataclass
class Load:
    """`callers` callers of one namespace, each one call at a time, until `stop`.

    `tracker` is a tracker namespace that they ask too, if there is one; that its source is silent is a failure here.
    """

    base_url: str
    token: str
    namespace: str
    callers: int = 8
    tracker: str = ""
    calls: list[Called] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    memories: list[int] = field(default_factory=list)
    topics: dict[str, list[tuple[int, bool]]] = field(default_factory=dict)
    numbers: Any = field(default_factory=itertools.count)

    async def __aenter__(self) -> "Load":
        limits = httpx.Limits(max_connections=self.callers, max_keepalive_connections=self.callers)
        headers = {"authorization": f"Bearer {self.token}"}
        self._http = httpx.AsyncClient(
            base_url=self.base_url, timeout=TIMEOUT_S, limits=limits, trust_env=False, headers=headers
        )
        self._over, self._next = asyncio.Event(), asyncio.Event()
        self._tasks = [asyncio.create_task(self._caller(number)) for number in range(self.callers)]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._over.set()
        await asyncio.gather(*self._tasks)
        await self._http.aclose()

    async def settled(self, count: int = 40) -> None:
        """Returns after so many more calls, all of them good and in a row."""
        async with asyncio.timeout(LIMIT_S):
            while True:
                at = len(self.calls)
                await self.running(count)
                if all(called.code == "OK" for called in self.calls[at:]):
                    return

    async def running(self, count: int) -> None:
        """Returns after so many more calls."""
        at = len(self.calls)
        async with asyncio.timeout(LIMIT_S):
            while len(self.calls) < at + count:
                self._next.clear()
                await self._next.wait()

    async def _caller(self, caller: int) -> None:
        luck = random.Random(caller)
        reads = (*READS, ASKS) if self.tracker else READS
        while not self._over.is_set():
            op = luck.choice(WRITES if luck.random() < 0.6 else reads)
            await getattr(self, "_" + op.replace(".", "_"))(caller)
            await asyncio.sleep(PAUSE_S)

    async def call(self, op: str, args: Mapping[str, Any]) -> dict[str, Any] | None:
        """The answer, or None of a call that failed; noted either way."""
        began = time.monotonic()
        body: dict[str, Any] = {}
        try:
            response = await self._http.post(f"/v1/{op}", json=dict(args))
            body = response.json()
            code = "OK" if response.status_code == 200 else body["detail"]["code"]
            code = SILENT if body.get(SILENT) else code
        except httpx.HTTPError as error:
            code = type(error).__name__
        self.calls.append(Called(op, began, time.monotonic(), code))
        self._next.set()
        return body if code == "OK" else None

    def _where(self, caller: int) -> dict[str, Any]:
        return {"namespace": self.namespace, "user_id": f"u{caller}"}

    async def _observe_record(self, caller: int) -> None:
        args = {"tool_name": "Bash", "session_id": "s", "tool_input": {"command": f"run {next(self.numbers)}"}}
        if answer := await self.call("observe.record", {**self._where(caller), **args}):
            self.keys.append(answer["memory_key"])

    async def _memory_save(self, caller: int) -> None:
        number = next(self.numbers)
        args = {"title": f"fact {number}", "content": f"number {number} is {number * 7}", "type": "discovery"}
        if answer := await self.call("memory.save", {**self._where(caller), **args}):
            self.memories.append(answer["id"])

    async def _topic(self, caller: int) -> None:
        """A memory that is written again and again: the last one acknowledged must be what is read."""
        number = next(self.numbers)
        args = {"title": "counter", "content": f"counter {number}", "type": "decision", "topic_key": "counter"}
        answer = await self.call("memory.save", {**self._where(caller), **args})
        self.topics.setdefault(f"u{caller}", []).append((number, answer is not None))

    async def _observe_list(self, caller: int) -> None:
        await self.call("observe.list", {**self._where(caller), "page_size": 20})

    async def _observe_get(self, caller: int) -> None:
        if self.keys:
            await self.call("observe.get", {**self._where(caller), "memory_keys": self.keys[-20:]})

    async def _memory_search(self, caller: int) -> None:
        await self.call("memory.search", {**self._where(caller), "query": "number counter"})

    async def _tracker_item(self, caller: int) -> None:
        await self.call(ASKS, {"org": ORG, "namespace": self.tracker, "numbers": [1]})

    async def _namespace_list(self, caller: int) -> None:
        await self.call("namespace.list", {})


@dataclass(frozen=True)
class Report:
    """What one drill cost. Seconds; `recovered` from `since` to the end of the last call that failed.

    `failed_ops` are the ops of those; `said` is what was answered that is no error and yet worth telling.
    """

    drill: str
    calls: int
    errors: Mapping[str, int]
    worst_s: float
    lost: int
    recovered_s: float
    failed_ops: frozenset[str] = frozenset()
    said: str = ""

    @classmethod
    def of(cls, drill: str, load: Load, since: float, lost: int) -> "Report":
        failed = [called for called in load.calls if called.code != "OK"]
        errors = Counter(called.code for called in failed)
        recovered = max((called.ended - since for called in failed), default=0.0)
        worst = max(called.seconds for called in load.calls)
        ops = frozenset(called.op for called in failed)
        return cls(drill, len(load.calls), errors, worst, lost, max(recovered, 0.0), ops)

    @property
    def failures(self) -> int:
        return sum(self.errors.values())

    def row(self) -> list[str]:
        errors = ", ".join(f"{count} {code}" for code, count in sorted(self.errors.items())) or "0"
        errors += f" (and {self.said})" if self.said else ""
        return [
            self.drill,
            f"{self.calls:,}",
            errors,
            f"{self.worst_s * 1000:,.0f}",
            str(self.lost),
            f"{self.recovered_s:.1f}",
        ]


COLUMNS = ("drill", "calls", "client errors", "worst ms", "acknowledged writes lost", "recovery s")
