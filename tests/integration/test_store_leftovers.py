"""A statement that fails leaves rows in its chDB connection; nobody else may get them."""

from pathlib import Path
from typing import Any

import pytest

from runtime.errors import LoomError
from runtime.store import StoreConfig, chdb_engine
from tests.support.clickhouse_http import clickhouse_server
from tests.support.stores import chdb_store, opened

# Nearly a million rows are ready when the last one fails.
FAILS_LATE = "SELECT number AS leaked, throwIf(number = 999999) AS t FROM numbers(1000000)"


async def test_rows_of_a_statement_that_failed_are_no_answer_to_the_next_one(tmp_path: Path) -> None:
    async with chdb_store(tmp_path, readers=1) as store:
        for number in range(3):
            with pytest.raises(LoomError):
                await store.query(FAILS_LATE)
            assert await store.query("SELECT {n:UInt8} AS n", {"n": number}) == [{"n": number}]
            assert await store.query("SELECT 1 AS one WHERE 0") == []


async def test_nor_over_the_server_that_tests_use(tmp_path: Path) -> None:
    with clickhouse_server(tmp_path, user="loom", password="secret") as server:
        async with opened(StoreConfig(dsn=server.dsn("t"))) as store:
            for number in range(8):
                with pytest.raises(LoomError):
                    await store.query(FAILS_LATE)
                assert await store.query("SELECT {n:UInt8} AS n", {"n": number}) == [{"n": number}]


class Client:
    """A connection that answers the next statements with these texts; None stands for what was asked."""

    def __init__(self, *answers: str | None) -> None:
        self.answers, self.closed = list(answers), False

    def command(self, sql: str) -> str:
        said = self.answers.pop(0)
        return sql.removeprefix("SELECT ").strip("'") if said is None else said

    def close(self) -> None:
        self.closed = True


def failing(client: Client) -> Any:
    raise ValueError("the statement fails")


@pytest.mark.parametrize(
    ("answers", "kept"), [([None], True), (["left", None], True), (["left", "left", None], True), (["left"] * 3, False)]
)
async def test_a_connection_is_used_again_when_it_is_clean_and_replaced_when_it_is_not(
    answers: list[str | None], kept: bool
) -> None:
    first, second = Client(*answers), Client()
    lane = chdb_engine._Lane("test", [first], lambda: second)
    with pytest.raises(ValueError, match="fails"):
        await lane.run(failing)
    used = await lane.run(lambda client: client)
    assert used is (first if kept else second)
    assert first.closed is not kept
    lane.close()
