"""The ops plane: the installation about itself. Served by the gateway, through the same chain as every plane."""

from collections.abc import Mapping
from dataclasses import dataclass

from gateway.upstreams.upstream import Upstream
from loom import __version__
from loom.ops.v1 import ops_pb2 as pb
from runtime.call import Call
from runtime.clock import Clock
from runtime.health import Health
from runtime.optable import OpTable

PLANE = "ops"


@dataclass(frozen=True, slots=True)
class Facts:
    """What does not change while the process runs."""

    auth_mode: str
    max_body_bytes: int
    mcp_versions: tuple[str, ...]


class OpsService:
    """The servicer."""

    def __init__(
        self, table: OpTable, health: Health, upstreams: Mapping[str, Upstream], facts: Facts, clock: Clock
    ) -> None:
        self._table, self._health, self._upstreams, self._facts = table, health, upstreams, facts
        self._clock, self._started = clock, clock.monotonic()

    async def Health(self, request: pb.HealthRequest, call: Call) -> pb.HealthResponse:
        states = await self._health.states()
        components = [
            pb.Component(
                name=state.name,
                status="ok" if state.ok else "down",
                reason=state.reason,
                breaker=self._breaker(state.name),
            )
            for state in states
        ]
        return pb.HealthResponse(
            status="ok" if all(state.ok for state in states) else "degraded",
            components=components,
            uptime_s=self._clock.monotonic() - self._started,
        )

    def _breaker(self, component: str) -> str:
        upstream = self._upstreams.get(component)
        return str(upstream.stats().state) if upstream else ""

    async def Capabilities(self, request: pb.CapabilitiesRequest, call: Call) -> pb.CapabilitiesResponse:
        return pb.CapabilitiesResponse(
            version=__version__,
            auth_mode=self._facts.auth_mode,
            planes=sorted({op.plane for op in self._table}),
            ops=[op.name for op in self._table],
            toolsets=sorted({op.toolset for op in self._table}),
            max_body_bytes=self._facts.max_body_bytes,
            mcp_versions=self._facts.mcp_versions,
        )
