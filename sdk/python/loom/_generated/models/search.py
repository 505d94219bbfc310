"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as _field
from typing import Any, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchDuplicate:
    """A short form of the answer of tracker.duplicate_check."""

    verdict: str = ""
    """`duplicate_of`, `related` or `none`."""
    epistemic: str = ""
    """`calibrated`, `uncalibrated`, `degraded` or `unavailable`: how far to trust it."""
    answer: str = ""
    """One sentence."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            verdict=data.get("verdict") or "", epistemic=data.get("epistemic") or "", answer=data.get("answer") or ""
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """One hit."""

    origin: str = ""
    """Where it comes from: `memory` or `tracker`."""
    legs: list[str] = _field(default_factory=list)
    """Legs that found it, in the order of their ranks."""
    score: float = 0.0
    """Sum of reciprocal ranks over the legs; compares within one answer alone."""
    namespace: str = ""
    """Namespace that it was read from."""
    kind: str = ""
    """A memory's kind, or `issue` or `pr`."""
    title: str = ""
    """Title; cut ones end with `…`."""
    snippet: str = ""
    """Part of a memory's content around the best match; empty for a tracker's item."""
    memory_id: int | None = None
    """Id of a memory (below 2^53), for memory.get_observation; null for a tracker's item."""
    source_id: str = ""
    """`Org/repo#number` of a tracker's item; empty for a memory."""
    number: int | None = None
    """Number of a tracker's item (below 2^53); null for a memory."""
    state: str = ""
    """State of a tracker's item; empty for a memory."""
    url: str = ""
    """Address at its tracker; empty when unknown."""
    at: str = ""
    """When a memory's text was said or an item was created, RFC 3339 in UTC; empty when unknown."""
    own_score: float | None = None
    """How well its own leg finds that it fits, in [0, 1]; legs are not comparable. Null where it was not scored."""
    why: list[str] = _field(default_factory=list)
    """What speaks for it, one reason each."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            origin=data.get("origin") or "",
            legs=data.get("legs") or [],
            score=data.get("score") or 0.0,
            namespace=data.get("namespace") or "",
            kind=data.get("kind") or "",
            title=data.get("title") or "",
            snippet=data.get("snippet") or "",
            memory_id=data.get("memory_id"),
            source_id=data.get("source_id") or "",
            number=data.get("number"),
            state=data.get("state") or "",
            url=data.get("url") or "",
            at=data.get("at") or "",
            own_score=data.get("own_score"),
            why=data.get("why") or [],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResponse:
    """What was found."""

    hits: list[SearchHit] = _field(default_factory=list)
    """Best first, by the ranks that the legs gave them."""
    abstained: bool = False
    """True when nothing is good enough, so that there are no hits; `leg_status` says who was not heard."""
    duplicate: SearchDuplicate | None = None
    """What the check against reports says, for a query that looks like a defect; else null."""
    leg_status: dict[str, str] = _field(default_factory=dict)
    """Each leg (`memory`, `trackers`, `duplicates`) and how it fared: `ok`, `not_asked` (nothing to ask, or no reason
    to), `refused`, `off`, `timeout`, `unavailable`, or the reason of a tracker's silence; and the legs within, as
    `leg/name`.
    """
    namespaces_read: list[str] = _field(default_factory=list)
    """Tracker namespaces that were read."""
    timings_ms: dict[str, float] = _field(default_factory=dict)
    """Milliseconds that each leg took, and `total`."""
    ignored_args: list[str] = _field(default_factory=list)
    """Arguments that the server did not know and did not use, as dotted paths."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            hits=[SearchHit.from_dict(item) for item in data.get("hits") or []],
            abstained=data.get("abstained") or False,
            duplicate=None if data.get("duplicate") is None else SearchDuplicate.from_dict(data["duplicate"]),
            leg_status=data.get("leg_status") or {},
            namespaces_read=data.get("namespaces_read") or [],
            timings_ms=data.get("timings_ms") or {},
            ignored_args=data.get("ignored_args") or [],
        )
