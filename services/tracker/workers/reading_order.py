"""Items of a record in the order in which they changed, in pages: what a pass reads, and where it is."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services.tracker.reads import Reading, Statement
from services.tracker.workers.frame import BackgroundReads, Clipped

PAGE = 1_000
# Of a body, what is read: the rest of a long report is logs.
BODY_CHARS = 8_000
ISSUE, PULL = "issue", "pr"

_CHANGED = "ifNull(toUnixTimestamp64Micro(toDateTime64(updated_at, 6, 'UTC')), 0)"


def _page(table: str) -> str:
    # The text has another name than its column: ClickHouse would put the shortened one into conditions.
    return (
        f"SELECT source_id, title, substringUTF8(body, 1, {BODY_CHARS}) AS shown, {_CHANGED} AS changed_us "
        f"FROM {{{table}(source_id, title, body, updated_at)}} "
        "WHERE updated_at >= fromUnixTimestamp64Micro({at:Int64}, 'UTC') "
        "AND (changed_us, source_id) > ({at:Int64}, {item:String}) ORDER BY changed_us, source_id LIMIT {limit:UInt32}"
    )


PAGES: Mapping[str, Statement] = {
    ISSUE: Statement("workers.issues", _page("github_issues")),
    PULL: Statement("workers.pulls", _page("github_prs")),
}
EXISTING: Mapping[str, Statement] = {
    kind: Statement(
        f"workers.{kind}_exists",
        f"SELECT source_id FROM {{{table}(source_id)}} WHERE source_id IN {{ids:Array(String)}} LIMIT 20000",
    )
    for kind, table in ((ISSUE, "github_issues"), (PULL, "github_prs"))
}


@dataclass(frozen=True, slots=True)
class Point:
    """The item that was read last: when it changed (microseconds since the epoch) and its name."""

    at: int = 0
    item: str = ""

    def text(self) -> str:
        return json.dumps([self.at, self.item])

    @classmethod
    def read(cls, text: str) -> "Point":
        """What was saved; the beginning for what is no such text."""
        try:
            at, item = json.loads(text or "[]")
            return cls(int(at), str(item))
        except (ValueError, TypeError):
            return cls()

    def before(self, now: datetime, lag_s: float) -> "Point":
        """Where the next run begins: a while earlier, since rows may reach a source late and clocks run ahead."""
        return Point(max(0, min(self.at, int(now.timestamp() * 1e6)) - int(lag_s * 1e6)))


BEGINNING = Point()


async def page(
    reads: BackgroundReads, reading: Reading, statement: Statement, point: Point, most: int = 0
) -> list[dict[str, Any]]:
    """Rows after the point, `most` or PAGE; fewer where a page is more than one answer of the source may have."""
    limit = most or PAGE
    while True:
        try:
            return await reads.rows(reading, statement, {"at": point.at, "item": point.item, "limit": limit})
        except Clipped:
            if limit == 1:
                raise
            limit = max(1, limit // 4)


def after(rows: list[dict[str, Any]]) -> Point:
    """The point of the last row."""
    return Point(int(rows[-1]["changed_us"]), str(rows[-1]["source_id"]))
