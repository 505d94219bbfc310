"""What a store is opened with, and the reading of its DSN."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

CHDB_DATABASE = "loom"
MEMORY = ":memory:"
_PATTERN = re.compile(r"[*?{}]")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class StoreConfig:
    """Plain values; reading the environment is done elsewhere.

    `dsn` is `chdb://` (the engine in this process, on `data_dir`), `chdb:///abs/path` (on that folder instead),
    `chdb://:memory:`, or `http(s)://user:password@host:port/database`. It may hold a secret, so it is never shown.
    `fsync` makes the tables of a new schema survive a power cut, `cluster` selects replicated engines and `ON CLUSTER`.
    `readers` is the number of chDB reader threads. `group_window_ms`, `group_max_rows` and `queue_max_rows` shape the
    group commit; `timeout_s` counts where the caller names no deadline. With `await_schema_s` a process does not migrate:
    it waits so long for somebody else to.
    """

    dsn: str = field(default="chdb://", repr=False)
    data_dir: str = ".loom"
    fsync: bool = True
    cluster: str = ""
    readers: int = 2
    group_window_ms: float = 2.0
    group_max_rows: int = 5000
    queue_max_rows: int = 50000
    timeout_s: float = 10.0
    await_schema_s: float = 0.0


@dataclass(frozen=True, slots=True)
class HttpTarget:
    """A ClickHouse server: the DSN without its database, the scheme, and the database."""

    dsn: str = field(repr=False)
    scheme: str
    database: str


def identifier(text: str, what: str) -> str:
    """`text` where it is a plain SQL name; ValueError names `what` otherwise."""
    if not _IDENTIFIER.fullmatch(text):
        raise ValueError(f"{what} must be letters, digits and underscores, and start with no digit")
    return text


def chdb_folder(config: StoreConfig) -> Path | None:
    """The data folder of a chDB store, or None in memory."""
    rest = config.dsn.removeprefix("chdb:").removeprefix("//")
    if rest in (MEMORY, "memory"):
        return None
    if rest and not rest.startswith("/"):
        raise ValueError("the DSN of a chDB store is chdb://, chdb:///abs/path or chdb://:memory:")
    path = Path(rest or config.data_dir).absolute()
    if _PATTERN.search(str(path)):
        raise ValueError("the data folder's path must have none of * ? { }, which the engine takes for a pattern")
    return path


def http_target(dsn: str) -> HttpTarget:
    """Split a server's DSN. ValueError where it is not `http(s)://…/database`; the message never shows it."""
    parts = urlsplit(dsn)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("the DSN must be chdb:// or http(s)://user:password@host:port/database")
    database = identifier(unquote(parts.path.strip("/")) or "default", "the DSN's database")
    return HttpTarget(urlunsplit(parts._replace(path="")), parts.scheme, database)
