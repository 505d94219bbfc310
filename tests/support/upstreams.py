"""A scripted transport, and an upstream around it whose time, waits and luck the test decides."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import Message

from gateway.upstreams.budget import RetryBudget
from gateway.upstreams.upstream import Upstream
from runtime.breaker import Breaker
from runtime.clock import ManualClock
from runtime.errors import Code, LoomError

REQUEST = Empty()


@dataclass(frozen=True)
class FakeOp:
    name: str = "tracker.similar"
    plane: str = "tracker"
    idempotent: bool = True
    writes: bool = False
    deadline_s: float = 10.0


def error_of(grpc: str, code: str = "INTERNAL", retry_after_s: float | None = None) -> LoomError:
    """An error of any gRPC status, whether or not the registry has a code for it."""
    error = LoomError(code, "scripted", retry_after_s=retry_after_s)
    error.code = Code(code, grpc, 500, "test", False, "")
    return error


Step = Message | BaseException | Callable[[], Awaitable[Message]]


@dataclass
class ScriptedTransport:
    """Plays its steps in order, the last one again and again; keeps the time that each attempt was given."""

    steps: list[Step] = field(default_factory=lambda: [Empty()])
    timeouts: list[float] = field(default_factory=list)
    metadata: list[Mapping[str, str]] = field(default_factory=list)
    closed: bool = False

    async def call(self, op: Any, request: Message, metadata: Mapping[str, str], timeout_s: float) -> Message:
        self.timeouts.append(timeout_s)
        self.metadata.append(metadata)
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        if isinstance(step, BaseException):
            raise step
        return step if isinstance(step, Message) else await step()

    async def close(self) -> None:
        self.closed = True


class Bench:
    """An upstream over a scripted transport. Waiting moves the clock; `waits` and `events` keep what happened."""

    def __init__(self, *steps: Step, luck: float = 0.5, floor: int = 1000, **options: Any) -> None:
        self.clock = ManualClock()
        self.transport = ScriptedTransport(list(steps) or [Empty()])
        self.waits: list[float] = []
        self.events: list[tuple[str, str]] = []
        self.breaker = options.pop("breaker", None) or Breaker(self.clock)
        self.upstream = Upstream(
            "tracker",
            self.transport,
            clock=self.clock,
            breaker=self.breaker,
            budget=RetryBudget(self.clock, floor=floor),
            rand=lambda: luck,
            sleep=options.pop("sleep", self._sleep),
            on_event=lambda name, event: self.events.append((name, event)),
            **options,
        )

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.clock.advance(seconds)

    async def call(self, op: FakeOp | None = None, timeout_s: float = 10.0) -> Message:
        return await self.upstream.call(op or FakeOp(), REQUEST, {}, timeout_s)
