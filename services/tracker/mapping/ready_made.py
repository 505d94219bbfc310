"""The mappings that come with Loom, read from the data files beside this module. Nothing here knows any of them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from services.tracker.mapping.model import Mapping as TableMapping
from services.tracker.mapping.parse import parse

FOLDER = Path(__file__).parent / "ready"


@dataclass(frozen=True, slots=True)
class Ready:
    """A ready mapping. `recognised_by` has, by contract table, columns that together give its source table away."""

    name: str
    title: str
    about: str
    notes: tuple[str, ...]
    recognised_by: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, Mapping[str, Any]]
    parsed: TableMapping

    def mapping(self) -> dict[str, Any]:
        """What is saved with a source: `{"tables": …}`."""
        return {"tables": dict(self.tables)}


@cache
def ready_mappings() -> tuple[Ready, ...]:
    """All of them, by name."""
    return tuple(_ready(json.loads(path.read_text("utf-8"))) for path in sorted(FOLDER.glob("*.json")))


def _ready(data: Mapping[str, Any]) -> Ready:
    known = {table: tuple(columns) for table, columns in data["recognised_by"].items()}
    parsed = parse({"tables": data["tables"]})
    return Ready(data["name"], data["title"], data["about"], tuple(data["notes"]), known, data["tables"], parsed)
