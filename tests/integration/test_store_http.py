"""A server that fails, and processes that migrate one database at once."""

import asyncio
import contextlib
import json
import logging
import re
import secrets
import socket

import pytest
from clickhouse_connect.driver.exceptions import DatabaseError

from runtime.clock import SystemClock
from runtime.errors import LoomError
from runtime.store import GroupCommit, Store, StoreConfig, http_engine, migrate
from runtime.store.config import HttpTarget
from runtime.store.locks import LOCK_TABLE, LockLost, migration_lock
from tests.support.clickhouse_http import clickhouse_server
from tests.support.stores import opened, sql_package

PASSWORD = "p@ss/w:rd"
LIMIT_S = 30.0
TABLE = "CREATE TABLE t (a String) ENGINE = MergeTree ORDER BY a"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with clickhouse_server(tmp_path_factory.mktemp("server"), user="loom", password=PASSWORD) as server:
        yield server


@pytest.fixture
def dsn(server):
    return server.dsn(f"t_{secrets.token_hex(6)}")


@pytest.fixture
async def store(dsn):
    async with opened(StoreConfig(dsn=dsn)) as store:
        yield store


async def code_of(awaitable):
    with pytest.raises(LoomError) as caught:
        await awaitable
    assert PASSWORD not in str(caught.value)
    return caught.value.code.name


class Proxy:
    """A relay to the server that keeps what was asked and, when told, cuts the connection instead of answering."""

    def __init__(self, port):
        self._port = port
        self.asked = b""
        self.cut = False

    @contextlib.asynccontextmanager
    async def listening(self):
        relay = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        async with relay:
            yield relay.sockets[0].getsockname()[1]

    async def _relay(self, reader, writer):
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._port)

        async def upwards():
            while data := await reader.read(65536):
                self.asked += data
                up_writer.write(data)

        async def downwards():
            while data := await up_reader.read(65536):
                if self.cut:
                    return
                writer.write(data)

        tasks = [asyncio.create_task(upwards()), asyncio.create_task(downwards())]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        writer.transport.abort()
        up_writer.transport.abort()


async def test_a_server_that_dies_is_storage_unavailable(tmp_path, caplog):
    with clickhouse_server(tmp_path, user="loom", password=PASSWORD) as server:
        async with opened(StoreConfig(dsn=server.dsn("t"))) as store:
            await store.command(TABLE)
            group = GroupCommit(store, "t", ["a"], clock=SystemClock())
            await group.write([["x"]])
            server.kill()
            assert await code_of(store.query("SELECT 1")) == "STORAGE_UNAVAILABLE"
            assert await code_of(store.command("SELECT 1")) == "STORAGE_UNAVAILABLE"
            assert await code_of(store.ping()) == "STORAGE_UNAVAILABLE"
            heard = await asyncio.gather(*(group.write([[str(n)]]) for n in range(3)), return_exceptions=True)
            assert [error.code.name for error in heard] == ["STORAGE_UNAVAILABLE"] * 3
        with pytest.raises(LoomError):
            await Store.open(StoreConfig(dsn=server.dsn("t")))
    assert PASSWORD not in caplog.text


async def test_a_wrong_password_is_storage_unavailable_and_not_logged(server, caplog):
    with caplog.at_level(logging.DEBUG):
        opening = Store.open(StoreConfig(dsn=server.dsn("t", password="another-secret")))
        assert await code_of(opening) == "STORAGE_UNAVAILABLE"
    assert "AUTHENTICATION_FAILED" in caplog.text
    assert "another-secret" not in caplog.text


async def test_a_server_that_never_answers_is_given_up_in_time():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        dsn = f"http://127.0.0.1:{silent.getsockname()[1]}/t"
        assert await code_of(Store.open(StoreConfig(dsn=dsn, timeout_s=0.1))) == "STORAGE_UNAVAILABLE"


async def test_an_insert_whose_answer_is_lost_is_not_sent_again(server, store, dsn):
    await store.command(TABLE)
    proxy = Proxy(server.port)
    async with proxy.listening() as port, opened(StoreConfig(dsn=dsn.replace(f":{server.port}/", f":{port}/"))) as far:
        await far.insert("t", ["a"], [["answered"]])
        proxy.cut = True
        assert await code_of(far.insert("t", ["a"], [["lost"]])) == "STORAGE_UNAVAILABLE"
    rows = await store.query("SELECT a, count() AS n FROM t GROUP BY a ORDER BY a")
    assert rows == [{"a": "answered", "n": 1}, {"a": "lost", "n": 1}]


async def test_an_insert_is_answered_when_the_rows_are_in_whatever_the_server_prefers(server, store, dsn):
    await store.command(TABLE)
    proxy = Proxy(server.port)
    async with proxy.listening() as port, opened(StoreConfig(dsn=dsn.replace(f":{server.port}/", f":{port}/"))) as far:
        await far.insert("t", ["a"], [["x"]])
    request = proxy.asked.rpartition(b"POST ")[2].partition(b" HTTP")[0]
    assert b"async_insert=0" in request
    assert b"insert_deduplicate=0" in request


async def test_what_a_query_says_of_callers_stands_in_no_url(server, store, dsn):
    proxy = Proxy(server.port)
    params = {"said": "canary", "list": ["é'"]}
    async with proxy.listening() as port, opened(StoreConfig(dsn=dsn.replace(f":{server.port}/", f":{port}/"))) as far:
        found = await far.query("SELECT {said:String} AS a, {list:Array(String)} AS b", params)
    assert found == [{"a": "canary", "b": ["é'"]}]
    urls = re.findall(rb"(?:POST|GET) (\S+) HTTP/1.1", proxy.asked)
    assert urls
    assert not [url for url in urls if b"canary" in url or b"SELECT" in url]


async def test_a_user_who_may_not_create_the_database_gets_on_with_one_that_exists(monkeypatch):
    class Client:
        database = None

        async def command(self, *_, **__):
            raise DatabaseError("not allowed", code=497)

    async def create(**_):
        return Client()

    monkeypatch.setattr(http_engine, "create_async_client", create)
    engine = await http_engine.HttpEngine.open(HttpTarget("http://h", "http", "mine"), "", SystemClock())
    assert engine._client.database == "mine"


@pytest.fixture
def package(tmp_path, monkeypatch):
    return sql_package(tmp_path, monkeypatch, {"0001_t.sql": TABLE + ";"})


async def lock_by(store, owner, until):
    comment = json.dumps({"owner": owner, "until": until})
    await store.command(f"CREATE TABLE {LOCK_TABLE} (held UInt8) ENGINE = Memory COMMENT '{comment}'")


async def lock_tables(store):
    rows = await store.query(
        "SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE 'loom_migration_lock%'"
    )
    return [row["name"] for row in rows]


async def test_a_migration_waits_for_the_process_that_holds_the_lock(store, package, caplog):
    await lock_by(store, "someone", until=2**52)
    async with asyncio.timeout(LIMIT_S):
        task = asyncio.create_task(migrate(store, package, plane="memory"))
        for _ in range(3):
            await store.ping()
        assert not task.done()
        await store.command(f"DROP TABLE {LOCK_TABLE} SYNC")
        assert await task == ["0001_t.sql"]
    assert await lock_tables(store) == []


async def test_the_lock_of_a_process_that_died_is_taken_over_by_one(store, dsn, package):
    await lock_by(store, "dead", until=1)
    async with opened(StoreConfig(dsn=dsn)) as other, asyncio.timeout(LIMIT_S):
        applied = await asyncio.gather(*(migrate(one, package, plane="memory") for one in (store, other) * 3))
    assert sorted(applied) == [[]] * 5 + [["0001_t.sql"]]
    assert await lock_tables(store) == [f"{LOCK_TABLE}_dead"]


async def test_a_process_that_stood_still_too_long_notices_that_it_lost_the_lock(store):
    with pytest.raises(LockLost):
        async with migration_lock(store) as renew:
            await renew()
            await store.command(f"DROP TABLE {LOCK_TABLE} SYNC")
            await lock_by(store, "another", until=2**52)
            await renew()
    assert await lock_tables(store) == [LOCK_TABLE]


async def test_a_migration_stops_before_its_next_statement_when_the_lock_is_lost(store, tmp_path, monkeypatch):
    package = sql_package(tmp_path, monkeypatch, {"0001_t.sql": f"DROP TABLE {LOCK_TABLE} SYNC;\n{TABLE};\n"})
    with pytest.raises(LockLost):
        await migrate(store, package, plane="memory")
    assert await store.query("EXISTS TABLE t") == [{"result": 0}]


async def test_renewing_puts_the_end_of_the_lock_off(store):
    sql = "SELECT comment AS c FROM system.tables WHERE database = currentDatabase() AND name = {table:String}"

    async def until():
        (row,) = await store.query(sql, {"table": LOCK_TABLE})
        return json.loads(row["c"])["until"]

    async with migration_lock(store) as renew:
        before = await until()
        while await until() == before:
            await renew()
        assert await until() > before
    assert await lock_tables(store) == []
