"""What the database counts equals what is counted here, row for row."""

import random
from datetime import timedelta
from pathlib import Path

from services.tracker.signal.cells import COLUMNS, cells_of
from services.tracker.signal.expressions import counts_statement, jobs_statement
from services.tracker.signal.rollup import cells_from_counts
from services.tracker.signal.storms import jobs_of, weather
from tests.support.checks import START, run
from tests.support.stores import chdb_store

TABLE = """CREATE TABLE checks (check_start_time Nullable(DateTime64(3)), test_status Nullable(String),
    pull_request_number Nullable(Int64), commit_sha LowCardinality(String), check_name Nullable(String),
    base_ref Nullable(String),
    head_ref Nullable(String), runner Nullable(String), attempt Nullable(UInt8), test_duration_ms Nullable(Float64),
    report_url Nullable(String), test_name String) ENGINE = MergeTree ORDER BY test_name"""
WORDS = ["OK", "passed", "FAIL", "Timed-Out", "SKIPPED", "cancelled", "flaky", "purple", "42", " ", "", None]


def made(seed: int, count: int) -> list[dict]:
    rng = random.Random(seed)
    rows = []
    for _ in range(count):
        pr = rng.choice([0, 0, 5, 6, None])
        row = run(rng.choice(WORDS), f"s{rng.randrange(9)}", rng.randrange(300) / 7, pr=pr or 0, check=rng.choice("ab"))
        row |= {"pull_request_number": pr, "test_name": rng.choice(["t1", "t2"]), "runner": rng.choice(["m1", None])}
        row["head_ref"] = rng.choice(["refs/heads/main", "origin/main", "main", None, "topic/main"])
        rows += [row] * rng.choice([1, 1, 1, 2])
    return rows


async def inserted(store, rows) -> None:
    await store.command(TABLE)
    columns = (*COLUMNS, "test_name")
    await store.insert("checks", columns, [tuple(row.get(column) for column in columns) for row in rows])


async def test_cells_counted_by_the_source_equal_cells_counted_here(tmp_path: Path) -> None:
    rows = made(3, 400)
    async with chdb_store(tmp_path) as store:
        await inserted(store, rows)
        counted = await store.query(counts_statement("checks", "1 = 1"))
    for name in ("t1", "t2"):
        of_test = [row for row in counted if row["test_name"] == name]
        millisecond = [
            row | {"check_start_time": cut(row["check_start_time"])} for row in rows if row["test_name"] == name
        ]
        assert cells_from_counts(of_test) == cells_of(millisecond)


def cut(at):
    return at - timedelta(microseconds=at.microsecond % 1000)


async def test_the_jobs_that_storms_are_found_in_come_from_one_statement(tmp_path: Path) -> None:
    rows = [run("OK", f"c{hour}", hour) | {"test_name": f"t{n}"} for hour in range(30) for n in range(10)]
    rows += [run("FAIL", f"h{pr}", 33, pr=pr) | {"test_name": f"t{n}"} for pr in (1, 2, 3) for n in range(8)]
    rows += [run("FAIL", f"c{hour}", hour) | {"test_name": "always red"} for hour in range(30)]
    async with chdb_store(tmp_path) as store:
        await inserted(store, rows)
        jobs = jobs_of(await store.query(jobs_statement("checks", "1 = 1")))
    first = int(START.timestamp()) // 3600
    assert {(job.failed, job.tests) for job in jobs if job.hour == first} == {(0, 11)}
    assert {storm.hour - first for storm in weather(jobs).storms} == {33}
