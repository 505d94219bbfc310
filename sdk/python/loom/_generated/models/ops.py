"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as _field
from typing import Any, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class CapabilitiesResponse:
    """What this installation can do."""

    version: str = ""
    """Version of Loom."""
    auth_mode: str = ""
    """`single_user` (no token, every role) or `tokens`."""
    planes: list[str] = _field(default_factory=list)
    """Planes that this gateway serves, in name order."""
    ops: list[str] = _field(default_factory=list)
    """Names of the ops it serves, in name order."""
    toolsets: list[str] = _field(default_factory=list)
    """Toolsets that the MCP door can be narrowed to, in name order."""
    max_body_bytes: int = 0
    """Largest request body in bytes (below 2^53)."""
    mcp_versions: list[str] = _field(default_factory=list)
    """MCP protocol versions that the MCP door speaks, newest first."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            version=data.get("version") or "",
            auth_mode=data.get("auth_mode") or "",
            planes=data.get("planes") or [],
            ops=data.get("ops") or [],
            toolsets=data.get("toolsets") or [],
            max_body_bytes=data.get("max_body_bytes") or 0,
            mcp_versions=data.get("mcp_versions") or [],
            ignored_args=data.get("ignored_args") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One component of the installation."""

    name: str = ""
    """Name, such as `observe` or `observe.store`."""
    status: str = ""
    """`ok` or `down`."""
    reason: str = ""
    """Why it is not ok; empty when it is."""
    breaker: str = ""
    """State of the breaker in front of it: `closed`, `open`, `half_open`; empty where there is none."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            name=data.get("name") or "",
            status=data.get("status") or "",
            reason=data.get("reason") or "",
            breaker=data.get("breaker") or "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthResponse:
    """The state of the installation."""

    status: str = ""
    """`ok` when every component is, else `degraded`."""
    components: list[Component] = _field(default_factory=list)
    """Every component that was asked, in name order."""
    uptime_s: float = 0.0
    """Seconds since the gateway started."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            status=data.get("status") or "",
            components=[Component.from_dict(item) for item in data.get("components") or []],
            uptime_s=data.get("uptime_s") or 0.0,
            ignored_args=data.get("ignored_args") or [],
        )
