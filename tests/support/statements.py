"""Every statement that the tracker plane sends, found by walking its modules."""

import importlib
import pkgutil
from collections.abc import Iterator

import services.tracker
from services.tracker.answers.held import Anchors
from services.tracker.contract.tables import TABLES
from services.tracker.reads import Statement, shape_of

SHAPE = shape_of(TABLES)
# Values that find what tests/support/team_record.py has, and parameters of statements by name.
ANCHORS = Anchors(
    numbers=(1, 100),
    tests=("tests.storage::test_compaction_keeps_order",),
    versions=("2.4.0",),
    shas=("1f3870be274f",),
    paths=("src/storage/merge.rs",),
    components=("storage",),
)
PARAMS = {
    "numbers": [1, 100],
    "repo": "",
    "repos": [],
    "wanted": [1],
    "issues": [1],
    "prs": [100],
    "fixes": [100],
    "name": "tests.storage::test_compaction_keeps_order",
    "whole": "tests",
    "version": "2.4.0",
    "branch": "release/2.4",
    "component": "storage",
    "limit": 20,
    "needles": ["order", "rows"],
    "weights": [1.0, 2.0],
    "names": ["merge.rs"],
    "ids": ["Org/repo#1"],
    "parts": ["merge"],
    "before": 4_000_000_000,
    "since": 0,
    "until": 4_000_000_000,
    "from_hour": 0,
    "until_hour": 24,
    "bucket": 0,
    "buckets": 1,
    "pr": 100,
    "bare": ["2.4.0"],
    "symbols": ["merge"],
    "words": ["merge"],
    "at": 0,
    "item": "",
    # Needles with their weights, and names of frames with whether there is one, each by itself.
    **{f"n{place}": "order" for place in range(64)},
    **{f"w{place}": 1.0 for place in range(64)},
    **{f"f{place}": "merge" for place in range(16)},
    **{f"u{place}": 1 for place in range(16)},
    **{name: list(getattr(ANCHORS, name)) for name in ("tests", "versions", "shas", "paths", "components")},
}


def statements() -> Iterator[tuple[str, Statement]]:
    """Each with the module that declares it."""
    seen: set[str] = set()
    for found in pkgutil.walk_packages(services.tracker.__path__, "services.tracker."):
        if found.name.endswith("__main__"):
            continue
        for value in vars(importlib.import_module(found.name)).values():
            if isinstance(value, Statement) and value.name not in seen:
                seen.add(value.name)
                yield found.name, value
