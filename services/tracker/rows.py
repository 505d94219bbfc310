"""What the plane keeps: registered sources and code repositories. Rows are replaced by a greater version."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

ACTIVE, REMOVED = "active", "removed"
CLICKHOUSE, LOCAL = "clickhouse", "local"


@dataclass(frozen=True, slots=True)
class SourceNamespace:
    """A tracker namespace of a source: its public name, the name it is stored under, and its repositories."""

    namespace: str
    storage: str
    repos: tuple[str, ...]
    restricted: bool


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One source. `login` is encrypted; `mapping` is JSON text, empty for none."""

    org: str
    name: str
    id: str
    kind: str
    host: str
    port: int
    secure: bool
    database: str
    login: str
    key_id: str
    mapping: str
    namespaces: tuple[SourceNamespace, ...]
    state: str
    added_by: str
    added_at: datetime
    version: int


@dataclass(frozen=True, slots=True)
class RepoRow:
    """One code namespace. `root` is the namespace that it is a branch of, empty for none.

    `linked` is true where it has links of its own, even none. `trackers` are public names, `tracker_ids` the names that
    these namespaces were stored under when they were linked: a namespace that later takes the name is another one.
    """

    org: str
    namespace: str
    name: str
    repo: str
    branch: str
    root: str
    linked: bool
    trackers: tuple[str, ...]
    tracker_ids: tuple[str, ...]
    created_by: str
    created_at: datetime
    version: int


@dataclass(frozen=True, slots=True)
class Bound:
    """A tracker namespace that may be read now: the source behind it and what of it is read."""

    namespace: str
    storage: str
    source: SourceRow
    repos: tuple[str, ...]
    restricted: bool


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a namespace resolves to for a caller: `kind` is `tracker`, `code` or `none`; primary first."""

    kind: str
    trackers: Sequence[Bound]
    repo: str = ""
    branch: str = ""
