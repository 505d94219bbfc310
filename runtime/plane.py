"""A plane, built: its bound rpcs, its checks and its closing."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from runtime.call import Handler
from runtime.chain import Chain
from runtime.clock import Clock
from runtime.health import Check
from runtime.metrics import Metrics
from runtime.optable import Method
from runtime.peers import Peers
from runtime.settings import Loaded
from runtime.store import Store

Command = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]
Bound = Mapping[str, tuple[Method, Handler]]


@dataclass(frozen=True, slots=True)
class Parts:
    """What a plane is built from; `peers` are the other planes, which may be built later."""

    loaded: Loaded
    store: Store
    chain: Chain
    clock: Clock
    peers: Peers = field(default_factory=Peers)
    metrics: Metrics = field(default_factory=Metrics)


async def nothing() -> None:
    """A plane without anything to close."""


@dataclass(frozen=True, slots=True)
class Plane:
    """`bound` maps rpc paths to handlers with the chain around them; `close` ends workers and writes what waits.

    `settled` returns when everything that was acknowledged is in the plane's tables, for whoever reads those himself.
    `commands` are what the machine's owner may have a running process do, by name: what was asked to the answer, both
    JSON.
    """

    name: str
    bound: Bound
    checks: Mapping[str, Check] = field(default_factory=dict)
    close: Callable[[], Awaitable[None]] = nothing
    settled: Callable[[], Awaitable[None]] = nothing
    commands: Mapping[str, Command] = field(default_factory=dict)


Builder = Callable[[Parts], Awaitable[Plane]]
