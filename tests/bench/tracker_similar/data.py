"""The labelled records, from a folder outside the repository."""

import json
import lzma
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from services.tracker.similar.boilerplate import line_keys, vector_text
from services.tracker.similar.link import Pull
from services.tracker.similar.model import Candidate
from services.tracker.similar.walk import Record
from tests.bench.tracker_similar.vectors import vectors

REPO = "Bench/record"
# Kinds of tickets that plan work; they are in the record, but not asked as drafts that duplicate nothing.
_PLANNED = frozenset({"Sub-task", "Story", "Epic", "Technical task"})


@dataclass(frozen=True, slots=True)
class Set:
    """`record` with vectors; `asked_originals` are places that may be asked as drafts without a duplicate."""

    name: str
    record: Record
    asked_originals: list[int]


def folder() -> Path:
    return Path(os.environ.get("LOOM_BENCH_DATA", "../shared/data"))


def rows(name: str) -> list[dict[str, Any]] | None:
    """Rows of a file, None where it is absent."""
    path = folder() / f"{name}.jsonl.xz"
    if not path.exists():
        return None
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def duplicates(name: str) -> Set | None:
    """The record of a file, None where it is absent."""
    found = rows(name)
    if found is None:
        return None
    found.sort(key=lambda row: (row["created"], row["num"]))
    numbers = {row["id"]: row["num"] for row in found}
    reports = [report(row, numbers) for row in found]
    lines: Counter[str] = Counter()
    texts = []
    for item in reports:
        texts.append(vector_text(item.title, item.body, lines))
        lines.update(set(line_keys(item.body).values()))
    record = Record(reports, np.asarray(vectors(texts)))
    planned = {f"{REPO}#{row['num']}" for row in found if row.get("type") in _PLANNED}
    originals = [place for place in record.originals() if record.reports[place].source_id not in planned]
    return Set(name, record, originals)


def report(row: Mapping[str, Any], numbers: Mapping[Any, int]) -> Candidate:
    resolution = row.get("resolution") or ""
    return Candidate(
        source_id=f"{REPO}#{row['num']}",
        number=row["num"],
        title=row["title"],
        body=row["body"] or "",
        created_at=instant(row["created"]),
        closed_at=instant(row.get("resolved")),
        state="closed" if row.get("resolved") else "open",
        state_reason=resolution,
        component=row["component"] or "",
        version=row["version"] or "",
        duplicate_of=numbers.get(row.get("duplicate_of"), 0),
    )


def links() -> tuple[list[Candidate], list[Pull], dict[str, set[str]]] | None:
    """Issues, changes, and the source_ids of the changes by that of the issue."""
    issues, changes = rows("alloy_issues"), rows("alloy_changes")
    if issues is None or changes is None:
        return None
    numbers = {row["id"]: row["num"] for row in issues}
    pulls, gold = [], {}
    for place, row in enumerate(changes):
        number = 1_000_000 + place
        pull = Pull(f"{REPO}#{number}", number, row["title"], row["body"] or "", instant(row["at"]), paths=_paths(row))
        pulls.append(pull)
        for issue in row["issues"]:
            gold.setdefault(f"{REPO}#{numbers[issue]}", set()).add(pull.source_id)
    issues.sort(key=lambda row: row["created"])
    return [report(row, {}) for row in issues if f"{REPO}#{row['num']}" in gold], pulls, gold


def instant(text: str | None) -> datetime | None:
    if not text:
        return None
    found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _paths(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(row["files"])
