"""Reads of one source, over a real engine: answers, limits, settings, and what is said when there is none."""

import asyncio
import base64
import gzip
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from runtime.clock import SystemClock
from services.tracker.sources import resolver
from services.tracker.sources.client import SourceClient
from services.tracker.sources.model import Target
from services.tracker.sources.silence import Reason, Silent
from tests.support.clickhouse_http import Server
from tests.support.tracked import PATIENT, RULES, arrived, settled, target

SLOW = "SELECT count() FROM numbers_mt(1000000000000) WHERE sipHash64(number) % 7 = 1"


def client_of(where: Target, **more: Any) -> SourceClient:
    return SourceClient(where, RULES, SystemClock(), more.pop("limits", PATIENT), **more)


@pytest.fixture
async def client(source_server: Server) -> AsyncIterator[SourceClient]:
    made = client_of(target(source_server))
    yield made
    await made.close()


async def reason_of(client: SourceClient, sql: str, **more: Any) -> Reason:
    with pytest.raises(Silent) as caught:
        await client.rows("test", sql, **more)
    return caught.value.reason


async def test_values_and_parameters_come_back_as_they_went(client: SourceClient) -> None:
    sent = {
        "text": "a'\n\t\\`{x:Int8}é\0",
        "texts": ["x'", "y\\", ""],
        "big": 2**64 - 1,
        "at": datetime(2299, 12, 31, tzinfo=UTC),
    }
    answer = await client.rows(
        "test",
        "SELECT {text:String} AS text, {texts:Array(String)} AS texts, {big:UInt64} AS big,"
        " {at:DateTime64(3, 'UTC')} AS at, NULL AS nothing, toFloat64('nan') AS nan",
        sent,
    )
    assert answer.rows == [{**sent, "nothing": None, "nan": None}]


async def test_long_parameters_travel_in_the_body(client: SourceClient) -> None:
    answer = await client.rows("test", "SELECT lengthUTF8({text:String}) AS n", {"text": "é" * 50_000})
    assert answer.rows == [{"n": 50_000}]


async def test_bytes_that_are_no_text_and_huge_cells_are_no_crash(client: SourceClient) -> None:
    answer = await client.rows("test", "SELECT unhex('FF00FE') AS bad, repeat(repeat('x', 1000), 10000) AS long")
    assert answer.rows[0]["bad"] == "\ufffd\0\ufffd"
    assert len(answer.rows[0]["long"]) == 10_000_000


async def test_an_answer_past_the_limits_is_cut_off_and_marked(source_server: Server) -> None:
    client = client_of(target(source_server), limits=replace(PATIENT, max_rows=10, max_bytes=1 << 20))
    rows = await client.rows("test", "SELECT number FROM numbers(1000000)")
    assert (len(rows.rows), rows.clipped) == (10, True)
    exact = await client.rows("test", "SELECT number FROM numbers(10)")
    assert (len(exact.rows), exact.clipped) == (10, False)
    long = await client.rows("test", "SELECT repeat('x', 200000) AS x FROM numbers(9)")
    assert long.clipped
    assert len(long.rows) < 9
    await client.close()


async def test_a_hostile_answer_does_not_fill_the_memory(source_server: Server, client: SourceClient) -> None:
    lines = b'["x"]\n["String"]\n' + b'["' + b"a" * (200 << 20) + b'"]\n'
    packed = base64.b64encode(gzip.compress(lines, 9)).decode()
    source_server.set(answer={"headers": {"Content-Encoding": "gzip"}, "body": packed})
    answer = await client.rows("test", "SELECT 1")
    assert (answer.rows, answer.clipped) == ([], True)


async def test_a_redirect_is_not_followed(source_server: Server, client: SourceClient) -> None:
    away = {"status": 307, "headers": {"Location": f"http://127.0.0.1:{source_server.port}/elsewhere"}}
    source_server.set(answer=away)
    assert await reason_of(client, "SELECT 1") is Reason.UNREACHABLE
    assert len(source_server.recorded()) == 1


@pytest.mark.parametrize(
    "answer",
    [
        {"body": base64.b64encode(b"<html>").decode()},
        {"body": ""},
        {"status": 502},
        {"headers": {"Content-Encoding": "gzip"}, "body": "AAAA"},
    ],
)
async def test_what_is_not_clickhouse_is_unreachable(source_server: Server, client: SourceClient, answer: dict) -> None:
    source_server.set(answer=answer)
    assert await reason_of(client, "SELECT 1") is Reason.UNREACHABLE


async def test_a_login_at_readonly_1_gets_no_settings_and_that_is_remembered(
    source_server: Server, client: SourceClient
) -> None:
    source_server.set(readonly=1)
    for _ in range(2):
        assert (await client.rows("test", "SELECT getSetting('readonly') AS r")).rows == [{"r": 1}]
    sent = [entry["settings"] for entry in source_server.recorded()]
    assert sent[0]["max_execution_time"] == "20"
    assert sent[-2:] == [{}, {}]
    assert len(sent) == 4


@pytest.mark.parametrize("readonly", [0, 2])
async def test_any_other_login_is_held_to_reading_and_to_a_limit(
    source_server: Server, client: SourceClient, readonly: int
) -> None:
    source_server.set(readonly=readonly)
    answer = await client.rows("test", "SELECT getSetting('readonly') AS r, getSetting('max_execution_time') AS t")
    assert answer.rows == [{"r": 2, "t": 20}]


@pytest.mark.parametrize("readonly", [0, 1, 2])
async def test_a_statement_that_is_given_up_is_cancelled_at_the_source(
    source_server: Server, client: SourceClient, readonly: int
) -> None:
    source_server.set(readonly=readonly)
    client.at_level(readonly)
    assert await reason_of(client, SLOW, budget_s=0.2) is Reason.TIMEOUT
    await settled(client)
    slow, kill = source_server.idle()
    assert slow["state"] == "cancelled"
    assert kill["sql"].startswith("KILL QUERY WHERE query_id IN")
    assert slow["query_id"] in kill["params"]["ids"]
    assert not client.canceller.hanging


async def test_a_caller_that_goes_away_takes_its_statement_with_it(source_server: Server, client: SourceClient) -> None:
    await client.rows("test", "SELECT 1")
    source_server.set(silent=True)
    task = asyncio.create_task(client.rows("test", "SELECT 2"))
    await arrived(source_server, 2)
    task.cancel()
    await asyncio.wait([task])
    source_server.set(silent=False)
    await settled(client)
    assert [entry["state"] for entry in source_server.idle()] == ["done", "gone", "done"]
    assert client.breaker.retry_after_s == 0


async def test_waiting_for_our_own_pool_is_not_the_sources_fault(source_server: Server) -> None:
    client = client_of(target(source_server), statements=1)
    source_server.set(silent=True)
    held = asyncio.create_task(client.rows("test", "SELECT 1"))
    await arrived(source_server, 1)
    for _ in range(5):
        assert await reason_of(client, "SELECT 2", budget_s=0.02) is Reason.TIMEOUT
    assert len(source_server.recorded()) == 1
    source_server.set(silent=False)
    assert (await held).rows == [{"1": 1}]
    assert (await client.rows("test", "SELECT 2 AS n")).rows == [{"n": 2}]
    await client.close()


@pytest.mark.parametrize(
    "sql", ["SELECT x FROM team.nothing", "SELECT nothing FROM team.issues", "SELECT 'a' + 1", "SELECT f("]
)
async def test_a_statement_that_does_not_fit_the_tables_is_a_matter_of_the_contract(
    client: SourceClient, sql: str
) -> None:
    for _ in range(4):
        assert await reason_of(client, sql) is Reason.CONTRACT


async def test_rows_that_end_in_an_error_are_no_answer(source_server: Server, client: SourceClient) -> None:
    for code, reason in ((b"241", Reason.UNREACHABLE), (b"159", Reason.TIMEOUT), (b"47", Reason.CONTRACT)):
        body = b'["n"]\n["Int64"]\n[1]\nCode: ' + code + b". DB::Exception: a long story"
        source_server.set(answer={"body": base64.b64encode(body).decode()})
        assert await reason_of(client, "SELECT 1") is reason


@pytest.mark.parametrize(
    "changes", [{"password": "wrong"}, {"user": "nobody"}, {"port": 1}, {"host": "169.254.169.254"}]
)
async def test_a_source_that_cannot_be_reached_opens_the_breaker_at_the_third(
    source_server: Server, changes: dict[str, Any]
) -> None:
    client = client_of(target(source_server, **changes))
    reasons = [await reason_of(client, "SELECT 1") for _ in range(4)]
    assert reasons == [Reason.UNREACHABLE] * 3 + [Reason.CIRCUIT_OPEN]
    await client.close()


async def test_only_reading_statements_are_sent(source_server: Server, client: SourceClient) -> None:
    for sql in (
        "INSERT INTO team.issues VALUES",
        "DROP TABLE t",
        "SET x = 1",
        "KILL QUERY WHERE 1",
        "/**/ALTER TABLE t",
    ):
        with pytest.raises(ValueError, match="only read"):
            await client.rows("test", sql)
    assert source_server.recorded() == []


async def test_a_name_that_moves_to_where_it_may_not_is_refused_at_the_next_connection(
    source_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = ["127.0.0.1"]
    looked_up = []

    def look_up(host: str, port: int, family: int) -> list[Any]:
        looked_up.append(host)
        return [(2, 1, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(resolver, "_getaddrinfo", look_up)
    client = client_of(target(source_server, host="db.test"))
    assert (await client.rows("test", "SELECT 1 AS n")).rows == [{"n": 1}]
    source_server.set(answer={"headers": {"Connection": "close"}})
    assert await reason_of(client, "SELECT 1") is Reason.UNREACHABLE
    for bad in (["169.254.169.254"], ["127.0.0.1", "169.254.169.254"]):
        addresses[:] = bad
        assert await reason_of(client, "SELECT 1") is Reason.UNREACHABLE
    assert looked_up == ["db.test"] * 3
    assert len(source_server.recorded()) == 2
    await client.close()


async def test_nothing_that_a_source_says_gets_into_the_log(
    source_server: Server, client: SourceClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    told = {"t": "swordfish"}
    await reason_of(client, "SELECT throwIf(1, 'hunter2'), {t:String}", params=told)
    await reason_of(client, "SELECT hunter2, {t:String}", params=told)
    source_server.set(answer={"status": 500, "body": base64.b64encode(b"hunter2").decode()})
    await reason_of(client, "SELECT 1")
    assert "hunter2" not in caplog.text
    assert "swordfish" not in caplog.text
    assert source_server.password not in caplog.text + repr(client.target)
