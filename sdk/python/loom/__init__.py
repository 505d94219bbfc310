"""Client library of Loom.

`Agent` and its blocking twin `SyncAgent` call a Loom gateway; every failure is a `LoomError`. Nothing is imported
until it is asked for: the capture hook runs inside other people's tools, and an HTTP stack would be most of its time.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from loom import errors as errors
    from loom import models as models
    from loom._retry import RetryPolicy
    from loom.agent import Agent
    from loom.errors import (
        AuthError,
        Conflict,
        ConnectionFailed,
        InternalError,
        InvalidRequest,
        LoomError,
        NotFound,
        Overloaded,
        PreconditionFailed,
        Timeout,
        Unavailable,
        Unsupported,
    )
    from loom.sync import SyncAgent

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "AuthError",
    "Conflict",
    "ConnectionFailed",
    "InternalError",
    "InvalidRequest",
    "LoomError",
    "NotFound",
    "Overloaded",
    "PreconditionFailed",
    "RetryPolicy",
    "SyncAgent",
    "Timeout",
    "Unavailable",
    "Unsupported",
    "__version__",
]

_HOMES = {"Agent": "loom.agent", "SyncAgent": "loom.sync", "RetryPolicy": "loom._retry"}


def __getattr__(name: str) -> Any:
    if name in ("errors", "models"):
        return importlib.import_module(f"loom.{name}")
    if name not in __all__:
        raise AttributeError(f"module 'loom' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES.get(name, "loom.errors")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
