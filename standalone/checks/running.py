"""What answers: the server on the configured address, and planes of other processes."""

import os
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from gateway.settings import GatewaySettings
from loom import SyncAgent, __version__
from loom.errors import LoomError as ClientError
from runtime.alive import grpc_serves
from runtime.clock import SystemClock
from runtime.peers import targets_of
from runtime.process import ProcessSettings
from runtime.serve_plane import ListenSettings
from runtime.settings import Loaded, SettingsError
from standalone.checks.finding import Finding

TIMEOUT_S = 5.0
MOST_SKEW_S = 5.0


def base_url(loaded: Loaded) -> str:
    settings = loaded[GatewaySettings]
    return os.environ.get("LOOM_BASE_URL") or f"http://{settings.host}:{settings.port}"


def server(loaded: Loaded) -> list[Finding]:
    """The server, its version, and each of its components."""
    base = base_url(loaded)
    try:
        with SyncAgent(base_url=base, timeout=TIMEOUT_S) as agent:
            health, version = agent.ops.health(), agent.ops.capabilities().version
    except ClientError as error:
        advice = "start it with `loom serve`" if error.code == "CONNECTION_FAILED" else str(error)
        return [Finding("server", f"no healthy answer from {base}", advice)]
    found = [Finding("server", f"{base} answers, up {health.uptime_s:.0f} s")]
    if version != __version__:
        advice = f"restart it: this program is {__version__}"
        found.append(Finding("server: version", f"loom {version}", advice))
    for component in health.components:
        advice = "" if component.status == "ok" else f"{component.reason}; the server's log says more"
        found.append(Finding(f"server: {component.name}", component.status, advice))
    return found + clock(base)


def clock(base: str) -> list[Finding]:
    """Whether a server on another machine has this one's time: tokens are good from one instant to another."""
    try:
        date = httpx.get(f"{base}/healthz", timeout=TIMEOUT_S, trust_env=False).headers.get("date", "")
        ahead = (parsedate_to_datetime(date) - SystemClock().now()).total_seconds()
    except (httpx.HTTPError, ValueError, TypeError):
        return []
    # The header has whole seconds, and was true when the answer was sent.
    if abs(ahead) <= MOST_SKEW_S:
        return []
    fact = f"the server's is {abs(ahead):.0f} s {'ahead' if ahead > 0 else 'behind'}"
    return [Finding("clock", fact, "set the clocks of both machines (NTP)")]


def planes(loaded: Loaded) -> list[Finding]:
    """Planes of other processes that the settings name, asked by their gRPC health."""
    try:
        named = {
            **targets_of(loaded[GatewaySettings].upstreams, "LOOM_UPSTREAMS"),
            **targets_of(loaded[ListenSettings].peers, "LOOM_PEERS"),
        }
    except SettingsError as error:
        return [Finding("settings", "wrong", problem) for problem in error.problems]
    if loaded[ProcessSettings].directory:
        named["directory"] = loaded[ProcessSettings].directory
    return [_plane(name, address) for name, address in sorted(named.items())]


def _plane(name: str, address: str) -> Finding:
    if grpc_serves(address):
        return Finding(f"plane: {name}", f"{address} serves")
    advice = "look at that process; its log says why. Behind Envoy, look at Envoy's /ready and clusters too"
    return Finding(f"plane: {name}", f"no answer from {address}", advice)


def now() -> Finding:
    """The time here; an unset clock is seen at once."""
    here = SystemClock().now()
    right = here >= datetime(2026, 1, 1, tzinfo=UTC)
    return Finding("time", f"{here:%Y-%m-%d %H:%M:%S} UTC", "" if right else "set this machine's clock (NTP)")
