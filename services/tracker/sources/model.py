"""What a source is, what a read of it may cost, and what an answer looks like."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

Row = dict[str, Any]

_READS = re.compile(r"\s*(SELECT|WITH|DESCRIBE|EXISTS)\b", re.IGNORECASE)
MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Target:
    """A team's ClickHouse server as it was registered: `host` is a name or an address, checked on every connection."""

    source_id: str
    host: str
    port: int
    secure: bool
    database: str
    user: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one read may cost. `budget_s` is ours, waiting for our own pool included; `remote_s` is the server's limit.

    `max_rows` and `max_bytes` (of text, unpacked) bound an answer; what is past them is cut off and marked.
    """

    budget_s: float = 0.3
    remote_s: float = 1.5
    max_rows: int = 20_000
    max_bytes: int = 16 * MEBIBYTE

    def within(self, budget_s: float | None) -> "Limits":
        """The same with another budget, and with a server's limit that is no shorter."""
        if budget_s is None:
            return self
        return replace(self, budget_s=budget_s, remote_s=max(self.remote_s, budget_s))


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows of a statement; `clipped` where the source had more than the limits let through."""

    rows: list[Row]
    clipped: bool = False


def check_reads(name: str, sql: str) -> None:
    """ValueError for a statement that is none of SELECT, WITH, DESCRIBE, EXISTS: a source is only read."""
    if not _READS.match(sql):
        raise ValueError(f"{name}: a source is only read")


class LiveClient(Protocol):
    """One source, however it is reached."""

    async def rows(
        self, name: str, sql: str, params: Mapping[str, Any] | None = None, *, budget_s: float | None = None
    ) -> Answer:
        """The answer to one statement that reads. Silent, with the reason, where there is none.

        `name` stands for the statement in logs. `budget_s` replaces the source's budget, for background work.
        """
        ...

    async def close(self) -> None:
        """Let go of connections. What runs is cancelled."""
        ...
