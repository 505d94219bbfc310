"""How a test did lately."""

from collections.abc import Sequence

from services.tracker.answers.held import TEST, Anchors
from services.tracker.answers.model import Line, Row, Template, day
from services.tracker.reads import Statement

STATEMENT = Statement(
    "answer.test_history",
    "SELECT test_name, count() AS runs, "
    "countIf(lower(test_status) IN ('fail', 'failed', 'failure', 'error', 'errored')) AS failed, "
    "min(check_start_time) AS first_at, max(check_start_time) AS last_at, "
    "maxIf(check_start_time, lower(test_status) IN ('fail', 'failed', 'failure', 'error', 'errored')) AS failed_at "
    "FROM {checks(test_name, test_status, check_start_time)} "
    "WHERE test_name IN {tests:Array(String)} AND check_start_time >= now() - INTERVAL 30 DAY "
    "AND lower(test_status) NOT IN ('skip', 'skipped', 'ignored', 'disabled') "
    "GROUP BY test_name ORDER BY failed DESC, test_name LIMIT {limit:UInt32}",
)


def words(rows: Sequence[Row], anchors: Anchors) -> list[Line]:
    return [Line(_sentence(row)) for row in rows]


def _sentence(row: Row) -> str:
    text = f"{row['test_name']} ran {row['runs']} times since {day(row['first_at'])} and failed {row['failed']} times"
    return f"{text}, last on {day(row['failed_at'])}." if row["failed"] else f"{text}."


TEMPLATE = Template(
    name="test_history",
    answers="how a test did in the last 30 days",
    example="How did test_compaction_keeps_order do lately?",
    statement=STATEMENT,
    params=lambda anchors, limit: {"tests": list(anchors.tests), "limit": limit},
    wording=words,
    tables=("checks",),
    anchors=(TEST,),
    intent=("flak", "why", "broke", "history", "late", "recent", "fail", "often", "run", "did", "rate"),
    searched="runs of the test in the last 30 days",
    nothing="It did not run in the last 30 days.",
)
