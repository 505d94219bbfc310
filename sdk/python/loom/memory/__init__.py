"""Memory for programs: `from loom.memory import Memory`, on a folder of one's own or on a server.

    with Memory.from_path("./mem") as mem:      # or Memory.connect("https://loom.example", token="…")
        mem.mem_save(user_id="alice", type="preference", title="Greeting", content="Alice likes to be greeted in French.")
        hits = mem.mem_search(user_id="alice", query="how to greet Alice")

Nothing is imported until it is asked for: servers import this package for its messages (`loom.memory.v1`) alone.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from loom.memory._memory import Memory
    from loom.memory._models import (
        CompactObservation,
        Observation,
        PastSession,
        SaveResult,
        SearchResult,
        Session,
        SimilarObservation,
        StartedSession,
        Stats,
        Timeline,
    )

__all__ = [
    "CompactObservation",
    "Memory",
    "Observation",
    "PastSession",
    "SaveResult",
    "SearchResult",
    "Session",
    "SimilarObservation",
    "StartedSession",
    "Stats",
    "Timeline",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'loom.memory' has no attribute {name!r}")
    home = "loom.memory._memory" if name == "Memory" else "loom.memory._models"
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
