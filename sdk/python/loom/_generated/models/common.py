"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as _field
from typing import Any, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorDetail:
    """One failure, in the shape of the error envelope's `detail` on every door."""

    code: str = ""
    """Machine-readable code, such as `MISSING_FIELD`; the set is documented in docs/errors.md."""
    category: str = ""
    """Family of the code: invalid, precondition, auth, not_found, conflict, overload, timeout, unavailable, unsupported
    or internal.
    """
    message: str = ""
    """What went wrong and what to do, for a person. Never contains what the caller sent."""
    retryable: bool = False
    """True when the same call may succeed later."""
    retry_after_s: float | None = None
    """Seconds to wait before trying again; null when there is no advice."""
    request_id: str = ""
    """The id of the request that failed."""
    metadata: dict[str, str] = _field(default_factory=dict)
    """Details by name, such as the field at fault."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. What is missing is empty; what this version does not know is left out."""
        return cls(
            code=data.get("code") or "",
            category=data.get("category") or "",
            message=data.get("message") or "",
            retryable=data.get("retryable") or False,
            retry_after_s=data.get("retry_after_s"),
            request_id=data.get("request_id") or "",
            metadata=data.get("metadata") or {},
        )
