"""Every behaviour of the store, over every engine that is there: chDB, and ClickHouse's HTTP interface.

LOOM_TEST_CLICKHOUSE_URL, a DSN without a database and with the right to create one, adds a server of your own.
"""

import asyncio
import os
import secrets
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import numpy as np
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from runtime.clock import SystemClock
from runtime.errors import LoomError
from runtime.store import GroupCommit, MigrationError, RowsRefused, StoreConfig, migrate
from tests.support.clickhouse_http import clickhouse_server
from tests.support.stores import opened, sql_package

SERVER = os.environ.get("LOOM_TEST_CLICKHOUSE_URL", "")
ENGINES = ["chdb", "http", pytest.param("server", marks=pytest.mark.skipif(not SERVER, reason="no server of yours"))]
NASTY = "a\tb\\c'd\"e\nf\0g\\N\\t{x:String}%s%%é😀\u2028$$-- /* ;\r`"
SLOW = "SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1"


@pytest.fixture(scope="module")
def http_server(tmp_path_factory):
    with clickhouse_server(tmp_path_factory.mktemp("server"), user="loom", password="p@ss/w:rd") as server:
        yield server


@pytest.fixture(params=ENGINES)
async def store_config(request, tmp_path):
    database = f"loom_test_{secrets.token_hex(6)}"
    if request.param == "chdb":
        yield StoreConfig(data_dir=str(tmp_path / "data"))
    elif request.param == "http":
        yield StoreConfig(dsn=request.getfixturevalue("http_server").dsn(database))
    else:
        config = StoreConfig(dsn=f"{SERVER.rstrip('/')}/{database}")
        yield config
        async with opened(config) as store:
            await store.command(f"DROP DATABASE `{database}`")


@pytest.fixture
async def store(store_config):
    async with opened(store_config) as store:
        yield store


async def table(store, columns="a String", order="a"):
    await store.command(f"CREATE TABLE t ({columns}) ENGINE = MergeTree ORDER BY {order}")


async def code_of(awaitable):
    with pytest.raises(LoomError) as caught:
        await awaitable
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return caught.value.code.name


async def test_a_query_answers_rows_by_column_name(store):
    assert await store.query("SELECT number AS n, toString(number) AS s FROM numbers(2)") == [
        {"n": 0, "s": "0"},
        {"n": 1, "s": "1"},
    ]
    assert await store.query("SELECT 1 AS n WHERE 0") == []


@pytest.mark.parametrize("text", ["", NASTY, "x" * 100_000])
async def test_text_comes_back_as_it_went_in_as_parameter_and_as_row(store, text):
    sql = "SELECT {text:String} AS text, {many:Array(String)} AS many, {none:Nullable(String)} AS none"
    assert await store.query(sql, {"text": text, "many": [text, ""], "none": None}) == [
        {"text": text, "many": [text, ""], "none": None}
    ]
    await table(store, "a String, b Array(String), c LowCardinality(String), d Map(String, String)")
    await store.insert("t", ["a", "b", "c", "d"], [[text, [text, ""], text, {text: text}]])
    assert await store.query("SELECT * FROM t WHERE a = {a:String} AND has(b, {a:String})", {"a": text}) == [
        {"a": text, "b": [text, ""], "c": text, "d": {text: text}}
    ]


async def test_values_of_every_type_in_use_come_back(store):
    await table(
        store,
        "a UInt64, b Int64, c Float64, d Bool, e UUID, f Nullable(Int32), g Array(Float32), h DateTime64(6, 'UTC'),"
        " i Enum8('x' = 1), j FixedString(2)",
    )
    now = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
    row = [2**64 - 1, -(2**63), 0.1, True, UUID(int=7), None, [0.5, -1.25], now, "x", "ab"]
    await store.insert("t", list("abcdefghij"), [row])
    (got,) = await store.query("SELECT * EXCEPT j, toString(j) AS j FROM t")
    assert list(got.values()) == row


async def test_instants_of_any_zone_are_the_same_instant_and_come_back_aware(store):
    elsewhere = datetime(2026, 3, 1, 17, 30, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    await table(store, "a DateTime64(6, 'UTC')")
    await store.insert("t", ["a"], [[elsewhere]])
    rows = await store.query("SELECT a FROM t WHERE a = {a:DateTime64(6, 'UTC')}", {"a": elsewhere})
    assert rows == [{"a": elsewhere}]
    assert rows[0]["a"].utcoffset() == timedelta(0)


async def test_many_and_large_rows_are_one_part(store):
    await table(store, "n UInt64, a String, v Array(Float32)", order="n")
    vector = np.linspace(-1, 1, 384, dtype=np.float32)
    await store.insert("t", ["n", "a", "v"], [[n, NASTY * 5, vector] for n in range(1500)])
    (got,) = await store.query("SELECT count() AS n, uniqExact(_part) AS parts, any(v) AS v, any(a) AS a FROM t")
    assert (got["n"], got["parts"], got["a"]) == (1500, 1, NASTY * 5)
    assert np.array_equal(np.array(got["v"], dtype=np.float32), vector)


async def test_a_sql_error_is_internal_and_says_nothing(store, caplog):
    secret = "narrative"
    assert await code_of(store.query(f"SELECT no_such_column, '{secret}'", name="recall")) == "INTERNAL"
    assert await code_of(store.query(f"SELEC '{secret}'")) == "INTERNAL"
    assert await code_of(store.command(f"DROP TABLE {secret}")) == "INTERNAL"
    assert await code_of(store.insert("no_table", ["a"], [[secret]])) == "INTERNAL"
    assert "recall" in caplog.text
    assert secret not in caplog.text.replace("insert", "")


@pytest.mark.parametrize(
    "columns, value", [("a UUID", "narrative"), ("a Enum8('x' = 1)", "narrative"), ("a UInt8", 300)]
)
async def test_rows_that_the_table_cannot_take_are_refused_whole(store, caplog, columns, value):
    good = {"a UUID": UUID(int=1), "a Enum8('x' = 1)": "x", "a UInt8": 1}[columns]
    await table(store, columns)
    with pytest.raises(RowsRefused):
        await store.insert("t", ["a"], [[good], [value]])
    assert await store.query("SELECT count() AS n FROM t") == [{"n": 0}]
    assert "narrative" not in caplog.text


async def test_text_that_is_not_unicode_is_refused_before_the_engine(store):
    await table(store)
    for param in ("\ud800", ["a", "\ud800"]):
        assert await code_of(store.query("SELECT {a:String}", {"a": param})) == "INTERNAL"
    with pytest.raises(RowsRefused):
        await store.insert("t", ["a"], [["\ud800"]])
    await store.ping()


async def test_a_statement_past_its_deadline_is_told_so_and_the_store_goes_on(store):
    assert await code_of(store.query(SLOW, timeout_s=0.05)) == "DEADLINE_EXCEEDED"
    assert await code_of(store.query("SELECT 1", timeout_s=0)) == "DEADLINE_EXCEEDED"
    assert await store.query("SELECT 1 AS x") == [{"x": 1}]


async def test_the_engine_itself_stops_a_statement_at_its_deadline(store):
    rows = await store.query("SELECT getSetting('max_execution_time') AS s", timeout_s=7.0)
    assert 6 <= float(rows[0]["s"]) <= 7


async def test_a_statement_may_have_settings_of_its_own(store):
    assert await store.query("SELECT 1 AS x SETTINGS max_threads = 1") == [{"x": 1}]


async def test_a_cancelled_statement_is_cancelled_and_the_store_goes_on(store):
    task = asyncio.create_task(store.query(SLOW, timeout_s=0.3))
    for _ in range(5):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await store.query("SELECT 1 AS x") == [{"x": 1}]


async def test_the_event_loop_turns_while_statements_run(store):
    task = asyncio.create_task(store.query("SELECT sleep(0.3)"))
    turns = 0
    while not task.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 20


async def test_after_close_statements_are_unavailable(store_config):
    async with opened(store_config) as store:
        await store.ping()
    for awaitable in (
        store.ping(),
        store.query("SELECT 1"),
        store.command("SELECT 1"),
        store.insert("t", ["a"], [[1]]),
    ):
        assert await code_of(awaitable) == "STORAGE_UNAVAILABLE"


async def test_rows_outlive_the_store(store_config):
    async with opened(store_config) as store:
        await table(store)
        await store.insert("t", ["a"], [["x"]])
    async with opened(store_config) as store:
        assert await store.query("SELECT a FROM t") == [{"a": "x"}]


async def test_a_group_commit_writes_what_can_be_written(store):
    await table(store)
    group = GroupCommit(store, "t", ["a"], clock=SystemClock())
    texts = ["\ud800" if n == 7 else f"{n:03}" for n in range(100)]
    heard = await asyncio.gather(*(group.write([[text]]) for text in texts), return_exceptions=True)
    assert [n for n, outcome in enumerate(heard) if outcome] == [7]
    assert isinstance(heard[7], RowsRefused)
    assert [row["a"] for row in await store.query("SELECT a FROM t ORDER BY a")] == [t for t in texts if t != "\ud800"]
    await group.close()


async def test_a_statement_has_a_span_without_its_text(store_config):
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    async with opened(store_config, tracer=provider.get_tracer("t")) as store:
        await store.query("SELECT 'narrative'", name="recall")
        await code_of(store.query("SELECT narrative", name="broken"))
        await table(store)
        await GroupCommit(store, "t", ["a"], clock=SystemClock()).write([["narrative"]])
    spans = {span.name: span for span in exporter.get_finished_spans()}
    assert spans["recall"].kind is SpanKind.CLIENT
    assert dict(spans["recall"].attributes) == {"db.system.name": "clickhouse", "db.operation.name": "SELECT"}
    assert spans["broken"].status.description == "INTERNAL"
    assert spans["insert t"].parent.span_id == spans["group t"].context.span_id
    assert spans["group t"].parent.span_id == spans["commit t"].context.span_id
    assert "narrative" not in "".join(span.to_json() for span in spans.values())


FIRST = """-- Things.
CREATE TABLE IF NOT EXISTS things {{on_cluster}} (id String, version UInt64)
ENGINE = {{engine:ReplacingMergeTree(version)}} ORDER BY id SETTINGS {{durable}};
CREATE TABLE IF NOT EXISTS more {{on_cluster}} (id String) ENGINE = {{engine:MergeTree}} ORDER BY id;
"""
SECOND = "ALTER TABLE more {{on_cluster}} ADD COLUMN IF NOT EXISTS extra String;\n"


async def test_migrations_are_applied_once_and_in_order(store, tmp_path, monkeypatch):
    package = sql_package(tmp_path, monkeypatch, {"0002_more.sql": SECOND, "0001_things.sql": FIRST})
    assert await migrate(store, package, plane="memory") == ["0001_things.sql", "0002_more.sql"]
    assert await migrate(store, package, plane="memory") == []
    await store.insert("more", ["id", "extra"], [["a", "b"]])
    await store.insert("things", ["id", "version"], [["a", 1], ["a", 2]])
    assert await store.query("SELECT * FROM things FINAL") == [{"id": "a", "version": 2}]
    (row,) = await store.query(
        "SELECT engine_full AS e FROM system.tables WHERE name = 'things' AND database = currentDatabase()"
    )
    assert "fsync_after_insert = 1" in row["e"]
    assert "fsync_part_directory = 1" in row["e"]


async def test_planes_have_their_own_migrations(store, tmp_path, monkeypatch):
    package = sql_package(tmp_path, monkeypatch, {"0001_things.sql": FIRST})
    for plane in ("memory", "tracker"):
        assert await migrate(store, package, plane=plane) == ["0001_things.sql"]


async def test_a_later_program_brings_the_database_up_to_date(store, tmp_path, monkeypatch):
    old = sql_package(tmp_path, monkeypatch, {"0001_things.sql": FIRST})
    new = sql_package(tmp_path, monkeypatch, {"0001_things.sql": FIRST, "0002_more.sql": SECOND})
    await migrate(store, old, plane="memory")
    assert await migrate(store, new, plane="memory") == ["0002_more.sql"]
    with pytest.raises(MigrationError, match="does not know"):
        await migrate(store, old, plane="memory")


async def test_a_changed_migration_stops_the_start(store, tmp_path, monkeypatch):
    await migrate(store, sql_package(tmp_path, monkeypatch, {"0001_things.sql": FIRST}), plane="memory")
    changed = sql_package(tmp_path, monkeypatch, {"0001_things.sql": FIRST + SECOND})
    with pytest.raises(MigrationError, match=r"0001_things\.sql was changed"):
        await migrate(store, changed, plane="memory")


async def test_a_migration_that_fails_is_not_recorded_and_runs_again(store, tmp_path, monkeypatch):
    broken = sql_package(tmp_path, monkeypatch, {"0001_things.sql": FIRST + "CREATE NONSENSE;\n"})
    assert await code_of(migrate(store, broken, plane="memory")) == "INTERNAL"
    mended = sql_package(tmp_path, monkeypatch, {"0001_things.sql": FIRST})
    assert await migrate(store, mended, plane="memory") == ["0001_things.sql"]


async def test_processes_that_start_together_migrate_once(store, store_config, tmp_path, monkeypatch):
    package = sql_package(tmp_path, monkeypatch, {"0001_things.sql": FIRST, "0002_more.sql": SECOND})
    async with opened(store_config) as other:
        applied = await asyncio.gather(*(migrate(one, package, plane="memory") for one in (store, other, store)))
    assert sorted(applied) == [[], [], ["0001_things.sql", "0002_more.sql"]]
    assert await store.query("SELECT count() AS n FROM loom_migrations") == [{"n": 2}]
